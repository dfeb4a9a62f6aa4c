"""Output columns: new arrays, or the caller's."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _device
from ._column import address
from ._description import Widths
from ._rows import Rows


class Output(NamedTuple):
    """An output column. out: (data, stride, widths) of its gecc_out; value: what the caller is given."""

    out: tuple[int, int, int]
    value: Any
    on_device: bool


def values(name: str, count: int, widths: Widths, given: Any) -> Output:
    """A column of values: (count, most) of uint8, and where rows differ in width, gecc.Rows."""
    if given is None:
        array = np.empty((count, widths.most), np.uint8)
        if widths.listed:
            return Output((address(array), widths.most, 0), array, False)
        lengths = np.zeros(count, np.uint32)
        return Output((address(array), widths.most, address(lengths)), Rows(array, lengths), False)
    if not widths.listed:
        return _rows(name, count, widths, given)
    data, shape, strides, on_device = _place(name, given)
    if len(shape) == 1 and widths.most == 1:
        shape, strides = (*shape, 1), (*strides, 1)
    if len(shape) != 2 or shape[0] != count or shape[1] < widths.most:
        raise ValueError(f"out: {name} has the shape {shape}, where ({count}, {widths.most}) is wanted")
    if (shape[1] > 1 and strides[1] != 1) or (count > 1 and strides[0] < widths.most):
        raise ValueError(f"out: {name} has the strides {strides}, where rows of bytes that do not overlap are wanted")
    return Output((data, max(strides[0], widths.most), 0), given, on_device)


def statuses(count: int, given: Any) -> Output:
    """The column of statuses, (count,) of uint8."""
    if given is None:
        array = np.zeros(count, np.uint8)
        return Output((address(array), 1, 0), array, False)
    data, shape, strides, on_device = _place("status", given)
    if shape != (count,):
        raise ValueError(f"out: status has the shape {shape}, where ({count},) is wanted")
    if count > 1 and strides[0] < 1:
        raise ValueError(f"out: status has the strides {strides}, where bytes that do not overlap are wanted")
    return Output((data, max(strides[0], 1), 0), given, on_device)


def _rows(name: str, count: int, widths: Widths, given: Any) -> Output:
    if not isinstance(given, Rows) or given.widths is None:
        raise TypeError(f"out: {name} is {type(given).__name__}, where gecc.Rows with widths is wanted")
    filled = values(name, count, Widths(widths.most, widths.most, (widths.most,)), given.data)
    lengths: np.ndarray = given.widths
    if not lengths.flags.writeable or not lengths.flags.c_contiguous or lengths.shape != (count,):
        raise ValueError(f"out: {name} has widths that cannot be written")
    return Output((*filled.out[:2], address(lengths)), given, filled.on_device)


def _place(name: str, given: Any) -> tuple[int, tuple[int, ...], tuple[int, ...], bool]:
    """(address, shape, strides, on device)."""
    if isinstance(given, np.ndarray):
        if given.dtype != np.uint8:
            raise TypeError(f"out: {name} is an array of {given.dtype}, where uint8 is wanted")
        if not given.flags.writeable:
            raise ValueError(f"out: {name} cannot be written")
        return address(given), given.shape, given.strides, False
    if hasattr(given, "__cuda_array_interface__"):
        data, shape, strides, _, read_only = _device.place(f"out: {name}", given)
        if read_only:
            raise ValueError(f"out: {name} cannot be written")
        return data, shape, strides, True
    raise TypeError(f"out: {name} is {type(given).__name__}, where an array of uint8 is wanted")
