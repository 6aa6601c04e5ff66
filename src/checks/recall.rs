//! What checks of single instructions found, kept from one version of a text to the next: where an edit concerns a few
//! instructions, the others are not checked again.

use super::context::{Context, PlatformMode};
use super::lsc::wide::Modes;
use crate::base::diagnostic::Diagnostic;
use crate::lower::reread::Replaced;
use crate::program::{InstructionIndex, Operand};
use crate::spec::PlatformSet;
use crate::spec::family::Check;
use crate::spec::instruction::{Custom, Flow};
use std::ops::Range;

/// More findings are not kept: to look through them costs as much as to find them again.
pub(super) const MAX_KEPT: usize = 4096;

/// Findings of the checks of single instructions.
#[derive(Clone, Debug, Default)]
pub struct Recall {
    /// Whether the findings are to be kept.
    is_wanted: bool,
    known: Option<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    platforms: PlatformSet,
    mode: PlatformMode,
    modes: Modes,
    /// By instruction, in their order.
    findings: Vec<(u32, Diagnostic)>,
    /// The instructions that were not checked yet.
    unchecked: Range<u32>,
}

impl Recall {
    /// Knows nothing yet, and keeps what will be found.
    #[must_use]
    pub fn new() -> Self {
        Self { is_wanted: true, known: None }
    }

    /// What is known of the program after an edit.
    #[must_use]
    pub fn after(&self, replaced: &Replaced) -> Self {
        let Some(known) = self.known.as_ref().filter(|_| replaced.is_local) else { return Self::new() };
        let change = replaced.new.len() as i32 - replaced.old.len() as i32;
        let kept = known.findings.iter().filter(|(index, _)| !replaced.old.contains(index));
        let findings = kept.map(|(index, finding)| {
            let mut finding = finding.clone();
            finding.move_places(replaced.shift);
            let is_behind = *index >= replaced.old.end;
            (if is_behind { index.wrapping_add_signed(change) } else { *index }, finding)
        });
        let unchecked = replaced.new.clone();
        let known = Known { findings: findings.collect(), unchecked, modes: known.modes.clone(), ..*known };
        Self { is_wanted: true, known: Some(known) }
    }

    /// Whether findings are to be kept.
    #[must_use]
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Forgets everything if what is checked differs from what was checked in more than the instructions replaced.
    pub(super) fn adapt(&mut self, cx: &Context, modes: &Modes) {
        self.known = self
            .known
            .take()
            .filter(|known| known.platforms == cx.platforms && known.mode == cx.mode && known.modes == *modes);
    }

    /// What the checks find at an instruction; nothing if it has to be checked.
    pub(super) fn findings(&self, cx: &Context, index: u32) -> Option<impl Iterator<Item = &Diagnostic>> {
        let known = self.known.as_ref().filter(|known| !known.unchecked.contains(&index))?;
        if !stands_alone(cx, index) {
            return None;
        }
        let first = known.findings.partition_point(|(owner, _)| *owner < index);
        let own = known.findings[first..].iter().take_while(move |(owner, _)| *owner == index);
        Some(own.map(|(_, finding)| finding))
    }

    /// Keeps what was found at all instructions.
    pub(super) fn keep(&mut self, cx: &Context, modes: Modes, findings: Vec<(u32, Diagnostic)>) {
        let (platforms, mode) = (cx.platforms, cx.mode);
        self.known = (self.is_wanted && findings.len() <= MAX_KEPT).then_some(Known {
            platforms,
            mode,
            modes,
            findings,
            unchecked: 0..0,
        });
    }
}

/// Whether the checks of an instruction look at no other instruction and at no label.
pub(super) fn stands_alone(cx: &Context, index: u32) -> bool {
    let instruction = &cx.program.instructions[InstructionIndex(index)];
    // What becomes of the copy of a predicate is seen where it is read.
    let is_predicate = |operand: &Operand| matches!(operand, Operand::Predicate { .. });
    cx.program.row(instruction).is_none_or(|row| {
        matches!(row.custom, None | Some(Custom::Alu | Custom::Dpas))
            && row.flow == Flow::Next
            && !(row.has(Check::PredicateCopy) && cx.program.operands_of(instruction).iter().any(is_predicate))
    })
}
