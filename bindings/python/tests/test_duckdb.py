"""gecc.duckdb: functions of SQL and relations give what the package's functions give."""

import threading

import numpy as np
import pytest
from conftest import Signed

import gecc
from gecc import Status

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
import gecc.duckdb  # noqa: E402


def binary(rows):
    return pa.array([None if row is None else bytes(row) for row in rows], pa.binary())


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        gecc.duckdb.register(connection)
        yield connection


def create(connection, name, **columns):
    """A table of these columns, and the number of each row."""
    table = pa.table({"row": pa.array(range(len(next(iter(columns.values()))))), **columns})
    connection.register("arrow_rows", table)
    connection.execute(f"CREATE TABLE {name} AS FROM arrow_rows")
    connection.unregister("arrow_rows")


def names(statuses):
    return [Status(status).name for status in statuses]


def create_signatures(connection, rows, name="signatures"):
    create(connection, name, public_key=binary(rows.public_key), digest=binary(rows.wrong), signature=binary(rows.signature))


@pytest.mark.parametrize("curve", ["secp256k1", "P-256", "P-384", "SM2"])
def test_every_curve(connection, curve):
    rows = Signed(curve, 50, 48 if curve == "P-384" else 32)
    create_signatures(connection, rows)
    call = f"('{curve}', public_key, digest, signature)"
    found = connection.sql(f"SELECT gecc_ecdsa_verify{call}, gecc_ecdsa_verify_status{call} FROM signatures ORDER BY row").fetchall()
    assert found == [(status == Status.OK, status.name) for status in rows.expected]
    ran = gecc.duckdb.run("ecdsa.verify", connection, "FROM signatures", curve=curve)
    assert ran.columns == ["row", "public_key", "digest", "signature", "status"]
    assert ran.order("row").project("status").fetchall() == [(name,) for name in names(rows.expected)]
    keys = connection.sql(f"SELECT gecc_ec_validate_status('{curve}', public_key) FROM signatures").fetchall()
    assert keys == [("OK",)] * rows.n


def test_results(connection, signed):
    create(connection, "rows", digest=binary(signed.digest), signature=binary(signed.signature),
           recovery_id=pa.array(signed.recovery_id.ravel()), u=binary(signed.private_key))
    keys = [bytes(key) for key in signed.public_key]
    found = connection.sql("SELECT gecc_ecdsa_recover('P-256', digest, signature, recovery_id) FROM rows ORDER BY row").fetchall()
    assert [key for key, in found] == keys
    compressed = connection.sql("SELECT gecc_ecdsa_recover('P-256', digest, signature, recovery_id, point_format := 'compressed') "
                                "FROM rows ORDER BY row").fetchall()
    assert [key for key, in compressed] == [bytes([2 + key[-1] % 2]) + key[1:33] for key in keys]
    ran = gecc.duckdb.run("ecdsa.recover", connection, "SELECT row, digest, signature AS sig, recovery_id FROM rows", curve="P-256",
                          columns={"signature": "sig"}, batch_rows=7)
    assert ran.order("row").project("public_key, status").fetchall() == [(key, "OK") for key in keys]
    modulus = (1 << 255) - 19
    gecc.duckdb.register(connection, allow_secrets=True)
    product = connection.execute("SELECT gecc_mod_mul(?, u, u) FROM rows ORDER BY row", [modulus.to_bytes(32, "big")]).fetchall()
    numbers = [int.from_bytes(bytes(row), "big") for row in signed.private_key]
    assert [int.from_bytes(row, "big") for row, in product] == [number * number % modulus for number in numbers]


def test_rows_that_are_bad(connection, signed):
    keys, digests, signatures = ([bytes(row) for row in rows] for rows in (signed.public_key, signed.digest, signed.signature))
    keys[0], keys[1], digests[2], signatures[4], digests[5] = b"", b"\x04" + bytes(64), None, signatures[4][:-1], bytes(19)
    create(connection, "rows", key=binary(keys), digest=binary(digests), signature=binary(signatures))
    call = "('P-256', key, digest, signature)"
    found = connection.sql(f"SELECT gecc_ecdsa_verify_status{call}, gecc_ecdsa_verify{call} FROM rows ORDER BY row").fetchall()
    expected = names(gecc.ecdsa.verify("P-256", keys, digests, signatures))
    assert expected[:6] == ["MALFORMED_WIDTH", "MALFORMED_POINT_OFF_CURVE", "NULL", "OK", "MALFORMED_WIDTH", "MALFORMED_WIDTH"]
    assert found == [(name, None if name == "NULL" else name == "OK") for name in expected]
    ran = gecc.duckdb.run("ecdsa.verify", connection, "FROM rows", curve="P-256", columns={"public_key": "key"})
    assert [name for name, in ran.order("row").project("status").fetchall()] == expected
    ids = connection.sql("SELECT gecc_ecdsa_recover_status('P-256', digest, signature, i) FROM rows, (VALUES (-1), (4), (255), "
                         "(1000)) ids(i) WHERE row = 3").fetchall()
    assert ids == [("MALFORMED_RECOVERY_ID",)] * 4


def test_a_curve_for_each_row(connection):
    curves = ["P-256", "secp256k1", "SM2"]
    rows = [Signed(curve, 20) for curve in curves]
    create(connection, "rows", curve=pa.array([curves[i % 3] for i in range(60)]),
           **{name: binary([getattr(rows[i % 3], source)[i // 3] for i in range(60)])
              for name, source in (("public_key", "public_key"), ("digest", "wrong"), ("signature", "signature"))})  # fmt: skip
    found = connection.sql("SELECT gecc_ecdsa_verify_status(curve, public_key, digest, signature) FROM rows ORDER BY row").fetchall()
    assert [name for name, in found] == names(rows[i % 3].expected[i // 3] for i in range(60))


def test_no_rows(connection, signed):
    create_signatures(connection, signed)
    none = "FROM signatures WHERE row < 0"
    assert connection.sql(f"SELECT gecc_ecdsa_verify('P-256', public_key, digest, signature) {none}").fetchall() == []
    assert gecc.duckdb.run("ecdsa.verify", connection, none, curve="P-256").fetchall() == []


def test_secrets(connection, signed):
    create(connection, "rows", private_key=binary(signed.private_key), digest=binary(signed.digest))
    sign = "SELECT gecc_ecdsa_sign('P-256', private_key, digest).signature FROM rows ORDER BY row"
    with pytest.raises(duckdb.Error, match="allow_secrets"):
        connection.sql(sign).fetchall()
    with pytest.raises(ValueError, match="allow_secrets"):
        gecc.duckdb.run("ecdsa.sign", connection, "FROM rows", curve="P-256")
    signatures = [bytes(row) for row in signed.signature]
    ran = gecc.duckdb.run("ecdsa.sign", connection, "FROM rows", curve="P-256", allow_secrets=True)
    assert [row for row, in ran.order("row").project("signature").fetchall()] == signatures
    gecc.duckdb.register(connection, allow_secrets=True)
    assert [row for row, in connection.sql(sign).fetchall()] == signatures


@pytest.mark.parametrize("call, message", [
    ("gecc_ecdsa_verify('P-257', public_key, digest, signature)", "P-257"),
    ("gecc_ecdsa_verify('P-256', public_key, digest)", "gecc_ecdsa_verify"),
    ("gecc_ecdsa_verify('P-256', public_key, digest, signature, nonsense := true)", "supplied arguments"),
    ("gecc_digest('md5', digest)", "md5"),
])  # fmt: skip
def test_wrong_calls(connection, signed, call, message):
    create_signatures(connection, signed)
    with pytest.raises(duckdb.Error, match=message):
        connection.sql(f"SELECT {call} FROM signatures").fetchall()


def test_wrong_runs(connection, signed):
    create_signatures(connection, signed)
    with pytest.raises(ValueError, match="batch_rows"):
        gecc.duckdb.run("ecdsa.verify", connection, "FROM signatures", curve="P-256", batch_rows=0)
    with pytest.raises(Exception, match="hash"):
        gecc.duckdb.run("ecdsa.verify", connection, "FROM signatures", curve="P-256", columns={"digest": "hash"})
    with pytest.raises(Exception, match="row|digest"):
        gecc.duckdb.run("ecdsa.verify", connection, "SELECT public_key, signature FROM signatures", curve="P-256")


def test_more_rows_than_a_batch(connection):
    """In threads of DuckDB, and read twice; in views and joins."""
    rows = Signed("P-256", 40)
    pick = np.arange(20_000) % rows.n
    connection.execute("SET threads = 4")
    create(connection, "many", public_key=binary(rows.public_key[pick]), digest=binary(rows.wrong[pick]),
           signature=binary(rows.signature[pick]))
    expected = {"OK": sum(rows.expected[i] == Status.OK for i in pick), "INVALID": sum(rows.expected[i] != Status.OK for i in pick)}
    ran = gecc.duckdb.run("ecdsa.verify", connection, "FROM many", curve="P-256", batch_rows=3000)
    ran.create_view("verdicts")
    for _ in range(2):
        assert dict(connection.sql("SELECT status, count(*) FROM verdicts GROUP BY status").fetchall()) == expected
    joined = connection.sql("SELECT count(*) FROM verdicts a JOIN many b USING (row) WHERE a.status = 'OK' AND a.digest = b.digest")
    assert joined.fetchall() == [(expected["OK"],)]
    call = "gecc_ecdsa_verify_status('P-256', public_key, digest, signature)"
    assert dict(connection.sql(f"SELECT {call}, count(*) FROM many GROUP BY ALL").fetchall()) == expected


def test_threads_and_contexts(signed):
    """Each thread with a cursor of one database, one of them with a context of its own."""
    with duckdb.connect() as connection, gecc.Context("cpu", threads=1) as context:
        create_signatures(connection, signed)
        found = []

        def query(context):
            with connection.cursor() as cursor:
                gecc.duckdb.register(cursor, context=context)
                found.append(cursor.sql("SELECT gecc_ecdsa_verify_status('P-256', public_key, digest, signature) FROM signatures "
                                        "ORDER BY row").fetchall())  # fmt: skip

        threads = [threading.Thread(target=query, args=(given,)) for given in (None, context, None)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [[(name,) for name in names(signed.expected)]] * 3


def test_every_operation_is_there(connection):
    have = {name for name, in connection.execute("SELECT function_name FROM duckdb_functions()").fetchall()}
    for name, operation in gecc.OPERATIONS.items():
        function = "gecc_" + name.replace(".", "_")
        assert ({function, f"{function}_status"} <= have) == (operation.selector != "keys")
