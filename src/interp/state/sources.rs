//! Which instructions wrote the sources of an instruction, and values in words.

use crate::interp::domain::Value;
use crate::interp::state::Machine;
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::memory::behind_pointer;
use crate::program::{InstructionIndex, VariableId, View};

/// Most instructions that explain a value.
const MAX_TRAIL: usize = 4;

impl Machine<'_> {
    /// The input that is taken to be the pointer with a number.
    fn pointer_of(&self, number: u64) -> Option<VariableId> {
        let range = &self.cx.object.inputs;
        let inputs = &self.cx.program.inputs[range.start as usize..range.end as usize];
        inputs.iter().map(|i| i.variable).find(|v| u64::from(v.0) == number)
    }

    /// Remembers which instruction wrote a source of this one.
    pub fn note_source(&mut self, view: &View, source: usize, writer: u32) {
        let at = (view.index.0 - self.cx.object.instructions.start) as usize;
        if let Some(sources) = self.state.sources_of.get_mut(at) {
            sources[source.min(2)] = writer;
        }
    }

    /// Remembers the latest writer of an operand that is read element by element.
    pub fn note_latest_source(&mut self, view: &View, place: usize, writer: u32) {
        let at = (view.index.0 - self.cx.object.instructions.start) as usize;
        if let Some(sources) = self.state.sources_of.get_mut(at) {
            let source = &mut sources[place.min(2)];
            if *source == NO_WRITER || *source < writer && writer != NO_WRITER {
                *source = writer;
            }
        }
    }

    /// The instructions through which what this one reads came, nearest first.
    pub fn trail(&self, from: u32) -> Vec<InstructionIndex> {
        let mut trail = Vec::new();
        let mut open = vec![from];
        let mut next = 0;
        while next < open.len() && trail.len() < MAX_TRAIL {
            let writer = open[next];
            next += 1;
            let Some(at) = writer.checked_sub(self.cx.object.instructions.start) else { continue };
            let Some(sources) = self.state.sources_of.get(at as usize) else { continue };
            trail.push(InstructionIndex(writer));
            for source in sources {
                if *source != NO_WRITER && !open.contains(source) {
                    open.push(*source);
                }
            }
        }
        trail
    }

    /// A value in words: names of variables, numbers.
    pub fn in_words(&self, value: Value) -> String {
        let program = self.cx.program;
        if self.cx.is_first_group
            && value.bytes == 8
            && let Some((number, bytes)) = value.as_known().and_then(behind_pointer)
            && let Some(input) = self.pointer_of(number)
        {
            let name = program.variable_name(input);
            return match bytes {
                0 => name.to_owned(),
                1.. => format!("{name} + {bytes:#x}"),
                _ => format!("{name} - {:#x}", bytes.unsigned_abs()),
            };
        }
        let grf = self.cx.grf_bytes.max(1);
        let mut name = |variable: u32, element: u32, bytes: u8| {
            let id = VariableId(variable);
            let text = program.variable_name(id);
            let n_elements = program.n_elements(id, grf);
            let own = program.variables[id].element_bytes().max(1);
            let byte = element * u32::from(bytes);
            if n_elements <= 1 { text.to_owned() } else { format!("{text}({},{})", byte / grf, byte % grf / own) }
        };
        self.domain.describe(value, &mut name)
    }
}
