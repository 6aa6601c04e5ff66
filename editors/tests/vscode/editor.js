// VS Code in a browser: a code-server of its own, and a window of it in chromium.

const assert = require("node:assert/strict");
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { chromium } = require("playwright-core");

/** How long something in the editor may take before the test fails, in milliseconds. */
const PATIENCE = 30_000;

const SETTINGS = {
    "files.autoSave": "off",
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.tips.enabled": false,
    "workbench.colorTheme": "Default Dark Modern",
    "chat.disableAIFeatures": true,
    "chat.commandCenter.enabled": false,
    "editor.fontFamily": "'DejaVu Sans Mono', monospace",
    "editor.minimap.enabled": false,
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
};

async function until(what, condition, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const value = await condition();
        if (value) {
            return value;
        }
        assert.ok(Date.now() < end, `after ${patience} ms: not ${what}`);
        await new Promise(resolve => setTimeout(resolve, 25));
    }
}

function freePort() {
    return new Promise((resolve, reject) => {
        const server = net.createServer();
        server.on("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

/** A server with its own settings and extensions. */
class Editor {
    /** Installs the extension and starts the server; `settings` are added to those of the user. */
    static async start({ program, scratch, vsix, settings }) {
        const editor = new Editor();
        editor.folder = scratch;
        editor.data = path.join(scratch, "data");
        editor.configure(settings);
        const common = ["--user-data-dir", editor.data, "--extensions-dir", path.join(scratch, "extensions")];
        const env = { ...process.env, CODE_SERVER_CONFIG: path.join(scratch, "config.yaml") };
        execFileSync(program, [...common, "--install-extension", vsix], { env, stdio: "pipe" });
        const port = await freePort();
        editor.address = `http://127.0.0.1:${port}`;
        const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
        editor.log = path.join(scratch, "server.log");
        const log = fs.openSync(editor.log, "w");
        // A group of its own, so that whatever it starts ends with it.
        editor.process = spawn(program, [...common, ...quiet, "--bind-addr", `127.0.0.1:${port}`], {
            env,
            detached: true,
            stdio: ["ignore", log, log],
        });
        await until("a server that answers", () => fetch(`${editor.address}/healthz`).then(r => r.ok, () => false));
        editor.browser = await chromium.launch({
            executablePath: process.env.CHROMIUM,
            args: ["--no-sandbox", "--disable-gpu"],
        });
        return editor;
    }

    /** Writes the settings of the user and of the machine; a running window follows. */
    configure(settings) {
        // The extension runs beside the server. What names a program is taken from that machine's settings only.
        const isOfMachine = ([key]) => ["visa-lint.path", "visa-lint.arguments"].includes(key);
        const all = Object.entries({ ...SETTINGS, ...settings });
        const kinds = { User: all.filter(entry => !isOfMachine(entry)), Machine: all.filter(isOfMachine) };
        for (const [kind, entries] of Object.entries(kinds)) {
            const file = path.join(this.data, kind, "settings.json");
            fs.mkdirSync(path.dirname(file), { recursive: true });
            fs.writeFileSync(file, JSON.stringify(Object.fromEntries(entries), null, 4));
        }
    }

    /** Opens a folder in a window of a new browser profile. */
    async open(folder, size = { width: 1100, height: 700 }) {
        const context = await this.browser.newContext({ viewport: size });
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE);
        await page.goto(`${this.address}/?folder=${encodeURIComponent(folder)}`);
        await page.waitForSelector(".monaco-workbench .explorer-folders-view, .monaco-dialog-box");
        return new Window(page, folder);
    }

    async stop() {
        await this.browser?.close();
        if (this.process) {
            process.kill(-this.process.pid, "SIGTERM");
            await new Promise(resolve => (this.process.exitCode === null ? this.process.once("exit", resolve) : resolve()));
        }
    }
}

/** One window; what is done with it is done by keyboard, as a user would. */
class Window {
    constructor(page, folder) {
        this.page = page;
        this.folder = folder;
    }

    async close() {
        await this.page.context().close();
    }

    press(...keys) {
        return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
    }

    type(text) {
        return this.page.keyboard.type(text);
    }

    /** Types into the box at the top of the window and takes its first line; another box may follow. */
    async quick(key, text, expected, isLast = true) {
        const box = this.page.locator(".quick-input-widget:visible");
        await this.press(key);
        await box.waitFor();
        await this.type(text);
        if (expected) {
            await box.locator(".monaco-list-row", { hasText: expected }).first().waitFor();
        }
        await this.press("Enter");
        if (isLast) {
            await box.waitFor({ state: "hidden" });
        }
    }

    /** Runs a command by its title. */
    command(title, isLast = true) {
        return this.quick("F1", title, title, isLast);
    }

    async openFile(name) {
        await this.quick("Control+p", name, name);
        await this.page.locator(".tab.active", { hasText: name }).waitFor();
        await this.page.locator(".editor-group-container.active .monaco-editor .view-lines .view-line").first().waitFor();
    }

    /** Puts the cursor at a place; lines and columns count from 1. */
    async goTo(line, column) {
        await this.quick("Control+g", `${line}:${column}`, `${line}`);
        await this.page.locator("#status\\.editor\\.selection", { hasText: `Ln ${line}, Col ${column}` }).waitFor();
    }

    /** Saves, and gives the text that is on the disk then. */
    async save(name) {
        await this.press("Control+s");
        await this.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
        return fs.readFileSync(path.join(this.folder, name), "utf8");
    }

    /** Waits until that many errors of the window are counted in the status bar. */
    async errors(n, patience) {
        const status = this.page.locator("#status\\.problems");
        await until(`${n} errors`, async () => new RegExp(`^\\s*${n}\\b`).test(await status.innerText().catch(() => "")), patience);
    }

    /** The lines of the list of problems. */
    async problems() {
        const rows = this.page.locator(".markers-panel .monaco-list-row");
        if (!(await this.page.locator(".markers-panel").isVisible())) {
            await this.press("Control+Shift+m");
        }
        await rows.first().waitFor();
        return (await rows.allInnerTexts()).map(row => row.replace(/\s+/g, " "));
    }

    /** Waits until the only squiggle in the line that contains a text lies under these columns (counted from 1). */
    async squiggle(text, from, to) {
        const line = this.page.locator(".view-line", { hasText: text }).first();
        await line.waitFor();
        let places = [];
        const isThere = async () => {
            const box = await line.locator("> span").boundingBox({ timeout: 1000 }).catch(() => null);
            if (!box) {
                return false;
            }
            const width = box.width / (await line.innerText()).length;
            places = [];
            for (const mark of await this.page.locator(".cdr.squiggly-error").all()) {
                const place = await mark.boundingBox({ timeout: 1000 }).catch(() => null);
                if (place && Math.abs(place.y - box.y) < box.height / 2) {
                    const first = Math.round((place.x - box.x) / width) + 1;
                    places.push(`${first} to ${first + Math.round(place.width / width) - 1}`);
                }
            }
            return places.join() === `${from} to ${to}`;
        };
        await until("the squiggle", isThere, 5_000).catch(e => assert.fail(`${e.message} under ${from} to ${to}, but ${places}`));
    }

    /** The text of the hover at the cursor. */
    async hover(...words) {
        const hover = this.page.locator(".monaco-hover:visible .monaco-hover-content");
        let text = "";
        let asked = 0;
        await until(`a hover with ${words}`, async () => {
            // As long as the server has not answered there is nothing to show: it is asked for again.
            if (Date.now() - asked > 5_000) {
                asked = Date.now();
                await this.press("Control+k", "Control+i");
            }
            text = (await hover.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
            return words.every(word => text.includes(word));
        }).catch(error => assert.fail(`${error.message}; it says: ${text}`));
        return text;
    }
}

module.exports = { Editor, PATIENCE, until };
