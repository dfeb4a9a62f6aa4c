"""How many rows a call computes at once where it cannot be given up: by the time that rows take, which is learnt, for a second of
the cheapest operation is hours of the dearest. Others are jobs, which hear Ctrl-C."""

from __future__ import annotations

#: Seconds that a piece may take.
PIECE_SECONDS = 0.5
#: Rows of the first piece, whose time is not known: half a second of the dearest operation on a processor without AVX-512.
FIRST_ROWS = 1 << 8
#: Fewer are dearer each.
_LEAST_ROWS = 64


class Pace:
    """Rows of a piece of calls that are alike."""

    __slots__ = ("rows", "is_known")

    def __init__(self) -> None:
        self.rows, self.is_known = FIRST_ROWS, False

    def learn(self, rows: int, seconds: float) -> None:
        """So many rows took so long. A piece at most doubles, for rows that are refused take no time; a few rows say little."""
        if 4 * rows < self.rows and seconds < PIECE_SECONDS:
            return
        fit = int(rows * PIECE_SECONDS / max(seconds, 1e-9))
        self.rows, self.is_known = max(_LEAST_ROWS, min(fit, 2 * max(rows, self.rows))), True
