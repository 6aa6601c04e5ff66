//! Immediates and plain numbers.

use super::WRONG_OPERAND_FORM;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::{FLAG_BROKEN, FLAG_OPEN};
use crate::spec::Type;
use crate::spec::instruction::{Notation, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::tree::{Base, ExprId, ExprKind, Item, RegionSyntax, UnaryOperator};

crate::declare_rule! {
    /// An immediate or indirect operand without its type.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x1
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub MISSING_TYPE = "missing-type", Error, "2_datatypes"
}

crate::declare_rule! {
    /// An immediate that cannot have the type that is written after it: a decimal half-float, a fraction with an integer
    /// type, a type that immediates never have.
    ///
    /// ```visa bad
    /// mov (M1, 8) VHF(0,0)<1> 1:hf
    /// ```
    /// ```visa good
    /// mov (M1, 8) VHF(0,0)<1> 0x3c00:hf
    /// ```
    pub INVALID_IMMEDIATE = "invalid-immediate", Error, "2_datatypes"
}

crate::declare_rule! {
    /// A decimal integer with a floating-point type. It is taken as a bit pattern, not as a value: `5:f` is 7.0e-45.
    ///
    /// ```visa bad
    /// mov (M1, 8) VF(0,0)<1> 5:f
    /// ```
    /// ```visa good
    /// mov (M1, 8) VF(0,0)<1> 5.0:f
    /// ```
    pub DECIMAL_BIT_PATTERN = "decimal-bit-pattern", Warning, "2_datatypes"
}

impl Lowering<'_> {
    /// A number, with or without a type.
    pub(super) fn literal(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        id: ExprId,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        spans.name = Span::new(item.span.start, item.suffix.map_or(item.span.end, |s| s.start));
        if self.misspelt_modifier(id) {
            return None;
        }
        if item.region != RegionSyntax::None {
            self.report_form(slot, item);
            return None;
        }
        if let Some(float) = self.float(id) {
            if item.suffix.is_some() {
                self.report_form(slot, item);
                return None;
            }
            return Some(float);
        }
        let Some(suffix) = item.suffix else {
            let expr = *self.parser.tree.expr(id);
            if slot.kinds.contains(OperandKind::Number) {
                let is_simple =
                    matches!(expr.kind, ExprKind::Dec | ExprKind::Hex | ExprKind::Unary(..) | ExprKind::Group(_));
                let is_expression = !matches!(expr.kind, ExprKind::Pair | ExprKind::String | ExprKind::Float);
                if !(is_simple || is_expression && slot.notation == Notation::Any) {
                    self.report_form(slot, item);
                    return None;
                }
                let n_reported = self.program.diagnostics.len();
                let value = self.constant(id)?;
                if slot.notation == Notation::Decimal {
                    // A hexadecimal number, which holds more, cannot stand here instead.
                    for found in &mut self.program.diagnostics[n_reported..] {
                        (found.fix, found.help) = (None, None);
                    }
                }
                self.check_notation(slot, item, expr.kind, value)?;
                return Some(Operand::Number { value });
            }
            if matches!(expr.kind, ExprKind::Pair)
                || matches!(expr.kind, ExprKind::Group(list) if self.only_expr(list).is_none())
            {
                self.report_form(slot, item);
                return None;
            }
            if slot.kinds.contains(OperandKind::Immediate) {
                self.constant(id)?;
                let digits = match expr.kind {
                    ExprKind::Unary(UnaryOperator::Minus, inner) => self.parser.tree.expr(inner).kind,
                    kind => kind,
                };
                self.report_untyped(slot, item, digits);
                return None;
            }
            self.report_form(slot, item);
            return None;
        };
        let element_type = self.type_suffix(suffix)?;
        self.integer_immediate(item, id, element_type, suffix)
    }

    /// Reports an immediate without a type: the one to write is that of the operands beside it.
    fn report_untyped(&mut self, slot: &'static OperandSlot, item: &Item, digits: ExprKind) {
        let written = item.span.of(self.text);
        let legal = slot.types_by_platform.iter().fold(slot.types.legal, |all, more| all.or(more.value));
        let only = legal.iter().next().filter(|_| legal.0.is_power_of_two());
        let beside = self.type_beside().filter(|t| legal.contains(*t));
        let wanted = only.or(beside).unwrap_or(Type::D);
        let diagnostic = Diagnostic::new(&MISSING_TYPE, item.span, format!("the immediate `{written}` needs a type"));
        // A decimal number is the value that is meant, and with the type of a float alone would be its bits.
        let is_value = digits == ExprKind::Dec && wanted.is_float();
        self.report(if is_value && wanted == Type::HF {
            diagnostic.help("half-floats are written as a hexadecimal bit pattern: 1.0 is `0x3c00:hf`")
        } else {
            let suffix = format!("{}:{}", if is_value { ".0" } else { "" }, wanted.text());
            diagnostic.help(format!("write `{written}{suffix}`")).replace(
                Span::at(item.span.end),
                suffix,
                only.is_some(),
            )
        });
    }

    /// The type that an immediate may have too, of the nearest operand before it.
    fn type_beside(&self) -> Option<Type> {
        let before = self.program.operands[self.first_operand..].iter().rev();
        let types = before.filter_map(|operand| match operand {
            Operand::Immediate { element_type, .. } => Some(*element_type),
            _ => operand.variable().map(|v| &self.program.variables[v]).and_then(|v| {
                (v.kind == VariableKind::General && !v.is(FLAG_BROKEN | FLAG_OPEN)).then_some(v.element_type)
            }),
        });
        let as_immediate = |t| match t {
            Type::UB => Type::UW,
            Type::B => Type::W,
            t => t,
        };
        types.map(as_immediate).find(|t| t.row().immediate)
    }

    pub(super) fn is_number(&self, item: &Item) -> bool {
        matches!(item.base, Base::Expr(id) if matches!(self.parser.tree.expr(id).kind, ExprKind::Dec | ExprKind::Hex))
    }

    /// Reports a number that is not written with the kind of token that assemblers read there.
    pub(super) fn check_notation(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        kind: ExprKind,
        value: i64,
    ) -> Option<()> {
        let (fits, word, meant) = match slot.notation {
            Notation::Any => return Some(()),
            Notation::Decimal => (kind == ExprKind::Dec, "decimal", value.to_string()),
            Notation::Hexadecimal => (kind == ExprKind::Hex, "hexadecimal", format!("{value:#x}")),
        };
        if fits {
            return Some(());
        }
        let written = item.span.of(self.text);
        let message = format!("the operand {} is written as a {word} number, not as `{written}`", slot.name);
        let diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, item.span, message);
        // A decimal number holds 31 bits.
        let fits = value >= 0 && (slot.notation == Notation::Hexadecimal || i32::try_from(value).is_ok());
        self.report(if fits { diagnostic.replace(item.span, meant, kind != ExprKind::Dec) } else { diagnostic });
        None
    }

    /// `1.5:f` with an optional minus.
    pub(super) fn float(&mut self, id: ExprId) -> Option<Operand> {
        let expr = *self.parser.tree.expr(id);
        let (token, negative) = match expr.kind {
            ExprKind::Float => (expr.span, false),
            ExprKind::Unary(UnaryOperator::Minus, inner) => {
                let inner = *self.parser.tree.expr(inner);
                if inner.kind != ExprKind::Float {
                    return None;
                }
                (inner.span, true)
            }
            _ => return None,
        };
        let text = token.of(self.text);
        let (digits, suffix) = text.split_once(':')?;
        let value: f64 = digits.parse().unwrap_or(0.0);
        let value = if negative { -value } else { value };
        Some(if suffix == "df" {
            Operand::Immediate { bits: value.to_bits(), element_type: Type::DF }
        } else {
            Operand::Immediate { bits: u64::from((value as f32).to_bits()), element_type: Type::F }
        })
    }

    pub(super) fn integer_immediate(
        &mut self,
        item: &Item,
        id: ExprId,
        element_type: Type,
        suffix: Span,
    ) -> Option<Operand> {
        let written = item.span.of(self.text);
        if !element_type.row().immediate {
            let message = format!("`{written}`: no immediate has the type `{}`", element_type.text());
            self.report(
                Diagnostic::new(&INVALID_IMMEDIATE, item.span, message)
                    .help("move the bit pattern into a variable of an integer type with an alias"),
            );
            return None;
        }
        let expr = *self.parser.tree.expr(id);
        let is_hex = matches!(expr.kind, ExprKind::Hex);
        if element_type == Type::HF && !is_hex {
            let message = format!("`{written}`: a half-float immediate is a hexadecimal bit pattern");
            self.report(Diagnostic::new(&INVALID_IMMEDIATE, item.span, message).help("1.0 is `0x3c00:hf`"));
            return None;
        }
        if element_type.is_float() {
            let plain = match expr.kind {
                ExprKind::Dec | ExprKind::Hex => true,
                ExprKind::Unary(UnaryOperator::Minus, inner) => {
                    matches!(self.parser.tree.expr(inner).kind, ExprKind::Dec | ExprKind::Hex)
                }
                _ => false,
            };
            if !plain {
                let message = format!("`{written}`: an expression cannot have the type `{}`", element_type.text());
                self.report(
                    Diagnostic::new(&INVALID_IMMEDIATE, item.span, message)
                        .help("write a decimal fraction such as `1.5:f`, or a hexadecimal bit pattern"),
                );
                return None;
            }
            let (digits, is_negative) = match expr.kind {
                ExprKind::Unary(_, inner) => (*self.parser.tree.expr(inner), true),
                _ => (expr, false),
            };
            let value = self.immediate_number(id, element_type)?;
            let magnitude = if is_negative { value.wrapping_neg() } else { value } as u64;
            if digits.kind == ExprKind::Dec && magnitude != 0 {
                let number = expr.span.of(self.text);
                // The minus flips the sign of the float that the bits are.
                let sign = if is_negative { 1 << (8 * element_type.bytes() - 1) } else { 0 };
                let bits = magnitude | sign;
                let bits = if element_type == Type::DF { format!("{bits:#018x}") } else { format!("{bits:#x}") };
                let suffix = suffix_word(suffix.of(self.text));
                let message = format!("`{written}` is a bit pattern, not the value {number}");
                self.report(
                    Diagnostic::new(&DECIMAL_BIT_PATTERN, item.span, message)
                        .help(format!("write `{number}.0:{suffix}`, or `{bits}:{suffix}` if the bit pattern is meant"))
                        .replace(item.span, format!("{number}.0:{suffix}"), false),
                );
            }
            let sign = if is_negative { 1 << (8 * element_type.bytes() - 1) } else { 0 };
            return Some(Operand::Immediate { bits: magnitude ^ sign, element_type });
        }
        let value = self.immediate_number(id, element_type)?;
        Some(Operand::Immediate { bits: value as u64, element_type })
    }

    /// The number of an immediate. Plain decimals are read with 32 bits, which is all of a type of up to 32 bits.
    pub(super) fn immediate_number(&mut self, id: ExprId, element_type: Type) -> Option<i64> {
        let expr = *self.parser.tree.expr(id);
        let (digits, is_negative) = match expr.kind {
            ExprKind::Unary(UnaryOperator::Minus, inner) => (*self.parser.tree.expr(inner), true),
            _ => (expr, false),
        };
        let number = number::number(digits.span.of(self.text));
        if digits.kind != ExprKind::Dec || !number.overflows {
            return self.constant(id);
        }
        let width = 8 * element_type.bytes();
        let mut value = number.written as i64;
        if width == 64 || number.written > u64::from(u32::MAX) {
            let diagnostic = self.decimal_overflow(digits.span, number);
            self.report(diagnostic.level(Level::Error));
            // The value that fits the type, so that there is no second finding about it.
            value = i64::from(number.written as u32 as i32) << (64 - width) >> (64 - width);
        }
        Some(if is_negative { value.wrapping_neg() } else { value })
    }

    /// The type of `:ud`; reports and returns nothing if there is no such type.
    pub(in crate::lower) fn type_suffix(&mut self, suffix: Span) -> Option<Type> {
        let written = &suffix.of(self.text)[1..];
        if let Some(t) = Type::from_text(written) {
            return Some(t);
        }
        self.report_unknown_type(Span::new(suffix.start + 1, suffix.end), written);
        None
    }
}

/// The bit pattern of `inf:f` and `nan:f`.
pub(super) fn special_float(word: &str, suffix: &str) -> Option<&'static str> {
    let is_infinite = ["inf", "infinity"].iter().any(|w| word.eq_ignore_ascii_case(w));
    if !is_infinite && !word.eq_ignore_ascii_case("nan") {
        return None;
    }
    Some(match (suffix.to_ascii_lowercase().as_str(), is_infinite) {
        (":f", true) => "0x7f800000:f",
        (":f", false) => "0x7fc00000:f",
        (":df", true) => "0x7ff0000000000000:df",
        (":df", false) => "0x7ff8000000000000:df",
        (":hf", true) => "0x7c00:hf",
        (":hf", false) => "0x7e00:hf",
        _ => return None,
    })
}

fn suffix_word(suffix: &str) -> String {
    suffix.trim_start_matches(':').to_ascii_lowercase()
}
