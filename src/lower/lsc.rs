//! Operands of LSC messages.

use super::expression::clamp;
use super::{Lowering, lsc_shape};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::VariableId;
use crate::program::lsc::{AddressModel, AddressSize, LscAddress, LscItem, LscShape, LscValue};
use crate::program::operand::{Operand, OperandSpans};
use crate::spec::Type;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::number;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Arguments, Base, ExprId, ExprKind, Item, List, RegionSyntax, UnaryOperator};

crate::declare_rule! {
    /// An address of an LSC message that cannot be read: an unknown model, a missing bracket or address size, an item
    /// that is neither a register nor a number, or parts that this kind of message does not have.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32 global[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    pub MALFORMED_LSC_ADDRESS = "malformed-lsc-address", Error, "LSC_UNTYPED",
        help = "write `flat[V]:a64`, or `bti(0x1)[V]:a32`, with a register for the address"
}

crate::declare_rule! {
    /// A data shape of an LSC message that does not exist, or not for this kind of message: the part after the colon,
    /// such as `d32x4`, `d32.xyz` or `d16.2x16x8nn`.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32x5 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32x4 flat[VUQ]:a64
    /// ```
    pub UNKNOWN_LSC_SHAPE = "unknown-lsc-shape", Error, "LSC_UNTYPED",
        help = "write a data size and what the message takes: `d32`, `d32x4`, `d32.xyz`, or `d16.2x16x8nn`"
}

/// Kinds of addresses.
pub(super) const ADDRESS: KindSet = KindSet::of(&[
    OperandKind::LscAddress,
    OperandKind::LscStridedAddress,
    OperandKind::LscBlockAddress,
    OperandKind::LscCoordinates,
    OperandKind::LscTypedBlockAddress,
    OperandKind::LscSurface,
]);

/// Kinds of addresses whose items are scalars: one element of a variable, or a number.
const SCALAR_ITEMS: KindSet = KindSet::of(&[OperandKind::LscBlockAddress, OperandKind::LscTypedBlockAddress]);

impl Lowering<'_> {
    /// `V:d32x4`
    pub(super) fn lsc_data(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        arguments: Arguments,
        suffix: Span,
    ) -> Option<Operand> {
        if item.region != RegionSyntax::None || item.index.is_some() || item.length.is_some() {
            self.report_form(slot, item);
            return None;
        }
        let byte_offset = match arguments {
            Arguments::None => 0,
            Arguments::Offset(span) => byte_offset(span.of(self.text)),
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => {
                self.report_form(slot, item);
                return None;
            }
        };
        let shape = self.lsc_shape(suffix);
        let Some(variable) = self.use_variable(name) else {
            if let Some(shape) = shape {
                self.note_shape(shape, item.span);
            }
            return None;
        };
        let kind = self.program.variables[variable].kind;
        if kind != VariableKind::General {
            self.wrong_kind(name, variable, "message data are in a general variable");
            return None;
        }
        let shape = shape?;
        self.program.lsc_shapes.push(shape);
        Some(Operand::LscData {
            variable,
            byte_offset: clamp(byte_offset),
            shape: self.program.lsc_shapes.len() as u32 - 1,
        })
    }

    fn wrong_kind(&mut self, name: Span, variable: VariableId, wanted: &str) {
        let kind = self.program.variables[variable].kind;
        let place = self.program.variable_spans[variable].name;
        let message = format!("`{}` is {}; {wanted}", name.of(self.text), kind.variable());
        self.report(Diagnostic::new(&super::operand::WRONG_VARIABLE_KIND, name, message).declared_at(place));
    }

    fn lsc_shape(&mut self, suffix: Span) -> Option<LscShape> {
        let written = &suffix.of(self.text)[1..];
        let fault = match lsc_shape::read(written) {
            Ok(shape) => return Some(shape),
            Err(fault) => fault,
        };
        let start = if fault.at == 0 { suffix.start } else { suffix.start + 1 + fault.at as u32 };
        let message = format!("`{written}` is not a data shape: {}", fault.why);
        let mut diagnostic = Diagnostic::new(&UNKNOWN_LSC_SHAPE, Span::new(start, suffix.end), message);
        let lower = written.to_ascii_lowercase();
        let older = written.replacen("8u32", "8c32", 1).replacen("16u32", "16c32", 1);
        if let Some(meant) = [lower, older].into_iter().find(|text| lsc_shape::read(text).is_ok()) {
            diagnostic = diagnostic.replace(suffix, format!(":{meant}"), true);
        } else if let Some(t) = Type::from_text(written).filter(|t| t.bytes() > 0) {
            diagnostic = diagnostic.replace(suffix, format!(":d{}", 8 * t.bytes()), false);
        } else if let Some(bits) =
            written.strip_prefix(['f', 'i', 's', 'b']).filter(|bits| lsc_shape::read(&format!("d{bits}")).is_ok())
        {
            diagnostic = diagnostic.replace(suffix, format!(":d{bits}"), false);
        }
        self.report(diagnostic);
        None
    }

    /// `flat[V]:a64`, `bti(0x1)[V]:a32`, `[V]:a64`, or a surface without brackets.
    pub(super) fn lsc_address(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let mut address = LscAddress {
            model: AddressModel::Flat,
            has_model: false,
            surface: None,
            surface_index: None,
            has_brackets: item.index.is_some(),
            first_item: 0,
            items_end: 0,
            size: None,
            model_span: Span::default(),
            surface_span: Span::default(),
            surface_index_span: Span::default(),
            size_span: item.suffix.unwrap_or_default(),
        };
        if item.modifier.is_some() || item.region != RegionSyntax::None || item.length.is_some() {
            return self.not_an_address(item.span);
        }
        match item.base {
            Base::Index => {}
            Base::Expr(id) => {
                let expr = *self.parser.tree.expr(id);
                let ExprKind::Name(name, arguments) = expr.kind else { return self.not_an_address(item.span) };
                self.model(&mut address, name, arguments, item)?;
                spans.name = name;
            }
            _ => return self.not_an_address(item.span),
        }
        let mut fine = true;
        address.first_item = self.program.lsc_items.len() as u32;
        let mut next = item.index.and_then(|list| list.0).map(|(first, _)| first);
        for place in 0.. {
            let Some(part) = next.map(|id| *self.parser.tree.item(id)) else { break };
            next = part.next;
            let is_pitch = place == 1 && slot.kinds.contains(OperandKind::LscStridedAddress);
            let is_scalar = is_pitch || slot.kinds.intersects(SCALAR_ITEMS);
            let read = self.lsc_item(&part, is_scalar);
            fine &= read.value != LscValue::Broken;
            self.program.lsc_items.push(read);
            if let Some(next) = next.map(|id| *self.parser.tree.item(id)) {
                fine &= self.are_separated(&part, &next);
            }
        }
        address.items_end = self.program.lsc_items.len() as u32;
        if let Some(suffix) = item.suffix {
            address.size = AddressSize::from_text(&suffix.of(self.text)[1..]);
            if address.size.is_none() {
                self.unknown_size(suffix);
                return None;
            }
        }
        if !fine {
            return None;
        }
        self.program.lsc_addresses.push(address);
        Some(Operand::LscAddress { index: self.program.lsc_addresses.len() as u32 - 1 })
    }

    /// Reports two parts of an address without a comma between them, which the grammar takes for names of a jump table.
    fn are_separated(&mut self, part: &Item, next: &Item) -> bool {
        let gap = Span::new(part.span.end, next.span.start);
        if gap.is_empty() || gap.of(self.text).contains(',') {
            return true;
        }
        let (part, next) = (part.span.of(self.text), next.span.of(self.text));
        let message = format!("`,` is missing between `{part}` and `{next}`");
        self.report(Diagnostic::new(&SYNTAX_ERROR, gap, message).replace(Span::at(gap.start), ",", true));
        false
    }

    fn unknown_size(&mut self, suffix: Span) {
        let written = &suffix.of(self.text)[1..];
        let lower = written.to_ascii_lowercase();
        let mut diagnostic =
            Diagnostic::new(&MALFORMED_LSC_ADDRESS, suffix, format!("`{written}` is not an address size"))
                .note("address sizes are `a16`, `a32`, `a32s`, `a32u` and `a64`");
        if AddressSize::from_text(&lower).is_some() {
            diagnostic = diagnostic.replace(suffix, format!(":{lower}"), true);
        }
        self.report(diagnostic);
    }

    fn not_an_address(&mut self, span: Span) -> Option<Operand> {
        self.malformed(span, format!("`{}` is not an address", span.of(self.text)));
        None
    }

    pub(super) fn malformed(&mut self, span: Span, message: String) {
        const EXAMPLES: &str = "an address is written like `flat[V]:a64`, `bti(0x1)[V]:a32` or `ss(V)[V]:a32`";
        self.report(Diagnostic::new(&MALFORMED_LSC_ADDRESS, span, message).help(EXAMPLES));
    }

    /// Reads the word before the brackets, and what stands in its parentheses.
    fn model(&mut self, address: &mut LscAddress, name: Span, arguments: Arguments, item: &Item) -> Option<()> {
        let word = name.of(self.text);
        let Some(model) = AddressModel::from_text(word) else {
            let diagnostic = self.unknown_model(name, item);
            self.report(diagnostic);
            return None;
        };
        address.model = model;
        address.has_model = true;
        address.model_span = name;
        let whole = Span::new(name.start, self.end_of_model(item));
        match arguments {
            Arguments::None => {}
            Arguments::Pair(pair) => {
                let text = pair.of(self.text);
                let mut digits = number::digits(text).map(|d| d as i64);
                let comma = pair.start + text.find(',').unwrap_or(0) as u32;
                address.surface = digits.next().map(LscValue::Immediate);
                address.surface_span = Span::new(pair.start + 1, comma);
                address.surface_index = digits.next();
                address.surface_index_span = Span::new(comma + 1, pair.end - 1);
            }
            Arguments::List(list) => self.surface(address, list)?,
            Arguments::Offset(_) | Arguments::OffsetExpr(_) => {
                self.not_an_address(item.span);
                return None;
            }
        }
        let fault = match model {
            _ if model.has_surface() && address.surface.is_none() => {
                (name, format!("`{word}` needs its surface in parentheses"))
            }
            AddressModel::Arg if address.surface.is_some() => {
                (Span::new(name.end, whole.end), "`arg` takes nothing in parentheses".to_owned())
            }
            AddressModel::Flat if address.surface_index.is_some() => {
                (address.surface_index_span, "`flat` takes at most one value in parentheses".to_owned())
            }
            _ => return Some(()),
        };
        self.malformed(fault.0, fault.1);
        None
    }

    /// The end of `model(surface)`, which the brackets follow.
    fn end_of_model(&self, item: &Item) -> u32 {
        let written = item.span.of(self.text);
        let end = written.find('[').map_or(item.span.end, |i| item.span.start + i as u32);
        Span::new(item.span.start, end).trimmed(self.text).end
    }

    fn unknown_model(&self, name: Span, item: &Item) -> Diagnostic {
        let word = name.of(self.text);
        let is_variable = self.find_variable(word).is_some();
        let mut diagnostic = Diagnostic::new(&MALFORMED_LSC_ADDRESS, name, format!("`{word}` is not an address model"))
            .note("the models are `flat`, `bti(...)`, `ss(...)`, `bss(...)`, `surf(...)` and `arg`");
        if is_variable && item.index.is_none() {
            diagnostic = diagnostic.help(format!("an address stands in brackets: `flat[{word}]:a64`"));
        } else if let Some(similar) = closest(word, AddressModel::ALL.into_iter().map(AddressModel::text)) {
            diagnostic = diagnostic.replace(name, similar, similar.eq_ignore_ascii_case(word));
        }
        diagnostic
    }

    /// Reads what stands in the parentheses of a model.
    fn surface(&mut self, address: &mut LscAddress, list: List) -> Option<()> {
        let values = self.plain_values(list)?;
        if let Some(first) = values.first() {
            address.surface_span = self.parser.tree.expr(*first).span;
            address.surface = Some(self.lsc_value(*first, true)).filter(|value| *value != LscValue::Broken);
            address.surface?;
        }
        if let Some(second) = values.get(1) {
            address.surface_index_span = self.parser.tree.expr(*second).span;
            address.surface_index = Some(self.constant(*second)?);
        }
        if let Some(third) = values.get(2) {
            let span = self.parser.tree.expr(*third).span;
            let message =
                format!("`{}` cannot stand here: a surface takes at most an index besides", span.of(self.text));
            self.malformed(span, message);
            return None;
        }
        Some(())
    }

    /// The expressions of a list that holds nothing but expressions.
    fn plain_values(&mut self, list: List) -> Option<Vec<ExprId>> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let surplus = match item.region {
                RegionSyntax::None => item.suffix.or(item.word).or(item.modifier),
                RegionSyntax::Source(span) | RegionSyntax::Stride(span) => Some(span),
                _ => Some(item.span),
            };
            match (item.base, surplus) {
                (Base::Expr(id), None) => values.push(id),
                (Base::Source(span), _) => {
                    let region = span.of(self.text).find('<').map_or(0, |i| i as u32);
                    let region = Span::new(span.start + region, span.end);
                    let message = format!("`{}` cannot stand here: one element is used", region.of(self.text));
                    self.malformed(region, message);
                    return None;
                }
                (Base::Expr(_), Some(span)) => {
                    let message = format!("`{}` cannot stand here: one element is used", span.of(self.text));
                    self.malformed(span, message);
                    return None;
                }
                (base, _) => {
                    self.malformed(
                        item.span,
                        match base {
                            Base::Empty => "a value is missing here".to_owned(),
                            _ => format!("`{}` cannot stand here: one element is used", item.span.of(self.text)),
                        },
                    );
                    return None;
                }
            }
        }
        Some(values)
    }

    /// A register or number. Of a scalar, `V.2` is the element 2; of an operand of lanes it is byte 2.
    fn lsc_value(&mut self, id: ExprId, is_scalar: bool) -> LscValue {
        let expr = *self.parser.tree.expr(id);
        let number = |this: &mut Self| this.constant(id).map_or(LscValue::Broken, LscValue::Immediate);
        let ExprKind::Name(name, arguments) = expr.kind else { return number(self) };
        if name.of(self.text) == "%DispatchSimd" {
            return number(self);
        }
        if self.is_host_number(name) {
            return LscValue::Broken;
        }
        let Some(variable) = self.use_variable(name) else { return LscValue::Broken };
        self.touch_read(variable, name);
        if self.program.variables[variable].kind != VariableKind::General {
            self.wrong_kind(name, variable, "an address takes general variables and numbers");
            return LscValue::Broken;
        }
        let offset = match arguments {
            Arguments::None => 0,
            Arguments::Offset(span) => byte_offset(span.of(self.text)),
            Arguments::OffsetExpr(e) => match self.constant(e) {
                Some(offset) => offset,
                None => return LscValue::Broken,
            },
            Arguments::Pair(pair) => {
                let mut digits = number::digits(pair.of(self.text)).map(|d| clamp(d as i64));
                let (row, column) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
                return self.element(expr.span, variable, row, column, is_scalar);
            }
            Arguments::List(list) => {
                let Some(values) = self.plain_values(list) else { return LscValue::Broken };
                let [row, column] = values.as_slice() else {
                    self.malformed(expr.span, format!("`{}` has to hold a row and a column", expr.span.of(self.text)));
                    return LscValue::Broken;
                };
                let (Some(row), Some(column)) = (self.constant(*row), self.constant(*column)) else {
                    return LscValue::Broken;
                };
                return self.element(expr.span, variable, clamp(row), clamp(column), is_scalar);
            }
        };
        if variable == VariableId::NULL {
            return LscValue::Null;
        }
        if is_scalar {
            LscValue::Element { variable, row: 0, column: clamp(offset) }
        } else {
            LscValue::Register { variable, byte_offset: clamp(offset) }
        }
    }

    fn element(&mut self, span: Span, variable: VariableId, row: i32, column: i32, is_scalar: bool) -> LscValue {
        if !is_scalar {
            let message = format!("`{}`: this is an operand of all lanes, without row and column", span.of(self.text));
            self.malformed(span, message);
            return LscValue::Broken;
        }
        if variable == VariableId::NULL { LscValue::Null } else { LscValue::Element { variable, row, column } }
    }

    /// `4 * V + 16`
    fn lsc_item(&mut self, part: &Item, is_scalar: bool) -> LscItem {
        let mut item = LscItem {
            value: LscValue::Broken,
            scale: 1,
            displacement: 0,
            displacement_pair: None,
            span: part.span,
            value_span: part.span,
            scale_span: Span::default(),
            displacement_span: Span::default(),
        };
        let Base::Expr(id) = part.base else {
            let message = match part.base {
                Base::Empty => "an address is missing here".to_owned(),
                _ => format!("`{}` cannot stand in an address", part.span.of(self.text)),
            };
            self.malformed(part.span, message);
            return item;
        };
        if part.suffix.is_some() || part.region != RegionSyntax::None || part.word.is_some() || part.modifier.is_some()
        {
            self.malformed(part.span, format!("`{}` cannot stand in an address", part.span.of(self.text)));
            return item;
        }
        let Some(value) = self.displacements(id, &mut item) else { return item };
        let expr = *self.parser.tree.expr(value);
        item.value_span = expr.span;
        let ExprKind::Binary(TokenKind::Star, scale, register) = expr.kind else {
            item.value = self.lsc_value(value, is_scalar);
            return item;
        };
        let (scale_span, register_span) = (self.parser.tree.expr(scale).span, self.parser.tree.expr(register).span);
        if self.holds_name(scale) {
            let star = Span::new(scale_span.end, register_span.start);
            let star = star.trimmed(self.text);
            let register = scale_span.of(self.text);
            self.malformed(star, format!("`{}`: the scale stands before `{register}`", expr.span.of(self.text)));
            return item;
        }
        if !self.holds_name(register) {
            item.value = self.lsc_value(value, is_scalar);
            return item;
        }
        if !matches!(
            self.parser.tree.expr(scale).kind,
            ExprKind::Dec | ExprKind::Hex | ExprKind::Group(_) | ExprKind::Sizeof(_)
        ) {
            let scale = scale_span.of(self.text);
            self.malformed(scale_span, format!("the scale `{scale}` has to be one number, or stand in parentheses"));
            return item;
        }
        item.scale_span = scale_span;
        item.value_span = register_span;
        if let Some(scale) = self.constant(scale) {
            item.scale = scale;
            item.value = self.lsc_value(register, is_scalar);
        }
        item
    }

    /// Splits `a + 16 - 4` into `a` and the sum of the numbers.
    fn displacements(&mut self, id: ExprId, item: &mut LscItem) -> Option<ExprId> {
        // The register stands leftmost; the terms after it come out last first.
        let mut terms = Vec::new();
        let mut register = id;
        while let ExprKind::Binary(operator @ (TokenKind::Plus | TokenKind::Minus), a, b) =
            self.parser.tree.expr(register).kind
        {
            if !self.holds_name(a) {
                break;
            }
            terms.push((operator, b));
            register = a;
        }
        let Some((first, _)) = terms.last().copied() else { return Some(id) };
        let register_end = self.parser.tree.expr(register).span.end;
        let end = self.parser.tree.expr(id).span.end;
        item.displacement_span = Span::new(register_end, end).trimmed(self.text);
        if first == TokenKind::Minus && terms.len() > 1 {
            let written = item.displacement_span.of(self.text);
            let message = format!(
                "after `-` only one number is read: put `{}` into parentheses",
                written.trim_start_matches('-').trim()
            );
            self.malformed(item.displacement_span, message);
            return None;
        }
        if let [(TokenKind::Plus, term)] = terms.as_slice()
            && let Some((x, y)) = self.pair_values(*term)
        {
            item.displacement_pair = Some((x?, y?));
            return Some(register);
        }
        for (operator, term) in terms.into_iter().rev() {
            let value = self.constant(term)?;
            item.displacement = match operator {
                TokenKind::Plus => item.displacement.wrapping_add(value),
                _ => item.displacement.wrapping_sub(value),
            };
        }
        Some(register)
    }

    /// The numbers of `(3,4)`.
    fn pair_values(&mut self, id: ExprId) -> Option<(Option<i64>, Option<i64>)> {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Pair => {
                let mut digits = number::digits(expr.span.of(self.text)).map(|d| d as i64);
                Some((digits.next(), digits.next()))
            }
            ExprKind::Group(list) => {
                let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
                let [Item { base: Base::Expr(x), .. }, Item { base: Base::Expr(y), .. }] = items.as_slice() else {
                    return None;
                };
                Some((self.constant(*x), self.constant(*y)))
            }
            _ => None,
        }
    }

    /// Whether a name stands somewhere in an expression.
    fn holds_name(&self, id: ExprId) -> bool {
        match self.parser.tree.expr(id).kind {
            ExprKind::Name(name, _) => name.of(self.text) != "%DispatchSimd",
            ExprKind::Binary(_, a, b) => self.holds_name(a) || self.holds_name(b),
            ExprKind::Unary(UnaryOperator::Minus, a) => self.holds_name(a),
            _ => false,
        }
    }
}

/// The number of `.64`; one that does not fit becomes the greatest one.
fn byte_offset(text: &str) -> i64 {
    number::dotted(text).written.min(i64::MAX as u64) as i64
}
