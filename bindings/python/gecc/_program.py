"""The console script `gecc`: files of Parquet and Arrow are handled here, all else by the tool that the wheel holds."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn, Optional, Sequence

from . import _constants
from ._description import CURVES, FLAGS, OPERATIONS, Operation

_ENDINGS = (".parquet", ".arrow", ".feather")
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gecc")


def main() -> int:
    """Exit status: that of the tool; 0: done, every row ok; 1: some are not; 2: nothing was done."""
    arguments = sys.argv[1:]
    if any(argument.endswith(_ENDINGS) for argument in arguments):
        return _run_files(arguments)
    _run_tool(arguments)


def _run_tool(arguments: Sequence[str]) -> NoReturn:
    if not os.path.exists(TOOL):
        sys.exit("gecc: this wheel was built without the tool (jansson was missing); only .parquet and .arrow are handled")
    os.execv(TOOL, ["gecc", *arguments])


#: The families of operations that the tool's --scheme names.
SCHEMES = {"ecdsa": "ecdsa", "sm2": "sm2", "bip340": "schnorr"}


def _operation(name: str, curve: Optional[str], scheme: Optional[str]) -> Operation:
    """By its name, "ecdsa.verify", or as the tool calls it, "verify": that of the scheme, which by default is SM2's with
    --curve SM2 and ECDSA's elsewhere."""
    if name in OPERATIONS:
        return OPERATIONS[name]
    found = {operation.name.rpartition(".")[0]: operation for operation in OPERATIONS.values()
             if operation.name.rpartition(".")[2] == name}
    families = [SCHEMES[scheme]] if scheme else ["sm2" if curve == "SM2" else "ecdsa", "ec", *found]
    for family in families:
        if family in found:
            return found[family]
    raise ValueError(f"no operation is called {name!r}{f' in {scheme}' if scheme else ''}: there are {', '.join(OPERATIONS)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gecc", description="Run an operation on the rows of a Parquet or Arrow file. `gecc --help` without such a file is "
        "about the tool, for CSV, JSON Lines and binary rows.", epilog=f"operations: {', '.join(OPERATIONS)}")
    parser.add_argument("operation")
    parser.add_argument("source", help="a .parquet or .arrow file")
    parser.add_argument("-o", "--output", required=True, help="a .parquet or .arrow file")
    parser.add_argument("--curve", choices=CURVES)
    parser.add_argument("--scheme", choices=SCHEMES, help="default: sm2 with --curve SM2, else ecdsa")
    parser.add_argument("--hash", choices=_constants.HASHES)
    parser.add_argument("--modulus", help="an odd number, decimal or 0x...")
    parser.add_argument("--column", action="append", default=[], metavar="NAME=COLUMN", help="digest=hash: the digest is in "
                        "the column hash; also for results and status. NAME=0x...: one value for all rows")
    for name, flag in FLAGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", default=None, help=flag.text)
    parser.add_argument("--nonce-hash", choices=_constants.HASHES)
    parser.add_argument("--point-format", choices=_constants.POINT_FORMATS)
    parser.add_argument("--backend", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--no-progress", action="store_const", const=False, default=None)
    return parser


def _columns(pairs: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"--column {pair}: NAME=COLUMN is wanted")
        found[name] = bytes.fromhex(value[2:]) if value.startswith("0x") else value
    return found


def _run_files(arguments: Sequence[str]) -> int:
    given = _parser().parse_args(arguments)
    try:
        from ._context import Context
        from ._files import run_file
    except ImportError as error:
        print(f"gecc: Parquet and Arrow files need pyarrow: {error}", file=sys.stderr)
        return 2
    options = {name: value for name in (*FLAGS, "nonce_hash", "point_format")
               if (value := getattr(given, name)) is not None}
    try:
        operation = _operation(given.operation, given.curve, given.scheme)
        with Context(given.backend, threads=given.threads) as context:
            rows, ok = run_file(operation.name, given.source, given.output, curve=given.curve, hash=given.hash,
                                modulus=None if given.modulus is None else int(given.modulus, 0), context=context,
                                columns=_columns(given.column), progress=given.no_progress, **options)
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        print(f"gecc: {error}", file=sys.stderr)
        return 2
    print(f"gecc: {rows:,} rows, {ok:,} ok", file=sys.stderr)
    return 0 if ok == rows else 1


if __name__ == "__main__":
    sys.exit(main())
