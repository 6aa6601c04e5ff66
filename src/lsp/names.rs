//! Names: which one stands at a place, and where else it stands.
//!
//! The program knows the names of all operands that could be read. An editor also has to find those in lines that are
//! just being typed; so a name is looked for in the tokens, and the program says what it is there.

use super::analysis::Analysis;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::{InstructionIndex, ObjectId, Operand, VariableId};
use crate::spec::instruction::{OperandKind, Role};
use crate::syntax::lexer::{Lexer, Line};
use crate::syntax::token::{Token, TokenKind};

/// What a name names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespace {
    /// A variable, perhaps one that is not declared.
    Variable(Option<VariableId>),
    /// A label or subroutine of one kernel or function.
    Label,
    /// A kernel or function.
    Function,
}

/// What happens to a name where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It is declared.
    Declared,
    /// Its value is read.
    Read,
    /// Its value is written.
    Written,
    /// Both.
    Changed,
    /// It is named, no more: as the base of an alias, or in a line that cannot be read.
    Named,
}

/// A place where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The name, without quotes.
    pub span: Span,
    /// What happens to it.
    pub is: Use,
}

/// A name, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it names.
    pub namespace: Namespace,
    /// The kernel or function in which it means that; nothing if it means that in the whole file.
    pub object: Option<ObjectId>,
    /// All its places, in the order of the text.
    pub mentions: Vec<Mention>,
    /// The place that was asked for.
    pub here: Span,
}

impl Found {
    /// Where it is declared: for a subroutine its `.function` or its label.
    pub fn declarations(&self) -> impl Iterator<Item = Span> {
        self.mentions.iter().filter(|m| m.is == Use::Declared).map(|m| m.span)
    }
}

/// What a word of a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The name after `.decl`.
    DeclaredVariable,
    /// A variable.
    Variable(Use),
    /// The definition of a label or subroutine.
    DeclaredLabel,
    /// A label or subroutine.
    Label,
    /// The name of a kernel or function, where it begins.
    DeclaredFunction,
    /// The name of a function.
    Function,
    /// A name in a line that cannot be read.
    Unclear,
}

/// Something that the walk over a text meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// `{`
    Open,
    /// `}`
    Close,
    /// A name.
    Name(Span, Place),
}

/// The bytes of an object: up to the next one.
#[must_use]
pub fn object_span(analysis: &Analysis, object: ObjectId) -> Span {
    let objects = &analysis.program.objects;
    let end = objects
        .get(ObjectId::from_index(object.index() + 1))
        .map_or(analysis.text.as_str().len() as u32, |next| next.span.start);
    Span::new(objects[object].span.start, end)
}

/// The object around a place.
#[must_use]
pub fn object_at(analysis: &Analysis, offset: u32) -> Option<ObjectId> {
    let before = analysis.program.objects.as_slice().partition_point(|o| o.span.start <= offset);
    before.checked_sub(1).map(ObjectId::from_index)
}

/// Calls `on` for every name and brace in `span`, which has to begin and end between lines or objects.
pub fn walk(analysis: &Analysis, span: Span, mut on: impl FnMut(Event)) {
    let program = &analysis.program;
    let text = analysis.text_of(span);
    let shift = |s: Span| Span::new(s.start + span.start, s.end + span.start);
    let mut lexer = Lexer::new(text);
    let mut index = program.instruction_spans.as_slice().partition_point(|s| s.statement.start < span.start);
    while let Some(line) = lexer.next_line() {
        match line {
            Line::ScopeOpen(_) => on(Event::Open),
            Line::ScopeClose(_) => on(Event::Close),
            Line::Label(name) => on(Event::Name(shift(name), Place::DeclaredLabel)),
            Line::Statement => {
                let tokens = lexer.tokens();
                let Some(first) = tokens.first() else { continue };
                if first.kind == TokenKind::DotWord {
                    directive(tokens, text, |name, place| on(Event::Name(shift(name), place)));
                    continue;
                }
                let start = first.start + span.start;
                while program.instruction_spans.as_slice().get(index).is_some_and(|s| s.statement.start < start) {
                    index += 1;
                }
                for token in tokens {
                    let Some(name) = name_of(*token, text).map(shift) else { continue };
                    if let Some(place) =
                        place_in_instruction(analysis, InstructionIndex::from_index(index), start, name, token.kind)
                    {
                        on(Event::Name(name, place));
                    }
                }
            }
        }
    }
}

/// The name that a token is, begins with, or quotes.
fn name_of(token: Token, text: &str) -> Option<Span> {
    let span = token.span();
    match token.kind {
        TokenKind::Word | TokenKind::Percent => Some(span),
        TokenKind::SourceOperand | TokenKind::DestinationOperand => {
            let length = span.of(text).find('(')? as u32;
            Some(Span::new(span.start, span.start + length))
        }
        TokenKind::EqualAlias => {
            let length = span.of(text).find(',')? as u32;
            Some(Span::new(span.start + 2, span.start + length))
        }
        TokenKind::String => Some(Span::new(span.start + 1, span.end - 1)),
        _ => None,
    }
}

fn directive(tokens: &[Token], text: &str, mut on: impl FnMut(Span, Place)) {
    let word = tokens[0].span().of(text);
    let named = match word {
        ".decl" => Some(Place::DeclaredVariable),
        ".function" => Some(Place::DeclaredLabel),
        ".kernel" | ".global_function" => Some(Place::DeclaredFunction),
        ".funcdecl" => Some(Place::Function),
        _ if word == ".input" || word.starts_with(".implicit") => Some(Place::Variable(Use::Written)),
        _ => None,
    };
    if let (Some(place), Some(name)) = (named, tokens.get(1).and_then(|t| name_of(*t, text))) {
        on(name, place);
    }
    for pair in tokens.windows(2) {
        let is_used = match (pair[0].kind, pair[1].kind) {
            (TokenKind::Sizeof | TokenKind::Less, TokenKind::Word | TokenKind::Percent)
            | (_, TokenKind::EqualAlias) => true,
            (TokenKind::CallOpen | TokenKind::Open, TokenKind::Word) => {
                text[..pair[0].start as usize].ends_with("%sizeof")
            }
            _ => false,
        };
        if let (true, Some(name)) = (is_used, name_of(pair[1], text)) {
            on(name, Place::Variable(Use::Named));
        }
    }
}

fn place_in_instruction(
    analysis: &Analysis,
    index: InstructionIndex,
    start: u32,
    name: Span,
    kind: TokenKind,
) -> Option<Place> {
    let program = &analysis.program;
    let Some(spans) = program.instruction_spans.get(index).filter(|s| s.statement.start == start) else {
        return Some(Place::Unclear);
    };
    let is_string = kind == TokenKind::String;
    if spans.mnemonic.contains(name.start) || spans.exec.contains(name.start) {
        return None;
    }
    if spans.predicate.contains(name.start) {
        return Some(Place::Variable(Use::Read));
    }
    let instruction = &program.instructions[index];
    let row = program.row(instruction);
    for i in instruction.operands() {
        let places = &program.operand_spans[i];
        if !places.whole.contains(name.start) {
            continue;
        }
        let slot = row.and_then(|r| r.operands.get(usize::from(program.operand_slots[i])));
        let is_label =
            slot.is_some_and(|s| s.kinds.contains(OperandKind::Label) || s.kinds.contains(OperandKind::LabelList));
        return match program.operands[i] {
            Operand::Name { .. } | Operand::LabelList { .. } => {
                Some(if is_label { Place::Label } else { Place::Function })
            }
            Operand::Keyword { .. } | Operand::String => None,
            Operand::Broken => (!is_string || is_label).then_some(Place::Unclear),
            Operand::LscAddress { index } => {
                (program.lsc_addresses[index as usize].model_span != name).then_some(Place::Variable(Use::Read))
            }
            Operand::AddressOf { .. } => Some(Place::Variable(Use::Named)),
            Operand::Indirect { .. } => Some(Place::Variable(Use::Read)),
            _ if is_string => None,
            _ if places.name == name => Some(Place::Variable(match slot.map(|s| s.role) {
                Some(Role::Destination) => Use::Written,
                Some(Role::Both) => Use::Changed,
                _ => Use::Read,
            })),
            _ => Some(Place::Variable(Use::Named)),
        };
    }
    // A word of an instruction that could not be read as a whole; mnemonics and masks look like names there.
    (instruction.is_broken && !is_string && name.start > spans.mnemonic.end).then_some(Place::Unclear)
}

/// The word around a place: a name as the text spells it.
pub(super) fn word_at(text: &str, offset: u32) -> Option<Span> {
    let bytes = text.as_bytes();
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'@' | b'?');
    let mut start = offset as usize;
    while start > 0 && is_part(bytes[start - 1]) {
        start -= 1;
    }
    let mut end = offset as usize;
    while end < bytes.len() && is_part(bytes[end]) {
        end += 1;
    }
    if start > 0 && bytes[start - 1] == b'%' {
        start -= 1;
    } else if bytes.get(start) == Some(&b'%') && start == end {
        // Right before the `%`.
        end = start + 1 + bytes[start + 1..].iter().take_while(|b| is_part(**b)).count();
    }
    (start < end).then_some(Span::new(start as u32, end as u32))
}

/// The name at a place with all its places; nothing if no name stands there.
#[must_use]
pub fn find(analysis: &Analysis, offset: u32) -> Option<Found> {
    let word_span = word_at(analysis.text.as_str(), offset)?;
    let word = analysis.text_of(word_span);
    let object = object_at(analysis, offset);
    let span = object.map_or(Span::new(0, 0), |o| object_span(analysis, o));
    let all = collect(analysis, object, span, word);
    let (namespace, here) =
        all.iter().find(|(_, m)| m.span.start <= offset && offset <= m.span.end).map(|(n, m)| (*n, m.span))?;
    if namespace == Namespace::Function {
        let whole = Span::new(0, analysis.text.as_str().len() as u32);
        let all = collect(analysis, None, whole, word);
        let mentions = all.into_iter().filter(|(n, _)| *n == Namespace::Function).map(|(_, m)| m).collect();
        return Some(Found { namespace, object: None, mentions, here });
    }
    let mentions = all.into_iter().filter(|(n, _)| *n == namespace).map(|(_, m)| m).collect();
    Some(Found { namespace, object, mentions, here })
}

/// The places in a fragment of a host source where a name stands that other statements may share: a label, or a variable
/// of another statement or outside of the braces that the fragment closes.
#[must_use]
pub fn shared(analysis: &Analysis, word: &str, is_label: bool) -> Vec<(Namespace, Mention)> {
    let object = object_at(analysis, 0);
    let whole = Span::new(0, analysis.text.as_str().len() as u32);
    let mut closed = Vec::new();
    let mut all = collect_to(analysis, object, whole, word, &mut closed);
    all.retain(|(namespace, _)| match namespace {
        Namespace::Variable(variable) => !is_label && variable.is_none_or(|v| !closed.contains(&v)),
        Namespace::Label => is_label,
        Namespace::Function => false,
    });
    all
}

/// All places in `span` where the word stands, with what it names there.
fn collect(analysis: &Analysis, object: Option<ObjectId>, span: Span, word: &str) -> Vec<(Namespace, Mention)> {
    collect_to(analysis, object, span, word, &mut Vec::new())
}

/// As [`collect`]; variables whose scope ends in `span` go to `closed`.
fn collect_to(
    analysis: &Analysis,
    object: Option<ObjectId>,
    span: Span,
    word: &str,
    closed: &mut Vec<VariableId>,
) -> Vec<(Namespace, Mention)> {
    let program = &analysis.program;
    let predefined = VariableId::of_predefined(word);
    let same = |other: &str| other == word || predefined.is_some() && VariableId::of_predefined(other) == predefined;
    let declared: Vec<(Span, VariableId)> = match (program.names.lookup(word), object) {
        (Some(symbol), Some(object)) => {
            let range = program.objects[object].variables.clone();
            range
                .map(VariableId)
                .filter(|v| program.variables[*v].name == symbol)
                .map(|v| (program.variable_spans[v].name, v))
                .collect()
        }
        _ => Vec::new(),
    };
    let is_label = |object: ObjectId| {
        let labels = program.labels_of(&program.objects[object]);
        program.names.lookup(word).is_some_and(|s| labels.iter().any(|l| l.name == s))
    };
    let is_label = object.is_some_and(is_label);
    let mut depth = 0u32;
    // What the word means, with the depth of the scope in which it was declared.
    let mut meanings: Vec<(u32, VariableId)> = Vec::new();
    let mut found = Vec::new();
    walk(analysis, span, |event| match event {
        Event::Open => depth += 1,
        Event::Close => {
            depth = depth.saturating_sub(1);
            while let Some((_, variable)) = meanings.pop_if(|(d, _)| *d > depth) {
                closed.push(variable);
            }
        }
        Event::Name(name, place) => {
            if !same(analysis.text_of(name)) {
                return;
            }
            if place == Place::DeclaredVariable
                && let Some((_, variable)) = declared.iter().find(|(s, _)| *s == name)
            {
                meanings.push((depth, *variable));
            }
            let variable = meanings.last().map(|(_, v)| *v).or(predefined);
            let (namespace, is) = match place {
                Place::DeclaredVariable => (Namespace::Variable(variable), Use::Declared),
                Place::Variable(is) => (Namespace::Variable(variable), is),
                Place::DeclaredLabel => (Namespace::Label, Use::Declared),
                Place::Label => (Namespace::Label, Use::Read),
                Place::DeclaredFunction => (Namespace::Function, Use::Declared),
                Place::Function => (Namespace::Function, Use::Read),
                Place::Unclear if variable.is_none() && is_label => (Namespace::Label, Use::Named),
                Place::Unclear => (Namespace::Variable(variable), Use::Named),
            };
            found.push((namespace, Mention { span: name, is }));
        }
    });
    found
}
