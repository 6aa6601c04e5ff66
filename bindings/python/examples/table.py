"""Findings of a folder as a table of pandas: which rules, in how many kernels."""

import sys
from pathlib import Path

import pandas as pd
import visa_lint

if __name__ == "__main__":
    findings = [
        finding
        for file in sorted(Path(sys.argv[1]).rglob("*.visaasm"))
        for finding in visa_lint.check(file.read_text(), path=str(file))
    ]
    table = pd.DataFrame(visa_lint.rows(findings))
    print(table.groupby(["level", "rule"]).agg(findings=("line", "size"), kernels=("kernel", "nunique")).to_string())
