//! Calls in the braces of format strings: `f"num_elts={lanes()}"`.

use super::formats::{Field, Formatting, filled, inside};
use super::strings::Strings;
use super::tokens::{Kind, closing, tokens, unwrapped};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::statement::{HOLE, WIDE_HOLE};

impl Strings<'_> {
    /// What a call of a function of the file makes in a string, if it returns a text or number with no calls in it.
    pub(super) fn called_field(&self, call: Span) -> Option<Field> {
        if !call.of(self.text).ends_with(')') || self.expansion.is_over() {
            return None;
        }
        let tokens = tokens(&self.text[..call.end as usize], call.start as usize, |_| {});
        self.expansion.spend_steps(tokens.len());
        let open = tokens.iter().position(|t| t.kind == Kind::Open)?;
        let is_path = tokens[..open].iter().all(|t| matches!(t.kind, Kind::Word | Kind::Dot));
        if !is_path || closing(&tokens, open) != Some(tokens.len() - 1) {
            return None;
        }
        let function = self.functions.get(tokens[..open].last()?.span.of(self.text))?.as_ref()?;
        let value = unwrapped(self.text, &self.tokens[function.value.clone()?]);
        if let Some(text) = self.constant_text(value) {
            let place = value.first().and_then(inside).filter(|span| span.of(self.text) == text);
            return Some(Field::of(text, place));
        }
        let bound = self.bound(function, &tokens[open + 1..tokens.len() - 1]);
        let mut own = Mapped::default();
        for token in value {
            inside(token)?;
            filled(self.text, *token, Formatting::Plain, &mut |place| self.named_field(place, &bound), &mut own);
        }
        self.expansion.spend(&own);
        let is_known = !own.text.contains([HOLE, WIDE_HOLE]);
        is_known.then_some(Field::Parts(own))
    }
}
