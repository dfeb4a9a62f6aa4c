"""Formats of files, which their names say, and files that get their names once they are whole. What needs pyarrow is elsewhere."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator

PARQUET = (".parquet", ".pq", ".parq")
#: Arrow's IPC format as streams, and as files, which have an index at their end.
ARROW_STREAM = (".arrows",)
ARROW = (".arrow", ".feather", ".ipc", *ARROW_STREAM)
#: The endings of names of compressed files.
_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd")


def is_parquet(path: Any) -> bool:
    return os.fspath(path).lower().endswith(PARQUET)


def is_arrow_stream(path: Any) -> bool:
    return os.fspath(path).lower().endswith(ARROW_STREAM)


def is_table(path: Any) -> bool:
    """Whether a name says that a file is Parquet or Arrow."""
    return os.fspath(path).lower().endswith((*PARQUET, *ARROW))


def check_is_table(path: Any) -> None:
    if not is_table(path):
        raise ValueError(f"{os.fspath(path)}: its name does not end in {', '.join((*PARQUET, *ARROW))}, which say the format")


def is_compressed_table(path: str) -> bool:
    """Whether a name says that a file is Parquet or Arrow and compressed as a whole, which nobody reads."""
    name, ending = os.path.splitext(path)
    return ending.lower() in _COMPRESSED and is_table(name)


@contextmanager
def replacing(path: str, is_secret: bool) -> Iterator[str]:
    """The path of a new file that takes the place of `path` once it is whole. A file with secrets is its owner's to read."""
    path = os.fspath(path)
    handle, part = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", dir=os.path.dirname(path) or ".")
    os.close(handle)
    try:
        if not is_secret:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(part, 0o666 & ~mask)
        yield part
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
