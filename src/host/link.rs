//! Names that statements of one function share. Braces scope names within a statement; what is declared outside of them
//! belongs to the function that the compiler makes.

use super::rules::{CAPTURING_NAME, UNSCOPED_DECLARATION};
use super::statement::Escapes;
use super::template::UNIQUE;
use super::{Fragment, Host, loose};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::lower::declaration::DUPLICATE_DECLARATION;
use crate::lower::fragment::OuterVariable;
use crate::lower::scope::{UNBALANCED_SCOPE, UNDECLARED_VARIABLE};
use crate::program::VariableId;
use crate::program::operand::Operand;
use crate::spec::predefined::VariableKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// A declaration of some statement.
struct Declared {
    fragment: usize,
    variable: VariableId,
    /// Whether no brace is open around it.
    is_outermost: bool,
}

/// Looks up names in the other statements of the function, and then of the file.
pub(super) fn link(text: &str, host: &mut Host) {
    let mut by_name: FxHashMap<String, Vec<Declared>> = FxHashMap::default();
    for (index, fragment) in host.fragments.iter().enumerate().filter(|(_, f)| !f.raw.is_kernel) {
        for (variable, is_outermost) in own_variables(fragment) {
            let name = fragment.program.variable_name(variable).to_owned();
            // The number of a statement is its own.
            if name.contains(UNIQUE) {
                continue;
            }
            by_name.entry(name).or_default().push(Declared { fragment: index, variable, is_outermost });
        }
    }
    let used = outer_names(text, host, &by_name);
    let shared: FxHashSet<(usize, String)> = used
        .iter()
        .flat_map(|(names, _)| names.iter().map(|(name, (fragment, _))| (*fragment, name.clone())))
        .collect();
    let mut found = Vec::new();
    for list in by_name.values() {
        let mut outermost: FxHashMap<u32, &Declared> = FxHashMap::default();
        for declared in list {
            let fragment = &host.fragments[declared.fragment];
            let earlier = outermost.get(&fragment.raw.function).copied().filter(|_| declared.is_outermost);
            if let Some(again) = earlier.and_then(|e| declared_again(text, host, e, declared)) {
                found.push(again);
                continue;
            }
            if declared.is_outermost {
                outermost.entry(fragment.raw.function).or_insert(declared);
            }
            found.extend(check_declaration(text, fragment, declared, &shared));
        }
    }
    let parts = parts(host);
    // A fragment that is read again numbers its variables anew: what is said of them is said before.
    let outer: Vec<Vec<OuterVariable>> = used
        .iter()
        .map(|(names, _)| names.iter().map(|(name, declared)| outer_variable(text, host, *declared, name)).collect())
        .collect();
    host.diagnostics.extend(found);
    for (index, mut outer) in outer.into_iter().enumerate() {
        let fragment = &mut host.fragments[index];
        for variable in &mut outer {
            variable.place = fragment.pasted.text.add_place(variable.place);
        }
        let is_part = parts[index] || used[index].1;
        if outer.is_empty() && !is_part {
            continue;
        }
        fragment.prelude.outer = outer;
        fragment.prelude.is_part = is_part;
        fragment.lower_again();
    }
}

/// The variables that a fragment itself declares, and whether no brace is open around each.
fn own_variables(fragment: &Fragment) -> Vec<(VariableId, bool)> {
    let program = &fragment.program;
    let Some(object) = program.objects.iter().next() else { return Vec::new() };
    let text = fragment.text();
    let mut found = Vec::new();
    let (mut n_open, mut at) = (0, 0);
    for id in object.variables.clone().map(VariableId) {
        let place = program.variable_spans[id].name;
        if place.start as usize >= text.len() {
            continue;
        }
        let until = program.variable_spans[id].statement.start.max(at);
        n_open += depth(&text[at as usize..until as usize]);
        at = until;
        found.push((id, n_open <= 0));
    }
    found
}

/// The names of other fragments that one uses, with the fragment and the variable that declare each.
type OuterNames = Vec<(String, (usize, VariableId))>;

/// For each fragment, the names of others that it uses, with their declarations; and whether it uses names of statements
/// that could not be read.
fn outer_names(text: &str, host: &Host, by_name: &FxHashMap<String, Vec<Declared>>) -> Vec<(OuterNames, bool)> {
    let unreadable: FxHashSet<u32> = host
        .fragments
        .iter()
        .filter(|f| f.program.fragment.as_ref().is_some_and(|f| f.hides_names))
        .map(|f| f.raw.function)
        .collect();
    let in_function = |function: u32| unreadable.contains(&function);
    // A part of a program that is written elsewhere may declare what a scope names.
    let is_declared = host.fragments.iter().any(|f| !f.raw.is_scope && loose::declares_unknown(&f.raw.template.text));
    let of_parts: OnceCell<FxHashSet<&str>> = OnceCell::new();
    let is_of_parts = |name: &str| {
        let parts = host.fragments.iter().filter(|f| f.raw.is_kernel);
        let names = |f| own_variables(f).into_iter().map(|(variable, _)| f.program.variable_name(variable));
        of_parts.get_or_init(|| parts.flat_map(names).collect()).contains(name)
    };
    let is_unbalanced: Vec<bool> = host.fragments.iter().map(is_unbalanced).collect();
    let mut labels = OuterLabels { left: OuterLabels::MOST };
    host.fragments
        .iter()
        .enumerate()
        .map(|(index, fragment)| {
            let mut names: Vec<(String, (usize, VariableId))> = Vec::new();
            let mut is_open = false;
            for diagnostic in fragment.program.diagnostics.iter().filter(|d| d.rule == &UNDECLARED_VARIABLE) {
                let name = diagnostic.primary.span.of(fragment.text());
                if names.iter().any(|(n, _)| n == name) {
                    continue;
                }
                let listed = || by_name.get(name).into_iter().flatten();
                let place = |d: &Declared| {
                    let fragment = &host.fragments[d.fragment];
                    fragment.place(text, fragment.program.variable_spans[d.variable].name)
                };
                // Another use of the same macro declares what this one does.
                let own: Vec<Span> = listed().filter(|d| d.fragment == index).map(place).collect();
                let elsewhere = |d: &&Declared| d.fragment != index && !own.contains(&place(d));
                let all = listed().filter(elsewhere);
                let same = |d: &&Declared| host.fragments[d.fragment].raw.function == fragment.raw.function;
                // Braces that the statement closes itself hide what they hold.
                let all = all.filter(|d| d.is_outermost || is_unbalanced[d.fragment]);
                let found = all
                    .clone()
                    .find(same)
                    .or_else(|| all.clone().find(|d| d.is_outermost))
                    .or_else(|| all.clone().next());
                if let Some(declared) = found {
                    names.push((name.to_owned(), (declared.fragment, declared.variable)));
                    continue;
                }
                // Texts of a program may be put together.
                let is_of_part = || fragment.raw.escapes == Escapes::Dollar && is_of_parts(name);
                is_open |= in_function(fragment.raw.function) || fragment.raw.is_scope && is_declared || is_of_part();
            }
            is_open |= fragment.raw.is_scope && labels.are_elsewhere(text, fragment, is_declared);
            (names, is_open)
        })
        .collect()
}

/// Labels that scopes branch to and do not define.
struct OuterLabels {
    /// How many are still looked for in the file.
    left: usize,
}

impl OuterLabels {
    /// Each is searched for in the whole file; of more, nothing is known.
    const MOST: usize = 64;

    /// Whether another text of the file may define a label that a scope branches to: one does so with that name, or with one
    /// that is not known.
    fn are_elsewhere(&mut self, text: &str, fragment: &Fragment, is_declared: bool) -> bool {
        let program = &fragment.program;
        let own: FxHashSet<Symbol> = program.labels.iter().map(|label| label.name).collect();
        program.operands.iter().any(|operand| {
            let Operand::Name { name, .. } = operand else { return false };
            if own.contains(name) {
                return false;
            }
            let name = program.names.name(*name);
            if name.contains(UNIQUE) {
                return false;
            }
            self.left = self.left.saturating_sub(1);
            let mut places = memchr::memmem::find_iter(text.as_bytes(), name.as_bytes());
            is_declared || self.left == 0 || places.any(|at| text[at + name.len()..].starts_with(':'))
        })
    }
}

/// Whether braces of a fragment are open at its end, or may be.
fn is_unbalanced(fragment: &Fragment) -> bool {
    fragment.program.fragment.as_ref().is_none_or(|f| f.hides_names)
        || fragment.program.diagnostics.iter().any(|d| d.rule == &UNBALANCED_SCOPE)
}

fn outer_variable(text: &str, host: &Host, declared: (usize, VariableId), name: &str) -> OuterVariable {
    let fragment = &host.fragments[declared.0];
    let variable = &fragment.program.variables[declared.1];
    let place = fragment.place(text, fragment.program.variable_spans[declared.1].name);
    OuterVariable {
        name: name.to_owned(),
        kind: variable.kind,
        element_type: variable.element_type,
        n_elements: variable.n_elements,
        flags: variable.flags,
        place,
    }
}

/// Which fragments go on with what others of their function begin: scopes that are open at their end, labels that others
/// branch to.
fn parts(host: &Host) -> Vec<bool> {
    let opens = |f: &Fragment| {
        f.program.diagnostics.iter().any(|d| d.rule == &UNBALANCED_SCOPE && d.primary.span.of(f.text()) == "{")
    };
    let closes = |f: &Fragment| {
        f.program.diagnostics.iter().any(|d| d.rule == &UNBALANCED_SCOPE && d.primary.span.of(f.text()) == "}")
    };
    // What is put together of texts is not known.
    let is_begun = OnceCell::new();
    let is_begun = || *is_begun.get_or_init(|| host.fragments.iter().any(|f| f.raw.is_kernel && ends_open(f)));
    let mut open_in: FxHashSet<u32> = FxHashSet::default();
    let mut closed_in: FxHashSet<u32> = FxHashSet::default();
    let mut defined: FxHashMap<(u32, &str), Vec<usize>> = FxHashMap::default();
    for (index, fragment) in host.fragments.iter().enumerate() {
        let function = fragment.raw.function;
        if opens(fragment) {
            open_in.insert(function);
        }
        if closes(fragment) {
            closed_in.insert(function);
        }
        for label in fragment.program.labels.iter() {
            defined.entry((function, fragment.program.names.name(label.name))).or_default().push(index);
        }
    }
    let mut parts = vec![false; host.fragments.len()];
    for (index, fragment) in host.fragments.iter().enumerate() {
        let function = fragment.raw.function;
        let is_text = fragment.raw.escapes == Escapes::Dollar;
        parts[index] |= opens(fragment) && closed_in.contains(&function)
            || closes(fragment) && (open_in.contains(&function) || is_text && is_begun());
        for operand in &fragment.program.operands {
            let Operand::Name { name, .. } = operand else { continue };
            let name = fragment.program.names.name(*name);
            if name.contains(UNIQUE) {
                continue;
            }
            let Some(places) = defined.get(&(function, name)).filter(|p| !p.contains(&index)) else { continue };
            parts[index] = true;
            for place in places {
                parts[*place] = true;
            }
        }
    }
    parts
}

/// Whether more braces are opened in a text than closed.
fn ends_open(fragment: &Fragment) -> bool {
    depth(fragment.text()) > 0
}

/// How many more braces lines open than they close. Braces stand alone or before a statement; those of attributes do not nest.
fn depth(lines: &str) -> i32 {
    let code = lines.split('\n').map(|line| line.split("//").next().unwrap_or(line));
    let code = code.filter(|line| !line.contains("attrs"));
    code.map(|line| line.matches('{').count() as i32 - line.matches('}').count() as i32).sum()
}

/// A name that two statements of one function declare outside of braces.
fn declared_again(text: &str, host: &Host, earlier: &Declared, declared: &Declared) -> Option<Diagnostic> {
    let (first, second) = (&host.fragments[earlier.fragment], &host.fragments[declared.fragment]);
    let is_known = |fragment: &Fragment| fragment.program.fragment.as_ref().is_some_and(|f| !f.is_open);
    let is_together = first.raw.function != 0 && first.is_with(second);
    if earlier.fragment == declared.fragment || !is_together || !is_known(first) || !is_known(second) {
        return None;
    }
    let place = |fragment: &Fragment, variable| fragment.place(text, fragment.program.variable_spans[variable].name);
    // Two uses of one macro.
    if place(first, earlier.variable) == place(second, declared.variable) {
        return None;
    }
    let name = second.program.variable_name(declared.variable);
    let message = format!("`{name}` is declared in another statement of this function already");
    Some(
        Diagnostic::new(&DUPLICATE_DECLARATION, place(second, declared.variable), message)
            .also(place(first, earlier.variable), "first declared here")
            .note("outside of braces, a name belongs to the whole function")
            .help("put each statement in `{` and `}`, or choose another name"),
    )
}

fn check_declaration(
    text: &str,
    fragment: &Fragment,
    declared: &Declared,
    shared: &FxHashSet<(usize, String)>,
) -> Option<Diagnostic> {
    let program = &fragment.program;
    let name = program.variable_name(declared.variable);
    let place: Span = fragment.place(text, program.variable_spans[declared.variable].name);
    let variable = &program.variables[declared.variable];
    let digits = name.strip_prefix('V').filter(|d| d.len() >= 4 && d.bytes().all(|b| b.is_ascii_digit()));
    if digits.is_some() && variable.kind == VariableKind::General {
        let message = format!("`{name}` is a name that the compiler gives to its own variables");
        let note = if declared.is_outermost {
            "where it does, the name is declared twice"
        } else {
            "if an operand has it, the fragment uses its own variable instead, and no compiler reports it"
        };
        return Some(Diagnostic::new(&CAPTURING_NAME, place, message).note(note).help("choose another name"));
    }
    let digits = name.strip_prefix('P').filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
    let is_in_branch = fragment.raw.is_conditional && !fragment.raw.is_optional;
    if digits.is_some() && variable.kind == VariableKind::Predicate && declared.is_outermost && is_in_branch {
        let message = format!("`{name}` is a name that the compiler gives to its own variables");
        return Some(
            Diagnostic::new(&CAPTURING_NAME, place, message)
                .note("the branch around the statement has such a predicate: the name is declared twice")
                .help("choose another name, or put the statement in `{` and `}`"),
        );
    }
    let is_shared = shared.contains(&(declared.fragment, name.to_owned()));
    if !declared.is_outermost
        || is_shared
        || !fragment.raw.is_repeated
        || fragment.program.fragment.as_ref()?.hides_names
    {
        return None;
    }
    let first = own_variables(fragment).into_iter().find(|(_, outermost)| *outermost)?;
    if first.0 != declared.variable {
        return None;
    }
    Some(
        Diagnostic::new(
            &UNSCOPED_DECLARATION,
            place,
            format!("`{name}` is declared outside of braces: a second copy of the statement declares it again"),
        )
        .help("put `{` before the first line and `}` behind the last"),
    )
}
