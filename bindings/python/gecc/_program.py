"""The console script `gecc`: from Parquet or Arrow to Parquet or Arrow here, all else by the tool that the wheel holds, which reads
and writes text."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn, Optional, Sequence, Union

from . import _constants
from ._description import CURVES, FLAGS, OPERATIONS, RULES, Operation, curve_named, hash_named
from ._errors import shown
from ._file_names import ARROW, PARQUET, is_compressed_table, is_table
from ._signature import COMMON_TEXTS
from ._text import ENCODINGS

#: The tool's options that name its output.
_OUTPUT = ("-o", "--output")
#: Those that say what columns are called.
_MAPS = ("--map", "--column")
_ENDINGS = ", ".join((*PARQUET, *ARROW))
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gecc")


def main() -> int:
    """Exit status: that of the tool; 0: done, every row ok; 1: some are not; 2: nothing was done."""
    arguments = sys.argv[1:]
    rest, sources, outputs = _split(arguments)
    compressed = [path for path in (*rest, *outputs) if is_compressed_table(path) and not path.startswith("-")]
    if compressed:
        return _fail(f"{compressed[0]}: Parquet and Arrow are compressed inside, or not at all; decompress it, and name it as one of "
                     f"{_ENDINGS}")
    tables = [path for path in (*sources, *outputs) if is_table(path)]
    if not tables:
        _run_tool(arguments)
    if sources and outputs and all(map(is_table, (*sources, *outputs))):
        return _run_files(arguments)
    return _run_text(rest, sources, outputs)


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """(all other arguments, tables that are read, what is written)."""
    rest: list[str] = []
    sources, outputs = [], []
    at = iter(arguments)
    for argument in at:
        name, equals, value = argument.partition("=")
        if name in _OUTPUT:
            outputs.append(value if equals else next(at, ""))
        elif is_table(argument) and not argument.startswith("-") and not (rest and rest[-1] in _MAPS):
            sources.append(argument)
        else:
            rest.append(argument)
    return rest, sources, outputs


def _find_tool() -> str:
    if not os.path.exists(TOOL):
        sys.exit("gecc: this wheel was built without the tool (jansson was missing); only files of Parquet "
                 f"and Arrow are handled: {_ENDINGS}")
    return TOOL


def _run_tool(arguments: Sequence[str]) -> NoReturn:
    os.execv(_find_tool(), ["gecc", *arguments])


def _run_text(rest: list[str], sources: list[str], outputs: list[str]) -> int:
    """The tool's command, of which one file is a table."""
    try:
        from ._text_files import run_tool
    except ImportError as error:
        return _no_pyarrow(error)
    if len(sources) > 1 or len(outputs) > 1:
        return _fail("one file is read and one written, where there are " + ", ".join((*sources, *outputs)))
    destination = outputs[0] if outputs and is_table(outputs[0]) else None
    if outputs and destination is None:
        rest += ["-o", outputs[0]]
    try:
        return run_tool(_find_tool(), rest, sources[0] if sources else None, destination)
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        return _fail(str(error))


def _fail(text: str) -> int:
    print(f"gecc: {text}", file=sys.stderr)
    return 2


def _no_pyarrow(error: ImportError) -> int:
    return _fail(f"Parquet and Arrow files need pyarrow: {error}")


#: The families of operations that the tool's --scheme names.
SCHEMES = {"ecdsa": "ecdsa", "sm2": "sm2", "bip340": "schnorr", "bip-340": "schnorr", "schnorr": "schnorr", "ed25519": "ed25519"}
#: The options of the tool, by the names of the flags that they stand for.
_TOOL_FLAGS = {"public_scalars": "--public", "any_s": "--no-low-s"}


_OF_CURVES = {"SM2": "sm2", "Curve25519": "ed25519"}


def _operation(name: str, curve: Optional[str], scheme: Optional[str]) -> Operation:
    """By its name, "ecdsa.verify", or as the tool calls it, "verify": that of the scheme, which by default is SM2's with
    --curve SM2 and ECDSA's elsewhere."""
    if name in OPERATIONS:
        return OPERATIONS[name]
    found = {operation.name.rpartition(".")[0]: operation for operation in OPERATIONS.values()
             if operation.name.rpartition(".")[2] == name}
    families = [SCHEMES[scheme]] if scheme else [_OF_CURVES.get(curve or "", "ecdsa"), "ec", *found]
    for family in families:
        if family in found:
            return found[family]
    raise ValueError(f"no operation is called {name!r}{f' in {scheme}' if scheme else ''}: there are {', '.join(OPERATIONS)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gecc", description="Run an operation on the rows of a Parquet or Arrow file. `gecc --help` without such a file is "
        "about the tool, for CSV, JSON Lines and binary rows.", epilog=f"operations: {', '.join(OPERATIONS)}")
    parser.add_argument("operation")
    parser.add_argument("source", help=f"a file of Parquet or Arrow: {_ENDINGS}")
    parser.add_argument("-o", "--output", required=True, help="such a file")
    parser.add_argument("--curve", type=_curve, metavar="NAME", help=f"{', '.join(CURVES)}, or a name that OpenSSL has for one of "
                        "them; for rows that do not say it in a column curve")
    parser.add_argument("--scheme", type=str.lower, choices=SCHEMES, help="default: sm2 with --curve SM2, else ecdsa")
    parser.add_argument("--hash", type=_hash, metavar="NAME", help=", ".join(_constants.HASHES))
    parser.add_argument("--modulus", type=_modulus, help="an odd number, decimal or 0x...")
    parser.add_argument(*_MAPS, dest="column", action="append", default=[], metavar="NAME=COLUMN[,NAME=COLUMN]...",
                        help="digest=hash: the digest is in the column hash; also for results and status. NAME=0x...: one value for "
                        "all rows")
    parser.add_argument("--accept", choices=RULES, help="whose rule of Ed25519")
    parser.add_argument("--sig-format", choices=("raw", "der"), help="der: as --der")
    parser.add_argument("--encoding", action="append", default=[], metavar="[NAME=]ENCODING", help="how text stands for bytes, of "
                        f"all inputs or of one: {', '.join(ENCODINGS)}; default: hex")
    for name, flag in FLAGS.items():
        names = [f"--{name.replace('_', '-')}", *([_TOOL_FLAGS[name]] if name in _TOOL_FLAGS else [])]
        parser.add_argument(*names, dest=name, action="store_true", default=None,
                            help=argparse.SUPPRESS if name in RULES.values() else flag.text)
    parser.add_argument("--nonce-hash", type=_hash, metavar="NAME", help="likewise")
    parser.add_argument("--point-format", choices=_constants.POINT_FORMATS)
    parser.add_argument("--output-bytes", type=int, metavar="COUNT", help=COMMON_TEXTS["output_bytes"])
    parser.add_argument("--backend", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--no-progress", action="store_const", const=False, default=None)
    return parser


def _columns(pairs: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for pair in ",".join(pairs).split(",") if pairs else ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"--map {shown(pair)}: NAME=COLUMN is wanted")
        if name in found:
            raise ValueError(f"--map: {shown(name)} is there twice")
        found[name] = bytes.fromhex(value[2:]) if value.startswith("0x") else value
    return found


def _encoding(given: Sequence[str]) -> Union[str, dict[str, str], None]:
    """What gecc.arrow.run takes for values of --encoding."""
    if any("=" not in value for value in given):
        if len(given) > 1:
            raise ValueError("--encoding: of all inputs, or as NAME=ENCODING of some")
        return given[0]
    return dict(pair.split("=", 1) for pair in given) or None  # type: ignore[misc]


def _curve(text: str) -> str:
    found = curve_named(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{shown(text)} is none of {', '.join(CURVES)}")
    return found


def _hash(text: str) -> str:
    found = hash_named(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{shown(text)} is none of {', '.join(_constants.HASHES)}")
    return found


def _modulus(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise argparse.ArgumentTypeError("no number, decimal or 0x...") from None


def _run_files(arguments: Sequence[str]) -> int:
    given = _parser().parse_args(arguments)
    try:
        from ._context import Context
        from ._files import run_file
    except ImportError as error:
        return _no_pyarrow(error)
    options = {name: value for name in (*FLAGS, "nonce_hash", "point_format", "accept", "output_bytes")
               if (value := getattr(given, name)) is not None}
    if given.sig_format == "der":
        options["der"] = True
    try:
        operation = _operation(given.operation, given.curve, given.scheme)
        with Context(given.backend, threads=given.threads) as context:
            rows, ok = run_file(operation.name, given.source, given.output, curve=given.curve, hash=given.hash,
                                modulus=given.modulus, context=context, columns=_columns(given.column),
                                encoding=_encoding(given.encoding), progress=given.no_progress, **options)
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        return _fail(str(error))
    print(f"gecc: {rows:,} rows, {ok:,} ok", file=sys.stderr)
    return 0 if ok == rows else 1


if __name__ == "__main__":
    sys.exit(main())
