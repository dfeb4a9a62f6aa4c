"""What came of a row. The values are in _constants.py, from the library's header."""

from __future__ import annotations

from enum import IntEnum

from ._library import library

#: The first that says why a row was refused.
_MALFORMED = 16


class StatusBase(IntEnum):
    """What a status can be asked."""

    @property
    def text(self) -> str:
        """What it means, in words."""
        return library.gecc_item_text(self).decode()

    @property
    def is_malformed(self) -> bool:
        """Whether a row was refused for what it is, before anything was computed."""
        return self >= _MALFORMED
