"""Arrow's layouts as columns, by the C data interface alone."""

import gc
import time

import numpy as np
import pytest

import gecc
from gecc import Status

pa = pytest.importorskip("pyarrow")


def rows_of(array):
    return [row.tobytes() for row in array]


TYPES = {
    "fixed": pa.binary(32), "binary": pa.binary(), "large": pa.large_binary(), "view": pa.binary_view(),
    "list": pa.list_(pa.uint8(), 32),
}  # fmt: skip


def make(rows, name):
    if name == "list":
        return pa.array([None if row is None else list(row) for row in rows], TYPES[name])
    return pa.array(rows, TYPES[name])


def check(signed, column, expected=None):
    status = gecc.ecdsa.verify(signed.curve, signed.public_key, column, signed.signature)
    assert status.tolist() == (signed.expected if expected is None else expected)


@pytest.mark.parametrize("name", TYPES)
def test_types(signed, name):
    rows = rows_of(signed.wrong)
    check(signed, make(rows, name))
    check(signed, make([b"x" * 32] * 5 + rows + [b"y" * 32] * 3, name)[5:45])
    check(signed, pa.chunked_array([make(rows[:1], name), make([], name), make(rows[1:30], name), make(rows[30:], name)]))


@pytest.mark.parametrize("name", TYPES)
def test_nulls(signed, name):
    rows = rows_of(signed.wrong)
    expected = list(signed.expected)
    for i in (0, 9, 10, 39):
        rows[i], expected[i] = None, Status.NULL
    check(signed, make(rows, name), expected)
    check(signed, make([None] * 3 + rows, name)[3:], expected)
    check(signed, pa.chunked_array([make(rows[:10], name), make(rows[10:], name)]), expected)
    check(signed, make([None] * 40, name), [Status.NULL] * 40)


@pytest.mark.parametrize("name", ["fixed", "binary", "large"])
@pytest.mark.parametrize("index", [pa.int8(), pa.uint16(), pa.int32(), pa.int64()], ids=str)
def test_dictionaries(signed, name, index):
    kinds = rows_of(signed.digest[:4])
    picks = [i % 4 for i in range(signed.n)]
    status = [Status.OK if picks[i] == i else Status.INVALID for i in range(signed.n)]
    make_dictionary = pa.DictionaryArray.from_arrays
    column = make_dictionary(pa.array(picks, index), make(kinds, name))
    check(signed, column, status)
    check(signed, make_dictionary(pa.array([3, 1, *picks], index), make(kinds, name))[2:], status)
    null = make_dictionary(pa.array([None, *picks[1:]], index), make([*kinds[:3], None], name))
    check(signed, null, [Status.NULL if i == 0 or picks[i] == 3 else status[i] for i in range(signed.n)])
    empty = make_dictionary(pa.array([None] * signed.n, index), make([], name))
    check(signed, empty, [Status.NULL] * signed.n)


def test_items_that_are_null(signed):
    """A row of a list of bytes one of which is null is null."""
    rows = [list(row) for row in signed.wrong.tolist()]
    rows[1][7], rows[4][31], rows[9] = None, None, None
    expected = [Status.NULL if i in (1, 4, 9) else status for i, status in enumerate(signed.expected)]
    check(signed, pa.array(rows, pa.list_(pa.uint8(), 32)), expected)
    check(signed, pa.array([rows[1], *rows], pa.list_(pa.uint8(), 32))[1:], expected)


def test_index_out_of_range(signed):
    column = pa.DictionaryArray.from_arrays(pa.array([4] * signed.n), make(rows_of(signed.digest[:4]), "fixed"), safe=False)
    with pytest.raises(ValueError, match="digest: an index that its Arrow dictionary does not have"):
        check(signed, column)


def test_widths_that_differ_are_statuses(signed):
    rows = rows_of(signed.wrong)
    rows[0], rows[1] = b"", b"short"
    expected = [Status.MALFORMED_WIDTH] * 2 + signed.expected[2:]
    for name in ("binary", "large", "view"):
        check(signed, make(rows, name), expected)


def test_messages():
    texts = ["", "a", "abc", "x" * 200, None, "é"]
    expected = gecc.digest("sha256", [None if text is None else text.encode() for text in texts]).digest
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        for column in (pa.array(texts, pa.string()).cast(kind), pa.array(["b", *texts], pa.string()).cast(kind)[1:]):
            found = gecc.digest("sha256", column)
            assert (found.digest == expected).all() and found.status[4] == Status.NULL


def test_integers_of_one_byte(signed):
    ids = pa.array(signed.recovery_id[:, 0])
    assert (gecc.ecdsa.recover(signed.curve, signed.digest, signed.signature, ids).status == Status.OK).all()


def test_nothing_in_chunks():
    empty = pa.chunked_array([], pa.binary(32))
    found = gecc.ecdsa.sign("P-256", empty, pa.chunked_array([], pa.binary()))
    assert found.signature.shape == (0, 64)


@pytest.mark.parametrize("column", [pa.array([1, 2]), pa.array([1.5]), pa.array([[b"x"]]), pa.array([{"a": b"x"}]),
                                    pa.array([None]), pa.chunked_array([], pa.int32())], ids=lambda column: str(column.type))
def test_other_types(column):
    with pytest.raises(TypeError, match="digest: an Arrow column of format"):
        gecc.ecdsa.sign("P-256", bytes(31) + b"\1", column)


def test_memory_is_released(signed):
    before = pa.total_allocated_bytes()
    column = pa.chunked_array([make(rows_of(signed.wrong), "binary")] * 2)
    job = gecc.digest.submit("sha256", column)
    del column
    assert (job.result().status == Status.OK).all()
    del job
    # The thread that waited forgets the call a moment after its result is there.
    deadline = time.monotonic() + 30
    while pa.total_allocated_bytes() > before and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.01)
    assert pa.total_allocated_bytes() <= before


def test_polars(signed):
    polars = pytest.importorskip("polars")
    check(signed, polars.Series(rows_of(signed.wrong)))


def test_pandas(signed):
    pandas = pytest.importorskip("pandas")
    check(signed, pandas.Series(rows_of(signed.wrong)))
    check(signed, pandas.Series(make(rows_of(signed.wrong), "binary"), dtype=pandas.ArrowDtype(pa.binary())))


def test_rows_are_not_copied():
    """The column of an array is the array's memory."""
    from gecc._description import Widths
    from gecc._inputs import take

    data = np.arange(64, dtype=np.uint8)
    for column in (pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), 2, [None, pa.py_buffer(data)]),
                   pa.Array.from_buffers(pa.binary(), 2, [None, pa.py_buffer(np.array([0, 32, 64], "i4")), pa.py_buffer(data)])):
        taken = take("digest", column, Widths(20, 64, ()))
        assert taken.segments[0].rows[0] == data.ctypes.data
