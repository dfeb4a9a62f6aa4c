"""Buffers that are not what they seem, arrays that change after they were checked, and what exceptions show."""

import array
import hashlib
import io
import traceback

import numpy as np
import pytest

import gecc
from gecc import Status

pa = pytest.importorskip("pyarrow")
import gecc.arrow  # noqa: E402

ROW = bytes(range(1, 33))

#: Items of a list that have 32 bytes and are not 32 items of a byte.
WIDE = {
    **{code: array.array(code, bytes(32)) for code in "hHiIlLqQfd"},
    **{f"numpy {kind}": np.zeros(32 // np.dtype(kind).itemsize, kind)
       for kind in ("i2", ">u2", "u4", "i8", "f2", "f8", "c8", "c16", "M8[s]", "S4", "V2", "U1")},
    "bool": np.zeros(32, bool), "2 dimensions": np.zeros((2, 16), np.uint8), "0 dimensions": np.array(1, np.uint8),
    "cast": memoryview(bytes(32)).cast("I"), "cast to 2 dimensions": memoryview(bytes(32)).cast("B", (4, 8)),
    "str": "0" * 32, "int": 5, "list": [1] * 32, "object": object(), "io": io.BytesIO(bytes(32)),
}  # fmt: skip
#: Items whose bytes are a row.
ROWS = [ROW, bytearray(ROW), memoryview(ROW), memoryview(ROW).cast("c"), array.array("B", ROW), np.frombuffer(ROW, np.uint8),
        np.frombuffer(bytes(b for x in ROW for b in (x, 0)), np.uint8)[::2], memoryview(bytes(ROW[::-1]))[::-1], np.bytes_(ROW)]


@pytest.mark.parametrize("name", WIDE)
def test_items_of_a_list_are_bytes(name):
    for rows in ([WIDE[name]], [ROW, WIDE[name]], [WIDE[name]] * 3, [None, bytearray(ROW), WIDE[name]]):
        if set(map(type, rows)) == {str}:
            continue  # text, which test_text is about
        for make in (list, tuple, lambda rows: as_objects(rows)):
            with pytest.raises(TypeError, match="digest: row [0-9] of a list is "):
                gecc.ecdsa.sign("P-256", ROW, make(rows))


def as_objects(rows):
    found = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        found[i] = row
    return found


def test_items_of_a_list():
    expected = hashlib.sha256(ROW).digest()
    for rows in (ROWS, as_objects(ROWS)):
        found = gecc.digest("sha256", rows)
        assert [row.tobytes() for row in found.digest] == [expected] * len(ROWS) and (found.status == Status.OK).all()


class Lying(bytes):
    """Bytes that say another length than they have."""

    def __len__(self):
        return 4


def test_a_length_is_that_of_the_bytes():
    found = gecc.digest("sha256", [Lying(ROW), b"x"])
    assert [row.tobytes() for row in found.digest] == [hashlib.sha256(ROW).digest(), hashlib.sha256(b"x").digest()]


@pytest.mark.parametrize("shape", [(), (2, 2), (1, 4), (4, 1), (1, 1, 4), (0, 2), (2, 0)], ids=str)
def test_arrays_of_objects_are_lists(shape):
    rows = np.empty(shape, object)
    rows[...] = ROW
    with pytest.raises((TypeError, ValueError), match="digest: an array of "):
        gecc.ecdsa.sign("P-256", ROW, rows)


def test_masked_rows_are_refused():
    rows = np.ma.array(np.ones((4, 32), np.uint8), mask=False)
    assert len(gecc.ecdsa.sign("P-256", ROW, rows).status) == 4
    rows[2] = np.ma.masked
    with pytest.raises(TypeError, match="digest: a masked array"):
        gecc.ecdsa.sign("P-256", ROW, rows)


def test_zeros_that_may_fill_a_row():
    rows = np.array([b"abc", b"a"])
    with pytest.raises(TypeError, match="message: an array of .S3 with rows that end in zeros"):
        gecc.digest("sha256", rows)
    assert gecc.digest("sha256", np.array([b"abc", b"abd"])).digest[0].tobytes() == hashlib.sha256(b"abc").digest()
    assert gecc.digest("sha256", rows.astype("V3")).digest[1].tobytes() == hashlib.sha256(b"a\0\0").digest()


# Rows.


def test_widths_that_change_after_they_were_checked():
    for wrong in (9, 4096, 0xFFFFFFFF):
        widths = np.full(4, 8, np.uint32)
        rows = gecc.Rows(np.zeros((4, 8), np.uint8), widths)
        widths[3] = wrong
        with pytest.raises(ValueError, match=f"message: a row of {wrong} bytes in data of 8"):
            gecc.digest("sha256", rows)


def test_widths_that_change_while_a_job_is_under_way():
    widths = np.full(2000, 8, np.uint32)
    job = gecc.digest.submit("sha256", gecc.Rows(np.zeros((2000, 8), np.uint8), widths))
    widths[:] = 1 << 31
    assert job.result().digest[1999].tobytes() == hashlib.sha256(bytes(8)).digest()


def test_rows_are_not_exchanged():
    rows = gecc.Rows(np.zeros((4, 8), np.uint8), np.full(4, 8, np.uint32))
    for name, value in (("data", np.zeros((2, 8), np.uint8)), ("widths", np.zeros(1, np.uint32))):
        with pytest.raises(AttributeError):
            setattr(rows, name, value)
    out = gecc.Rows(np.zeros((4, 72), np.uint8), np.zeros(4, np.uint32))
    out.widths.shape = (2, 2)
    with pytest.raises(ValueError, match="out: signature has widths that cannot be written"):
        gecc.ecdsa.sign("P-256", ROW, [ROW] * 4, der=True, out=(out, None, None))


# Exceptions.

SECRET = b"\x11SECRETKEYSECRETKEYSECRETKEYSEC!"
#: A secret as a caller may have it, and what of it no text may hold.
FORMS = {
    "bytes": SECRET, "str": SECRET.decode("latin1"), "hex": SECRET.hex(), "int": int.from_bytes(SECRET, "big"),
    "bytearray": bytearray(SECRET), "list": [SECRET] * 3, "array": np.frombuffer(SECRET, np.uint8),
    "rows": np.frombuffer(SECRET * 3, np.uint8).reshape(3, 32), "wide": np.frombuffer(SECRET, np.uint32),
    "numbers": list(SECRET), "dict": {SECRET.decode("latin1"): SECRET.hex()}, "arrow": pa.array([SECRET.hex()] * 3),
}  # fmt: skip
TRACES = ("SECRETKEY", SECRET.hex()[2:20], SECRET.hex().upper()[2:20], "83, 69, 67", "83 69 67",
          str(int.from_bytes(SECRET, "big"))[:20])  # fmt: skip


def text_of(error):
    return "".join(traceback.format_exception(type(error), error, error.__traceback__)) + repr(error)


@pytest.mark.parametrize("form", FORMS)
def test_exceptions_show_no_argument(form):
    """A secret in the place of every argument of every operation."""
    secret, calls = FORMS[form], 0
    for operation in gecc.OPERATIONS.values():
        function = gecc
        for part in operation.name.split("."):
            function = getattr(function, part)
        names = [operation.selector] * operation.takes_selector + [column.name for column in operation.inputs]
        good = {column.name: b"\2" * 32 for column in operation.inputs if not column.is_optional}
        good |= {"curve": operation.curves[0]} if operation.selector == "curve" and operation.takes_selector else {}
        good |= {"hash": "sha256"} if operation.selector == "hash" else {"modulus": 7} if operation.selector == "modulus" else {}
        if operation.selector == "keys":
            good["keys"] = None
        for name in [*names, "out", "report", "stream", "nonce_hash", "point_format"]:
            try:
                function(**(good | {name: secret}))
            except Exception as error:
                calls += 1
                assert not any(trace in text_of(error) for trace in TRACES), (operation.name, name)
    assert calls > 100


@pytest.mark.parametrize("form", FORMS)
def test_exceptions_of_tables_show_no_argument(form):
    secret = FORMS[form]
    table = pa.table({"digest": [ROW], "private_key": [ROW]})
    good = {"operation": "ecdsa.sign", "data": table, "curve": "P-256"}
    bad = [{name: secret} for name in ("operation", "data", "curve", "hash", "modulus", "columns", "context", "encoding", "nonce_hash")]
    bad += [{"columns": {"private_key": secret}}, {"columns": {"signature": secret}}, {"columns": {"curve": secret}}]
    if form in ("bytes", "str", "hex", "int"):
        bad += [{"columns": {secret: "private_key"}}]
    if form in ("str", "hex"):
        bad += [{"data": pa.table({secret: [ROW]})}, {"data": table.append_column("curve", [[secret]]), "curve": None}]
    for arguments in bad:
        try:
            gecc.arrow.run(**(good | arguments))
        except Exception as error:
            assert not any(trace in text_of(error) for trace in TRACES), list(arguments)
    for call in (lambda: gecc.Keys(secret, [ROW]), lambda: gecc.Keys("P-256", secret), lambda: gecc.Context(secret),
                 lambda: gecc.Context(device=secret), lambda: gecc.Context(threads=secret), lambda: gecc.transactions.senders(secret),
                 lambda: gecc.Rows(secret), lambda: gecc.transactions.senders([b"x"], chain_id=secret)):  # fmt: skip
        try:
            call()
        except Exception as error:
            assert not any(trace in text_of(error) for trace in TRACES)


def test_names_are_shown():
    with pytest.raises(ValueError, match="curve: 'P-257' is none of secp256k1"):
        gecc.ecdsa.verify("P-257", ROW, ROW, ROW)
    with pytest.raises(ValueError, match="curve: a str of 64 characters is none of secp256k1"):
        gecc.ecdsa.verify(ROW.hex(), ROW, ROW, ROW)
    with pytest.raises(ValueError, match="curve: bytes is none of secp256k1"):
        gecc.ecdsa.verify(ROW, "P-256", ROW, ROW)
