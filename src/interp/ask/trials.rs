//! Which numbers are tried for the arguments of a kernel: each trial is a launch.

use super::kernel::Kernel;
use crate::interp::domain::{mask, sign_extended};
use crate::interp::launch::Given;
use crate::program::{Input, InstructionIndex, Operand, VariableId, View};
use crate::spec::Type;
use crate::spec::operation::Operation;
use rustc_hash::FxHashSet;

/// What every argument is taken to be, one argument after the other.
const CHOSEN: [i16; 6] = [2, 33, 0, 1, 128, 3];
/// So many of them come before other trials.
const N_FIRST: usize = 2;
/// Most arguments of which that is tried.
const MAX_ARGUMENTS: usize = 6;
/// Most elements of an argument that are arguments of their own.
const MAX_ELEMENTS: i64 = 4;
/// Most numbers that are tried because the program compares an argument with them.
const MAX_COMPARED: usize = 6;
/// The greatest number that is tried because the program compares an argument with it.
const MOST_COMPARED: i64 = 1 << 16;
/// Bytes of three dwords, one for each dimension.
const VECTOR_BYTES: i64 = 12;

/// What is known of arguments in a trial.
pub(super) struct Trial {
    pub given: Vec<Given>,
    /// The same in words.
    pub words: String,
}

/// An argument, or an element of one.
#[derive(Clone, Copy)]
struct Argument {
    variable: VariableId,
    offset: u32,
    kind: Type,
}

impl Argument {
    /// The argument with these bits.
    fn with(self, bits: u64) -> Given {
        let bytes = self.kind.bytes() as u8;
        Given { variable: self.variable, offset: self.offset, bytes, number: bits & mask(bytes), base: None }
    }

    /// The bits of a number.
    fn bits_of(self, number: i16) -> u64 {
        match self.kind {
            Type::F => u64::from(f32::from(number).to_bits()),
            Type::DF => f64::from(number).to_bits(),
            _ => i64::from(number) as u64,
        }
    }
}

impl<'a> Kernel<'a> {
    /// The launches that are tried; `pointers` are the inputs that are added to addresses as they are.
    pub(super) fn trials(&self, pointers: &FxHashSet<VariableId>) -> Vec<Trial> {
        let arguments: Vec<Argument> = self.scalars(pointers).take(MAX_ARGUMENTS).collect();
        let is_plane = self.group.n_dimensions() > 1;
        // Without its rows a plane is a line: every work-item of a column has one place.
        let numbers: Vec<i16> = CHOSEN.into_iter().filter(|number| *number > 0 || !is_plane).collect();
        // A launch has as many dimensions as its groups, at least, and three at most.
        let of_group = (1..=3).rev().find(|d| self.group.size()[*d as usize - 1] > 1).unwrap_or(1);
        let is_possible =
            |given: &Given| self.launch.dimensions != Some(given.variable) || (of_group..=3).contains(&given.number);
        let chosen = |number: i16| arguments.iter().map(move |a| a.with(a.bits_of(number))).filter(is_possible);
        let mut seen = FxHashSet::default();
        let mut is_new = |given: &Given| seen.insert((given.variable, given.offset, given.number));
        let trial = |given: Given| Trial { words: self.words_of(&given), given: vec![given] };
        // Others would be tried for what becomes of products that do not fit; masks are no sizes.
        let is_small = |given: &Given| {
            let number = sign_extended(given.number, given.bytes);
            (-1..=MOST_COMPARED).contains(&number) && !(is_plane && number <= 0)
        };
        let is_float = |given: &Given| !self.program.variables[given.variable].element_type.is_integer();
        let mut compared = self.compared(&arguments);
        compared.retain(|(given, _)| is_possible(given) && (is_float(given) || is_small(given)));
        let compared = |is_exact: bool| compared.iter().filter(move |(_, exact)| *exact == is_exact).map(|(g, _)| *g);
        // What the program compares comes first.
        let is_compared = |trial: &Trial| trial.given.iter().any(|given| self.is_compared(given));
        let (mut trials, vectors): (Vec<Trial>, Vec<Trial>) = self.vectors().partition(is_compared);
        let (first, others) = numbers.split_at(N_FIRST);
        trials.extend(compared(true).filter(&mut is_new).take(MAX_COMPARED).map(trial));
        trials.extend(first.iter().copied().flat_map(chosen).filter(&mut is_new).map(trial));
        if arguments.len() > 1 && !is_plane {
            let given: Vec<Given> = chosen(0).collect();
            let words = given.iter().map(|g| self.words_of(g)).collect::<Vec<_>>().join(" and ");
            trials.push(Trial { given, words });
        }
        trials.extend(compared(false).filter(&mut is_new).take(MAX_COMPARED).map(trial));
        trials.extend(vectors);
        trials.extend(others.iter().copied().flat_map(chosen).filter(&mut is_new).map(trial));
        trials
    }

    fn words_of(&self, given: &Given) -> String {
        let name = self.program.variable_name(given.variable);
        let kind = self.program.variables[given.variable].element_type;
        let element = given.offset / u32::from(given.bytes);
        let name = if element == 0 { name.to_owned() } else { format!("{name}(0,{element})") };
        match kind {
            Type::F => format!("`{name}` is {:?}", f32::from_bits(given.number as u32)),
            Type::DF => format!("`{name}` is {:?}", f64::from_bits(given.number)),
            _ if kind.is_signed() => format!("`{name}` is {}", sign_extended(given.number, given.bytes)),
            _ => format!("`{name}` is {}", given.number),
        }
    }

    /// The vectors of three numbers of which it is not known what they are: each as the size of the group. There are
    /// launches in which that is so, whatever the vector is: the size of the group itself, that of a launch of one group,
    /// or the number of groups.
    fn vectors(&self) -> impl Iterator<Item = Trial> {
        let vectors = self.further_inputs().filter(|(input, kind)| input.size == VECTOR_BYTES && *kind == Type::D);
        vectors.map(|(input, _)| {
            let given =
                |(i, n): (u32, u32)| Argument { variable: input.variable, offset: 4 * i, kind: Type::D }.with(n.into());
            let given = (0..).zip(self.group.size()).map(given).collect();
            Trial { given, words: format!("`{}` is the size of the group", self.program.variable_name(input.variable)) }
        })
    }

    /// The inputs that all threads have in common and of which nothing is known, with their types.
    fn further_inputs(&self) -> impl Iterator<Item = (&'a Input, Type)> {
        let shared_from = self.group.shared_from.unwrap_or(i64::MAX);
        let is_known = |v: VariableId| self.launch.sizes.iter().chain(&self.launch.offsets).any(|g| g.variable == v);
        let inputs = self.program.inputs_of(self.object).iter();
        inputs
            .filter(move |i| i.offset >= shared_from && !is_known(i.variable))
            .filter_map(|input| Some((input, self.program.variables.get(input.variable)?.element_type)))
    }

    /// The arguments that are numbers, and no part of an address as they are.
    fn scalars(&self, pointers: &FxHashSet<VariableId>) -> impl Iterator<Item = Argument> {
        let inputs = self.further_inputs().filter(|(input, _)| !pointers.contains(&input.variable));
        inputs.flat_map(|(input, kind)| {
            let bytes = i64::from(kind.bytes());
            let is_number = matches!(
                kind,
                Type::B | Type::UB | Type::W | Type::UW | Type::D | Type::UD | Type::Q | Type::F | Type::DF
            );
            let n = if is_number && input.size % bytes == 0 { input.size / bytes } else { 0 };
            let n = if n > MAX_ELEMENTS || (input.size == VECTOR_BYTES && kind == Type::D) { 0 } else { n as u32 };
            let variable = input.variable;
            (0..n).map(move |i| Argument { variable, offset: i * bytes as u32, kind })
        })
    }

    /// The arguments with the numbers that they are compared with, which are marked, and those beside these. Where no
    /// argument is compared by itself, as in programs that keep arguments in memory, all of them may be.
    fn compared(&self, arguments: &[Argument]) -> Vec<(Given, bool)> {
        let (mut found, mut of_any) = (Vec::new(), Vec::new());
        for view in self.comparisons() {
            for operand in view.operands {
                let Operand::Immediate { bits, .. } = *operand else { continue };
                let with_all = |argument: &Argument| {
                    let argument = *argument;
                    [0, 1, u64::MAX].map(|n| (argument.with(bits.wrapping_add(n)), n == 0))
                };
                let is_compared = |a: &&Argument| view.operands.iter().any(|o| self.names(o, (a.variable, a.offset)));
                found.extend(arguments.iter().filter(is_compared).flat_map(with_all));
                if view.row.operation == Some(Operation::Cmp) {
                    of_any.extend(arguments.iter().flat_map(with_all));
                }
            }
        }
        if found.is_empty() { of_any } else { found }
    }

    /// Whether an instruction compares it.
    fn is_compared(&self, given: &Given) -> bool {
        self.comparisons().any(|view| view.operands.iter().any(|o| self.names(o, (given.variable, given.offset))))
    }

    /// The instructions that compare numbers or test bits.
    fn comparisons(&self) -> impl Iterator<Item = View<'a>> {
        let all = (self.object.instructions.start..self.object.instructions.end).map(InstructionIndex);
        let program = self.program;
        all.filter_map(move |index| View::new(program, index))
            .filter(|view| matches!(view.row.operation, Some(Operation::Cmp | Operation::And)))
    }

    /// Whether an operand begins with this byte of a variable.
    fn names(&self, operand: &Operand, (root, offset): (VariableId, u32)) -> bool {
        let Operand::General { variable, row, column, .. } = *operand else { return false };
        let Some(v) = self.program.variables.get(variable) else { return false };
        let within = i64::from(row) * i64::from(self.grf_bytes) + i64::from(column) * i64::from(v.element_bytes());
        v.root == root && i64::from(v.root_offset) + within == i64::from(offset)
    }
}
