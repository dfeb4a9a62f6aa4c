"""Operations on Arrow tables, batches and streams of batches. Needs pyarrow.

    table = gecc.arrow.run("ecdsa.verify", table, curve="P-256", columns={"digest": "hash"})
"""

from __future__ import annotations

import sys
from typing import Any, Mapping, Optional, TypeVar, Union

import pyarrow as pa

from ._context import Context
from ._table import Source, TableOperation, run_batches

#: pa.Table, pa.RecordBatch, pa.RecordBatchReader, pandas.DataFrame or polars.DataFrame.
Data = TypeVar("Data")


def run(operation: str, data: Data, *, curve: Optional[str] = None, hash: Optional[str] = None,
        modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
        encoding: Union[str, Mapping[str, str], None] = None, context: Optional[Context] = None, **options: Any) -> Data:
    """Run an operation on a Table, a RecordBatch, a RecordBatchReader, or a DataFrame of pandas or polars; gives the same, with
    columns for the results.

    operation: a name of gecc.OPERATIONS.
    curve, hash, modulus: what the operation is selected by. A curve may differ from row to row: a column of text that is called
        "curve", or named by columns={"curve": "name"}, says it. A row that names none of the operation's, or not the one that is
        given for all, reads gecc.Status.MALFORMED_SELECTOR.
    columns: what is called otherwise than in the operation, as {"digest": "hash"}: inputs, results and "status". Bytes in the
        place of a name are one value for all rows. Inputs that may be left out are, unless they are named here.
    encoding: that of inputs that are strings: "hex", "base64", "base64url", or "utf8", which is the text itself; or a dict of
        them, as {"message": "utf8"}. None: hexadecimal, but of names, such as SM2's id, the text itself; of messages, and of
        plaintexts that are to be encrypted, it has to be said. What is in no such encoding reads gecc.Status.MALFORMED_TEXT.
    context: where it runs; None: the package's.
    options: the flags of the operation, nonce_hash, point_format, output_bytes.

    Results are null in rows that have none; the column "status" (uint8, see gecc.Status) says why. A reader gives batches as
    they are asked for, and computes the next ones meanwhile.
    """
    arguments: dict[str, Any] = dict(curve=curve, hash=hash, modulus=modulus, columns=columns, encoding=encoding, **options)
    given: Any = data
    if _is_frame("pandas", given):
        return _run_on_pandas(operation, given, context, arguments)
    if _is_frame("polars", given):
        return sys.modules["polars"].from_arrow(run(operation, given.to_arrow(), context=context, **arguments))
    if not isinstance(given, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)):
        raise TypeError(f"data: {type(data).__name__}, where a Table, RecordBatch or RecordBatchReader of pyarrow, or a DataFrame "
                        "of pandas or polars is wanted")
    mapping = TableOperation(operation, given.schema, **arguments)
    if isinstance(given, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(mapping.output_schema, run_batches(mapping, given, context))  # type: ignore
    return mapping.extend(given, mapping.run(context, given))


def _is_frame(module: str, data: Any) -> bool:
    """Whether it is a DataFrame of a module, which need not be installed."""
    return module in sys.modules and isinstance(data, sys.modules[module].DataFrame)


def _run_on_pandas(operation: str, frame: Any, context: Optional[Context], arguments: dict[str, Any]) -> Any:
    """The frame with its index and its columns as they are, and those of the results."""
    if not all(isinstance(name, str) for name in frame.columns):
        raise TypeError("data: a DataFrame whose columns have names that are not strings")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    results = run(operation, table, context=context, **arguments)
    added = results.select(results.column_names[table.num_columns :]).to_pandas()
    return frame.assign(**{name: added[name].to_numpy() for name in added.columns})
