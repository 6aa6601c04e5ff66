//! Where the lanes go: steps, branches, calls.

use super::{Concrete, Ending, GONE, LANES, MAX_STEPS, Observer, Record, State};
use visa_lint::base::symbol::Symbol;
use visa_lint::program::{InstructionIndex, Operand};
use visa_lint::spec::instruction::{Flow, Predication};
use visa_lint::spec::operation::Operation;

impl Concrete<'_> {
    fn label(&self, operand: &Operand) -> Option<u32> {
        let Operand::Name { name, .. } = *operand else { return None };
        self.position(name)
    }

    /// The instruction after a label.
    fn position(&self, name: Symbol) -> Option<u32> {
        let labels = self.object.labels.clone();
        self.program.labels.as_slice()[labels.start as usize..labels.end as usize]
            .iter()
            .find(|l| l.name == name)
            .map(|l| l.instruction)
    }

    /// Executes the kernel with that many lanes.
    pub fn run(&mut self, simd: u32, observer: &mut dyn Observer) -> Ending {
        self.begin(simd);
        while self.here().is_some() {
            self.step(observer);
            if self.steps > MAX_STEPS {
                self.is_over = true;
            }
        }
        if self.is_over { Ending::GivenUp } else { Ending::Done }
    }

    /// Reads from now on what is not defined as it stands.
    pub fn read_anything(&mut self) {
        self.is_lenient = true;
        self.predicates.fill((0, u32::MAX, u32::MAX));
    }

    /// Stands before the first instruction of the kernel, with that many lanes.
    pub fn begin(&mut self, simd: u32) {
        self.enter(self.object.instructions.start, ((1_u64 << simd) - 1) as u32);
    }

    fn enter(&mut self, start: u32, lanes: u32) {
        self.frames.push(std::array::from_fn(|l| if lanes >> l & 1 == 1 { start } else { GONE }));
    }

    /// The instruction that is executed next; nothing if all lanes have left, or the run is given up.
    pub fn here(&mut self) -> Option<InstructionIndex> {
        while let Some(at) = self.frames.last().filter(|_| !self.is_over) {
            let here = at.iter().copied().min().unwrap_or(GONE);
            if here < self.object.instructions.end {
                return Some(InstructionIndex(here));
            }
            self.frames.pop();
        }
        None
    }

    /// Whether the run was given up.
    pub const fn is_given_up(&self) -> bool {
        self.is_over
    }

    /// Executes one instruction.
    pub fn step(&mut self, observer: &mut dyn Observer) {
        let Some(InstructionIndex(here)) = self.here() else { return };
        let at = *self.frames.last().expect("a frame");
        self.steps += 1;
        let active = (0..LANES).filter(|l| at[*l as usize] == here).fold(0, |m, l| m | 1 << l);
        let index = InstructionIndex(here);
        let program = self.program;
        let instruction = &program.instructions[index];
        let row = program.row(instruction).expect("an instruction that exists");
        let mut record = Record { instruction: here, here: active, ..Record::default() };
        let (first, n) = (u32::from(instruction.mask_offset), u32::from(instruction.exec_size).max(1));
        let all = ((1_u64 << n) - 1) as u32;
        let enabled = if instruction.no_mask { all } else { active >> first & all };
        let operands = program.operands_of(instruction);
        let branches = matches!(row.flow, Flow::Jump | Flow::Goto | Flow::Call | Flow::Return);
        let is_uniform = row.flow == Flow::Jump || n == 1 && row.flow == Flow::Goto;
        let first_bit = if row.flow == Flow::Jump { 0 } else { first };
        let selects = row.operation == Some(Operation::Sel);
        let (bits, defined) = self.predicate(instruction, first_bit, n, &mut record);
        let relevant = if is_uniform { 1 } else { enabled };
        if relevant & !defined != 0
            && !self.is_lenient
            && !matches!(row.operation, Some(Operation::Min | Operation::Max))
        {
            // Which lanes go on is not defined.
            let exec_mask = if selects { enabled } else { enabled & bits & defined };
            record.active = exec_mask;
            record.is_cut = true;
            observer.after(record);
            self.is_over = true;
            return;
        }
        // The predicate of `add3.o` takes the overflow.
        let gives_overflow = row.operation == Some(Operation::Add3) && row.predicate == Predication::Required;
        let exec_mask = if branches || selects || gives_overflow { enabled } else { enabled & bits };
        if !observer.before(self, index, if branches { enabled & bits } else { exec_mask }) {
            self.is_over = true;
            return;
        }
        record.active = exec_mask;
        self.note_numbers(index, (exec_mask, n), &mut record);
        let mut next: [u32; LANES as usize] = at;
        let spread = |mask: u32| if n == LANES { mask } else { mask << first };
        for (l, place) in next.iter_mut().enumerate() {
            if active >> l & 1 == 1 {
                *place = here + 1;
            }
        }
        match row.flow {
            Flow::Jump | Flow::Goto => {
                let taken = if is_uniform { if bits & 1 == 1 { active } else { 0 } } else { spread(enabled & bits) };
                let Some(target) = self.label(&operands[0]) else { panic!("a label that does not exist") };
                record.passes_waiting = taken != 0 && at.iter().any(|l| *l > here && *l < target);
                for l in (0..LANES).filter(|l| taken >> l & 1 == 1) {
                    next[l as usize] = target;
                }
            }
            Flow::Switch => {
                let index = self.source(&operands[0], 0, 0, 1, &mut record);
                let Operand::LabelList { start, end } = operands[1] else { panic!("no list of labels") };
                let labels = &program.label_lists[start as usize..end as usize];
                record.index = index.filter(|(_, state)| *state == State::Defined).map(|(bits, _)| bits);
                let name = record.index.and_then(|i| labels.get(usize::try_from(i).ok()?));
                match name {
                    Some((name, _)) => {
                        let target = self.position(*name).expect("a label");
                        for l in (0..LANES).filter(|l| active >> l & 1 == 1) {
                            next[l as usize] = target;
                        }
                    }
                    // What comes next is not defined.
                    None => self.is_over = true,
                }
            }
            Flow::Call => {
                let taken = if n == 1 { if bits & 1 == 1 { active } else { 0 } } else { spread(enabled & bits) };
                let target = self.label(&operands[0]).expect("a subroutine");
                if taken != 0 {
                    observer.after(std::mem::take(&mut record));
                    self.go_on(next);
                    self.enter(target, taken);
                    return;
                }
            }
            Flow::Return => {
                let taken = if n == 1 { if bits & 1 == 1 { active } else { 0 } } else { spread(enabled & bits) };
                for l in (0..LANES).filter(|l| taken >> l & 1 == 1) {
                    next[l as usize] = GONE;
                }
            }
            _ => {
                let is_done = match row.operation {
                    Some(operation) => self.execute(instruction, operation, exec_mask, (bits, first, n), &mut record),
                    None => observer.message(self, index, (exec_mask, n), &mut record),
                };
                self.is_over |= !is_done;
            }
        }
        observer.after(record);
        self.go_on(next);
    }

    /// Where the lanes are next.
    fn go_on(&mut self, next: [u32; LANES as usize]) {
        if let Some(at) = self.frames.last_mut() {
            *at = next;
        }
    }
}
