"""Text that stands for bytes: hexadecimal, base64, or what it says itself. Cells are read as the tool reads those of CSV.

Characters of secrets are compared and counted with; they are no indices, and nothing branches on one row's.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from . import _integers
from ._column import Column, address, marked, varying
from ._constants import Status
from ._description import CONTENTS, NAMES, Widths

#: What `encoding` can be.
ENCODINGS = ("hex", "base64", "base64url", "utf8")
#: Bytes, how many of them each row has, and which rows are wrong.
Decoded = tuple[np.ndarray, np.ndarray, np.ndarray]


class Cells(NamedTuple):
    """Cells of text in an array of characters: where each starts and how many characters it has; marks: see Column."""

    text: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    marks: Optional[np.ndarray]
    keep: object


def take(name: str, cells: Cells, widths: Widths) -> Column:
    """The column for cells of text."""
    if widths.listed == (1,):
        return _decimal(name, cells, widths)
    encoding = _encoding(name, widths)
    starts, lengths = cells.starts.astype(np.int64), cells.lengths.astype(np.int64)
    if encoding == "utf8":
        return varying(address(cells.text), starts.astype(np.uint64), lengths.astype(np.uint32), widths, cells, cells.marks)
    if cells.marks is not None:
        # What a null has for a place may be any number.
        starts, lengths = np.where(cells.marks, 0, starts), np.where(cells.marks, 0, lengths)
    if encoding == "hex":
        data, lengths, wrong = _hex(cells.text, starts, lengths, widths.kind == "Ethereum number")
    else:
        data, lengths, wrong = _base64(cells.text, starts, lengths, encoding == "base64url")
    marks = marked(cells.marks, wrong, Status.MALFORMED_TEXT)
    if widths.is_number:
        data, lengths, wrong = _numbers(data, lengths, widths.listed[0] if widths.listed else int(lengths.max(initial=1)))
        marks = marked(marks, wrong, Status.MALFORMED_WIDTH)
    offsets = (np.cumsum(lengths) - lengths).astype(np.uint64)
    return varying(address(data), offsets, lengths.astype(np.uint32), widths, data, marks)


def _encoding(name: str, widths: Widths) -> str:
    """How cells of the column are to be read. A message or a plaintext may be text or digits, and which of them is not guessed."""
    if widths.encoding is not None:
        return widths.encoding
    if widths.kind in CONTENTS:
        raise TypeError(f"{name}: text, which may be the {widths.kind} itself or digits that stand for it: give binary values, or where "
                        f"there is an argument encoding, 'hex' or 'utf8' for {name}")
    return "utf8" if widths.kind in NAMES else "hex"


def _joined(text: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The characters of all cells, one cell after another."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    first = int(starts[0]) if len(starts) else 0
    if (starts - first == ends - lengths).all():
        return text[first : first + total]
    return text[np.arange(total) + np.repeat(starts - (ends - lengths), lengths)]


def _rows_of(places: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """In which cell each of these places of _joined is."""
    return np.searchsorted(np.cumsum(lengths), places, side="right")


def _hex(text: np.ndarray, starts: np.ndarray, lengths: np.ndarray, is_quantity: bool) -> Decoded:
    """"0x" may come first. is_quantity: a cell with it may have an odd number of digits, and one without it that could as well be
    decimal, as "27" could, is wrong."""
    has_prefix = lengths >= 2
    at = starts[has_prefix]
    has_prefix[has_prefix] = (text[at] == ord("0")) & (text[at + 1] | 0x20 == ord("x"))
    starts, lengths = starts + 2 * has_prefix, lengths - 2 * has_prefix
    is_odd = lengths % 2 == 1
    if is_quantity:
        wrong = ~has_prefix & (lengths != 64)
        # The x before the first digit becomes a zero.
        starts, lengths, is_odd = starts - is_odd, lengths + is_odd, is_odd & ~wrong
    else:
        wrong = is_odd.copy()
    lengths = np.where(wrong, 0, lengths)
    characters = _joined(text, starts, lengths)
    if is_quantity and is_odd.any():
        characters = characters.copy()
        characters[(np.cumsum(lengths) - lengths)[is_odd]] = ord("0")
    lower = characters | 0x20
    is_digit = characters - np.uint8(ord("0")) < 10
    is_letter = lower - np.uint8(ord("a")) < 6
    bad = np.flatnonzero(~(is_digit | is_letter))
    wrong[_rows_of(bad, lengths)] = True
    digits = (characters & 15) + 9 * is_letter.astype(np.uint8)
    return digits[0::2] << 4 | digits[1::2], lengths // 2, wrong


def _base64(text: np.ndarray, starts: np.ndarray, lengths: np.ndarray, url: bool) -> Decoded:
    """Base64, or base64url (RFC 4648). "=" at the end may be left out."""
    whole, padding = lengths, np.zeros(len(lengths), np.int64)
    for _ in range(2):
        last = (lengths > 0) & (padding == whole - lengths)
        last[last] = text[starts[last] + lengths[last] - 1] == ord("=")
        padding, lengths = padding + last, lengths - last
    wrong = (lengths % 4 == 1) | ((padding > 0) & (whole % 4 != 0))
    lengths = np.where(wrong, 0, lengths)
    characters = _joined(text, starts, lengths)
    values = np.full(len(characters), 64, np.uint8)
    for first, count, value in ((ord("A"), 26, 0), (ord("a"), 26, 26), (ord("0"), 10, 52), (ord("-" if url else "+"), 1, 62),
                                (ord("_" if url else "/"), 1, 63)):  # fmt: skip
        offset = characters - np.uint8(first)
        values = np.where(offset < count, offset + np.uint8(value), values)
    wrong[_rows_of(np.flatnonzero(values > 63), lengths)] = True
    # Each cell in groups of four characters, zeros in the place of those that are left out.
    groups = -(-lengths // 4)
    places = np.arange(len(values)) + np.repeat(4 * (np.cumsum(groups) - groups) - (np.cumsum(lengths) - lengths), lengths)
    sextets = np.zeros(4 * int(groups.sum()), np.uint32)
    sextets[places] = values
    four = sextets.reshape(-1, 4)
    bits = four[:, 0] << 18 | four[:, 1] << 12 | four[:, 2] << 6 | four[:, 3]
    data = np.ascontiguousarray(bits.astype(">u4")).view(np.uint8).reshape(-1, 4)[:, 1:].reshape(-1)
    widths = lengths * 3 // 4
    # What is left of a cell's last character has to be zero, so that bytes have one text.
    is_left = np.ones(len(data), bool)
    starts = 3 * (np.cumsum(groups) - groups)
    is_left[np.arange(int(widths.sum())) + np.repeat(starts - (np.cumsum(widths) - widths), widths)] = False
    wrong[_rows_of(np.flatnonzero(is_left & (data != 0)), 3 * groups)] = True
    return data[~is_left], widths, wrong


def _numbers(data: np.ndarray, lengths: np.ndarray, width: int) -> Decoded:
    """Big-endian numbers in `width` bytes. Zeros before a number may be there or not; one that is wider is wrong. No digits are no
    number, and stay so."""
    if ((lengths == width) | (lengths == 0)).all():
        return data, lengths, np.zeros(len(lengths), bool)
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(data)) - np.repeat(np.cumsum(lengths) - width, lengths)  # from the left of the row of `width`
    out = np.zeros((len(lengths), width), np.uint8)
    fits = place >= 0
    out[row[fits], place[fits]] = data[fits]
    wrong = np.zeros(len(lengths), bool)
    wrong[row[~fits & (data != 0)]] = True
    return out[lengths > 0].reshape(-1), np.where(lengths > 0, width, 0), wrong


def _decimal(name: str, cells: Cells, widths: Widths) -> Column:
    """Numbers of one byte, as people write them."""
    values, right = np.zeros(len(cells.starts), np.int64), (cells.lengths > 0) & (cells.lengths <= 3)
    for i in range(3):
        has = right & (cells.lengths > i)
        digit = cells.text[cells.starts[has].astype(np.int64) + i] - np.uint8(ord("0"))
        values[has] = 10 * values[has] + digit
        right[has] &= digit < 10
    return _integers.take(name, values, widths, marked(cells.marks, ~right, Status.MALFORMED_TEXT))
