"""What differential.py --hosts does without the compiler: python3 -m unittest discover -s tests -p '*_test.py'"""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import differential_hosts as d  # noqa: E402

KEPT = "mov (M1, 1) V1(0,0)<1> 0x1:d\n/// Inlined ASM\nmov (M1, 16) V2(0,0)<1> 0x1:d\n/// End Inlined ASM\n"
DROPPED = "/// Inlined ASM\n\n/// End Inlined ASM\n"


class Judging(unittest.TestCase):
    def test_what_is_pasted_is_accepted(self):
        self.assertEqual(d.judge("Build succeeded.\n", [KEPT, KEPT], 2), d.Verdict("accept"))

    def test_what_is_missing_is_dropped(self):
        self.assertEqual(d.judge("Build succeeded.\n", [DROPPED], 1).stage, "drop")
        self.assertEqual(d.judge("Build succeeded.\n", [KEPT], 2).message, "1 of 2 statements are dropped")

    def test_the_first_words_that_mean_something(self):
        output = "\nerror: backend compiler failed build.\nerror: parsing vISA inline assembly failed:\nnear line 44: syntax error\nBuild failed with error code: -11\n"
        self.assertEqual(d.judge(output, [], 1), d.Verdict("refuse", "near a line: syntax error"))


class Comparing(unittest.TestCase):
    def test_both_agree(self):
        self.assertEqual(d.compare("a.cl", d.Verdict("accept"), []), [])
        self.assertEqual(d.compare("a.cl", d.Verdict("refuse", "words"), [("syntax-error", 3)]), [])
        self.assertEqual(d.compare("a.cl", d.Verdict("drop", "words"), [("dropped-statement", 3)]), [])

    def test_one_of_them_says_nothing(self):
        refused = [d.Disagreement("refused", "words", "a.cl")]
        self.assertEqual(d.compare("a.cl", d.Verdict("refuse", "words"), []), refused)
        self.assertEqual(d.compare("a.cl", d.Verdict("drop", "words"), []), refused)
        accepted = [d.Disagreement("accepted", "some-rule", "a.cl", 3)]
        self.assertEqual(d.compare("a.cl", d.Verdict("accept"), [("some-rule", 3)]), accepted)

    def test_reasons_cover_their_side_only(self):
        reason = d.Explanation("accepted", "some-*", "because")
        self.assertTrue(reason.covers(d.Disagreement("accepted", "some-rule", "a.cl", 3)))
        self.assertFalse(reason.covers(d.Disagreement("refused", "some-rule", "a.cl")))
        self.assertFalse(reason.covers(d.Disagreement("accepted", "other-rule", "a.cl")))


class Reading(unittest.TestCase):
    def test_each_case_has_the_platform_of_its_index(self):
        found = dict(d.files([str(HERE / "host")], None))
        self.assertEqual(found[HERE / "host" / "block2d_on_pvc.good.cl"], "pvc")
        self.assertTrue(all(path.suffix in (".cl", ".ll") for path in found))
        self.assertEqual(set(dict(d.files([str(HERE / "host")], "bmg")).values()), {"bmg"})

    def test_modules_of_llvm_ir_are_compiled_if_they_hold_a_kernel(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("shutil.which", return_value="llvm-as"):
            module = pathlib.Path(folder) / "a.ll"
            module.write_text('target triple = "spir64-unknown-unknown"\ndefine spir_kernel void @k() {\n')
            self.assertTrue(d.can_compile(module))
            module.write_text("define void @k() {\n")
            self.assertFalse(d.can_compile(module))

    def test_the_reasons_can_be_read(self):
        self.assertGreater(len(d.explanations(HERE / "differential_hosts.tsv")), 0)


if __name__ == "__main__":
    unittest.main()
