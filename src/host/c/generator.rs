//! Programs that write asm statements: strings of C++ that hold the template of one, as for `llvm::formatv` or a builder of
//! MLIR.

use super::brackets::span_of;
use super::index::may_begin_body;
use super::lexer::{Kind, Token};
use super::macros::Item;
use super::part::makes_text;
use super::{Function, HOLE, Reader, WIDE_HOLE};
use crate::base::span::Span;
use crate::host::llvm::operands;
use crate::host::loose;
use crate::host::map::Mapped;
use crate::host::sign;
use crate::host::statement::{Escapes, HostType, RawOperand, RawStatement, Value};
use rustc_hash::FxHashMap;

impl<'a> Reader<'a> {
    /// Reads the literals that begin at `at`, if they are the template of a statement with numbered operands. Returns where
    /// they end.
    pub(super) fn plain_template(&mut self, code: &[Token], at: usize, function: Option<usize>) -> usize {
        let n = code[at..].iter().take_while(|t| t.is_literal()).count();
        if !code[at..at + n].iter().any(|t| self.is_of_visa(*t)) {
            return at + n;
        }
        let (end, joined) = self.literals_at(code, at);
        // `InlineAsm::get(type, "text", "=rw,rw", ...)`, also of `condition ? "text" : "text"`
        let is_first = code.get(end).is_some_and(|t| t.kind == Kind::Colon);
        let behind = if is_first { self.literals_at(code, end + 1).0 } else { end };
        let list = code.get(behind).filter(|t| t.kind == Kind::Comma).map(|_| self.literals_at(code, behind + 1));
        // `"=rw"(x)` is an operand.
        let is_list = |behind: usize, list: &Mapped| {
            sign::is_constraints(&list.text) && code.get(behind).is_none_or(|t| t.kind != Kind::Open)
        };
        let list = list.filter(|(behind, list)| is_list(*behind, list)).map(|(_, list)| list);
        let named = || self.given_name(code, at).and_then(|name| self.constraints.get(name));
        let list = list.or_else(|| Some(self.literals_at(code, *named()?).1));
        if self.built.contains(&code[at].start)
            || !sign::is_template(&joined.text, list.is_some())
            || self.is_substituted(code, at)
        {
            return end;
        }
        let mut template = Mapped::default();
        let before = at.checked_sub(1).map(|i| code[i]);
        let is_whole = before.is_none_or(|t| self.begins_value(code, t, at))
            && code.get(end).is_none_or(|t| {
                matches!(
                    t.kind,
                    Kind::Semicolon | Kind::Close | Kind::Comma | Kind::Colon | Kind::BraceClose | Kind::BracketClose
                )
            });
        let span = span_of(&code[at..end]);
        let hole = |at: u32, out: &mut Mapped| out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), Span::at(at));
        // What declares nothing may be a part of a text that does.
        let is_part = list.is_none() && !loose::declares(&joined.text);
        if is_part {
            template.push_atom(&format!("{WIDE_HOLE}\n"), Span::at(span.start));
        } else if !is_whole {
            hole(span.start, &mut template);
        }
        formatted(self.text, &joined, &mut template);
        // A variable may hold more in the end.
        let is_given = || before.is_some_and(|t| t.kind == Kind::Equal) && !self.is_constant(code, at, end);
        if !is_whole || list.is_none() && !joined.text.ends_with('\n') && is_given() {
            hole(span.end, &mut template);
        }
        self.numbered_statement(span, template, list, function);
        end
    }

    /// Adds a statement with numbered operands, whose constraints are in `list` if they are known.
    pub(super) fn numbered_statement(
        &mut self,
        span: Span,
        template: Mapped,
        list: Option<Mapped>,
        function: Option<usize>,
    ) {
        let n_operands = loose::n_numbered(&template.text, '$');
        let is_scope = list.is_none() && loose::is_scope(&template.text);
        let mut statement = RawStatement::new(span, template, Escapes::Dollar);
        statement.is_scope = is_scope;
        statement.operands = Some(match list {
            Some(list) => {
                let mut all = operands(&list.text, 0, |_, _| (HostType::Open, Span::default(), Value::Open));
                for operand in &mut all {
                    operand.constraint_span = list.host_span(self.text, operand.constraint_span);
                }
                all
            }
            None => vec![RawOperand { is_output: true, ..RawOperand::default() }; n_operands],
        });
        let own: Option<&Function> = function.map(|f| &self.functions[f]);
        statement.function = function.map_or(0, |f| f as u32 + 1);
        if let Some(own) = own {
            own.name.clone_into(&mut statement.function_name);
        }
        self.found.push(statement);
    }

    /// Notes the literals that are given a name, and the lists of constraints that follow a name.
    pub(super) fn collect_texts(&mut self, code: &[Token]) {
        let mut blocks = Blocks::default();
        let mut end = 0;
        for at in self.index.clone().literals() {
            if at < end {
                continue;
            }
            end = at + code[at..].iter().take_while(|t| t.is_literal()).count();
            if let Some(name) = self.given_name(code, at) {
                let ends = |t: &Token| matches!(t.kind, Kind::Semicolon | Kind::BraceClose | Kind::Close);
                let value = code.get(end).filter(|t| ends(t)).map(|_| code[at..end].to_vec());
                // A variable may hold something else where it is used.
                if self.may_generate && self.is_constant(code, at, end) {
                    let scope = blocks.around(self, code, at);
                    self.constants.note(name, scope, value.clone());
                }
                self.texts.entry(name).and_modify(|known| *known = None).or_insert(value);
            } else if self.may_generate
                && let Some([name, comma]) = at.checked_sub(2).map(|from| [code[from], code[from + 1]])
                && (name.kind, comma.kind) == (Kind::Word, Kind::Comma)
                && self.is_list_at(code, at)
            {
                self.constraints.insert(self.word(name), at);
            }
        }
        self.collect_named_lists(code);
        self.hide_constants(code);
    }

    /// Forgets the strings of the file whose names parameters or variables have, too.
    fn hide_constants(&mut self, code: &[Token]) {
        if self.constants.is_empty() {
            return;
        }
        for three in code.windows(3).filter(|three| three[1].kind == Kind::Word) {
            let [before, name, behind] = [three[0], three[1], three[2]];
            let is_declared = match (before.kind, behind.kind) {
                (Kind::Word, Kind::Comma | Kind::Close | Kind::Semicolon) => {
                    let word = self.word(before);
                    // `"..." ONE TWO)`
                    let is_text = self.constants.has(word);
                    !is_text && !matches!(word, "return" | "throw" | "else" | "case")
                }
                (Kind::Ampersand | Kind::Star, Kind::Comma | Kind::Close) => true,
                _ => false,
            };
            if is_declared {
                self.constants.hide(self.word(name));
            }
        }
    }

    /// Notes the lists of constraints that have a name of their own, where it follows that of a template: `text, constraints`.
    fn collect_named_lists(&mut self, code: &[Token]) {
        if !self.may_generate {
            return;
        }
        let literals = self.index.literals();
        let lists: FxHashMap<&str, usize> = literals
            .filter_map(|at| Some((self.given_name(code, at)?, at)))
            .filter(|(name, _)| self.texts.get(name).is_some_and(Option::is_some))
            .filter(|(_, at)| self.is_list_at(code, *at))
            .collect();
        if lists.is_empty() {
            return;
        }
        for three in code.windows(3) {
            let [name, comma, list] = three else { continue };
            if (name.kind, comma.kind, list.kind) == (Kind::Word, Kind::Comma, Kind::Word)
                && let Some(at) = lists.get(self.word(*list))
            {
                self.constraints.insert(self.word(*name), *at);
            }
        }
    }

    /// Whether the name cannot change that is given the value between `at` and `end`: `constexpr auto NAME = "..."`,
    /// `const char NAME[] = "..."`, `const char *const NAME = "..."`, `const std::string NAME = "..."`.
    fn is_constant(&self, code: &[Token], at: usize, end: usize) -> bool {
        let begins = |t: &&Token| matches!(t.kind, Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose);
        let n = code[..at - 1].iter().rev().take(MOST_DECLARED).take_while(|t| !begins(t)).count();
        let declared = &code[at - 1 - n..at - 1];
        let is = |word: &str| declared.iter().any(|t| t.kind == Kind::Word && self.word(*t) == word);
        if is("constexpr") {
            return true;
        }
        // `const char *const NAME`
        let is_pointer = declared.iter().any(|t| t.kind == Kind::Star);
        let is_array = declared.last().is_some_and(|t| t.kind == Kind::BracketClose);
        let is_fixed = || matches!(declared, [.., before, _] if self.word(*before) == "const");
        // No parameter with a value of its own.
        let is_parameter = declared.iter().any(|t| t.kind == Kind::Open);
        let ends = |t: &Token| t.kind == Kind::Semicolon;
        let is_whole = code.get(end).is_some_and(|t| ends(t) || code.get(end + 1).is_some_and(ends));
        is("const") && !is_parameter && is_whole && (is_array || !is_pointer || is_fixed())
    }

    /// The name that is given the value at `at`: `NAME = "..."`, `NAME[] = "..."`, `NAME{"..."}`, `NAME += "..."`.
    fn given_name(&self, code: &[Token], at: usize) -> Option<&'a str> {
        let before = at.checked_sub(1)?;
        let mut name = before.checked_sub(1)?;
        if code[before].kind == Kind::Equal {
            name -= usize::from(code[name].kind == Kind::Other && name > 0);
            if code[name].kind == Kind::BracketClose {
                name = (name.saturating_sub(2)..name)
                    .rev()
                    .find(|i| code[*i].kind == Kind::BracketOpen)?
                    .checked_sub(1)?;
            }
        } else if code[before].kind == Kind::Open {
            // `std::string NAME("...")`
            name.checked_sub(1).filter(|kind| makes_text(self.text, &code[..=*kind]))?;
        } else if code[before].kind != Kind::BraceOpen {
            return None;
        }
        Some(code[name]).filter(|t| t.kind == Kind::Word).map(|t| self.word(t))
    }

    /// Whether the literals that begin at `at` are a list of constraints.
    fn is_list_at(&self, code: &[Token], at: usize) -> bool {
        let mut own = code[at..].iter().take_while(|t| t.is_literal());
        own.any(|t| t.of(self.text).contains("rw")) && sign::is_constraints(&self.literals_at(code, at).1.text)
    }

    /// The literals that begin at `at`, joined, and where they end.
    pub(super) fn literals_at(&self, code: &[Token], at: usize) -> (usize, Mapped) {
        let end = at + code[at..].iter().take_while(|t| t.is_literal()).count();
        let items: Vec<Item> = code[at..end].iter().map(|t| Item::own(*t)).collect();
        (end, self.template(&items, code.get(at).map_or(0, |t| t.start)))
    }

    /// Whether a value begins behind the token before `at`: nothing is put before the string.
    pub(super) fn begins_value(&self, code: &[Token], before: Token, at: usize) -> bool {
        match before.kind {
            Kind::Open | Kind::Comma | Kind::BraceOpen => true,
            // `condition ? "one" : "two"`
            Kind::Other => self.word(before) == "?",
            Kind::Colon => at > 1 && code[at - 2].is_literal(),
            Kind::Word => self.word(before) == "return",
            // Not `+=`.
            Kind::Equal => at < 2 || code[at - 2].kind != Kind::Other,
            _ => false,
        }
    }
}

/// Appends a string of which `{0}` is replaced, as well as `{{` and `}}` if it holds them. Braces that stand alone are those
/// of vISA.
pub(super) fn formatted(host: &str, from: &Mapped, out: &mut Mapped) {
    filled(host, from, from.text.contains("{{"), out);
}

/// Appends a string of which fields are replaced; `{{` and `}}` as well if it `has_double` ones.
pub(super) fn filled(host: &str, from: &Mapped, has_double: bool, out: &mut Mapped) {
    let text = from.text.as_str();
    let place = |start: usize, end: usize| from.host_span(host, Span::new(start as u32, end as u32));
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'{', b'}', &text.as_bytes()[at..]) {
        let begin = at + found;
        let rest = &text[begin..];
        // It was read as a part of a format before.
        if matches!(place(begin, begin + 1).of(host), "{{" | "}}") {
            at = begin + 1;
            continue;
        }
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        // `${:uid}`, `${0}`; but `${}` is a dollar sign before a field.
        let is_uid = text[..begin].ends_with('$') && !rest.starts_with("{}");
        let (length, replaced) = if has_double && (rest.starts_with("{{") || rest.starts_with("}}")) {
            (2, rest[..1].to_owned())
        } else if rest.starts_with('{')
            && !is_uid
            && (digits > 0 || is_field(&rest[1..]) || has_double && is_named_field(&rest[1..]))
        {
            (rest.find('}').map_or(rest.len(), |close| close + 1), HOLE.to_string())
        } else {
            at = begin + 1;
            continue;
        };
        out.push_part(from, Span::new(done as u32, begin as u32));
        out.push_atom(&replaced, place(begin, begin + length));
        at = begin + length;
        done = at;
    }
    out.push_part(from, Span::new(done as u32, text.len() as u32));
}

/// Whether what stands behind a brace is that of a replacement field: `{}`, `{:x}`.
fn is_field(rest: &str) -> bool {
    let near = &rest.as_bytes()[..rest.len().min(MOST_FIELD + 1)];
    let Some(inside) = near.iter().position(|b| *b == b'}').map(|close| &rest[..close]) else { return false };
    inside.is_empty() || inside.starts_with(':') && inside.len() <= MOST_FIELD && !inside.contains(char::is_whitespace)
}

/// Whether what stands behind a brace is that of a field with a name: `{n}`, `{n:x}`.
fn is_named_field(rest: &str) -> bool {
    let name = rest.bytes().take(MOST_NAME).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let is_name = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_name && (rest[name..].starts_with('}') || rest[name..].starts_with(':') && is_field(&rest[name..]))
}

/// The blocks around a place, which moves on.
#[derive(Default)]
pub(super) struct Blocks {
    /// The next token.
    at: usize,
    /// Where braces are open, and whether inside of a function.
    open: Vec<(usize, bool)>,
}

impl Blocks {
    /// What is declared behind the token at `at` can be named up to the end of the block of a function around it; outside of
    /// functions everywhere.
    pub(super) fn around(&mut self, reader: &Reader, code: &[Token], at: usize) -> Span {
        for i in self.at..at {
            match code[i].kind {
                Kind::BraceOpen => {
                    let is_inside = self.open.last().is_some_and(|(_, is_inside)| *is_inside);
                    let begins = || i > 0 && may_begin_body(reader.text, code[i - 1]);
                    self.open.push((i, is_inside || begins()));
                }
                Kind::BraceClose => drop(self.open.pop()),
                _ => {}
            }
        }
        self.at = at;
        match self.open.last() {
            Some((open, true)) => {
                let close = code.get(reader.index.closing(*open));
                Span::new(code[at].start, close.map_or(u32::MAX, |t| t.start))
            }
            _ => Span::new(0, u32::MAX),
        }
    }
}

/// Tokens of a declaration before its value in which `constexpr` is looked for.
const MOST_DECLARED: usize = 16;

/// Characters of a replacement field.
const MOST_FIELD: usize = 8;

/// Characters of the name of one.
const MOST_NAME: usize = 32;
