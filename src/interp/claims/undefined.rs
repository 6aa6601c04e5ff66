//! What is read where nothing has been written.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Fact, FactKind};
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::{self, reads_predicate};
use crate::interp::transfer::Observed;
use crate::program::{InstructionIndex, VariableId, View};
use crate::spec::Type;
use crate::spec::family::Check;
use crate::spec::instruction::Flow;

impl<'p> Claims<'_, 'p> {
    /// Reports predicate bits that nothing has written.
    pub(in crate::interp) fn watch_predicate(&mut self, view: &View<'p>, variable: VariableId) {
        if !reads_predicate(view) {
            return;
        }
        let (first, n) = match view.row.flow {
            Flow::Jump => (0, 1),
            _ => (view.first_lane(), view.n_lanes()),
        };
        let exec_mask = if view.instruction.no_mask || view.row.flow == Flow::Jump {
            Lanes::run(self.reader.state().reached, n)
        } else {
            let state::Flow { uniform, ref active } = self.reader.state().flow;
            let active = active.slice(first, n);
            active.map(|active| self.reader.domain.and(uniform, active))
        };
        if let Some(unset) = self.reader.predicate_gap(variable, first, &exec_mask) {
            self.report_at(view.index, FactKind::Observed(Observed::UndefinedPredicate(unset)));
        }
    }

    /// Notes variables of which is asked whether they are within their life, where that is not certain.
    pub(in crate::interp) fn watch_lives(&mut self, view: &View<'p>) {
        let lives = &self.reader.cx().launch.lives;
        for (place, variable) in (0_u8..).zip(lives.at(view.index)) {
            let reached = self.reader.state().reached;
            let held = self.reader.predicate(variable).map(|held| (held.bits.at(0), held.defined.at(0)));
            let (is_alive, has_begun) = held.unwrap_or((Condition::FALSE, Condition::FALSE));
            let is_alive = self.reader.domain.and(is_alive, has_begun);
            if !self.reader.domain.given(is_alive, reached).is_true() {
                let kind = FactKind::OutsideLife { variable };
                self.record.facts.add(Fact::new(view.index, Some(place), kind));
            }
        }
    }

    /// Reports operations that need denormal numbers where these are known to be off.
    pub(in crate::interp) fn check_denormals(&mut self, view: &View<'p>) {
        if !view.row.has(Check::Denormals) {
            return;
        }
        let Some(kind) = self.reader.destination_type(&view.operands[0]) else { return };
        let bit = if kind == Type::DF { 0x40 } else { 0x80 };
        let Some((root, _)) = VariableId::of_predefined("%cr0").and_then(|v| self.reader.cx().root(v)) else { return };
        let Some(element) = self.reader.existing_with_values(root).and_then(|(held, domain)| held.read(domain, 0, 4))
        else {
            return;
        };
        let state = self.reader.domain.bit_and(element.value, Value::known(bit, 4));
        let writer = element.presence.writer;
        if state.as_known() == Some(0) && writer != NO_WRITER {
            let since = InstructionIndex(writer);
            self.report_at(view.index, FactKind::DenormalsOff { since });
        }
    }
}
