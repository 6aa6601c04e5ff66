//! Lives of variables. Whether a variable is within its life is held as if it were the first bit of a predicate: so it is
//! followed over branches and loops like everything else.

use crate::interp::state::Reader;
use crate::program::{Operand, VariableId, View};
use crate::spec::family::Marker;

impl Reader<'_> {
    /// The variable whose life an instruction begins (true) or ends, if that is asked for.
    #[must_use]
    pub fn marked_life(&self, view: &View) -> Option<(VariableId, bool)> {
        let lives = &self.cx().launch.lives;
        if lives.is_empty() {
            return None;
        }
        let begins = match view.row.marker? {
            Marker::LifetimeStart => true,
            Marker::LifetimeEnd => false,
            Marker::File | Marker::Line => return None,
        };
        let Some(Operand::Variable { variable }) = view.operands.first() else { return None };
        lives.follows(*variable).then_some((*variable, begins))
    }
}
