#!/usr/bin/env python3
"""Check visa-lint on what Intel's compilers print for real OpenCL kernels.

Compiles every .cl file below the folders with every `ocloc`, for each device, set of options and sub-group size, and runs
visa-lint on the dumps in three ways: as they are, with `--platform` of the device, and with `--local-size`. Kernels that a
compiler refuses are left out. With `--dumps` the folders hold dumps already, in a folder for each device.

Errors and warnings are grouped by rule and shape of the message; each group is shown with one example, as short as it gets.
What is understood stands in a baseline, a table of groups with their counts; what is new or more frequent is a fault, since
legal programs are silent. `--record` writes the baseline anew, so that the change of a rule shows what it does.

Exit status: 0 nothing but the baseline, 1 something new, 2 the run was impossible.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from differential import LintFailure, Program, reduce, shape  # noqa: E402

INSTALL = "ocloc was not found; on Debian and Ubuntu: apt-get install intel-opencl-icd (or intel-ocloc)"

# The platforms of devices, by the beginning of their names.
PLATFORMS = {
    "bdw": "BDW", "skl": "SKL", "kbl": "SKL", "bxt": "BXT", "icl": "ICLLP", "tgl": "TGLLP", "dg1": "TGLLP", "adl": "TGLLP",
    "rkl": "TGLLP", "dg2": "DG2", "acm": "DG2", "mtl": "MTL", "arl": "ARL", "pvc": "PVC", "bmg": "XE2", "lnl": "XE2",
    "ptl": "XE3", "wcl": "XE3", "nvl": "NVL", "cri": "XE3P_CRI",
}  # fmt: skip
SOURCES = ("-cl-std=CL2.0", "-cl-std=CL1.2", "-cl-std=CL3.0")
"""Versions of OpenCL, in the order in which they are tried."""


@dataclasses.dataclass(frozen=True)
class Job:
    """One call of a compiler."""

    ocloc: str
    source: pathlib.Path
    device: str
    options: str
    simd: int
    """Lanes, or 0: as the compiler likes."""

    @property
    def folder(self) -> str:
        """Where its dumps go: a folder for the device, and in it one for the rest."""
        rest = hashlib.sha256("\0".join([self.ocloc, str(self.source), self.options, str(self.simd)]).encode()).hexdigest()
        return f"{self.device}/{self.source.stem}-{rest[:12]}"


@dataclasses.dataclass(frozen=True)
class Found:
    """An error or a warning in a dump."""

    path: str
    line: int
    rule: str
    level: str
    message: str
    mode: str

    @property
    def group(self) -> tuple[str, str, str]:
        """What findings of one kind have in common."""
        return self.level, self.rule, shape(self.message)


def platform_of(device: str) -> str | None:
    """The platform of a device."""
    return next((platform for prefix, platform in PLATFORMS.items() if device.startswith(prefix)), None)


def jobs(arguments: argparse.Namespace) -> Iterator[Job]:
    """Every compiler, kernel, device, set of options and sub-group size."""
    for folder in arguments.folders:
        for source in sorted(folder.rglob("*.cl")):
            for ocloc in arguments.ocloc:
                for device in arguments.devices:
                    for options in arguments.options:
                        for simd in arguments.simd:
                            yield Job(ocloc, source, device, options, simd)


def compile_kernel(job: Job, to: pathlib.Path, include: Sequence[pathlib.Path], timeout: float) -> bool:
    """Compiles a file; gives whether there is a dump."""
    dumps = to / job.folder
    if dumps.is_dir():
        return any(dumps.iterdir())
    dumps.mkdir(parents=True)
    environment = dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=str(dumps))
    if job.simd:
        environment["IGC_ForceOCLSIMDWidth"] = str(job.simd)
    paths = " ".join(f"-I {path}" for path in include)
    for version in SOURCES:
        with tempfile.TemporaryDirectory(prefix="field-") as scratch:
            command = [job.ocloc, "compile", "-file", str(job.source), "-device", job.device, "-out_dir", scratch]
            command += ["-options", f"{job.options} {paths} {version}".strip()]
            try:
                subprocess.run(
                    command, env=environment, cwd=job.source.parent, capture_output=True, timeout=timeout, check=False
                )
            except subprocess.TimeoutExpired:
                break
        if any(dumps.glob("*.visaasm")):
            break
    for path in dumps.iterdir():
        if path.suffix != ".visaasm":
            path.unlink()
    return any(dumps.iterdir())


def lint(binary: str, options: Sequence[str], paths: Sequence[str], mode: str, timeout: float) -> list[Found]:
    """The errors and warnings in files."""
    found = []
    for start in range(0, len(paths), 200):
        command = [binary, "--no-config", "--quiet", "--format", "json", *options, *paths[start : start + 200]]
        try:
            run = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired as slow:
            raise LintFailure(f"visa-lint takes more than {timeout:.0f} s") from slow
        if run.returncode not in (0, 1):
            raise LintFailure(f"visa-lint: exit status {run.returncode}: {run.stderr.decode(errors='replace')[-300:]}")
        for line in run.stdout.decode().splitlines():
            row = json.loads(line)
            found.append(Found(row["path"], row["line"], row["rule"], row["level"], row["message"], mode))
    return found


def modes(device: str, local_size: str, has_races: bool = True) -> list[tuple[str, list[str]]]:
    """The names and options of the ways in which dumps of a device are checked; of kernels without races, for these, too."""
    size = ["--local-size", local_size]
    ways: list[tuple[str, list[str]]] = [("default", []), ("local-size", size if has_races else [*size, "--races"])]
    platform = platform_of(device)
    if platform:
        ways.append(("platform", ["--platform", platform]))
    return ways


def grouped(found: Iterable[Found]) -> dict[tuple[str, str, str], list[Found]]:
    """Findings by kind, the most frequent first."""
    groups: dict[tuple[str, str, str], list[Found]] = collections.defaultdict(list)
    for one in found:
        groups[one.group].append(one)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def read_baseline(path: pathlib.Path) -> dict[tuple[str, str, str], int]:
    """The files that each kind of finding is known in."""
    if not path.exists():
        return {}
    known = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        columns = line.split("\t")
        if len(columns) != 4 or not columns[3].isdigit():
            raise SystemExit(f"{path}:{number}: wanted level, rule, shape and number of files, with tabs between")
        known[columns[0], columns[1], columns[2]] = int(columns[3])
    return known


def n_files(found: Iterable[Found]) -> int:
    """The dumps with such a finding."""
    return len({one.path for one in found})


def write_baseline(path: pathlib.Path, groups: dict[tuple[str, str, str], list[Found]]) -> None:
    """Records what there is."""
    rows = ["\t".join([*group, str(n_files(found))]) for group, found in sorted(groups.items())]
    path.write_text("\n".join(["level\trule\tshape\tfiles", *rows]) + "\n", encoding="utf-8")


def example(binary: str, found: Sequence[Found], options: dict[str, list[str]], timeout: float) -> str:
    """The shortest text with such a finding that the reducer makes of the shortest dump."""
    one = min(found, key=lambda f: os.path.getsize(f.path))
    lines = pathlib.Path(one.path).read_text(encoding="latin-1").splitlines()
    given = options[f"{one.mode} {device_of(one.path)}"]
    with tempfile.TemporaryDirectory(prefix="field-") as folder:
        path = os.path.join(folder, "example.visaasm")

        def holds(program: Program) -> bool:
            pathlib.Path(path).write_text(program.text, encoding="latin-1")
            return any(f.group == one.group for f in lint(binary, given, [path], one.mode, timeout))

        program = Program(tuple(lines))
        return reduce(program, holds).text if holds(program) else "(not repeated)\n"


def device_of(path: str) -> str:
    """The device of a dump: the folder above that of the kernel."""
    return pathlib.Path(path).parent.parent.name


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER", help="folders with kernels")
    parser.add_argument("--binary", default="target/release/visa-lint", help="visa-lint")
    parser.add_argument("--ocloc", action="append", default=[], help="a compiler; may stand several times")
    parser.add_argument("--devices", nargs="+", default=["skl", "tgllp", "dg2", "pvc"])
    parser.add_argument("--options", nargs="+", default=["", "-cl-opt-disable", "-cl-intel-256-GRF-per-thread"])
    parser.add_argument("--simd", nargs="+", type=int, default=[0], help="sub-group sizes; 0: as the compiler likes")
    parser.add_argument("--include", nargs="*", type=pathlib.Path, default=[], help="folders of headers")
    parser.add_argument("--dumps", action="store_true", help="the folders hold dumps, as DEVICE/KERNEL/NAME.visaasm")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the dumps here, and compile nothing twice")
    parser.add_argument("--local-size", default="64,1,1")
    parser.add_argument("--no-races", action="store_true", help="the kernels have no races: report those that are found")
    parser.add_argument("--baseline", type=pathlib.Path, default=pathlib.Path("field-baseline.tsv"))
    parser.add_argument("--record", action="store_true", help="write the baseline")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=120)
    return parser.parse_args()


def check(given: argparse.Namespace, folders: Sequence[pathlib.Path]) -> int:
    """Checks dumps, and says what is new."""
    paths = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*.visaasm")):
            paths[device_of(str(path))].append(str(path))
    if not paths:
        print("there are no dumps", file=sys.stderr)
        return 2
    found, options = [], {}
    for device, of_device in paths.items():
        for mode, flags in modes(device, given.local_size, not given.no_races):
            options[f"{mode} {device}"] = flags
            found += lint(given.binary, flags, of_device, mode, given.timeout)
    groups = grouped(found)
    known = read_baseline(given.baseline)
    if given.record:
        write_baseline(given.baseline, groups)
    n_dumps = sum(map(len, paths.values()))
    print(f"{n_dumps} dumps, {n_files(found)} with findings")
    new = {group: some for group, some in groups.items() if n_files(some) > known.get(group, 0)}
    for group, some in new.items():
        level, rule, what = group
        before = known.get(group, 0)
        print(f"\n{level}[{rule}] {what}\n  {n_files(some)} files ({before} before), in modes", end=" ")
        print(*sorted({one.mode for one in some}), sep=", ")
        print(f"  {some[0].path}:{some[0].line}\n")
        print("".join(f"    {line}\n" for line in example(given.binary, some, options, given.timeout).splitlines()))
    for group in known.keys() - groups.keys():
        print(f"gone: {group[0]}[{group[1]}] {group[2]}")
    return 1 if new and not given.record else 0


def main() -> int:
    """The command."""
    given = arguments()
    if given.dumps:
        return check(given, given.folders)
    given.ocloc = given.ocloc or ["ocloc"]
    with tempfile.TemporaryDirectory(prefix="field-") as scratch:
        to = (given.keep or pathlib.Path(scratch)).resolve()
        include = [path.resolve() for path in given.include]
        given.folders = [folder.resolve() for folder in given.folders]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            try:
                done = list(pool.map(lambda job: compile_kernel(job, to, include, given.timeout), jobs(given)))
            except FileNotFoundError:
                print(INSTALL, file=sys.stderr)
                return 2
        print(f"{sum(done)} of {len(done)} compilations gave dumps")
        return check(given, [to])


if __name__ == "__main__":
    sys.exit(main())
