"""Columns of integers: recovery ids, parities, and the numbers of Ethereum."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from ._column import Column, address, fixed, marked
from ._constants import Status
from ._description import Widths

#: What writes 0 and 1 as 27 and 28: Bitcoin's compact signatures, and Ethereum's before EIP-155.
_WRITTEN_AS_0 = 27


def are_taken(widths: Widths) -> bool:
    """Whether the rows of a column can be integers."""
    return widths.listed == (1,) or widths.kind == "Ethereum number"


def take(name: str, values: np.ndarray, widths: Widths, marks: Optional[np.ndarray] = None) -> Column:
    """The column for an array of integers. What has no place in a row is a number that no operation takes."""
    if widths.kind == "Ethereum number":
        rows = values.astype(">u8").view(np.uint8).reshape(-1, 8)
        marks = marked(marks, values < 0, _refusal(name))
    else:
        rows = np.where((values >= 0) & (values <= 255), values, 255).astype(np.uint8).reshape(-1, 1)
        if widths.kind == "recovery id":
            is_written_so = (rows == _WRITTEN_AS_0) | (rows == _WRITTEN_AS_0 + 1)
            rows = np.where(is_written_so, rows - np.uint8(_WRITTEN_AS_0), rows)
    return fixed(len(rows), address(rows), rows.shape[1], rows.shape[1], rows, marks)


def take_list(name: str, values: Sequence[Optional[int]], widths: Widths) -> Column:
    """The same of a list of any integers and None."""
    nulls = np.fromiter((value is None for value in values), bool, len(values))
    marks = marked(None, nulls, Status.NULL)
    if widths.kind != "Ethereum number":
        in_range = [int(value) if value is not None and 0 <= value <= 255 else 255 for value in values]
        return take(name, np.array(in_range, np.uint8), widths, marks)
    fits = [value is not None and 0 <= value < 1 << 256 for value in values]
    rows = np.frombuffer(b"".join((int(value or 0) if fit else 0).to_bytes(32, "big") for value, fit in zip(values, fits)), np.uint8)
    return fixed(len(values), address(rows), 32, 32, rows, marked(marks, ~np.array(fits, bool), _refusal(name)))


def _refusal(name: str) -> Status:
    """What a number reads that Ethereum has no place for."""
    return Status.MALFORMED_RECOVERY_ID if name == "v" else Status.MALFORMED_SIGNATURE_RANGE
