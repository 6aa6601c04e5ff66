//! What stands in the place of text that only the host's compiler knows, so that what stands around it can be read. Each guess
//! is as long as the hole was, so that all else keeps its place.

use super::loose;
use super::statement::{HOLE, SEVERAL, WIDE_HOLE};
use super::template::Pasted;
use crate::base::span::Span;
use crate::program::fragment::Guess;
use crate::spec::Instruction;
use crate::spec::operation::Operation;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Stands for an execution size.
const SIZE: &str = "16 ";
/// Stands for the number of an execution mask, also of one that ends with `_NM`.
const MASK: &str = "1  ";
const MASK_OF_ALL: &str = "1_NM  ";
/// Stands for a whole execution mask.
const WHOLE_MASK: &str = "M1 ";
/// Stands for a number.
const NUMBER: &str = "001";
/// Stands for a variable.
const NAME: &str = "V00";
/// Stands for the shape of the data of a message.
const SHAPE: &str = "d32";
/// Stands for the size of an address.
const ADDRESS: &str = "a64";
/// Stands for a type.
const TYPE: &str = "ud ";
/// Stands for the kind of a declaration.
const KIND: &str = "G  ";
/// Stands for an alignment.
const ALIGNMENT: &str = "GRF";
/// Stands for what may be left out: modifiers of an instruction or of an operand.
const NOTHING: &str = "   ";
/// Stands for a macro that ends lines. Labels begin in the first column.
const LINE_END: &str = "  \n";
const _: () = {
    let all = [SIZE, MASK, WHOLE_MASK, NUMBER, NAME, SHAPE, ADDRESS, TYPE, KIND, ALIGNMENT, NOTHING, LINE_END];
    let mut at = 0;
    while at < all.len() {
        assert!(all[at].len() == HOLE.len_utf8() && all[at].len() == WIDE_HOLE.len_utf8());
        at += 1;
    }
};

/// Stand for a mnemonic: of an instruction with one source, two, and three.
static MNEMONICS: LazyLock<[Option<&'static str>; 3]> = LazyLock::new(|| {
    [Operation::Mov, Operation::Add, Operation::Mad].map(|operation| {
        let mut rows = crate::spec::instructions().iter();
        let fits = |row: &&Instruction| row.operation == Some(operation) && row.mnemonic.len() == HOLE.len_utf8();
        rows.find(fits).map(|row| row.mnemonic)
    })
});

/// What stands for the mnemonic of an instruction with these operands; nothing for a message, whose operands have other forms.
fn mnemonic_for(operands: &str) -> Option<&'static str> {
    if operands.contains(['[', '{']) {
        return None;
    }
    let operands = operands.split_once("//").map_or(operands, |(code, _)| code);
    MNEMONICS[operands.split_ascii_whitespace().count().clamp(2, 4) - 2]
}

/// Bytes behind a mnemonic in which its execution mask is looked for.
const MOST_MODIFIERS: usize = 96;

/// Holes of a line in whose places something is put. One with more has little else that can be read.
const MOST_HOLES: usize = 64;

/// What stands for a hole.
#[derive(Clone, Copy)]
struct Stand {
    text: &'static str,
    /// Whether the characters around the hole leave it nothing but one word or number, or a part of one.
    is_word: bool,
    /// Whether it is certainly a number, or a part of one.
    is_number: bool,
}

/// Fills the holes of a text where something can stand for them, and notes where. `numbers` are the places of the host where
/// holes begin that stand for a number. In a text that `is_scope` of its own no lines are missing.
pub(super) fn fill(host: &str, numbers: &[u32], is_scope: bool, out: &mut Pasted) {
    end_lines(host, out);
    masks(out);
    sizes(out);
    operands(host, numbers, is_scope, out);
    out.guessed_operands.sort_by_key(|guess| guess.span.start);
}

/// Puts an execution mask where the host holds one that is not known.
fn masks(out: &mut Pasted) {
    let found: Vec<usize> = loose::whole_masks(&out.text.text).collect();
    for at in found {
        out.text.text.replace_range(at..at + WHOLE_MASK.len(), WHOLE_MASK);
        let span = Span::new(at as u32, (at + WHOLE_MASK.len()) as u32);
        out.guessed_operands.push(Guess { span, is_word: true, is_number: false });
    }
}

/// Whether what stands between braces, or behind a percent sign, asks for an integer: `{row:x}`, `%02x`.
fn asks_for_integer(written: &str) -> bool {
    let is_flag = |b: u8| b.is_ascii_digit() || matches!(b, b'#' | b'<' | b'>' | b'^' | b'+' | b'-' | b' ');
    let is_printed = written.starts_with('%');
    let specification = match written.strip_prefix('%') {
        // `%(name)x`
        Some(rest) => rest.strip_prefix('(').and_then(|named| named.split_once(')')).map_or(rest, |(_, rest)| rest),
        None => match written.strip_prefix('{').and_then(|w| w.strip_suffix('}')).and_then(|w| w.rsplit_once(':')) {
            Some((_, rest)) => rest,
            None => return false,
        },
    };
    // `%08" PRIx32`
    let (specification, is_named) = match specification.rsplit_once("PRI") {
        Some((flags, kind)) => (flags.trim_end_matches(['"', ' ', '\n']), !kind.is_empty()),
        None => (specification, false),
    };
    if is_named {
        return specification.bytes().all(is_flag);
    }
    let Some((kind, flags)) = specification.as_bytes().split_last() else { return false };
    let is_length = |b: u8| is_printed && matches!(b, b'l' | b'z' | b'h' | b'j');
    (matches!(kind, b'x' | b'X' | b'd') || is_printed && matches!(kind, b'u' | b'i'))
        && flags.iter().all(|b| is_flag(*b) || is_length(*b))
}

/// Puts newlines in the place of a macro that ends lines: it is used several times, and whatever stands behind it begins a
/// line.
fn end_lines(host: &str, out: &mut Pasted) {
    let text = &out.text;
    let holes: Vec<(u32, &str)> = text
        .text
        .match_indices(WIDE_HOLE)
        .map(|(at, hole)| {
            let span = Span::new(at as u32, (at + hole.len()) as u32);
            (span.start, text.host_span(host, span).of(host))
        })
        .collect();
    let is_end = |at: u32| {
        let (before, behind) = text.text.split_at(at as usize);
        let behind = behind[WIDE_HOLE.len_utf8()..].trim_start_matches([' ', '\t']);
        let is_whole =
            before.trim_end_matches([' ', '\t']).ends_with(|c: char| c.is_ascii_alphanumeric() || ">{}:])".contains(c));
        is_whole && (behind.is_empty() || begins_statement(behind))
    };
    let mut uses: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
    for (at, name) in &holes {
        let (n, ends) = uses.entry(name).or_insert((0, true));
        *n += 1;
        *ends &= is_end(*at);
    }
    let is_separator = |(_, name): &&(u32, &str)| matches!(uses[name], (2.., true));
    let found: Vec<usize> = holes.iter().filter(is_separator).map(|(at, _)| *at as usize).collect();
    for at in found {
        out.text.text.replace_range(at..at + LINE_END.len(), LINE_END);
    }
}

/// Bytes of an execution mask behind its `M`, holes and blanks included.
const MOST_MASK: usize = 32;

/// Puts an execution size where the host holds one that is not known: `(M1, {n})`. So the rest of the line can be read.
fn sizes(out: &mut Pasted) {
    let text = &mut out.text.text;
    let found = memchr::memmem::find_iter(text.as_bytes(), b"(M").filter_map(|at| {
        let behind = &text[at + 2..];
        let comma = behind.bytes().take(MOST_MASK).position(|b| b == b',')?;
        let (mask, rest) = (&behind[..comma], &behind[comma + 1..]);
        let blanks = rest.len() - rest.trim_start().len();
        let is_size = rest[blanks..].strip_prefix([HOLE, WIDE_HOLE])?.trim_start().starts_with(')');
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, HOLE | WIDE_HOLE);
        let is_mask = mask.trim_end().trim_end_matches("_NM").chars().all(is_part);
        (is_size && is_mask).then_some(at + 2 + mask.len() + 1 + blanks)
    });
    let found: Vec<usize> = found.collect();
    for at in found {
        text.replace_range(at..at + SIZE.len(), SIZE);
        out.guessed_sizes.push(Span::new(at as u32, (at + SIZE.len()) as u32));
    }
}

/// Puts something in the place of operands, modifiers and parts of them that are not known, in lines whose beginning is known:
/// so what else stands in them can be read.
fn operands(host: &str, numbers: &[u32], is_scope: bool, out: &mut Pasted) {
    let is_number = |at: usize| {
        let place = out.text.host_span(host, Span::new(at as u32, (at + HOLE.len_utf8()) as u32));
        numbers.binary_search(&place.start).is_ok() || asks_for_integer(place.of(host))
    };
    let text = &out.text.text;
    out.hides_names = !is_scope && text.contains(WIDE_HOLE);
    out.is_open = is_scope;
    let mut guesses: Vec<(usize, Stand)> = Vec::new();
    let mut modifiers: Vec<usize> = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let n_holes = line.matches([HOLE, WIDE_HOLE]).take(MOST_HOLES + 1).count();
        if n_holes > 0 {
            out.hides_names |= !is_scope && may_be_lines(line);
            out.is_open |= line == SEVERAL;
        }
        if (1..=MOST_HOLES).contains(&n_holes) {
            if let Some(at) = unknown_modifiers(line) {
                modifiers.push(start + at);
            } else {
                let words = words(line, |at| is_number(start + at));
                let found = if words.is_empty() { parts(line) } else { words };
                guesses.extend(found.into_iter().map(|(at, stand)| (start + at, stand)));
            }
        }
        start += line.len() + 1;
    }
    out.is_open |= out.hides_names;
    let text = &mut out.text.text;
    for (at, stand) in guesses {
        text.replace_range(at..at + stand.text.len(), stand.text);
        let span = Span::new(at as u32, (at + stand.text.len()) as u32);
        out.guessed_operands.push(Guess { span, is_word: stand.is_word, is_number: stand.is_number });
    }
    for at in modifiers {
        text.replace_range(at..at + NOTHING.len(), NOTHING);
        out.guessed_modifiers.push(Span::new(at as u32, (at + NOTHING.len()) as u32));
    }
}

/// Whether a line with a hole is nothing but the hole, or begins with it before an instruction: more lines may stand there.
fn may_be_lines(line: &str) -> bool {
    let code = line.trim_start_matches([' ', '\t', '{']);
    let Some(behind) = code.strip_prefix([HOLE, WIDE_HOLE]).filter(|_| line != SEVERAL) else { return false };
    behind.trim_matches([' ', '\t', HOLE, '}']).is_empty() || begins_statement(behind)
}

/// Where modifiers of a line stand that are not known, behind a dot and before the execution mask, if that is all that is not
/// known.
fn unknown_modifiers(line: &str) -> Option<usize> {
    let mut holes = line.match_indices([HOLE, WIDE_HOLE]);
    let (at, hole) = holes.next().filter(|_| holes.next().is_none())?;
    let behind = line[at + hole.len()..].trim_start_matches([' ', '\t']);
    let is_instruction = behind.starts_with("(M") && !line.contains("//");
    // Elsewhere they may also be the rest of the mnemonic.
    (is_instruction && mnemonic(&line[..at]).is_some_and(|word| word.contains('.'))).then_some(at)
}

/// What stands for the holes of an instruction, each of which may be more than a word, with the places of them; nothing if
/// what one is cannot be told.
fn parts(line: &str) -> Vec<(usize, Stand)> {
    if !line.contains("(M") || line.trim_start().starts_with('.') || line.contains("//") {
        return Vec::new();
    }
    let part = |(at, hole): (usize, &str)| part(&line[..at], &line[at + hole.len()..]).map(|text| (at, text));
    let all: Option<Vec<_>> = line.match_indices([HOLE, WIDE_HOLE]).map(part).collect();
    all.unwrap_or_default()
        .into_iter()
        .map(|(at, text)| (at, Stand { text, is_word: false, is_number: false }))
        .collect()
}

/// What stands for a hole of an instruction.
fn part(before: &str, behind: &str) -> Option<&'static str> {
    if before.ends_with("(M") {
        return mask(behind);
    }
    let begins_predicate = matches!(before.trim_start_matches([' ', '\t', '{']), "(" | "(!");
    if begins_predicate && behind.starts_with([')', '.']) {
        return Some(NAME);
    }
    let modifiers =
        behind.len() - behind.trim_start_matches(|c| is_word(c) || matches!(c, '.' | HOLE | WIDE_HOLE)).len();
    let (modifiers, execution) = behind.split_at(modifiers);
    let execution = execution.trim_start_matches([' ', '\t']);
    if execution.starts_with("(M") {
        if modifiers.is_empty() && !behind.contains([HOLE, WIDE_HOLE]) && mnemonic(before).is_some() {
            return Some(NOTHING);
        }
        if begins_line(before) && (modifiers.is_empty() || modifiers.starts_with('.')) {
            return mnemonic_for(execution.split_once(')')?.1);
        }
    }
    let is_number = before.ends_with(['.', ',', '<', ';', '='])
        || behind.starts_with(':')
        || before.strip_suffix('x').is_some_and(|b| b.ends_with(|c: char| c.is_ascii_digit()));
    let is_operand = before.contains("(M") && before.ends_with([' ', '\t']);
    let ends = behind.is_empty() || behind.starts_with([' ', '\t', ':', '.', ')', ',', '>', ';', '{', '(', '<', 't']);
    // What stands right before an operand is a modifier of it, or another operand.
    let is_prefix = is_operand && behind.starts_with('%');
    let operand = if is_prefix { NOTHING } else { NAME };
    let is_known = is_prefix || ends && (is_number || is_operand);
    is_known.then_some(if is_number { NUMBER } else { operand })
}

/// What stands for the number of an execution mask.
fn mask(behind: &str) -> Option<&'static str> {
    match behind.strip_prefix("_NM") {
        Some(rest) if rest.starts_with([' ', ',']) => Some(MASK_OF_ALL),
        None if behind.starts_with([' ', ',']) => Some(MASK),
        _ => None,
    }
}

/// Whether a text begins with an instruction, a declaration, a brace or another such macro.
pub(super) fn begins_statement(text: &str) -> bool {
    if text.starts_with(['{', '}', WIDE_HOLE]) || text.starts_with(".decl ") {
        return true;
    }
    let text = text.strip_prefix('(').and_then(|r| r.split_once(") ")).map_or(text, |(_, behind)| behind);
    let word = text.split([' ', '\t', '.', '\n']).next().unwrap_or(text);
    let near = &text.as_bytes()[..text.len().min(MOST_MODIFIERS)];
    crate::spec::lookup(word).is_some() && memchr::memmem::find(near, b"(M").is_some()
}

/// Whether nothing stands before an instruction in its line but braces and a predicate.
fn begins_line(before: &str) -> bool {
    let rest = before.trim_start_matches([' ', '\t', '{']);
    let rest = rest.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(rest, |(_, behind)| behind);
    rest.trim_matches([' ', '\t']).is_empty()
}

/// The mnemonic and modifiers of a line that holds nothing behind them.
fn mnemonic(before: &str) -> Option<&str> {
    let word = loose::unpredicated(before);
    let base = word.split('.').next().unwrap_or(word);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    (!word.is_empty() && word.chars().all(is_word) && crate::spec::lookup(base).is_some()).then_some(word)
}

/// What stands for the holes of a line, with the places of them; nothing if what one is cannot be told.
fn words(line: &str, is_number: impl Fn(usize) -> bool) -> Vec<(usize, Stand)> {
    let code = line.split("//").next().unwrap_or(line);
    let is_declaration = code.trim_start().starts_with(".decl ");
    let is_bare = loose::begins_without_execution(code)
        || loose::lacks_size(code.trim_start())
        || loose::block_count(code).is_some();
    let is_instruction = (is_bare || code.contains("(M")) && !code.trim_start().starts_with('.');
    if !is_declaration && !is_instruction {
        return Vec::new();
    }
    // Mnemonic and modifiers.
    let is_first = |before: &str| {
        if is_bare { !before.trim_start().contains([' ', '\t']) } else { !before.contains("(M") }
    };
    let holes = code.match_indices([HOLE, WIDE_HOLE]);
    let all = holes.map(|(at, hole)| {
        let (before, behind) = (&code[..at], &code[at + HOLE.len_utf8()..]);
        let is_number = hole.starts_with(HOLE) && is_number(at);
        let guess = match () {
            () if is_declaration => of_field(before, behind),
            () if is_number && !is_first(before) && before.ends_with([' ', '\t']) && ends(behind) => {
                Some((NUMBER, true))
            }
            () => of_operand(before, behind, is_first(before)),
        };
        guess.map(|(text, is_word)| (at, Stand { text, is_word: is_word && hole.starts_with(HOLE), is_number }))
    });
    all.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether nothing, a blank, or what may stand behind a word comes next.
fn ends(behind: &str) -> bool {
    behind.is_empty()
        || behind.starts_with([' ', '\t', ':', '.', ')', ',', '>', ';', '{', '(', '<', ']', '+', '[', HOLE])
}

/// What stands for a hole of a declaration.
fn of_field(before: &str, behind: &str) -> Option<(&'static str, bool)> {
    // Behind what is not known, too.
    if before.ends_with([HOLE, WIDE_HOLE]) {
        return Some((NOTHING, false));
    }
    let is_whole = behind.is_empty() || behind.starts_with([' ', '\t', HOLE, WIDE_HOLE]);
    let field = before.rsplit([' ', '\t']).next().unwrap_or("");
    Some(match field {
        "v_type=" if is_whole => (KIND, true),
        "type=" if is_whole => (TYPE, true),
        "align=" if is_whole => (ALIGNMENT, true),
        "num_elts=" if is_whole => (NUMBER, true),
        // A key that no declaration has.
        _ if field.ends_with('=') && is_whole => (NUMBER, true),
        "alias=<" | "alias=(" if behind.starts_with([',', '_']) || behind.starts_with(is_word) => (NAME, true),
        _ if before.ends_with(is_word) && (ends(behind) || behind.starts_with(is_word)) => (NUMBER, true),
        // `alias=<V1, {n}>`
        _ if before.trim_end().ends_with(',') && (behind.is_empty() || behind.starts_with(['>', ')'])) => {
            (NUMBER, true)
        }
        // `.decl {name} v_type=G`
        _ if before.trim() == ".decl" && behind.trim_start().starts_with(is_word) => (NAME, true),
        _ if before.ends_with([' ', '\t']) && behind.starts_with(is_word) => (NAME, true),
        _ => return None,
    })
}

/// What stands for a hole of an instruction; `is_first` if it stands among mnemonic and modifiers.
fn of_operand(before: &str, behind: &str, is_first: bool) -> Option<(&'static str, bool)> {
    if !ends(behind) && !behind.starts_with(is_word) && !before.ends_with("(M") {
        return None;
    }
    // Without a mnemonic nothing of the line can be read.
    let opcode = before.split_once(") ").map_or(before, |(_, opcode)| opcode).trim_start_matches([' ', '\t', '{']);
    if is_first && !opcode.is_empty() && opcode.chars().all(is_word) {
        return None;
    }
    let is_message = before.trim_start().starts_with("lsc_") || before.contains(") lsc_");
    let last = before.chars().next_back()?;
    let has_shape = || {
        let shape = behind.strip_prefix(':').unwrap_or("");
        is_message && shape.starts_with(['d', 'u']) && shape[1..].starts_with(|c: char| c.is_ascii_digit() || c == HOLE)
    };
    Some(match last {
        'M' if before.ends_with("(M") => return mask(behind).map(|text| (text, true)),
        _ if is_word(last) => (NUMBER, true),
        // A predicate.
        '(' if is_first => (NAME, behind.starts_with([')', '.'])),
        '!' if is_first && before.ends_with("(!") => (NAME, behind.starts_with([')', '.'])),
        '[' => (NAME, true),
        '.' if is_first => (NUMBER, true),
        ':' if before.ends_with("]:") => (ADDRESS, true),
        ':' if is_message => (SHAPE, true),
        ':' if behind.is_empty() || behind.starts_with([' ', '\t']) => (TYPE, true),
        '(' | '<' | ';' | '.' | ',' | '=' | '+' | '-' => (NUMBER, true),
        ' ' | '\t' if before.trim_end().ends_with(',') => {
            let is_address = before.rfind('[').is_some_and(|open| !before[open..].contains(']'));
            (if is_address { NAME } else { NUMBER }, true)
        }
        ' ' | '\t' if is_first => return None,
        ' ' | '\t' if has_shape() => (NAME, true),
        ' ' | '\t' if behind.starts_with(':') => (NUMBER, true),
        ' ' | '\t' => (NAME, behind.starts_with(['(', '<', '.', '[']) || behind.starts_with(is_word)),
        ')' if !is_first && follows_modifier(before) => {
            (NAME, behind.starts_with(['(', '<', '.', '[']) || behind.starts_with(is_word))
        }
        _ => return None,
    })
}

/// Whether a text ends with what stands before an operand in parentheses of its own: `(-)`.
fn follows_modifier(before: &str) -> bool {
    let open = before.rfind('(');
    open.is_some_and(|open| before[..open].ends_with([' ', '\t']) && !before[open..].contains([' ', '\t', ',']))
}
