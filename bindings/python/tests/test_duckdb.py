"""gecc.duckdb: functions of SQL, and relations, in DuckDB itself."""

import base64
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, Signed

import gecc
from gecc import Status

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
import gecc.duckdb  # noqa: E402

#: What DuckDB raises where a function refuses its call.
REFUSED = duckdb.InvalidInputException
COLUMNS = {"digest": "hash"}


@pytest.fixture
def connection(request):
    """A database with two threads, or as many as whatever_threads says."""
    with duckdb.connect() as found:
        found.execute(f"SET threads = {getattr(request, 'param', 2)}")
        gecc.duckdb.register(found)
        yield found


whatever_threads = pytest.mark.parametrize("connection", [1, 2, 4], ids="{}-threads".format, indirect=True)


def blobs(rows):
    return pa.array([row if row is None else bytes(row) for row in rows], pa.binary())


def fill(connection, times=1, **columns):
    """A table t of a row's number and these columns, so many times over."""
    table = pa.concat_tables([pa.table(columns)] * times)
    table = table.add_column(0, "row", pa.array(range(len(table))))
    connection.from_arrow(table).create("t")


def fill_signed(connection, signed, times=1, **others):
    fill(connection, times, public_key=blobs(signed.public_key), hash=blobs(signed.wrong), signature=blobs(signed.signature),
         recovery_id=pa.array(signed.recovery_id.ravel().astype(int)), **others)


def names(statuses):
    return [Status(status).name for status in statuses]


def fetch(connection, sql):
    """The rows of a query, one value each where it has one column."""
    rows = connection.sql(sql).fetchall()
    return [row[0] for row in rows] if rows and len(rows[0]) == 1 else rows


# Functions.


@pytest.mark.parametrize("curve", gecc.OPERATIONS["ecdsa.verify"].curves)
def test_every_curve(connection, curve):
    signed = Signed(curve, 20)
    fill_signed(connection, signed, 150)
    found = fetch(connection, f"SELECT gecc_ecdsa_verify('{curve}', public_key, hash, signature), "
                              f"gecc_ecdsa_verify_status('{curve}', public_key, hash, signature) FROM t ORDER BY row")  # fmt: skip
    assert found == [(status == Status.OK, status.name) for status in signed.expected] * 150
    found = fetch(connection, f"SELECT gecc_ecdsa_recover('{curve}', hash, signature, recovery_id) FROM t WHERE row < 20 "
                              "ORDER BY row")  # fmt: skip
    key, status = gecc.ecdsa.recover(curve, signed.wrong, signed.signature, signed.recovery_id)
    assert found == [row.tobytes() if ok == Status.OK else None for row, ok in zip(key, status)]


def test_every_operation_has_two_functions(connection):
    """Named by the operation, with its arguments in its order, but those on sets of keys."""
    found = dict(fetch(connection, "SELECT function_name, parameters FROM duckdb_functions() "
                                   "WHERE starts_with(function_name, 'gecc_')"))  # fmt: skip
    wanted = [operation for operation in gecc.OPERATIONS.values() if operation.selector != "keys"]
    assert len(found) == 2 * len(wanted)
    for operation in wanted:
        name = "gecc_" + operation.name.replace(".", "_")
        first = [operation.selector] if operation.takes_selector else []
        first += [column.name for column in operation.inputs if not column.is_optional]
        for function in (name, name + "_status"):
            assert found[function][: len(first)] == first and set(operation.flags) <= set(found[function])


def test_malformed_rows_and_nulls(connection, signed):
    keys, signatures = list(signed.public_key[:6]), list(signed.signature[:6])
    keys[1], keys[2], signatures[4], signatures[5] = b"", bytes(65), None, b"\xff" * 64
    hashes = blobs(signed.digest[:6])
    fill(connection, public_key=blobs(keys), hash=hashes, signature=blobs(signatures))
    expected = gecc.ecdsa.verify("P-256", keys, hashes, signatures)
    assert expected[0] == expected[3] == Status.OK and expected[4] == Status.NULL
    assert all(Status(expected[i]).is_malformed for i in (1, 2, 5))
    call = "('P-256', public_key, hash, signature)"
    found = fetch(connection, f"SELECT gecc_ecdsa_verify{call}, gecc_ecdsa_verify_status{call} FROM t ORDER BY row")
    assert found == list(zip([True, False, False, True, None, False], names(expected)))
    assert fetch(connection, f"SELECT row FROM t WHERE NOT gecc_ecdsa_verify{call} ORDER BY row") == [1, 2, 5]
    assert fetch(connection, f"SELECT row FROM t WHERE gecc_ecdsa_verify{call} ORDER BY row") == [0, 3]


def test_results(connection):
    """One result is what the function gives, several are a STRUCT, one byte is a number; NULL where there is none."""
    values = "(VALUES ('616263'), ('')) AS v(message)"
    assert fetch(connection, f"SELECT hex(gecc_digest('sha256', unhex(message))) FROM {values}") == [
        gecc.digest("sha256", [message]).digest[0].tobytes().hex().upper() for message in (b"abc", b"")]
    assert fetch(connection, "SELECT gecc_digest('sha256', encode('abc')) = unhex(sha256('abc')), gecc_digest('sha256', NULL)") == [
        (True, None)]
    x = gecc.schnorr.public_key(bytes(31) + b"\x05").public_key
    tweaked, parity, _ = gecc.schnorr.tweak_public_key(x)
    fill(connection, x=blobs([x[0], bytes(32), None]))
    found = fetch(connection, "SELECT gecc_schnorr_tweak_public_key(x), gecc_schnorr_tweak_public_key_status(x) FROM t ORDER BY row")
    assert found[0] == ({"tweaked": tweaked[0].tobytes(), "parity": int(parity.ravel()[0])}, "OK")
    assert found[1][0] is None and found[1][1].startswith("MALFORMED_POINT") and found[2] == (None, "NULL")
    assert fetch(connection, "SELECT typeof(gecc_schnorr_tweak_public_key(x).parity) FROM t LIMIT 1") == ["UTINYINT"]


def test_options(connection, signed):
    private_key = signed.private_key[0].tobytes()
    signature = gecc.ecdsa.sign("secp256k1", private_key, signed.digest[:4], der=True).signature.tolist()
    key = gecc.ec.public_key("secp256k1", private_key, point_format="compressed").out[0].tobytes()
    fill(connection, public_key=blobs([key] * 4), hash=blobs(signed.digest[:4]), signature=blobs(signature))
    call = "gecc_ecdsa_verify('secp256k1', public_key, hash, signature"
    assert fetch(connection, f"SELECT {call}, der := true) FROM t") == [True] * 4
    found = fetch(connection, "SELECT DISTINCT gecc_ec_convert('secp256k1', public_key, point_format := 'compressed'), "
                              "octet_length(gecc_ec_convert('secp256k1', public_key)) FROM t")  # fmt: skip
    assert found == [(key, 65)]


def test_arguments_that_differ_by_row(connection):
    """A curve or an option may be a column; what may be left out is where it is NULL."""
    both = [Signed(curve, 10) for curve in ("P-256", "secp256k1")]
    fill(connection, 2, curve=pa.array([signed.curve for i in range(10) for signed in both]),
         public_key=blobs(signed.public_key[i] for i in range(10) for signed in both),
         hash=blobs(signed.wrong[i] for i in range(10) for signed in both),
         signature=blobs(signed.signature[i] for i in range(10) for signed in both))  # fmt: skip
    found = fetch(connection, "SELECT gecc_ecdsa_verify_status(curve, public_key, hash, signature) FROM t ORDER BY row")
    assert found == names(signed.expected[i] for i in range(10) for signed in both) * 2
    assert fetch(connection, "SELECT gecc_ecdsa_verify_status(curve, public_key, hash, signature, der := row > 1) FROM t "
                             "ORDER BY row LIMIT 3") == ["OK", "OK", "MALFORMED_SIGNATURE_ENCODING"]  # fmt: skip
    x = gecc.schnorr.public_key(bytes(31) + b"\x05").public_key[0].tobytes()
    root = bytes(range(32))
    connection.execute("CREATE TABLE roots AS SELECT * FROM (VALUES (1, $root::BLOB), (2, NULL)) AS v(n, root)", {"root": root})
    found = connection.execute("SELECT gecc_schnorr_tweak_public_key($x::BLOB, merkle_root := root).tweaked FROM roots ORDER BY n",
                               {"x": x}).fetchall()
    assert found == [(gecc.schnorr.tweak_public_key(x, merkle_root=root).tweaked[0].tobytes(),),
                     (gecc.schnorr.tweak_public_key(x).tweaked[0].tobytes(),)]


def test_numbers_that_are_no_byte(connection, signed):
    fill_signed(connection, signed)
    call = "gecc_ecdsa_recover_status('P-256', hash, signature, {}) FROM t WHERE row = 0"
    for number, status in (("recovery_id", "OK"), ("recovery_id::UTINYINT", "OK"), ("-1", "MALFORMED_RECOVERY_ID"),
                           ("300", "MALFORMED_RECOVERY_ID"), ("NULL", "NULL")):  # fmt: skip
        assert fetch(connection, "SELECT " + call.format(number)) == [status]


def test_both_functions_compute_once(connection, signed, monkeypatch):
    fill_signed(connection, signed)
    rows, run = [], gecc.duckdb._Function._run
    monkeypatch.setattr(gecc.duckdb._Function, "_run", lambda self, call, table: rows.append(len(table)) or run(self, call, table))
    call = "('P-256', public_key, hash, signature)"
    fetch(connection, f"SELECT gecc_ecdsa_verify{call}, gecc_ecdsa_verify_status{call} FROM t")
    assert sum(rows) == signed.n


def test_no_rows(connection):
    connection.execute("CREATE TABLE t (public_key BLOB, digest BLOB, signature BLOB)")
    assert fetch(connection, "SELECT gecc_ecdsa_verify('P-256', public_key, digest, signature) FROM t") == []
    assert fetch(connection, "SELECT gecc_ecdsa_verify('P-256', public_key, digest, signature) FROM t WHERE false") == []
    found = gecc.duckdb.run("ecdsa.verify", connection, "FROM t", curve="P-256")
    assert found.columns == ["public_key", "digest", "signature", "status"] and found.fetchall() == []


@pytest.mark.parametrize("call, error, text", [
    ("gecc_ecdsa_verify('P-257', public_key, hash, signature)", REFUSED, "curve: 'P-257' is none of secp256k1, P-256"),
    ("gecc_ecdsa_verify(NULL, public_key, hash, signature)", REFUSED, "curve: ecdsa.verify needs one"),
    ("gecc_digest('sha', hash)", REFUSED, "hash: 'sha' is none of"),
    ("gecc_ec_convert('P-256', public_key, point_format := 'hex')", REFUSED, "point_format: 'hex' is none of"),
    ("gecc_mod_add(hash, hash, hash)", REFUSED, "allow_secrets: mod.add works on secrets"),
    ("gecc_ecdsa_verify('P-256', public_key, hash)", duckdb.BinderException, "curve, public_key, digest, signature, der := false"),
    ("gecc_ecdsa_verify('P-256', public_key, hash, signature, any_s := true)", duckdb.BinderException, "low_s := false"),
    ("gecc_ecdsa_verify('P-256', public_key, row, signature)", REFUSED, "digest: BIGINT, where BLOB or VARCHAR in hexadecimal is wanted"),
    ("gecc_ecdsa_verify('P-256', [1], hash, signature)", REFUSED, r"public_key: INTEGER\[\], where BLOB or VARCHAR"),
    ("gecc_ecdsa_verify('P-256', 'text', hash, signature)", REFUSED, "public_key: text that is not hexadecimal.*gecc_ecdsa_verify_status"),
    ("gecc_ecdsa_recover('P-256', hash, signature, 1.5)", REFUSED, "recovery_id: DECIMAL.*, where an integer is wanted"),
    ("gecc_digest('sha256', 'abc')", REFUSED, "message: VARCHAR, where BLOB, which encode\\(message\\) makes of text and unhex"),
    ("gecc_ecdsa_verify('P-256,low_s', public_key, hash, signature)", REFUSED, "curve: 'P-256,low_s' is none of"),
    ("gecc_ecdsa_verify('P-256 low_s=', public_key, hash, signature)", REFUSED, "curve: 'P-256 low_s=' is none of"),
])
def test_bad_arguments(connection, signed, call, error, text):
    fill_signed(connection, signed)
    with pytest.raises(error, match=text):
        fetch(connection, f"SELECT {call} FROM t")
    assert fetch(connection, "SELECT count(*) FROM t WHERE gecc_ecdsa_verify('P-256', public_key, hash, signature)") == [
        signed.expected.count(Status.OK)]


def test_secrets(connection, signed):
    fill(connection, private_key=blobs(signed.private_key), digest=blobs(signed.digest))
    sign = "SELECT gecc_ecdsa_sign('P-256', private_key, digest) FROM t ORDER BY row"
    with pytest.raises(REFUSED, match="allow_secrets: ecdsa.sign works on secrets"):
        fetch(connection, sign)
    with pytest.raises(REFUSED, match="public_scalars=True if they are public"):
        fetch(connection, "SELECT gecc_ec_mul_base('P-256', private_key) FROM t")
    public = fetch(connection, "SELECT gecc_ec_mul_base('P-256', private_key, public_scalars := true) FROM t ORDER BY row")
    assert public == [row.tobytes() for row in signed.public_key]
    with pytest.raises(ValueError, match="allow_secrets: ecdsa.sign works on secrets"):
        gecc.duckdb.run("ecdsa.sign", connection, "FROM t", curve="P-256")
    gecc.duckdb.register(connection, allow_secrets=True)
    assert [row["signature"] for row in fetch(connection, sign)] == [row.tobytes() for row in signed.signature]
    found = gecc.duckdb.run("ecdsa.sign", connection, "FROM t", curve="P-256", allow_secrets=True)
    assert {row[0] for row in found.select("signature").fetchall()} == {row.tobytes() for row in signed.signature}
    assert fetch(connection, "SELECT gecc_ecdsa_sign_status('P-256', private_key, digest) FROM t") == ["OK"] * signed.n
    # What one connection may does not make another's functions do it.
    cursor = connection.cursor()
    gecc.duckdb.register(cursor)
    with pytest.raises(REFUSED, match="allow_secrets"):
        fetch(cursor, sign)


#: What a connection can ask DuckDB about functions, settings and queries.
CATALOG = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table' AND function_name LIKE 'duckdb%'"


def test_functions_with_secrets_are_their_connections_alone(connection, signed):
    """Another connection of the database can neither call the functions that one was given nor read what they are called with."""
    other = connection.cursor()
    gecc.duckdb.register(other, allow_secrets=True)
    assert fetch(other, "SELECT gecc_digest_status('sha256', ''::BLOB)") == ["OK"]
    functions = gecc.duckdb._functions.values()
    mine = [function for function in functions if function.allow_secrets and function.context is None]
    assert {function.operation.name for function in mine} == {name for name, found in gecc.OPERATIONS.items() if found.selector != "keys"}
    blob = f"'{'1' * 32}'::BLOB"
    for function in mine:
        assert len(function.token) == 32
        arguments = ", ".join("1" if kind == "BIGINT" else blob for kind in function.parameters[1:])
        for call in ("", "curve=502D323536", "curve=502D323536 token=", f"token={'0' * 32} curve=502D323536", "token", "TOKEN=", "token=é",
                     f"curve=502D323536 token={function.token[:-1]}", f"token={function.token[::-1]}", f"tok={function.token}"):
            with pytest.raises(REFUSED, match=f"{function.inner}: not called by|not supported"):
                fetch(connection, f"SELECT {function.inner}('{call}', {arguments})")
    tokens = {function.token for function in mine}
    assert len(tokens) == len(mine)
    for name in fetch(connection, CATALOG):
        try:
            found = repr(connection.sql(f"FROM {name}()").fetchall())
        except duckdb.Error:
            continue
        assert not any(token in found for token in tokens), name
    assert any(token in repr(other.sql("FROM duckdb_functions()").fetchall()) for token in tokens)


# Curves, text and forms.


def test_curves_of_rows(connection, signed):
    """A name that is none, or none of the operation's, and NULL are the row's own; a literal is for all rows, and is an error."""
    curves = ["P-256", "prime256v1", "nistp256", "1.2.840.10045.3.1.7", None, "P-257", "", "Curve25519", "P-256\0", "P-384", "p-256 "]
    expected = ["OK"] * 4 + ["NULL"] + ["MALFORMED_SELECTOR"] * 4 + ["MALFORMED_WIDTH", "MALFORMED_SELECTOR"]
    n = len(curves)
    fill(connection, 200, curve=pa.array(curves), public_key=blobs(signed.public_key[:1]) .take(pa.array([0] * n)),
         hash=blobs(signed.digest[:1]).take(pa.array([0] * n)), signature=blobs(signed.signature[:1]).take(pa.array([0] * n)))
    found = fetch(connection, "SELECT gecc_ecdsa_verify(curve, public_key, hash, signature), "
                              "gecc_ecdsa_verify_status(curve, public_key, hash, signature) FROM t ORDER BY row")  # fmt: skip
    expected[9] = found[9][1]
    assert expected[9].startswith("MALFORMED")  # a key of P-256 under P-384
    assert found == [(None if status == "NULL" else status == "OK", status) for status in expected] * 200
    assert fetch(connection, "SELECT gecc_ecdsa_recover(curve, hash, signature, 0) IS NULL FROM t WHERE row IN (4, 5) ORDER BY row") == [
        True, True]
    assert fetch(connection, "SELECT gecc_ecdsa_verify_status(curve, public_key, hash, signature) FROM t WHERE row = 5") == [
        "MALFORMED_SELECTOR"]
    verdicts = gecc.duckdb.run("ecdsa.verify", connection, "FROM t ORDER BY row", columns={"digest": "hash"})
    assert [row[-1] for row in verdicts.fetchall()] == expected * 200


def test_hashes_of_rows(connection):
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES (0, 'sha256'), (1, NULL), (2, 'nonsense'), (3, 'sm3')) AS v(row, hash)")
    found = fetch(connection, "SELECT gecc_digest(hash, 'abc'::BLOB), gecc_digest_status(hash, 'abc'::BLOB) FROM t ORDER BY row")
    assert [status for _, status in found] == ["OK", "NULL", "MALFORMED_SELECTOR", "OK"]
    assert [value is None for value, _ in found] == [False, True, True, False]


@pytest.mark.parametrize("column, form, text", [
    ("signature", "der", "signature: signatures in DER, where r || s is wanted: der := true takes DER; gecc_ecdsa_verify_status says"),
    *((column, "hex", f"{column}: hexadecimal digits in a BLOB, where the bytes are wanted: unhex")
      for column in ("public_key", "digest", "signature")),
    *((column, "base64", f"{column}: base64 in a BLOB, where the bytes are wanted: from_base64")
      for column in ("public_key", "digest", "signature")),
    *((column, "zz", f"{column}: text that is not hexadecimal") for column in ("public_key", "digest", "signature")),
])
def test_an_argument_that_is_right_for_no_row(connection, signed, column, form, text):
    """An error of the function, though not of its status; one row that is right, or in another form, is enough to say nothing."""
    good = {"public_key": signed.public_key, "digest": signed.digest, "signature": signed.signature}
    good = {name: [row.tobytes() for row in rows] for name, rows in good.items()}
    ders = gecc.ecdsa.sign("P-256", signed.private_key, signed.digest, der=True).signature.tolist()
    make = {"der": lambda rows: ders, "hex": lambda rows: [row.hex().encode() for row in rows],
            "base64": lambda rows: [base64.b64encode(row) for row in rows], "zz": lambda rows: [f"zz{row.hex()}" for row in rows]}[form]
    bad = make(good[column])
    columns = {name: blobs(rows) for name, rows in (good | {column: [] if form == "zz" else bad}).items() if rows}
    fill(connection, **(columns | ({column: pa.array(bad)} if form == "zz" else {})))
    call = "('P-256', public_key, digest, signature)"
    for where in ("", " WHERE row = 3"):
        with pytest.raises(duckdb.Error, match=re.escape(text)):
            fetch(connection, f"SELECT gecc_ecdsa_verify{call} FROM t{where}")
        with pytest.raises(duckdb.Error, match="gecc_ecdsa_verify_status says what is wrong with each row"):
            fetch(connection, f"SELECT count(*) FROM t WHERE gecc_ecdsa_verify{call}")
    found = fetch(connection, f"SELECT gecc_ecdsa_verify_status{call} FROM t")
    assert "OK" not in found and len(found) == signed.n
    if form == "zz":
        assert found == ["MALFORMED_TEXT"] * signed.n
        return
    connection.execute("CREATE TABLE u AS SELECT * FROM t")
    connection.execute(f"UPDATE u SET {column} = $row::BLOB WHERE row = 0", {"row": good[column][0]})
    assert fetch(connection, f"SELECT gecc_ecdsa_verify{call} FROM u ORDER BY row") == [True] + [False] * (signed.n - 1)
    connection.execute(f"UPDATE u SET {column} = '\\x00'::BLOB WHERE row = 0")
    assert fetch(connection, f"SELECT gecc_ecdsa_verify{call} FROM u") == [False] * signed.n


def test_der_where_it_is_not(connection, signed):
    signature = signed.signature | np.eye(1, signed.signature.shape[1], dtype=np.uint8)  # none begins with 0x30, as DER does
    fill(connection, public_key=blobs(signed.public_key), hash=blobs(signed.wrong), signature=blobs(signature))
    with pytest.raises(duckdb.Error, match="signature: no signatures in DER, where der := true wants them"):
        fetch(connection, "SELECT gecc_ecdsa_verify('P-256', public_key, hash, signature, der := true) FROM t")


#: Cursors of one database register and close in turn, and then at once. A function that went with the connection it was made on
#: would be called nevertheless, and end the process.
CLOSING = """
import gc, threading
import duckdb
import gecc.duckdb

CALL = "SELECT gecc_digest_status('sha256', 'abc'::BLOB)"
connection = duckdb.connect()

def use(cursor):
    gecc.duckdb.register(cursor)
    assert cursor.sql(CALL).fetchall() == [("OK",)]
    cursor.close()

first, second = connection.cursor(), connection.cursor()
gecc.duckdb.register(first)
gecc.duckdb.register(second)
first.close()
del first
gc.collect()
assert second.sql(CALL).fetchall() == [("OK",)]
for _ in range(10):
    threads = [threading.Thread(target=use, args=(connection.cursor(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_functions_outlive_the_connection_that_made_them():
    done = subprocess.run([sys.executable, "-c", CLOSING], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_register_again_elsewhere_and_with_a_context(connection, signed, tmp_path):
    fill_signed(connection, signed)
    call = "SELECT count(*) FROM t WHERE gecc_ecdsa_verify('P-256', public_key, hash, signature)"
    before = fetch(connection, "SELECT count(*) FROM duckdb_functions()")
    gecc.duckdb.register(connection)
    assert fetch(connection, "SELECT count(*) FROM duckdb_functions()") == before
    cursor = connection.cursor()
    gecc.duckdb.register(cursor)
    assert fetch(cursor, call) == fetch(connection, call) == [38]
    with gecc.Context("cpu", threads=1) as context:
        gecc.duckdb.register(connection, context=context)
        assert fetch(connection, call) == [38]
    with pytest.raises(duckdb.Error, match="context: closed"):
        fetch(connection, call)
    assert fetch(cursor, call) == [38]
    # Nothing of it stays in a database file.
    path = str(tmp_path / "rows.duckdb")
    with duckdb.connect(path) as file:
        gecc.duckdb.register(file)
    with duckdb.connect(path) as file:
        assert fetch(file, "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE '%gecc%'") == [0]


def block(connection, path):
    """A table of the signatures of a block."""
    connection.execute("CREATE TABLE block AS SELECT tx, input, expected, unhex(pub) AS public_key, unhex(digest) AS digest, "
                       f"unhex(sig) AS signature FROM '{path}'")  # fmt: skip


VALID = "gecc_ecdsa_verify('secp256k1', public_key, digest, signature, der := true)"


def test_part_of_a_block(connection):
    block(connection, ROOT / "examples/data/bitcoin-block-413567-part.csv")
    assert fetch(connection, f"SELECT count(*), bool_and({VALID} = (expected = 'valid')) FROM block") == [(305, True)]


@pytest.mark.skipif("GECC_DATA" not in os.environ, reason="GECC_DATA is not set")
def test_whole_block(connection):
    """Each of its inputs is signed: with one key at least that its script has."""
    block(connection, os.path.join(os.environ["GECC_DATA"], "bitcoin-block-413567.csv"))
    found = fetch(connection, f"SELECT count(*), bool_and({VALID} = (expected = 'valid')), bool_or({VALID}) FROM block "
                              "GROUP BY tx, input")  # fmt: skip
    assert sum(row[0] for row in found) == 6639 and [row[1:] for row in found] == [(True, True)] * 4886


# Relations.


def check(connection, signed, relation, times):
    assert relation.columns == ["row", "public_key", "hash", "signature", "recovery_id", "status"]
    verdicts = relation.create_view("verdicts")  # noqa: F841
    assert fetch(connection, "SELECT row, status FROM verdicts ORDER BY row") == list(enumerate(names(signed.expected) * times))
    assert fetch(connection, "SELECT count(*) FROM verdicts JOIN t USING (row) WHERE status <> 'OK'") == [2 * times]


@whatever_threads
def test_run(connection, signed, tmp_path):
    """Of a query, of a table, of a file; as often as it is asked; a reader that stops early leaves nothing behind."""
    fill_signed(connection, signed, 50)
    path = tmp_path / "rows.parquet"
    connection.sql("FROM t").write_parquet(str(path))
    for query in ("FROM t", connection.table("t"), f"FROM '{path}'", connection.read_parquet(str(path))):
        found = gecc.duckdb.run("ecdsa.verify", connection, query, curve="P-256", columns=COLUMNS, batch_rows=300)
        check(connection, signed, found, 50)
    assert found.limit(3).select("status").fetchall() == [("OK",)] * 3
    target = str(tmp_path / "verdicts.parquet")
    found.write_parquet(target)
    assert pq.read_table(target)["status"].to_pylist() == names(signed.expected) * 50
    found.create("kept")
    assert fetch(connection, "SELECT status FROM kept ORDER BY row") == names(signed.expected) * 50


def test_run_gives_results(connection, signed):
    fill(connection, public_key=blobs([*signed.public_key[:3], b"", None]))
    found = gecc.duckdb.run("ec.convert", connection, "SELECT public_key AS point FROM t", curve="P-256", columns={"out": "short"},
                            point_format="compressed")
    short = gecc.ec.convert("P-256", signed.public_key[:3], point_format="compressed").out
    assert found.fetchall() == [*((long.tobytes(), row.tobytes(), "OK") for long, row in zip(signed.public_key, short)),
                                (b"", None, "MALFORMED_WIDTH"), (None, None, "NULL")]  # fmt: skip


def test_run_sees_what_the_database_has(connection, signed):
    frame = pa.table({"message": blobs([b"a", b"b"])})
    with pytest.raises(duckdb.CatalogException, match="frame"):
        gecc.duckdb.run("digest", connection, "FROM frame", hash="sha256")
    with pytest.raises(duckdb.CatalogException, match="cursor"):
        gecc.duckdb.run("digest", connection, "FROM cursor", hash="sha256")
    connection.execute("CREATE TABLE messages AS FROM frame")
    found = gecc.duckdb.run("digest", connection, "FROM messages", hash="sha256")
    assert fetch(connection, "SELECT count(*) FROM messages") == [len(frame)] and len(found.fetchall()) == 2


@pytest.mark.parametrize("arguments, error, text", [
    ({"operation": "ecdsa.forge"}, ValueError, "operation: 'ecdsa.forge' is none of"),
    ({"operation": "ecdsa.verify_keys", "columns": None}, ValueError, "operation: ecdsa.verify_keys takes a gecc.Keys"),
    ({"curve": None}, TypeError, "curve: ecdsa.verify needs one"),
    ({"columns": None}, ValueError, "columns: no one column is called 'digest', which digest is to be read from"),
    ({"columns": COLUMNS | {"status": "row"}}, ValueError, "columns: 'row' cannot be the name of a result"),
    ({"columns": {"digest": "row"}}, TypeError, "digest: an Arrow column of format 'l'"),
    ({"query": "DROP TABLE t"}, ValueError, "query: not one SELECT"),
    ({"query": "FROM t; FROM t"}, ValueError, "query: not one SELECT"),
    ({"query": "FROM nowhere"}, duckdb.CatalogException, "nowhere"),
    ({"batch_rows": 0}, ValueError, "batch_rows: 0, where a positive number is wanted"),
    ({"low": True}, TypeError, "low: means nothing to ecdsa.verify; there is der, low_s"),
])
def test_bad_arguments_of_run(connection, signed, arguments, error, text):
    fill_signed(connection, signed)
    given = {"operation": "ecdsa.verify", "connection": connection, "query": "FROM t", "curve": "P-256", "columns": COLUMNS}
    with pytest.raises(error, match=text):
        gecc.duckdb.run(**given | arguments)
    assert fetch(connection, "SELECT count(*) FROM t") == [signed.n]


@whatever_threads
def test_many_vectors_in_order(connection):
    """Vectors of both ways are given on as they came, whatever thread computes them."""
    connection.execute("CREATE TABLE t AS SELECT range AS row, encode(range::VARCHAR) AS message FROM range(100000)")
    right = "count(*) FILTER (digest = unhex(sha256(message)))"
    found = gecc.duckdb.run("digest", connection, "FROM t", hash="sha256", batch_rows=10_000)
    assert found.aggregate(f"count(*), {right}").fetchall() == [(100_000, 100_000)]
    rows = np.concatenate([batch["row"] for batch in found.select("row").to_arrow_table().to_batches()])
    assert np.array_equal(rows, np.arange(100_000))
    assert fetch(connection, f"SELECT {right} FROM (SELECT message, gecc_digest('sha256', message) AS digest FROM t)") == [100_000]
