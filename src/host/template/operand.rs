//! Operands of a template: numbers as the compiler writes them, and all others by names of their own.

use super::{Paster, count};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::host::constraint;
use crate::host::rules::{MISPLACED_CONSTRAINT, MISSING_HOST_OPERAND, REGION_ON_IMMEDIATE};
use crate::host::statement::{Escapes, HOLE, HostType, RawOperand, Value, WIDE_HOLE};
use crate::lower::operand::SURPLUS_TYPE;
use crate::program::fragment::OperandClass;
use crate::spec::instruction::{KindSet, OperandKind};
use crate::spec::{self, Type};

impl Paster<'_> {
    /// An operand whose number is not known: the hole behind its sign stands for both.
    pub(super) fn unnumbered(&mut self, from: usize) {
        self.copy(from);
        self.done = from + 1;
    }

    pub(super) fn named(&mut self, from: usize, to: usize, name: &str) {
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

    pub(super) fn numbered(&mut self, from: usize, to: usize, number: u32) {
        if (number as usize) < self.operands.len() {
            self.operand(from, to, number as usize);
            return;
        }
        if let Some(index) = self.hidden_input(number) {
            // The vector backend counts them as any other.
            if self.raw.is_vector {
                self.operand(from, to, index);
                return;
            }
            let place = self.place(from, to);
            let written = place.of(self.host);
            let message = format!("`{written}` is beyond the operands that are written");
            let note = format!("compilers give that number to the input that `+` makes of `%{index}`");
            let diagnostic = Diagnostic::new(&MISSING_HOST_OPERAND, place, message).note(note);
            self.report(diagnostic.replace(place, format!("%{index}"), false));
            self.operand(from, to, index);
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

    /// The output with `+` whose input has that number: compilers of C count those behind all operands that are written.
    fn hidden_input(&self, number: u32) -> Option<usize> {
        let n = (number as usize).checked_sub(self.operands.len())?;
        let is_both = |o: &RawOperand| o.constraint.as_deref().is_some_and(|c| c.starts_with('+'));
        let mut all = self.operands.iter().enumerate().filter(|(_, o)| is_both(o));
        all.nth(n).filter(|_| self.is_complete && self.raw.escapes == Escapes::Extended).map(|(index, _)| index)
    }

    /// Puts an operand in its place: a number as the compiler writes it, and all others by a name of their own.
    pub(super) fn operand(&mut self, from: usize, to: usize, index: usize) {
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
            if let Value::Constant(value) = operand.value {
                let is_wrapped = value < 0 && !self.raw.is_vector;
                let text = if is_wrapped { (value as u32).to_string() } else { value.to_string() };
                self.put(from, to, &text);
                self.number(&text, index);
            } else {
                // A macro stands at its use, where there may be other holes.
                let place = self.place(from, to);
                self.plain.extend(Some(place.start).filter(|_| place.of(self.host).starts_with(['%', '$'])));
                self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
            }
            // The number may be a part of a name.
            if !self.template[..from].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | HOLE | WIDE_HOLE)) {
                self.region_after(to, self.place(from, to));
            }
            return;
        }
        let place = self.place(from, to);
        if self.raw.is_vector && !self.is_in_comment(from) && self.vector_place(from, to, operand) {
            self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
            return;
        }
        // Only what becomes a number may be a part of a word.
        let is_inside = self.template[..from].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if is_inside && operand.constraint.as_deref().is_some_and(|c| self.is_unknown(c, operand.is_output)) {
            self.put(from, to, HOLE.encode_utf8(&mut [0; 4]));
            return;
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

    fn is_unknown(&self, constraint: &str, is_output: bool) -> bool {
        constraint::read(constraint, is_output, self.raw.is_vector).is_err()
    }

    /// Checks the place of an operand of the vector backend against what its constraint becomes. Returns whether it stands for
    /// a predicate and is none.
    pub(super) fn vector_place(&mut self, from: usize, to: usize, operand: &RawOperand) -> bool {
        let constraint = operand.constraint.as_deref().unwrap_or("");
        let word = constraint.trim_start_matches(['=', '+', '&']);
        let line_start = self.template[..from].rfind('\n').map_or(0, |i| i + 1);
        let before = self.template[line_start..from].trim_start();
        let behind = self.template[to..].split('\n').next().unwrap_or("");
        let rest = behind.trim_start_matches(' ');
        let inside = rest.strip_prefix('(').map(str::trim_start);
        let has_region = rest.starts_with('<') || inside.is_some_and(|i| i.starts_with(|c: char| c.is_ascii_digit()));
        // `%1(0,0)`, behind which another operand follows.
        let behind_row = inside.filter(|_| has_region).and_then(|i| i.split_once(')')).map(|(_, rest)| rest);
        let is_cut = behind_row
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' ') && !rest.trim_start().starts_with('<'));
        let has_offset =
            behind.strip_prefix('.').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
        let is_predicate =
            matches!(before.trim_end().trim_end_matches('!'), "(" | "{ (") && rest.starts_with([')', '.']);
        let is_in_brackets = before.rfind('[').is_some_and(|open| !before[open..].contains(']'));
        let is_data = behind.strip_prefix(':').is_some_and(|shape| shape.starts_with(['d', 'u']));
        let unpredicated =
            before.strip_prefix('(').and_then(|b| b.split_once(')')).map_or(before, |(_, b)| b.trim_start());
        let mnemonic = unpredicated.split([' ', '\t', '(']).next().unwrap_or("");
        let mnemonic = mnemonic.split('.').next().filter(|_| spec::lookup(mnemonic).is_none()).unwrap_or(mnemonic);
        let takes_only = |kinds: &[OperandKind]| {
            let kinds = KindSet::of(kinds);
            spec::lookup(mnemonic).is_some_and(|id| id.row().operands.iter().all(|slot| slot.kinds.intersects(kinds)))
        };
        let takes_regions = takes_only(&[OperandKind::General]);
        let takes_offsets = || takes_only(&[OperandKind::General, OperandKind::Raw, OperandKind::Element]);
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
            "rw" if takes_regions
                && (is_cut || (behind.is_empty() || behind.starts_with([' ', '\t'])) && !has_region) =>
            {
                (
                    format!("`{written}` becomes a name without a region, and `{mnemonic}` needs one"),
                    "write the region behind it, or take the constraint `r`",
                )
            }
            "rw" if (behind.is_empty() || behind.starts_with([' ', '\t'])) && !has_region && takes_offsets() => (
                format!("`{written}` becomes a name alone, and `{mnemonic}` needs a region or an offset behind it"),
                "write `.0` behind a raw operand, and a region behind others",
            ),
            "cr" if has_region => {
                (format!("`{written}` becomes a predicate, which has no region"), "leave out the region")
            }
            _ => return false,
        };
        // What is written there is right, and the constraint is not; elsewhere either may be meant.
        let diagnostic = if is_predicate {
            Diagnostic::new(&MISPLACED_CONSTRAINT, operand.constraint_span, message).also(place, "the predicate")
        } else {
            Diagnostic::new(&MISPLACED_CONSTRAINT, place, message).also(operand.constraint_span, "the constraint")
        };
        self.report(diagnostic.help(help));
        is_predicate && matches!(word, "r" | "a")
    }

    /// Notes that the text that was just put is an operand.
    pub(super) fn number(&mut self, text: &str, index: usize) {
        let end = self.out.text.text.len() as u32;
        self.out.numbers.push((Span::new(end - text.len() as u32, end), index as u32));
    }

    /// How the text writes an operand.
    pub(super) fn spelling(&mut self, place: Span, index: u32) -> String {
        let written = place.of(self.host);
        // A macro stands at its use: there the operand is not to be seen.
        let written = if written.starts_with(['%', '$']) { written.to_owned() } else { format!("%{index}") };
        let own = &self.spelt[index as usize];
        if let Some((name, ..)) = own.iter().map(|n| &self.out.spellings[*n as usize]).find(|s| s.1 == written) {
            return name.clone();
        }
        let name = format!("%op{}__", self.out.spellings.len());
        self.spelt[index as usize].push(self.out.spellings.len() as u32);
        self.out.spellings.push((name.clone(), written, index));
        name
    }

    /// Gives those operands a name that the text does not name: what is typed next may be one of them.
    pub(super) fn name_others(&mut self) {
        for (index, operand) in self.operands.iter().enumerate() {
            if !self.spelt[index].is_empty() {
                continue;
            }
            let index = index as u32;
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
    pub(super) fn region_after(&mut self, at: usize, operand: Span) {
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
    pub(super) fn type_after(&mut self, operand: Span) {
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
#[expect(clippy::cast_precision_loss, reason = "compilers round to the nearest number as well")]
fn immediate(operand: &RawOperand) -> Option<String> {
    let HostType::Value { element, n_components: 1, .. } = operand.host_type else { return None };
    let real = match operand.value {
        Value::Constant(value) => value as f64,
        Value::Real(bits) => f64::from_bits(bits),
        Value::Open | Value::Varying => return None,
    };
    let whole = match operand.value {
        Value::Constant(value) => value,
        _ => real as i64,
    };
    Some(match element {
        Type::B | Type::W | Type::D => format!("{:#x}:{}", whole as u32, element.text()),
        Type::Q => format!("{whole:#x}:q"),
        Type::HF => format!("{:#x}:hf", half_bits(real as f32)),
        Type::F => format!("{:#x}:f", (real as f32).to_bits()),
        Type::DF => format!("{:#x}:df", real.to_bits()),
        _ => return None,
    })
}

/// The nearest number of 16 bits.
fn half_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    let sign = bits >> 16 & 0x8000;
    let exponent = (bits >> 23 & 0xff).saturating_sub(127 - 15);
    // Numbers below the smallest one with an exponent of its own have a fraction alone.
    let n_lost = 13 + u32::from(exponent == 0) + (127 - 15_u32).saturating_sub(bits >> 23 & 0xff);
    let fraction = bits & 0x7f_ffff | if exponent == 0 { 0x80_0000 } else { 0 };
    let rounded = |n_lost: u32| (fraction + (1 << (n_lost - 1)) - 1 + (fraction >> n_lost & 1)) >> n_lost;
    match (exponent, n_lost) {
        (31.., _) => sign | 0x7c00,
        (_, 25..) => sign,
        _ => sign | ((exponent << 10) + rounded(n_lost)).min(0x7c00),
    }
}
