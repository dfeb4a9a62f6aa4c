"""From a source of batches through an operation to a sink: reading, computing and writing at once, in bounded memory."""

from __future__ import annotations

import queue
import threading
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, TypeVar

import pyarrow.compute as pc

from ._constants import Status
from ._context import Context
from ._progress import Progress
from ._table import TableOperation, run_batches

T = TypeVar("T")

class Summary(NamedTuple):
    """Rows there were, and of them those whose status is OK."""

    rows: int
    ok: int


_END = object()
#: Batches that wait between two stages.
_WAITING = 2


class Ahead(Iterable[T]):
    """An iterator whose items are made by a thread of its own, a few ahead of who takes them. stop: set when no more are wanted,
    for whoever makes them."""

    def __init__(self, items: Iterable[T], stop: Optional[threading.Event] = None) -> None:
        self._items, self._stop, self._stop_items = items, threading.Event(), stop or threading.Event()
        self._queue: queue.Queue = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._fill, name="gecc-read", daemon=True)
        self._thread.start()

    def _put(self, item: Any) -> bool:
        while not self._stop.is_set():
            try:
                self._queue.put(item, timeout=0.1)
                return True
            except queue.Full:
                pass
        return False

    def _fill(self) -> None:
        try:
            for item in self._items:
                if not self._put((item, None)):
                    return
            self._put((_END, None))
        except BaseException as error:
            self._put((_END, error))

    def __iter__(self) -> Iterator[T]:
        try:
            while True:
                item, error = self._queue.get()
                if error is not None:
                    raise error
                if item is _END:
                    return
                yield item
        finally:
            self.close()

    def close(self) -> None:
        """End the thread, wherever it is."""
        self._stop.set()
        self._stop_items.set()
        self._thread.join()


def pump(mapping: TableOperation, batches: Iterable[Any], rows: int, write: Callable[[Any], None],
         context: Optional[Context], progress: Progress) -> Summary:
    """Give every batch with its results to `write`. rows: how many there will be, 0 if that is not known."""
    done = ok = 0
    progress(0, rows)
    stop = threading.Event()
    for batch in Ahead(run_batches(mapping, Ahead(batches), context, stop), stop):
        write(batch)
        done += batch.num_rows
        ok += pc.sum(pc.equal(batch.column(batch.num_columns - 1), int(Status.OK))).as_py() or 0
        progress(done, max(rows, done))
    return Summary(done, ok)
