//! One operand, read as one of the forms that its slot takes.

use super::{Lowering, unquoted};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::operand::{Operand, OperandSpans, SourceModifier};
use crate::program::region::{Region, RegionForm};
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_MISUSED, VariableId};
use crate::spec::Type;
use crate::spec::instruction::{KindSet, Notation, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::spec::words::{self, Reserved};
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::number;
use crate::syntax::tree::{Arguments, Base, ExprId, ExprKind, Item, RegionSyntax, UnaryOperator};

crate::declare_rule! {
    /// An operand of a form that does not fit its place: a raw operand where a region is needed, an immediate where a
    /// destination stands, and so on.
    ///
    /// ```visa bad
    /// mov (M1, 8) 0x1:d VD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub WRONG_OPERAND_FORM = "wrong-operand-form", Error, "5_instruction_set"
}

crate::declare_rule! {
    /// A variable of a kind that does not fit: a predicate where a surface is needed, a sampler used as a general
    /// variable, and so on.
    ///
    /// ```visa bad
    /// mov (M1, 8) P1(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub WRONG_VARIABLE_KIND = "wrong-variable-kind", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A raw operand without its byte offset. Outside LSC messages the offset is mandatory, also when it is 0.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub MISSING_RAW_OFFSET = "missing-raw-offset", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A general or indirect operand without its region. Sources need `(row,column)<v;w,h>`, destinations `<h>`.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)<8;8,1>
    /// ```
    pub MISSING_REGION = "missing-region", Error, "3_execution_model"
}

crate::declare_rule! {
    /// A region that is written with the wrong number of parts: destinations take `<h>`, sources `<v;w,h>`, and only
    /// indirect sources `<w,h>`.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<8;8,1> VD2(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)<8;8,1>
    /// ```
    pub MALFORMED_REGION = "malformed-region", Error, "3_execution_model"
}

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
    /// A type written after an operand whose type is that of its declaration.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1>:d 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub SURPLUS_TYPE = "surplus-type", Error, "8_appendix_visa_assembly_syntax"
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
    /// A predefined surface under a name that the text does not know. `T0`, `T3`, `T4` and `T5` are written `%slm`,
    /// `TSS`, `%bss` and `%scratch`.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T0 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) %slm 0x0:ud VUD.0 VUD.64
    /// ```
    pub SURFACE_WITHOUT_NAME = "surface-without-name", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A raw operand `%null` is written `%null.0`: without its offset it is not read, and no other offset exists.
    ///
    /// ```visa bad
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null %null.0 %null.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null.0 %null.0 %null.0 VUD.64
    /// ```
    pub MALFORMED_NULL = "malformed-null", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A byte offset of a raw operand below 0 or above 65535. Assemblers keep 16 bits of it, so that 65536 and negative
    /// numbers mean another place, and refuse larger ones.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.65536 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub WRAPPING_OFFSET = "wrapping-offset", Error, "5_operands"
}

crate::declare_rule! {
    /// A source modifier on an operand that cannot carry one: only general and indirect sources can.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> (-)0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> -1:d
    /// ```
    pub MISPLACED_SOURCE_MODIFIER = "misplaced-source-modifier", Error, "5_instruction_set"
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

const VECTOR: KindSet = KindSet::of(&[OperandKind::General, OperandKind::Indirect]);
const BARE: KindSet = KindSet::of(&[OperandKind::Label, OperandKind::Function, OperandKind::Keyword]);
const NAMES: KindSet = KindSet::of(&[OperandKind::Label, OperandKind::Function]);

impl Lowering<'_> {
    /// Reads `item` as an operand of `slot`.
    pub(super) fn operand(&mut self, slot: &'static OperandSlot, item: &Item) -> (Operand, OperandSpans) {
        let mut spans = OperandSpans { whole: item.span, name: item.span, ..OperandSpans::default() };
        spans.suffix = item.suffix.unwrap_or_default();
        let operand = self.read(slot, item, &mut spans).unwrap_or(Operand::Broken);
        if operand == Operand::Broken
            && slot.role.writes()
            && let Some(variable) = self.find_variable(spans.name.of(self.text))
        {
            self.program.variables[variable].flags |= FLAG_MISUSED;
        }
        (operand, spans)
    }

    fn read(&mut self, slot: &'static OperandSlot, item: &Item, spans: &mut OperandSpans) -> Option<Operand> {
        if let Some(found) = self.unquoted_string(slot, item) {
            return found;
        }
        if let Some(word) = item.word {
            let written = word.of(self.text);
            if item.suffix.is_none() && Type::from_text(&written[1..]).is_some() && self.is_number(item) {
                let dot = Span::new(word.start, word.start + 1);
                self.report(
                    Diagnostic::new(&MISSING_TYPE, dot, "a number and its type are joined by `:`".to_owned())
                        .replace(dot, ":", true),
                );
                return None;
            }
            self.report(
                Diagnostic::new(
                    &super::modifier::UNKNOWN_MODIFIER,
                    word,
                    format!("the modifier `{written}` cannot stand after `{}`", item.span.of(self.text)),
                )
                .help("modifiers stand between the mnemonic and the execution size"),
            );
            return None;
        }
        if slot.kinds.intersects(super::lsc::ADDRESS) {
            return self.lsc_address(slot, item, spans);
        }
        if item.length.is_some() && !slot.kinds.contains(OperandKind::WithLength) {
            let slash = self.text[item.span.start as usize..item.span.end as usize].rfind('/').map_or(0, |i| i as u32)
                + item.span.start;
            let span = Span::new(slash, slash + 1);
            self.report(
                Diagnostic::new(&SYNTAX_ERROR, span, "`/` cannot stand after an operand".to_owned())
                    .replace(span, "//", false),
            );
            return None;
        }
        let operand = match item.base {
            Base::Exec => {
                let written = item.span.of(self.text);
                self.report(Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    item.span,
                    format!("`{written}` stands where {} is expected", slot_words(slot)),
                ));
                return None;
            }
            Base::Empty => {
                self.report(Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    item.span,
                    format!("the operand `{}` is empty", slot.name),
                ));
                return None;
            }
            Base::Broken => return None,
            Base::Index => {
                self.report_form(slot, item);
                return None;
            }
            Base::Source(span) | Base::Destination(span) => self.plain_general(slot, item, span, spans)?,
            Base::Indirect(name, offset) => self.indirect(item, name, offset, spans)?,
            Base::AddressOf(name) if slot.kinds.intersects(BARE) => {
                let name = self.parser.tree.expr(name).span;
                let span = Span::new(item.span.start, name.start);
                self.report(
                    Diagnostic::new(&WRONG_OPERAND_FORM, span, format!("`{}` is named without `&`", slot.name))
                        .replace(span, "", true),
                );
                return None;
            }
            Base::AddressOf(name) => self.address_of(item, name, spans)?,
            Base::Expr(id) => self.expression_operand(slot, item, id, spans)?,
        };
        if item.index.is_some() && !matches!(operand, Operand::AddressOf { .. }) {
            self.report_form(slot, item);
            return None;
        }
        if item.length.is_some() && !matches!(operand, Operand::WithLength { .. }) {
            self.report_form(slot, item);
            return None;
        }
        self.check_source_modifier(item, &operand)?;
        let kind = self.kind_of(&operand, slot)?;
        if !slot.kinds.contains(kind) {
            self.report_kind(slot, item, &operand, spans);
            return None;
        }
        Some(operand)
    }

    fn is_number(&self, item: &Item) -> bool {
        matches!(item.base, Base::Expr(id) if matches!(self.parser.tree.expr(id).kind, ExprKind::Dec | ExprKind::Hex))
    }

    /// A string without its quotes, as in `FILE a.cm`. Nothing if the operand is something else.
    fn unquoted_string(&mut self, slot: &OperandSlot, item: &Item) -> Option<Option<Operand>> {
        let is_string = slot.kinds == KindSet::of(&[OperandKind::String]);
        let Base::Expr(id) = item.base else { return None };
        if !is_string || !matches!(self.parser.tree.expr(id).kind, ExprKind::Name(..)) {
            return None;
        }
        let span = item.word.map_or(item.span, |word| item.span.to(word));
        let written = span.of(self.text);
        self.report(Diagnostic::new(&WRONG_OPERAND_FORM, span, format!("`{}` has to be quoted", slot.name)).replace(
            span,
            format!("\"{written}\""),
            true,
        ));
        Some(None)
    }

    /// The form of an operand in a slot: a handle is a surface or a sampler by its variable, a name what the slot takes.
    fn kind_of(&self, operand: &Operand, slot: &OperandSlot) -> Option<OperandKind> {
        Some(match operand {
            Operand::Handle { variable, .. } => match self.program.variables[*variable].kind {
                VariableKind::Sampler => OperandKind::Sampler,
                VariableKind::Surface => OperandKind::Surface,
                _ if slot.kinds.contains(OperandKind::Surface) => OperandKind::Surface,
                _ => OperandKind::Sampler,
            },
            Operand::Raw { .. } | Operand::Element { .. } if slot.kinds.contains(OperandKind::LscRegister) => {
                OperandKind::LscRegister
            }
            Operand::Name { .. } if slot.kinds.contains(OperandKind::Function) => OperandKind::Function,
            // An address is read for its slot and never comes here.
            Operand::LscData { .. } => {
                slot.kinds.iter().find(|k| super::lsc::DATA.contains(*k)).unwrap_or(OperandKind::LscData)
            }
            _ => operand.kind()?,
        })
    }

    /// `V1(0,0)<8;8,1>`, one token.
    fn plain_general(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        span: Span,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let text = span.of(self.text);
        // Both are near: searching byte by byte beats setting up a search.
        let find = |from: u32, wanted: u8| {
            let bytes = text.as_bytes().get((from - span.start) as usize..)?;
            Some(from + bytes.iter().position(|b| *b == wanted)? as u32)
        };
        let open = find(span.start, b'(')?;
        let less = find(open, b'<')?;
        spans.name = Span::new(span.start, open);
        spans.offset = Span::new(open, less);
        spans.region = Span::new(less, span.end);
        if slot.kinds.intersects(BARE) || item.length.is_some() || item.region != RegionSyntax::None {
            self.report_form(slot, item);
            return None;
        }
        let variable = self.use_variable(spans.name)?;
        let kind = self.program.variables[variable].kind;
        if let Some(suffix) = item.suffix {
            return self.surplus_suffix(suffix, kind, spans.name.of(self.text));
        }
        let mut digits = number::digits(spans.offset.of(self.text));
        let row = digits.next().unwrap_or(0) as i64;
        let column = digits.next().unwrap_or(0) as i64;
        let region = match item.base {
            Base::Source(_) => RegionSyntax::Source(spans.region),
            _ => RegionSyntax::Stride(spans.region),
        };
        self.two_arguments(slot, item, spans.name, variable, kind, (row, column), region, spans)
    }

    // ---- names ----

    fn expression_operand(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        id: ExprId,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Name(name, Arguments::None) if name.of(self.text) == "%DispatchSimd" => {
                self.literal(slot, item, id, spans)
            }
            ExprKind::Name(name, arguments) => {
                spans.name = name;
                if slot.kinds.intersects(BARE) {
                    return self.word(slot, item, expr.span, name, arguments);
                }
                self.named(slot, item, name, arguments, spans)
            }
            ExprKind::String => {
                let is_name = slot.kinds.intersects(NAMES);
                if is_name && slot.kinds.contains(OperandKind::String) {
                    let name = self.program.names.intern(unquoted(expr.span.of(self.text)));
                    return Some(Operand::Name { name, is_quoted: true });
                }
                if slot.kinds.contains(OperandKind::String) {
                    return Some(Operand::String);
                }
                if is_name {
                    let written = expr.span.of(self.text);
                    let diagnostic = Diagnostic::new(
                        &WRONG_OPERAND_FORM,
                        expr.span,
                        format!("the name {written} cannot stand in quotes here"),
                    );
                    self.report(diagnostic.replace(expr.span, unquoted(written), true));
                    return None;
                }
                self.report_form(slot, item);
                None
            }
            ExprKind::Group(list) if slot.kinds.contains(OperandKind::LabelList) => self.label_list(list),
            ExprKind::Group(list)
                if slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler])) =>
            {
                self.indexed_handle(slot, item, list)
            }
            _ => self.literal(slot, item, id, spans),
        }
    }

    /// A label, a function name or a keyword.
    fn word(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        whole: Span,
        name: Span,
        arguments: Arguments,
    ) -> Option<Operand> {
        let word = name.of(self.text);
        if arguments != Arguments::None || item.region != RegionSyntax::None || item.suffix.is_some() {
            self.report_form(slot, item);
            return None;
        }
        if slot.kinds.contains(OperandKind::Keyword) {
            if let Some(index) = slot.words.iter().position(|w| *w == word) {
                return Some(Operand::Keyword { index: index as u8 });
            }
            let mut diagnostic = Diagnostic::new(
                &WRONG_OPERAND_FORM,
                whole,
                format!("`{word}` is not one of the words for `{}`", slot.name),
            )
            .note(format!("they are {}", crate::spec::join_or(slot.words.iter().map(|w| format!("`{w}`")))));
            if let Some(similar) = closest(word, slot.words.iter().copied()) {
                diagnostic = diagnostic.replace(whole, similar, similar.eq_ignore_ascii_case(word));
            }
            self.report(diagnostic);
            return None;
        }
        if word.starts_with('%') {
            self.report(Diagnostic::new(
                &WRONG_OPERAND_FORM,
                whole,
                format!(
                    "`{word}` is not a {}",
                    if slot.kinds.contains(OperandKind::Label) { "label" } else { "function" }
                ),
            ));
            return None;
        }
        if words::reserved(word) == Reserved::Always {
            let message = if slot.kinds.contains(OperandKind::String) {
                format!("`{word}` is a reserved word: as a name it has to be quoted")
            } else {
                format!("`{word}` is a reserved word and cannot be a name here")
            };
            let diagnostic = Diagnostic::new(&super::declaration::RESERVED_WORD, whole, message);
            let diagnostic = if slot.kinds.contains(OperandKind::String) {
                diagnostic.replace(whole, format!("\"{word}\""), true)
            } else {
                diagnostic
            };
            self.report(diagnostic);
            return None;
        }
        let name = self.program.names.intern(word);
        Some(Operand::Name { name, is_quoted: false })
    }

    fn label_list(&mut self, list: crate::syntax::tree::List) -> Option<Operand> {
        let start = self.program.label_lists.len() as u32;
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        for item in items {
            let Base::Expr(id) = item.base else { continue };
            let expr = *self.parser.tree.expr(id);
            if let ExprKind::Name(name, Arguments::None) = expr.kind {
                let symbol = self.program.names.intern(name.of(self.text));
                self.program.label_lists.push((symbol, name));
            } else {
                let written = item.span.of(self.text);
                self.report(
                    Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` is not an unquoted label"))
                        .help("labels of a jump table are plain names"),
                );
                return None;
            }
        }
        Some(Operand::LabelList { start, end: self.program.label_lists.len() as u32 })
    }

    /// `(T6, 2)`: a handle with an index.
    fn indexed_handle(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        list: crate::syntax::tree::List,
    ) -> Option<Operand> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let [first, second] = items.as_slice() else {
            self.report_form(slot, item);
            return None;
        };
        let (Base::Expr(name), Base::Expr(index)) = (first.base, second.base) else {
            self.report_form(slot, item);
            return None;
        };
        let ExprKind::Name(name, Arguments::None) = self.parser.tree.expr(name).kind else {
            self.report_form(slot, item);
            return None;
        };
        let variable = self.use_variable(name)?;
        let index = self.constant(index)?;
        Some(Operand::Handle { variable, index: clamp(index) })
    }

    /// `S0 (T6, 2)`: a bare name followed by a parenthesised handle, which the grammar takes for arguments.
    pub(super) fn split_handle(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
    ) -> Option<(Operand, OperandSpans, Item)> {
        const HANDLE: KindSet = KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]);
        if !slot.kinds.intersects(HANDLE) {
            return None;
        }
        let Base::Expr(id) = item.base else { return None };
        let ExprKind::Name(name, Arguments::List(list)) = self.parser.tree.expr(id).kind else { return None };
        let first = *self.parser.tree.list(list).next()?;
        let Base::Expr(inner) = first.base else { return None };
        if !matches!(self.parser.tree.expr(inner).kind, ExprKind::Name(n, Arguments::None) if n.of(self.text) != "%sizeof")
        {
            return None;
        }
        let head = Item::new(name, Base::Expr(self.parser.tree.add_name(name)));
        let (operand, spans) = self.operand(slot, &head);
        let open = name.end + self.text[name.end as usize..].find('(')? as u32;
        let group = self.parser.tree.add_group(Span::new(open, item.span.end), list);
        Some((operand, spans, Item { span: Span::new(open, item.span.end), base: Base::Expr(group), ..*item }))
    }

    fn named(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        arguments: Arguments,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let word = name.of(self.text);
        let argument_span = Span::new(
            name.end,
            match arguments {
                Arguments::None => name.end,
                Arguments::Offset(span) | Arguments::Pair(span) => span.end,
                Arguments::OffsetExpr(_) | Arguments::List(_) => self.end_of_arguments(item, name),
            },
        );
        spans.offset = super::declaration::trim(argument_span, self.text);
        spans.region = self.region_span(item, argument_span.end);
        let wants_handle =
            slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler, OperandKind::State]));
        if wants_handle
            && self.find_variable(word).is_none()
            && let Some(spelling) = match word {
                "T0" => Some("%slm"),
                "T3" => Some("TSS"),
                "T4" | "T252" => Some("%bss"),
                "T5" | "T255" => Some("%scratch"),
                _ => None,
            }
        {
            self.report(
                Diagnostic::new(
                    &SURFACE_WITHOUT_NAME,
                    name,
                    format!("the predefined surface `{word}` is written `{spelling}` in text"),
                )
                .replace(name, spelling, true),
            );
            return None;
        }
        if let Some(suffix) = item.suffix
            && slot.kinds.intersects(super::lsc::DATA)
        {
            return self.lsc_data(slot, item, name, arguments, suffix);
        }
        if let Some(suffix) = item.suffix.filter(|_| arguments == Arguments::None && self.find_variable(word).is_none())
            && let Some(bits) = special_float(word, suffix.of(self.text))
        {
            let span = name.to(suffix);
            self.report(
                Diagnostic::new(&INVALID_IMMEDIATE, span, format!("`{word}` is not a number"))
                    .replace(span, bits, true),
            );
            return None;
        }
        if word.eq_ignore_ascii_case("r")
            && matches!(arguments, Arguments::List(_))
            && item.suffix.is_some()
            && self.find_variable(word).is_none()
        {
            let inner = spans.offset.of(self.text);
            let span = name.to(spans.offset);
            let meant = format!("r[{}]", &inner[1..inner.len() - 1]);
            self.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, span, "an indirect operand is written in brackets".to_owned())
                    .replace(span, meant, true),
            );
            return None;
        }
        if self.find_variable(word).is_none() && words::reserved(word) == Reserved::Always {
            // A mnemonic or keyword can only stand here because an operand before it is missing.
            self.report_form(slot, item);
            return None;
        }
        let variable = self.use_variable(name)?;
        let kind = self.program.variables[variable].kind;
        if let Some(suffix) = item.suffix {
            return self.surplus_suffix(suffix, kind, word);
        }
        if item.length.is_some() {
            return self.with_length(slot, item, variable, arguments);
        }
        match (arguments, item.region) {
            (Arguments::None, RegionSyntax::None) => self.bare(slot, item, name, variable, kind),
            (Arguments::Offset(_) | Arguments::OffsetExpr(_), RegionSyntax::None) => {
                self.raw(slot, item, name, variable, arguments)
            }
            (Arguments::Offset(_) | Arguments::OffsetExpr(_), _) => {
                let region = spans.region;
                self.report(
                    Diagnostic::new(
                        &MALFORMED_REGION,
                        region,
                        format!("the raw operand `{}` takes no region", name.to(argument_span).of(self.text)),
                    )
                    .replace(region, "", false),
                );
                None
            }
            (Arguments::None, _) if kind == VariableKind::Address && slot.kinds.contains(OperandKind::Address) => {
                let written = item.span.of(self.text);
                self.report(
                    Diagnostic::new(
                        &WRONG_OPERAND_FORM,
                        name,
                        format!("the address operand `{written}` needs its element"),
                    )
                    .replace(Span::at(name.end), "(0)", false),
                );
                None
            }
            (Arguments::None, region) => {
                let region = self.region(slot, region, spans.region)?;
                self.need_kind(name, variable, kind, VariableKind::General, slot)?;
                if slot.role == crate::spec::instruction::Role::Source {
                    self.report(
                        Diagnostic::new(
                            &MISSING_REGION,
                            name,
                            format!("the source `{}` needs its row and column", item.span.of(self.text)),
                        )
                        .help(format!("write `{word}(0,0){}`", spans.region.of(self.text)))
                        .replace(Span::at(name.end), "(0,0)", true),
                    );
                    return None;
                }
                Some(Operand::General { variable, row: 0, column: 0, region, modifier: self.modifier(item) })
            }
            (Arguments::Pair(pair), region) => {
                let mut digits = number::digits(pair.of(self.text));
                let row = digits.next().unwrap_or(0) as i64;
                let column = digits.next().unwrap_or(0) as i64;
                self.two_arguments(slot, item, name, variable, kind, (row, column), region, spans)
            }
            (Arguments::List(list), region) => {
                let expressions = self.plain_arguments(item, list)?;
                match expressions.as_slice() {
                    [one] => self.one_argument(slot, item, name, variable, kind, *one, region, spans),
                    [row, column] => {
                        let (row, column) = (self.constant(*row), self.constant(*column));
                        self.two_arguments(slot, item, name, variable, kind, (row?, column?), region, spans)
                    }
                    _ => {
                        let written = spans.offset.of(self.text);
                        self.report(Diagnostic::new(
                            &WRONG_OPERAND_FORM,
                            spans.offset,
                            format!("`{written}` has to hold a row and a column"),
                        ));
                        None
                    }
                }
            }
        }
    }

    fn end_of_arguments(&self, item: &Item, name: Span) -> u32 {
        // The arguments end at the matching parenthesis.
        let mut depth = 0;
        for (i, byte) in self.text.as_bytes()[name.end as usize..item.span.end as usize].iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return name.end + i as u32 + 1;
                    }
                }
                _ => {}
            }
        }
        item.span.end
    }

    fn region_span(&self, item: &Item, from: u32) -> Span {
        match item.region {
            RegionSyntax::None => Span::default(),
            RegionSyntax::Source(span) | RegionSyntax::Stride(span) => span,
            _ => {
                let end = item.suffix.map_or(item.span.end, |s| s.start);
                super::declaration::trim(Span::new(from, end), self.text)
            }
        }
    }

    fn plain_arguments(&mut self, item: &Item, list: crate::syntax::tree::List) -> Option<Vec<ExprId>> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let mut expressions = Vec::with_capacity(items.len());
        for argument in items {
            match argument.base {
                Base::Expr(id)
                    if argument.suffix.is_none()
                        && argument.region == RegionSyntax::None
                        && argument.word.is_none()
                        && argument.modifier.is_none() =>
                {
                    expressions.push(id);
                }
                Base::Empty => {
                    let after = self.text[argument.span.end as usize..].len()
                        - self.text[argument.span.end as usize..].trim_start().len();
                    let next = argument.span.end + after as u32;
                    let (comma, side) = if self.text.as_bytes().get(next as usize) == Some(&b',') {
                        (Span::new(next, next + 1), "before")
                    } else {
                        let end = self.text[..argument.span.start as usize].trim_end().len() as u32;
                        (Span::new(end.saturating_sub(1).max(item.span.start), end.max(item.span.start + 1)), "after")
                    };
                    let gap = if side == "before" { comma.start } else { comma.end };
                    self.report(
                        Diagnostic::new(&WRONG_OPERAND_FORM, comma, format!("a number is missing {side} this comma"))
                            .replace(Span::at(gap), "0", false),
                    );
                    return None;
                }
                _ => {
                    let written = argument.span;
                    self.report(Diagnostic::new(
                        &WRONG_OPERAND_FORM,
                        written,
                        format!("`{}` cannot stand between the parentheses", written.of(self.text)),
                    ));
                    return None;
                }
            }
        }
        Some(expressions)
    }

    /// A name alone.
    fn bare(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        variable: VariableId,
        kind: VariableKind,
    ) -> Option<Operand> {
        let kinds = slot.kinds;
        let is_handle = matches!(kind, VariableKind::Sampler | VariableKind::Surface);
        if item.index.is_some() {
            self.indexed_name(slot, item, name, kind);
            return None;
        }
        if kind == VariableKind::Address && kinds.contains(OperandKind::Address) {
            let word = name.of(self.text);
            self.report(
                Diagnostic::new(
                    &MISSING_REGION,
                    name,
                    format!("the address operand `{word}` needs its element and width"),
                )
                .replace(Span::at(name.end), "(0)<1>", false),
            );
            return None;
        }
        if kinds.contains(OperandKind::Variable) {
            return Some(Operand::Variable { variable });
        }
        if kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
            && (is_handle || kind == VariableKind::General && variable != VariableId::NULL)
        {
            return Some(Operand::Handle { variable, index: 0 });
        }
        if kinds.contains(OperandKind::LscRegister) && kind == VariableKind::General {
            return Some(Operand::Raw { variable, byte_offset: 0 });
        }
        if kinds.contains(OperandKind::Predicate) && kind == VariableKind::Predicate {
            return Some(Operand::Predicate { variable });
        }
        let word = name.of(self.text);
        if kinds.contains(OperandKind::Raw) && kind == VariableKind::General {
            let rule = if variable == VariableId::NULL { &MALFORMED_NULL } else { &MISSING_RAW_OFFSET };
            self.report(
                Diagnostic::new(rule, name, format!("the raw operand `{word}` needs its byte offset"))
                    .help(format!("write `{word}.0`"))
                    .replace(Span::at(name.end), ".0", true),
            );
            return None;
        }
        if kinds.intersects(VECTOR) && kind == VariableKind::General {
            self.report_missing_region(slot, item, word);
            return None;
        }
        if kind == VariableKind::Predicate {
            return Some(Operand::Predicate { variable });
        }
        if is_handle {
            return Some(Operand::Handle { variable, index: 0 });
        }
        self.report_form(slot, item);
        None
    }

    /// `V[64]`, which is no operand: reports what is meant.
    fn indexed_name(&mut self, slot: &OperandSlot, item: &Item, name: Span, kind: VariableKind) {
        let brackets = Span::new(name.end, item.span.end);
        let inner = brackets.of(self.text).trim().trim_start_matches('[').trim_end_matches(']').trim();
        let word = name.of(self.text);
        let is_number = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        let is_raw = slot.kinds.contains(OperandKind::Raw) && kind == VariableKind::General;
        let is_state =
            slot.kinds.contains(OperandKind::State) && matches!(kind, VariableKind::Surface | VariableKind::Sampler);
        let diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, brackets, format!("`{word}` takes no brackets here"));
        self.report(if is_raw && is_number {
            diagnostic.replace(brackets, format!(".{inner}"), false)
        } else if is_state {
            diagnostic.replace(brackets, format!("({inner})"), true)
        } else {
            diagnostic.help(format!("expected {}", slot_words(slot)))
        });
    }

    fn report_missing_region(&mut self, slot: &OperandSlot, item: &Item, word: &str) {
        let is_destination = slot.role.writes();
        let example = if is_destination {
            "<1>"
        } else if slot.scalar {
            "<0;1,0>"
        } else {
            "<8;8,1>"
        };
        let has_offset = item.span.of(self.text).contains('(');
        let written = if has_offset { item.span.of(self.text).to_owned() } else { format!("{word}(0,0)") };
        let diagnostic = Diagnostic::new(
            &MISSING_REGION,
            item.span,
            format!("the operand `{}` needs a region", item.span.of(self.text)),
        )
        .help(format!("write `{written}{example}`"));
        let certain = slot.scalar && !is_destination;
        self.report(diagnostic.replace(item.span, format!("{written}{example}"), certain));
    }

    /// `V.64`, `V.(2 * 32)`
    fn raw(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        variable: VariableId,
        arguments: Arguments,
    ) -> Option<Operand> {
        let kind = self.program.variables[variable].kind;
        let offset = match arguments {
            Arguments::Offset(span) => {
                let number = number::dotted(span.of(self.text));
                number.written.min(i64::MAX as u64) as i64
            }
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => 0,
        };
        if variable == VariableId::NULL && (offset != 0 || matches!(arguments, Arguments::OffsetExpr(_))) {
            self.report(
                Diagnostic::new(
                    &MALFORMED_NULL,
                    item.span,
                    format!("`{}` is not an operand: `%null` takes the offset 0 only", item.span.of(self.text)),
                )
                .replace(item.span, "%null.0", true),
            );
            return None;
        }
        if slot.kinds.contains(OperandKind::Raw) || slot.kinds.contains(OperandKind::LscRegister) {
            self.need_kind(name, variable, kind, VariableKind::General, slot)?;
            self.check_raw_offset(Span::new(name.end, item.span.end), offset)?;
        } else if slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
            && matches!(kind, VariableKind::Surface | VariableKind::Sampler)
        {
            let span = Span::new(name.end, item.span.end);
            self.report(
                Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    span,
                    format!("`{}` takes no offset: a surface or sampler stands by its name alone", name.of(self.text)),
                )
                .replace(span, "", true),
            );
            return None;
        }
        Some(Operand::Raw { variable, byte_offset: clamp(offset) })
    }

    /// Reports the byte offset of a raw operand that does not fit 16 bits; no later check sees the operand.
    pub(super) fn check_raw_offset(&mut self, span: Span, offset: i64) -> Option<()> {
        if (0..=0xffff).contains(&offset) {
            return Some(());
        }
        let mut diagnostic = Diagnostic::new(
            &WRAPPING_OFFSET,
            span,
            format!("the byte offset {offset} of a raw operand does not fit 16 bits"),
        );
        if offset <= 0x1_0000 {
            diagnostic = diagnostic.note(format!("assemblers read it as {}", offset & 0xffff));
        }
        self.report(diagnostic.label("expected 0 to 65535"));
        None
    }

    /// `V.0/2`
    fn with_length(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        variable: VariableId,
        arguments: Arguments,
    ) -> Option<Operand> {
        let length = self.constant(item.length?)?;
        let byte_offset = match arguments {
            Arguments::None => 0,
            Arguments::Offset(span) => number::dotted(span.of(self.text)).written.min(i64::MAX as u64) as i64,
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => {
                self.report_form(slot, item);
                return None;
            }
        };
        Some(Operand::WithLength { variable, byte_offset: clamp(byte_offset), length: clamp(length) })
    }

    /// `A0(3)<4>`, `T6(0)`
    #[allow(clippy::too_many_arguments)]
    fn one_argument(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        variable: VariableId,
        kind: VariableKind,
        argument: ExprId,
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        let index = self.constant(argument)?;
        match kind {
            VariableKind::Address => match region {
                RegionSyntax::None => {
                    let written = item.span.of(self.text);
                    self.report(
                        Diagnostic::new(
                            &MISSING_REGION,
                            item.span,
                            format!("the address operand `{written}` needs its width"),
                        )
                        .help(format!("write `{written}<1>`, or the number of elements that are meant"))
                        .replace(Span::at(item.span.end), "<1>", false),
                    );
                    None
                }
                RegionSyntax::Stride(span) => {
                    let width = number::digits(span.of(self.text)).next().unwrap_or(0) as i64;
                    Some(Operand::Address { variable, element: clamp(index), width: clamp(width) })
                }
                RegionSyntax::One(width) => {
                    let width = self.constant(width)?;
                    Some(Operand::Address { variable, element: clamp(index), width: clamp(width) })
                }
                _ => {
                    self.report(Diagnostic::new(
                        &MALFORMED_REGION,
                        spans.region,
                        format!(
                            "an address operand takes one number between angle brackets, not `{}`",
                            spans.region.of(self.text)
                        ),
                    ));
                    None
                }
            },
            VariableKind::Surface | VariableKind::Sampler if region == RegionSyntax::None => {
                if !slot.kinds.contains(OperandKind::State)
                    && slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
                {
                    let span = Span::new(name.end, item.span.end);
                    self.report(
                        Diagnostic::new(
                            &WRONG_OPERAND_FORM,
                            span,
                            format!("`{}` takes no element here: its first element is used", name.of(self.text)),
                        )
                        .replace(span, "", true),
                    );
                    return None;
                }
                Some(Operand::State { variable, index: clamp(index) })
            }
            _ => {
                let written = spans.offset.of(self.text);
                let mut diagnostic = Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    spans.offset,
                    format!("`{written}` has to hold a row and a column"),
                );
                if kind == VariableKind::General {
                    diagnostic = diagnostic.help(format!(
                        "write `{}(0,{})`",
                        name.of(self.text),
                        written.trim_matches(['(', ')'])
                    ));
                }
                self.report(diagnostic);
                None
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn two_arguments(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        variable: VariableId,
        kind: VariableKind,
        (row, column): (i64, i64),
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        let (row, column) = (clamp(row), clamp(column));
        if region == RegionSyntax::None {
            if slot.kinds.contains(OperandKind::Element) || slot.kinds.contains(OperandKind::LscRegister) {
                self.need_kind(name, variable, kind, VariableKind::General, slot)?;
                return Some(Operand::Element { variable, row, column });
            }
            if slot.kinds.intersects(VECTOR) && kind == VariableKind::General {
                self.report_missing_region(slot, item, name.of(self.text));
                return None;
            }
            self.need_kind(name, variable, kind, VariableKind::General, slot)?;
            return Some(Operand::Element { variable, row, column });
        }
        if slot.kinds.contains(OperandKind::Element) && !slot.kinds.intersects(VECTOR) {
            self.report(
                Diagnostic::new(
                    &MALFORMED_REGION,
                    spans.region,
                    format!("`{}` takes no region", name.to(spans.offset).of(self.text)),
                )
                .replace(spans.region, "", true),
            );
            return None;
        }
        if slot.kinds.contains(OperandKind::Raw) && !slot.kinds.intersects(VECTOR) {
            self.report(
                Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    item.span,
                    format!("`{}` has to be a raw operand, without row, column and region", item.span.of(self.text)),
                )
                .help(format!("write `{}.` and a byte offset", name.of(self.text))),
            );
            return None;
        }
        self.need_kind(name, variable, kind, VariableKind::General, slot)?;
        let region = self.region(slot, region, spans.region)?;
        Some(Operand::General { variable, row, column, region, modifier: self.modifier(item) })
    }

    /// Reports a variable of another kind than `wanted`.
    fn need_kind(
        &mut self,
        name: Span,
        variable: VariableId,
        kind: VariableKind,
        wanted: VariableKind,
        slot: &OperandSlot,
    ) -> Option<()> {
        if kind == wanted {
            return Some(());
        }
        let message = format!(
            "`{}` is {} {} variable; `{}` takes {} {} variable",
            name.of(self.text),
            super::declaration::article(kind),
            kind.word(),
            slot.name,
            super::declaration::article(wanted),
            wanted.word()
        );
        self.report_variable_kind(name, variable, message);
        None
    }

    fn report_variable_kind(&mut self, name: Span, variable: VariableId, message: String) {
        let place = self.program.variable_spans[variable].name;
        let mut diagnostic = Diagnostic::new(&WRONG_VARIABLE_KIND, name, message);
        if !place.is_empty() {
            diagnostic = diagnostic.also(place, "declared here");
        }
        self.report(diagnostic);
    }

    fn surplus_suffix(&mut self, suffix: Span, kind: VariableKind, word: &str) -> Option<Operand> {
        let written = suffix.of(self.text);
        let message = match kind {
            VariableKind::General => {
                format!("`{written}` cannot stand here: the type of `{word}` is that of its declaration")
            }
            _ => format!("`{written}` cannot stand after `{word}`"),
        };
        self.report(Diagnostic::new(&SURPLUS_TYPE, suffix, message).replace(suffix, "", true));
        None
    }

    // ---- other forms ----

    fn indirect(
        &mut self,
        item: &Item,
        name: ExprId,
        offset: Option<ExprId>,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let expr = *self.parser.tree.expr(name);
        let ExprKind::Name(name, arguments) = expr.kind else { return None };
        spans.name = name;
        let element = if let Arguments::List(list) = arguments {
            if let [one] = self.plain_arguments(item, list)?.as_slice() {
                self.constant(*one)?
            } else {
                self.report(Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    expr.span,
                    format!("`{}` has to name one element of an address variable", expr.span.of(self.text)),
                ));
                return None;
            }
        } else {
            let written = expr.span.of(self.text);
            self.report(
                Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    expr.span,
                    format!("`{written}` has to name an element of an address variable"),
                )
                .replace(expr.span, format!("{}(0)", name.of(self.text)), false),
            );
            return None;
        };
        let variable = self.use_variable(name)?;
        let kind = self.program.variables[variable].kind;
        if kind != VariableKind::Address {
            let message = format!(
                "`{}` is {} {} variable; an indirect operand needs an address variable",
                name.of(self.text),
                super::declaration::article(kind),
                kind.word()
            );
            self.report_variable_kind(name, variable, message);
            return None;
        }
        let offset = match offset {
            Some(e) => {
                spans.offset = self.parser.tree.expr(e).span;
                self.constant(e)?
            }
            None => 0,
        };
        let bracket = self.closing_bracket(expr.span.end, item.span.end);
        spans.region = self.region_span(item, bracket);
        let region = match item.region {
            RegionSyntax::None => {
                self.report(Diagnostic::new(
                    &MISSING_REGION,
                    item.span,
                    format!("the indirect operand `{}` needs a region", item.span.of(self.text)),
                ));
                return None;
            }
            region => self.region_numbers(region)?,
        };
        let Some(suffix) = item.suffix else {
            self.report(
                Diagnostic::new(
                    &MISSING_TYPE,
                    item.span,
                    format!("the indirect operand `{}` needs a type", item.span.of(self.text)),
                )
                .help("write the element type after it, such as `:ud`"),
            );
            return None;
        };
        let element_type = self.type_suffix(suffix)?;
        Some(Operand::Indirect {
            address: variable,
            element: clamp(element),
            offset: clamp(offset),
            region,
            element_type,
            modifier: self.modifier(item),
        })
    }

    fn closing_bracket(&self, from: u32, to: u32) -> u32 {
        self.text[from as usize..to as usize].find(']').map_or(to, |i| from + i as u32 + 1)
    }

    fn address_of(&mut self, item: &Item, name: ExprId, spans: &mut OperandSpans) -> Option<Operand> {
        let expr = *self.parser.tree.expr(name);
        let ExprKind::Name(name, arguments) = expr.kind else { return None };
        spans.name = name;
        if arguments != Arguments::None || item.region != RegionSyntax::None || item.suffix.is_some() {
            let written = item.span.of(self.text);
            self.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` is not an address-of"))
                    .help(format!("write `&{}[offset]`, with the offset in bytes", name.of(self.text))),
            );
            return None;
        }
        let variable = self.use_variable(name)?;
        let offset = match item.index {
            None => 0,
            Some(list) => {
                if let [one] = self.plain_arguments(item, list)?.as_slice() {
                    spans.offset = self.parser.tree.expr(*one).span;
                    self.constant(*one)?
                } else {
                    self.report(Diagnostic::new(
                        &WRONG_OPERAND_FORM,
                        item.span,
                        format!("`{}` takes one byte offset", item.span.of(self.text)),
                    ));
                    return None;
                }
            }
        };
        self.program.variables[variable].flags |= FLAG_ADDRESS_TAKEN;
        Some(Operand::AddressOf { variable, offset: clamp(offset) })
    }

    /// A number, with or without a type.
    fn literal(
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
                if !matches!(expr.kind, ExprKind::Dec | ExprKind::Hex | ExprKind::Unary(..) | ExprKind::Group(_)) {
                    self.report_form(slot, item);
                    return None;
                }
                let value = self.constant(id)?;
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
                let written = item.span.of(self.text);
                let only = slot.types.legal.iter().next().filter(|_| slot.types.legal.0.is_power_of_two());
                let wanted = only.map_or("d", Type::text);
                let diagnostic =
                    Diagnostic::new(&MISSING_TYPE, item.span, format!("the immediate `{written}` needs a type"))
                        .help(format!("write `{written}:{wanted}`"))
                        .replace(Span::at(item.span.end), format!(":{wanted}"), only.is_some());
                self.report(diagnostic);
                return None;
            }
            self.report_form(slot, item);
            return None;
        };
        let element_type = self.type_suffix(suffix)?;
        self.integer_immediate(item, id, element_type, suffix)
    }

    /// Reports `-V`, `~V` or `(ABS)`: source modifiers that are not written as one. Returns whether it was one.
    pub(super) fn misspelt_modifier(&mut self, id: ExprId) -> bool {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Unary(operator, inner) => {
                let inner = *self.parser.tree.expr(inner);
                let ExprKind::Name(name, _) = inner.kind else { return false };
                if name.of(self.text) == "%DispatchSimd" {
                    return false;
                }
                let sign = Span::new(expr.span.start, inner.span.start);
                let meant = match operator {
                    UnaryOperator::Minus => "(-)",
                    UnaryOperator::Complement => "(~)",
                    UnaryOperator::Not => {
                        let message = format!(
                            "`{}` cannot be an operand: only the predicate before an instruction is inverted by `!`",
                            expr.span.of(self.text)
                        );
                        self.report(Diagnostic::new(&WRONG_OPERAND_FORM, expr.span, message));
                        return true;
                    }
                };
                let message = format!("the source modifier of `{}` is written `{meant}`", name.of(self.text));
                self.report(Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, sign, message).replace(sign, meant, true));
                true
            }
            ExprKind::Group(list) => {
                let Some(ExprKind::Name(name, Arguments::None)) =
                    self.only_expr(list).map(|e| self.parser.tree.expr(e).kind)
                else {
                    return false;
                };
                let word = name.of(self.text).to_ascii_lowercase();
                if word != "abs" && word != "neg" {
                    return false;
                }
                let meant = if word == "abs" { "(abs)" } else { "(-)" };
                let message = format!("the source modifier is written `{meant}`");
                self.report(Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, expr.span, message).replace(
                    expr.span,
                    meant,
                    word == "abs",
                ));
                true
            }
            _ => false,
        }
    }

    /// Reports a number that is not written with the kind of token that assemblers read there.
    fn check_notation(&mut self, slot: &'static OperandSlot, item: &Item, kind: ExprKind, value: i64) -> Option<()> {
        let (fits, word, meant) = match slot.notation {
            Notation::Any => return Some(()),
            Notation::Decimal => (kind == ExprKind::Dec, "decimal", value.to_string()),
            Notation::Hexadecimal => (kind == ExprKind::Hex, "hexadecimal", format!("{value:#x}")),
        };
        if fits {
            return Some(());
        }
        let written = item.span.of(self.text);
        let diagnostic = Diagnostic::new(
            &WRONG_OPERAND_FORM,
            item.span,
            format!("`{}` is written as a {word} number, not as `{written}`", slot.name),
        );
        self.report(if value < 0 { diagnostic } else { diagnostic.replace(item.span, meant, kind != ExprKind::Dec) });
        None
    }

    /// `1.5:f` with an optional minus.
    fn float(&mut self, id: ExprId) -> Option<Operand> {
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

    fn integer_immediate(&mut self, item: &Item, id: ExprId, element_type: Type, suffix: Span) -> Option<Operand> {
        let written = item.span.of(self.text);
        if !element_type.row().immediate {
            self.report(
                Diagnostic::new(
                    &INVALID_IMMEDIATE,
                    item.span,
                    format!("`{written}`: no immediate has the type `{}`", element_type.text()),
                )
                .help("move the bit pattern into a variable of an integer type with an alias"),
            );
            return None;
        }
        let expr = *self.parser.tree.expr(id);
        let is_hex = matches!(expr.kind, ExprKind::Hex);
        if element_type == Type::HF && !is_hex {
            self.report(
                Diagnostic::new(
                    &INVALID_IMMEDIATE,
                    item.span,
                    format!("`{written}`: a half-float immediate is a hexadecimal bit pattern"),
                )
                .help("1.0 is `0x3c00:hf`"),
            );
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
                self.report(
                    Diagnostic::new(
                        &INVALID_IMMEDIATE,
                        item.span,
                        format!("`{written}`: an expression cannot have the type `{}`", element_type.text()),
                    )
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
            if digits.kind == ExprKind::Dec && magnitude != 0 && element_type != Type::HF {
                let number = expr.span.of(self.text);
                // The minus flips the sign of the float that the bits are.
                let sign = if is_negative { 1 << (8 * element_type.bytes() - 1) } else { 0 };
                let bits = magnitude | sign;
                let bits = if element_type == Type::DF { format!("{bits:#018x}") } else { format!("{bits:#x}") };
                let suffix = suffix_word(suffix.of(self.text));
                self.report(
                    Diagnostic::new(
                        &DECIMAL_BIT_PATTERN,
                        item.span,
                        format!("`{written}` is a bit pattern, not the value {number}"),
                    )
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

    /// The number of an immediate. Plain decimals are read with 32 bits: those that the type has no use for are no loss.
    fn immediate_number(&mut self, id: ExprId, element_type: Type) -> Option<i64> {
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
            // What is left in the type, so that nothing else is found wrong with it.
            value = i64::from(number.written as u32 as i32) << (64 - width) >> (64 - width);
        }
        Some(if is_negative { value.wrapping_neg() } else { value })
    }

    /// The type of `:ud`; reports and returns nothing if there is no such type.
    pub(super) fn type_suffix(&mut self, suffix: Span) -> Option<Type> {
        let written = &suffix.of(self.text)[1..];
        if let Some(t) = Type::from_text(written) {
            return Some(t);
        }
        self.report_unknown_type(Span::new(suffix.start + 1, suffix.end), written);
        None
    }

    fn region(&mut self, slot: &OperandSlot, region: RegionSyntax, span: Span) -> Option<Region> {
        let numbers = self.region_numbers(region)?;
        let is_destination = slot.role.writes();
        let fits = match numbers.form {
            RegionForm::Stride => is_destination,
            RegionForm::Full => !is_destination,
            RegionForm::Rows | RegionForm::Absent => false,
        };
        if fits {
            return Some(numbers);
        }
        let written = span.of(self.text);
        let diagnostic = if is_destination {
            let stride = if numbers.form == RegionForm::Full { numbers.horizontal_stride.max(1) } else { 1 };
            Diagnostic::new(
                &MALFORMED_REGION,
                span,
                format!("a destination takes one stride, as in `<1>`, not `{written}`"),
            )
            .replace(span, format!("<{stride}>"), false)
        } else if numbers.form == RegionForm::Rows {
            Diagnostic::new(
                &MALFORMED_REGION,
                span,
                format!("`{written}` is the region of an indirect operand; here three numbers stand, as in `<8;8,1>`"),
            )
        } else {
            let meant = if numbers.horizontal_stride == 0 { Some("<0;1,0>".to_owned()) } else { None };
            let diagnostic = Diagnostic::new(
                &MALFORMED_REGION,
                span,
                format!("a source takes three numbers, as in `<8;8,1>`, not `{written}`"),
            );
            match meant {
                Some(meant) => diagnostic.replace(span, meant, true),
                None => diagnostic.replace(span, format!("<{h};1,0>", h = numbers.horizontal_stride), false),
            }
        };
        self.report(diagnostic);
        None
    }

    fn region_numbers(&mut self, region: RegionSyntax) -> Option<Region> {
        Some(match region {
            RegionSyntax::None => Region::ABSENT,
            RegionSyntax::Source(span) => {
                let bytes = span.of(self.text).as_bytes();
                if let [b'<', v, b';', w, b',', h, b'>'] = bytes {
                    return Some(Region {
                        vertical_stride: v - b'0',
                        width: w - b'0',
                        horizontal_stride: h - b'0',
                        form: RegionForm::Full,
                    });
                }
                let mut numbers = number::digits(span.of(self.text)).map(|n| small(n as i64));
                let mut next = || numbers.next().unwrap_or(0);
                Region { vertical_stride: next(), width: next(), horizontal_stride: next(), form: RegionForm::Full }
            }
            RegionSyntax::Stride(span) => {
                let stride = number::digits(span.of(self.text)).next().unwrap_or(0);
                Region {
                    vertical_stride: 0,
                    width: 0,
                    horizontal_stride: small(stride as i64),
                    form: RegionForm::Stride,
                }
            }
            RegionSyntax::One(a) => Region {
                vertical_stride: 0,
                width: 0,
                horizontal_stride: small(self.constant(a)?),
                form: RegionForm::Stride,
            },
            RegionSyntax::Two(w, h) => Region {
                vertical_stride: 0,
                width: small(self.constant(w)?),
                horizontal_stride: small(self.constant(h)?),
                form: RegionForm::Rows,
            },
            RegionSyntax::Three(v, w, h) => Region {
                vertical_stride: small(self.constant(v)?),
                width: small(self.constant(w)?),
                horizontal_stride: small(self.constant(h)?),
                form: RegionForm::Full,
            },
        })
    }

    fn modifier(&self, item: &Item) -> SourceModifier {
        match item.modifier.map(|m| m.of(self.text)) {
            Some("(-)") => SourceModifier::Negate,
            Some("(abs)") => SourceModifier::Absolute,
            Some("(-abs)") => SourceModifier::NegateAbsolute,
            Some("(~)") => SourceModifier::Complement,
            _ => SourceModifier::None,
        }
    }

    fn check_source_modifier(&mut self, item: &Item, operand: &Operand) -> Option<()> {
        let Some(span) = item.modifier else { return Some(()) };
        if matches!(operand, Operand::General { .. } | Operand::Indirect { .. }) {
            return Some(());
        }
        let written = span.of(self.text);
        let operand_text = Span::new(span.end, item.span.end).of(self.text).trim();
        let message = format!(
            "`{written}` cannot stand before `{operand_text}`: only general and indirect sources take source modifiers"
        );
        let mut diagnostic = Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, span, message);
        if let (Operand::Immediate { .. }, "(-)" | "(~)") = (operand, written) {
            diagnostic = diagnostic.replace(span, &written[1..2], true);
        }
        self.report(diagnostic);
        None
    }

    // ---- reports ----

    /// Reports text that is no operand of a form that the slot takes.
    pub(super) fn report_form(&mut self, slot: &OperandSlot, item: &Item) {
        let written = item.span.of(self.text);
        self.report(
            Diagnostic::new(
                &WRONG_OPERAND_FORM,
                item.span,
                format!("`{written}` cannot be the operand `{}`", slot.name),
            )
            .help(format!("expected {}", slot_words(slot))),
        );
    }

    fn report_kind(&mut self, slot: &'static OperandSlot, item: &Item, operand: &Operand, spans: &OperandSpans) {
        let written = item.span.of(self.text);
        // The address variable of an indirect operand is as it should be: the operand is not.
        if let (Some(variable), false) = (operand.variable(), matches!(operand, Operand::Indirect { .. })) {
            let kind = self.program.variables[variable].kind;
            let wanted = wanted_variable_kinds(slot);
            if !wanted.is_empty() && !wanted.contains(&kind) && !operand.is_null() {
                let wanted = crate::spec::join_or(wanted.iter().map(|k| k.word().to_owned()));
                let message = format!(
                    "`{}` is {} {} variable; `{}` takes a {wanted} variable",
                    spans.name.of(self.text),
                    super::declaration::article(kind),
                    kind.word(),
                    slot.name
                );
                self.report_variable_kind(spans.name, variable, message);
                return;
            }
        }
        let mut diagnostic = Diagnostic::new(
            &WRONG_OPERAND_FORM,
            item.span,
            format!("`{written}` cannot be the operand `{}`", slot.name),
        )
        .help(format!("expected {}", slot_words(slot)));
        if let (Operand::Raw { variable, byte_offset: 0 }, true) = (operand, slot.kinds.contains(OperandKind::General))
        {
            let word = self.program.names.name(self.program.variables[*variable].name).to_owned();
            let region = if slot.role.writes() {
                "<1>"
            } else if slot.scalar {
                "<0;1,0>"
            } else {
                "<8;8,1>"
            };
            diagnostic =
                diagnostic.replace(item.span, format!("{word}(0,0){region}"), slot.scalar && !slot.role.writes());
        } else if let (Operand::Raw { byte_offset: 0, .. }, true) = (operand, slot.kinds.contains(OperandKind::Element))
        {
            diagnostic = diagnostic.replace(item.span, format!("{}(0,0)", spans.name.of(self.text)), true);
        } else if let (Operand::Element { row: 0, column: 0, .. }, true) =
            (operand, slot.kinds.contains(OperandKind::Raw))
        {
            diagnostic = diagnostic.replace(item.span, format!("{}.0", spans.name.of(self.text)), true);
        }
        self.report(diagnostic);
    }
}

/// The bit pattern of `inf:f` and `nan:f`.
fn special_float(word: &str, suffix: &str) -> Option<&'static str> {
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

/// The kinds of variables that an operand of the slot may name.
fn wanted_variable_kinds(slot: &OperandSlot) -> Vec<VariableKind> {
    let mut kinds: Vec<VariableKind> = slot
        .kinds
        .iter()
        .filter_map(|k| match k {
            OperandKind::General
            | OperandKind::Raw
            | OperandKind::Element
            | OperandKind::LscRegister
            | OperandKind::WithLength => Some(VariableKind::General),
            k if super::lsc::DATA.contains(k) => Some(VariableKind::General),
            OperandKind::Address | OperandKind::Indirect => Some(VariableKind::Address),
            OperandKind::Predicate => Some(VariableKind::Predicate),
            OperandKind::Surface => Some(VariableKind::Surface),
            OperandKind::Sampler => Some(VariableKind::Sampler),
            _ => None,
        })
        .collect();
    if slot.kinds.contains(OperandKind::State) {
        kinds.extend([VariableKind::Surface, VariableKind::Sampler]);
    }
    if slot.kinds.contains(OperandKind::General) && slot.kinds.contains(OperandKind::Indirect) {
        // The address variable of an indirect operand is not what a reader means by the kind of the operand.
        kinds.retain(|k| *k != VariableKind::Address || slot.kinds.contains(OperandKind::Address));
    }
    if slot.kinds.contains(OperandKind::AddressOf) {
        kinds.clear();
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// What a slot takes, in words.
pub(super) fn slot_words(slot: &OperandSlot) -> String {
    slot.kinds.describe()
}

/// Into 32 bits; numbers beyond them become the nearest one, which no check takes for legal.
pub(super) fn clamp(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// A number of a region; those that do not fit become [`Region::ILLEGAL`].
fn small(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(Region::ILLEGAL)
}
