//! Fragments of an open host source: requests about a place in one are answered from its program, as if it were a document
//! of its own, and the places of the answers are those of the host.

use super::analysis::{Analysis, View};
use super::names;
use crate::base::span::Span;
use crate::host::statement::RawOperand;
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

    /// Whether a name of the fragment also stands in another statement of the same function.
    #[must_use]
    pub fn is_shared(&self, all: &[Self], name: &str) -> bool {
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let others = all.iter().filter(|v| {
            v.fragment.raw.function == self.fragment.raw.function && v.fragment.raw.span != self.fragment.raw.span
        });
        others.into_iter().any(|other| {
            let text = other.fragment.text();
            text.match_indices(name).any(|(at, _)| {
                let before = at.checked_sub(1).map(|i| text.as_bytes()[i]);
                let behind = text.as_bytes().get(at + name.len()).copied();
                !before.is_some_and(is_part) && !behind.is_some_and(is_part)
            })
        })
    }
}
