//! What executing instructions notes besides the state: what they come across, what wrote their sources, what they store.

use crate::interp::state::content::NO_WRITER;
use crate::interp::state::memory::Bytes;
use crate::interp::state::{Loaded, Observed};
use crate::program::{InstructionIndex, Object, View};

/// Most instructions that explain a value.
const MAX_TRAIL: usize = 4;

/// What was noted. It decides nothing of what is executed: loops alone look at what they store.
#[derive(Default)]
pub struct Log {
    /// What the instruction in execution has come across, with the operand that it belongs to.
    observed: Vec<(usize, Observed)>,
    /// What the messages in execution have loaded, if threads are compared.
    loaded: Vec<Loaded>,
    /// For each instruction, which ones wrote its sources when it was executed last.
    sources_of: Vec<[u32; 3]>,
    /// The first instruction.
    start: u32,
    /// The bytes that have been stored to, in the order of time.
    stored: Vec<Bytes>,
}

impl Log {
    /// Nothing has been executed yet.
    #[must_use]
    pub fn new(object: &Object) -> Self {
        let n = (object.instructions.end - object.instructions.start) as usize;
        Self { sources_of: vec![[NO_WRITER; 3]; n], start: object.instructions.start, ..Self::default() }
    }

    /// Notes what the instruction in execution has come across at one of its operands.
    #[inline]
    pub fn observe(&mut self, operand: usize, what: Observed) {
        if self.observed.last().is_none_or(|(last, other)| (*last, other) != (operand, &what)) {
            self.observed.push((operand, what));
        }
    }

    /// What the instruction has come across; it is noted no more.
    #[inline]
    pub fn take_observed(&mut self) -> Vec<(usize, Observed)> {
        std::mem::take(&mut self.observed)
    }

    /// Notes what a message loads.
    pub fn note_loaded(&mut self, loaded: Loaded) {
        self.loaded.push(loaded);
    }

    /// What messages have loaded; it is noted no more.
    pub fn take_loaded(&mut self) -> Vec<Loaded> {
        std::mem::take(&mut self.loaded)
    }

    /// Notes which instruction wrote a source.
    #[inline]
    pub fn note_source(&mut self, view: &View, source: usize, writer: u32) {
        if let Some(sources) = self.sources_of.get_mut((view.index.0 - self.start) as usize) {
            sources[source.min(2)] = writer;
        }
    }

    /// Notes the latest writer of an operand that is read element by element.
    #[inline]
    pub fn note_latest_source(&mut self, view: &View, place: usize, writer: u32) {
        if let Some(sources) = self.sources_of.get_mut((view.index.0 - self.start) as usize) {
            let source = &mut sources[place.min(2)];
            if *source == NO_WRITER || *source < writer && writer != NO_WRITER {
                *source = writer;
            }
        }
    }

    /// The instruction that wrote an operand when it was read last; [`NO_WRITER`] if none has.
    #[must_use]
    pub fn source_of(&self, view: &View, place: usize) -> u32 {
        self.sources_of.get((view.index.0 - self.start) as usize).map_or(NO_WRITER, |s| s[place.min(2)])
    }

    /// The instructions through which what one reads came, nearest first, from the one that wrote it.
    #[must_use]
    pub fn trail(&self, from: u32) -> Vec<InstructionIndex> {
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

    /// Notes bytes that are stored to.
    pub fn note_stored(&mut self, bytes: Bytes) {
        if self.stored.last() != Some(&bytes) {
            self.stored.push(bytes);
        }
    }

    /// Where the notes of stored bytes are now, to ask for those that come later.
    pub fn mark_stored(&mut self) -> usize {
        // What is stored next counts as new, also where it was stored last.
        self.stored.push((0, 0));
        self.stored.len()
    }

    /// The bytes that have been stored to since a mark.
    pub fn stored_since(&self, mark: usize) -> impl Iterator<Item = Bytes> + '_ {
        self.stored[mark..].iter().copied().filter(|(start, end)| start < end)
    }
}
