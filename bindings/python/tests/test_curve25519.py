"""Ed25519 and X25519 through the package: examples of RFC 8032 and RFC 7748. tests/conformance has the cases."""

import pytest

import gecc
from gecc import Status

# RFC 8032, 7.1, test 3, and 7.2, "foo".
SEED = bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
KEY = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
SIGNATURE = bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)
CTX_SEED = bytes.fromhex("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6")
CTX_SIGNATURE = bytes.fromhex(
    "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a"
    "8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d"
)
CTX_MESSAGE = bytes.fromhex("f726936d19c800494e3fdaff20b276a8")


def test_ed25519():
    assert gecc.ed25519.public_key(SEED).public_key[0].tobytes() == KEY
    assert gecc.ed25519.sign(SEED, [b"\xaf\x82"]).signature[0].tobytes() == SIGNATURE
    changed = SIGNATURE[:-1] + b"\x0b"
    status = gecc.ed25519.verify([KEY, KEY, KEY[:-1]], [b"\xaf\x82"] * 3, [SIGNATURE, changed, SIGNATURE])
    assert status[0] == Status.OK and status[1] == Status.INVALID and Status(status[2]).is_malformed


def test_contexts():
    signed = gecc.ed25519.sign(CTX_SEED, [CTX_MESSAGE], ctx=[b"foo"]).signature
    assert signed[0].tobytes() == CTX_SIGNATURE
    key = gecc.ed25519.public_key(CTX_SEED).public_key
    status = gecc.ed25519.verify([key[0]] * 2, [CTX_MESSAGE] * 2, [CTX_SIGNATURE] * 2, ctx=[b"foo", b"bar"])
    assert list(status) == [Status.OK, Status.INVALID]


def test_rules():
    """The key and the commitment are the neutral point, of order 1: only STRICT refuses what RFC 8032 takes."""
    neutral = b"\x01" + bytes(31)
    signature = neutral + bytes(32)
    assert gecc.ed25519.verify(neutral, [b""], signature)[0] == Status.OK
    assert gecc.ed25519.verify(neutral, [b""], signature, accept_zip215=True)[0] == Status.OK
    assert gecc.ed25519.verify(neutral, [b""], signature, accept_strict=True)[0] != Status.OK


def test_x25519():
    """RFC 7748, 6.1, and a point of order 1."""
    private_keys = [bytes.fromhex(each) for each in (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
    )]  # fmt: skip
    keys = gecc.x25519_public_key(private_keys).public_key
    assert keys[0].tobytes().hex() == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    shared, status = gecc.x25519(private_keys, keys[::-1])
    assert shared[0].tobytes() == shared[1].tobytes() and list(status) == [Status.OK, Status.OK]
    assert shared[0].tobytes().hex() == "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    assert gecc.x25519(private_keys[0], bytes(32)).status[0] == Status.INVALID


def test_sql():
    """Functions of DuckDB, which have nothing to be selected by: one has flags and a context, one has none."""
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    from gecc.duckdb import register

    with duckdb.connect() as connection:
        register(connection, allow_secrets=True)
        arguments = [KEY, b"\xaf\x82", SIGNATURE]
        for more, wanted in (("", True), (", accept_zip215 := true", True), (", ctx := 'foo'::BLOB", False)):
            assert connection.execute(f"SELECT gecc_ed25519_verify(?, ?, ?{more})", arguments).fetchone() == (wanted,)
        assert connection.execute("SELECT gecc_ed25519_public_key(?)", [SEED]).fetchone() == (KEY,)
