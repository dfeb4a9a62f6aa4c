"""Columns, options and hashes by any of the names that the tool, Python and SQL have for them."""

import inspect

import pytest
from conftest import Signed

import gecc
from gecc._constants import COLUMN_NAMES
from gecc._description import OPERATIONS, own_name

N = 3


@pytest.fixture(scope="module")
def signed():
    return Signed("P-256", N)


def test_every_column_has_one_own_name():
    for operation in OPERATIONS.values():
        for column in (*operation.inputs, *operation.outputs):
            assert own_name(operation, column.name) == column.name
            assert own_name(operation, COLUMN_NAMES.get(column.name, column.name)) == column.name


def test_arguments(signed):
    wanted = gecc.ecdsa.verify("secp256r1", signed.public_key, signed.digest, signed.signature)
    assert (wanted == 1).all()
    found = gecc.ecdsa.verify("P-256", pub=signed.public_key, digest=signed.digest, sig=signed.signature)
    assert (found == wanted).all()
    assert (gecc.ecdsa.verify.submit("P-256", pub=signed.public_key, digest=signed.digest, sig=signed.signature).result() == wanted).all()
    assert "public_key" in inspect.signature(gecc.ecdsa.verify).parameters
    with pytest.raises(TypeError, match="twice"):
        gecc.ecdsa.verify("P-256", digest=signed.digest, sig=signed.signature, signature=signed.signature, pub=signed.public_key)
    with pytest.raises(TypeError):
        gecc.ecdsa.verify("P-256", publickey=signed.public_key, digest=signed.digest, sig=signed.signature)


def test_rules_and_hashes():
    neutral, signature = bytes([1]) + bytes(31), bytes([1]) + bytes(63)
    for rule, flags in (("zip215", {"accept_zip215": True}), ("strict", {"accept_strict": True}), ("rfc8032", {})):
        found = gecc.ed25519.verify(neutral, [b""], signature, accept=rule)
        assert (found == gecc.ed25519.verify(neutral, [b""], signature, **flags)).all()
    with pytest.raises(ValueError, match="zip215"):
        gecc.ed25519.verify(neutral, [b""], signature, accept="mine")
    for given in ({"accept": "rfc8032", "accept_zip215": True}, {"accept": "zip215", "accept_zip215": True},
                  {"accept_strict": True, "accept": "zip215"}, {"accept_strict": True, "accept_zip215": True}):
        with pytest.raises(TypeError, match=f"accept: given twice, as {' and as '.join(map(repr, given))}"):
            gecc.ed25519.verify(neutral, [b""], signature, **given)
    for given in ({"accept": "zip215", "accept_zip215": False}, {"accept": None, "accept_zip215": True}, {"accept_strict": False, "accept": "zip215"}):
        assert (gecc.ed25519.verify(neutral, [b""], signature, **given) == 1).all()
    # One of the names is documented: the tool's.
    assert "accept" in inspect.signature(gecc.ed25519.verify).parameters and "accept_zip215" not in inspect.signature(gecc.ed25519.verify).parameters
    assert "accept: whose rule of Ed25519: rfc8032, ref10, strict, zip215" in gecc.ed25519.verify.__doc__ and "accept_" not in gecc.ed25519.verify.__doc__
    with pytest.raises(TypeError):
        gecc.ecdsa.verify("P-256", b"", b"", b"", accept="zip215")
    assert (gecc.digest("SHA-384", [b"a"])[0] == gecc.digest("sha384", [b"a"])[0]).all()


def test_tables(signed):
    pa = pytest.importorskip("pyarrow")
    import gecc.arrow

    def rows(values):
        return pa.array([row.tobytes() for row in values])

    named = {"pub": rows(signed.public_key), "digest": rows(signed.digest), "sig": rows(signed.signature)}
    assert gecc.arrow.run("ecdsa.verify", pa.table(named), curve="P-256")["status"].to_pylist() == [1] * N
    other = {"key": named["pub"], "digest": named["digest"], "signature": named["sig"]}
    found = gecc.arrow.run("ecdsa.verify", pa.table(other), curve="secp256r1", columns={"pub": "key"})
    assert found["status"].to_pylist() == [1] * N
    with pytest.raises(ValueError, match="both"):
        gecc.arrow.run("ecdsa.verify", pa.table(named | {"signature": named["sig"]}), curve="P-256")
    with pytest.raises(TypeError, match="twice"):
        gecc.arrow.run("ecdsa.verify", pa.table(named), curve="P-256", columns={"pub": "pub", "public_key": "pub"})
    neutral, signature = bytes([1]) + bytes(31), bytes([1]) + bytes(63)
    small = pa.table({"pub": [neutral], "message": [b""], "sig": [signature]})
    for options, wanted in (({"accept": "zip215"}, 1), ({"accept_zip215": True}, 1), ({"accept": "strict"}, 2), ({"accept_strict": True}, 2)):
        assert (gecc.arrow.run("ed25519.verify", small, **options)["status"].to_pylist() == [1]) == (wanted == 1), options
    with pytest.raises(TypeError, match="given twice, as 'accept' and as 'accept_zip215'"):
        gecc.arrow.run("ed25519.verify", small, accept="rfc8032", accept_zip215=True)


def test_sql():
    duckdb = pytest.importorskip("duckdb")
    import gecc.duckdb

    connection = duckdb.connect()
    gecc.duckdb.register(connection)
    neutral, signature = "unhex('01" + "00" * 31 + "')", "unhex('01" + "00" * 63 + "')"
    for more, wanted in ((", accept := 'zip215'", True), (", accept := 'strict'", False), ("", True), (", accept := 'rfc8032'", True)):
        query = f"SELECT gecc_ed25519_verify({neutral}, ''::BLOB, {signature}{more})"
        assert connection.sql(query).fetchall() == [(wanted,)], more
    with pytest.raises(duckdb.Error, match="given twice"):
        connection.sql(f"SELECT gecc_ed25519_verify({neutral}, ''::BLOB, {signature}, accept := 'rfc8032', accept_zip215 := true)").fetchall()
    assert connection.sql("SELECT gecc_digest('SHA-384', 'a'::BLOB) = gecc_digest('sha384', 'a'::BLOB)").fetchall() == [(True,)]
