//! Values in words.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::state::Reader;
use crate::interp::state::memory::behind_pointer;
use crate::interp::state::variables::GROUP_IDS;
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
        if self.cx.knows_group
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
        self.domain.describe(value, &mut |variable, element, bytes| self.name_of(variable, element, bytes))
    }

    /// The name of what a variable holds at the start, in elements of so many bytes.
    fn name_of(&self, variable: u32, element: u32, bytes: u8) -> String {
        let program = self.cx.program;
        let grf = self.cx.grf_bytes.max(1);
        let id = VariableId(variable);
        let text = program.variable_name(id);
        let n_elements = program.n_elements(id, grf);
        let own = program.variables[id].element_bytes().max(1);
        let byte = element * u32::from(bytes);
        if n_elements <= 1 { text.to_owned() } else { format!("{text}({},{})", byte / grf, byte % grf / own) }
    }

    /// A condition in words, if it can be said in a few.
    #[must_use]
    pub fn condition_in_words(&self, condition: Condition) -> Option<String> {
        self.domain.describe_condition(condition, &mut |variable, element, bytes| {
            let is_group = Some(VariableId(variable)) == VariableId::of_predefined("%r0") && bytes == 4;
            match GROUP_IDS.iter().position(|e| is_group && *e == element) {
                Some(dimension) => format!("the group id in {}", ["x", "y", "z"][dimension]),
                None => format!("`{}`", self.name_of(variable, element, bytes)),
            }
        })
    }

    /// Whether an address lies in memory to which an input is the pointer, as far as addresses of a known group tell.
    #[must_use]
    pub fn is_behind_input(&self, address: u64) -> bool {
        behind_pointer(address).is_some_and(|(number, _)| self.pointer_of(number & 0xffff).is_some())
    }
}
