"""Queues: calls of a few rows, from any thread or task, joined by the library into jobs."""

from __future__ import annotations

import atexit
import ctypes
import itertools
import logging
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Optional

from . import _library
from ._call import Call
from ._context import Context, default_context
from ._description import Operation
from ._errors import DeviceError, Error, FaultError, check, error_named, shown
from ._job import Job
from ._library import library

if TYPE_CHECKING:
    from ._operations import Namespaces
else:
    from ._namespaces import Namespaces

#: Completions that are taken at once, and how long is waited for one.
_TAKEN, _TAKE_MICROSECONDS = 256, 1_000_000
_BUSY = 10  # GECC_ERROR_BUSY
_open: set[Queue] = set()


class QueueJob(Job):
    """What a queue's submit() gives: a future, which can be awaited. cancel() takes a call back that no job has begun."""

    _queue: Queue
    _number: Optional[int] = None

    def cancel(self) -> bool:
        return self._number is not None and self._queue._cancel(self._number) and super().cancel()


class _Request:
    """A call under way, of one piece or more. It keeps what the library reads and writes."""

    def __init__(self, call: Call, job: QueueJob, context: Context) -> None:
        self.call, self.job, self.context = call, job, context
        self.left = 0
        self.result = 0

    def finish(self) -> None:
        if not self.job.set_running_or_notify_cancel():
            return
        error: Optional[BaseException] = None
        result = None
        try:
            error = error_named(self.result) if self.result != 0 else None
            if error is None:
                result = self.context._result(self.call)
            elif isinstance(error, (DeviceError, FaultError)):
                error.partial = self.call.result()
        except BaseException as failure:
            error = failure
        if error is None:
            self.job.set_result(result)
        else:
            self.job.set_exception(error)


class Queue(Namespaces):
    """Joins calls of a few rows into jobs, for programs whose threads or tasks each hold one signature.

    context: whose threads and devices compute; None: that of the package's functions.
    rows, bytes: the most rows, and the memory for them, that are in the queue at once; None: 65,536 and 64 MiB.
    max_wait_us: how long a row waits for others while a thread has nothing to do; None: 200.
    threads: of the queue; None: as many as the CPU backend has.
    waits_for_room: whether a call waits where the queue is full; otherwise it raises gecc.Busy.

    Every operation is an attribute, as it is of a context: queue.ecdsa.verify(...) waits for its rows, and
    queue.ecdsa.verify.submit(...) gives a gecc.Job at once, for concurrent.futures and for await. Rows are copied, and in the
    host's memory. close() finishes what was submitted; a context is closed after its queues. Not for a child of fork().

    One thread completes all jobs, and calls their callbacks. There submit() never waits (a full queue raises
    gecc.Busy), a call computes its rows by the context, and close() is refused; waiting for another job of the queue is
    an error of the program.
    """

    def __init__(self, context: Optional[Context] = None, *, rows: Optional[int] = None, bytes: Optional[int] = None,
                 max_wait_us: Optional[int] = None, threads: Optional[int] = None, waits_for_room: bool = False) -> None:
        limits = [("rows", rows, 31), ("bytes", bytes, 62), ("max_wait_us", max_wait_us, 32), ("threads", threads, 31)]
        for name, value, bits in limits:
            if value is not None and not 0 < value < 1 << bits:
                raise ValueError(f"{name}: {shown(value)}, where a positive number is wanted")
        config = _library.QueueConfig(rows=rows or 0, bytes=bytes or 0, max_wait_us=max_wait_us or 0,
                                      threads=threads or 0)
        self._context = context if context is not None else default_context()
        self._handle = ctypes.c_void_p()
        self._process = os.getpid()
        self._requests: dict[int, _Request] = {}
        self._names = itertools.count(1)
        self._lock = threading.Lock()
        self._callers = 0
        self._idle = threading.Condition(self._lock)
        self._waits, self._room = waits_for_room, threading.Lock()  # the lock: held by the thread that waits for room
        self._taken = 0
        self._closer = threading.Lock()
        self._closing = self._drained = self._closed = False
        self._context._begin()
        try:
            check(library.gecc_queue_open(self._context._handle, ctypes.byref(self._handle), ctypes.byref(config)))
        except BaseException:
            self._context._end()
            raise
        self._taker = threading.Thread(target=self._take, name="gecc-queue", daemon=True)
        try:
            self._taker.start()
        except BaseException:
            self._free()
            raise
        _open.add(self)

    def __enter__(self) -> Queue:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what was submitted, and give everything back. Later calls fail. Call it again if interrupted."""
        if self._process != os.getpid():
            return
        if self._is_taker():
            raise Error("queue: a callback of one of its jobs cannot close it")
        with self._closer:
            self._closing = True
            if self._closed:
                return
            library.gecc_queue_drain(self._handle)
            self._drained = True
            self._taker.join()
            with self._idle:
                self._idle.wait_for(lambda: self._callers == 0)
            self._free()
            _open.discard(self)

    def _free(self) -> None:
        self._closing = self._closed = True
        try:
            library.gecc_queue_close(self._handle)
        finally:
            self._context._end()

    def _is_taker(self) -> bool:
        return threading.current_thread() is self._taker

    def __repr__(self) -> str:
        return f"<gecc.Queue: {'closed' if self._closing else f'{len(self._requests)} requests under way'}>"

    def _take(self) -> None:
        """Finish requests that are done, in groups: one thread does that for all of them."""
        taken = (_library.Completion * _TAKEN)()
        while True:
            count = library.gecc_queue_take(self._handle, taken, _TAKEN, _TAKE_MICROSECONDS)
            if count == 0 and self._drained:
                return
            if count == 0 and self._closing:
                time.sleep(0.001)  # close() was interrupted, and a drained queue is not waited for
            with self._idle:
                self._taken += count
                self._idle.notify_all()
            for completion in taken[:count]:
                request = self._requests.pop(completion.argument)
                with self._lock:
                    request.result = request.result or completion.result
                    request.left -= 1
                    is_done = request.left == 0
                if is_done:
                    _finish(request)

    def _enter(self) -> None:
        if self._process != os.getpid():
            raise Error("queue: opened before fork(); a child has to open its own")
        with self._lock:
            if self._closing:
                raise Error("queue: closed")
            self._callers += 1

    def _leave(self) -> None:
        with self._lock:
            self._callers -= 1
            self._idle.notify_all()

    def _cancel(self, number: int) -> bool:
        try:
            self._enter()
        except Error:
            return False
        try:
            return bool(library.gecc_queue_cancel(self._handle, number))
        finally:
            self._leave()

    def _push(self, *arguments: Any) -> int:
        """gecc_queue_submit; where the queue is full, wait for room, in order, if calls wait and this thread may."""
        if not self._waits or self._is_taker():
            return library.gecc_queue_submit(self._handle, *arguments)
        with self._room:
            while True:
                taken = self._taken
                result = library.gecc_queue_submit(self._handle, *arguments)
                if result != _BUSY:
                    return result
                with self._idle:
                    self._idle.wait_for(lambda: self._taken != taken)

    def _submit(self, operation: Operation, *arguments: Any) -> QueueJob:
        call = self._context._make(operation, *arguments)
        job = QueueJob()
        request = _Request(call, job, self._context)
        pieces = list(call.pieces(lambda: call.count or 1))
        request.left = len(pieces) + 1  # this function's own, so that no request is done before all its pieces are submitted
        self._enter()
        try:
            for first, count in pieces:
                name, number = next(self._names), ctypes.c_uint64()
                self._requests[name] = request
                try:
                    check(self._push(*call.arguments(first, count, None), None, name, ctypes.byref(number)))
                except BaseException:
                    if number.value == 0:  # it was not submitted: a number is there before the request can be done
                        del self._requests[name]
                    raise
                job._queue, job._number = self, number.value if len(pieces) == 1 else None
        finally:
            self._leave()
        with self._lock:
            request.left -= 1
            is_done = request.left == 0
        if is_done:
            request.finish()
        return job

    def _call(self, operation: Operation, *arguments: Any) -> Any:
        if self._is_taker():
            return self._context._call(operation, *arguments)
        job = self._submit(operation, *arguments)
        try:
            return job.result()
        except BaseException:
            job.cancel()
            raise

    def _prepare(self, operation: Operation, selected: Any, rows: int) -> None:
        self._context._prepare(operation, selected, rows)


def _finish(request: _Request) -> None:
    """Complete a job. Whatever a callback raises, SystemExit too, the thread goes on, as the others' jobs need it."""
    try:
        request.finish()
    except BaseException:
        logging.getLogger("gecc").exception("a callback of a queue's job failed")


def _close_all() -> None:
    for queue in list(_open):
        queue.close()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open.clear)
