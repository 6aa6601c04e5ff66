//! Hover: what the thing at a place is.

use crate::base::id::Id as _;
use crate::base::rule::{self, Level};
use crate::base::span::Span;
use crate::checks::View;
use crate::interp::{self, Launch};
use crate::lsp::ask::Ask;
use crate::lsp::callables::line_of;
use crate::lsp::site::{Site, site_at};
use crate::lsp::{callables, directives, immediate, names, touched};
use crate::program::instruction::PredicateControl;
use crate::program::variable::{FLAG_ALIAS, FLAG_BROKEN, FLAG_INPUT, FLAG_OUTPUT};
use crate::program::{AttributeValue, InstructionIndex, LabelId, ObjectKind, Operand, VariableId};
use crate::reading::bytes::meet;
use crate::reading::drawing::{self, Drawn};
use crate::reading::reach::Reach;
use crate::reading::{Pressure, Touch};
use crate::spec::describe;
use crate::spec::instruction::OperandSlot;
use crate::spec::instruction::{Execution, Instruction, ModifierKind, OperandKind, Role};
use crate::spec::predefined::{VariableKind, Writable};
use crate::spec::words::{self, AttributeKind};
use gen_lsp_types::{Hover, HoverParams};
use std::fmt::Write as _;

/// Answers the request.
#[must_use]
pub fn hover(ask: &Ask, parameters: &HoverParams) -> Option<Hover> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    if let Some((host, view)) = ask.view()
        && let Some((index, name)) = view.operand_at(offset)
    {
        let text = view.describe(host.as_str(), ask.analysis.text_of(name), index)?;
        return Some(Hover::new(ask.markup(text).into(), Some(ask.range(name))));
    }
    if let Some(site) = site_at(&ask.analysis, offset)
        && let Some(text) = text_of(ask, site)
    {
        return Some(Hover::new(ask.markup(text).into(), Some(ask.range(site.span(&ask.analysis)))));
    }
    // A line that could not be read, or of which parts are not known, names variables all the same.
    let found = names::find(&ask.analysis, offset)?;
    let names::Namespace::Variable(Some(id)) = found.namespace else { return None };
    Some(Hover::new(ask.markup(variable(ask, id)).into(), Some(ask.range(found.here))))
}

/// What is said of a place.
fn text_of(ask: &Ask, site: Site) -> Option<String> {
    Some(match site {
        Site::Mnemonic(index) => {
            let row = ask.analysis.program.row(&ask.analysis.program.instructions[index])?;
            instruction(row, ask.settings.pages.as_deref()) + &pressure(ask, index).unwrap_or_default()
        }
        Site::Modifier(index, place) => modifier(ask, index, place)?,
        Site::Exec(index) => exec(ask, index)?,
        Site::Predicate(index) => predicate(ask, index)?,
        Site::Operand(index, place) => operand(ask, index, place)?,
        Site::Declaration(id, span) => declaration(ask, id, span)?,
        Site::Input(place) => variable(ask, ask.analysis.program.inputs[place].variable),
        Site::Attribute(place) => attribute(ask, place)?,
        Site::Label(label) => self::label(ask, label),
        Site::Object(id) => callables::describe(&ask.analysis, &ask.analysis.program.objects[id]),
        Site::Directive(span) => {
            let directive = directives::directive(ask.analysis.text_of(span))?;
            format!("```visa\n{}\n```\n{}", directive.form, directive.summary)
        }
        Site::Instruction(_) => return None,
    })
}

/// The row of an instruction as Markdown: signature, summary, all that the specification says, and where more is said:
/// below `pages`, or in the manual.
#[must_use]
pub fn instruction(row: &Instruction, pages: Option<&str>) -> String {
    let page = describe::page(row);
    // Mnemonic, summary and signature stand above the rest of the page.
    let rest = page.splitn(3, "\n\n").nth(2).unwrap_or("").trim_end();
    let mut out = format!("```visa\n{}\n```\n{}\n\n```text\n{rest}\n```\n", describe::signature(row), row.summary);
    if let Some(pages) = pages {
        let _ = write!(out, "\n[page of `{}`]({})", row.mnemonic, rule::page_in(pages, "instructions", row.mnemonic));
    } else if !row.document.is_empty() {
        let _ = write!(out, "\n[{} in the manual]({})", row.document, rule::manual_page(row.document));
    }
    out
}

/// How many registers are live before an instruction, and where the most are.
fn pressure(ask: &Ask, index: InstructionIndex) -> Option<String> {
    let (analysis, p) = (&ask.analysis, &ask.analysis.program);
    let object = &p.objects[p.object_of(index)];
    let grf_bytes = analysis.grf_bytes();
    let pressure = Pressure::new(p, object, analysis.touches(), grf_bytes)?;
    let (here, (at, most)) = (pressure.before(index)?, pressure.most()?);
    Some(format!(
        "\n\nlive here: {} bytes in {} registers of {grf_bytes} bytes; at most {} in {} registers, in line {}",
        here.bytes,
        here.registers,
        most.bytes,
        most.registers,
        line_of(analysis, at)
    ))
}

fn modifier(ask: &Ask, index: InstructionIndex, place: usize) -> Option<String> {
    let p = &ask.analysis.program;
    let row = p.row(&p.instructions[index])?;
    let used = &p.modifiers[place];
    let slot = row.modifiers.get(usize::from(used.slot))?;
    let mut out = format!("`{}`: `{}` of `{}`", ask.analysis.text_of(used.span).trim(), slot.name, row.mnemonic);
    match slot.kind {
        ModifierKind::ChannelMask => {
            let channels: Vec<String> = ['R', 'G', 'B', 'A']
                .iter()
                .enumerate()
                .filter(|(i, _)| used.number >> i & 1 == 1)
                .map(|(_, c)| c.to_string())
                .collect();
            let _ = write!(out, "\n\nchannels {}", channels.join(", "));
        }
        ModifierKind::BooleanFunction => {
            out += "\n\nThe truth table of the function: bit *i* of the number is the result for the bits of *i*: src0 is bit 0, src1 bit 1, src2 bit 2.";
        }
        _ => {
            // A word may stand for several values, of which each platform has one.
            let mut all: Vec<&str> = Vec::new();
            for value in slot.values {
                if !all.contains(&value.text) {
                    all.push(value.text);
                }
            }
            let _ = write!(out, "\n\none of `.{}`", all.join("` `."));
        }
    }
    Some(out)
}

fn exec(ask: &Ask, index: InstructionIndex) -> Option<String> {
    let p = &ask.analysis.program;
    let instruction = &p.instructions[index];
    let row = p.row(instruction)?;
    if row.execution == Execution::BlockCount {
        return Some(format!("{} blocks, from lane {} on", instruction.exec_size, instruction.mask_offset));
    }
    let first = u32::from(instruction.mask_offset);
    let size = u32::from(instruction.exec_size);
    let mut out = match size {
        1 => format!("one lane: lane {first}"),
        _ => format!("{size} lanes: {first} to {}", first + size - 1),
    };
    if instruction.no_mask {
        out += "; all of them, also those that are switched off (NoMask)";
    }
    let legal = row.exec_sizes.legal.describe();
    if !legal.is_empty() {
        let _ = write!(out, "\n\n`{}` takes execution sizes {legal}", row.mnemonic);
    }
    Some(out)
}

fn predicate(ask: &Ask, index: InstructionIndex) -> Option<String> {
    let used = ask.analysis.program.instructions[index].predicate?;
    let name = ask.analysis.program.variable_name(used.variable);
    let what = match (used.control, used.is_inverted) {
        (PredicateControl::PerLane, false) => format!("executed in lanes whose bit of `{name}` is 1"),
        (PredicateControl::PerLane, true) => format!("executed in lanes whose bit of `{name}` is 0"),
        (PredicateControl::Any, inverted) => format!("executed if any bit of `{name}` is {}", u8::from(!inverted)),
        (PredicateControl::All, inverted) => format!("executed if all bits of `{name}` are {}", u8::from(!inverted)),
    };
    Some(format!("{what}\n\n{}", variable(ask, used.variable)))
}

fn operand(ask: &Ask, index: InstructionIndex, place: usize) -> Option<String> {
    let p = &ask.analysis.program;
    let cx = ask.context();
    let view = View::new(&cx, index)?;
    let operand = &p.operands[place];
    let slot = view.row.operands.get(usize::from(p.operand_slots[place]))?;
    let role = match slot.role {
        Role::Source => "read",
        Role::Destination => "written",
        Role::Both => "read and written",
    };
    let mut out = format!("**{}** of `{}`: {role}", slot.name, view.row.mnemonic);
    if slot.scalar {
        out += ", only the first element";
    }
    if !slot.types.legal.is_empty() {
        let _ = write!(out, "; {}", slot.types.legal.describe());
    }
    out += "\n\n";
    match *operand {
        Operand::Immediate { bits, element_type } => {
            let _ = write!(
                out,
                "`{}` is {}",
                ask.analysis.text_of(p.operand_spans[place].whole),
                immediate::describe(bits, element_type)
            );
        }
        Operand::Number { value } => {
            let _ = write!(out, "{value} = {value:#x}");
        }
        Operand::Name { name, .. } if slot.kinds.contains(OperandKind::Label) => {
            out += &label_named(ask, index, p.names.name(name));
        }
        Operand::Name { name, .. } => {
            let called = p.objects.iter().find(|o| o.kind == ObjectKind::Function && o.name == name);
            out += &called.map(|o| callables::describe(&ask.analysis, o)).unwrap_or_default();
        }
        Operand::LscAddress { index } => out += &lsc_address(ask, index as usize),
        Operand::Indirect { address, element, offset, .. } => {
            let _ = write!(out, "the register at the byte address `{}({element})`", p.variable_name(address));
            if offset != 0 {
                let _ = write!(out, " + {offset}");
            }
            let _ = write!(out, "\n\n{}", variable(ask, address));
        }
        _ => {
            if let Some(id) = operand.variable() {
                out += &variable(ask, id);
                out += &elements(ask, &view, operand, slot);
                out += &reached(ask, p.operand_spans[place].name.start).unwrap_or_default();
                let number = place - p.instructions[index].operands().start;
                out += &values(ask, index, number).unwrap_or_default();
            }
        }
    }
    Some(out)
}

/// The lines of the writes that an operand may read, and of the reads that may see what it writes.
fn reached(ask: &Ask, offset: u32) -> Option<String> {
    let touch = touched::touch_at(&ask.analysis, offset)?;
    let (last, next) = touched::reach(ask, &touch)?;
    let lines = |reach: &Reach| {
        let all = reach.places.iter().map(|t| line_of(&ask.analysis, t.instruction));
        let words = callables::lines(all.collect());
        if reach.is_cut { words + ", perhaps in others too" } else { words }
    };
    let mut out = String::new();
    if let Some(last) = last {
        out += "\n\nlast written: ";
        out += &match (last.places.is_empty(), last.is_open) {
            (true, _) => "nowhere in this kernel before".to_owned(),
            (false, false) => lines(&last),
            (false, true) => format!("{}, and some of it nowhere before on some path", lines(&last)),
        };
    }
    if let Some(next) = next {
        out += "\n\nread next: ";
        out += &if next.places.is_empty() { "nowhere".to_owned() } else { lines(&next) };
    }
    Some(out)
}

/// The bytes of an operand in words and as a drawing, for each register size in question.
fn elements(ask: &Ask, view: &View, operand: &Operand, slot: &'static OperandSlot) -> String {
    let mut out = String::new();
    let sizes: Vec<u32> = ask.analysis.platforms.grf_sizes().collect();
    let condition = if sizes.len() > 1 { ", if the platform has such registers" } else { "" };
    for grf_bytes in sizes {
        if let Some(Drawn { words, drawing, legend }) = drawing::of_operand(view, operand, slot, grf_bytes) {
            let _ = write!(out, "\n\n{words}{condition}\n\n```text\n{drawing}```\n{legend}");
        }
    }
    out
}

/// Kernels with more instructions are not searched: the answer would take too long.
const MAX_EXECUTED: usize = 32_000;

/// Values of so many lanes are listed.
const MAX_LISTED: usize = 16;

/// What abstract execution knows of a source.
fn values(ask: &Ask, index: InstructionIndex, operand: usize) -> Option<String> {
    let p = &ask.analysis.program;
    let object = &p.objects[p.object_of(index)];
    if object.instructions.len() > MAX_EXECUTED {
        return None;
    }
    let errors: Vec<u32> =
        ask.analysis.findings.iter().filter(|f| f.level == Level::Error).map(|f| f.primary.span.start).collect();
    let is_faulty = |statement: Span| {
        let next = errors.partition_point(|e| *e < statement.start);
        errors.get(next).is_some_and(|e| *e < statement.end)
    };
    let faulty = p.instructions_in(object).map(|(i, _)| i).filter(|i| is_faulty(p.instruction_spans[*i].statement));
    let launch = Launch { faulty: faulty.map(|i| i.0).collect(), ..Launch::default() };
    let mut all = ask.analysis.platforms.grf_sizes().map(|g| interp::look(p, object, g, &launch, (index, operand)));
    let lanes = all.next()??;
    if all.any(|other| other.as_ref() != Some(&lanes)) {
        return None;
    }
    let word = |lane: &Option<String>| lane.as_ref().map_or("?".to_owned(), |w| format!("`{w}`"));
    let own = p.operands[p.instructions[index].operands().start + operand].variable().map(|id| p.variable_name(id))?;
    // Words of which nothing but dots is left say nothing, and neither does what the operand says itself.
    if lanes.iter().flatten().all(|w| w.contains("...") || w.starts_with(own)) {
        return None;
    }
    let first = word(lanes.first()?);
    let mut out = "\n\nabstract execution: ".to_owned();
    if lanes.iter().all(|l| word(l) == first) {
        let _ = write!(out, "{} {first}", if lanes.len() == 1 { "it is" } else { "in each lane that is active it is" });
    } else {
        let shown: Vec<String> = lanes.iter().take(MAX_LISTED).map(word).collect();
        let _ = write!(out, "in lanes that are active it is {}", shown.join(", "));
        if lanes.len() > MAX_LISTED {
            let _ = write!(out, " and so on, at last {}", word(lanes.last()?));
        }
    }
    let is_name = |w: &String| w.contains('(') || w.starts_with(|c: char| c.is_alphabetic() || c == '%');
    if lanes.iter().flatten().any(is_name) {
        out += "\n\nnames stand for what they hold when the kernel starts";
    }
    Some(out)
}

fn lsc_address(ask: &Ask, index: usize) -> String {
    let p = &ask.analysis.program;
    let address = &p.lsc_addresses[index];
    let mut out = format!("{} address", address.model.text());
    if let Some(size) = address.size {
        let _ = write!(out, ", {} bits for each lane", size.bytes() * 8);
    }
    let items = &p.lsc_items[address.first_item as usize..address.items_end as usize];
    let mut variables: Vec<VariableId> = items
        .iter()
        .map(|i| i.value)
        .chain(address.surface)
        .filter_map(crate::program::lsc::LscValue::variable)
        .collect();
    variables.dedup();
    for id in variables {
        let _ = write!(out, "\n\n{}", variable(ask, id));
    }
    out
}

fn declaration(ask: &Ask, id: VariableId, span: Span) -> Option<String> {
    let p = &ask.analysis.program;
    let spans = &p.variable_spans[id];
    if span == spans.name {
        return Some(format!("{}{}", variable(ask, id), uses(ask, id)));
    }
    if !spans.alias.is_empty() && span.start <= spans.alias.start && spans.alias.end <= span.end {
        let base = crate::lsp::names::find(&ask.analysis, spans.alias.start)?;
        return match base.namespace {
            names::Namespace::Variable(Some(base)) => Some(variable(ask, base)),
            _ => None,
        };
    }
    let v = &p.variables[id];
    if span == spans.element_type {
        let row = v.element_type.row();
        return Some(format!("`{}`: {:?}, {} bytes", row.text, row.class, row.bytes).to_lowercase());
    }
    if span == spans.n_elements {
        return Some(format!(
            "{} elements of {} bytes: {} bytes",
            v.n_elements,
            v.element_bytes(),
            p.variable_bytes(id, ask.analysis.grf_bytes())
        ));
    }
    (span == spans.align).then(|| {
        let sizes: Vec<String> = ask.analysis.platforms.grf_sizes().map(|g| v.alignment_bytes(g).to_string()).collect();
        let mut sizes = sizes;
        sizes.dedup();
        format!("begins at a multiple of {} bytes", sizes.join(" or "))
    })
}

/// What a variable is.
#[must_use]
pub fn variable(ask: &Ask, id: VariableId) -> String {
    let p = &ask.analysis.program;
    let v = &p.variables[id];
    let name = p.variable_name(id);
    if id == VariableId::NULL {
        return "`%null`: nothing is read or written".to_owned();
    }
    let statement = ask.analysis.text_of(p.variable_spans[id].statement);
    let mut out = if statement.is_empty() { String::new() } else { format!("```visa\n{statement}\n```\n") };
    if v.is(FLAG_BROKEN) {
        return out + "the declaration cannot be read";
    }
    let mut sizes: Vec<String> = ask.analysis.platforms.grf_sizes().map(|g| size(ask, id, g)).collect();
    sizes.dedup();
    let _ = write!(out, "`{name}`: {} variable, {}", v.kind.word(), sizes.join(" or "));
    if v.is(FLAG_ALIAS) && v.root != id {
        let _ = write!(out, "; begins at byte {} of `{}`", v.root_offset, p.variable_name(v.root));
    }
    if v.is(FLAG_INPUT) {
        out += "; an input";
    }
    if v.is(FLAG_OUTPUT) {
        out += "; an output";
    }
    if let Some(row) = id.predefined() {
        out += match row.writable {
            Writable::No => "; predefined, may not be written",
            Writable::Yes => "; predefined",
            Writable::Elements(_) => "; predefined, of which only some elements may be written",
        };
    }
    out
}

/// The size of a variable in words.
fn size(ask: &Ask, id: VariableId, grf_bytes: u32) -> String {
    let p = &ask.analysis.program;
    let v = &p.variables[id];
    let n = p.n_elements(id, grf_bytes);
    match v.kind {
        VariableKind::General => {
            let bytes = p.variable_bytes(id, grf_bytes);
            let registers = bytes.div_ceil(grf_bytes);
            let registers = match (bytes % grf_bytes, registers) {
                (0, 1) => ", 1 register".to_owned(),
                (0, n) => format!(", {n} registers"),
                _ => String::new(),
            };
            format!("{n} \u{d7} `{}` = {bytes} bytes{registers}", v.element_type.text())
        }
        VariableKind::Predicate => format!("{n} bits"),
        VariableKind::Address => format!("{n} addresses"),
        VariableKind::Sampler | VariableKind::Surface => format!("{n} {}", if n == 1 { "entry" } else { "entries" }),
    }
}

/// How often a variable is read and written, by itself and with all that share its bytes.
fn uses(ask: &Ask, id: VariableId) -> String {
    let (analysis, p) = (&ask.analysis, &ask.analysis.program);
    let touches = analysis.touches();
    let v = &p.variables[id];
    let start = v.root_offset.max(0) as u32;
    let own = start..start.saturating_add(p.variable_bytes(id, analysis.grf_bytes()).max(1));
    let shared: Vec<_> =
        touches.named(v.root).filter(|t| meet(touches.ranges(t), std::slice::from_ref(&own))).collect();
    let mut out = "\n\n".to_owned();
    out += &counts(ask, &shared.iter().copied().filter(|t| t.variable == id).collect::<Vec<_>>());
    out += " under this name";
    if shared.iter().any(|t| t.variable != id) {
        let _ = write!(out, "; with the other names of its bytes {}", counts(ask, &shared));
    }
    let mut writes = shared.iter().filter(|t| t.writes);
    if let (Some(only), None) = (writes.next(), writes.next()) {
        let statement = analysis.text_of(p.instruction_spans[only.instruction].statement);
        let _ = write!(out, "\n\n```visa\n{statement}\n```");
    }
    if touches.is_addressed(v.root) {
        out += "\n\nits address is taken: it may also be read and written through an address";
    }
    out
}

/// `read 3 times, written once, in line 12`
fn counts(ask: &Ask, touches: &[&Touch]) -> String {
    let n_read = touches.iter().filter(|t| t.reads).count();
    let written: Vec<u32> =
        touches.iter().filter(|t| t.writes).map(|t| line_of(&ask.analysis, t.instruction)).collect();
    let times = |n: usize| match n {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let mut out = format!("read {}, written {}", times(n_read), times(written.len()));
    if !written.is_empty() {
        let _ = write!(out, " in {}", callables::lines(written));
    }
    out
}

fn attribute(ask: &Ask, place: usize) -> Option<String> {
    let attribute = &ask.analysis.program.attributes[place];
    let name = ask.analysis.program.names.name(attribute.name);
    let known = words::KERNEL_ATTRIBUTES.iter().find(|a| a.name == name)?;
    let takes = match known.kind {
        AttributeKind::Bool => "takes no value",
        AttributeKind::Number => "takes a number",
        AttributeKind::Text => "takes a quoted string",
        AttributeKind::Target => "takes `\"cm\"` or `\"3d\"`",
    };
    let mut out = format!("attribute `{name}` of the kernel: {takes}");
    if known.since_4_2 {
        out += "; since text version 4.2";
    }
    if let AttributeValue::Number(n) = attribute.value {
        let _ = write!(out, "\n\n{n} = {n:#x}");
    }
    Some(out)
}

fn label(ask: &Ask, id: LabelId) -> String {
    let p = &ask.analysis.program;
    let label = &p.labels[id];
    let name = p.names.name(label.name);
    let n_uses = names::find(&ask.analysis, label.span.end)
        .map_or(0, |f| f.mentions.iter().filter(|m| m.is != names::Use::Declared).count());
    format!("{} `{name}`, named in {n_uses} instructions", if label.is_function { "subroutine" } else { "label" })
}

fn label_named(ask: &Ask, index: InstructionIndex, name: &str) -> String {
    let p = &ask.analysis.program;
    let labels = p.objects[p.object_of(index)].labels.clone();
    let found = (labels.start..labels.end)
        .map(|l| LabelId::from_index(l as usize))
        .find(|l| p.names.name(p.labels[*l].name) == name);
    match found {
        Some(label) => {
            let line = ask.analysis.text.line(p.labels[label].span.start) + 1;
            let direction = if p.labels[label].instruction > index.0 { "further down" } else { "further up" };
            format!("label `{name}` in line {line}, {direction}")
        }
        None => format!("there is no label `{name}` in this kernel"),
    }
}
