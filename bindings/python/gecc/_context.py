"""Contexts: the threads and devices that operations run on."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
import weakref
from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _library
from ._call import Call, Plan, plan_of
from ._description import OPERATIONS, Operation, find, parameters_of
from ._errors import DeviceError, Error, FaultError, NoBackend, check, error_of, shown
from ._job import Job, finish_later
from ._library import library
from ._pace import Pace

if TYPE_CHECKING:
    from ._operations import Namespaces
else:
    from ._namespaces import Namespaces

_run, _wait = library.gecc_run, library.gecc_wait
#: gecc_result; and how long a signal may have to wait.
_PENDING, _HEARING_MICROSECONDS = 7, 50_000
_EVERYTHING = 1 << 62


class Backend(NamedTuple):
    """A backend that the library knows."""

    name: str
    device: str
    is_available: bool
    is_chosen: bool
    threads: int
    reason: str


class Device(NamedTuple):
    """A GPU of this machine."""

    number: int
    name: str
    memory: int
    architecture: str
    multiprocessors: int
    uuid: str
    bus: str
    numa_node: Optional[int]
    is_available: bool
    is_chosen: bool
    is_open: bool
    reason: str


def _device_list(device: Union[int, Iterable[int], None]) -> Optional[bytes]:
    """What gecc_config.device is for it."""
    if device is None:
        return None
    given: Any = device if isinstance(device, Iterable) and not isinstance(device, (bytes, bytearray, str)) else [device]
    numbers = [operator.index(number) for number in given]
    if not numbers or min(numbers) < 0 or max(numbers) >= 1 << 31:
        raise ValueError(f"device: {shown(device)}, where a number or numbers of GPUs are wanted")
    return ",".join(map(str, numbers)).encode()


class KeySet:
    """A gecc_keys. Calls under way refer to it, so that it is closed when the last of them is done; it refers to its context."""

    def __init__(self, context: Context, handle: ctypes.c_void_p, curve: str) -> None:
        self.context, self.handle, self.curve = context, handle, curve
        self._finalizer = weakref.finalize(self, _close_set, handle, os.getpid())
        self._finalizer.atexit = False

    def close(self) -> None:
        self._finalizer()


def _close_set(handle: ctypes.c_void_p, process: int) -> None:
    taken, handle.value = handle.value, None
    if taken and process == os.getpid():
        library.gecc_keys_close(taken)


def selected_of(keys: Any) -> tuple[KeySet, tuple[str, int]]:
    """The set of a gecc.Keys, which the call has to keep, and what parameters_of takes for it."""
    found = getattr(keys, "_set", keys)
    if not isinstance(found, KeySet) and (found is not None or keys is None):
        raise TypeError(f"keys: {type(keys).__name__}, where a gecc.Keys is wanted")
    address = found.handle.value if found is not None else None
    if found is None or address is None:
        raise Error("keys: closed")
    return found, (found.curve, address)


class Context(Namespaces):
    """Threads and devices, opened once and used from any number of threads at once.

    backend: "auto" (or None): the CPU and, where there is one, the GPU; "cpu"; "cuda".
    device: the GPU, or a list of GPUs that share jobs, by their numbers among those that CUDA_VISIBLE_DEVICES leaves; None: all.
    threads: of the CPU backend; None: one for each processor that this process may use.
    device_table_bytes: the most that tables take of the GPU's memory; None: a quarter of it.
    key_table_bytes: the most that tables of keys that repeat within a call take; None: a quarter of a GiB, on a GPU a
        quarter of what is free; 0: none are made.
    staging_bytes: the most pinned memory that rows pass through on their way to and from each GPU; None: 1 GiB.
    key_cache_bytes: the most that tables take which are kept from call to call, of public keys that have come in 64 rows with
        good signatures; None or 0: none are kept. Submitted jobs and rows in a GPU's memory have no part in it.

    Every operation is an attribute, as it is of the package: context.ecdsa.verify(...), context.ecdsa.verify.submit(...).
    A child of fork() has to open its own; the package's functions do.
    """

    def __init__(self, backend: Optional[str] = None, *, device: Union[int, Iterable[int], None] = None,
                 threads: Optional[int] = None, device_table_bytes: Optional[int] = None,
                 key_table_bytes: Optional[int] = None, staging_bytes: Optional[int] = None,
                 key_cache_bytes: Optional[int] = None) -> None:
        self._handle = ctypes.c_void_p()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._calls = 0
        self._sets: weakref.WeakSet[KeySet] = weakref.WeakSet()
        self._paces: weakref.WeakKeyDictionary[Plan, Pace] = weakref.WeakKeyDictionary()
        if threads is not None and not 0 < threads < 1 << 31:
            raise ValueError(f"threads: {shown(threads)}, where a positive number is wanted")
        if backend is not None and shown(backend) != repr(backend):
            # The library's text would have the name in it.
            raise NoBackend(f"backend: {shown(backend)}, where 'auto', 'cpu' or 'cuda' is wanted")
        if device is not None and not isinstance(device, int):
            device = tuple(device)
        for name, size in [("device_table_bytes", device_table_bytes), ("key_table_bytes", key_table_bytes),
                           ("staging_bytes", staging_bytes), ("key_cache_bytes", key_cache_bytes)]:
            if size is not None and not 0 <= size < 1 << 63:
                raise ValueError(f"{name}: {shown(size)}, where a number of bytes is wanted")
        config = _library.Config(backend=backend.encode() if backend is not None else None, threads=threads or 0,
                                 device=_device_list(device),
                                 device_table_bytes=device_table_bytes or 0,
                                 key_table_bytes=0 if key_table_bytes is None else max(key_table_bytes, 1),
                                 staging_bytes=staging_bytes or 0, key_cache_bytes=key_cache_bytes or 0)
        check(library.gecc_open(ctypes.byref(self._handle), ctypes.byref(config)))
        self._arguments = dict(backend=backend, device=device, threads=threads, device_table_bytes=device_table_bytes,
                               key_table_bytes=key_table_bytes, staging_bytes=staging_bytes,
                               key_cache_bytes=key_cache_bytes)
        # A context on the CPU would read a GPU's addresses as its own, GPU or none.
        self._uses_gpu = backend != "cpu" and any(found.name == "cuda" and found.is_available for found in self.backends())
        self._finalizer = weakref.finalize(self, _close_unused, self._handle, self._process)
        self._finalizer.atexit = False

    @classmethod
    def _restore(cls, arguments: dict) -> Context:
        return cls(arguments.pop("backend"), **arguments)

    def __reduce__(self) -> tuple:
        """Another process opens a context like this one."""
        return Context._restore, (dict(self._arguments),)

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait for what is under way, and give everything back. Later calls fail."""
        if self._process != os.getpid():
            return
        with self._idle:
            self._idle.wait_for(lambda: self._calls == 0)
            handle, self._handle = self._handle, ctypes.c_void_p()
        for keys in list(self._sets):
            keys.close()
        if self._finalizer.detach() and handle:
            library.gecc_close(handle)

    def backends(self) -> list[Backend]:
        """The backends that the library knows, available or not."""
        self._begin()
        try:
            found = []
            for index in range(library.gecc_backends(self._handle, 0, ctypes.byref(_library.BackendInfo()))):
                info = _library.BackendInfo()
                library.gecc_backends(self._handle, index, ctypes.byref(info))
                found.append(Backend(info.name.decode(), info.device.decode(), bool(info.available), bool(info.chosen),
                                     info.threads, info.reason.decode()))
            return found
        finally:
            self._end()

    def devices(self) -> list[Device]:
        """The GPUs of this machine that CUDA_VISIBLE_DEVICES leaves, and what this context does with each."""
        self._begin()
        try:
            found = []
            for index in range(library.gecc_devices(self._handle, 0, ctypes.byref(_library.DeviceInfo()))):
                info = _library.DeviceInfo()
                library.gecc_devices(self._handle, index, ctypes.byref(info))
                found.append(Device(info.number, info.name.decode(), info.memory, info.architecture.decode(),
                                    info.multiprocessors, info.uuid.decode(), info.bus.decode(),
                                    info.numa_node if info.numa_node >= 0 else None, bool(info.available), bool(info.chosen),
                                    bool(info.open), info.reason.decode()))
            return found
        finally:
            self._end()

    def run(self, operation: str, selected: object, *inputs: Any, **options: Any) -> Any:
        """Run an operation by name: run("ecdsa.verify", "P-256", public_key, digest, signature)."""
        function = self._function(find(operation))  # type: ignore[attr-defined]
        return function(*([selected] if OPERATIONS[operation].takes_selector else []), *inputs, **options)

    def __repr__(self) -> str:
        if not self._handle:
            return "<gecc.Context: closed>"
        return f"<gecc.Context: {', '.join(f'{found.name} ({found.device})' for found in self.backends() if found.is_chosen)}>"

    # The functions of the namespaces, such as gecc.ecdsa.verify, call this.

    def _begin(self) -> None:
        """A call begins: close() waits for its end."""
        if self._process != os.getpid():
            raise Error("context: opened before fork(); a child has to open its own")
        with self._lock:
            if not self._handle:
                raise Error("context: closed")
            self._calls += 1

    def _end(self) -> None:
        with self._lock:
            self._calls -= 1
            if self._calls == 0:
                self._idle.notify_all()

    def _make(self, operation: Operation, selected: Any, inputs: tuple, flags: int, nonce_hash: Optional[str],
              point_format: Optional[str], output_bytes: Optional[int], out: Any, report: Any, stream: Optional[int]) -> Call:
        keys = None
        if type(selected) is bytearray or type(selected) is memoryview:
            selected = bytes(selected)
        elif operation.selector == "keys":
            keys, selected = selected_of(selected)
        call = Call(plan_of(operation, selected, flags, nonce_hash, point_format, output_bytes), inputs, out, report, stream, keys)
        if call.on_device and not self._uses_gpu:
            raise TypeError("context: has no GPU, and an array is in a GPU's memory")
        return call

    def _call(self, operation: Operation, *arguments: Any) -> Any:
        call = self._make(operation, *arguments)
        self._begin()
        try:
            self._run_call(call)
            return self._result(call)
        finally:
            self._end()

    def _result(self, call: Call) -> Any:
        """That of a call that was computed."""
        call.redraw(lambda arguments: check(_run(self._handle, *arguments)))
        return call.result()

    def _start(self, call: Call, first: int, count: int) -> None:
        """Start a piece. Its slot is the call's before there is a job, so that none is lost to an interrupt."""
        slot = ctypes.c_void_p()
        call.slots.append(slot)
        check(_run(self._handle, *call.arguments(first, count, slot)))

    def _run_call(self, call: Call, stop: Optional[threading.Event] = None) -> None:
        """Compute a call, and wait for it. Once `stop` is set, or at Ctrl-C, what is under way is given up."""
        pace = self._paces.get(call.plan) or self._paces.setdefault(call.plan, Pace())
        began = perf_counter()
        if self._arguments["key_cache_bytes"]:
            for first, count in call.pieces(lambda: pace.rows):  # submitted jobs do without kept tables
                _check_stop(stop)
                self._run_piece(call, pace, first, count)
        elif call.count <= pace.rows and call.is_one_piece:
            self._run_piece(call, pace, 0, call.count)
            return
        else:
            try:
                for first, count in call.pieces(lambda: _EVERYTHING):
                    self._start(call, first, count)
                while call.slots:
                    _wait_first(call, stop)
            finally:
                _give_up(call)
            pace.learn(call.count, perf_counter() - began)
        if call.report is not None:
            call.report._struct.seconds = perf_counter() - began

    def _run_piece(self, call: Call, pace: Pace, first: int, count: int) -> None:
        began = perf_counter()
        result = _run(self._handle, *call.arguments(first, count, None))
        if result != 0:
            _fail(call, result)
        pace.learn(count, perf_counter() - began)

    def _submit(self, operation: Operation, *arguments: Any) -> Job:
        call = self._make(operation, *arguments)
        self._begin()
        _under_way.add(call)
        try:
            for first, count in call.pieces(lambda: _EVERYTHING):
                self._start(call, first, count)
        except BaseException:
            _give_up(call)
            _under_way.discard(call)
            self._end()
            raise

        def wait() -> Any:
            try:
                while call.slots:
                    _wait_first(call)
                return self._result(call)
            finally:
                _give_up(call)
                _under_way.discard(call)
                self._end()

        return finish_later(wait)

    def _submit_until(self, stop: threading.Event, operation: Operation, *arguments: Any) -> Job:
        """As _submit, but given up once `stop` is set."""
        call = self._make(operation, *arguments)
        self._begin()

        def run() -> Any:
            try:
                self._run_call(call, stop)
                return self._result(call)
            finally:
                self._end()

        return finish_later(run)

    def _prepare(self, operation: Operation, selected: Any, rows: int) -> None:
        keys = None
        if operation.selector == "keys":
            keys, selected = selected_of(selected)
        self._begin()
        try:
            check(library.gecc_prepare(self._handle, operation.handle, parameters_of(operation, selected), rows, None))
        finally:
            del keys
            self._end()


#: Calls whose memory the library may still write to, whatever becomes of the thread that made them.
_under_way: set[Call] = set()


def _fail(call: Call, result: int) -> None:
    error = error_of(result)
    if isinstance(error, (DeviceError, FaultError)):
        error.partial = call.result()
    raise error


def _check_stop(stop: Optional[threading.Event]) -> None:
    if stop is not None and stop.is_set():
        raise Error("stopped: whoever began the call has given it up")


def _wait_first(call: Call, stop: Optional[threading.Event] = None) -> None:
    """Wait for the oldest job of a call. Signals are heard meanwhile, and so is `stop`."""
    slot = call.slots[0]
    while slot.value and library.gecc_wait_for(slot, _HEARING_MICROSECONDS) == _PENDING:
        _check_stop(stop)
    job, slot.value = slot.value, None
    result = _wait(job) if job else 0
    call.slots.pop(0)
    if result != 0:
        _fail(call, result)


def _give_up(call: Call) -> None:
    """Cancel the jobs of a call that has failed, and wait for them: nobody writes to its arrays afterwards."""
    for slot in call.slots:
        if slot.value:
            library.gecc_cancel(slot.value)
    while call.slots:
        slot = call.slots.pop()
        if slot.value:
            _wait(slot.value)


def _close_unused(handle: ctypes.c_void_p, process: int) -> None:
    """Close a context that nothing refers to, and so has no call under way."""
    if handle and process == os.getpid():
        library.gecc_close(handle)


_default: Optional[Context] = None
_default_lock = threading.Lock()


def default_context() -> Context:
    """The context of the package's functions: opened by the first that is called, once a process."""
    global _default
    if _default is None:
        with _default_lock:
            if _default is None:
                _default = Context()
    return _default


def _forget() -> None:
    global _default, _default_lock
    _default, _default_lock = None, threading.Lock()
    _under_way.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
