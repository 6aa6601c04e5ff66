//! The lists of operands behind a template, also those that macros of the file become.

use super::Reader;
use super::lexer::{Kind, Token};
use super::macros::{Item, STRINGS, closing_item, span_of_items, split_items};
use super::types::Declarations;
use crate::host::statement::{HOLE, RawOperand, WIDE_HOLE};
use std::borrow::Cow;

impl<'a> Reader<'a> {
    /// What the parentheses of a statement hold, with the macros expanded that become operands or the colons before them:
    /// `: OUT(r) : IN(a)`, `"..." OPERANDS(r, a)`.
    pub(super) fn with_operands<'i>(&self, inside: &'i [Item]) -> Cow<'i, [Item]> {
        let mut out = Vec::new();
        let (mut taken, mut at) = (0, 0);
        while let Some(item) = inside.get(at) {
            let end = self.unit_end(inside, at);
            if item.token.kind == Kind::Word {
                let expanded = self.expanded_items(&inside[at..end], self.before);
                let becomes_operands =
                    |i: &Item| matches!(i.token.kind, Kind::Colon | Kind::Scope | Kind::Open | Kind::BracketOpen);
                // What no macro stands for stays itself.
                let is_macro = expanded.first().is_none_or(|first| first.token.start != item.token.start);
                if is_macro && expanded.iter().any(becomes_operands) {
                    out.extend_from_slice(&inside[taken..at]);
                    out.extend(expanded);
                    taken = end;
                }
            }
            at = end;
        }
        if taken == 0 {
            return Cow::Borrowed(inside);
        }
        out.extend_from_slice(&inside[taken..]);
        Cow::Owned(out)
    }

    /// Where what begins at `at` ends: a token, brackets with what they hold, or a use of a macro with its arguments.
    fn unit_end(&self, items: &[Item], at: usize) -> usize {
        let item = items[at];
        let open = match item.token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => at,
            Kind::Word
                if items.get(at + 1).is_some_and(|i| i.token.kind == Kind::Open)
                    && self.definition(self.word(item.token), self.before).is_none_or(|d| d.parameters.is_some()) =>
            {
                at + 1
            }
            _ => return at + 1,
        };
        closing_item(items, open).map_or(at + 1, |close| close + 1)
    }

    /// Whether a word may be a macro that the file does not define.
    fn is_unknown(&self, item: Item) -> bool {
        let word = self.word(item.token);
        item.token.kind == Kind::Word
            && !self.parameters.contains(&word)
            && self.definition(word, self.before).is_none()
    }

    /// Whether a statement without colons may get some from its end: a macro that the file does not define, or a parameter
    /// of the macro that holds the statement, as in `asm(text __VA_ARGS__)`.
    pub(super) fn may_hold_operands(&self, inside: &[Item]) -> bool {
        let mut at = 0;
        let mut last = None;
        while let Some(item) = inside.get(at) {
            let end = self.unit_end(inside, at);
            last = Some((*item, end - at));
            at = end;
        }
        last.is_some_and(|(item, n)| {
            let word = self.word(item.token);
            self.parameters.contains(&word) && n == 1 || self.is_unknown(item) && !(n > 1 && STRINGS.contains(&word))
        })
    }

    /// The operands between the colons; nothing if they cannot be told.
    pub(super) fn operands(
        &self,
        inside: &[Item],
        sections: &[usize],
        function: Option<usize>,
        own: &Declarations<'a>,
    ) -> Option<Vec<RawOperand>> {
        let mut all = Vec::new();
        for (index, start) in sections.iter().enumerate().take(2) {
            let end = sections.get(index + 1).copied().unwrap_or(inside.len());
            let list = &inside[(start + 1).min(end)..end];
            for item in split_items(list) {
                all.push(self.operand(item, index == 0, function, own)?);
            }
        }
        // `"[name]"` is the number of that output.
        let numbers: Vec<Option<String>> = all.iter().map(|o: &RawOperand| o.name.clone()).collect();
        for operand in &mut all {
            let name = operand.constraint.as_deref().and_then(|c| c.strip_prefix('[')?.strip_suffix(']'));
            if let Some(n) = name.and_then(|name| numbers.iter().position(|n| n.as_deref() == Some(name))) {
                operand.constraint = Some(n.to_string());
            }
        }
        Some(all)
    }

    /// `[name] "constraint" (expression)`
    fn operand(
        &self,
        items: &[Item],
        is_output: bool,
        function: Option<usize>,
        own: &Declarations<'a>,
    ) -> Option<RawOperand> {
        let mut operand = RawOperand { is_output, ..RawOperand::default() };
        let mut rest = items;
        if let [open, name, close, ..] = rest
            && open.token.kind == Kind::BracketOpen
            && close.token.kind == Kind::BracketClose
        {
            operand.name = Some(self.word(name.token).to_owned());
            rest = &rest[3..];
        }
        let open = rest.iter().position(|i| i.token.kind == Kind::Open)?;
        if closing_item(rest, open)? != rest.len() - 1 || open == 0 {
            return None;
        }
        if let [name] = &rest[..open]
            && self.is_unknown(*name)
        {
            return None;
        }
        operand.constraint_span = span_of_items(&rest[..open]);
        let constraint = self.template(&rest[..open], self.before).text;
        if !constraint.contains([HOLE, WIDE_HOLE]) {
            operand.constraint = Some(constraint);
        }
        let expression = &rest[open + 1..rest.len() - 1];
        operand.expression = span_of_items(expression);
        let expression: Vec<Token> = expression.iter().map(|i| i.token).collect();
        self.type_operand(&expression, function, own, &mut operand);
        Some(operand)
    }
}
