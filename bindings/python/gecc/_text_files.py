"""Text is the tool's, Parquet and Arrow the package's: runs of the tool whose input or output is a file of those. Needs pyarrow.

    gecc verify --curve P-256 rows.parquet -o verdicts.csv     the tool is given the rows as text
    gecc verify --curve P-256 rows.csv -o verdicts.parquet     what the tool writes becomes columns of strings
"""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import stat
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import Any, Callable, Iterator, Optional, Sequence

import pyarrow as pa
import pyarrow.csv as pa_csv

from ._constants import COLUMN_NAMES
from ._description import curve_named
from ._errors import shown
from ._file_names import replacing
from ._files import BATCH_ROWS, open_table, open_writer

_ENCODERS: dict[str, Callable[[bytes], str]] = {
    "hex": bytes.hex,
    "base64": lambda value: base64.b64encode(value).decode(),
    "base64url": lambda value: base64.urlsafe_b64encode(value).decode().rstrip("="),
}


#: Columns, as the tool calls them, of which an empty cell of CSV is an empty value, where null is none.
_MAY_BE_EMPTY = frozenset(("msg", "msg_text", "sm2_id", "sm2_id_hex", "ed25519_ctx", "ed25519_ctx_hex"))
#: The commands that have such columns.
_HAVE_THEM = frozenset(("sign", "verify", "recover", "digest"))


def run_tool(tool: str, arguments: Sequence[str], source: Optional[str], destination: Optional[str]) -> int:
    """Run the tool with these arguments, which do not name the tables that are its input and output; None: that is text, as the
    arguments say. Gives the tool's exit status: 2, and nothing is written, where it failed."""
    if destination is None:
        return _run(tool, arguments, source)
    with tempfile.TemporaryDirectory(prefix=".gecc.", dir=os.path.dirname(destination) or ".") as folder:
        text = os.path.join(folder, "rows")
        status = _run(tool, [*arguments, "-o", text], source)
        if status in (0, 1):
            # The tool knows what is secret: it lets nobody else read that.
            is_secret = not os.stat(text).st_mode & (stat.S_IRWXG | stat.S_IRWXO)
            _make_table(text, destination, is_secret)
        return status


def _run(tool: str, arguments: Sequence[str], source: Optional[str]) -> int:
    """Run the tool on the rows of a table; None: on what its arguments say."""
    if source is None:
        return subprocess.call([tool, *arguments])
    form = _option(arguments, "--format") or _option(arguments, "--output-format") or _format_of(_option(arguments, "-o", "--output"))
    if form not in ("csv", "jsonl", "ndjson"):
        raise ValueError(f"--format {form}: rows of {source} can be written as csv or jsonl")
    encoding = _option(arguments, "--encoding") or "hex"
    if encoding not in _ENCODERS:
        raise ValueError(f"--encoding: none of {', '.join(_ENCODERS)}")
    given = [] if _option(arguments, "--format") else ["--format", form]
    with open_table(source, BATCH_ROWS) as found:
        batches = found.batches
        if form == "csv":
            batches = _without_nulls(batches, _columns_that_may_be_empty(found.schema.names, arguments))
        write = _csv_rows if form == "csv" else _json_rows
        return _feed([tool, *arguments, *given], write(found.schema, batches, _ENCODERS[encoding]))


def _option(arguments: Sequence[str], *names: str) -> Optional[str]:
    """The value of an option; None: it is not given."""
    return next(iter(_options(arguments, *names)), None)


def _options(arguments: Sequence[str], *names: str) -> list[str]:
    """The values of an option, which the tool takes as two arguments or with an equals sign."""
    split = [argument.partition("=") for argument in arguments]
    return [value if equals else "".join(arguments[i + 1 : i + 2]) for i, (name, equals, value) in enumerate(split) if name in names]


def _format_of(output: Optional[str]) -> str:
    """The format that the name of the tool's output says; text that nobody names is CSV."""
    if output is None or not output.lower().endswith((".jsonl", ".ndjson", ".json")):
        return "csv"
    return "jsonl"


def _feed(command: Sequence[str], rows: Iterator[bytes]) -> int:
    """Run a command whose input these are. What goes wrong with them ends it."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    try:
        for part in rows:
            process.stdin.write(part)
        process.stdin.close()
    except BrokenPipeError:
        pass  # The tool has ended, and says why.
    except BaseException:
        # Before the pipe is closed, which to the tool would be the end of the rows. It says what it leaves behind.
        process.terminate()
        process.wait()
        raise
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()
    return process.wait()


# From tables to text.


def _columns_that_may_be_empty(names: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """Those of a table whose null CSV cannot say: the empty cell is a value there."""
    if not set(arguments[:1]) & _HAVE_THEM:
        return []
    maps = ",".join(_options(arguments, "--map", "--column"))
    renamed = {COLUMN_NAMES.get(name, name): called for name, _, called in (pair.partition("=") for pair in maps.split(","))}
    found = _MAY_BE_EMPTY | {"digest"} if _signs_what_digest_holds(arguments) else _MAY_BE_EMPTY
    called = {renamed.get(name, name) for name in found}
    others = found - set(renamed)
    if renamed.get("digest", "digest") in names and _option(arguments, "--require") is None:
        others -= {"msg"}  # The tool reads no `message` beside a digest.
    return [name for name in names if name in called or COLUMN_NAMES.get(name) in others]


def _signs_what_digest_holds(arguments: Sequence[str]) -> bool:
    """Whether `digest` may be the message itself, as in BIP-340 and Ed25519, which rows may ask for by their curve."""
    scheme, curve = _option(arguments, "--scheme"), _option(arguments, "--curve")
    if scheme is not None:
        return scheme.lower() not in ("ecdsa", "sm2")
    return curve is None or curve_named(curve) == "Curve25519"


def _without_nulls(batches: Iterator[pa.RecordBatch], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The same batches, of which these columns have a value in each row."""
    first = 1
    for batch in batches:
        for name in names:
            column = batch.column(batch.schema.get_field_index(name))
            if pa.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            if column.null_count:
                row = first + column.is_null().to_pylist().index(True)
                raise ValueError(f"row {row:,}: {shown(name)} is null, which CSV would make an empty value; JSON Lines have null: "
                                 "-o FILE.jsonl, or --output-format jsonl")
        first += batch.num_rows
        yield batch


def _cells(column: pa.Array, encode: Callable[[bytes], str]) -> list[Any]:
    """What a column has, bytes as text, and what neither JSON nor CSV has as Python writes it."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_nested(kind):
        values = column.to_pylist()
        return [None if value is None else json.dumps(value, default=lambda item: _plain(item, encode)) for value in values]
    return [_plain(value, encode) for value in column.to_pylist()]


def _plain(value: Any, encode: Callable[[bytes], str]) -> Any:
    if isinstance(value, bytes):
        return encode(value)
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)


def _csv_rows(schema: pa.Schema, batches: Iterator[pa.RecordBatch], encode: Callable[[bytes], str]) -> Iterator[bytes]:
    yield _csv_text([schema.names])
    for batch in batches:
        yield _csv_text(zip(*(_cells(column, encode) for column in batch.columns)))


def _csv_text(rows: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _json_rows(schema: pa.Schema, batches: Iterator[pa.RecordBatch], encode: Callable[[bytes], str]) -> Iterator[bytes]:
    for batch in batches:
        rows = zip(*(_cells(column, encode) for column in batch.columns))
        yield "".join(json.dumps(dict(zip(schema.names, row))) + "\n" for row in rows).encode()


# From text to tables.


def _make_table(text: str, destination: str, is_secret: bool) -> None:
    """The tool's output as a file of Parquet or Arrow, whose columns are strings. JSON Lines that have no row name no column."""
    with open(text, "rb") as file:
        is_json = file.read(1) in (b"{", b"")
    with (_read_json if is_json else _read_csv)(text) as (schema, batches), replacing(destination, is_secret) as part:
        with open_writer(destination, part, schema) as write:
            for batch in batches:
                write(batch)


@contextmanager
def _read_csv(path: str) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    with open(path, encoding="utf-8", newline="") as file:
        names = next(csv.reader(file), [])
    repeated = [name for name in names if names.count(name) > 1]
    if repeated or not names:
        wrong = f"the name {shown(repeated[0])} twice" if repeated else "no names"
        raise ValueError(f"the rows' header has {wrong}, where those of a table's columns have to differ")
    schema = pa.schema([(name, pa.string()) for name in names])
    with pa_csv.open_csv(path, pa_csv.ReadOptions(column_names=names, skip_rows=0, skip_rows_after_names=1),
                         pa_csv.ParseOptions(newlines_in_values=True),
                         pa_csv.ConvertOptions(column_types=schema, strings_can_be_null=False)) as batches:
        yield schema, batches


@contextmanager
def _read_json(path: str) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    with open(path, encoding="utf-8") as file:
        names = list(dict.fromkeys(name for line in file for name in json.loads(line)))
        schema = pa.schema([(name, pa.string()) for name in names])
        file.seek(0)
        yield schema, _json_batches(file, schema)


def _json_batches(file: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    columns: list[list[Optional[str]]] = [[] for _ in schema]
    for line in file:
        row = json.loads(line)
        for column, name in zip(columns, schema.names):
            value = row.get(name)
            column.append(value if value is None or isinstance(value, str) else json.dumps(value))
        if len(columns[0]) == BATCH_ROWS:
            yield pa.record_batch(columns, schema=schema)
            columns = [[] for _ in schema]
    if columns and columns[0]:
        yield pa.record_batch(columns, schema=schema)
