//! The places of a program when its text is edited.

use super::object::AttributeValue;
use super::{Attribute, Input, InstructionSpans, OperandSpans, Program, VariableSpans};
use crate::base::span::{Shift, Span};

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
        for InstructionSpans { statement, mnemonic, predicate, exec, mask, size } in
            self.instruction_spans.as_mut_slice()
        {
            [statement, mnemonic, predicate, exec, mask, size].into_iter().for_each(each);
        }
        for OperandSpans { whole, name, offset, region, suffix } in &mut self.operand_spans {
            [whole, name, offset, region, suffix].into_iter().for_each(each);
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
            [
                &mut address.model_span,
                &mut address.surface_span,
                &mut address.surface_index_span,
                &mut address.size_span,
            ]
            .into_iter()
            .for_each(each);
        }
        for item in &mut self.lsc_items {
            [&mut item.span, &mut item.value_span, &mut item.scale_span, &mut item.displacement_span]
                .into_iter()
                .for_each(each);
        }
        self.diagnostics.iter_mut().chain(&mut self.left_out).for_each(|diagnostic| diagnostic.move_places(shift));
    }
}
