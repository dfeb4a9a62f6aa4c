"""Calls under way: futures of concurrent.futures, which can be awaited too."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Generator, Optional, TypeVar

T = TypeVar("T")

#: Threads that wait for the library, and do nothing else. Of more jobs at once the later ones are noticed in their order.
_WAITERS = 32
_executor: Optional[ThreadPoolExecutor] = None


class Job(Future[T]):
    """What submit() gives. The library has begun, so cancel() does nothing; an interpreter that exits waits for it."""

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()


def _forget() -> None:
    """In a child of fork() none of the parent's threads run."""
    global _executor
    _executor = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def finish_later(wait: Callable[[], T]) -> Job[T]:
    """The future of what `wait` returns or raises, called in a thread of its own."""
    global _executor
    if _executor is None:
        _executor = ThreadPoolExecutor(_WAITERS, thread_name_prefix="gecc-wait")
    job: Job[T] = Job()
    job.set_running_or_notify_cancel()

    def run() -> None:
        try:
            job.set_result(wait())
        except BaseException as error:
            job.set_exception(error)

    try:
        _executor.submit(run)
    except RuntimeError:
        # The interpreter is exiting and takes no more threads.
        run()
    return job
