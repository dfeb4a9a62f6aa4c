"""Whether rows are in another form than the one that is wanted, all of them: what no row's own fault explains."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator, Optional

import numpy as np

from ._constants import Status
from ._description import CONTENTS, NAMES, Column
from ._table import TableOperation

#: Bytes of a row from which on it is by no accident that all are characters of these.
_LEAST = 24
_HEX = re.compile(rb"(?:0[xX])?(?:[0-9a-fA-F]{2})+")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]+={0,2}")


def misread(mapping: TableOperation, table: Any, status: np.ndarray, function: str) -> Optional[str]:
    """What is wrong with an argument that is right for no row of the table; None: nothing that its form says."""
    if not len(status) or (status == Status.OK).any():
        return None
    for column, source in zip(mapping.operation.inputs, mapping.inputs):
        if isinstance(source, str) and column.kind not in (*CONTENTS, *NAMES):
            for text in _forms(mapping, column, table.column(source), status):
                return f"{column.name}: {text}; {function}_status says what is wrong with each row"
    return None


def _forms(mapping: TableOperation, column: Column, values: Any, status: np.ndarray) -> Iterator[str]:
    """Texts of what the form of a column's values says."""
    name, kind = column.name, str(values.type)
    if kind == "string" and (status == Status.MALFORMED_TEXT).any():
        if _all(values, lambda row: not _HEX.fullmatch(row.encode())):
            yield f"text that is not hexadecimal, where BLOB is wanted: from_base64({name}), encode({name}) make one of other text"
    if kind != "binary":
        return
    if _all(values, lambda row: len(row) >= _LEAST and _HEX.fullmatch(row)):
        yield f"hexadecimal digits in a BLOB, where the bytes are wanted: unhex({name})"
    elif _all(values, lambda row: len(row) >= _LEAST and _BASE64.fullmatch(row)):
        yield f"base64 in a BLOB, where the bytes are wanted: from_base64({name})"
    elif column.kind == "signature" and "der" in mapping.operation.flags:
        trailing = 1 if mapping.options.get("sighash_byte") else 0
        if not mapping.options.get("der") and _all(values, lambda row: _is_der(row, trailing)):
            yield "signatures in DER, where r || s is wanted: der := true takes DER"
        elif mapping.options.get("der") and _all(values, lambda row: len(row) >= _LEAST and not row.startswith(b"\x30")):
            yield "no signatures in DER, where der := true wants them"


def _is_der(row: bytes, trailing: int) -> bool:
    """Whether it is a SEQUENCE (X.690) of all its bytes but the last `trailing`."""
    count = len(row) - trailing
    header = b"\x30" + (bytes([count - 2]) if 2 <= count < 130 else bytes([0x81, (count - 3) & 0xFF]))
    return count > 8 and row.startswith(header)


def _all(values: Any, has_form: Callable[[Any], Any]) -> bool:
    """Whether all values that are not null have a form, one of them at least."""
    some = False
    for value in values:
        if value.is_valid:
            if not has_form(value.as_py()):
                return False
            some = True
    return some
