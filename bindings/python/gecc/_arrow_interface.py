"""Columns of Arrow's C data interface, whoever made them: no Arrow library is needed, and rows are not copied.

Layouts: https://arrow.apache.org/docs/format/CDataInterface.html and Columnar.html.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Optional

import numpy as np

from . import _integers, _text
from ._column import Column, address, fixed, joined, varying
from ._constants import Status
from ._description import Widths


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowStream(ctypes.Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))), ("dictionary", POINTER(ArrowSchema)),
    ("release", CFUNCTYPE(None, POINTER(ArrowSchema))), ("private_data", c_void_p)]
ArrowArray._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(ArrowArray))), ("dictionary", POINTER(ArrowArray)),
    ("release", CFUNCTYPE(None, POINTER(ArrowArray))), ("private_data", c_void_p)]
ArrowStream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(ArrowStream), POINTER(ArrowSchema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(ArrowStream), POINTER(ArrowArray))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(ArrowStream))),
    ("release", CFUNCTYPE(None, POINTER(ArrowStream))), ("private_data", c_void_p)]

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]

#: Integers that index a dictionary.
_INDICES = {b"c": np.int8, b"C": np.uint8, b"s": np.int16, b"S": np.uint16, b"i": np.int32, b"I": np.uint32,
            b"l": np.int64, b"L": np.uint64}
#: Binary and string with their offsets.
_OFFSETS = {b"z": np.int32, b"u": np.int32, b"Z": np.int64, b"U": np.int64}
#: Strings, which stand for bytes as _text says.
_TEXT = (b"u", b"U", b"vu")
_INLINE = 12


class Owned:
    """An array that was moved here from its stream: released when nothing reads it any more."""

    def __init__(self) -> None:
        self.array = ArrowArray()

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


def take_array(name: str, value: Any, widths: Widths) -> Column:
    """The column of an object with __arrow_c_array__. Its capsules own the memory, and are kept."""
    schema_capsule, array_capsule = value.__arrow_c_array__()
    schema = ArrowSchema.from_address(_capsule_pointer(schema_capsule, b"arrow_schema"))
    array = ArrowArray.from_address(_capsule_pointer(array_capsule, b"arrow_array"))
    return _column(name, schema, array, widths, (schema_capsule, array_capsule))


def take_stream(name: str, value: Any, widths: Widths) -> Column:
    """The column of an object with __arrow_c_stream__: its chunks."""
    capsule = value.__arrow_c_stream__()
    stream = ArrowStream.from_address(_capsule_pointer(capsule, b"arrow_array_stream"))
    schema = ArrowSchema()
    _check(name, stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
    try:
        parts = []
        while True:
            owned = Owned()
            _check(name, stream, stream.get_next(ctypes.byref(stream), ctypes.byref(owned.array)))
            if not owned.array.release:
                break
            parts.append(_column(name, schema, owned.array, widths, owned))
        return joined(parts) if parts else _empty(name, schema, widths)
    finally:
        schema.release(ctypes.byref(schema))


def _check(name: str, stream: ArrowStream, result: int) -> None:
    if result != 0:
        text = stream.get_last_error(ctypes.byref(stream))
        raise ValueError(f"{name}: the Arrow stream failed: {(text or b'').decode(errors='replace')}")


def _empty(name: str, schema: ArrowSchema, widths: Widths) -> Column:
    width = _fixed_width(schema)
    blank = np.zeros(1, np.uint8)
    if _integers.are_taken(widths) and schema.format in _INDICES:
        return fixed(0, address(blank), 0, widths.least, blank)
    form = schema.dictionary.contents.format if schema.dictionary else schema.format
    if width is None and form not in _OFFSETS and form not in (b"vz", b"vu"):
        raise _refused(name, schema)
    if form in _TEXT:
        return _text.take(name, _cells(address(blank), np.zeros(0, np.uint64), np.zeros(0, np.uint32), None, blank), widths)
    return fixed(0, address(blank), 0, widths.least if width is None else width, blank)


def _refused(name: str, schema: ArrowSchema) -> TypeError:
    return TypeError(f"{name}: an Arrow column of format {schema.format.decode(errors='replace')!r}, where "
                     "FixedSizeBinary, Binary, LargeBinary, BinaryView, strings, uint8 or lists of uint8 of one length are taken")


def _fixed_width(schema: ArrowSchema) -> Optional[int]:
    """Bytes of a row of a type where all have the same; None: another type."""
    if schema.dictionary:
        return None
    if schema.format.startswith(b"w:"):
        return int(schema.format[2:])
    if schema.format in (b"C", b"c"):
        return 1
    if schema.format.startswith(b"+w:") and schema.children[0].contents.format in (b"C", b"c"):
        return int(schema.format[3:])
    return None


def _column(name: str, schema: ArrowSchema, array: ArrowArray, widths: Widths, keep: object) -> Column:
    nulls = _nulls(array)
    if schema.format in _INDICES and not schema.dictionary and _integers.are_taken(widths):
        values = _view(array.buffers[1], array.offset, array.length, _INDICES[schema.format])
        return _integers.take(name, values, widths, _marks(nulls))
    width = _fixed_width(schema)
    if width is not None:
        return fixed(array.length, *_fixed_rows(schema, array, width), keep, _marks(_or(nulls, _null_items(schema, array, width))))
    form = schema
    if schema.dictionary:
        form = schema.dictionary.contents
        found = _dictionary_rows(name, schema, array, nulls)
        if found is None:
            blank = np.zeros(max(widths.least, 1), np.uint8)
            return fixed(array.length, address(blank), 0, widths.least, blank, _marks(nulls))
        data, offsets, lengths, nulls = found
    else:
        data, offsets, lengths = _rows(name, schema, array)
    if form.format in _TEXT:
        return _text.take(name, _cells(data, offsets, lengths, nulls, keep), widths)
    return varying(data, offsets, lengths, widths, keep, _marks(nulls))


def _cells(data: int, offsets: np.ndarray, lengths: np.ndarray, nulls: Optional[np.ndarray], keep: object) -> _text.Cells:
    """Rows of strings, in one array of characters."""
    ends = offsets + lengths
    if nulls is not None:
        ends = np.where(nulls, 0, ends)
    text = _view(data, 0, int(ends.max(initial=0)), np.uint8)
    return _text.Cells(text, offsets, lengths, _marks(nulls), keep)


def _nulls(array: ArrowArray) -> Optional[np.ndarray]:
    """Which rows are null, by the bitmap; None: no row."""
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    first, last = array.offset // 8, (array.offset + array.length + 7) // 8
    bits = np.unpackbits(_view(array.buffers[0], first, last - first, np.uint8), bitorder="little")
    nulls = bits[array.offset % 8 :][: array.length] == 0
    return nulls if nulls.any() else None


def _null_items(schema: ArrowSchema, array: ArrowArray, width: int) -> Optional[np.ndarray]:
    """Which rows of lists have an item that is null; None: no row."""
    if not schema.format.startswith(b"+w:") or width == 0:
        return None
    nulls = _nulls(array.children[0].contents)
    if nulls is None:
        return None
    items = nulls[array.offset * width :][: array.length * width]
    return np.bitwise_or.reduce(items.reshape(-1, width), axis=1)


def _or(a: Optional[np.ndarray], b: Optional[np.ndarray]) -> Optional[np.ndarray]:
    if a is None or b is None:
        return b if a is None else a
    return a | b


def _marks(nulls: Optional[np.ndarray]) -> Optional[np.ndarray]:
    """The marks of a column with these nulls: see Column."""
    return None if nulls is None else np.where(nulls, np.uint8(Status.NULL), np.uint8(0))


def _view(start: Optional[int], first: int, count: int, dtype: Any) -> np.ndarray:
    """Items first .. first + count - 1 of a buffer. An empty one may have no address."""
    dtype = np.dtype(dtype)
    if not start or count == 0:
        return np.zeros(0, dtype)
    bytes_ = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(start + first * dtype.itemsize)
    return np.frombuffer(bytes_, dtype)


#: An address for buffers that have none, since they are empty.
_NOTHING = np.zeros(64, np.uint8)


def _fixed_rows(schema: ArrowSchema, array: ArrowArray, width: int) -> tuple[int, int, int]:
    """(data, stride, width)."""
    if schema.format.startswith(b"+w:"):
        child = array.children[0].contents
        start, first = child.buffers[1], child.offset + array.offset * width
    else:
        start, first = array.buffers[1], array.offset * width
    return (start + first if start else address(_NOTHING)), width, width


def _rows(name: str, schema: ArrowSchema, array: ArrowArray) -> tuple[int, np.ndarray, np.ndarray]:
    """(data, offsets, lengths) of rows that are not of one width by their type."""
    width = _fixed_width(schema)
    if width is not None:
        data, stride, _ = _fixed_rows(schema, array, width)
        return data, np.arange(array.length, dtype=np.uint64) * np.uint64(stride), np.full(array.length, width, np.uint32)
    if schema.format in _OFFSETS:
        if array.length == 0:
            return address(_NOTHING), np.zeros(0, np.uint64), np.zeros(0, np.uint32)
        ends = _view(array.buffers[1], array.offset, array.length + 1, _OFFSETS[schema.format])
        lengths = np.diff(ends)
        if lengths.min() < 0 or lengths.max() > 0xFFFFFFFF:
            raise ValueError(f"{name}: Arrow offsets that do not ascend, or a row of more than 4294967295 bytes")
        return array.buffers[2] or address(_NOTHING), ends[:-1].astype(np.uint64), lengths.astype(np.uint32)
    if schema.format in (b"vz", b"vu"):
        return _view_rows(array)
    raise _refused(name, schema)


def _view_rows(array: ArrowArray) -> tuple[int, np.ndarray, np.ndarray]:
    """BinaryView: 16 bytes a row, its length and then its bytes, or four of them, the number of a buffer and an offset.
    Offsets are from the lowest address, so that one column serves for all buffers."""
    views = _view(array.buffers[1], array.offset * 4, array.length * 4, np.int32).reshape(-1, 4)
    buffers = [array.buffers[i] or 0 for i in range(2, max(2, array.n_buffers - 1))]
    start = (array.buffers[1] or address(_NOTHING)) + array.offset * 16
    lengths = views[:, 0].astype(np.uint32)
    nulls = _nulls(array)
    if nulls is not None:
        # The view of a null may hold anything.
        lengths[nulls] = 0
    addresses = np.uint64(start + 4) + np.arange(array.length, dtype=np.uint64) * np.uint64(16)
    is_long = lengths > _INLINE
    if is_long.any():
        starts = np.array(buffers, np.uint64)
        addresses[is_long] = starts[views[is_long, 2]] + views[is_long, 3].astype(np.uint64)
    lowest = int(addresses.min()) if array.length else start
    return lowest, addresses - np.uint64(lowest), lengths


def _dictionary_rows(name: str, schema: ArrowSchema, array: ArrowArray, nulls: Optional[np.ndarray]):
    """(data, offsets, lengths, nulls): rows of the dictionary, by the index of each; None: all are null."""
    if schema.format not in _INDICES:
        raise _refused(name, schema)
    indices = _view(array.buffers[1], array.offset, array.length, _INDICES[schema.format])
    dictionary = array.dictionary.contents
    data, offsets, lengths = _rows(name, schema.dictionary.contents, dictionary)
    if len(lengths) == 0 and array.length:
        if nulls is None or not nulls.all():
            raise ValueError(f"{name}: an index that its Arrow dictionary does not have")
        return None
    # The index of a null may be any number.
    indices = indices if nulls is None else np.where(nulls, 0, indices)
    if array.length and (indices.min() < 0 or indices.max() >= len(lengths)):
        raise ValueError(f"{name}: an index that its Arrow dictionary does not have")
    inner = _nulls(dictionary)
    if inner is not None:
        nulls = inner[indices] if nulls is None else nulls | inner[indices]
    return data, offsets[indices], lengths[indices], nulls
