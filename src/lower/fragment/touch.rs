//! What the text of a fragment does with the operands of the host.

use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::lower::{Lowering, Token};
use crate::program::fragment::{Form, Touch};
use crate::program::lsc::LscShape;
use crate::program::operand::{Operand, SourceModifier};
use crate::program::variable::{FLAG_IMMEDIATE, FLAG_MISUSED, FLAG_OPEN, FLAG_OPERAND, FLAG_USED};
use crate::program::{InstructionIndex, OperandSpans, Region, RegionForm, VariableId};
use crate::syntax::token::TokenKind;

/// The places of an operand that is a name and nothing else.
fn named(name: Span) -> OperandSpans {
    OperandSpans { whole: name, name, ..OperandSpans::default() }
}

impl Lowering<'_> {
    /// Notes that whatever a line names may be read and written.
    pub(super) fn touch_all(&mut self, tokens: &[Token]) {
        for token in tokens {
            let end =
                token.span().of(self.text).find(['(', '<', ',', '.']).map_or(token.end, |i| token.start + i as u32);
            let name = match token.kind {
                TokenKind::Word | TokenKind::Percent => token.span(),
                TokenKind::SourceOperand | TokenKind::DestinationOperand => Span::new(token.start, end),
                TokenKind::EqualAlias => {
                    let inner = token.start + 2;
                    let length = Span::new(inner, token.end).of(self.text).find(',').unwrap_or(0) as u32;
                    Span::new(inner, inner + length)
                }
                _ => continue,
            };
            if let Some(variable) = self.find_variable(name.of(self.text)) {
                self.note(variable, FLAG_USED | FLAG_MISUSED);
                self.touch(variable, None, Operand::Broken, &named(name));
            }
        }
    }

    /// Notes that a variable is named, if it is an operand of the host or an alias of one.
    fn touch(&mut self, variable: VariableId, writes: Option<bool>, form: Operand, spans: &OperandSpans) {
        let root = self.program.variables[variable].root;
        let instruction = InstructionIndex::from_index(self.program.instructions.len());
        let Some(fragment) = &mut self.program.fragment else { return };
        // They are declared in their order.
        let Ok(operand) = fragment.operands.binary_search_by_key(&root, |o| o.variable) else { return };
        let OperandSpans { whole, name, region: region_span, .. } = *spans;
        // Names that are not known may be those of different variables.
        let guesses = &fragment.guessed_operands;
        let guess = guesses.get(guesses.partition_point(|guess| guess.span.start < name.start));
        if guess.is_some_and(|guess| guess.span.start < name.end) {
            return;
        }
        let operand = operand as u32;
        fragment.touches.push(Touch { instruction, operand, variable, writes, form, whole, name, region_span });
    }

    /// Notes a value of an address.
    pub(in crate::lower) fn touch_read(&mut self, variable: VariableId, place: Span) {
        if self.program.fragment.is_some() {
            self.touch(variable, Some(false), Operand::Broken, &named(place));
        }
    }

    /// Notes what an operand of an instruction names. One whose type or size is not known is left at that: later checks look
    /// at its form alone.
    pub(in crate::lower) fn fragment_operand(
        &mut self,
        operand: Operand,
        writes: bool,
        spans: &OperandSpans,
    ) -> Operand {
        let Some(variable) = operand.variable() else { return operand };
        self.touch(variable, Some(writes), operand, spans);
        if !self.program.variables[variable].is(FLAG_OPEN) {
            return operand;
        }
        // Data of messages have their own type and size.
        if matches!(operand, Operand::LscData { .. }) {
            return operand;
        }
        if writes && !self.program.variables[variable].is(FLAG_OPERAND) {
            self.note(variable, FLAG_MISUSED);
        }
        let instruction = InstructionIndex::from_index(self.program.instructions.len());
        if let Some(fragment) = &mut self.program.fragment {
            fragment.forms.push(Form { instruction, operand, whole: spans.whole });
        }
        Operand::Broken
    }

    /// Notes the form of an operand whose name is not known.
    pub(in crate::lower) fn note_form(&mut self, region: Region, modifier: SourceModifier, whole: Span) {
        let instruction = InstructionIndex::from_index(self.program.instructions.len());
        let operand = Operand::General { variable: VariableId::NULL, row: 0, column: 0, region, modifier };
        if let Some(fragment) = &mut self.program.fragment {
            fragment.forms.push(Form { instruction, operand, whole });
        }
    }

    /// Notes the shape of data whose name is not known.
    pub(in crate::lower) fn note_shape(&mut self, shape: LscShape, whole: Span) {
        let instruction = InstructionIndex::from_index(self.program.instructions.len());
        let Some(fragment) = &mut self.program.fragment else { return };
        let place = self.program.lsc_shapes.len() as u32;
        self.program.lsc_shapes.push(shape);
        let operand = Operand::LscData { variable: VariableId::NULL, byte_offset: 0, shape: place };
        fragment.forms.push(Form { instruction, operand, whole });
    }

    /// Whether a name stands for an operand of the vector backend, which brings its region with it; notes that it is named.
    pub(in crate::lower) fn brings_region(&mut self, name: Span, writes: bool) -> bool {
        let variable = self.vector_operand(name);
        if let Some(variable) = variable {
            self.touch(variable, Some(writes), Operand::Broken, &named(name));
        }
        variable.is_some()
    }

    /// The variable of the vector backend that a name stands for.
    fn vector_operand(&self, name: Span) -> Option<VariableId> {
        self.program.fragment.as_ref().filter(|f| f.is_vector)?;
        self.find_variable(name.of(self.text)).filter(|v| self.program.variables[*v].is(FLAG_OPERAND))
    }

    /// What an operand of the vector backend becomes that brings its region with it: all of its elements, or the one that it
    /// has. Nothing if its type is not known. Bytes, which conversions place with gaps, are left alone.
    pub(in crate::lower) fn with_own_region(
        &self,
        name: Span,
        writes: bool,
        modifier: SourceModifier,
    ) -> Option<Operand> {
        let variable = self.vector_operand(name)?;
        let row = &self.program.variables[variable];
        if row.is(FLAG_OPEN) || row.element_type.bytes() == 1 {
            return None;
        }
        let region = match (writes, row.n_elements) {
            (true, _) => Region { vertical_stride: 0, width: 1, horizontal_stride: 1, form: RegionForm::Stride },
            (false, 1) => Region::SCALAR,
            (false, _) => Region { vertical_stride: 1, width: 1, horizontal_stride: 0, form: RegionForm::Full },
        };
        Some(Operand::General { variable, row: 0, column: 0, region, modifier })
    }

    /// Whether a name stands for a number that the host hands over.
    pub(in crate::lower) fn is_host_number(&self, name: Span) -> bool {
        self.program.fragment.is_some()
            && self.find_variable(name.of(self.text)).is_some_and(|v| self.program.variables[v].is(FLAG_IMMEDIATE))
    }
}
