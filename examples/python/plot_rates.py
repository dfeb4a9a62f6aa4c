#!/usr/bin/env python3
"""From a file of a block's signatures to a plot: how many rows a second are verified, by the size of the batch.

    pip install '.[plot]'
    python examples/python/plot_rates.py rates.png
    python examples/python/plot_rates.py rates.png --signatures signatures.parquet --threads 1

The file is Parquet or CSV, by default the sample of a Bitcoin block in examples/data, a CSV file, from which a Parquet file is
made first. gecc.parquet.run verifies every signature, and what it finds is compared with the column "expected". Then gecc.arrow.run
verifies batches of these rows, which are repeated where a batch has more, on every backend that there is. A rate is the number of
rows divided by the median time of a call, which takes an Arrow table and gives another; on a GPU that includes the transfers.
"""

import argparse
import csv
import platform
import statistics
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import gecc
import gecc.arrow
import gecc.parquet

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "bitcoin-block-413567-part.csv"
#: The curve, the names of the sample's columns, and how its signatures are encoded.
VERIFY = dict(curve="secp256k1", columns={"public_key": "pub", "signature": "sig"}, der=True)


def parquet_of(path, folder):
    """The path of a Parquet file with these signatures: the file itself, or one that is made of a CSV file in the folder."""
    if path.suffix == ".parquet":
        return path
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [bytes.fromhex(row[name]) for row in rows] for name in ("pub", "digest", "sig")}
    table = pa.table({**columns, "expected": [row["expected"] for row in rows]})
    made = Path(folder) / "signatures.parquet"
    pq.write_table(table, made)
    return made


def check(source, folder, context):
    """Verify every signature of the file; return how many rows there are and how many are valid."""
    verdicts = Path(folder) / "verdicts.parquet"
    summary = gecc.parquet.run("ecdsa.verify", source, verdicts, context=context, **VERIFY)
    table = pq.read_table(verdicts)
    if "expected" in table.column_names:
        valid = pc.equal(table["status"], int(gecc.Status.OK))
        if not pc.equal(table["expected"], "valid").equals(valid):
            raise SystemExit(f"{source}: not every signature is what the column 'expected' says")
    return summary


def rows_of(table, count):
    """A table of `count` rows, those of the table over and over."""
    copies = -(-count // len(table))
    return pa.concat_tables([table] * copies).slice(0, count).combine_chunks()


def rate(batch, context, seconds):
    """Rows a second: the median of calls for that many seconds, of three at least."""
    times, end = [], time.perf_counter() + seconds
    gecc.arrow.run("ecdsa.verify", batch, context=context, **VERIFY)
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        gecc.arrow.run("ecdsa.verify", batch, context=context, **VERIFY)
        times.append(time.perf_counter() - start)
    return len(batch) / statistics.median(times)


def label_of(context, backend):
    """The backend and what it computes on: "cpu (ifma), 2 threads", "cuda (a GPU's name)"."""
    found = next(found for found in context.backends() if found.name == backend)
    threads = f", {found.threads} thread{'s' * (found.threads != 1)}" if backend == "cpu" else ""
    return f"{backend} ({found.device}){threads}"


def measure(table, options):
    """{label of a backend: [(rows of a batch, rows a second)]}"""
    with gecc.Context(backend="cpu") as context:
        backends = [found.name for found in context.backends() if found.is_available]
    found = {}
    for backend in backends:
        with gecc.Context(backend=backend, threads=options.threads) as context:
            label = label_of(context, backend)
            found[label] = []
            count = 1
            while count <= options.most:
                found[label].append((count, rate(rows_of(table, count), context, options.seconds)))
                print(f"{label}: {count:>9,} rows a batch {found[label][-1][1]:>12,.0f} rows a second")
                count *= 4
    return found


def draw(path, rates, subtitle):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for label, points in rates.items():
        axes.plot(*zip(*points), marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("rows in a batch")
    axes.set_ylabel("rows a second")
    axes.set_title(f"ECDSA on secp256k1: signatures verified from Python\n{subtitle}", fontsize=9)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plot", type=Path, help="the picture to write: .png, .svg or .pdf")
    parser.add_argument("--signatures", type=Path, default=SAMPLE, help=".parquet or .csv, with columns pub, digest and sig; "
                        "default: the sample in examples/data")  # fmt: skip
    parser.add_argument("--most", type=int, default=1 << 16, help="rows of the largest batch")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each size of batch is measured, at least")
    parser.add_argument("--threads", type=int, help="of the CPU; default: one for each processor")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder, gecc.Context() as context:
        source = parquet_of(options.signatures, folder)
        summary = check(source, folder, context)
        print(f"{options.signatures.name}: {summary.rows:,} signatures, {summary.ok:,} valid")
        table = pq.read_table(source, columns=["pub", "digest", "sig"])
    rates = measure(table, options)
    draw(options.plot, rates, f"{processor()}, gecc {gecc.__version__}, median time of a call, transfers included")
    print(f"{options.plot} written")


if __name__ == "__main__":
    main()
