"""Operations on Parquet files of any size. Needs pyarrow.

    gecc.parquet.run("ecdsa.verify", "signatures.parquet", "verdicts.parquet", curve="P-256")
"""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

from . import _files
from ._context import Context
from ._file_names import PARQUET, is_parquet
from ._pipeline import Summary
from ._progress import Progress
from ._table import Source

__all__ = ["Summary", "run"]


def run(operation: str, source: Union[str, os.PathLike], destination: Union[str, os.PathLike], *,
        curve: Optional[str] = None, hash: Optional[str] = None, modulus: Union[int, bytes, None] = None,
        columns: Optional[Mapping[str, Source]] = None, context: Optional[Context] = None,
        batch_rows: int = _files.BATCH_ROWS, progress: Union[bool, Progress, None] = None, **options: Any) -> Summary:
    """Run an operation on every row of a Parquet file; writes another with all its columns and the results, in order.

    operation, curve, hash, modulus, columns, context, options: as for gecc.arrow.run.
    batch_rows: the rows of a batch, which are those of a row group written. A few batches are in memory at once.
    progress: a function of the rows done and the rows there are; True: a bar on stderr; None: a bar where that is a terminal.

    Returns (rows, ok): how many there are and how many have the status OK. Types, metadata and each column's compression stay
    as they are. Row groups are read, computed and written at the same time. The destination is replaced when all is written, and
    left alone if anything fails; where inputs or results are secret, only its owner may read it.
    """
    for path in (source, destination):
        if not is_parquet(path):
            raise ValueError(f"{os.fspath(path)}: its name does not end in {', '.join(PARQUET)}")
    return _files.run_file(operation, source, destination, curve=curve, hash=hash, modulus=modulus, columns=columns,
                           context=context, batch_rows=batch_rows, progress=progress, **options)
