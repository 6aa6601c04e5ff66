"""Compare visa-lint with Intel's OpenCL compiler, ocloc, on asm statements: what `differential.py --hosts` does.

Each OpenCL C file is compiled as it is, and so is each module of LLVM IR that holds a kernel of SPIR, if `llvm-as` is
there; for the platform that `index.tsv` in its folder says, or the one of the command line. The compiler refuses a file, or drops an asm statement in silence (nothing of it is in the vISA text that it
dumps), or accepts it. Listed are the files about which the two disagree:

  refused   the compiler refuses the file or drops a statement, and visa-lint reports no error
  accepted  the compiler accepts the file, and visa-lint reports an error

What is understood stands in `differential_hosts.tsv`: the side, a pattern for the rule or the words of the compiler, and
the reason.
"""

import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
INSTALL = "ocloc was not found; on Debian and Ubuntu: apt-get install intel-ocloc intel-opencl-icd"
ASSEMBLER = "llvm-as"
PASTED = re.compile(r"/// Inlined ASM\n(.*?)/// End Inlined ASM", re.DOTALL)
# What only says that there are faults, and where the wording is.
NOISE = re.compile(r"^(Build (failed|succeeded)|Command was|error: backend compiler failed|error: parsing vISA inline assembly failed|\s*$|in kernel|[-/\\!]*$)")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What the compiler does with a file: `accept`, `refuse` or `drop`, and its words."""

    stage: str
    message: str = ""


@dataclasses.dataclass(frozen=True)
class Disagreement:
    """A file about which the two disagree: the side, what one of them says, and its place."""

    side: str
    what: str
    path: str
    line: int = 0


@dataclasses.dataclass
class Explanation:
    """Why the two have to differ. `used` counts the disagreements that it covers."""

    side: str
    pattern: str
    reason: str
    used: int = 0

    def covers(self, found: Disagreement) -> bool:
        """Whether a disagreement is one of these."""
        return self.side == found.side and fnmatch.fnmatchcase(found.what, self.pattern)


def explanations(path: pathlib.Path) -> list[Explanation]:
    """Reads the reasons: three columns, comments begin with `#`."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 3 or row[0] not in ("refused", "accepted"):
            raise ValueError(f"{path}: a row is `refused` or `accepted`, a pattern and a reason, not {row}")
    return [Explanation(*row) for row in rows]


def platforms(folder: pathlib.Path) -> dict[str, str]:
    """The platform of each file of a folder that has an index."""
    index = folder / "index.tsv"
    rows = index.read_text().splitlines() if index.exists() else []
    return {name: platform for name, platform, *_ in (row.split("\t") for row in rows)}


def judge(output: str, dumps: Iterable[str], n_statements: int) -> Verdict:
    """What the output of the compiler, and the vISA that it dumped, say of a file with that many asm statements."""
    if "Build succeeded" not in output:
        words = (re.sub(r"near line \d+", "near a line", line).strip() for line in output.splitlines())
        return Verdict("refuse", next((w for w in words if w and not NOISE.match(w)), ""))
    pasted = sum(1 for dump in dumps for text in PASTED.findall(dump) if text.strip())
    if pasted < n_statements:
        return Verdict("drop", f"{n_statements - pasted} of {n_statements} statements are dropped")
    return Verdict("accept")


def compare(path: str, verdict: Verdict, errors: Sequence[tuple[str, int]]) -> list[Disagreement]:
    """The disagreements about a file; `errors` are the rules and lines that visa-lint reports."""
    if verdict.stage == "accept":
        return [Disagreement("accepted", rule, path, line) for rule, line in errors]
    return [] if errors else [Disagreement("refused", verdict.message, path)]


class Tools:
    """The two programs."""

    def __init__(self, ocloc: str, visa_lint: str, timeout: float) -> None:
        self.ocloc, self.visa_lint, self.timeout = ocloc, visa_lint, timeout

    def errors(self, path: pathlib.Path, platform: str) -> tuple[list[tuple[str, int]], int]:
        """The errors of a file, and its asm statements that hold something."""
        command = [self.visa_lint, "--no-config", "--format", "json", "--platform", platform, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=self.timeout)
        if run.returncode not in (0, 1):
            raise RuntimeError(f"visa-lint failed on {path}: {run.stderr}")
        found = [json.loads(line) for line in run.stdout.splitlines()]
        expanded = subprocess.run([self.visa_lint, "expand", str(path)], capture_output=True, text=True, timeout=self.timeout)
        n_statements = len(re.findall(r"^\.kernel ", expanded.stdout, re.MULTILINE))
        return [(f["rule"], f["line"]) for f in found if f["level"] == "error"], n_statements

    def compile(self, path: pathlib.Path, platform: str, n_statements: int) -> Verdict:
        """Compiles a file."""
        with tempfile.TemporaryDirectory(prefix="differential-") as folder:
            dump = {"IGC_ShaderDumpEnable": "1", "IGC_DumpToCustomDir": folder}
            source, options = path.resolve(), []
            if path.suffix == ".ll":
                source, options = pathlib.Path(folder) / "module.bc", ["-llvm_input"]
                assemble = [ASSEMBLER, str(path.resolve()), "-o", str(source)]
                assembled = subprocess.run(assemble, capture_output=True, text=True, timeout=self.timeout)
                if assembled.returncode != 0:
                    return Verdict("refuse", next(iter(assembled.stderr.splitlines()), ASSEMBLER))
            command = [self.ocloc, "compile", "-file", str(source), *options, "-device", platform, "-out_dir", folder]
            run = subprocess.run(
                command, capture_output=True, text=True, errors="replace", cwd=folder, env=os.environ | dump, timeout=self.timeout
            )
            texts = {f.name: f.read_text(errors="replace") for f in pathlib.Path(folder).iterdir() if f.suffix in (".txt", ".visaasm")}
        words = [text for name, text in texts.items() if name.endswith("errors.txt")]
        found = (line for text in words for line in text.splitlines() if "Error Message" in line)
        output = "\n".join([*found, run.stdout, run.stderr])
        return judge(output, (t for n, t in texts.items() if n.endswith(".visaasm")), n_statements)

    def examine(self, path: pathlib.Path, platform: str) -> tuple[Verdict, list[Disagreement]]:
        """What the compiler does with a file, and the disagreements about it."""
        errors, n_statements = self.errors(path, platform)
        verdict = self.compile(path, platform, n_statements)
        return verdict, compare(str(path), verdict, errors)


def can_compile(file: pathlib.Path) -> bool:
    """Whether a file holds kernels in a language that the compiler takes."""
    if file.suffix == ".ll" and shutil.which(ASSEMBLER):
        text = file.read_text(errors="replace")
        return "define spir_kernel" in text and 'target triple = "spir' in text
    return file.suffix == ".cl"


def files(paths: Iterable[str], platform: str | None) -> list[tuple[pathlib.Path, str]]:
    """The files of some folders that can be compiled, each with its platform."""
    found = []
    for path in map(pathlib.Path, paths):
        for file in sorted(filter(can_compile, path.rglob("*"))) if path.is_dir() else [path]:
            found.append((file, platform or platforms(file.parent).get(file.name, "dg2")))
    return found


def run(options: argparse.Namespace) -> int:
    """The command, with the options of differential.py."""
    ocloc = shutil.which(options.ocloc)
    if not ocloc:
        print(INSTALL, file=sys.stderr)
        return 2
    if not shutil.which(options.visa_lint):
        print(f"{options.visa_lint} does not exist; build it with cargo build --release", file=sys.stderr)
        return 2
    known = explanations(HERE / "differential_hosts.tsv")
    tools = Tools(ocloc, options.visa_lint, options.timeout)
    jobs = files(options.paths or [str(HERE / "host")], options.platform and options.platform.lower())
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda job: tools.examine(*job), jobs))
    except (RuntimeError, subprocess.TimeoutExpired) as failure:
        print(failure, file=sys.stderr)
        return 2
    left = 0
    for verdict, disagreements in results:
        for found in disagreements:
            reason = next((e for e in known if e.covers(found)), None)
            if reason:
                reason.used += 1
            left += not reason
            if not reason or options.show_explained:
                place = f"{found.path}:{found.line}" if found.line else found.path
                print(f"{found.side} {place}: {found.what or verdict.stage}" + (f"\n    because {reason.reason}" if reason else ""))
    stages = ", ".join(f"{stage} {sum(v.stage == stage for v, _ in results)}" for stage in ("accept", "refuse", "drop"))
    print(f"{len(jobs)} files; ocloc: {stages}")
    print(f"{left} unexplained disagreements, {sum(e.used for e in known)} explained by {sum(e.used > 0 for e in known)} of {len(known)} reasons")
    return 1 if left else 0
