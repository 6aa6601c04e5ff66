//! From the template of an asm statement to the text that the compiler pastes: operands by a name of their own, special
//! characters replaced.

mod constraint;
mod operand;

use super::constraint::Constraint;
use super::guess;
use super::map::Mapped;
use super::rules::{DROPPED_STATEMENT, MISSING_HOST_OPERAND, SWALLOWED_INSTRUCTION, WRONG_ESCAPE};
use super::statement::{Escapes, HOLE, RawOperand, RawStatement, WIDE_HOLE};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::program::fragment::Guess;
use crate::spec::predefined;
use std::ops::Range;

/// The text that the compiler pastes, with what it names.
#[derive(Clone, Debug, Default)]
pub struct Pasted {
    /// The text.
    pub text: Mapped,
    /// For each operand that the text names: how the text writes it, how the host does, and its number.
    pub spellings: Vec<(String, String, u32)>,
    /// Where a number stands in the place of an operand, and the operand's number.
    pub numbers: Vec<(Span, u32)>,
    /// Where a number stands in the place of an execution size that is not known.
    pub guessed_sizes: Vec<Span>,
    /// Where something stands in the place of an operand, or of a part of one, that is not known.
    pub guessed_operands: Vec<Guess>,
    /// Where blanks stand in the place of modifiers that are not known, right behind a mnemonic.
    pub guessed_modifiers: Vec<Span>,
    /// Whether text that is not known may declare names and open scopes.
    pub hides_names: bool,
    /// Whether parts of the text are not known, or how often.
    pub is_open: bool,
    /// What the constraints say.
    pub constraints: Vec<Option<Constraint>>,
    /// Faults, at places of the host.
    pub diagnostics: Vec<Diagnostic>,
}

/// Bytes of what stands in braces behind a `$`.
const MOST_MARK: usize = 64;

/// Stands for the number that is each statement's own.
pub const UNIQUE: &str = "__unique__";

struct Paster<'a> {
    host: &'a str,
    raw: &'a RawStatement,
    template: &'a str,
    out: Pasted,
    /// Up to where the template is copied.
    done: usize,
    operands: &'a [RawOperand],
    /// For each operand, its places in [`Pasted::spellings`].
    spelt: Vec<Vec<u32>>,
    /// Whether all operands are known.
    is_complete: bool,
    has_dropped: bool,
    /// The line that was asked for last, and where what its comment says begins; its end if it has none.
    line: Range<usize>,
    comment: usize,
    /// Where operands stand that become numbers which are not known.
    plain: Vec<u32>,
}

/// Reads the constraints of a statement, and replaces what its template holds.
#[must_use]
pub fn paste(host: &str, raw: &RawStatement) -> Pasted {
    let mut paster = Paster {
        host,
        raw,
        template: &raw.template.text,
        out: Pasted::default(),
        done: 0,
        operands: raw.operands.as_deref().unwrap_or_default(),
        spelt: vec![Vec::new(); raw.operands.as_ref().map_or(0, Vec::len)],
        is_complete: raw.operands.is_some(),
        has_dropped: false,
        line: 0..0,
        comment: 0,
        plain: Vec::new(),
    };
    if raw.is_kernel {
        paster.copy(paster.template.len());
        guess::fill(host, &raw.numbers, false, &mut paster.out);
        return paster.out;
    }
    paster.constraints();
    paster.handed_over();
    match raw.escapes {
        Escapes::Extended => paster.extended(),
        Escapes::Basic => paster.basic(),
        Escapes::Dollar => paster.dollar(),
    }
    paster.copy(paster.template.len());
    paster.swallowed();
    paster.name_others();
    let mut numbers = paster.plain;
    numbers.extend(raw.numbers.iter());
    numbers.sort_unstable();
    guess::fill(host, &numbers, raw.is_scope, &mut paster.out);
    paster.out
}

impl Paster<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(self.raw.with_use(&self.raw.template, diagnostic));
    }

    /// Reports literals that begin inside of a comment and read as an instruction.
    fn swallowed(&mut self) {
        let (mut done, mut is_in_comment) = (0, false);
        for seam in self.raw.template.seams().collect::<Vec<_>>() {
            let at = seam as usize;
            let begin = self.template[done..at].rfind('\n').map(|i| done + i + 1);
            is_in_comment &= begin.is_none();
            // The two slashes may stand in two literals.
            let begin = begin.unwrap_or(done.saturating_sub(1));
            is_in_comment |= memchr::memmem::find(&self.template.as_bytes()[begin..at], b"//").is_some();
            done = at;
            if !is_in_comment {
                continue;
            }
            let line = self.template[at..].split('\n').next().unwrap_or("");
            let blanks = line.len() - line.trim_start().len();
            let word = line[blanks..].split([' ', '\t', '(']).next().unwrap_or("");
            let behind = line[blanks + word.len()..].trim_start();
            let is_instruction = behind.starts_with("(M") && crate::spec::lookup(word).is_some()
                || word == ".decl" && line.contains("v_type");
            if !is_instruction {
                continue;
            }
            let place = self.place(at + blanks, at + blanks + word.len());
            self.report(
                Diagnostic::new(
                    &SWALLOWED_INSTRUCTION,
                    place,
                    format!("`{word}` stands in the comment that the literal before it begins"),
                )
                .help("end the literal before it with `\\n`"),
            );
        }
    }

    fn copy(&mut self, to: usize) {
        self.out.text.push_part(&self.raw.template, Span::new(self.done as u32, to as u32));
        self.done = to;
    }

    /// The place in the host of a part of the template.
    fn place(&self, from: usize, to: usize) -> Span {
        let (template, part) = (&self.raw.template, Span::new(from as u32, to as u32));
        template.definition(self.host, part).unwrap_or_else(|| template.host_span(self.host, part))
    }

    /// Puts `text` in the place of a part of the template.
    fn put(&mut self, from: usize, to: usize, text: &str) {
        self.copy(from);
        self.out.text.push_instead(text, &self.raw.template, self.host, Span::new(from as u32, to as u32));
        self.done = to;
    }

    fn extended(&mut self) {
        let bytes = self.template.as_bytes();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'%', b'$', &bytes[at..]) {
            let from = at + found;
            let rest = &self.template[from + 1..];
            if bytes[from] == b'$' {
                let digits = leading_digits(rest);
                self.dropped(from, from + 1 + digits, &format!("write `%{}`", &rest[..digits]), digits > 0);
                at = from + 1 + digits;
                continue;
            }
            let digits = leading_digits(rest);
            if digits > 0 {
                at = from + 1 + digits;
                self.numbered(from, at, rest[..digits].parse().unwrap_or(u32::MAX));
            } else if rest.starts_with('%') {
                at = from + 2;
                self.put(from, at, "%");
            } else if rest.starts_with('=') {
                at = from + 2;
                self.put(from, at, UNIQUE);
            } else if let Some(name) = rest.strip_prefix('[') {
                at = self.bracketed(from, name);
            } else if rest.starts_with(['{', '|', '}']) {
                at = from + 2;
                let character = &rest[..1];
                self.put(from, at, character);
            } else if rest.starts_with([HOLE, WIDE_HOLE]) {
                at = from + 1;
                self.unnumbered(from);
            } else {
                at = self.letter(from, rest);
            }
        }
    }

    /// `%[name]`, or a name without its second bracket.
    fn bracketed(&mut self, from: usize, rest: &str) -> usize {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | HOLE | WIDE_HOLE);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let name = &rest[..length];
        let end = from + 2 + length;
        if rest[length..].starts_with(']') {
            self.named(from, end + 1, name);
            return end + 1;
        }
        let place = self.place(from, end);
        let message = format!("`]` is missing behind `{}`", place.of(self.host));
        self.report(Diagnostic::new(&WRONG_ESCAPE, place, message).replace(place, format!("%[{name}]"), true));
        match self.operands.iter().position(|o| o.name.as_deref() == Some(name)) {
            Some(index) => self.operand(from, end, index),
            None => self.put(from, end, HOLE.encode_utf8(&mut [0; 4])),
        }
        end
    }

    /// `%null` or `%a0` where the percent sign is special.
    fn letter(&mut self, from: usize, rest: &str) -> usize {
        let word = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = &rest[..word];
        let written = format!("%{name}");
        let end = from + 1 + word;
        let is_modifier =
            name.len() > 1 && name.as_bytes()[0].is_ascii_alphabetic() && name[1..].bytes().all(|b| b.is_ascii_digit())
                || name.len() == 1 && rest[1..].starts_with('[');
        let is_predefined = predefined::all().iter().any(|p| p.name == written);
        if is_modifier && !is_predefined {
            let number = name[1..].parse().unwrap_or(u32::MAX);
            let close = if name.len() == 1 { rest.find(']').map_or(word, |c| c + 1) } else { word };
            let end = from + 1 + close;
            let place = self.place(from, end);
            if !self.has_dropped {
                self.has_dropped = true;
                let message = format!(
                    "`{}` has a modifier: the compiler drops the whole statement and reports nothing",
                    place.of(self.host)
                );
                let number = &rest[1..close];
                self.report(Diagnostic::new(&DROPPED_STATEMENT, place, message).replace(
                    place,
                    format!("%{number}"),
                    false,
                ));
            }
            if name.len() == 1 {
                let inner = rest[2..close.max(3) - 1].to_owned();
                self.named(from, end, &inner);
            } else {
                self.numbered(from, end, number);
            }
            return end;
        }
        let place = self.place(from, end);
        if is_modifier {
            // `%r0`: the front end takes it for a modifier of operand 0.
            if !self.has_dropped {
                self.has_dropped = true;
                let message = format!(
                    "`{written}` is operand {} with a modifier: the compiler drops the whole statement",
                    &name[1..]
                );
                self.report(
                    Diagnostic::new(&DROPPED_STATEMENT, place, message)
                        .replace(place, format!("%{written}"), true)
                        .help(format!("write `%{written}` for the predefined variable")),
                );
            }
        } else if word > 0 {
            let message = format!("`{written}` is no operand: a percent sign is written `%%` here");
            self.report(Diagnostic::new(&WRONG_ESCAPE, place, message).replace(
                place,
                format!("%{written}"),
                is_predefined,
            ));
            if !is_predefined {
                self.put(from, end, HOLE.encode_utf8(&mut [0; 4]));
            }
        } else {
            let place = self.place(from, from + 1);
            self.report(
                Diagnostic::new(&WRONG_ESCAPE, place, "a percent sign is written `%%` here")
                    .help("the number or the name of an operand may follow a single one"),
            );
            self.put(from, from + 1, " ");
        }
        end.max(from + 1)
    }

    fn basic(&mut self) {
        let bytes = self.template.as_bytes();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'%', b'$', &bytes[at..]) {
            let from = at + found;
            let rest = &self.template[from + 1..];
            at = from + 1;
            let digits = leading_digits(rest);
            if bytes[from] == b'$' {
                self.dropped(from, from + 1 + digits, "", false);
                at += digits;
            } else if rest.starts_with('%') {
                at = from + 2;
                let place = self.place(from, at);
                self.report(
                    Diagnostic::new(&WRONG_ESCAPE, place, "`%%` stays as it is in a statement without a colon")
                        .replace(place, "%", false)
                        .help("write `%`, or a colon after the template"),
                );
                self.put(from, at, "%");
            } else if rest.starts_with('=') {
                at = from + 2;
                // The name that it is a part of.
                let begin = from
                    - self.template[..from]
                        .bytes()
                        .rev()
                        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
                        .count();
                let place = self.place(begin, at);
                self.report(
                    Diagnostic::new(
                        &WRONG_ESCAPE,
                        place,
                        "`%=` needs a colon after the template: without one nothing is replaced",
                    )
                    .help("write `: :` after the template"),
                );
                self.put(from, at, UNIQUE);
            } else if digits > 0 {
                at += digits;
                let place = self.place(from, at);
                let message = format!("`{}`: the statement has no operands, it has no colon", place.of(self.host));
                self.report(Diagnostic::new(&MISSING_HOST_OPERAND, place, message));
                self.put(from, at, HOLE.encode_utf8(&mut [0; 4]));
            }
        }
    }

    fn dollar(&mut self) {
        let bytes = self.template.as_bytes();
        let mut at = 0;
        while let Some(found) = memchr::memchr3(b'%', b'$', b'\\', &bytes[at..]) {
            let from = at + found;
            let rest = &self.template[from + 1..];
            let digits = leading_digits(rest);
            at = from + 1;
            match bytes[from] {
                b'$' if digits > 0 => {
                    at += digits;
                    self.numbered(from, at, rest[..digits].parse().unwrap_or(u32::MAX));
                }
                b'$' if rest.starts_with("{:uid}") => {
                    at += 6;
                    self.put(from, at, UNIQUE);
                }
                b'$' if rest.starts_with([HOLE, WIDE_HOLE]) => self.unnumbered(from),
                b'$' => {
                    let length = match rest.as_bytes().first() {
                        Some(b'{') => rest.bytes().take(MOST_MARK).position(|b| b == b'}').map_or(1, |close| close + 1),
                        Some(b'$') => 1,
                        _ => rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count(),
                    };
                    at += length;
                    let inner = rest.get(1..length.max(1)).and_then(|r| r.split([':', '}']).next()).unwrap_or("");
                    let is_number =
                        rest.starts_with('{') && !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
                    self.dropped(from, at, &format!("write `${inner}`"), is_number);
                    if is_number {
                        self.numbered(from, at, inner.parse().unwrap_or(u32::MAX));
                    }
                }
                b'%' if self.is_in_comment(from) => {}
                b'%' if digits > 0 => {
                    at += digits;
                    let place = self.place(from, at);
                    let number = &rest[..digits];
                    if self.raw.is_vector {
                        self.numbered(from, at, number.parse().unwrap_or(u32::MAX));
                        continue;
                    }
                    self.report(
                        Diagnostic::new(
                            &WRONG_ESCAPE,
                            place,
                            format!("`%{number}` is no operand here: operands begin with `$`"),
                        )
                        .replace(place, format!("${number}"), true),
                    );
                    self.numbered(from, at, number.parse().unwrap_or(u32::MAX));
                }
                b'%' if rest.starts_with('%') => {
                    at += 1;
                    let place = self.place(from, at);
                    self.report(
                        Diagnostic::new(&WRONG_ESCAPE, place, "a percent sign is written once here")
                            .replace(place, "%", true),
                    );
                    self.put(from, at, "%");
                }
                b'%' if rest.starts_with('=') => {
                    at += 1;
                    let place = self.place(from, at);
                    self.report(
                        Diagnostic::new(&WRONG_ESCAPE, place, "`%=` is not replaced here")
                            .replace(place, "${:uid}", true),
                    );
                    self.put(from, at, UNIQUE);
                }
                b'\\' if rest.starts_with('n') => {
                    at += 1;
                    self.backslash(self.place(from, at));
                    self.put(from, at, "\n");
                }
                _ => {}
            }
        }
    }

    /// A backslash before an n, at a place of the host.
    fn backslash(&mut self, place: Span) {
        let fault = |message| Diagnostic::new(&WRONG_ESCAPE, place, message);
        let diagnostic = if self.raw.is_ir {
            fault("`\\n` is a backslash and an n here: a newline is `\\0A`").replace(place, "\\0A", true)
        } else if place.of(self.host) == r"\\n" {
            fault("`\\\\n` is a backslash and an n: a newline is `\\n`").replace(place, "\\n", true)
        } else {
            fault("`\\n` is a backslash and an n in a raw string")
                .help("break the line there in a string of several lines, or leave out what makes the string raw")
        };
        // The separator of a list stands in the text several times.
        if !self.out.diagnostics.iter().any(|d| d.rule == diagnostic.rule && d.primary.span == place) {
            self.report(diagnostic);
        }
    }

    /// Whether a comment of the template holds a place.
    fn is_in_comment(&mut self, at: usize) -> bool {
        if !self.line.contains(&at) {
            let start = self.template[..at].rfind('\n').map_or(0, |i| i + 1);
            let end = self.template[at..].find('\n').map_or(self.template.len(), |i| at + i);
            self.line = start..end + 1;
            self.comment = self.template[start..end].find("//").map_or(end + 1, |i| start + i + 2);
        }
        self.comment <= at
    }

    fn dropped(&mut self, from: usize, to: usize, help: &str, certain: bool) {
        let place = self.place(from, to);
        if !self.has_dropped {
            self.has_dropped = true;
            let message = format!(
                "`{}` is not replaced: the compiler drops the whole statement and reports nothing",
                place.of(self.host)
            );
            let diagnostic = Diagnostic::new(&DROPPED_STATEMENT, place, message);
            let other = if self.raw.escapes == Escapes::Dollar {
                "write operands as `$0`, and the statement's own number as `${:uid}`"
            } else {
                "leave the `$` out, in comments of the text as well"
            };
            self.report(diagnostic.help(if certain { help } else { other }));
        }
        self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
    }
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn count(n: u32, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}
