//! Whether what abstract execution claims is so in a real execution.

use super::concrete::{Access, Ending, Record};
use visa_lint::interp::domain::sign_extended;
use visa_lint::interp::facts::{AddressNumbers, Held, Proof, Values, Verdict};
use visa_lint::interp::flow::trace::Step;
use visa_lint::interp::transfer::UnsetPredicate;
use visa_lint::interp::{Fact, FactKind, Facts, Observed};
use visa_lint::program::{Operand, Program};
use visa_lint::spec::Type;

/// Compilers set this bit in pointers into shared local memory.
const SLM_TAG: u64 = 1 << 28;

/// A claim that was looked at: its kind, and whether it was so, or the execution says nothing of it.
pub struct Seen {
    pub kind: &'static str,
    pub holds: Option<bool>,
    pub what: String,
}

/// Looks at all claims after a real execution.
pub fn look_at(program: &Program, facts: &Facts, steps: &[&Step], records: &[Record], ending: Ending) -> Vec<Seen> {
    let mut seen = Vec::new();
    // Where an instruction is executed more than once, and not each time for certain, a claim may be about a time that did
    // not come.
    let loops: Vec<(u32, u32)> = loops(program);
    let is_certain = |instruction: u32| {
        let of_it = || steps.iter().filter(|s| s.instruction.0 == instruction);
        of_it().all(|s| s.reached.is_true())
            || of_it().count() == 1 && !loops.iter().any(|(head, end)| (*head..=*end).contains(&instruction))
    };
    let first = |i: u32| u32::from(program.instructions.as_slice()[i as usize].mask_offset);
    for fact in &facts.all {
        let of_it: Vec<&Record> = records.iter().filter(|r| r.instruction == fact.instruction.0).collect();
        if of_it.is_empty() {
            continue;
        }
        let Some(kind) = kind(&fact.kind).filter(|_| fact.path.is_none()) else { continue };
        let each: Vec<Option<bool>> =
            of_it.iter().map(|r| holds(program, fact, r, first(fact.instruction.0))).collect();
        let holds = if each.contains(&Some(true)) {
            Some(true)
        } else if each.contains(&None)
            || is_of_a_path(&fact.kind)
            || ending == Ending::GivenUp
            || !is_certain(fact.instruction.0)
        {
            // It may be about what did not happen here.
            None
        } else {
            Some(false)
        };
        seen.push(Seen { kind, holds, what: format!("{fact:?}") });
    }
    for (instruction, verdict) in facts.verdicts.iter().filter(|(_, v)| **v == Verdict::Never) {
        for record in records.iter().filter(|r| r.instruction == *instruction) {
            let holds = meeting(&record.accesses).is_none();
            let what = format!("instruction {instruction}: {verdict:?}");
            seen.push(Seen { kind: "never", holds: Some(holds), what });
        }
    }
    seen
}

/// Whether a claim is about one of the paths, which an execution may not take.
fn is_of_a_path(kind: &FactKind) -> bool {
    match kind {
        FactKind::Observed(Observed::UndefinedAddress { is_possible, .. }) => *is_possible,
        FactKind::Observed(Observed::UndefinedPredicate(unset)) => unset.is_possible,
        FactKind::Observed(Observed::UndefinedVariable(undefined, _)) => undefined.is_possible,
        _ => false,
    }
}

/// First and last instructions of what branches go back over.
fn loops(program: &Program) -> Vec<(u32, u32)> {
    let mut loops = Vec::new();
    for (end, instruction) in (0..).zip(program.instructions.as_slice()) {
        for operand in program.operands_of(instruction) {
            if let Operand::Name { name, .. } = *operand
                && let Some(label) = program.labels.as_slice().iter().find(|l| l.name == name)
                && label.instruction <= end
            {
                loops.push((label.instruction, end));
            }
        }
    }
    loops
}

/// The kind of a claim; nothing if random programs have no instruction that it could be about, or if it says that
/// something may be so, which no execution contradicts.
fn kind(kind: &FactKind) -> Option<&'static str> {
    Some(match kind {
        FactKind::Overlap(overlap) => match overlap.proof {
            Proof::Pair => "overlap of a pair",
            Proof::Pigeonhole { .. } => "overlap by pigeonhole",
            Proof::Cases(_) => "overlap in all cases",
        },
        FactKind::MisalignedAddress { .. } => "misaligned address",
        FactKind::SlmOutOfBounds { .. } => "beyond shared local memory",
        FactKind::WrappingOffset { .. } => "wrapping offset",
        FactKind::Observed(Observed::UndefinedAddress { is_possible: false, .. }) => "undefined address",
        FactKind::Observed(Observed::UndefinedAddress { .. }) => "address undefined on a path",
        FactKind::Observed(Observed::UndefinedPredicate(unset)) if !unset.is_possible => "undefined predicate",
        FactKind::Observed(Observed::UndefinedPredicate(_)) => "predicate undefined on a path",
        FactKind::Observed(Observed::UndefinedVariable(undefined, _)) if !undefined.is_possible => "undefined register",
        FactKind::Observed(Observed::UndefinedVariable(..)) => "register undefined on a path",
        FactKind::Observed(Observed::IndirectOutOfBounds(_)) => "indirect out of bounds",
        FactKind::Observed(Observed::MisalignedIndirect(_)) => "misaligned indirect",
        FactKind::Divergent { is_possible: false, .. } => "divergent barrier",
        FactKind::OutOfRange { .. } => "index out of range",
        FactKind::Observed(Observed::OverwritesSource { .. }) => "overwritten source",
        FactKind::Observed(Observed::WideSaturation { .. }) => "wide saturation",
        FactKind::LeastValue { .. } => "least value",
        FactKind::GreatestValue { .. } => "greatest value",
        FactKind::Numbers { held: Held::OneOf | Held::InPasses, .. } => "one of some numbers",
        FactKind::Numbers { held: Held::Range, .. } => "number of a range",
        FactKind::Numbers { held: Held::Sequence, .. } => "number of a sequence",
        FactKind::AddressNumbers { held: Held::OneOf | Held::InPasses | Held::Range | Held::Sequence, .. } => {
            "numbers of an address"
        }
        FactKind::Numbers { held: Held::OnSomePaths | Held::InSecondPass(_) | Held::Bits, .. }
        | FactKind::AddressNumbers { held: Held::OnSomePaths | Held::InSecondPass(_) | Held::Bits, .. }
        | FactKind::Divergent { is_possible: true, .. }
        | FactKind::PossibleOverlap { .. }
        | FactKind::JumpOverWaiting { .. }
        | FactKind::MaskedScalar { .. }
        | FactKind::Observed(
            Observed::UnsetInactiveAddress { .. } | Observed::KnownPlaces | Observed::ForeignDestination { .. },
        )
        | FactKind::PartOfGroup { .. }
        | FactKind::WaitWithoutSignal { .. }
        | FactKind::SignalWithoutWait { .. }
        | FactKind::SignalAgain { .. }
        | FactKind::EndlessLoop { .. }
        | FactKind::MissingArgument { .. }
        | FactKind::MissingResult { .. }
        | FactKind::BeyondInterface { .. }
        | FactKind::ChannelMask { .. }
        | FactKind::BesideFunction { .. }
        | FactKind::AllZero
        | FactKind::AllOn
        | FactKind::OrderDependent { .. }
        | FactKind::DenormalsOff { .. }
        | FactKind::Race(_)
        | FactKind::Outside(_)
        | FactKind::OutsideLife { .. }
        | FactKind::Parted(_) => return None,
    })
}

/// All kinds of claims that [`look_at`] looks at.
pub const KINDS: [&str; 23] = [
    "address undefined on a path",
    "beyond shared local memory",
    "divergent barrier",
    "greatest value",
    "index out of range",
    "indirect out of bounds",
    "least value",
    "misaligned address",
    "misaligned indirect",
    "never",
    "numbers of an address",
    "one of some numbers",
    "overlap by pigeonhole",
    "overlap in all cases",
    "overlap of a pair",
    "overwritten source",
    "predicate undefined on a path",
    "register undefined on a path",
    "undefined address",
    "undefined predicate",
    "undefined register",
    "wide saturation",
    "wrapping offset",
];

/// A number of that type, signed ones extended to 64 bits.
fn extended(bits: u64, element_type: Type) -> u64 {
    let bytes = element_type.bytes() as u8;
    if element_type.is_signed() { sign_extended(bits, bytes) as u64 } else { bits }
}

/// Whether an execution of the instruction is as a fact says; nothing if it does not concern the fact.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of fact")]
fn holds(program: &Program, fact: &Fact, record: &Record, first: u32) -> Option<bool> {
    if record.is_cut && !matches!(fact.kind, FactKind::Observed(Observed::UndefinedPredicate(_))) {
        return None;
    }
    let is_active = |lane: u32| record.active >> lane & 1 == 1;
    let place = fact.operand.map_or(usize::MAX, usize::from);
    let of_lane = |lane: Option<u32>| {
        let lane = lane?.checked_sub(first)?;
        let accesses: Vec<&Access> = record.accesses.iter().filter(|a| a.lane == lane).collect();
        (!accesses.is_empty()).then_some(accesses)
    };
    let held = |lane: u32, element_type: Type| {
        let limited = record.limited.iter().find(|(p, l, _)| *p == place && *l == lane);
        limited.map(|(_, _, bits)| extended(*bits, element_type))
    };
    match &fact.kind {
        FactKind::LeastValue { lane, bits, element_type } | FactKind::GreatestValue { lane, bits, element_type } => {
            Some(held(*lane, *element_type)? == *bits)
        }
        // Other paths have other numbers.
        FactKind::Numbers { held: Held::OnSomePaths | Held::InSecondPass(_), .. }
        | FactKind::AddressNumbers { held: Held::OnSomePaths | Held::InSecondPass(_), .. } => None,
        FactKind::Numbers { lane, numbers, held: is, element_type } => {
            let held = held(*lane, *element_type)?;
            let numbers: Vec<u64> = numbers.iter().map(|number| number.bits).collect();
            Some(match (is, numbers.as_slice()) {
                (Held::Range, [low, high]) if element_type.is_signed() => {
                    (*low as i64..=*high as i64).contains(&(held as i64))
                }
                (Held::Range, [low, high]) => (*low..=*high).contains(&held),
                (Held::Sequence, [first, second]) => held.wrapping_sub(*first) % (second - first) == 0,
                (_, numbers) => numbers.contains(&held),
            })
        }
        FactKind::AddressNumbers { all, held: Held::Range } => {
            let items = record.address_numbers.items().iter().enumerate();
            let within =
                |(i, held): (usize, &Option<u32>)| Some((all[0].items()[i]?..=all[1].items()[i]?).contains(&(*held)?));
            Some(items.filter_map(within).all(|is_so| is_so))
        }
        FactKind::AddressNumbers { all, .. } => {
            let is_so = |numbers: &AddressNumbers| {
                let items = numbers.items().iter().zip(record.address_numbers.items());
                items.filter_map(|(said, held)| Some((*said)? == (*held)?)).all(|is_so| is_so)
            };
            Some(all.iter().any(is_so))
        }
        FactKind::Overlap(overlap) => {
            let (a, b) = (overlap.lanes.0 - first, overlap.lanes.1 - first);
            match overlap.proof {
                Proof::Pair if !is_active(a) && !is_active(b) => None,
                Proof::Pair => {
                    let pair: Vec<Access> =
                        record.accesses.iter().filter(|x| x.lane == a || x.lane == b).copied().collect();
                    Some(meeting(&pair).is_some() && are_as_said(&pair, (a, b), overlap.values))
                }
                Proof::Pigeonhole { n_lanes, .. } => {
                    // Two of the lanes are told.
                    (is_active(a) && is_active(b) && record.active.count_ones() >= n_lanes)
                        .then(|| meeting(&record.accesses).is_some())
                }
                Proof::Cases(_) => {
                    let n = u32::from(program.instructions[fact.instruction].exec_size);
                    (record.active.count_ones() == n).then(|| meeting(&record.accesses).is_some())
                }
            }
        }
        FactKind::MisalignedAddress { lane, alignment, .. } => {
            Some(!of_lane(*lane)?[0].address.is_multiple_of(u64::from(*alignment)))
        }
        FactKind::SlmOutOfBounds { lane, size, .. } => Some(of_lane(*lane)?.iter().any(|a| {
            let begin = a.address.wrapping_sub(a.offset) & 0xffff_ffff & !SLM_TAG;
            begin + a.offset + u64::from(a.bytes) > *size
        })),
        FactKind::WrappingOffset { lane, global, .. } => {
            let wraps = |address: u64| if *global < 0 { address >> 31 & 1 == 1 } else { (address as i64) < *global };
            Some(of_lane(Some(*lane))?.iter().any(|a| wraps(a.address)))
        }
        FactKind::Observed(Observed::UndefinedAddress { element, .. }) => {
            if record.active == 0 {
                return None;
            }
            let is_reached = !record.unset_addresses.is_empty() || record.pointed.is_empty();
            is_reached.then(|| record.unset_addresses.contains(element))
        }
        FactKind::Observed(Observed::UndefinedPredicate(UnsetPredicate { variable, lane, .. })) => {
            Some(record.unset_bits.iter().any(|(v, bits)| v == variable && bits >> lane & 1 == 1))
        }
        FactKind::Observed(Observed::UndefinedVariable(undefined, _)) => {
            let operands = program.operands_of(&program.instructions[fact.instruction]);
            let is_raw = matches!(operands.get(place), Some(Operand::Raw { .. }));
            let n = u32::from(program.instructions[fact.instruction].exec_size);
            let is_full = record.active.count_ones() == n;
            if record.active == 0 || !is_raw && !is_active(undefined.lane) || is_raw && !is_full {
                return None;
            }
            Some(record.undefined.iter().any(|(p, lanes)| *p == place && (is_raw || lanes >> undefined.lane & 1 == 1)))
        }
        FactKind::Observed(observed @ (Observed::IndirectOutOfBounds(fault) | Observed::MisalignedIndirect(fault))) => {
            let mut of_it = record.pointed.iter().filter(|p| p.place == place && p.lane == fault.lane);
            let pointed = of_it.next()?;
            let is_there = match observed {
                _ if fault.is_exact => pointed.byte == fault.byte,
                Observed::MisalignedIndirect(_) => pointed.byte % fault.limit != 0,
                _ if fault.byte < 0 => pointed.byte <= fault.byte,
                _ => pointed.byte >= fault.byte,
            };
            let holds = pointed.variable == fault.variable && is_there;
            // Other paths have other addresses.
            (holds || fault.path.is_none()).then_some(holds)
        }
        FactKind::OutOfRange { maximum, .. } => Some(record.index? > *maximum),
        FactKind::Observed(Observed::OverwritesSource { source, .. }) => {
            // Which lane it is, is not told.
            let n = u32::from(program.instructions[fact.instruction].exec_size);
            (record.active.count_ones() == n).then(|| record.overwritten.contains(&usize::from(*source)))
        }
        FactKind::Observed(Observed::WideSaturation { lane }) => {
            let lane = lane.checked_sub(first)?;
            is_active(lane).then_some(record.wide >> lane & 1 == 1)
        }
        FactKind::Divergent { here, away, is_possible: false, .. } => {
            Some(record.here >> here & 1 == 1 && record.here >> away & 1 == 0)
        }
        _ => None,
    }
}

/// The greatest address.
fn circle(accesses: &[Access]) -> u64 {
    if accesses.iter().any(|a| a.width == 8) { u64::MAX } else { 0xffff_ffff }
}

/// Two lanes that access a common byte.
fn meeting(accesses: &[Access]) -> Option<(u32, u32)> {
    let around = circle(accesses);
    let mut bytes: Vec<(u64, u32)> = accesses
        .iter()
        .flat_map(|a| (0..u64::from(a.bytes)).map(move |b| (a.address.wrapping_add(b) & around, a.lane)))
        .collect();
    bytes.sort_unstable();
    bytes.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1).map(|pair| (pair[0].1, pair[1].1))
}

/// Whether the data on common bytes are the same, or not, as is claimed.
fn are_as_said(accesses: &[Access], (a, b): (u32, u32), values: Values) -> bool {
    let mut is_different = false;
    let around = circle(accesses);
    for x in accesses.iter().filter(|x| x.lane == a) {
        for y in accesses.iter().filter(|y| y.lane == b) {
            for i in 0..u64::from(x.bytes) {
                let j = x.address.wrapping_add(i).wrapping_sub(y.address) & around;
                let (Some(p), Some(q)) = (x.data, y.data) else { continue };
                if j < u64::from(y.bytes) {
                    is_different |= p >> (8 * i) & 0xff != q >> (8 * j) & 0xff;
                }
            }
        }
    }
    let is_known = accesses.iter().all(|x| x.data.is_some());
    match values {
        Values::Same => !is_different,
        Values::Different => is_different || !is_known,
        Values::Unknown => true,
    }
}
