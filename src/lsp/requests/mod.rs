//! The requests, one file each.

pub mod call_hierarchy;
pub mod code_action;
pub mod code_lens;
pub mod command;
pub mod completion;
pub mod definition;
pub mod document_highlight;
pub mod document_symbol;
pub mod explain;
pub mod folding_range;
pub mod hover;
pub mod implementation;
pub mod inlay_hint;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod type_definition;
pub mod workspace_symbol;
