"""Rows of bytes that have widths of their own, such as signatures in DER."""

from __future__ import annotations

from typing import Iterator, Optional, Union, overload

import numpy as np
import numpy.typing as npt


def check_widths(name: str, data: npt.NDArray[np.uint8], widths: npt.NDArray[np.uint32]) -> None:
    """Refuse widths that rows of the data cannot have. An array may be changed after it was checked: whoever reads rows by widths
    has a copy of them, and checks that."""
    if widths.shape != data.shape[:1]:
        raise ValueError(f"{name}: widths have the shape {widths.shape}, where data has {len(data)} rows")
    if len(widths) and widths.max() > data.shape[1]:
        raise ValueError(f"{name}: a row of {widths.max()} bytes in data of {data.shape[1]}")


class Rows:
    """n rows of bytes: row i is data[i, :widths[i]].

    data: (n, w) uint8. widths: (n,) uint32, or None where all rows have w bytes. Its repr shows no row.
    """

    __slots__ = ("_data", "_widths")

    def __init__(self, data: npt.NDArray[np.uint8], widths: Optional[npt.NDArray[np.uint32]] = None) -> None:
        data = np.asarray(data)
        if data.ndim != 2 or data.dtype != np.uint8:
            raise ValueError(f"Rows: data is {data.dtype} {data.shape}, where uint8 (n, w) is wanted")
        if widths is not None:
            widths = np.ascontiguousarray(widths, np.uint32)
            check_widths("Rows", data, widths)
        self._data, self._widths = data, widths

    @property
    def data(self) -> npt.NDArray[np.uint8]:
        return self._data

    @property
    def widths(self) -> Optional[npt.NDArray[np.uint32]]:
        return self._widths

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> Rows: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[bytes, Rows]:
        if isinstance(index, slice):
            return Rows(self.data[index], None if self.widths is None else self.widths[index])
        row = self.data[index]
        return (row if self.widths is None else row[: self.widths[index]]).tobytes()

    def __iter__(self) -> Iterator[bytes]:
        return (self[i] for i in range(len(self)))

    def tolist(self) -> list[bytes]:
        """The rows as bytes."""
        return list(self)

    def __repr__(self) -> str:
        return f"<gecc.Rows: {len(self)} rows of at most {self.data.shape[1]} bytes>"
