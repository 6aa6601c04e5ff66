//! What the client can do.

use super::text::Encoding;
use serde_json::Value;

/// What the client can do, as far as it matters here. It is read from the message itself: a word that this version of
/// the protocol does not know must not keep a client out.
#[derive(Clone, Debug)]
pub struct Client {
    /// What its columns count.
    pub encoding: Encoding,
    /// It asks for findings.
    pub pulls_diagnostics: bool,
    /// It can be told to ask for findings again.
    pub refreshes_diagnostics: bool,
    /// Findings may point at further places.
    pub related_information: bool,
    /// Findings may carry a link.
    pub code_description: bool,
    /// Text for people may be Markdown.
    pub markdown: bool,
    /// Completions may hold places to fill in.
    pub snippets: bool,
    /// Completions may share what they have in common.
    pub completion_defaults: bool,
    /// Completions may have details beside their label.
    pub label_details: bool,
    /// Signatures may mark their parameters by offsets.
    pub label_offsets: bool,
    /// Definitions may say which text leads to them.
    pub links: bool,
    /// Symbols may hold symbols.
    pub nested_symbols: bool,
    /// Folds are whole lines.
    pub folds_lines: bool,
    /// Code actions may be objects, not only commands.
    pub code_actions: bool,
    /// Edits may name the version of the document.
    pub document_changes: bool,
    /// It can be asked for its configuration.
    pub configuration: bool,
    /// It takes registrations for changes of the configuration.
    pub registers_configuration: bool,
    /// It takes registrations for changes of files.
    pub watches_files: bool,
    /// It can be told to ask for inlay hints again.
    pub refreshes_hints: bool,
    /// It can be told to show a document.
    pub shows_documents: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    #[must_use]
    pub fn new(initialize: &Value) -> Self {
        let at = |path: &str| initialize.pointer(&format!("/capabilities{path}"));
        let is = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path: &str, word: &str| {
            at(path).and_then(Value::as_array).is_some_and(|all| all.iter().any(|w| w == word))
        };
        // The list is ordered by what the client likes best; UTF-16 is what counts if there is none.
        let encodings = at("/general/positionEncodings").and_then(Value::as_array);
        let encoding = encodings.and_then(|all| all.iter().filter_map(Value::as_str).find_map(Encoding::from_name));
        Self {
            encoding: encoding.unwrap_or(Encoding::Utf16),
            pulls_diagnostics: at("/textDocument/diagnostic").is_some_and(Value::is_object),
            refreshes_diagnostics: is("/workspace/diagnostics/refreshSupport"),
            related_information: is("/textDocument/publishDiagnostics/relatedInformation")
                || is("/textDocument/diagnostic/relatedInformation"),
            code_description: is("/textDocument/publishDiagnostics/codeDescriptionSupport")
                || is("/textDocument/diagnostic/codeDescriptionSupport"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            snippets: is("/textDocument/completion/completionItem/snippetSupport"),
            completion_defaults: lists("/textDocument/completion/completionList/itemDefaults", "editRange"),
            label_details: is("/textDocument/completion/completionItem/labelDetailsSupport"),
            label_offsets: is(
                "/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
            links: is("/textDocument/definition/linkSupport"),
            nested_symbols: is("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            folds_lines: is("/textDocument/foldingRange/lineFoldingOnly"),
            code_actions: at("/textDocument/codeAction/codeActionLiteralSupport").is_some_and(Value::is_object),
            document_changes: is("/workspace/workspaceEdit/documentChanges"),
            configuration: is("/workspace/configuration"),
            registers_configuration: is("/workspace/didChangeConfiguration/dynamicRegistration"),
            watches_files: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_hints: is("/workspace/inlayHint/refreshSupport"),
            shows_documents: is("/window/showDocument/support"),
        }
    }

    /// Whether the client asks for findings and hears of new ones; findings are sent to all others. A client that asks but
    /// cannot be told to ask again would never see what the slow checks find.
    #[must_use]
    pub fn uses_pull(&self) -> bool {
        self.pulls_diagnostics && self.refreshes_diagnostics
    }
}
