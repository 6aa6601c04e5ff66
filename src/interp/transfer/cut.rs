//! Floats that are cut to integers.

use crate::interp::domain::Value;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::Reader;
use crate::interp::transfer::operand::Source;
use crate::program::View;
use crate::spec::Type;

impl Reader<'_> {
    /// The integers of a type to which floats are cut.
    pub(in crate::interp::transfer) fn cut(&mut self, view: &View, to: Type, source: &Source) -> Option<Lanes<Value>> {
        let function = Function::Instruction(view.instruction.spec?, to, source.kind, view.instruction.saturate);
        Some(source.lanes.map(|float| self.domain.cut_float(function, float)))
    }
}
