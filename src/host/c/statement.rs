//! One asm statement: its template and its operands, with what the text around says of their types.

use super::bound::Bound;
use super::brackets::outermost;
use super::lexer::{Kind, Token};
use super::macros::Item;
use super::types::Declarations;
use super::{LONG_STATEMENT, MOST_UNCLOSED, Reader, is_qualifier};
use crate::base::span::Span;
use crate::host::statement::{Escapes, HostType, RawOperand, RawStatement};

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// The function: a place in [`Reader::functions`].
    pub function: Option<usize>,
    pub is_loop: bool,
    pub is_conditional: bool,
    /// Whether it stands in a branch, which may be one that templates leave out.
    pub is_branch: bool,
    /// The conditions of the preprocessor: a place in [`Reader::paths`].
    pub path: Option<u32>,
}

impl Around {
    /// In the body of a macro, which may be used anywhere.
    pub(super) const OF_MACRO: Self =
        Self { function: None, is_loop: true, is_conditional: false, is_branch: false, path: None };
}

impl<'a> Reader<'a> {
    /// Reads the statement at `at` of the text proper: once for each branch of an `#if` inside it, at most twice.
    pub(super) fn statement(&mut self, code: &[Token], at: usize, around: Around) -> Option<usize> {
        let end = self.statement_of(code, 0, at, around)?;
        if !self.path_of.change_within(at, end) {
            return Some(end);
        }
        let own = self.path_of.at(at);
        let is_taken = |i: usize, branch| self.is_taken(self.path_of.at(i), own, branch);
        // One that stands in the other branch from its beginning on goes on behind both.
        let next = (at + 1..end).find(|i| code[*i].is_asm() && !is_taken(*i, 0) && !is_taken(*i, 1));
        if (at + 1..end).any(|i| is_taken(i, 0) != is_taken(i, 1)) {
            self.statement_of(code, 1, at, around);
        }
        Some(next.unwrap_or(end))
    }

    /// Whether a token is read if of each `#if` inside the statement, which stands under `own`, the given branch is taken; of
    /// those around the statement, its own branch is.
    fn is_taken(&self, path: u32, own: u32, branch: u32) -> bool {
        let (mut path, mut around) = (path, own);
        while path != own && path != 0 {
            let (condition, here, outer) = self.paths[path as usize];
            // Conditions have greater numbers than those around them.
            while self.paths[around as usize].0 > condition {
                around = self.paths[around as usize].2;
            }
            let (known, taken, _) = self.paths[around as usize];
            if here != if known == condition { taken } else { branch } {
                return false;
            }
            path = outer;
        }
        true
    }

    /// Reads a statement, of which only the tokens of one branch count. Returns where it ends.
    pub(super) fn statement_of(&mut self, code: &[Token], branch: u32, at: usize, around: Around) -> Option<usize> {
        let mut open = at + 1;
        while code.get(open).is_some_and(|t| t.kind == Kind::Word && is_qualifier(self.word(*t))) {
            open += 1;
        }
        code.get(open).filter(|t| t.kind == Kind::Open)?;
        let mut inside: Vec<Token> = Vec::new();
        let mut depth = 0i32;
        let mut end = open;
        let is_read = |i: usize| {
            around.path.is_none_or(|own| {
                let path = self.path_of.at(i);
                path == own || self.is_taken(path, own, branch)
            })
        };
        let reach = &code[..self.reach(code, open)];
        loop {
            let Some(token) = reach.get(end).copied() else {
                self.n_unclosed += 1;
                return None;
            };
            if is_read(end) {
                match token.kind {
                    Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
                    Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                if end > open {
                    inside.push(token);
                }
            }
            end += 1;
        }
        let span = Span::new(code[at].start, code[end].end);
        // Macros of a macro's body are those that hold where it is used, which is not known: the last ones.
        self.before = if around.path.is_some() { code[at].start } else { u32::MAX };
        let inside: Vec<Item> = inside.into_iter().map(Item::own).collect();
        self.add(code, span, &inside, around, &Declarations::default());
        Some(end + 1)
    }

    /// Up to where the end of a statement is searched whose parenthesis stands at `open`: many that are not closed are not
    /// searched through the whole text each.
    pub(super) fn reach(&self, code: &[Token], open: usize) -> usize {
        let all = code.len();
        if self.n_unclosed < MOST_UNCLOSED { all } else { all.min(open + LONG_STATEMENT) }
    }

    /// Adds the statement whose parentheses hold `inside`. What is not declared around it may be so in `own`.
    pub(super) fn add(&mut self, code: &[Token], span: Span, inside: &[Item], around: Around, own: &Declarations<'a>) {
        let inside = &*self.with_operands(inside);
        let tokens: Vec<Token> = inside.iter().map(|i| i.token).collect();
        let sections = sections(&tokens);
        let template = self.template(&inside[..sections.first().copied().unwrap_or(inside.len())], self.before);
        let ends_open = sections.is_empty() && self.may_hold_operands(inside);
        let is_basic = sections.is_empty() && !(ends_open && template.text.contains('%'));
        let escapes = if is_basic { Escapes::Basic } else { Escapes::Extended };
        let mut statement = RawStatement::new(span, template, escapes);
        self.bind(code, around);
        self.declare(code, around.function);
        statement.operands = if sections.is_empty() {
            (!ends_open).then(Vec::new)
        } else {
            self.operands(inside, &sections, around.function, own)
        };
        self.names.bound = Bound::default();
        statement.function = around.function.map_or(0, |f| f as u32 + 1);
        if let Some(f) = around.function {
            let own = &self.functions[f];
            own.name.clone_into(&mut statement.function_name);
            let is_other = own.size_path.is_some_and(|path| around.path.is_some_and(|here| here != path));
            statement.sub_group = own.sub_group.filter(|_| !is_other);
            statement.is_vector = own.is_vector;
            statement.is_repeated = around.is_loop || !own.is_kernel && own.sub_group.is_none();
        }
        statement.is_vector |= self.file_is_vector;
        statement.is_repeated |= around.is_loop;
        statement.is_conditional = around.is_conditional;
        statement.is_branched = around.is_branch;
        let mut path = around.path.unwrap_or(0);
        while path != 0 {
            let (condition, branch, outer) = self.paths[path as usize];
            statement.conditions.push((condition, branch));
            path = outer;
        }
        self.found.push(statement);
    }

    /// The functions around a place, from the inside.
    fn chain(&self, function: Option<usize>) -> Vec<usize> {
        std::iter::successors(function, |f| self.functions[*f].parent).collect()
    }

    /// Lets the parameters of the templates around a statement stand for what they are given, but in a branch: which of them is
    /// taken may depend on that.
    fn bind(&mut self, code: &[Token], around: Around) {
        if around.is_branch {
            return;
        }
        let Some(function) = around.function else { return };
        self.names.bound = self.functions[function].bound.clone();
        for f in self.chain(around.function).into_iter().rev() {
            if let Some(class) = self.functions[f].class {
                self.names.bind_class(code[class].start);
            }
        }
    }

    /// Reads what the functions and classes around a place declare.
    fn declare(&mut self, code: &[Token], function: Option<usize>) {
        let is_bound = !self.names.bound.is_empty();
        for f in self.chain(function) {
            if !self.declarations.contains_key(&(f, is_bound)) {
                let own = &self.functions[f];
                // Up to the end of its body; what stands behind a use does not count.
                let end = self.index.closing(own.body);
                let found =
                    self.names.declarations(&code[own.header..end], own.is_kernel.then(|| code[own.body].start));
                self.declarations.insert((f, is_bound), found);
            }
            let Some(brace) = self.functions[f].class else { continue };
            if !self.members.contains_key(&(brace, is_bound)) {
                let found = self.names.members(&self.directly_inside(code, brace));
                self.members.insert((brace, is_bound), found);
            }
        }
    }

    /// The tokens behind the brace at `open` up to what closes it, without what inner parentheses and braces hold: these are
    /// not looked at, so that classes in classes cost what their text does.
    fn directly_inside(&self, code: &[Token], open: usize) -> Vec<Token> {
        let mut own = Vec::new();
        let end = self.index.closing(open);
        let mut at = open + 1;
        while at < end {
            own.push(code[at]);
            let close = self.index.closing(at);
            at = if matches!(code[at].kind, Kind::Open | Kind::BraceOpen) { close } else { at + 1 };
        }
        own
    }

    /// What follows the tokens that a prefix without blanks is made of.
    fn behind<'t>(&self, tokens: &'t [Token], mut prefix: &str) -> Option<&'t [Token]> {
        for (i, token) in tokens.iter().enumerate() {
            prefix = prefix.strip_prefix(self.word(*token))?;
            if prefix.is_empty() {
                return Some(&tokens[i + 1..]);
            }
        }
        None
    }

    /// Finds out the type and value of an operand's expression.
    pub(super) fn type_operand(
        &self,
        expression: &[Token],
        function: Option<usize>,
        own: &Declarations<'a>,
        operand: &mut RawOperand,
    ) {
        let chain = self.chain(function);
        let is_bound = !self.names.bound.is_empty();
        let members = chain.iter().filter_map(|f| self.members.get(&(self.functions[*f].class?, is_bound)));
        let functions = chain.iter().filter_map(|f| self.declarations.get(&(*f, is_bound)));
        let mut candidates: Vec<&Declarations> = std::iter::once(own).chain(functions).collect();
        let n_outer = candidates.len();
        candidates.extend(members);
        // `this->value`, whatever else has that name.
        let of_this = ["this->", "(*this)."].into_iter().find_map(|prefix| self.behind(expression, prefix));
        let expression = of_this.unwrap_or(expression);
        // Elsewhere a name may be declared in a way that is not read. Parameters of a macro may be anything in its body.
        let is_number = matches!(operand.constraint.as_deref(), Some("i" | "P" | "n" | "F"))
            && !expression.iter().any(|t| self.parameters.contains(&self.word(*t)));
        if let Some(name) = self.names.constant_name(expression).filter(|_| is_number) {
            operand.host_type = self.names.type_of(name, &self.names.constants);
            operand.value = self.names.value_of(name, &[&self.names.constants]);
            return;
        }
        if of_this.is_none() && is_number && !self.names.hides_constant(expression, &candidates) {
            candidates.push(&self.names.constants);
        }
        let mut scopes = candidates[of_this.map_or(0, |_| n_outer)..].iter().copied();
        operand.host_type = scopes
            .find_map(|d| Some(self.names.type_of(expression, d)).filter(|t| *t != HostType::Open))
            .unwrap_or_else(|| match expression.first() {
                Some(first) if first.kind == Kind::Ampersand => HostType::pointer(),
                _ => HostType::Open,
            });
        operand.host_type = self.names.handed_over(std::mem::take(&mut operand.host_type));
        operand.value = self.names.value_of(expression, &candidates);
        operand.is_per_lane = candidates.iter().take(2).any(|d| self.names.is_per_lane(expression, d));
    }
}

/// Where the colons at the outermost level stand; `::` counts twice.
fn sections(tokens: &[Token]) -> Vec<usize> {
    let n_colons = |kind| match kind {
        Kind::Colon => 1,
        Kind::Scope => 2,
        _ => 0,
    };
    outermost(tokens).flat_map(|(i, t)| std::iter::repeat_n(i, n_colons(t.kind))).collect()
}
