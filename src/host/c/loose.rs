//! Lines of vISA in strings that no statement is known to take.

use super::brackets::span_of;
use super::branches::Lines;
use super::lexer::{Kind, Role, Token};
use super::part::{self, MOST_CHOICES};
use super::stream::{self, Added};
use super::written::{FOR_PEOPLE, PRINTED};
use super::{Function, Reader, sum, target};
use crate::base::span::Span;
use crate::host::kernel;
use crate::host::loose::{self, End, Words};
use crate::host::map::Mapped;
use crate::host::placeholder::{without_marks, without_numbers};
use crate::host::statement::RawStatement;

/// Tokens before a literal in which the call is looked for that it is an argument of.
const MOST_BEFORE: usize = 24;

/// What statements add, as one text.
fn joined(all: &[(usize, Added)]) -> Mapped {
    let mut whole = Mapped::default();
    for (_, added) in all {
        whole.push_part(&added.text, Span::new(0, added.text.text.len() as u32));
    }
    whole
}

/// Tokens of statements behind each other that are read for each of the texts among which the program chooses.
const MOST_CHOSEN: usize = 256;

/// A call that is a statement: where its name, its parentheses and what closes them stand.
struct Call<'a> {
    begin: usize,
    open: usize,
    close: usize,
    name: &'a str,
}

/// Whether a parenthesis closes a statement.
fn ends_call(code: &[Token], close: usize) -> bool {
    code.get(close).is_some_and(|t| t.kind == Kind::Close)
        && code.get(close + 1).is_some_and(|t| t.kind == Kind::Semicolon)
}

impl<'a> Reader<'a> {
    /// Adds the lines in literals of the text, and of macros, that are part of no statement so far, nor of `sources`.
    pub(super) fn loose(&mut self, code: &[Token], sources: &[Mapped]) {
        let templates = self.found.iter().map(|s| &s.template).chain(sources);
        let mut taken: Vec<u32> = templates.flat_map(Mapped::host_starts).collect();
        taken.sort_unstable();
        let put_together = self.loose_additions(code, &taken);
        taken.extend(put_together);
        taken.sort_unstable();
        let candidates = std::mem::take(&mut self.candidates);
        self.loose_in(code, candidates.into_iter(), &taken);
        let mut bodies: Vec<(usize, usize)> = self.macros.values().flatten().map(|m| m.body).collect();
        bodies.sort_unstable();
        for (from, to) in bodies {
            let body = &self.directives[from..to];
            if !body.iter().any(|t| self.is_of_visa(*t)) && !self.names_visa(body) {
                continue;
            }
            let body = body.to_vec();
            let literals = (0..body.len()).filter(|at| body[*at].is_literal());
            self.loose_in(&body, literals, &taken);
        }
    }

    /// Adds the lines that statements put behind a text: `os << "..." << n << "\n"`. Those of statements behind each other are
    /// one text, if it is lines; else each is one. Returns where their literals begin.
    fn loose_additions(&mut self, code: &[Token], taken: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut lines = Lines::default();
        for begin in std::mem::take(&mut self.additions) {
            let begin = begin as usize;
            if begin < at {
                continue;
            }
            lines.go_on(self.text, code, begin);
            let mut before = (Vec::new(), false);
            // Of texts among which the program chooses, each is one.
            for choice in 0..MOST_CHOICES {
                self.constants.begin_choice(choice);
                let Some(all) = self.additions_from(code, begin) else { break };
                at = all[all.len() - 1].1.end;
                if choice == 0 {
                    let n_choices = self.constants.n_choices();
                    // With a hole for each choice.
                    self.constants.end_choices();
                    let plain = if n_choices > 0 { self.additions_from(code, begin) } else { None };
                    let plain = plain.as_ref().unwrap_or(&all);
                    before = lines.add(code, (begin, at), self.word(all[0].1.name), &joined(plain), all[0].1.begins);
                    if n_choices > 0 && before.1 {
                        before = Default::default();
                    }
                    self.constants.begin_choice(choice);
                    self.constants.choose(n_choices);
                }
                let n_choices = self.constants.n_choices();
                let is_long = n_choices > 0 && at - begin > MOST_CHOSEN;
                // Of many statements each is one, with what the program chooses in it.
                let own: Vec<usize> =
                    all.iter().filter(|(_, a)| is_long && a.has_choice).map(|(from, _)| *from).collect();
                if choice > 0 {
                    self.expansion.spend(&joined(&all));
                }
                self.loose_group(code, all, (choice, &before), taken, &mut found);
                for from in own {
                    self.loose_choices(code, from);
                }
                if is_long || choice + 1 >= n_choices || self.expansion.is_over() {
                    break;
                }
            }
            self.constants.end_choices();
        }
        found
    }

    /// Adds the lines of one statement, for each of the texts among which the program chooses in it.
    fn loose_choices(&mut self, code: &[Token], from: usize) {
        for choice in 0..MOST_CHOICES {
            self.constants.begin_choice(choice);
            let Some(added) = stream::added(self.text, code, from, &self.constants) else { break };
            let n_choices = self.constants.n_choices();
            self.loose_text(&added.text, span_of(&code[from..added.end]), Some(self.word(added.name)));
            if choice + 1 >= n_choices {
                break;
            }
        }
        self.constants.end_choices();
    }

    /// The statements from `begin` on that put something behind one text, each with where it begins.
    fn additions_from(&self, code: &[Token], begin: usize) -> Option<Vec<(usize, Added)>> {
        let first = stream::added(self.text, code, begin, &self.constants)?;
        let name = self.word(first.name);
        let mut whole = first.text.clone();
        let mut words = Words::default();
        let mut all = vec![(begin, first)];
        // What follows a branch without braces is no part of it.
        let is_branch = begin.checked_sub(1).is_some_and(|before| {
            code[before].kind == Kind::Close || code[before].kind == Kind::Word && code[before].role == Role::Leading
        });
        let is_branch = is_branch && !whole.text.ends_with('\n');
        loop {
            let at = all[all.len() - 1].1.end;
            let next = stream::added(self.text, code, at, &self.constants);
            let mut is_next = |next: &Added| {
                !next.begins
                    && self.word(next.name) == name
                    && !(next.is_item && words.declares_again(&whole.text, &next.text.text))
            };
            let Some(next) = next.filter(|next| !is_branch && is_next(next)) else { return Some(all) };
            whole.push_part(&next.text, Span::new(0, next.text.text.len() as u32));
            all.push((at, next));
        }
    }

    /// Adds the lines of statements that put something behind one text. What is `taken` is read by itself for each text among
    /// which the program chooses there. Where their literals begin goes to `found`.
    fn loose_group(
        &mut self,
        code: &[Token],
        all: Vec<(usize, Added)>,
        (choice, (before, is_branched)): (usize, &(Vec<Mapped>, bool)),
        taken: &[u32],
        found: &mut Vec<u32>,
    ) {
        let name = self.word(all[0].1.name);
        if FOR_PEOPLE.contains(&name) {
            return;
        }
        let span = span_of(&code[all[0].0..all[all.len() - 1].1.end]);
        let whole = joined(&all);
        let is_taken = |(from, addition): &(usize, Added)| holds_any(span_of(&code[*from..addition.end]), taken);
        let (known, all): (Vec<_>, Vec<_>) = all.into_iter().partition(is_taken);
        // Each of the lines that branches have begun goes on with it.
        let mut is_line = false;
        for line in before.iter().filter(|_| known.is_empty() || *is_branched) {
            let mut line = line.clone();
            line.push_part(&whole, Span::new(0, whole.text.len() as u32));
            is_line |= self.loose_text(&line, span, Some(name));
        }
        for (from, Added { text, end, .. }) in known.into_iter().filter(|(_, addition)| addition.has_choice) {
            self.loose_text(&text, span_of(&code[from..end]), Some(name));
        }
        if all.is_empty() {
            return;
        }
        let span = span_of(&code[all[0].0..all[all.len() - 1].1.end]);
        let whole = joined(&all);
        if is_line || self.loose_text(&whole, span, Some(name)) {
            found.extend(all.into_iter().flat_map(|(_, addition)| addition.literals));
            return;
        }
        for (from, Added { text, literals, end, has_choice, .. }) in all {
            if (choice == 0 || has_choice) && self.loose_text(&text, span_of(&code[from..end]), Some(name)) {
                found.extend(literals);
            }
        }
    }

    /// Adds the lines of a text that is put together; `name` is what it is put behind. Returns whether there are some.
    pub(super) fn loose_text(&mut self, text: &Mapped, span: Span, name: Option<&str>) -> bool {
        let quoted = quoted(self.text, text);
        let is_nested = quoted.is_some();
        let mut lines = Mapped::default();
        let text = quoted.as_ref().unwrap_or(text);
        let unmarked = without_marks(self.text, text);
        super::generator::formatted(self.text, unmarked.as_ref().unwrap_or(text), &mut lines);
        if let Some(kernel) = whole(&lines, span) {
            self.found.push(kernel);
            return true;
        }
        if !loose::is_lines(&lines.text) || name.is_some_and(|name| PRINTED.contains(&name)) && !is_nested {
            return false;
        }
        self.functions.push(Function::of_macro("", self.file_is_vector));
        let mut statement = loose::statement(&lines, span, End::Unknown, self.functions.len() as u32);
        statement.is_nested = is_nested;
        self.found.push(statement);
        true
    }

    /// Adds the lines in the literals of a part of the text, which stand at `literals`.
    fn loose_in(&mut self, code: &[Token], literals: impl Iterator<Item = usize>, taken: &[u32]) {
        let mut at = 0;
        // Where the calls end that were read as one behind the other.
        let mut end_of_calls = 0;
        for literal in literals {
            if literal < at {
                continue;
            }
            at = literal;
            if let Some(end) = self.loose_sum(code, at, taken) {
                at = end;
                continue;
            }
            let items = items(code, at);
            let before = at.checked_sub(1).map(|i| code[i]);
            let end = items.last().map_or(at + 1, |(_, end)| *end);
            let begins = before.is_none_or(|t| self.begins_value(code, t, at));
            at = end;
            // What a macro of the file makes of it is read there, or nothing.
            if !begins || before.is_some_and(|_| self.is_made_of(self.callee(code, items[0].0))) {
                continue;
            }
            if let [(from, to)] = items[..]
                && from >= end_of_calls
                && let Some((end, is_added)) = self.emitted(code, from, to, taken)
            {
                end_of_calls = end;
                if is_added {
                    at = end;
                    continue;
                }
            }
            if let [(from, to)] = items[..]
                && code[from].of(self.text).contains(".version")
                && let literals = self.literals_at(code, from).1
                && let Some(kernel) =
                    whole(without_marks(self.text, &literals).as_ref().unwrap_or(&literals), span_of(&code[from..to]))
            {
                self.found.push(kernel);
                continue;
            }
            if items.iter().all(|(from, to)| holds_any(span_of(&code[*from..*to]), taken)) {
                continue;
            }
            let texts: Vec<Option<Mapped>> = items.iter().map(|(from, to)| self.item(code, *from, *to)).collect();
            let is_list = items.len() > 1 && texts.iter().all(Option::is_some);
            if is_list && self.scope_of_items(code, &items, &texts, taken) {
                continue;
            }
            for ((from, to), text) in items.into_iter().zip(texts) {
                let span = span_of(&code[from..to]);
                let Some(text) = text.filter(|text| !holds_any(span, taken) && loose::is_lines(&text.text)) else {
                    continue;
                };
                self.functions.push(Function::of_macro("", self.file_is_vector));
                let function = self.functions.len() as u32;
                let last = match code.get(to).map(|t| t.kind) {
                    _ if is_list || self.is_emitted(code, from, to) => End::Line,
                    None | Some(Kind::Semicolon | Kind::Comma | Kind::Close | Kind::Colon | Kind::BraceClose) => {
                        End::Unknown
                    }
                    Some(_) => End::Continued,
                };
                self.found.push(loose::statement(&text, span, last, function));
            }
        }
    }

    /// Adds the lines of the sum, or of the pieces that a call writes, that the literal at `at` is a part of. Returns where it
    /// ends.
    fn loose_sum(&mut self, code: &[Token], at: usize, taken: &[u32]) -> Option<usize> {
        let is_macro = self.macros.contains_key(self.callee(code, at));
        let mut end = None;
        for choice in 0..MOST_CHOICES {
            self.constants.begin_choice(choice);
            let pieces = || sum::pieces(self.text, code, at, &self.constants).filter(|_| !is_macro);
            let Some(sum) = sum::read(self.text, code, at, &self.constants).or_else(pieces) else { break };
            end = Some(sum.end);
            if holds_any(sum.span, taken) {
                break;
            }
            self.loose_text(&sum.text, sum.span, None);
            if choice + 1 >= self.constants.n_choices() {
                break;
            }
        }
        self.constants.end_choices();
        end
    }

    /// Adds the lines that the items of a list are, if together they are one scope. Returns whether they are.
    fn scope_of_items(
        &mut self,
        code: &[Token],
        items: &[(usize, usize)],
        texts: &[Option<Mapped>],
        taken: &[u32],
    ) -> bool {
        let ([(from, _), .., (_, to)], [Some(first), ..]) = (items, texts) else { return false };
        if !first.text.trim_start().starts_with('{') {
            return false;
        }
        let mut whole = Mapped::default();
        for (text, (_, end)) in texts.iter().flatten().zip(items) {
            whole.push_part(text, Span::new(0, text.text.len() as u32));
            if !text.text.ends_with('\n') {
                whole.push_atom("\n", Span::at(code[end - 1].end));
            }
        }
        let span = span_of(&code[*from..*to]);
        if !loose::is_scope(&whole.text) || holds_any(span, taken) {
            return false;
        }
        self.functions.push(Function::of_macro("", self.file_is_vector));
        let statement = loose::statement(&whole, span, End::Line, self.functions.len() as u32);
        self.found.push(statement);
        true
    }

    /// Whether a macro of the file may make something else of a literal: it does not only hand it on to a function.
    fn is_made_of(&mut self, name: &'a str) -> bool {
        let Some(definitions) = self.macros.get(name) else { return false };
        if let Some(known) = self.handing_on.get(name) {
            return !known;
        }
        let is_handing_on = definitions.iter().all(|definition| {
            let names = self.parameters_of(definition.parameters);
            let body = &self.directives[definition.body.0..definition.body.1];
            let word = |token: &Token| token.of(self.text);
            let mut uses = body.iter().enumerate().filter(|(_, t)| names.contains(&word(t))).peekable();
            // `fprintf(out, format "\n", ##__VA_ARGS__)`
            let is_blank = |t: &&Token| {
                let inside = word(t).trim_matches('"').replace("\\n", "").replace("\\t", "");
                t.kind == Kind::Text && inside.trim().is_empty()
            };
            let is_argument = |(i, _): (usize, &Token)| {
                let mut before = body[..i].iter().rev().skip_while(is_blank);
                let mut behind = body[i + 1..].iter().skip_while(is_blank);
                let first = before.next().filter(|t| t.kind != Kind::Paste).or_else(|| before.next());
                // `code += line "\n"`
                let is_added = first.is_some_and(|t| t.kind == Kind::Equal)
                    && before.next().is_some_and(|t| t.kind == Kind::Other && word(t) == "+");
                (is_added || first.is_some_and(|t| matches!(t.kind, Kind::Open | Kind::Comma | Kind::Less)))
                    && behind.next().map_or(is_added, |t| {
                        matches!(t.kind, Kind::Close | Kind::Comma | Kind::Less | Kind::Semicolon)
                    })
            };
            let is_message =
                |t: &Token| FOR_PEOPLE.contains(&word(t)) || PRINTED.contains(&word(t)) || target::is_message(word(t));
            !definition.holds_asm && uses.peek().is_some() && uses.all(is_argument) && !body.iter().any(is_message)
        });
        let is_handing_on = is_handing_on && !target::is_message(name);
        self.handing_on.insert(name, is_handing_on);
        !is_handing_on
    }

    /// Whether a literal is all that a call is given, and the same is called behind or before it with another line that does not
    /// end itself: so each call ends its own.
    fn is_emitted(&self, code: &[Token], from: usize, to: usize) -> bool {
        let Some(call) = self.call_around(code, from, to) else { return false };
        let is_line = |at: usize| {
            let text = self.lines_at(code, at).map(|lines| lines.text).unwrap_or_default();
            loose::is_lines(&text) && !text.ends_with('\n')
        };
        let is_line_of = |argument: Option<usize>| argument.is_some_and(is_line);
        is_line(from) && (is_line_of(self.next_call(code, &call)) || is_line_of(self.call_before(code, &call)))
    }

    /// The call that is a statement, if the literals from `from` up to `to` are all that it is given.
    fn call_around(&self, code: &[Token], from: usize, to: usize) -> Option<Call<'a>> {
        let open = from.checked_sub(1).filter(|open| code[*open].kind == Kind::Open)?;
        let (begin, name) = self.callee_before(code, open);
        (begin < open && ends_call(code, to)).then_some(Call { begin, open, close: to, name })
    }

    /// What is called with the parenthesis at `open`, and where its name begins.
    fn callee_before(&self, code: &[Token], open: usize) -> (usize, &'a str) {
        let is_path = |t: &&Token| matches!(t.kind, Kind::Word | Kind::Scope | Kind::Dot | Kind::Arrow);
        let n = code[..open].iter().rev().take(MOST_BEFORE).take_while(is_path).count();
        (open - n, span_of(&code[open - n..open]).of(self.text))
    }

    /// Where the argument begins of the same call in the statement behind one.
    fn next_call(&self, code: &[Token], call: &Call) -> Option<usize> {
        let open = call.close + 2 + (call.open - call.begin);
        let is_next =
            code.get(open).is_some_and(|t| t.kind == Kind::Open) && self.callee_before(code, open).1 == call.name;
        is_next.then_some(open + 1)
    }

    /// Where the argument begins of the same call in the statement before one.
    fn call_before(&self, code: &[Token], call: &Call) -> Option<usize> {
        let close = call.begin.checked_sub(2).filter(|close| ends_call(code, *close))?;
        let mut depth = 0;
        let open = (close.saturating_sub(MOST_BEFORE)..=close).rev().find(|i| {
            depth += stream::bracket(code[*i].kind);
            depth == 0
        })?;
        (self.callee_before(code, open).1 == call.name).then_some(open + 1)
    }

    /// Adds the lines that calls emit one behind the other, of which the first one is given the literals from `from` up to `to`,
    /// if one of them is a line only beside the others. Returns where they end, and whether they were added; nothing if they
    /// are no such calls, or do not begin here.
    fn emitted(&mut self, code: &[Token], from: usize, to: usize, taken: &[u32]) -> Option<(usize, bool)> {
        let first = self.call_around(code, from, to)?;
        if self.call_before(code, &first).is_some() {
            return None;
        }
        let mut lines = Mapped::default();
        let (mut call, mut at, mut n) = (Some(first), from, 0);
        let mut end = to;
        while let Some(here) = call {
            let Some(text) = self.lines_at(code, at) else { break };
            lines.push_part(&text, Span::new(0, text.text.len() as u32));
            if !text.text.ends_with('\n') {
                lines.push_atom("\n", Span::at(code[here.close].start));
            }
            (end, n) = (here.close, n + 1);
            let next = self.next_call(code, &here).filter(|next| is_text(code, *next));
            call = next.and_then(|next| {
                at = next;
                self.call_around(code, next, next + (next..code.len()).take_while(|i| is_text(code, *i)).count())
            });
        }
        let span = span_of(&code[from..end]);
        let is_program = n > 2 && loose::has_misspelt(&lines.text) && loose::is_lines(&lines.text);
        let is_added = is_program && !holds_any(span, taken);
        if is_added {
            self.functions.push(Function::of_macro("", self.file_is_vector));
            self.found.push(loose::statement(&lines, span, End::Line, self.functions.len() as u32));
        }
        Some((end, is_added))
    }

    /// Whether the literal at `at` is given to a function that puts arguments in the places of `$0` and so on.
    pub(super) fn is_substituted(&self, code: &[Token], at: usize) -> bool {
        self.callee(code, at).starts_with("Substitute")
    }

    /// The name before the parenthesis that the literal at `at` stands in.
    pub(super) fn callee(&self, code: &[Token], at: usize) -> &'a str {
        let mut depth = 0i32;
        for i in (at.saturating_sub(MOST_BEFORE)..at).rev() {
            match code[i].kind {
                Kind::Close => depth += 1,
                Kind::Open if depth == 0 => return i.checked_sub(1).map_or("", |i| self.word(code[i])),
                Kind::Open => depth -= 1,
                Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose => return "",
                _ => {}
            }
        }
        ""
    }

    /// The text of an item of a list, if it may be lines of vISA.
    fn item(&self, code: &[Token], from: usize, to: usize) -> Option<Mapped> {
        let own = &code[from..to];
        if own.iter().all(|t| t.is_literal()) {
            return self.lines_at(code, from);
        }
        let mut text = Mapped::default();
        let is_plus = |i: usize| own[i].kind == Kind::Other && own[i].of(self.text) == "+";
        stream::append(self.text, &part::parts(self.text, own, is_plus), &self.constants, &mut text);
        loose::may_be_lines(&text.text).then_some(text)
    }

    /// The text of the literals at `from`, if it may be lines of vISA.
    fn lines_at(&self, code: &[Token], from: usize) -> Option<Mapped> {
        let (end, joined) = self.literals_at(code, from);
        // `absl::Substitute("mov (M1, $0) ...", n)`, `QString("mov (M1, %1) ...").arg(n)`
        let is_method = |end: usize| {
            code.get(end).is_some_and(|t| t.kind == Kind::Dot)
                && code.get(end + 1).is_some_and(|t| t.is(self.text, "arg"))
        };
        let joined = if self.is_substituted(code, from) {
            without_numbers(self.text, &joined, '$').unwrap_or(joined)
        } else if is_method(end) || code.get(end).is_some_and(|t| t.kind == Kind::Close) && is_method(end + 1) {
            without_numbers(self.text, &joined, '%').unwrap_or(joined)
        } else {
            joined
        };
        let is_format = stream::is_format(self.text, &code[..from]) || stream::has_conversion(&joined.text);
        let joined = if is_format { stream::printed(self.text, &joined) } else { joined };
        let mut text = Mapped::default();
        let joined = without_marks(self.text, &joined).unwrap_or(joined);
        super::generator::formatted(self.text, &joined, &mut text);
        loose::may_be_lines(&text.text).then_some(text)
    }
}

/// The text of string literals that a text consists of: lines of a source that is written in parts.
pub(in crate::host) fn quoted(host: &str, text: &Mapped) -> Option<Mapped> {
    let written = text.text.trim();
    if !written.starts_with('"') || !written.ends_with('"') {
        return None;
    }
    let tokens = super::lexer::tokens(&text.text, 0, |_| {});
    let mut inside = Mapped::default();
    for token in &tokens {
        if token.kind != Kind::Text {
            return None;
        }
        super::literal::append(&text.text, *token, &mut inside);
    }
    Some(inside.through(text, host))
}

/// A text as a kernel, if it is one from its version on.
fn whole(text: &Mapped, span: Span) -> Option<RawStatement> {
    let is_kernel = text.text.trim_start().starts_with(".version");
    is_kernel.then(|| kernel::statement(text.clone(), span)).flatten()
}

/// Whether one of some places, which are in order, lies inside of a span.
fn holds_any(span: Span, places: &[u32]) -> bool {
    places.get(places.partition_point(|at| *at < span.start)).is_some_and(|at| *at < span.end)
}

fn is_text(code: &[Token], at: usize) -> bool {
    code.get(at).is_some_and(|t| t.is_literal())
}

/// The items of a list of literals, and sums that begin with one, of which the first begins at `at`: where each begins and ends.
fn items(code: &[Token], at: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut from = at;
    loop {
        let n = (from..code.len()).take_while(|i| is_text(code, *i)).count();
        let ends = |t: &Token| matches!(t.kind, Kind::Comma | Kind::Semicolon);
        let is_sum = !all.is_empty() && code.get(from + n).is_some_and(|t| t.kind == Kind::Other);
        let mut depth = 0i32;
        let near = code.get(from + n..code.len().min(from + n + MOST_ITEM)).unwrap_or_default();
        let behind = near.iter().position(|t| {
            depth += stream::bracket(t.kind);
            depth < 0 || depth == 0 && ends(t)
        });
        let end = from + n + if is_sum { behind.unwrap_or(0) } else { 0 };
        all.push((from, end));
        if code.get(end).is_none_or(|t| t.kind != Kind::Comma) || !is_text(code, end + 1) {
            return all;
        }
        from = end + 1;
    }
}

/// Tokens of an item of a list that are read.
const MOST_ITEM: usize = 128;
