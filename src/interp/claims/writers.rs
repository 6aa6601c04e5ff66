//! Which instructions wrote what others have read: how a value came about is told by them.

use crate::interp::claims::Claims;
use crate::interp::state::Path;
use crate::interp::state::content::NO_WRITER;
use crate::program::{InstructionIndex, Object, Operand, View};

/// Most instructions that explain a value.
const MAX_TRAIL: usize = 4;

/// For each instruction, which ones wrote its sources when it was executed last.
#[derive(Default)]
pub(in crate::interp) struct Writers {
    sources_of: Vec<[u32; 3]>,
    /// The first instruction.
    start: u32,
}

impl Writers {
    /// Notes which instructions wrote the sources of one in an object; [`NO_WRITER`] where none has.
    #[inline]
    pub(in crate::interp::claims) fn note(&mut self, object: &Object, view: &View, writers: [u32; 3]) {
        if self.sources_of.is_empty() {
            let instructions = &object.instructions;
            self.start = instructions.start;
            self.sources_of = vec![[NO_WRITER; 3]; (instructions.end - instructions.start) as usize];
        }
        if let Some(sources) = self.sources_of.get_mut((view.index.0 - self.start) as usize) {
            *sources = writers;
        }
    }

    /// The instruction that wrote an operand when it was read last; [`NO_WRITER`] if none has.
    pub(in crate::interp::claims) fn of(&self, view: &View, place: usize) -> u32 {
        self.sources_of.get((view.index.0 - self.start) as usize).map_or(NO_WRITER, |s| s[place.min(2)])
    }

    /// The instructions through which what one reads came, nearest first, from the one that wrote it.
    pub(in crate::interp) fn trail(&self, from: u32) -> Vec<InstructionIndex> {
        let mut trail = Vec::new();
        let mut open = vec![from];
        let mut next = 0;
        while next < open.len() && trail.len() < MAX_TRAIL {
            let writer = open[next];
            next += 1;
            let Some(at) = writer.checked_sub(self.start) else { continue };
            let Some(sources) = self.sources_of.get(at as usize) else { continue };
            trail.push(InstructionIndex(writer));
            for source in sources {
                if *source != NO_WRITER && !open.contains(source) {
                    open.push(*source);
                }
            }
        }
        trail
    }
}

impl Claims<'_, '_> {
    /// The instructions through which a value came, where it is so on a path: what the first pass of a loop has written
    /// stands before what its variable held until then.
    pub(in crate::interp::claims) fn on_path(
        &self,
        trail: Vec<InstructionIndex>,
        path: Option<Path>,
    ) -> Vec<InstructionIndex> {
        let Some(Path::SecondPass(back)) = path else { return trail };
        let cx = self.reader.cx();
        let written_by = |index: InstructionIndex| {
            let view = View::new(cx.program, index)?;
            Some(cx.root(view.operands.first().and_then(Operand::variable)?)?.0)
        };
        let mut all: Vec<InstructionIndex> = Vec::new();
        for index in &trail {
            let root = written_by(*index);
            let is_of_first_pass = |by: &InstructionIndex| !trail.contains(by) && written_by(*by) == root;
            let of_first_pass = self.reader.written_before(back).iter().filter(|by| is_of_first_pass(by));
            let new: Vec<InstructionIndex> = of_first_pass.filter(|by| !all.contains(by)).copied().collect();
            all.extend(new);
            all.push(*index);
        }
        all.truncate(MAX_TRAIL);
        all
    }
}
