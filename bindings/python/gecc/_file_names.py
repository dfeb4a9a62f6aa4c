"""Formats of files, which their names say. What needs pyarrow is elsewhere."""

from __future__ import annotations

import os
from typing import Any

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
