//! Fragments of an open host source: requests about a place in one are answered from its program, as if it were a document
//! of its own, and the places of the answers are those of the host.

use super::analysis::{Analysis, View};
use super::names::{self, Found, Namespace};
use crate::base::span::Span;
use crate::host::statement::RawOperand;
use crate::program::VariableId;
use crate::program::fragment::{FragmentOperand, OperandClass};

/// The fragment whose text a place of the host belongs to, and the place in that text.
#[must_use]
pub fn view_at(analysis: &Analysis, host_offset: u32) -> Option<(usize, u32)> {
    // Both branches of an `#if` inside a statement are fragments of the same place.
    let before = analysis.fragments.partition_point(|v| v.fragment.raw.span.start <= host_offset);
    let around = analysis.fragments[..before].iter().enumerate().rev();
    around
        .take_while(|(i, v)| {
            v.fragment.raw.span.end >= host_offset
                || analysis.fragments[..*i].last().is_some_and(|p| p.fragment.raw.span.end >= host_offset)
        })
        .find_map(|(i, v)| Some((i, v.offset_of(host_offset)?)))
        // A string may stand elsewhere: in a constant, a list of lines, the call of a wrapper.
        .or_else(|| {
            let all = analysis.fragments.iter().enumerate();
            all.filter(|(_, v)| !v.fragment.raw.has_uses)
                .find_map(|(i, v)| Some((i, v.fragment.pasted.text.offset_in_run(host_offset)?)))
        })
}

impl View {
    fn offset_of(&self, host_offset: u32) -> Option<u32> {
        let span = self.fragment.raw.span;
        let is_inside = span.start <= host_offset && host_offset <= span.end;
        is_inside.then(|| self.fragment.pasted.text.offset_of(host_offset)).flatten()
    }

    /// Which operand of the host stands at a place of the fragment's text, and the place of its name.
    #[must_use]
    pub fn operand_at(&self, offset: u32) -> Option<(usize, Span)> {
        let number = self.fragment.pasted.numbers.iter().find(|(s, _)| s.start <= offset && offset <= s.end);
        if let Some((span, index)) = number {
            return Some((*index as usize, *span));
        }
        let word = names::word_at(self.analysis.text.as_str(), offset)?;
        Some((self.operand_named(self.analysis.text_of(word))?, word))
    }

    /// The operand that a name of the fragment's text stands for.
    #[must_use]
    pub fn operand_named(&self, name: &str) -> Option<usize> {
        let spelling = self.fragment.pasted.spellings.iter().find(|(n, ..)| n == name)?;
        Some(spelling.2 as usize)
    }

    /// An operand as the host declares it.
    #[must_use]
    pub fn operand(&self, index: usize) -> Option<(&FragmentOperand, &RawOperand)> {
        let known = self.analysis.program.fragment.as_ref()?.operands.get(index)?;
        Some((known, self.fragment.raw.operands.as_ref()?.get(index)?))
    }

    /// What an operand holds: `16 lanes x ud`.
    #[must_use]
    pub fn contents(&self, index: usize) -> String {
        let Some((operand, _)) = self.operand(index) else { return String::new() };
        let element = operand.element.map(|(t, n)| match n {
            1 => t.text().to_owned(),
            n => format!("{n} components \u{d7} {}", t.text()),
        });
        let element = element.as_deref().unwrap_or("a type that is not known here");
        match operand.class {
            OperandClass::Immediate => "a number".to_owned(),
            OperandClass::Uniform => format!("{element}, the same for all lanes"),
            OperandClass::PerLane if self.fragment.raw.is_vector => "a vector".to_owned(),
            OperandClass::PerLane => match self.fragment.raw.sub_group {
                Some(lanes) => format!("{lanes} lanes \u{d7} {element}"),
                None => format!("each lane \u{d7} {element}"),
            },
        }
    }

    /// Where the host hands an operand over: its expression, or its constraint if there is none.
    #[must_use]
    pub fn origin(&self, index: usize) -> Option<Span> {
        let (_, raw) = self.operand(index)?;
        Some(if raw.expression.is_empty() { raw.constraint_span } else { raw.expression })
    }

    /// An operand in words: what it holds, and what of the host it is.
    #[must_use]
    pub fn describe(&self, host: &str, name: &str, index: usize) -> Option<String> {
        let (operand, raw) = self.operand(index)?;
        let constraint = raw.constraint_span.of(host);
        let expression = raw.expression.of(host).split_whitespace().collect::<Vec<_>>().join(" ");
        let source = match (constraint.starts_with('"'), expression.is_empty()) {
            _ if constraint.is_empty() => "a constraint that is not known here".to_owned(),
            (true, false) => format!("`{constraint}({expression})`"),
            (false, false) => format!("`{expression}`, with the constraint `{constraint}`"),
            _ => format!("the constraint `{constraint}`"),
        };
        let role = match (operand.is_input, operand.is_output) {
            (true, true) => "read and written",
            (false, true) => "an output",
            _ => "an input",
        };
        let spelling = self.fragment.pasted.spellings.iter().find(|(n, _, i)| n == name || *i as usize == index);
        let name = spelling.map_or(name, |(_, written, _)| written);
        Some(format!("`{name}`: {}, from {source}\n\n{role}", self.contents(index)))
    }

    /// The places of the host that declare a variable of the fragment's text: its own, or one of another statement.
    fn declared_at(&self, host: &str, word: &str) -> Vec<Span> {
        let program = &self.analysis.program;
        let Some(symbol) = program.names.lookup(word) else { return Vec::new() };
        let variables = program.objects.iter().flat_map(|o| o.variables.clone()).map(VariableId);
        let named = variables.filter(|v| program.variables[*v].name == symbol);
        named.map(|v| self.fragment.place(host, program.variable_spans[v].name)).collect()
    }
}

/// All places of a name in the statements that share it with the one at `index`, as the fragment and the place in its text.
#[must_use]
pub fn places(analysis: &Analysis, index: usize, found: &Found) -> Vec<(usize, Span)> {
    let host = analysis.text.as_str();
    let views = &analysis.fragments;
    let word = views[index].analysis.text_of(found.here);
    let is_label = found.namespace == Namespace::Label;
    let all: Vec<Vec<Span>> = views
        .iter()
        .map(|view| names::shared(&view.analysis, word, is_label).into_iter().map(|(_, m)| m.span).collect())
        .collect();
    let mut is_in = vec![false; views.len()];
    let mut places: Vec<(usize, Span)> = found.mentions.iter().map(|m| (index, m.span)).collect();
    let is_shared = all[index].contains(&found.here);
    let mut functions: Vec<u32> = Vec::new();
    let mut declared: Vec<Span> = Vec::new();
    let mut written: Vec<Span> = Vec::new();
    let mut next = Some(index);
    while let Some(at) = next {
        is_in[at] = true;
        if at != index {
            places.extend(all[at].iter().map(|span| (at, *span)));
        }
        if is_shared {
            functions.push(views[at].fragment.raw.function);
            declared.extend(views[at].declared_at(host, word));
        }
        // A macro that several statements hold is changed for all of them.
        let own = places.iter().filter(|(i, _)| *i == at);
        written.extend(own.filter_map(|(_, span)| views[at].fragment.pasted.text.written(*span)));
        next = (0..views.len()).find(|at| {
            let view = &views[*at];
            let is_of = |span: &Span| view.fragment.pasted.text.written(*span).is_some_and(|w| written.contains(&w));
            let joins = is_shared
                && (view.fragment.raw.function != 0 && functions.contains(&view.fragment.raw.function)
                    || !is_label && view.declared_at(host, word).iter().any(|d| declared.contains(d)));
            !is_in[*at] && !all[*at].is_empty() && (joins || all[*at].iter().any(is_of))
        });
    }
    places
}
