"""Makes many texts of some, to measure with: each with names of its own, as rows of a Parquet file or as files.

    python variants.py COUNT FOLDER OUT.parquet     # or a folder to write files to
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = pa.schema({"path": pa.string(), "text": pa.binary()})


def variants(count: int, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Texts whose variables are named differently from one to the next."""
    texts = [file.read_bytes() for file in sorted(folder.rglob("*.visaasm"))]
    if not texts:
        raise SystemExit(f"no *.visaasm below `{folder}`")
    for number in range(count):
        # Files of one folder remain few.
        path = f"{number // 1000}/{number}.visaasm"
        yield path, re.sub(rb"\bV(?=\d)", b"W%d_" % number, texts[number % len(texts)])


def main() -> None:
    if len(sys.argv) != 4:
        raise SystemExit(__doc__.strip())
    count, folder, out = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    if out.suffix != ".parquet":
        for path, text in variants(count, folder):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(text)
        return
    with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
        rows: list[dict] = []
        for path, text in variants(count, folder):
            rows.append({"path": path, "text": text})
            if len(rows) == 1000:
                writer.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))
                rows.clear()
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))


if __name__ == "__main__":
    main()
