"""A line on a terminal that says how far a long run is."""

from __future__ import annotations

import sys
import time
from typing import Callable, Union

#: Called with the rows that are done and the rows there are.
Progress = Callable[[int, int], None]

_WIDTH = 30
_SECONDS = 0.1


class Bar:
    """Rows done, rows a second, time left."""

    def __init__(self, name: str) -> None:
        self.name, self.start, self.shown = name, time.monotonic(), 0.0

    def __call__(self, done: int, rows: int) -> None:
        now = time.monotonic()
        if done < rows and now - self.shown < _SECONDS:
            return
        self.shown = now
        seconds = max(now - self.start, 1e-9)
        left = (rows - done) * seconds / done if done else 0
        filled = _WIDTH * done // max(rows, 1)
        sys.stderr.write(f"\r{self.name} [{'#' * filled}{'.' * (_WIDTH - filled)}] {done:,} of {rows:,} rows, "
                         f"{done / seconds:,.0f} a second, {left:.0f} s left \x1b[K" + ("\n" if done == rows else ""))
        sys.stderr.flush()


def progress_of(wanted: Union[bool, Progress, None], name: str) -> Progress:
    """What to call. None: a bar where there is a terminal."""
    if callable(wanted):
        return wanted
    if wanted or (wanted is None and sys.stderr.isatty()):
        return Bar(name)
    return lambda done, rows: None
