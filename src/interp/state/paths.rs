//! What has happened on some of the paths that lead to an instruction, but not on all of them.

use crate::interp::domain::atom::Atom;
use crate::interp::domain::cases::Case;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value};
use crate::interp::state::content::{NO_WRITER, Presence};
use crate::interp::state::{PartingLoop, Reader, Undefined};
use crate::program::InstructionIndex;

/// Most pairs of conditions of one execution for which such a path is looked for.
const MAX_SEARCHES: usize = 2000;
/// Most loops whose first pass is looked at for one pair.
const MAX_TURNS: usize = 8;

/// Where something is so that is not so whenever an instruction is executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Path {
    /// On one of the paths that lead there.
    One,
    /// In the second pass of a loop, to which that branch goes back.
    SecondPass(InstructionIndex),
}

/// The first pass of a loop that is otherwise executed once for all passes.
pub struct FirstTurn {
    /// The loop's number in the plan.
    pub index: usize,
    /// Whether there was an earlier pass.
    pub earlier: Condition,
    /// Under what branches of all lanes are taken: in any pass, and in the first one.
    pub branches: Vec<(Condition, Condition)>,
    /// What stands for a value when a pass begins, and what it is in the first one, where that is known.
    pub values: Vec<(Atom, Value)>,
    /// The second pass, if it is not decided whether there is one.
    pub second: Option<SecondTurn>,
}

/// The second pass of such a loop.
pub struct SecondTurn {
    /// The branch that goes back to it.
    pub back: InstructionIndex,
    /// Under what the first pass leads to it.
    pub given: Condition,
    /// What stands for a value when a pass begins, and what it is in the second one.
    pub values: Vec<(Atom, Value)>,
    /// The instructions of the first pass that have written these.
    pub writers: Vec<InstructionIndex>,
    /// What stands for what is signalled at a barrier when a pass begins, and what it is in the second one.
    pub signalled: Vec<(Condition, Condition)>,
    /// Where lanes leave one by one: what stands for the first lane when a pass begins, which is in the second one.
    pub alive: Condition,
}

impl Reader<'_> {
    /// Whether some path leads to this instruction, with a lane that is active under `active`, on which `happened` is not
    /// so. False where no such path is found: where it depends on what is not known to be free.
    pub fn may_lack(&mut self, active: Condition, happened: Condition) -> bool {
        if happened.is_true() || active.is_false() {
            return false;
        }
        if self.domain.implies(active, happened) {
            return false;
        }
        let active = self.first_of(active);
        if let Some(known) = self.parted.get(&(active, happened)) {
            return *known;
        }
        if self.parted.len() >= MAX_SEARCHES {
            return false;
        }
        let found = self.domain.can_part(active, happened)
            || self.may_lack_at_first(active, happened)
            || self.may_lack_at_second(active, happened);
        self.parted.insert((active, happened), found);
        found
    }

    /// That the instruction is reached says of lanes that have parted only that some of them are here: the first one may be.
    fn first_of(&mut self, active: Condition) -> Condition {
        let (uniform, first) = (self.state.flow.uniform, self.state.flow.active.at(0));
        if active == self.state.reached && active != uniform { self.domain.and(uniform, first) } else { active }
    }

    /// The same for paths that have gone through a loop for the first time: what that pass decides is known.
    fn may_lack_at_first(&mut self, active: Condition, happened: Condition) -> bool {
        let domain = &mut self.domain;
        // In the first pass of one loop, or of several that were begun one after the other.
        let mut together = (active, happened);
        self.first_turns.iter().rev().take(MAX_TURNS).any(|turn| {
            let alone = in_first_pass(domain, turn, (active, happened));
            together = in_first_pass(domain, turn, together);
            // In any other pass.
            let later = (domain.given(active, turn.earlier), domain.given(happened, turn.earlier));
            let parts = |(active, lacking)| lacking != happened && domain.can_part(active, lacking);
            parts(alone) || together != alone && parts(together) || parts(later)
        })
    }

    /// The same for paths that have gone through a loop once, if they have signalled at a barrier there under a condition.
    fn may_lack_at_second(&mut self, active: Condition, happened: Condition) -> bool {
        let domain = &mut self.domain;
        self.first_turns.iter_mut().rev().take(MAX_TURNS).any(|turn| {
            let Some(second) = turn.second.as_mut().filter(|second| !second.signalled.is_empty()) else { return false };
            let case = Case { given: turn.earlier, replaced: std::mem::take(&mut second.values) };
            let mut there = |condition: Condition| {
                let condition = domain.given(condition, case.given);
                let condition = domain.condition_in_case(condition, &case);
                second
                    .signalled
                    .iter()
                    .fold(condition, |condition, (any, then)| replaced(domain, condition, *any, *then))
            };
            let (active, happened) = (there(active), there(happened));
            second.values = case.replaced;
            let active = domain.and(second.given, active);
            domain.can_part(active, happened)
        })
    }

    /// What a value is in first passes of loops that some path leads here in, for a lane that is active under `active`.
    pub(in crate::interp) fn values_at_first(&mut self, value: Value, active: Condition) -> Vec<Value> {
        let mut found = Vec::new();
        for i in (0..self.first_turns.len()).rev().take(MAX_TURNS) {
            let turn = &mut self.first_turns[i];
            let earlier = turn.earlier;
            let case = Case { given: earlier.not(), replaced: std::mem::take(&mut turn.values) };
            let first = self.domain.in_case(value, &case);
            self.first_turns[i].values = case.replaced;
            if first.is_known() && first != value && self.may_lack(active, earlier) {
                found.push(first);
            }
        }
        found
    }

    /// Whether there is a loop of which something is known of the second pass.
    pub(in crate::interp) fn has_second_turn(&self) -> bool {
        self.first_turns.iter().any(|turn| turn.second.as_ref().is_some_and(|second| !second.values.is_empty()))
    }

    /// The instructions of the first pass of a loop that have written what the second one begins with, if that branch leads
    /// to it.
    pub(in crate::interp) fn written_before(&self, back: InstructionIndex) -> &[InstructionIndex] {
        let mut seconds = self.first_turns.iter().filter_map(|turn| turn.second.as_ref());
        seconds.find(|second| second.back == back).map_or(&[], |second| &second.writers)
    }

    /// What values are in second passes of loops that some path leads here in, for a lane that is active under `active`: the
    /// first of them that are other ones than in any pass, and the branch that goes back to that pass.
    pub(in crate::interp) fn values_at_second(
        &mut self,
        values: &[Value],
        active: Condition,
    ) -> Option<(Vec<Value>, InstructionIndex)> {
        let (second, back, _) = self.second_of(values, active)?;
        Some((second, back))
    }

    /// The numbers that a value is in such a pass, on one path or several, and the branch that goes back to that pass.
    pub(in crate::interp) fn numbers_at_second(
        &mut self,
        value: Value,
        active: Condition,
    ) -> Option<(Vec<u64>, InstructionIndex)> {
        let (second, back, reached) = self.second_of(&[value], active)?;
        let mut numbers = Vec::new();
        for (given, value) in self.domain.paths(*second.first()?) {
            let reached = self.domain.and(reached, given);
            if let Some(number) = value.as_known()
                && self.domain.can_part(reached, Condition::FALSE)
            {
                numbers.push(number);
            }
        }
        Some((numbers, back))
    }

    /// What [`Self::values_at_second`] says, and under what the lane comes here in that pass.
    fn second_of(&mut self, values: &[Value], active: Condition) -> Option<(Vec<Value>, InstructionIndex, Condition)> {
        let active = self.first_of(active);
        for i in (0..self.first_turns.len()).rev().take(MAX_TURNS) {
            let Some(turn) = self.first_turns[i].second.take_if(|second| !second.values.is_empty()) else { continue };
            let case = Case { given: self.first_turns[i].earlier, replaced: turn.values };
            let second: Vec<Value> = values.iter().map(|value| self.domain.in_case(*value, &case)).collect();
            let reached = (second != values).then(|| {
                let active = self.domain.given(active, case.given);
                let active = self.domain.given(active, turn.alive);
                let active = self.domain.condition_in_case(active, &case);
                self.domain.and(turn.given, active)
            });
            let back = turn.back;
            self.first_turns[i].second = Some(SecondTurn { values: case.replaced, ..turn });
            if let Some(reached) = reached {
                return self.domain.can_part(reached, Condition::FALSE).then_some((second, back, reached));
            }
        }
        None
    }

    /// A loop around an instruction of which one lane may begin a pass, and another one not, if that lane then comes to the
    /// instruction as one of those that are `active`.
    pub(in crate::interp) fn in_parting_loop(&mut self, active: &Lanes<Condition>) -> Option<&PartingLoop> {
        let domain = &mut self.domain;
        self.parting_loops.iter().rev().find(|of| {
            let (here, alive) = (active.at(of.here), of.alive.at(of.here));
            !here.is_true() && domain.given(here, alive).is_true()
        })
    }

    /// The first lane that reads something that is undefined on one of the paths.
    pub(in crate::interp) fn lacking(
        &mut self,
        exec_mask: &Lanes<Condition>,
        at: impl Fn(u32) -> Presence,
    ) -> Option<Undefined> {
        // Of a run of lanes one is looked at, and one more where only what has been written differs from lane to lane: the
        // condition of all lanes may be that of the first one.
        let mut last = None;
        let mut n_alike = 0;
        (0..exec_mask.len()).find_map(|lane| {
            let presence = at(lane);
            let pair = (exec_mask.at(lane), presence.defined);
            if pair.0.is_false() || pair.1.as_known().is_some() {
                return None;
            }
            let left_by = self.destroyer(presence.writer);
            if left_by.is_none() && self.cx.launch.skips_paths {
                return None;
            }
            let follows = |a: Condition, b: Condition| a == b || a.run_with(b).is_some();
            let before = last.replace(pair);
            let is_alike = before.is_some_and(|(active, defined)| follows(active, pair.0) && follows(defined, pair.1));
            n_alike = if is_alike { n_alike + 1 } else { 0 };
            let differs_alone = before.is_some_and(|before| before.0 == pair.0 && before.1 != pair.1);
            if n_alike > 1 || is_alike && (pair.0.is_true() || !differs_alone) {
                return None;
            }
            self.may_lack(pair.0, pair.1).then_some(Undefined {
                lane,
                is_partial: false,
                is_possible: true,
                left_by,
                pointed: None,
            })
        })
    }

    /// The writer of an element, if that is a call, which destroys more than it writes.
    pub(in crate::interp) fn destroyer(&self, writer: u32) -> Option<InstructionIndex> {
        let index = InstructionIndex(writer);
        let is_call = writer != NO_WRITER
            && self
                .cx
                .program
                .instructions
                .get(index)
                .and_then(|i| self.cx.program.row(i))
                .is_some_and(|row| row.flow == crate::spec::instruction::Flow::FunctionCall);
        is_call.then_some(index)
    }
}

/// Two conditions where a loop has its first pass.
fn in_first_pass(
    domain: &mut Domain,
    turn: &FirstTurn,
    (active, happened): (Condition, Condition),
) -> (Condition, Condition) {
    let is_first = turn.earlier.not();
    let mut lacking = domain.given(happened, is_first);
    let mut active = domain.given(active, is_first);
    for (any, first) in &turn.branches {
        active = replaced(domain, active, *any, *first);
        lacking = replaced(domain, lacking, *any, *first);
    }
    (active, lacking)
}

/// A condition with another one instead of one that it depends on.
fn replaced(domain: &mut Domain, condition: Condition, old: Condition, new: Condition) -> Condition {
    let where_so = domain.given(condition, old);
    let where_not = domain.given(condition, old.not());
    if where_so == where_not {
        return where_so;
    }
    let where_so = domain.and(new, where_so);
    let where_not = domain.and(new.not(), where_not);
    domain.or(where_so, where_not)
}
