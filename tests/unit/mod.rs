//! Parts of the library, each by itself.

mod base_printable;
mod base_symbol;
mod base_wrap;
mod checks_encoding;
mod checks_version;
mod config_ze_info;
mod host_map;
mod interp_domain_fold;
mod interp_domain_interval;
mod interp_facts;
mod interp_launch;
mod interp_launch_places;
mod lower_lsc_shape;
mod lower_text_edit;
mod lsp_directives;
mod lsp_document;
mod lsp_immediate;
mod lsp_line;
mod lsp_settings;
mod lsp_template;
mod lsp_text;
mod lsp_transport;
#[cfg(unix)]
mod lsp_uri;
mod matching_shape;
mod program_footprint;
mod reading_drawing;
mod report_fingerprint;
mod report_sarif;
mod syntax_comment;
