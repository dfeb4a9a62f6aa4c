"""Elliptic-curve cryptography in bulk: millions of signatures checked, made or recovered in one call.

    status = gecc.ecdsa.verify("P-256", public_key, digest, signature)
    signature, recovery_id, status = gecc.ecdsa.sign("secp256k1", private_key, digest)

Columns are (n, width) arrays of uint8 (NumPy, CuPy, ...), Arrow arrays, lists of bytes, or bytes: one value for all rows. Every
row has its own status, see Status; a bad row touches no other. help(gecc.ecdsa.verify) says what each column is. The functions
are made from what the library says of its operations: gecc.OPERATIONS.

gecc.arrow, gecc.parquet, gecc.duckdb, gecc.spark and gecc.ray work on tables; gecc.transactions finds who sent Ethereum's
transactions; gecc.keys reads files of keys; gecc.plot draws rates against the rows of a batch.
"""

from ._library import library as _loaded
from ._constants import Status
from ._context import Backend, Context, Device
from ._description import CURVES, OPERATIONS, Column, Operation
from ._errors import ArgumentError, Busy, Cancelled, DeviceError, Error, FaultError, NoBackend, OutOfMemory, ThreadError, Unsupported
from ._job import Job
from ._keys import Keys
from ._operations import *  # noqa: F403
from ._operations import __all__ as _names
from ._queue import Queue
from ._report import Report
from ._rows import Rows
from . import keys, transactions

__version__: str = _loaded.gecc_version().decode()
#: The same as a number: 3000 for 0.3.0, 1002003 for 1.2.3.
VERSION_NUMBER: int = _loaded.gecc_version_number()
__all__ = ["ArgumentError", "Backend", "Busy", "CURVES", "Cancelled", "Column", "Context", "Device", "DeviceError", "Error", "FaultError",
           "Job", "Keys", "NoBackend", "OPERATIONS", "Operation", "OutOfMemory", "Queue", "Report", "Rows", "Status", "ThreadError", "Unsupported", "VERSION_NUMBER", "keys", "transactions",
           *_names]  # pyright: ignore
