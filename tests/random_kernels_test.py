"""What random_kernels.py writes: python3 -m unittest discover -s tests -p '*_test.py'"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_kernels import Kernel  # noqa: E402


class RandomKernels(unittest.TestCase):
    texts = [Kernel(seed, seed % 3 == 0, (0, 8, 16, 32)[seed % 4]).text() for seed in range(200)]

    def test_a_seed_gives_one_kernel(self):
        self.assertEqual(Kernel(7, True, 16).text(), Kernel(7, True, 16).text())
        self.assertNotEqual(Kernel(7, True, 16).text(), Kernel(8, True, 16).text())

    def test_brackets_are_closed(self):
        for text in self.texts:
            for opened, closed in ("()", "[]", "{}"):
                self.assertEqual(text.count(opened), text.count(closed))

    def test_all_work_items_come_to_each_barrier(self):
        for text in self.texts:
            open_blocks = []
            for line in text.splitlines():
                if line.strip().startswith("}"):
                    open_blocks.pop()
                if line.endswith("{"):
                    open_blocks.append(line)
                if "barrier(" in line or "intel_sub_group_block_read" in line:
                    for head in open_blocks:
                        self.assertRegex(head, r"^ *(for|while|do)\b|^.*kernel void", text)
                        self.assertNotIn("lid", head, text)

    def test_each_work_item_writes_elements_of_its_own(self):
        for text in self.texts:
            for at in re.findall(r"own_\w+\[([^]]*)\]", text):
                self.assertEqual(at, "gid")
            for at in re.findall(r"shared\[([^]]*)\] = ", text):
                self.assertIn(at, ("lid", "i"))
            self.assertNotRegex(text, r"\bin_\w+\[[^;]*\] [-+]?= ")

    def test_what_a_device_may_lack_is_asked_for(self):
        for seed, text in enumerate(self.texts):
            self.assertEqual("double" in text, seed % 3 == 0)
            self.assertEqual("sub_group" in text, seed % 4 != 0)


if __name__ == "__main__":
    unittest.main()
