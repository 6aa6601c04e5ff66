//! Lanes of one message that write to one place.

use super::Finding;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::common::execution::OVERLAPPING_LANE_WRITES;
use crate::checks::table::document;
use crate::interp::FactKind;
use crate::interp::facts::{Cases, Doubt, Overlap, Part, Proof, Values};
use crate::program::InstructionIndex;
use crate::program::pardon::Pardon;
use crate::spec::family::Check;
use crate::spec::instruction::{Custom, Flow, SameAddress};

crate::declare_rule! {
    /// Two lanes of one store that write the same value to the same bytes. The manual leaves that undefined for most scatter
    /// messages, and an offset that some lanes share is rarely meant. It is pedantic for messages of which the manual does
    /// not say so, and where all lanes write one value to one place, which is a way of storing a scalar.
    ///
    /// ```visa bad
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x33221100:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// mov (M1_NM, 8) VUD(2,0)<1> 0x1:ud
    /// scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x0:ud
    /// mov (M1_NM, 8) VUD(2,0)<1> 0x1:ud
    /// scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub DUPLICATE_LANE_WRITES = "duplicate-lane-writes", Warning | Pedantic, "3_execution_model"
}

crate::declare_rule! {
    /// A store of which it could not be decided whether two lanes write the same bytes; the finding says why. Off, because
    /// most such stores are fine.
    ///
    /// ```visa bad
    /// // warn: possible-overlap
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// scatter4_scaled.R (M1_NM, 16) T6 0x0:ud VUD.0 VF.0
    /// ```
    /// ```visa good
    /// // warn: possible-overlap
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VF.0
    /// ```
    pub POSSIBLE_OVERLAP = "possible-overlap", Off, "3_execution_model"
}

crate::declare_rule! {
    /// Atomic stores of several lanes to one address with different values. Each is indivisible, but their order is not
    /// fixed: which value stays is a matter of luck.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// mov (M1_NM, 8) VUD(2,0)<1> 0x40:ud
    /// lsc_atomic_store.slm (M1_NM, 8) %null:d32 flat[VUD.64]:a32 VUD %null
    /// ```
    /// ```visa good
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// mov (M1_NM, 8) VUD(2,0)<1> 0x40:ud
    /// lsc_atomic_iadd.slm (M1_NM, 8) %null:d32 flat[VUD.64]:a32 VUD %null
    /// ```
    pub ORDER_DEPENDENT_ATOMIC = "order-dependent-atomic", Warning | Pedantic, "LSC_UNTYPED"
}

/// Findings about lanes that meet.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    match &finding.fact.kind {
        FactKind::Overlap(overlap) => Some(overlapping(finding, overlap)),
        FactKind::PossibleOverlap { doubt, lanes } => Some(possible(finding, *doubt, *lanes)),
        FactKind::OrderDependent { lanes: (a, b), address } => {
            let message = format!("lanes {a} and {b} store different values to one address in no fixed order");
            // Behind a branch that lanes take apart, the last one may be what the source waited for.
            let level = if behind_divergence(finding) { Level::Pedantic } else { Level::Warning };
            let diagnostic = Diagnostic::new(&ORDER_DEPENDENT_ATOMIC, finding.place(), message)
                .level(level)
                .label(format!("both at {address}"))
                .note(document(&finding.view));
            Some(finding.explained(diagnostic))
        }
        _ => None,
    }
}

/// Whether a masked instruction stands behind a branch of single lanes.
fn behind_divergence(finding: &Finding) -> bool {
    let view = &finding.view;
    let program = view.cx.program;
    let object = &program.objects[program.object_of(view.index)];
    let is_branch = |index: u32| {
        let instruction = &program.instructions[InstructionIndex(index)];
        program.row(instruction).is_some_and(|row| row.flow == Flow::Goto) && instruction.predicate.is_some()
    };
    !view.instruction.no_mask && (object.instructions.start..view.index.0).any(is_branch)
}

/// Whether the bytes are undefined whatever the lanes write, or they are known to write different values.
#[must_use]
pub fn is_certain(overlap: &Overlap) -> bool {
    overlap.values == Values::Different || overlap.same_address == SameAddress::Undefined
}

/// A group of so many work-items is a small one.
const FEW_WORK_ITEMS: u32 = 8;

fn overlapping(finding: &Finding, overlap: &Overlap) -> Diagnostic {
    let view = &finding.view;
    let says_page = overlap.same_address == SameAddress::Undefined;
    let is_duplicate = overlap.values == Values::Same && !overlap.is_typed;
    let is_compiled = Pardon::SharedPlace.holds_in(view.cx.program);
    let (rule, level) = if is_duplicate {
        // Compilers fill the lanes of a store of few elements up with repetitions. Equal values are a fault only where the
        // manual says so, and there compilers store three dwords of one value with four lanes of one message, and what all
        // lanes of a sub-group store in one place.
        let is_idiom = !says_page || overlap.is_uniform || view.row.has(Check::RepeatedLanes) || is_compiled;
        (&DUPLICATE_LANE_WRITES, if is_idiom { Level::Pedantic } else { Level::Warning })
    } else {
        // Where all lanes go to one place, the source may be that of a kernel with one work-item; and where the first lanes
        // go to places of their own, of one with few.
        let is_counted = matches!(overlap.proof, Proof::Pigeonhole { .. });
        let is_apart = overlap.lanes.1 >= FEW_WORK_ITEMS || is_counted;
        let may_be_alone = (overlap.is_uniform || is_apart) && overlap.assumes_dispatch;
        // Work-items that clamp or divide their id to one number do all the work of that number, and store the same. What a
        // loop leaves may be that; and where places are counted, it is not even known which lanes meet.
        let is_shared = (overlap.is_uniform || is_counted || overlap.may_agree) && overlap.values != Values::Different;
        let is_fault = is_certain(overlap) && !(is_compiled && (may_be_alone || is_shared));
        (&OVERLAPPING_LANE_WRITES, if is_fault { Level::Error } else { Level::Pedantic })
    };
    let (a, b) = overlap.lanes;
    let what = if overlap.is_typed { "texel" } else { "bytes" };
    let value = if is_duplicate { "the same value to " } else { "" };
    let message = match overlap.proof {
        Proof::Pair => format!("lanes {a} and {b} write {value}the same {what}"),
        Proof::Pigeonhole { n_lanes, n_places } => {
            let places = if n_places == 1 { "one place".to_owned() } else { format!("{n_places} places") };
            format!("{n_lanes} lanes write, but there are only {places} for them")
        }
        Proof::Cases(n) => format!("two lanes write {value}the same {what} in each of {n} cases, such as {a} and {b}"),
    };
    let mut diagnostic = Diagnostic::new(rule, finding.place(), message).level(level);
    diagnostic = match overlap.proof {
        Proof::Pair => diagnostic.label(whereabouts(overlap)),
        Proof::Pigeonhole { n_places, .. } => diagnostic.label(format!("at most {n_places} fit side by side")),
        Proof::Cases(_) => diagnostic.label(whatever(&overlap.cases)),
    };
    diagnostic = finding.explained(diagnostic);
    if !overlap.data.0.is_empty() && overlap.proof == Proof::Pair {
        diagnostic = diagnostic.note(format!("lane {a} writes {}, lane {b} writes {}", overlap.data.0, overlap.data.1));
    }
    if overlap.assumes_dispatch {
        diagnostic =
            diagnostic.note("this assumes that these lanes are dispatched and no branch outside has switched them off");
    }
    let why = if says_page && view.row.custom == Some(Custom::Lsc) {
        "the lanes of a message are not ordered, and a pitch below the bytes of one lane lets neighbours overlap"
    } else if says_page {
        "undefined if two active lanes write one address, whatever they write"
    } else {
        "the lanes of a message are not ordered: different values leave the bytes undefined"
    };
    diagnostic.note(format!("{}: {why}", document(view)))
}

/// What does not matter, in words.
fn whatever(cases: &Cases) -> String {
    let conditions = cases.conditions.iter().map(|condition| format!("whether or not {condition}"));
    let numbers = cases.numbers.iter().map(|number| format!("whatever {number} is"));
    let all: Vec<String> = conditions.chain(numbers).collect();
    if all.is_empty() { "whatever decides between these addresses".to_owned() } else { all.join(", and ") }
}

/// Where the two lanes write, in words.
fn whereabouts(overlap: &Overlap) -> String {
    let part = |part: Part| match part {
        Part::Whole => String::new(),
        Part::Channel(c) => format!(" channel {}", ["R", "G", "B", "A"][(c % 4) as usize]),
        Part::Block(b) => format!(" element {b}"),
    };
    let (a, b) = overlap.lanes;
    let (x, y) = &overlap.addresses;
    let (p, q) = (part(overlap.parts.0), part(overlap.parts.1));
    if x == y && overlap.parts.0 == overlap.parts.1 {
        format!("both at {x}")
    } else {
        format!("lane {a}{p} at {x}, lane {b}{q} at {y}")
    }
}

fn possible(finding: &Finding, doubt: Doubt, lanes: Option<(u32, u32)>) -> Diagnostic {
    let message = match lanes {
        Some((a, b)) => format!("lanes {a} and {b} write the same bytes if both are active"),
        None => "two lanes may write the same bytes".to_owned(),
    };
    let why = match doubt {
        Doubt::Activity => "which lanes are active is not known",
        Doubt::Addresses => "the addresses of the lanes cannot be compared",
        Doubt::Message => "what the message does is not known",
        Doubt::Cases => "some cases overlap, others do not",
    };
    Diagnostic::new(&POSSIBLE_OVERLAP, finding.place(), message).label(why)
}
