"""The C library: where it is, its structs and its functions. Layouts are those of include/gecc; nothing here needs NumPy.

Calls go through ctypes, which releases the GIL while the library computes.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p

#: The library, beside this file. Its SONAME says which interface it has.
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libgecc.so.1")

#: What struct.pack takes for a gecc_rows (data, stride, width, widths, offsets) and a gecc_out (data, stride, widths).
ROWS_LAYOUT = "PNNPP"
OUT_LAYOUT = "PNP"


class Out(ctypes.Structure):
    """gecc_out: an output column."""

    _fields_ = [("data", c_void_p), ("stride", c_size_t), ("widths", c_void_p)]


class Rows(ctypes.Structure):
    """gecc_rows: an input column."""

    _fields_ = [("data", c_void_p), ("stride", c_size_t), ("width", c_size_t), ("widths", c_void_p), ("offsets", c_void_p)]
    keep: object = None


class Modulus(ctypes.Structure):
    """gecc_modulus."""

    _fields_ = [("value", c_char_p), ("bytes", c_size_t)]


class Sized(ctypes.Structure):
    """A struct whose first field is its size, which says which version of it this is."""

    def __init__(self, **fields):
        super().__init__(size=ctypes.sizeof(self), **fields)


class Parameters(Sized):
    """gecc_parameters."""

    _fields_ = [("size", c_size_t), ("curve", c_uint), ("hash", c_uint), ("modulus", Modulus), ("keys", c_void_p)]


class Report(Sized):
    """gecc_report."""

    _fields_ = [("size", c_size_t), ("backend", c_char * 16), ("detail", c_char * 48), ("reason", c_char * 96),
                ("seconds", c_double), ("kernel_seconds", c_double), ("prepared_keys", c_size_t), ("prepared_rows", c_size_t),
                ("devices", c_char * 192)]


class Options(Sized):
    """gecc_options."""

    _fields_ = [("size", c_size_t), ("flags", c_uint32), ("nonce_hash", c_uint), ("point_format", c_uint),
                ("report", c_void_p), ("job", c_void_p), ("stream", c_void_p)]


class EthereumOptions(Sized):
    """gecc_ethereum_options."""

    _fields_ = [("size", c_size_t), ("flags", c_uint32), ("chain_id", c_uint64), ("report", c_void_p)]


class Config(Sized):
    """gecc_config."""

    _fields_ = [("size", c_size_t), ("backend", c_char_p), ("threads", c_uint), ("device", c_char_p),
                ("device_table_bytes", c_size_t), ("key_table_bytes", c_size_t), ("staging_bytes", c_size_t)]


class KeysConfig(Sized):
    """gecc_keys_config."""

    _fields_ = [("size", c_size_t), ("rows", c_size_t), ("memory", c_size_t), ("window", c_uint),
                ("capacity", c_size_t)]


class KeysInfo(Sized):
    """gecc_keys_info."""

    _fields_ = [("size", c_size_t), ("curve", c_uint), ("count", c_size_t), ("memory", c_size_t), ("window", c_uint),
                ("capacity", c_size_t)]


class BackendInfo(Sized):
    """gecc_backend_info."""

    _fields_ = [("size", c_size_t), ("name", c_char * 16), ("device", c_char * 64), ("available", c_int),
                ("chosen", c_int), ("threads", c_uint), ("reason", c_char * 132)]


class DeviceInfo(Sized):
    """gecc_device_info."""

    _fields_ = [("size", c_size_t), ("number", c_uint), ("available", c_int), ("chosen", c_int), ("open", c_int),
                ("name", c_char * 64), ("uuid", c_char * 48), ("architecture", c_char * 16), ("bus", c_char * 32),
                ("numa_node", c_int), ("multiprocessors", c_uint), ("memory", c_uint64), ("reason", c_char * 132)]


class Column(ctypes.Structure):
    """gecc_column."""

    _fields_ = [("name", c_char_p), ("text", c_char_p), ("kind", c_uint), ("secrecy", c_uint), ("is_output", c_int),
                ("is_optional", c_int)]


class Operation(ctypes.Structure):
    """gecc_operation."""

    _fields_ = [("name", c_char_p), ("text", c_char_p), ("selector", c_uint), ("curves", c_uint32), ("flags", c_uint32),
                ("secrecy", c_uint)]


class Widths(ctypes.Structure):
    """gecc_widths."""

    _fields_ = [("least", c_size_t), ("most", c_size_t), ("count", c_size_t), ("width", c_size_t * 4)]


FUNCTIONS = {
    "gecc_version": (c_char_p, []),
    "gecc_item_text": (c_char_p, [c_uint8]),
    "gecc_result_text": (c_char_p, [c_uint]),
    "gecc_error_text": (c_char_p, []),
    "gecc_curve_name": (c_char_p, [c_uint]),
    "gecc_curve_named": (c_uint, [c_char_p]),
    "gecc_kind_name": (c_char_p, [c_uint]),
    "gecc_kind_text": (c_char_p, [c_uint]),
    "gecc_flag_name": (c_char_p, [c_uint32]),
    "gecc_flag_text": (c_char_p, [c_uint32]),
    "gecc_open": (c_uint, [POINTER(c_void_p), POINTER(Config)]),
    "gecc_close": (None, [c_void_p]),
    "gecc_backends": (c_size_t, [c_void_p, c_size_t, POINTER(BackendInfo)]),
    "gecc_devices": (c_size_t, [c_void_p, c_size_t, POINTER(DeviceInfo)]),
    "gecc_wait": (c_uint, [c_void_p]),
    "gecc_operations": (POINTER(Operation), [c_size_t]),
    "gecc_operation_input": (POINTER(Column), [POINTER(Operation), c_size_t]),
    "gecc_operation_output": (POINTER(Column), [POINTER(Operation), c_size_t]),
    "gecc_column_widths": (Widths, [POINTER(Operation), POINTER(Column), POINTER(Parameters), POINTER(Options)]),
    # Called most: structs are given by their addresses, the arrays of columns as struct.pack makes them.
    "gecc_run": (c_uint, [c_void_p, c_void_p, c_void_p, c_char_p, Out, c_char_p, c_size_t, c_void_p]),
    "gecc_ethereum_reason_text": (c_char_p, [c_uint8]),
    "gecc_ethereum_senders": (c_uint, [c_void_p, Out, Out, Out, Out, Out, Out, Rows, c_size_t, POINTER(EthereumOptions)]),
    "gecc_ethereum_authorities": (c_uint, [c_void_p, c_void_p, Out, Out, c_size_t, Rows, c_size_t,
                                           POINTER(EthereumOptions)]),
    "gecc_ethereum_block_transactions": (c_uint, [c_void_p, c_void_p, c_size_t, POINTER(c_size_t), c_void_p, c_size_t]),
    "gecc_keys_open": (c_uint, [c_void_p, POINTER(c_void_p), c_uint, Out, Rows, c_size_t, POINTER(KeysConfig)]),
    "gecc_keys_add": (c_uint, [c_void_p, Out, Rows, c_size_t, POINTER(c_size_t)]),
    "gecc_keys_close": (None, [c_void_p]),
    "gecc_keys_describe": (None, [c_void_p, POINTER(KeysInfo)]),
    "gecc_prepare": (c_uint, [c_void_p, POINTER(Operation), POINTER(Parameters), c_size_t, POINTER(Options)]),
}


def load(path: str = PATH) -> ctypes.CDLL:
    """The library at the path, its functions with their types."""
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()
