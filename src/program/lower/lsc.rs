//! Operands of LSC messages.

use super::operand::clamp;
use super::{Lowering, closest, finding};
use crate::base::span::Span;
use crate::program::lsc::{AddressModel, AddressSize, LscAddress, LscDataSize, LscItem, LscShape, LscShapeKind, LscValue};
use crate::program::operand::{Operand, OperandSpans};
use crate::spec::instruction::OperandSlot;
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Arguments, Base, ExprId, ExprKind, Item, List, RegionSyntax, UnaryOperator};

crate::declare_rule! {
    /// An address of an LSC message that cannot be read: an unknown model, a missing bracket or address size, an item
    /// that is neither a register nor a number.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32 global[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    pub MALFORMED_LSC_ADDRESS = "malformed-lsc-address", Error, "LSC_UNTYPED"
}

crate::declare_rule! {
    /// A data shape of an LSC message that does not exist: the part after the colon, such as `d32x4` or `d32.xyz`.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32x5 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32x4 flat[VUQ]:a64
    /// ```
    pub UNKNOWN_LSC_SHAPE = "unknown-lsc-shape", Error, "LSC_UNTYPED"
}

/// The sizes of data shapes: word, bytes in memory, bytes in registers, high half.
const SIZES: &[(&str, u8, u8, bool)] = &[
    ("d8c32", 1, 4, false),
    ("d16c32h", 2, 4, true),
    ("d16c32", 2, 4, false),
    ("d8u32", 1, 4, false),
    ("d16u32h", 2, 4, true),
    ("d16u32", 2, 4, false),
    ("d8", 1, 1, false),
    ("d16", 2, 2, false),
    ("d32", 4, 4, false),
    ("d64", 8, 8, false),
    ("u8c32", 1, 4, false),
    ("u16c32h", 2, 4, true),
    ("u16c32", 2, 4, false),
    ("u8", 1, 1, false),
    ("u16", 2, 2, false),
    ("u32", 4, 4, false),
    ("u64", 8, 8, false),
];

impl Lowering<'_> {
    /// `V:d32x4`
    pub(super) fn lsc_data(&mut self, slot: &'static OperandSlot, item: &Item, name: Span, arguments: Arguments, suffix: Span) -> Option<Operand> {
        if item.region != RegionSyntax::None || item.index.is_some() || item.length.is_some() {
            self.report_form(slot, item);
            return None;
        }
        let byte_offset = match arguments {
            Arguments::None => 0,
            Arguments::Offset(span) => number::dotted(span.of(self.text)).written.min(i64::MAX as u64) as i64,
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => {
                self.report_form(slot, item);
                return None;
            }
        };
        let shape = self.lsc_shape(suffix);
        let variable = self.use_variable(name)?;
        let kind = self.program.variables[variable].kind;
        if kind != VariableKind::General {
            let place = self.program.variable_spans[variable].name;
            let message = format!("`{}` is {} {} variable; message data are in a general variable", name.of(self.text), super::declaration::article(kind), kind.word());
            let mut diagnostic = finding(&super::operand::WRONG_VARIABLE_KIND, name, message);
            if !place.is_empty() {
                diagnostic = diagnostic.also(place, "declared here");
            }
            self.report(diagnostic);
            return None;
        }
        let shape = shape?;
        self.program.lsc_shapes.push(shape);
        Some(Operand::LscData { variable, byte_offset: clamp(byte_offset), shape: self.program.lsc_shapes.len() as u32 - 1 })
    }

    fn lsc_shape(&mut self, suffix: Span) -> Option<LscShape> {
        let written = &suffix.of(self.text)[1..];
        match shape(written) {
            Ok(shape) => Some(shape),
            Err(why) => {
                let span = Span::new(suffix.start + 1, suffix.end);
                let mut diagnostic = finding(&UNKNOWN_LSC_SHAPE, span, format!("`{written}` is not a data shape: {why}"));
                if shape_is_upper_case(written) {
                    diagnostic = diagnostic.replace(span, written.to_ascii_lowercase(), true);
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// `flat[V]:a64`, `bti(0x1)[V]:a32`, `[V]:a64`, or a surface without brackets.
    pub(super) fn lsc_address(&mut self, item: &Item, spans: &mut OperandSpans) -> Option<Operand> {
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
            size_span: item.suffix.unwrap_or_default(),
        };
        if item.modifier.is_some() || item.region != RegionSyntax::None || item.length.is_some() {
            return self.malformed(item.span, format!("`{}` is not an address", item.span.of(self.text)));
        }
        match item.base {
            Base::Index => {}
            Base::Expr(id) => {
                let expr = *self.parser.tree.expr(id);
                let ExprKind::Name(name, arguments) = expr.kind else {
                    return self.malformed(item.span, format!("`{}` is not an address", item.span.of(self.text)));
                };
                self.model(&mut address, name, arguments, item)?;
                spans.name = name;
            }
            _ => return self.malformed(item.span, format!("`{}` is not an address", item.span.of(self.text))),
        }
        let mut fine = true;
        if let Some(list) = item.index {
            // Items of nested registers come first, so the range is taken afterwards.
            let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
            let mut read = Vec::with_capacity(items.len());
            for part in &items {
                let item = self.lsc_item(part);
                fine &= item.value != LscValue::Broken;
                read.push(item);
            }
            address.first_item = self.program.lsc_items.len() as u32;
            self.program.lsc_items.extend(read);
            address.items_end = self.program.lsc_items.len() as u32;
        }
        if let Some(suffix) = item.suffix {
            let written = &suffix.of(self.text)[1..];
            address.size = AddressSize::from_text(written);
            if address.size.is_none() {
                let span = Span::new(suffix.start + 1, suffix.end);
                let lower = written.to_ascii_lowercase();
                let mut diagnostic = finding(&MALFORMED_LSC_ADDRESS, span, format!("`{written}` is not an address size"))
                    .note("address sizes are `a16`, `a32`, `a32s`, `a32u` and `a64`");
                if AddressSize::from_text(&lower).is_some() {
                    diagnostic = diagnostic.replace(span, lower, true);
                }
                self.report(diagnostic);
                return None;
            }
        }
        if !fine {
            return None;
        }
        self.program.lsc_addresses.push(address);
        Some(Operand::LscAddress { index: self.program.lsc_addresses.len() as u32 - 1 })
    }

    fn malformed(&mut self, span: Span, message: String) -> Option<Operand> {
        self.report(finding(&MALFORMED_LSC_ADDRESS, span, message).help("an address is written like `flat[V]:a64`, `bti(0x1)[V]:a32` or `ss(V,0)[V]:a32`"));
        None
    }

    fn model(&mut self, address: &mut LscAddress, name: Span, arguments: Arguments, item: &Item) -> Option<()> {
        let word = name.of(self.text);
        let Some(model) = AddressModel::from_text(word) else {
            let models = ["flat", "bti", "ss", "bss", "surf", "arg"];
            let is_variable = self.find_variable(word).is_some();
            let mut diagnostic = finding(&MALFORMED_LSC_ADDRESS, name, format!("`{word}` is not an address model"))
                .note("the models are `flat`, `bti(...)`, `ss(...)`, `bss(...)`, `surf(...)` and `arg`");
            if is_variable && item.index.is_none() {
                diagnostic = diagnostic.help(format!("an address stands in brackets: `flat[{word}]:a64`"));
            } else if let Some(similar) = closest(word, models.into_iter()) {
                diagnostic = diagnostic.replace(name, similar, similar.eq_ignore_ascii_case(word));
            }
            self.report(diagnostic);
            return None;
        };
        address.model = model;
        address.has_model = true;
        address.model_span = name;
        let values: Vec<ExprId> = match arguments {
            Arguments::None => Vec::new(),
            Arguments::Pair(pair) => {
                let mut digits = number::digits(pair.of(self.text)).map(|d| d as i64);
                address.surface_span = Span::new(pair.start + 1, pair.end - 1);
                address.surface = digits.next().map(LscValue::Immediate);
                address.surface_index = digits.next();
                return self.check_model(address, name);
            }
            Arguments::List(list) => self.surface_arguments(list)?,
            Arguments::Offset(_) | Arguments::OffsetExpr(_) => {
                self.malformed(item.span, format!("`{}` is not an address", item.span.of(self.text)));
                return None;
            }
        };
        let mut values = values.into_iter();
        if let Some(first) = values.next() {
            address.surface_span = self.parser.tree.expr(first).span;
            let value = self.lsc_value(first);
            if value == LscValue::Broken {
                return None;
            }
            address.surface = Some(value);
        }
        if let Some(second) = values.next() {
            address.surface_index = Some(self.constant(second)?);
        }
        if let Some(third) = values.next() {
            let span = self.parser.tree.expr(third).span;
            self.malformed(span, format!("`{}` cannot stand here: a surface takes at most an index besides", span.of(self.text)));
            return None;
        }
        self.check_model(address, name)
    }

    fn check_model(&mut self, address: &LscAddress, name: Span) -> Option<()> {
        let word = name.of(self.text);
        if address.model.has_surface() && address.surface.is_none() {
            self.malformed(name, format!("`{word}` needs its surface in parentheses"));
            return None;
        }
        if address.model == AddressModel::Arg && address.surface.is_some() {
            self.malformed(address.surface_span, "`arg` takes nothing in parentheses".to_owned());
            return None;
        }
        if address.model == AddressModel::Flat && address.surface_index.is_some() {
            self.malformed(address.surface_span, "`flat` takes at most one value in parentheses".to_owned());
            return None;
        }
        Some(())
    }

    fn surface_arguments(&mut self, list: List) -> Option<Vec<ExprId>> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match item.base {
                Base::Expr(id) if item.suffix.is_none() && item.region == RegionSyntax::None && item.word.is_none() && item.modifier.is_none() => values.push(id),
                _ => {
                    self.malformed(item.span, format!("`{}` cannot name a surface", item.span.of(self.text)));
                    return None;
                }
            }
        }
        Some(values)
    }

    /// A register or number.
    fn lsc_value(&mut self, id: ExprId) -> LscValue {
        let expr = *self.parser.tree.expr(id);
        let ExprKind::Name(name, arguments) = expr.kind else {
            return self.constant(id).map_or(LscValue::Broken, LscValue::Immediate);
        };
        if name.of(self.text) == "%DispatchSimd" {
            return self.constant(id).map_or(LscValue::Broken, LscValue::Immediate);
        }
        let Some(variable) = self.use_variable(name) else { return LscValue::Broken };
        let kind = self.program.variables[variable].kind;
        if kind != VariableKind::General && !matches!(kind, VariableKind::Surface | VariableKind::Sampler) {
            let place = self.program.variable_spans[variable].name;
            let message = format!("`{}` is {} {} variable and cannot stand in an address", name.of(self.text), super::declaration::article(kind), kind.word());
            self.report(finding(&super::operand::WRONG_VARIABLE_KIND, name, message).also(place, "declared here"));
            return LscValue::Broken;
        }
        match arguments {
            Arguments::None if variable == crate::program::VariableId::NULL => LscValue::Null,
            Arguments::None => LscValue::Register { variable, byte_offset: 0 },
            Arguments::Offset(span) => {
                let offset = number::dotted(span.of(self.text)).written.min(i64::MAX as u64) as i64;
                if variable == crate::program::VariableId::NULL && offset == 0 {
                    return LscValue::Null;
                }
                LscValue::Register { variable, byte_offset: clamp(offset) }
            }
            Arguments::OffsetExpr(e) => match self.constant(e) {
                Some(offset) => LscValue::Register { variable, byte_offset: clamp(offset) },
                None => LscValue::Broken,
            },
            Arguments::Pair(pair) => {
                let mut digits = number::digits(pair.of(self.text)).map(|d| clamp(d as i64));
                LscValue::Element { variable, row: digits.next().unwrap_or(0), column: digits.next().unwrap_or(0) }
            }
            Arguments::List(list) => {
                let Some(values) = self.surface_arguments(list) else { return LscValue::Broken };
                match values.as_slice() {
                    [row, column] => match (self.constant(*row), self.constant(*column)) {
                        (Some(row), Some(column)) => LscValue::Element { variable, row: clamp(row), column: clamp(column) },
                        _ => LscValue::Broken,
                    },
                    _ => {
                        self.malformed(expr.span, format!("`{}` has to hold a row and a column", expr.span.of(self.text)));
                        LscValue::Broken
                    }
                }
            }
        }
    }

    /// `4 * V + 16`
    fn lsc_item(&mut self, part: &Item) -> LscItem {
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
            self.malformed(part.span, "an address is missing between the brackets".to_owned());
            return item;
        };
        if part.suffix.is_some() || part.region != RegionSyntax::None || part.word.is_some() || part.modifier.is_some() {
            self.malformed(part.span, format!("`{}` cannot stand in an address", part.span.of(self.text)));
            return item;
        }
        let value = self.displacements(id, &mut item);
        let Some(value) = value else { return item };
        let expr = *self.parser.tree.expr(value);
        if let ExprKind::Binary(TokenKind::Star, scale, register) = expr.kind {
            if self.holds_name(register) {
                item.scale_span = self.parser.tree.expr(scale).span;
                item.value_span = self.parser.tree.expr(register).span;
                if let Some(scale) = self.constant(scale) {
                    item.scale = scale;
                    item.value = self.lsc_value(register);
                }
                return item;
            }
            if self.holds_name(scale) {
                let written = expr.span.of(self.text);
                let register = self.parser.tree.expr(scale).span;
                self.malformed(expr.span, format!("`{written}`: the scale stands before the register `{}`", register.of(self.text)));
                return item;
            }
        }
        item.value_span = expr.span;
        item.value = self.lsc_value(value);
        item
    }

    /// Splits `a + 16 - 4` into `a` and the sum of the numbers.
    fn displacements(&mut self, id: ExprId, item: &mut LscItem) -> Option<ExprId> {
        let expr = *self.parser.tree.expr(id);
        let ExprKind::Binary(operator @ (TokenKind::Plus | TokenKind::Minus), a, b) = expr.kind else { return Some(id) };
        if !self.holds_name(a) {
            return Some(id);
        }
        let register = self.displacements(a, item)?;
        let right = *self.parser.tree.expr(b);
        item.displacement_span = Span::new(self.parser.tree.expr(register).span.end, right.span.end);
        if operator == TokenKind::Plus {
            if let Some((x, y)) = self.pair_values(b) {
                item.displacement_pair = Some((x?, y?));
                return Some(register);
            }
        }
        let value = self.constant(b)?;
        item.displacement = if operator == TokenKind::Plus { item.displacement.wrapping_add(value) } else { item.displacement.wrapping_sub(value) };
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
                let [Item { base: Base::Expr(x), .. }, Item { base: Base::Expr(y), .. }] = items.as_slice() else { return None };
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

fn shape_is_upper_case(written: &str) -> bool {
    shape(&written.to_ascii_lowercase()).is_ok()
}

/// Reads a data shape.
fn shape(written: &str) -> Result<LscShape, String> {
    if let Some((width, height)) = written.split_once('x').filter(|(w, _)| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit())) {
        let number = |s: &str| s.parse::<u32>().map_err(|_| "width and height have to be decimal numbers".to_owned());
        let size = LscDataSize { memory_bytes: 1, register_bytes: 1, is_high: false };
        return Ok(LscShape { size, kind: LscShapeKind::TypedBlock2d { width: number(width)?, height: number(height)? } });
    }
    let (front, tail) = match written.split_once('.') {
        Some((front, tail)) => (front, Some(tail)),
        None => (written, None),
    };
    let Some((rest, size)) = SIZES.iter().find_map(|(word, memory_bytes, register_bytes, is_high)| {
        let rest = front.strip_prefix(word)?;
        let size = LscDataSize { memory_bytes: *memory_bytes, register_bytes: *register_bytes, is_high: *is_high };
        (rest.is_empty() || rest.starts_with('x') || rest == "t").then_some((rest, size))
    }) else {
        return Err("sizes are `d8`, `d16`, `d32`, `d64`, `d8u32`, `d16u32` and `d16u32h`".to_owned());
    };
    let Some(tail) = tail else {
        let (vector, is_transposed) = match rest.strip_suffix('t') {
            Some(front) => (front, true),
            None => (rest, false),
        };
        let n_elements = match vector {
            "" => 1,
            _ => match vector[1..].parse::<u8>() {
                Ok(n @ (1 | 2 | 3 | 4 | 8 | 16 | 32 | 64)) => n,
                _ => return Err("vectors have 1, 2, 3, 4, 8, 16, 32 or 64 elements".to_owned()),
            },
        };
        return Ok(LscShape { size, kind: LscShapeKind::Vector { n_elements, is_transposed } });
    };
    if !rest.is_empty() {
        return Err("a vector cannot be combined with what stands after the dot".to_owned());
    }
    if tail.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
        return block(tail).map(|kind| LscShape { size, kind });
    }
    let mut bits = 0u8;
    for byte in tail.bytes() {
        let Some(place) = b"xyzw".iter().position(|c| *c == byte) else {
            return Err("channels are `x`, `y`, `z` and `w`".to_owned());
        };
        if bits >> place != 0 {
            return Err("channels stand in the order `xyzw`, each once".to_owned());
        }
        bits |= 1 << place;
    }
    if bits == 0 { Err("at least one channel has to be named".to_owned()) } else { Ok(LscShape { size, kind: LscShapeKind::Channels(bits) }) }
}

/// Reads `2x16x8nt`.
fn block(tail: &str) -> Result<LscShapeKind, String> {
    let end = tail.find(|c: char| !(c.is_ascii_digit() || c == 'x')).unwrap_or(tail.len());
    let (numbers, flags) = tail.split_at(end);
    let flags: Vec<bool> = flags
        .chars()
        .map(|c| match c {
            'n' => Ok(false),
            't' => Ok(true),
            _ => Err("at most two letters `n` or `t` may follow the height".to_owned()),
        })
        .collect::<Result<_, _>>()?;
    if flags.len() > 2 {
        return Err("at most two letters `n` or `t` may follow the height".to_owned());
    }
    let numbers: Vec<u32> = numbers
        .split('x')
        .map(|n| match n.parse::<u32>() {
            Ok(v) if v > 0 && !n.starts_with('0') => Ok(v),
            _ => Err("blocks, width and height are decimal numbers from 1 on, without leading zeros".to_owned()),
        })
        .collect::<Result<_, _>>()?;
    let (n_blocks, width, height) = match numbers.as_slice() {
        [width, height] => (1, *width, *height),
        [n_blocks, width, height] => (*n_blocks, *width, *height),
        _ => return Err("a block is written `[blocks x] width x height`".to_owned()),
    };
    Ok(LscShapeKind::Block2d {
        n_blocks,
        width,
        height,
        is_transposed: flags.first().copied().unwrap_or(false),
        is_vnni: flags.get(1).copied().unwrap_or(false),
    })
}
