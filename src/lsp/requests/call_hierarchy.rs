//! Who calls what: kernels, functions and subroutines.

use crate::lsp::ask::Ask;
use crate::lsp::callables::{self, Call, Callable};
use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, SymbolKind,
};
use std::collections::BTreeMap;

/// What stands under the cursor and can be called.
#[must_use]
pub fn prepare(ask: &Ask, parameters: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let (all, calls) = callables::callables(&ask.analysis);
    let place = callables::at(&ask.analysis, &all, &calls, offset)?;
    Some(vec![item(ask, &all[place])])
}

/// Its callers.
#[must_use]
pub fn incoming(ask: &Ask, parameters: &CallHierarchyIncomingCallsParams) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (all, calls, own) = of_item(ask, &parameters.item)?;
    let grouped = grouped(calls.iter().filter(|c| c.callee == own), |c| c.caller);
    let result = grouped.into_iter().map(|(caller, calls)| {
        let ranges = calls.iter().map(|c| ask.range(c.span)).collect();
        CallHierarchyIncomingCall::new(item(ask, &all[caller]), ranges)
    });
    Some(result.collect())
}

/// What it calls.
#[must_use]
pub fn outgoing(ask: &Ask, parameters: &CallHierarchyOutgoingCallsParams) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (all, calls, own) = of_item(ask, &parameters.item)?;
    let grouped = grouped(calls.iter().filter(|c| c.caller == own), |c| c.callee);
    let result = grouped.into_iter().map(|(callee, calls)| {
        let ranges = calls.iter().map(|c| ask.range(c.span)).collect();
        CallHierarchyOutgoingCall::new(item(ask, &all[callee]), ranges)
    });
    Some(result.collect())
}

fn grouped<'c>(calls: impl Iterator<Item = &'c Call>, by: impl Fn(&Call) -> usize) -> BTreeMap<usize, Vec<Call>> {
    let mut groups: BTreeMap<usize, Vec<Call>> = BTreeMap::new();
    for call in calls {
        groups.entry(by(call)).or_default().push(*call);
    }
    groups
}

/// The callables and calls of the document, and the number of the one that an earlier answer named.
fn of_item(ask: &Ask, item: &CallHierarchyItem) -> Option<(Vec<Callable>, Vec<Call>, usize)> {
    let (all, calls) = callables::callables(&ask.analysis);
    let offset = ask.offset(item.selection_range.start);
    let own = all.iter().position(|c| c.name.start <= offset && offset <= c.name.end)?;
    Some((all, calls, own))
}

fn item(ask: &Ask, callable: &Callable) -> CallHierarchyItem {
    let kind = if callable.label.is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let name = callables::name(&ask.analysis, callable).to_owned();
    let detail = callables::word(&ask.analysis, callable).to_owned();
    let (whole, selection) = (ask.range(callable.whole), ask.range(callable.name));
    CallHierarchyItem::new(name, kind, None, Some(detail), ask.uri.into(), whole, selection, None)
}
