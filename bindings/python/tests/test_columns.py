"""What columns can be, what they cannot, and what is said then."""

import array

import numpy as np
import pytest
from conftest import Signed

import gecc
from gecc import Status


def verify(signed, **columns):
    columns = {"public_key": signed.public_key, "digest": signed.wrong, "signature": signed.signature} | columns
    return gecc.ecdsa.verify(signed.curve, **columns)


@pytest.mark.parametrize("shape", [
    lambda rows: rows,
    lambda rows: [row.tobytes() for row in rows],
    lambda rows: tuple(bytearray(row) for row in rows),
    lambda rows: np.hstack([rows, rows])[:, : rows.shape[1]],
    lambda rows: np.repeat(rows, 3, axis=0)[::3],
    lambda rows: np.asfortranarray(rows),
    lambda rows: rows[:, ::-1].copy()[:, ::-1],
    lambda rows: rows[::-1].copy()[::-1],
    lambda rows: memoryview(rows),
    lambda rows: rows.view(f"V{rows.shape[1]}").reshape(-1),
    lambda rows: rows.view(f"S{rows.shape[1]}").reshape(-1),
    lambda rows: np.array([row.tobytes() for row in rows], object),
    lambda rows: gecc.Rows(rows),
    lambda rows: gecc.Rows(np.hstack([rows, rows]), np.full(len(rows), rows.shape[1])),
    lambda rows: np.ma.masked_array(rows),
    lambda rows: np.rec.fromarrays([rows.view(f"V{rows.shape[1]}").reshape(-1), np.arange(len(rows))])["f0"],
], ids=str)  # fmt: skip
def test_shapes(signed, shape):
    columns = {name: shape(getattr(signed, name)) for name in ("public_key", "signature")}
    assert verify(signed, digest=shape(signed.wrong), **columns).tolist() == signed.expected


def test_fields_of_records(signed):
    records = np.zeros(signed.n, [("height", "i4"), ("digest", "u1", 32), ("key", "V65")])
    records["digest"], records["key"] = signed.wrong, signed.public_key.view("V65").reshape(-1)
    assert verify(signed, digest=records["digest"], public_key=records["key"]).tolist() == signed.expected


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda value: array.array("B", value),
                                  lambda value: np.frombuffer(value, np.uint8)], ids=str)
def test_one_value_for_all(signed, kind):
    status = verify(signed, digest=kind(signed.digest[5].tobytes()))
    assert status.tolist() == [Status.OK if i == 5 else Status.INVALID for i in range(signed.n)]


def test_only_single_values(signed):
    one = {name: getattr(signed, name)[0].tobytes() for name in ("public_key", "digest", "signature")}
    assert verify(signed, **one).tolist() == [Status.OK]


def test_recovery_ids_are_rows_of_one_byte(signed):
    for ids in (signed.recovery_id, signed.recovery_id[:, 0], memoryview(signed.recovery_id)):
        found = gecc.ecdsa.recover(signed.curve, signed.digest, signed.signature, ids)
        assert (found.public_key == signed.public_key).all()


def test_bad_rows_are_statuses(signed):
    digest = [row.tobytes() for row in signed.wrong]
    digest[0], digest[1], digest[2] = b"", b"short", None
    status = verify(signed, digest=digest)
    assert status[:3].tolist() == [Status.MALFORMED_WIDTH, Status.MALFORMED_WIDTH, Status.NULL]
    assert status[3:].tolist() == signed.expected[3:]
    assert (verify(signed, digest=[b"short"] * signed.n) == Status.MALFORMED_WIDTH).all()
    assert (verify(signed, digest=[None] * signed.n) == Status.NULL).all()


def test_null_rows_give_nothing(signed):
    keys = [None if i % 2 else row.tobytes() for i, row in enumerate(signed.private_key)]
    found = gecc.ecdsa.sign(signed.curve, keys, signed.digest, der=True)
    for i in range(signed.n):
        assert found.status[i] == (Status.NULL if i % 2 else Status.OK)
        assert (len(found.signature[i]) == 0) == (i % 2 == 1)
    assert not found.recovery_id[1::2].any() and not found.signature.data[1::2].any()


@pytest.mark.parametrize("column, value, error, text", [
    ("digest", np.zeros((40, 32), np.int64), TypeError, "digest: an array of int64"),
    ("digest", np.zeros((40, 32), ">u2"), TypeError, "digest: an array of >u2|digest: an array of uint16"),
    ("digest", np.zeros((40, 32), bool), TypeError, "digest: an array of bool"),
    ("digest", np.zeros((40, 19), np.uint8), gecc.ArgumentError, "digest: rows of 19 bytes"),
    ("digest", np.zeros((40, 0), np.uint8), gecc.ArgumentError, "digest: rows of 0 bytes"),
    ("digest", np.zeros((2, 40, 32), np.uint8), ValueError, "digest: an array of 3 dimensions"),
    ("digest", np.uint8(1), ValueError, "digest: an array of 0 dimensions"),
    ("digest", np.zeros((7, 32), np.uint8), ValueError, "digest: 7 rows, where public_key has 40"),
    ("digest", None, TypeError, "digest: None, where what was signed is wanted"),
    ("digest", 5, TypeError, "digest: int"),
    ("digest", "text", TypeError, "digest: str"),
    ("digest", ["text"] * 39 + [b"text"], TypeError, "digest: row 0 of a list is str"),
    ("digest", [1] * 40, TypeError, "digest: row 0 of a list is int"),
    ("signature", b"", gecc.ArgumentError, "signature: rows of 0 bytes"),
    ("curve", "P-257", ValueError, "curve: 'P-257' is none of"),
    ("out", np.zeros(40, np.int8), TypeError, "out: status is an array of int8"),
    ("out", np.zeros(39, np.uint8), ValueError, r"out: status has the shape \(39,\)"),
    ("out", np.zeros((40, 1), np.uint8), ValueError, r"out: status has the shape \(40, 1\)"),
    ("out", np.broadcast_to(np.uint8(0), 40), ValueError, "out: status cannot be written"),
    ("out", b"x" * 40, TypeError, "out: status is bytes"),
    ("report", 1, TypeError, "report: int"),
], ids=str)  # fmt: skip
def test_bad_arguments(signed, column, value, error, text):
    with pytest.raises(error, match=text):
        arguments = {"curve": signed.curve, "public_key": signed.public_key, "digest": signed.wrong,
                     "signature": signed.signature} | {column: value}  # fmt: skip
        gecc.ecdsa.verify(**arguments)


def test_bad_modulus():
    for modulus, text in ((8, "modulus: has to be odd"), (2**512 + 1, "at most 512 bits"), (-3, "modulus"), (b"\3", "modulus")):
        with pytest.raises(ValueError, match=text):
            gecc.mod.square(modulus, bytes(16))
    with pytest.raises(TypeError, match="modulus: str"):
        gecc.mod.square("7", bytes(16))


def test_modulus_as_a_number_or_bytes():
    modulus = 2**255 - 19
    a = gecc.mod.square(modulus, (5).to_bytes(32, "big")).out.tobytes()
    assert int.from_bytes(a, "big") == 25
    assert gecc.mod.square(bytearray(modulus.to_bytes(32, "big")), (5).to_bytes(32, "big")).out.tobytes() == a


def test_zero_rows():
    empty = np.zeros((0, 32), np.uint8)
    for digest in (empty, []):
        found = gecc.ecdsa.sign("P-384", np.zeros((0, 48), np.uint8), digest)
        assert found.signature.shape == (0, 96) and found.status.shape == (0,)
    assert gecc.mod.power(2**256 - 189, empty, []).out.shape == (0, 32)
    with pytest.raises(ValueError):
        gecc.ecdsa.verify("P-257", empty, empty, empty)


def test_out(signed):
    signature = np.full((signed.n, 80), 7, np.uint8)
    recovery_id = np.zeros(signed.n, np.uint8)
    status = np.zeros((signed.n, 2), np.uint8)[:, 0]
    found = gecc.ecdsa.sign(signed.curve, signed.private_key, signed.digest, out=(signature, recovery_id, status))
    assert found.signature is signature and found.status is status and (status == Status.OK).all()
    assert (signature[:, :64] == signed.signature).all() and (signature[:, 64:] == 7).all()
    assert (recovery_id == signed.recovery_id[:, 0]).all()
    assert gecc.ecdsa.sign(signed.curve, signed.private_key, signed.digest, out=[None, None, status]).status is status
    with pytest.raises(TypeError, match="out: ndarray, where a tuple of signature, recovery_id, status is wanted"):
        gecc.ecdsa.sign(signed.curve, signed.private_key, signed.digest, out=status)


def test_out_in_place(signed):
    value = np.full((4, 32), 3, np.uint8)
    gecc.mod.add(2**256 - 189, value, value, out=(value, None))
    assert (value == 6).all()


def test_out_of_rows(signed):
    rows = gecc.Rows(np.zeros((signed.n, 72), np.uint8), np.zeros(signed.n, np.uint32))
    found = gecc.ecdsa.sign(signed.curve, signed.private_key, signed.digest, der=True, out=(rows, None, None))
    assert found.signature is rows
    assert (gecc.ecdsa.verify(signed.curve, signed.public_key, signed.digest, rows, der=True) == Status.OK).all()
    strided = gecc.Rows(np.repeat(rows.data, 2, axis=0)[::2], rows.widths)
    assert (gecc.ecdsa.verify(signed.curve, signed.public_key, signed.digest, strided, der=True) == Status.OK).all()


def test_rows():
    rows = gecc.Rows(np.arange(12, dtype=np.uint8).reshape(3, 4), np.array([0, 4, 2]))
    assert rows.tolist() == [b"", b"\4\5\6\7", b"\10\11"] and rows[-2:].tolist() == rows.tolist()[1:]
    for data, widths in ((np.zeros(4, np.uint8), None), (np.zeros((3, 4)), None), (np.zeros((3, 4), np.uint8), [1, 2]),
                         (np.zeros((3, 4), np.uint8), [1, 2, 5])):
        with pytest.raises(ValueError, match="Rows: "):
            gecc.Rows(data, widths)


def test_secrets_are_in_no_text():
    key = bytes.fromhex("c0ffee" * 10 + "0102")
    found = gecc.ecdh("P-256", key, Signed("P-256", 2).public_key)
    texts = [repr(found), str(found), repr(gecc.Rows(np.frombuffer(key, np.uint8)[None])), repr(gecc.ecdh)]
    with pytest.raises(TypeError) as error:
        gecc.ecdh("P-256", [key, 5], b"")
    with pytest.raises(gecc.ArgumentError) as other:
        gecc.ecdh("P-256", key[:31], b"\2" * 33)
    texts += [repr(error.value), repr(other.value)]
    for text in texts:
        assert "\\xc0" not in text
        for secret in (key[:4], bytes(found.shared[0][:4])):
            assert secret.hex() not in text
            assert ", ".join(map(str, secret)) not in text and " ".join(map(str, secret)) not in text


@pytest.mark.parametrize("seconds", [1e9, 1e-9, 0.5])
def test_large_calls_are_made_in_pieces(signed, monkeypatch, seconds):
    """Where keys are kept, by the time that a piece takes, whatever that is; other calls are a job. Results are the same."""
    monkeypatch.setattr("gecc._pace.FIRST_ROWS", 7)
    monkeypatch.setattr("gecc._pace._LEAST_ROWS", 2)
    monkeypatch.setattr("gecc._pace.PIECE_SECONDS", seconds)
    with gecc.Context("cpu", threads=1) as context:
        counts, start = [], context._start
        monkeypatch.setattr(context, "_start", lambda call, first, count: counts.append(count) or start(call, first, count))
        assert context.ecdsa.verify("P-256", signed.public_key, signed.wrong, signed.signature).tolist() == signed.expected
        assert counts == [signed.n]
    with gecc.Context("cpu", threads=1, key_cache_bytes=1 << 20) as context:
        counts, run_piece = [], context._run_piece
        monkeypatch.setattr(context, "_run_piece", lambda call, pace, first, count: counts.append(count) or run_piece(call, pace, first, count))
        report = gecc.Report()
        context.ecdsa.verify("P-256", signed.public_key, signed.wrong, signed.signature, report=report)
        assert report.seconds > 0 and report.backend == "cpu"
        counts.clear()
        context._paces.clear()
        for _ in range(2):
            assert context.ecdsa.verify("P-256", signed.public_key, signed.wrong, signed.signature).tolist() == signed.expected
        with pytest.raises(gecc.ArgumentError, match="digest: rows of 3 bytes"):
            context.ecdsa.verify("P-256", signed.public_key, signed.digest[:, :3], signed.signature)
    if seconds == 1e9:
        assert counts[:5] == [7, 14, 19, 40, 40]
    elif seconds == 1e-9:
        assert counts[:18] == [7] + [2] * 16 + [1]


def test_pace():
    from gecc._pace import FIRST_ROWS, PIECE_SECONDS, Pace

    pace = Pace()
    pace.learn(FIRST_ROWS, 1e-6)
    assert pace.rows == 2 * FIRST_ROWS  # rows that are refused say little of others
    pace.learn(100, 1e-6)
    assert pace.rows == 2 * FIRST_ROWS
    pace.learn(2 * FIRST_ROWS, 4 * PIECE_SECONDS)
    assert pace.rows == FIRST_ROWS // 2
    pace.learn(10, 100.0)
    assert pace.rows == 64
