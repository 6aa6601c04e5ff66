// The part of visa-lint that lives in VS Code: it starts the server, and says clearly when it cannot.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, Location, ServerOptions, State } from "vscode-languageclient/node";

/** Languages whose asm statements may hold vISA. */
const HOSTS = ["c", "cpp", "opencl", "llvm", "mlir", "python"];
const SECTION = "visa-lint";
/** The server's own command; its second argument says that the answer is shown here. */
const EXPLAIN = "visa-lint.explain";
/** The server's command for the names that can be explained. */
const NAMES = "visa-lint.names";
/** The server's commands for the places that a value comes from and goes to, and what to say if there are none. */
const REACHES = {
    "visa-lint.goToLastWrite": { command: "visa-lint.lastWrites", none: "Nothing is read here that an instruction has written." },
    "visa-lint.goToNextReads": { command: "visa-lint.nextReads", none: "Nothing is written here that an instruction reads." },
};
const PAGES = "visa-lint-page";

/** What the server says of a name that can be explained. */
interface Name {
    name: string;
    kind: string;
    summary: string;
}

/** A fruitless first start is explained by `complain`; a second message would say less. */
class Client extends LanguageClient {
    private isFirstStart = true;

    override async start(): Promise<void> {
        try {
            await super.start();
        } finally {
            this.isFirstStart = false;
        }
    }

    override error(message: string, data?: unknown, showNotification: boolean | "force" = true): void {
        super.error(message, data, this.isFirstStart ? false : showNotification);
    }
}

let client: Client | undefined;
let output: vscode.OutputChannel;
const pages = new Map<string, string>();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    output = vscode.window.createOutputChannel("visa-lint");
    context.subscriptions.push(
        output,
        vscode.commands.registerCommand("visa-lint.restart", restart),
        vscode.commands.registerCommand("visa-lint.showOutput", () => output.show()),
        vscode.commands.registerCommand("visa-lint.explainName", explainName),
        ...Object.entries(REACHES).map(([name, reach]) =>
            vscode.commands.registerCommand(name, () => goTo(reach.command, reach.none)),
        ),
        vscode.workspace.registerTextDocumentContentProvider(PAGES, {
            provideTextDocumentContent: uri => pages.get(uri.path) ?? "",
        }),
        vscode.workspace.onDidChangeConfiguration(async event => {
            // The server asks for everything else itself.
            if (["path", "arguments", "enable"].some(key => event.affectsConfiguration(`${SECTION}.${key}`))) {
                await restart();
            }
        }),
        vscode.workspace.onDidGrantWorkspaceTrust(restart),
    );
    await start();
}

export async function deactivate(): Promise<void> {
    await stop();
}

/** The user's own value: a workspace that is not trusted may not choose the program that runs. */
function setting<T>(key: string, otherwise: T): T {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    if (vscode.workspace.isTrusted) {
        return configuration.get(key, otherwise);
    }
    const values = configuration.inspect<T>(key);
    return values?.globalValue ?? values?.defaultValue ?? otherwise;
}

async function start(): Promise<void> {
    if (!setting("enable", true)) {
        return;
    }
    const command = setting("path", "visa-lint");
    const server: ServerOptions = { command, args: setting("arguments", ["lsp"]) };
    const options: LanguageClientOptions = {
        documentSelector: ["visa", ...(setting("hosts", false) ? HOSTS : [])].map((language) => ({ language })),
        outputChannel: output,
        initializationOptions: vscode.workspace.getConfiguration(SECTION),
        middleware: {
            executeCommand: async (name, args, next) => {
                if (name !== EXPLAIN) {
                    return next(name, args);
                }
                return showPage(String(args[0] ?? ""), await next(name, [args[0], true]));
            },
        },
    };
    const started = new Client(SECTION, "visa-lint", server, options);
    client = started;
    try {
        await started.start();
    } catch (error) {
        client = undefined;
        await complain(command, error);
    }
}

async function stop(): Promise<void> {
    const running = client;
    client = undefined;
    if (running?.state === State.Running || running?.state === State.Starting) {
        await running.stop();
    }
}

async function restart(): Promise<void> {
    try {
        await stop();
    } catch (error) {
        output.appendLine(`stopping the server: ${String(error)}`);
    }
    await start();
}

async function complain(command: string, error: unknown): Promise<void> {
    output.appendLine(`starting \`${command}\`: ${String(error)}`);
    const isMissing = String(error).includes("ENOENT");
    const message = isMissing
        ? `visa-lint: the program \`${command}\` was not found. Install it, or set \`visa-lint.path\`.`
        : `visa-lint: the program \`${command}\` could not be started; the output says more.`;
    // The message stays while the extension goes on; it needs no answer.
    void vscode.window.showErrorMessage(message, "Open Settings", "Show Output", "Try Again").then(async choice => {
        if (choice === "Open Settings") {
            await vscode.commands.executeCommand("workbench.action.openSettings", "visa-lint.path");
        } else if (choice === "Show Output") {
            output.show();
        } else if (choice === "Try Again") {
            await restart();
        }
    });
}

/** Goes from the operand under the cursor to the places where its value comes from or goes to. */
async function goTo(command: string, none: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !client) {
        return;
    }
    const { document, selection } = editor;
    const place = client.code2ProtocolConverter.asPosition(selection.active);
    const found = await vscode.commands.executeCommand<Location[]>(command, document.uri.toString(), place);
    const places = (found ?? []).map(client.protocol2CodeConverter.asLocation);
    await vscode.commands.executeCommand("editor.action.goToLocations", document.uri, selection.active, places, "peek", none);
}

/** Asks for a name out of a list; the finding or word under the cursor is proposed. */
async function explainName(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    let value = "";
    if (editor) {
        const at = editor.selection.active;
        const here = vscode.languages.getDiagnostics(editor.document.uri).find(d => d.source === SECTION && d.range.contains(at));
        const word = editor.document.getWordRangeAtPosition(at);
        value = here ? String(here.code && typeof here.code === "object" ? here.code.value : here.code) : word ? editor.document.getText(word) : "";
    }
    const names = (await vscode.commands.executeCommand<Name[]>(NAMES)) ?? [];
    const list = vscode.window.createQuickPick();
    list.placeholder = "A rule or an instruction";
    list.matchOnDetail = true;
    list.items = names.map(({ name, kind, summary }) => ({ label: name, description: kind, detail: summary }));
    list.value = value;
    list.onDidAccept(async () => {
        const name = list.selectedItems[0]?.label ?? list.value;
        list.hide();
        if (name) {
            await vscode.commands.executeCommand(EXPLAIN, name);
        }
    });
    list.onDidHide(() => list.dispose());
    list.show();
}

async function showPage(name: string, markdown: unknown): Promise<void> {
    if (typeof markdown !== "string") {
        return;
    }
    const uri = vscode.Uri.from({ scheme: PAGES, path: `/${name}.md` });
    pages.set(uri.path, markdown);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
}
