"""Where a call ran and how long it took."""

from __future__ import annotations

import ctypes

from . import _library


class Report:
    """Give one as `report=` to a call, and read it when the call, or its job, is done. A call that takes longer than half a second is
    made in pieces, as is one of a column in chunks: `seconds` is that of all of them, all else is the last piece's."""

    __slots__ = ("_struct",)

    def __init__(self) -> None:
        self._struct = _library.Report()

    @property
    def backend(self) -> str:
        """"cpu", "cuda"."""
        return self._struct.backend.decode()

    @property
    def detail(self) -> str:
        """"ifma, 8 threads", a GPU's name, or "8 x " and that of each."""
        return self._struct.detail.decode()

    @property
    def reason(self) -> str:
        """Why this backend."""
        return self._struct.reason.decode()

    @property
    def seconds(self) -> float:
        """From submission to the last result. Of the job of a column in chunks, of its last chunk."""
        return self._struct.seconds

    @property
    def kernel_seconds(self) -> float:
        """Of it, what a GPU computed, as it measured."""
        return self._struct.kernel_seconds

    @property
    def prepared_keys(self) -> int:
        """Keys that repeated within the call often enough to have tables made for it."""
        return self._struct.prepared_keys

    @property
    def prepared_rows(self) -> int:
        """Rows that ran with tables of their keys, kept ones too."""
        return self._struct.prepared_rows

    @property
    def kept_keys(self) -> int:
        """Keys that have tables kept from call to call: see Context's key_cache_bytes."""
        return self._struct.kept_keys

    @property
    def devices(self) -> dict[int, int]:
        """How many rows each GPU computed, by its number."""
        parts = [part.split(": ") for part in self._struct.devices.decode().split(", ") if part]
        rows: dict[int, int] = {}
        for number, count in parts:  # a GPU that was named twice is there twice
            rows[int(number)] = rows.get(int(number), 0) + int(count)
        return rows

    def _address(self) -> int:
        return ctypes.addressof(self._struct)

    def __repr__(self) -> str:
        return f"<gecc.Report: {self.backend}, {self.detail}, {self.seconds:.6f} s>"
