//! Words after dots, matched to the modifier slots of the instruction's row.

use super::Lowering;
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::instruction::{Instruction, ModifierUse};
use crate::program::pardon::Pardon;
use crate::spec;
use crate::spec::instruction::{Custom, Modifier, ModifierKind, Saturation};
use crate::syntax::number;
use crate::syntax::tree::ModifierSyntax;

/// No instruction has more modifiers.
const MAX_MODIFIERS: usize = 8;

crate::declare_rule! {
    /// A word or number after a dot that the instruction does not have, or that does not exist.
    ///
    /// ```visa bad
    /// cmp.eqq (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// cmp.eq (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    pub UNKNOWN_MODIFIER = "unknown-modifier", Error, "5_instruction_set"
}

crate::declare_rule! {
    /// A mandatory word or number after a dot is missing.
    ///
    /// ```visa bad
    /// cmp (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// cmp.eq (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    pub MISSING_MODIFIER = "missing-modifier", Error, "5_instruction_set"
}

crate::declare_rule! {
    /// The channel mask of a surface message has to name at least one channel. Without one the message moves nothing,
    /// and the text does not say what was meant.
    ///
    /// ```visa bad
    /// gather4_scaled (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub EMPTY_CHANNEL_MASK = "empty-channel-mask", Error, "GATHER4_SCALED"
}

crate::declare_rule! {
    /// The channels of a channel mask are not in the order `RGBA`, stand twice, or are no channels.
    ///
    /// ```visa bad
    /// gather4_scaled.GR (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub INVALID_CHANNEL_MASK = "invalid-channel-mask", Error, "GATHER4_SCALED"
}

crate::declare_rule! {
    /// A blank around a dot inside a word that assemblers read as one: `dpas.s8.s8.8.8`, `bfn.x80`, `nbarrier.signal`;
    /// or a blank between the dot and the word of a modifier.
    ///
    /// ```visa bad
    /// add. sat (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// add.sat (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    pub BLANK_IN_MODIFIER = "blank-in-modifier", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// `.sat` on an instruction that cannot saturate.
    ///
    /// ```visa bad
    /// cmp.sat.eq (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// cmp.eq (M1, 8) P1 VD(0,0)<8;8,1> 0x1:d
    /// ```
    pub SATURATION_NOT_ALLOWED = "saturation-not-allowed", Error | Warning | Pedantic, "5_instruction_set"
}

impl Lowering<'_> {
    /// Matches the modifiers from `first` on.
    pub(super) fn modifiers(
        &mut self,
        row: &'static spec::Instruction,
        first: usize,
        instruction: &mut Instruction,
        mnemonic: Span,
    ) {
        let mut slot = 0;
        let is_open = self.has_unknown_modifiers(row, first);
        let mut i = self.after_surplus_number(row, first, instruction);
        // Two modifiers in the wrong order are one fault.
        let mut is_misordered = false;
        // A word that stands twice, as in `dpasw.bf8.bf8`, is wrong once.
        let mut unknown = "";
        // An unknown word may have been meant as several.
        let mut has_unknown = false;
        let mut previous_end = if first > 0 { self.parser.tree.modifiers[first - 1].span.end } else { mnemonic.end };
        while let Some(given) = self.parser.tree.modifiers.get(i).copied() {
            let text = given.span.of(self.text);
            if is_open && self.is_guessed(given.span) {
                // One that is not known may stand for several, if those behind it are too few.
                let behind = self.parser.tree.modifiers.len() - (i + 1);
                let needed = row.modifiers.iter().skip(slot + 1).filter(|m| !m.optional).count();
                (slot, previous_end, i) = (slot + 1 + needed.saturating_sub(behind), given.span.end, i + 1);
                continue;
            }
            if text == "." {
                if !self.lone_dot(row, given, i) {
                    instruction.is_broken = true;
                }
                i += 1;
                continue;
            }
            if let Some(next) = (slot..row.modifiers.len()).find(|&s| self.fits(&row.modifiers[s], given)) {
                if let Some(skipped) = row.modifiers[slot..next].iter().find(|m| !m.optional && !is_open) {
                    instruction.is_broken = true;
                    let stands_later =
                        self.parser.tree.modifiers[i + 1..].iter().any(|later| self.fits(skipped, *later));
                    if !stands_later {
                        if !has_unknown && !self.has_lone_dot() {
                            self.report_missing_modifier(row, skipped, given.span);
                        }
                    } else if !is_misordered {
                        self.report_modifier_order(row, given.span);
                    }
                    is_misordered |= stands_later;
                }
                if row.modifiers[next].glued {
                    self.check_glued(given, previous_end);
                }
                self.check_side(&row.modifiers[next], given);
                self.take(&row.modifiers[next], next, given);
                slot = next + 1;
            } else if text == ".sat" {
                self.saturate(row, given.span, instruction);
            } else if let Some(form) = form_with(row, text) {
                if !Pardon::Print.holds_in(&self.program) {
                    instruction.is_broken = true;
                    self.report_word_of_mnemonic(form, mnemonic, given.span);
                }
            } else {
                instruction.is_broken = true;
                let belongs_elsewhere = row.modifiers.iter().any(|m| self.fits(m, given));
                let said = std::mem::replace(&mut unknown, text);
                if !(is_misordered && belongs_elsewhere) && said != text {
                    self.report_modifier(row, &row.modifiers[slot.min(row.modifiers.len())..], given);
                }
                is_misordered |= belongs_elsewhere;
                has_unknown = true;
                // The unknown word fills the next mandatory slot, so that the slot is not reported as missing.
                let rest = &self.parser.tree.modifiers[i + 1..];
                let n_wanted = row.modifiers[slot.min(row.modifiers.len())..].iter().filter(|m| !m.optional).count();
                let stands_later = |m: &Modifier| {
                    rest.len() >= n_wanted && rest.iter().take(MAX_MODIFIERS).any(|later| self.fits(m, *later))
                };
                if row.modifiers.get(slot).is_some_and(|m| !m.optional && !stands_later(m)) {
                    slot += 1;
                }
            }
            previous_end = given.span.end;
            i += 1;
        }
        if let Some(missing) = row.modifiers.get(slot..).and_then(|rest| rest.iter().find(|m| !m.optional && !is_open))
        {
            if !instruction.is_broken && !self.is_incomplete && !self.has_lone_dot() {
                self.report_missing_modifier(row, missing, mnemonic);
            }
            instruction.is_broken |= missing.kind != ModifierKind::ChannelMask;
        }
    }

    /// Whether words of a host stand among the modifiers from `first` on that are not known, and all else of the instruction
    /// can be checked without them.
    fn has_unknown_modifiers(&self, row: &spec::Instruction, first: usize) -> bool {
        row.custom == Some(Custom::Dpas)
            && self.program.fragment.is_some()
            && self.parser.tree.modifiers[first..].iter().any(|given| self.is_guessed(given.span))
    }

    /// Whether a modifier stands for text of the host that is not known, or is the dot before it.
    fn is_guessed(&self, given: Span) -> bool {
        let Some(fragment) = &self.program.fragment else { return false };
        let meets = |place: Span| place.start <= given.end && given.start < place.end;
        let words = &fragment.guessed_operands;
        let word = words.get(words.partition_point(|guess| guess.span.end <= given.start));
        let blanks = &fragment.guessed_modifiers;
        let blank = blanks.get(blanks.partition_point(|place| place.end <= given.start));
        word.is_some_and(|guess| guess.span.start < given.end)
            || blank.is_some_and(|place| meets(*place) && given.len() == 1)
    }

    /// The place of the first modifier that counts: of one number too many the first is none, which is reported.
    fn after_surplus_number(
        &mut self,
        row: &'static spec::Instruction,
        first: usize,
        instruction: &mut Instruction,
    ) -> usize {
        let slots = row.modifiers;
        let is_row_of_numbers =
            !slots.is_empty() && slots.iter().all(|m| m.kind == ModifierKind::Number && !m.optional);
        let mut numbers = self.parser.tree.modifiers[first..].iter().filter(|m| m.is_number);
        let (Some(surplus), true) = (numbers.next().map(|m| m.span), is_row_of_numbers) else { return first };
        if numbers.count() != slots.len() || self.parser.tree.modifiers[first].span != surplus {
            return first;
        }
        // The disassembler prints the shared function of messages that have no place for it.
        if !Pardon::Print.holds_in(&self.program) {
            instruction.is_broken = true;
            let message = format!("`{}` takes {} numbers: {}", row.mnemonic, slots.len(), order(row));
            self.report(Diagnostic::new(&UNKNOWN_MODIFIER, surplus, message).replace(surplus, "", false));
        }
        first + 1
    }

    /// Reports `.eot` where another mnemonic, `form`, has the word in it.
    fn report_word_of_mnemonic(&mut self, form: &'static str, mnemonic: Span, word: Span) {
        let message = format!("`{}` belongs to the mnemonic: `{form}`", word.of(self.text));
        let edits = vec![Edit { span: mnemonic, text: form.to_owned() }, Edit { span: word, text: String::new() }];
        self.report(Diagnostic::new(&UNKNOWN_MODIFIER, word, message).fix(Fix {
            title: format!("write `{form}`"),
            edits,
            certain: false,
        }));
    }

    /// Checks that no blank stands before a modifier, where the one before it ends at `previous_end`, nor after its dot.
    fn check_glued(&mut self, given: ModifierSyntax, previous_end: u32) {
        let text = given.span.of(self.text);
        let word = text.trim_start_matches(['.', ' ', '\t']);
        let dot_end = given.span.start + 1;
        let after_dot = Span::new(dot_end, given.span.end - word.len() as u32);
        let before = Span::new(previous_end, given.span.start);
        let (gap, place, message) = if !before.is_empty() {
            (before, before.to(given.span), format!("no blank may stand before `{text}`"))
        } else if !after_dot.is_empty() {
            (after_dot, given.span, "no blank may stand after the dot of a modifier".to_owned())
        } else {
            return;
        };
        self.report(Diagnostic::new(&BLANK_IN_MODIFIER, place, message).replace(gap, "", true));
    }

    /// Checks that a modifier stands on its side of the execution mask and size.
    fn check_side(&mut self, slot: &Modifier, given: ModifierSyntax) {
        let exec = self.parser.tree.operands.first().map_or(u32::MAX, |id| self.parser.tree.item(*id).span.start);
        if slot.after_execution == (given.span.start > exec) {
            return;
        }
        let text = given.span.of(self.text);
        let side = if slot.after_execution { "after" } else { "before" };
        let message = format!("`{text}` has to stand {side} the execution mask and size");
        self.report(Diagnostic::new(&UNKNOWN_MODIFIER, given.span, message));
    }

    fn has_lone_dot(&self) -> bool {
        self.parser.tree.modifiers.iter().any(|m| m.span.len() == 1)
    }

    /// A dot with nothing glued to it. The compiler prints one where a channel mask is empty (`avs.`).
    /// Returns whether it is harmless.
    fn lone_dot(&mut self, row: &'static spec::Instruction, given: ModifierSyntax, index: usize) -> bool {
        let next = self.parser.tree.operands.first().map(|o| self.parser.tree.item(*o).span);
        let printed_empty = row.modifiers.iter().any(|m| m.kind == ModifierKind::ChannelMask)
            && row.execution == spec::instruction::Execution::None;
        if printed_empty && index + 1 == self.parser.tree.modifiers.len() {
            return true;
        }
        if self.is_incomplete {
            return false;
        }
        let diagnostic =
            match next.filter(|n| self.text.as_bytes().get(n.start as usize).is_some_and(u8::is_ascii_alphabetic)) {
                Some(word) if index + 1 == self.parser.tree.modifiers.len() && word.start > given.span.end => {
                    let gap = Span::new(given.span.end, word.start);
                    Diagnostic::new(
                        &BLANK_IN_MODIFIER,
                        given.span.to(gap),
                        "no blank may stand after the dot of a modifier",
                    )
                    .replace(gap, "", true)
                }
                _ => match self.without_word(row) {
                    Some(missing) => Self::missing_modifier(row, missing, given.span),
                    None => Diagnostic::new(&UNKNOWN_MODIFIER, given.span, "a modifier is missing after this dot")
                        .replace(given.span, "", true),
                },
            };
        self.report(diagnostic);
        false
    }

    /// The first mandatory modifier that no word stands for.
    fn without_word(&self, row: &'static spec::Instruction) -> Option<&'static Modifier> {
        let given = &self.parser.tree.modifiers;
        row.modifiers.iter().find(|slot| !slot.optional && !given.iter().any(|word| self.fits(slot, *word)))
    }

    /// Whether a modifier belongs into a slot, legal or not in its value.
    fn fits(&self, slot: &Modifier, given: ModifierSyntax) -> bool {
        let text = given.span.of(self.text);
        let word = text.trim_start_matches(['.', ' ', '\t']);
        match slot.kind {
            ModifierKind::Word => slot.word(word).is_some(),
            ModifierKind::Number => given.is_number,
            ModifierKind::ChannelMask => channel_mask(word).is_some(),
            ModifierKind::BooleanFunction => {
                word.strip_prefix('x').is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_hexdigit()))
            }
            // A lone `.R` is a channel mask for assemblers.
            ModifierKind::FenceOptions => word != "R" && fence_options(word).is_some(),
            ModifierKind::RenderTargetOptions => word.starts_with('<'),
        }
    }

    fn take(&mut self, slot: &Modifier, index: usize, given: ModifierSyntax) {
        let text = given.span.of(self.text);
        let word = text.trim_start_matches(['.', ' ', '\t']);
        let mut value = 255;
        let number = match slot.kind {
            ModifierKind::Word => {
                let place = slot.word(word).unwrap_or(0);
                value = place.min(254) as u8;
                slot.values[place].number as i32
            }
            ModifierKind::Number => {
                let number = number::dotted(text).written.min(i32::MAX as u64) as i32;
                if word.starts_with("0x") || word.starts_with("0X") {
                    self.report(
                        Diagnostic::new(&UNKNOWN_MODIFIER, given.span, format!("`{text}` has to be decimal here"))
                            .replace(given.span, format!(".{number}"), false),
                    );
                }
                if let Some(place) = slot.values.iter().position(|v| v.number == i64::from(number)) {
                    value = place.min(254) as u8;
                }
                number
            }
            ModifierKind::ChannelMask => channel_mask(word).unwrap_or(0).into(),
            ModifierKind::BooleanFunction => {
                i64::from_str_radix(&word[1..], 16).unwrap_or(i64::from(i32::MAX)).min(i64::from(i32::MAX)) as i32
            }
            ModifierKind::FenceOptions => fence_options(word).unwrap_or(0).into(),
            ModifierKind::RenderTargetOptions => 0,
        };
        self.program.modifiers.push(ModifierUse { slot: index as u8, value, number, span: given.span });
    }

    fn saturate(&mut self, row: &'static spec::Instruction, span: Span, instruction: &mut Instruction) {
        if instruction.saturate {
            self.report(Diagnostic::new(&UNKNOWN_MODIFIER, span, "`.sat` stands twice").replace(span, "", true));
        }
        instruction.saturate = true;
        if row.saturate == Saturation::Forbidden {
            self.report(
                Diagnostic::new(&SATURATION_NOT_ALLOWED, span, format!("`{}` cannot saturate", row.mnemonic))
                    .replace(span, "", false),
            );
        }
    }

    fn report_missing_modifier(&mut self, row: &'static spec::Instruction, missing: &Modifier, span: Span) {
        let diagnostic = Self::missing_modifier(row, missing, span);
        self.report(diagnostic);
    }

    fn missing_modifier(row: &'static spec::Instruction, missing: &Modifier, span: Span) -> Diagnostic {
        let mnemonic = row.mnemonic;
        if missing.kind == ModifierKind::ChannelMask {
            return Diagnostic::new(
                &EMPTY_CHANNEL_MASK,
                span,
                format!("`{mnemonic}` needs at least one of the channels R, G, B and A"),
            )
            .help(format!("write `{mnemonic}.R`, or the channels that are meant, in the order `RGBA`"));
        }
        let name = missing.name.words();
        Diagnostic::new(&MISSING_MODIFIER, span, format!("`{mnemonic}` needs its {name} after a dot")).help(format!(
            "{} {}",
            if is_plural(missing) { "they are" } else { "it is" },
            legal_values(missing)
        ))
    }

    fn report_modifier_order(&mut self, row: &'static spec::Instruction, span: Span) {
        if let [only] = row.modifiers {
            let message = format!("`{}` takes its {} once", row.mnemonic, only.name.words());
            self.report(Diagnostic::new(&UNKNOWN_MODIFIER, span, message).help("keep one of them"));
            return;
        }
        let message = format!("`{}` cannot stand here: it is out of order, or stands twice", span.of(self.text));
        self.report(Diagnostic::new(&UNKNOWN_MODIFIER, span, message).help(format!("the order is {}", order(row))));
    }

    fn report_modifier(&mut self, row: &'static spec::Instruction, rest: &'static [Modifier], given: ModifierSyntax) {
        let text = given.span.of(self.text);
        let word = text.trim_start_matches('.');
        let mnemonic = row.mnemonic;
        let span = given.span;
        if rest.iter().any(|m| m.kind == ModifierKind::ChannelMask) {
            if !word.is_empty() && word.bytes().all(|b| matches!(b.to_ascii_uppercase(), b'R' | b'G' | b'B' | b'A')) {
                let sorted: String =
                    "RGBA".chars().filter(|c| word.contains(*c) || word.contains(c.to_ascii_lowercase())).collect();
                let is_double = sorted.len() != word.len();
                let message = if is_double {
                    format!("the channel mask `{text}` names a channel twice")
                } else {
                    format!("the channels of `{text}` have to stand in the order `RGBA`")
                };
                self.report(Diagnostic::new(&INVALID_CHANNEL_MASK, span, message).replace(
                    span,
                    format!(".{sorted}"),
                    true,
                ));
                return;
            }
            if rest.len() == 1 {
                self.report(
                    Diagnostic::new(&INVALID_CHANNEL_MASK, span, format!("`{text}` is not a channel mask"))
                        .help("a channel mask is a selection of `R`, `G`, `B` and `A`, in this order"),
                );
                return;
            }
        }
        if word == "R" && rest.iter().any(|m| m.kind == ModifierKind::FenceOptions) {
            self.report(
                Diagnostic::new(
                    &UNKNOWN_MODIFIER,
                    span,
                    "a lone `.R` is read as a channel mask, not as an option of the fence",
                )
                .note("this fence cannot be written, although disassemblers print it")
                .replace(span, ".ER", false),
            );
            return;
        }
        if row.modifiers.iter().any(|m| self.fits(m, given)) {
            self.report_modifier_order(row, span);
            return;
        }
        let saturation = (row.saturate != Saturation::Forbidden).then_some("sat");
        let candidates = || rest.iter().flat_map(|m| m.values.iter().map(|v| v.text)).chain(saturation);
        let lower = word.to_ascii_lowercase();
        let is_misspelt = candidates().any(|c| c == lower);
        let diagnostic = Diagnostic::new(&UNKNOWN_MODIFIER, span, format!("`{mnemonic}` has no modifier `{text}`"));
        let similar = || {
            let other = spec::other_modifier(&lower).iter().copied().find(|other| candidates().any(|c| c == *other));
            other.or_else(|| closest(word, candidates()))
        };
        self.report(if is_misspelt {
            diagnostic.note("modifiers are written in lower case").replace(span, format!(".{lower}"), true)
        } else if let Some(other) = sibling_with(mnemonic, word) {
            diagnostic.help(format!("`{other}` has it"))
        } else if let Some(similar) = similar() {
            diagnostic.help(format!("did you mean `.{similar}`?")).replace(span, format!(".{similar}"), false)
        } else if let Some(next) = rest.first() {
            let (name, is) = (next.name.words(), if is_plural(next) { "are" } else { "is" });
            diagnostic.help(format!("its {name} {is} {}", legal_values(next)))
        } else if row.modifiers.is_empty() {
            diagnostic.replace(span, "", false)
        } else {
            diagnostic.help(format!("the order is {}", order(row)))
        });
    }
}

/// The bits of a channel mask: a non-empty ordered subset of RGBA without repetition, in either letter case.
pub(super) fn channel_mask(word: &str) -> Option<u8> {
    let mut bits = 0u8;
    for byte in word.bytes() {
        let place = b"RGBA".iter().position(|c| *c == byte.to_ascii_uppercase())?;
        if bits >> place != 0 {
            return None;
        }
        bits |= 1 << place;
    }
    (bits != 0).then_some(bits)
}

/// The bits of the letters of a fence: E I S C R and L1, each optional, in this order.
fn fence_options(word: &str) -> Option<u8> {
    let mut rest = word;
    let mut bits = 0;
    for (i, letter) in ["E", "I", "S", "C", "R", "L1"].into_iter().enumerate() {
        if let Some(shorter) = rest.strip_prefix(letter) {
            rest = shorter;
            bits |= 1 << i;
        }
    }
    (rest.is_empty() && !word.is_empty()).then_some(bits)
}

/// The values of a slot in words.
fn legal_values(slot: &Modifier) -> String {
    match slot.kind {
        ModifierKind::ChannelMask => "a selection of `R`, `G`, `B` and `A`, in this order".into(),
        ModifierKind::BooleanFunction => "`.x` and two hexadecimal digits".into(),
        ModifierKind::FenceOptions => "a selection of `E`, `I`, `S`, `C`, `R` and `L1`, in this order".into(),
        ModifierKind::RenderTargetOptions => "a row of options such as `<RTI>`".into(),
        ModifierKind::Number if let Some((first, last)) = range(slot) => format!("`.{first}` to `.{last}`"),
        ModifierKind::Word | ModifierKind::Number => {
            spec::join_or(slot.values.iter().filter(|v| v.tier == 0).map(|v| format!("`.{}`", v.text)))
        }
    }
}

/// The first and the last value of a modifier whose values follow each other.
fn range(slot: &Modifier) -> Option<(u32, u32)> {
    let mut numbers = slot.values.iter().map(|v| v.text.parse::<u32>().ok());
    let first = numbers.next()??;
    let last = first + slot.values.len() as u32 - 1;
    (slot.values.len() > 4 && numbers.eq((first + 1..=last).map(Some))).then_some((first, last))
}

/// Whether the name of a modifier stands for several things: options, channels.
fn is_plural(slot: &Modifier) -> bool {
    let name = slot.name.text();
    name.ends_with('s') && !name.ends_with("ss")
}

/// Another form of an instruction that has a modifier with that word: `lsc_load_quad` for `lsc_load` and `tgm`.
fn sibling_with(mnemonic: &str, word: &str) -> Option<&'static str> {
    let is_form = |other: &str| other.strip_prefix(mnemonic).is_some_and(|rest| rest.starts_with('_'));
    let has_it = |other: &spec::Instruction| other.modifiers.iter().flat_map(|m| m.values).any(|v| v.text == word);
    spec::instructions().iter().find(|other| is_form(other.mnemonic) && has_it(other)).map(|other| other.mnemonic)
}

/// The instruction whose mnemonic goes on with the word of a modifier: `raw_sends_eot` for `raw_sends.eot`.
fn form_with(row: &spec::Instruction, modifier: &str) -> Option<&'static str> {
    let word = modifier.trim_start_matches('.');
    let has_front =
        |other: &str| other.strip_prefix(row.mnemonic).and_then(|rest| rest.strip_prefix('_')) == Some(word);
    spec::instructions().iter().map(|other| other.mnemonic).find(|other| has_front(other))
}

fn order(row: &spec::Instruction) -> String {
    let mut words: Vec<String> = row.modifiers.iter().map(|m| m.name.text().replace('_', " ")).collect();
    if row.saturate != Saturation::Forbidden {
        words.push("`.sat`".into());
    }
    words.join(", ")
}
