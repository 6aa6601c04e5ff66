//! What is decided about each message.

use super::race::{MAX_THREADS, WORK_ITEM_RACE};
use super::{Known, given_up, launch};
use crate::checks::context::{Context, Sink};
use crate::interp::claims::facts::Bounds;
use crate::interp::claims::races::{Outcome, Stop};
use crate::interp::facts::{Doubt, Exemption, GivenUp, Verdict};
use crate::interp::{self, Further, Launch};
use crate::program::{InstructionIndex, Object, ObjectKind};
use crate::spec::instruction::AccessKind;

/// What is decided about the lanes of one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageVerdict {
    /// The message.
    pub instruction: InstructionIndex,
    /// What it does.
    pub kind: AccessKind,
    /// What is decided.
    pub verdict: Decision,
    /// Whether it stays within its memory.
    pub bounds: Bounds,
}

/// What is decided about a kernel or function.
#[derive(Clone, Debug)]
pub struct KernelMessages {
    /// Its name.
    pub name: String,
    /// What is decided about its messages, in the order of the text.
    pub messages: Vec<MessageVerdict>,
    /// Why it was not executed to its end; nothing if it was.
    pub given_up: Option<&'static str>,
    /// What is known of races between the threads of a group, if that is asked for.
    pub races: Option<Races>,
}

/// What is known of races between the threads of a group.
#[derive(Clone, Debug)]
pub struct Races {
    /// Work-items of the group in each dimension.
    pub local_size: [u32; 3],
    /// Pairs of instructions that meet.
    pub n_found: usize,
    /// Those that meet if arguments are certain numbers.
    pub n_by_arguments: usize,
    /// Those that meet in two groups.
    pub n_between_groups: usize,
    /// What is proven where none meet.
    pub proof: Proof,
    /// Instructions of which it is not decided whether they meet others, in the order of the text.
    pub open: Vec<InstructionIndex>,
    /// Why not everything was compared, in words; nothing if it was.
    pub why: Option<String>,
}

/// What is proven of a group without races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Nothing.
    None,
    /// No threads of the first group meet.
    FirstGroup,
    /// No threads of any group meet.
    AnyGroup,
}

/// A verdict, or why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// This is known.
    Known(Verdict),
    /// No lane comes to it.
    Unreached,
    /// The kernel needs too much to be remembered.
    GivenUp,
    /// It is in loops that are nested too deep.
    TooDeep,
    /// There are more threads than were executed, which have other lanes.
    OtherThreads,
}

impl Decision {
    /// The verdict in one word: `never`, `must`, `conditional` or `unknown`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Known(Verdict::Never | Verdict::Exempt(_)) | Self::Unreached => "never",
            Self::Known(Verdict::Must) => "must",
            Self::Known(Verdict::Conditional) => "conditional",
            Self::Known(Verdict::Unknown(_)) | Self::GivenUp | Self::TooDeep | Self::OtherThreads => "unknown",
        }
    }

    /// The reason in a few words, which stay the same from version to version.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Known(Verdict::Exempt(Exemption::Reads)) => "reads",
            Self::Known(Verdict::Exempt(Exemption::OneAccess)) => "one access for all lanes",
            Self::Known(Verdict::Exempt(Exemption::Atomic)) => "atomic",
            Self::Known(Verdict::Exempt(Exemption::Specified)) => "same address is specified",
            Self::Known(Verdict::Never) => "lanes apart",
            Self::Known(Verdict::Must) => "active lanes meet",
            Self::Known(Verdict::Conditional) => "lanes meet if both are active",
            Self::Known(Verdict::Unknown(Doubt::Activity)) => "activity not known",
            Self::Known(Verdict::Unknown(Doubt::Addresses)) => "addresses not known",
            Self::Known(Verdict::Unknown(Doubt::Message)) => "message not understood",
            Self::Known(Verdict::Unknown(Doubt::Cases)) => "lanes meet in some cases",
            Self::Unreached => "not reached",
            Self::GivenUp => given_up::reason(GivenUp::TooLarge),
            Self::TooDeep => given_up::reason(GivenUp::TooDeep),
            Self::OtherThreads => "too many threads",
        }
    }
}

/// What is decided about all messages of a program, kernel by kernel, where registers have `grf_bytes` bytes. Instructions
/// in which `sink` has an error are left out.
#[must_use]
pub fn verdicts(cx: &Context, sink: &Sink, grf_bytes: u32) -> Vec<KernelMessages> {
    let mut known = Known::of(sink);
    let mut all = Vec::new();
    let is_for_size = |object: &&Object| super::grf_sizes(cx, object).any(|size| size == grf_bytes);
    for object in cx.program.objects.iter().filter(|o| o.kind != ObjectKind::Missing).filter(is_for_size) {
        let faulty = super::faulty(cx, object, &mut known);
        let launch = Launch { faulty, notes_bounds: true, ..launch(cx, object, grf_bytes) };
        let facts = interp::run(cx.program, object, grf_bytes, &launch);
        let mut messages = Vec::new();
        for (instruction, row) in cx.program.instructions_in(object) {
            let Some(row) = cx.program.row(row).filter(|r| r.touches_memory()) else { continue };
            let Some(kind) = row.accesses.iter().map(|a| a.kind).max_by_key(|kind| gravity(*kind)) else { continue };
            if launch.is_faulty(instruction.0) {
                continue;
            }
            let verdict = match facts.verdicts.get(&instruction.0) {
                Some(Verdict::Never) if !launch.threads.is_empty() && !launch.has_all_threads => Decision::OtherThreads,
                // Perhaps it was executed in a call that is not nested so deep.
                Some(Verdict::Never) | None if facts.is_skipped(instruction) => Decision::TooDeep,
                Some(verdict) => Decision::Known(*verdict),
                None if facts.is_incomplete => Decision::GivenUp,
                None => Decision::Unreached,
            };
            let is_settled = !matches!(verdict, Decision::GivenUp | Decision::TooDeep | Decision::OtherThreads);
            let bounds = match facts.bounds.get(&instruction.0) {
                Some(bounds) if is_settled || *bounds != Bounds::Inside => *bounds,
                None if verdict == Decision::Unreached => Bounds::Inside,
                None if is_settled => Bounds::NoSize,
                _ => Bounds::Open,
            };
            messages.push(MessageVerdict { instruction, kind, verdict, bounds });
        }
        let given_up = facts.given_up().map(given_up::reason);
        let races = races(cx, object, grf_bytes, &launch);
        all.push(KernelMessages { name: cx.program.names.name(object.name).to_owned(), messages, given_up, races });
    }
    all
}

/// What is known of races in a kernel, if that is asked for and the size of a group is known.
fn races(cx: &Context, object: &Object, grf_bytes: u32, launch: &Launch) -> Option<Races> {
    if !cx.options.is_wanted(&WORK_ITEM_RACE) || launch.dispatches_all {
        return None;
    }
    let layout = super::layout(cx, object, grf_bytes)?;
    let outcome = match layout.group(MAX_THREADS) {
        Some(group) => {
            let further = Further { by_arguments: true, between_groups: true };
            interp::races((cx.program, object), grf_bytes, launch, &group, None, further)
        }
        None => Outcome::stopped(Stop::TooManyThreads),
    };
    let proof = match (outcome.is_free, outcome.is_free_in_any) {
        (true, true) => Proof::AnyGroup,
        (true, false) => Proof::FirstGroup,
        (false, _) => Proof::None,
    };
    Some(Races {
        local_size: layout.size(),
        n_found: outcome.facts.len(),
        n_by_arguments: outcome.conditional.len(),
        n_between_groups: outcome.between.len(),
        proof,
        open: outcome.open,
        why: outcome.stop.map(super::race::reason),
    })
}

/// An instruction with several accesses counts as the gravest.
const fn gravity(kind: AccessKind) -> u8 {
    match kind {
        AccessKind::Read => 0,
        AccessKind::Atomic => 1,
        AccessKind::Write => 2,
    }
}
