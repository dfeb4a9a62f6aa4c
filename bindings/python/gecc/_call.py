"""One call of an operation: its columns, taken from what the caller gave, and what comes of it."""

from __future__ import annotations

import collections
import ctypes
import functools
import os
import struct
from typing import Any, Callable, Iterator, Optional

import numpy as np

from . import _inputs, _outputs
from ._column import LEFT_OUT, Column
from ._constants import Status
from ._description import KEY_NUMBER, Operation, Widths, options_of, parameters_of
from ._library import OUT_LAYOUT, ROWS_LAYOUT, Options, Out
from ._report import Report
from ._rows import Rows
from ._signature import class_name


class Plan:
    """What is the same for all calls of an operation with the same parameters and options."""

    def __init__(self, operation: Operation, selected: object, flags: int, nonce_hash: Optional[str],
                 point_format: Optional[str], output_bytes: int) -> None:
        if output_bytes == 0 and any(column.kind == "derived key" for column in operation.outputs):
            raise TypeError("output_bytes: None, where the number of bytes that a key has is wanted")
        self.operation = operation
        self.parameters = parameters_of(operation, selected)
        self.options = options_of(flags, nonce_hash, point_format, output_bytes)
        self.arguments = (operation, selected, flags, nonce_hash, point_format)
        self.inputs = [(column, operation.widths(column, self.parameters, self.options)) for column in operation.inputs]
        self.outputs = [(column, operation.widths(column, self.parameters, self.options)) for column in operation.outputs]
        self.pack_inputs = struct.Struct("@" + ROWS_LAYOUT * len(self.inputs)).pack
        self.pack_outputs = struct.Struct("@" + OUT_LAYOUT * len(self.outputs)).pack
        self.result: Any = result_class(operation) if self.outputs else None
        self.operation_address = ctypes.addressof(operation.handle.contents)
        self.parameters_address = ctypes.addressof(self.parameters)
        self.options_address = ctypes.addressof(self.options)


@functools.lru_cache(maxsize=512)
def plan_of(operation: Operation, selected: object, flags: int, nonce_hash: Optional[str],
            point_format: Optional[str], output_bytes: Optional[int] = None) -> Plan:
    return Plan(operation, selected, flags, nonce_hash, point_format, output_bytes or 0)


@functools.lru_cache(maxsize=None)
def result_class(operation: Operation) -> type:
    """A named tuple of the outputs and the status. Its repr has shapes and no values, for some are secret."""
    fields = [*(column.name for column in operation.outputs), "status"]
    base = collections.namedtuple(f"{class_name(operation.name)}Result", fields)  # type: ignore[misc]

    def __repr__(self) -> str:
        shapes = (f"{name}=<{len(value)} rows>" for name, value in zip(fields, self))
        return f"{base.__name__}({', '.join(shapes)})"

    return type(base.__name__, (base,), {"__repr__": __repr__, "__slots__": (), "__module__": "gecc"})


#: How often a nonce is drawn again: a text of one byte is INVALID after that once in 2^256.
_DRAWS = 31
#: Bytes that a ciphertext has at most besides those of its plaintext.
CIPHERTEXT_MORE = 116


def random_nonces(count: int) -> np.ndarray:
    """Nonces of SM2, by the system's generator: numbers below (2^32 - 2) 2^224, whichever end is the lowest byte. One in 2^31
    numbers below n is left out so."""
    nonces = np.frombuffer(bytearray(os.urandom(32 * count)), np.uint8).reshape(count, 32)
    while True:
        great = [(top[:, :3] == 255).all(axis=1) & (top[:, 3] >= 254) for top in (nonces, nonces[:, ::-1])]
        again = np.flatnonzero(great[0] | great[1] | ~nonces.any(axis=1))
        if not len(again):
            return nonces
        nonces[again] = np.frombuffer(os.urandom(32 * len(again)), np.uint8).reshape(-1, 32)


class Call:
    """A call, ready to run. It keeps alive whatever the library reads and writes."""

    __slots__ = ("plan", "keys", "count", "columns", "outputs", "status", "marks", "report", "stream", "on_device", "slots",
                 "is_one_piece", "nonces", "may_redraw")

    def __init__(self, plan: Plan, inputs: tuple, out: Any, report: Optional[Report], stream: Optional[int],
                 keys: object = None) -> None:
        if report is not None and not isinstance(report, Report):
            raise TypeError(f"report: {type(report).__name__}, where a gecc.Report is wanted")
        self.plan, self.report, self.keys = plan, report, keys
        self.columns = [self._take(column, widths, value) for (column, widths), value in zip(plan.inputs, inputs)]
        self.count = self._count()
        #: Nonces that are drawn here, which nobody else has.
        self.nonces: Optional[np.ndarray] = None
        # An array that the caller gave for results may overlap the inputs.
        self.may_redraw = out is None
        if plan.operation.takes_output_bytes:
            self._complete(out)
        self.outputs, self.status = self._make_outputs(out)
        #: The gecc_job of each piece that is under way.
        self.slots: list[ctypes.c_void_p] = []
        self.on_device, self.stream = self.status.on_device, stream
        #: See Column: those of all columns.
        self.marks: Optional[np.ndarray] = None
        for output in self.outputs:
            self.on_device |= output.on_device
        self.is_one_piece = True
        for column in self.columns:
            self.on_device |= column.on_device
            if len(column.segments) != 1:
                self.is_one_piece = False
            if column.marks is not None:
                self._add_marks(column.marks)
        if self.on_device:
            self.stream = self._stream(stream)

    @staticmethod
    def _take(column, widths: Widths, value: object) -> Column:
        if value is None:
            if column.is_optional:
                return LEFT_OUT
            raise TypeError(f"{column.name}: None, where {column.text} is wanted")
        return _inputs.take(column.name, _inputs.key_numbers(value) if column.kind == KEY_NUMBER else value, widths)

    def _complete(self, out: Any) -> None:
        """Random nonces where there are none, and room for outputs where no width is given: that of `out`, or as much as is needed."""
        kinds = [column.kind for column, _ in self.plan.inputs]
        nonce = kinds.index("nonce") if "nonce" in kinds else None
        if nonce is not None and self.columns[nonce] is LEFT_OUT:
            self.nonces = random_nonces(self.count)
            self.columns[nonce] = _inputs.take("nonce", self.nonces, self.plan.inputs[nonce][1])
        if self.plan.options.output_bytes == 0:
            first = out[0] if isinstance(out, (tuple, list)) and out else None
            shape = getattr(first.data, "shape", ()) if isinstance(first, Rows) else ()
            self.plan = plan_of(*self.plan.arguments, shape[1] if len(shape) == 2 else self._needed())

    def _needed(self) -> int:
        """Bytes that each ciphertext or plaintext has at most."""
        last = self.columns[-1]
        if last.on_device:
            raise TypeError("output_bytes: None, where rows are in a GPU's memory and their widths are not looked at")
        needed = max(segment.widest() for segment in last.segments)
        if self.plan.operation.inputs[-1].kind == "plaintext":
            needed += CIPHERTEXT_MORE
        return max(needed + -needed % 32, 32)

    def _count(self) -> int:
        """The number of rows; where each column is one value, 1."""
        count = None
        for column in self.columns:
            if column.count is not None and column.count != count:
                if count is not None:
                    raise ValueError(self._counts())
                count = column.count
        return 1 if count is None else count

    def _counts(self) -> str:
        """Which columns differ in their number of rows."""
        counts = [(column.name, taken.count) for (column, _), taken in zip(self.plan.inputs, self.columns)
                  if taken.count is not None]  # fmt: skip
        first, count = counts[0]
        name, other = next(pair for pair in counts if pair[1] != count)
        return f"{name}: {other} rows, where {first} has {count}"

    def _make_outputs(self, out: Any) -> tuple[list[_outputs.Output], _outputs.Output]:
        wanted = len(self.plan.outputs)
        if out is None and wanted == 0:
            return [], _outputs.statuses(self.count, None)
        if out is None:
            given: Any = (None,) * (wanted + 1)
        elif wanted == 0:
            given = (out,)
        else:
            given = tuple(out) if isinstance(out, (tuple, list)) else ()
            if len(given) != wanted + 1:
                names = ", ".join([*(column.name for column, _ in self.plan.outputs), "status"])
                raise TypeError(f"out: {type(out).__name__}, where a tuple of {names} is wanted")
        outputs = [_outputs.values(column.name, self.count, widths, value)
                   for (column, widths), value in zip(self.plan.outputs, given)]
        return outputs, _outputs.statuses(self.count, given[wanted])

    def _add_marks(self, marks: np.ndarray) -> None:
        if self.status.on_device or any(output.on_device for output in self.outputs):
            raise TypeError("out: in a GPU's memory, where rows that are null cannot be marked, nor text that is malformed")
        # A row that is null is that before all else: NULL is the greatest status.
        self.marks = marks if self.marks is None else np.maximum(self.marks, marks)

    def _stream(self, stream: Optional[int]) -> Optional[int]:
        if stream is not None:
            return stream
        found = {column.stream for column in self.columns if column.stream is not None}
        if len(found) > 1:
            raise ValueError("stream: columns come from several streams; give the one that waits for all of them")
        return found.pop() if found else None

    # Pieces: rows that one gecc_run can be given.

    def pieces(self, most: Callable[[], int]) -> Iterator[tuple[int, int]]:
        """(first, count) of pieces that no column's segments cut, of at most so many rows, which each piece asks for."""
        ends = {self.count}
        for column in self.columns:
            if len(column.segments) > 1:
                ends.update(np.cumsum([segment.count for segment in column.segments]).tolist())
        first = 0
        for end in sorted(ends):
            while first < end:
                count = min(most(), end - first)
                yield first, count
                first += count
        if self.count == 0:
            yield 0, 0

    def _rows_at(self, column: Column, first: int) -> tuple[int, int, int, int, int]:
        if column.count is None:
            return column.segments[0].rows
        for segment in column.segments:
            if first < segment.count:
                return segment.at(first)
            first -= segment.count
        return column.segments[-1].rows

    def arguments(self, first: int, count: int, slot: Optional[ctypes.c_void_p]) -> tuple:
        """Those of gecc_run from the operation on, for a piece. With a slot it is given the piece's job."""
        plan = self.plan
        inputs: list[int] = []
        for column in self.columns:
            inputs += self._rows_at(column, first)
        outputs: list[int] = []
        for output in self.outputs:
            data, stride, widths = output.out
            outputs += (data + first * stride, stride, widths and widths + 4 * first)
        data, stride, _ = self.status.out
        options: Any = plan.options_address
        if slot is not None or self.report is not None or self.stream is not None:
            options = ctypes.byref(self._options(slot))
        return (plan.operation_address, plan.parameters_address, plan.pack_outputs(*outputs) if outputs else None,
                Out(data + first * stride, stride), plan.pack_inputs(*inputs), count, options)

    def _options(self, slot: Optional[ctypes.c_void_p]) -> Options:
        """Options of this call's own."""
        options = Options.from_buffer_copy(self.plan.options)
        options.report = self.report._address() if self.report is not None else None
        options.job = ctypes.addressof(slot) if slot is not None else None
        options.stream = self.stream
        return options

    def redraw(self, run_row: Callable[[tuple], None]) -> None:
        """Compute rows again whose nonces were drawn and made a key stream of zeros, as one of 256 does for a text of a byte, with
        other nonces. run_row: runs gecc_run with arguments. In the end no nonce is left."""
        if self.nonces is None:
            return
        try:
            for _ in range(_DRAWS * self.may_redraw):
                again = self.status.value == Status.INVALID
                if self.marks is not None:
                    again &= self.marks == 0
                rows = np.flatnonzero(again)
                if not len(rows):
                    break
                self.nonces[rows] = random_nonces(len(rows))
                report, self.report = self.report, None
                try:
                    for row in rows.tolist():
                        run_row(self.arguments(row, 1, None))
                finally:
                    self.report = report
        finally:
            self.nonces[:] = 0

    def result(self) -> Any:
        """What the caller is given, once all pieces are done."""
        if self.marks is not None:
            rows = self.marks != 0
            self.status.value[rows] = self.marks[rows]
            for output in self.outputs:
                array = output.value.data if hasattr(output.value, "widths") else output.value
                array[rows] = 0
                if array is not output.value:
                    output.value.widths[rows] = 0
        if not self.outputs:
            return self.status.value
        return self.plan.result(*(output.value for output in self.outputs), self.status.value)
