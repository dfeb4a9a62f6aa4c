"""Arrays in a GPU's memory: __cuda_array_interface__ and DLPack. They are used where they are."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any, Callable, Optional

import numpy as np

from ._column import Column, Segment
from ._description import Widths

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
#: The default stream where an array says nothing else, as both protocols number it.
LEGACY_STREAM = 1


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class _Managed(ctypes.Structure):
    """DLManagedTensor."""


_Managed._fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", CFUNCTYPE(None, POINTER(_Managed)))]

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]


def place(name: str, array: Any) -> tuple[int, tuple[int, ...], tuple[int, ...], Optional[int], bool]:
    """(address, shape, strides, stream, read only) of an object with __cuda_array_interface__ of uint8."""
    interface = array.__cuda_array_interface__
    if interface["typestr"] not in ("|u1", "<u1", ">u1", "=u1"):
        raise TypeError(f"{name}: an array of {interface['typestr']} in a GPU's memory, where rows are uint8")
    if interface.get("mask") is not None:
        raise TypeError(f"{name}: a masked array in a GPU's memory")
    shape = tuple(interface["shape"])
    strides = tuple(interface.get("strides") or _packed(shape))
    data, read_only = interface["data"]
    return data or 0, shape, strides, interface.get("stream"), bool(read_only)


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(np.prod(shape[i + 1 :], dtype=np.int64)) for i in range(len(shape)))


def rows_of(name: str, data: int, shape: tuple[int, ...], strides: tuple[int, ...], widths: Widths, stream: Optional[int],
            keep: object) -> Column:
    """Rows in a GPU's memory. What would have to be copied is refused: the copy is the caller's to make."""
    if len(shape) == 1 and widths.listed != (1,):
        if shape[0] > 1 and strides[0] != 1:
            raise ValueError(f"{name}: bytes in a GPU's memory that do not follow each other")
        return Column(None, [Segment(1, (data, 0, shape[0], 0, 0))], None, True, stream, [keep])
    if len(shape) == 1:
        shape, strides = (*shape, 1), (*strides, 1)
    if len(shape) != 2:
        raise ValueError(f"{name}: an array of {len(shape)} dimensions, where (n, width) is wanted")
    if (shape[1] > 1 and strides[1] != 1) or strides[0] < 0:
        raise ValueError(f"{name}: rows in a GPU's memory whose bytes do not follow each other, {strides}")
    return Column(shape[0], [Segment(shape[0], (data, strides[0], shape[1], 0, 0))], None, True, stream, [keep])


def take_cuda(name: str, value: Any, widths: Widths) -> Column:
    """The column of an object with __cuda_array_interface__."""
    data, shape, strides, stream, _ = place(name, value)
    if data == 0 and 0 not in shape:
        raise ValueError(f"{name}: an array in a GPU's memory without an address")
    return rows_of(name, data, shape, strides, widths, stream, value)


def take_dlpack(name: str, value: Any, widths: Widths, take_host: Callable[[str, np.ndarray, Widths], Column]) -> Column:
    """The column of an object with __dlpack__."""
    kind, _ = value.__dlpack_device__()
    if kind == _CPU or kind == _CUDA_HOST:
        return take_host(name, np.from_dlpack(value), widths)
    if kind not in (_CUDA, _CUDA_MANAGED):
        raise TypeError(f"{name}: an array on a DLPack device of type {kind}, where CPUs and CUDA are known")
    capsule = value.__dlpack__(stream=LEGACY_STREAM)
    tensor = _Managed.from_address(_capsule_pointer(capsule, b"dltensor")).tensor
    if (tensor.code, tensor.bits, tensor.lanes) != (1, 8, 1):
        raise TypeError(f"{name}: an array of DLPack type ({tensor.code}, {tensor.bits}), where rows are uint8")
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else _packed(shape)
    # The capsule is never renamed, so whoever made it frees the array with it.
    return rows_of(name, (tensor.data or 0) + tensor.byte_offset, shape, strides, widths, LEGACY_STREAM, capsule)
