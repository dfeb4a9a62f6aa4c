"""gecc.arrow, gecc.parquet and the console script on small files."""

import os
import stat
import subprocess
import sys

import numpy as np
import pytest

import gecc
from gecc import Status

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
import gecc.arrow  # noqa: E402
import gecc.parquet  # noqa: E402
from gecc import _program  # noqa: E402


def fixed(rows):
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows.tobytes())])


@pytest.fixture
def table(signed):
    """Columns that pass through, of types that Parquet alone would not keep, beside those of signatures."""
    n = signed.n
    return pa.table({
        "height": pa.array(range(n), pa.int32()), "hash": fixed(signed.wrong), "public_key": fixed(signed.public_key),
        "tag": pa.array(["even", "odd"] * (n // 2)).dictionary_encode(), "when": pa.array(range(n), pa.timestamp("us", "UTC")),
        "nested": pa.array([{"a": [i, None]} for i in range(n)]),
        "signature": fixed(signed.signature).cast(pa.large_binary()),
    }).replace_schema_metadata({"from": "a test"})  # fmt: skip


DIGEST = {"digest": "hash"}


def check(signed, table, result):
    assert result.schema.metadata == table.schema.metadata
    assert result.drop_columns(["status"]).equals(table)
    assert result.column("status").type == pa.uint8() and result.column("status").to_pylist() == signed.expected


def test_table(signed, table):
    check(signed, table, gecc.arrow.run("ecdsa.verify", table, curve="P-256", columns=DIGEST))
    chunked = pa.concat_tables([table[:7], table[7:8], table[8:]])
    check(signed, table, gecc.arrow.run("ecdsa.verify", chunked, curve="P-256", columns=DIGEST))


def test_batch(signed, table):
    batch = table.combine_chunks().to_batches()[0]
    result = gecc.arrow.run("ecdsa.verify", batch, curve="P-256", columns=DIGEST)
    assert isinstance(result, pa.RecordBatch)
    check(signed, table, pa.Table.from_batches([result]))


def test_reader(signed, table):
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=6))
    result = gecc.arrow.run("ecdsa.verify", reader, curve="P-256", columns=DIGEST)
    assert isinstance(result, pa.RecordBatchReader)
    check(signed, table, result.read_all())


def test_results_are_null_where_there_are_none(signed, table):
    keys = pa.array([None if i == 5 else bytes(32) if i == 6 else row.tobytes() for i, row in enumerate(signed.private_key)])
    table = pa.table({"private_key": keys, "digest": table["hash"]})
    for der in (False, True):
        result = gecc.arrow.run("ecdsa.sign", table, curve="P-256", der=der, columns={"status": "came"})
        assert result.schema.names == ["private_key", "digest", "signature", "recovery_id", "came"]
        assert result["signature"].type == (pa.binary() if der else pa.binary(64)) and result["recovery_id"].type == pa.uint8()
        assert result["came"][5].as_py() == Status.NULL and result["came"][6].as_py() == Status.MALFORMED_SCALAR
        for name in ("signature", "recovery_id"):
            assert [i for i, value in enumerate(result[name].to_pylist()) if value is None] == [5, 6]
    direct = gecc.ecdsa.sign("P-256", signed.private_key, signed.wrong, der=True)
    assert result["signature"].to_pylist()[7:] == direct.signature.tolist()[7:]


def test_one_value_for_all(signed, table):
    columns = {"digest": bytes(32), "public_key": signed.public_key[0].tobytes(), "signature": signed.signature[0].tobytes()}
    result = gecc.arrow.run("ecdsa.verify", table, curve="P-256", columns=columns)
    assert result.num_rows == signed.n and set(result["status"].to_pylist()) == {Status.INVALID}


def test_nothing(table):
    empty = gecc.arrow.run("ecdsa.verify", table[:0], curve="P-256", columns=DIGEST)
    assert empty.num_rows == 0 and empty.schema.names[-1] == "status"


@pytest.mark.parametrize("arguments, error, text", [
    ({"operation": "ecdsa.forge"}, ValueError, "operation: 'ecdsa.forge' is none of"),
    ({"curve": None}, TypeError, "curve: ecdsa.verify needs one"),
    ({"curve": "P-257"}, ValueError, "curve: 'P-257'"),
    ({"hash": "sha256"}, ValueError, "hash: means nothing to ecdsa.verify"),
    ({"columns": None}, ValueError, "columns: no one column is called 'digest', which digest is to be read from"),
    ({"columns": DIGEST | {"key": "public_key"}}, ValueError, "columns: ecdsa.verify has no column 'key'"),
    ({"columns": DIGEST | {"status": "height"}}, ValueError, "columns: 'height' cannot be the name of a result"),
    ({"columns": DIGEST | {"signature": 5}}, TypeError, "columns: signature is int"),
    ({"columns": {"digest": "height"}}, TypeError, "digest: an Arrow column of format 'i'"),
    ({"any_s": True}, TypeError, "any_s: means nothing to ecdsa.verify; there is der, low_s"),
])
def test_bad_arguments(table, arguments, error, text):
    with pytest.raises(error, match=text):
        gecc.arrow.run(**{"operation": "ecdsa.verify", "data": table, "curve": "P-256", "columns": DIGEST} | arguments)


def test_parquet(signed, table, tmp_path):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source, row_group_size=13, compression="ZSTD")
    calls = []
    summary = gecc.parquet.run("ecdsa.verify", source, target, curve="P-256", columns=DIGEST, batch_rows=9,
                               progress=lambda done, rows: calls.append((done, rows)))
    assert summary == (40, 38) and calls[0] == (0, 40) and calls[-1] == (40, 40)
    check(signed, table, pq.read_table(target))
    metadata = pq.read_metadata(target).row_group(0)
    assert metadata.column(0).compression == "ZSTD" and metadata.num_rows <= 9
    assert set(os.listdir(tmp_path)) == {"in.parquet", "out.parquet"}


def test_a_run_that_fails_leaves_nothing(table, tmp_path):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source, row_group_size=10)
    target.write_text("as it was")

    def stop(done, rows):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gecc.parquet.run("ecdsa.verify", source, target, curve="P-256", columns=DIGEST, batch_rows=10, progress=stop)
    with pytest.raises(gecc.ArgumentError, match="signature: rows of 65 bytes"):
        gecc.parquet.run("ecdsa.verify", source, target, curve="P-256", columns=DIGEST | {"signature": "public_key"})
    assert target.read_text() == "as it was" and len(os.listdir(tmp_path)) == 2
    with pytest.raises(ValueError, match="does not end in .parquet"):
        gecc.parquet.run("ecdsa.verify", source, tmp_path / "out.csv", curve="P-256")
    with pytest.raises(FileNotFoundError):
        gecc.parquet.run("ecdsa.verify", tmp_path / "none.parquet", target, curve="P-256")


def test_files_with_secrets_are_private(signed, tmp_path):
    source = tmp_path / "keys.parquet"
    pq.write_table(pa.table({"private_key": fixed(signed.private_key), "digest": fixed(signed.digest)}), source)
    public = {"hash": "sha256", "columns": {"message": "digest", "digest": "hash"}}
    os.umask(mask := os.umask(0))
    for operation, selected, mode in (("ecdsa.sign", {"curve": "P-256"}, 0o600), ("digest", public, 0o666 & ~mask)):
        gecc.parquet.run(operation, source, tmp_path / "out.parquet", **selected)
        assert stat.S_IMODE(os.stat(tmp_path / "out.parquet").st_mode) == mode


def program(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "gecc._program", *map(str, arguments)], capture_output=True, text=True, **options)


def test_program_on_files(signed, table, tmp_path):
    pq.write_table(table, tmp_path / "in.parquet")
    for steps in (["in.parquet", "out.parquet"], ["in.parquet", "out.arrow"], ["out.arrow", "again.parquet"]):
        name = "status" if steps[0] == "in.parquet" else "status2"
        done = program("verify", "--curve", "P-256", "--column", "digest=hash", "--column", f"status={name}", tmp_path / steps[0],
                       "-o", tmp_path / steps[1])
        assert (done.returncode, done.stderr) == (1, "gecc: 40 rows, 38 ok\n")
    again = pq.read_table(tmp_path / "again.parquet")
    assert again["status"].equals(again["status2"]) and again["nested"].equals(table["nested"])
    done = program("verify", tmp_path / "in.parquet", "-o", tmp_path / "out.parquet", "--curve", "P-256")
    assert done.returncode == 2 and "no one column is called 'digest'" in done.stderr and "Traceback" not in done.stderr
    done = program("forge", tmp_path / "in.parquet", "-o", tmp_path / "out.parquet")
    assert done.returncode == 2 and "no operation is called 'forge'" in done.stderr


@pytest.mark.parametrize(("name", "curve", "scheme", "operation"), [
    ("verify", "P-256", None, "ecdsa.verify"), ("verify", "SM2", None, "sm2.verify"), ("verify", None, "bip340", "schnorr.verify"),
    ("recover", "secp256k1", None, "ecdsa.recover"), ("public_key", "P-256", None, "ec.public_key"),
    ("public_key", None, "bip340", "schnorr.public_key"), ("digest", None, None, "digest"), ("mul", "SM2", None, "ec.mul"),
    ("schnorr.sign", None, None, "schnorr.sign"), ("recover", None, "sm2", None), ("forge", None, None, None)])  # fmt: skip
def test_names_of_operations(name, curve, scheme, operation):
    if operation:
        assert _program._operation(name, curve, scheme).name == operation
    else:
        with pytest.raises(ValueError, match="no operation is called"):
            _program._operation(name, curve, scheme)


def test_program_runs_the_tool():
    if not os.path.exists(_program.TOOL):
        pytest.skip("the wheel was built without the tool")
    assert program("--version").stdout.startswith("gecc 0.")
    done = program("digest", "--hash", "sha256", input="msg\n616263\n")
    assert "ba7816bf8f01cfea" in done.stdout and done.returncode == 0


def test_progress_bar(capsys):
    from gecc._progress import Bar

    bar = Bar("ecdsa.verify")
    for done in (0, 50, 100):
        bar(done, 100)
    text = capsys.readouterr().err
    assert text.endswith("\x1b[K\n") and "[##############################] 100 of 100 rows" in text


def test_many_batches_in_order(signed, tmp_path):
    """Batches of a stream are given on in their order, whatever the order they are done in."""
    values = np.arange(3000, dtype=">u8").view(np.uint8).reshape(-1, 8)
    table = pa.table({"message": fixed(values)})
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=17))
    result = gecc.arrow.run("digest", reader, hash="sm3").read_all()
    assert result["message"].equals(table["message"])
    assert np.array_equal(np.frombuffer(b"".join(result["digest"].to_pylist()), np.uint8).reshape(-1, 32),
                          gecc.digest("sm3", values).digest)
