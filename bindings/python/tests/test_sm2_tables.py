"""SM2 encryption and key exchange on tables, in DuckDB, and on files by the console script."""

import subprocess
import sys

import pytest

import gecc

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

import gecc.arrow  # noqa: E402

PRIVATE = bytes(range(1, 33))
TEXTS = ["abcd", "12345678", "hello there"]


def public(private=PRIVATE):
    return gecc.ec.public_key("SM2", private).out[0].tobytes()


def encrypted(texts, **arguments):
    return gecc.arrow.run("sm2.encrypt", pa.table({"plaintext": texts}), columns={"public_key": public()}, **arguments)


def decrypted(table, **arguments):
    table = table.select(["ciphertext"])
    return gecc.arrow.run("sm2.decrypt", table, columns={"private_key": PRIVATE}, **arguments).column("plaintext").to_pylist()


def exchanged():
    """A table for an exchange, and the keys of 48 bytes and confirmations that are to come of it."""
    private = [bytes([first]) * 32 for first in (1, 2, 3, 4)]
    table = pa.table({"private_key": private[:1], "ephemeral_key": private[1:2], "peer_public_key": [public(private[2])],
                      "peer_ephemeral_point": [public(private[3])]})  # fmt: skip
    found = gecc.sm2.exchange(*table.to_pylist()[0].values(), output_bytes=48)
    return table, [bytes(column[0]) for column in found[:-1]]


def test_texts_there_and_back():
    assert decrypted(encrypted([text.encode() for text in TEXTS])) == [text.encode() for text in TEXTS]
    assert decrypted(encrypted(TEXTS, encoding="utf8")) == [text.encode() for text in TEXTS]
    assert decrypted(encrypted(TEXTS[:2], encoding="hex")) == [bytes.fromhex(text) for text in TEXTS[:2]]


def test_what_text_stands_for_has_to_be_said():
    with pytest.raises(TypeError, match="plaintext: text, which may be the plaintext itself or digits"):
        encrypted(TEXTS)
    with pytest.raises(TypeError, match="plaintext: text, which may be the plaintext itself or digits"):
        gecc.sm2.encrypt(public(), pa.array(TEXTS))


def test_output_bytes():
    found = encrypted(TEXTS, encoding="utf8", output_bytes=97 + 8).column("status").to_pylist()
    assert found == [gecc.Status.OK, gecc.Status.OK, gecc.Status.MALFORMED_WIDTH]


def test_exchange():
    table, expected = exchanged()
    found = gecc.arrow.run("sm2.exchange", table, output_bytes=48)
    assert [found.column(name)[0].as_py() for name in found.column_names[4:-1]] == expected
    with pytest.raises(TypeError, match="output_bytes: None, where the number of bytes"):
        gecc.arrow.run("sm2.exchange", table)


def test_exchange_of_a_file(tmp_path):
    table, expected = exchanged()
    pq.write_table(table, tmp_path / "in.parquet")
    subprocess.run([sys.executable, "-m", "gecc._program", "sm2.exchange", tmp_path / "in.parquet", "-o", tmp_path / "out.parquet",
                    "--output-bytes", "48", "--no-progress"], check=True, capture_output=True)  # fmt: skip
    assert pq.read_table(tmp_path / "out.parquet").column("key").to_pylist() == expected[:1]


@pytest.fixture
def connection():
    duckdb = pytest.importorskip("duckdb")
    import gecc.duckdb

    made = duckdb.connect()
    gecc.duckdb.register(made, allow_secrets=True)
    return made


def test_duckdb(connection):
    both = "gecc_sm2_decrypt(?::BLOB, gecc_sm2_encrypt(?::BLOB, encode(plaintext)))"
    found = connection.execute(f"SELECT {both} FROM (VALUES ('abcd'), ('hello')) AS rows(plaintext)", [PRIVATE, public()])
    assert found.fetchall() == [(b"abcd",), (b"hello",)]
    with pytest.raises(Exception, match="plaintext: VARCHAR, where BLOB"):
        connection.execute("SELECT gecc_sm2_encrypt(?::BLOB, 'abcd')", [public()])


def test_duckdb_exchange(connection):
    table, expected = exchanged()
    call = "gecc_sm2_exchange(?::BLOB, ?::BLOB, ?::BLOB, ?::BLOB{})"
    values = list(table.to_pylist()[0].values())
    (found,) = connection.execute(f"SELECT {call.format(', output_bytes := 48')}", values).fetchone()
    assert list(found.values()) == expected
    with pytest.raises(Exception, match="output_bytes: None, where the number of bytes"):
        connection.execute(f"SELECT {call.format('')}", values)
