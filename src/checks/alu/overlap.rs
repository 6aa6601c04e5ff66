//! Destinations that overlap each other or the sources.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::operand::bounds::block_distance;
use crate::checks::operand::n_lanes;
use crate::checks::table;
use crate::program::pardon::Pardon;
use crate::program::{Footprint, Operand, OperandSpans, Region};
use crate::spec::OperandName;
use crate::spec::instruction::OperandSlot;
use crate::spec::operation::Operation;

crate::declare_rule! {
    /// Operands that share bytes although one is written before the other is read, or written twice: the two destinations of
    /// `addc` and `subb`, the destination of `madw` or `dpas` and its sources. For other instructions, a destination that is
    /// shifted against a source of the same variable: lane after lane, as the manual describes it, lanes would read what
    /// earlier ones wrote; implementations read everything first, and insert copies for that. In place, lane by lane, is
    /// fine. A shift to lower elements gives the same result in either order, and is pedantic: each lane writes what only earlier
    /// ones have read.
    ///
    /// ```visa bad
    /// addc (M1, 8) VUD(0,0)<1> VUD(0,0)<1> VUD(2,0)<8;8,1> VUD(4,0)<8;8,1>
    /// ```
    /// ```visa good
    /// addc (M1, 8) VUD(0,0)<1> VUD(1,0)<1> VUD(2,0)<8;8,1> VUD(4,0)<8;8,1>
    /// ```
    pub OVERLAPPING_OPERANDS = "overlapping-operands", Error | Warning | Pedantic, "5_instruction_set",
        help = "write the result to another variable, or to the very elements that are read"
}

/// An operand with its places.
type Placed<'a> = (&'a Operand, &'a OperandSpans, &'static OperandSlot);

/// Whether a region was reported, so that the bytes of its operand are unknown.
fn is_unknown(view: &View) -> bool {
    view.operands.iter().any(|o| o.region().is_some_and(Region::has_illegal_number))
}

/// Reports that the operands share a byte, on the platforms where `shares` holds.
fn report(
    view: &View,
    sink: &mut Sink,
    (first, second): (Placed, Placed),
    level: Level,
    what: &str,
    shares: impl Fn(u32) -> bool,
) {
    if !shares(32) && !shares(64) {
        return;
    }
    let failing = view.cx.failing_grf(shares);
    sink.report_on(view.cx, failing, || {
        let (a, b) = (view.text(first.1.whole), view.text(second.1.whole));
        let program = view.cx.program;
        let mut diagnostic =
            Diagnostic::new(&OVERLAPPING_OPERANDS, second.1.whole, format!("`{b}` overlaps `{a}`: {what}"))
                .level(level)
                .also(first.1.whole, "overlaps this");
        let roots = [first.0, second.0].map(|o| o.variable().map(|v| program.variables[v].root));
        if first.0.variable() != second.0.variable()
            && let [Some(root), _] = roots
        {
            diagnostic = diagnostic.note(format!("both are parts of `{}`", program.variable_name(root)));
        }
        diagnostic.note(table::document(view))
    });
}

fn footprint(view: &View, placed: Placed, grf_bytes: u32) -> Option<Footprint> {
    Footprint::new(view.cx.program, placed.0, n_lanes(view, placed.2), grf_bytes)
}

/// The carry is written after the sum.
pub fn two_destinations(view: &View, sink: &mut Sink) {
    if is_unknown(view) {
        return;
    }
    let mut destinations = view.each_operand();
    let (Some(sum), Some(carry)) = (destinations.next(), destinations.next()) else { return };
    let what = if view.row.operation == Some(Operation::Addc) {
        "the carry is written last and destroys the sum"
    } else {
        "the borrow is written last and destroys the difference"
    };
    report(view, sink, (sum, carry), Level::Error, what, |g| {
        let (Some(a), Some(b)) = (footprint(view, sum, g), footprint(view, carry, g)) else { return false };
        a.shared_lanes(&b, |_, _| true).is_some()
    });
}

/// The expansion of madw writes the upper dwords before it reads the addend, and one register of dwords after the other.
pub fn wide_product(view: &View, sink: &mut Sink) {
    if is_unknown(view) {
        return;
    }
    let Some(destination) = super::destination(view) else { return };
    for source in super::sources(view) {
        let is_addend = source.2.name == OperandName::SRC2;
        let what = if is_addend {
            "the result is written before the addend is read"
        } else {
            "a part of the result is written before this is read"
        };
        report(view, sink, (destination, source), Level::Error, what, |g| {
            let (Some(low), Some(read)) = (footprint(view, destination, g), footprint(view, source, g)) else {
                return false;
            };
            let high = low.shifted(block_distance(low.extent(), g));
            let lanes_at_once = g / low.element_bytes.max(1);
            let counts = |written: u32, read: u32| is_addend || written / lanes_at_once < read / lanes_at_once;
            low.shared_lanes(&read, counts).or_else(|| high.shared_lanes(&read, counts)).is_some()
        });
    }
}

/// A lane writes what another lane reads.
pub fn shifted(view: &View, sink: &mut Sink) {
    let Some(destination) = super::destination(view) else { return };
    let Operand::General { variable, region, .. } = *destination.0 else { return };
    let program = view.cx.program;
    let root = program.variables[variable].root;
    for source in super::sources(view) {
        let Operand::General { variable: other, region: read, .. } = *source.0 else { continue };
        if program.variables[other].root != root || region.has_illegal_number() || read.has_illegal_number() {
            continue;
        }
        let meet = |g, which: fn(u32, u32) -> bool| {
            let (Some(to), Some(from)) = (footprint(view, destination, g), footprint(view, source, g)) else {
                return false;
            };
            !to.is_same(&from) && to.shared_lanes(&from, which).is_some()
        };
        let is_later = |g| meet(g, |written, read| written < read);
        if !is_later(32) && !is_later(64) {
            let what = "lanes write what earlier ones read";
            report(view, sink, (source, destination), Level::Pedantic, what, |g| meet(g, |i, j| i != j));
            continue;
        }
        // Packing and unpacking in place is what the compiler does in its prefix sums.
        let is_shift = |g| match (footprint(view, destination, g), footprint(view, source, g)) {
            (Some(to), Some(from)) => {
                let distance = to.root_start - from.root_start;
                to.lanes().zip(from.lanes()).all(|(a, b)| a - b == distance)
            }
            _ => false,
        };
        // People shift lanes within one register on purpose: registers are read before any is written.
        let is_meant = program.fragment.is_some() && !read.is_scalar() || Pardon::ReadFirst.holds_in(program);
        let level = if (read.is_scalar() || is_shift(32)) && !is_meant { Level::Warning } else { Level::Pedantic };
        report(view, sink, (source, destination), level, "lanes write what later ones read", is_later);
    }
}
