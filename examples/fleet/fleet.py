"""Checks a great many vISA texts on a Ray cluster, and writes what is found as Parquet: see README.md."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import ray
import ray.data

# A row for each finding, for each text that could not be checked, and for what each batch cost.
SCHEMA = pa.schema(
    {
        "kind": pa.string(),  # "finding", "unread", "failed" or "batch"
        "compiler": pa.string(),
        "options": pa.string(),  # those of visa-lint: platforms, launch, levels
        "path": pa.string(),
        "kernel": pa.string(),
        "rule": pa.string(),
        "level": pa.string(),
        "message": pa.string(),
        "label": pa.string(),
        "line": pa.int64(),
        "column": pa.int64(),
        "fingerprint": pa.string(),
        "platforms": pa.list_(pa.string()),  # where it holds, if not on all platforms in question
        "texts": pa.int64(),
        "bytes": pa.int64(),
        "kernels": pa.int64(),
        "instructions": pa.int64(),
        "seconds": pa.float64(),
    }
)
KEYS = ["compiler", "kind", "level", "rule"]
COSTS = ["texts", "bytes", "kernels", "instructions", "seconds"]
FOLDER = re.compile(r"(?:^|/)compiler=([^/]+)/")
SUMMARY = re.compile(r"^checked (\d+) kernels? in \d+ files?, (\d+) instructions?", re.MULTILINE)
UNREAD = re.compile(r"^visa-lint: cannot check `(.*)`: (.*)$", re.MULTILINE)


def visa_lint(arguments: list[str]) -> subprocess.CompletedProcess:
    """Runs the command of the wheel on one core: the cluster has a task for each."""
    return subprocess.run(
        [sys.executable, "-m", "visa_lint", *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
    )


def check(paths: list[str], options: list[str]) -> list[dict]:
    """The rows of some files. A file that ends the command does not take the others with it."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        done = visa_lint(["--format", "json", "--output", str(report), *options, "--", *paths])
        findings = report.read_text().splitlines() if report.exists() else []
    unread = UNREAD.findall(done.stderr)
    if done.returncode == 2 and not unread:
        # The options are wrong, not the files.
        raise ValueError(done.stderr.strip())
    if done.returncode not in (0, 1, 2):
        if len(paths) > 1:
            half = len(paths) // 2
            return check(paths[:half], options) + check(paths[half:], options)
        words = done.stderr.strip() or f"visa-lint ended with status {done.returncode}"
        return [{"kind": "failed", "path": paths[0], "message": words}]
    summary = SUMMARY.search(done.stderr)
    cost = {
        "kind": "batch",
        "path": paths[0],
        "texts": len(paths),
        "bytes": sum(os.path.getsize(path) for path in paths if os.path.exists(path)),
        "kernels": int(summary[1]) if summary else 0,
        "instructions": int(summary[2]) if summary else 0,
        "seconds": time.perf_counter() - started,
    }
    rows = [{**json.loads(line), "kind": "finding"} for line in findings]
    return [*rows, *({"kind": "unread", "path": path, "message": why} for path, why in unread), cost]


def compiler_of(path: str, otherwise: str | None) -> str | None:
    """The compiler that a folder `compiler=NAME` on the way to a file names."""
    found = FOLDER.search(path)
    return found[1] if found else otherwise


def table(rows: Iterable[dict], options: list[str]) -> pa.Table:
    """Rows as the table that is written."""
    words = " ".join(options)
    return pa.Table.from_pylist(
        [{name: words if name == "options" else row.get(name) for name in SCHEMA.names} for row in rows], schema=SCHEMA
    )


def check_files(batch: pa.Table, options: list[str], compiler: str | None) -> pa.Table:
    """Checks the files of one batch where they are."""
    paths = batch["path"].to_pylist()
    name = compiler_of(paths[0], compiler)
    return table(({**row, "compiler": name} for row in check(paths, options)), options)


def check_texts(batch: pa.Table, options: list[str], compiler: str | None) -> pa.Table:
    """Checks the texts of some rows of a Parquet file, each under its own path."""
    groups: dict[str | None, list[dict]] = defaultdict(list)
    for row in batch.to_pylist():
        groups[row.get("compiler") or compiler_of(row["path"], compiler)].append(row)
    rows: list[dict] = []
    for name, texts in groups.items():
        with tempfile.TemporaryDirectory() as folder:
            # By number: paths of the column may be equal, or lead anywhere.
            origin = {str(Path(folder, f"{number}.visaasm")): text["path"] for number, text in enumerate(texts)}
            for file, row in zip(origin, texts, strict=True):
                text = row["text"]
                Path(file).write_bytes(text if isinstance(text, bytes) else text.encode())
            rows += ({**row, "path": origin[row["path"]], "compiler": name} for row in check(list(origin), options))
    return table(rows, options)


def batches(paths: Iterable[str], most_files: int, most_bytes: int) -> Iterator[pa.Table]:
    """Cuts a list of files into parts of like work, each by one compiler."""
    batch: list[str] = []
    n_bytes = 0
    for path in paths:
        size = os.path.getsize(path) if os.path.exists(path) else 0
        is_full = len(batch) == most_files or n_bytes + size > most_bytes
        if batch and (is_full or compiler_of(path, None) != compiler_of(batch[0], None)):
            yield pa.table({"path": batch})
            batch, n_bytes = [], 0
        batch.append(path)
        n_bytes += size
    if batch:
        yield pa.table({"path": batch})


def listed(inputs: list[str]) -> list[str]:
    """The files that visa-lint would check."""
    done = visa_lint(["--list-files", "--", *inputs])
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return [os.path.abspath(line) for line in done.stdout.splitlines()]


def dataset(arguments: argparse.Namespace) -> ray.data.Dataset:
    """All findings, made while they are read."""
    given = {"options": arguments.options, "compiler": arguments.compiler}
    columns = [path for path in arguments.inputs if path.endswith(".parquet")]
    others = [path for path in arguments.inputs if not path.endswith(".parquet")]
    parts = []
    if others:
        blocks = list(batches(listed(others), arguments.batch, arguments.batch_bytes))
        if blocks:
            files = ray.data.from_arrow(blocks)
            parts.append(files.map_batches(check_files, batch_size=None, batch_format="pyarrow", fn_kwargs=given))
    for path in columns:
        names = set(pq.read_schema(path).names) & {"path", "text", "compiler"}
        texts = ray.data.read_parquet(path, columns=sorted(names))
        size = arguments.batch
        parts.append(texts.map_batches(check_texts, batch_size=size, batch_format="pyarrow", fn_kwargs=given))
    if not parts:
        raise SystemExit("there is nothing to check")
    return parts[0].union(*parts[1:]) if len(parts) > 1 else parts[0]


def summary(out: str) -> str:
    """What was checked and found, by compiler and rule, as Markdown."""
    sums = [([], "count_all"), *((name, "sum") for name in COSTS)]
    parts = pyarrow.dataset.dataset(out).to_batches(columns=KEYS + COSTS)
    counted = [pa.Table.from_batches([part]).group_by(KEYS).aggregate(sums) for part in parts]
    whole = pa.concat_tables(counted).to_pandas().groupby(KEYS, dropna=False).sum().reset_index()
    lines = ["| compiler | texts | kernels | MB | CPU s | findings | not checked |", "|---|---|---|---|---|---|---|"]
    for compiler, rows in whole.groupby("compiler", dropna=False):
        cost = rows[rows.kind == "batch"]
        n_findings = int(rows[rows.kind == "finding"].count_all.sum())
        n_lost = int(rows[rows.kind.isin(["unread", "failed"])].count_all.sum())
        name = compiler if isinstance(compiler, str) else "-"
        lines.append(
            f"| {name} | {int(cost.texts_sum.sum())} | {int(cost.kernels_sum.sum())} | "
            f"{cost.bytes_sum.sum() / 1e6:.1f} | {cost.seconds_sum.sum():.1f} | {n_findings} | {n_lost} |"
        )
    findings = whole[whole.kind == "finding"].sort_values("count_all", ascending=False)
    if len(findings):
        lines += ["", "| rule | level | compiler | findings |", "|---|---|---|---|"]
        for row in findings.itertuples():
            name = row.compiler if isinstance(row.compiler, str) else "-"
            lines.append(f"| {row.rule} | {row.level} | {name} | {int(row.count_all)} |")
    return "\n".join(lines)


def main() -> None:
    command = argparse.ArgumentParser(
        description=__doc__, usage="fleet.py --out FOLDER [options] INPUT... [-- OPTIONS OF visa-lint]"
    )
    command.add_argument("inputs", nargs="+", help="files, folders and archives, and Parquet files (*.parquet) of texts")
    command.add_argument("--out", required=True, help="a new folder for the Parquet files")
    command.add_argument("--address", help="a running cluster, such as `auto`; without it, the cores of this machine")
    command.add_argument("--compiler", help="what to call the compiler of texts that do not say it")
    command.add_argument("--batch", type=int, default=256, metavar="N", help="most texts of a task")
    command.add_argument("--batch-bytes", type=int, default=16 << 20, metavar="N", help="most bytes of a task's files")
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    arguments = command.parse_args(given[:cut])
    arguments.options = given[cut + 1 :]
    if os.path.exists(arguments.out) and os.listdir(arguments.out):
        command.error(f"`{arguments.out}` is not empty")
    # No statistics of usage are sent, unless that is asked for.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address=arguments.address)
    dataset(arguments).write_parquet(arguments.out)
    print(summary(arguments.out))


if __name__ == "__main__":
    main()
