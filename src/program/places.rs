//! All places of a program, to move them when its text is edited or to copy an instruction.

use super::lsc::{LscAddress, LscItem};
use super::object::AttributeValue;
use super::{Attribute, Input, InstructionSpans, OperandSpans, Program, VariableSpans};
use crate::base::span::{Shift, Span};

impl InstructionSpans {
    /// All of them.
    pub(crate) fn places(&mut self) -> [&mut Span; 6] {
        let Self { statement, mnemonic, predicate, exec, mask, size } = self;
        [statement, mnemonic, predicate, exec, mask, size]
    }
}

impl OperandSpans {
    /// All of them.
    pub(crate) fn places(&mut self) -> [&mut Span; 5] {
        let Self { whole, name, offset, region, suffix } = self;
        [whole, name, offset, region, suffix]
    }
}

impl LscAddress {
    /// Its places, without those of its items.
    pub(crate) fn places(&mut self) -> [&mut Span; 4] {
        [&mut self.model_span, &mut self.surface_span, &mut self.surface_index_span, &mut self.size_span]
    }
}

impl LscItem {
    /// Its places.
    pub(crate) fn places(&mut self) -> [&mut Span; 4] {
        [&mut self.span, &mut self.value_span, &mut self.scale_span, &mut self.displacement_span]
    }
}

impl Program {
    /// Moves every place of the program. What the program says does not change.
    pub fn move_places(&mut self, shift: Shift) {
        let each = |span: &mut Span| shift.apply(span);
        self.version.iter_mut().for_each(|(_, _, span)| each(span));
        self.platform_trailer.iter_mut().for_each(|(_, span)| each(span));
        for object in self.objects.as_mut_slice() {
            each(&mut object.span);
            each(&mut object.name_span);
        }
        for VariableSpans { statement, name, element_type, n_elements, align, alias, alias_offset } in
            self.variable_spans.as_mut_slice()
        {
            [statement, name, element_type, n_elements, align, alias, alias_offset].into_iter().for_each(each);
        }
        for spans in self.instruction_spans.as_mut_slice() {
            spans.places().into_iter().for_each(each);
        }
        for spans in &mut self.operand_spans {
            spans.places().into_iter().for_each(each);
        }
        self.modifiers.iter_mut().for_each(|modifier| each(&mut modifier.span));
        self.labels.as_mut_slice().iter_mut().for_each(|label| each(&mut label.span));
        for Attribute { name: _, name_span, value, value_span, statement } in &mut self.attributes {
            [name_span, value_span, statement].into_iter().for_each(each);
            if let AttributeValue::Text(text) = value {
                each(text);
            }
        }
        for Input { directive, name_span, offset_span, size_span, .. } in &mut self.inputs {
            [directive, name_span, offset_span, size_span].into_iter().for_each(each);
        }
        self.label_lists.iter_mut().for_each(|(_, span)| each(span));
        for address in &mut self.lsc_addresses {
            address.places().into_iter().for_each(each);
        }
        for item in &mut self.lsc_items {
            item.places().into_iter().for_each(each);
        }
        self.diagnostics.iter_mut().chain(&mut self.left_out).for_each(|diagnostic| diagnostic.move_places(shift));
    }
}
