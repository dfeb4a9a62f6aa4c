"""Rows on several curves: one table of rows and what they read, for every front of tables, SQL and the tool."""

import csv
import io
import os
import subprocess

import numpy as np
import pytest
from conftest import SEED, Signed

import gecc
from gecc import Status, _program

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
import gecc.arrow  # noqa: E402
import gecc.parquet  # noqa: E402
import gecc.ray  # noqa: E402
import gecc.spark  # noqa: E402

CURVES = gecc.OPERATIONS["ecdsa.verify"].curves
OTHERS = {"secp256k1": ["SECP256K1", "K-256", "1.3.132.0.10"], "P-256": ["prime256v1", "secp256r1", "nistp256"], "P-384": ["secp384r1"],
          "SM2": ["sm2p256v1"], "P-521": ["p521", "ansip521r1"], "brainpoolP256r1": ["BP256R1"]}  # fmt: skip
UNKNOWN = ["P-257", "", " P-256", "P-256 ", "secp224r1", "Curve25519", "ed25519", "0", "P\u2010256", "None", "x" * 300]
N = 240


@pytest.fixture(scope="module")
def rows():
    """{column: values} and what each row reads: right and wrong signatures on all curves, by all names, in any order."""
    random = np.random.default_rng(SEED)
    signed = {curve: Signed(curve, 20) for curve in CURVES}
    columns = {name: [] for name in ("curve", "public_key", "hash", "signature")}
    expected = []
    for row in range(N):
        curve = CURVES[random.integers(len(CURVES))] if row >= len(CURVES) else CURVES[row]
        of, i = signed[curve], int(random.integers(20))
        name, status = curve, of.expected[i]
        kind = row % 8
        if kind == 5:
            name = OTHERS.get(curve, [curve.lower()])[random.integers(len(OTHERS.get(curve, [0])))]
        elif kind == 6:
            name, status = UNKNOWN[row // 8 % len(UNKNOWN)], Status.MALFORMED_SELECTOR
        elif kind == 7:
            name, status = None, Status.NULL
        for column, value in zip(columns.values(), (name, of.public_key[i], of.wrong[i], of.signature[i])):
            column.append(value.tobytes() if isinstance(value, np.ndarray) else value)
        expected.append(int(status))
    assert {Status.OK, Status.INVALID, Status.NULL, Status.MALFORMED_SELECTOR} <= set(expected) and N >= 200
    return columns, expected


DIGEST = {"digest": "hash"}
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int16(), pa.string()), pa.dictionary(pa.uint8(), pa.large_string())]


def table_of(columns, kind=pa.string()):
    curve = pa.array(columns["curve"])
    if pa.types.is_dictionary(kind):
        curve = curve.cast(kind.value_type).dictionary_encode().cast(kind)
    else:
        curve = curve.cast(kind)
    return pa.table({**columns, "curve": curve})


def statuses(table):
    return table.column("status").to_pylist()


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_arrow(rows, kind):
    columns, expected = rows
    table = table_of(columns, kind)
    arguments = {"columns": DIGEST}
    assert statuses(gecc.arrow.run("ecdsa.verify", table, **arguments)) == expected
    for name, other in (("hash", pa.binary_view()), ("signature", pa.large_binary())):
        at = table.schema.get_field_index(name)
        assert statuses(gecc.arrow.run("ecdsa.verify", table.set_column(at, name, table[name].cast(other)), **arguments)) == expected
    assert statuses(gecc.arrow.run("ecdsa.verify", table.combine_chunks().to_batches()[0], **arguments)) == expected
    chunked = pa.concat_tables([table[:3], table[3:3], table[3:100], table[100:]])
    assert statuses(gecc.arrow.run("ecdsa.verify", chunked, **arguments)) == expected
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=17))
    result = gecc.arrow.run("ecdsa.verify", reader, **arguments).read_all()
    assert statuses(result) == expected and result.drop_columns(["status"]).equals(table)
    renamed = table.rename_columns(["curve_name", "public_key", "hash", "signature"])
    assert statuses(gecc.arrow.run("ecdsa.verify", renamed, columns=DIGEST | {"curve": "curve_name"})) == expected
    values = {name: columns[name][0] for name in ("public_key", "hash", "signature")}
    one = {"digest": values["hash"], "public_key": values["public_key"], "signature": values["signature"]}
    found = statuses(gecc.arrow.run("ecdsa.verify", table, columns=one))
    assert {status for name, status in zip(columns["curve"], found) if name == columns["curve"][0]} == {expected[0]} and len(found) == N
    with pytest.raises(TypeError, match="curve: ecdsa.verify needs one, or a column of names, as in columns="):
        gecc.arrow.run("ecdsa.verify", renamed, columns=DIGEST)


def test_frames(rows):
    columns, expected = rows
    for module in ("pandas", "polars"):
        frames = pytest.importorskip(module)
        assert gecc.arrow.run("ecdsa.verify", frames.DataFrame(columns), columns=DIGEST)["status"].to_list() == expected


def test_files(rows, tmp_path):
    columns, expected = rows
    pq.write_table(table_of(columns), tmp_path / "in.parquet")
    found = gecc.parquet.run("ecdsa.verify", tmp_path / "in.parquet", tmp_path / "out.parquet", columns=DIGEST, batch_rows=50)
    assert found == (N, expected.count(Status.OK)) and statuses(pq.read_table(tmp_path / "out.parquet")) == expected


def test_engines(rows, monkeypatch):
    """What their workers do with batches; the engines themselves are in test_ray and test_spark."""
    columns, expected = rows
    table = table_of(columns)
    assert statuses(gecc.ray.Operation("ecdsa.verify", columns=DIGEST)(table)) == expected
    monkeypatch.setattr(gecc.spark, "_place", lambda backend, threads: None)
    selected = {"curve": None, "hash": None, "modulus": None, "columns": DIGEST}
    found = list(gecc.spark._task("ecdsa.verify", iter(table.to_batches(max_chunksize=29)), None, None, selected, {}))
    assert [status for batch in found for status in statuses(batch)] == expected


def test_sql(rows):
    duckdb = pytest.importorskip("duckdb")
    import gecc.duckdb

    columns, expected = rows
    with duckdb.connect() as connection:
        gecc.duckdb.register(connection)
        connection.from_arrow(table_of(columns).append_column("row", pa.array(range(N)))).create("t")
        call = "(curve, public_key, hash, signature)"
        found = connection.sql(f"SELECT gecc_ecdsa_verify{call}, gecc_ecdsa_verify_status{call} FROM t ORDER BY row").fetchall()
        names = [Status(status).name for status in expected]
        assert [status for _, status in found] == names
        assert [valid for valid, _ in found] == [None if name == "NULL" else name == "OK" for name in names]
        verdicts = gecc.duckdb.run("ecdsa.verify", connection, "FROM t ORDER BY row", columns=DIGEST)
        assert [row[-1] for row in verdicts.fetchall()] == names


def test_the_tool_says_the_same(rows):
    if not os.path.exists(_program.TOOL):
        pytest.skip("the wheel was built without the tool")
    columns, expected = rows
    text = io.StringIO()
    csv.writer(text).writerows([("curve", "pub", "digest", "sig"), *zip(columns["curve"], *(map(bytes.hex, columns[name])
                                for name in ("public_key", "hash", "signature")))])  # fmt: skip
    found = subprocess.run([_program.TOOL, "verify", "--scheme", "ecdsa", "--format", "csv", "-q"], input=text.getvalue(),
                           capture_output=True, text=True, check=False)  # fmt: skip
    verdicts = [row["status"] for row in csv.DictReader(io.StringIO(found.stdout, newline=""))]
    wanted = {Status.OK: "valid", Status.INVALID: "invalid"}
    assert verdicts == [wanted.get(status, "malformed") for status in expected]


def test_a_curve_for_all_has_to_agree(rows):
    """Rows that say another curve are not judged on the one of the call; rows that say none are."""
    columns, expected = rows
    of = [curve if (curve := gecc._description.curve_named(name)) else name for name in columns["curve"]]
    for curve in CURVES:
        found = statuses(gecc.arrow.run("ecdsa.verify", table_of(columns), curve=curve, columns=DIGEST))
        for name, status, alone in zip(of, found, expected):
            assert name is None or status == (alone if name == curve else Status.MALFORMED_SELECTOR)
        assert any(status in (Status.OK, Status.INVALID) for status in found)
        nulls = [i for i, name in enumerate(of) if name is None]
        direct = gecc.ecdsa.verify(curve, *([columns[name][i] for i in nulls] for name in ("public_key", "hash", "signature")))
        assert [found[i] for i in nulls] == direct.tolist()


def test_operations_of_one_curve(rows):
    signed = Signed("SM2", 4)
    e = signed.digest
    signature = gecc.sm2.sign(signed.private_key, e).signature
    table = pa.table({"public_key": list(map(bytes, signed.public_key)), "e": list(map(bytes, e)), "signature": list(map(bytes, signature)),
                      "curve": ["SM2", "sm2p256v1", "P-256", None]})
    expected = [Status.OK, Status.OK, Status.MALFORMED_SELECTOR, Status.OK]
    for curve in (None, "SM2", "curveSM2"):
        assert statuses(gecc.arrow.run("sm2.verify", table, curve=curve)) == expected
    # A column that is no text is none of names.
    numbers = table.set_column(3, "curve", pa.array([1, 2, 3, 4]))
    assert statuses(gecc.arrow.run("sm2.verify", numbers)) == [Status.OK] * 4
    with pytest.raises(TypeError, match="columns: curve is of type int64, where names of a curve are text"):
        gecc.arrow.run("sm2.verify", numbers, columns={"curve": "curve"})


@pytest.mark.parametrize("engine_types", [False, True])
def test_results_of_several_widths(engine_types):
    """Outputs are binary where their width depends on the curve; rows without one are null; no rows are no rows."""
    names = ["P-384", "nope", "secp256k1", None, "P-384", "P-521"]
    keys = [(i + 1).to_bytes(66 if name == "P-521" else 48 if name == "P-384" else 32, "big") for i, name in enumerate(names)]
    table = pa.table({"private_key": keys, "curve": names})
    from gecc._table import TableOperation

    for rows in (table, table[:0], table[1:2], table[3:4], table[:1]):
        mapping = TableOperation("ec.public_key", table.schema, engine_types=engine_types, point_format="compressed")
        found = mapping.extend(rows, mapping.run(None, rows))
        assert found.schema == mapping.output_schema and found.schema.field("out").type == pa.binary()
        for name, key, out in zip(rows["curve"].to_pylist(), rows["private_key"].to_pylist(), found["out"].to_pylist()):
            good = name in gecc.CURVES
            assert out == (gecc.ec.public_key(name, key, point_format="compressed").out[0].tobytes() if good else None)
    mapping = TableOperation("ecdsa.sign", pa.schema([("private_key", pa.binary()), ("digest", pa.binary()), ("curve", pa.string())]),
                             engine_types=engine_types, der=True)  # fmt: skip
    data = pa.table({"private_key": keys, "digest": [b"d" * 32] * 6, "curve": names})
    found = mapping.extend(data, mapping.run(None, data))
    for name, key, signature in zip(names, keys, found["signature"].to_pylist()):
        assert signature == (gecc.ecdsa.sign(name, key, b"d" * 32, der=True).signature[0] if name in gecc.CURVES else None)


def test_widths_are_a_row_s_own(rows):
    """A width that a type gives to all rows is wrong for those of some curves, be they all."""
    signed = Signed("P-256", 4)
    fixed = {"public_key": pa.array(list(map(bytes, signed.public_key)), pa.binary(65)),
             "digest": pa.array([list(map(int, row)) for row in signed.digest], pa.list_(pa.uint8(), 32)),
             "signature": pa.array(list(map(bytes, signed.signature)), pa.binary(64))}
    good = gecc.ecdsa.verify("P-256", signed.public_key, signed.digest, signed.signature).tolist()
    for names in (["P-256", "P-384", "P-521", "P-256"], ["P-384"] * 4, ["P-256"] * 4):
        found = statuses(gecc.arrow.run("ecdsa.verify", pa.table(fixed | {"curve": names})))
        assert found == [status if name == "P-256" else Status.MALFORMED_WIDTH for name, status in zip(names, good)]
    with pytest.raises(gecc.ArgumentError, match="public_key: rows of 65 bytes"):
        gecc.arrow.run("ecdsa.verify", pa.table(fixed), curve="P-384")


def test_hashes(tmp_path):
    names = ["sha256", "sm3", None, "sha", "sha512"]
    table = pa.table({"message": [b"m"] * 5, "hash": names})
    found = gecc.arrow.run("digest", table)
    assert [value is None for value in found["digest"].to_pylist()] == [False, False, True, True, False]
    assert statuses(found) == [Status.OK, Status.OK, Status.NULL, Status.MALFORMED_SELECTOR, Status.OK]
    assert found["digest"][4].as_py() == gecc.digest("sha512", b"m").digest[0].tobytes()
    # With a hash for all, a column that happens to be called so is not looked at, unless it is named.
    assert statuses(gecc.arrow.run("digest", table, hash="sm3")) == [Status.OK] * 5
    assert statuses(gecc.arrow.run("digest", table, hash="sm3", columns={"hash": "hash"})) == [
        Status.MALFORMED_SELECTOR, Status.OK, Status.OK, Status.MALFORMED_SELECTOR, Status.MALFORMED_SELECTOR]
