"""How an operation is called from Python, and how that is written: as code, as documentation, as a stub.

All three follow from the library's description. An operation "ecdsa.verify" is a function of the namespace `ecdsa`. What is
selected comes first, then the inputs that are always there; all else has a name.
"""

from __future__ import annotations

import textwrap
from typing import Iterator, Union

from . import _constants
from ._description import FLAGS, KEY_NUMBER, OPERATIONS, RULES, UNLIMITED, Column, Operation, Widths, flags_of, has_rules, parameters_of

#: What every function takes besides.
COMMON = ("out", "report", "stream")

COMMON_TEXTS = {
    "accept": f"whose rule of Ed25519: {', '.join(RULES)}; None: the first",
    "nonce_hash": 'the hash of the nonce\'s generator; None: the SHA-2 of as many bits as the curve has, or more',
    "point_format": "how points are written: " + ", ".join(_constants.POINT_FORMATS),
    "output_bytes": "how many bytes a derived key has, or a ciphertext or plaintext at most; None: of these as many as inputs need",
    "out": "arrays to write to, in the order of what is returned; None: new ones",
    "report": "a gecc.Report to fill with where it ran and for how long",
    "stream": "a CUDA stream, by its address, after whose work arrays in a GPU's memory are read",
}
SELECTOR_TYPES = {"curve": "Curve", "hash": "Hash", "modulus": "Union[int, bytes]", "keys": "Keys"}


def required(operation: Operation) -> list[Column]:
    return [column for column in operation.inputs if not column.is_optional]


def optional(operation: Operation) -> list[Column]:
    return [column for column in operation.inputs if column.is_optional]


def function_name(operation: Operation) -> str:
    return operation.name.rpartition(".")[2]


def keywords(operation: Operation) -> dict[str, str]:
    """The arguments that have names, with their defaults as Python writes them."""
    found = {column.name: "None" for column in optional(operation)}
    found |= {flag: "False" for flag in flags_of(operation)}
    if has_rules(operation):
        found["accept"] = "None"
    if operation.takes_nonce_hash:
        found["nonce_hash"] = "None"
    if operation.takes_point_format:
        found["point_format"] = "None"
    if operation.takes_output_bytes:
        found["output_bytes"] = "None"
    return found | {name: "None" for name in COMMON}


def positional(operation: Operation) -> list[str]:
    """The arguments that need no names."""
    selector = [operation.selector] if operation.takes_selector else []
    return selector + [column.name for column in required(operation)]


def source(operation: Operation) -> str:
    """Code of a function `make(call)` that gives the operation's function. It calls
    call(selected, inputs, flags, nonce_hash, point_format, output_bytes, out, report, stream)."""
    named = keywords(operation)
    arguments = ", ".join([*positional(operation), "*", *(f"{name}={default}" for name, default in named.items())])
    inputs = "".join(f"{column.name}, " for column in operation.inputs)
    flags = " | ".join([*(f"({FLAGS[flag].value} if {flag} else 0)" for flag in flags_of(operation)),
                        *["rule_flag(accept)"] * has_rules(operation)]) or "0"
    passed = [operation.selector if operation.takes_selector else "None", f"({inputs})", flags]
    passed += [name if name in named else "None" for name in ("nonce_hash", "point_format", "output_bytes", *COMMON)]
    return textwrap.dedent(f"""\
        def make(call):
            def {function_name(operation)}({arguments}):
                return call({", ".join(passed)})
            return {function_name(operation)}
        """)


# Documentation.


def _per_curve(operation: Operation, column: Column) -> dict[str, Widths]:
    return {name: operation.widths(column, parameters_of(operation, name)) for name in operation.curves}


def _widths_text(widths: Widths) -> str:
    if widths.listed:
        return " or ".join(map(str, widths.listed))
    if widths.most == UNLIMITED:
        return "any number of"
    return f"{widths.least} to {widths.most}"


def shape_text(operation: Operation, column: Column) -> str:
    """How many bytes a row of the column has: "32 bytes (P-384, brainpoolP384r1: 48; P-521: 66)"."""
    if operation.selector == "modulus":
        widths = operation.widths(column, parameters_of(operation, 3))
        return "as many bytes as the modulus" if widths.listed else f"{_widths_text(widths)} bytes"
    if operation.selector == "hash":
        found = {name: operation.widths(column, parameters_of(operation, name)) for name in _constants.HASHES}
    else:
        found = _per_curve(operation, column)
    texts = {name: _widths_text(widths) for name, widths in found.items()}
    usual = max(texts.values(), key=list(texts.values()).count)
    names: dict[str, list[str]] = {}
    for name, text in texts.items():
        names.setdefault(text, []).append(name)
    others = "; ".join(f"{', '.join(of_it)}: {text}" for text, of_it in names.items() if text != usual)
    return f"{usual} byte{'' if usual == '1' else 's'}" + (f" ({others})" if others else "")


def _column_line(operation: Operation, column: Column) -> str:
    left_out = ", may be left out" if column.is_optional and not column.is_output else ""
    if left_out and column.kind == "nonce":
        left_out += ": then from os.urandom"
    what = "" if column.is_output else f" ({column.kind_text})"
    return (f"{column.name}: {column.text}{what}, {shape_text(operation, column)} a row; "
            f"{column.secrecy}{left_out}")


def _selector_line(operation: Operation) -> str:
    choices = {"curve": ", ".join(operation.curves), "hash": ", ".join(_constants.HASHES),
               "modulus": "odd, at least 3: a number, or 16, 20, ..., 64 bytes, big-endian",
               "keys": "a gecc.Keys of this context, on " + " or ".join(operation.curves)}
    return f"{operation.selector}: {choices[operation.selector]}"


def documentation(operation: Operation) -> str:
    """What help() says."""
    text = operation.text[0].upper() + operation.text[1:]
    texts = {name: flag.text for name, flag in FLAGS.items()} | COMMON_TEXTS
    inputs = {column.name: _column_line(operation, column) for column in operation.inputs}
    lines = [_selector_line(operation)] if operation.takes_selector else []
    lines += [inputs[column.name] for column in required(operation)]
    lines += [inputs.get(name) or f"{name}: {texts[name]}" for name in keywords(operation)]
    outputs = [_column_line(operation, column) for column in operation.outputs]
    outputs.append("status: what came of each row, (n,) uint8; see gecc.Status")
    return "\n".join([
        f"{text}, for n rows.", "",
        "Columns are (n, width) arrays of uint8 or what gecc.Rows takes; bytes are one value for all rows.", "",
        "Takes:", *(f"    {line}" for line in lines), "",
        "Returns:" if operation.outputs else "Returns an array:", *(f"    {line}" for line in outputs), "",
    ])


# Stubs.

STUB_HEAD = '''\
"""Types of the operations. Made by generate.py from the library's description; not edited."""

from typing import Any, Literal, NamedTuple, Optional, Protocol, Union

from ._types import ColumnLike, KeyNumbers, Out, Outs, Report, Statuses, Values
from ._job import Job
from ._keys import Keys

'''


def class_name(name: str) -> str:
    """"ecdsa.verify" -> "EcdsaVerify"."""
    return "".join(part.title() for part in name.replace(".", "_").split("_"))


def namespaces() -> dict[str, Union[Operation, dict[str, Operation]]]:
    """What the package and a context have: operations, and namespaces of them, by name."""
    found: dict = {}
    for operation in OPERATIONS.values():
        space, _, name = operation.name.rpartition(".")
        if space:
            found.setdefault(space, {})[name] = operation
        else:
            found[name] = operation
    return found


def _annotated(operation: Operation) -> str:
    """The arguments with their types."""
    types = {operation.selector: SELECTOR_TYPES[operation.selector]}
    types |= {column.name: "KeyNumbers" if column.kind == KEY_NUMBER else "ColumnLike" for column in required(operation)}
    types |= {column.name: "Optional[ColumnLike]" for column in optional(operation)}
    types |= {flag: "bool" for flag in flags_of(operation)}
    types |= {"accept": "Optional[Rule]", "nonce_hash": "Optional[Hash]", "point_format": "Optional[PointFormat]", "report": "Optional[Report]", "output_bytes": "Optional[int]",
              "stream": "Optional[int]", "out": "Optional[Outs]" if operation.outputs else "Optional[Out]"}
    arguments = [f"{name}: {types[name]}" for name in positional(operation)]
    arguments += ["*", *(f"{name}: {types[name]} = ..." for name in keywords(operation))]
    return ", ".join(["self", *arguments])


def _result_type(operation: Operation) -> str:
    return f"{class_name(operation.name)}Result" if operation.outputs else "Statuses"


def _operation_stub(operation: Operation) -> Iterator[str]:
    name, result = class_name(operation.name), _result_type(operation)
    if operation.outputs:
        yield f"class {result}(NamedTuple):"
        for column in operation.outputs:
            yield f"    {column.name}: Values"
        yield "    status: Statuses"
        yield ""
    yield f"class {name}(Protocol):"
    yield f"    def __call__({_annotated(operation)}) -> {result}:"
    yield textwrap.indent(f'"""{documentation(operation)}"""', " " * 8)
    yield "        ..."
    yield f"    def submit({_annotated(operation)}) -> Job[{result}]: ..."
    selected = f"{operation.selector}: {SELECTOR_TYPES[operation.selector]}, " if operation.takes_selector else ""
    yield f"    def prepare(self, {selected}rows: int) -> None: ..."
    yield ""


def _names(name: str, choices) -> str:
    return f"{name} = Literal[{', '.join(repr(choice) for choice in choices)}]"


def stub_text() -> str:
    """The text of _operations.pyi."""
    spaces = namespaces()
    curves = max((operation.curves for operation in OPERATIONS.values()), key=len)
    lines = [_names("Curve", curves), _names("Hash", _constants.HASHES), _names("PointFormat", _constants.POINT_FORMATS), _names("Rule", RULES),
             _names("OperationName", OPERATIONS), ""]
    for operation in OPERATIONS.values():
        lines += _operation_stub(operation)
    for name, space in spaces.items():
        if isinstance(space, dict):
            lines += [f"class {class_name(name)}Operations:",
                      *(f"    {inner}: {class_name(operation.name)}" for inner, operation in space.items()), ""]
    types = {name: class_name(name) + ("Operations" if isinstance(space, dict) else "") for name, space in spaces.items()}
    lines += ["class Namespaces:", *(f"    {name}: {type_}" for name, type_ in types.items()), ""]
    lines += [f"{name}: {type_}" for name, type_ in types.items()]
    lines += ["", f"__all__ = [{', '.join(repr(name) for name in types)}]", ""]
    return STUB_HEAD + "\n".join(lines)
