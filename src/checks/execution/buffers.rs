//! The buffers of a kernel: those whose size is known, and those that it reaches in several ways.

use super::{address, grf_sizes};
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Context, Sink, View};
use crate::checks::{BufferArgument, KernelFacts};
use crate::interp::launch::{Buffer, InputByte, Layout, Ways, input_byte};
use crate::program::lsc::{AddressModel, LscAddress, LscValue};
use crate::program::{Input, Object, ObjectKind, Operand, VariableId};
use crate::spec::instruction::Custom;
use crate::spec::operation::Operation;
use crate::spec::{ModifierName, Type};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Reports sizes of buffers that no kernel has.
pub(super) fn report_unknown(cx: &Context, sink: &mut Sink) {
    let facts = &cx.options.launch;
    let kernels = || cx.program.objects.iter().filter(|o| o.kind == ObjectKind::Kernel);
    let is_meant = !facts.buffers.is_empty() && !facts.serves_many;
    let Some(first) = kernels().next().filter(|_| is_meant) else { return };
    let grf_of = |object: &Object| grf_sizes(cx, object).next();
    let known: FxHashSet<String> =
        kernels().filter_map(|o| Some(of_known_size(cx, o, grf_of(o)?))).flatten().map(|buffer| buffer.name).collect();
    let unknown: Vec<String> = facts.buffers.keys().filter(|name| !known.contains(*name)).cloned().collect();
    if unknown.is_empty() {
        return;
    }
    let mut names = Vec::new();
    for object in kernels() {
        let own = facts.kernels.get(cx.program.names.name(object.name));
        let of_argument = |a: &BufferArgument| a.name.clone().unwrap_or_else(|| format!("arg{}", a.index));
        names.extend(own.iter().flat_map(|own| own.arguments.iter().map(of_argument)));
        let inputs = cx.program.inputs_of(object);
        let is_pointer = |v: &VariableId| cx.program.variables[*v].element_type == Type::UQ;
        let pointers = inputs.iter().map(|i| i.variable).filter(is_pointer);
        let states = Surfaces::of(cx, object).states;
        names.extend(pointers.chain(states).map(|v| cx.program.variable_name(v).to_owned()));
    }
    names.push("bti0".to_owned());
    names.sort();
    names.dedup();
    names.truncate(MAX_NAMES);
    let quoted = |names: Vec<String>| crate::spec::join_or(names.into_iter().map(|name| format!("`{name}`")));
    // All of them stand in one finding, since they have one place.
    let message = format!("no kernel has a buffer {}, for which a size is given", quoted(unknown));
    let help = format!("buffers have names such as {}", quoted(names));
    sink.report(Diagnostic::new(&address::UNKNOWN_BUFFER, first.name_span, message).help(help));
}

/// Most names of buffers that are proposed.
const MAX_NAMES: usize = 8;

/// The ways to an argument, as the compiler says.
fn ways_of(cx: &Context, object: &Object, own: &KernelFacts, argument: &BufferArgument, grf_bytes: u32) -> Ways {
    let place = |at: Option<u32>| input_byte(cx.program, object, own.payload.place(at?, grf_bytes));
    Ways {
        pointer: place(argument.pointer),
        surface: argument.surface.map(u64::from),
        state: place(argument.state),
        offset: place(argument.offset),
    }
}

fn own<'a>(cx: &'a Context, object: &Object) -> Option<&'a KernelFacts> {
    cx.options.launch.kernels.get(cx.program.names.name(object.name))
}

/// The buffers of a kernel whose size the user knows: by the names of arguments, of variables, and of surfaces.
pub(super) fn of_known_size(cx: &Context, object: &Object, grf_bytes: u32) -> Vec<Buffer> {
    let facts = &cx.options.launch;
    if facts.buffers.is_empty() {
        return Vec::new();
    }
    let own = own(cx, object);
    let inputs = cx.program.inputs_of(object);
    let buffer = |(name, bytes): (&String, &u64)| {
        let (name, bytes) = (name.clone(), *bytes);
        let number_behind = |word: &str| name.strip_prefix(word).and_then(|n| n.parse::<u32>().ok());
        let argument = own.and_then(|own| {
            let is_it = |a: &&BufferArgument| a.name.as_ref() == Some(&name) || number_behind("arg") == Some(a.index);
            let found = own.arguments.iter().find(is_it)?;
            Some(ways_of(cx, object, own, found, grf_bytes))
        });
        let ways = match (argument, number_behind("bti")) {
            (Some(ways), _) => ways,
            (None, Some(surface)) => Ways { surface: Some(u64::from(surface)), ..Ways::default() },
            (None, None) => {
                let variable = inputs.iter().map(|i| i.variable).find(|v| cx.program.variable_name(*v) == name)?;
                let input = Some(InputByte { variable, offset: 0 });
                let is_pointer = cx.program.variables[variable].element_type == Type::UQ;
                if is_pointer {
                    Ways { pointer: input, ..Ways::default() }
                } else {
                    Ways { state: input, ..Ways::default() }
                }
            }
        };
        Some(Buffer { name, bytes, ways })
    };
    facts.buffers.iter().filter_map(buffer).collect()
}

/// The buffers of a kernel that has pointers to some of them and reaches some as surfaces: which pointer belongs to which
/// surface. Where the compiler does not say so, pointers and surfaces have one order, that of the arguments: the surface with
/// a number belongs to the pointer with that number, if there is one, and states that come from inputs belong to pointers where
/// there are as many. Images break that order.
pub(super) fn reached(cx: &Context, object: &Object, layout: &Layout, grf_bytes: u32) -> Vec<Ways> {
    let read = read_variables(cx, object);
    let is_read = |ways: &Ways| ways.pointer.is_some_and(|p| read.contains(&p.variable));
    if let Some(own) = own(cx, object).filter(|own| !own.arguments.is_empty()) {
        let ways = own.arguments.iter().map(|argument| ways_of(cx, object, own, argument, grf_bytes));
        let ways: Vec<Ways> = ways.filter(|ways| ways.pointer.is_some()).collect();
        let is_any_read = ways.iter().any(is_read);
        return ways.into_iter().filter(|w| is_any_read && (w.surface.is_some() || w.state.is_some())).collect();
    }
    let Some(shared_from) = layout.shared_from() else { return Vec::new() };
    let is_pointer = |i: &&Input| {
        i.offset >= shared_from && i.size == 8 && cx.program.variables[i.variable].element_type == Type::UQ
    };
    let mut pointers: Vec<&Input> = cx.program.inputs_of(object).iter().filter(is_pointer).collect();
    pointers.sort_by_key(|i| i.offset);
    if !pointers.iter().any(|i| read.contains(&i.variable)) {
        return Vec::new();
    }
    let found = Surfaces::of(cx, object);
    let at = |variable: VariableId| Some(InputByte { variable, offset: 0 });
    let n = pointers.len();
    let pointers = pointers.into_iter().map(|i| Ways { pointer: at(i.variable), ..Ways::default() });
    if found.is_open {
        Vec::new()
    } else if found.states.is_empty() {
        let ways = (0..).zip(pointers).map(|(number, ways)| Ways { surface: Some(number), ..ways });
        ways.filter(|ways| ways.surface.is_some_and(|number| found.numbers.contains(&number))).collect()
    } else if found.numbers.is_empty() && found.states.len() == n {
        pointers.zip(found.states).map(|(ways, variable)| Ways { state: at(variable), ..ways }).collect()
    } else {
        Vec::new()
    }
}

/// The variables that instructions name, without aliases.
fn read_variables(cx: &Context, object: &Object) -> FxHashSet<VariableId> {
    let root = |v: VariableId| cx.program.variables.get(v).map(|row| row.root);
    let mut all = FxHashSet::default();
    for (_, instruction) in cx.program.instructions_in(object) {
        for operand in cx.program.operands_of(instruction) {
            all.extend(operand.variable().and_then(root));
            if let Operand::LscAddress { index } = operand {
                let items = cx.program.lsc_addresses.get(*index as usize).map_or(0..0, LscAddress::items);
                all.extend(cx.program.lsc_items[items].iter().filter_map(|i| i.value.variable()).filter_map(root));
            }
        }
    }
    all
}

/// Whether a message goes to an image: images have numbers between those of the buffers, and no pointers.
fn reaches_texels(view: &View) -> bool {
    let names_surface = || view.operands.iter().any(|operand| matches!(operand, Operand::Handle { .. }));
    match view.row.custom {
        Some(Custom::Sampler | Custom::Media | Custom::Typed | Custom::Vme) => names_surface(),
        Some(Custom::Lsc) => view.modifier_word(ModifierName::UNIT) == Some("tgm"),
        _ => false,
    }
}

/// The surfaces that a kernel names.
#[derive(Default)]
struct Surfaces {
    /// Those with a number.
    numbers: BTreeSet<u64>,
    /// The inputs that say where the state of a surface is, in the order of the payload.
    states: Vec<VariableId>,
    /// Whether there are others.
    is_open: bool,
}

impl Surfaces {
    fn of(cx: &Context, object: &Object) -> Self {
        let mut found = Self::default();
        let mut states = FxHashSet::default();
        for (index, _) in cx.program.instructions_in(object) {
            let Some(view) = View::new(cx, index) else { continue };
            if view.row.operation == Some(Operation::Movs) {
                match view.operands.get(1) {
                    Some(Operand::Immediate { bits, .. }) => _ = found.numbers.insert(*bits),
                    _ => found.is_open = true,
                }
            }
            found.is_open |= reaches_texels(&view);
            for operand in view.operands {
                let Operand::LscAddress { index } = operand else { continue };
                let Some(address) = cx.program.lsc_addresses.get(*index as usize) else { continue };
                match (address.model, address.surface) {
                    (AddressModel::Flat | AddressModel::Arg, _) => {}
                    (AddressModel::Bti, Some(LscValue::Immediate(number))) => {
                        found.numbers.extend(u64::try_from(number));
                    }
                    (_, surface) => match surface.and_then(LscValue::variable) {
                        Some(variable) => _ = states.insert(cx.program.variables[variable].root),
                        None => found.is_open = true,
                    },
                }
            }
        }
        let inputs = cx.program.inputs_of(object);
        let mut of_inputs: Vec<&Input> = inputs.iter().filter(|i| states.contains(&i.variable)).collect();
        of_inputs.sort_by_key(|i| i.offset);
        found.is_open |= of_inputs.len() < states.len();
        found.states = of_inputs.into_iter().map(|i| i.variable).collect();
        found
    }
}
