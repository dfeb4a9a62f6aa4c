"""From what callers have to columns: NumPy, buffers, lists of bytes, Arrow, arrays in a GPU's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrow_interface, _device
from ._column import Column, Segment, address, fixed, same, varying
from ._description import Widths
from ._rows import Rows

def take(name: str, value: Any, widths: Widths) -> Column:
    """The column for the argument of that name, whose rows have these widths."""
    kind = type(value)
    if kind is np.ndarray:
        # Rows that follow each other, as most do, are described at once; asking for each part takes longer.
        found = value.__array_interface__
        shape = found["shape"]
        if len(shape) == 2 and found["typestr"] == "|u1" and found["strides"] is None:
            count, width = shape
            return Column(count, [Segment(count, (found["data"][0], width, width, 0, 0))], keep=value)
        return _array(name, value, widths)
    if kind is bytes:
        return same(value)
    if kind is Rows:
        return _rows(name, value, widths)
    if hasattr(value, "__arrow_c_array__"):
        return _arrow_interface.take_array(name, value, widths)
    if hasattr(value, "__arrow_c_stream__"):
        return _arrow_interface.take_stream(name, value, widths)
    if hasattr(value, "__cuda_array_interface__"):
        return _device.take_cuda(name, value, widths)
    if isinstance(value, (list, tuple)):
        return _list(name, value, widths)
    if isinstance(value, np.ndarray):
        return _array(name, np.asarray(value), widths)
    if hasattr(value, "__dlpack__"):
        return _device.take_dlpack(name, value, widths, _array)
    return _buffer(name, value, widths)


#: No key has this number: a set has fewer.
_NO_KEY = 0xFFFFFFFF


def key_numbers(value: Any) -> Any:
    """Rows of 4 bytes, the lowest first, for integers; other columns as they are."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return (int(value) if 0 <= value <= _NO_KEY else _NO_KEY).to_bytes(4, "little")
    if isinstance(value, (list, tuple)) and len(value) and all(isinstance(item, (int, np.integer)) for item in value):
        value = np.array([item if 0 <= item <= _NO_KEY else _NO_KEY for item in value], np.uint32)
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
        return value
    if value.dtype.kind == "i" or value.dtype.itemsize > 4:
        value = np.where((value >= 0) & (value <= _NO_KEY), value, _NO_KEY)
    return value.astype("<u4").view(np.uint8).reshape(-1, 4)


def _buffer(name: str, value: Any, widths: Widths) -> Column:
    try:
        view = memoryview(value)
    except TypeError:
        if hasattr(value, "__array__"):
            return _array(name, np.asarray(value), widths)
        raise TypeError(f"{name}: {type(value).__name__}, where an array of uint8, an Arrow array, bytes or a list of "
                        "bytes is wanted") from None
    if view.ndim == 1 and view.format in ("B", "b", "c"):
        return same(view.cast("B") if view.c_contiguous else view.tobytes())
    return _array(name, np.asarray(view), widths)


def _list(name: str, values, widths: Widths) -> Column:
    nulls = None
    if any(value is None for value in values):
        nulls = np.fromiter((value is None for value in values), bool, len(values))
        values = [b"" if value is None else value for value in values]
    try:
        data = np.frombuffer(b"".join(values), np.uint8)
        lengths = np.fromiter(map(len, values), np.uint64, len(values))
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a list that holds something other than bytes and None") from None
    if lengths.size and lengths.max() > 0xFFFFFFFF:
        raise ValueError(f"{name}: a row of {lengths.max()} bytes, where 4294967295 are the most")
    offsets = np.zeros(len(values), np.uint64)
    np.cumsum(lengths[:-1], out=offsets[1:])
    return varying(address(data), offsets, lengths.astype(np.uint32), widths, data, nulls)


def _rows(name: str, value: Rows, widths: Widths) -> Column:
    if value.widths is None:
        return _array(name, value.data, widths)
    data = value.data if value.data.strides[1] == 1 and value.data.strides[0] >= 0 else np.ascontiguousarray(value.data)
    offsets = np.arange(len(data), dtype=np.uint64) * np.uint64(data.strides[0])
    return varying(address(data), offsets, value.widths, widths, data)


def _array(name: str, array: np.ndarray, widths: Widths) -> Column:
    if array.dtype == object:
        return _list(name, array.reshape(-1).tolist(), widths)
    if array.dtype.kind in "SV" and array.ndim == 1 and array.dtype.names is None and array.dtype.itemsize > 0:
        array = _bytes_of(array)
    if array.dtype != np.uint8:
        raise TypeError(f"{name}: an array of {array.dtype}, where rows are uint8")
    if array.ndim == 1:
        if not _is_one_byte(widths):
            array = np.ascontiguousarray(array)
            return Column(None, [Segment(1, (address(array), 0, array.size, 0, 0))], keep=[array])
        array = array[:, None]
    if array.ndim != 2:
        raise ValueError(f"{name}: an array of {array.ndim} dimensions, where (n, width) is wanted")
    if (array.shape[1] > 1 and array.strides[1] != 1) or array.strides[0] < 0:
        array = np.ascontiguousarray(array)
    return fixed(array.shape[0], address(array), array.strides[0], array.shape[1], array)


def _bytes_of(array: np.ndarray) -> np.ndarray:
    """(n,) of w bytes as (n, w), where it is."""
    interface = dict(array.__array_interface__)
    interface |= {"shape": (len(array), array.dtype.itemsize), "typestr": "|u1", "strides": (array.strides[0], 1),
                  "descr": [("", "|u1")]}

    class View:
        __array_interface__ = interface
        owner = array

    return np.asarray(View())


def _is_one_byte(widths: Widths) -> bool:
    return widths.listed == (1,)
