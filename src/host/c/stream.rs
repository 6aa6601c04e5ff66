//! Texts that a program puts together: `os << "..." << n << "..."`, `s += "..." + name`.

use super::brackets::{closing, outermost, span_of};
use super::constants::Constants;
use super::index::Marks;
use super::lexer::{Kind, Role, Token};
use super::part::{self, Part, parts};
use super::target::{Target, target};
use super::written::{FOR_PEOPLE, Streams};
use super::{HOLE, Reader, SEVERAL, WIDE_HOLE, literal};
use crate::base::span::Span;
use crate::host::loose::Words;
use crate::host::map::Mapped;
use crate::host::sign;
use rustc_hash::FxHashMap;

/// One statement that gives a text to a name, or adds to what the name holds.
struct Addition<'t> {
    name: Token,
    /// Whether the name holds nothing else before.
    begins: bool,
    parts: Vec<Part<'t>>,
    /// The first token behind the statement.
    end: usize,
}

/// A text that is complete.
struct HandedOn {
    /// The list of constraints that follows it.
    list: Option<Mapped>,
}

/// Tokens of a statement that are read.
const MOST_STATEMENT: usize = 1 << 12;

/// What is between `(` and `)` of `reserve(4096)` changes no text.
const WITHOUT_TEXT: [&str; 3] = ["reserve", "flush", "str"];

/// Methods that put one more item into a list.
const ITEMS: [&str; 2] = ["push_back", "emplace_back"];

/// Whether the statement that begins at `at` puts an item into a list.
fn is_item(text: &str, code: &[Token], at: usize) -> bool {
    code.get(at + 2).is_some_and(|t| ITEMS.contains(&t.of(text)))
}

/// Reads the statement that begins at `at`, if it adds literals to a name, or to what an expression stands for.
fn addition<'t>(text: &str, code: &'t [Token], at: usize, constants: &Constants) -> Option<Addition<'t>> {
    to_name(text, code, at, constants).or_else(|| to_target(text, code, at))
}

/// Reads `open(n) << "..." << "...";`.
fn to_target<'t>(text: &str, code: &'t [Token], at: usize) -> Option<Addition<'t>> {
    let Target { place, is_result, end } = target(text, code, at)?;
    let from = end + 2;
    let rest = near(code, from).get(from..)?;
    let end = outermost(rest).find(|(_, t)| t.kind == Kind::Semicolon).map(|(end, _)| end)?;
    let is_shift = |i: usize| {
        rest[i].kind == Kind::Less && rest.get(i + 1).is_some_and(|t| t.kind == Kind::Less && rest[i].end == t.start)
    };
    let parts = parts(text, &rest[..end], is_shift);
    let is_text = parts.iter().any(Part::has_literals);
    is_text.then_some(Addition { name: place, begins: is_result, parts, end: from + end + 1 })
}

/// Reads the statement that begins at `at`, if it adds literals to a name.
fn to_name<'t>(text: &str, code: &'t [Token], at: usize, constants: &Constants) -> Option<Addition<'t>> {
    let kind = |i: usize| code.get(i).map(|t| t.kind);
    let is_qualifier = |i: usize| code.get(i).is_some_and(|t| matches!(t.of(text), "const" | "static" | "constexpr"));
    let mut name = at + (at..code.len()).take_while(|i| is_qualifier(*i)).count();
    // `std::string s = "..."`: the type before the name.
    while kind(name + 1) == Some(Kind::Scope) && kind(name + 2) == Some(Kind::Word) {
        name += 2;
    }
    // Not `return s;`.
    let is_type = |i: usize| code.get(i).is_some_and(|t| t.kind == Kind::Word && t.role != Role::Leading);
    let is_declared = is_type(name) && kind(name + 1) == Some(Kind::Word);
    name += usize::from(is_declared);
    code.get(name).filter(|t| t.kind == Kind::Word)?;
    if is_printing(code[name].of(text)) {
        return print(code, name);
    }
    let is_plus = |i: usize| code.get(i).is_some_and(|t| t.kind == Kind::Other && t.of(text) == "+");
    let is_shift =
        |i: usize| kind(i) == Some(Kind::Less) && kind(i + 1) == Some(Kind::Less) && code[i].end == code[i + 1].start;
    let (from, begins) = match kind(name + 1)? {
        Kind::Equal if kind(name + 2) != Some(Kind::Equal) => (name + 2, true),
        Kind::Other if is_plus(name + 1) && kind(name + 2) == Some(Kind::Equal) && !is_declared => (name + 3, false),
        Kind::Less if is_shift(name + 1) && !is_declared => (name + 3, false),
        Kind::Semicolon if is_declared => (name + 1, true),
        // `std::string s("...");`
        Kind::Open | Kind::BraceOpen if is_declared => {
            let inside = kind(name + 2)?;
            if !matches!(inside, Kind::Text | Kind::Raw | Kind::Close | Kind::BraceClose) {
                return None;
            }
            let close =
                closing(near(code, name + 1), name + 1).filter(|close| kind(close + 1) == Some(Kind::Semicolon))?;
            let parts = parts(text, &code[name + 2..close], |i| is_plus(name + 2 + i));
            let is_text = parts.iter().all(|p| matches!(p, Part::Literals(_)));
            return is_text.then(|| Addition { name: code[name], begins: true, parts, end: close + 2 });
        }
        Kind::Dot if !is_declared => {
            let word = code.get(name + 2)?.of(text);
            let is_other = WITHOUT_TEXT.contains(&word);
            let is_item = ITEMS.contains(&word);
            code.get(name + 3).filter(|t| t.kind == Kind::Open && (is_other || is_item || word == "append"))?;
            let mut open = name + 3;
            let mut close = closing(near(code, open), open)?;
            let mut all = Vec::new();
            if is_item {
                all = parts(text, &code[open + 1..close], |i| is_plus(open + 1 + i));
                // Each item of a list of lines is one.
                let ends = |part: &Part| part.literals().last().is_some_and(|t| t.of(text).ends_with("\\n\""));
                if !all.last().is_some_and(ends) {
                    all.push(Part::NewLine(Span::at(code[close].start)));
                }
            }
            if word == "append" {
                all = parts(text, &code[open + 1..close], |i| is_plus(open + 1 + i));
                // `s.append("...").append(name)`
                while kind(close + 1) == Some(Kind::Dot)
                    && code.get(close + 2).is_some_and(|t| t.of(text) == "append")
                    && kind(close + 3) == Some(Kind::Open)
                {
                    open = close + 3;
                    close = closing(near(code, open), open)?;
                    all.extend(parts(text, &code[open + 1..close], |i| is_plus(open + 1 + i)));
                }
            }
            let is_whole = kind(close + 1) == Some(Kind::Semicolon);
            return is_whole.then_some(Addition { name: code[name], begins: false, parts: all, end: close + 2 });
        }
        _ => return None,
    };
    let rest = near(code, from).get(from..).unwrap_or_default();
    // What closes a bracket that was opened before is the head of a loop: `for (...; i += n) {`.
    let mut depth = 0i32;
    let end = rest.iter().position(|t| {
        depth += bracket(t.kind);
        depth < 0 || depth == 0 && t.kind == Kind::Semicolon
    });
    let end = end.filter(|_| depth == 0)?;
    let is_joint = |i: usize| if is_shift(name + 1) { is_shift(from + i) } else { is_plus(from + i) };
    let parts =
        if begins && is_empty_stream(text, &rest[..end]) { Vec::new() } else { parts(text, &rest[..end], is_joint) };
    let is_known = |p: &Part| p.has_literals() || p.is_constant(text, constants);
    let is_text = !begins || parts.is_empty() || parts.iter().any(is_known);
    is_text.then(|| Addition { name: code[name], begins, parts, end: from + end + 1 })
}

/// The tokens up to where a statement is read that has reached `from`.
fn near(code: &[Token], from: usize) -> &[Token] {
    &code[..code.len().min(from + MOST_STATEMENT)]
}

/// What one statement adds to a text.
pub(super) struct Added {
    pub(super) name: Token,
    /// Whether the name holds nothing else before.
    pub(super) begins: bool,
    /// Whether it is one more item of a list, which need not be one text with those before it.
    pub(super) is_item: bool,
    pub(super) text: Mapped,
    /// Where its literals begin.
    pub(super) literals: Vec<u32>,
    /// Whether the program chooses among texts in it.
    pub(super) has_choice: bool,
    /// The first token behind the statement.
    pub(super) end: usize,
}

/// Reads the statement that begins at `at`, if it adds literals to a name.
pub(super) fn added(text: &str, code: &[Token], at: usize, constants: &Constants) -> Option<Added> {
    let Addition { name, begins, parts, end } = addition(text, code, at, constants)?;
    let literals: Vec<u32> = parts.iter().flat_map(Part::literals).map(|t| t.start).collect();
    let mut added = Mapped::default();
    append(text, &parts, constants, &mut added);
    let is_item = is_item(text, code, at);
    let has_choice = parts.iter().any(|part| matches!(part, Part::Choice(..)));
    (!parts.is_empty()).then_some(Added { name, begins, is_item, text: added, literals, has_choice, end })
}

/// How much deeper than before what follows a token stands.
pub(super) const fn bracket(kind: Kind) -> i32 {
    match kind {
        Kind::Open | Kind::BracketOpen | Kind::BraceOpen => 1,
        Kind::Close | Kind::BracketClose | Kind::BraceClose => -1,
        _ => 0,
    }
}

/// Whether a value is a stream that holds nothing: `std::ostringstream{}`.
fn is_empty_stream(text: &str, value: &[Token]) -> bool {
    let [.., name, open, close] = value else { return false };
    matches!((open.kind, close.kind), (Kind::BraceOpen, Kind::BraceClose) | (Kind::Open, Kind::Close))
        && matches!(name.of(text), "ostringstream" | "stringstream")
}

/// Reads `fprintf(file, "...", ...);`: what it adds to the file.
fn print(code: &[Token], at: usize) -> Option<Addition<'_>> {
    let kind = |i: usize| code.get(i).map(|t| t.kind);
    let close = code.get(at + 1).filter(|t| t.kind == Kind::Open).and_then(|_| closing(near(code, at + 1), at + 1))?;
    let is_to_name = kind(at + 2) == Some(Kind::Word) && kind(at + 3) == Some(Kind::Comma);
    let from = if is_to_name { at + 4 } else { at + 2 };
    let n = code[from..close].iter().take_while(|t| t.is_literal()).count();
    let is_format = n > 0 && matches!(kind(from + n), Some(Kind::Comma | Kind::Close));
    (is_format && kind(close + 1) == Some(Kind::Semicolon)).then(|| Addition {
        name: code[if is_to_name { at + 2 } else { at }],
        begins: false,
        parts: vec![Part::Format(&code[from..from + n])],
        end: close + 2,
    })
}

/// Whether a function takes a format as `printf` does.
fn is_printing(name: &str) -> bool {
    name.ends_with("printf") || name.ends_with("printf_s")
}

/// Appends the parts of a text.
pub(super) fn append(text: &str, parts: &[Part], constants: &Constants, out: &mut Mapped) {
    for part in parts {
        match part {
            Part::Literals(tokens) => tokens.iter().for_each(|t| literal::append(text, *t, out)),
            Part::Format(tokens) | Part::Fields(tokens) => {
                let mut format = Mapped::default();
                tokens.iter().for_each(|t| literal::append(text, *t, &mut format));
                if matches!(part, Part::Format(_)) {
                    let format = printed(text, &format);
                    out.push_part(&format, Span::new(0, format.text.len() as u32));
                } else {
                    super::generator::filled(text, &format, true, out);
                }
            }
            Part::Choice(span, all) => match constants.choose(all.len()) {
                Some(chosen) => append(text, &all[chosen], constants, out),
                None => out.push_atom(HOLE.encode_utf8(&mut [0; 4]), *span),
            },
            Part::Unknown(own) => named(text, own, constants, out),
            Part::Number(span) => {
                // `$` before it makes an operand of it.
                if !out.text.ends_with(['$', '%']) {
                    constants.note_number(span.start);
                }
                out.push_atom(HOLE.encode_utf8(&mut [0; 4]), *span);
            }
            Part::NewLine(span) => out.push_atom("\n", *span),
            Part::Character(span) => out.push_run(span.of(text), span.start),
        }
    }
}

/// Appends what a name, or a call of a function of the file, stands for; a hole if that is not known.
fn named(text: &str, own: &[Token], constants: &Constants, out: &mut Mapped) {
    let span = span_of(own);
    let is_plus = |t: &Token| t.kind == Kind::Other && t.of(text) == "+";
    let value = constants.value(span.of(text), span).or_else(|| {
        let (open, _) = part::called(own).filter(|(open, _)| !part::has_object(&own[..*open]))?;
        constants.returned(own[open - 1].of(text))
    });
    match value {
        Some(tokens) if tokens.iter().all(|t| t.is_literal()) => {
            for token in tokens {
                literal::append(text, *token, out);
            }
        }
        Some(tokens) => constants.inside(|| match part::choice(text, tokens, 0) {
            Some(choice) => append(text, &[choice], constants, out),
            None => append(text, &parts(text, tokens, |i| is_plus(&tokens[i])), constants, out),
        }),
        None => {
            if let [only] = own
                && constants.is_integer(only.of(text))
                && !out.text.ends_with(['$', '%'])
            {
                constants.note_number(span.start);
            }
            out.push_atom(HOLE.encode_utf8(&mut [0; 4]), span);
        }
    }
}

/// Whether a statement may begin behind a token.
pub(super) fn ends_statement(token: Token) -> bool {
    matches!(token.kind, Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose | Kind::Close | Kind::Colon)
}

/// Whether a statement may begin at a token: also one that a word stands before, as in `else os << "..."`. What a `return`
/// gives is complete but for a stream.
fn begins_statement(text: &str, code: &[Token], at: usize) -> bool {
    if !matches!(code[at].kind, Kind::Word | Kind::Star | Kind::Open) {
        return false;
    }
    let Some(before) = at.checked_sub(1).map(|i| code[i]) else { return true };
    let is_stream = || code.get(at + 1).is_some_and(|t| t.kind == Kind::Less);
    match before.kind {
        Kind::Word => before.role == Role::Leading && (!before.is(text, "return") || is_stream()),
        _ => ends_statement(before),
    }
}

/// The sources that statements behind each other put together, with the places of the literals that they are made of.
pub(super) fn sources(text: &str, code: &[Token]) -> Vec<(Mapped, Vec<u32>)> {
    let mut found = Vec::new();
    let constants = Constants::of("");
    let mut at = 0;
    while at < code.len() {
        let is_begin = begins_statement(text, code, at);
        let Some(first) = Some(at).filter(|_| is_begin).and_then(|at| addition(text, code, at, &constants)) else {
            at += 1;
            continue;
        };
        let name = first.name.of(text);
        let mut source = Mapped::default();
        let mut literals = Vec::new();
        let mut next = Some(first);
        while let Some(addition_here) = next {
            append(text, &addition_here.parts, &constants, &mut source);
            literals.extend(addition_here.parts.iter().flat_map(Part::literals).map(|t| t.start));
            at = addition_here.end;
            next = addition(text, code, at, &constants).filter(|a| !a.begins && a.name.of(text) == name);
        }
        if literals.len() > 1 && sign::is_source(&source.text) {
            found.push((source, literals));
        }
    }
    found
}

/// Whether a literal behind these tokens is the format of `printf` and its like.
pub(super) fn is_format(text: &str, before: &[Token]) -> bool {
    let mut depth = 0i32;
    for (i, token) in before.iter().enumerate().rev().take(MOST_BEFORE) {
        match token.kind {
            Kind::Close => depth += 1,
            Kind::Open if depth > 0 => depth -= 1,
            Kind::Open => {
                let name = i.checked_sub(1).map_or("", |i| before[i].of(text));
                return is_printing(name);
            }
            Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose => return false,
            _ => {}
        }
    }
    false
}

/// Whether a text holds a conversion of `printf`, which no operand and no predefined variable looks like.
pub(super) fn has_conversion(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('#').trim_start_matches('l');
        let is_letter = rest.starts_with(['d', 's', 'x', 'X', 'u', 'i']);
        is_letter && !rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Tokens before a format that are arguments of its function.
const MOST_BEFORE: usize = 24;

/// What `printf` makes of a format: `%%` is a percent sign, and what `%d` becomes is not known.
pub(super) fn printed(host: &str, format: &Mapped) -> Mapped {
    let text = format.text.as_str();
    let mut out = Mapped::default();
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'%', &text.as_bytes()[at..]) {
        let begin = at + found;
        let rest = &text[begin + 1..];
        let flags = rest.len() - rest.trim_start_matches(|c: char| "-+ #0123456789.*hlzjt".contains(c)).len();
        let Some(letter) = rest[flags..].chars().next().filter(char::is_ascii) else { break };
        let end = begin + 1 + flags + 1;
        let span = |from: usize, to: usize| Span::new(from as u32, to as u32);
        out.push_part(format, span(done, begin));
        let place = format.host_span(host, span(begin, end));
        if letter == '%' {
            out.push_atom("%", place);
        } else {
            out.push_atom(HOLE.encode_utf8(&mut [0; 4]), place);
        }
        at = end;
        done = end;
    }
    out.push_part(format, Span::new(done as u32, text.len() as u32));
    out
}

impl<'a> Reader<'a> {
    /// Reads the templates that statements put together and that are handed over with a list of constraints:
    /// `s += "..."; ... InlineAsm::get(type, s, "=rw,rw", ...)`. Notes the literals that they are made of.
    pub(super) fn built_templates(&mut self, code: &[Token]) {
        let candidates = std::mem::take(&mut self.candidates);
        if !candidates.is_empty() {
            let named = self.named_constants(code);
            let mut marks = candidates.clone();
            marks.extend(&named);
            marks.sort_unstable();
            self.built_templates_of(code, Marks::of(&marks));
            self.sums_of_constants(code, &named);
        }
        self.candidates = candidates;
    }

    fn built_templates_of(&mut self, code: &[Token], mut candidates: Marks) {
        let mut open: FxHashMap<&'a str, (Mapped, Vec<u32>, Words)> = FxHashMap::default();
        // `raw_string_ostream os(s)` writes to `s`.
        let mut streams: FxHashMap<&'a str, &'a str> = FxHashMap::default();
        let mut written = Streams::default();
        let mut at = 0;
        let mut last_end = 0;
        // Whether a text of several literals was put together so far.
        let mut has_several = false;
        let is_read =
            |t: &Token| matches!(t.kind, Kind::BraceOpen | Kind::BraceClose | Kind::Word | Kind::Star | Kind::Open);
        while let Some(n) = code.get(at..).and_then(|rest| rest.iter().position(is_read)) {
            at += n;
            // What holds no part of vISA matters where a text may be handed on that is complete.
            if code[at].kind == Kind::BraceOpen && !has_several {
                let close = self.index.closing(at);
                if !candidates.has_within(at, close) {
                    at = close + 1;
                    continue;
                }
            }
            if matches!(code[at].kind, Kind::BraceOpen | Kind::BraceClose) {
                for ended in written.read(code[at]) {
                    self.written(ended, code[at].start);
                }
            }
            if code[at].is(self.text, "raw_string_ostream")
                && let [_, name, paren, of, close, ..] = &code[at..]
                && (name.kind, paren.kind, of.kind, close.kind) == (Kind::Word, Kind::Open, Kind::Word, Kind::Close)
            {
                streams.insert(self.word(*name), self.word(*of));
            }
            let is_begin = begins_statement(self.text, code, at);
            if let Some(found) =
                Some(at).filter(|_| is_begin).and_then(|at| addition(self.text, code, at, &self.constants))
            {
                self.additions.push(at as u32);
                let name = self.word(found.name);
                let name = streams.get(name).copied().unwrap_or(name);
                if found.begins {
                    open.insert(name, Default::default());
                }
                let known = match open.get_mut(name) {
                    Some((text, literals, words)) => Some((text, literals, words)),
                    None if FOR_PEOPLE.contains(&name) => None,
                    None => found.parts.iter().find_map(|part| part.literals().into_iter().next()).map(|first| {
                        let mut begin = Mapped::default();
                        literal::append(self.text, first, &mut begin);
                        let own = written.of(name, &begin.text, found.name.span());
                        (&mut own.text, &mut own.literals, &mut own.words)
                    }),
                };
                if let Some((text, literals, words)) = known {
                    let own = self.added_text(&found.parts);
                    // Items that declare a name again are texts of their own.
                    if is_item(self.text, code, at) && words.declares_again(&text.text, &own.text) {
                        at = found.end;
                        last_end = at;
                        continue;
                    }
                    // What stands between may be a branch or a loop. Where a line was ended, it adds lines.
                    let mut is_other_branch = false;
                    if !literals.is_empty() && last_end != at {
                        let between = code.get(last_end..at).unwrap_or_default();
                        let is_line = text.text.ends_with('\n');
                        is_other_branch = is_line && words.declares_again(&text.text, &own.text);
                        let unknown = match is_line {
                            true if self.is_loop(between, name) && !is_other_branch => format!("{SEVERAL}\n"),
                            true => format!("{WIDE_HOLE}\n"),
                            false => WIDE_HOLE.to_string(),
                        };
                        text.push_atom(&unknown, Span::at(found.name.start));
                    }
                    literals.extend(self.literals_of(&found.parts));
                    has_several |= literals.len() > 1;
                    if !is_other_branch {
                        text.push_part(&own, Span::new(0, own.text.len() as u32));
                    }
                }
                at = found.end;
                last_end = at;
                continue;
            }
            if !has_several || code[at].kind != Kind::Word {
                at += 1;
                continue;
            }
            let name = self.word(code[at]);
            let name = streams.get(name).copied().unwrap_or(name);
            if open.get(name).is_some_and(|(_, literals, _)| literals.len() > 1)
                && let Some(HandedOn { list }) = self.handed_on(code, at)
                && let Some((template, literals, _)) = open.remove(name)
                && sign::is_template(&template.text, list.is_some())
            {
                let span = Span::new(literals[0], code[at].end);
                self.built.extend(literals);
                self.numbered_statement(span, template, list, None);
            }
            at += 1;
        }
    }

    /// What a statement adds to a text: names of other texts stand for those.
    fn added_text(&self, parts: &[Part]) -> Mapped {
        let mut own = Mapped::default();
        for part in parts {
            let known = match part {
                Part::Unknown(own) if !self.expansion.is_over() => {
                    self.texts.get(span_of(own).of(self.text)).and_then(Option::as_ref)
                }
                _ => None,
            };
            match known {
                Some(known) => {
                    self.expansion.spend_steps(span_of(known).len() as usize);
                    append(self.text, &[Part::Literals(known)], &self.constants, &mut own);
                }
                None => append(self.text, std::slice::from_ref(part), &self.constants, &mut own),
            }
        }
        own
    }

    /// Whether tokens are nothing but the ends of blocks and the heads of loops, in which the text with that name is not named.
    fn is_loop(&self, tokens: &[Token], name: &str) -> bool {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at = match (token.kind, self.word(*token)) {
                (Kind::BraceOpen | Kind::BraceClose, _) => at + 1,
                (Kind::Word, "for" | "while") => match closing(tokens, at + 1) {
                    Some(close) => close + 1,
                    None => return false,
                },
                _ => return false,
            };
        }
        !tokens.iter().any(|t| self.word(*t) == name)
    }

    /// Whether a text is complete where its name stands, and the list of constraints that follows it, if one does:
    /// `s, "=rw,rw"`, `os.str(), "=rw,rw"`, `return std::move(os).str();`.
    fn handed_on(&self, code: &[Token], at: usize) -> Option<HandedOn> {
        let is_moved = at >= 2 && self.word(code[at - 2]) == "move" && code[at - 1].kind == Kind::Open;
        let from = at + 1 + usize::from(is_moved && code.get(at + 1)?.kind == Kind::Close);
        let kinds = [Kind::Dot, Kind::Word, Kind::Open, Kind::Close];
        let is_call = code[from..].iter().zip(kinds).filter(|(t, kind)| t.kind == *kind).count() == kinds.len();
        let end = from + if is_call { kinds.len() } else { 0 };
        if code.get(end)?.kind == Kind::Semicolon {
            let before = code[..at].iter().rev().take_while(|t| !ends_statement(**t));
            return before.last().is_some_and(|t| self.word(*t) == "return").then_some(HandedOn { list: None });
        }
        code.get(end).filter(|t| t.kind == Kind::Comma)?;
        let list = self.literals_at(code, end + 1).1;
        sign::is_constraints(&list.text).then_some(HandedOn { list: Some(list) })
    }
}
