#!/usr/bin/env python3
"""Rows a second of every operation from each kind of memory, on a GPU: the kernels alone, the GPU's own memory, pinned and
pageable memory (gecc-gpu-check), NumPy arrays and a Parquet file (this package, with outputs of its own).

usage: memory.py [--gpu-check PROGRAM] [--backend NAME] [--rows N] [--runs N] [--only TEXT] [-o FILE.jsonl]
       memory.py --table FILE.jsonl

Each operation is measured on one curve of each form of which it is, with one hash and one modulus; FILE gets what was
measured, and a table of it goes to stdout. A Parquet file is written to a folder of files in memory, /dev/shm.
"""

import argparse
import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import gecc
import gecc.parquet

PLACES = ("kernel", "device", "pinned", "pageable", "spaced", "scattered", "numpy", "parquet")
CURVES = ("secp256k1", "P-256", "SM2", "Curve25519")
MODULUS = 2**255 - 19
HASH = "SHA-256"
DIFFERENT = 1 << 16
KEYS = 1000  # of a set
BATCH_ROWS = 1 << 20  # of a file


class Columns:
    """Columns of each curve by the names that operations have for them."""

    def __init__(self, context):
        self.context = context
        random = np.random.default_rng(1)
        self.numbers = random.integers(1, 127, (2, DIFFERENT, 32), dtype=np.uint8)  # below every order, and 2^255 - 19
        self.digest = random.integers(0, 256, (DIFFERENT, 32), dtype=np.uint8)
        self.numbers_of_keys = (np.arange(DIFFERENT, dtype="<u4") % KEYS).view(np.uint8).reshape(-1, 4)

    def of(self, operation, curve):
        """The columns that the operation cannot do without, DIFFERENT rows of each."""
        return {column.name: self.column(operation.name, curve, column.name) for column in operation.inputs
                if not column.is_optional}  # fmt: skip

    def column(self, operation, curve, name):
        c, first, second = self.context, *self.numbers
        family = operation.partition(".")[0]
        if name == "key":
            return self.numbers_of_keys
        if name in ("k", "u", "private_key", "seed", "nonce", "exponent"):
            return first
        if family == "mod" or name == "v" and family == "ec":
            return second if name in ("b", "v") else first
        if name in ("digest", "e", "message", "merkle_root"):
            return self.digest
        if family in ("ecdsa", "ethereum") and name in ("signature", "r", "s", "v", "recovery_id"):
            signature, recovery_id = c.ecdsa.sign(curve, first, self.digest)[:2]
            whole = {"signature": signature, "r": signature[:, :32], "s": signature[:, 32:], "recovery_id": recovery_id}
            if family == "ethereum":
                v = (recovery_id.reshape(-1, 1) + 27).astype(np.uint8)
                whole |= {"v": v, "signature": np.hstack([signature, v])}
            return np.ascontiguousarray(whole[name])
        if name == "signature":
            sign = getattr(getattr(c, family), "sign")
            return sign(first, self.digest)[0]
        if name in ("public_key", "peer") and family in ("ed25519", "schnorr"):
            return getattr(c, family).public_key(first)[0]
        if name == "peer" and family == "x25519":
            return c.x25519_public_key(first)[0]
        if name in ("public_key", "point", "a", "b", "peer"):
            return c.ec.public_key(curve, second if name in ("b", "peer") else first)[0]
        raise KeyError(f"{operation}: {name}")

    def keys_of(self, operation, curve):
        """A set of keys for operations that take numbers of them."""
        family = operation.partition(".")[0]
        points = self.column(f"{family}.verify", curve, "public_key" if family != "ec" else "point")
        return gecc.Keys(curve, points[:KEYS], context=self.context, rows=1 << 16)


def cases():
    """(operation, curve or None) of everything that is measured."""
    for operation in gecc.OPERATIONS.values():
        for curve in [c for c in CURVES if c in operation.curves] or [None]:
            yield operation, curve


def selection(operation, curve, columns):
    """How a call says what its operation is on: its first arguments, and the same for files."""
    if any(column.kind == "key number" for column in operation.inputs):
        keys = columns.keys_of(operation.name, curve)
        return (keys,), {"keys": keys}
    if operation.selector == "modulus":
        return (MODULUS,), {"modulus": MODULUS}
    if operation.selector == "hash":
        return (HASH,), {"hash": HASH}
    return ((curve,), {"curve": curve}) if operation.takes_selector else ((), {})


def function_of(context, operation):
    found = context
    for name in operation.name.split("."):
        found = getattr(found, name)
    return found


def rates_of(run, rows, runs):
    """Rows a second of some runs after one that is not counted."""
    run()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return {"median": rows / statistics.median(seconds), "low": rows / max(seconds), "high": rows / min(seconds)}


def write_file(path, columns, rows):
    arrays = [pa.FixedSizeBinaryArray.from_buffers(pa.binary(column.shape[1]), len(column), [None, pa.py_buffer(column)])
              for column in columns.values()]  # fmt: skip
    table = pa.table(arrays, names=list(columns))
    with pq.ParquetWriter(path, table.schema, use_dictionary=False, compression="none") as writer:
        for _ in range(0, rows, DIFFERENT):
            writer.write_table(table)


def measure(context, operation, curve, columns, rows, runs, folder):
    """What one operation does from NumPy and from Parquet."""
    different = columns.of(operation, curve)
    first, named = selection(operation, curve, columns)
    repeated = [np.tile(column, (rows // DIFFERENT, 1)) for column in different.values()]
    call = function_of(context, operation)
    found = {"numpy": rates_of(lambda: call(*first, *repeated), rows, runs)}
    if "keys" in named:  # rows of a table cannot be given a set
        return found
    source, target = folder / "in.parquet", folder / "out.parquet"
    write_file(source, different, rows)
    run = functools.partial(gecc.parquet.run, operation.name, source, target, context=context, batch_rows=BATCH_ROWS,
                            progress=False, **named)  # fmt: skip
    found["parquet"] = rates_of(run, rows, runs)
    return found


def subject(operation, curve):
    """How gecc-gpu-check begins the lines of an operation."""
    return curve or {"modulus": "256-bit", "hash": "-"}[operation.selector]


def gpu_check(program, rows, runs, only):
    """What gecc-gpu-check measures of each operation: a line's text, and its rates."""
    for curve in (*CURVES, "256-bit", "-"):
        with tempfile.NamedTemporaryFile("r") as file:
            command = [program, "--rates", "--batch", str(rows), "--runs", str(runs), "--json", file.name]
            subprocess.run([*command, "--filter", f"{curve} {only}"], check=True, stdout=subprocess.DEVNULL)
            yield from (line for line in map(json.loads, file) if line["bench"] == "rate")


def table(lines):
    """Markdown of what was measured, millions of rows a second."""
    yield "| operation | " + " | ".join(PLACES) + " |"
    yield "|" + "---|" * (len(PLACES) + 1)
    for line in lines:
        cells = [f"{line[place]['median'] / 1e6:.3g}" if line.get(place) else "" for place in PLACES]
        yield f"| {line['call']} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu-check", type=Path, help="without it, NumPy and Parquet alone")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--rows", type=int, default=1 << 22)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="operations whose names begin with TEXT")
    parser.add_argument("--table", type=Path)
    parser.add_argument("-o", type=Path)
    given = parser.parse_args()
    if given.table:
        print(*table([json.loads(line) for line in given.table.read_text().splitlines()][1:]), sep="\n")
        return
    context = gecc.Context(given.backend)
    columns = Columns(context)
    device = next((backend.device for backend in context.backends() if backend.is_chosen), "")
    head = {"version": gecc.__version__, "device": device, "rows": given.rows, "runs": given.runs}
    found = {}
    for line in gpu_check(given.gpu_check, given.rows, given.runs, given.only) if given.gpu_check else ():
        found[line["call"]] = {"call": line["call"]} | {place: line[place] for place in PLACES if place in line}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for operation, curve in cases():
            if not operation.name.startswith(given.only):
                continue
            call = f"{subject(operation, curve)} {operation.name}"
            try:
                rates = measure(context, operation, curve, columns, given.rows, given.runs, Path(folder))
            except gecc.Error as error:
                sys.exit(f"{call}: {error}")
            print(call, {place: f"{rate['median'] / 1e6:.3g}" for place, rate in rates.items()}, file=sys.stderr)
            line = next((text for text in found if f"{text} ".startswith(f"{call} ")), call)
            found.setdefault(line, {"call": line}).update(rates)
    lines = [head, *found.values()]
    if given.o:
        given.o.write_text("".join(json.dumps(line) + "\n" for line in lines))
    print(*table(lines[1:]), sep="\n")


if __name__ == "__main__":
    main()
