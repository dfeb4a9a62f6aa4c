"""The C library: where it is, and its functions. Structs and the types of functions are in _abi.py. Nothing here needs
NumPy.

Calls go through ctypes, which releases the GIL while the library computes.
"""

from __future__ import annotations

import ctypes
import os

from . import _abi
from ._abi import *  # noqa: F403
from ._abi import Out

#: The library's SONAME says which interface it has.
SONAME = "libgecc.so.1"
#: The library: beside this file in a wheel; a distribution's package of its own is found as programs find it.
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), SONAME)
if not os.path.exists(PATH):
    PATH = SONAME


class Rows(_abi.Rows):
    """An input column, and what has to live as long as it."""

    keep: object = None


def _layout(struct: type[ctypes.Structure]) -> str:
    """What struct.pack takes for one: addresses and sizes."""
    return "".join({ctypes.c_void_p: "P", ctypes.c_size_t: "N"}[field[1]] for field in struct._fields_)


ROWS_LAYOUT, OUT_LAYOUT = _layout(_abi.Rows), _layout(_abi.Out)


def load(path: str = PATH) -> ctypes.CDLL:
    """The library at the path, its functions with their types."""
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    # Called most: structs are given by their addresses, the arrays of columns as struct.pack makes them.
    address, columns = ctypes.c_void_p, ctypes.c_char_p
    library.gecc_run.argtypes = [address, address, address, columns, Out, columns, ctypes.c_size_t, address]
    library.gecc_queue_submit.argtypes = [*library.gecc_run.argtypes, address, address, address]
    return library


library = load()
