#!/usr/bin/env python3
"""Compare visa-lint with Intel's reference assembler, GenX_IR, on mutated programs.

Takes .visaasm files that both accept, changes one thing in each of many copies, and lists the copies of which the two
disagree:

  refused   GenX_IR refuses the copy, and visa-lint reports no error at the changed line
  accepted  GenX_IR accepts the copy, and visa-lint reports an error

Disagreements are grouped. What is understood stands in differential.tsv beside this file, with a reason each; the rest is
listed. GenX_IR refuses in several ways: its parser, its verifier (a report in a file), an assertion of its back end that
it prints and survives (exit status 0), or its death. Where it only warns, there is nothing to disagree about; nor where it
dies in silence and does not with `-debug`: then it was its optimiser that died.

The platform of a file is that of its last `//Platform:` comment, or else the name of its folder.

With --hosts it compiles asm statements in OpenCL C with ocloc instead: see differential_hosts.py.

Exit status: 0 no unexplained disagreement, 1 there are some, 2 the comparison was impossible.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import differential_hosts  # noqa: E402

INSTALL = "GenX_IR was not found; on Debian and Ubuntu: apt-get install libigc-tools"

# The platforms that GenX_IR knows, by the names that folders and comments have for them.
PLATFORMS = {name.lower(): name for name in "BDW CHV SKL BXT ICLLP TGLLP XeHP_SDV DG2 MTL PVC PVCXT".split()}

# ---------------------------------------------------------------------------------------------------------------------
# Mutation


TOKEN = re.compile(
    r"""\s+                                  # blank
    | "[^"]*"
    | \([-~]\) | \(abs\) | \(-abs\)          # source modifiers
    | 0[xX][0-9a-fA-F]+ | \d+
    | [.:%][A-Za-z_][\w-]*                   # modifiers, types, predefined variables
    | (?:num_elts|align|offset|size|alias|attrs|v_name|v_type|type)=
    | [A-Za-z_$@?][\w$@?]*
    | .""",
    re.VERBOSE,
)
REGION = re.compile(r"<[^<>]*>")
MASK = re.compile(r"\((M[1-8](?:_NM)?|NoMask), *(\d+)\)")
OPERAND = re.compile(r"(?<=\s)(?:\([-~a-z]+\))?[%&\w]+(?:\([^()]*\))?(?:<[^<>]*>)?(?:\.\d+)?(?::\w+)?(?=\s|$)")
COMMENT = re.compile(r"\s*//.*$")
NAME = re.compile(r"\b[A-Za-z_]\w*\b")

MASKS = [f"M{i}{nm}" for i in range(1, 9) for nm in ("", "_NM")]
SIZES = ["1", "2", "4", "8", "16", "32"]
TYPES = "ud d uw w ub b uq q f df hf bf bool".split()
IMMEDIATE_TYPES = [*TYPES, "v", "uv", "vf"]
ALIGNMENTS = "byte word dword qword oword hword GRF GRFx2 2GRF 32word 64word wordx32".split()
REGIONS = [
    "<0;1,0>", "<1;1,0>", "<2;1,0>", "<4;1,0>", "<8;8,1>", "<16;16,1>", "<4;4,1>", "<16;8,2>", "<32;8,4>", "<2;2,1>",
    "<8;4,2>", "<0;4,1>", "<3;1,0>", "<1;1,1>", "<8;3,1>", "<0;0,0>", "<1,0>", "<0>", "<1>", "<2>", "<3>", "<4>", "<8>",
]  # fmt: skip
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 1024, 4095, 4096, 65535, 65536]
SOURCE_MODIFIERS = ["(-)", "(abs)", "(-abs)", "(~)"]


def code(line: str) -> str:
    """The line without its comment and the blank before it."""
    return "" if line.lstrip().startswith("//") else COMMENT.sub("", line)


def statement(line: str) -> str:
    """What the line is: a mnemonic without modifiers, a directive, `label`, or nothing."""
    text = re.sub(r"^\s*(\([^()]*\))?\s*", "", code(line))
    if re.match(r"[A-Za-z_$@?][\w$@?-]*:", text):
        return "label"
    found = re.match(r"\.?[A-Za-z]\w*", text)
    return found.group() if found else ""


def tokens(text: str) -> list[str]:
    """The text in pieces that are mostly the tokens of vISA; joined they are the text again."""
    return TOKEN.findall(text)


def _kind(token: str) -> str:
    """Tokens of one kind can stand for each other."""
    if token.isspace():
        return "blank"
    if token[0].isdigit():
        return "number"
    if token[0] in ".:%" and len(token) > 1:
        return token[0]
    if token in SOURCE_MODIFIERS:
        return "source modifier"
    return "name" if re.match(r"[A-Za-z_$@?]", token) else "punctuation"


class Vocabulary:
    """What the mutations put in: pieces of the files themselves."""

    def __init__(self, files: Iterable[Sequence[str]]) -> None:
        words: dict[str, set[str]] = collections.defaultdict(set)
        for lines in files:
            for line in lines:
                for token in tokens(code(line)):
                    words[_kind(token)].add(token)
                what = statement(line)
                if what and what != "label":
                    words["directive" if what[0] == "." else "mnemonic"].add(what)
        words["."] |= {".sat", ".eq", ".any", ".all", ".R", ".RGBA", ".mod"}
        words[":"] |= {f":{name}" for name in IMMEDIATE_TYPES}
        self.words = {kind: sorted(found) for kind, found in words.items()}

    def other(self, rng: random.Random, kind: str, token: str) -> str:
        """Another word of a kind."""
        return rng.choice([word for word in self.words.get(kind, []) if word != token] or [token])


@dataclasses.dataclass(frozen=True)
class Line:
    """A line that a mutation can change, and what stands around it."""

    text: str
    names: Sequence[str]
    """Variables that the file declares."""
    vocabulary: Vocabulary


Mutation = Callable[[random.Random, Line], str | None]


def _replace(text: str, found: re.Match[str] | None, new: str) -> str | None:
    return text[: found.start()] + new + text[found.end() :] if found else None


def _pick(rng: random.Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def _change_token(rng: random.Random, line: Line) -> str | None:
    parts = tokens(line.text)
    at = rng.choice([i for i, part in enumerate(parts) if not part.isspace()])
    parts[at] = line.vocabulary.other(rng, _kind(parts[at]), parts[at])
    return "".join(parts)


def _delete_token(rng: random.Random, line: Line) -> str | None:
    parts = tokens(line.text)
    del parts[rng.choice([i for i, part in enumerate(parts) if not part.isspace()])]
    return "".join(parts)


def _duplicate_token(rng: random.Random, line: Line) -> str | None:
    parts = tokens(line.text)
    at = rng.choice([i for i, part in enumerate(parts) if not part.isspace()])
    parts.insert(at, parts[at] + (" " if _kind(parts[at]) in ("name", "number") else ""))
    return "".join(parts)


def _number(rng: random.Random, line: Line) -> str | None:
    found = _pick(rng, re.compile(r"\b(?:0[xX][0-9a-fA-F]+|\d+)\b"), line.text)
    if not found:
        return None
    value = int(found.group(), 16 if found.group()[:2] in ("0x", "0X") else 10)
    new = rng.choice([value + 1, max(value - 1, 0), value * 2, value // 2, -value, value + 8, *rng.sample(NUMBERS, 6)])
    hexadecimal = found.group().startswith("0x")
    return _replace(line.text, found, f"{'-' if new < 0 else ''}{f'{abs(new):#x}' if hexadecimal else abs(new)}")


def _exec_size(rng: random.Random, line: Line) -> str | None:
    found = MASK.search(line.text)
    return found and _replace(line.text, found, f"({found[1]}, {rng.choice([*SIZES, '3', '64'])})")


def _mask(rng: random.Random, line: Line) -> str | None:
    found = MASK.search(line.text)
    return found and _replace(line.text, found, f"({rng.choice([*MASKS, 'NoMask', 'M9'])}, {found[2]})")


def _type(rng: random.Random, line: Line) -> str | None:
    found = _pick(rng, re.compile(r"(?<=:)[a-z]{1,4}\b"), line.text)
    return _replace(line.text, found, rng.choice(IMMEDIATE_TYPES))


def _region(rng: random.Random, line: Line) -> str | None:
    return _replace(line.text, _pick(rng, REGION, line.text), rng.choice(REGIONS))


def _mnemonic(rng: random.Random, line: Line) -> str | None:
    what = statement(line.text)
    kind = "directive" if what[:1] == "." else "mnemonic"
    found = re.search(rf"{re.escape(what)}\b", line.text) if what and what != "label" else None
    return _replace(line.text, found, line.vocabulary.other(rng, kind, what))


def _modifier(rng: random.Random, line: Line) -> str | None:
    found = _pick(rng, re.compile(r"\.[A-Za-z][\w-]*"), line.text)
    if found and rng.random() < 0.7:
        return _replace(line.text, found, line.vocabulary.other(rng, ".", found.group()))
    return _replace(line.text, re.search(r"(?<=\w) +(?=\()", line.text), line.vocabulary.other(rng, ".", "") + " ")


def _source_modifier(rng: random.Random, line: Line) -> str | None:
    found = _pick(rng, re.compile(r"(?<=\s)(?=[A-Za-z%&]\w*[(.<])"), line.text)
    return _replace(line.text, found, rng.choice(SOURCE_MODIFIERS))


def _predicate(rng: random.Random, line: Line) -> str | None:
    name = rng.choice([n for n in line.names if n.startswith("P")] or line.names or ["P1"])
    new = f"({rng.choice(['', '!'])}{name}{rng.choice(['', '', '.any', '.all'])}) "
    return re.sub(r"^(\s*)(\([^()]*\) *)?", lambda m: m[1] + rng.choice([new, new, ""]), line.text)


def _operand_swap(rng: random.Random, line: Line) -> str | None:
    found = list(OPERAND.finditer(line.text))
    if len(found) < 2:
        return None
    a, b = sorted(rng.sample(found, 2), key=lambda m: m.start())
    return line.text[: a.start()] + b.group() + line.text[a.end() : b.start()] + a.group() + line.text[b.end() :]


def _operand_copy(rng: random.Random, line: Line) -> str | None:
    found = list(OPERAND.finditer(line.text))
    if len(found) < 2:
        return None
    a, b = rng.sample(found, 2)
    return _replace(line.text, a, b.group())


def _operand_delete(rng: random.Random, line: Line) -> str | None:
    return _replace(line.text, _pick(rng, OPERAND, line.text), "")


def _variable(rng: random.Random, line: Line) -> str | None:
    names = set(line.names)
    found = [m for m in NAME.finditer(line.text) if m.group() in names]
    new = rng.choice([*line.names, "%null", "%r0", "%sp"]) if line.names else "%null"
    return _replace(line.text, rng.choice(found), new) if found else None


def _offset(rng: random.Random, line: Line) -> str | None:
    found = _pick(rng, re.compile(r"(?<=\w\.)\d+\b|(?<=\w\()\d+,\d+(?=\))"), line.text)
    if not found:
        return None
    if "," in found.group():
        return _replace(line.text, found, f"{rng.choice([0, 1, 2, 7, 255])},{rng.choice([0, 1, 3, 8, 15, 31])}")
    return _replace(line.text, found, str(rng.choice([1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 1000])))


def _declaration(rng: random.Random, line: Line) -> str | None:
    if not line.text.startswith(".decl"):
        return None
    key, new = rng.choice([
        ("type", rng.choice(TYPES)),
        ("v_type", rng.choice("GAPST")),
        ("num_elts", str(rng.choice([0, 1, 2, 4, 8, 16, 32, 33, 64, 1024, 4096, 65536]))),
        ("align", rng.choice(ALIGNMENTS)),
        ("alias", f"<{rng.choice([*line.names, '%r0', '%null'])}, {rng.choice([0, 1, 2, 4, 31, 32, 64, 4096])}>"),
        ("attrs", rng.choice(["{Input}", "{Output}", "{NoWidening}", "{Input_Output}", "{DoNotSpill}", "{X}"])),
    ])  # fmt: skip
    found = re.search(rf"\b{key}=(?:<[^>]*>|{{[^}}]*}}|\S+)", line.text)
    return _replace(line.text, found, f"{key}={new}") if found else f"{line.text} {key}={new}"


MUTATIONS: dict[str, Mutation] = {
    "change token": _change_token,
    "delete token": _delete_token,
    "duplicate token": _duplicate_token,
    "number": _number,
    "execution size": _exec_size,
    "mask": _mask,
    "type": _type,
    "region": _region,
    "mnemonic": _mnemonic,
    "modifier": _modifier,
    "source modifier": _source_modifier,
    "predicate": _predicate,
    "swap operands": _operand_swap,
    "copy operand": _operand_copy,
    "delete operand": _operand_delete,
    "variable": _variable,
    "offset": _offset,
    "declaration": _declaration,
}
# These take or add a line, so a fault may show up anywhere.
LINE_MUTATIONS = ("delete line", "duplicate line", "swap lines")


@dataclasses.dataclass(frozen=True)
class Program:
    """A text of which some lines were changed."""

    lines: tuple[str, ...]
    changed: frozenset[int] = frozenset()
    """Indices of lines."""

    @property
    def text(self) -> str:
        """The text."""
        return "\n".join(self.lines) + "\n"

    def keep(self, indices: Iterable[int]) -> "Program":
        """The program of these lines."""
        kept = sorted(indices)
        return Program(
            tuple(self.lines[i] for i in kept), frozenset(n for n, i in enumerate(kept) if i in self.changed)
        )

    def with_line(self, index: int, text: str) -> "Program":
        """The program with another text in one line."""
        return Program((*self.lines[:index], text, *self.lines[index + 1 :]), self.changed)


def declared(lines: Sequence[str]) -> list[str]:
    """The names that a file declares."""
    return [m[1] for line in lines if (m := re.match(r"\s*\.decl\s+(\w+)", line))]


def mutate(rng: random.Random, lines: Sequence[str], vocabulary: Vocabulary) -> tuple[str, int, Program]:
    """One mutation of a file: its name, the index of the line in the file, and the program that comes of it."""
    by_statement = collections.defaultdict(list)
    for i, line in enumerate(lines):
        if statement(line):
            by_statement[statement(line)].append(i)
    names = declared(lines)
    while True:
        # Rare statements are as worthwhile as frequent ones.
        pool = by_statement[rng.choice(sorted(by_statement))] if rng.random() < 0.7 else sum(by_statement.values(), [])
        at = rng.choice(pool)
        name = rng.choice([*MUTATIONS, *LINE_MUTATIONS])
        if name == "delete line":
            near = frozenset({max(at - 1, 0), min(at, len(lines) - 2)})
            return name, at, Program((*lines[:at], *lines[at + 1 :]), near)
        if name == "duplicate line":
            return name, at, Program((*lines[: at + 1], *lines[at:]), frozenset({at, at + 1}))
        if name == "swap lines":
            if at + 1 < len(lines) and code(lines[at + 1]).strip():
                both = (*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :])
                return name, at, Program(both, frozenset({at, at + 1}))
            continue
        old = code(lines[at])
        new = MUTATIONS[name](rng, Line(old, names, vocabulary))
        if new is not None and new.split() != old.split():
            return name, at, Program((*lines[:at], new, *lines[at + 1 :]), frozenset({at}))


# ---------------------------------------------------------------------------------------------------------------------
# The two tools


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What GenX_IR says."""

    stage: str
    """`accept`, `warning`, `parser`, `verifier`, `assertion`, `crash`, `optimiser` or `timeout`."""
    messages: tuple[str, ...] = ()
    """Without what differs between programs."""


def normalised(message: str) -> str:
    """The message without names and numbers, so that one fault has one message."""
    message = re.sub(r"^\S*/visa/(\w+\.\w+):\d+\s*", r"\1: ", message.strip())
    message = re.sub(r"^near line \d+: (?:\S+: )?", "", message)
    message = re.sub(r"\b(?:[VPATS]|BB_|L)\d+\w*\b|%\w+|\"[^\"]*\"|'[^']*'", "NAME", message)
    return re.sub(r"\b0x[0-9a-fA-F]+\b|\b\d+\b", "N", message)[:160]


def assemble(genx: str, program: Program, platform: str, timeout: float) -> Verdict:
    """What GenX_IR says."""
    verdict = run_assembler(genx, ["-platform", platform], program, timeout)
    if verdict == Verdict("crash"):
        without_optimiser = run_assembler(genx, ["-platform", platform, "-debug"], program, timeout)
        if without_optimiser.stage in ("accept", "warning"):
            return Verdict("optimiser")
    return verdict


def run_assembler(genx: str, options: Sequence[str], program: Program, timeout: float) -> Verdict:
    """Runs GenX_IR in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        source = pathlib.Path(folder, "p.visaasm")
        source.write_text(program.text, encoding="latin-1")
        # A process group, because the assembler must not outlive its time.
        process = subprocess.Popen(
            [genx, source.name, *options],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Verdict("timeout")
        said = [line for line in output.decode("latin-1").splitlines() if line.strip()]
        # One per kernel; some kernels say how it is named.
        reports = sorted(pathlib.Path(folder).glob("*.errors.txt"))
        if reports:
            text = "".join(report.read_text(encoding="latin-1") for report in reports)
            found = re.findall(r"Error Message: *(.*)", text)
            return Verdict("verifier", tuple(dict.fromkeys(map(normalised, found))))
    near = [line for line in said if line.startswith("near line ")]
    asserted = [line for line in said if re.match(r"\S*/visa/\w+\.\w+:\d+|INVALID opcode", line)]
    if process.returncode < 0:
        return Verdict("crash", tuple(dict.fromkeys(map(normalised, asserted))))
    if any("spill code" in line for line in said):
        # It ran out of registers, which is a matter of its allocation.
        return Verdict("warning")
    if process.returncode > 0:
        return Verdict("parser", tuple(map(normalised, near[:1] or asserted[:1] or said[-1:])))
    if asserted:
        return Verdict("assertion", tuple(dict.fromkeys(map(normalised, asserted))))
    return Verdict("warning" if any(line.startswith("WARNING") for line in said) else "accept")


@dataclasses.dataclass(frozen=True)
class Finding:
    """What visa-lint reports."""

    rule: str
    level: str
    message: str
    lines: frozenset[int]
    """Indices of the lines that it labels."""


class LintFailure(Exception):
    """visa-lint broke."""


def lint(binary: str, programs: Sequence[Program], platform: str, timeout: float) -> list[list[Finding]]:
    """Runs visa-lint once for many programs."""
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        paths = [os.path.join(folder, f"{i}.visaasm") for i in range(len(programs))]
        for path, program in zip(paths, programs):
            pathlib.Path(path).write_text(program.text, encoding="latin-1")
        command = [binary, "--no-config", "--format", "json", "--platform", platform, *paths]
        try:
            run = subprocess.run(command, capture_output=True, timeout=timeout * len(programs), check=False)
        except subprocess.TimeoutExpired as slow:
            raise LintFailure(f"visa-lint takes more than {timeout:.0f} s") from slow
        if run.returncode not in (0, 1):
            raise LintFailure(f"visa-lint: exit status {run.returncode}: {run.stderr.decode(errors='replace')[-300:]}")
        found: dict[str, list[Finding]] = {path: [] for path in paths}
        for line in run.stdout.decode().splitlines():
            row = json.loads(line)
            labelled = frozenset(n for place in (row, *row["labels"]) for n in range(place["line"] - 1, place["end_line"]))
            found[row["path"]].append(Finding(row["rule"], row["level"], row["message"], labelled))
        return [found[path] for path in paths]


# ---------------------------------------------------------------------------------------------------------------------
# Comparison


@dataclasses.dataclass(frozen=True)
class Group:
    """Disagreements of one kind."""

    side: str
    """`refused` or `accepted`: what GenX_IR does."""
    what: str
    """`stage: message` of GenX_IR, or `rule: message` of visa-lint."""
    statement: str
    """The changed statement: a mnemonic or directive."""
    instead: str = ""
    """Warnings of visa-lint at the changed line, or of the whole program where it may be any line."""

    @property
    def summary(self) -> str:
        """What explanations look at."""
        return f"{self.what} [warning: {self.instead}]" if self.instead else self.what


def compare(program: Program, verdict: Verdict, findings: Sequence[Finding], at: str) -> list[Group]:
    """How the two disagree on a program; `at` is the changed statement."""
    errors = [finding for finding in findings if finding.level == "error"]
    if verdict.stage in ("timeout", "optimiser", "warning"):
        return []
    if verdict.stage == "accept":
        what = dict.fromkeys(f"{error.rule}: {shape(error.message)}" for error in errors)
        return [Group("accepted", name, at) for name in what]
    # A change of a declaration shows up wherever the variable is used, one of whole lines wherever they were needed.
    anywhere = at.startswith(".") or at in ("label", "") or len(program.changed) != 1
    if any(anywhere or error.lines & program.changed for error in errors):
        return []
    warnings = [finding for finding in findings if finding.level == "warning"]
    here = [warning for warning in warnings if anywhere or warning.lines & program.changed]
    # A process that dies without a message does not say which line it dislikes.
    rules = sorted({warning.rule for warning in here or (warnings if verdict == Verdict("crash") else [])})
    message = verdict.messages[0] if verdict.messages else "no message"
    return [Group("refused", f"{verdict.stage}: {message}", at, ", ".join(rules))]


def shape(message: str) -> str:
    """A message of visa-lint without what the program wrote."""
    return re.sub(r"\b\d+\b", "N", re.sub(r"`[^`]*`", "`_`", message))


@dataclasses.dataclass
class Explanation:
    """A line of differential.tsv."""

    side: str
    what: re.Pattern[str]
    statement: re.Pattern[str]
    reason: str
    used: int = 0

    def covers(self, group: Group) -> bool:
        """Whether it explains a group."""
        return bool(
            self.side == group.side and self.what.search(group.summary) and self.statement.fullmatch(group.statement)
        )


def explanations(path: pathlib.Path) -> list[Explanation]:
    """Reads what is understood. The first line names the columns; `#` begins a comment."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if number == 1 or not line.strip() or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != 4 or columns[0] not in ("refused", "accepted") or not columns[3]:
            raise SystemExit(f"{path}:{number}: wanted side, message, statement and reason, with tabs between")
        found.append(Explanation(columns[0], re.compile(columns[1]), re.compile(columns[2]), columns[3]))
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Reduction


def minimise(items: list[int], holds: Callable[[list[int]], bool]) -> list[int]:
    """Delta debugging: a subset that holds, and of which no single item can go. `items` itself has to hold."""
    size = max(len(items) // 2, 1)
    while True:
        start, shrunk = 0, False
        while start < len(items):
            without = items[:start] + items[start + size :]
            if holds(without):
                items, shrunk = without, True
            else:
                start += size
        if size > 1:
            size //= 2
        elif not shrunk:
            return items


def reduce(program: Program, holds: Callable[[Program], bool]) -> Program:
    """The program with as few lines and tokens as possible. `program` itself has to hold."""
    program = program.keep(minimise(list(range(len(program.lines))), lambda kept: holds(program.keep(kept))))
    for index, line in enumerate(program.lines):
        # A token goes together with the blank before it.
        before, parts = program, re.findall(rf"\s*(?:{TOKEN.pattern})", code(line), re.VERBOSE)

        def shortened(kept: list[int], index: int = index, parts: list[str] = parts) -> Program:
            return before.with_line(index, "".join(parts[i] for i in kept))  # noqa: B023

        if holds(shortened(list(range(len(parts))))):
            program = shortened(minimise(list(range(len(parts))), lambda kept: holds(shortened(kept))))
    return program


# ---------------------------------------------------------------------------------------------------------------------
# The command


@dataclasses.dataclass(frozen=True)
class Source:
    """A file to mutate."""

    path: str
    platform: str
    lines: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A mutated file, and what the two say of it."""

    source: Source
    mutation: str
    line: int
    program: Program

    @property
    def statement(self) -> str:
        """The statement that was changed, as it was."""
        return statement(self.source.lines[self.line])

    def show(self) -> str:
        """What was changed, on a few lines."""
        old, new = self.source.lines[self.line], [self.program.lines[i] for i in sorted(self.program.changed)]
        after = [] if self.mutation in LINE_MUTATIONS else [f"      + {line.strip()}" for line in new]
        place = f"{self.source.path}:{self.line + 1} ({self.source.platform}, {self.mutation})"
        return "\n".join([f"    {place}", f"      - {code(old).strip()}", *after])


def sources(paths: Sequence[str], platform: str | None, longest: int) -> list[Source]:
    """The files below the paths whose platform GenX_IR knows."""
    files = sorted(
        {file for path in map(pathlib.Path, paths) for file in (path.rglob("*.visaasm") if path.is_dir() else [path])}
    )
    found = []
    for file in files:
        text = file.read_text(encoding="latin-1")
        named = re.findall(r"^//Platform: *(\w+)", text, re.MULTILINE)
        known = PLATFORMS.get((platform or (named or [file.resolve().parent.name])[-1]).lower())
        lines = tuple(text.splitlines())
        if known and len(lines) <= longest:
            found.append(Source(str(file), known, lines))
    return found


class Comparison:
    """The two tools, and how long they may take."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.genx, self.binary, self.timeout = options.genx, options.visa_lint, options.timeout
        self.jobs = concurrent.futures.ThreadPoolExecutor(options.jobs)

    def verdicts(self, programs: Sequence[tuple[Program, str]]) -> list[Verdict]:
        """What GenX_IR says of programs, each with a platform."""
        return list(self.jobs.map(lambda item: assemble(self.genx, *item, self.timeout), programs))

    def findings(self, programs: Sequence[tuple[Program, str]]) -> list[list[Finding]]:
        """What visa-lint says of them."""
        by_platform = collections.defaultdict(list)
        for index, (_, platform) in enumerate(programs):
            by_platform[platform].append(index)
        batches = [(p, ids[i : i + 50]) for p, ids in sorted(by_platform.items()) for i in range(0, len(ids), 50)]

        def run(batch: tuple[str, list[int]]) -> list[list[Finding]]:
            return lint(self.binary, [programs[i][0] for i in batch[1]], batch[0], self.timeout)

        results: list[list[Finding]] = [[] for _ in programs]
        for (_, indices), found in zip(batches, self.jobs.map(run, batches)):
            for index, findings in zip(indices, found):
                results[index] = findings
        return results

    def usable(self, candidates: Sequence[Source]) -> list[Source]:
        """The files with which neither tool finds fault."""
        programs = [(Program(source.lines), source.platform) for source in candidates]
        both = zip(candidates, self.verdicts(programs), self.findings(programs))
        return [
            source for source, verdict, findings in both
            if verdict.stage == "accept" and not any(f.level == "error" for f in findings)
        ]  # fmt: skip

    def reduced(self, mutant: Mutant, group: Group) -> Program:
        """The smallest program with the same disagreement."""

        def holds(program: Program) -> bool:
            if not program.changed:
                return False
            # The faster tool comes first.
            [findings] = lint(self.binary, [program], mutant.source.platform, self.timeout)
            if group.side == "accepted" and not any(f"{f.rule}: {shape(f.message)}" == group.what for f in findings):
                return False
            verdict = assemble(self.genx, program, mutant.source.platform, self.timeout)
            return group in compare(program, verdict, findings, mutant.statement)

        return reduce(mutant.program, holds)


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help=".visaasm files and folders (default compiler_output beside this file)")
    parser.add_argument("--hosts", action="store_true", help="compare asm statements in OpenCL C with ocloc instead (default host)")
    parser.add_argument("--ocloc", default="ocloc", metavar="PROGRAM", help="the compiler for --hosts (default %(default)s)")
    parser.add_argument("--mutants", type=int, default=2000, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--seed", default="0", help="the same seed and files make the same mutants (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at a time (default %(default)s)")
    parser.add_argument("--timeout", type=float, default=20, metavar="S", help="seconds per program (default %(default)s)")
    parser.add_argument("--max-lines", type=int, default=800, metavar="N", help="leave out longer files (default %(default)s)")
    parser.add_argument("--platform", choices=sorted(PLATFORMS.values()), help="instead of what the files say")
    parser.add_argument("--examples", type=int, default=2, metavar="N", help="shown per group (default %(default)s)")
    parser.add_argument("--show-explained", action="store_true", help="list also what is understood")
    parser.add_argument("--explanations", type=pathlib.Path, default=HERE / "differential.tsv", metavar="FILE")
    parser.add_argument("--reduce", type=pathlib.Path, metavar="DIR", help="write the smallest program of each listed group")
    parser.add_argument("--genx", default="GenX_IR", metavar="PROGRAM", help="the reference assembler (default %(default)s)")
    parser.add_argument(
        "--visa-lint", default=str(HERE.parent / "target" / "release" / "visa-lint"), metavar="PROGRAM", help="default %(default)s"
    )
    return parser.parse_args()


def main() -> int:
    """The command."""
    options = arguments()
    if options.hosts:
        return differential_hosts.run(options)
    options.paths = options.paths or [str(HERE / "compiler_output")]
    options.genx = shutil.which(options.genx)
    if not options.genx:
        print(INSTALL, file=sys.stderr)
        return 2
    if not shutil.which(options.visa_lint):
        print(f"{options.visa_lint} does not exist; build it with cargo build --release", file=sys.stderr)
        return 2
    known = explanations(options.explanations)
    comparison = Comparison(options)
    candidates = sources(options.paths, options.platform, options.max_lines)
    try:
        usable = comparison.usable(candidates)
        if not usable:
            print("there is no file that both accept", file=sys.stderr)
            return 2
        vocabulary = Vocabulary(source.lines for source in usable)
        mutants = []
        for number in range(options.mutants):
            rng = random.Random(f"{options.seed}/{number}")
            source = rng.choice(usable)
            mutants.append(Mutant(source, *mutate(rng, source.lines, vocabulary)))
        programs = [(mutant.program, mutant.source.platform) for mutant in mutants]
        verdicts, findings = comparison.verdicts(programs), comparison.findings(programs)
    except LintFailure as failure:
        print(failure, file=sys.stderr)
        return 2

    groups: dict[Group, list[Mutant]] = collections.defaultdict(list)
    for mutant, verdict, found in zip(mutants, verdicts, findings):
        for group in compare(mutant.program, verdict, found, mutant.statement):
            groups[group].append(mutant)
    explained = 0
    listed = []
    for group in sorted(groups, key=lambda g: (g.side, -len(groups[g]), g.what, g.statement, g.instead)):
        reason = next((e for e in known if e.covers(group)), None)
        if reason:
            reason.used += 1
            explained += 1
        if not reason or options.show_explained:
            listed.append((group, reason.reason if reason else None))

    reduced = {}
    if options.reduce:
        unexplained = [group for group, reason in listed if not reason]
        smallest = comparison.jobs.map(lambda group: comparison.reduced(groups[group][0], group), unexplained)
        options.reduce.mkdir(parents=True, exist_ok=True)
        for number, (group, program) in enumerate(zip(unexplained, smallest)):
            path = options.reduce / f"{number:03}-{group.side}-{group.statement.strip('.') or 'nothing'}.visaasm"
            platform = groups[group][0].source.platform
            path.write_text(f"{program.text}//Platform: {platform}\n", encoding="latin-1")
            reduced[group] = path
    for group, reason in listed:
        print(f"{group.side} {len(groups[group])} x {group.statement or 'nothing'}: {group.summary}")
        if reason:
            print(f"    because {reason}")
        for mutant in groups[group][: options.examples]:
            print(mutant.show())
        if group in reduced:
            print(f"    reduced to {reduced[group]}")

    stages = collections.Counter(verdict.stage for verdict in verdicts)
    said = ", ".join(f"{stage} {count}" for stage, count in sorted(stages.items()))
    print(f"{len(mutants)} mutants of {len(usable)} of {len(candidates)} files; GenX_IR: {said}")
    left = len(groups) - explained
    print(f"{left} unexplained groups, {explained} explained by {sum(e.used > 0 for e in known)} of {len(known)} reasons")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
