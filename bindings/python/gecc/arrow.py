"""Operations on Arrow tables, batches and streams of batches. Needs pyarrow.

    table = gecc.arrow.run("ecdsa.verify", table, curve="P-256", columns={"digest": "hash"})
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, TypeVar, Union

import pyarrow as pa

from ._context import Context
from ._table import Source, TableOperation, run_batches

Data = TypeVar("Data", pa.Table, pa.RecordBatch, pa.RecordBatchReader)


def run(operation: str, data: Data, *, curve: Optional[str] = None, hash: Optional[str] = None,
        modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
        context: Optional[Context] = None, **options: Any) -> Data:
    """Run an operation on a Table, a RecordBatch or a RecordBatchReader; gives the same, with columns for the results.

    operation: a name of gecc.OPERATIONS.
    curve, hash, modulus: what the operation is selected by.
    columns: what is called otherwise than in the operation, as {"digest": "hash"}: inputs, results and "status". Bytes in the
        place of a name are one value for all rows. Inputs that may be left out are, unless they are named here.
    context: where it runs; None: the package's.
    options: the flags of the operation, nonce_hash, point_format.

    Results are null in rows that have none; the column "status" (uint8, see gecc.Status) says why. A reader gives batches as
    they are asked for, and computes the next ones meanwhile.
    """
    schema = data.schema
    mapping = TableOperation(operation, schema, curve=curve, hash=hash, modulus=modulus, columns=columns, **options)
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        return mapping.extend(data, mapping.submit(context, data).result())
    return pa.RecordBatchReader.from_batches(mapping.output_schema, run_batches(mapping, data, context))
