"""Pictures of rates: of files with any columns, of figures of one's own, and of rates that are measured."""

import csv
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import Signed

import gecc
import gecc.plot

SVG = "{http://www.w3.org/2000/svg}"
BENCH = [
    {"version": "0.3.0", "commit": "1234567", "machine": "A <machine> & more", "clock_mhz": "3000", "backend": "cpu", "detail": "ifma, 1 thread", "batch": 64,
     "runs": 7},
    {"operation": "ecdsa.verify", "curve": "P-256", "batch": 64, "time": "pageable", "items_per_second": 200000, "low": 190000, "high": 210000},
    {"operation": "ecdsa.verify", "curve": "P-256", "batch": 1, "time": "pageable", "items_per_second": 9000, "low": 8000, "high": 10000},
    {"operation": "ecdsa.sign", "curve": "P-256", "batch": 1, "time": "pageable", "items_per_second": 30000, "low": 8000, "high": 10000},
]  # fmt: skip


def titles(path):
    return [title.text for title in ElementTree.parse(path).iter(f"{SVG}title")]


def texts(path):
    return [text.text for text in ElementTree.parse(path).iter(f"{SVG}text")]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_what_bench_printed(tmp_path):
    source, picture = tmp_path / "bench.jsonl", tmp_path / "rates.svg"
    source.write_text(lines(BENCH))
    gecc.plot.draw(source, picture)
    names = ["ecdsa.verify, P-256, pageable", "ecdsa.sign, P-256, pageable"]
    assert titles(picture) == [f"{names[0]}: 1 rows, 9000 a second", f"{names[0]}: 64 rows, 200000 a second", f"{names[1]}: 1 rows, 30000 a second"]
    shown = texts(picture)
    assert "gecc 0.3.0, A <machine> & more, cpu (ifma, 1 thread), median of 7 runs" in shown and set(names) <= set(shown)
    circles = [(float(c.get("cx")), float(c.get("cy"))) for c in ElementTree.parse(picture).iter(f"{SVG}circle")]
    assert circles[0][0] < circles[1][0] and circles[0][1] > circles[1][1] and circles[0][0] == circles[2][0] and circles[2][1] < circles[0][1]
    assert all(80 <= x <= 640 and 30 <= y <= 480 for x, y in circles)


def test_any_columns(tmp_path):
    rows = [{"who": name, "n": n, "per second": n * 1000.5, "note": ""} for name in ("a", "b") for n in (4, 1, 2)]
    picture = tmp_path / "rates.svg"
    with open(tmp_path / "mine.csv", "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (tmp_path / "mine.txt").write_text("\n" + lines(rows))
    expected = [f"{name}: {n} rows, {n * 1000.5:.10g} a second" for name in ("a", "b") for n in (1, 2, 4)]
    for name in ("mine.csv", "mine.txt"):
        gecc.plot.draw(tmp_path / name, picture, batch="n", rate="per second", series=["who"], caption="one")
        assert titles(picture) == expected and "one" in texts(picture)
        gecc.plot.draw(str(tmp_path / name), picture, batch="n", rate="per second")
        assert {title.split(":")[0] for title in titles(picture)} == {name}
    gecc.plot.draw([tmp_path / "mine.csv", tmp_path / "mine.txt"], picture, batch="n", rate="per second")
    assert len(titles(picture)) == 12
    gecc.plot.draw({"a": [(1, 2), (0.5, 3e-4)], 7: [(1e9, 4e12)], "none": []}, picture)
    assert titles(picture) == ["a: 0.5 rows, 0.0003 a second", "a: 1 rows, 2 a second", "7: 1000000000 rows, 4e+12 a second"]
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "mine.parquet")
    gecc.plot.draw(tmp_path / "mine.parquet", picture, batch="n", rate="per second", series=["who"])
    assert titles(picture) == expected


def test_what_is_refused(tmp_path):
    source, picture = tmp_path / "rates.jsonl", tmp_path / "rates.svg"
    for rows, words in (([{"batch": 1}], "row 1: no value of 'items_per_second'; there are batch"), ([BENCH[1], {**BENCH[1], "batch": "x"}], "row 2: 'x' rows"),
                        ([{**BENCH[1], "items_per_second": 0}], "above zero"), ([{**BENCH[1], "batch": -1}], "above zero"), (BENCH[:1], "no rates"),
                        ([{**BENCH[1], "items_per_second": None}], "no value"), ([], "no rates")):  # fmt: skip
        source.write_text(lines(rows))
        with pytest.raises(ValueError, match=words):
            gecc.plot.draw(source, picture)
        assert not picture.exists()
    with pytest.raises(ValueError, match="no value of 'who'"):
        source.write_text(lines(BENCH))
        gecc.plot.draw(source, picture, series=["who"])
    with pytest.raises(ValueError, match="does not end in .svg"):
        gecc.plot.draw(source, tmp_path / "rates.png")


@pytest.mark.parametrize("text, words", [
    (b'{"batch":1.7e308,"items_per_second":1}', "row 1: 1.7e+308 rows, 1 a second, where numbers above zero and up to 1e+300"),
    (b'{"batch":1,"items_per_second":1}\n{"batch":1' + 400 * b"0" + b',"items_per_second":1}', "row 2: a number above 1e+300"),
    (b'{"batch":1' + 5000 * b"0" + b',"items_per_second":1}', "row 1: "),
    (b'{"batch":1,"items_per_second":1}\n\n{"batch":1,', "row 2: "), (b'{"batch":' + 200000 * b"[", "row 1: "),
    (b'{"batch":1,"items_per_second":1}\n[1]', "row 2: no JSON object"), (b' [{"batch":1}]', "a JSON array"),
    (b'{"batch":1,"batch":2,"items_per_second":1}', "row 1: 'batch' twice"), (b"\xef\xbb\xbfbatch\n1\n\xff\n", "line 3: not UTF-8"),
    (b"batch,n,n,items_per_second\n1,2,3,4\n", "the header: 'n' twice"),
    (b"batch,items_per_second\n1,2\n1,2,3\n", "row 2: fields: 3, of which the header has 2"),
    (b"batch,items_per_second,n\n1,2\n", "row 1: fields: 2, of which the header has 3"),
    (b"batch,items_per_second\n1,2\n\n1," + 140000 * b"2", "row 2: field larger than field limit"),
    (140000 * b"x" + b"\n", "the header: field larger"), (b"batch,items_per_second\n\n", "no rates"), (b"", "no rates")])  # fmt: skip
def test_files_that_cannot_be_read(tmp_path, text, words):
    """What is wrong is said of the file and the row, and a picture that was there stays."""
    source, picture = tmp_path / "rates.txt", tmp_path / "rates.svg"
    source.write_bytes(text)
    picture.write_text("before")
    with pytest.raises(ValueError) as error:
        gecc.plot.draw(source, picture)
    assert words in str(error.value) and (words == "no rates" or str(error.value).startswith(f"{source}: "))
    assert picture.read_text() == "before" and {path.name for path in tmp_path.iterdir()} == {"rates.txt", "rates.svg"}


def test_characters_that_xml_has_not(tmp_path):
    """Controls, halves of surrogate pairs and names of files that are no UTF-8 are shown as U+FFFD."""
    source, picture = tmp_path / os.fsdecode(b"r\xff.jsonl"), tmp_path / "rates.svg"
    source.write_text(lines([{"batch": 1, "items_per_second": 2}, {"batch": 4, "items_per_second": 2, "curve": "\x00\x1b<\ud800\uffff\U0001f600"}]))
    gecc.plot.draw(source, picture, caption="\x0b\t.")
    assert titles(picture) == ["r\ufffd.jsonl: 1 rows, 2 a second", "\ufffd\ufffd<\ufffd\ufffd\U0001f600: 4 rows, 2 a second"]
    assert "\ufffd\t." in texts(picture)


def test_a_picture_that_cannot_be_written(tmp_path, monkeypatch):
    picture = tmp_path / "rates.svg"
    gecc.plot.draw({"a": [(1, 2)]}, picture)
    before = picture.read_bytes()
    assert picture.stat().st_mode & 0o777 == 0o666 & ~_mask()

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        gecc.plot.draw({"b": [(1, 2)]}, picture)
    assert picture.read_bytes() == before and list(tmp_path.iterdir()) == [picture]


def _mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_as_a_program(tmp_path):
    source, picture = tmp_path / "bench.jsonl", tmp_path / "rates.svg"
    source.write_text(lines(BENCH))

    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "gecc.plot", *map(str, arguments)], capture_output=True, text=True, timeout=60)

    assert run(picture, source).returncode == 0 and len(titles(picture)) == 3
    assert run("--series", "operation", picture, source).returncode == 0 and "ecdsa.sign: 1 rows, 30000 a second" in titles(picture)
    done = run("--rate", "speed", picture, source)
    assert done.returncode == 2 and "no value of 'speed'" in done.stderr and "Traceback" not in done.stderr
    assert run(picture, tmp_path / "none").returncode == 2


def test_measure(tmp_path):
    """Of any file: batches that are smaller and larger than it; a row that cannot be read has no rate."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    signed = Signed("P-256", 5)
    columns = {"key": signed.public_key, "hash": signed.wrong, "signature": signed.signature}
    table = pa.table({name: pa.array([row.tobytes() for row in rows]) for name, rows in columns.items()})
    pq.write_table(table, tmp_path / "rows.parquet")
    texts_of = [{name: rows[i].tobytes().hex() for name, rows in columns.items()} for i in range(5)]
    (tmp_path / "rows.jsonl").write_text(lines(texts_of))
    (tmp_path / "rows.csv").write_text("\n".join([",".join(columns), *(",".join(row.values()) for row in texts_of)]))
    options = dict(curve="P-256", columns={"public_key": "key", "digest": "hash"}, seconds=0, batches=(1, 3, 12))
    for source in (table, *(tmp_path / f"rows.{form}" for form in ("parquet", "jsonl", "csv"))):
        rates = gecc.plot.measure("ecdsa.verify", source, **options)
        assert [rows for rows, _ in rates] == [1, 3, 12] and all(rate > 0 for _, rate in rates)
    gecc.plot.draw({"gecc": rates}, tmp_path / "rates.svg")
    assert len(titles(tmp_path / "rates.svg")) == 3
    (tmp_path / "rows.csv").write_text("key,hash,signature\n" + ",".join(texts_of[0].values()) + "\n00," + texts_of[1]["hash"] + ",00\n")
    with pytest.raises(ValueError, match="row 1: MALFORMED"):
        gecc.plot.measure("ecdsa.verify", tmp_path / "rows.csv", **options)
    with pytest.raises(ValueError, match="no rows"):
        gecc.plot.measure("ecdsa.verify", table.slice(0, 0), **options)
