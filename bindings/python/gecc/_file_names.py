"""Formats of files, which their names say. What needs pyarrow is elsewhere."""

from __future__ import annotations

import os
from typing import Any

PARQUET = (".parquet",)
ARROW = (".arrow", ".feather")


def is_parquet(path: Any) -> bool:
    return os.fspath(path).lower().endswith(PARQUET)


def is_table(path: Any) -> bool:
    """Whether a name says that a file is Parquet or Arrow."""
    return os.fspath(path).lower().endswith((*PARQUET, *ARROW))


def check_is_table(path: Any) -> None:
    if not is_table(path):
        raise ValueError(f"{os.fspath(path)}: its name does not end in {', '.join((*PARQUET, *ARROW))}, which say the format")
