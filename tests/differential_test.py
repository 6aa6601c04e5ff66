"""What differential.py does without the reference assembler: python3 -m unittest discover -s tests -p '*_test.py'"""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import differential as d  # noqa: E402

FILE = sorted((pathlib.Path(__file__).resolve().parent / "compiler_output" / "dg2").glob("*.visaasm"))[0]
LINES = tuple(FILE.read_text(encoding="latin-1").splitlines())


class Mutation(unittest.TestCase):
    def test_tokens_are_the_text(self):
        for line in LINES:
            self.assertEqual("".join(d.tokens(line)), line)

    def test_statements(self):
        for line, wanted in [
            ("    (!P1.any) lsc_load.ugm (M1, 16)  V1:d32  flat[V2]:a64 /// $1", "lsc_load"),
            (".decl V1 v_type=G type=d num_elts=1", ".decl"),
            ("BB_0:", "label"),
            ("// add", ""),
            ("", ""),
        ]:
            self.assertEqual(d.statement(line), wanted)

    def test_one_seed_makes_one_mutant_that_differs_from_the_file(self):
        vocabulary = d.Vocabulary([LINES])
        seen = set()
        for seed in range(300):
            name, at, program = d.mutate(random.Random(seed), LINES, vocabulary)
            self.assertEqual((name, at, program), d.mutate(random.Random(seed), LINES, vocabulary))
            self.assertNotEqual(program.lines, LINES)
            self.assertTrue(program.changed <= set(range(len(program.lines))), name)
            seen.add(name)
        self.assertEqual(seen, {*d.MUTATIONS, *d.LINE_MUTATIONS})


class Comparison(unittest.TestCase):
    PROGRAM = d.Program((".version 4.1", "    add (M1, 3)", "    ret (M1, 1)"), frozenset({1}))

    def finding(self, level, line):
        return d.Finding("some-rule", level, "`V1` has 3", frozenset({line}))

    def groups(self, stage, *findings):
        return d.compare(self.PROGRAM, d.Verdict(stage, ("a message",)), findings, "add")

    def test_both_refuse(self):
        self.assertEqual(self.groups("parser", self.finding("error", 1)), [])

    def test_an_error_elsewhere_does_not_count(self):
        wanted = [d.Group("refused", "parser: a message", "add")]
        self.assertEqual(self.groups("parser", self.finding("error", 0)), wanted)

    def test_a_warning_is_no_error(self):
        wanted = [d.Group("refused", "crash: a message", "add", "some-rule")]
        self.assertEqual(self.groups("crash", self.finding("warning", 1)), wanted)

    def test_a_crash_without_a_message_may_be_about_any_line(self):
        silent = d.compare(self.PROGRAM, d.Verdict("crash"), [self.finding("warning", 0)], "add")
        self.assertEqual(silent, [d.Group("refused", "crash: no message", "add", "some-rule")])
        wanted = [d.Group("refused", "crash: a message", "add")]
        self.assertEqual(self.groups("crash", self.finding("warning", 0)), wanted)

    def test_only_visa_lint_refuses(self):
        self.assertEqual(self.groups("accept"), [])
        self.assertEqual(self.groups("accept", self.finding("warning", 1)), [])
        self.assertEqual(
            self.groups("accept", self.finding("error", 2)), [d.Group("accepted", "some-rule: `_` has N", "add")]
        )

    def test_nobody_judges(self):
        for stage in ("timeout", "optimiser", "warning"):
            self.assertEqual(self.groups(stage, self.finding("error", 1)), [])

    def test_names_and_numbers_do_not_make_a_message_another(self):
        self.assertEqual(d.normalised("near line 12: V32: unbound identifier"), "unbound identifier")
        self.assertEqual(d.normalised("./visa/G4_IR.hpp:4030 invalid GRF"), "G4_IR.hpp: invalid GRF")


class Reduction(unittest.TestCase):
    def test_the_smallest_subset(self):
        self.assertEqual(d.minimise(list(range(40)), lambda kept: {7, 23} <= set(kept)), [7, 23])

    def test_lines_then_tokens(self):
        program = d.Program(("one", "two  // say", "add (M1, 3) V1 V2", "three"), frozenset({2}))

        def holds(candidate):
            return bool(candidate.changed) and "two" in candidate.text and "V2" in candidate.text

        self.assertEqual(d.reduce(program, holds), d.Program(("two", " V2"), frozenset({1})))


if __name__ == "__main__":
    unittest.main()
