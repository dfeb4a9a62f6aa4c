"""From what callers have to columns: NumPy, buffers, lists of bytes, Arrow, arrays in a GPU's memory."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _arrow_interface, _device, _integers, _text
from ._column import Column, Segment, address, fixed, marked, same, varying, with_widths
from ._constants import Status
from ._description import Widths
from ._rows import Rows, check_widths


class TableColumn(NamedTuple):
    """A column of a table. encoding: that of its text, None: the usual one. is_judged_by_row: whether a width that all rows have,
    and cannot have, is their status: what rows can have depends on what they say."""

    value: object
    encoding: Optional[str]
    is_judged_by_row: bool


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
    if kind is TableColumn:
        column = take(name, value.value, dataclasses.replace(widths, encoding=value.encoding))
        return with_widths(column, widths) if value.is_judged_by_row else column
    if hasattr(value, "__arrow_c_array__"):
        return _arrow_interface.take_array(name, value, widths)
    if hasattr(value, "__arrow_c_stream__"):
        return _arrow_interface.take_stream(name, value, widths)
    if hasattr(value, "__cuda_array_interface__"):
        return _device.take_cuda(name, value, widths)
    if isinstance(value, (list, tuple)):
        return _list(name, value, widths)
    if isinstance(value, np.ndarray):
        return _array(name, value, widths)
    if _is_integer(value) and _integers.are_taken(widths):
        column = _integers.take_list(name, [value], widths)
        column.count = None
        return column
    if hasattr(value, "__dlpack__"):
        return _device.take_dlpack(name, value, widths, _array)
    return _buffer(name, value, widths)


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


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
    if isinstance(value, str):
        raise TypeError(f"{name}: str, where bytes are wanted: bytes.fromhex makes them of hexadecimal digits")
    try:
        view = memoryview(value)
    except TypeError:
        if hasattr(value, "__array__"):
            return _array(name, np.asarray(value), widths)
        raise TypeError(f"{name}: {type(value).__name__}, where an array of uint8, an Arrow array, bytes or a list of "
                        "bytes is wanted") from None
    if view.ndim == 1 and view.format in _BYTE_FORMATS:
        return same(view.cast("B") if view.c_contiguous else view.tobytes())
    return _array(name, np.asarray(view), widths)


#: Of a buffer whose items are bytes.
_BYTE_FORMATS = ("B", "b", "c")


def _list(name: str, given: Any, widths: Widths) -> Column:
    values = list(given)
    kinds = set(map(type, values))
    nulls = None
    if type(None) in kinds:
        kinds.remove(type(None))
        nulls = np.fromiter((value is None for value in values), bool, len(values))
    if kinds and _integers.are_taken(widths) and all(value is None or _is_integer(value) for value in values):
        return _integers.take_list(name, values, widths)
    is_text = kinds == {str}
    if is_text:
        values = [None if value is None else value.encode() for value in values]
    elif not kinds <= {bytes}:
        values = [None if value is None else _item(name, row, value) for row, value in enumerate(values)]
    if nulls is not None:
        values = [b"" if value is None else value for value in values]
    data = np.frombuffer(b"".join(values), np.uint8)
    lengths = np.fromiter(map(len, values), np.uint64, len(values))
    if lengths.size and lengths.max() > 0xFFFFFFFF:
        raise ValueError(f"{name}: a row of {lengths.max()} bytes, where 4294967295 are the most")
    offsets = np.cumsum(lengths, dtype=np.uint64) - lengths
    marks = None if nulls is None else marked(None, nulls, Status.NULL)
    if is_text:
        return _text.take(name, _text.Cells(data, offsets, lengths, marks, data), widths)
    return varying(address(data), offsets, lengths.astype(np.uint32), widths, data, marks)


def _item(name: str, row: int, value: Any) -> bytes:
    """The bytes of a list's item. Items of a buffer that are wider than a byte have no order that is said."""
    try:
        view = memoryview(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: row {row} of a list is {type(value).__name__}, where bytes and None are wanted") from None
    if view.ndim != 1 or view.format not in _BYTE_FORMATS:
        raise TypeError(f"{name}: row {row} of a list is a buffer of {view.ndim} dimensions with items of {view.itemsize} bytes, "
                        "where bytes are wanted")
    return view.tobytes()


def _rows(name: str, value: Rows, widths: Widths) -> Column:
    if value.widths is None:
        return _array(name, value.data, widths)
    lengths = value.widths.copy()
    check_widths(name, value.data, lengths)
    data = value.data if value.data.strides[1] == 1 and value.data.strides[0] >= 0 else np.ascontiguousarray(value.data)
    offsets = np.arange(len(data), dtype=np.uint64) * np.uint64(data.strides[0])
    return varying(address(data), offsets, lengths, widths, data)


def _array(name: str, array: np.ndarray, widths: Widths) -> Column:
    if np.ma.is_masked(array):
        raise TypeError(f"{name}: a masked array: a list has None, and an Arrow array nulls, where rows are not there")
    if array.dtype == object and array.ndim == 1:
        return _list(name, array.tolist(), widths)
    if array.dtype.kind in "iu" and array.ndim == 1 and _integers.are_taken(widths):
        return _integers.take(name, array, widths)
    if array.dtype.kind in "SV" and array.ndim == 1 and array.dtype.names is None and array.dtype.itemsize > 0:
        if array.dtype.kind == "S" and widths.least == 0 and not widths.listed and _ends_in_zero(array):
            raise TypeError(f"{name}: an array of {array.dtype} with rows that end in zeros, which may be there to fill them: "
                            "give gecc.Rows or a list of bytes")
        array = _bytes_of(array)
    if array.dtype != np.uint8:
        raise TypeError(f"{name}: an array of {array.dtype}, where rows are uint8")
    if array.ndim == 1:
        array = np.ascontiguousarray(array)
        return Column(None, [Segment(1, (address(array), 0, array.size, 0, 0))], keep=[array])
    if array.ndim != 2:
        raise ValueError(f"{name}: an array of {array.ndim} dimensions, where (n, width) is wanted")
    if (array.shape[1] > 1 and array.strides[1] != 1) or array.strides[0] < 0:
        array = np.ascontiguousarray(array)
    return fixed(array.shape[0], address(array), array.strides[0], array.shape[1], array)


def _ends_in_zero(array: np.ndarray) -> bool:
    return bool((_bytes_of(array)[:, -1] == 0).any())


def _bytes_of(array: np.ndarray) -> np.ndarray:
    """(n,) of w bytes as (n, w), where it is."""
    interface = dict(array.__array_interface__)
    interface |= {"shape": (len(array), array.dtype.itemsize), "typestr": "|u1", "strides": (array.strides[0], 1),
                  "descr": [("", "|u1")]}

    class View:
        __array_interface__ = interface
        owner = array

    return np.asarray(View())
