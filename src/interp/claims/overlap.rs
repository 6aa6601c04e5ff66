//! Whether two lanes of one message write a common byte.
//!
//! A claim that they do holds for every value of what is not known, given that the message is reached. Each one is tried
//! with numbers for the unknowns before it is made.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Cases, Doubt, Exemption, FactKind, Overlap, Proof, Values, Verdict};
use crate::interp::domain::cases::{Case, Splits};
use crate::interp::domain::concrete::Assignment;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::{Domain, Value, mask, sign_extended};
use crate::interp::transfer::message::{Message, Part, Space};
use crate::program::variable::VariableId;
use crate::program::{InstructionIndex, View};
use crate::spec::family::Check;
use crate::spec::instruction::{AccessKind, SameAddress};

/// Most conditions and bits that are split into cases.
const MAX_SPLITS: usize = 6;
/// Cases that may be looked at in one kernel; each costs up to 32 lanes.
pub const MAX_CASES: u32 = 4096;
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

/// A lane that writes: its number, the condition, its coordinates.
struct Writer {
    lane: u32,
    active: Condition,
    place: Vec<Value>,
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
            if decision.verdict != Verdict::Must && decision.witness.is_none() {
                decision.witness = conditional;
            }
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
            if let Some(n_places) = self.places(message, &sure)
                && n_places < sure.len() as u32
            {
                decision.proof = Proof::Pigeonhole { n_lanes: sure.len() as u32, n_places };
                decision.verdict = Verdict::Must;
                let values = self.weakest_data(view, message, &sure);
                decision.witness = Some(Witness { lanes: (sure[0].lane, sure[1].lane), pieces: (0, 0), values });
                return;
            }
            if self.decide_by_cases(view, message, &sure, decision) {
                return;
            }
        }
        if self.never_meet(message, writers) {
            decision.verdict = Verdict::Never;
        }
    }

    /// How many places the lanes can have at most, so that no two of them meet.
    fn places(&mut self, message: &Message, writers: &[&Writer]) -> Option<u32> {
        let mut n_places = 1_u32;
        for i in 0..message.coordinates.len() {
            let values: Vec<Value> = writers.iter().map(|w| w.place[i]).collect();
            let rests = self.reader.domain.without_common(&values);
            let mut all: Vec<u64> = Vec::new();
            for rest in rests {
                all.extend(self.reader.domain.set(rest)?);
                all.sort_unstable();
                all.dedup();
                if all.len() > 64 {
                    return None;
                }
            }
            let n = match message.pieces.as_slice() {
                // Whole lanes have to fit side by side.
                [piece] if message.space != Space::Typed => packed(&all, u64::from(piece.bytes)),
                _ => all.len() as u32,
            };
            n_places = n_places.saturating_mul(n);
        }
        Some(n_places)
    }

    /// Whether two lanes meet in every case of a few conditions and low bits.
    fn decide_by_cases(
        &mut self,
        view: &View<'p>,
        message: &Message,
        sure: &[&Writer],
        decision: &mut Decision,
    ) -> bool {
        let mut splits = Splits::default();
        for writer in sure {
            for value in &writer.place {
                self.reader.domain.splits(*value, &mut splits);
            }
            if splits.conditions.len() > MAX_SPLITS {
                return false;
            }
        }
        let bits: u32 = splits.residues.iter().map(|(_, bits)| *bits).sum();
        let n_bits = splits.conditions.len() as u32 + bits;
        if n_bits == 0 || n_bits > MAX_SPLITS as u32 || self.record.n_cases + (1 << n_bits) > MAX_CASES {
            return false;
        }
        self.record.n_cases += 1 << n_bits;
        let span = message.span();
        let mut n_meeting = 0;
        let mut first = None;
        let mut all_values = None;
        for number in 0..1_u32 << n_bits {
            let Some(case) = self.case(&splits, number) else { continue };
            let places: Vec<Writer> = sure
                .iter()
                .map(|w| Writer {
                    lane: w.lane,
                    active: Condition::TRUE,
                    place: w.place.iter().map(|v| self.reader.domain.in_case(*v, &case)).collect(),
                })
                .collect();
            let met = pairs(&places).find_map(|(a, b)| match distance(a, b) {
                Distance::Known(d) => {
                    meet(message, span, (a.lane, b.lane), d).filter(|m| m.1).map(|m| ((a.lane, b.lane), m.0))
                }
                _ => None,
            });
            let Some((lanes, pieces)) = met else {
                // Not decided here, or never: both leave it open.
                decision.verdict = Verdict::Unknown(if n_meeting > 0 { Doubt::Cases } else { Doubt::Addresses });
                return false;
            };
            n_meeting += 1;
            let find = |lane: u32| sure.iter().find(|w| w.lane == lane);
            let values = match (find(lanes.0), find(lanes.1)) {
                (Some(a), Some(b)) => self.compare_pieces(view, message, (a.lane, b.lane), pieces),
                _ => Values::Unknown,
            };
            // Only what holds in each case is certain.
            all_values = Some(all_values.map_or(values, |all| if all == values { all } else { Values::Unknown }));
            first.get_or_insert((lanes, pieces));
        }
        let (Some((lanes, pieces)), Some(values)) = (first, all_values) else { return false };
        decision.verdict = Verdict::Must;
        decision.proof = Proof::Cases(n_meeting);
        decision.cases = self.cases_in_words(&splits).unwrap_or_default();
        decision.witness = Some(Witness { lanes, pieces, values });
        true
    }

    /// What tells cases apart, in words; nothing if that cannot be said in a few.
    fn cases_in_words(&self, splits: &Splits) -> Option<Cases> {
        if splits.conditions.len() + splits.residues.len() > 2 {
            return None;
        }
        let conditions = splits.conditions.iter().map(|condition| self.reader.condition_in_words(*condition));
        let numbers = splits.residues.iter().map(|(atom, bits)| {
            let block = self.reader.domain.block(*atom);
            let mask = ((1_u64 << bits) - 1) << block.zeros;
            let words = self.reader.in_words(Domain::value_of(*atom, block.bytes));
            (!words.contains("...")).then(|| format!("`{words} & {mask:#x}`"))
        });
        Some(Cases { conditions: conditions.collect::<Option<_>>()?, numbers: numbers.collect::<Option<_>>()? })
    }

    /// One of the cases, counted through; nothing if its conditions exclude each other.
    fn case(&mut self, splits: &Splits, number: u32) -> Option<Case> {
        let mut case = Case { given: Condition::TRUE, replaced: Vec::new() };
        let mut bit = 0;
        for condition in &splits.conditions {
            let taken = if number >> bit & 1 == 1 { *condition } else { condition.not() };
            case.given = self.reader.domain.and(case.given, taken);
            bit += 1;
        }
        for (atom, bits) in &splits.residues {
            let residue = u64::from(number >> bit & ((1 << bits) - 1));
            bit += bits;
            // The unknown is 2^bits times another one plus the residue.
            let block = *self.reader.domain.block(*atom);
            let zeros = u32::from(block.zeros);
            let rest = self.reader.domain.quotient(*atom, *bits + zeros);
            let scaled = self.reader.domain.scale(rest, 1 << (*bits + zeros));
            case.replaced.push((*atom, scaled.plus(residue << zeros)));
        }
        (!case.given.is_false()).then_some(case)
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

    /// Compares what two lanes write to their common bytes; also says with which parts they meet.
    fn compare_data(
        &mut self,
        view: &View<'p>,
        message: &Message,
        (a, b): (&Writer, &Writer),
    ) -> (Values, (usize, usize)) {
        let Distance::Known(distance) = distance(a, b) else { return (Values::Unknown, (0, 0)) };
        let bytes = a.place.first().map_or(8, |v| v.bytes);
        let mut gravest = (Values::Same, (0, 0));
        let mut is_first = true;
        for (i, p) in message.pieces.iter().enumerate() {
            for (j, q) in message.pieces.iter().enumerate() {
                let both = p.certain >> a.lane & 1 == 1 && q.certain >> b.lane & 1 == 1;
                let is_texel = message.space == Space::Typed;
                let shift = if is_texel {
                    if i == j { 0 } else { continue }
                } else {
                    // Bytes from the start of `p` to the start of `q`.
                    let from = distance.wrapping_add(q.offset).wrapping_sub(p.offset) & mask(bytes);
                    sign_extended(from, bytes)
                };
                if !both || shift >= i64::from(p.bytes) || -shift >= i64::from(q.bytes) {
                    continue;
                }
                let values = self.compare_at(view, message, ((a.lane, i), (b.lane, j)), shift);
                if is_first || values > gravest.0 {
                    gravest = (values, (i, j));
                    is_first = false;
                }
            }
        }
        if is_first { (Values::Unknown, (0, 0)) } else { gravest }
    }

    /// Compares the data of two parts, of which the second begins `shift` bytes after the first one.
    fn compare_at(
        &mut self,
        view: &View<'p>,
        message: &Message,
        ((a, i), (b, j)): ((u32, usize), (u32, usize)),
        shift: i64,
    ) -> Values {
        let (Some(x), Some(y)) = (self.reader.datum(view, message, a, i), self.reader.datum(view, message, b, j))
        else {
            return Values::Unknown;
        };
        compare_values(&mut self.reader.domain, x, y, shift)
    }

    fn compare_pieces(
        &mut self,
        view: &View<'p>,
        message: &Message,
        (a, b): (u32, u32),
        (i, j): (usize, usize),
    ) -> Values {
        let (Some(x), Some(y)) = (self.reader.datum(view, message, a, i), self.reader.datum(view, message, b, j))
        else {
            return Values::Unknown;
        };
        match self.reader.domain.subtract(x, y).as_known() {
            Some(0) => Values::Same,
            Some(_) => Values::Different,
            None => Values::Unknown,
        }
    }

    /// What is known of the data of lanes of which some two meet: what holds for every pair.
    fn weakest_data(&mut self, view: &View<'p>, message: &Message, writers: &[&Writer]) -> Values {
        let mut data = Vec::with_capacity(writers.len());
        for writer in writers {
            match self.reader.datum(view, message, writer.lane, 0) {
                Some(value) if message.pieces.len() == 1 => data.push(value),
                _ => return Values::Unknown,
            }
        }
        let (mut all_same, mut all_different) = (true, true);
        for (i, a) in data.iter().enumerate() {
            for b in &data[i + 1..] {
                match self.reader.domain.subtract(*a, *b).as_known() {
                    Some(0) => all_different = false,
                    Some(_) => all_same = false,
                    None => return Values::Unknown,
                }
            }
        }
        // Lanes may meet in a part of their bytes only: equal data need not be equal there.
        match (all_same, all_different) {
            (false, true) => Values::Different,
            _ => Values::Unknown,
        }
    }

    /// Whether the claim survives numbers for what is not known.
    fn is_confirmed(&self, message: &Message, writers: &[Writer], decision: &Decision) -> bool {
        let span = message.span();
        let sure = sure_writers(message, writers);
        (0..N_TRIALS).all(|seed| {
            let mut assignment = Assignment::new(&self.reader.domain, seed, |_, _, _| None);
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
        let part = |piece: usize| message.pieces.get(piece).map_or(Part::Whole, |p| p.part);
        let first = &writers[0];
        let is_uniform = writers.iter().all(|w| w.place == first.place);
        let overlap = Overlap {
            lanes: numbered(view, witness.lanes),
            parts: (part(witness.pieces.0), part(witness.pieces.1)),
            addresses,
            data,
            values: witness.values,
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

enum Distance {
    /// Bytes from the first lane to the second one; zero for equal texels.
    Known(u64),
    /// They have different texels.
    Different,
    Unknown,
}

fn distance(a: &Writer, b: &Writer) -> Distance {
    let is_texel = a.place.len() > 1;
    let mut all_equal = true;
    for (x, y) in a.place.iter().zip(&b.place) {
        if x.sum != y.sum {
            all_equal = false;
            continue;
        }
        let distance = y.constant.wrapping_sub(x.constant) & mask(x.bytes);
        if !is_texel {
            return Distance::Known(distance);
        }
        // One coordinate that differs for certain is enough.
        if distance != 0 {
            return Distance::Different;
        }
    }
    if all_equal { Distance::Known(0) } else { Distance::Unknown }
}

/// What is known of the common bytes of two data, of which the second begins `shift` bytes after the first one.
pub(in crate::interp) fn compare_values(domain: &mut Domain, x: Value, y: Value, shift: i64) -> Values {
    if shift == 0 && x.bytes == y.bytes {
        let difference = domain.subtract(x, y);
        return match difference.as_known() {
            Some(0) => Values::Same,
            Some(_) => Values::Different,
            None => Values::Unknown,
        };
    }
    let (Some(x_bits), Some(y_bits)) = (x.as_known(), y.as_known()) else { return Values::Unknown };
    let byte = |bits: u64, n: i64| bits >> (8 * n) & 0xff;
    let mut common = (0..i64::from(x.bytes)).filter(|k| (0..i64::from(y.bytes)).contains(&(k - shift)));
    if common.any(|k| byte(x_bits, k) != byte(y_bits, k - shift)) { Values::Different } else { Values::Same }
}

/// The parts with which two lanes meet, and whether both parts happen for certain.
fn meet(message: &Message, span: u64, (a, b): (u32, u32), distance: u64) -> Option<((usize, usize), bool)> {
    let bytes = message.coordinates.first().map_or(8, |c| c.at(0).bytes);
    let back = distance.wrapping_neg() & mask(bytes);
    if message.space == Space::Typed {
        return (distance == 0).then_some(((0, 0), true));
    }
    if distance >= span && back >= span {
        return None;
    }
    let mut found = None;
    for (i, p) in message.pieces.iter().enumerate() {
        for (j, q) in message.pieces.iter().enumerate() {
            let shift = sign_extended(distance.wrapping_add(q.offset).wrapping_sub(p.offset) & mask(bytes), bytes);
            if shift >= i64::from(p.bytes) || -shift >= i64::from(q.bytes) {
                continue;
            }
            if p.certain >> a & 1 == 1 && q.certain >> b & 1 == 1 {
                return Some(((i, j), true));
            }
            if p.possible >> a & 1 == 1 && q.possible >> b & 1 == 1 {
                found = found.or(Some(((i, j), false)));
            }
        }
    }
    found
}

/// The lanes that write for certain, or the largest group that writes under one condition.
fn sure_writers<'w>(message: &Message, writers: &'w [Writer]) -> Vec<&'w Writer> {
    let is_sure = |w: &Writer| message.pieces.iter().all(|p| p.certain >> w.lane & 1 == 1);
    let group =
        |active: Condition| writers.iter().filter(move |w| w.active == active && is_sure(w)).collect::<Vec<_>>();
    let certain = group(Condition::TRUE);
    if certain.len() >= 2 {
        return certain;
    }
    writers.first().map_or_else(Vec::new, |first| group(first.active))
}

fn pairs(writers: &[Writer]) -> impl Iterator<Item = (&Writer, &Writer)> {
    writers.iter().enumerate().flat_map(|(i, a)| writers[i + 1..].iter().map(move |b| (a, b)))
}

/// How many spans of that many bytes fit side by side if they begin at some of these places.
fn packed(places: &[u64], bytes: u64) -> u32 {
    let mut n = 0;
    let mut free_from = None;
    for place in places {
        if free_from.is_none_or(|free| *place >= free) {
            n += 1;
            free_from = place.checked_add(bytes);
            if free_from.is_none() {
                break;
            }
        }
    }
    n
}

/// Lanes of an instruction as lanes of the thread.
fn numbered(view: &View, (a, b): (u32, u32)) -> (u32, u32) {
    (a + view.first_lane(), b + view.first_lane())
}
