//! Whether two lanes of one message write a common byte.
//!
//! A claim that they do holds for every value of what is not known, given that the message is reached. Each one is tried
//! with numbers for the unknowns before it is made.

mod cases;
mod data;
mod meeting;

pub(in crate::interp) use data::{common_bytes, compare_values};

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Cases, Doubt, Exemption, FactKind, Overlap, Proof, Values, Verdict};
use crate::interp::domain::Value;
use crate::interp::domain::concrete::Assignment;
use crate::interp::domain::condition::Condition;
use crate::interp::transfer::message::{Message, Part, Space};
use crate::program::variable::VariableId;
use crate::program::{InstructionIndex, View};
use crate::spec::family::Check;
use crate::spec::instruction::{AccessKind, SameAddress};
use meeting::{Distance, Writer, distance, meet, pairs, sure_writers};

/// Choices of numbers for the unknowns that a claim has to survive.
const N_TRIALS: u64 = 6;
/// Pairs whose data are compared.
const MAX_COMPARED: u32 = 32 * 31 / 2;

/// What was decided about a message.
struct Decision {
    verdict: Verdict,
    /// The graver of the pairs that meet for certain: lanes, parts, data.
    witness: Option<Witness>,
    proof: Proof,
    cases: Cases,
}

#[derive(Clone, Copy)]
struct Witness {
    lanes: (u32, u32),
    pieces: (usize, usize),
    values: Values,
}

impl<'p> Claims<'_, 'p> {
    /// Decides about the lanes of a message that writes, and records what is to be said.
    pub fn check_overlap(&mut self, view: &View<'p>, message: &Message) {
        let exemption = exemption(message);
        if let Some(exemption) = exemption {
            self.record.facts.note_verdict(view.index, Verdict::Exempt(exemption));
            if exemption == Exemption::Atomic && !message.coordinates.is_empty() {
                self.check_order(view, message);
            }
            return;
        }
        if message.coordinates.is_empty() {
            self.record.facts.note_verdict(view.index, Verdict::Unknown(Doubt::Addresses));
            return;
        }
        let writers = self.writers(message);
        let decision = self.decide(view, message, &writers);
        self.record.facts.note_verdict(view.index, decision.verdict);
        match (decision.verdict, decision.witness) {
            (Verdict::Must, Some(witness)) => self.report_overlap(view, message, &writers, &decision, witness),
            (Verdict::Conditional, witness) => {
                let kind = FactKind::PossibleOverlap {
                    doubt: Doubt::Activity,
                    lanes: witness.map(|w| numbered(view, w.lanes)),
                };
                self.report(view, message.address_place, kind);
            }
            (Verdict::Unknown(doubt), witness) => {
                let kind = FactKind::PossibleOverlap { doubt, lanes: witness.map(|w| numbered(view, w.lanes)) };
                self.report(view, message.address_place, kind);
            }
            _ => {}
        }
    }

    /// Records lanes that meet on one of the paths, that where `given` holds; the message stands for that one. Both lanes
    /// have to be able to come there.
    pub(super) fn check_overlap_on_path(&mut self, view: &View<'p>, message: &Message, given: Condition) {
        if exemption(message).is_some() || message.coordinates.is_empty() {
            return;
        }
        let writers = self.writers(message);
        let decision = self.decide(view, message, &writers);
        let (Verdict::Must, Some(witness)) = (decision.verdict, decision.witness) else { return };
        let (a, b) = witness.lanes;
        let both = self.reader.domain.and(message.exec_mask.at(a), message.exec_mask.at(b));
        if self.reader.may_lack(both, given.not()) {
            self.report_overlap(view, message, &writers, &decision, witness);
        }
    }

    fn writers(&mut self, message: &Message) -> Vec<Writer> {
        let mut writers = Vec::with_capacity(message.exec_mask.len() as usize);
        for lane in 0..message.exec_mask.len() {
            let active = message.exec_mask.at(lane);
            if active.is_false() || !message.pieces.iter().any(|p| p.possible >> lane & 1 == 1) {
                continue;
            }
            let reached = self.reader.state().reached;
            let active = self.reader.domain.given(active, reached);
            if active.is_false() {
                continue;
            }
            let place = message.coordinates.iter().map(|c| c.at(lane)).collect();
            writers.push(Writer { lane, active, place });
        }
        writers
    }

    fn decide(&mut self, view: &View<'p>, message: &Message, writers: &[Writer]) -> Decision {
        let mut decision =
            Decision { verdict: Verdict::Never, witness: None, proof: Proof::Pair, cases: Cases::default() };
        if writers.len() < 2 {
            return decision;
        }
        let span = message.span();
        let mut undecided = false;
        let mut conditional = None;
        let mut compared = 0;
        'pairs: for (i, a) in writers.iter().enumerate() {
            for b in &writers[i + 1..] {
                let meeting = match distance(a, b) {
                    Distance::Known(distance) => meet(message, span, (a.lane, b.lane), distance),
                    Distance::Different => None,
                    Distance::Unknown => {
                        undecided = true;
                        None
                    }
                };
                let Some((pieces, is_certain)) = meeting else { continue };
                let is_live = a.active == b.active || a.active.is_true() && b.active.is_true();
                if !is_live || !is_certain {
                    if conditional.is_none() {
                        let values = self.compare_data(view, message, (a, b)).0;
                        conditional = Some(Witness { lanes: (a.lane, b.lane), pieces, values });
                    }
                    continue;
                }
                let values = if compared < MAX_COMPARED {
                    compared += 1;
                    self.compare_data(view, message, (a, b))
                } else {
                    (Values::Unknown, pieces)
                };
                let graver = decision.witness.is_none_or(|w| w.values < values.0);
                if graver {
                    decision.witness = Some(Witness { lanes: (a.lane, b.lane), pieces: values.1, values: values.0 });
                }
                if values.0 == Values::Different {
                    break 'pairs;
                }
            }
        }
        if decision.witness.is_some() {
            decision.verdict = Verdict::Must;
        } else if undecided {
            self.decide_further(view, message, writers, &mut decision);
            decision.witness = decision.witness.or(conditional);
        } else if conditional.is_some() {
            decision.verdict = Verdict::Conditional;
            decision.witness = conditional;
        }
        if decision.verdict == Verdict::Must && !self.is_confirmed(message, writers, &decision) {
            decision.verdict = Verdict::Unknown(Doubt::Addresses);
        }
        decision
    }

    /// What no pair of forms shows: fewer places than lanes, or a distinction of cases.
    fn decide_further(&mut self, view: &View<'p>, message: &Message, writers: &[Writer], decision: &mut Decision) {
        decision.verdict = Verdict::Unknown(Doubt::Addresses);
        let sure = sure_writers(message, writers);
        if sure.len() >= 2 {
            let n_places = self.places(message, &sure);
            if n_places < sure.len() as u32 {
                let values = self.weakest_data(view, message, &sure);
                // Where not every two lanes store different values, those that meet may.
                if values != Values::Different
                    && self.decide_by_cases(view, message, &sure, decision)
                    && decision.witness.is_some_and(|w| w.values == Values::Different)
                {
                    return;
                }
                *decision = Decision {
                    verdict: Verdict::Must,
                    witness: Some(Witness { lanes: (sure[0].lane, sure[1].lane), pieces: (0, 0), values }),
                    proof: Proof::Pigeonhole { n_lanes: sure.len() as u32, n_places },
                    cases: Cases::default(),
                };
                return;
            }
            if self.decide_by_cases(view, message, &sure, decision) {
                return;
            }
            // Of most messages the next two are as far apart as the others.
            let next = sure.windows(2).find(|pair| matches!(distance(pair[0], pair[1]), Distance::Unknown));
            if let Some(&[a, b]) = next
                && let Some(values) = self.always_meet(view, message, (a, b))
            {
                decision.verdict = Verdict::Must;
                decision.witness = Some(Witness { lanes: (a.lane, b.lane), pieces: (0, 0), values });
                return;
            }
        }
        if self.never_meet(message, writers) {
            decision.verdict = Verdict::Never;
        }
    }

    /// Whether the forms keep every pair of lanes apart.
    fn never_meet(&mut self, message: &Message, writers: &[Writer]) -> bool {
        let span = i128::from(message.span());
        if message.space == Space::Typed {
            return false;
        }
        pairs(writers).all(|(a, b)| match distance(a, b) {
            Distance::Known(d) => meet(message, message.span(), (a.lane, b.lane), d).is_none(),
            Distance::Different => true,
            Distance::Unknown => {
                let (Some(&x), Some(&y)) = (a.place.first(), b.place.first()) else { return false };
                self.reader.domain.least_distance(x, y) >= span
            }
        })
    }

    /// Whether the claim survives numbers for what is not known.
    fn is_confirmed(&self, message: &Message, writers: &[Writer], decision: &Decision) -> bool {
        let span = message.span();
        let sure = sure_writers(message, writers);
        (0..N_TRIALS).all(|seed| {
            let mut assignment = Assignment::new(&self.reader.domain, seed, |_| None);
            let numbers = |w: &Writer, assignment: &mut Assignment<'_, _>| Writer {
                lane: w.lane,
                active: Condition::TRUE,
                place: w.place.iter().map(|v| Value::known(assignment.value(*v), v.bytes)).collect(),
            };
            let meets = |a: &Writer, b: &Writer| match distance(a, b) {
                Distance::Known(d) => meet(message, span, (a.lane, b.lane), d).is_some_and(|m| m.1),
                _ => false,
            };
            if let (Proof::Pair, Some(witness)) = (decision.proof, decision.witness) {
                let find = |lane| writers.iter().find(|w: &&Writer| w.lane == lane);
                match (find(witness.lanes.0), find(witness.lanes.1)) {
                    (Some(a), Some(b)) => {
                        let (a, b) = (numbers(a, &mut assignment), numbers(b, &mut assignment));
                        meets(&a, &b)
                    }
                    _ => false,
                }
            } else {
                let all: Vec<Writer> = sure.iter().map(|w| numbers(w, &mut assignment)).collect();
                pairs(&all).any(|(a, b)| meets(a, b))
            }
        })
    }

    fn report_overlap(
        &mut self,
        view: &View<'p>,
        message: &Message,
        writers: &[Writer],
        decision: &Decision,
        witness: Witness,
    ) {
        let find = |lane: u32| writers.iter().find(|w| w.lane == lane);
        let (Some(a), Some(b)) = (find(witness.lanes.0), find(witness.lanes.1)) else { return };
        let is_masked = !view.instruction.no_mask && view.row.execution.has_mask();
        let describe_piece = |writer: &Writer, piece: usize| {
            let offset = message.pieces.get(piece).map_or(0, |p| p.offset);
            let words: Vec<String> = writer
                .place
                .iter()
                .map(|v| self.reader.in_words(if message.space == Space::Typed { *v } else { v.plus(offset) }))
                .collect();
            if words.len() == 1 { words.concat() } else { format!("({})", words.join(", ")) }
        };
        let addresses = (describe_piece(a, witness.pieces.0), describe_piece(b, witness.pieces.1));
        let data = if witness.values == Values::Different {
            let x = self.reader.datum(view, message, a.lane, witness.pieces.0);
            let y = self.reader.datum(view, message, b.lane, witness.pieces.1);
            (x.map_or(String::new(), |v| self.reader.in_words(v)), y.map_or(String::new(), |v| self.reader.in_words(v)))
        } else {
            (String::new(), String::new())
        };
        let may_agree = witness.values == Values::Unknown
            && (&a.place, witness.pieces.0) == (&b.place, witness.pieces.1)
            && self.data_may_agree(view, message, witness);
        let part = |piece: usize| message.pieces.get(piece).map_or(Part::Whole, |p| p.part);
        let first = &writers[0];
        let is_uniform = writers.iter().all(|w| w.place == first.place);
        let overlap = Overlap {
            lanes: numbered(view, witness.lanes),
            parts: (part(witness.pieces.0), part(witness.pieces.1)),
            addresses,
            data,
            values: witness.values,
            may_agree,
            proof: decision.proof,
            cases: decision.cases.clone(),
            same_address: message.same_address,
            is_typed: message.space == Space::Typed,
            is_uniform,
            assumes_dispatch: is_masked && self.reader.cx().may_skip_lanes(),
        };
        let trail = self.address_trail(view, message);
        self.report_with(view, message.address_place, FactKind::Overlap(Box::new(overlap)), trail);
    }

    /// The instructions through which the addresses of a message came.
    #[must_use]
    pub fn address_trail(&self, view: &View, message: &Message) -> Vec<InstructionIndex> {
        self.record.writers.trail(self.record.writers.of(view, message.address_place))
    }

    /// Atomic stores of different values to one place: the last one wins, and which one that is is undefined. A store that
    /// gives the old value back is an exchange, where each lane takes what another one left.
    fn check_order(&mut self, view: &View<'p>, message: &Message) {
        let gives_back = view
            .each_operand()
            .any(|(operand, _, slot)| slot.role.writes() && operand.variable().is_some_and(|v| v != VariableId::NULL));
        if !view.row.has(Check::LastStore) || gives_back {
            return;
        }
        let writers = self.writers(message);
        let span = message.span();
        for (a, b) in pairs(&writers) {
            let Distance::Known(d) = distance(a, b) else { continue };
            let is_live = a.active == b.active || a.active.is_true() && b.active.is_true();
            if !is_live || meet(message, span, (a.lane, b.lane), d).is_none() {
                continue;
            }
            if self.compare_data(view, message, (a, b)).0 == Values::Different {
                let address = a.place.first().map_or(String::new(), |v| self.reader.in_words(*v));
                let kind = FactKind::OrderDependent { lanes: numbered(view, (a.lane, b.lane)), address };
                let trail = self.address_trail(view, message);
                return self.report_with(view, message.address_place, kind, trail);
            }
        }
    }
}

/// Why it does not matter whether lanes of a message meet.
fn exemption(message: &Message) -> Option<Exemption> {
    let is_specified = !matches!(message.same_address, SameAddress::Undefined | SameAddress::UndefinedIfDifferent);
    match message.kind {
        AccessKind::Read => Some(Exemption::Reads),
        _ if !message.is_per_lane => Some(Exemption::OneAccess),
        AccessKind::Atomic => Some(Exemption::Atomic),
        _ if is_specified => Some(Exemption::Specified),
        AccessKind::Write => None,
    }
}

/// Lanes of an instruction as lanes of the thread.
fn numbered(view: &View, (a, b): (u32, u32)) -> (u32, u32) {
    (a + view.first_lane(), b + view.first_lane())
}
