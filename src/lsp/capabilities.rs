//! What the server offers a client.

use super::client::Client;
use super::requests::{code_action, command, completion, semantic_tokens, signature_help};
use serde_json::{Value, json};

/// The answer to `initialize`.
#[must_use]
pub fn server(client: &Client) -> Value {
    let mut capabilities = json!({
        "positionEncoding": client.encoding.kind(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": completion::TRIGGERS, "resolveProvider": true },
        "signatureHelpProvider": { "triggerCharacters": signature_help::TRIGGERS },
        "definitionProvider": true,
        "declarationProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "callHierarchyProvider": true,
        "codeLensProvider": {},
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": code_action::KINDS },
        "renameProvider": { "prepareProvider": true },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": semantic_tokens::TYPES, "tokenModifiers": semantic_tokens::MODIFIERS },
            "range": true,
            "full": true
        },
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": command::COMMANDS },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } }
    });
    if client.uses_pull() {
        capabilities["diagnosticProvider"] =
            json!({ "identifier": "visa-lint", "interFileDependencies": false, "workspaceDiagnostics": false });
    }
    json!({ "capabilities": capabilities, "serverInfo": { "name": "visa-lint", "version": env!("CARGO_PKG_VERSION") } })
}
