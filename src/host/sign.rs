//! Which asm statements are vISA: those with a sign that no other assembler has.

use super::Language;
use super::loose;
use super::map::Mapped;
use super::statement::{Escapes, HOLE, RawOperand, RawStatement, WIDE_HOLE};
use crate::base::span::Span;
use crate::spec;
use crate::spec::instruction::Flow;
use memchr::memmem;
use std::sync::LazyLock;

static KEYWORD: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("asm"));
static NAME: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("Asm"));

/// Whether the bytes of a host source may hold an asm statement of vISA. Costs one or a few searches.
#[must_use]
pub fn may_hold(bytes: &[u8], language: Language) -> bool {
    if KEYWORD.find(bytes).is_none() {
        return match language {
            Language::C => may_be_generator(bytes),
            // `ir.InlineAsm`
            Language::Python => NAME.find(bytes).is_some() || may_be_kernel(bytes) || may_be_generator(bytes),
            Language::Llvm | Language::Mlir | Language::Patch => false,
        };
    }
    let has_statement = match language {
        Language::C => has_statement(bytes),
        Language::Llvm | Language::Mlir | Language::Python | Language::Patch => true,
    };
    let has_constraint = || {
        let begins = |byte| match language {
            Language::C => matches!(byte, b'"' | b'=' | b'+' | b'&'),
            _ => matches!(byte, b'"' | b'\'' | b'=' | b'+' | b'&' | b',' | b' '),
        };
        let is_own = |at: usize| {
            at > 0 && begins(bytes[at - 1]) && matches!(bytes.get(at + 2), Some(b'"' | b'\'' | b',' | b'.' | b'&'))
        };
        memmem::find_iter(bytes, b"rw").any(is_own)
    };
    if language == Language::Python && may_be_kernel(bytes) {
        return true;
    }
    let has_mask = || memmem::find_iter(bytes, b"(M").any(|at| begins_mask(&bytes[at + 2..]));
    // What has no execution mask, at the beginning of a line of a template; or a declaration.
    let is_first =
        |at: usize| at == 0 || matches!(bytes[at - 1], b'"' | b'\'' | b'n' | b't' | b'A' | b' ' | b'\t' | b'\n');
    let has_word = || {
        let words = [
            "lsc_",
            "sbarrier.",
            "nbarrier.",
            "fence_",
            "sampler_",
            "lifetime.",
            "v_type",
            "svm_",
            "oword_",
            "media_",
            "vme_",
            ATTRIBUTE,
            INPUT,
        ];
        words.iter().any(|word| memmem::find_iter(bytes, word.as_bytes()).any(is_first))
    };
    if has_statement {
        has_mask() || has_constraint() || has_word() || has_unknown_mask(bytes)
    } else {
        language == Language::C && may_be_generator(bytes)
    }
}

/// Whether a text may hold a whole kernel of vISA.
pub(super) fn may_be_kernel(bytes: &[u8]) -> bool {
    memmem::find(bytes, b".kernel ").is_some() && memmem::find(bytes, b".version ").is_some()
}

fn returns(word: &str) -> bool {
    spec::lookup(word).is_some_and(|id| id.row().flow == Flow::Return)
}

/// Whether a string begins as a kernel of vISA, and ends as one if it `is_whole`.
pub(super) fn is_kernel(text: &str, is_whole: bool) -> bool {
    let mut words = text.lines().filter_map(|line| line.split_ascii_whitespace().next());
    let begins = words.next() == Some(".version") && words.clone().any(|w| w == ".kernel");
    begins && (!is_whole || words.any(returns)) && has_exec(text)
}

/// Whether a string is a source of the C family with an asm statement, and no prose about one.
pub(super) fn is_source(text: &str) -> bool {
    let is_statement = || text.trim_end().ends_with(';') && (has_exec(text) || quotes_own_mnemonic(text));
    has_statement(text.as_bytes())
        && text.contains(';')
        && (memchr::memchr(b'{', text.as_bytes()).is_some() || is_statement())
}

/// Whether a literal of a source begins with a mnemonic that no other assembler has: a message without operands.
fn quotes_own_mnemonic(source: &str) -> bool {
    let inside = source.split('"').skip(1).map(|inside| inside.split('\\').next().unwrap_or(""));
    inside.flat_map(first_words).any(is_own_mnemonic)
}

/// Whether a text holds an asm statement of the C family.
pub(super) fn has_statement(bytes: &[u8]) -> bool {
    KEYWORD.find_iter(bytes).any(|at| begins_statement(&bytes[..at], &bytes[at + 3..]))
}

/// Whether a program may hold templates or lines of vISA in plain strings, or write some to a stream.
pub(super) fn may_be_generator(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"v_type=").is_some()
        || memmem::find(bytes, b"num_elts=").is_some()
        || memmem::find_iter(bytes, b"(M").any(|at| begins_mask(&bytes[at + 2..]))
        || memmem::find_iter(bytes, b"lsc_").any(|at| is_whole_message(&bytes[..at], &bytes[at..]))
        || memmem::find_iter(bytes, b"barrier.").any(|at| at > 1 && matches!(bytes[at - 2], b'"' | b'\'' | b'\n'))
        || has_unknown_mask(bytes)
}

/// What stands around an execution mask that a program holds: `({mask}, 16)`, `(%s, 16)`, `(" << mask << ", 16)`.
const MASKS: [&[u8]; 8] = [b" ({", b" ($", b" (%s,", b" (%(", b" (\" <<", b" (\" +", b" (\",", b" (\")"];

/// Whether a program may put together lines whose execution mask it holds: those have a region, or the address of a message.
fn has_unknown_mask(bytes: &[u8]) -> bool {
    let is_region = |at: usize| matches!(bytes.get(at + 2), Some(b'0'..=b'9' | b'{' | b'%'));
    let has_operand = || memmem::find_iter(bytes, b")<").any(is_region) || memmem::find(bytes, b"]:a").is_some();
    has_operand() && MASKS.iter().any(|mask| memmem::find(bytes, mask).is_some())
}

/// Whether a string ends with a message that has no operands, with all its modifiers behind dots, or before a modifier.
fn is_whole_message(before: &[u8], message: &[u8]) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let word = &message[..message.iter().take(MOST_FIELD).take_while(|b| is_word(b)).count()];
    let n_dots = memchr::memchr_iter(b'.', word).count();
    let begins = before.last().is_some_and(|b| matches!(b, b'"' | b'\'' | b'n' | b' ' | b'\t' | b'\n'));
    let is_known = n_dots == 3 || n_dots > 0 && word.ends_with(b".");
    begins && is_known && matches!(message.get(word.len()), Some(b'"' | b'\'' | b'\\' | b'\n'))
}

/// Whether a string of a program that writes asm statements is the template of one: several lines of vISA with operands by
/// number. A single line may be a part of one, unless constraints follow it.
pub(super) fn is_template(text: &str, has_constraints: bool) -> bool {
    let text = text.trim();
    let is_ir = text.contains(" asm ") || text.contains("inline_asm") || text.contains("CHECK");
    let is_whole = has_constraints || text.contains('\n') && has_numbered_operand(text.as_bytes());
    is_whole && !is_ir && (has_exec(text) || has_declaration(text))
}

/// Whether a string is a list of constraints of vISA.
pub(super) fn is_constraints(text: &str) -> bool {
    let is_own = |item: &str| matches!(item.trim().trim_start_matches(['=', '+', '&']), "rw" | "rw.u");
    text.split(',').any(is_own) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"=+&,.~{} ".contains(&b))
}

/// `$0`
fn has_numbered_operand(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'$', bytes).any(|at| bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
}

/// Bytes between the braces of a format string that stand for the number of a mask.
const MOST_FIELD: usize = 32;

/// Whether what follows `(M` is the number of a mask, after which a template or its literal goes on; or what a program puts
/// there: `{m}`, `%d`, `" << m`.
fn begins_mask(behind: &[u8]) -> bool {
    let n = match behind.first() {
        Some(b'{') => behind.iter().take(MOST_FIELD).position(|b| *b == b'}').map_or(0, |close| close + 1),
        Some(b'%') if matches!(behind.get(1), Some(b'd' | b'i' | b'u' | b's')) => 2,
        Some(b'"' | b'\'') => {
            let rest = behind[1..].trim_ascii_start();
            return [&b"<<"[..], b"+", b",", b")"].iter().any(|joint| rest.starts_with(joint));
        }
        _ => behind.iter().take_while(|b| b.is_ascii_digit()).take(3).count() % 3,
    };
    n > 0 && matches!(behind.get(n), Some(b',' | b'_' | b'-' | b' ' | b'"' | b'\t' | b'\''))
}

/// Whether an `asm` of the C family begins a statement: it is not part of another word, as in `#include <asm/io.h>`, and a
/// parenthesis or a qualifier follows.
fn begins_statement(before: &[u8], behind: &[u8]) -> bool {
    if before.last().is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let behind = behind.strip_prefix(b"__").unwrap_or(behind);
    let rest = behind.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'\\'));
    let rest = rest.map_or(&[][..], |i| &behind[i..]);
    let qualifiers: [&[u8]; 8] = [b"(", b"volatile", b"__volatile", b"inline", b"goto", b"const", b"/*", b"//"];
    qualifiers.iter().any(|word| rest.starts_with(word))
}

/// Keeps the statements that are vISA.
pub(super) fn keep_visa(statements: &mut Vec<RawStatement>) {
    let is_sure: Vec<bool> = statements.iter().map(is_visa).collect();
    let any = is_sure.contains(&true);
    let mut is_sure = is_sure.into_iter();
    statements.retain(|s| is_sure.next() == Some(true) || any && (is_plain(s) || is_like(s) || is_without_size(s)));
}

/// Whether a statement has a sign of vISA.
fn is_visa(statement: &RawStatement) -> bool {
    let text = &statement.template.text;
    if has_exec(text) || has_declaration(text) {
        return true;
    }
    let mut words = first_words(text).peekable();
    if words.peek().is_none() {
        return false;
    }
    if words.clone().any(is_own_mnemonic) && !looks_foreign(text) {
        return true;
    }
    let has_constraint = has_constraint(statement);
    // `rw` means something else to some compilers; a word of vISA at the beginning of a line decides.
    has_constraint && words.any(|w| is_known(w) || w.starts_with([HOLE, WIDE_HOLE]))
}

fn has_constraint(statement: &RawStatement) -> bool {
    let is_own = |o: &RawOperand| {
        let word = o.constraint.as_deref().unwrap_or("");
        matches!(word.trim_start_matches(['=', '+', '&']), "rw" | "rw.u")
    };
    statement.operands.iter().flatten().any(is_own)
}

/// Whether a statement beside one that is vISA for certain has the constraints of vISA: a mnemonic that is not written to its
/// end, or misspelt.
fn is_like(statement: &RawStatement) -> bool {
    let text = &statement.template.text;
    has_constraint(statement) && !looks_foreign(text) && first_words(text).next().is_some()
}

/// Whether a text that no statement takes holds a line whose execution size is missing or whose mask is misspelt, beside one that
/// is vISA for certain.
fn is_without_size(statement: &RawStatement) -> bool {
    let is_loose =
        statement.is_kernel || statement.operands.as_ref().is_none_or(|all| all.iter().all(|o| o.constraint.is_none()));
    let is_meant = |line: &str| loose::lacks_size(line) || loose::has_near_mask(line);
    is_loose && statement.template.text.lines().any(|line| is_meant(line.trim()))
}

/// Whether each line is a word of vISA, beside a statement that is vISA for certain: `barrier`, a label.
fn is_plain(statement: &RawStatement) -> bool {
    let text = &statement.template.text;
    let mut words = first_words(text).peekable();
    let is_bare = statement.operands.as_ref().is_none_or(Vec::is_empty);
    words.peek().is_some()
        && is_bare
        && !looks_foreign(text)
        && words.all(|w| is_known(w) || w == "{" || w == "}" || w.ends_with(':'))
}

/// Whether the constraints of a statement are those of the vector backend: `cr` and `a`, or `r` for operands that bring their
/// region with them, so that none stands behind them.
pub(super) fn is_vector(statement: &RawStatement) -> bool {
    let operands = || statement.operands.iter().flatten().enumerate();
    let constraint = |o: &RawOperand| o.constraint.as_deref().unwrap_or("").trim_start_matches(['=', '+']).to_owned();
    if operands().any(|(_, o)| matches!(constraint(o).as_str(), "cr" | "a")) {
        return true;
    }
    let text = &statement.template.text;
    let mut has_bare = false;
    for (index, operand) in operands().filter(|(_, o)| constraint(o) == "r") {
        let sign = if statement.escapes == Escapes::Dollar { '$' } else { '%' };
        let named = operand.name.as_ref().map(|name| format!("{sign}[{name}]"));
        for written in [Some(format!("{sign}{index}")), named].into_iter().flatten() {
            for (at, _) in text.match_indices(&written) {
                match text[at + written.len()..].trim_start_matches(' ').chars().next() {
                    Some('(' | '<' | '.') => return false,
                    // Another operand, or the data or the address of a message.
                    Some('0'..='9' | ':' | ']' | ',' | '+') => {}
                    _ => has_bare |= text[..at].ends_with([' ', '\t']),
                }
            }
        }
    }
    has_bare
}

/// Puts a blank where an instruction begins right behind the last character of another one, in a literal of its own: so both
/// are read, and the missing newline is reported.
pub(super) fn part_instructions(host: &str, template: &mut Mapped) {
    let text = &template.text;
    let is_glued = |at: &u32| {
        let (before, behind) = text.split_at(*at as usize);
        let length = behind.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')).count();
        let word = &behind[..length];
        let follows = || {
            let line = before.rsplit('\n').next().unwrap_or("");
            line.contains("(M") && !line.contains("//")
        };
        before.ends_with(|c: char| c.is_alphanumeric())
            && is_known(word)
            && behind[word.len()..].trim_start().starts_with("(M")
            && follows()
    };
    let glued: Vec<u32> = template.seams().filter(is_glued).collect();
    if glued.is_empty() {
        return;
    }
    let mut out = Mapped::default();
    let mut done = 0;
    for at in glued {
        out.push_part(template, Span::new(done, at));
        out.push_atom(" ", template.host_span(host, Span::at(at)));
        done = at;
    }
    out.push_part(template, Span::new(done, template.text.len() as u32));
    *template = out;
}

/// The first word of each line that has one, without comments.
fn first_words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split('\n').filter_map(|line| {
        let line = line.trim_start();
        let line = if let Some(rest) = line.strip_prefix('(') {
            rest.split_once(')').map_or("", |(_, rest)| rest.trim_start())
        } else {
            line
        };
        let word = line.split([' ', '\t', '(', ';']).next().unwrap_or("");
        (!word.is_empty() && !word.starts_with("//")).then_some(word)
    })
}

fn is_known(word: &str) -> bool {
    let base = word.split('.').next().unwrap_or(word);
    spec::lookup(base).is_some() || word == ".decl" || spec::lookup(word).is_some()
}

/// Mnemonics that no other assembler has.
fn is_own_mnemonic(word: &str) -> bool {
    let base = word.split('.').next().unwrap_or(word);
    if word.contains('.') && matches!(base, "nbarrier" | "sbarrier") {
        return true;
    }
    word.contains(['_', '.']) && spec::lookup(word).is_some() || base.contains('_') && spec::lookup(base).is_some()
}

/// Ends of lines and operands that vISA does not have and others do: `;` of PTX, registers of x86, comments of ARM.
fn looks_foreign(text: &str) -> bool {
    text.trim_end().ends_with(';') && !has_exec(text)
}

/// Bytes behind a misspelt execution mask in which an operand is looked for.
const MOST_OPERAND: usize = 256;

/// `(M1, 16)` or `(M1_NM, 1)`, also with a mask or a size that is not known.
fn has_exec(text: &str) -> bool {
    let has_mask = memmem::find_iter(text.as_bytes(), b"(M").any(|at| {
        let rest = &text[at + 2..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = rest[digits..].trim_start_matches([HOLE, WIDE_HOLE]);
        let is_unknown = behind.len() + digits < rest.len();
        if !is_unknown && !(1..=2).contains(&digits) {
            return false;
        }
        // `_NM`, or what was meant so.
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let behind = if behind.starts_with(['_', '-']) { behind.trim_start_matches(is_word) } else { behind };
        let behind = behind.trim_ascii_start();
        let Some(size) = behind.strip_prefix(',') else {
            // `(M1 16)`, `(M1NM, 16)`
            let near = &behind[..behind.floor_char_boundary(MOST_OPERAND)];
            return digits > 0 && loose::has_form(near.lines().next().unwrap_or(near));
        };
        let is_size = |c: char| c.is_ascii_digit() || matches!(c, HOLE | WIDE_HOLE);
        !is_unknown || size.trim_ascii_start().trim_start_matches(is_size).trim_ascii_start().starts_with(')')
    });
    has_mask || loose::whole_masks(text).next().is_some() || loose::whole_executions(text).next().is_some()
}

/// Directives that no other assembler has.
const ATTRIBUTE: &str = ".kernel_attr ";
const INPUT: &str = ".implicit_";

/// `.decl NAME v_type=`, `.kernel_attr NAME=`
fn has_declaration(text: &str) -> bool {
    let begins = |line: &str| line.starts_with(ATTRIBUTE) || line.starts_with(INPUT);
    if text.lines().any(|line| begins(line.trim_start())) {
        return true;
    }
    memmem::find_iter(text.as_bytes(), b".decl").any(|at| {
        let line = text[at..].split('\n').next().unwrap_or("");
        line.contains("v_type") || line.contains(" type=") && line.contains(" num_elts=")
    })
}
