"""What field.py does without a compiler: python3 -m unittest discover -s tests -p '*_test.py'"""

import argparse
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import field as f  # noqa: E402

# Stands for visa-lint: a warning for each line that begins with `bad`, and with a platform one for each `old`.
LINTER = """#!{python}
import json, sys
words = ["bad", "old"] if "--platform" in sys.argv else ["bad"]
for path in (a for a in sys.argv if a.endswith(".visaasm")):
    for n, line in enumerate(open(path), 1):
        word = line.split(" ")[0].strip()
        if word in words:
            print(json.dumps(dict(path=path, line=n, rule=word, level="warning", message=f"`{{line.strip()}}` has 3", labels=[])))
"""

# Stands for a compiler: a dump for each kernel that does not say `refuse`.
COMPILER = """#!{python}
import os, sys
source = sys.argv[sys.argv.index("-file") + 1]
open(os.environ["IGC_DumpToCustomDir"] + "/other.txt", "w")
if "refuse" not in open(source).read() and "CL1.2" in " ".join(sys.argv):
    open(os.environ["IGC_DumpToCustomDir"] + "/k.visaasm", "w").write(os.environ.get("IGC_ForceOCLSIMDWidth", "0"))
"""


class Field(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.linter = self.program("linter", LINTER)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text.format(python=sys.executable))
        path.chmod(0o755)
        return str(path)

    def dump(self, name, text):
        path = self.folder / "dumps" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, record=False):
        given = argparse.Namespace(
            binary=self.linter, local_size="64,1,1", timeout=60, baseline=self.folder / "baseline.tsv", record=record,
            no_races=False,
        )
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = f.check(given, [self.folder / "dumps"])
        return status, out.getvalue()

    def test_platforms_of_devices(self):
        self.assertEqual([f.platform_of(d) for d in ("skl", "mtl-h", "bmg", "cri")], ["SKL", "MTL", "XE2", "XE3P_CRI"])
        self.assertIsNone(f.platform_of("unheard"))

    def test_modes_name_the_platform_if_it_is_known(self):
        self.assertEqual([name for name, _ in f.modes("dg2", "8,1,1")], ["default", "local-size", "platform"])
        self.assertEqual([name for name, _ in f.modes("unheard", "8,1,1")], ["default", "local-size"])

    def test_kernels_without_races_are_checked_for_them(self):
        self.assertEqual(f.modes("unheard", "8,1,1")[1][1], ["--local-size", "8,1,1"])
        self.assertEqual(f.modes("unheard", "8,1,1", False)[1][1], ["--local-size", "8,1,1", "--races"])

    def test_a_new_finding_is_shown_with_its_smallest_example(self):
        self.dump("dg2/a/k.visaasm", "one\nbad 1\ntwo\n")
        status, out = self.check()
        self.assertEqual(status, 1)
        self.assertIn("warning[bad] `_` has N\n  1 files (0 before), in modes default, local-size, platform", out)
        self.assertTrue(out.rstrip().endswith("\n    bad"), out)

    def test_what_only_one_mode_finds_is_found(self):
        self.dump("dg2/a/k.visaasm", "old 1\n")
        status, out = self.check()
        self.assertEqual(status, 1)
        self.assertIn("in modes platform\n", out)

    def test_the_baseline_is_known_and_growth_is_not(self):
        self.dump("dg2/a/k.visaasm", "bad 1\n")
        self.assertEqual(self.check(record=True)[0], 0)
        self.assertEqual(self.check()[0], 0)
        self.dump("dg2/b/k.visaasm", "bad 2\n")
        status, out = self.check()
        self.assertEqual(status, 1)
        self.assertIn("2 files (1 before)", out)

    def test_what_is_gone_is_said(self):
        path = self.dump("dg2/a/k.visaasm", "bad 1\n")
        self.check(record=True)
        path.write_text("good\n")
        self.assertEqual(self.check(), (0, "1 dumps, 0 with findings\ngone: warning[bad] `_` has N\n"))

    def test_no_dumps_are_a_failure(self):
        (self.folder / "dumps").mkdir()
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(self.check()[0], 2)

    def test_a_wrong_baseline_is_refused(self):
        (self.folder / "baseline.tsv").write_text("head\nwarning\tbad\n")
        with self.assertRaises(SystemExit):
            f.read_baseline(self.folder / "baseline.tsv")

    def test_kernels_are_compiled_in_the_version_that_works(self):
        kernels = self.folder / "kernels"
        kernels.mkdir()
        (kernels / "good.cl").write_text("kernel")
        (kernels / "wrong.cl").write_text("refuse")
        given = argparse.Namespace(
            folders=[kernels], ocloc=[self.program("ocloc", COMPILER)], devices=["dg2"], options=[""], simd=[0, 16]
        )
        all_jobs = list(f.jobs(given))
        self.assertEqual(len(all_jobs), 4)
        done = [f.compile_kernel(job, self.folder / "dumps", [], 60) for job in all_jobs]
        self.assertEqual(done, [True, True, False, False])
        dumps = sorted((self.folder / "dumps").rglob("*"))
        self.assertEqual(sorted(p.read_text() for p in dumps if p.is_file()), ["0", "16"])
        self.assertEqual({f.device_of(str(p)) for p in dumps if p.is_file()}, {"dg2"})


if __name__ == "__main__":
    unittest.main()
