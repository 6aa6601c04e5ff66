"""The built program under pytest-lsp, with the profiles of several editors."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

HERE = pathlib.Path(__file__).parent
TEXT = (HERE / "bad.visaasm").read_text()
URI = "untitled:bad.visaasm"


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[os.environ["VISA_LINT"], "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    capabilities = client_capabilities(request.param)
    # These profiles can ask for findings; the tests want them sent.
    capabilities.text_document.diagnostic = None

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def registered(_):
        return None

    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, root_uri=HERE.as_uri()))
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient):
    item = types.TextDocumentItem(uri=URI, language_id="visa", version=1, text=TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics[URI]


def place(word: str, shift: int = 0) -> types.Position:
    before = TEXT[: TEXT.index(word) + shift]
    return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)


@pytest.mark.asyncio
async def test_findings(client: LanguageClient):
    codes = [d.code for d in await opened(client)]
    assert "unknown-instruction" in codes


@pytest.mark.asyncio
async def test_hover(client: LanguageClient):
    await opened(client)
    parameters = types.HoverParams(types.TextDocumentIdentifier(URI), place("V32(0,0)", 1))
    hover = await client.text_document_hover_async(parameters)
    assert "64 bytes" in hover.contents.value


@pytest.mark.asyncio
async def test_completion(client: LanguageClient):
    await opened(client)
    parameters = types.CompletionParams(types.TextDocumentIdentifier(URI), place("    mov", 6))
    found = await client.text_document_completion_async(parameters)
    items = found if isinstance(found, list) else found.items
    assert any(item.label == "mov" for item in items)


@pytest.mark.asyncio
async def test_quick_fix(client: LanguageClient):
    findings = [d for d in await opened(client) if d.code == "unknown-instruction"]
    context = types.CodeActionContext(diagnostics=findings)
    parameters = types.CodeActionParams(types.TextDocumentIdentifier(URI), findings[0].range, context)
    actions = await client.text_document_code_action_async(parameters)
    assert any(action.title == "Write `mov`" for action in actions)


@pytest.mark.asyncio
async def test_rename(client: LanguageClient):
    await opened(client)
    parameters = types.RenameParams(types.TextDocumentIdentifier(URI), place("V32 v_type"), "V77")
    edit = await client.text_document_rename_async(parameters)
    changes = edit.document_changes[0].edits if edit.document_changes else edit.changes[URI]
    assert len(changes) == 2


@pytest.mark.asyncio
async def test_outline(client: LanguageClient):
    await opened(client)
    found = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(URI))
    )
    # A client that cannot nest symbols gets a flat list.
    tops = [symbol.name for symbol in found]
    inner = [child.name for symbol in found for child in getattr(symbol, "children", None) or []]
    assert "bad" in tops
    assert "bad_main" in tops + inner
    assert "V32" in tops or "general variables" in inner


@pytest.mark.asyncio
async def test_type_definition(client: LanguageClient):
    await opened(client)
    parameters = types.TypeDefinitionParams(types.TextDocumentIdentifier(URI), place("V32(0,0)", 1))
    found = await client.text_document_type_definition_async(parameters)
    assert found.range.start == place("V32 v_type")
