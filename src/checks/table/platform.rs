//! Key `platforms`: where an instruction exists.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Context, Options, PlatformMode, Sink, View};
use crate::program::Program;
use crate::program::pardon::Pardon;
use crate::spec::words::platforms_of;
use crate::spec::{Instruction, PlatformSet};

crate::declare_rule! {
    /// An instruction that does not exist on the platform in question. What an assembler makes of it is an undefined
    /// instruction, or nothing.
    ///
    /// ```visa bad
    /// // platform: SKL
    /// lsc_fence.ugm.none.group
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// lsc_fence.ugm.none.group
    /// ```
    pub UNSUPPORTED_INSTRUCTION = "unsupported-instruction", Error | Warning | Pedantic, "5_instruction_set",
        help = "use an instruction of this platform, or name the platform that is meant by `--platform`"
}

crate::declare_rule! {
    /// Two instructions of one file that never exist on the same platform.
    ///
    /// ```visa bad
    /// dpasw.s8.s8.8.8 (M1, 8) VD.0 VD.256 VD.512 VD2(0,0)
    /// tanh (M1, 8) VF(0,0)<1> VF(1,0)<8;8,1>
    /// ```
    /// ```visa good
    /// dpasw.s8.s8.8.8 (M1, 8) VD.0 VD.256 VD.512 VD2(0,0)
    /// ```
    pub INCOMPATIBLE_INSTRUCTIONS = "incompatible-instructions", Error, "5_instruction_set"
}

/// The platforms that a program may be for, and how they are meant. Without a word from the user it is for one of those
/// that its trailer names, or on which all of its instructions exist.
pub fn platforms(program: &Program, options: &Options, sink: &mut Sink) -> (PlatformSet, PlatformMode) {
    if let Some(platforms) = options.platforms {
        return (platforms, PlatformMode::EachOf);
    }
    if let Some((platforms, _)) = program.platform_trailer {
        return (platforms, PlatformMode::OneOf);
    }
    let mut left = PlatformSet::ALL;
    // The instruction that narrowed the set last, for each step.
    let mut steps: Vec<(&'static Instruction, Span)> = Vec::new();
    for (index, instruction) in program.instructions.entries() {
        let Some(row) = program.row(instruction) else { continue };
        let here = platforms_of(row);
        let both = left.and(here);
        if both == left {
            continue;
        }
        let span = program.instruction_spans[index].mnemonic;
        if both.is_empty() {
            let other = steps.iter().find(|(r, _)| platforms_of(r).and(here).is_empty()).or(steps.last());
            let message = format!("no platform has both `{}` and what stands before it", row.mnemonic);
            let mut diagnostic =
                Diagnostic::new(&INCOMPATIBLE_INSTRUCTIONS, span, message).label(format!("exists {}", here.on()));
            if let Some((other, place)) = other {
                diagnostic.message = format!("no platform has both `{}` and `{}`", row.mnemonic, other.mnemonic);
                diagnostic = diagnostic.also(*place, format!("exists {}", platforms_of(other).on()));
            }
            sink.report(diagnostic);
            return (left, PlatformMode::OneOf);
        }
        steps.push((row, span));
        left = both;
    }
    (left, PlatformMode::OneOf)
}

/// Reports that an instruction, or this form of it, does not exist on `failing`.
pub fn report_missing(view: &View, sink: &mut Sink, failing: PlatformSet, existing: PlatformSet) {
    sink.report_on(view.cx, failing, || {
        let message = format!("`{}` does not exist {}", view.row.mnemonic, failing.and(view.cx.platforms).on());
        Diagnostic::new(&UNSUPPORTED_INSTRUCTION, view.spans.mnemonic, message)
            .level(Level::Error)
            .note(format!("it exists {}", existing.on()))
    });
}

/// Reports an instruction that does not exist where it should. Returns whether it exists on some platform in question.
pub fn check(view: &View, sink: &mut Sink) -> bool {
    let cx: &Context = view.cx;
    let tiers = &view.row.platforms;
    let missing = cx.platforms.without(platforms_of(view.row));
    if !missing.is_empty() {
        if cx.mode == PlatformMode::EachOf || cx.program.platform_trailer.is_some() {
            report_missing(view, sink, missing, platforms_of(view.row));
        }
        return missing != cx.platforms;
    }
    let is_pardoned = view.row.asked_for && Pardon::AskedFor.holds_in(cx.program);
    let seen = if view.row.asked_for && !is_pardoned { Level::Error } else { Level::Pedantic };
    let tolerated = if is_pardoned { Level::Pedantic } else { Level::Warning };
    for (set, level) in [(tiers.tolerated, tolerated), (tiers.seen, seen)] {
        let failing = set.without(tiers.legal).and(cx.platforms);
        sink.report_on(cx, failing, || {
            let message = format!("by the manual `{}` exists only {}", view.row.mnemonic, tiers.legal.on());
            Diagnostic::new(&UNSUPPORTED_INSTRUCTION, view.spans.mnemonic, message).level(level)
        });
    }
    true
}
