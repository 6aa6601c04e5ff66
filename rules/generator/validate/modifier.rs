//! Words after dots.

use super::super::checked::{Modifier, ModifierValue, Platforms};
use super::super::model::{self, List, Scalar};
use super::Checker;
use toml::Spanned;

/// Kinds whose values stand in the data.
const WORD: &str = "ModifierKind::Word";
const NUMBER: &str = "ModifierKind::Number";
/// Kinds that are spelled by rules of their own, of letters or words that the data may list.
const OPTIONS: [&str; 2] = ["ModifierKind::FenceOptions", "ModifierKind::RenderTargetOptions"];

impl Checker<'_, '_, '_> {
    /// The modifiers in the order of the text.
    pub fn modifiers(&mut self, modifiers: &[Spanned<model::Modifier>]) -> Vec<Modifier> {
        modifiers.iter().map(|modifier| self.modifier(modifier)).collect()
    }

    fn modifier(&mut self, modifier: &Spanned<model::Modifier>) -> Modifier {
        let (at, modifier) = (modifier.span(), modifier.get_ref());
        let kind = self.required_word("ModifierKind", "kind", modifier.kind.as_ref(), &at);
        let mut values = self.modifier_values(modifier, &kind);
        if [WORD, NUMBER].contains(&kind.as_str()) && values.is_empty() && self.is_whole {
            self.reporter.report(&at, "a modifier of this kind needs `values`");
        }
        let has_number = self.numbers(modifier, &kind, &mut values);
        Modifier {
            name: self.text("name", modifier.name.as_ref(), &at),
            kind,
            has_number,
            values,
            optional: modifier.optional,
            glued: modifier.glued,
            any_case: modifier.any_case,
            after_execution: modifier.after_execution,
        }
    }

    /// Gives words their numbers. `numbers` goes along with `values`, and may go on with the values of the other keys in
    /// their order; words that are left count 0, as does an absent word. Gives whether every value has a number.
    fn numbers(&mut self, modifier: &model::Modifier, kind: &str, values: &mut [ModifierValue]) -> bool {
        let Some(numbers) = &modifier.numbers else { return kind == NUMBER };
        let (at, numbers) = (numbers.span(), numbers.get_ref());
        let n_legal = modifier.values.as_ref().map_or(0, |list| list.get_ref().len());
        if kind != WORD {
            self.reporter.report(&at, "`numbers` is for modifiers of kind `word`");
        } else if ![n_legal, values.len()].contains(&numbers.len()) && self.is_whole {
            self.reporter.report(&at, format!("{} numbers for {n_legal} values", numbers.len()));
        }
        for (i, value) in values.iter_mut().enumerate() {
            value.number = numbers.get(i).map_or(0, |number| *number.get_ref());
        }
        numbers.len() >= values.len()
    }

    /// The values of all tiers and platforms in one list.
    fn modifier_values(&mut self, modifier: &model::Modifier, kind: &str) -> Vec<ModifierValue> {
        let mut values = Vec::new();
        let everywhere = self.catalog.all_platforms();
        let tiers = [&modifier.values, &modifier.values_seen, &modifier.values_tolerated];
        for (list, tier) in tiers.into_iter().zip(0..) {
            self.add_values(list.as_ref(), kind, everywhere, tier, &mut values);
        }
        for row in &modifier.values_by_platform {
            let (at, row) = (row.span(), row.get_ref());
            let list = self.required("values", row.values.as_ref(), &at);
            let platforms = self.on_platforms(row.platforms.as_ref(), &at, ()).platforms;
            self.add_values(list.as_ref(), kind, platforms, 0, &mut values);
        }
        values
    }

    /// Adds one list. A value may be legal on some platforms and stand in another tier for those that are left;
    /// otherwise it stands once for each platform.
    fn add_values(
        &mut self,
        list: Option<&List<Scalar>>,
        kind: &str,
        platforms: Platforms,
        tier: u8,
        values: &mut Vec<ModifierValue>,
    ) {
        for (place, item) in list.iter().flat_map(|list| list.get_ref()).enumerate() {
            let Some(number) = self.value_number(item, kind, place) else { continue };
            let text = item.get_ref().to_string();
            let everywhere = self.catalog.all_platforms();
            let is_before = |other: &ModifierValue| {
                let is_remainder = other.tier > 0 && platforms != everywhere;
                other.text == text && !is_remainder && other.platforms.0 & platforms.0 != 0
            };
            if values.iter().any(is_before) {
                let message = format!("the value `{text}` stands already in this list or another tier");
                self.reporter.report(&item.span(), message);
            }
            values.push(ModifierValue { text, number, platforms, tier });
        }
    }

    /// Its number in formulas: itself, or for words the place in the list until `numbers` says better.
    fn value_number(&mut self, value: &Spanned<Scalar>, kind: &str, place: usize) -> Option<i64> {
        let takes_words = kind == WORD || OPTIONS.contains(&kind);
        let message = match value.get_ref() {
            Scalar::Number(number) if kind == NUMBER && *number >= 0 => return Some(*number),
            Scalar::Text(word) if takes_words && is_word(word) => return i64::try_from(place).ok(),
            _ if kind.is_empty() => return None,
            _ if kind == NUMBER => "expected a number",
            _ if takes_words => "expected a word of letters, digits, `_` and `-`, without its dot",
            _ => "a modifier of this kind has no `values`",
        };
        self.reporter.report(&value.span(), message);
        None
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
