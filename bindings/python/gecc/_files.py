"""Files of record batches: Parquet, and Arrow's IPC format. Needs pyarrow."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ._errors import shown
from ._file_names import check_is_table, is_arrow_stream, is_parquet, replacing
from ._pipeline import Summary, pump
from ._progress import progress_of
from ._table import TableOperation

#: Rows of a batch: some 20 MB of keys, digests and signatures.
BATCH_ROWS = 1 << 17
#: Of fixed width and random: a dictionary that saves less than this share is not made again.
_DICTIONARY_SAVES = 0.1


class Source(NamedTuple):
    """What is read: batches of a schema; rows, and Parquet's metadata, where they are known before."""

    schema: pa.Schema
    rows: int
    batches: Iterator[pa.RecordBatch]
    metadata: Any


@contextmanager
def read_parquet(path: Any, batch_rows: int) -> Iterator[Source]:
    with pq.ParquetFile(path, pre_buffer=True) as file:
        yield Source(file.schema_arrow, file.metadata.num_rows, file.iter_batches(batch_rows), file.metadata)


@contextmanager
def read_arrow(path: Any, batch_rows: int) -> Iterator[Source]:
    """A file or a stream of Arrow's IPC format; its own batches are cut, not joined."""
    with pa.memory_map(os.fspath(path)) as memory:
        try:
            file = pa.ipc.open_file(memory)
            count, batches = file.num_record_batches, (file.get_batch(i) for i in range(file.num_record_batches))
            rows = sum(file.get_batch(i).num_rows for i in range(count))
        except pa.ArrowInvalid:
            memory.seek(0)
            file = pa.ipc.open_stream(memory)
            rows, batches = 0, iter(file)
        yield Source(file.schema, rows, _cut(batches, batch_rows), None)


def _cut(batches: Iterator[pa.RecordBatch], batch_rows: int) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for first in range(0, batch.num_rows, batch_rows):
            yield batch.slice(first, batch_rows)


def open_table(path: Any, batch_rows: int) -> Any:
    """A context of the Source of a file in the format that its name says."""
    check_is_table(path)
    return (read_parquet if is_parquet(path) else read_arrow)(path, batch_rows)


@contextmanager
def open_writer(name: str, path: str, schema: pa.Schema) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """A function that writes a batch to a file, in the format that `name` says."""
    with pq.ParquetWriter(path, schema) if is_parquet(name) else _new_arrow(name, path, schema) as writer:
        yield writer.write_batch


def _new_arrow(name: Any, path: str, schema: pa.Schema) -> Any:
    return (pa.ipc.new_stream if is_arrow_stream(name) else pa.ipc.new_file)(path, schema)


@contextmanager
def write_parquet(path: str, mapping: TableOperation, metadata: Any) -> Iterator[Callable[[pa.RecordBatch], None]]:
    with pq.ParquetWriter(path, mapping.output_schema, **_layout(metadata, mapping)) as writer:
        yield writer.write_batch


def _layout(metadata: Any, mapping: TableOperation) -> dict[str, Any]:
    """How columns are compressed and whether they have dictionaries: as in the source. Results look random, so they are neither."""
    status = mapping.names[-1]
    compression = {name: "NONE" for name in mapping.names} | {status: "SNAPPY"}
    dictionaries = [status]
    if metadata is not None and metadata.num_row_groups:
        group = metadata.row_group(0)
        for column in map(group.column, range(group.num_columns)):
            compression[column.path_in_schema] = column.compression.replace("UNCOMPRESSED", "NONE")
            if column.has_dictionary_page and column.total_uncompressed_size < _plain_size(column):
                dictionaries.append(column.path_in_schema)
    elif metadata is None:
        compression |= {name: "SNAPPY" for name in mapping.schema.names}
        dictionaries += mapping.schema.names
    return {"compression": compression, "use_dictionary": dictionaries}


def _plain_size(column: Any) -> float:
    """Below how many bytes a dictionary has been worth its while, where values are known to have one width."""
    least = column.statistics.min if column.statistics and column.statistics.has_min_max else None
    if column.physical_type != "FIXED_LEN_BYTE_ARRAY" or not isinstance(least, bytes):
        return float("inf")
    return column.num_values * len(least) * (1 - _DICTIONARY_SAVES)


def _write_results(name: Any, path: str, mapping: TableOperation, metadata: Any) -> Any:
    return write_parquet(path, mapping, metadata) if is_parquet(name) else open_writer(name, path, mapping.output_schema)


def run_file(operation: str, source: Any, destination: Any, *, context: Any = None, batch_rows: int = BATCH_ROWS,
             progress: Any = None, **options: Any) -> Summary:
    """As gecc.parquet.run, for files of either format, as their names say."""
    if batch_rows < 1:
        raise ValueError(f"batch_rows: {shown(batch_rows)}, where a positive number is wanted")
    check_is_table(destination)
    with open_table(source, batch_rows) as found:
        mapping = TableOperation(operation, found.schema, **options)
        is_secret = any(column.is_secret for column in (*mapping.operation.inputs, *mapping.operation.outputs))
        with replacing(destination, is_secret) as part, _write_results(destination, part, mapping, found.metadata) as put:
            return pump(mapping, found.batches, found.rows, put, context, progress_of(progress, operation))
