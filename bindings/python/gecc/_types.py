"""What callers give and get."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Protocol, Sequence, Union, runtime_checkable

import numpy as np
import numpy.typing as npt

from ._report import Report
from ._rows import Rows

__all__ = ["ColumnLike", "KeyNumbers", "Out", "Outs", "Report", "Rows", "Statuses", "Values"]


@runtime_checkable
class ArrowArray(Protocol):
    """An array of Arrow's C data interface: pyarrow, polars, nanoarrow, DuckDB and others."""

    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...


@runtime_checkable
class ArrowStream(Protocol):
    """A column in chunks, of Arrow's C stream interface."""

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...


class CudaArray(Protocol):
    """An array in a GPU's memory: CuPy, Numba, PyTorch."""

    @property
    def __cuda_array_interface__(self) -> Mapping[str, Any]: ...


class DlpackArray(Protocol):
    """An array that DLPack describes."""

    def __dlpack__(self, *, stream: Optional[int] = None) -> object: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


#: A column of n rows, or one value for all rows. Text is in hexadecimal; integers are recovery ids and Ethereum's numbers.
ColumnLike = Union[bytes, bytearray, memoryview, npt.NDArray[Any], Rows, Sequence[Optional[bytes]], Sequence[Optional[str]],
                   Sequence[Optional[int]], int, ArrowArray, ArrowStream, CudaArray, DlpackArray]
#: Numbers of keys: integers, or rows of 4 bytes, the lowest first; one number for all rows.
KeyNumbers = Union[int, Sequence[int], ColumnLike]
#: An array to write to.
Out = Union[npt.NDArray[np.uint8], CudaArray]
Outs = Sequence[Optional[Out]]
#: What came of each row, (n,): see gecc.Status.
Statuses = npt.NDArray[np.uint8]
#: An output column, (n, width); with der=True, gecc.Rows.
Values = Union[npt.NDArray[np.uint8], Rows]
