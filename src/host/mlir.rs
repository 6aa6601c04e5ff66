//! `llvm.inline_asm` of MLIR.

use super::lines::{self, number_after};
use super::llvm::{operands, quoted, scalar, split};
use super::map::Mapped;
use super::statement::{Escapes, HandedOver, HostType, RawStatement, Value};
use crate::base::span::Span;

const MARK: &str = "llvm.inline_asm";

/// Finds the asm operations of a text behind `from`; comments go to `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let mut found = Vec::new();
    let mut function = (0, String::new(), None);
    let module = sub_group(&text[from..], "threads-per-warp\" = ");
    for (start, code) in lines::code(text, from, comment_start, comment) {
        if let Some(at) = code.find("func @").or_else(|| code.find("spir_kernelcc @")).or_else(|| code.find(".func ")) {
            let name = code[at..].split('@').nth(1).and_then(|rest| rest.split('(').next()).unwrap_or("");
            let own = sub_group(code, "reqd_sub_group_size = ");
            function = (function.0 + 1, name.to_owned(), own.or(module));
        }
        if let Some(mut statement) = code.contains(MARK).then(|| whole(text, start, start + code.len())).flatten() {
            statement.function = function.0;
            statement.function_name.clone_from(&function.1);
            statement.sub_group = function.2.or(module);
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
fn whole(text: &str, start: usize, end: usize) -> Option<RawStatement> {
    let mut end = end;
    let mut found = None;
    for _ in 0..MOST_LINES {
        let lines = &text[start..end];
        found = operation(lines, start);
        let has_types = lines[lines.find(MARK)?..].contains(") -> ")
            || lines.trim_end().ends_with(['>', ')']) && lines.contains(" : ");
        if found.is_some() && has_types || end >= text.len() {
            break;
        }
        let next = end + memchr::memchr(b'\n', &text.as_bytes()[end..]).map_or(text.len() - end, |i| i + 1);
        end = next + memchr::memchr(b'\n', &text.as_bytes()[next..]).unwrap_or(text.len() - next);
        // The next operation, or the end of the block.
        let line = text[next..end].trim_start();
        if line.starts_with(['}', '^']) || line.contains(MARK) || line.starts_with("llvm.") {
            break;
        }
    }
    found
}

/// The operation in text that begins at `start`.
fn operation(line: &str, start: usize) -> Option<RawStatement> {
    let mark = line.find(MARK)?;
    // `"llvm.inline_asm"(%0) <{asm_string = "...", constraints = "..."}>`
    let is_generic = line[..mark].ends_with('"') && line[mark + MARK.len()..].starts_with('"');
    let (template, constraints) = if is_generic {
        let named = |name: &str| {
            let at = mark + line[mark..].find(name)? + name.len();
            string(line, at + line[at..].find('"')?)
        };
        (named("asm_string")?, named("constraints")?)
    } else {
        let template = string(line, mark + line[mark..].find('"')?)?;
        (template, quoted(line, template.1 + line[template.1..].find('"')?)?)
    };
    let mut out = Mapped::default();
    escaped(&line[template.0..template.1 - 1], (start + template.0) as u32, &mut out);
    let span = Span::new((start + mark) as u32, (start + line.trim_end().len()) as u32);
    let mut statement = RawStatement::new(span, out, Escapes::Dollar);
    // Attributes may hold colons, too.
    let values_at = if is_generic { mark + MARK.len() + 1 } else { constraints.1 };
    let rest = &line[values_at..];
    let colon = if is_generic { rest.rfind(" : ") } else { rest.find(" : ") };
    let signature = colon.map_or("", |i| &rest[i + 3..]);
    let (inputs, result) = match signature.split_once("->") {
        Some((inputs, result)) => (inputs, result),
        None => (signature, ""),
    };
    let strip = |t: &str| t.trim().trim_start_matches('(').trim_end_matches(')').to_owned();
    let inputs_text = strip(inputs);
    let inputs: Vec<HostType> = split(&inputs_text).into_iter().map(|(_, t)| type_of(t)).collect();
    let result = result.trim();
    let result =
        result.strip_prefix("!llvm.struct<").and_then(|r| r.strip_suffix('>')).map_or(result.to_owned(), strip);
    let results: Vec<HostType> = split(&result).into_iter().map(|(_, t)| type_of(t)).collect();
    let (values, inset) = if is_generic {
        (rest.strip_prefix('(').and_then(|r| r.split(')').next()).unwrap_or(""), 1)
    } else {
        (colon.map_or(rest, |i| &rest[..i]), 0)
    };
    let places: Vec<Span> = split(values)
        .into_iter()
        .map(|(offset, value)| {
            let begin = (start + values_at + inset + offset) as u32;
            Span::new(begin, begin + value.len() as u32)
        })
        .collect();
    let list = &line[constraints.0..constraints.1 - 1];
    let has_types = signature.contains("->");
    let n_results = match result.as_str() {
        "" | "()" | "!llvm.void" => Some(0),
        _ if results.contains(&HostType::Open) => None,
        _ => Some(results.len()),
    };
    statement.handed_over = (has_types && !list.contains('*')).then(|| HandedOver {
        list: Span::new((start + constraints.0) as u32, (start + constraints.1 - 1) as u32),
        n_results,
        n_values: Some(inputs.len()),
    });
    statement.operands = Some(operands(list, start + constraints.0, |index, is_output| {
        let list = if is_output { &results } else { &inputs };
        let place = if is_output { None } else { places.get(index) };
        (list.get(index).cloned().unwrap_or_default(), place.copied().unwrap_or_default(), Value::Open)
    }));
    Some(statement)
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
    scalar(text).map_or(HostType::Open, |element| HostType::scalar(element, false))
}
