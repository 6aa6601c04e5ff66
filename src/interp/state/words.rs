//! Values in words.

use crate::interp::domain::Value;
use crate::interp::state::Reader;
use crate::interp::state::memory::behind_pointer;
use crate::program::VariableId;

impl Reader<'_> {
    /// The input that is taken to be the pointer with a number.
    fn pointer_of(&self, number: u64) -> Option<VariableId> {
        let range = &self.cx.object.inputs;
        let inputs = &self.cx.program.inputs[range.start as usize..range.end as usize];
        inputs.iter().map(|i| i.variable).find(|v| u64::from(v.0) == number)
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
