"""The console script between text, which is the tool's, and files of Parquet and Arrow: an output's name decides its format."""

import base64
import csv
import io
import itertools
import json
import os
import re
import stat
import subprocess
import sys
import time

import pytest
from conftest import ROOT, Signed

import gecc
from gecc import Status

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
from gecc import _file_names, _program, _text_files  # noqa: E402

pytestmark = pytest.mark.skipif(not os.path.exists(_program.TOOL), reason="the wheel was built without the tool")

ENCODE = {"hex": bytes.hex, "base64": lambda value: base64.b64encode(value).decode(),
          "base64url": lambda value: base64.urlsafe_b64encode(value).decode().rstrip("=")}  # fmt: skip
N = 6
#: Endings of names, all that the tool leaves to the package.
PARQUET, ARROW, ARROW_STREAM = (".parquet", ".pq", ".parq"), (".arrow", ".feather", ".ipc"), (".arrows",)


@pytest.fixture(scope="module")
def rows():
    """Columns as the tool calls them; one digest is another's, one signature is malformed, one is not there."""
    signed = Signed("secp256k1", N)
    signature = [row.tobytes() for row in signed.signature]
    digest = [row.tobytes() for row in signed.digest]
    digest[2], signature[3], signature[4] = digest[0], signature[3][:10], None
    return {"note": [f'{i}, "a\nb", ü' for i in range(N)], "pub": [row.tobytes() for row in signed.public_key], "digest": digest,
            "sig": signature, "recid": signed.recovery_id[:, 0].tolist(), "priv": [row.tobytes() for row in signed.private_key],
            "height": list(range(N))}  # fmt: skip


#: (command, its columns, more arguments, results that are compared, what they are)
COMMANDS = {
    "verify": (("pub", "digest", "sig"), ["--curve", "secp256k1"]),
    "recover": (("digest", "sig", "recid"), ["--curve", "secp256k1"]),
    "digest": (("msg",), ["--hash", "sha256"]),
    "pubkey": (("priv",), ["--curve", "secp256k1"]),
}
STATUSES = {"verify": ["valid", "valid", "invalid", "malformed", "malformed", "valid"],
            "recover": ["ok", "ok", "ok", "malformed", "malformed", "ok"]}  # fmt: skip


def text_of(value, encoding):
    return "" if value is None else ENCODE[encoding](value) if isinstance(value, bytes) else str(value)


def write(path, columns, encoding):
    ending = path.suffix.lower()
    if ending == ".csv":
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([list(columns), *zip(*([text_of(value, encoding) for value in column]
                                                              for column in columns.values()))])  # fmt: skip
        return
    if ending == ".jsonl":
        lines = [dict(zip(columns, row)) for row in zip(*columns.values())]
        path.write_text("".join(json.dumps({name: text_of(value, encoding) if name not in ("recid", "height") else value
                                            for name, value in line.items()}) + "\n" for line in lines))
        return
    table = pa.table(columns) if "text" not in path.stem else pa.table(
        {name: [None if value is None else text_of(value, encoding) for value in column] if name != "height" else column
         for name, column in columns.items()})  # fmt: skip
    if ending in PARQUET:
        pq.write_table(table, path)
    else:
        with (pa.ipc.new_stream if ending in ARROW_STREAM else pa.ipc.new_file)(str(path), table.schema) as file:
            file.write_table(table)


def read(path):
    """[{name: text}]; bytes have to be those of the format that the name says."""
    start = path.read_bytes()[:6]
    ending = path.suffix.lower()
    assert (start[:4] == b"PAR1", start == b"ARROW1", start[:4] == b"\xff" * 4) == (
        ending in PARQUET, ending in ARROW, ending in ARROW_STREAM)  # fmt: skip
    if ending == ".csv":
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    if ending == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    return read_table(path).to_pylist()


def read_table(path):
    ending = path.suffix.lower()
    if ending in PARQUET:
        return pq.ParquetFile(path).read()
    return (pa.ipc.open_stream if ending in ARROW_STREAM else pa.ipc.open_file)(str(path)).read_all()


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["gecc", *map(str, arguments)])
    return _program.main()


SOURCES = ("in.csv", "in.jsonl", "in.parquet", "in-text.parquet", "in.arrow", "in-text.feather", "in.PARQUET", "in.Arrow")
OUTPUTS = ("out.csv", "out.jsonl", "out.parquet", "out.arrow", "out.Feather")
VARIANTS = [(source, output, command, encoding) for source, output, command, encoding
            in itertools.product(SOURCES, OUTPUTS, COMMANDS, ENCODE)
            if "csv" not in source + output or "jsonl" not in source + output
            if (source[-3:] in ("csv", "onl")) != (output[-3:] in ("csv", "onl"))]  # fmt: skip
assert len(VARIANTS) >= 200


@pytest.mark.parametrize("source", SOURCES)
def test_formats_are_what_names_say(monkeypatch, capfd, rows, tmp_path, source):
    """Every command from each format to each, with text in each encoding: verdicts and all other columns come through."""
    for _, output, command, encoding in (variant for variant in VARIANTS if variant[0] == source):
        names, options = COMMANDS[command]
        columns = {"note": rows["note"], **{name: rows["digest" if name == "msg" else name] for name in names}, "height": rows["height"]}
        write(tmp_path / source, columns, encoding)
        status = call(monkeypatch, command, *options, "--encoding", encoding, "-q", tmp_path / source, "-o", tmp_path / output)
        where = (source, output, command, encoding, capfd.readouterr().err)
        found = read(tmp_path / output)
        assert [row["note"] for row in found] == rows["note"] and [int(row["height"]) for row in found] == rows["height"], where
        expected = STATUSES.get(command, ["ok"] * N)
        assert [row["status"] for row in found] == expected, where
        assert status == (0 if expected == ["ok"] * N else 1), where
        if command == "digest":
            assert found[1]["digest"] == ENCODE[encoding](gecc.digest("sha256", rows["digest"]).digest[1].tobytes()), where
        elif command != "verify":
            results = [row["pub"] for row in found if row["status"] == "ok"]
            keys = gecc.ec.convert("secp256k1", rows["pub"], point_format="compressed").out
            wanted = {ENCODE[encoding](key.tobytes()) for key in keys} | {ENCODE[encoding](key) for key in rows["pub"]}
            assert len(set(results) & wanted) >= 3, where
        if command == "pubkey":
            assert stat.S_IMODE(os.stat(tmp_path / output).st_mode) in (0o600, 0o644), where
        assert sorted(os.listdir(tmp_path)) == sorted({source, output}), where
        os.unlink(tmp_path / output)


def test_json_is_json_lines(monkeypatch, capfd, rows, tmp_path):
    pq.write_table(pa.table({name: rows[name] for name in ("pub", "digest", "sig")}), tmp_path / "in.parquet")
    assert call(monkeypatch, "verify", "--curve", "K-256", "-q", tmp_path / "in.parquet", "-o", tmp_path / "out.json") == 1
    lines = (tmp_path / "out.json").read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == STATUSES["verify"], capfd.readouterr().err


def test_message_gives_way_to_digest(monkeypatch, capfd, rows, tmp_path):
    """A text that is called so, null or not, from tables to each format."""
    pq.write_table(pa.table({**{name: rows[name] for name in ("pub", "digest", "sig")}, "message": [None, *["hello"] * (N - 1)]}), tmp_path / "in.parquet")
    for output in ("out.csv", "out.jsonl"):
        assert call(monkeypatch, "verify", "--curve", "K-256", "-q", tmp_path / "in.parquet", "-o", tmp_path / output) == 1
        assert [row["status"] for row in read(tmp_path / output)] == STATUSES["verify"], capfd.readouterr().err
    assert call(monkeypatch, "verify", "--curve", "K-256", "--require", "msg", tmp_path / "in.parquet", "-o", tmp_path / "out.csv") == 2
    assert "is null" in capfd.readouterr().err


def test_names_of_columns(monkeypatch, capfd, rows, tmp_path):
    columns = {"public_key": rows["pub"], "hash32": rows["digest"], "signature": rows["sig"]}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    arguments = ("verify", "--curve", "K-256", tmp_path / "in.parquet")
    assert call(monkeypatch, *arguments, "-o", tmp_path / "out.csv") == 2
    assert "columns are missing" in capfd.readouterr().err
    assert not os.path.exists(tmp_path / "out.csv")
    for option in ("--map", "--column"):
        assert call(monkeypatch, *arguments, option, "digest=hash32", "-o", tmp_path / "out.csv") == 1
        found = read(tmp_path / "out.csv")
        assert [row["status"] for row in found] == STATUSES["verify"] and "public_key" in found[0]
        assert call(monkeypatch, *arguments, option, "digest=hash32,status=found", "-o", tmp_path / "out.parquet") == 1
        assert pq.read_table(tmp_path / "out.parquet")["found"].to_pylist()[:2] == [1, 1]
    assert call(monkeypatch, *arguments, "--map", "digest=a,message=b", "-o", tmp_path / "out.parquet") == 2


@pytest.mark.parametrize("arguments, text", [
    (["verify", "a.parquet", "b.arrow", "-o", "x.csv"], "one file is read and one written"),
    (["verify", "a.csv", "-o", "x.parquet", "-o", "y.parquet"], "one file is read and one written"),
    (["verify", "missing.parquet", "-o", "x.csv"], "missing.parquet"),
    (["verify", "in.parquet", "-o", "x.csv", "--format", "raw"], "can be written as csv or jsonl"),
    (["verify", "in.parquet", "-o", "x.csv", "--encoding", "rot13"], "--encoding: none of hex, base64, base64url"),
    (["verify", "in.csv", "-o", "x.parquet", "--nonsense"], "--nonsense"),
    (["verify", "twice.csv", "--curve", "P-256", "-o", "x.parquet"], "`sig` twice|name a twice|the name"),
])  # fmt: skip
def test_what_cannot_be_run(monkeypatch, capfd, rows, tmp_path, arguments, text):
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"pub": rows["pub"]}), "in.parquet")
    (tmp_path / "in.csv").write_text("pub,digest,sig\n")
    (tmp_path / "twice.csv").write_text("pub,digest,sig,a,a\n04,00,00,1,2\n")
    before = sorted(os.listdir())
    assert call(monkeypatch, *arguments) == 2
    error = capfd.readouterr().err
    assert re.search(text, error) and "Traceback" not in error
    assert sorted(os.listdir()) == before


def test_aliases_of_curves(monkeypatch, capfd, rows, tmp_path):
    pq.write_table(pa.table({"public_key": rows["pub"], "digest": rows["digest"], "signature": rows["sig"]}), tmp_path / "in.parquet")
    for curve in ("secp256k1", "K-256", "P-256K", "1.3.132.0.10", "SECP256K1"):
        assert call(monkeypatch, "verify", "--curve", curve, tmp_path / "in.parquet", "-o", tmp_path / "out.parquet") == 1
        assert pq.read_table(tmp_path / "out.parquet")["status"].to_pylist() == [1, 1, 2, Status.MALFORMED_WIDTH, Status.NULL, 1]
    with pytest.raises(SystemExit):
        call(monkeypatch, "verify", "--curve", "0" * 64, tmp_path / "in.parquet", "-o", tmp_path / "out.parquet")
    assert "0" * 32 not in capfd.readouterr().err


@pytest.mark.parametrize("ending", [f(ending) for ending in (*PARQUET, *ARROW, *ARROW_STREAM) for f in (str.lower, str.upper)])
def test_endings_that_the_tool_leaves_to_the_package(monkeypatch, capfd, rows, tmp_path, ending):
    """Text to a table, that to another, and the other to text; where it is compressed as a whole, it is named."""
    arguments = ("verify", "--curve", "secp256k1", "-q")
    table, other, text = tmp_path / f"in{ending}", tmp_path / f"out{ending}", tmp_path / "out.csv"
    write(tmp_path / "in.csv", {name: rows[name] for name in ("pub", "digest", "sig")}, "hex")
    assert call(monkeypatch, *arguments, tmp_path / "in.csv", "-o", table) == 1
    assert call(monkeypatch, "verify", "--curve", "secp256k1", table, "-o", other, "--column", "public_key=pub", "--column",
                "signature=sig", "--column", "status=found") == 1, capfd.readouterr().err
    assert call(monkeypatch, *arguments, table, "-o", text) == 1
    assert [row["status"] for row in read(table)] == [row["status"] for row in read(text)] == STATUSES["verify"]
    assert [row["found"] == Status.OK for row in read(other)] == [status == "valid" for status in STATUSES["verify"]]
    capfd.readouterr()
    for compression in (".gz", ".zst", ".GZ"):
        whole = f"{table}{compression}"
        for files in ((whole, "-o", text), (table, "-o", whole), (tmp_path / "in.csv", "-o", whole), (whole,)):
            assert call(monkeypatch, *arguments, *files) == 2
            assert f"{whole}: Parquet and Arrow are compressed inside" in capfd.readouterr().err


def test_endings_are_those_of_the_tool():
    listed = re.findall(r'\{"(\.\w+)", (parquet|arrow), false\}', (ROOT / "tools/gecc/files/magic.c").read_text())
    assert len(listed) >= 7 and {name for name, _ in listed} == {*_file_names.PARQUET, *_file_names.ARROW}
    assert all((name in _file_names.PARQUET) == (kind == "parquet") for name, kind in listed)


#: (command, options, the column of which null is not the empty value)
MAY_BE_EMPTY = [
    *((["sign", "--curve", "P-256", "--hash", "sha256"], name) for name in ("msg", "msg_text")),
    *((["sign", "--curve", "SM2"], name) for name in ("msg", "msg_text", "sm2_id", "sm2_id_hex")),
    *((["sign", "--scheme", "ed25519"], name) for name in ("digest", "msg", "ed25519_ctx", "ed25519_ctx_hex")),
    (["sign", "--scheme", "bip340"], "digest"), (["sign", "--scheme", "Schnorr"], "digest"), (["sign", "--curve", "Curve25519"], "digest"),
    (["digest", "--hash", "sha256"], "msg"),
    (["sign", "--curve", "P-256", "--hash", "sha256", "--map", "msg=text"], "text"),
]  # fmt: skip


@pytest.mark.parametrize("arguments, name", MAY_BE_EMPTY)
@pytest.mark.parametrize("bad", [0, 4])
def test_null_is_not_the_empty_value(monkeypatch, capfd, tmp_path, arguments, name, bad):
    """JSON Lines get null, and CSV, which has none, an error that names it. The empty value is the same in both."""
    columns = {"priv": [bytes(31) + b"\5"] * N, "msg": [b"ab"] * N}
    if name in ("msg_text", "digest", "text"):
        del columns["msg"]
    empty = "" if name in ("msg_text", "sm2_id", "ed25519_ctx") else b""
    source = tmp_path / "in.parquet"
    for value in (empty, None):
        columns[name] = [empty if row != bad else value for row in range(N)]
        pq.write_table(pa.table(columns), source, row_group_size=2)
        monkeypatch.setattr("gecc._text_files.BATCH_ROWS", 2)
        found = []
        for output in ("out.csv", "out.jsonl"):
            status = call(monkeypatch, *arguments, "-q", source, "-o", tmp_path / output)
            found.append((status, capfd.readouterr().err))
        if value is None:
            assert found[0][0] == 2 and f"row {bad + 1}: '{name}' is null, which CSV would make an empty value" in found[0][1]
            assert not (tmp_path / "out.csv").exists()
            result = read(tmp_path / "out.jsonl")
            assert all(result[row] != result[bad] for row in range(N) if row != bad) and result[bad][name] is None
        else:
            assert [status for status, _ in found] == [0, 0], found
            result = "digest" if arguments[0] == "digest" else "sig"
            assert len({row[result] for output in ("out.csv", "out.jsonl") for row in read(tmp_path / output)}) == 1
            for output in ("out.csv", "out.jsonl"):
                (tmp_path / output).unlink()


def test_null_where_no_value_is_empty(monkeypatch, rows, tmp_path):
    """Columns that a command only passes on, and those whose empty cell is malformed, may have nulls in CSV."""
    nulls = [None, *["00"] * (N - 1)]
    write(tmp_path / "in.parquet", {"priv": rows["priv"], "msg": nulls, "sm2_id": nulls, "note": nulls}, "hex")
    assert call(monkeypatch, "pubkey", "--curve", "secp256k1", "-q", tmp_path / "in.parquet", "-o", tmp_path / "out.csv") == 0
    write(tmp_path / "in.parquet", {name: rows[name] for name in ("pub", "sig")} | {"digest": [None, *rows["digest"][1:]]}, "hex")
    assert call(monkeypatch, "verify", "--curve", "K-256", "-q", tmp_path / "in.parquet", "-o", tmp_path / "out.csv") == 1
    assert [row["status"] for row in read(tmp_path / "out.csv")] == ["malformed", *STATUSES["verify"][1:]]


@pytest.mark.parametrize("source", ["in.csv", "in.jsonl"])
@pytest.mark.parametrize("ending", [*PARQUET, *ARROW, *ARROW_STREAM])
def test_output_without_rows(monkeypatch, capfd, rows, tmp_path, source, ending):
    """A table without rows: JSON Lines that are not there have no names of columns either."""
    good = {name: [rows[name][row] for row in (0, 1, 5)] for name in ("pub", "digest", "sig")}
    write(tmp_path / source, good, "hex")
    arguments = ("verify", "--curve", "secp256k1", "--only", "invalid", "-q", tmp_path / source, "-o", tmp_path / f"bad{ending}")
    assert call(monkeypatch, *arguments) == 0, capfd.readouterr().err
    table = read_table(tmp_path / f"bad{ending}")
    assert table.num_rows == 0 and set(table.column_names) >= (set(good) if source == "in.csv" else set())


def test_the_tool_is_not_told_that_rows_end_where_they_fail(monkeypatch, tmp_path):
    """An error of the rows ends the tool before its input does: what it would write then would look whole."""
    send = subprocess.Popen.send_signal

    def send_late(process, signal):
        time.sleep(0.5)  # In this time a tool whose input has ended would write its output.
        send(process, signal)

    def rows():
        yield b"a row\n"
        raise ValueError("the next cannot be read")

    monkeypatch.setattr(subprocess.Popen, "send_signal", send_late)
    whole = tmp_path / "whole"
    with pytest.raises(ValueError, match="the next cannot be read"):
        _text_files._feed(["sh", "-c", 'cat > /dev/null; : > "$0"', str(whole)], rows())
    assert not whole.exists()
