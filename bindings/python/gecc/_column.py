"""An input column as the library takes it: where its rows are, without a copy wherever that can be."""

from __future__ import annotations

import ctypes
from typing import Optional, Union

import numpy as np

from ._description import Widths

#: A gecc_rows that is left out.
NONE = (0, 0, 0, 0, 0)


class Segment:
    """Rows that one gecc_rows describes: count of them, and (data, stride, width, widths, offsets), addresses all."""

    __slots__ = ("count", "rows")

    def __init__(self, count: int, rows: tuple[int, int, int, int, int]) -> None:
        self.count, self.rows = count, rows

    def widest(self) -> int:
        """The greatest width of its rows, which are in the host's memory."""
        width, widths = self.rows[2:4]
        if not widths:
            return width
        return int(np.ctypeslib.as_array((ctypes.c_uint32 * self.count).from_address(widths)).max(initial=0))

    def at(self, first: int) -> tuple[int, int, int, int, int]:
        """The same rows from `first` on."""
        if first == 0:
            return self.rows
        data, stride, width, widths, offsets = self.rows
        return (data if offsets else data + first * stride, stride, width, widths and widths + 4 * first,
                offsets and offsets + 8 * first)


class Column:
    """The rows of an input. count: how many, None for one value that serves for all. marks: (count,) uint8, the status of rows
    that are not for the library to judge, such as null ones, and 0 of others; None: there are none. on_device: whether they are
    in a GPU's memory, which the work of `stream` fills. keep: what owns it."""

    __slots__ = ("count", "segments", "marks", "on_device", "stream", "keep")

    def __init__(self, count: Optional[int], segments: list[Segment], marks: Optional[np.ndarray] = None,
                 on_device: bool = False, stream: Optional[int] = None, keep: object = None) -> None:
        self.count, self.segments, self.marks = count, segments, marks
        self.on_device, self.stream, self.keep = on_device, stream, keep


LEFT_OUT = Column(None, [Segment(1, NONE)])


def address(array: np.ndarray) -> int:
    """Where an array starts."""
    return array.__array_interface__["data"][0]


def same(value: Union[bytes, memoryview]) -> Column:
    """One value for all rows."""
    array = np.frombuffer(value, np.uint8)
    return Column(None, [Segment(1, (address(array), 0, array.size, 0, 0))], keep=[array])


def fixed(count: int, data: int, stride: int, width: int, keep: object, marks: Optional[np.ndarray] = None) -> Column:
    """Rows of one width."""
    return Column(count, [Segment(count, (data, stride, width, 0, 0))], marks, keep=[keep])


def varying(data: int, offsets: np.ndarray, lengths: np.ndarray, widths: Widths, keep: object,
            marks: Optional[np.ndarray] = None) -> Column:
    """Rows of any lengths at offsets from an address. Those of one length that the column can have are said to be: some
    columns must have one. Others keep their lengths, for what is wrong with a row is the row's status."""
    count = len(lengths)
    if marks is not None and marks.any():
        if marks.all():
            blank = np.zeros(max(widths.least, 1), np.uint8)
            return fixed(count, address(blank), 0, widths.least, blank, marks)
        # The offset of such a row may point anywhere, so the library is given another row in its place.
        some = int(np.argmin(marks))
        offsets, lengths = np.where(marks, offsets[some], offsets), np.where(marks, lengths[some], lengths)
    offsets = np.ascontiguousarray(offsets, np.uint64)
    width = int(lengths[0]) if count else widths.least
    if widths.allow(width) and (lengths == width).all():
        return Column(count, [Segment(count, (data, 0, width, 0, address(offsets)))], marks, keep=[keep, offsets])
    lengths = np.ascontiguousarray(lengths, np.uint32)
    return Column(count, [Segment(count, (data, 0, 0, address(lengths), address(offsets)))], marks,
                  keep=[keep, offsets, lengths])


def with_widths(column: Column, widths: Widths) -> Column:
    """The column, where rows that have a width by their type, and cannot have it, have it each for itself."""
    segments = []
    for segment in column.segments:
        data, stride, width, lengths, offsets = segment.rows
        if not lengths and not widths.allow(width):
            own = np.full(segment.count, width, np.uint32)
            segment = Segment(segment.count, (data, stride, 0, address(own), offsets))
            column.keep = [column.keep, own]
        segments.append(segment)
    column.segments = segments
    return column


def marked(marks: Optional[np.ndarray], rows: np.ndarray, status: int) -> Optional[np.ndarray]:
    """The marks with this one for `rows`, (count,) bool, that have none yet."""
    if not rows.any():
        return marks
    added = np.where(rows, np.uint8(status), np.uint8(0))
    return added if marks is None else np.where(marks, marks, added)


def joined(parts: list[Column]) -> Column:
    """Chunks, one after another."""
    if len(parts) == 1:
        return parts[0]
    count = sum(part.count or 0 for part in parts)
    marks = None
    if any(part.marks is not None for part in parts):
        marks = np.concatenate([np.zeros(part.count or 0, np.uint8) if part.marks is None else part.marks for part in parts])
    return Column(count, [segment for part in parts for segment in part.segments], marks, keep=parts)
