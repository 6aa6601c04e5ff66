// What a user does in VS Code, done in VS Code. Run by editors/test.sh, which sets:
//   VISA_LINT    the program
//   VSIX         the packed extension
//   CODE_SERVER  the editor
//   CHROMIUM     the browser
//   SCRATCH      an empty folder
//   SCREENSHOTS  where pictures are written, if they are wanted
//   LARGE_DUMP   a long text to edit; one is made if there is none

const assert = require("node:assert/strict");
const { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { after, afterEach, before, suite, test } = require("node:test");
const { Editor, until } = require("./editor.js");
const { longDump } = require("./long_dump.js");

const { VISA_LINT, VSIX, CODE_SERVER, SCRATCH, SCREENSHOTS, LARGE_DUMP } = process.env;
const TESTS = path.join(__dirname, "..");
const BAD = path.join(TESTS, "bad.visaasm");
const REGIONS = path.join(__dirname, "regions.visaasm");
const SCATTER = path.join(TESTS, "../../examples/faulty/scatter.visaasm");

/** Times of the long dump, in milliseconds. They are generous: a busy machine shall pass, a stuck editor shall not. */
const BOUNDS = { open: 30_000, scroll: 10_000, key: 2_000, finding: 10_000 };

let n_folders = 0;
let window;

/** A new folder with copies of files, and with further texts. */
function folderOf(files, texts = {}) {
    const folder = path.join(SCRATCH, `folder-${(n_folders += 1)}`);
    mkdirSync(folder);
    files.forEach(file => copyFileSync(file, path.join(folder, path.basename(file))));
    for (const [name, text] of Object.entries(texts)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), text);
    }
    return folder;
}

/** A program that writes down its process id and goes on as visa-lint. */
function witness(name) {
    const program = path.join(SCRATCH, name);
    const log = `${program}.log`;
    writeFileSync(program, `#!/bin/sh\necho $$ >>'${log}'\nexec '${VISA_LINT}' "$@"\n`);
    chmodSync(program, 0o755);
    const ids = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number) : []);
    return { program, ids };
}

function isRunning(id) {
    try {
        process.kill(id, 0);
        return true;
    } catch {
        return false;
    }
}

/** The line of a text (counted from 1) that contains a word. */
function lineOf(text, word) {
    const line = text.split("\n").findIndex(l => l.includes(word));
    assert.notEqual(line, -1, `no ${word}`);
    return line + 1;
}

async function picture(name) {
    if (SCREENSHOTS) {
        // Colours by meaning come a little later.
        await window.page.waitForTimeout(1500);
        await window.page.screenshot({ path: path.join(SCREENSHOTS, name) });
    }
}

afterEach(async context => {
    if (window) {
        if (context.error || context.passed === false) {
            await window.page.screenshot({ path: path.join(SCRATCH, `failed-${context.name.replace(/\W+/g, "-")}.png`) });
        }
        await window.close();
        window = undefined;
    }
});

suite("a workspace of one's own", () => {
    const server = witness("visa-lint-of-the-user");
    const settings = {
        "visa-lint.path": server.program,
        "[visa]": { "editor.codeActionsOnSave": { "source.fixAll.visa-lint": "never" } },
    };
    let editor;

    before(async () => {
        editor = await Editor.start({ program: CODE_SERVER, scratch: path.join(SCRATCH, "trusting"), vsix: VSIX, settings });
    });
    after(() => editor?.stop());

    const open = async (file, texts) => {
        window = await editor.open(folderOf([file], texts));
        await window.openFile(path.basename(file));
        return window;
    };

    test("a finding is underlined and listed", async () => {
        await open(BAD);
        await window.errors(1);
        assert.match(await window.page.locator("#status\\.editor\\.mode").innerText(), /vISA/);
        await window.squiggle(/MOV/, 5, 7);
        const problems = await window.problems();
        assert.equal(problems.length, 2, "the file, and its finding");
        assert.match(problems[1], /MOV.*visa-lint.*unknown-instruction.*Ln 10, Col 5/);
    });

    test("words are coloured", async () => {
        await open(BAD);
        const lines = window.page.locator(".view-lines");
        const plain = await lines.evaluate(all => getComputedStyle(all).color);
        for (const word of ["mov", "\\.decl", "type", "SimdSize"]) {
            const span = window.page.locator(".view-line span span", { hasText: new RegExp(`^\\s*${word}\\s*$`) }).first();
            await until(`a colour for ${word}`, async () => {
                const colour = await span.evaluate(one => getComputedStyle(one).color, null, { timeout: 1000 }).catch(() => plain);
                return colour !== plain;
            });
        }
    });

    test("the hover of a finding says what is wrong and which rule says so", async () => {
        await open(SCATTER);
        await window.errors(6);
        const text = readFileSync(SCATTER, "utf8");
        await window.problems();
        await picture("vscode-findings.png");
        await window.press("Control+j");
        await window.goTo(lineOf(text, "scatter4_scaled.GR "), 22);
        await window.hover("invalid-channel-mask", ".GR");
        await picture("vscode-hover.png");
    });

    test("the hover of an operand draws its region", async () => {
        await open(REGIONS, { "visa-lint.toml": 'platforms = ["DG2"]\n' });
        const text = readFileSync(REGIONS, "utf8");
        await window.errors(0);
        const line = lineOf(text, "add (");
        await window.goTo(line, text.split("\n")[line - 1].indexOf("pixels(0,1)") + 3);
        const hover = await window.hover("pixels", "src0", "│");
        // Eight words: four of the first row, four of the next one, which lies 16 words further on.
        const rows = hover.split("\n").filter(l => l.includes("│"));
        const cells = rows.map(row => row.split("│")[1].trim().split(/\s+/));
        assert.deepEqual(
            cells.flat().filter(cell => cell !== "·"),
            ["0", "1", "2", "3", "4", "5", "6", "7"],
            hover,
        );
        const columns = cells.map(row => row.flatMap((cell, i) => (cell === "·" ? [] : [i])));
        assert.deepEqual(columns, [[1, 3, 5, 7], [1, 3, 5, 7]], hover);
        await picture("vscode-region.png");
    });

    test("a mnemonic is completed with its operands", async () => {
        await open(BAD);
        await window.goTo(9, 1);
        await window.press("End", "Enter");
        await window.type("scatter4_sc");
        const suggestions = window.page.locator(".suggest-widget.visible .monaco-list-row");
        await suggestions.filter({ hasText: "scatter4_scaled" }).first().waitFor();
        await window.press("Enter");
        await suggestions.first().waitFor({ state: "hidden" });
        // The first place to fill in is selected.
        await window.type("RG");
        const text = await window.save("bad.visaasm");
        assert.match(text, /^ *scatter4_scaled\.RG \(.+, .+\) \S+ \S+ \S+ \S+$/m);
    });

    test("a quick fix is applied", async () => {
        await open(BAD);
        await window.errors(1);
        await window.goTo(10, 6);
        const actions = window.page.locator(".action-widget .monaco-list-row");
        await until("a list of actions", async () => {
            // News from the server close the list; it is then asked for again.
            await window.press("Control+.");
            return actions.filter({ hasText: "Write `mov`" }).waitFor({ timeout: 5_000 }).then(() => true, () => false);
        });
        const titles = (await actions.allInnerTexts()).map(title => title.trim());
        assert.ok(titles.some(title => title.includes("Allow `unknown-instruction` here")), `${titles}`);
        assert.ok(titles.some(title => title.includes("Explain `unknown-instruction`")), `${titles}`);
        await actions.filter({ hasText: "Write `mov`" }).click();
        await window.errors(0);
        const text = await window.save("bad.visaasm");
        assert.equal(text, readFileSync(BAD, "utf8").replace("MOV", "mov"));
    });

    test("a rule is explained on a page of its own", async () => {
        await open(BAD);
        await window.errors(1);
        await window.goTo(10, 6);
        await window.command("visa-lint: Explain a Rule or an Instruction", false);
        const box = window.page.locator(".quick-input-widget:visible input");
        await until("the rule under the cursor", async () => (await box.inputValue()) === "unknown-instruction");
        await window.press("Enter");
        await window.page.locator(".tab.active", { hasText: "unknown-instruction" }).waitFor();
    });

    test("what can be explained is a list", async () => {
        await open(REGIONS);
        await window.errors(0);
        await window.command("visa-lint: Explain a Rule or an Instruction", false);
        const widget = window.page.locator(".quick-input-widget:visible");
        await widget.locator("input").fill("scatter4_sc");
        const first = widget.locator(".quick-input-list-entry").first();
        await until("the instruction and what it does", async () => /scatter4_scaled[\s\S]*instruction[\s\S]*dwords/.test(await first.innerText()));
        await window.press("Enter");
        await window.page.locator(".tab.active", { hasText: "scatter4_scaled" }).waitFor();
    });

    test("an operand leads to the last write of its bytes, and a write to the next read", async () => {
        await open(REGIONS);
        await window.errors(0);
        const isAt = line => window.page.locator("#status\\.editor\\.selection", { hasText: `Ln ${line},` }).waitFor();
        await window.goTo(16, 22);
        await window.command("visa-lint: Go to the Next Reads");
        await isAt(17);
        await window.goTo(16, 36);
        await window.command("visa-lint: Go to the Last Write");
        await window.page.locator(".monaco-editor-overlaymessage", { hasText: "Nothing is read here" }).waitFor();
    });

    test("a variable is renamed wherever it stands", async () => {
        await open(REGIONS);
        await window.errors(0);
        await window.goTo(5, 8);
        const box = window.page.locator(".rename-box input");
        await until("a box for the new name", async () => {
            // No errors are counted either as long as the server has not answered; then no name can be changed yet.
            await window.press("F2");
            return box.waitFor({ timeout: 5_000 }).then(() => true, () => false);
        });
        assert.equal(await box.inputValue(), "sums");
        await box.fill("totals");
        await window.press("Enter");
        await window.page.locator(".view-line", { hasText: "offsets.0" }).filter({ hasText: "totals.0" }).waitFor();
        const text = await window.save("regions.visaasm");
        assert.equal(text, readFileSync(REGIONS, "utf8").replaceAll("sums", "totals"));
    });

    test("what is certain is mended on save", async () => {
        const mending = { "[visa]": { "editor.codeActionsOnSave": { "source.fixAll.visa-lint": "explicit" } } };
        await open(BAD, { ".vscode/settings.json": JSON.stringify(mending) });
        await window.errors(1);
        await window.goTo(9, 1);
        await window.type(" ");
        const text = await window.save("bad.visaasm");
        assert.equal(text, readFileSync(BAD, "utf8").replace("MOV", "mov").replace("    mov (M1_NM, 16) V32", "     mov (M1_NM, 16) V32"));
        await window.errors(0);
    });

    test("settings of the editor and of the project count at once", async () => {
        await open(BAD);
        await window.errors(1);
        const project = path.join(window.folder, "visa-lint.toml");
        writeFileSync(project, "[rules]\nunknown-instruction = \"off\"\n");
        await window.errors(0);
        writeFileSync(project, "");
        await window.errors(1);
        const workspace = path.join(window.folder, ".vscode/settings.json");
        mkdirSync(path.dirname(workspace));
        writeFileSync(workspace, JSON.stringify({ "visa-lint.levels": { "unknown-instruction": "off" } }));
        await window.errors(0);
        writeFileSync(workspace, "{}");
        await window.errors(1);
    });

    test("the server is started anew, by command and after its death", async () => {
        await open(BAD);
        await window.errors(1);
        const first = server.ids().at(-1);
        assert.ok(isRunning(first));
        await window.command("visa-lint: Restart the Server");
        await until("a second process", () => server.ids().at(-1) !== first);
        await until("the end of the first process", () => !isRunning(first));
        await window.errors(1);
        const second = server.ids().at(-1);
        process.kill(second, "SIGKILL");
        await until("a third process", () => server.ids().at(-1) !== second);
        await window.errors(1);
        await window.goTo(10, 6);
        await window.hover("unknown-instruction");
    });

    test("a program that is missing is named, and looked for again when it is there", async () => {
        const late = path.join(SCRATCH, "visa-lint-that-comes-late");
        editor.configure({ ...settings, "visa-lint.path": late });
        try {
            await open(BAD);
            const message = window.page.locator(".notification-list-item", { hasText: "was not found" });
            await message.waitFor();
            assert.match(await message.innerText(), new RegExp(`the program .?${late}.? was not found`));
            assert.match(await message.innerText(), /visa-lint\.path/);
            assert.equal(await window.page.locator(".notification-list-item").count(), 1, "one fault, one message");
            assert.equal(await window.page.locator(".cdr.squiggly-error").count(), 0);
            copyFileSync(server.program, late);
            chmodSync(late, 0o755);
            await message.getByText("Try Again").click();
            await window.errors(1);
        } finally {
            editor.configure(settings);
        }
    });

    test("a long dump is opened, scrolled and edited without waiting", async context => {
        const text = LARGE_DUMP && existsSync(LARGE_DUMP) ? readFileSync(LARGE_DUMP, "utf8") : longDump(30_000);
        const n_lines = text.split("\n").length;
        assert.ok(n_lines >= 30_000, `only ${n_lines} lines`);
        window = await editor.open(folderOf([], { "long.visaasm": text }));
        const times = {};
        const timed = async (name, bound, what) => {
            const begin = performance.now();
            await what();
            times[name] = Math.round(performance.now() - begin);
            assert.ok(times[name] <= bound, `${name} took ${times[name]} ms`);
        };
        const mark = window.page.locator(".cdr.squiggly-error");
        const number = line => window.page.locator(".line-numbers", { hasText: new RegExp(`^${line}$`) });
        const { page } = window;

        await timed("open", BOUNDS.open, async () => {
            await window.openFile("long.visaasm");
            await window.errors(0, BOUNDS.open);
        });
        await timed("jump to the end", BOUNDS.scroll, async () => {
            await window.press("Control+End");
            await number(n_lines).waitFor();
        });
        await timed("jump to the beginning", BOUNDS.scroll, async () => {
            await window.press("Control+Home");
            await number(1).waitFor();
        });
        await timed("30 pages down", BOUNDS.scroll, async () => {
            for (let i = 0; i < 30; i += 1) {
                await window.press("PageDown");
            }
            const place = page.locator("#status\\.editor\\.selection");
            await until("further down", async () => Number(/Ln (\d+)/.exec(await place.innerText())?.[1]) > 500);
        });

        // A fault in the middle, written key by key.
        const middle = text.split("\n").findIndex((line, i) => i > n_lines / 2 && /^ {4}\S.*\S$/.test(line)) + 1;
        await window.goTo(middle, 1);
        await window.press("End", "Enter");
        let slowest = 0;
        const word = "rett (M1, 1)";
        for (let n = 1; n <= word.length; n += 1) {
            const begin = performance.now();
            await page.keyboard.insertText(word[n - 1]);
            await page.locator(".view-line", { hasText: word.slice(0, n).replaceAll(" ", "\u00a0") }).first().waitFor();
            slowest = Math.max(slowest, performance.now() - begin);
        }
        times["slowest key"] = Math.round(slowest);
        assert.ok(slowest <= BOUNDS.key, `a key took ${slowest} ms`);
        await timed("finding after the last key", BOUNDS.finding, () => mark.first().waitFor());
        await timed("no finding after it is undone", BOUNDS.finding, async () => {
            await window.press("Shift+Home", "Delete");
            await mark.first().waitFor({ state: "detached" });
        });

        // What the typist does not wait for: keys that follow each other at once.
        await timed("120 keys", 120 * 100, async () => {
            const line = "// no keystroke waits while this is being typed, whatever the server does ".repeat(2).slice(0, 120);
            await page.keyboard.type(line);
            await page.locator(".view-line", { hasText: line.slice(-30).replaceAll(" ", "\u00a0") }).first().waitFor();
        });
        await timed("completion", BOUNDS.finding, async () => {
            await window.press("Enter", "Backspace", "Home");
            await page.keyboard.type("    scat");
            await page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "scatter" }).first().waitFor();
            await window.press("Escape");
        });
        for (const [name, time] of Object.entries(times)) {
            context.diagnostic(`${n_lines} lines: ${name}: ${time} ms`);
        }
    });
});

suite("a workspace of others", () => {
    const settings = { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "always" };
    const own = witness("visa-lint-chosen-by-the-user");
    let editor;

    before(async () => {
        editor = await Editor.start({
            program: CODE_SERVER,
            scratch: path.join(SCRATCH, "careful"),
            vsix: VSIX,
            settings: { ...settings, "visa-lint.path": own.program },
        });
    });
    after(() => editor?.stop());

    /** Opens a folder that wants another program, and answers whether its authors are trusted. */
    const openForeign = async (name, answer) => {
        const foreign = witness(name);
        const wishes = { "visa-lint.path": foreign.program, "visa-lint.arguments": ["lsp"] };
        window = await editor.open(folderOf([BAD], { ".vscode/settings.json": JSON.stringify(wishes) }));
        await window.page.locator(".monaco-dialog-box .monaco-button", { hasText: answer }).click();
        await window.page.locator(".monaco-dialog-box").waitFor({ state: "hidden" });
        await window.openFile("bad.visaasm");
        await window.errors(1);
        return foreign;
    };

    test("it does not choose the program while it is not trusted", async () => {
        const n_before = own.ids().length;
        const foreign = await openForeign("visa-lint-of-strangers", /^No/);
        assert.deepEqual(foreign.ids(), []);
        await window.squiggle(/MOV/, 5, 7);
        await window.command("visa-lint: Restart the Server");
        await until("the user's own program, twice", () => own.ids().length === n_before + 2);
        await window.errors(1);
        assert.deepEqual(foreign.ids(), []);
    });

    test("it chooses the program once it is trusted", async () => {
        const n_before = own.ids().length;
        const foreign = await openForeign("visa-lint-of-friends", /^Yes/);
        assert.equal(foreign.ids().length, 1);
        assert.equal(own.ids().length, n_before);
    });
});
