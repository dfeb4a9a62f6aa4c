"""What the library says of its operations, read once: everything else of the package is made from it."""

from __future__ import annotations

import functools
import sys
from ctypes import byref
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Mapping, Optional

from . import _constants
from ._errors import shown
from ._library import Modulus, Options, Parameters, library

#: gecc_selector. Operations on numbers of keys are selected by "keys", which have a curve.
SELECTORS = {1: "curve", 2: "modulus", 3: "hash"}
#: What gecc_kind_name says of a column of them.
KEY_NUMBER = "key number"
#: Kinds of columns whose rows are big-endian numbers.
_NUMBERS = ("private key", "nonce", "scalar", "public scalar", "residue", "exponent")
#: Kinds of columns whose rows are a name: text is by itself what it says.
NAMES = ("id", "Ed25519 context")
#: Kinds of columns whose rows may be any text, or bytes that text stands for: which of them text is has to be said.
CONTENTS = ("message", "plaintext")
#: gecc_secrecy.
SECRECY = {0: "public", 1: "secret", 2: "secret unless public_scalars is set"}

#: The greatest width of a column whose rows may have any.
UNLIMITED = sys.maxsize


@dataclass(frozen=True)
class Flag:
    """A gecc_flag: an option that is True or False."""

    value: int
    text: str


@dataclass(frozen=True)
class Widths:
    """How many bytes the rows of a column can have: one of `listed`, or where that is empty, any from least to most. And what they
    are: kind, see Column; is_number: whether bytes may be put before a row; encoding: that of a row that is text, see _text."""

    least: int
    most: int
    listed: tuple[int, ...]
    kind: str = ""
    is_number: bool = False
    encoding: Optional[str] = None

    def allow(self, width: int) -> bool:
        """Whether a row can have that many bytes."""
        return width in self.listed if self.listed else self.least <= width <= self.most


@dataclass(frozen=True, eq=False)
class Column:
    """A column of an operation. Its name is the argument's name."""

    name: str
    text: str
    kind: str
    kind_text: str
    secrecy: str
    is_output: bool
    is_optional: bool
    handle: Any = field(repr=False)

    @property
    def is_secret(self) -> bool:
        """Secret, or secret unless a flag says otherwise."""
        return self.secrecy != "public"


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation, as gecc_operations describes it."""

    name: str
    text: str
    selector: str
    curves: tuple[str, ...]
    flags: tuple[str, ...]
    secrecy: str
    inputs: tuple[Column, ...]
    outputs: tuple[Column, ...]
    handle: Any = field(repr=False)

    @property
    def is_secret(self) -> bool:
        """Its inputs are secret, or secret unless a flag says otherwise."""
        return self.secrecy != "public"

    @property
    def takes_selector(self) -> bool:
        """Whether a caller has anything to choose: an operation on one curve alone is called without it."""
        return self.selector != "curve" or len(self.curves) > 1

    @property
    def takes_nonce_hash(self) -> bool:
        return any(column.kind == "entropy" for column in self.inputs)

    @property
    def takes_point_format(self) -> bool:
        return any(column.kind in ("point", "ciphertext") for column in self.outputs) or self.takes("ciphertext")

    def takes(self, kind: str) -> bool:
        return any(column.kind == kind for column in self.inputs)

    @property
    def takes_output_bytes(self) -> bool:
        """Whether the caller says how wide its outputs are."""
        return any(column.kind in ("ciphertext", "plaintext", "derived key") for column in self.outputs)

    def widths(self, column: Column, parameters: Parameters, options: Optional[Options] = None) -> Widths:
        """The widths of one of its columns."""
        found = library.gecc_column_widths(self.handle, column.handle, byref(parameters),
                                           byref(options) if options else None)
        is_number = column.kind in _NUMBERS and not (options and options.flags & FLAGS["little_endian"].value)
        return Widths(found.least, found.most, tuple(found.width[: found.count]), column.kind, is_number)


def _curves() -> Iterator[tuple[str, int]]:
    for value in range(1, 32):  # bits of gecc_operation.curves
        if name := library.gecc_curve_name(value):
            yield name.decode(), value


#: gecc_curve by name.
CURVES: dict[str, int] = dict(_curves())


_CURVE_NAMES = {value: name for name, value in CURVES.items()}


@functools.lru_cache(maxsize=1024)
def curve_named(name: object) -> Optional[str]:
    """The name in CURVES of a curve that has this one, "prime256v1" or "nistp256", whatever its case; None: there is none."""
    if not isinstance(name, str) or not name.isascii() or "\0" in name:
        return None
    return _CURVE_NAMES.get(library.gecc_curve_named(name.encode()))


_HASH_NAMES = {value: name for name, value in _constants.HASHES.items()}


@functools.lru_cache(maxsize=256)
def hash_named(name: object) -> Optional[str]:
    """The name in HASHES of a hash that has this one, as "SHA-256", whatever its case; None: there is none."""
    if not isinstance(name, str) or not name.isascii() or "\0" in name:
        return None
    return _HASH_NAMES.get(library.gecc_hash_named(name.encode()))


def _flags() -> Iterator[tuple[str, Flag]]:
    value = 1
    while name := library.gecc_flag_name(value):
        yield name.decode(), Flag(value, library.gecc_flag_text(value).decode())
        value <<= 1


#: Flags by name.
FLAGS: dict[str, Flag] = dict(_flags())


def _columns(function, operation) -> Iterator[Column]:
    index = 0
    while found := function(operation, index):
        column = found.contents
        yield Column(column.name.decode(), column.text.decode(), library.gecc_kind_name(column.kind).decode(),
                     library.gecc_kind_text(column.kind).decode(), SECRECY[column.secrecy], bool(column.is_output),
                     bool(column.is_optional), found)
        index += 1


def _operations() -> Iterator[Operation]:
    index = 0
    while found := library.gecc_operations(index):
        operation = found.contents
        curves = tuple(name for name, value in CURVES.items() if operation.curves >> value & 1)
        flags = tuple(name for name, flag in FLAGS.items() if operation.flags & flag.value)
        outputs = tuple(_columns(library.gecc_operation_output, found))
        inputs = tuple(_columns(library.gecc_operation_input, found))
        by_keys = any(column.kind == KEY_NUMBER for column in inputs)
        if any(column.kind == "ciphertext" for column in outputs):  # nonces are random where none are given: _call.py
            inputs = tuple(replace(column, is_optional=column.is_optional or column.kind == "nonce") for column in inputs)
        yield Operation(operation.name.decode(), operation.text.decode(),
                        "keys" if by_keys else SELECTORS[operation.selector], curves, flags, SECRECY[operation.secrecy],
                        inputs, outputs, found)
        index += 1


#: Every operation by name, in the library's order.
OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in _operations()}


def _choose(argument: str, value: object, choices: dict[str, int]) -> int:
    name = curve_named(value) if choices is CURVES else hash_named(value) if choices is _constants.HASHES else value
    if isinstance(name, str) and name in choices:
        return choices[name]
    raise ValueError(f"{argument}: {shown(value)} is none of {', '.join(choices)}")


def _modulus(value: object) -> Modulus:
    """The modulus of a call: bytes as they are, a number in the least width that the library takes."""
    if isinstance(value, int):
        if value < 0 or value.bit_length() > 512:
            raise ValueError("modulus: has to be odd, at least 3, and of at most 512 bits")
        value = value.to_bytes(max(16, (value.bit_length() + 31) // 32 * 4), "big")
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"modulus: {type(value).__name__}, where bytes or an int are wanted")
    value = bytes(value)
    return Modulus(value, len(value))


@functools.lru_cache(maxsize=256)
def parameters_of(operation: Operation, selected: object) -> Parameters:
    """gecc_parameters for what the caller selects: a curve's name, a hash's, or a modulus; of keys (curve, address), or the curve
    alone of those that are not there yet."""
    if operation.selector == "keys":
        curve, address = selected if isinstance(selected, tuple) else (selected, None)
        return Parameters(curve=_choose("curve", curve, CURVES), keys=address)
    if operation.selector == "curve":
        if not operation.takes_selector:
            return Parameters(curve=CURVES[operation.curves[0]])
        return Parameters(curve=_choose("curve", selected, CURVES))
    if operation.selector == "hash":
        return Parameters(hash=_choose("hash", selected, _constants.HASHES))
    return Parameters(modulus=_modulus(selected))


@functools.lru_cache(maxsize=256)
def options_of(flags: int = 0, nonce_hash: Optional[str] = None, point_format: Optional[str] = None, output_bytes: int = 0) -> Options:
    """gecc_options that ask for no job and no report. Shared: copy them to change them."""
    options = Options(flags=flags, output_bytes=output_bytes)
    if nonce_hash is not None:
        options.nonce_hash = _choose("nonce_hash", nonce_hash, _constants.HASHES)
    if point_format is not None:
        options.point_format = _choose("point_format", point_format, _constants.POINT_FORMATS)
    return options


#: The flags that say whose rule of Ed25519 is asked for, by the names of these rules; of the first there is none.
RULES = {"rfc8032": None, **{name.removeprefix("accept_"): name for name in FLAGS if name.startswith("accept_")}}


def flags_of(operation: Operation) -> list[str]:
    """The operation's flags but those of rules, which `accept` says."""
    return [flag for flag in operation.flags if flag not in RULES.values()]


def has_rules(operation: Operation) -> bool:
    return len(flags_of(operation)) < len(operation.flags)


def rule_flag(accept: Optional[str]) -> int:
    """The bit of the flag that asks for a rule."""
    flag = RULES[accept or "rfc8032"]
    return FLAGS[flag].value if flag else 0


def own_name(operation: Operation, name: str) -> str:
    """What the operation calls the column or argument of that name, "public_key" for "pub"; the name itself where it is none."""
    own = [column.name for column in (*operation.inputs, *operation.outputs)]
    if name in own:
        return name
    wanted = _constants.COLUMN_NAMES.get(name, name)
    return next((found for found in own if _constants.COLUMN_NAMES.get(found) == wanted), name)


def other_names(operation: Operation, column: str) -> list[str]:
    """The names besides its own that a column of the operation may have."""
    names = dict.fromkeys([*_constants.COLUMN_NAMES, *_constants.COLUMN_NAMES.values()])
    return [name for name in names if name != column and own_name(operation, name) == column]


def with_own_names(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given by name, by the operation's own names: `pub` is `public_key`, accept_zip215=True is accept="zip215"."""
    found: dict[str, Any] = {}
    names: dict[str, str] = {}
    rules = {flag: rule for rule, flag in RULES.items() if flag in operation.flags}
    for name, value in given.items():
        own = own_name(operation, name)
        if own in rules and not value or own == "accept" and rules and value is None:
            continue
        if own in rules:
            own, value = "accept", rules[own]
        elif own == "accept" and rules and value not in RULES:
            raise ValueError(f"accept: {shown(value)} is none of {', '.join(RULES)}")
        if own in found:
            raise TypeError(f"{own}: given twice, as {shown(names[own])} and as {shown(name)}")
        found[own], names[own] = value, name
    return found


def find(name: str) -> Operation:
    """The operation of that name."""
    if not isinstance(name, str) or name not in OPERATIONS:
        raise ValueError(f"operation: {shown(name)} is none of {', '.join(OPERATIONS)}")
    return OPERATIONS[name]
