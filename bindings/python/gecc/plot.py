"""Pictures of rates against the rows of a batch, as SVG. Drawing needs nothing but this file, measuring needs pyarrow.

    gecc.plot.draw("bench.jsonl", "rates.svg")                          what `gecc bench --json` printed, or any such table
    gecc.plot.draw({"mine": [(1, 4000), (1024, 240000)]}, "rates.svg")  figures of one's own
    rates = gecc.plot.measure("ecdsa.verify", "rows.parquet", curve="P-256", columns={"public_key": "key"})
    gecc.plot.draw({"gecc": rates}, "rates.svg")

    python -m gecc.plot rates.svg bench.jsonl
    python -m gecc.plot --batch rows --rate per_second --series program,curve rates.svg mine.csv
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import re
import statistics
import sys
import time
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union
from xml.sax.saxutils import escape

from ._file_names import is_table, replacing

__all__ = ["draw", "measure"]

Path = Union[str, os.PathLike]
#: (rows of a batch, rows a second)
Points = Iterable[tuple[float, float]]

#: What `gecc bench --json` calls them.
BATCH, RATE, SERIES = "batch", "items_per_second", ("operation", "curve", "time")
#: Pixels: the picture, the axes in it, and the legend to their right, a line for each series.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM, _LEGEND, _LINE = 960, 560, 80, 640, 30, 480, 660, 16
#: What axes reach: the power of two above it can be computed.
_MOST = 1e300
_COLOURS = ("#2b5c8a", "#b4652f", "#3f7d4e", "#8a2b5c", "#777777", "#a08a1e", "#1e8aa0", "#5c2b8a")


def draw(source: Union[Path, Sequence[Path], Mapping[str, Points]], destination: Path, *, batch: str = BATCH, rate: str = RATE,
         series: Optional[Sequence[str]] = None, caption: str = "") -> None:
    """Draw rates against batches, both on logarithmic axes, a line for each series.

    source: a file or several, CSV, JSON Lines, Parquet or Arrow, in which each row is a rate; or {name of a series: [(rows of a
        batch, rows a second), ...]}.
    destination: a name that ends in .svg. It is replaced once the picture is whole.
    batch, rate: the columns of a file that have the rows of a batch and the rows a second.
    series: columns whose values are the name of a row's series; None: those of operation, curve and time that the row has, or the
        name of the file. Points of a series are joined in the order of their batches.
    caption: a line under the picture. Of the output of `gecc bench` it is the machine and the version.
    """
    if not os.fspath(destination).endswith(".svg"):
        raise ValueError(f"{os.fspath(destination)}: its name does not end in .svg, which is what is drawn")
    found: dict[str, list[tuple[float, float]]] = {}
    if isinstance(source, Mapping):
        for name, points in source.items():
            found[str(name)] = [_point(name, *point) for point in points]
    else:
        for path in [source] if isinstance(source, (str, os.PathLike)) else source:
            for number, row in _rows(path):
                where = f"{os.fspath(path)}: row {number}"
                if batch in row and rate not in row and "machine" in row and "version" in row:
                    caption = caption or _heading(row)
                    continue
                missing = [name for name in (batch, rate, *(series or ())) if row.get(name) in (None, "")]
                if missing:
                    raise ValueError(f"{where}: no value of {', '.join(map(repr, missing))}; there are {', '.join(map(str, row))}")
                named = [str(row[name]) for name in series or SERIES if row.get(name) not in (None, "")]
                name = ", ".join(named) or os.path.basename(os.fspath(path))
                found.setdefault(name, []).append(_point(where, row[batch], row[rate]))
    if not any(found.values()):
        raise ValueError("there are no rates to draw")
    picture = "".join(_svg({name: sorted(points) for name, points in found.items() if points}, caption)).encode()
    with replacing(os.fspath(destination), False) as part, open(part, "wb") as file:
        file.write(picture)


def measure(operation: str, source: Any, *, batches: Iterable[int] = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536), seconds: float = 0.5,
            context: Any = None, **arguments: Any) -> list[tuple[int, float]]:
    """Rows a second of an operation on the rows of a file, by the rows of a batch, as [(rows of a batch, rows a second), ...].

    source: a file of Parquet, Arrow, CSV or JSON Lines, or a table of pyarrow. Its rows are repeated where a batch has more.
    batches: how many rows a call has, in turn.
    seconds: how long each is measured, at least; three calls in any case, of which the median counts.
    context: where it runs; None: the package's.
    arguments: curve, hash, columns, encoding and all that gecc.arrow.run takes. Text is decoded in the time of a call, and a GPU's
        transfers are in it.

    Raises ValueError if a row cannot be read: its time would be no operation's.
    """
    import pyarrow as pa

    from ._constants import Status
    from .arrow import run

    table = source if isinstance(source, pa.Table) else _table(source)
    if table.num_rows == 0:
        raise ValueError("there are no rows to measure")
    status = (arguments.get("columns") or {}).get("status", "status")
    for row, found in enumerate(run(operation, table, context=context, **arguments)[status].to_pylist()):
        if found not in (Status.OK, Status.INVALID):
            raise ValueError(f"row {row}: {Status(found).name}, and a row that cannot be read has no rate")
    rates = []
    for count in batches:
        rows = pa.concat_tables([table] * -(-count // table.num_rows)).slice(0, count).combine_chunks()
        run(operation, rows, context=context, **arguments)
        times: list[float] = []
        end = time.perf_counter() + seconds
        while len(times) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            run(operation, rows, context=context, **arguments)
            times.append(time.perf_counter() - start)
        rates.append((count, count / statistics.median(times)))
    return rates


def _point(where: str, rows: Any, rate: Any) -> tuple[float, float]:
    try:
        point = float(rows), float(rate)
    except (TypeError, ValueError):
        raise ValueError(f"{where}: {rows!r} rows, {rate!r} a second, where numbers are wanted") from None
    except OverflowError:
        raise ValueError(f"{where}: a number above {_MOST:g}") from None
    if not all(0 < value <= _MOST for value in point):
        raise ValueError(f"{where}: {rows!r} rows, {rate!r} a second, where numbers above zero and up to {_MOST:g} are wanted")
    return point


def _heading(row: Mapping[str, Any]) -> str:
    return f"gecc {row['version']}, {row['machine']}, {row.get('backend')} ({row.get('detail')}), median of {row.get('runs')} runs"


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file by their numbers."""
    if is_table(path):
        yield from enumerate(_table(path).to_pylist(), 1)
        return
    with open(path, "rb") as file:
        data = file.read()
    place = "the header"
    try:
        rows = _text_rows(data.decode("utf-8-sig"))
        for number in itertools.count():
            row = next(rows, None)
            if row is None:
                return
            if number:
                yield number, row
            place = f"row {number + 1}"
    except UnicodeDecodeError as error:
        lines = error.object.count(b"\n", 0, error.start)
        raise ValueError(f"{os.fspath(path)}: line {lines + 1}: not UTF-8") from None
    except (ValueError, RecursionError, csv.Error) as error:
        raise ValueError(f"{os.fspath(path)}: {place}: {error}") from None


def _text_rows(text: str) -> Iterator[Mapping[str, Any]]:
    """Nothing for the header, which JSON Lines have none of, then the rows."""
    lines = io.StringIO(text, newline="")
    first = next((line for line in lines if line.strip()), "")
    rest = itertools.chain([first], lines)
    if first.lstrip().startswith("["):
        raise ValueError("a JSON array, where each line is to be an object")
    if first.lstrip().startswith("{"):
        yield {}
        for line in filter(str.strip, rest):
            row = json.loads(line, object_pairs_hook=_row)
            if not isinstance(row, dict):
                raise ValueError("no JSON object")
            yield row
        return
    records = csv.reader(rest)
    names = next(records, [])
    yield _row([(name, None) for name in names])
    for fields in filter(None, records):
        if len(fields) != len(names):
            raise ValueError(f"fields: {len(fields)}, of which the header has {len(names)}")
        yield dict(zip(names, fields))


def _row(members: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(members)
    if len(row) < len(members):
        names = [name for name, _ in members]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} twice")
    return row


def _table(path: Path) -> Any:
    """A file as a table of pyarrow; cells of CSV are text."""
    import pyarrow as pa

    if is_table(path):
        from ._files import BATCH_ROWS, open_table

        with open_table(path, BATCH_ROWS) as found:
            return pa.Table.from_batches(found.batches, found.schema)
    rows = [row for _, row in _rows(path)]
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in names})


# The picture, as `gecc bench --plot` draws it.


def _ends(values: Iterable[float]) -> tuple[int, int]:
    """The whole exponents between which the logarithms are."""
    low, high = math.inf, -math.inf
    for value in values:
        low, high = min(low, math.floor(value)), max(high, math.floor(value) + 1)
    return int(low), int(high)


def _escaped(text: str) -> str:
    """Characters that XML has not, as controls and halves of surrogate pairs, become U+FFFD."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(text)}</text>\n'


def _svg(series: Mapping[str, Sequence[tuple[float, float]]], caption: str) -> Iterator[str]:
    points = [point for of_one in series.values() for point in of_one]
    (left, right), (low, high) = _ends(math.log2(rows) for rows, _ in points), _ends(math.log10(rate) for _, rate in points)

    def x_of(exponent: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (exponent - left) / (right - left)

    def y_of(exponent: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (exponent - low) / (high - low)

    height = max(_HEIGHT, _TOP + _LINE * len(series) + 20)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12">\n'
           '<rect width="100%" height="100%" fill="white"/>\n')
    for exponent in range(left, right + 1, 1 + (right - left) // 12):
        x = x_of(exponent)
        yield f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_BOTTOM}" stroke="#ddd"/>\n'
        yield _text(x, _BOTTOM + 16, "middle", f"{2.0**exponent:.10g}")
    for exponent in range(low, high + 1):
        y = y_of(exponent)
        yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_RIGHT}" y2="{y:.1f}" stroke="#ddd"/>\n'
        thousands = min(max(exponent // 3, 0), 4)
        unit = ("", " thousand", " million", " billion", " trillion")[thousands]
        yield _text(_LEFT - 6, y + 4, "end", f"{10.0 ** (exponent - 3 * thousands):.10g}{unit}")
    yield _text((_LEFT + _RIGHT) / 2, _BOTTOM + 36, "middle", "rows in a batch")
    yield _text(_LEFT, _TOP - 10, "start", "rows a second")
    for number, (name, of_one) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(x_of(math.log2(rows)), y_of(math.log10(rate)), rows, rate) for rows, rate in of_one]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
        yield f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{line}"/>\n'
        for x, y, rows, rate in places:
            title = _escaped(f"{name}: {rows:.10g} rows, {rate:.10g} a second")
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{title}</title></circle>\n'
        y = _TOP + _LINE * number
        yield f'<rect x="{_LEGEND}" y="{y}" width="10" height="10" fill="{colour}"/>\n'
        yield _text(_LEGEND + 16, y + 9, "start", name)
    yield _text(_LEFT, _BOTTOM + 60, "start", caption)
    yield "</svg>\n"


def _main() -> int:
    import argparse

    parser = argparse.ArgumentParser(prog="python -m gecc.plot", description="Draw rates against the rows of a batch.")
    parser.add_argument("picture", help="what is drawn: FILE.svg")
    parser.add_argument("file", nargs="+", help="rates: what `gecc bench --json` printed, CSV, JSON Lines, Parquet or Arrow")
    parser.add_argument("--batch", default=BATCH, metavar="COLUMN", help="the rows of a batch; default: %(default)s")
    parser.add_argument("--rate", default=RATE, metavar="COLUMN", help="rows a second; default: %(default)s")
    parser.add_argument("--series", metavar="COLUMN[,COLUMN]...", help="what names a line; default: " + ",".join(SERIES))
    parser.add_argument("--caption", default="", help="a line under the picture")
    given = parser.parse_args()
    try:
        draw(given.file, given.picture, batch=given.batch, rate=given.rate, series=given.series and given.series.split(","),
             caption=given.caption)
    except ImportError as error:
        print(f"gecc.plot: files of Parquet and Arrow need pyarrow: {error}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"gecc.plot: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main())
