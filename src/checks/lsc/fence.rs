//! Fences.

use super::message::{Message, Unit};
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Context, Sink, View};
use crate::checks::table::document;
use crate::checks::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use crate::program::{InstructionIndex, Object};
use crate::spec::family::Barrier;
use crate::spec::instruction::{AccessKind, Custom, Effect, Flow};
use crate::spec::{self, ModifierName, Platform};

crate::declare_rule! {
    /// A fence with `discard`: it throws dirty cache lines away without writing them back, so that what was stored may be
    /// lost. On Xe2 and Xe3 a workaround for the hardware forbids it altogether.
    ///
    /// ```visa bad
    /// lsc_fence.ugm.discard.gpu
    /// ```
    /// ```visa good
    /// lsc_fence.ugm.evict.gpu
    /// ```
    pub LOSSY_FENCE = "lossy-fence", Error | Warning, "LSC_FENCE"
}

crate::declare_rule! {
    /// A fence before a barrier that waits for another unit than the one that stored. A fence orders only the accesses
    /// through the unit that it names: untyped memory, typed memory and shared local memory need one each. Where nothing
    /// behind the barrier reads what was stored, or the kernel accesses the unit of the fence elsewhere, the finding is
    /// pedantic.
    ///
    /// ```visa bad
    /// lsc_store.ugm (M1, 16) flat[VUQ]:a64 VD:d32
    /// lsc_fence.tgm.none.group
    /// barrier
    /// lsc_load.ugm (M1, 16) VD:d32 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_store.ugm (M1, 16) flat[VUQ]:a64 VD:d32
    /// lsc_fence.ugm.none.group
    /// barrier
    /// lsc_load.ugm (M1, 16) VD:d32 flat[VUQ]:a64
    /// ```
    pub FENCE_OF_OTHER_UNIT = "fence-of-other-unit", Warning | Pedantic, "LSC_FENCE",
        help = "add a fence of the unit that stored: each unit keeps its own order"
}

/// Checks one fence.
pub fn check(view: &View, sink: &mut Sink) {
    if view.row.modifier(ModifierName::UNIT).is_none() {
        return;
    }
    let place = |name| view.modifier(name).map_or(view.spans.mnemonic, |used| used.span);
    let (unit, operation, scope) = (
        view.modifier_word(ModifierName::UNIT),
        view.modifier_word(ModifierName::OPERATION),
        view.modifier_word(ModifierName::SCOPE),
    );
    if unit == Some("slm") {
        for (name, given, only) in [(ModifierName::OPERATION, operation, "none"), (ModifierName::SCOPE, scope, "group")]
        {
            if let Some(word) = given.filter(|word| *word != only) {
                let text = format!("a fence of `.slm` has no {name} `.{word}`");
                sink.report(
                    Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, place(name), text)
                        .label(format!("expected `.{only}`"))
                        .note(document(view))
                        .replace(place(name), format!(".{only}"), true),
                );
                return;
            }
        }
    }
    if operation == Some("discard") {
        let level = |p| if matches!(p, Platform::XE2 | Platform::XE3) { Level::Error } else { Level::Warning };
        sink.report_by_platform(view.cx, level, |platform| {
            let text = if level(platform) == Level::Error {
                format!("`.discard` must not be used on {}", platform.name())
            } else {
                "`.discard` throws stored data away without writing them back".to_owned()
            };
            Diagnostic::new(&LOSSY_FENCE, place(ModifierName::OPERATION), text)
                .note(document(view))
                .help("`.evict` writes dirty lines back")
        });
    }
}

/// Fences that stand between stores and a barrier, with the units that stored.
#[derive(Default)]
struct Pending {
    /// A bit for each unit that stored.
    stored: u8,
    /// The fences since then, with their units.
    fences: Vec<(Unit, Span)>,
}

/// One access of a kernel or function.
struct Access {
    index: u32,
    unit: Unit,
    reads: bool,
}

const fn bit(unit: Unit) -> u8 {
    1 << unit as u8
}

/// Checks the fences of the whole program, one basic block after the other.
pub fn check_program(cx: &Context, sink: &mut Sink) {
    let program = cx.program;
    let signals = |row: &spec::Instruction| row.barrier.is_some_and(Barrier::signals);
    for object in program.objects.iter() {
        if !program.instructions_in(object).any(|(_, instruction)| program.row(instruction).is_some_and(signals)) {
            continue;
        }
        let labels = program.labels_of(object);
        let mut labels = labels.iter().map(|label| label.instruction).peekable();
        let mut pending = Pending::default();
        let mut suspects = Vec::new();
        for index in object.instructions.clone() {
            // A label begins a basic block; several may stand at one place.
            while labels.next_if(|place| *place <= index).is_some() {
                pending = Pending::default();
            }
            let Some(view) = View::new(cx, InstructionIndex::from_index(index as usize)) else {
                pending = Pending::default();
                continue;
            };
            pending.step(&view, &mut suspects);
        }
        if !suspects.is_empty() {
            let accesses = accesses_of(cx, object);
            for suspect in &suspects {
                suspect.report(&accesses, sink);
            }
        }
    }
}

/// The LSC accesses of a kernel or function.
fn accesses_of(cx: &Context, object: &Object) -> Vec<Access> {
    let views = object.instructions.clone().filter_map(|index| View::new(cx, InstructionIndex(index)));
    let access = |view: View| {
        let kinds = || view.row.accesses.iter().map(|access| access.kind);
        let reads = kinds().any(|kind| kind != AccessKind::Write);
        let message =
            (view.row.custom == Some(Custom::Lsc) && kinds().next().is_some()).then(|| Message::new(&view))?;
        Some(Access { index: view.index.0, unit: message.unit?, reads })
    };
    views.filter_map(access).collect()
}

impl Pending {
    fn step(&mut self, view: &View, suspects: &mut Vec<Suspect>) {
        let row = view.row;
        let unit = || view.modifier_word(ModifierName::UNIT).and_then(Unit::from_word);
        let writes = row.accesses.iter().any(|access| access.kind != AccessKind::Read);
        match row.custom {
            Some(Custom::Fence) if row.modifier(ModifierName::UNIT).is_some() => {
                if let Some(unit) = unit() {
                    self.fences
                        .push((unit, view.modifier(ModifierName::UNIT).map_or(view.spans.mnemonic, |used| used.span)));
                }
            }
            Some(Custom::Lsc) if writes => {
                // What stood before the last fences is settled.
                if !self.fences.is_empty() {
                    *self = Self::default();
                }
                self.stored |= unit().map_or(0, bit);
            }
            _ if row.barrier.is_some_and(Barrier::signals) => {
                let pending = std::mem::take(self);
                let fenced = pending.fenced();
                if pending.stored != 0 && fenced != 0 && pending.stored & fenced == 0 {
                    suspects.push(Suspect { barrier: view.index.0, pending });
                }
            }
            _ => {
                let other_memory = writes || row.effects.iter().any(|effect| *effect != Effect::ReadsMemory);
                if row.flow != Flow::Next || other_memory {
                    *self = Self::default();
                }
            }
        }
    }

    /// A bit for each unit that the fences wait for.
    fn fenced(&self) -> u8 {
        self.fences.iter().fold(0, |bits, (unit, _)| bits | bit(*unit))
    }
}

/// Fences before a barrier that wait for none of the units that stored.
struct Suspect {
    /// The place of the barrier.
    barrier: u32,
    pending: Pending,
}

impl Suspect {
    fn report(&self, accesses: &[Access], sink: &mut Sink) {
        let stored = spec::join_and(
            [Unit::Ugm, Unit::Ugml, Unit::Slm, Unit::Tgm]
                .into_iter()
                .filter(|unit| self.pending.stored & bit(*unit) != 0)
                .map(|unit| format!("`.{}`", unit.word())),
        );
        let level = self.level(accesses);
        for (unit, span) in &self.pending.fences {
            let text = format!("a fence of `.{}` does not wait for what was stored through {stored}", unit.word());
            sink.report(Diagnostic::new(&FENCE_OF_OTHER_UNIT, *span, text).level(level));
        }
    }

    /// A warning if another thread can read what was stored. A fence of a unit that the program uses elsewhere may be
    /// meant for that, and a fence of shared local memory is what the source of many kernels asks for at every barrier:
    /// compilers print them also where no data cross it.
    fn level(&self, accesses: &[Access]) -> Level {
        let fenced = self.pending.fenced();
        let is_meant_for_others =
            accesses.iter().any(|access| fenced & bit(access.unit) != 0) || fenced == bit(Unit::Slm);
        let is_read = accesses
            .iter()
            .any(|access| access.reads && access.index > self.barrier && self.pending.stored & bit(access.unit) != 0);
        if is_read && !is_meant_for_others { Level::Warning } else { Level::Pedantic }
    }
}
