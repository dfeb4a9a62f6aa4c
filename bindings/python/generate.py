#!/usr/bin/env python3
"""Writes what the package is given by the library: run by the build, and by the tests, which compare.

usage: generate.py constants HEADER_FOLDER OUT     names and values of the enums, from the headers
       generate.py stubs PACKAGE_FOLDER OUT        types of the operations, from what the library says of them

PACKAGE_FOLDER holds the package with its library and constants; it is not imported as a whole, so that NumPy need not be there.
"""

import re
import sys
import types
from pathlib import Path

CONSTANTS = '''"""Names and values of the enums in include/gecc/context.h. Made by generate.py; not edited."""

from ._status import StatusBase


class Status(StatusBase):
    """The values of a status column: 1 is valid or computed, 0 not decided, 16 and more malformed; NULL: a row of an
    Arrow column, or of a list, that is null."""

{items}

#: gecc_hash.
HASHES = {hashes}
#: gecc_point_format.
POINT_FORMATS = {formats}
#: gecc_ethereum_reason.
ETHEREUM_REASONS = {reasons}
'''


def enum(text, name, prefix):
    """{name: value} of the identifiers of an enum, lower case and without the prefix."""
    body = re.search(rf"typedef enum {name} {{(.*?)}} {name};", text, re.DOTALL).group(1)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    values = re.findall(rf"{prefix}(\w+) = ([^,}}]+)", body)
    return {key.lower(): number(value) for key, value in values}


def number(text):
    """An integer, or `1u << n`."""
    base, _, shift = text.replace("u", "").partition("<<")
    return int(base) << int(shift or 0)


def items(text):
    """Lines `NAME = value` of GECC_ITEM_LIST."""
    return "\n".join(f"    {name} = {value}" for name, value in re.findall(r"X\(GECC_ITEM_(\w+), (\d+),", text))


def hashes(folder):
    """{name: value} of GECC_HASH_LIST."""
    text = (Path(folder) / "gecc" / "hashes.h").read_text()
    return {name: int(value) for value, name in re.findall(r"X\(GECC_\w+, (\d+), (\w+),", text)}


def reasons(folder):
    """{name: value} of GECC_ETHEREUM_REASON_LIST."""
    text = (Path(folder) / "gecc" / "ethereum.h").read_text()
    return {name: int(value) for name, value in re.findall(r"X\(GECC_ETHEREUM_(\w+), (\d+),", text)}


def constants(folder):
    text = (Path(folder) / "gecc" / "context.h").read_text()
    return CONSTANTS.format(items=items(text), hashes=hashes(folder),
                            formats=enum(text, "gecc_point_format", "GECC_POINT_"), reasons=reasons(folder))


def stubs(folder):
    package = types.ModuleType("gecc")
    package.__path__ = [folder]
    sys.modules["gecc"] = package
    from gecc._signature import stub_text

    return stub_text()


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("constants", "stubs"):
        sys.exit(__doc__)
    sys.dont_write_bytecode = True
    make = {"constants": constants, "stubs": stubs}[sys.argv[1]]
    Path(sys.argv[3]).write_text(make(sys.argv[2]))


if __name__ == "__main__":
    main()
