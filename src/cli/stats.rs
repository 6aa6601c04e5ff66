//! `visa-lint stats`: what a text is made of, kernel by kernel.

use crate::base::id::Id as _;
use crate::base::source::SourceFile;
use crate::lower;
use crate::program::cfg::{Block, BlockId};
use crate::program::lsc::LscValue;
use crate::program::object::ObjectKind;
use crate::program::{ControlFlow, InstructionIndex, Object, Operand, Program, VariableId, View};
use crate::reading::{Live, Pressure, Touches};
use crate::spec::instruction::AccessKind;
use crate::spec::predefined::VariableKind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What a kernel or function is made of.
#[derive(Serialize, Debug)]
pub struct Stats {
    /// Its name.
    pub name: String,
    /// Instructions.
    pub n_instructions: usize,
    /// Instructions by mnemonic.
    pub mnemonics: BTreeMap<&'static str, usize>,
    /// Instructions that access memory, by what they do to it; one that reads and writes counts twice.
    pub messages: BTreeMap<&'static str, usize>,
    /// Basic blocks.
    pub n_blocks: usize,
    /// Edges from a block to one that does not stand behind it: loops.
    pub n_loops: usize,
    /// General variables of the text that its instructions name, aliases not counted.
    pub n_variables: usize,
    /// Bytes of these.
    pub variable_bytes: u64,
    /// The most that is live before any instruction; nothing if there are too many paths.
    pub most_live: Option<MostLive>,
}

/// The most that is live.
#[derive(Serialize, Debug)]
pub struct MostLive {
    /// The line of the instruction, counted from 1.
    pub line: u32,
    /// Bytes of general variables that hold a value which may still be read.
    pub bytes: u32,
    /// Registers that hold them.
    pub registers: u32,
}

/// What each kernel and function of a text is made of, where registers have `grf_bytes` bytes.
#[must_use]
pub fn stats(source: &SourceFile, grf_bytes: u32) -> Vec<Stats> {
    let program = lower::lower(&source.text);
    let touches = Touches::new(&program, grf_bytes);
    let objects = program.objects.iter().filter(|o| o.kind != ObjectKind::Missing);
    let of_object = |object: &Object| {
        let most_live = most_live(source, &program, object, &touches, grf_bytes);
        Stats { most_live, ..counts(&program, object, grf_bytes) }
    };
    objects.map(of_object).collect()
}

/// The most that is live in a kernel or function; nothing if there are too many paths.
pub(super) fn most_live(
    source: &SourceFile,
    program: &Program,
    object: &Object,
    touches: &Touches,
    grf_bytes: u32,
) -> Option<MostLive> {
    let (at, Live { bytes, registers }) = Pressure::new(program, object, touches, grf_bytes)?.most()?;
    let line = source.position(program.instruction_spans[at].statement.start).0;
    Some(MostLive { line, bytes, registers })
}

fn counts(program: &Program, object: &Object, grf_bytes: u32) -> Stats {
    let flow = ControlFlow::new(program, object);
    let mut mnemonics = BTreeMap::new();
    let mut messages = BTreeMap::new();
    let mut variables: BTreeSet<VariableId> = BTreeSet::new();
    let mut n_instructions = 0;
    for index in flow.blocks.iter().flat_map(Block::instructions) {
        n_instructions += 1;
        let Some(view) = View::new(program, index) else { continue };
        *mnemonics.entry(view.row.mnemonic).or_default() += 1;
        let kinds: BTreeSet<&str> = view.row.accesses.iter().map(|access| word(access.kind)).collect();
        for kind in kinds {
            *messages.entry(kind).or_default() += 1;
        }
        variables.extend(roots(program, index));
    }
    let edges = flow.blocks.iter().enumerate().flat_map(|(from, _)| {
        let id = BlockId::from_index(from);
        flow.successors(id).iter().map(move |to| (from, to.index()))
    });
    let n_loops = edges.filter(|(from, to)| to <= from).map(|(_, to)| to).collect::<BTreeSet<_>>().len();
    Stats {
        name: program.names.name(object.name).to_owned(),
        n_instructions,
        mnemonics,
        messages,
        n_blocks: flow.blocks.len(),
        n_loops,
        n_variables: variables.len(),
        variable_bytes: variables.iter().map(|v| u64::from(program.variable_bytes(*v, grf_bytes))).sum(),
        most_live: None,
    }
}

const fn word(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
    }
}

/// The declared general variables whose bytes an instruction names, each at the end of its chain of aliases.
fn roots(program: &Program, index: InstructionIndex) -> impl Iterator<Item = VariableId> + '_ {
    let operands = program.operands_of(&program.instructions[index]);
    let addresses = operands.iter().filter_map(|operand| match operand {
        Operand::LscAddress { index } => Some(&program.lsc_addresses[*index as usize]),
        _ => None,
    });
    let in_addresses = addresses.flat_map(|address| program.lsc_values(address)).filter_map(LscValue::variable);
    let named = operands.iter().filter_map(Operand::variable).chain(in_addresses);
    named.map(|v| program.variables[v].root).filter(|v| {
        program.variables[*v].kind == VariableKind::General && v.predefined().is_none() && *v != VariableId::NULL
    })
}

/// For people.
#[must_use]
pub fn text(all: &[Stats]) -> String {
    let mut out = String::new();
    for stats in all {
        let _ = writeln!(out, "{}", crate::base::printable::line(&stats.name));
        for (words, n) in [
            ("instructions", stats.n_instructions),
            ("basic blocks", stats.n_blocks),
            ("loops", stats.n_loops),
            ("general variables", stats.n_variables),
        ] {
            let _ = writeln!(out, "{n:>9} {words}");
        }
        let _ = writeln!(out, "{:>9} bytes in these variables", stats.variable_bytes);
        if let Some(MostLive { line, bytes, registers }) = &stats.most_live {
            let _ = writeln!(out, "{bytes:>9} bytes live at most, in {registers} registers, before line {line}");
        }
        for (kind, n) in &stats.messages {
            let verb = if *kind == "atomic" { "update" } else { kind };
            let _ = writeln!(out, "{n:>9} instructions that {verb} memory");
        }
        let mut mnemonics: Vec<_> = stats.mnemonics.iter().collect();
        mnemonics.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
        out.push('\n');
        for (name, n) in mnemonics {
            let _ = writeln!(out, "{n:>9} {name}");
        }
        out.push('\n');
    }
    out
}
