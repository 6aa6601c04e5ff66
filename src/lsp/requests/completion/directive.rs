//! Proposals for the parts of directives.

use super::{Known, Proposal, variables};
use crate::program::variable::FLAG_INPUT;
use crate::spec::Type;
use crate::spec::predefined::VariableKind;
use crate::spec::words::{self, AttributeKind, KnownAttribute};
use gen_lsp_types::CompletionItemKind;

/// Proposes for the part of a directive that is being typed. Returns how many of its bytes are left as they are.
pub(super) fn directive(word: &str, parts: &[&str], typed: &str, known: &Known, found: &mut Vec<Proposal>) -> u32 {
    let keyword = |text: &str, detail: &str| Proposal::new(text, CompletionItemKind::Property, detail);
    match word {
        ".version" if parts.is_empty() => found.extend(["4.2", "4.1", "3.6"].map(|v| keyword(v, "text version"))),
        ".kernel_attr" if parts.is_empty() => return kernel_attribute(typed, found),
        ".decl" if !parts.is_empty() => return declaration(parts, typed, known, found),
        _ if word == ".input" || word.starts_with(".implicit") => {
            if parts.is_empty() {
                let Some(p) = known.program() else { return 0 };
                let own = known.variables().filter(|v| v.predefined().is_none() && !p.variables[*v].is(FLAG_INPUT));
                for id in
                    own.filter(|v| !matches!(p.variables[*v].kind, VariableKind::Address | VariableKind::Predicate))
                {
                    found.push(Proposal::new(
                        p.variable_name(id),
                        CompletionItemKind::Variable,
                        p.variables[id].element_type.text(),
                    ));
                }
            } else if !typed.contains('=') {
                let missing = ["offset=", "size="].into_iter().filter(|k| !parts.iter().any(|p| p.starts_with(k)));
                found.extend(missing.map(|k| keyword(k, "bytes")));
            }
        }
        _ => {}
    }
    0
}

fn kernel_attribute(typed: &str, found: &mut Vec<Proposal>) -> u32 {
    if let Some((name, _)) = typed.split_once('=') {
        let values: &[&str] = match name {
            "Target" => &["\"cm\"", "\"3d\""],
            "SimdSize" => &["8", "16", "32"],
            _ => &[],
        };
        found.extend(values.iter().map(|v| Proposal::new(*v, CompletionItemKind::Value, name)));
        return name.len() as u32 + 1;
    }
    attributes(words::KERNEL_ATTRIBUTES, found);
    0
}

fn attributes(all: &[KnownAttribute], found: &mut Vec<Proposal>) {
    for attribute in all {
        let (ending, detail) = match attribute.kind {
            AttributeKind::Bool => ("", "no value"),
            AttributeKind::Number => ("=", "number"),
            AttributeKind::Text | AttributeKind::Target => ("=", "text"),
        };
        found.push(
            Proposal::new(attribute.name, CompletionItemKind::Property, detail)
                .insert(format!("{}{ending}", attribute.name)),
        );
    }
}

fn declaration(parts: &[&str], typed: &str, known: &Known, found: &mut Vec<Proposal>) -> u32 {
    let value = |text: &str, detail: &str| Proposal::new(text, CompletionItemKind::Value, detail.to_owned());
    let Some((key, rest)) = typed.split_once('=') else {
        let kind = parts.iter().find_map(|p| p.strip_prefix("v_type=")).unwrap_or("");
        let keys: &[&str] = match kind {
            "G" => &["type=", "num_elts=", "align=", "alias=", "attrs="],
            "A" | "P" => &["num_elts=", "attrs="],
            "S" | "T" => &["num_elts=", "v_name=", "attrs="],
            _ => &["v_type="],
        };
        let missing = keys.iter().filter(|k| !parts.iter().any(|p| p.starts_with(**k)));
        found.extend(missing.map(|k| Proposal::new(*k, CompletionItemKind::Property, "")));
        return 0;
    };
    let mut kept = key.len() as u32 + 1;
    match key {
        "v_type" => {
            let kinds = [
                VariableKind::General,
                VariableKind::Address,
                VariableKind::Predicate,
                VariableKind::Sampler,
                VariableKind::Surface,
            ];
            found.extend(kinds.map(|k| value(k.letter(), k.word())));
        }
        "type" => found.extend(
            Type::ALL.iter().filter(|t| t.row().declarable).map(|t| value(t.text(), &format!("{} bytes", t.bytes()))),
        ),
        "align" => found.extend(words::ALIGNMENTS.iter().map(|(word, bytes)| match bytes {
            255 => value(word, "one register"),
            254 => value(word, "two registers"),
            n => value(word, &format!("{n} bytes")),
        })),
        "alias" => {
            kept += u32::from(rest.starts_with('<'));
            let open = if rest.starts_with('<') { "" } else { "<" };
            variables(known, VariableKind::General, |name| format!("{open}{name}, 0>"), found);
        }
        "attrs" => {
            let last = rest.rfind(['{', ',', ' ']).map_or(0, |i| i as u32 + 1);
            kept += last;
            attributes(words::VARIABLE_ATTRIBUTES, found);
        }
        _ => {}
    }
    kept
}
