//! Lines of vISA in strings that no statement is known to take: in tables, in arguments of functions of other files, in what a
//! program writes. What stands around them is not known.

pub(super) use super::glued::unpredicated;
use super::glued::{self, is_hole};
use super::map::Mapped;
use super::statement::{Escapes, HOLE, RawOperand, RawStatement, SEVERAL, WIDE_HOLE};
use crate::base::span::Span;
use crate::spec;
use crate::spec::instruction::{Execution, OperandKind};
use rustc_hash::FxHashSet;

/// What a line of a text is.
#[derive(PartialEq, Eq)]
enum Line {
    /// An instruction or a declaration.
    Sure,
    /// What may stand between those, and in other texts as well.
    Plain,
    /// A word alone that is nearly the mnemonic of an instruction without operands.
    Misspelt,
    /// An instruction whose mask and size are not written as such.
    Malformed,
    Other,
}

/// Whether each line of a text is one of vISA, and one of them can be nothing else.
pub(super) fn is_lines(text: &str) -> bool {
    let (mut n_sure, mut n_misspelt) = (0, 0);
    for line in text.lines() {
        match read(line.trim()) {
            Line::Sure => n_sure += 1,
            Line::Plain => {}
            Line::Misspelt | Line::Malformed => n_misspelt += 1,
            Line::Other => return false,
        }
    }
    n_sure > 0 && n_sure >= n_misspelt
}

/// What only lines of vISA hold: one of these is in each text of which some line can be nothing else.
const SIGNS: [&[u8]; 13] = [
    b"(M",
    b"v_type",
    b"num_elts=",
    b")<",
    b"lsc_",
    b"barrier.",
    b"media_",
    b"vme_",
    b"oword_",
    b"svm_",
    b".version",
    b".kernel_attr",
    b".implicit_",
];

/// For each byte, whether a sign begins with it.
const BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < SIGNS.len() {
        begins[SIGNS[at][0] as usize] = true;
        at += 1;
    }
    begins
};

/// Whether a text may hold a line of vISA. Costs little more than to look at each byte.
pub(super) fn may_hold(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_sign = |at: usize| SIGNS.iter().any(|sign| bytes[at..].starts_with(sign));
    bytes.iter().enumerate().any(|(at, byte)| BEGINS[*byte as usize] && is_sign(at))
}

/// Whether each line of a text may be one of vISA.
pub(super) fn may_be_lines(text: &str) -> bool {
    text.lines().all(|line| read(line.trim()) != Line::Other)
}

/// What a text declares: variables and labels.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        match (words.next()?, words.next()) {
            (".decl", name) => name,
            (label, None) if label.ends_with(':') => Some(label),
            _ => None,
        }
    })
}

/// Whether a text declares something.
pub(super) fn declares(text: &str) -> bool {
    declared(text).next().is_some()
}

/// Whether lines declare what the text before them holds already: so do branches of which one is there.
pub(super) fn declares_again(before: &str, lines: &str) -> bool {
    declared(lines).any(|name| before.split_ascii_whitespace().any(|word| word == name))
}

/// Whether a text declares one name twice: so do texts of which each stands for itself.
pub(super) fn declares_twice(text: &str) -> bool {
    let mut known = FxHashSet::default();
    declared(text).any(|name| !known.insert(name))
}

/// The words of a text that grows, for the same question of each of many lines.
#[derive(Default)]
pub(super) struct Words {
    known: FxHashSet<Box<str>>,
    /// Bytes of the text that are read.
    n_read: usize,
}

impl Words {
    /// What [`declares_again`] says, where `before` is the text so far.
    pub(super) fn declares_again(&mut self, before: &str, lines: &str) -> bool {
        if !declares(lines) {
            return false;
        }
        let new = before.get(self.n_read..).unwrap_or_default();
        self.known.extend(new.split_ascii_whitespace().map(Box::from));
        self.n_read = before.len();
        declared(lines).any(|name| self.known.contains(name))
    }
}

/// Whether a line of a text is a misspelt word, which is one of vISA only beside others.
pub(super) fn has_misspelt(text: &str) -> bool {
    text.lines().any(|line| read(line.trim()) == Line::Misspelt)
}

/// Whether a line has all operands of its instruction, so that nothing can be put behind it.
fn is_complete(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line).trim_end();
    if code.ends_with(['{', '}']) || code.ends_with(':') && !code.contains([' ', '\t']) {
        return true;
    }
    // An operand goes on there.
    if code.ends_with(['.', ':', ',', '(', '[', '<', '+']) {
        return false;
    }
    if code.trim_start().starts_with(".decl ") {
        let ends = |c: char| c.is_ascii_alphanumeric() || c == '>' || is_hole(c);
        return code.contains(" num_elts=") && code.ends_with(ends);
    }
    if let Some(row) = without_execution(code) {
        return !code.ends_with('.') && code.split_ascii_whitespace().count() > row.operands.len();
    }
    let mut words = code.split_ascii_whitespace();
    if words.next().is_some_and(is_misspelt_pair) {
        return words.all(is_typed_number);
    }
    let execution = code.find("(M").or_else(|| whole_masks(code).next()).or_else(|| block_count(code));
    let parts = execution.map(|at| code.split_at(at)).and_then(|(b, rest)| Some((b, rest.split_once(')')?.1)));
    let Some((before, operands)) = parts else {
        let mut words = code.split_ascii_whitespace();
        let row = words.next().and_then(row_of).filter(|_| lacks_size(code.trim()));
        return row.is_some_and(|row| words.count() >= row.operands.len() && !code.ends_with(')'));
    };
    let before = before.trim_end_matches('(');
    let mnemonic = before.trim_end().rsplit([' ', '\t', '{']).next().unwrap_or(before);
    let row = spec::lookup(mnemonic.split('.').next().unwrap_or(mnemonic)).map(spec::InstructionId::row);
    let n = operands.split_ascii_whitespace().count();
    let is_operand = operands.ends_with('>') || operands.rsplit_once(':').is_some_and(|(_, kind)| !kind.contains(' '));
    // A region may be put behind row and column.
    let may_go_on = |row: &spec::Instruction| {
        operands.ends_with(')') && row.operands.last().is_some_and(|slot| slot.kinds.contains(OperandKind::General))
    };
    row.map_or(is_operand, |row| n >= row.operands.len() && !may_go_on(row))
}

/// The instruction that a line begins with, if it has no execution size.
fn without_execution(code: &str) -> Option<&'static spec::Instruction> {
    let mnemonic = code.trim_start_matches(['{', ' ', '\t']).split([' ', '\t']).next().unwrap_or(code);
    row_of(mnemonic).filter(|row| row.execution == Execution::None)
}

/// Whether a line begins with an instruction that has no execution size.
pub(super) fn begins_without_execution(code: &str) -> bool {
    let first = || code.split_ascii_whitespace().next().unwrap_or("");
    without_execution(code).is_some() || !code.contains("(M") && is_misspelt_pair(first())
}

/// The instruction with a mnemonic, which modifiers may follow.
fn row_of(mnemonic: &str) -> Option<&'static spec::Instruction> {
    let base = mnemonic.split('.').next().unwrap_or(mnemonic);
    spec::lookup(mnemonic).or_else(|| spec::lookup(base)).map(spec::InstructionId::row)
}

/// Words in a row of which prose is made.
const MOST_WORDS: usize = 1;

/// Words of prose that are no names.
const PROSE: [&str; 12] = ["is", "are", "was", "be", "has", "the", "of", "to", "for", "with", "which", "that"];

fn read(line: &str) -> Line {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.') || is_hole(c);
    if line.is_empty() || line.starts_with("//") || matches!(line, "{" | "}") || line.chars().all(is_hole) {
        return Line::Plain;
    }
    if let Some(rest) = line.strip_prefix(".decl ") {
        let is_declaration = rest.contains(" v_type=") || rest.contains(" type=") && rest.contains(" num_elts=");
        return if is_declaration { Line::Sure } else { Line::Other };
    }
    if line.strip_suffix(':').is_some_and(|label| label.chars().all(|c| is_word(c) || "%=${:}".contains(c))) {
        return Line::Plain;
    }
    let line = &line[glued::unknown_lines(line)..];
    let code = line.trim_start_matches(['{', ' ', '\t']);
    let code = match code.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((predicate, rest)) if !predicate.contains(' ') || is_before_mask(rest.trim_start()) => rest.trim_start(),
        // Without its parenthesis.
        Some((predicate, _)) => match predicate.split_once(' ') {
            Some((_, word)) if is_before_mask(word) => &code[code.len().min(predicate.len() + 1 - word.len())..],
            _ => code,
        },
        None => code,
    };
    let mnemonic = code.split([' ', '\t']).next().unwrap_or(code);
    // In capitals only before a size.
    let is_upper = || {
        let lower = mnemonic.to_ascii_lowercase();
        mnemonic.starts_with(|c: char| c.is_ascii_uppercase()) && row_of(&lower).is_some()
    };
    let begins = mnemonic.starts_with(|c: char| c.is_ascii_lowercase() || is_hole(c))
        || code[mnemonic.len()..].trim_start().starts_with("(M") && is_upper();
    if !begins || !mnemonic.chars().all(is_word) {
        return Line::Other;
    }
    let rest = code[mnemonic.len()..].trim_start();
    let base = mnemonic.split('.').next().unwrap_or(mnemonic);
    let row = row_of(mnemonic);
    if let Some(row) = row.filter(|row| row.execution == Execution::None) {
        return without_size(row, mnemonic, rest);
    }
    if row.is_none() && rest.split_ascii_whitespace().all(is_typed_number) && is_misspelt_pair(mnemonic) {
        return if rest.is_empty() { Line::Misspelt } else { Line::Sure };
    }
    if rest.is_empty() {
        return match row {
            Some(_) => Line::Plain,
            None if is_misspelt(base) => Line::Misspelt,
            None => Line::Other,
        };
    }
    let has_mask = rest.starts_with("(M") || has_form(rest);
    let counted = block_count(code).and_then(|open| Some(code[open..].split_once(')')?.1));
    let Some(operands) = behind_size(rest).filter(|_| has_mask).or(counted) else {
        return match row {
            // The size is missing.
            Some(_) if is_without_size(line, rest) => Line::Sure,
            Some(_) if (begins_near_mask(rest) || begins_odd_mask(rest)) && has_region(rest) => Line::Sure,
            Some(_) if rest.starts_with('(') && has_region(rest) && !is_prose(line) => Line::Malformed,
            _ => Line::Other,
        };
    };
    let operands = operands.split("//").next().unwrap_or(operands);
    let words = || operands.split_ascii_whitespace().filter(|word| is_prose_word(word));
    if words().filter(|word| word.len() > 2).count() > MOST_WORDS || words().any(|word| PROSE.contains(&word)) {
        return Line::Other;
    }
    // Operands that are not known, behind a mnemonic that is.
    let is_given = || operands.contains(is_hole) && (row.is_some() || is_like_mnemonic(base));
    let has_operand =
        operands.starts_with([' ', '\t']) && (operands.contains(['(', '.', '[', '%', '$', ':']) || is_given());
    // `(P1) goto (M1, 16) label`
    let branches = || row.is_some_and(|row| row.operands.iter().any(|slot| slot.kinds.contains(OperandKind::Label)));
    let is_name = |c: char| is_word(c) || "$%={}".contains(c);
    let has_target = || !operands.trim().is_empty() && operands.trim().chars().all(is_name) && !operands.ends_with('.');
    // A misspelt one, behind a predicate.
    let is_predicated = || row.is_none() && code.len() < line.len() && line.starts_with('(') && rest.starts_with("(M");
    if has_operand || (branches() || is_predicated()) && has_target() { Line::Sure } else { Line::Plain }
}

/// Whether a text is a mnemonic and an execution mask.
fn is_before_mask(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(mnemonic, mask)| row_of(mnemonic).is_some() && mask.starts_with("(M"))
}

/// Whether a text begins with an execution mask that lacks its digit or is written in small letters, and a size: `(M, 16)`,
/// `(m1, 16)`.
fn begins_near_mask(text: &str) -> bool {
    let inside = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    let Some((mask, size)) = inside.and_then(|inside| inside.split_once(',')) else { return false };
    let mask = mask.trim_end();
    let digits = mask.strip_suffix("_NM").or_else(|| mask.strip_suffix("_nm")).unwrap_or(mask);
    let Some(digits) = digits.strip_prefix(['M', 'm']) else { return false };
    let is_misspelt = digits.is_empty() || mask.starts_with('m');
    let is_size = |c: char| c.is_ascii_digit() || is_hole(c);
    let size = size.trim();
    is_misspelt
        && digits.len() < 2
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !size.is_empty()
        && size.chars().all(is_size)
}

/// Whether a text begins with an execution mask and size, of which the end of the mask or the comma is misspelt: `(M1-NM, 16)`,
/// `(M1 16)`.
fn begins_odd_mask(text: &str) -> bool {
    let inside = text.strip_prefix("(M").and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    let Some((mask, size)) = inside.and_then(|inside| inside.split_once([',', ' '])) else { return false };
    let is_mask = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let size = size.trim();
    mask.starts_with(|c: char| c.is_ascii_digit())
        && mask.chars().all(is_mask)
        && !size.is_empty()
        && size.chars().all(|c| c.is_ascii_digit() || is_hole(c))
}

/// Whether a line, of which `rest` stands behind a mnemonic, has operands and no execution size.
fn is_without_size(line: &str, rest: &str) -> bool {
    // What is not known may hold the size.
    !rest.starts_with('(') && !rest.starts_with(is_hole) && has_region(rest) && !is_prose(line)
}

/// Whether a line begins with an instruction whose execution size is missing.
pub(super) fn lacks_size(line: &str) -> bool {
    let mnemonic = line.split([' ', '\t']).next().unwrap_or(line);
    let row = row_of(mnemonic).filter(|row| row.execution != Execution::None);
    row.is_some() && is_without_size(line, line[mnemonic.len()..].trim_start())
}

/// Whether a line begins with an instruction whose execution mask lacks its digit or is written in small letters.
pub(super) fn has_near_mask(line: &str) -> bool {
    let line = unpredicated(line);
    let mnemonic = line.split([' ', '\t']).next().unwrap_or(line);
    let rest = line[mnemonic.len()..].trim_start();
    row_of(mnemonic).is_some() && begins_near_mask(rest) && has_region(rest)
}

/// A line of an instruction that has no execution size. With all its modifiers it can be nothing else, if its name holds a
/// sign that words do not have.
fn without_size(row: &spec::Instruction, mnemonic: &str, rest: &str) -> Line {
    let rest = rest.split("//").next().unwrap_or(rest);
    let mut operands = rest.split_ascii_whitespace();
    // `wait for it`, or a table of names.
    if operands.clone().any(|word| is_prose_word(word) && row.operands.len() < operands.clone().count()) {
        return Line::Other;
    }
    let is_typed = |word: &str| word.split_once(':').is_some_and(|(value, kind)| !value.is_empty() && !kind.is_empty());
    let n_modifiers = mnemonic.strip_prefix(row.mnemonic).map_or(0, |behind| behind.matches('.').count());
    let n_needed = row.modifiers.iter().filter(|modifier| !modifier.optional).count();
    let is_whole = row.operands.is_empty() && n_needed > 0 && n_modifiers >= n_needed;
    let is_own = row.mnemonic.contains(['_', '.']);
    let has_operands = !row.operands.is_empty() && operands.any(is_typed);
    if is_own && (is_whole || has_operands) { Line::Sure } else { Line::Plain }
}

/// Whether a word is one of prose: letters alone, with what ends a sentence behind it.
fn is_prose_word(word: &str) -> bool {
    let letters = word.trim_end_matches([',', '.', ';', ':', '!', '?']);
    !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'\'' | b'-'))
}

/// Whether an operand of a text has a form that only those of vISA have: a region, or the address of a message.
pub(super) fn has_form(text: &str) -> bool {
    has_region(text) || memchr::memmem::find(text.as_bytes(), b"]:a").is_some()
}

/// Whether an operand of a text has a region: `t(0,0)<1>`.
fn has_region(text: &str) -> bool {
    text.match_indices(")<").any(|(at, _)| {
        let inside = text[..at].rsplit_once('(').map_or("", |(_, inside)| inside);
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ') || is_hole(c);
        !inside.is_empty() && inside.chars().all(is_part)
    })
}

/// Whether a line that begins with the mnemonic of an instruction is a sentence: words follow, and no operand.
pub(super) fn is_prose(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let mnemonic = words.next().unwrap_or("");
    let row = spec::lookup(mnemonic).map(spec::InstructionId::row);
    let takes_word = row.is_some_and(|row| {
        let is_name = |kind| row.takes(kind);
        row.execution == Execution::None || is_name(OperandKind::Label) || is_name(OperandKind::Function)
    });
    let n_words = words.clone().filter(|word| is_prose_word(word)).count();
    let is_text = !line.contains(['<', '[', '(', ':', '%', '$']);
    let least = if takes_word { 2 } else { 1 };
    n_words >= least && (is_text || n_words * 2 > words.count() && !line.contains("(M") && !has_region(line))
}

/// Whether a word begins as a mnemonic of two words does that stands without an execution size: `nbarrier.await`.
fn is_misspelt_pair(word: &str) -> bool {
    let first = word.split_once('.').map_or("", |(first, _)| first);
    let is_row = |row: &&spec::Instruction| {
        row.execution == Execution::None && row.mnemonic.strip_prefix(first).is_some_and(|rest| rest.starts_with('.'))
    };
    first.len() >= LEAST_WORD && spec::instructions().iter().any(|row| is_row(&row))
}

/// Whether a word is a number with its type.
fn is_typed_number(word: &str) -> bool {
    let number = word.split_once(':').filter(|(_, kind)| (1..3).contains(&kind.len()));
    number.is_some_and(|(value, _)| value.starts_with(|c: char| c.is_ascii_digit() || is_hole(c)))
}

/// Whether a word is nearly the mnemonic of an instruction without operands, and long enough to be no other word.
fn is_misspelt(word: &str) -> bool {
    let bare = spec::instructions().iter().filter(|row| row.operands.is_empty() && row.execution == Execution::None);
    word.len() >= LEAST_WORD && crate::base::spelling::closest(word, bare.map(|row| row.mnemonic)).is_some()
}

/// Whether a word is nearly the mnemonic of some instruction.
fn is_like_mnemonic(word: &str) -> bool {
    crate::base::spelling::closest(word, spec::instructions().iter().map(|row| row.mnemonic)).is_some()
}

/// Letters of a word that is taken for a misspelt one.
const LEAST_WORD: usize = 5;

/// Bytes before and behind an execution mask in which the mnemonic, the size and the first operand are looked for.
const MOST_NEAR: usize = 96;

/// Where a hole stands that is an execution mask as a whole: `(HOLE, 16)` behind a mnemonic.
pub(super) fn whole_masks(text: &str) -> impl Iterator<Item = usize> {
    let is_size = |size: &str| {
        let size = size.trim();
        !size.is_empty() && size.chars().all(|c| c.is_ascii_digit() || is_hole(c))
    };
    text.match_indices([HOLE, WIDE_HOLE]).filter_map(move |(at, hole)| {
        let before = text[..at].strip_suffix('(')?.strip_suffix([' ', '\t'])?;
        let behind = text[at + hole.len()..].trim_start_matches([' ', '\t']).strip_prefix(',')?;
        let near = &behind[..behind.floor_char_boundary(MOST_NEAR)];
        let near = near.split_once('\n').map_or(near, |(line, _)| line);
        let (_, operands) = near.split_once(')').filter(|(size, _)| is_size(size))?;
        let near = &before[before.ceil_char_boundary(before.len().saturating_sub(MOST_NEAR))..];
        let word = near.rsplit_once('\n').map_or(near, |(_, line)| line).trim_end();
        // Also of a misspelt mnemonic.
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.');
        let mnemonic = unpredicated(word);
        let begins = !mnemonic.is_empty() && mnemonic.chars().all(is_word);
        (begins && has_form(operands)).then_some(at)
    })
}

/// What stands behind `(M1, 16)`.
fn behind_size(text: &str) -> Option<&str> {
    let (inside, rest) =
        text.strip_prefix('(').filter(|t| t.starts_with('M') || t.starts_with(is_hole))?.split_once(')')?;
    // Mask and size as a whole.
    if inside.chars().all(is_hole) {
        return has_form(rest).then_some(rest);
    }
    let (mask, size) = inside.split_once(',')?;
    let mask = mask.strip_prefix('M').unwrap_or(mask);
    let is_mask = mask.trim_start_matches(|c: char| c.is_ascii_digit() || is_hole(c)).trim_end();
    let is_size = |c: char| c.is_ascii_digit() || is_hole(c);
    let size = size.trim();
    let is_known = !size.is_empty() && size.chars().all(is_size) && (is_mask.is_empty() || is_mask.starts_with('_'));
    (is_known && !mask.is_empty()).then_some(rest)
}

/// Where holes stand that are both execution mask and size: `(HOLE)` behind a mnemonic.
pub(super) fn whole_executions(text: &str) -> impl Iterator<Item = usize> {
    let is_whole = |at: &usize| {
        let (before, behind) = text.split_at(*at);
        let Some(before) = before.strip_suffix('(').filter(|b| b.ends_with([' ', '\t'])) else { return false };
        let near = &before[before.ceil_char_boundary(before.len().saturating_sub(MOST_NEAR))..];
        let line = near.rsplit_once('\n').map_or(near, |(_, line)| line);
        let mnemonic = unpredicated(line).trim_end();
        let is_unknown = mnemonic.chars().eq([HOLE]);
        let operands = behind[HOLE.len_utf8()..].strip_prefix(')').unwrap_or_default();
        let operands = &operands[..operands.floor_char_boundary(MOST_NEAR)];
        (is_unknown || row_of(mnemonic).is_some_and(|row| row.execution == Execution::MaskAndSize))
            && has_form(operands.split_once('\n').map_or(operands, |(line, _)| line))
    };
    text.match_indices([HOLE, WIDE_HOLE]).map(|(at, _)| at).filter(is_whole)
}

/// Puts a mask before each of these holes, so that the rest of the line can be read.
pub(super) fn part_executions(host: &str, template: &mut Mapped) {
    let text = &template.text;
    let found: Vec<usize> = whole_executions(text).collect();
    if found.is_empty() {
        return;
    }
    let mut out = Mapped::default();
    let mut done = 0;
    for at in found {
        let hole = Span::new(at as u32, (at + HOLE.len_utf8()) as u32);
        out.push_part(template, Span::new(done, hole.start));
        out.push_atom(&format!("M1, {HOLE}"), template.host_span(host, hole));
        done = hole.end;
    }
    out.push_part(template, Span::new(done, text.len() as u32));
    *template = out;
}

/// Where `(4)` stands in a line of an instruction that counts blocks, and whose name holds a sign that words do not have.
pub(super) fn block_count(line: &str) -> Option<usize> {
    let mnemonic = line.trim_start_matches(['{', ' ', '\t']).split([' ', '\t', '(']).next()?;
    let row = row_of(mnemonic).filter(|row| row.execution == Execution::BlockCount && row.mnemonic.contains('_'))?;
    let open = line.find('(')?;
    let (count, _) = line[open + 1..].split_once(')')?;
    let is_number = !count.is_empty() && count.chars().all(|c| c.is_ascii_digit() || is_hole(c));
    (is_number && line[..open].trim_end().ends_with(mnemonic) && row.mnemonic.len() <= mnemonic.len()).then_some(open)
}

/// How the last line of a text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// As the text does.
    Line,
    /// Something may be put behind it.
    Unknown,
    /// Something is put behind it.
    Continued,
}

/// The lines of a text at `span` as a statement, which belongs to a function of its own.
pub(super) fn statement(text: &Mapped, span: Span, end: End, function: u32) -> RawStatement {
    let unknown = format!("{WIDE_HOLE}\n");
    let ended = glued::with_unknown_lines(text);
    let text = ended.as_ref().unwrap_or(text);
    let mut template = Mapped::default();
    template.push_atom(&unknown, Span::at(span.start));
    template.push_part(text, Span::new(0, text.text.len() as u32));
    if !text.text.ends_with('\n') {
        let is_whole = match end {
            End::Line => true,
            End::Unknown => text.text.lines().last().is_some_and(is_complete),
            End::Continued => false,
        };
        template.push_atom(if is_whole { "\n" } else { &unknown }, Span::at(span.end));
    }
    template.push_atom(&unknown, Span::at(span.end));
    let (n_dollar, n_percent) = (n_numbered(&text.text, '$'), n_numbered(&text.text, '%'));
    let is_extended = n_percent > 0 || text.text.contains("%%") || text.text.contains("%[");
    let is_unknown = |(at, _): (usize, &str)| text.text[at + 1..].starts_with(['{', HOLE]);
    let is_numbered = n_dollar > 0 || text.text.match_indices('$').any(is_unknown);
    let n = if is_numbered { n_dollar } else { n_percent };
    let escapes = if is_extended && !is_numbered { Escapes::Extended } else { Escapes::Dollar };
    let mut statement = RawStatement::new(span, template, escapes);
    statement.is_kernel = !is_extended && !is_numbered;
    statement.is_scope = (n > 0 || is_numbered) && end != End::Continued && is_scope(&text.text);
    // Operands by name are not known.
    statement.operands =
        (!text.text.contains("%[")).then(|| vec![RawOperand { is_output: true, ..RawOperand::default() }; n]);
    statement.function = function;
    statement
}

/// Whether a text is one scope that declares variables, without lines in it that are not known.
pub(super) fn is_scope(text: &str) -> bool {
    let text = text.trim();
    let text = text.split_once('\n').filter(|(line, _)| line.chars().eq([WIDE_HOLE])).map_or(text, |(_, rest)| rest);
    let text = text.rsplit_once('\n').filter(|(_, line)| line.chars().eq([WIDE_HOLE])).map_or(text, |(rest, _)| rest);
    let text = text.trim();
    let mut depth = 0i32;
    let is_one = text.char_indices().all(|(at, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth > 0 || at + c.len_utf8() == text.len()
    });
    let is_known = |line: &str| line == SEVERAL || !line.contains(WIDE_HOLE);
    is_one && depth == 0 && text.ends_with('}') && text.contains(" v_type=") && text.lines().all(is_known)
}

/// Whether a text declares a variable whose name is not known.
pub(super) fn declares_unknown(text: &str) -> bool {
    declared(text).any(|name| name.contains(is_hole))
}

/// Operands that a template can have.
const MOST_OPERANDS: usize = 64;

/// How many operands `$0` or `%0` and so on are, at least.
pub(super) fn n_numbered(text: &str, sign: char) -> usize {
    let numbers = text.match_indices(sign).filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        rest[..rest.bytes().take_while(u8::is_ascii_digit).count()].parse::<usize>().ok()
    });
    numbers.max().map_or(0, |n| (n + 1).min(MOST_OPERANDS))
}
