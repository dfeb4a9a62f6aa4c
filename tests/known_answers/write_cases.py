#!/usr/bin/env python3
"""Write bindings/cases/known_answers.txt: of the cases with known answers those that the tests of every binding read, in the form
that bindings/cases/README.md describes. Each operation is there on each of its curves, and with each option that it has.

usage: write_cases.py [FILE]
"""

import collections
import re
import sys
from pathlib import Path

from cases import Cases
from curves import SECP256K1
from generate import generate
from schemes import OPERATIONS

ROOT = Path(__file__).resolve().parents[2]
SEED = 20240613
MOST_ROWS = 4

HEAD = """# Known answers, which tests/known_answers/write_cases.py has made. README.md says how lines are read.
"""


def described():
    """The columns of each operation, as the library names them, {name: (inputs, outputs)}."""
    text = (ROOT / "src/scheme/operations.def").read_text(encoding="utf-8")
    for entry in re.findall(r"^OPERATION\(.*?(?=^OPERATION\(|\Z)", text, re.M | re.S):
        yield re.search(r'"([\w.]+)"', entry)[1], [
            re.findall(rf'\b{direction}(?:_OPTIONAL)?\(\w+,\s*"(\w+)"', entry) for direction in ("IN", "OUT")
        ]


def options_of(case):
    """Lines that say how a case is called: the same for all rows of a batch."""
    operation = OPERATIONS[case["op"]]
    flags = [name for name in ("low_s", "any_s", "sighash_byte", "prehash", "responder") if case.get(name)]
    flags += [case.get("sm2_format")] * (case.get("sm2_format", "c1c3c2") != "c1c3c2")
    flags += [f"accept_{case.get('accept')}"] * ("accept" in case) + ["der"] * ("enc" in operation.options and case.get("enc") == "der")
    lines = [f"{name} {case[name]}" for name in ("curve", "hash", "modulus") if name in case]
    lines += ["flags " + " ".join(flags)] * bool(flags)
    lines += [f"nonce_hash {case.get('hmac')}"] * (case.get("hmac", "default") != "default")
    lines += [f"point_format {case.get('format')}"] * ("format" in case)
    lines += [f"output_bytes {case.get('output_bytes')}"] * ("output_bytes" in case)
    columns = tuple(name for name in operation.columns if name in case)
    return tuple(lines), columns, len(case.get("exponent", ""))


# The names in cases of results besides the first.
OTHERS = {"recovery_id": "recid", "parity": "parity", "confirmation": "confirmation", "peer_confirmation": "peer_confirmation"}


def batches():
    """{(operation, options): cases}, at most one case a status, which come first, and MOST_ROWS in all."""
    found = collections.defaultdict(list)

    def put(case):
        if not case.get("low_s") or "low_s" in OPERATIONS[case["op"]].options:
            found[case["op"], options_of(case)].append(case)

    generate(SEED, put)
    Cases(SEED, SECP256K1, put).schnorr()
    Cases(SEED, SECP256K1, put).ethereum()
    seen = set()
    for (op, options), cases in found.items():
        lines, columns, _ = options
        # A modulus counts by its limbs.
        news = {(op, len(line) // 16 if line.startswith("modulus") else line) for line in lines if not line.startswith("output_bytes")}
        news |= {(op, columns)}
        if news <= seen:
            continue
        seen |= news
        firsts = {case["status"]: case for case in reversed(cases)}
        chosen = sorted(firsts.values(), key=lambda case: case["status"] != "OK")
        chosen += [case for case in cases[len(cases) // 2 :] if case not in chosen]
        yield op, options, chosen[:MOST_ROWS]


def lines_of(op, options, cases, columns):
    operation, (lines, names, _) = OPERATIONS[op], options
    inputs, outputs = columns[operation.name]
    extra = [name for name in outputs[1:] if OTHERS[name] in cases[0]] if outputs else []
    yield f"\ncase {operation.name}"
    yield from lines
    yield "inputs " + " ".join(inputs[operation.columns.index(name)] for name in names)
    if operation.result:
        yield "outputs " + " ".join([outputs[0], *extra])
    for case in cases:
        row = [case[name] or "-" for name in names]
        results = []
        if operation.result and case["status"] == "OK":
            results.append(case[operation.result] or "-")
            for name in extra:
                value = case[OTHERS[name]]
                results.append(value if isinstance(value, str) else f"{value:02x}")
        yield " ".join(["row", *row, ":", case["status"], *results])


def main():
    path = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "bindings/cases/known_answers.txt")
    columns = dict(described())
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for op, options, cases in batches():
            file.write("\n".join(lines_of(op, options, cases, columns)) + "\n")


if __name__ == "__main__":
    main()
