"""Operations on tables: which of a batch's columns are an operation's inputs, and its results as columns. Needs pyarrow."""

from __future__ import annotations

import collections
import threading
from typing import Any, Iterable, Iterator, Mapping, Optional, Union

import numpy as np
import pyarrow as pa

from ._call import plan_of
from ._constants import Status
from ._context import Context, default_context
from ._description import FLAGS, Operation, find, flags_of, has_rules, options_of, other_names, rule_flag, with_own_names
from ._errors import names_shown, shown
from ._inputs import TableColumn
from ._job import Job
from ._rows import Rows
from ._selectors import Selectors, is_text
from ._text import ENCODINGS

#: Batches of a stream that are under way at once: one is computed while another is read or given on.
_UNDER_WAY = 3

#: What an input is: the name of a column, or one value for all rows.
Source = Union[str, bytes]


class TableOperation:
    """An operation on the columns of tables of one schema."""

    def __init__(self, operation: str, schema: pa.Schema, *, curve: Optional[str] = None, hash: Optional[str] = None,
                 modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
                 encoding: Union[str, Mapping[str, str], None] = None, engine_types: bool = False, **options: Any) -> None:
        self.operation = find(operation)
        self.schema = schema
        columns = _checked(self.operation, columns)
        self.selectors = Selectors(self.operation, schema, columns, curve=curve, hash=hash, modulus=modulus)
        self.options = _options(self.operation, options)
        self.engine_types = engine_types
        self.inputs = _inputs(self.operation, schema, columns)
        self.encodings = _encodings(self.operation, schema, self.inputs, encoding)
        self.names = [columns.pop(column.name, column.name) for column in self.operation.outputs]
        self.names.append(columns.pop("status", "status"))
        for name in self.names:
            if not isinstance(name, str) or name in schema.names:
                raise ValueError(f"columns: {shown(name)} cannot be the name of a result: give another, as in "
                                 f"columns={{'status': 'gecc_status'}}")
        self.fields = [pa.field(name, kind) for name, kind in zip(self.names, self._types())]
        self.output_schema = pa.schema([*schema, *self.fields], schema.metadata)

    def _types(self) -> list[pa.DataType]:
        """Those of the results: binary where their widths depend on the row's curve."""
        found = []
        for selected in self.selectors.all:
            plan = plan_of(self.operation, selected, *self._chosen())
            found.append([_type_of(widths, self.engine_types) for _, widths in plan.outputs])
        types = [kinds[0] if len(set(kinds)) == 1 else pa.binary() for kinds in zip(*found)]
        return [*types, pa.int16() if self.engine_types else pa.uint8()]

    def run(self, context: Optional[Context], data: Union[pa.Table, pa.RecordBatch]) -> list[pa.Array]:
        """The columns of the results for the rows of a batch or a table."""
        stop = threading.Event()
        try:
            return self.submit(context, data, stop).result()
        except BaseException:
            stop.set()
            raise

    def submit(self, context: Optional[Context], data: Union[pa.Table, pa.RecordBatch], stop: threading.Event) -> Pending:
        """Begin with the rows of a batch or a table; to be given up once `stop` is set."""
        groups, marks = self.selectors.groups(data)
        jobs = []
        for selected, rows in groups:
            inputs = tuple(self._input(data, rows, *source) for source in zip(self.inputs, self.encodings))
            count = data.num_rows if rows is None else len(rows)
            if count == 0 or all(source is None or isinstance(source, bytes) for source in self.inputs):
                inputs = _with_a_count(inputs, count)
            arguments = (self.operation, selected, inputs, *self._chosen(), None, None, None)
            job = (context or default_context())._submit_until(stop, *arguments)
            jobs.append((rows, job))
        return Pending(self, jobs, marks)

    def _input(self, data: Union[pa.Table, pa.RecordBatch], rows: Optional[np.ndarray], source: Optional[Source],
               encoding: Optional[str]) -> Any:
        """What an input is for some rows of a batch, None: for all."""
        by_row = self.selectors.are_by_row
        if isinstance(source, bytes) and by_row:
            return TableColumn(_repeated(source, data.num_rows if rows is None else len(rows)), None, True)
        if not isinstance(source, str):
            return source
        column = data.column(data.schema.get_field_index(source))
        if rows is not None:
            kind = _TAKEN_AS.get(str(column.type))
            column = (column if kind is None else column.cast(kind)).take(pa.array(rows))
        return TableColumn(column, encoding, by_row)

    def _chosen(self) -> tuple:
        """Arguments of an operation from the flags on: those of Context._make between the inputs and `out`."""
        flags = sum(flag.value for name, flag in FLAGS.items() if self.options.get(name))
        return (flags | rule_flag(self.options.get("accept")), self.options.get("nonce_hash"), self.options.get("point_format"),
                self.options.get("output_bytes"))

    def results(self, result: Any) -> list[pa.Array]:
        """The columns of a result. Rows without one are null."""
        values = list(result) if self.operation.outputs else [result]
        status = values.pop()
        ok = None if (status == Status.OK).all() else status == Status.OK
        arrays = [_array_of(value, field.type, ok) for value, field in zip(values, self.fields)]
        return [*arrays, self._statuses(status)]

    def refused(self, status: np.ndarray) -> list[pa.Array]:
        """The columns of rows that nothing was computed of."""
        return [*(pa.nulls(len(status), field.type) for field in self.fields[:-1]), self._statuses(status)]

    def _statuses(self, status: np.ndarray) -> pa.Array:
        return pa.array(status.astype(np.int16) if self.engine_types else status)

    def extend(self, data: Any, results: list[pa.Array]) -> Any:
        """The batch or table with the columns of its results."""
        return type(data).from_arrays([*data.columns, *results], schema=self.output_schema)


class Pending:
    """The results of a batch: calls for rows (None: all), and the marks of rows that are in none of them."""

    def __init__(self, mapping: TableOperation, jobs: list[tuple[Optional[np.ndarray], Job]], marks: np.ndarray) -> None:
        self._mapping, self._jobs, self._marks = mapping, jobs, marks

    def result(self) -> list[pa.Array]:
        """The columns, once they are computed."""
        if len(self._jobs) == 1 and self._jobs[0][0] is None:
            return self._mapping.results(self._jobs[0][1].result())
        refused = np.flatnonzero(self._marks)
        places: list[Any] = [refused, *(rows for rows, _ in self._jobs)]
        parts = [self._mapping.refused(self._marks[refused]), *(self._mapping.results(job.result()) for _, job in self._jobs)]
        order = pa.array(np.argsort(np.concatenate(places)))
        return [pa.concat_arrays(arrays).take(order) for arrays in zip(*parts)]


#: Types that pyarrow can take no rows of, and what it can make of them.
_TAKEN_AS = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}


def _with_a_count(inputs: tuple, rows: int) -> tuple:
    """One value for all rows does not say how many there are."""
    found = next(i for i, value in enumerate(inputs) if value is not None)
    value = inputs[found]
    if isinstance(value, bytes):
        value = _repeated(value, rows)
    return (*inputs[:found], value, *inputs[found + 1 :])


def _repeated(value: bytes, rows: int) -> np.ndarray:
    return np.broadcast_to(np.frombuffer(value, np.uint8), (rows, len(value)))


def _checked(operation: Operation, columns: Any) -> dict[str, Any]:
    """A dict of its own of what `columns` says, which knows no names but the operation's."""
    if columns is not None and not isinstance(columns, Mapping):
        raise TypeError(f"columns: {type(columns).__name__}, where a dict of names is wanted")
    columns = with_own_names(operation, columns or {})
    known = [*([operation.selector] if operation.selector in ("curve", "hash") else []),
             *(column.name for column in (*operation.inputs, *operation.outputs)), "status"]  # fmt: skip
    unknown = [name for name in columns if name not in known]
    if unknown:
        raise ValueError(f"columns: {operation.name} has no column {', '.join(map(shown, unknown))}, but {', '.join(known)}")
    return columns


def _encodings(operation: Operation, schema: pa.Schema, inputs: list[Optional[Source]],
               encoding: Union[str, Mapping[str, str], None]) -> list[Optional[str]]:
    """Of each input, that of its text; None: the usual one. One for all is for columns that are text."""
    are_text = {column.name for column, source in zip(operation.inputs, inputs)
                if isinstance(source, str) and is_text(schema.field(source).type)}  # fmt: skip
    if encoding is None:
        return [None] * len(inputs)
    given = with_own_names(operation, encoding) if isinstance(encoding, Mapping) else dict.fromkeys(are_text, encoding)
    for name, value in given.items():
        if value not in ENCODINGS:
            raise ValueError(f"encoding: {shown(value)} is none of {', '.join(ENCODINGS)}")
        if name not in are_text:
            raise ValueError(f"encoding: {shown(name)} is no input of {operation.name} that is text")
    if not given:
        raise ValueError(f"encoding: no input of {operation.name} is text")
    return [given.get(column.name) for column in operation.inputs]


def _options(operation: Operation, options: dict[str, Any]) -> dict[str, Any]:
    known = [*flags_of(operation), *["accept"] * has_rules(operation), *["nonce_hash"] * operation.takes_nonce_hash,
             *["point_format"] * operation.takes_point_format, *["output_bytes"] * operation.takes_output_bytes]  # fmt: skip
    options = with_own_names(operation, options)
    for name in options:
        if name not in known:
            raise TypeError(f"{name}: means nothing to {operation.name}; there is {', '.join(known) or 'no option'}")
    options_of(0, options.get("nonce_hash"), options.get("point_format"))
    return options


def _inputs(operation: Operation, schema: pa.Schema, columns: dict[str, Source]) -> list[Optional[Source]]:
    """The source of each input; takes what it uses out of `columns`. What may be left out is, unless it is named."""
    found: list[Optional[Source]] = []
    for column in operation.inputs:
        source = columns.pop(column.name, None if column.is_optional else _called(operation, schema, column.name))
        if isinstance(source, (bytearray, memoryview)):
            source = bytes(source)
        if isinstance(source, str) and schema.names.count(source) != 1:
            raise ValueError(f"columns: no one column is called {shown(source)}, which {column.name} is to be read from: there are "
                             f"{names_shown(schema.names)}; name another, as in columns={{{column.name!r}: 'name'}}")
        if source is not None and not isinstance(source, (str, bytes)):
            raise TypeError(f"columns: {column.name} is {type(source).__name__}, where the name of a column or bytes are wanted")
        found.append(source)
    return found


def _called(operation: Operation, schema: pa.Schema, column: str) -> str:
    """What a column is called in a table where nobody says it: by its own name, or by another that it has."""
    found = [name for name in (column, *other_names(operation, column)) if name in schema.names]
    if len(found) > 1:
        raise ValueError(f"columns: {' and '.join(map(shown, found))} are both {column}: name one, as in "
                         f"columns={{{column!r}: {found[0]!r}}}")
    return found[0] if found else column


def _type_of(widths: Any, engine_types: bool) -> pa.DataType:
    if not widths.listed or (engine_types and widths.most > 1):
        return pa.binary()
    if widths.most == 1:
        return pa.int16() if engine_types else pa.uint8()
    return pa.binary(widths.most)


def _bitmap(ok: Optional[np.ndarray]) -> Optional[pa.Buffer]:
    return None if ok is None else pa.py_buffer(np.packbits(ok, bitorder="little"))


def _array_of(value: Any, kind: pa.DataType, ok: Optional[np.ndarray]) -> pa.Array:
    count = len(value)
    if isinstance(value, Rows) and value.widths is not None:
        return _binary(value.data[np.arange(value.data.shape[1]) < value.widths[:, None]], value.widths, ok)
    if pa.types.is_integer(kind):
        flat = np.ascontiguousarray(value[:, 0], kind.to_pandas_dtype())
        return pa.Array.from_buffers(kind, count, [_bitmap(ok), pa.py_buffer(flat)])
    if pa.types.is_fixed_size_binary(kind):
        return pa.Array.from_buffers(kind, count, [_bitmap(ok), pa.py_buffer(value)])
    return _binary(value, np.full(count, value.shape[1], np.int64), ok)


def _binary(data: np.ndarray, widths: np.ndarray, ok: Optional[np.ndarray]) -> pa.Array:
    ends = np.zeros(len(widths) + 1, np.int64)
    np.cumsum(widths, out=ends[1:])
    if ends[-1] > 0x7FFFFFFF:
        raise ValueError("results of more than 2 GiB in one column of Binary: give smaller batches")
    buffers = [_bitmap(ok), pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.Array.from_buffers(pa.binary(), len(widths), buffers)


def run_batches(mapping: TableOperation, batches: Iterable[pa.RecordBatch], context: Optional[Context],
                stop: Optional[threading.Event] = None) -> Iterator[Any]:
    """The batches with their results, in their order. What is under way is given up once `stop` is set, as it is at the end."""
    stop = stop or threading.Event()
    under_way: collections.deque = collections.deque()
    try:
        for batch in batches:
            under_way.append((batch, mapping.submit(context, batch, stop)))
            if len(under_way) == _UNDER_WAY:
                done, pending = under_way.popleft()
                yield mapping.extend(done, pending.result())
        for done, pending in under_way:
            yield mapping.extend(done, pending.result())
    finally:
        stop.set()
