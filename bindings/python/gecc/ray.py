"""Operations on Ray's datasets, by map_batches. Needs ray[data] and pyarrow.

    dataset = gecc.ray.map("ecdsa.verify", dataset, curve="P-256", columns={"digest": "hash"})
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import pyarrow as pa

from ._context import Context
from ._engine import check_secrets
from ._table import Source, TableOperation

#: Rows of a batch that an actor is given.
BATCH_ROWS = 1 << 16


class Operation:
    """A class for Dataset.map_batches(..., batch_format="pyarrow"): an actor opens a context and keeps it with its tables.

    The arguments are those of gecc.arrow.run, those of gecc.Context (backend, device, threads), and allow_secrets: run
    operations on secrets, whose rows Ray sends, spills and keeps in its object store in the clear.
    """

    def __init__(self, operation: str, *, backend: Optional[str] = None, device: Union[int, Sequence[int], None] = None,
                 threads: Optional[int] = None, allow_secrets: bool = False, **arguments: Any) -> None:
        options = {name: value for name, value in arguments.items() if name not in ("curve", "hash", "modulus", "columns")}
        check_secrets(operation, allow_secrets, options)
        self._operation, self._arguments = operation, arguments
        self._context = Context(backend, device=device, threads=threads)

    def __call__(self, table: pa.Table) -> pa.Table:
        """The batch with its results."""
        mapping = TableOperation(self._operation, table.schema, **self._arguments)
        return mapping.extend(table, mapping.run(self._context, table))

    def __repr__(self) -> str:
        return f"<gecc.ray.Operation: {self._operation}>"


def map(operation: str, dataset: Any, *, curve: Optional[str] = None, hash: Optional[str] = None,
        modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
        backend: Optional[str] = None, actors: Optional[int] = None, cpus: Optional[float] = None, gpus: float = 0,
        batch_rows: int = BATCH_ROWS, allow_secrets: bool = False, **options: Any) -> Any:
    """The dataset with columns for the results of an operation. Ray partitions, retries and places.

    operation, curve, hash, modulus, columns, options: as for gecc.arrow.run.
    actors: how many; None: one for each GPU, or one for each two CPUs of the cluster.
    cpus: what Ray sets aside for an actor; None: nothing, so that tasks that read, which want a whole CPU of one node, always find
        one (actors that had them all would wait for rows for ever). Ray spreads actors over the nodes, and each has as many threads
        as its share of the cluster.
    gpus: of each actor; with one or more the backend is "cuda" unless another is given.
    allow_secrets: see Operation.
    """
    import ray

    check_secrets(operation, allow_secrets, options)
    have = ray.cluster_resources()
    all_cpus, all_gpus = have.get("CPU", 1.0), have.get("GPU", 0.0)
    if actors is None:
        actors = max(1, int(all_gpus / gpus) if gpus else int(all_cpus // 2))
    share = all_cpus / actors
    arguments = dict(curve=curve, hash=hash, modulus=modulus, columns=columns, allow_secrets=allow_secrets,
                     backend=backend or ("cuda" if gpus else "cpu"), threads=max(1, int(share)), **options)
    return dataset.map_batches(Operation, fn_constructor_args=(operation,), fn_constructor_kwargs=arguments,
                               batch_format="pyarrow", batch_size=batch_rows, zero_copy_batch=True, num_cpus=cpus or 0,
                               num_gpus=gpus, compute=ray.data.ActorPoolStrategy(size=actors))
