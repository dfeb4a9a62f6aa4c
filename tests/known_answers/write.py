#!/usr/bin/env python3
"""Write cases with known answers into a folder: generated.jsonl and ethereum.jsonl, made from a seed, and published.jsonl or, where these cannot
be had, published.missing with the reason. Files that are as they would be written again are left alone.

usage: write.py [--seed N] [--few] FOLDER     (N: by default GECC_TEST_SEED, else 20240613; --few: without generated.jsonl)
"""

import argparse
import collections
import hashlib
import json
import os
import time
from pathlib import Path

from generate import NAMES, generate
from ledger import ledger
from published import Missing, folder, published

HERE = Path(__file__).resolve().parent
DEFAULT_SEED = "20240613"

# Of short tests (support/effort.h).
SHORT_CURVES = ("secp256k1", "SM2", "P-521", "brainpoolP256r1", "Curve25519")


def default_seed():
    return os.environ.get("GECC_TEST_SEED") or DEFAULT_SEED


def stamp(*facts):
    """Other facts or sources: another stamp."""
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    return f"{hashlib.sha256(sources).hexdigest()} {' '.join(map(str, facts))}\n"


def write(path, wanted, make):
    """make(put) puts the cases into the file at path, unless it bears the stamp that is wanted; it is there whole or not at
    all."""
    mark, part = path.with_suffix(".stamp"), path.with_suffix(".part")
    if path.exists() and mark.exists() and mark.read_text() == wanted:
        print(f"{path.name}: as it was")
        return
    start, counts = time.process_time(), collections.Counter()
    mark.unlink(missing_ok=True)
    with part.open("w", encoding="utf-8") as file:

        def put(case):
            counts[case.get("curve", "no curve")] += 1
            file.write(json.dumps(case, separators=(",", ":")) + "\n")

        make(put)
    part.replace(path)
    mark.write_text(wanted)
    detail = ", ".join(f"{curve} {count}" for curve, count in counts.items())
    print(f"{path.name}: {counts.total()} cases ({detail}), {time.process_time() - start:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", default=default_seed())
    parser.add_argument("--few", action="store_true")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    target, seed = arguments.folder, int(arguments.seed, 0)
    target.mkdir(parents=True, exist_ok=True)
    is_short = "GECC_SHORT_TESTS" in os.environ and "GECC_LONG_TESTS" not in os.environ
    curves = SHORT_CURVES if is_short else NAMES
    print(f"known answers: GECC_TEST_SEED={seed}", flush=True)
    if arguments.few:
        (target / "generated.jsonl").unlink(missing_ok=True)
        (target / "generated.missing").write_text("left out of short runs under sanitizers\n")
    else:
        write(target / "generated.jsonl", stamp(seed, *curves), lambda put: generate(seed, put, curves))
    write(target / "ethereum.jsonl", stamp(seed), lambda put: ledger(seed, put))
    missing = target / "published.missing"
    try:
        source = folder()
        write(target / "published.jsonl", stamp(source), lambda put: [put(case) for case in published(source)])
        missing.unlink(missing_ok=True)
    except Missing as reason:
        (target / "published.jsonl").unlink(missing_ok=True)
        missing.write_text(f"{reason}\n")
        print(f"published.jsonl: {reason}")


if __name__ == "__main__":
    main()
