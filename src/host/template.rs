//! From the template of an asm statement to the text that the compiler pastes: operands by a name of their own, special
//! characters replaced.

use super::constraint::{self, Constraint};
use super::guess;
use super::map::Mapped;
use super::rules::{
    DROPPED_STATEMENT, IMPOSSIBLE_UNIFORM, MISPLACED_CONSTRAINT, MISSING_HOST_OPERAND, REGION_ON_IMMEDIATE,
    SWALLOWED_INSTRUCTION, UNKNOWN_CONSTRAINT, VARYING_IMMEDIATE, WRONG_ESCAPE,
};
use super::statement::{Escapes, HOLE, HostType, RawOperand, RawStatement, Value, WIDE_HOLE};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::operand::SURPLUS_TYPE;
use crate::program::fragment::{Guess, OperandClass};
use crate::spec::Type;
use crate::spec::predefined;

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
    pub is_open: bool,
    /// What the constraints say.
    pub constraints: Vec<Option<Constraint>>,
    /// Faults, at places of the host.
    pub diagnostics: Vec<Diagnostic>,
}

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
    /// Whether all operands are known.
    is_complete: bool,
    has_dropped: bool,
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
        is_complete: raw.operands.is_some(),
        has_dropped: false,
    };
    if raw.is_kernel {
        paster.copy(paster.template.len());
        guess::fill(host, &mut paster.out);
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
    guess::fill(host, &mut paster.out);
    paster.out
}

impl Paster<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    fn constraints(&mut self) {
        let n_outputs = self.operands.iter().filter(|o| o.is_output).count() as u32;
        let is_list = self.raw.escapes == Escapes::Dollar;
        let mut has_unknown = false;
        for operand in self.operands {
            let Some(text) = &operand.constraint else {
                self.out.constraints.push(None);
                continue;
            };
            let span = operand.constraint_span;
            let read = constraint::read(text, operand.is_output, self.raw.is_vector);
            let constraint = match read {
                Ok(constraint) => constraint,
                Err((meant, better)) => {
                    // Of a list one is enough: they are all of one language.
                    if !(is_list && has_unknown) {
                        let quoted = span.of(self.host).starts_with('"');
                        let mut diagnostic =
                            Diagnostic::new(&UNKNOWN_CONSTRAINT, span, format!("there is no constraint `{text}`"))
                                .note("compilers before 2025 drop the statement and report nothing");
                        diagnostic = if text.contains('&') {
                            diagnostic.note("operands are variables: an early clobber is not needed")
                        } else {
                            diagnostic
                        };
                        diagnostic = match better {
                            Some(better) if is_list => {
                                let certain = !text.contains('.');
                                diagnostic.replace(span, better, certain).help(format!("write `{better}`"))
                            }
                            Some(better) if quoted => diagnostic
                                .replace(span, format!("\"{better}\""), true)
                                .help(format!("write `{better}`")),
                            Some(better) => diagnostic.help(format!("write `{better}`")),
                            None if self.raw.is_vector => {
                                diagnostic.help("the vector backend has `r`, `rw`, `a`, `cr`, `i`, `n` and `F`")
                            }
                            None if operand.is_output => diagnostic.help("outputs take `=rw` or `+rw`"),
                            None => diagnostic.help("inputs take `rw`, `rw.u`, `i`, `P` or the number of an output"),
                        };
                        self.out.diagnostics.push(diagnostic);
                        has_unknown = true;
                    }
                    meant
                }
            };
            if let Some(tied) = constraint.tied.filter(|t| *t >= n_outputs) {
                let message = if n_outputs == 0 {
                    format!("there is no output {tied}: the statement has none")
                } else {
                    format!("there is no output {tied}: the statement has {}", count(n_outputs, "output"))
                };
                self.report(Diagnostic::new(&MISSING_HOST_OPERAND, span, message));
            }
            self.values(operand, constraint, text);
            self.out.constraints.push(Some(constraint));
        }
    }

    /// Checks the length of the list of constraints against what the host hands over.
    fn handed_over(&mut self) {
        let Some(handed) = self.raw.handed_over else { return };
        let n_outputs = self.operands.iter().filter(|o| o.is_output).count();
        let n_inputs = self.operands.len() - n_outputs;
        let message = match (handed.n_results, handed.n_values) {
            (Some(n), _) if n != n_outputs => {
                let has = count(n_outputs as u32, "output");
                format!("the constraints have {has}, and the statement returns {}", count(n as u32, "value"))
            }
            (_, Some(n)) if n != n_inputs => {
                let has = count(n_inputs as u32, "input");
                format!("the constraints have {has}, and the statement is given {}", count(n as u32, "value"))
            }
            _ => return,
        };
        // Which numbers are too great depends on which list is right.
        self.is_complete = false;
        let place = if handed.list.is_empty() { self.raw.span } else { handed.list };
        self.report(
            Diagnostic::new(&MISSING_HOST_OPERAND, place, message)
                .help("write one constraint for each value, in order"),
        );
    }

    /// Reports literals that begin inside of a comment and read as an instruction.
    fn swallowed(&mut self) {
        for seam in self.raw.template.seams().collect::<Vec<_>>() {
            let at = seam as usize;
            let line = self.template[at..].split('\n').next().unwrap_or("");
            let blanks = line.len() - line.trim_start().len();
            let word = line[blanks..].split([' ', '\t', '(']).next().unwrap_or("");
            let behind = line[blanks + word.len()..].trim_start();
            let is_instruction = behind.starts_with("(M") && crate::spec::lookup(word).is_some()
                || word == ".decl" && line.contains("v_type");
            if !is_instruction || !self.is_in_comment(at) {
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

    /// Checks what is known of an operand's value against its constraint.
    fn values(&mut self, operand: &RawOperand, constraint: Constraint, text: &str) {
        let written = operand.expression.of(self.host);
        if constraint.class == OperandClass::Immediate && operand.value == Value::Varying && !self.raw.is_vector {
            let message = format!("the constraint `{text}` needs a constant, and `{written}` is none");
            self.report(
                Diagnostic::new(&VARYING_IMMEDIATE, operand.constraint_span, message)
                    .also(operand.expression, "known only when the kernel runs")
                    .help("hand it over with `rw`, or with `rw.u` if it is the same for all lanes"),
            );
        }
        if constraint.class == OperandClass::Uniform && operand.is_per_lane && !self.raw.is_vector {
            let message = format!("`{written}` differs from lane to lane, and `{text}` takes one value for all");
            self.report(
                Diagnostic::new(&IMPOSSIBLE_UNIFORM, operand.constraint_span, message)
                    .also(operand.expression, "depends on the number of the lane")
                    .help("write `rw`"),
            );
        }
    }

    fn copy(&mut self, to: usize) {
        self.out.text.push_part(&self.raw.template, Span::new(self.done as u32, to as u32));
        self.done = to;
    }

    /// The place in the host of a part of the template.
    fn place(&self, from: usize, to: usize) -> Span {
        self.raw.template.host_span(self.host, Span::new(from as u32, to as u32))
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
            } else if let Some(close) = rest.strip_prefix('[').and_then(|r| r.find(']')) {
                at = from + 1 + close + 2;
                self.named(from, at, &rest[1..=close]);
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

    /// An operand whose number is not known: the hole behind its sign stands for both.
    fn unnumbered(&mut self, from: usize) {
        self.copy(from);
        self.done = from + 1;
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
        } else {
            let place = self.place(from, from + 1);
            self.report(Diagnostic::new(&WRONG_ESCAPE, place, "a percent sign is written `%%` here"));
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
                        Some(b'{') => rest.find('}').map_or(1, |close| close + 1),
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
    fn is_in_comment(&self, at: usize) -> bool {
        let line = self.template[..at].rfind('\n').map_or(0, |i| i + 1);
        self.template[line..at].contains("//")
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

    fn named(&mut self, from: usize, to: usize, name: &str) {
        let index = self.operands.iter().position(|o| o.name.as_deref() == Some(name));
        if let Some(index) = index {
            self.operand(from, to, index);
        } else {
            if self.is_complete {
                let place = self.place(from, to);
                let diagnostic = Diagnostic::new(
                    &MISSING_HOST_OPERAND,
                    place,
                    format!("no operand of the statement is named `{name}`"),
                );
                let names = self.operands.iter().filter_map(|o| o.name.as_deref());
                let similar = crate::base::spelling::closest(name, names).map(str::to_owned);
                self.report(match similar {
                    Some(similar) => diagnostic.replace(place, format!("%[{similar}]"), false),
                    None => diagnostic,
                });
            }
            self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
        }
    }

    fn numbered(&mut self, from: usize, to: usize, number: u32) {
        if (number as usize) < self.operands.len() {
            self.operand(from, to, number as usize);
            return;
        }
        if self.is_complete {
            let place = self.place(from, to);
            let written = place.of(self.host);
            let n = self.operands.len() as u32;
            let message = format!("`{written}` is beyond the operands: the statement has {}", count(n, "operand"));
            let mut diagnostic = Diagnostic::new(&MISSING_HOST_OPERAND, place, message);
            if n > 0 {
                diagnostic = diagnostic.label("they count from 0");
            }
            self.report(diagnostic);
        }
        self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
    }

    /// Puts an operand in its place: a number as the compiler writes it, and all others by a name of their own.
    fn operand(&mut self, from: usize, to: usize, index: usize) {
        let operand = &self.operands[index];
        let constraint = self.out.constraints.get(index).copied().flatten();
        let Some(constraint) = constraint else {
            // It may be a number; what has a region, an offset or a type is a variable.
            let is_variable = self.template[to..].starts_with(['(', '.', ':', ']']);
            let name = is_variable.then(|| self.spelling(self.place(from, to), index as u32));
            self.put(from, to, name.as_deref().unwrap_or(HOLE.encode_utf8(&mut [0; 4])));
            return;
        };
        if constraint.is_plain {
            match operand.value {
                Value::Constant(value) => {
                    let text = if value < 0 { (value as u32).to_string() } else { value.to_string() };
                    self.put(from, to, &text);
                    self.number(&text, index);
                }
                _ => self.put(from, to, HOLE.encode_utf8(&mut [0; 4])),
            }
            // The number may be a part of a name.
            if !self.template[..from].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | HOLE | WIDE_HOLE)) {
                self.region_after(to, self.place(from, to));
            }
            return;
        }
        let place = self.place(from, to);
        if self.raw.is_vector && !self.is_in_comment(from) {
            self.vector_place(from, to, operand);
        }
        let text = immediate(operand).filter(|_| constraint.class == OperandClass::Immediate);
        let is_number = text.is_some();
        let text = text.unwrap_or_else(|| self.spelling(place, index as u32));
        self.put(from, to, &text);
        if is_number {
            self.number(&text, index);
        }
        if constraint.class == OperandClass::Immediate {
            self.region_after(to, place);
            self.type_after(place);
        }
    }

    /// Checks the place of an operand of the vector backend against what its constraint becomes.
    fn vector_place(&mut self, from: usize, to: usize, operand: &RawOperand) {
        let constraint = operand.constraint.as_deref().unwrap_or("");
        let word = constraint.trim_start_matches(['=', '+', '&']);
        let line_start = self.template[..from].rfind('\n').map_or(0, |i| i + 1);
        let before = self.template[line_start..from].trim_start();
        let behind = self.template[to..].split('\n').next().unwrap_or("");
        let rest = behind.trim_start_matches(' ');
        let inside = rest.strip_prefix('(').map(str::trim_start);
        let has_region = rest.starts_with('<') || inside.is_some_and(|i| i.starts_with(|c: char| c.is_ascii_digit()));
        let has_offset =
            behind.strip_prefix('.').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
        let is_predicate =
            matches!(before.trim_end().trim_end_matches('!'), "(" | "{ (") && rest.starts_with([')', '.']);
        let is_in_brackets = before.rfind('[').is_some_and(|open| !before[open..].contains(']'));
        let is_data = behind.strip_prefix(':').is_some_and(|shape| shape.starts_with(['d', 'u']));
        let unpredicated =
            before.strip_prefix('(').and_then(|b| b.split_once(')')).map_or(before, |(_, b)| b.trim_start());
        let mnemonic = unpredicated.split([' ', '\t', '(']).next().unwrap_or("");
        let takes_regions = crate::spec::lookup(mnemonic).is_some_and(|id| {
            id.row().operands.iter().all(|slot| slot.kinds.contains(crate::spec::instruction::OperandKind::General))
        });
        let place = self.place(from, to);
        let written = place.of(self.host);
        let (message, help) = match word {
            "r" | "a" if is_predicate => {
                (format!("`{written}` becomes a variable, and a predicate is needed"), "take the constraint `cr`")
            }
            "r" | "a" if is_in_brackets || is_data => (
                format!("`{written}` becomes a variable with its region, and a message takes the name alone"),
                "take the constraint `rw`",
            ),
            "r" | "a" if has_region || has_offset => (
                format!("`{written}` becomes a variable with its region: no region or offset may follow"),
                "leave out what follows it, or take the constraint `rw`",
            ),
            "rw" if takes_regions && (behind.is_empty() || behind.starts_with([' ', '\t'])) && !has_region => (
                format!("`{written}` becomes a name without a region, and `{mnemonic}` needs one"),
                "write the region behind it, or take the constraint `r`",
            ),
            "cr" if has_region => {
                (format!("`{written}` becomes a predicate, which has no region"), "leave out the region")
            }
            _ => return,
        };
        // What is written there is right, and the constraint is not; elsewhere either may be meant.
        let diagnostic = if is_predicate {
            Diagnostic::new(&MISPLACED_CONSTRAINT, operand.constraint_span, message).also(place, "the predicate")
        } else {
            Diagnostic::new(&MISPLACED_CONSTRAINT, place, message).also(operand.constraint_span, "the constraint")
        };
        self.report(diagnostic.help(help));
    }

    /// Notes that the text that was just put is an operand.
    fn number(&mut self, text: &str, index: usize) {
        let end = self.out.text.text.len() as u32;
        self.out.numbers.push((Span::new(end - text.len() as u32, end), index as u32));
    }

    /// How the text writes an operand.
    fn spelling(&mut self, place: Span, index: u32) -> String {
        let written = place.of(self.host);
        // A macro stands at its use: there the operand is not to be seen.
        let written = if written.starts_with(['%', '$']) { written.to_owned() } else { format!("%{index}") };
        if let Some((name, ..)) = self.out.spellings.iter().find(|s| s.1 == written && s.2 == index) {
            return name.clone();
        }
        let name = format!("%op{}__", self.out.spellings.len());
        self.out.spellings.push((name.clone(), written, index));
        name
    }

    /// Gives those operands a name that the text does not name: what is typed next may be one of them.
    fn name_others(&mut self) {
        for (index, operand) in self.operands.iter().enumerate() {
            let index = index as u32;
            if self.out.spellings.iter().any(|(.., i)| *i == index) {
                continue;
            }
            let written = match (&operand.name, self.raw.escapes) {
                (Some(name), _) => format!("%[{name}]"),
                (None, Escapes::Dollar) => format!("${index}"),
                (None, _) => format!("%{index}"),
            };
            let name = format!("%op{}__", self.out.spellings.len());
            self.out.spellings.push((name, written, index));
        }
    }

    /// Reports a region behind an immediate, and leaves it out.
    fn region_after(&mut self, at: usize, operand: Span) {
        let rest = &self.template[at..];
        let mut end = 0;
        for (open, close) in [('(', ')'), ('<', '>')] {
            if rest[end..].starts_with(open) {
                end += rest[end..].find(close).map_or(0, |i| i + 1);
            }
        }
        // `(M1, 16)` is none.
        let is_mask = rest[..end].starts_with('(') && !rest[1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if end == 0 || is_mask || rest[..end].contains('\n') {
            return;
        }
        let place = self.place(at, at + end);
        let written = operand.of(self.host);
        let message = format!("`{written}` becomes a number: no region may follow");
        self.report(Diagnostic::new(&REGION_ON_IMMEDIATE, place, message).replace(place, "", true));
        self.copy(at);
        self.done = at + end;
    }

    /// Reports a type behind an immediate, which has one already, and leaves it out.
    fn type_after(&mut self, operand: Span) {
        let at = self.done;
        let Some(rest) = self.template[at..].strip_prefix(':').filter(|_| !self.raw.is_vector) else { return };
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length == 0 {
            return;
        }
        let place = self.place(at, at + 1 + length);
        let message =
            format!("`{}` becomes a number with its type: `:{}` cannot follow", operand.of(self.host), &rest[..length]);
        self.report(Diagnostic::new(&SURPLUS_TYPE, place, message).replace(place, "", true));
        self.done = at + 1 + length;
    }
}

/// What the compiler writes for a constant: hexadecimal, with the type of the expression.
fn immediate(operand: &RawOperand) -> Option<String> {
    let Value::Constant(value) = operand.value else { return None };
    let HostType::Value { element, n_components: 1, .. } = operand.host_type else { return None };
    Some(match element {
        Type::B | Type::W | Type::D => format!("{:#x}:{}", value as u32, element.text()),
        Type::Q => format!("{value:#x}:q"),
        _ => return None,
    })
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
