#!/usr/bin/env python3
"""Rows a second of the tool from files in the page cache to /dev/null, beside `gecc bench` in the same run.

usage: bench/text/main.py [--gecc PROGRAM] [--rows N] [--runs N] [--folder FOLDER] [-- OPTION...]

Each file is made in two lengths, of N rows and of N / 5; what the longer takes more is the steady rate, without opening. Its
rows are 2^18 different ones, repeated. Files, curves and options are in CASES below. Options behind -- go to every command,
for instance --backend cuda. With --folder files stay there for the next run.
"""

import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DISTINCT = 1 << 18
PRIME = "0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"
# name of a case, columns of the file, form, arguments, operation of `gecc bench` beside it
CASES = [
    ("verify CSV", ("pub", "digest", "sig"), "csv", ["verify", "--curve", "secp256k1"], "ecdsa.verify"),
    ("verify JSON Lines", ("pub", "digest", "sig"), "jsonl", ["verify", "--curve", "secp256k1"], "ecdsa.verify"),
    ("verify raw", ("pub", "digest", "sig"), "raw", ["verify", "--curve", "secp256k1"], "ecdsa.verify"),
    ("digest CSV", ("msg",), "csv", ["digest", "--hash", "sha256"], None),
    ("digest raw", ("msg",), "raw", ["digest", "--hash", "sha256", "--msg-bytes", "32"], None),
    ("mod mul CSV", ("a", "b"), "csv", ["mod", "--op", "mul", "--modulus", PRIME], None),
]


def columns(gecc, folder):
    """Columns of DISTINCT rows, in hexadecimal, by name."""
    keys = folder / "keys.csv"
    subprocess.run([gecc, "keygen", "-q", "--curve", "secp256k1", "--count", str(DISTINCT), "-o", keys], check=True)
    _, private, public = zip(*(line.split(",") for line in keys.read_text().splitlines()[1:]))
    keys.unlink()
    digest = [os.urandom(32).hex() for _ in range(DISTINCT)]
    rows = "priv,digest\n" + "".join(f"{p},{d}\n" for p, d in zip(private, digest))
    signed = subprocess.run([gecc, "sign", "-q", "--curve", "secp256k1"], input=rows, text=True, check=True, capture_output=True)
    signature = [row["sig"] for row in csv.DictReader(signed.stdout.splitlines())]
    return {"pub": public, "digest": digest, "sig": signature, "msg": digest, "a": digest, "b": [s[:64] for s in signature]}


def text_of(cells, names, form):
    rows = zip(*(cells[name] for name in names))
    if form == "csv":
        return "".join(",".join(row) + "\n" for row in rows).encode()
    if form == "jsonl":
        return "".join("{" + ",".join(f'"{n}":"{c}"' for n, c in zip(names, row)) + "}\n" for row in rows).encode()
    # A raw point is x || y.
    return b"".join(bytes.fromhex("".join(c[2:] if n == "pub" else c for n, c in zip(names, row))) for row in rows)


def write(path, text, names, form, repeats):
    with open(path, "wb") as file:
        file.write(",".join(names).encode() + b"\n" if form == "csv" else b"")
        for _ in range(repeats):
            file.write(text)


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def bench(gecc, operation, options):
    """Rows a second of the library on the GPUs, or else on all processors."""
    threads = [] if "--threads" in options or "cuda" in options else ["--threads", str(os.cpu_count())]
    batch = [] if "--batch" in options else ["--batch", "65536"]
    command = [gecc, "bench", "--curve", "secp256k1", "--op", operation, *batch, *threads, *options]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(rf"^{re.escape(operation)}\s+\S+\s+\S+ \S+\s+(\d+)", output, re.M)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gecc", default=str(Path(__file__).parents[2] / "build/release/bin/gecc"))
    parser.add_argument("--rows", type=int, default=50 * DISTINCT)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    gecc, options = arguments.gecc, arguments.options
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.folder or temporary)
        cells = None
        print(f"{'case':20} {'million rows/s':>15} {'lowest':>8} {'highest':>8} {'of bench':>9}")
        for name, names, form, command, operation in CASES:
            repeats = [max(1, arguments.rows // DISTINCT // part) for part in (5, 1)]
            paths = [folder / f"{'-'.join(names)}-{count}.{form}" for count in repeats]
            for path, count in zip(paths, repeats):
                if not path.exists():
                    cells = cells or columns(gecc, folder)
                    write(path, text_of(cells, names, form), names, form, count)
            rates, shares = [], []
            for _ in range(arguments.runs):
                library = bench(gecc, operation, options) if operation else None
                short, long = (seconds([gecc, *command, "-q", "--format", form, *options, path]) for path in paths)
                rates.append((repeats[1] - repeats[0]) * DISTINCT / (long - short))
                shares.append(rates[-1] / library if library else 0)
            share = f"{statistics.median(shares):9.0%}" if operation else ""
            low, middle, high = (rate / 1e6 for rate in (min(rates), statistics.median(rates), max(rates)))
            print(f"{name:20} {middle:15.3f} {low:8.3f} {high:8.3f} {share}", flush=True)
            if not arguments.folder:
                for path in paths:
                    path.unlink()


if __name__ == "__main__":
    sys.exit(main())
