"""Public keys that come back: prepared once, and named by their numbers."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _inputs, _library
from ._constants import Status
from ._context import Context, KeySet, default_context, selected_of
from ._description import CURVES, curve_named, Widths, find, parameters_of
from ._errors import check
from ._library import library

if TYPE_CHECKING:
    from ._types import ColumnLike, Statuses


class Keys:
    """Public keys of a curve with tables of their multiples, by which a row of gecc.ecdsa.verify_keys, and of the other operations
    that take keys, is checked several times as fast. Key i has number i.

    public_keys: points in any encoding, or on secp256k1 rows of 32 bytes, the x of keys with an even y (BIP-340); on Curve25519
        public keys of Ed25519.
    context: whose operations use them; None: that of the package's functions.
    rows: how many each key is expected to have; 0: some hundred.
    memory: the most that tables take, in bytes; 0: a quarter of a GiB, with "cuda" a quarter of the
        GPU's free memory.
    window: bits of a window, 4 to 16; 0: as many as are fastest for those rows.
    capacity: keys that there is to be room for, those included that are added later.

    A key that is refused says why in `status`, and its rows have that status; on Curve25519 that is by RFC 8032, and calls by another
    rule may take the key. Any number of threads may use a set at once.
    """

    def __init__(self, curve: str, public_keys: ColumnLike, *, context: Optional[Context] = None, rows: int = 0,
                 memory: int = 0, window: int = 0, capacity: int = 0) -> None:
        context = default_context() if context is None else context
        curve = curve_named(curve) or curve
        column = _points(curve, public_keys)
        count = 1 if column.count is None else column.count
        handle = ctypes.c_void_p()
        config = _library.KeysConfig(rows=rows, memory=memory, window=window, capacity=capacity)
        #: What came of each key, (n,) uint8; see gecc.Status.
        self.status: Statuses = np.zeros(count, np.uint8)
        out = _library.Out(self.status.ctypes.data, 1)
        context._begin()
        try:
            check(library.gecc_keys_open(context._handle, ctypes.byref(handle), CURVES[curve], out,
                                         _library.Rows(*column.segments[0].rows), count, ctypes.byref(config)))
            self._set: Optional[KeySet] = KeySet(context, handle, curve)
            context._sets.add(self._set)
        finally:
            context._end()
        info = _info(handle)
        self.curve, self.memory, self.window, self.capacity = curve, int(info.memory), int(info.window), int(info.capacity)
        self._count = count

    def __enter__(self) -> Keys:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def add(self, public_keys: ColumnLike) -> tuple[int, Statuses]:
        """Add keys: the number of the first one, and what came of each. Others may use the set, and add to it, meanwhile.

        Raises gecc.ArgumentError where there is no room for them: see `capacity`.
        """
        found, _ = selected_of(self)
        column = _points(self.curve, public_keys)
        count = 1 if column.count is None else column.count
        status: Statuses = np.zeros(count, np.uint8)
        first = ctypes.c_size_t()
        found.context._begin()
        try:
            check(library.gecc_keys_add(found.handle, _library.Out(status.ctypes.data, 1),
                                        _library.Rows(*column.segments[0].rows), count, ctypes.byref(first)))
        finally:
            found.context._end()
        return int(first.value), status

    @property
    def count(self) -> int:
        """Keys that there are, refused ones among them."""
        if self._set is not None and self._set.handle.value is not None:
            self._count = int(_info(self._set.handle).count)
        return self._count

    def close(self) -> None:
        """Give the tables back, once the calls under way are done. Later calls fail."""
        self._set = None

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        closed = ", closed" if self._set is None else ""
        return f"<gecc.Keys: {self.count} on {self.curve}, windows of {self.window} bits, {self.memory} bytes{closed}>"


Keys.__module__ = "gecc"


def _info(handle: ctypes.c_void_p) -> _library.KeysInfo:
    info = _library.KeysInfo()
    library.gecc_keys_describe(handle, ctypes.byref(info))
    return info


def _points(curve: str, public_keys: Any) -> Any:
    """A column in one piece, in the memory of the processor, without nulls."""
    takes_keys = find("ed25519.verify" if curve == "Curve25519" else "ec.validate")
    points = takes_keys.widths(takes_keys.inputs[0], parameters_of(takes_keys, curve))
    listed = (32, *points.listed) if curve == "secp256k1" else points.listed
    widths = Widths(min(listed), max(listed), listed) if listed else points
    column = _inputs.take("public_keys", public_keys, widths)
    if column.on_device:
        raise TypeError("public_keys: in a GPU's memory, where keys are read from the processor's")
    if column.marks is not None and column.marks.any():
        first = int(np.flatnonzero(column.marks)[0])
        raise ValueError(f"public_keys: row {first}: {Status(int(column.marks[first])).text}")
    if len(column.segments) > 1:
        raise TypeError("public_keys: a column in chunks, where one piece is wanted")
    return column
