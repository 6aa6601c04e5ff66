//! Uses of macros that hold asm statements: each is read with its arguments, so that what is wrong is found where it is
//! written, in the use or in the definition.

use super::brackets::closing;
use super::lexer::{Kind, Token};
use super::macros::{Item, closing_item};
use super::statement::Around;
use super::types::Reading;
use super::{Function, Reader, forget_parameters, is_qualifier};
use crate::base::span::Span;

/// Macros inside of macros that are followed to an asm statement.
const DEPTH: usize = 8;

impl<'a> Reader<'a> {
    /// Finds the macros that hold asm statements through others. Those that hold one themselves are known.
    pub(super) fn collect_asm_macros(&mut self, code: &[Token]) {
        self.collect_lists(code);
        for _ in 0..DEPTH {
            let mut more = Vec::new();
            for (name, definitions) in &self.macros {
                let holds = |body: (usize, usize)| {
                    let is_name = |t: &Token| t.kind == Kind::Word && self.asm_macros.contains(self.word(*t));
                    self.directives[body.0..body.1].iter().any(is_name)
                };
                if !self.asm_macros.contains(name) && definitions.iter().any(|d| holds(d.body)) {
                    more.push(*name);
                }
            }
            if more.is_empty() {
                break;
            }
            self.asm_macros.extend(more);
        }
        for definition in self.macros.values_mut().flatten() {
            let own = &self.directives[definition.body.0..definition.body.1];
            let word = |t: &Token| t.of(self.text);
            definition.holds_asm |= own.iter().any(|t| t.kind == Kind::Word && self.asm_macros.contains(word(t)));
        }
    }

    /// Finds the macros that are given the name of one that holds an asm statement, as in `OPERATIONS(DEFINE)`.
    fn collect_lists(&mut self, code: &[Token]) {
        let is_name = |t: &Token| t.kind == Kind::Word && self.asm_macros.contains(self.word(*t));
        let lists = code.windows(3).filter(|w| is_name(&w[2]) && w[1].kind == Kind::Open && w[0].kind == Kind::Word);
        let names = lists.map(|w| self.word(w[0]));
        let takes_names = |name: &&str| {
            self.macros.get(name).is_some_and(|all| all.iter().any(|definition| definition.parameters.is_some()))
        };
        let found: Vec<&'a str> = names.filter(takes_names).collect();
        self.asm_macros.extend(found);
    }

    /// Reads the statements that the macro at `at` becomes. Returns where its use ends.
    pub(super) fn macro_use(&mut self, code: &[Token], at: usize, around: Around) -> Option<usize> {
        let before = code[at].start;
        let definition = self.definition(self.word(code[at]), before)?;
        let mut end = at + 1;
        if definition.parameters.is_some() {
            code.get(end).filter(|t| t.kind == Kind::Open)?;
            end = self.closing_statement(code, end)? + 1;
        }
        let items: Vec<Item> = code[at..end].iter().map(|t| Item::own(*t)).collect();
        let mut items = self.unfolded(&items, before);
        // `#define ASM asm volatile`: the parentheses stand behind the use.
        let is_prefix = items.iter().rev().find(|i| !self.is_qualified(i.token)).is_some_and(|i| i.token.is_asm());
        if is_prefix && code.get(end).is_some_and(|t| t.kind == Kind::Open) {
            let close = self.closing_statement(code, end)?;
            items.extend(code[end..=close].iter().map(|t| Item::own(*t)));
            end = close + 1;
        }
        self.before = before;
        self.unfolded_statements(code, &items, Span::new(before, code[end - 1].end), around);
        Some(end)
    }

    /// What closes the parenthesis at `open`, which belongs to a statement.
    fn closing_statement(&mut self, code: &[Token], open: usize) -> Option<usize> {
        let found = closing(&code[..self.reach(code, open)], open);
        self.n_unclosed += usize::from(found.is_none());
        found
    }

    /// The macro whose definition a token is written in.
    fn macro_at(&self, item: Item) -> Option<&'a str> {
        let text: &'a str = self.text;
        let rest = &text[item.source()? as usize..];
        let n = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')).count();
        Some(&rest[..n])
    }

    fn is_qualified(&self, token: Token) -> bool {
        token.kind == Kind::Word && is_qualifier(self.word(token))
    }

    /// Reads the statements among the tokens that the macro at `span` became.
    fn unfolded_statements(&mut self, code: &[Token], items: &[Item], span: Span, around: Around) {
        let mut own: Option<(Vec<Token>, Reading)> = None;
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += 1;
            if !item.token.is_asm() || self.expansion.is_over() {
                continue;
            }
            let mut open = at;
            while items.get(open).is_some_and(|i| self.is_qualified(i.token)) {
                open += 1;
            }
            let is_open = items.get(open).is_some_and(|i| i.token.kind == Kind::Open);
            let Some(close) = closing_item(items, open).filter(|_| is_open) else { continue };
            let inside = &items[open + 1..close];
            // What is declared before the statement: names of a block that ends behind it mean something else there.
            let (tokens, own) =
                own.get_or_insert_with(|| (items.iter().map(|i| i.token).collect(), Reading::of_macro()));
            self.names.read_declarations(own, &tokens[..at]);
            let is_pasted = inside.first().is_some_and(|i| !i.is_own());
            if let Some(name) = self.macro_at(*item) {
                self.used_macros.insert(name);
            }
            self.names.floor = span.start;
            let n = self.found.len();
            self.add(code, span, inside, Around { is_loop: around.is_loop || is_pasted, ..around }, &own.found);
            self.found[n..].iter_mut().for_each(|statement| statement.is_use = is_pasted);
            self.names.floor = 0;
            at = close + 1;
        }
    }

    /// Reads what a macro becomes that is used nowhere and holds a statement through another one. Its parameters are not
    /// known.
    pub(super) fn unused_macros(&mut self, code: &[Token]) {
        let mut unused = Vec::new();
        for (name, definitions) in self.macros.iter().filter(|(name, _)| self.asm_macros.contains(*name)) {
            let begins = |body: (usize, usize)| self.directives[body.0..body.1].iter().any(|t| t.is_asm());
            unused.extend(definitions.iter().filter(|d| !begins(d.body)).map(|d| (*name, *d)));
        }
        if unused.is_empty() {
            return;
        }
        let used: rustc_hash::FxHashSet<&str> = code.iter().map(|t| self.word(*t)).collect();
        unused.retain(|(name, _)| !used.contains(name));
        unused.sort_by_key(|(_, definition)| definition.at);
        for (name, definition) in unused {
            let body: Vec<Item> =
                self.directives[definition.body.0..definition.body.1].iter().map(|t| Item::own(*t)).collect();
            self.parameters = self.parameters_of(definition.parameters);
            let items = self.unfolded(&body, u32::MAX);
            self.before = u32::MAX;
            self.functions.push(Function::of_macro(name, self.file_is_vector));
            let function = Some(self.functions.len() - 1);
            self.declarations.insert((self.functions.len() - 1, false), super::Declarations::default());
            let n = self.found.len();
            let span = Span::new(definition.at, body.last().map_or(definition.at, |i| i.token.end));
            let around = Around { function, ..Around::OF_MACRO };
            self.unfolded_statements(code, &items, span, around);
            self.found[n..].iter_mut().for_each(forget_parameters);
        }
        self.parameters.clear();
    }

    /// The names of a macro's parameters, which stand in a range of the tokens.
    pub(super) fn parameters_of(&self, range: Option<(usize, usize)>) -> Vec<&'a str> {
        let (from, to) = range.unwrap_or_default();
        let names = &self.directives[from..to.max(from)];
        let mut all: Vec<&str> = names.iter().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t)).collect();
        if names.iter().any(|t| t.kind == Kind::Dot) {
            all.push("__VA_ARGS__");
        }
        all
    }
}
