"""The fleet as a user runs it: on a local cluster, against one run of the command. Run with pytest."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import fleet
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

HERE = Path(__file__).parent
PLACE = ["path", "rule", "level", "line", "column", "fingerprint"]


def places(rows):
    return sorted(tuple(row[name] for name in PLACE) for row in rows)


def one_machine(*arguments):
    """What one run of the command finds."""
    command = [sys.executable, "-m", "visa_lint", "--format", "json", "--quiet", *map(str, arguments)]
    return [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines()]


def start(out, *arguments):
    command = [sys.executable, str(HERE / "fleet.py"), "--out", str(out), *map(str, arguments)]
    environment = {**os.environ, "RAY_DATA_DISABLE_PROGRESS_BARS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def written(out):
    return pyarrow.dataset.dataset(out).to_table().to_pylist()


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """Some hundred texts of two compilers, of which a third is faulty."""
    folder = tmp_path_factory.mktemp("dumps")
    texts = sorted(HERE.parent.rglob("*.visaasm"))
    for number in range(240):
        of = folder / f"compiler={number % 2}" / f"night{number % 7}"
        of.mkdir(parents=True, exist_ok=True)
        text = texts[number % len(texts)].read_text()
        # No two texts are equal.
        (of / f"{number}.visaasm").write_text(f"// {number}\n{text}")
    return folder


def test_findings_are_those_of_one_machine_although_a_worker_is_killed(dumps, tmp_path):
    killed = []

    def kill():
        while process.poll() is None and not killed:
            for entry in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    if entry.read_bytes().startswith(b"ray::MapBatches(check_files)"):
                        os.kill(int(entry.parent.name), signal.SIGKILL)
                        killed.append(entry.parent.name)
                        break
                except OSError:
                    continue
            time.sleep(0.01)

    process = start(tmp_path / "out", "--batch", "4", dumps, "--", "--pedantic", "--platform", "dg2")
    killer = threading.Thread(target=kill)
    killer.start()
    output, errors = process.communicate()
    killer.join()
    assert process.returncode == 0, errors
    assert killed
    rows = written(tmp_path / "out")
    wanted = one_machine(dumps, "--pedantic", "--platform", "dg2")
    assert len(wanted) > 500
    assert places(row for row in rows if row["kind"] == "finding") == places(wanted)
    assert {row["compiler"] for row in rows} == {"0", "1"}
    assert {row["options"] for row in rows} == {"--pedantic --platform dg2"}
    cost = [row for row in rows if row["kind"] == "batch"]
    assert sum(row["texts"] for row in cost) == 240
    assert sum(row["bytes"] for row in cost) == sum(file.stat().st_size for file in dumps.rglob("*.visaasm"))
    assert "| 0 | 120 | 120 |" in output and "| misaligned-address | error | 0 | 30 |" in output


def test_texts_in_columns_are_checked_under_their_paths(dumps, tmp_path):
    files = sorted(dumps.rglob("*.visaasm"))[:40]
    column = {"path": [str(file) for file in files], "text": [file.read_text() for file in files]}
    pq.write_table(pa.table(column), tmp_path / "texts.parquet")
    process = start(tmp_path / "out", tmp_path / "texts.parquet", "--batch", "7")
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    rows = [row for row in written(tmp_path / "out") if row["kind"] == "finding"]
    assert rows and places(rows) == places(one_machine(*files))
    assert all(f"compiler={row['compiler']}/" in row["path"] for row in rows)


def test_what_cannot_be_checked_is_a_row(dumps, tmp_path, monkeypatch):
    files = [str(file) for file in sorted(dumps.rglob("*.visaasm"))[:8]]
    (tmp_path / "wide.visaasm").write_text(".version 4.1", encoding="utf-16")
    rows = fleet.check([*files, str(tmp_path / "wide.visaasm")], [])
    (unread,) = [row for row in rows if row["kind"] == "unread"]
    assert unread["path"] == str(tmp_path / "wide.visaasm") and "UTF-16" in unread["message"]
    whole = [row for row in rows if row["kind"] == "finding"]
    assert places(whole) == places(one_machine(*files))

    # One file ends the command: the others are checked nevertheless.
    run = fleet.visa_lint
    crash = subprocess.CompletedProcess([], -11, "", "")
    monkeypatch.setattr(fleet, "visa_lint", lambda arguments: crash if files[3] in arguments else run(arguments))
    rows = fleet.check(files, [])
    assert [row["path"] for row in rows if row["kind"] == "failed"] == [files[3]]
    rest = [row for row in rows if row["kind"] == "finding"]
    assert places(rest) == places(row for row in whole if row["path"] != files[3])

    with pytest.raises(ValueError, match="DG3"):
        fleet.check(files, ["--platform", "DG3"])
