//! What is decided about each message.

use super::{Known, launch};
use crate::checks::context::{Context, Sink};
use crate::interp::facts::{Doubt, Exemption, Verdict};
use crate::interp::{self, Launch};
use crate::program::{InstructionIndex, ObjectKind};

/// What is decided about the lanes of one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageVerdict {
    /// The message.
    pub instruction: InstructionIndex,
    /// What is decided.
    pub verdict: Decision,
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
            Self::GivenUp => "kernel too large",
            Self::TooDeep => "loops nested too deep",
            Self::OtherThreads => "too many threads",
        }
    }
}

/// What is decided about all messages of a program, in the order of the text, where registers have `grf_bytes` bytes.
/// Instructions in which `sink` has an error are left out.
#[must_use]
pub fn verdicts(cx: &Context, sink: &Sink, grf_bytes: u32) -> Vec<MessageVerdict> {
    let mut known = Known::of(sink);
    let mut all = Vec::new();
    for object in cx.program.objects.iter().filter(|o| o.kind != ObjectKind::Missing) {
        let faulty = super::faulty(cx, object, &mut known);
        let launch = Launch { faulty, ..launch(cx, object, grf_bytes) };
        let facts = interp::run(cx.program, object, grf_bytes, &launch);
        for (instruction, row) in cx.program.instructions_in(object) {
            let Some(row) = cx.program.row(row).filter(|r| r.touches_memory()) else { continue };
            if launch.is_faulty(instruction.0) || row.accesses.is_empty() {
                continue;
            }
            let verdict = match facts.verdicts.get(&instruction.0) {
                Some(Verdict::Never) if !launch.threads.is_empty() && !launch.has_all_threads => Decision::OtherThreads,
                Some(verdict) => Decision::Known(*verdict),
                None if facts.is_skipped(instruction) => Decision::TooDeep,
                None if facts.is_incomplete => Decision::GivenUp,
                None => Decision::Unreached,
            };
            all.push(MessageVerdict { instruction, verdict });
        }
    }
    all
}
