//! Which values of LLVM IR and of MLIR certainly differ from lane to lane.

use rustc_hash::FxHashSet;

/// Parts of the names of functions, variables and operations that tell a lane or work-item its number.
const NUMBERS: [&str; 9] = [
    "get_sub_group_local_id",
    "get_local_id",
    "get_local_linear_id",
    "LocalInvocationId",
    "get_global_id",
    "get_global_linear_id",
    "SubgroupLocalInvocationId",
    "GlobalInvocationId",
    "gpu.lane_id",
];

/// Operations whose result differs if the one operand does that differs.
const KEPT: [&str; 17] = [
    "getelementptr",
    "load",
    "add",
    "sub",
    "zext",
    "sext",
    "trunc",
    "bitcast",
    "addrspacecast",
    "ptrtoint",
    "inttoptr",
    "uitofp",
    "sitofp",
    "addi",
    "subi",
    "extui",
    "extsi",
];

/// The values of a function that differ, as far as its lines are read.
#[derive(Debug, Default)]
pub(super) struct Lanes<'t> {
    differing: FxHashSet<&'t str>,
}

impl<'t> Lanes<'t> {
    /// Reads a line: `%1 = add i32 %0, 1`.
    pub(super) fn read(&mut self, line: &'t str) {
        let Some((name, value)) = line.trim_start().split_once(" = ") else { return };
        let operation = value.split([' ', '(']).find(|word| !matches!(*word, "tail" | "")).unwrap_or("");
        let operation = operation.rsplit('.').next().unwrap_or(operation);
        let is_kept = || {
            KEPT.contains(&operation)
                && value.split(|c: char| !is_name(c)).filter(|word| self.differs(word)).count() == 1
        };
        if NUMBERS.iter().any(|number| value.contains(number)) && !value.contains("inline_asm") || is_kept() {
            self.differing.insert(name);
        }
    }

    /// Whether a value certainly differs.
    pub(super) fn differs(&self, name: &str) -> bool {
        self.differing.contains(name)
    }

    /// Forgets the values of a function.
    pub(super) fn clear(&mut self) {
        self.differing.clear();
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '.' | '$' | '-' | '#')
}
