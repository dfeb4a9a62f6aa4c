"""Text in the place of bytes, and integers: one table of cells and what they stand for, for arrays, frames, files, SQL and the tool."""

import base64
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

MALFORMED = Status.MALFORMED_TEXT


def spellings(value):
    """(text, whether it says the value) of hexadecimal cells."""
    text = value.hex()
    random = np.random.default_rng(SEED + len(value) + value[0])
    mixed = "".join(c.upper() if upper else c for c, upper in zip(text, random.integers(0, 2, len(text))))
    yield from ((spelled, True) for spelled in (text, text.upper(), mixed, "0x" + text, "0X" + text.upper(), "0x" + mixed))
    at = int(random.integers(0, len(text)))
    for wrong in ("g", " ", "-", "x", "/", ":", "@", "`", "G", "\0", "é", "\n", "١", "０"):
        yield text[:at] + wrong + text[at + 1 :], False
    yield from ((wrong, False) for wrong in (text[1:], text + "0", "0x" + text[:-1], "0x0x" + text, "x" + text, " " + text, text + " ",
                                             "\\x" + text, text[:2] + " " + text[2:], f"'{text}'", f"0x{text}h"))  # fmt: skip


def base64_spellings(value, url):
    text = (base64.urlsafe_b64encode if url else base64.b64encode)(value).decode()
    bare = text.rstrip("=")
    yield from ((spelled, True) for spelled in (text, bare))
    for wrong in ("*", " ", "=", "é", "\0", "+" if url else "-", "/" if url else "_"):
        yield bare[:5] + wrong + bare[6:], False
    yield from ((wrong, False) for wrong in (text + "=" * 3, bare + "A" * (5 - len(bare) % 4), " " + text, text + "\n"))
    if len(bare) % 4:
        yield from ((wrong, False) for wrong in (bare + "=" * (3 if len(bare) % 4 == 3 else 1), bare[:-1] + "/" if not url else bare[:-1] + "_"))


@pytest.fixture(scope="module")
def one():
    """A key, a digest and a signature, and what stands for each: {encoding: {column: [(text, status)]}}."""
    signed = Signed("P-256", 1)
    good = {"public_key": signed.public_key[0].tobytes(), "digest": signed.digest[0].tobytes(), "signature": signed.signature[0].tobytes()}
    cells = {"hex": {name: list(spellings(value)) for name, value in good.items()}}
    for encoding in ("base64", "base64url"):
        cells[encoding] = {name: list(base64_spellings(value, encoding == "base64url")) for name, value in good.items()}
    assert sum(len(each) for columns in cells.values() for each in columns.values()) > 110
    return good, cells


def table_of(good, cells, encoding):
    """Rows of which one column has a cell of the table and the others what is right; null and empty cells, too. And statuses."""
    encode = {"hex": bytes.hex, "base64": lambda value: base64.b64encode(value).decode(),
              "base64url": lambda value: base64.urlsafe_b64encode(value).decode()}[encoding]
    right = {name: encode(value) for name, value in good.items()}
    rows, expected = [], []
    for name in good:
        for text, is_right in [*cells[encoding][name], (None, None), ("", None)]:
            rows.append(right | {name: text})
            expected.append(Status.NULL if text is None else Status.MALFORMED_WIDTH if text == "" else
                            Status.OK if is_right else MALFORMED)
        rows.append(right)
        expected.append(Status.OK)
    return {name: [row[name] for row in rows] for name in good}, expected


TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())]


@pytest.mark.parametrize("encoding", ["hex", "base64", "base64url"])
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_arrow(one, kind, encoding):
    columns, expected = table_of(*one, encoding)
    expected = [int(status) for status in expected]
    arrays = {name: pa.array(["noise", *cells, "noise"], pa.string()).cast(kind)[1:-1] if not pa.types.is_dictionary(kind) else
              pa.array(["noise", *cells], kind.value_type).dictionary_encode().cast(kind)[1:] for name, cells in columns.items()}  # fmt: skip
    table = pa.table(arrays)
    for data in (table, pa.concat_tables([table[:3], table[3:3], table[3:]]), table.to_batches()[0]):
        found = gecc.arrow.run("ecdsa.verify", data, curve="P-256", encoding=None if encoding == "hex" else encoding)
        assert found["status"].to_pylist() == expected
    if encoding == "hex":
        assert gecc.ecdsa.verify("P-256", *arrays.values()).tolist() == expected
        assert gecc.ecdsa.verify("P-256", *columns.values()).tolist() == expected


def test_frames(one):
    columns, expected = table_of(*one, "hex")
    for module in ("pandas", "polars"):
        frames = pytest.importorskip(module)
        frame = frames.DataFrame(columns | {"row": list(range(len(expected)))})
        if module == "pandas":
            frame = frame.set_index(frames.Index([f"r{i}" for i in range(len(frame))], name="label"))
        found = gecc.arrow.run("ecdsa.verify", frame, curve="secp256r1")
        assert type(found) is type(frame) and list(found.columns) == [*frame.columns, "status"]
        assert found["status"].to_list() == expected and frame.shape[1] == 4
        if module == "pandas":
            assert found.index.equals(frame.index) and found["row"].equals(frame["row"])
        assert gecc.ecdsa.verify("P-256", *(frame[name] for name in columns)).tolist() == expected
        signed = gecc.arrow.run("ec.public_key", frames.DataFrame({"private_key": ["01" * 32, "zz", None]}), curve="P-256")
        keys = signed["out"].to_list()
        assert keys[0] == gecc.ec.public_key("P-256", b"\1" * 32).out[0].tobytes() and keys[1] is None and keys[2] is None
    with pytest.raises(TypeError, match="data: dict, where a Table, RecordBatch"):
        gecc.arrow.run("ecdsa.verify", columns, curve="P-256")
    with pytest.raises(TypeError, match="data: LazyFrame"):
        gecc.arrow.run("ecdsa.verify", frame.lazy(), curve="P-256")


@pytest.mark.parametrize("encoding", ["hex", "base64", "base64url"])
def test_parquet(one, encoding, tmp_path):
    columns, expected = table_of(*one, encoding)
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    gecc.parquet.run("ecdsa.verify", tmp_path / "in.parquet", tmp_path / "out.parquet", curve="P-256", encoding=encoding, batch_rows=50)
    assert pq.read_table(tmp_path / "out.parquet")["status"].to_pylist() == expected


def test_sql(one):
    duckdb = pytest.importorskip("duckdb")
    import gecc.duckdb

    columns, expected = table_of(*one, "hex")
    columns = {name: [None if cell is None else cell.replace("\0", "?") for cell in cells] for name, cells in columns.items()}
    with duckdb.connect() as connection:
        gecc.duckdb.register(connection)
        connection.from_arrow(pa.table(columns | {"row": list(range(len(expected)))})).create("t")
        call = "('P-256', public_key, digest, signature)"
        found = connection.sql(f"SELECT gecc_ecdsa_verify{call}, gecc_ecdsa_verify_status{call} FROM t ORDER BY row").fetchall()
        assert [status for _, status in found] == [status.name for status in expected]
        assert [valid for valid, _ in found] == [None if status == Status.NULL else status == Status.OK for status in expected]
        verdicts = gecc.duckdb.run("ecdsa.verify", connection, "FROM t ORDER BY row", curve="P-256")
        assert [row[-1] for row in verdicts.fetchall()] == [status.name for status in expected]


@pytest.mark.parametrize("encoding", ["hex", "base64", "base64url"])
def test_the_tool_reads_the_same(one, encoding):
    """Cells of CSV, those that CSV cannot have left out. There an empty cell is a missing one."""
    if not os.path.exists(_program.TOOL):
        pytest.skip("the wheel was built without the tool")
    columns, expected = table_of(*one, encoding)
    text = io.StringIO()
    csv.writer(text).writerows([("pub", "digest", "sig"), *zip(*columns.values())])
    found = subprocess.run([_program.TOOL, "verify", "--curve", "P-256", "--format", "csv", "--encoding", encoding, "-q"],
                           input=text.getvalue(), capture_output=True, text=True, check=False)  # fmt: skip
    verdicts = [row["status"] for row in csv.DictReader(io.StringIO(found.stdout, newline=""))]
    wanted = {Status.OK: "valid"}
    assert verdicts == [wanted.get(status, "malformed") for status in expected]


def test_numbers():
    """Those of fewer bytes than the column's have zeros put before them, those of more zeros taken away; so does the tool."""
    one = gecc.ec.public_key("P-256", bytes(31) + b"\1").out[0].tobytes()
    cells = {"01": one, "0x01": one, "0001": one, "00" * 31 + "01": one, "00" * 40 + "01": one, "00": Status.MALFORMED_SCALAR,
             "01" + "00" * 32: Status.MALFORMED_WIDTH, "1": MALFORMED, "": Status.MALFORMED_WIDTH, "0x": Status.MALFORMED_WIDTH,
             "ff" * 32: Status.MALFORMED_SCALAR, "00" * 8 + "ff" * 33: Status.MALFORMED_WIDTH}  # fmt: skip
    found = gecc.ec.public_key("P-256", pa.array(list(cells)))
    for key, status, expected in zip(found.out, found.status, cells.values()):
        assert key.tobytes() == expected if isinstance(expected, bytes) else status == expected
    for width in range(1, 40):
        number = 2 ** (8 * width) - 1
        found = gecc.mod.add(2**256 - 189, pa.array([number.to_bytes(width, "big").hex(), "00"]), bytes(31) + b"\1")
        assert found.status[0] == (Status.OK if width < 33 else Status.MALFORMED_WIDTH) and found.status[1] == Status.OK
        if width < 33:
            assert int.from_bytes(found.out[0].tobytes(), "big") == (number + 1) % (2**256 - 189)
    power = gecc.mod.power(2**256 - 189, bytes(31) + b"\2", pa.array(["08", "0100", "000003"]))
    assert [int.from_bytes(row.tobytes(), "big") for row in power.out] == [2**8, 2**256 % (2**256 - 189), 8]
    # Bytes with the lowest first have no digits to be put before them.
    found = gecc.ec.public_key("P-256", pa.array(["01" + "00" * 31, "01"]), little_endian=True)
    assert found.status.tolist() == [Status.OK, Status.MALFORMED_WIDTH]


def test_messages_are_not_guessed():
    texts = ["616263", "deadbeef", "2024"]
    for column in (pa.array(texts), texts, np.array(texts, object), pa.array(texts).dictionary_encode()):
        with pytest.raises(TypeError, match="message: text, which may be the message itself or digits"):
            gecc.digest("sha256", column)
    table = pa.table({"message": texts})
    for encoding, read in (("hex", bytes.fromhex), ("utf8", str.encode), ({"message": "hex"}, bytes.fromhex)):
        found = gecc.arrow.run("digest", table, hash="sha256", encoding=encoding)["digest"].to_pylist()
        assert found == [row.tobytes() for row in gecc.digest("sha256", list(map(read, texts))).digest]
    for encoding, text in (("latin1", "encoding: 'latin1' is none of hex, base64"), ({"digest": "hex"}, "'digest' is no input of digest")):
        with pytest.raises(ValueError, match=text):
            gecc.arrow.run("digest", table, hash="sha256", encoding=encoding)
    with pytest.raises(ValueError, match="encoding: no input of digest is text"):
        gecc.arrow.run("digest", pa.table({"message": [b"a"]}), hash="sha256", encoding="hex")


def test_names_are_text():
    key = gecc.ec.public_key("SM2", bytes(31) + b"\1").out
    texts = ["1234567812345678", "Alice", "é", ""]
    expected = gecc.sm2.digest(key[[0] * 4], [b"m"] * 4, id=[text.encode() for text in texts]).e
    for column in (texts, pa.array(texts), pa.array(texts, pa.string_view())):
        assert (gecc.sm2.digest(key[[0] * 4], [b"m"] * 4, id=column).e == expected).all()


def test_transactions_in_hexadecimal():
    raw = bytes.fromhex("f85f800182520894000000000000000000000000000b9331677e6ebf0a801ca098ff921201554726367d2be8c804a7ff89cc"
                        "f285ebc57dff8ae4c44b9c19ac4aa01887321be575c8095f789dd4c743dfe42c1820f9231f98a962b210e3ac2452a3")  # fmt: skip
    expected = gecc.transactions.senders([raw]).sender[0].tobytes()
    found = gecc.transactions.senders(pa.array([raw.hex(), "0x" + raw.hex(), "zz", None]))
    assert [row.tobytes() for row in found.sender] == [expected, expected, bytes(20), bytes(20)]
    assert found.status.tolist() == [Status.OK, Status.OK, MALFORMED, Status.NULL]
    assert gecc.transactions.authorities(pa.array([raw.hex(), "zz", None])).offsets.tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="public_keys: row 1: a text is not in hexadecimal"):
        gecc.Keys("P-256", pa.array([gecc.ec.public_key("P-256", bytes(31) + b"\1").out[0].tobytes().hex(), "zz"]))


# Integers.

INTEGERS = ["i1", "u1", "i2", "u2", ">i2", "i4", "u4", "i8", "u8", ">i8"]


def forms_of(values):
    """Columns of these integers."""
    for kind in INTEGERS:
        info = np.iinfo(kind)
        if min(values) >= info.min and max(values) <= info.max:
            yield np.array(values, kind)
            yield np.repeat(np.array(values, kind), 2)[::2]
            if not kind.startswith(">"):
                yield pa.array(np.array(values, kind))
    yield list(values)
    yield np.array(values, object)
    if max(values) < 1 << 63:
        yield tuple(map(np.int64, values))
        yield pa.chunked_array([pa.array(values[:1], pa.int64()), pa.array(values[1:], pa.int64())])


def test_recovery_ids(one):
    """27 and 28 are 0 and 1, as integers and in decimal text; bytes are what the library takes."""
    signed = Signed("secp256k1", 12)
    ids = signed.recovery_id[:, 0].astype(int).tolist()
    assert set(ids) == {0, 1}
    expected = [row.tobytes() for row in signed.public_key]
    checked = 0
    for values in (ids, [number + 27 for number in ids], [number + 27 * (i % 2) for i, number in enumerate(ids)]):
        for column in [*forms_of(values), [str(number) for number in values], pa.array([f"0{number}" for number in values])]:
            found = gecc.ecdsa.recover("secp256k1", signed.digest, signed.signature, column)
            assert [row.tobytes() for row in found.public_key] == expected
            checked += 1
    assert checked > 60
    for wrong in (4, 26, 29, 30, 31, 35, 255, 256, 27 + 256, 1 << 31, -1, -229, (1 << 63) - 1):
        for column in forms_of([wrong] + ids[1:]):
            found = gecc.ecdsa.recover("secp256k1", signed.digest, signed.signature, column)
            assert found.status.tolist() == [Status.MALFORMED_RECOVERY_ID] + [Status.OK] * 11
    nulls = pa.array([None, *ids[1:]])
    for column in (nulls, [None, *ids[1:]], pa.array([None, *map(str, ids[1:])])):
        found = gecc.ecdsa.recover("secp256k1", signed.digest, signed.signature, column)
        assert found.status.tolist() == [Status.NULL] + [Status.OK] * 11
    for one_id in (ids[0], ids[0] + 27, np.int64(ids[0])):
        assert gecc.ecdsa.recover("secp256k1", signed.digest[:1], signed.signature[:1], one_id).status.tolist() == [Status.OK]
    found = gecc.ecdsa.recover("secp256k1", signed.digest, signed.signature, pa.array(["x", "", "1.0", "-1", "+1", "1 ", *map(str, ids[6:])]))
    assert found.status.tolist() == [MALFORMED] * 6 + [Status.OK] * 6


def test_v_of_ethereum():
    signed = Signed("secp256k1", 12)
    r, s = signed.signature[:, :32], signed.signature[:, 32:]
    ids = signed.recovery_id[:, 0].astype(int).tolist()
    expected = [row.tobytes() for row in gecc.ethereum.address(signed.public_key).address]
    checked = 0
    for chain in (None, 0, 1, 137, 11155111, (1 << 62) - 18):
        values = [(number if chain is None else number + 27 if chain == 0 else number + 35 + 2 * chain) for number in ids]
        text = [[hex(number) for number in values], [f"0x{number:064X}" for number in values], [f"{number:064x}" for number in values]]
        for column in [*forms_of(values), *text, *map(pa.array, text)]:
            found = gecc.ethereum.recover_columns(signed.digest, r, s, column)
            assert [row.tobytes() for row in found.address] == expected, (chain, column)
            checked += 1
    assert checked > 60
    for column in ([-1] * 12, pa.array([-27] * 12)):
        assert set(gecc.ethereum.recover_columns(signed.digest, r, s, column).status.tolist()) == {Status.MALFORMED_RECOVERY_ID}
    # Digits that could be decimal are neither.
    assert set(gecc.ethereum.recover_columns(signed.digest, r, s, ["27"] * 12).status.tolist()) == {MALFORMED}


def test_integers_in_sql():
    duckdb = pytest.importorskip("duckdb")
    import gecc.duckdb

    signed = Signed("secp256k1", 2)
    ids = signed.recovery_id[:, 0].astype(int).tolist()
    key, address = signed.public_key[0].tobytes(), gecc.ethereum.address(signed.public_key).address[0].tobytes()
    with duckdb.connect() as connection:
        gecc.duckdb.register(connection)
        rows = {"digest": signed.digest[0].tobytes(), "sig": signed.signature[0].tobytes(), "r": signed.signature[0, :32].tobytes(),
                "s": signed.signature[0, 32:].tobytes()}  # fmt: skip
        connection.execute("CREATE TABLE t AS SELECT $digest::BLOB AS digest, $sig::BLOB AS sig, $r::BLOB AS r, $s::BLOB AS s", rows)
        for kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "UBIGINT", "UHUGEINT", "VARCHAR"):
            for number in (ids[0], ids[0] + 27):
                found = connection.sql(f"SELECT gecc_ecdsa_recover('K-256', digest, sig, {number}::{kind}) FROM t").fetchall()
                assert found == [(key,)], (kind, number)
                if kind != "VARCHAR":
                    found = connection.sql(f"SELECT gecc_ethereum_recover_columns(digest, r, s, {number}::{kind}) FROM t").fetchall()
                    assert found == [(address,)], (kind, number)
        for value, status in (("4", "MALFORMED_RECOVERY_ID"), ("-1", "MALFORMED_RECOVERY_ID"), ("'x'", "MALFORMED_RECOVERY_ID"),
                              ("'0.9'", "MALFORMED_RECOVERY_ID"), ("1e30::HUGEINT", "MALFORMED_RECOVERY_ID"), ("NULL", "NULL")):
            assert connection.sql(f"SELECT gecc_ecdsa_recover_status('secp256k1', digest, sig, {value}) FROM t").fetchall() == [(status,)]
        for value, status in (("-1", "MALFORMED_TEXT"), ("'27'", "MALFORMED_TEXT"), ("NULL", "NULL"), ("NULL::INTEGER", "NULL")):
            assert connection.sql(f"SELECT gecc_ethereum_recover_columns_status(digest, r, s, {value}) FROM t").fetchall() == [(status,)]


# Curves.


def test_aliases_of_curves(one):
    good, _ = one
    for curve, aliases in {"P-256": ["secp256r1", "prime256v1", "p256", "NIST P-256", "nistp256", "1.2.840.10045.3.1.7", "P-256"]}.items():
        for alias in aliases:
            assert gecc.ecdsa.verify(alias, *good.values()).tolist() == [Status.OK]
            with gecc.Keys(alias, good["public_key"]) as keys:
                assert keys.curve == curve
                assert gecc.ecdsa.verify_keys(keys, [0], good["digest"], good["signature"]).tolist() == [Status.OK]
    for wrong in ("P-256 ", "", "P-256\0", "p_256", "Ｐ-256", None, 5, b"P-256"):
        with pytest.raises(ValueError, match="curve: "):
            gecc.ecdsa.verify(wrong, *good.values())
    table = pa.table({"public_key": [b""], "message": [b""], "signature": [b""]})
    assert gecc.arrow.run("ed25519.verify", table, curve="Ed25519")["status"].to_pylist() == [Status.MALFORMED_WIDTH]
    with pytest.raises(ValueError, match="curve: means nothing to ed25519.verify"):
        gecc.arrow.run("ed25519.verify", table, curve="secp256k1")
