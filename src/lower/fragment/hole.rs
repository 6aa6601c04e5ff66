//! Lines of which parts are not known: what is wrong with them whatever stands there.

use super::HOLES;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Rule;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::arity::{MISSING_OPERAND, SURPLUS_OPERAND};
use crate::lower::declaration::{MALFORMED_DECLARATION, UNKNOWN_ALIGNMENT, UNKNOWN_TYPE};
use crate::lower::execution::{INVALID_EXEC_SIZE, UNKNOWN_EXEC_MASK};
use crate::lower::instruction::UNKNOWN_INSTRUCTION;
use crate::lower::lsc::UNKNOWN_LSC_SHAPE;
use crate::lower::modifier::UNKNOWN_MODIFIER;
use crate::lower::operand::{INVALID_IMMEDIATE, MALFORMED_REGION, MISSING_REGION, MISSING_TYPE, WRONG_OPERAND_FORM};
use crate::lower::scope::UNDECLARED_VARIABLE;
use crate::lower::{Lowering, Token, lsc_shape};
use crate::program::fragment::Guess;
use crate::program::variable::{FLAG_BROKEN, FLAG_ENLARGED, FLAG_OPEN};
use crate::program::{Instruction, InstructionIndex, VariableId};
use crate::spec;
use crate::spec::instruction::{Custom, ModifierKind};
use crate::spec::predefined::VariableKind;
use crate::syntax::error::{COMMA_BETWEEN_OPERANDS, SYNTAX_ERROR};
use crate::syntax::token::TokenKind;

/// Bytes of a variable whose number of elements is not known.
const MOST_BYTES: u32 = 1 << 12;

/// Elements of a predicate whose number of elements is not known: one for each lane of the widest instruction.
const MOST_LANES: u32 = 32;

/// Faults of a declaration that do not depend on the sizes and types in it.
const OF_FORM: [&Rule; 5] =
    [&SYNTAX_ERROR, &COMMA_BETWEEN_OPERANDS, &MALFORMED_DECLARATION, &UNKNOWN_TYPE, &UNKNOWN_ALIGNMENT];

impl Lowering<'_> {
    /// Reads a line with a hole: the variables that it names may be read and written, and only what stands before the hole
    /// is reported. Where the hole is an execution size, faults of the text are reported as well. Returns whether there is
    /// a hole.
    pub(in crate::lower) fn holey(&mut self, span: Span, tokens: &[Token]) -> bool {
        let Some(fragment) = &self.program.fragment else { return false };
        let all = &fragment.guessed_operands;
        let first = all.partition_point(|guess| guess.span.start < span.start);
        let n = all[first..].iter().take_while(|guess| guess.span.start < span.end).count();
        if n > 0 && !span.of(self.text).contains(HOLES) {
            let guesses = all[first..first + n].to_vec();
            self.around_guesses(span, tokens, &guesses);
            return true;
        }
        let modifiers = first_within(&fragment.guessed_modifiers, span);
        if let Some(modifiers) = modifiers.filter(|_| !span.of(self.text).contains(HOLES)) {
            self.unmodified(span, tokens, modifiers);
            return true;
        }
        if first_within(&fragment.guessed_sizes, span).is_some() && !span.of(self.text).contains(HOLES) {
            self.sizeless(span, tokens);
            return true;
        }
        if !span.of(self.text).contains(HOLES) {
            return false;
        }
        self.touch_all(tokens);
        let first = tokens[0].span().of(self.text);
        if first == ".decl" {
            let name = tokens.get(1).filter(|t| t.kind == TokenKind::Word).map(|t| t.span());
            let is_whole = name.is_some_and(|n| !self.text[n.end as usize..].starts_with(HOLES));
            if let Some(name) = name.filter(|_| is_whole) {
                self.declare_broken(span, name, tokens);
            } else if let Some(fragment) = &mut self.program.fragment {
                (fragment.is_open, fragment.hides_names) = (true, true);
            }
        } else if !first.starts_with('.') {
            self.mnemonic_before_hole(span);
            self.execution_beside_hole(span);
            self.broken_instruction(span);
        }
        self.note_broken_line();
        true
    }

    /// Reads a statement whose execution size is not known. Later checks do not see the instruction.
    fn sizeless(&mut self, span: Span, tokens: &[Token]) {
        let first = self.program.instructions.len();
        let meant = self.undotted(tokens);
        self.read_statement(span, meant.as_deref().unwrap_or(tokens));
        self.touch_all(tokens);
        self.keep_from(first);
        self.break_from(first);
    }

    /// Keeps the instructions from `first` on for checks of single operands and modifiers.
    fn keep_from(&mut self, first: usize) {
        let all = (first..self.program.instructions.len()).map(InstructionIndex::from_index);
        let read: Vec<_> = all.map(|index| (index, self.program.instructions[index])).collect();
        if let Some(fragment) = &mut self.program.fragment {
            fragment.unread.extend(read);
        }
    }

    /// Hides the instructions from `first` on from later checks.
    fn break_from(&mut self, first: usize) {
        for index in first..self.program.instructions.len() {
            let unread = Instruction::broken(self.program.operands.len() as u32, self.program.modifiers.len() as u32);
            self.program.instructions[InstructionIndex::from_index(index)] = unread;
        }
        self.note_broken_line();
    }

    /// Reads a statement of which parts are not known. What is wrong whatever stands there is reported: before the first of
    /// them, of single words behind it, and all that does not depend on them if each is one word.
    fn around_guesses(&mut self, span: Span, tokens: &[Token], guesses: &[Guess]) {
        let n_reported = self.program.diagnostics.len();
        let first = guesses[0].span;
        let hides_names = self.hides_names();
        let text = self.text;
        let is_declaration = tokens[0].span().of(text) == ".decl";
        if is_declaration {
            self.guessed_declaration(span, tokens, guesses);
        } else if self.are_modifiers(span, guesses) {
            self.read_statement(span, tokens);
        } else {
            self.sizeless(span, tokens);
        }
        let is_known = guesses.iter().all(|guess| guess.is_word);
        // The words that the guesses are parts of.
        let words: Vec<Span> = guesses.iter().map(|guess| word_around(text, guess.span)).collect();
        let touches = |place: Span| words.iter().any(|word| place.start <= word.end && word.start <= place.end);
        let names = |message: &str| words.iter().any(|word| message.contains(word.of(text)));
        let mut own = self.program.diagnostics.split_off(n_reported);
        own.retain_mut(|d| {
            let place = d.primary.span;
            // What a declaration needs depends on its kind.
            if d.rule == &MALFORMED_DECLARATION && guesses.iter().any(|guess| is_in_field(text, guess, "v_type=")) {
                return false;
            }
            if is_declaration && !OF_FORM.contains(&d.rule) && (hides_names || d.rule != &UNDECLARED_VARIABLE) {
                return false;
            }
            // What is not known may begin a comment.
            let is_comma = d.rule == &COMMA_BETWEEN_OPERANDS && text[..place.start as usize].ends_with(is_suffix);
            if is_known && (is_comma || is_separator(d, text)) && !guesses.iter().any(|g| g.span.end == place.start) {
                return true;
            }
            if is_untyped(d, text, guesses) {
                "the number needs a type".clone_into(&mut d.message);
                d.help = Some("write its type behind it, such as `:d`".to_owned());
                d.fix = None;
                return true;
            }
            if is_known && is_without_region(d, text, guesses) {
                "the operand needs a region behind row and column".clone_into(&mut d.message);
                (d.help, d.fix) = (None, None);
                return true;
            }
            if is_of_first_operands(d, text, span, guesses) {
                return true;
            }
            // Of several, the first may begin another line.
            let is_surplus = d.rule == &SURPLUS_OPERAND
                && d.message.ends_with("is one too many")
                && has_mnemonic(&text[span.start as usize..first.start as usize]);
            if is_known && (is_surplus || is_typed_offset(d, text, guesses)) {
                d.message = d.message.replace(place.of(text), &with_holes(text, place, guesses));
                d.fix = None;
                return true;
            }
            if is_known && is_form(d, text, guesses) {
                let written = place.of(text);
                d.message = if written.contains('(') {
                    d.message.replace(written, &with_holes(text, place, guesses))
                } else {
                    d.message.replace(&format!("`{written}`"), "a name with a byte offset")
                };
                d.fix = None;
                return true;
            }
            if is_known && is_no_shape(d, text, guesses) {
                return true;
            }
            let depends = touches(place) && !is_apart(d, text, span, guesses) || names(&d.message);
            if is_known && !depends {
                d.secondary.retain(|label| !touches(label.span) && !names(&label.text));
                d.fix = d.fix.take().filter(|fix| fix.edits.iter().all(|e| !touches(e.span) && !names(&e.text)));
                d.help = d.help.take().filter(|help| !names(help));
                return true;
            }
            if place.start >= first.end {
                let is_predicated =
                    d.rule == &UNKNOWN_INSTRUCTION && is_predicate(&text[span.start as usize..place.start as usize]);
                return !depends && (is_predicated || is_wrong_word(d, text, hides_names));
            }
            let Some(between) = text.get(place.end as usize..first.start as usize) else { return false };
            let is_of_part = [&SYNTAX_ERROR, &UNKNOWN_INSTRUCTION, &INVALID_EXEC_SIZE, &UNKNOWN_EXEC_MASK];
            let is_closed = place.of(text).ends_with('>') || text[..first.start as usize].trim_end().ends_with('>');
            // A key of a declaration.
            let is_key = d.rule == &MALFORMED_DECLARATION && text[place.end as usize..].starts_with('=');
            (is_key || is_of_part.contains(&d.rule)) && (is_closed || !between.trim().is_empty())
        });
        self.program.diagnostics.append(&mut own);
    }

    /// Whether all that is not known of a line are modifiers of an instruction that is checked without them.
    fn are_modifiers(&self, span: Span, guesses: &[Guess]) -> bool {
        let line = span.of(self.text);
        let word = line.trim_start().split(['.', ' ', '\t']).next().unwrap_or(line);
        let is_checked = spec::lookup(word).is_some_and(|id| id.row().custom == Some(Custom::Dpas));
        let Some(mask) = line.find("(M").map(|at| span.start + at as u32).filter(|_| is_checked) else { return false };
        let sizes = self.program.fragment.as_ref().map(|fragment| &fragment.guessed_sizes);
        guesses.iter().all(|guess| guess.is_word && guess.span.end <= mask)
            && sizes.is_none_or(|sizes| first_within(sizes, span).is_none())
    }

    /// Reads a statement of which only modifiers are not known, behind its mnemonic: all else is checked as ever.
    fn unmodified(&mut self, span: Span, tokens: &[Token], modifiers: Span) {
        let text = self.text;
        let n_reported = self.program.diagnostics.len();
        let first = self.program.instructions.len();
        self.read_statement(span, tokens);
        // What is missing there is what is not known.
        let is_missing = |d: &Diagnostic| d.primary.span.start < modifiers.end;
        if self.program.diagnostics[n_reported..].iter().any(is_missing) {
            let mut own = self.program.diagnostics.split_off(n_reported);
            own.retain(|d| {
                let is_behind = d.primary.span.start >= modifiers.end && is_wrong_word(d, text, true);
                is_behind || is_modifier_before(d, text, modifiers.start)
            });
            self.program.diagnostics.append(&mut own);
            self.touch_all(tokens);
            self.break_from(first);
        }
    }

    /// Reads a declaration of which parts are not known. Where all but the number of elements is known, it is as large as a
    /// variable can be; where the kind is known, operands with its name are checked for their form; else it may be anything.
    fn guessed_declaration(&mut self, span: Span, tokens: &[Token], guesses: &[Guess]) {
        let first = self.program.variables.len();
        self.touch_all(tokens);
        self.read_statement(span, tokens);
        let text = self.text;
        let is_in = |guess: &Guess, field: &str| is_in_field(text, guess, field);
        for index in first..self.program.variables.len() {
            let variable = &mut self.program.variables[VariableId(index as u32)];
            let is_known = guesses.iter().all(|guess| guess.is_word && is_in(guess, "num_elts="));
            if variable.kind == VariableKind::Predicate && is_known {
                variable.n_elements = MOST_LANES;
                variable.flags |= FLAG_ENLARGED;
                continue;
            }
            let is_general = variable.kind == VariableKind::General && !guesses.iter().any(|g| is_in(g, "v_type="));
            if !is_general || guesses.iter().any(|guess| !guess.is_word) {
                variable.flags |= FLAG_BROKEN;
                continue;
            }
            if guesses.iter().any(|guess| !is_in(guess, "num_elts=")) {
                variable.flags |= FLAG_OPEN;
            }
            self.enlarge(VariableId(index as u32));
        }
        let name = tokens.get(1).map_or(span, |t| t.span());
        let is_whole = !guesses.iter().any(|guess| name.contains(guess.span.start));
        if first == self.program.variables.len() && is_whole && tokens.get(1).is_some_and(|t| t.kind == TokenKind::Word)
        {
            self.declare_broken(span, name, tokens);
        }
        if let Some(fragment) = &mut self.program.fragment {
            fragment.is_open |= !is_whole;
            fragment.hides_names |= !is_whole;
        }
        self.note_broken_line();
    }

    /// Makes a variable as large as it can be: an alias ends with what it names a part of.
    fn enlarge(&mut self, id: VariableId) {
        let variable = &self.program.variables[id];
        let bytes = if variable.root == id {
            MOST_BYTES
        } else {
            let root = &self.program.variables[variable.root];
            root.n_elements
                .saturating_mul(root.element_type.bytes())
                .saturating_sub(variable.root_offset.unsigned_abs())
        };
        let variable = &mut self.program.variables[id];
        variable.n_elements = (bytes / variable.element_type.bytes().max(1)).max(1);
        variable.flags |= FLAG_ENLARGED;
    }

    /// Reports an execution mask or size that does not exist, whatever stands in the holes of its line.
    fn execution_beside_hole(&mut self, span: Span) {
        let line = span.of(self.text);
        let Some(open) = line.find("(M").or_else(|| line.find("(m")) else { return };
        let inside = &line[open + 1..];
        let Some((mask, size)) = inside.split_once(')').and_then(|(inside, _)| inside.split_once(',')) else { return };
        // Also without its digit.
        let is_mask = mask[1..].trim_end().trim_end_matches("_NM").chars().all(|c| c.is_ascii_digit());
        if !is_mask || mask.contains(HOLES) || size.contains(HOLES) {
            return;
        }
        let at = |part: &str, from: usize| {
            let start = span.start + from as u32 + (part.len() - part.trim_start().len()) as u32;
            Span::new(start, start + part.trim().len() as u32)
        };
        let (mask, size) = (at(mask, open + 1), at(size, open + 1 + mask.len() + 1));
        let mut unread = Instruction::broken(0, 0);
        self.mask(mask, &mut unread);
        self.exec_size(size, &mut unread);
    }

    /// Reports a mnemonic that does not exist, if it stands before the first hole of a line.
    fn mnemonic_before_hole(&mut self, span: Span) {
        let line = span.of(self.text);
        let mut rest = line.trim_start().trim_start_matches('{').trim_start();
        if let Some((_, behind)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
            rest = behind.trim_start();
        }
        let start = line.len() - rest.len();
        let length = rest.bytes().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_').count();
        let word = &rest[..length];
        let is_whole = rest[length..].starts_with(['.', ' ', '\t']) && !line[..start].contains(HOLES);
        // A label, or a name that holds parts of its own.
        let is_mnemonic = rest[length..].contains("(M") && word.starts_with(|c: char| c.is_ascii_lowercase());
        let is_known = |m: &str| m == word || m.split_once('.').is_some_and(|(front, _)| front == word);
        if is_whole && is_mnemonic && !spec::instructions().iter().any(|row| is_known(row.mnemonic)) {
            let place = Span::new(span.start + start as u32, span.start + (start + length) as u32);
            let message = format!("unknown instruction `{word}`");
            let diagnostic = Diagnostic::new(&UNKNOWN_INSTRUCTION, place, message);
            self.report(match closest(word, spec::instructions().iter().map(|row| row.mnemonic)) {
                Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).replace(place, similar, false),
                None => diagnostic,
            });
        }
    }
}

/// Whether a finding is about a word of its own beside a guess: the type behind a number, a key or a bracket before one, a
/// modifier; or about what is missing behind all of them.
fn is_apart(finding: &Diagnostic, text: &str, statement: Span, guesses: &[Guess]) -> bool {
    let (rule, place) = (finding.rule, finding.primary.span);
    if rule == &MISSING_OPERAND {
        return true;
    }
    let meets = |guess: &Guess| place.start < guess.span.end && guess.span.start <= place.end;
    let overlaps = |guess: &Guess| place.start < guess.span.end && guess.span.start < place.end;
    let is_key = rule == &MALFORMED_DECLARATION && text[place.end as usize..].starts_with('=');
    let is_bracket = rule == &SYNTAX_ERROR && matches!(place.of(text), "[" | "<");
    let is_alias = rule == &MALFORMED_DECLARATION && text[..place.start as usize].ends_with("alias=");
    if is_alias && place.of(text).starts_with('(') {
        return true;
    }
    if (is_key || is_bracket) && !guesses.iter().any(overlaps) {
        return true;
    }
    if rule == &UNKNOWN_MODIFIER && !guesses.iter().any(overlaps) && is_no_modifier(text, statement, place) {
        return true;
    }
    if guesses.iter().any(meets) {
        return false;
    }
    let is_type = rule == &UNKNOWN_TYPE && text[..place.start as usize].ends_with(':');
    is_type || is_modifier_before(finding, text, guesses[0].span.start)
}

/// Whether a word behind a dot is no modifier of the instruction of its statement, in whatever place.
fn is_no_modifier(text: &str, statement: Span, place: Span) -> bool {
    let line = statement.of(text).trim_start_matches(['{', ' ', '\t']);
    let code = line.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(line, |(_, code)| code.trim_start());
    let base = code.split(['.', ' ', '\t']).next().unwrap_or(code);
    let word = place.of(text).trim_start_matches('.');
    let is_row = |row: &&spec::Instruction| row.mnemonic.split('.').next() == Some(base);
    let mut rows = spec::instructions().iter().filter(is_row).peekable();
    let fits = |row: &spec::Instruction| {
        row.mnemonic.split('.').any(|part| part == word)
            || row.modifiers.iter().any(|m| {
                m.kind == ModifierKind::ChannelMask
                    || m.values.iter().any(|value| value.text.split('.').any(|v| v == word))
            })
    };
    word.bytes().all(|b| b.is_ascii_lowercase()) && word != "sat" && rows.peek().is_some() && !rows.any(fits)
}

/// Whether a guess stands in the field of a declaration that begins so.
fn is_in_field(text: &str, guess: &Guess, field: &str) -> bool {
    text[..guess.span.start as usize].rsplit([' ', '\t']).next().is_some_and(|word| word.starts_with(field))
}

/// Whether a finding says of a number, of which digits are not known, that it has no type.
fn is_untyped(finding: &Diagnostic, text: &str, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    let mut own = guesses.iter().filter(|guess| place.contains(guess.span.start)).peekable();
    finding.rule == &MISSING_TYPE
        && own.peek().is_some()
        && own.all(|guess| guess.is_number)
        && place.of(text).bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Whether a finding is about a shape of data that is none whatever its unknown parts are; if so, it leaves them out.
fn is_no_shape(finding: &mut Diagnostic, text: &str, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    if finding.rule != &UNKNOWN_LSC_SHAPE {
        return false;
    }
    let Some(colon) = text.get(..=place.start as usize).and_then(|text| text.rfind(':')) else { return false };
    let shape = Span::new(colon as u32 + 1, place.end);
    // Beside what is not known.
    if !guesses.iter().any(|guess| shape.contains(guess.span.start)) {
        return true;
    }
    let written = with_holes(text, shape, guesses);
    if lsc_shape::may_be(written.replace(HOLES[0], lsc_shape::UNKNOWN).as_bytes()) {
        return false;
    }
    finding.message = finding.message.replace(shape.of(text), &written);
    (finding.help, finding.fix) = (None, None);
    true
}

/// Whether a text is a predicate alone, also behind a brace.
fn is_predicate(text: &str) -> bool {
    let inside = text.trim_start_matches([' ', '\t', '{']).strip_prefix('(');
    inside.and_then(|inside| inside.trim_ascii_end().split_once(')')).is_some_and(|(_, behind)| behind.is_empty())
}

/// Whether the beginning of a line holds a mnemonic, behind a predicate or none.
fn has_mnemonic(line: &str) -> bool {
    let code = line.trim_start_matches([' ', '\t', '{']);
    let code = code.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(code, |(_, code)| code.trim_start());
    code.contains([' ', '\t'])
}

/// Whether a finding is about a row or a column with a type, which neither has, whatever number it is.
fn is_typed_offset(finding: &Diagnostic, text: &str, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    let written = place.of(text);
    finding.rule == &WRONG_OPERAND_FORM
        && text[..place.start as usize].ends_with(['(', ','])
        && written.split_once(':').is_some_and(|(number, kind)| !number.is_empty() && !kind.is_empty())
        && guesses.iter().any(|guess| place.contains(guess.span.start))
}

/// Whether a finding says that a name with an offset cannot stand where it does, whatever the name and the numbers are.
fn is_form(finding: &Diagnostic, text: &str, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    let written = place.of(text);
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_rest = |rest: &str| rest.len() > 1 && rest.bytes().all(|b| b.is_ascii_digit() || b"().,;<>".contains(&b));
    finding.rule == &WRONG_OPERAND_FORM
        && written.find(['.', '(']).is_some_and(|at| is_word(&written[..at]) && is_rest(&written[at..]))
        && guesses.iter().any(|guess| place.contains(guess.span.start))
}

/// A part of a text with a hole for each of its parts that are not known.
fn with_holes(text: &str, part: Span, guesses: &[Guess]) -> String {
    let (mut written, mut done) = (String::new(), part.start);
    for guess in guesses.iter().filter(|guess| part.contains(guess.span.start)) {
        written += &text[done as usize..guess.span.start as usize];
        written.push(HOLES[0]);
        done = guess.span.end;
    }
    written += text.get(done as usize..part.end as usize).unwrap_or_default();
    written
}

/// Whether a finding says of an operand, of which no more than the name is not known, that it has no region.
fn is_without_region(finding: &Diagnostic, text: &str, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    let offset = place.of(text).rfind('(').map(|at| place.start + at as u32);
    finding.rule == &MISSING_REGION
        && place.of(text).ends_with(')')
        && offset.is_some_and(|offset| guesses.iter().all(|g| g.span.end <= offset || place.end < g.span.start))
}

/// Whether a finding is about a modifier that is known to its end, before text that is not known.
fn is_modifier_before(finding: &Diagnostic, text: &str, unknown: u32) -> bool {
    let place = finding.primary.span;
    finding.rule == &UNKNOWN_MODIFIER && place.end <= unknown && text[place.end as usize..].starts_with('.')
}

/// Whether a region with one number is that of the last operand of an instruction, before which others stand: destinations come
/// first.
fn is_of_last_source(text: &str, place: Span) -> bool {
    let (before, behind) = (&text[..place.start as usize], &text[place.end as usize..]);
    let own = before.rsplit('\n').next().unwrap_or(before);
    let rest = behind.split('\n').next().unwrap_or(behind).trim_start();
    let is_last = rest.is_empty() || rest.starts_with("//");
    is_last && own.contains("(M") && own.contains('>')
}

/// Whether a finding is about the region of an operand before which nothing but whole operands stand: which one it is does not
/// depend on what follows.
fn is_of_first_operands(finding: &Diagnostic, text: &str, statement: Span, guesses: &[Guess]) -> bool {
    let place = finding.primary.span;
    if finding.rule != &MALFORMED_REGION {
        return false;
    }
    let is_mnemonic = |open: u32| guesses.iter().all(|guess| guess.span.start > open);
    let open = statement.of(text).find("(M").map(|at| statement.start + at as u32);
    let before = guesses.iter().filter(|guess| guess.span.start < place.end);
    open.is_some_and(is_mnemonic) && before.clone().all(|guess| guess.is_word && guess.span.end < place.start)
}

/// What an operand can end with that nothing goes on behind.
fn is_suffix(c: char) -> bool {
    c.is_ascii_lowercase() || matches!(c, '>' | ')')
}

/// Whether a finding is about a semicolon outside of regions: it separates nothing, whatever stands before it.
fn is_separator(finding: &Diagnostic, text: &str) -> bool {
    let place = finding.primary.span;
    let line = text[..place.start as usize].rsplit('\n').next().unwrap_or("");
    finding.rule == &SYNTAX_ERROR
        && place.of(text) == ";"
        && !line.rfind(['<', '>']).is_some_and(|at| line[at..].starts_with('<'))
}

/// The first of some places, which are in order, that begins within a span.
fn first_within(places: &[Span], span: Span) -> Option<Span> {
    let first = places.partition_point(|place| place.start < span.start);
    places.get(first).copied().filter(|place| span.contains(place.start))
}

/// The word or number around a place, with its type and the modifiers that dots join.
fn word_around(text: &str, place: Span) -> Span {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'%' | b'-' | b'=');
    let before = text.as_bytes()[..place.start as usize].iter().rev().take_while(|b| is_part(b)).count() as u32;
    let behind = text.as_bytes()[place.end as usize..].iter().take_while(|b| is_part(b)).count() as u32;
    Span::new(place.start - before, place.end + behind)
}

/// Whether a finding behind text that is not known is about one word, which is wrong wherever it stands.
fn is_wrong_word(finding: &Diagnostic, text: &str, hides_names: bool) -> bool {
    let (rule, place) = (finding.rule, finding.primary.span);
    let written = place.of(text);
    // A destination has one number, a source three, and an indirect source two: which of them is wanted is not known. Behind
    // row and column two cannot stand.
    let follows_pair = || text[..place.start as usize].ends_with(')');
    let is_none = || written.contains(';') != written.contains(',') && (written.contains(';') || follows_pair());
    let is_in_region =
        || text[..place.start as usize].rfind(['<', '>', '\n']).is_some_and(|at| text[at..].starts_with('<'));
    [&INVALID_EXEC_SIZE, &UNKNOWN_EXEC_MASK, &INVALID_IMMEDIATE, &UNKNOWN_TYPE, &UNKNOWN_ALIGNMENT].contains(&rule)
        || rule == &MALFORMED_REGION && (is_none() || is_of_last_source(text, place))
        || rule == &SYNTAX_ERROR && is_in_region()
        // Where vectors are operands, so are numbers with types.
        || rule == &MISSING_TYPE && text[..place.start as usize].trim_ascii_end().ends_with('>')
        || rule == &UNDECLARED_VARIABLE && (!hides_names || written.starts_with('%'))
}
