//! Cross-checks the instructions, and turns what the files say into what it means. Everything that is wrong is
//! reported; a row with a fault is finished with some value, since nothing is printed then.

mod access;
mod formula;
mod modifier;
mod operand;

use super::File;
use super::catalog::{Catalog, required};
use super::checked::{Instruction, OnPlatforms, Operand, Platforms, Tiers, Types};
use super::model::{self, List, Text};
use super::problem::{Problem, Reporter, line_of};
use super::raw::{self, Entry};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;

/// The rows of all files, ordered by mnemonic.
pub fn instructions(files: &[File], catalog: &Catalog, problems: &mut Vec<Problem>) -> Vec<Instruction> {
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    let mut rows: BTreeMap<String, Instruction> = BTreeMap::new();
    for file in files {
        let mut reporter = Reporter::new(file, problems);
        for entry in raw::entries(&mut reporter) {
            let place = format!("{}:{}", file.path, line_of(&file.text, entry.span.start));
            if let Some(first) = places.get(&entry.name) {
                reporter.report(&entry.span, format!("`{}` stands already in {first}", entry.name));
            }
            places.entry(entry.name.clone()).or_insert(place);
            rows.insert(entry.name.clone(), instruction(entry, catalog, &mut reporter));
        }
    }
    rows.into_values().collect()
}

fn instruction(entry: Entry<'_>, catalog: &Catalog, reporter: &mut Reporter<'_>) -> Instruction {
    let Entry { name, span, table, is_whole, taken_over } = entry;
    reporter.enter(taken_over);
    let n_problems = reporter.count();
    let model: model::Instruction = raw::read(table, span.clone(), reporter);
    let is_whole = is_whole && reporter.count() == n_problems;
    let mut checker = Checker { catalog, reporter, is_whole };
    let row = checker.instruction(name, &span, &model);
    checker.reporter.enter(super::problem::TakenOver::default());
    row
}

/// 1, 2, 4, 8, 16 and 32.
const ALL_SIZES: u64 = 0x1_0001_0116;

/// Checks one instruction.
struct Checker<'c, 'r, 'f> {
    catalog: &'c Catalog,
    reporter: &'r mut Reporter<'f>,
    /// Nothing had to be left out while reading; otherwise a missing key is no news.
    is_whole: bool,
}

impl Checker<'_, '_, '_> {
    fn instruction(&mut self, mnemonic: String, at: &Range<usize>, model: &model::Instruction) -> Instruction {
        self.mnemonic(&mnemonic, at);
        let execution = self.word("Execution", model.execution.as_ref(), "mask_and_size");
        let exec_sizes = self.exec_sizes(model, &execution, at);
        let platforms = self.platforms(model);
        let mut operands = self.operands(&model.operands);
        let modifiers = self.modifiers(&model.modifiers);
        self.names(model);
        let scope = formula::Scope::new(self.catalog, &operands, &modifiers, &execution);
        let formulas: Vec<_> = model.operands.iter().map(|operand| self.operand_formulas(operand, &scope)).collect();
        let accesses = model.accesses.iter().map(|access| self.access(access, &scope)).collect();
        for (operand, formulas) in operands.iter_mut().zip(formulas) {
            [
                operand.bytes,
                operand.bytes_tolerated,
                operand.channel_bytes,
                operand.row_bytes,
                operand.limit,
                operand.elements,
            ] = formulas;
        }
        self.n_bracketed_operands(&operands, &execution, at);
        Instruction {
            opcode: model.opcode,
            // Some instructions have no page; the empty text takes back what `like` brought.
            document: model.document.as_ref().map_or_else(String::new, |page| page.get_ref().clone()),
            summary: self.summary(model, at),
            example: self.example(&mnemonic, model, at),
            example_platform: self.example_platform(model, platforms.legal, at),
            newer_text: model.newer_text,
            predicate: self.required_word("Predication", "predicate", model.predicate.as_ref(), at),
            saturate: self.word("Saturation", model.saturate.as_ref(), "forbidden"),
            saturate_platforms: self.saturate_platforms(model, platforms.legal),
            exec_sizes_by_platform: self.exec_sizes_by_platform(model, &execution, exec_sizes.legal),
            exec_sizes,
            no_mask: self.word("NoMask", model.no_mask.as_ref(), "free"),
            operation: self.optional_word("Operation", model.operation.as_ref()),
            family: self.alu_word("Family", "family", model, model.family.as_ref(), "other", at),
            lanes: self.alu_word("Lanes", "lanes", model, model.lanes.as_ref(), "mixed", at),
            checks: self.words("Check", &model.checks),
            barrier: self.word_of("Barrier", ("barrier", "barrier"), model, model.barrier.as_ref(), at),
            marker: self.marker(model),
            parameters: self.keywords(model.parameters.as_ref()),
            word_parameters: self.keywords(model.word_parameters.as_ref()),
            parameter_types: self.parameter_types(model, &operands, at),
            immediate_bits: self.immediate_bits(model, &operands),
            flow: self.word("Flow", model.flow.as_ref(), "next"),
            effects: self.words("Effect", &model.effects),
            custom: self.optional_word("Custom", model.custom.as_ref()),
            notes: self.notes(&model.notes),
            mnemonic,
            execution,
            platforms,
            asked_for: model.asked_for,
            modifiers,
            operands,
            accesses,
        }
    }

    /// A word that each ALU instruction has to give, and that others have no use for.
    fn alu_word(
        &mut self,
        name: &str,
        key: &str,
        model: &model::Instruction,
        given: Option<&Text>,
        default: &str,
        at: &Range<usize>,
    ) -> String {
        self.word_of(name, (key, "alu"), model, given, at).unwrap_or_else(|| self.word(name, None, default))
    }

    /// A word that each instruction of one family of checks has to give, and no other may.
    fn word_of(
        &mut self,
        name: &str,
        (key, custom): (&str, &str),
        model: &model::Instruction,
        given: Option<&Text>,
        at: &Range<usize>,
    ) -> Option<String> {
        if model.custom.as_ref().is_some_and(|given| given.get_ref() == custom) {
            return Some(self.required_word(name, key, given, at));
        }
        if let Some(given) = given {
            self.reporter.report(&given.span(), format!("`{key}` is for `custom = \"{custom}\"`"));
        }
        None
    }

    /// What generates no code has no effect on control flow or memory.
    fn marker(&mut self, model: &model::Instruction) -> Option<String> {
        let given = model.marker.as_ref()?;
        if model.flow.is_some() || !model.accesses.is_empty() || !model.effects.is_empty() {
            self.reporter.report(&given.span(), "a marker has no effect: no `flow`, `accesses` or `effects`");
        }
        self.optional_word("Marker", Some(given))
    }

    /// The types of parameters; these belong to an instruction with an operand `parameters`.
    fn parameter_types(
        &mut self,
        model: &model::Instruction,
        operands: &[Operand],
        at: &Range<usize>,
    ) -> Option<String> {
        if operands.iter().any(|operand| operand.name == "parameters") {
            return Some(self.required_word("ParameterTypes", "parameter_types", model.parameter_types.as_ref(), at));
        }
        let lists = [&model.parameters, &model.word_parameters].into_iter().flatten().map(Spanned::span);
        for span in lists.chain(model.parameter_types.as_ref().map(Spanned::span)) {
            self.reporter.report(&span, "this instruction has no operand `parameters`");
        }
        None
    }

    fn immediate_bits(&mut self, model: &model::Instruction, operands: &[Operand]) -> Option<u32> {
        let given = model.immediate_bits.as_ref()?;
        let takes_immediates = operands.iter().any(|o| o.kinds.iter().any(|kind| kind == "OperandKind::Immediate"));
        if ![8, 16, 32].contains(given.get_ref()) {
            self.reporter.report(&given.span(), "an immediate has 8, 16 or 32 bits; wider ones need no key");
        } else if !takes_immediates && self.is_whole {
            self.reporter.report(&given.span(), "no operand of this instruction is an immediate");
        }
        Some(*given.get_ref())
    }

    /// The platforms with `.sat`: a part of those on which the instruction exists.
    fn saturate_platforms(&mut self, model: &model::Instruction, legal: Platforms) -> Platforms {
        let Some(given) = &model.saturate_platforms else { return self.catalog.all_platforms() };
        let set = self.platform_set(given);
        if set.0 & legal.0 == legal.0 {
            self.reporter.report(&given.span(), "these are all platforms of the instruction: the key has no effect");
        } else if model.saturate.as_ref().is_none_or(|word| word.get_ref() == "forbidden") {
            self.reporter.report(&given.span(), "this key goes along with `saturate`");
        }
        set
    }

    fn mnemonic(&mut self, mnemonic: &str, at: &Range<usize>) {
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        if mnemonic.is_empty() || !mnemonic.chars().all(is_good) {
            self.reporter.report(at, format!("`{mnemonic}`: a mnemonic is letters, digits, `_` and `.`"));
        }
    }

    /// Formulas tell operands and modifiers by their names, so all have to differ.
    fn names(&mut self, model: &model::Instruction) {
        let operands = model.operands.iter().filter_map(|operand| operand.get_ref().name.as_ref());
        let modifiers = model.modifiers.iter().filter_map(|modifier| modifier.get_ref().name.as_ref());
        let mut seen: Vec<&str> = Vec::new();
        for name in modifiers.chain(operands) {
            let word = name.get_ref().as_str();
            if seen.contains(&word) {
                self.reporter.report(&name.span(), format!("the name `{word}` stands twice"));
            } else if self.catalog.words.path("Variable", word).is_some() {
                self.reporter.report(&name.span(), format!("`{word}` has another meaning in formulas"));
            } else if !is_snake_case(word) {
                self.reporter.report(&name.span(), format!("the name `{word}` is not snake_case"));
            }
            seen.push(word);
        }
    }

    fn summary(&mut self, model: &model::Instruction, at: &Range<usize>) -> String {
        let summary = self.text("summary", model.summary.as_ref(), at);
        let is_sentence = summary.ends_with('.') && !summary.starts_with(char::is_lowercase);
        if let Some(given) = model.summary.as_ref().filter(|_| !is_sentence) {
            self.reporter.report(&given.span(), "the summary is a sentence: upper-case start, final stop");
        }
        summary
    }

    fn notes(&mut self, notes: &[Text]) -> Vec<String> {
        for note in notes.iter().filter(|note| note.get_ref().trim().is_empty()) {
            self.reporter.report(&note.span(), "an empty note");
        }
        notes.iter().map(|note| note.get_ref().clone()).collect()
    }

    /// One line that begins with the mnemonic, after an optional predicate.
    fn example(&mut self, mnemonic: &str, model: &model::Instruction, at: &Range<usize>) -> String {
        let example = self.text("example", model.example.as_ref(), at);
        let Some(given) = &model.example else { return example };
        let line = match example.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, line)) => line.trim_start(),
            None => &example,
        };
        let rest = line.strip_prefix(mnemonic);
        if rest.is_none_or(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')) {
            self.reporter.report(&given.span(), format!("the example does not begin with `{mnemonic}`"));
        }
        if example.contains('\n') {
            self.reporter.report(&given.span(), "the example is one line");
        }
        example
    }

    fn example_platform(&mut self, model: &model::Instruction, platforms: Platforms, at: &Range<usize>) -> usize {
        let given = model.example_platform.as_ref();
        let name = given.map_or("DG2", |given| given.get_ref().as_str());
        let at = given.map(Spanned::span).or(model.platforms.as_ref().map(Spanned::span)).unwrap_or(at.clone());
        let place = match self.catalog.platform(name) {
            Ok(place) => place,
            Err(message) => {
                self.reporter.report(&at, message);
                return 0;
            }
        };
        if platforms.0 >> place & 1 == 0 {
            self.reporter.report(
                &at,
                match given {
                    Some(_) => format!("`example_platform`: the instruction does not exist on {name}"),
                    None => format!("the instruction does not exist on {name}, so `example_platform` is needed"),
                },
            );
        }
        place
    }

    // Platforms

    fn platforms(&mut self, model: &model::Instruction) -> Tiers<Platforms> {
        let legal = model.platforms.as_ref().map_or(self.catalog.all_platforms(), |text| self.platform_set(text));
        // An empty text takes back what `like` brought.
        let mut further = |given: Option<&Text>, before: u32| {
            let given = given.filter(|text| !text.get_ref().trim().is_empty());
            let set = given.map_or(Platforms(0), |text| self.platform_set(text));
            if let Some(given) = given.filter(|_| set.0 & before != 0) {
                self.reporter.report(&given.span(), "some of these platforms stand already in another tier");
            }
            set
        };
        let seen = further(model.platforms_seen.as_ref(), legal.0);
        let tolerated = further(model.platforms_tolerated.as_ref(), legal.0 | seen.0);
        Tiers { legal, seen, tolerated }
    }

    fn platform_set(&mut self, text: &Text) -> Platforms {
        self.catalog.platform_set(text.get_ref()).unwrap_or_else(|message| {
            self.reporter.report(&text.span(), message);
            self.catalog.all_platforms()
        })
    }

    /// A row of one of the keys `..._by_platform`.
    fn on_platforms<T>(&mut self, given: Option<&Text>, at: &Range<usize>, value: T) -> OnPlatforms<T> {
        let text = self.required("platforms", given, at);
        OnPlatforms { platforms: text.map_or(Platforms(0), |text| self.platform_set(&text)), value }
    }

    // Execution sizes

    fn exec_sizes(&mut self, model: &model::Instruction, execution: &str, at: &Range<usize>) -> Tiers<u64> {
        let legal = match &model.exec_sizes {
            Some(list) => self.sizes(list, execution, 0),
            // Where all sizes depend on the platform, none is legal everywhere.
            None if execution == "Execution::MaskAndSize" && model.exec_sizes_by_platform.is_empty() => ALL_SIZES,
            None => 0,
        };
        let has_none = model.exec_sizes.is_none() && model.exec_sizes_by_platform.is_empty();
        if execution == "Execution::BlockCount" && has_none && self.is_whole {
            self.reporter.report(at, "the key `exec_sizes` is missing: the legal numbers of blocks");
        }
        let further = |checker: &mut Self, list: &Option<List<u32>>, before: u64| {
            list.as_ref().map_or(0, |list| checker.sizes(list, execution, before))
        };
        let seen = further(self, &model.exec_sizes_seen, legal);
        let tolerated = further(self, &model.exec_sizes_tolerated, legal | seen);
        Tiers { legal, seen, tolerated }
    }

    fn exec_sizes_by_platform(
        &mut self,
        model: &model::Instruction,
        execution: &str,
        legal: u64,
    ) -> Vec<OnPlatforms<u64>> {
        let mut rows = Vec::new();
        for row in &model.exec_sizes_by_platform {
            let (at, row) = (row.span(), row.get_ref());
            let list = self.required("sizes", row.sizes.as_ref(), &at);
            let sizes = list.map_or(0, |list| self.sizes(&list, execution, legal));
            rows.push(self.on_platforms(row.platforms.as_ref(), &at, sizes));
        }
        rows
    }

    /// A bit set of sizes; none of them may be in `before`.
    fn sizes(&mut self, list: &List<u32>, execution: &str, before: u64) -> u64 {
        let (has_size, limit) = match execution {
            "Execution::BlockCount" => (true, 63),
            "Execution::MaskAndSize" | "Execution::OptionalSize" => (true, 32),
            _ => (false, 0),
        };
        if !has_size && !list.get_ref().is_empty() {
            self.reporter.report(&list.span(), "an instruction of this `execution` has no execution size");
            return 0;
        }
        let mut bits = 0;
        for size in list.get_ref() {
            let (at, size) = (size.span(), *size.get_ref());
            let is_good = (1..=limit).contains(&size) && (limit == 63 || size.is_power_of_two());
            if !is_good {
                self.reporter.report(&at, format!("{size} is not an execution size"));
            } else if (bits | before) >> size & 1 == 1 {
                self.reporter.report(&at, format!("the size {size} stands already in this list or another tier"));
            } else {
                bits |= 1_u64 << size;
            }
        }
        bits
    }

    // Types

    /// A set of types; none of them may be in `before`.
    fn types(&mut self, list: Option<&List<String>>, before: Types) -> Types {
        let mut set = Types::default();
        for name in list.iter().flat_map(|list| list.get_ref()) {
            match self.catalog.types.resolve(name.get_ref()) {
                Ok(types) if types.0 & before.0 != 0 || types.0 & !set.0 == 0 => {
                    let message = format!("the type `{}` stands already in this list or another tier", name.get_ref());
                    self.reporter.report(&name.span(), message);
                }
                Ok(types) => set.0 |= types.0,
                Err(message) => self.reporter.report(&name.span(), message),
            }
        }
        set
    }

    // Words and texts

    fn required<T: Clone>(&mut self, key: &str, value: Option<&T>, at: &Range<usize>) -> Option<T> {
        if self.is_whole { required(key, value, at, self.reporter) } else { value.cloned() }
    }

    /// A text that has to be there and not empty.
    fn text(&mut self, key: &str, value: Option<&Text>, at: &Range<usize>) -> String {
        let Some(text) = self.required(key, value, at) else { return String::new() };
        if text.get_ref().trim().is_empty() {
            self.reporter.report(&text.span(), format!("`{key}` is empty"));
        }
        text.into_inner()
    }

    /// The Rust path of a variant. `default` stands where there is no word.
    fn word(&mut self, name: &str, given: Option<&Text>, default: &str) -> String {
        let word = self.optional_word(name, given);
        word.or_else(|| self.catalog.words.path(name, default)).unwrap_or_else(|| {
            self.reporter.report(&(0..0), format!("src/spec: `enum {name}` has no variant for `{default}`"));
            String::new()
        })
    }

    fn required_word(&mut self, name: &str, key: &str, given: Option<&Text>, at: &Range<usize>) -> String {
        let given = self.required(key, given, at);
        self.optional_word(name, given.as_ref()).unwrap_or_default()
    }

    fn optional_word(&mut self, name: &str, given: Option<&Text>) -> Option<String> {
        let given = given?;
        let path = self.catalog.words.path(name, given.get_ref());
        if path.is_none() {
            let known = self.catalog.words.words(name);
            self.reporter.unknown("word", given, known.iter().map(String::as_str));
        }
        path
    }

    /// Several different words.
    fn words(&mut self, name: &str, given: &[Text]) -> Vec<String> {
        self.distinct(given);
        given.iter().filter_map(|word| self.optional_word(name, Some(word))).collect()
    }

    /// Reports what stands twice in a list.
    fn distinct<T: PartialEq + Display>(&mut self, list: &[Spanned<T>]) {
        for (i, item) in list.iter().enumerate() {
            if list[..i].iter().any(|before| before.get_ref() == item.get_ref()) {
                self.reporter.report(&item.span(), format!("`{}` stands twice", item.get_ref()));
            }
        }
    }
}

fn is_snake_case(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
