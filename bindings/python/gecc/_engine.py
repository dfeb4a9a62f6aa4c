"""What engines that distribute rows have in common: which operations they may run, and contexts that outlive a task."""

from __future__ import annotations

import functools
from typing import Any, Optional

from ._context import Context
from ._description import find


def check_secrets(operation: str, allow_secrets: bool, options: dict[str, Any]) -> None:
    """Refuse secrets, unless the caller knows: an engine sends rows over the network, spills them to disks and logs plans."""
    found = find(operation)
    by_flag = all(column.secrecy != "secret" for column in (*found.inputs, *found.outputs))
    if allow_secrets or not found.is_secret or (by_flag and options.get("public_scalars")):
        return
    hint = "public_scalars=True if they are public, or " if "public_scalars" in found.flags else ""
    raise ValueError(f"allow_secrets: {operation} works on secrets, and an engine sends, spills and caches rows where others may "
                     f"read them; give {hint}allow_secrets=True if that is as it should be")


@functools.lru_cache(maxsize=8)
def context_of(backend: Optional[str], device: Optional[int], threads: Optional[int]) -> Context:
    """The context of this process with these arguments: opened once, so that its tables outlive the task."""
    return Context(backend, device=device, threads=threads)
