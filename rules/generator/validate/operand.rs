//! Operand slots.

use super::super::checked::{Formula, OnPlatforms, Operand, Platforms, Tiers, Types};
use super::super::model::{self, Kinds, List, Scalar, Text};
use super::Checker;
use super::formula::{Place, Scope};
use std::ops::Range;
use toml::Spanned;

const GENERAL: &str = "OperandKind::General";
const INDIRECT: &str = "OperandKind::Indirect";
const IMMEDIATE: &str = "OperandKind::Immediate";
/// Words for several kinds at once.
const SHORTHANDS: [(&str, &[&str]); 3] = [
    ("vector", &[GENERAL, INDIRECT]),
    ("scalar", &[GENERAL, INDIRECT, IMMEDIATE]),
    ("vector_or_immediate", &[GENERAL, INDIRECT, IMMEDIATE]),
];
/// Kinds without an element type.
const UNTYPED: [&str; 10] = [
    "OperandKind::Predicate",
    "OperandKind::Surface",
    "OperandKind::Sampler",
    "OperandKind::Number",
    "OperandKind::Label",
    "OperandKind::LabelList",
    "OperandKind::Function",
    "OperandKind::String",
    "OperandKind::Keyword",
    "OperandKind::LscSurface",
];

impl Checker<'_, '_, '_> {
    /// The operands without their formulas, which can speak of later operands.
    ///
    /// Optional operands may stand anywhere, because the text is matched by the number of operands: where fewer stand
    /// than there are slots, the last optional ones are those that are absent.
    pub fn operands(&mut self, operands: &[Spanned<model::Operand>]) -> Vec<Operand> {
        for operand in operands.iter().rev().skip(1).filter(|operand| operand.get_ref().variadic) {
            self.reporter.report(&operand.span(), "only the last operand can be variadic");
        }
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    /// The operands in the parentheses have to be there.
    pub fn n_bracketed_operands(&mut self, operands: &[Operand], execution: &str, at: &Range<usize>) {
        let n_bracketed = match execution {
            "Execution::Pair" => 2,
            "Execution::Triple" => 3,
            _ => return,
        };
        let n_fixed = operands.iter().take_while(|operand| !operand.optional && !operand.variadic).count();
        if n_fixed < n_bracketed && self.is_whole {
            let message = format!("the first {n_bracketed} operands stand in parentheses, but only {n_fixed} are sure");
            self.reporter.report(at, message);
        }
    }

    fn operand(&mut self, operand: &Spanned<model::Operand>) -> Operand {
        let (at, operand) = (operand.span(), operand.get_ref());
        let (kinds, has_scalar_kind) = self.kinds(operand, &at);
        let types = self.tiers(
            [&operand.types, &operand.types_seen, &operand.types_tolerated],
            |checker, list, before: &Types| checker.types(list, *before),
            |a, b| Types(a.0 | b.0),
        );
        let row = Operand {
            name: self.text("name", operand.name.as_ref(), &at),
            role: self.word("Role", operand.role.as_ref(), "source"),
            types_by_platform: self.types_by_platform(operand, types.legal),
            types,
            asked_for: operand.asked_for,
            sign_checked: operand.sign_checked,
            scalar: self.region(operand.region.as_ref()) || has_scalar_kind,
            source_modifiers: self.word("SourceModifiers", operand.modifiers.as_ref(), "none"),
            null: self.word("NullUse", operand.null.as_ref(), "forbidden"),
            notation: self.word("Notation", operand.notation.as_ref(), "any"),
            bytes: None,
            bytes_tolerated: None,
            channel_bytes: None,
            row_bytes: None,
            alignment: self.alignment(operand.alignment.as_ref(), &kinds),
            optional: operand.optional,
            variadic: operand.variadic,
            minimum: operand.minimum.as_ref().map(|minimum| *minimum.get_ref()),
            maximum: operand.maximum.as_ref().map(|maximum| *maximum.get_ref()),
            limit: None,
            elements: None,
            packed: operand.packed.as_ref().is_some_and(|given| *given.get_ref()),
            second_block: operand.second_block.as_ref().is_some_and(|given| *given.get_ref()),
            values: self.tiers(
                [&operand.values, &operand.values_seen, &operand.values_tolerated],
                |checker, list, before: &Vec<i64>| checker.numbers_list(list, before),
                |a, b| [a.as_slice(), b.as_slice()].concat(),
            ),
            words: self.keywords(operand.words.as_ref()),
            surfaces_forbidden: self.words("SurfaceClass", &operand.surfaces_forbidden),
            pointers: operand.pointers.as_ref().map_or(Platforms(0), |text| self.platform_set(text)),
            kinds,
        };
        if !row.kinds.is_empty() {
            self.keys_fit_kinds(operand, &row, &at);
        }
        row
    }

    /// The three lists of a key; what stands in one tier may not stand in another.
    fn tiers<L, T: Default>(
        &mut self,
        lists: [&Option<L>; 3],
        mut read: impl FnMut(&mut Self, Option<&L>, &T) -> T,
        join: impl Fn(&T, &T) -> T,
    ) -> Tiers<T> {
        let legal = read(self, lists[0].as_ref(), &T::default());
        let seen = read(self, lists[1].as_ref(), &legal);
        let tolerated = read(self, lists[2].as_ref(), &join(&legal, &seen));
        Tiers { legal, seen, tolerated }
    }

    /// The kinds, shorthands written out, and whether the word `scalar` was among them.
    fn kinds(&mut self, operand: &model::Operand, at: &Range<usize>) -> (Vec<String>, bool) {
        let Some(given) = self.required("kind", operand.kind.as_ref(), at) else { return (Vec::new(), false) };
        let words = match given.get_ref() {
            Kinds::One(word) => vec![Spanned::new(given.span(), word.clone())],
            Kinds::Many(words) => words.clone(),
        };
        if words.is_empty() {
            self.reporter.report(&given.span(), "`kind` is an empty list");
        }
        let mut kinds: Vec<String> = Vec::new();
        for word in &words {
            for kind in self.kind(word) {
                if kinds.contains(&kind) {
                    self.reporter.report(&word.span(), format!("`{}`: this kind stands twice", word.get_ref()));
                } else {
                    kinds.push(kind);
                }
            }
        }
        (kinds, words.iter().any(|word| word.get_ref() == "scalar"))
    }

    fn kind(&mut self, word: &Text) -> Vec<String> {
        if let Some((_, kinds)) = SHORTHANDS.iter().find(|(shorthand, _)| shorthand == word.get_ref()) {
            return kinds.iter().map(ToString::to_string).collect();
        }
        let path = self.catalog.words.path("OperandKind", word.get_ref());
        if path.is_none() {
            let kinds = self.catalog.words.words("OperandKind");
            let known = kinds.iter().map(String::as_str).chain(SHORTHANDS.iter().map(|(word, _)| *word));
            self.reporter.unknown("kind", word, known);
        }
        path.into_iter().collect()
    }

    fn types_by_platform(&mut self, operand: &model::Operand, legal: Types) -> Vec<OnPlatforms<Types>> {
        let mut rows = Vec::new();
        for row in &operand.types_by_platform {
            let (at, row) = (row.span(), row.get_ref());
            let list = self.required("types", row.types.as_ref(), &at);
            let types = self.types(list.as_ref(), legal);
            rows.push(self.on_platforms(row.platforms.as_ref(), &at, types));
        }
        rows
    }

    fn region(&mut self, region: Option<&Text>) -> bool {
        let Some(region) = region else { return false };
        if region.get_ref() != "scalar" {
            self.reporter.unknown("region", region, ["scalar"]);
        }
        true
    }

    fn alignment(&mut self, given: Option<&Spanned<Scalar>>, kinds: &[String]) -> String {
        let Some(given) = given else {
            let is_raw = kinds.iter().any(|kind| kind == "OperandKind::Raw");
            return self.word("Alignment", None, if is_raw { "grf" } else { "none" });
        };
        match given.get_ref() {
            Scalar::Text(word) => self.word("Alignment", Some(&Spanned::new(given.span(), word.clone())), "none"),
            Scalar::Number(bytes) => {
                if !u32::try_from(*bytes).is_ok_and(u32::is_power_of_two) {
                    self.reporter.report(&given.span(), format!("{bytes} is not a power of two"));
                }
                format!("Alignment::Bytes({bytes})")
            }
        }
    }

    /// Numbers of which none is in `before`.
    fn numbers_list(&mut self, list: Option<&List<i64>>, before: &[i64]) -> Vec<i64> {
        let mut numbers = Vec::new();
        for number in list.iter().flat_map(|list| list.get_ref()) {
            let (at, number) = (number.span(), *number.get_ref());
            if before.contains(&number) || numbers.contains(&number) {
                let message = format!("the value {number} stands already in this list or another tier");
                self.reporter.report(&at, message);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Words of which none stands twice.
    pub fn keywords(&mut self, words: Option<&List<String>>) -> Vec<String> {
        let Some(words) = words else { return Vec::new() };
        self.distinct(words.get_ref());
        words.get_ref().iter().map(|word| word.get_ref().clone()).collect()
    }

    /// Keys that say something about operands of some kinds only.
    fn keys_fit_kinds(&mut self, operand: &model::Operand, row: &Operand, at: &Range<usize>) {
        let has = |kind: &str| row.kinds.iter().any(|k| k.strip_prefix("OperandKind::") == Some(kind));
        let mut complain = |span: Option<Range<usize>>, message: &str| {
            if let Some(span) = span {
                self.reporter.report(&span, message);
            }
        };
        if row.kinds.iter().all(|kind| UNTYPED.contains(&kind.as_str())) {
            complain(operand.types.as_ref().map(Spanned::span), "operands of this kind have no type");
        }
        if !has("Immediate") && !has("Number") {
            let message = "this key is for immediates and numbers";
            complain(operand.minimum.as_ref().map(Spanned::span), message);
            complain(operand.maximum.as_ref().map(Spanned::span), message);
            complain(operand.limit.as_ref().map(Spanned::span), message);
            complain(operand.values.as_ref().map(Spanned::span), message);
        }
        if !has("General") {
            let message = "this key is for operands with a region";
            complain(operand.elements.as_ref().map(Spanned::span), message);
            complain(operand.packed.as_ref().map(Spanned::span), message);
            complain(operand.second_block.as_ref().map(Spanned::span), message);
        }
        if !has("Number") {
            complain(operand.notation.as_ref().map(Spanned::span), "this key is for numbers");
        }
        if !has("Surface") && !has("State") && !has("LscSurface") {
            complain(operand.surfaces_forbidden.first().map(Spanned::span), "this key is for surfaces");
        }
        if !has("Surface") && !has("Sampler") {
            complain(operand.pointers.as_ref().map(Spanned::span), "this key is for surfaces and samplers");
        }
        match (has("Keyword"), &operand.words) {
            (true, None) => complain(Some(at.clone()), "a keyword needs `words`"),
            (false, Some(words)) => complain(Some(words.span()), "`words` is for the kind `keyword`"),
            _ => {}
        }
        if row.role == "Role::Destination" {
            complain(operand.modifiers.as_ref().map(Spanned::span), "a destination has no source modifiers");
        }
        self.keys_fit_each_other(operand);
    }

    fn keys_fit_each_other(&mut self, operand: &model::Operand) {
        let mut complain = |span: Option<Range<usize>>, message: &str| {
            if let Some(span) = span {
                self.reporter.report(&span, message);
            }
        };
        if let (Some(minimum), Some(maximum)) = (&operand.minimum, &operand.maximum)
            && minimum.get_ref() > maximum.get_ref()
        {
            complain(Some(minimum.span()), "`minimum` is greater than `maximum`");
        }
        if operand.types.is_none() && operand.types_by_platform.is_empty() {
            let message = "without `types` the generic check is silent, so this key has no effect";
            complain(operand.types_seen.as_ref().map(Spanned::span), message);
            complain(operand.types_tolerated.as_ref().map(Spanned::span), message);
        }
        if operand.values.is_none() {
            let message = "this key goes along with `values`";
            complain(operand.values_seen.as_ref().map(Spanned::span), message);
            complain(operand.values_tolerated.as_ref().map(Spanned::span), message);
        }
        if operand.elements.is_some() {
            complain(operand.packed.as_ref().map(Spanned::span), "`elements` says it already");
        }
        if operand.bytes.is_none() {
            let message = "`bytes_tolerated` goes along with `bytes`";
            complain(operand.bytes_tolerated.as_ref().map(Spanned::span), message);
            complain(operand.channel_bytes.as_ref().map(Spanned::span), "`channel_bytes` goes along with `bytes`");
            complain(operand.row_bytes.as_ref().map(Spanned::span), "`row_bytes` goes along with `bytes`");
        }
    }

    /// `bytes`, `bytes_tolerated`, `channel_bytes`, `row_bytes`, `limit` and `elements`.
    pub fn operand_formulas(&mut self, operand: &Spanned<model::Operand>, scope: &Scope<'_>) -> [Option<Formula>; 6] {
        let operand = operand.get_ref();
        [
            ("bytes", &operand.bytes),
            ("bytes_tolerated", &operand.bytes_tolerated),
            ("channel_bytes", &operand.channel_bytes),
            ("row_bytes", &operand.row_bytes),
            ("limit", &operand.limit),
            ("elements", &operand.elements),
        ]
        .map(|(key, text)| self.formula(key, text.as_ref(), scope, Place::Operand))
    }
}
