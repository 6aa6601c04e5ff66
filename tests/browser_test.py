"""The pages that visa-lint writes, in a real browser: python3 -m unittest discover -s tests -p '*_test.py'

Needs Chromium or Chrome, and the program built (VISA_LINT names it); what is missing is said. A page is opened without
network, a script plays the user at its end, and the page as it stands then is read."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BROWSER = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
           "--disable-background-networking", "--enable-logging=stderr", "--virtual-time-budget=20000"]  # fmt: skip

KERNEL = """.version 4.1
.kernel "k"
.decl V v_type=G type=d num_elts=8 align=GRF
.kernel_attr Target="cm"
"""


def program() -> pathlib.Path | None:
    """The program that is tested: the one that is named, or the newest that was built."""
    if named := os.environ.get("VISA_LINT"):
        return pathlib.Path(named)
    built = [path for profile in ("debug", "release") if (path := TARGET / profile / "visa-lint").exists()]
    return max(built, key=lambda path: path.stat().st_mtime, default=None)


PROGRAM = program()


@unittest.skipUnless(BROWSER, "there is no Chromium (apt-get install chromium)")
@unittest.skipUnless(PROGRAM, "the program is not built (cargo build)")
class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments: object) -> None:
        """Runs the program, which may find faults."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def play(self, page: pathlib.Path, script: str, address: str = "") -> dict:
        """What a script returns that runs when the page stands; the browser has to complain of nothing."""
        text = page.read_text()
        nonce = re.search(r"script-src 'nonce-(\w+)'", text)
        tag = f'<script nonce="{nonce[1]}">' if nonce else "<script>"
        last = "const e = document.createElement('pre'); e.id = 'result'; e.textContent = JSON.stringify(play());"
        played = f"{tag}const play = () => {{ {script} }}; {last} document.body.append(e);</script></body>"
        opened = page.with_name("played-" + page.name)
        opened.write_text(text.replace("</body>", played))
        command = [BROWSER, *OPTIONS, f"--user-data-dir={self.folder / 'profile'}", "--dump-dom", opened.as_uri() + address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(said, [])
        result = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.S)
        self.assertIsNotNone(result, done.stdout[-2000:] + done.stderr[-2000:])
        return json.loads(result[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))

    def test_ten_thousand_findings_are_filtered(self):
        zero = "    div (M1, 8) V(0,0)<1> V(0,0)<8;8,1> 0x0:d\n" * 999
        set_first = KERNEL + "    mov (M1, 8) V(0,0)<1> 0x1:d\n"
        many = []
        for file in range(5):
            unknown = "".join(f"    unknown_{file}_{n} (M1, 8) V(0,0)<1> 0x1:d\n" for n in range(999))
            many.append(self.write(f"many_{file}.visaasm", set_first + unknown + zero + "    ret (M1_NM, 1)\n"))
        few = self.write("few.visaasm", KERNEL + "    nothing (M1, 8) V(0,0)<1>\n    ret (M1_NM, 1)\n")
        page = self.folder / "report.html"
        self.run_program("--no-config", "--format=html", f"--output={page}", *many, few)
        state = self.play(page, """
            const at = (id) => document.getElementById(id), shown = () => at("list").children.length;
            const change = (id, value) => { at(id).value = value; at(id).dispatchEvent(new Event("input", {bubbles: true})); };
            const all = [at("summary").textContent, shown(), at("count").textContent];
            at("more").click();
            const more = [shown(), at("more").hidden];
            change("words", "UNKNOWN_4_998");
            const words = [shown(), at("count").textContent, at("list").textContent.includes("unknown_4_998")];
            change("words", "");
            change("path", [...at("path").options].map((o) => o.value).find((v) => v.endsWith("few.visaasm")));
            const file = [shown(), at("more").hidden, at("list").querySelector("mark").textContent];
            change("path", "");
            const box = [...at("levels").querySelectorAll("input")].find((b) => b.value === "error");
            box.checked = false;
            box.dispatchEvent(new Event("input", {bubbles: true}));
            return {all, more, words, file, levels: [...at("list").children].every((li) => li.className === "warning")};
        """)  # fmt: skip
        n = int(re.search(r"of (\d+) findings", state["all"][2])[1])
        self.assertGreaterEqual(n, 9_990, state)
        self.assertEqual(state["all"][1:], [100, f"{n} of {n} findings, 100 shown"])
        self.assertEqual(state["more"], [200, False])
        self.assertEqual(state["words"], [1, f"1 of {n} findings, 1 shown", True])
        self.assertEqual(state["file"], [1, True, "nothing"])
        self.assertTrue(state["levels"])

    def test_the_documentation_is_searched(self):
        site = self.folder / "site"
        self.run_program("explain", "--html", site)
        script = """
            const form = document.getElementById("filters"), shown = () => [...document.querySelectorAll("#all li:not([hidden])")];
            const before = [shown().length, document.getElementById("count").textContent, form.elements.words.value];
            form.elements.words.value = "unpaired barrier";
            form.dispatchEvent(new Event("input"));
            return {before, after: shown().map((li) => li.textContent), address: location.hash};
        """
        state = self.play(site / "index.html", script, "#words=barrier")
        self.assertEqual(state["before"][2], "barrier")
        self.assertTrue(state["before"][1].startswith(f"{state['before'][0]} of "), state)
        self.assertLess(len(state["after"]), state["before"][0])
        self.assertIn("unpaired-barrier", "".join(state["after"]))
        self.assertIn("words=unpaired", state["address"])

    def test_two_versions_stand_side_by_side(self):
        line = "    mov (M1, 8) V(0,0)<1> 0x{}:d\n    ret (M1_NM, 1)\n"
        old, new = (self.write(f"{n}.visaasm", KERNEL + line.format(n)) for n in (1, 2))
        done = subprocess.run([PROGRAM, "diff", "--format=html", old, new], capture_output=True, text=True)
        page = self.write("diff.html", done.stdout)
        rows = self.play(page, "return [...document.querySelectorAll('tr')].map((r) => r.textContent)") if done.stdout else []
        changed = [row for row in rows if "0x1:d" in row and "0x2:d" in row]
        self.assertEqual(len(changed), 1, rows)


if __name__ == "__main__":
    unittest.main()
