#!/usr/bin/env python3
"""Parquet to Parquet beside the library on the same rows in memory: rows a second, alternating, and the memory that takes.

usage: files.py [ROWS] [ROUNDS]

The library's rate is that of calls on the same batches as arrays. Where other programs want the processors too, the time that
processors have spent says more than the clock, so both are given.
"""

import os
import resource
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from common import DIFFERENT, machine, median_ratio, signatures

import gecc
import gecc.parquet


def write(path, columns, rows):
    """A file of so many rows, in row groups as long as the rows that differ times 64."""
    arrays = [pa.FixedSizeBinaryArray.from_buffers(pa.binary(column.shape[1]), len(column), [None, pa.py_buffer(column)])
              for column in columns]  # fmt: skip
    names = ["public_key", "digest", "signature"]
    schema = pa.schema([pa.field("row", pa.int64()), *(pa.field(name, array.type) for name, array in zip(names, arrays))])
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for first in range(0, rows, DIFFERENT * 64):
            count = min(DIFFERENT * 64, rows - first)
            pick = pa.array(np.arange(first, first + count) % DIFFERENT)
            writer.write_table(pa.table([pa.array(np.arange(first, first + count)), *(array.take(pick) for array in arrays)], schema))


def timed(run, *arguments):
    """(seconds, seconds of processors) of a run."""
    before, start = os.times(), time.perf_counter()
    run(*arguments)
    seconds, after = time.perf_counter() - start, os.times()
    return seconds, after.user + after.system - before.user - before.system


def in_memory(columns, rows):
    """The library on as many rows in memory, a batch after another."""
    repeated = [np.tile(column, (8, 1)) for column in columns]
    jobs, done = [], 0
    while done < rows:
        count = min(len(repeated[0]), rows - done)
        jobs.append(gecc.ecdsa.verify.submit("P-256", *(column[:count] for column in repeated)))
        done += count
        if len(jobs) > 2:
            jobs.pop(0).result()
    for job in jobs:
        job.result()


def from_file(source, target):
    summary = gecc.parquet.run("ecdsa.verify", source, target, curve="P-256", progress=False)
    assert summary.ok == summary.rows


def main():
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(machine())
    columns = signatures()
    gecc.ecdsa.verify.prepare("P-256", 1 << 20)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        source, target = os.path.join(folder, "in.parquet"), os.path.join(folder, "out.parquet")
        write(source, columns, rows)
        pairs = []
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(rounds):
            pairs.append((timed(in_memory, columns, rows), timed(from_file, source, target)))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{rows:,} rows, {os.path.getsize(source) / 1e6:.0f} MB, at most {most / 1024:.0f} MiB, {(most - before) / 1024:.0f} "
              "more than before")
        for what, index in (("by the clock", 0), ("by the time of processors", 1)):
            library, file, ratio = median_ratio([(one[index], other[index]) for one, other in pairs])
            print(f"{what}: library {rows / library:,.0f} a second, Parquet to Parquet {rows / file:,.0f}, {100 * ratio:.1f} %")


if __name__ == "__main__":
    main()
