//! Asm strings in Python: `tl.inline_asm_elementwise(asm, constraints, ...)` and calls of the same kind, and sources of other
//! languages in strings.

mod called;
mod choices;
mod formats;
mod kernels;
mod lists;
mod loose;
mod names;
mod strings;
mod tokens;
mod values;
mod written;

use super::literal::Literal;
use super::llvm::operands;
use super::map::Mapped;
use super::placeholder::without_expressions;
use super::sign;
use super::statement::{Escapes, Expansion, HOLE, HandedOver, MOST_PACKED, Parts, RawStatement, Value, WIDE_HOLE};
use super::{Language, kernel, llvm, mlir, nested};
use crate::base::span::Span;
use crate::spec::Type;
use choices::MOST_CHOICES;
use formats::Formatting;
use kernels::end_of_value;
use names::{Assigned, Given, Put, assigned, functions};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;
use strings::Strings;
use tokens::{Brackets, Kind, Role, Token, holds_asm, may_hold, names_method, parts, tokens};

/// Finds the asm strings of a text behind `from`, and sources of other languages that it holds in strings; comments go to
/// `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let tokens = tokens(text, from, &mut *comment);
    let assigned = assigned(text, &tokens);
    let brackets = Brackets::of(&tokens);
    let functions = functions(text, &tokens, &brackets);
    let expansion = Expansion::of(&text[from..]);
    let sub_group = sub_group(text, &tokens, &assigned);
    let strings = Strings {
        text,
        tokens: &tokens,
        brackets: &brackets,
        assigned: &assigned,
        functions: &functions,
        around: OnceCell::new(),
        rebound: OnceCell::new(),
        handed: OnceCell::new(),
        counters: OnceCell::new(),
        replaced: loose::replaced_words(text, &tokens),
        numbers: RefCell::default(),
        expansion: &expansion,
        lookups: Expansion::of(&text[from..]),
        sub_group,
        choice: Cell::new(0),
        n_choices: Cell::new(1),
        block: Cell::new(None),
    };
    let aliases = aliases(&strings);
    let names_asm = |two: &[Token]| {
        let word = || two[0].span.of(text);
        two[0].kind == Kind::Word
            && two[1].kind == Kind::Open
            && (holds_asm(word()) || word() == "InlineAsm" || aliases.contains(word()))
    };
    let asm_calls: Vec<usize> =
        tokens.windows(2).enumerate().filter(|(_, two)| names_asm(two)).map(|(i, _)| i).collect();
    // A function of the file with such a name that hands nothing on makes a text.
    let takes_text = |name: &str| {
        let Some(Some(function)) = functions.get(name).filter(|_| !name.contains("inline_asm")) else { return true };
        let first = asm_calls.partition_point(|call| *call < function.parameters.end);
        asm_calls.get(first).is_some_and(|call| *call < function.end)
    };
    let mut found = Vec::new();
    // Calls inside of each other, and those that are not closed, are read up to the end of each.
    let reach = Expansion::of(&text[from..]);
    let mut function = (0, "");
    let mut done = 0;
    for i in asm_calls.iter().copied() {
        for two in tokens[done..=i].windows(2).filter(|two| two[0].role == Role::Def && two[1].kind == Kind::Word) {
            function = (function.0 + 1, two[1].span.of(text));
        }
        done = i;
        if !takes_text(tokens[i].span.of(text)) {
            continue;
        }
        let end = brackets.closing(i + 1).unwrap_or(tokens.len());
        if reach.is_over() {
            break;
        }
        reach.spend_steps(end - i);
        // Of texts among which the program chooses, each is one.
        for choice in 0..MOST_CHOICES {
            strings.choice.set(choice);
            strings.n_choices.set(1);
            strings.block.set(None);
            if let Some(mut statement) = call(&strings, i) {
                statement.function = function.0;
                function.1.clone_into(&mut statement.function_name);
                found.push(statement);
            }
            if choice + 1 >= strings.n_choices.get() {
                break;
            }
        }
    }
    kernels::read(&strings, &mut found);
    note_numbers(&strings, &mut found);
    let mut parts = Parts::default();
    parts.append(found);
    sources(&strings, &mut parts, comment);
    let mut loose = loose::read(&strings, &parts.statements);
    note_numbers(&strings, &mut loose);
    parts.append(loose);
    parts.sorted()
}

/// Tells statements where holes stand for numbers.
fn note_numbers(strings: &Strings, found: &mut [RawStatement]) {
    let mut numbers = strings.numbers.take();
    numbers.sort_unstable();
    let numbers: Arc<[u32]> = numbers.into();
    for statement in found {
        statement.numbers = numbers.clone();
    }
}

/// Other names of functions that take asm strings: `NAME = tl.inline_asm_elementwise`, `NAME = partial(..., pack=1)`.
fn aliases<'t>(strings: &Strings<'t>) -> FxHashSet<&'t str> {
    let word = |token: &Token| token.span.of(strings.text);
    let is_path = |path: &[Token]| {
        path.iter().all(|t| matches!(t.kind, Kind::Word | Kind::Dot))
            && path.last().is_some_and(|last| word(last).contains("inline_asm"))
    };
    let is_alias = |given: &Given| {
        let value = &strings.tokens[given.tokens.clone()];
        let begin = value.iter().take(3).position(|t| t.is(strings.text, "partial"));
        match begin.and_then(|at| value.get(at + 2..value.len() - 1)) {
            Some(arguments) => {
                let mut all = parts(arguments);
                let is_named = |part: &[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
                all.next().is_some_and(is_path) && all.all(is_named)
            }
            None => is_path(value),
        }
    };
    let is_only = |given: &[Given]| matches!(given, [only] if only.put == Put::Value && is_alias(only));
    strings.assigned.iter().filter(|(_, given)| is_only(given)).map(|(name, _)| *name).collect()
}

/// Finds the asm statements of sources that are handed to a compiler: of OpenCL C, LLVM IR or MLIR.
fn sources(strings: &Strings, parts: &mut Parts, comment: &mut dyn FnMut(Span)) {
    let (text, tokens) = (strings.text, strings.tokens);
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|t| t.is(text, word));
    let names = |word: &str| may_hold(text, tokens, word) && tokens.iter().any(|t| t.is(text, word));
    let is_jinja = names("jinja2");
    let is_substituted = names("substitute") || names("safe_substitute");
    let mut written = FxHashSet::default();
    for source in written::read(strings, &mut written) {
        match kernel::statement(source.text.clone(), source.span).filter(|_| source.is_whole) {
            Some(kernel) => parts.append(vec![kernel]),
            None => parts.append(nested::read(text, &source.text, comment)),
        }
    }
    // Behind a string or its name.
    let formatting = |at: usize| match () {
        () if ["format", "format_map"].iter().any(|name| names_method(text, tokens, at, name)) => {
            Some(Formatting::Braces(&[]))
        }
        () if is(at, "%") => Some(Formatting::Percent(&[])),
        () => None,
    };
    let mut by_name: Option<FxHashMap<&str, Formatting>> = None;
    let mut depth = 0i32;
    for at in 1..tokens.len() {
        depth += tokens[at - 1].nesting();
        let (Kind::Text { is_raw, is_format, .. }, Some(inside)) = (tokens[at].kind, tokens[at].inside()) else {
            continue;
        };
        let is_value = loose::begins_value(tokens, at, depth);
        let holds_asm = |inside: Span| nested::may_hold(inside.of(text));
        // Of strings side by side only the first one begins a value.
        if !is_value || written.contains(&inside.start) {
            continue;
        }
        let end = at + tokens[at..].iter().map_while(formats::inside).count();
        // What the program puts between strings is known if it is one.
        let is_sum = is(end, "+") && !is_substituted && !strings.expansion.is_over();
        let sum_end = if is_sum { end_of_value(tokens, at) } else { end };
        strings.expansion.spend_steps(sum_end - end);
        if !tokens[at..sum_end].iter().filter_map(formats::inside).any(holds_asm) {
            continue;
        }
        if is_jinja {
            // Which of the lines between statements of the template are there is not known.
            let has_statements = |inside: Span| inside.of(text).contains("{%") || inside.of(text).contains("{#");
            if !tokens[at..end].iter().filter_map(formats::inside).any(has_statements) {
                let mut source = Mapped::default();
                tokens[at..end].iter().for_each(|token| formats::literal(text, *token, Formatting::Plain, &mut source));
                let source = without_expressions(text, &source).unwrap_or(source);
                parts.append(nested::read(text, &source, comment));
            }
            continue;
        }
        if sum_end > end {
            let mut source = Mapped::default();
            strings.append(&tokens[at..sum_end], 0, &mut source);
            parts.append(nested::read(text, &source, comment));
            continue;
        }
        let of_name = || {
            let name = at.checked_sub(2).filter(|_| tokens[at - 1].kind == Kind::Equal)?;
            let names = by_name.get_or_insert_with(|| {
                let is_name = |i: &usize| tokens[*i].kind == Kind::Word;
                let word = |i: usize| tokens[i].span.of(text);
                (0..tokens.len()).filter(is_name).filter_map(|i| Some((word(i), formatting(i + 1)?))).collect()
            });
            names.get(tokens[name].span.of(text)).copied()
        };
        let is_template = at > 1 && tokens[at - 2].is(text, "Template") && tokens[at - 1].kind == Kind::Open;
        let applied = if is_substituted || is_template {
            Formatting::Template(&[])
        } else {
            formatting(end).or_else(of_name).unwrap_or(Formatting::Plain)
        };
        let is_verbatim = end == at + 1 && !is_format && (is_raw || !inside.of(text).contains('\\'));
        if is_verbatim && matches!(applied, Formatting::Plain) {
            let (text, from) = (&text[..inside.end as usize], inside.start as usize);
            match nested::language(inside.of(text)) {
                Some(Language::Llvm) => parts.append(nested::without_fixes(llvm::read(text, from, comment))),
                Some(Language::Mlir) => parts.append(nested::without_fixes(mlir::read(text, from, comment))),
                Some(_) => parts.append(nested::source(text, from, comment)),
                None => {}
            }
            continue;
        }
        let mut source = Mapped::default();
        // What is put in is known where that is done right behind the string.
        let value_end = if formatting(end).is_some() { end_of_value(tokens, at) } else { end };
        let is_known = matches!(applied, Formatting::Plain) || value_end > end && !is_substituted;
        strings.expansion.spend_steps(value_end - end);
        if is_known && !strings.expansion.is_over() {
            strings.choice.set(0);
            strings.append(&tokens[at..value_end], 0, &mut source);
            strings.expansion.spend(&source);
        } else {
            tokens[at..end].iter().for_each(|token| formats::literal(text, *token, applied, &mut source));
        }
        parts.append(nested::read(text, &source, comment));
    }
}

/// The strings of a text, in order.
pub(super) fn literals(text: &str) -> Vec<Literal> {
    let all = tokens(text, 0, |_| {});
    all.iter()
        .filter_map(|token| {
            let Kind::Text { is_raw, is_format, .. } = token.kind else { return None };
            let inside = token.inside()?;
            let is_long = token.span.end >= inside.end + 3;
            Some(Literal { inside, is_raw, is_format, is_long, is_escaped_twice: false })
        })
        .collect()
}

/// The call whose name stands at `name`.
fn call(strings: &Strings, name: usize) -> Option<RawStatement> {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut arguments: Vec<(&str, &[Token])> = Vec::new();
    let mut depth = 0i32;
    let mut from = name + 2;
    let mut end = None;
    for (i, token) in tokens.iter().enumerate().skip(name + 1) {
        depth += token.nesting();
        if depth == 0 || depth == 1 && token.kind == Kind::Comma {
            let part = &tokens[from..i];
            match part {
                [key, equal, value @ ..] if key.kind == Kind::Word && equal.kind == Kind::Equal => {
                    arguments.push((key.span.of(text), value));
                }
                [] => {}
                _ => arguments.push(("", part)),
            }
            from = i + 1;
        }
        if depth == 0 {
            end = Some(token.span.end);
            break;
        }
    }
    let positional = |n: usize| arguments.iter().filter(|(key, _)| key.is_empty()).nth(n).map(|(_, v)| *v);
    let named = |keys: &[&str]| arguments.iter().find(|(key, _)| keys.contains(key)).map(|(_, v)| *v);
    // `InlineAsm(type, "text", "=rw,rw")`: the text is what the list of constraints follows.
    let is_list = |part: &[Token]| {
        let [only] = part else { return false };
        only.inside().is_some_and(|inside| sign::is_constraints(inside.of(text)))
    };
    let is_text = |part: &[Token]| part.iter().all(|t| t.is_text());
    let place = (1..arguments.len()).find(|n| positional(*n).is_some_and(is_list)).map_or(0, |n| n - 1);
    let template = named(&["asm", "asm_str", "asm_string"]).or_else(|| positional(place))?;
    let mut joined = Mapped::default();
    strings.append(template, 0, &mut joined);
    strings.expansion.spend(&joined);
    if joined.text.chars().all(|c| c == WIDE_HOLE) {
        return None;
    }
    let constraints = named(&["constraints", "constraint"]).or_else(|| positional(place + 1));
    // `emit_asm("add", 16)`: what makes a statement of one word is not known.
    let own_name = tokens[name].span.of(text);
    let is_named = own_name.contains("inline_asm") || own_name == "InlineAsm";
    let is_known = is_named || constraints.is_some_and(is_text);
    if !is_known && !joined.text.contains(char::is_whitespace) {
        return None;
    }
    let mut list = Mapped::default();
    if let Some(part) = constraints {
        strings.append(part, 0, &mut list);
    }
    // `asm("...", "...")` takes lines.
    if !is_named && crate::host::loose::is_lines(&list.text) {
        return None;
    }
    let span = Span::new(tokens[name].span.start, end.unwrap_or(tokens[name].span.end));
    let mut statement = RawStatement::new(span, joined, Escapes::Dollar);
    let is_elementwise = tokens[name].span.of(text).contains("elementwise");
    // Each work-item holds several elements, and each group of them gets a copy of the text.
    statement.is_repeated = is_elementwise;
    statement.sub_group = strings.sub_group;
    if list.text.is_empty() || list.text.contains([HOLE, WIDE_HOLE]) {
        return Some(statement);
    }
    let given = |keys: &[&str], n: usize| named(keys).or_else(|| positional(n)).filter(|_| is_elementwise);
    let pack = given(&["pack"], 5).map_or(Some(1), |part| {
        let part = strings.value(part).unwrap_or(part);
        Span::new(part.first()?.span.start, part.last()?.span.end).of(text).parse().ok()
    });
    let outputs = match (given(&["dtype"], 3), pack) {
        (Some(part), Some(pack)) => strings.outputs(part, pack),
        _ => Vec::new(),
    };
    let inputs = match (given(&["args"], 2), pack) {
        (Some(part), Some(pack)) => strings.inputs(part, pack),
        _ => Vec::new(),
    };
    let mut all = operands(&list.text, 0, |index, is_output| {
        let known = if is_output { &outputs } else { &inputs };
        (known.get(index).cloned().unwrap_or_default(), Span::default(), Value::Open)
    });
    let n_values = given(&["args"], 2).and_then(|part| strings.n_items(part)).filter(|_| pack == Some(1));
    statement.handed_over = is_elementwise.then(|| HandedOver {
        list: list.host_span(text, Span::new(0, list.text.len() as u32)),
        n_results: Some(outputs.len()).filter(|n| *n > 0 && pack.is_some_and(|pack| pack <= MOST_PACKED)),
        n_values,
    });
    for operand in &mut all {
        operand.constraint_span = list.host_span(text, operand.constraint_span);
    }
    statement.operands = Some(all);
    Some(statement)
}

/// The element type of a `dtype` by its name; whether it has no sign.
fn element(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "int8" => (Type::B, false),
        "uint8" => (Type::B, true),
        "int16" => (Type::W, false),
        "uint16" => (Type::W, true),
        "int32" => (Type::D, false),
        "uint32" => (Type::D, true),
        "int64" => (Type::Q, false),
        "uint64" => (Type::Q, true),
        "float16" => (Type::HF, false),
        "bfloat16" => (Type::BF, false),
        "float32" => (Type::F, false),
        "float64" => (Type::DF, false),
        name if name.starts_with("float8") => (Type::B, false),
        _ => return None,
    })
}

/// What `threads_per_warp=` or the key `"threads_per_warp"` says, if all its uses say the same: a number, or a name that the
/// file gives one.
fn sub_group(text: &str, tokens: &[Token], assigned: &Assigned) -> Option<u32> {
    const NAME: &str = "threads_per_warp";
    if !may_hold(text, tokens, NAME) {
        return None;
    }
    let mut said = tokens.windows(2).filter_map(|w| {
        if !matches!(w[1].kind, Kind::Equal | Kind::Colon) {
            return None;
        }
        let name = w[0].inside().unwrap_or(w[0].span);
        let is_named = name.end - name.start == NAME.len() as u32 && name.of(text) == NAME;
        if !is_named {
            return None;
        }
        let number = |rest: &str| {
            let rest = rest.trim_start();
            rest[..rest.bytes().take_while(u8::is_ascii_digit).count()].parse::<u32>().ok()
        };
        let rest = text[w[1].span.end as usize..].trim_start();
        let name = &rest[..rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()];
        let named = || match assigned.get(name)?.as_slice() {
            [Given { tokens: value, put: Put::Value, .. }] => {
                let value = tokens.get(value.clone())?;
                Span::new(value.first()?.span.start, value.last()?.span.end).of(text).parse().ok()
            }
            _ => None,
        };
        Some(number(rest).or_else(named))
    });
    let first = said.next()??;
    (matches!(first, 8 | 16 | 32) && said.all(|n| n == Some(first))).then_some(first)
}
