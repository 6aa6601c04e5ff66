//! One asm statement: its template and its operands, with what the text around says of their types.

use super::Reader;
use super::lexer::{Kind, Token};
use super::types::{Declarations, closing, span_of};
use crate::base::span::Span;
use crate::host::statement::{Escapes, HOLE, HostType, RawOperand, RawStatement, Value, WIDE_HOLE};

impl Reader<'_> {
    /// Reads the statement at `at` of the text proper: once for each branch of an `#if` inside it, at most twice.
    pub(super) fn statement(
        &mut self,
        code: &[Token],
        at: usize,
        function: Option<usize>,
        is_loop: bool,
        is_conditional: bool,
    ) -> Option<usize> {
        let own = self.path_of[at];
        let end = self.statement_of(code, Some((own, 0)), at, function, is_loop, is_conditional)?;
        let has_branches = self.path_of[at..end.min(code.len())].iter().any(|p| *p != own);
        if has_branches {
            self.statement_of(code, Some((own, 1)), at, function, is_loop, is_conditional);
        }
        Some(end)
    }

    /// Whether a token is read if of each `#if` inside the statement, which stands under `own`, the given branch is taken.
    fn is_taken(&self, path: u32, own: u32, branch: u32) -> bool {
        let mut path = path;
        while path != own && path != 0 {
            let (_, here, outer) = self.paths[path as usize];
            if here != branch {
                return false;
            }
            path = outer;
        }
        true
    }

    /// Reads a statement, of which only the tokens of one branch count. Returns where it ends.
    pub(super) fn statement_of(
        &mut self,
        code: &[Token],
        branches: Option<(u32, u32)>,
        at: usize,
        function: Option<usize>,
        is_loop: bool,
        is_conditional: bool,
    ) -> Option<usize> {
        let mut open = at + 1;
        while code.get(open).is_some_and(|t| {
            t.kind == Kind::Word
                && matches!(self.word(*t), "volatile" | "__volatile__" | "__volatile" | "inline" | "goto" | "const")
        }) {
            open += 1;
        }
        code.get(open).filter(|t| t.kind == Kind::Open)?;
        let mut inside: Vec<Token> = Vec::new();
        let mut depth = 0i32;
        let mut end = open;
        let is_read = |i: usize| match branches {
            Some((own, branch)) => self.path_of[i] == own || self.is_taken(self.path_of[i], own, branch),
            None => true,
        };
        loop {
            let token = *code.get(end)?;
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
        let sections = sections(&inside);
        // Macros of a macro's body are those that hold where it is used, which is not known: the last ones.
        self.before = if branches.is_some() { code[at].start } else { u32::MAX };
        let template = self.template(&inside[..sections.first().copied().unwrap_or(inside.len())], self.before);
        let escapes = if sections.is_empty() { Escapes::Basic } else { Escapes::Extended };
        let mut statement = RawStatement::new(span, template, escapes);
        statement.operands =
            if sections.is_empty() { Some(Vec::new()) } else { self.operands(code, &inside, &sections, function) };
        let own = function.map(|f| self.functions[f].clone());
        statement.function = function.map_or(0, |f| f as u32 + 1);
        if let Some(own) = &own {
            own.name.clone_into(&mut statement.function_name);
            statement.sub_group = own.sub_group;
            statement.is_vector = own.is_vector;
            statement.is_repeated = is_loop || !own.is_kernel && own.sub_group.is_none();
        }
        statement.is_vector |= self.file_is_vector;
        statement.is_repeated |= is_loop;
        statement.is_conditional = is_conditional;
        if let Some((path, _)) = branches {
            let mut path = path;
            while path != 0 {
                let (condition, branch, outer) = self.paths[path as usize];
                statement.conditions.push((condition, branch));
                path = outer;
            }
        }
        self.found.push(statement);
        Some(end + 1)
    }

    /// The operands between the colons; nothing if they cannot be told.
    fn operands(
        &mut self,
        code: &[Token],
        inside: &[Token],
        sections: &[usize],
        function: Option<usize>,
    ) -> Option<Vec<RawOperand>> {
        let mut all = Vec::new();
        for (index, start) in sections.iter().enumerate().take(2) {
            let end = sections.get(index + 1).copied().unwrap_or(inside.len());
            let list = &inside[(start + 1).min(end)..end];
            for item in split(list) {
                all.push(self.operand(code, item, index == 0, function)?);
            }
        }
        Some(all)
    }

    /// `[name] "constraint" (expression)`
    fn operand(
        &mut self,
        code: &[Token],
        tokens: &[Token],
        is_output: bool,
        function: Option<usize>,
    ) -> Option<RawOperand> {
        let mut operand = RawOperand { is_output, ..RawOperand::default() };
        let mut rest = tokens;
        if let [open, name, close, ..] = rest
            && open.kind == Kind::BracketOpen
            && close.kind == Kind::BracketClose
        {
            operand.name = Some(self.word(*name).to_owned());
            rest = &rest[3..];
        }
        let open = rest.iter().position(|t| t.kind == Kind::Open)?;
        if closing(rest, open)? != rest.len() - 1 || open == 0 {
            return None;
        }
        operand.constraint_span = span_of(&rest[..open]);
        let constraint = self.template(&rest[..open], self.before).text;
        if !constraint.contains([HOLE, WIDE_HOLE]) {
            operand.constraint = Some(constraint);
        }
        let expression = &rest[open + 1..rest.len() - 1];
        operand.expression = span_of(expression);
        self.type_operand(code, expression, function, &mut operand);
        Some(operand)
    }

    /// Finds out the type and value of an operand's expression.
    fn type_operand(
        &mut self,
        code: &[Token],
        expression: &[Token],
        function: Option<usize>,
        operand: &mut RawOperand,
    ) {
        let mut chain = Vec::new();
        let mut next = function;
        while let Some(f) = next {
            chain.push(f);
            next = self.functions[f].parent;
        }
        for f in &chain {
            if !self.declarations.contains_key(f) {
                let own = &self.functions[*f];
                // Up to the end of its body; what stands behind a use does not count.
                let end = closing(code, own.body).unwrap_or(code.len());
                let found =
                    self.names.declarations(&code[own.header..end], own.is_kernel.then(|| code[own.body].start));
                self.declarations.insert(*f, found);
            }
        }
        let classes: Vec<usize> = chain.iter().filter_map(|f| self.functions[*f].class).collect();
        for brace in &classes {
            if !self.members.contains_key(brace) {
                let end = closing(code, *brace).unwrap_or(code.len());
                let found = self.names.members(&code[brace + 1..end.max(brace + 1)]);
                self.members.insert(*brace, found);
            }
        }
        let none = Declarations::default();
        let members = classes.iter().filter_map(|brace| self.members.get(brace));
        let candidates: Vec<&Declarations> =
            chain.iter().filter_map(|f| self.declarations.get(f)).chain(members).collect();
        let first = candidates.first().copied().unwrap_or(&none);
        let mut scopes = candidates.iter().copied();
        operand.host_type = scopes
            .find_map(|d| Some(self.names.type_of(expression, d)).filter(|t| *t != HostType::Open))
            .unwrap_or_default();
        operand.value = candidates
            .iter()
            .map(|d| self.names.value_of(expression, d))
            .find(|v| *v != Value::Open)
            .unwrap_or_else(|| self.names.value_of(expression, first));
        operand.is_per_lane = self.names.is_per_lane(expression, first);
    }
}

/// Where the colons at the outermost level stand; `::` counts twice.
fn sections(tokens: &[Token]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
            Kind::Colon if depth == 0 => found.push(i),
            Kind::Scope if depth == 0 => found.extend([i, i]),
            _ => {}
        }
    }
    found
}
/// The parts between the commas at the outermost level.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0i32, 0);
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
            Kind::Comma if depth == 0 => {
                parts.push(&tokens[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    if from < tokens.len() {
        parts.push(&tokens[from..]);
    }
    parts
}
