//! Fragments of vISA in host sources: what the operands and the sub-group of the host imply, and the findings of all
//! fragments of a source at places of the source.

pub mod label;
pub mod operand;
pub mod size;
pub mod target;
pub mod unread;
pub mod unset;

use super::common::execution::UNDEFINED_REGISTER;
use super::context::{Context, Options, Sink};
use super::suppression::Suppressions;
use super::table::bytes::OPERAND_OUT_OF_BOUNDS;
use super::{Depth, Outcome, settle, settle_uses};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::host::{Fragment, Host, MANY_FRAGMENTS};
use crate::spec::PlatformSet;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rustc_hash::FxHashMap;

/// Fragments that are checked before their findings are placed in the host.
const PART: usize = 4096;

/// Checks all fragments of a host source, whose byte at `invalid_byte` was not UTF-8, and says what was suppressed.
#[must_use]
pub fn check_host(text: &str, host: &Host, options: &Options, invalid_byte: Option<u32>) -> Outcome {
    check_to(Depth::Execution, text, host, options, invalid_byte)
}

/// Checks all fragments of a host source, but does not execute them.
#[must_use]
pub fn check_host_quickly(text: &str, host: &Host, options: &Options) -> Vec<Diagnostic> {
    check_to(Depth::Text, text, host, options, None).diagnostics
}

fn check_to(depth: Depth, text: &str, host: &Host, options: &Options, invalid_byte: Option<u32>) -> Outcome {
    let all = |options: &Options, settle: fn(&mut Vec<Diagnostic>)| {
        let mut found = findings(text, host, options, depth);
        settle(&mut found);
        if let Some(offset) = invalid_byte.filter(|_| !host.fragments.is_empty()) {
            super::encoding::add_invalid_byte(offset, options, &mut found);
        }
        found
    };
    let Some(suppressions) = Suppressions::of_host(text, host) else {
        return Outcome { diagnostics: all(options, settle), suppressed: Vec::new() };
    };
    let wide = Suppressions::widened(options);
    let elsewhere = || all(&Options { platforms: Some(PlatformSet::ALL), ..wide.clone() }, settle_uses);
    let (mut diagnostics, suppressed) = suppressions.apply(text, options, all(&wide, settle_uses), elsewhere);
    if depth == Depth::Text {
        diagnostics.retain(|d| !super::suppression::needs_all(d.rule));
    }
    settle(&mut diagnostics);
    Outcome { diagnostics, suppressed }
}

fn findings(text: &str, host: &Host, options: &Options, depth: Depth) -> Vec<Diagnostic> {
    let mut sink = Sink::new(options);
    for diagnostic in host.diagnostics.iter().chain(host.fragments.iter().flat_map(|f| &f.pasted.diagnostics)) {
        sink.report(diagnostic.clone());
    }
    label::check(text, host, &mut sink);
    target::check(text, host, &mut sink);
    let mut found = sink.diagnostics;
    let mut values = Vec::new();
    let mut add = |fragment: &Fragment, diagnostics: Vec<Diagnostic>| {
        for diagnostic in diagnostics {
            let value = fragment.value_of_macro(text, diagnostic.primary.span);
            values.extend(value.map(|place| (found.len(), place)));
            found.push(fragment.finding(text, diagnostic));
        }
    };
    // Only so many at a time, so that findings wait in no other form than the last one.
    for some in host.fragments.chunks(PART) {
        if some.len() < MANY_FRAGMENTS {
            for fragment in some {
                add(fragment, of_fragment(fragment, options, depth));
            }
        } else {
            let all: Vec<_> = some.par_iter().map(|f| of_fragment(f, options, depth)).collect();
            for (fragment, diagnostics) in some.iter().zip(all) {
                add(fragment, diagnostics);
            }
        }
    }
    mark_values(&mut found, &values);
    if host.is_patch {
        for diagnostic in &mut found {
            diagnostic.fix = None;
        }
    }
    found
}

/// What is wrong in several uses of one value of a macro is marked in its definition; `values` are findings about all that a
/// macro stands for, with the place of that.
fn mark_values(found: &mut [Diagnostic], values: &[(usize, Span)]) {
    let mut uses: FxHashMap<(&str, &str, Span), (Span, bool)> = FxHashMap::default();
    let is_shared: Vec<bool> = {
        let key = |index: usize, value| (found[index].rule.name, found[index].message.as_str(), value);
        for (index, value) in values {
            let place = found[*index].primary.span;
            let first = uses.entry(key(*index, *value)).or_insert((place, false));
            first.1 |= first.0 != place;
        }
        values
            .iter()
            .map(|(index, value)| uses.get(&key(*index, *value)).is_some_and(|(_, several)| *several))
            .collect()
    };
    for ((index, value), _) in values.iter().zip(is_shared).filter(|(_, is_shared)| *is_shared) {
        let finding = &mut found[*index];
        let place = std::mem::replace(&mut finding.primary.span, *value);
        *finding = finding.clone().used_at(place);
    }
}

/// The findings of one fragment at its own places.
fn of_fragment(fragment: &Fragment, options: &Options, depth: Depth) -> Vec<Diagnostic> {
    let mut found = super::findings(fragment.text(), &fragment.program, options, depth, &mut super::Recall::default());
    // An execution size that is beyond the operands explains what lies beyond them.
    let oversized: Vec<_> =
        found.iter().filter(|d| d.rule == &size::EXEC_SIZE_BEYOND_OPERAND).map(|d| d.primary.span).collect();
    if !oversized.is_empty() {
        let statements = fragment.program.instruction_spans.iter().map(|s| s.statement);
        let faulty: Vec<_> = statements.filter(|s| oversized.iter().any(|o| s.contains(o.start))).collect();
        found.retain(|d| {
            let explained = d.rule == &OPERAND_OUT_OF_BOUNDS || d.rule == &UNDEFINED_REGISTER;
            !(explained && faulty.iter().any(|s| s.contains(d.primary.span.start)))
        });
    }
    found
}

/// Checks a fragment against what the host says of its operands and its sub-group.
pub fn check(cx: &Context, sink: &mut Sink) {
    let Some(fragment) = cx.program.fragment.as_deref() else { return };
    operand::check(cx, fragment, sink);
    size::check(cx, fragment, sink);
    unset::check(cx, fragment, sink);
    unread::check(cx, fragment, sink);
}
