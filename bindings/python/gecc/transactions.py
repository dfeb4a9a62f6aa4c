"""Who sent Ethereum's transactions, from their bytes.

    found = gecc.transactions.senders(transactions)
    found.sender[0].tobytes().hex(), found.status[0] == gecc.Status.OK

A transaction is what nodes give: of every type, before and after EIP-155, with blobs or without. Transactions are a list of
bytes, an Arrow array of binary, an (n, width) array of uint8 or gecc.Rows. What is no transaction has the status
MALFORMED_TRANSACTION, a reason and the byte where it goes wrong.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _inputs, _library
from ._column import address
from ._constants import ETHEREUM_REASONS, Status
from ._context import Context, default_context
from ._description import Widths
from ._errors import check, shown
from ._library import library
from ._report import Report

__all__ = ["Authorities", "Reason", "Senders", "authorities", "block_transactions", "senders", "text_of"]

_ANY_S = 4
_ANY = Widths(0, 0xFFFFFFFF, ())

Reason = IntEnum("Reason", ETHEREUM_REASONS, module=__name__)  # type: ignore[misc]
Reason.__doc__ = "What is wrong with the bytes of a transaction; 0, PARSED: nothing. text_of says it in words."


def text_of(reason: int) -> str:
    """A reason in words."""
    return library.gecc_ethereum_reason_text(reason).decode()


class Senders(NamedTuple):
    """What came of n transactions. Rows without a result have zeros."""

    #: (n, 20): who sent it.
    sender: npt.NDArray[np.uint8]
    #: (n, 32): the transaction's hash, whatever its signature is.
    hash: npt.NDArray[np.uint8]
    #: (n,): 0 to 4.
    type: npt.NDArray[np.uint8]
    #: (n,): gecc.Status.
    status: npt.NDArray[np.uint8]
    #: (n,): gecc.transactions.Reason, and the byte that it is about.
    reason: npt.NDArray[np.uint8]
    position: npt.NDArray[np.uint32]


class Authorities(NamedTuple):
    """Who signed the authorizations of transactions of type 4: those of row i are offsets[i] to offsets[i + 1]."""

    #: (n + 1,).
    offsets: npt.NDArray[np.uint64]
    #: (offsets[n], 20) and (offsets[n],), in which an authorization that the protocol skips is not OK.
    authority: npt.NDArray[np.uint8]
    status: npt.NDArray[np.uint8]


def senders(transactions: Any, *, chain_id: Optional[int] = None, any_s: bool = False, context: Optional[Context] = None,
            report: Optional[Report] = None) -> Senders:
    """Who sent each transaction.

    chain_id: refuse transactions for other chains; None: take all. Those from before EIP-155 are for any.
    any_s: take transactions with s greater than half the order, as Frontier did.
    context: where it runs; None: the package's.
    A row that is null reads gecc.Status.NULL.
    """
    pieces, marks = _pieces(transactions)
    count = sum(rows for rows, _ in pieces)
    found = Senders(np.zeros((count, 20), np.uint8), np.zeros((count, 32), np.uint8), np.zeros(count, np.uint8),
                    np.zeros(count, np.uint8), np.zeros(count, np.uint8), np.zeros(count, np.uint32))
    options = _options(chain_id, any_s, report)
    with _Handle(context) as handle:
        first = 0
        for rows, column in pieces:
            outs = [_out(array[first:]) for array in (found.sender, found.hash, found.type, found.reason, found.position,
                                                      found.status)]
            check(library.gecc_ethereum_senders(handle, *outs, column, rows, ctypes.byref(options)))
            first += rows
    if marks is not None:
        for array in found:
            array[marks != 0] = 0
        found.status[marks != 0] = marks[marks != 0]
    return found


def authorities(transactions: Any, *, chain_id: Optional[int] = None, context: Optional[Context] = None,
                report: Optional[Report] = None) -> Authorities:
    """Who signed the authorizations of each transaction; chain_id, context and report as for senders."""
    pieces, marks = _pieces(transactions)
    options = _options(chain_id, False, report)
    parts = []
    with _Handle(context) as handle:
        for rows, column in pieces:
            offsets = np.zeros(rows + 1, np.uint64)
            none = _library.Out(0, 0, 0)
            arguments = (column, rows, ctypes.byref(options))
            check(library.gecc_ethereum_authorities(handle, address(offsets), none, none, 0, *arguments))
            count = int(offsets[-1])
            found, status = np.zeros((count, 20), np.uint8), np.zeros(count, np.uint8)
            if count:
                check(library.gecc_ethereum_authorities(handle, address(offsets), _out(found), _out(status), count,
                                                        *arguments))
            parts.append((offsets, found, status))
    if len(parts) == 1 and marks is None:
        return Authorities(*parts[0])
    return _joined(parts, marks)


def block_transactions(block: bytes) -> list[bytes]:
    """The transactions of a block, which is its RLP. ValueError, which names the byte: it is none."""
    data = np.frombuffer(block, np.uint8)
    count = ctypes.c_size_t()
    arguments = (ctypes.byref(count), address(data), data.size)
    check(library.gecc_ethereum_block_transactions(None, None, 0, *arguments))
    offsets, widths = np.zeros(count.value, np.uint64), np.zeros(count.value, np.uint32)
    check(library.gecc_ethereum_block_transactions(address(offsets), address(widths), count.value, *arguments))
    return [bytes(block[at : at + width]) for at, width in zip(offsets.tolist(), widths.tolist())]


class _Handle:
    """A context's handle while a call uses it."""

    def __init__(self, context: Optional[Context]) -> None:
        self._context = default_context() if context is None else context

    def __enter__(self) -> ctypes.c_void_p:
        self._context._begin()
        return self._context._handle

    def __exit__(self, *exception: object) -> None:
        self._context._end()


def _pieces(transactions: Any) -> tuple[list[tuple[int, _library.Rows]], Optional[np.ndarray]]:
    """(rows, a gecc_rows) of each part of the column, and the marks of its rows. The structs keep alive what they point to."""
    if isinstance(transactions, (bytes, bytearray, memoryview)):
        transactions = [bytes(transactions)]
    column = _inputs.take("transactions", transactions, _ANY)
    if column.on_device:
        raise TypeError("transactions: in a GPU's memory, and they are read by the CPU")
    pieces = []
    for segment in column.segments:
        rows = _library.Rows(*segment.rows)
        rows.keep = (column, transactions)
        pieces.append((segment.count, rows))
    return pieces, column.marks


def _options(chain_id: Optional[int], any_s: bool, report: Optional[Report]) -> _library.EthereumOptions:
    if chain_id is not None and not 0 < chain_id < 1 << 64:
        raise ValueError(f"chain_id: {shown(chain_id)}, where a number from 1 to 2^64 - 1 is wanted")
    return _library.EthereumOptions(flags=_ANY_S if any_s else 0, chain_id=chain_id or 0,
                                    report=report._address() if report is not None else None)


def _out(array: np.ndarray) -> _library.Out:
    return _library.Out(address(array) if array.size else None, array.strides[0], 0)


def _joined(parts: list, marks: Optional[np.ndarray]) -> Authorities:
    """One after another, without those of rows that are null or not well formed text."""
    counts = np.concatenate([np.diff(offsets) for offsets, _, _ in parts])
    found, status = np.concatenate([part[1] for part in parts]), np.concatenate([part[2] for part in parts])
    if marks is not None:
        keep = np.repeat(marks == 0, counts.astype(np.int64))
        found, status, counts = found[keep], status[keep], np.where(marks, 0, counts)
    offsets = np.zeros(len(counts) + 1, np.uint64)
    np.cumsum(counts, out=offsets[1:])
    return Authorities(offsets, found, status)
