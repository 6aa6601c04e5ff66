//! Register pressure: how many bytes of general variables hold a value, before each instruction, that may still be read.
//!
//! A variable is divided into **cells** of one register; of each cell it is followed which of its bytes are live. Variables
//! whose address is taken are live everywhere. Predefined variables are not counted.

use super::touches::{Touch, Touches};
use crate::program::dataflow::{Analysis, Direction, Graph as _, Solver};
use crate::program::paths::{Node, Paths};
use crate::program::{ControlFlow, InstructionIndex, Object, Program, VariableId};
use crate::spec::predefined::VariableKind;
use rustc_hash::FxHashMap;

/// What is live in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Live {
    /// Bytes.
    pub bytes: u32,
    /// Registers that hold them: those of variables of at least one register, and those that smaller ones would fill.
    pub registers: u32,
}

/// What is live in a kernel or function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pressure {
    first: u32,
    /// Before each instruction of the object.
    lives: Vec<Live>,
}

/// Entries of all blocks together, beyond which nothing is worked out.
const MAX_ENTRIES: usize = 10_000_000;

impl Pressure {
    /// What is live before an instruction.
    #[must_use]
    pub fn before(&self, instruction: InstructionIndex) -> Option<Live> {
        self.lives.get((instruction.0.checked_sub(self.first)?) as usize).copied()
    }

    /// The first instruction before which the most registers are live.
    #[must_use]
    pub fn most(&self) -> Option<(InstructionIndex, Live)> {
        let most = self.lives.iter().map(|l| (l.registers, l.bytes)).max()?;
        let place = self.lives.iter().position(|l| (l.registers, l.bytes) == most)?;
        Some((InstructionIndex(self.first + place as u32), self.lives[place]))
    }

    /// The pressure in an object where registers have `grf_bytes` bytes; nothing if there are too many paths.
    #[must_use]
    pub fn new(program: &Program, object: &Object, touches: &Touches, grf_bytes: u32) -> Option<Self> {
        let flow = ControlFlow::new(program, object);
        let paths = Paths::new(&flow);
        let cells = Cells::new(program, object, touches, grf_bytes);
        let at_start = cells.at_start(&paths)?;
        let range = object.instructions.clone();
        let mut lives = vec![Live::default(); range.len()];
        let mut count =
            Count { masks: vec![0; cells.n], cells: &cells, bytes: 0, n_whole: 0, small_bytes: 0, grf_bytes };
        for node in 0..paths.flow.blocks.len() {
            for next in paths.next(node, Direction::Forward) {
                for (cell, mask) in &at_start[next] {
                    count.set(*cell, count.masks[*cell as usize] | mask);
                }
            }
            let mut touched: Vec<u32> =
                paths.next(node, Direction::Forward).flat_map(|next| &at_start[next]).map(|(cell, _)| *cell).collect();
            for at in paths.instructions(node).rev() {
                cells.each_step(InstructionIndex(at), |cell, killed, used| {
                    touched.push(cell);
                    count.set(cell, count.masks[cell as usize] & !killed | used);
                });
                lives[(at - range.start) as usize] = count.live(cells.everywhere);
            }
            for cell in touched {
                count.set(cell, 0);
            }
        }
        Some(Self { first: range.start, lives })
    }
}

/// The cells of the variables of an object.
struct Cells<'a> {
    touches: &'a Touches,
    grf_bytes: u32,
    /// The first cell of each root, and whether the root has at least one register.
    of_root: FxHashMap<VariableId, (u32, u32)>,
    is_whole: Vec<bool>,
    n: usize,
    /// What the variables whose address is taken hold.
    everywhere: Live,
}

impl<'a> Cells<'a> {
    fn new(program: &Program, object: &Object, touches: &'a Touches, grf_bytes: u32) -> Self {
        let mut cells = Self {
            touches,
            grf_bytes,
            of_root: FxHashMap::default(),
            is_whole: Vec::new(),
            n: 0,
            everywhere: Live::default(),
        };
        for variable in object.variables.clone().map(VariableId) {
            let row = &program.variables[variable];
            if row.root != variable || row.kind != VariableKind::General {
                continue;
            }
            let bytes = program.variable_bytes(variable, grf_bytes);
            let n = bytes.div_ceil(grf_bytes);
            if touches.is_addressed(variable) {
                cells.everywhere.bytes += bytes;
                cells.everywhere.registers += n;
            } else if touches.named(variable).next().is_some() {
                cells.of_root.insert(variable, (cells.n as u32, n));
                cells.n += n as usize;
                cells.is_whole.resize(cells.n, bytes >= grf_bytes);
            }
        }
        cells
    }

    /// Calls `on` with each cell that an instruction touches, the bytes of it that it writes for certain, and those that it
    /// reads.
    fn each_step(&self, instruction: InstructionIndex, mut on: impl FnMut(u32, u64, u64)) {
        let all = self.touches.of_instruction(instruction);
        for touch in all.iter().filter(|t| t.is_certain) {
            self.each_cell(touch, |cell, mask| on(cell, mask, 0));
        }
        for touch in all.iter().filter(|t| t.reads) {
            self.each_cell(touch, |cell, mask| on(cell, 0, mask));
        }
    }

    fn each_cell(&self, touch: &Touch, mut on: impl FnMut(u32, u64)) {
        let Some((first, n)) = self.of_root.get(&touch.root).copied() else { return };
        let end = n.saturating_mul(self.grf_bytes);
        for range in self.touches.ranges(touch) {
            let mut byte = range.start.min(end);
            let range_end = range.end.min(end);
            while byte < range_end {
                let cell = byte / self.grf_bytes;
                let cell_end = ((cell + 1) * self.grf_bytes).min(range_end);
                let n_bytes = cell_end - byte;
                let mask = if n_bytes >= 64 { u64::MAX } else { (1 << n_bytes) - 1 } << (byte % self.grf_bytes);
                on(first + cell, mask);
                byte = cell_end;
            }
        }
    }

    /// What is live at the beginning of each node: cells, each with the bytes of it.
    fn at_start(&self, paths: &Paths) -> Option<Vec<Vec<(u32, u64)>>> {
        // For each block and cell: what is read before it is written, and what is written for certain.
        let mut entries: Vec<(u32, Node, u64, u64)> = Vec::new();
        let mut used = vec![0u64; self.n];
        let mut killed = vec![0u64; self.n];
        for node in 0..paths.flow.blocks.len() {
            let mut touched = Vec::new();
            for at in paths.instructions(node).rev() {
                self.each_step(InstructionIndex(at), |cell, kills, uses| {
                    let place = cell as usize;
                    used[place] = used[place] & !kills | uses;
                    killed[place] |= kills;
                    touched.push(cell);
                });
            }
            for cell in touched {
                let place = cell as usize;
                let (uses, kills) = (std::mem::take(&mut used[place]), std::mem::take(&mut killed[place]));
                if uses | kills != 0 {
                    entries.push((cell, node, uses, kills));
                }
            }
        }
        entries.sort_unstable();
        let mut result: Vec<Vec<(u32, u64)>> = vec![Vec::new(); paths.n_nodes()];
        let mut live = vec![0u64; paths.n_nodes()];
        let mut liveness = Liveness { kills: vec![0; paths.n_nodes()], reached: Vec::new(), n_entries: 0 };
        let mut solver = Solver::new(paths);
        for of_cell in entries.chunk_by(|a, b| a.0 == b.0) {
            for (_, node, uses, killed) in of_cell {
                liveness.kills[*node] = *killed;
                live[*node] = *uses;
            }
            // From each read back to where it is written.
            let reads = of_cell.iter().filter(|(_, _, uses, _)| *uses != 0).map(|(_, node, _, _)| *node);
            liveness.reached.extend(reads.clone());
            solver.solve(&mut liveness, &mut live, reads);
            if liveness.n_entries > MAX_ENTRIES {
                return None;
            }
            for node in liveness.reached.drain(..) {
                result[node].push((of_cell[0].0, std::mem::take(&mut live[node])));
            }
            for (_, node, _, _) in of_cell {
                liveness.kills[*node] = 0;
            }
        }
        Some(result)
    }
}

/// Follows the live bytes of one cell.
struct Liveness {
    /// What each node writes for certain.
    kills: Vec<u64>,
    /// The nodes at whose beginning some bytes are live.
    reached: Vec<Node>,
    n_entries: usize,
}

impl Analysis for Liveness {
    /// The bytes that are live at the beginning of a node.
    type Fact = u64;

    fn direction(&self) -> Direction {
        Direction::Backward
    }

    fn join(&mut self, node: Node, known: &mut u64, coming: &u64) -> bool {
        let new = coming & !self.kills[node] & !*known;
        if new != 0 && *known == 0 {
            self.reached.push(node);
        }
        *known |= new;
        new != 0
    }

    fn transfer(&mut self, _: Node, _: &mut u64) -> bool {
        self.n_entries += 1;
        true
    }
}

/// Counts live bytes while masks change.
struct Count<'a> {
    masks: Vec<u64>,
    cells: &'a Cells<'a>,
    bytes: u32,
    n_whole: u32,
    small_bytes: u32,
    grf_bytes: u32,
}

impl Count<'_> {
    fn set(&mut self, cell: u32, mask: u64) {
        let place = cell as usize;
        let old = std::mem::replace(&mut self.masks[place], mask);
        let (before, after) = (old.count_ones(), mask.count_ones());
        self.bytes = self.bytes - before + after;
        if self.cells.is_whole[place] {
            self.n_whole = self.n_whole - u32::from(old != 0) + u32::from(mask != 0);
        } else {
            self.small_bytes = self.small_bytes - before + after;
        }
    }

    fn live(&self, everywhere: Live) -> Live {
        Live {
            bytes: everywhere.bytes + self.bytes,
            registers: everywhere.registers + self.n_whole + self.small_bytes.div_ceil(self.grf_bytes),
        }
    }
}
