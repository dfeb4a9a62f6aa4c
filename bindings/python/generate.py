#!/usr/bin/env python3
"""Writes what the package is given by the library: run by the build, and by the tests, which compare.

usage: generate.py abi DESCRIPTION OUT             structs and functions for ctypes, from bindings/abi/gecc.json
       generate.py constants DESCRIPTION OUT       names and values of the enums, from the same
       generate.py stubs PACKAGE_FOLDER OUT        types of the operations, from what the library says of them
       generate.py metadata PYPROJECT OUT          name, version and dependencies, for a package that pip has not installed
                                                   (needs Python 3.11)

PACKAGE_FOLDER holds the package with its library and what the others made; it is not imported as a whole, so that NumPy
need not be there.
"""

import json
import re
import sys
import types
from pathlib import Path

ABI = '''"""Structs and functions of the library. Made by generate.py from bindings/abi/gecc.json; not edited."""

from ctypes import *  # noqa: F403

c_enum = c_uint


class Sized(Structure):
    """A struct whose first field is its size, which says which version of it this is."""

    def __init__(self, **fields):
        super().__init__(size=sizeof(self), **fields)


{structs}
#: The result and the arguments of each function.
FUNCTIONS = {{
{functions}
}}
'''

CONSTANTS = '''"""Names and values of enums. Made by generate.py from bindings/abi/gecc.json; not edited."""

from ._status import StatusBase


class Status(StatusBase):
    """The values of a status column: 1 is valid or computed, 0 not decided, 16 and more malformed; NULL: a row of an
    Arrow column, or of a list, that is null."""

{items}

#: gecc_hash.
HASHES = {hashes}
#: gecc_point_format.
POINT_FORMATS = {formats}
#: Names of columns in operations, and in the files of the tool.
COLUMN_NAMES = {columns}
#: gecc_ethereum_reason.
ETHEREUM_REASONS = {reasons}
'''


def class_name(name):
    """KeysInfo for gecc_keys_info."""
    return "".join(part.capitalize() for part in name.split("_")[1:])


class Types:
    """ctypes for types of C."""

    def __init__(self, description):
        self.names = {struct["name"]: class_name(struct["name"]) for struct in description["structs"]}
        self.names.update({enum["name"]: "c_enum" for enum in description["enums"]})
        self.names.update({callback["name"]: "c_void_p" for callback in description["callbacks"]})
        self.names.update({"void": "None", "unsigned": "c_uint", "size_t": "c_size_t"})

    def field(self, code):
        """Addresses are numbers, or bytes."""
        if code.endswith("*"):
            return "c_char_p" if code in ("const char *", "const uint8_t *") else "c_void_p"
        return self.names.get(code) or "c_" + code.removesuffix("_t")

    def argument(self, code):
        """Of a function, or what it gives: addresses of structs have a type."""
        target = self.names.get(code.removesuffix(" *").removeprefix("const "), "None")
        return f"POINTER({target})" if code.endswith("*") and target != "None" else self.field(code)


def abi(path):
    description = json.loads(Path(path).read_text(encoding="utf-8"))
    of, structs, functions = Types(description), [], []
    for struct in description["structs"]:
        base = "Sized" if struct["fields"][0]["name"] == "size" else "Structure"
        fields = []
        for field in struct["fields"]:
            count = f" * {field['count']}" if "count" in field else ""
            fields.append(f'        ("{field["name"]}", {of.field(field["type"])}{count}),')
        head = f'class {of.names[struct["name"]]}({base}):\n    """{struct["name"]}."""\n\n    _fields_ = ['
        structs += [head, *fields, "    ]", "", ""]
    for function in description["functions"]:
        arguments = ", ".join(of.argument(parameter["type"]) for parameter in function["parameters"])
        functions.append(f'    "{function["name"]}": ({of.argument(function["result"])}, [{arguments}]),')
    return ABI.format(structs="\n".join(structs), functions="\n".join(functions))


def constants(path):
    description = json.loads(Path(path).read_text(encoding="utf-8"))
    enums = {enum["name"]: enum["values"] for enum in description["enums"]}

    def names(enum, prefix):
        return {value["name"].removeprefix(prefix): value["value"] for value in enums[enum]}

    def lower(enum, prefix):
        return {name.lower(): value for name, value in names(enum, prefix).items()}

    return CONSTANTS.format(
        items="\n".join(f"    {name} = {value}" for name, value in names("gecc_item", "GECC_ITEM_").items()),
        hashes={name: value for name, value in lower("gecc_hash", "GECC_").items() if value != 0},
        columns=description["column_names"],
        formats=lower("gecc_point_format", "GECC_POINT_"),
        reasons=names("gecc_ethereum_reason", "GECC_ETHEREUM_"),
    )


def stubs(folder):
    package = types.ModuleType("gecc")
    package.__path__ = [folder]
    sys.modules["gecc"] = package
    from gecc._signature import stub_text

    return stub_text()


def metadata(path):
    import tomllib

    description = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    project, version = description["project"], description["tool"]["scikit-build"]["metadata"]["version"]
    header = (Path(path).parent / version["input"]).read_text(encoding="ascii")
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}",
             f"Version: {version['result'].format(**re.search(version['regex'], header).groupdict())}",
             f"Summary: {project['description']}", f"License: {project['license']}",
             f"Requires-Python: {project['requires-python']}"]
    return "\n".join([*lines, *(f"Requires-Dist: {package}" for package in project["dependencies"]), ""])


def main():
    make = {"abi": abi, "constants": constants, "stubs": stubs, "metadata": metadata}
    if len(sys.argv) != 4 or sys.argv[1] not in make:
        sys.exit(__doc__)
    sys.dont_write_bytecode = True
    Path(sys.argv[3]).write_text(make[sys.argv[1]](sys.argv[2]), encoding="utf-8")


if __name__ == "__main__":
    main()
