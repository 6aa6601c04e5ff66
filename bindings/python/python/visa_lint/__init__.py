"""Static verifier and linter for Intel vISA."""

import json as _json
import sys as _sys

from ._visa_lint import Edit, Finding, Fix, Label, __version__, check, check_fragment, explain, fix
from ._visa_lint import run as _run
from ._visa_lint import table as _table

__all__ = [
    "Edit",
    "Finding",
    "Fix",
    "Label",
    "__version__",
    "check",
    "check_fragment",
    "explain",
    "fix",
    "instructions",
    "main",
    "rows",
    "rules",
]

_COLUMNS = (
    "path", "rule", "level", "message", "line", "column", "end_line", "end_column", "offset", "end_offset", "label",
    "help", "document", "kernel", "fingerprint",
)


def instructions():
    """Every instruction of the specification, as `visa-lint explain --format json` describes it."""
    return _json.loads(_table())["instructions"]


def rules():
    """Every rule, as `visa-lint explain --format json` describes it."""
    return _json.loads(_table())["rules"]


def rows(findings):
    """Findings as a list of dictionaries of plain values, for tables."""
    return [{name: getattr(finding, name) for name in _COLUMNS} for finding in findings]


def main():
    """The command line."""
    _sys.exit(_run(["visa-lint", *_sys.argv[1:]]))
