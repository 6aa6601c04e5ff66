//! Asm operations of MLIR: `llvm.inline_asm`, and `tt.elementwise_inline_asm` of Triton.

use super::lanes::Lanes;
use super::lines::{self, number_after};
use super::llvm::{operands, quoted, scalar, split};
use super::map::Mapped;
use super::statement::{Escapes, HandedOver, HostType, RawStatement, Value, elementwise};
use crate::base::span::Span;
use crate::spec::Type;

/// An operation that holds asm.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// Whether it is applied to each element of tensors: elements below 32 bits come several to an operand, as
    /// `packed_element` says.
    is_elementwise: bool,
}

const KINDS: [Kind; 2] = [
    Kind { name: "llvm.inline_asm", is_elementwise: false },
    Kind { name: "tt.elementwise_inline_asm", is_elementwise: true },
];

/// Finds the asm operations of a text behind `from`; comments go to `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let mut found = Vec::new();
    let mut function = (0, String::new(), None);
    // A function that kernels call is pasted into each of them.
    let mut is_helper = false;
    let mut lanes = Lanes::default();
    let module = sub_group(&text[from..], "threads-per-warp\" = ");
    for (start, code) in lines::code(text, from, comment_start, comment) {
        if let Some(at) = code.find("func @").or_else(|| code.find("spir_kernelcc @")).or_else(|| code.find(".func ")) {
            let name = code[at..].split('@').nth(1).and_then(|rest| rest.split('(').next()).unwrap_or("");
            let own = sub_group(code, "reqd_sub_group_size = ");
            function = (function.0 + 1, name.to_owned(), own.or(module));
            is_helper = code.contains("spir_funccc ") && own.is_none();
            lanes.clear();
        }
        lanes.read(code);
        let kind = KINDS.into_iter().find(|kind| code.contains(kind.name));
        if let Some(mut statement) = kind.and_then(|kind| whole(text, kind, start, start + code.len())) {
            statement.function = function.0;
            statement.function_name.clone_from(&function.1);
            statement.sub_group = function.2.or(module);
            statement.is_repeated |= is_helper;
            for operand in statement.operands.iter_mut().flatten() {
                operand.is_per_lane = lanes.differs(operand.expression.of(text));
            }
            found.push(statement);
        }
    }
    found
}

/// Where the comment of a line begins: at `//` outside of strings.
fn comment_start(line: &str) -> Option<usize> {
    let mut in_string = false;
    let bytes = line.as_bytes();
    (0..bytes.len()).find(|i| {
        if bytes[*i] == b'"' && (*i == 0 || bytes[*i - 1] != b'\\') {
            in_string = !in_string;
        }
        !in_string && bytes[*i..].starts_with(b"//")
    })
}

/// The size of sub-groups that follows `mark`.
fn sub_group(text: &str, mark: &str) -> Option<u32> {
    number_after(text, mark).filter(|n| matches!(n, 8 | 16 | 32))
}

/// Lines that one operation may take.
const MOST_LINES: usize = 12;

/// The operation on a line from `start` to `end`, which may go on in the lines below it.
fn whole(text: &str, kind: Kind, start: usize, end: usize) -> Option<RawStatement> {
    let mut end = end;
    let mut found = None;
    for _ in 0..MOST_LINES {
        let lines = &text[start..end];
        found = operation(lines, kind, start);
        let has_types = lines[lines.find(kind.name)?..].contains(if kind.is_elementwise { " -> " } else { ") -> " })
            || lines.trim_end().ends_with(['>', ')']) && lines.contains(" : ");
        if found.is_some() && has_types || end >= text.len() {
            break;
        }
        let next = end + memchr::memchr(b'\n', &text.as_bytes()[end..]).map_or(text.len() - end, |i| i + 1);
        end = next + memchr::memchr(b'\n', &text.as_bytes()[next..]).unwrap_or(text.len() - next);
        // The next operation, or the end of the block.
        let line = text[next..end].trim_start();
        if line.starts_with(['}', '^']) || line.contains(kind.name) || line.starts_with("llvm.") {
            break;
        }
    }
    found
}

/// Where the parts of an operation stand in its lines.
struct Parts {
    /// The insides of the strings, each up to one past the closing quote.
    template: (usize, usize),
    constraints: (usize, usize),
    /// Where the values begin.
    values: usize,
    /// Whether it is written `"llvm.inline_asm"(%0) <{asm_string = "...", constraints = "..."}>`.
    is_generic: bool,
    /// Elements that are handed over together.
    pack: Option<u32>,
}

impl Parts {
    fn of(line: &str, kind: Kind) -> Option<Self> {
        let mark = line.find(kind.name)?;
        let behind = mark + kind.name.len();
        let is_generic = line[..mark].ends_with('"') && line[behind..].starts_with('"');
        let named = |name: &str, from: usize| {
            let at = from + line[from..].find(name)? + name.len();
            string(line, at + line[at..].find('"')?)
        };
        let first = || string(line, mark + line[mark..].find('"')?);
        let pack = || number_after(&line[behind..], "packed_element = ");
        if is_generic {
            let constraints = named("constraints", behind)?;
            let template = named("asm_string", behind)?;
            return Some(Self { template, constraints, values: behind + 1, is_generic, pack: pack() });
        }
        let template = first()?;
        if kind.is_elementwise {
            let constraints = named("constraints", template.1)?;
            let values = constraints.1 + line[constraints.1..].find('}')? + 1;
            return Some(Self { template, constraints, values, is_generic, pack: pack() });
        }
        let constraints = quoted(line, template.1 + line[template.1..].find('"')?)?;
        Some(Self { template, constraints, values: constraints.1, is_generic, pack: None })
    }
}

/// The operation in text that begins at `start`.
fn operation(line: &str, kind: Kind, start: usize) -> Option<RawStatement> {
    let parts = Parts::of(line, kind)?;
    let (template, constraints) = (parts.template, parts.constraints);
    let mut out = Mapped::default();
    escaped(&line[template.0..template.1 - 1], (start + template.0) as u32, &mut out);
    let span = Span::new((start + line.find(kind.name)?) as u32, (start + line.trim_end().len()) as u32);
    let mut statement = RawStatement::new(span, out, Escapes::Dollar);
    statement.is_repeated = kind.is_elementwise;
    // Attributes may hold colons, too.
    let rest = &line[parts.values..];
    let colon = if parts.is_generic { rest.rfind(" : ") } else { rest.find(" : ") };
    let signature = colon.map_or("", |i| &rest[i + 3..]);
    let signature = signature.split(" loc(").next().unwrap_or(signature);
    let (inputs, result) = match signature.split_once("->") {
        Some((inputs, result)) => (inputs, result.trim_start().split('\n').next().unwrap_or("")),
        None => (signature, ""),
    };
    let strip = |t: &str| t.trim().trim_start_matches('(').trim_end_matches(')').to_owned();
    let result = result.trim();
    let result =
        result.strip_prefix("!llvm.struct<").and_then(|r| r.strip_suffix('>')).map_or(result.to_owned(), strip);
    let types = |list: &str| -> Vec<HostType> {
        let all = strip(list);
        let all = split(&all).into_iter().map(|(_, t)| t);
        if !kind.is_elementwise {
            return all.map(type_of).collect();
        }
        all.flat_map(|t| elementwise(element_of(t), parts.pack.unwrap_or(1))).collect()
    };
    let (input_types, results) = (types(inputs), types(&result));
    let (values, inset) = if parts.is_generic {
        (rest.strip_prefix('(').and_then(|r| r.split(')').next()).unwrap_or(""), 1)
    } else {
        (colon.map_or(rest, |i| &rest[..i]), 0)
    };
    // Each element is a value of its own.
    let n_places = if kind.is_elementwise && parts.pack != Some(1) { 0 } else { usize::MAX };
    let places: Vec<Span> = split(values)
        .into_iter()
        .take(n_places)
        .map(|(offset, value)| {
            let begin = (start + parts.values + inset + offset) as u32;
            Span::new(begin, begin + value.len() as u32)
        })
        .collect();
    let list = &line[constraints.0..constraints.1 - 1];
    let has_types = signature.contains("->");
    // How many operands a type becomes depends on its size.
    let is_known =
        |types: &[HostType]| !kind.is_elementwise || parts.pack == Some(1) || !types.contains(&HostType::Open);
    let n_results = match result.as_str() {
        "" | "()" | "!llvm.void" => Some(0),
        _ if results.contains(&HostType::Open) && !kind.is_elementwise || !is_known(&results) => None,
        _ => Some(results.len()),
    };
    statement.handed_over = (has_types && !list.contains('*')).then(|| HandedOver {
        list: Span::new((start + constraints.0) as u32, (start + constraints.1 - 1) as u32),
        n_results,
        n_values: Some(input_types.len()).filter(|_| is_known(&input_types)),
    });
    statement.operands = Some(operands(list, start + constraints.0, |index, is_output| {
        let list = if is_output { &results } else { &input_types };
        let place = if is_output { None } else { places.get(index) };
        (list.get(index).cloned().unwrap_or_default(), place.copied().unwrap_or_default(), Value::Open)
    }));
    Some(statement)
}

/// The type of an element of a tensor, or of a value that is none.
fn element_of(text: &str) -> HostType {
    let Some(inside) = text.strip_prefix("tensor<") else { return type_of(text) };
    let inside = split(inside.strip_suffix('>').unwrap_or(inside)).first().map_or("", |(_, t)| *t);
    let mut element = inside;
    while let Some((size, rest)) = element.split_once('x') {
        if size != "?" && (size.is_empty() || !size.bytes().all(|b| b.is_ascii_digit())) {
            break;
        }
        element = rest;
    }
    type_of(element)
}

/// The inside of a string that may hold escaped quotes.
fn string(line: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut end = at + 1;
    while *bytes.get(end)? != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    Some((at + 1, end + 1))
}

/// Appends the inside of a string: `\n`, `\t`, `\"`, `\\`, or a byte by its number as in `\0A`.
fn escaped(inside: &str, start: u32, out: &mut Mapped) {
    let mut from = 0;
    while let Some(found) = inside[from..].find('\\') {
        let begin = from + found;
        out.push_run(&inside[from..begin], start + from as u32);
        let rest = &inside[begin + 1..];
        let (length, character) = match rest.chars().next() {
            Some('n') => (2, '\n'),
            Some('t') => (2, '\t'),
            _ => match rest.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(byte) => (3, byte as char),
                None => match rest.chars().next() {
                    Some(c) => (1 + c.len_utf8(), c),
                    None => (1, '\\'),
                },
            },
        };
        let host = Span::new(start + begin as u32, start + (begin + length) as u32);
        out.push_atom(character.encode_utf8(&mut [0; 4]), host);
        from = begin + length;
    }
    out.push_run(&inside[from..], start + from as u32);
}

fn type_of(text: &str) -> HostType {
    if let Some(inside) = text.strip_prefix("vector<").and_then(|t| t.strip_suffix('>')) {
        let Some((count, element)) = inside.rsplit_once('x') else { return HostType::Open };
        let mut n_components = 1u32;
        for n in count.split('x') {
            let Ok(n) = n.parse::<u32>() else { return HostType::Open };
            n_components = n_components.saturating_mul(n);
        }
        return match scalar(element) {
            Some(element) => HostType::Value { element, n_components, is_unsigned: false },
            None => HostType::Open,
        };
    }
    if let Some(rest) = text.strip_prefix("!llvm.ptr") {
        return HostType::Pointer { target: Box::new(HostType::Open), is_local: rest.starts_with("<3") };
    }
    if text.starts_with("!tt.ptr<") {
        return HostType::pointer();
    }
    // Numbers of 8 bits are bytes to the compiler.
    if text.starts_with("f8E") {
        return HostType::scalar(Type::B, false);
    }
    scalar(text).map_or(HostType::Open, |element| HostType::scalar(element, false))
}
