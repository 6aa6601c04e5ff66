//! What stands in the place of text that only the host's compiler knows, so that what stands around it can be read. Each guess
//! is as long as the hole was, so that all else keeps its place.

use super::statement::{HOLE, WIDE_HOLE};
use super::template::Pasted;
use crate::base::span::Span;
use crate::spec::Instruction;
use crate::spec::operation::Operation;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Stands for an execution size.
const SIZE: &str = "16 ";
/// Stands for a number.
const NUMBER: &str = "001";
/// Stands for an operand.
const OPERAND: &str = "V00";
/// Stands for the type of a declaration.
const TYPE: &str = "ud ";
/// Stands for what may be left out: modifiers of an instruction or of an operand.
const NOTHING: &str = "   ";
/// Stands for a macro that ends lines. Labels begin in the first column.
const LINE_END: &str = "  \n";
const _: () = {
    let all = [SIZE, NUMBER, OPERAND, TYPE, NOTHING, LINE_END];
    let mut at = 0;
    while at < all.len() {
        assert!(all[at].len() == HOLE.len_utf8() && all[at].len() == WIDE_HOLE.len_utf8());
        at += 1;
    }
};

/// Stands for a mnemonic.
static MNEMONIC: LazyLock<Option<&'static str>> = LazyLock::new(|| {
    let mut rows = crate::spec::instructions().iter();
    let fits = |row: &&Instruction| row.operation == Some(Operation::Mov) && row.mnemonic.len() == HOLE.len_utf8();
    rows.find(fits).map(|row| row.mnemonic)
});

/// Bytes behind a mnemonic in which its execution mask is looked for.
const MOST_MODIFIERS: usize = 96;

/// Fills the holes of a text where something can stand for them, and notes where.
pub(super) fn fill(host: &str, out: &mut Pasted) {
    end_lines(host, out);
    sizes(out);
    operands(out);
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

/// Puts an execution size where the host holds one that is not known: `(M1, {n})`. So the rest of the line can be read.
fn sizes(out: &mut Pasted) {
    let text = &mut out.text.text;
    let found = memchr::memmem::find_iter(text.as_bytes(), b"(M").filter_map(|at| {
        let (mask, rest) = text[at + 2..].split_once(',')?;
        let blanks = rest.len() - rest.trim_start().len();
        let is_size = rest[blanks..].strip_prefix([HOLE, WIDE_HOLE])?.trim_start().starts_with(')');
        let is_mask = mask.trim_end().trim_end_matches("_NM").bytes().all(|b| b.is_ascii_digit());
        (is_size && is_mask).then_some(at + 2 + mask.len() + 1 + blanks)
    });
    let found: Vec<usize> = found.collect();
    for at in found {
        text.replace_range(at..at + SIZE.len(), SIZE);
        out.guessed_sizes.push(Span::new(at as u32, (at + SIZE.len()) as u32));
    }
}

/// Puts something in the place of operands and parts of operands that are not known, in lines whose beginning is known:
/// so what stands before them can be read.
fn operands(out: &mut Pasted) {
    let text = &mut out.text.text;
    out.is_open = text.contains(WIDE_HOLE);
    let mut guesses: Vec<(usize, &'static str)> = Vec::new();
    let mut modifiers: Vec<usize> = Vec::new();
    let mut declarations: Vec<(usize, &'static str)> = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let n_holes = line.matches([HOLE, WIDE_HOLE]).count();
        if n_holes == 1 && line.trim_start().starts_with(".decl") {
            declarations.extend(guessed_declaration(line).map(|(at, guess)| (start + at, guess)));
        }
        let first = guesses.len();
        let is_instruction = line.contains("(M") && !line.trim_start().starts_with('.') && !line.contains("//");
        let mut is_known = is_instruction;
        for (at, _) in line.match_indices([HOLE, WIDE_HOLE]).take_while(|_| is_instruction) {
            let (before, behind) = (&line[..at], &line[at + HOLE.len_utf8()..]);
            let is_before_mask = behind.trim_start_matches([' ', '\t']).starts_with("(M");
            if is_before_mask
                && n_holes == 1
                && let Some(word) = mnemonic(before)
            {
                // Behind a dot they are modifiers. Elsewhere they may also be the rest of the mnemonic.
                if word.contains('.') {
                    modifiers.push(start + at);
                } else {
                    guesses.push((start + at, NOTHING));
                }
                continue;
            }
            if is_before_mask
                && begins_line(before)
                && let Some(mnemonic) = *MNEMONIC
            {
                guesses.push((start + at, mnemonic));
                continue;
            }
            let is_number = before.ends_with(['.', ',', '<', ';', '='])
                || behind.starts_with(':')
                || before.strip_suffix('x').is_some_and(|b| b.ends_with(|c: char| c.is_ascii_digit()));
            let is_operand = before.contains("(M") && before.ends_with([' ', '\t']);
            let ends =
                behind.is_empty() || behind.starts_with([' ', '\t', ':', '.', ')', ',', '>', ';', '{', '(', '<', 't']);
            // What stands right before an operand is a modifier of it, or another operand.
            let is_prefix = is_operand && behind.starts_with('%');
            is_known &= is_prefix || ends && (is_number || is_operand);
            let operand = if is_prefix { NOTHING } else { OPERAND };
            guesses.push((start + at, if is_number { NUMBER } else { operand }));
        }
        if !is_known {
            guesses.truncate(first);
        }
        start += line.len() + 1;
    }
    for (at, guess) in guesses {
        text.replace_range(at..at + guess.len(), guess);
        out.guessed_operands.push(Span::new(at as u32, (at + guess.len()) as u32));
    }
    for (at, guess) in declarations {
        text.replace_range(at..at + guess.len(), guess);
        out.guessed_declarations.push(Span::new(at as u32, (at + guess.len()) as u32));
    }
    for at in modifiers {
        text.replace_range(at..at + NOTHING.len(), NOTHING);
        out.guessed_modifiers.push(Span::new(at as u32, (at + NOTHING.len()) as u32));
    }
}

/// What may stand for the type or the number of elements of a declaration, and where.
fn guessed_declaration(line: &str) -> Option<(usize, &'static str)> {
    let at = line.find([HOLE, WIDE_HOLE])?;
    let (before, behind) = (&line[..at], &line[at + HOLE.len_utf8()..]);
    let is_whole = behind.is_empty() || behind.starts_with([' ', '\t']);
    let guess = match before.rsplit([' ', '\t']).next()? {
        "type=" => TYPE,
        "num_elts=" => NUMBER,
        _ => return None,
    };
    is_whole.then_some((at, guess))
}

/// Whether a text begins with an instruction, a declaration, a brace or another such macro.
fn begins_statement(text: &str) -> bool {
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
    let word = before.trim_start_matches([' ', '\t', '{']);
    let word = word.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(word, |(_, behind)| behind);
    let word = word.trim_start_matches([' ', '\t']);
    let base = word.split('.').next().unwrap_or(word);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    (!word.is_empty() && word.chars().all(is_word) && crate::spec::lookup(base).is_some()).then_some(word)
}
