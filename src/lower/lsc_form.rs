//! The form of an LSC message as a whole: whether address and data have the parts that this kind of message has.

use super::Lowering;
use super::lsc::{MALFORMED_LSC_ADDRESS, UNKNOWN_LSC_SHAPE};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::program::instruction::{Instruction, InstructionSpans};
use crate::program::lsc::{AddressModel, AddressSize, LscAddress, LscItem, LscShapeKind, LscValue};
use crate::program::operand::{Operand, OperandSpans};
use crate::program::pardon::Pardon;
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::instruction::{KindSet, OperandKind};
use crate::syntax::tree::{Arguments, Base, ExprKind, Item};

/// What stands between the brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One register with an address for each lane.
    Lanes,
    /// A base and, if it is not left out, a pitch.
    Strided,
    /// One to four coordinates.
    Coordinates,
    /// Three coordinates and the sample of a multi-sample surface.
    Sample,
    /// Base, width, height, pitch, x and y of a 2D surface, or one register that holds them.
    Block,
    /// x and y of a typed surface.
    TypedBlock,
    /// Nothing: the address is the surface.
    Counter,
    /// One register that holds all coordinates.
    StateInfo,
}

impl Form {
    /// The least and the greatest number of items, and what they are.
    const fn counts(self) -> (usize, usize, &'static str) {
        match self {
            Self::Lanes => (1, 1, "one register holds the addresses of all lanes"),
            Self::Strided => (1, 2, "a strided address has a base and a pitch"),
            Self::Coordinates => (1, 4, "there are at most four coordinates: u, v, r and lod"),
            Self::Sample => (4, 4, "a multi-sample surface has four coordinates: u, v, r and the sample"),
            Self::Block => (6, 6, "a 2D block has six parameters: base, width, height, pitch, x and y"),
            Self::TypedBlock => (2, 2, "a block of a typed surface has two coordinates, x and y"),
            Self::StateInfo => (1, 1, "one register holds all coordinates: u, v, r and lod"),
            Self::Counter => (1, 1, "the address of an append counter is its surface"),
        }
    }
}

/// A fault: its place, what it is, and a change that mends it.
type Fault = (Span, String, Option<(Span, &'static str)>);

impl Lowering<'_> {
    /// Looks at the operands before they are read, for faults that would make several of them senseless. Returns
    /// whether one was reported.
    pub(super) fn lsc_misplaced(
        &mut self,
        row: &'static spec::Instruction,
        first: usize,
        spans: &InstructionSpans,
    ) -> bool {
        let n_items = self.parser.tree.operands.len();
        let item = |this: &Self, place: usize| *this.parser.tree.item(this.parser.tree.operands[place]);
        let Some(place) = (first..n_items.saturating_sub(1)).find(|place| self.is_bare_model(&item(self, *place)))
        else {
            return false;
        };
        let after = item(self, place + 1);
        let is_atomic = row.slot(OperandName::SRC2_DATA).is_some() && row.slot(OperandName::SURFACE).is_none();
        let n_expected = first + 3;
        let diagnostic = if after.index.is_none() && has_address_size(&after, self.text) {
            self.unbracketed(&after)
        } else if is_atomic && n_items == n_expected && place == first + 1 && after.suffix.is_some() {
            let message = format!("`{}` is written like an operation on an append counter", row.mnemonic);
            Diagnostic::new(&super::operand::WRONG_OPERAND_FORM, spans.mnemonic, message)
                .help("an atomic operation takes an address in brackets and two sources without a shape")
        } else {
            return false;
        };
        self.report(diagnostic);
        true
    }

    fn unbracketed(&self, address: &Item) -> Diagnostic {
        let written = address.span.of(self.text);
        let name = Span::new(address.span.start, address.suffix.map_or(address.span.end, |s| s.start));
        let name = name.trimmed(self.text);
        let fix = Fix {
            title: format!("write `[{}]`", name.of(self.text)),
            edits: vec![
                Edit { span: Span::at(name.start), text: "[".to_owned() },
                Edit { span: Span::at(name.end), text: "]".to_owned() },
            ],
            certain: true,
        };
        Diagnostic::new(&MALFORMED_LSC_ADDRESS, name, format!("the address `{written}` has to stand in brackets"))
            .fix(fix)
    }

    /// Whether an operand is `flat`, `bti(...)` or the like, without brackets.
    fn is_bare_model(&self, item: &Item) -> bool {
        let Base::Expr(id) = item.base else { return false };
        let ExprKind::Name(name, arguments) = self.parser.tree.expr(id).kind else { return false };
        let is_offset = matches!(arguments, Arguments::Offset(_) | Arguments::OffsetExpr(_));
        item.index.is_none()
            && item.suffix.is_none()
            && !is_offset
            && AddressModel::from_text(name.of(self.text)).is_some()
    }

    /// Checks the operands against the form of the message; those with a fault become [`Operand::Broken`].
    pub(super) fn lsc_form(&mut self, row: &'static spec::Instruction, instruction: &mut Instruction) {
        let start = instruction.operands().start;
        let n_operands = self.program.operands.len() - start;
        for place in start..start + n_operands {
            let operand = self.program.operands[place];
            let slot = &row.operands[usize::from(self.program.operand_slots[place])];
            let spans = self.program.operand_spans[place];
            let diagnostic = match operand {
                Operand::LscAddress { index } => {
                    let address = self.program.lsc_addresses[index as usize];
                    let form = self.form(row, instruction, slot.kinds, n_operands);
                    form.and_then(|form| self.address_fault(form, &address, &spans)).map(|(span, message, fix)| {
                        let diagnostic = Diagnostic::new(&MALFORMED_LSC_ADDRESS, span, message);
                        match fix {
                            Some((place, text)) => diagnostic.replace(place, text, false),
                            None if form == Some(Form::Block) => {
                                diagnostic.help("write `flat[base,width,height,pitch,x,y]`")
                            }
                            None => diagnostic,
                        }
                    })
                }
                Operand::LscData { shape, .. } => self.shape_fault(slot.kinds, shape, &spans),
                Operand::Raw { .. } if slot.kinds.contains(OperandKind::LscData) && n_operands < row.operands.len() => {
                    let message = format!("`{}` needs its data shape", spans.whole.of(self.text));
                    let end = Span::at(spans.whole.end);
                    Some(Diagnostic::new(&UNKNOWN_LSC_SHAPE, spans.whole, message).replace(end, ":d32", true))
                }
                _ => None,
            };
            if let Some(diagnostic) = diagnostic {
                self.report(diagnostic);
                self.program.operands[place] = Operand::Broken;
                instruction.is_broken = true;
            }
        }
    }

    /// What the brackets of an address hold; nothing if the unit, which decides it, is missing.
    fn form(
        &self,
        row: &spec::Instruction,
        instruction: &Instruction,
        kinds: KindSet,
        n_operands: usize,
    ) -> Option<Form> {
        if kinds.contains(OperandKind::LscSurface) {
            let is_counter = kinds.contains(OperandKind::LscAddress);
            return Some(if is_counter { Form::Counter } else { Form::StateInfo }).filter(|_| n_operands > 0);
        }
        let forms = [
            (OperandKind::LscStridedAddress, Form::Strided),
            (OperandKind::LscBlockAddress, Form::Block),
            (OperandKind::LscTypedBlockAddress, Form::TypedBlock),
        ];
        if let Some((_, form)) = forms.into_iter().find(|(kind, _)| kinds.contains(*kind)) {
            return Some(form);
        }
        if kinds == KindSet::of(&[OperandKind::LscCoordinates]) {
            return Some(Form::Sample);
        }
        let slot = row.modifier(ModifierName::UNIT)?;
        let first = instruction.modifiers().start;
        let unit = self.program.modifiers[first..].iter().find(|used| usize::from(used.slot) == slot)?;
        let is_typed = row.modifiers[slot].values.get(usize::from(unit.value)).is_some_and(|value| value.text == "tgm");
        Some(if is_typed { Form::Coordinates } else { Form::Lanes })
    }

    fn address_fault(&self, form: Form, address: &LscAddress, spans: &OperandSpans) -> Option<Fault> {
        let items = &self.program.lsc_items[address.items()];
        let fault = |span, message: &str| Some((span, message.to_owned(), None));
        if form == Form::Counter {
            return match items {
                [] if !address.has_brackets => None,
                [LscItem { value: LscValue::Null, .. }] if address.size.is_none() => None,
                _ => fault(
                    self.brackets(spans),
                    "the address of an append counter is its surface: nothing stands in brackets",
                ),
            };
        }
        if form == Form::Block && !address.has_model {
            return fault(
                Span::new(spans.whole.start, spans.whole.start + 1),
                "`flat` cannot be left out before the parameters of a 2D block",
            );
        }
        if !address.has_brackets {
            let word = spans.whole.of(self.text);
            return match form {
                Form::StateInfo => None,
                _ if word.starts_with("flat(") => {
                    let meant = word.replacen('(', "[", 1).replacen(')', "]", 1);
                    Some((spans.whole, format!("the address stands in brackets: `{meant}`"), None))
                }
                _ => Some((spans.whole, format!("the address is missing after `{word}`: it stands in brackets"), None)),
            };
        }
        if items.is_empty() {
            return fault(self.brackets(spans), "an address is missing between the brackets");
        }
        self.count_fault(form, items, spans)
            .or_else(|| self.item_fault(form, items))
            .or_else(|| self.size_fault(form, address, items, spans))
    }

    /// What is wrong with the number of items.
    fn count_fault(&self, form: Form, items: &[LscItem], spans: &OperandSpans) -> Option<Fault> {
        let (least, most, message) = form.counts();
        let is_payload = form == Form::Block && matches!(items, [LscItem { displacement_pair: Some(_), .. }]);
        let place = if items.len() > most {
            Span::new(items[most - 1].span.end, items[most].span.end)
        } else if items.len() < least && !is_payload {
            self.closing(spans)
        } else {
            return None;
        };
        Some((place, message.to_owned(), None))
    }

    /// What is wrong with one of the items.
    fn item_fault(&self, form: Form, items: &[LscItem]) -> Option<Fault> {
        let is_payload = form == Form::Block && items.len() == 1;
        for (i, item) in items.iter().enumerate() {
            let written = item.span.of(self.text);
            let is_pitch = form == Form::Strided && i == 1;
            let takes_number = is_pitch || form == Form::TypedBlock || form == Form::Block && i > 0;
            if matches!(item.value, LscValue::Immediate(_)) && !takes_number {
                return Some((
                    item.value_span,
                    format!("`{written}` has to be a register: no address is a number"),
                    None,
                ));
            }
            let takes_scale = matches!(form, Form::Lanes | Form::Strided) && i == 0;
            if !item.scale_span.is_empty() && !takes_scale {
                return Some((item.scale_span, format!("`{written}` takes no scale"), None));
            }
            if item.displacement_pair.is_some() != is_payload {
                let message = format!("`{}` cannot stand here", item.displacement_span.of(self.text));
                return Some((item.displacement_span, message, None));
            }
            let takes_offset = match form {
                Form::Lanes | Form::Strided => i == 0,
                Form::Coordinates | Form::Sample => i < 3,
                Form::Block => i > 3 || is_payload,
                Form::TypedBlock => true,
                Form::Counter | Form::StateInfo => false,
            };
            if !item.displacement_span.is_empty() && !takes_offset {
                let message = format!("`{written}` takes no offset");
                return Some((item.displacement_span, message, Some((item.displacement_span, ""))));
            }
        }
        match items {
            [x, y] if form == Form::TypedBlock && x.value.is_register() != y.value.is_register() => {
                let is_fine = matches!(x.value, LscValue::Null)
                    || matches!(y.value, LscValue::Null)
                    || Pardon::Print.holds_in(&self.program);
                let message = "both coordinates are registers, or both are numbers".to_owned();
                (!is_fine).then(|| (x.span.to(y.span), message, None))
            }
            _ => None,
        }
    }

    fn size_fault(&self, form: Form, address: &LscAddress, items: &[LscItem], spans: &OperandSpans) -> Option<Fault> {
        let takes_size = matches!(form, Form::Lanes | Form::Strided | Form::Coordinates | Form::Sample);
        match (takes_size, address.size) {
            (false, Some(size)) => {
                let message = format!("`:{}` cannot stand here: this address has no size", size.text());
                Some((address.size_span, message, Some((address.size_span, ""))))
            }
            (true, None) => {
                // The likely one, by the type of the register.
                let variable = items.first().and_then(|item| item.value.variable());
                let bytes = variable.map_or(4, |v| self.program.variables[v].element_type.bytes());
                let likely = match bytes {
                    _ if matches!(form, Form::Coordinates | Form::Sample) => ":a32",
                    8 => ":a64",
                    2 => ":a16",
                    _ => ":a32",
                };
                let message = "the address size is missing: `:a16`, `:a32` or `:a64`".to_owned();
                Some((self.closing(spans), message, Some((Span::at(spans.whole.end), likely))))
            }
            _ => None,
        }
    }

    fn shape_fault(&self, kinds: KindSet, shape: u32, spans: &OperandSpans) -> Option<Diagnostic> {
        let shape = self.program.lsc_shapes[shape as usize];
        let fits = |kind| match kind {
            // The reference takes channels for a vector length, and the other way round.
            OperandKind::LscData | OperandKind::LscChannels => {
                matches!(shape.kind, LscShapeKind::Vector { .. } | LscShapeKind::Channels(_))
            }
            OperandKind::LscBlock => matches!(shape.kind, LscShapeKind::Block2d { .. }),
            OperandKind::LscTypedBlock => matches!(shape.kind, LscShapeKind::TypedBlock2d { .. }),
            _ => false,
        };
        if kinds.iter().any(fits) {
            return None;
        }
        let written = spans.suffix.of(self.text);
        let expected =
            kinds.iter().filter(|kind| super::operand::DATA.contains(*kind)).map(|kind| kind.describe().to_owned());
        let message = format!("`{written}` is not a shape for this message");
        Some(
            Diagnostic::new(&UNKNOWN_LSC_SHAPE, spans.suffix, message)
                .help(format!("expected {}", spec::join_or(expected))),
        )
    }

    /// From the opening bracket of an address to the closing one.
    fn brackets(&self, spans: &OperandSpans) -> Span {
        let written = spans.whole.of(self.text);
        let start = written.find('[').unwrap_or(0) as u32;
        let end = written.rfind(']').map_or(written.len(), |i| i + 1) as u32;
        Span::new(spans.whole.start + start, spans.whole.start + end)
    }

    /// The closing bracket.
    fn closing(&self, spans: &OperandSpans) -> Span {
        let end = self.brackets(spans).end;
        Span::new(end - 1, end)
    }
}

/// Whether `:a64` or the like stands after an operand.
fn has_address_size(item: &Item, text: &str) -> bool {
    item.suffix.is_some_and(|suffix| AddressSize::from_text(suffix.of(text).trim_start_matches(':')).is_some())
}
