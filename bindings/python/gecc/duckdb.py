"""Operations in DuckDB: as functions of SQL, and on whole queries. Needs duckdb and pyarrow.

    gecc.duckdb.register(connection)
    connection.sql("SELECT gecc_ecdsa_verify('P-256', public_key, digest, signature) FROM 'signatures.parquet'")

    verdicts = gecc.duckdb.run("ecdsa.verify", connection, "FROM 'signatures.parquet'", curve="P-256")
    connection.sql("SELECT status, count(*) FROM verdicts GROUP BY status")
"""

from __future__ import annotations

import functools
import hmac
import inspect
import secrets
import threading
from contextlib import closing
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np
import pyarrow as pa

from . import _forms, _sql
from ._constants import Status
from ._context import Context
from ._description import OPERATIONS, Operation, curve_named, hash_named
from ._engine import check_secrets
from ._errors import shown
from ._signature import optional
from ._table import Source, TableOperation, run_batches

__all__ = ["register", "run"]

#: Rows of a batch of a query.
BATCH_ROWS = 1 << 17

#: Statuses by their names, which are what SQL compares them with.
_STATUSES = pa.array([status.name for status in Status])
#: Where a status is in that list.
_PLACES = np.zeros(256, np.uint8)
_PLACES[list(Status)] = range(len(_STATUSES))

#: Connections of one database share functions and cannot replace each other's: by (context, allow_secrets), the number that
#: functions which run so have in their names.
_numbers: dict[tuple[Optional[Context], bool], int] = {}
#: The functions, by their names: DuckDB lets go of one with the connection that it was made on, though others may still call it.
_functions: dict[str, _Function] = {}
_lock = threading.Lock()


def register(connection: Any, *, context: Optional[Context] = None, allow_secrets: bool = False) -> None:
    """Define two functions of SQL on a connection for each operation, except those on gecc.Keys. For ecdsa.verify they are

        gecc_ecdsa_verify('P-256', public_key, digest, signature)           BOOLEAN
        gecc_ecdsa_verify_status('P-256', public_key, digest, signature)    VARCHAR: the name of a gecc.Status

    The arguments are those of gecc.ecdsa.verify: what the operation is selected by, then its inputs. What may be left out has a
    name, as in der := true. Inputs are BLOB, or VARCHAR in hexadecimal, those of one byte integers; a message, and a plaintext that is
    to be encrypted, are BLOB alone. Curves and hashes are VARCHAR; a modulus is a BLOB.

    The first function gives what the operation computes: BLOB, or UTINYINT for one byte; a STRUCT where that is several;
    BOOLEAN, whether the status is OK, where it is the status alone. It is NULL where there is no result and where an input is NULL.
    Both in one SELECT compute once. A row never raises, whatever its bytes are: its status says what is wrong. The first function
    raises where all rows of a vector have an argument in another form, as signatures in DER without der := true; the second does not.

    context: where they run; None: the package's.
    allow_secrets: run operations on secrets, which DuckDB spills in the clear, and which are literals of queries where they are.

    A cursor is a connection of its own: register there, too.
    """
    with _lock:
        number = _numbers.setdefault((context, allow_secrets), len(_numbers))
        have = {name for name, in connection.execute("SELECT function_name FROM duckdb_functions()").fetchall()}
        for operation in OPERATIONS.values():
            if operation.selector == "keys":
                continue
            function = _Function(operation, number, context, allow_secrets)
            function = _functions.setdefault(function.inner, function)
            if function.inner not in have:
                connection.create_function(function.inner, function, function.parameters, function.result, type="arrow",
                                           null_handling="special")
            for statement in function.macros():
                connection.execute(statement)


class _Function:
    """An operation as a function of columns, which DuckDB calls, and the macros of SQL that call it.

    Its first argument has all that is not a column, as "curve=502D323536 der entropy digest:text": values in hexadecimal, flags
    that are set, inputs that are given though they may be left out, and inputs that are text. It may differ from row to row.
    """

    def __init__(self, operation: Operation, number: int, context: Optional[Context], allow_secrets: bool) -> None:
        self.operation, self.context, self.allow_secrets = operation, context, allow_secrets
        self.name = "gecc_" + operation.name.replace(".", "_")
        self.inner = f"_{self.name}_{number}"
        # Every connection of a database can call the inner function. Macros are their connection's alone, and so are secrets.
        self.token = secrets.token_hex(16) if allow_secrets else ""
        self.parameters = ["VARCHAR", *(_sql.type_of(operation, column, "BIGINT") for column in operation.inputs)]
        self.result = f"STRUCT (result {self._result_type()}, status VARCHAR, error VARCHAR)"
        self.names = [column.name for column in operation.inputs]
        self.mapping = functools.lru_cache(maxsize=256)(self._mapping)
        # DuckDB asks how many arguments there are.
        self.__signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY)
                                                for name in ("call", *self.names)])  # fmt: skip

    def _result_type(self) -> str:
        outputs = self.operation.outputs
        if not outputs:
            return "BOOLEAN"
        if len(outputs) == 1:
            return _sql.type_of(self.operation, outputs[0])
        return f"STRUCT ({', '.join(f'{column.name} {_sql.type_of(self.operation, column)}' for column in outputs)})"

    def macros(self) -> Iterator[str]:
        """Statements of SQL that define what is called."""
        return _sql.macros(self.operation, self.name, self.inner, self.token)

    def _mapping(self, call: str) -> Union[TableOperation, Status]:
        """The operation as a call has it, or the status of all its rows."""
        given = dict(part.partition("=")[::2] for part in call.split())
        if not hmac.compare_digest(given.pop("token", ""), self.token):
            raise ValueError(f"{self.inner}: not called by the functions that gecc.duckdb.register defines on a connection")
        text = {column.name for column in self.operation.inputs if given.pop(f"{column.name}:text", None) is not None}
        is_literal = given.pop("literal", None) is not None
        valued = ("curve", "hash", "modulus", "nonce_hash", "point_format", "accept")
        options: dict[str, Any] = {name: bytes.fromhex(value) if name in valued else True for name, value in given.items()}
        columns = {column.name: column.name for column in optional(self.operation) if options.pop(column.name, False)}
        for name in valued:
            if name in options and name != "modulus":
                options[name] = options[name].decode(errors="replace")
        if "output_bytes" in options:
            options["output_bytes"] = int(given["output_bytes"])
        flags = {name: True for name in self.operation.flags if name in options}
        check_secrets(self.operation.name, self.allow_secrets, flags)
        status = None if is_literal else self._selector_status(options)
        if status is not None:
            return status
        schema = pa.schema([pa.field(name, pa.string() if name in text else pa.binary()) for name in self.names])
        return TableOperation(self.operation.name, schema, columns=columns, engine_types=True, **options)

    def _selector_status(self, options: dict[str, Any]) -> Optional[Status]:
        """What a row reads whose curve or hash is not one of the operation's; None: it is one."""
        operation = self.operation
        if not operation.takes_selector or operation.selector == "modulus":
            return None
        if operation.selector not in options:
            return Status.NULL
        name = options[operation.selector]
        known = curve_named(name) in operation.curves if operation.selector == "curve" else hash_named(name) is not None
        return None if known else Status.MALFORMED_SELECTOR

    def __call__(self, call: pa.ChunkedArray, *columns: pa.ChunkedArray) -> pa.Array:
        """STRUCT(result, status, error) for a vector of rows."""
        table = pa.table(list(columns), names=self.names)
        calls = pa.concat_arrays(call.chunks).dictionary_encode()
        if len(calls.dictionary) == 1:
            return self._run(calls.dictionary[0].as_py(), table)
        parts = [np.flatnonzero(np.asarray(calls.indices) == index) for index in range(len(calls.dictionary))]
        found = [self._run(one.as_py(), table.take(rows)) for one, rows in zip(calls.dictionary, parts)]
        return pa.concat_arrays(found).take(pa.array(np.argsort(np.concatenate(parts))))

    def _run(self, call: str, table: pa.Table) -> pa.Array:
        mapping, error = self.mapping(call), None
        if isinstance(mapping, Status):
            values = np.full(len(table), mapping, np.uint8)
            results = [pa.nulls(len(table), pa.uint8() if _sql.is_one_byte(self.operation, column) else pa.binary())
                       for column in self.operation.outputs]
        else:
            table = _with_text(table, mapping.schema)
            *results, status = mapping.run(self.context, table)
            values = np.asarray(status)
            error = _forms.misread(mapping, table, values, self.name)
        names = [column.name for column in self.operation.outputs]
        results = [array if pa.types.is_binary(array.type) else array.cast(pa.uint8()) for array in results]
        if not results:
            result = pa.array(values == Status.OK, mask=values == Status.NULL)
        elif len(results) == 1:
            result = results[0]
        else:
            result = pa.StructArray.from_arrays(results, names, mask=pa.array(values != Status.OK))
        errors = pa.nulls(len(table), pa.string()) if error is None else pa.array([error] * len(table))
        return pa.StructArray.from_arrays([result, _names_of(values), errors], ["result", "status", "error"])


def _with_text(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with columns of strings where the schema has them: they come as their bytes."""
    for i, field in enumerate(schema):
        if pa.types.is_string(field.type):
            table = table.set_column(i, field, table.column(i).cast(pa.string()))
    return table


def _names_of(status: np.ndarray) -> pa.Array:
    """Statuses by their names."""
    return pa.DictionaryArray.from_arrays(pa.array(_PLACES[status]), _STATUSES)


def run(operation: str, connection: Any, query: Any, *, curve: Optional[str] = None, hash: Optional[str] = None,
        modulus: Union[int, bytes, None] = None, columns: Optional[Mapping[str, Source]] = None,
        context: Optional[Context] = None, batch_rows: int = BATCH_ROWS, allow_secrets: bool = False, **options: Any) -> Any:
    """A relation: the rows of a query with columns for the results of an operation. For many rows; see register for few.

    operation, curve, hash, modulus, columns, context, options: as for gecc.arrow.run. "status" has the names of gecc.Status.
    connection: that of the relation.
    query: SQL, or a relation. It runs on a cursor of the connection, which sees what is committed: tables, views and files, but
        nothing that is TEMP, and no variables of Python.
    batch_rows: the rows of a batch. A few batches are in memory at once.
    allow_secrets: see register.

    Nothing is kept: whatever reads the relation runs the query and the operation again. relation.create("verdicts") keeps it.
    """
    check_secrets(operation, allow_secrets, options)
    if batch_rows < 1:
        raise ValueError(f"batch_rows: {shown(batch_rows)}, where a positive number is wanted")
    rows = _Rows(connection, query if isinstance(query, str) else query.sql_query(), batch_rows)
    mapping = TableOperation(operation, rows.schema(), curve=curve, hash=hash, modulus=modulus, columns=columns, **options)
    # Types that the operation cannot take are refused here, not by the first batch.
    mapping.run(context, mapping.schema.empty_table())
    return connection.from_arrow(_Results(rows, mapping, context))


class _Rows:
    """The rows of a query, as often as they are asked for."""

    def __init__(self, connection: Any, query: str, batch_rows: int) -> None:
        self._connection, self._query, self._batch_rows = connection, query, batch_rows
        # It runs more than once, so it may change nothing.
        if [statement.type.name for statement in connection.extract_statements(query)] != ["SELECT"]:
            raise ValueError("query: not one SELECT")

    def _relation(self, cursor: Any) -> Any:
        # Names are those of the database, not of variables here.
        cursor.execute("SET python_enable_replacements = false")
        return cursor.sql(self._query)

    def schema(self) -> pa.Schema:
        with closing(self._connection.cursor()) as cursor:
            return self._relation(cursor).limit(0).to_arrow_table().schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        with closing(self._connection.cursor()) as cursor:
            yield from self._relation(cursor).to_arrow_reader(self._batch_rows)


class _Results:
    """What DuckDB reads as it does a table of Arrow: a stream for each that asks, which begins when the first batch is wanted."""

    def __init__(self, rows: _Rows, mapping: TableOperation, context: Optional[Context]) -> None:
        self._rows, self._mapping, self._context = rows, mapping, context
        status = pa.field(mapping.names[-1], pa.dictionary(pa.uint8(), pa.string()))
        self._schema = mapping.output_schema.set(len(mapping.output_schema) - 1, status)

    def __arrow_c_schema__(self) -> Any:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pa.RecordBatchReader.from_batches(self._schema, self._batches()).__arrow_c_stream__(requested_schema)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for batch in run_batches(self._mapping, self._rows, self._context):
            *columns, status = batch.columns
            yield pa.RecordBatch.from_arrays([*columns, _names_of(np.asarray(status))], schema=self._schema)
