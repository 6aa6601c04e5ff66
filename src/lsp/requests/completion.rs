//! Completion: what may stand at the cursor. It reads the line itself and takes names from the last analysis,
//! so that it need not wait for the text to be read again.

mod directive;
mod operand;

use crate::base::span::Span;
use crate::lsp::analysis::Analysis;
use crate::lsp::ask::{Draft, markup};
use crate::lsp::client::Client;
use crate::lsp::directives::{self, DIRECTIVES};
use crate::lsp::line::{self, Spot, Typed};
use crate::lsp::names;
use crate::lsp::requests::hover;
use crate::lsp::template;
use crate::program::{ObjectId, Program, VariableId};
use crate::spec::instruction::{Execution, ModifierKind};
use crate::spec::predefined::{self, VariableKind};
use crate::spec::words;
use crate::spec::{self, PlatformSet};
use directive::directive;
use gen_lsp_types::{
    CompletionItem, CompletionItemDefaults, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTextEdit,
    CompletionList, Documentation, EditRange, InsertTextFormat, TextEdit,
};
use operand::operand;
use serde_json::json;

/// Letters after which clients ask by themselves.
pub const TRIGGERS: [&str; 9] = [".", "(", "%", " ", "=", ":", "<", "[", "&"];

/// No more are sent; the client asks again when more is typed.
const MAX_ITEMS: usize = 200;

/// Something that may be written.
struct Proposal {
    label: String,
    /// What to write, if it is not the label.
    insert: Option<String>,
    is_snippet: bool,
    kind: CompletionItemKind,
    detail: String,
    /// What to look up when the client wants to know more.
    about: Option<&'static str>,
    /// Lower ones come first.
    rank: u8,
}

impl Proposal {
    fn new(label: impl Into<String>, kind: CompletionItemKind, detail: impl Into<String>) -> Self {
        Self { label: label.into(), insert: None, is_snippet: false, kind, detail: detail.into(), about: None, rank: 1 }
    }

    fn insert(mut self, text: String) -> Self {
        self.insert = Some(text);
        self
    }
}

/// What is known about the surroundings.
struct Known<'a> {
    analysis: Option<&'a Analysis>,
    object: Option<ObjectId>,
    /// Where the cursor was in the text that was analysed.
    offset: u32,
    platforms: PlatformSet,
}

impl<'a> Known<'a> {
    fn new(draft: &'a Draft) -> Self {
        let Some((analysis, offset)) = &draft.last else {
            return Self { analysis: None, object: None, offset: 0, platforms: PlatformSet::ALL };
        };
        Self {
            analysis: Some(analysis),
            object: names::object_at(analysis, *offset),
            offset: *offset,
            platforms: analysis.platforms,
        }
    }

    fn program(&self) -> Option<&'a Program> {
        self.analysis.map(|a| &a.program)
    }

    /// The variables that are declared before the cursor, the last ones first, then the predefined ones.
    fn variables(&self) -> impl Iterator<Item = VariableId> + use<'_> {
        let own = self.program().zip(self.object).map(|(p, o)| p.objects[o].variables.clone()).unwrap_or_default();
        let own = own
            .rev()
            .map(VariableId)
            .filter(|v| self.program().is_some_and(|p| p.variable_spans[*v].statement.start <= self.offset));
        let n_predefined = if self.analysis.is_some() { predefined::all().len() as u32 } else { 0 };
        own.chain((0..n_predefined).map(VariableId))
    }
}

/// Answers the request.
#[must_use]
pub fn completion(draft: &Draft) -> CompletionList {
    let text = draft.text;
    let line_span = text.line_span(text.line(draft.offset));
    let before = Span::new(line_span.start, draft.offset).of(text.as_str());
    let cursor = line::read(before);
    let known = Known::new(draft);
    let typed = cursor.typed.of(before);
    let mut found = Vec::new();
    let mut start = cursor.typed.start;
    match &cursor.spot {
        Spot::Start => statement(typed, &known, &mut found),
        Spot::Predicate => variables(&known, VariableKind::Predicate, std::borrow::ToOwned::to_owned, &mut found),
        Spot::PredicateControl => {
            found.extend([".any", ".all"].map(|w| Proposal::new(w, CompletionItemKind::Keyword, "combines all lanes")));
        }
        Spot::Modifier(instruction) => modifiers(instruction, before, &known, &mut found),
        Spot::Mask(instruction) => mask(instruction, &mut found),
        Spot::Size(instruction) => sizes(instruction, &known, &mut found),
        Spot::Operand(instruction) => start += operand(instruction, before, typed, &known, &mut found),
        Spot::Directive { word, parts } => {
            let parts: Vec<&str> = parts.iter().map(|p| p.of(before)).collect();
            start += directive(word.of(before), &parts, typed, &known, &mut found);
        }
        Spot::Nothing => {}
    }
    let edited = Span::new(line_span.start + start, draft.offset);
    list(draft, edited, &before[start as usize..], found)
}

/// The proposals that fit what is typed, as the client takes them.
fn list(draft: &Draft, edited: Span, typed: &str, mut found: Vec<Proposal>) -> CompletionList {
    let lower = typed.to_ascii_lowercase();
    let typed_word = match draft.host {
        Some((_, view)) => view.fragment.words(&lower),
        None => lower,
    };
    for proposal in &mut found {
        as_host_writes(draft, edited, proposal);
    }
    found.retain(|p| is_near(&p.label, &typed_word));
    found.sort_by_key(|p| (p.rank, p.about.map_or(0, spec::rarity)));
    let is_incomplete = found.len() > MAX_ITEMS;
    found.truncate(MAX_ITEMS);
    let range = draft.range(edited);
    let client = draft.client;
    let items = found.into_iter().enumerate().map(|(i, p)| {
        let is_snippet = p.is_snippet && client.snippets;
        // Without places to fill in, a snippet is no use; its label is.
        let new_text = if p.is_snippet && !client.snippets {
            p.label.clone()
        } else {
            p.insert.unwrap_or_else(|| p.label.clone())
        };
        let mut item = CompletionItem {
            kind: Some(p.kind),
            sort_text: Some(format!("{i:04}")),
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            data: p.about.map(|name| json!(name)),
            ..CompletionItem::default()
        };
        if client.label_details && !p.detail.is_empty() {
            item.label_details = Some(CompletionItemLabelDetails { detail: None, description: Some(p.detail) });
        } else if !p.detail.is_empty() {
            item.detail = Some(p.detail);
        }
        if client.completion_defaults {
            item.text_edit_text = (new_text != p.label).then_some(new_text);
        } else {
            item.text_edit = Some(CompletionItemTextEdit::TextEdit(TextEdit::new(range, new_text)));
        }
        item.label = p.label;
        item
    });
    let items = items.collect();
    let item_defaults = client.completion_defaults.then(|| CompletionItemDefaults {
        edit_range: Some(EditRange::Range(range)),
        ..CompletionItemDefaults::default()
    });
    CompletionList { is_incomplete, item_defaults, items, ..CompletionList::default() }
}

/// Puts the names and escapes of the host into a proposal for a fragment.
fn as_host_writes(draft: &Draft, edited: Span, proposal: &mut Proposal) {
    let Some((host, view)) = draft.host else { return };
    let text = proposal.insert.as_deref().unwrap_or(&proposal.label);
    let written = view.fragment.escaped(host.as_str(), edited, text, proposal.is_snippet);
    if let Some(operand) = view.operand_named(&proposal.label) {
        proposal.detail = view.contents(operand);
        proposal.rank = 0;
    }
    proposal.label = view.fragment.escaped(host.as_str(), edited, &proposal.label, false);
    proposal.insert = (written != proposal.label).then_some(written);
}

/// Whether the letters of what is typed stand in the label in this order. The client sorts by how well they fit.
fn is_near(label: &str, typed: &str) -> bool {
    let mut letters = label.bytes().map(|b| b.to_ascii_lowercase());
    typed.bytes().all(|t| letters.any(|l| l == t))
}

/// Adds what is known about an item when the client asks for it.
#[must_use]
pub fn resolve(client: &Client, pages: Option<&str>, mut item: CompletionItem) -> CompletionItem {
    let name = item.data.as_ref().and_then(|d| d.as_str()).unwrap_or("");
    let text = match spec::lookup(name) {
        Some(id) => Some(hover::instruction(id.row(), pages)),
        None => directives::directive(name).map(|d| format!("```visa\n{}\n```\n{}", d.form, d.summary)),
    };
    if let Some(text) = text {
        item.documentation = Some(Documentation::MarkupContent(markup(client, text)));
    }
    item
}

/// Variables of a kind, as `write` writes them.
fn variables(known: &Known, kind: VariableKind, write: impl Fn(&str) -> String, found: &mut Vec<Proposal>) {
    let Some(p) = known.program() else { return };
    for id in known.variables() {
        let v = &p.variables[id];
        if v.kind != kind || id == VariableId::NULL {
            continue;
        }
        let name = p.variable_name(id);
        let detail = match v.kind {
            VariableKind::General => format!("{} \u{d7} {}", v.element_type.text(), v.n_elements),
            kind => format!("{} \u{d7} {}", kind.word(), v.n_elements),
        };
        let rank = if id.predefined().is_some() { 3 } else { 1 };
        found.push(Proposal { rank, ..Proposal::new(name, CompletionItemKind::Variable, detail).insert(write(name)) });
    }
}

/// The first word of a statement.
fn statement(typed: &str, known: &Known, found: &mut Vec<Proposal>) {
    if !typed.starts_with('.') {
        for row in spec::instructions() {
            let here = words::platforms_of(row).and(known.platforms);
            if here.is_empty() {
                continue;
            }
            let everywhere = here == known.platforms;
            found.push(Proposal {
                insert: Some(template::snippet(row, known.platforms)),
                is_snippet: true,
                about: Some(row.mnemonic),
                rank: if everywhere { 1 } else { 2 },
                ..Proposal::new(
                    row.mnemonic,
                    CompletionItemKind::Function,
                    if everywhere { String::new() } else { here.describe() },
                )
            });
        }
    }
    for directive in DIRECTIVES {
        found.push(Proposal {
            insert: Some(directive.snippet.to_owned()),
            is_snippet: true,
            about: Some(directive.word),
            rank: 3,
            ..Proposal::new(directive.word, CompletionItemKind::Keyword, String::new())
        });
    }
    for kind in words::IMPLICIT_KINDS.iter().filter(|k| !k.ends_with('_')) {
        found.push(Proposal {
            rank: 4,
            ..Proposal::new(format!(".implicit_{kind}"), CompletionItemKind::Keyword, "implicit input")
        });
    }
}

fn modifiers(instruction: &Typed, before: &str, known: &Known, found: &mut Vec<Proposal>) {
    let row = instruction.row();
    let is_after = instruction.exec.is_some();
    // Optional modifiers that were left out come before those that are there.
    let mut next = 0;
    for given in &instruction.modifiers {
        let word = &given.of(before)[1..];
        let fits = |slot: usize| {
            row.modifiers[slot].kind == ModifierKind::ChannelMask
                || row.modifiers[slot].values.iter().any(|v| v.text == word)
        };
        if let Some(slot) = (next..row.modifiers.len()).find(|s| fits(*s)) {
            next = slot + 1;
        }
    }
    for slot in row.modifiers[next..].iter().filter(|m| m.after_execution == is_after) {
        match slot.kind {
            ModifierKind::ChannelMask => {
                for bits in 1..16u8 {
                    let letters: String = ['R', 'G', 'B', 'A']
                        .iter()
                        .enumerate()
                        .filter(|(i, _)| bits >> i & 1 == 1)
                        .map(|(_, c)| *c)
                        .collect();
                    // The masks that real programs use come first.
                    let rank = if ["R", "RG", "RGB", "RGBA"].contains(&letters.as_str()) { 1 } else { 2 };
                    found.push(Proposal {
                        rank,
                        ..Proposal::new(letters, CompletionItemKind::EnumMember, slot.name.text())
                    });
                }
            }
            _ => {
                for value in slot.values.iter().filter(|v| !v.platforms.and(known.platforms).is_empty()) {
                    let rank = 1 + value.tier;
                    found.push(Proposal {
                        rank,
                        ..Proposal::new(value.text, CompletionItemKind::EnumMember, slot.name.text())
                    });
                }
            }
        }
        if !slot.optional {
            break;
        }
    }
    if row.saturate != spec::instruction::Saturation::Forbidden
        && !is_after
        && !instruction.modifiers.iter().any(|m| m.of(before) == ".sat")
    {
        found.push(Proposal { rank: 3, ..Proposal::new("sat", CompletionItemKind::EnumMember, "saturation") });
    }
    let dotted = spec::instructions().iter().filter_map(|r| Some((r, r.mnemonic.split_once('.')?)));
    for (other, (front, ending)) in dotted {
        if front == instruction.mnemonic.of(before) && instruction.modifiers.is_empty() {
            found.push(Proposal {
                about: Some(other.mnemonic),
                ..Proposal::new(ending, CompletionItemKind::Function, "instruction")
            });
        }
    }
}

fn mask(instruction: &Typed, found: &mut Vec<Proposal>) {
    let row = instruction.row();
    if row.execution == Execution::OptionalSize {
        found.extend(
            row.exec_sizes
                .legal
                .iter()
                .map(|s| Proposal::new(s.to_string(), CompletionItemKind::Value, "execution size")),
        );
        return;
    }
    let no_mask = row.no_mask == spec::instruction::NoMask::Required;
    for number in 1..=8 {
        let lanes = format!("from lane {}", (number - 1) * 4);
        if !no_mask {
            found.push(Proposal {
                rank: if number == 1 || number == 5 { 1 } else { 2 },
                ..Proposal::new(format!("M{number}"), CompletionItemKind::EnumMember, lanes.clone())
            });
        }
        let rank = if number == 1 || number == 5 { 1 } else { 3 };
        found.push(Proposal {
            rank,
            ..Proposal::new(format!("M{number}_NM"), CompletionItemKind::EnumMember, format!("{lanes}, all of them"))
        });
    }
}

fn sizes(instruction: &Typed, known: &Known, found: &mut Vec<Proposal>) {
    let row = instruction.row();
    let more = row.exec_sizes_by_platform.iter().filter(|m| !m.platforms.and(known.platforms).is_empty());
    let all = more.fold(row.exec_sizes.legal, |all, m| all.or(m.value));
    let what = if row.execution == Execution::BlockCount { "blocks" } else { "lanes" };
    found.extend(all.iter().map(|s| Proposal::new(s.to_string(), CompletionItemKind::Value, what)));
}
