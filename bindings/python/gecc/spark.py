"""Operations on Spark's data frames, by mapInArrow. Needs pyspark, pyarrow and pandas, on the executors as well.

    frame = gecc.spark.map("ecdsa.verify", frame, curve="P-256", columns={"digest": "hash"})
"""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Union

import pyarrow as pa

from ._engine import check_secrets, context_of
from ._table import Source, TableOperation, run_batches


def map(operation: str, frame: Any, *, curve: Optional[str] = None, hash: Optional[str] = None,
        modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
        backend: Optional[str] = None, threads: Optional[int] = None, profile: Any = None, allow_secrets: bool = False,
        **options: Any) -> Any:
    """The data frame with columns for the results of an operation. Spark partitions, retries and places.

    operation, curve, hash, modulus, columns, options: as for gecc.arrow.run. Results are binary; "status" and recovery ids are
    short integers, for Spark has no unsigned bytes.
    backend: "auto", "cpu" or "cuda"; None: "cuda" in tasks that Spark has given a GPU, else "cpu".
    threads: of the CPU backend; None: as many as Spark gives a task (spark.task.cpus).
    profile: a pyspark.resource.ResourceProfile, for tasks on GPUs.
    allow_secrets: run operations on secrets, whose rows Spark sends, spills and caches in the clear.

    A Python worker opens one context and keeps it, with its tables, as long as Spark keeps the worker (spark.python.worker.reuse).
    """
    check_secrets(operation, allow_secrets, options)
    schema = frame.schema
    # Names and what is selected are checked here, not by the first task; types by the types that Spark sends.
    selected: dict[str, Any] = dict(curve=curve, hash=hash, modulus=modulus, columns=dict(columns or {}))
    mapping = TableOperation(operation, _arrow_schema(schema), engine_types=True, **selected, **options)

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _task(operation, batches, backend, threads, selected, options)

    for field in mapping.fields:
        schema = _with_field(schema, field)
    return frame.mapInArrow(rows, schema, **({"profile": profile} if profile is not None else {}))


def _arrow_schema(schema: Any) -> pa.Schema:
    """Names matter to what is checked on the driver, and which columns are text."""
    return pa.schema([pa.field(field.name, pa.string() if field.dataType.typeName() == "string" else pa.binary())
                      for field in schema.fields])


def _with_field(schema: Any, field: pa.Field) -> Any:
    from pyspark.sql.types import BinaryType, ShortType, StructField, StructType

    kind = ShortType() if pa.types.is_integer(field.type) else BinaryType()
    return StructType([*schema.fields, StructField(field.name, kind, True)])


def _place(backend: Optional[str], threads: Optional[int]) -> Any:
    """The context for the task: on the GPU that Spark has given it, or on its processors."""
    from pyspark import TaskContext

    task = TaskContext.get()
    resources = task.resources() if task is not None else {}
    device = int(resources["gpu"].addresses[0]) if "gpu" in resources else None
    if backend is None:
        backend = "cpu" if device is None else "cuda"
    if threads is None and task is not None:
        threads = max(1, int(task.cpus()))
    return context_of(backend, device, threads)


def _task(operation: str, batches: Iterator[pa.RecordBatch], backend: Optional[str], threads: Optional[int],
          selected: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[pa.RecordBatch]:
    """What a task does with its batches."""
    context = _place(backend, threads)
    first = next(batches, None)
    if first is None:
        return
    mapping = TableOperation(operation, first.schema, engine_types=True, **selected, **options)

    def all_batches() -> Iterator[pa.RecordBatch]:
        yield first
        yield from batches

    yield from run_batches(mapping, all_batches(), context)
