"""What a call that fails raises. Texts name the argument, and hold nothing of a row."""

from __future__ import annotations

from typing import Iterable

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


class FaultError(Error, RuntimeError):
    """A result failed its check. `partial` is as that of DeviceError."""

    partial: object = None


class Cancelled(Error):
    """The call was given up before it was done."""


class Busy(Error, BlockingIOError):
    """The queue is full."""


#: By gecc_result.
_CLASSES = {1: ArgumentError, 2: OutOfMemory, 3: ThreadError, 4: NoBackend, 5: Unsupported, 6: DeviceError, 8: FaultError,
            9: Cancelled, 10: Busy}

for _class in (Error, *_CLASSES.values()):
    _class.__module__ = "gecc"


#: What a secret has as text at the least: 32 bytes as they are. Names are shorter.
_SECRET_CHARACTERS = 32


def shown(value: object) -> str:
    """A value in the text of an exception: a short name or number as it stands. Anything else may be a secret in the wrong place,
    and is shown by its type and size."""
    if value is None or isinstance(value, int) and value.bit_length() <= 64:
        return repr(value)
    if not isinstance(value, str):
        return type(value).__name__
    if len(value) < _SECRET_CHARACTERS and value.isprintable():
        return repr(value)
    return f"a str of {len(value)} characters"


def names_shown(names: Iterable[str]) -> str:
    """Names of columns, which are a row's values where a file has no header."""
    return ", ".join(name if shown(name) == repr(name) else shown(name) for name in names)


def error_of(result: int) -> Error:
    """The exception for a gecc_result that this thread has just been given."""
    text = library.gecc_error_text() or library.gecc_result_text(result)
    return _CLASSES.get(result, Error)(text.decode())


def error_named(result: int) -> Error:
    """The same for one that another thread was given."""
    return _CLASSES.get(result, Error)(library.gecc_result_text(result).decode())


def check(result: int) -> None:
    """Raise what a gecc_result says, unless it is GECC_OK."""
    if result != 0:
        raise error_of(result)
