"""Arrays in a GPU's memory, as far as that can be said without one: what the library would be given."""

import numpy as np
import pytest

import gecc
from gecc import _call, _inputs
from gecc._description import OPERATIONS, Widths

DIGEST, SIGNATURE = Widths(20, 64, ()), Widths(64, 64, (64,))


class FakeArray:
    """What CuPy's array shows: an address that nothing here may read."""

    def __init__(self, shape, strides=None, data=0x7F0000000000, stream=None, typestr="|u1", read_only=False):
        self.__cuda_array_interface__ = {"shape": shape, "strides": strides, "data": (data, read_only), "typestr": typestr,
                                         "version": 3, "stream": stream}  # fmt: skip


def test_rows_are_where_they_are():
    column = _inputs.take("digest", FakeArray((5, 32)), DIGEST)
    assert (column.count, column.segments[0].rows, column.on_device) == (5, (0x7F0000000000, 32, 32, 0, 0), True)
    column = _inputs.take("digest", FakeArray((5, 32), (64, 1), stream=7), DIGEST)
    assert (column.segments[0].rows[1:3], column.stream) == ((64, 32), 7)
    assert _inputs.take("digest", FakeArray((32,)), DIGEST).count is None
    assert _inputs.take("recovery_id", FakeArray((9,)), Widths(1, 1, (1,))).count == 9


@pytest.mark.parametrize("array, error, text", [
    (FakeArray((5, 32), typestr="<i4"), TypeError, "digest: an array of <i4"),
    (FakeArray((5, 32), (1, 5)), ValueError, "digest: rows in a GPU's memory whose bytes do not follow"),
    (FakeArray((5, 32), (-32, 1)), ValueError, "digest: rows in a GPU's memory"),
    (FakeArray((5, 32, 1)), ValueError, "digest: an array of 3 dimensions"),
    (FakeArray((5, 32), data=0), ValueError, "digest: an array in a GPU's memory without an address"),
])
def test_what_would_need_a_copy_is_refused(array, error, text):
    with pytest.raises(error, match=text):
        _inputs.take("digest", array, DIGEST)


def call(stream=None, out=None, digest=None, key_stream=None):
    plan = _call.plan_of(OPERATIONS["ecdsa.verify"], "P-256", 0, None, None)
    inputs = (FakeArray((5, 65), stream=key_stream), digest or FakeArray((5, 32), stream=7), np.zeros((5, 64), np.uint8))
    return _call.Call(plan, inputs, out, None, stream)


def test_the_stream_of_a_call():
    assert call().stream == 7 and call(stream=9).stream == 9
    options = call().arguments(0, 5, None)[-1]
    assert options._obj.stream == 7
    with pytest.raises(ValueError, match="stream: columns come from several streams"):
        call(key_stream=8)
    assert call(key_stream=8, stream=3).stream == 3


def test_outputs_on_the_device():
    status = FakeArray((5,), data=0x7F1000000000)
    made = call(out=status)
    assert made.on_device and made.status.out == (0x7F1000000000, 1, 0) and made.result() is status
    with pytest.raises(ValueError, match="out: status cannot be written"):
        call(out=FakeArray((5,), read_only=True))
    with pytest.raises(TypeError, match="rows that are null cannot be marked"):
        call(out=status, digest=[None] * 5)


def test_a_context_on_the_cpu_does_not_read_it():
    with gecc.Context(backend="cpu") as context:
        with pytest.raises(TypeError, match="context: has no GPU"):
            context.digest("sha256", FakeArray((5, 32)))


def test_dlpack_of_the_host(signed):
    class Wrapped:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **keywords):
            return self.array.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    status = gecc.ecdsa.verify(signed.curve, signed.public_key, Wrapped(signed.wrong), signed.signature)
    assert status.tolist() == signed.expected


def test_dlpack_of_a_device():
    class Wrapped:
        def __init__(self, array, kind=2):
            self.array, self.kind = array, kind

        def __dlpack__(self, stream=None):
            assert stream == 1
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return self.kind, 0

    data = np.zeros((6, 64), np.uint8)
    column = _inputs.take("signature", Wrapped(data[:, :32][::2]), DIGEST)
    assert column.segments[0].rows == (data.ctypes.data, 128, 32, 0, 0) and column.on_device and column.stream == 1
    with pytest.raises(TypeError, match="DLPack type"):
        _inputs.take("signature", Wrapped(np.zeros((6, 64), np.int16)), SIGNATURE)
    with pytest.raises(TypeError, match="a DLPack device of type 10"):
        _inputs.take("signature", Wrapped(data, 10), SIGNATURE)
