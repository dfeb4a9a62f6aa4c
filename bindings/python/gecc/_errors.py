"""What a call that fails raises. Texts are the library's: they name the argument, and hold nothing of a row."""

from __future__ import annotations

from ._library import library


class Error(Exception):
    """A call of gecc failed."""


class ArgumentError(Error, ValueError):
    """An argument is out of range or does not fit the others."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory, here or on the device."""


class ThreadError(Error, RuntimeError):
    """A thread could not be started."""


class NoBackend(Error, RuntimeError):
    """The backend that was asked for is not available."""


class Unsupported(Error, NotImplementedError):
    """The backend does not offer the operation."""


class DeviceError(Error, RuntimeError):
    """The device failed. `partial` is what the call would have given; rows of status NOT_PROCESSED have no result."""

    partial: object = None


#: By gecc_result.
_CLASSES = {1: ArgumentError, 2: OutOfMemory, 3: ThreadError, 4: NoBackend, 5: Unsupported, 6: DeviceError}

for _class in (Error, *_CLASSES.values()):
    _class.__module__ = "gecc"


def error_of(result: int) -> Error:
    """The exception for a gecc_result that this thread has just been given."""
    text = library.gecc_error_text() or library.gecc_result_text(result)
    return _CLASSES.get(result, Error)(text.decode())


def check(result: int) -> None:
    """Raise what a gecc_result says, unless it is GECC_OK."""
    if result != 0:
        raise error_of(result)
