//! Asm calls in LLVM IR: `call i32 asm sideeffect "...", "=rw,rw"(i32 %x)`. The types stand in the call.

use super::lanes::Lanes;
use super::lines::{self, number_after};
use super::map::Mapped;
use super::statement::{Escapes, HandedOver, HostType, RawOperand, RawStatement, Value};
use crate::base::span::Span;
use crate::spec::Type;
use rustc_hash::FxHashMap;

/// Finds the asm calls of a text behind `from`; comments go to `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let metadata = metadata(&text[from..]);
    let named = named_types(&text[from..]);
    let has = |word: &[u8]| memchr::memmem::find(&text.as_bytes()[from..], word).is_some();
    let marks: [&[u8]; 3] = [b"CMGenxMain", b"VCFunction", b"sycl_explicit_simd"];
    // `llvm.genx.GenISA.` begins the names of the other backend.
    let own = &text[from..];
    let mut genx = memchr::memmem::find_iter(own.as_bytes(), b"genx");
    let is_vector = genx.any(|at| !own[at..].starts_with("genx.GenISA")) || marks.into_iter().any(has);
    let mut found = Vec::new();
    let mut function = (0, String::new(), None);
    // A function that kernels call is pasted into each of them.
    let mut is_helper = false;
    let mut lanes = Lanes::default();
    for (start, code) in lines::code(text, from, comment_start, comment) {
        if code.trim_start().starts_with("define") {
            let name = code.split('@').nth(1).and_then(|rest| rest.split('(').next()).unwrap_or("");
            let sub_group = number_after(code, "!intel_reqd_sub_group_size !").and_then(|n| metadata.get(&n)).copied();
            function = (function.0 + 1, name.to_owned(), sub_group.filter(|n| matches!(n, 8 | 16 | 32)));
            is_helper = code.contains(" spir_func ") && function.2.is_none();
            lanes.clear();
            continue;
        }
        lanes.read(code);
        if let Some(mut statement) = whole(text, start, code, &named) {
            statement.function = function.0;
            statement.function_name.clone_from(&function.1);
            statement.sub_group = function.2;
            statement.is_repeated = is_helper;
            statement.is_vector = is_vector;
            for operand in statement.operands.iter_mut().flatten() {
                let value = operand.expression.of(text).rsplit(' ').next().unwrap_or("");
                operand.is_per_lane = lanes.differs(value);
            }
            found.push(statement);
        }
    }
    found
}

/// Where the comment of a line begins: at a `;` outside of strings.
fn comment_start(line: &str) -> Option<usize> {
    let mut in_string = false;
    line.bytes().position(|b| {
        in_string ^= b == b'"';
        b == b';' && !in_string
    })
}

/// The nodes of one number: `!4 = !{i32 16}`.
fn metadata(text: &str) -> FxHashMap<u32, u32> {
    text.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('!'))
        .filter_map(|line| {
            let (name, value) = line.split_once(" = !{i32 ")?;
            Some((name[1..].parse().ok()?, value.split('}').next()?.parse().ok()?))
        })
        .collect()
}

/// What names of structures stand for: `%pair = type { i32, float }`.
fn named_types(text: &str) -> FxHashMap<&str, &str> {
    if memchr::memmem::find(text.as_bytes(), b" = type ").is_none() {
        return FxHashMap::default();
    }
    let named = text.lines().filter_map(|line| line.split_once(" = type "));
    named.map(|(name, value)| (name.trim(), value.trim())).collect()
}

/// Lines that one call may take.
const MOST_LINES: usize = 6;

/// The asm call on a line that begins at `start`, which may go on in the lines below it.
fn whole(text: &str, start: usize, line: &str, named: &FxHashMap<&str, &str>) -> Option<RawStatement> {
    let begins = CALLS.iter().any(|word| line.contains(word));
    if !begins || line.contains('@') && !line.contains(" asm ") {
        return None;
    }
    let mut end = start + line.len();
    for _ in 0..MOST_LINES {
        let found = call(start, &text[start..end], named);
        if found.is_some() {
            return found;
        }
        let next = end + memchr::memchr(b'\n', &text.as_bytes()[end..])? + 1;
        end = next + memchr::memchr(b'\n', &text.as_bytes()[next..]).unwrap_or(text.len() - next);
        let line = &text[next..end];
        if comment_start(line).is_some() || line.contains(" = ") && !line.contains('"') || line.starts_with('}') {
            return None;
        }
    }
    None
}

/// What calls asm.
const CALLS: [&str; 3] = ["call ", "invoke ", "callbr "];

/// The asm call on a line that begins at `start`.
fn call(start: usize, line: &str, named: &FxHashMap<&str, &str>) -> Option<RawStatement> {
    let keyword =
        line.match_indices("asm ").map(|(i, _)| i).find(|i| line[..*i].ends_with(' ') && !line[..*i].contains('"'))?;
    let callee = CALLS.iter().find_map(|word| line[..keyword].rfind(word).map(|i| i + word.len()))?;
    let behind = |at: usize| at + (line[at..].len() - line[at..].trim_start().len());
    let mut at = behind(keyword + 4);
    while let Some(word) =
        ["sideeffect", "alignstack", "inteldialect", "unwind"].iter().find(|w| line[at..].starts_with(**w))
    {
        at = behind(at + word.len());
    }
    let template = quoted(line, at)?;
    let comma = template.1 + line[template.1..].find(|c: char| !c.is_whitespace() && c != ',').filter(|n| *n > 0)?;
    let constraints = quoted(line, comma)?;
    let open = constraints.1 + line[constraints.1..].find('(')?;
    let close = closing(line, open)?;
    let mut out = Mapped::default();
    unescape(&line[template.0..template.1 - 1], (start + template.0) as u32, &mut out);
    let span = Span::new((start + callee) as u32, (start + close + 1) as u32);
    let mut statement = RawStatement::new(span, out, Escapes::Dollar);
    let result = result_type(line[callee..keyword].trim());
    let result = named.get(result).copied().filter(|value| value.starts_with('{')).unwrap_or(result);
    let n_results = match result {
        "void" => Some(0),
        _ if result.starts_with('%') || result.contains('(') || result.starts_with('[') => None,
        _ => Some(results(result).len()),
    };
    let results = results(result);
    let arguments = split(&line[open + 1..close]);
    let list = &line[constraints.0..constraints.1 - 1];
    statement.is_ir = true;
    // What goes through memory is a value, too.
    statement.handed_over = (!list.contains('*')).then(|| HandedOver {
        list: Span::new((start + constraints.0) as u32, (start + constraints.1 - 1) as u32),
        n_results,
        n_values: Some(arguments.len()),
    });
    statement.operands = Some(operands(list, start + constraints.0, |index, is_output| {
        if is_output {
            return (results.get(index).cloned().unwrap_or_default(), Span::default(), Value::Open);
        }
        let Some((offset, argument)) = arguments.get(index).copied() else { return Default::default() };
        let begin = start + open + 1 + offset;
        let value = argument.rsplit(' ').next().unwrap_or("");
        let value = if value.starts_with('%') { Value::Varying } else { constant(value) };
        (type_of(argument), Span::new(begin as u32, (begin + argument.len()) as u32), value)
    }));
    Some(statement)
}

/// The value of a constant. Those with a fraction are decimal, or the bits of a number of 64 bits.
fn constant(value: &str) -> Value {
    if let Ok(number) = value.parse() {
        return Value::Constant(number);
    }
    let bits = value.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16).ok());
    let decimal = || value.parse().ok().filter(|_| value.contains('.')).map(f64::to_bits);
    bits.unwrap_or_else(decimal).map_or(Value::Open, Value::Real)
}

/// The operands of a list of constraints. `describe` says the type and the place of the n-th output or input.
pub(super) fn operands(
    list: &str,
    start: usize,
    mut describe: impl FnMut(usize, bool) -> (HostType, Span, Value),
) -> Vec<RawOperand> {
    let mut all = Vec::new();
    let (mut n_outputs, mut n_inputs) = (0, 0);
    let mut at = start;
    for item in list.split(',') {
        let begin = at + (item.len() - item.trim_start().len());
        at += item.len() + 1;
        let item = item.trim();
        if item.is_empty() || item.starts_with(['~', '!']) {
            continue;
        }
        let is_output = item.starts_with(['=', '+']);
        let index = if is_output { &mut n_outputs } else { &mut n_inputs };
        let (host_type, expression, value) = describe(*index, is_output);
        *index += 1;
        all.push(RawOperand {
            constraint: Some(item.to_owned()),
            constraint_span: Span::new(begin as u32, (begin + item.len()) as u32),
            expression,
            is_output,
            host_type,
            value,
            ..RawOperand::default()
        });
    }
    all
}

/// The inside of the string at `at`: its start, and one past the closing quote.
pub(super) fn quoted(line: &str, at: usize) -> Option<(usize, usize)> {
    let rest = line.get(at..)?.strip_prefix('"')?;
    Some((at + 1, at + 1 + rest.find('"')? + 1))
}

/// Appends the inside of a string: `\0A` is a byte by its number.
fn unescape(inside: &str, start: u32, out: &mut Mapped) {
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = inside[at..].find('\\') {
        let begin = at + found;
        let rest = &inside[begin + 1..];
        let (length, character) = if rest.starts_with('\\') {
            (2, '\\')
        } else if let Some(byte) = rest.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            (3, byte as char)
        } else {
            at = begin + 1;
            continue;
        };
        out.push_run(&inside[from..begin], start + from as u32);
        let host = Span::new(start + begin as u32, start + (begin + length) as u32);
        out.push_atom(character.encode_utf8(&mut [0; 4]), host);
        from = begin + length;
        at = from;
    }
    out.push_run(&inside[from..], start + from as u32);
}

fn closing(line: &str, open: usize) -> Option<usize> {
    let mut depth = 0i32;
    let mut in_string = false;
    line[open..]
        .bytes()
        .position(|b| {
            in_string ^= b == b'"';
            if !in_string {
                depth += i32::from(matches!(b, b'(' | b'[' | b'{' | b'<'))
                    - i32::from(matches!(b, b')' | b']' | b'}' | b'>'));
            }
            depth == 0
        })
        .map(|i| open + i)
}

/// The parts between commas outside of brackets, with their offsets.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0i32, 0);
    for (i, byte) in text.bytes().enumerate().chain([(text.len(), b',')]) {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 || i == text.len() => {
                let part = &text[from..i];
                let trimmed = part.trim();
                if !trimmed.is_empty() {
                    parts.push((from + part.len() - part.trim_start().len(), trimmed));
                }
                from = i + 1;
            }
            _ => {}
        }
    }
    parts
}

/// Words between `call` and the type of its result: conventions, flags of floats, attributes.
const BEFORE_RESULT: [&str; 32] = [
    "spir_func",
    "spir_kernel",
    "ccc",
    "fastcc",
    "coldcc",
    "cc",
    "fast",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "zeroext",
    "signext",
    "noext",
    "inreg",
    "noalias",
    "nonnull",
    "noundef",
    "nofpclass",
    "range",
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
    "addrspace",
    "tail",
    "musttail",
    "notail",
    "convergent",
    "nocapture",
];

/// The type of a call's result, without what stands before it.
fn result_type(text: &str) -> &str {
    let mut rest = text;
    loop {
        let n = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if !BEFORE_RESULT.contains(&&rest[..n]) {
            return rest;
        }
        let (word, behind) = rest.split_at(n);
        let behind = behind.trim_start();
        let is_list = behind.starts_with('(');
        rest = match closing(behind, 0).filter(|_| is_list) {
            Some(close) => &behind[close + 1..],
            // `align 4`, `cc 75`
            None if matches!(word, "align" | "cc") => behind.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => behind,
        }
        .trim_start();
    }
}

/// The types of the results: one, or those of a struct.
fn results(text: &str) -> Vec<HostType> {
    match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(inside) => split(inside).into_iter().map(|(_, t)| type_of(t)).collect(),
        None => vec![type_of(text)],
    }
}

/// The type that an argument begins with.
fn type_of(text: &str) -> HostType {
    if let Some(inside) = text.strip_prefix('<').and_then(|t| t.split('>').next()) {
        let Some((count, element)) = inside.split_once(" x ") else { return HostType::Open };
        let Ok(n_components) = count.trim().parse() else { return HostType::Open };
        return match scalar(element.trim()) {
            Some(element) => HostType::Value { element, n_components, is_unsigned: false },
            None => HostType::Open,
        };
    }
    let is_value = |c: char| c == '%' || c == '@';
    let declared = text.split(is_value).next().unwrap_or(text).trim();
    if declared.contains('*') || declared.starts_with("ptr") {
        let is_local = number_after(declared, "addrspace(") == Some(3);
        return HostType::Pointer { target: Box::new(HostType::Open), is_local };
    }
    let word = declared.split(' ').next().unwrap_or("");
    scalar(word).map_or(HostType::Open, |element| HostType::scalar(element, false))
}

/// A scalar type of LLVM.
pub(super) fn scalar(word: &str) -> Option<Type> {
    Some(match word {
        "i1" | "i8" => Type::B,
        "i16" => Type::W,
        "i32" => Type::D,
        "i64" => Type::Q,
        "half" | "f16" => Type::HF,
        "bfloat" | "bf16" => Type::BF,
        "float" | "f32" => Type::F,
        "double" | "f64" => Type::DF,
        _ => return None,
    })
}
