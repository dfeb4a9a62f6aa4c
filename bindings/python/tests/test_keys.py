"""Prepared keys: gecc.Keys, and the operations that take them, beside those that take points."""

import gc
import threading

import numpy as np
import pytest
from conftest import SEED
from hypothesis import given, settings
from hypothesis import strategies as st

import gecc
from gecc import Status


@pytest.fixture(scope="module")
def keys(signed):
    with gecc.Keys("P-256", signed.public_key) as keys:
        yield keys


def test_verdicts(signed, keys):
    assert (keys.status == Status.OK).all() and len(keys) == keys.count == signed.n
    numbers = np.arange(signed.n)
    assert gecc.ecdsa.verify_keys(keys, numbers, signed.wrong, signed.signature).tolist() == signed.expected
    assert gecc.ecdsa.verify_keys.submit(keys, numbers, signed.wrong, signed.signature).result().tolist() == signed.expected
    gecc.ecdsa.verify_keys.prepare(keys, signed.n)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"])
def test_numbers_of_any_integers(signed, keys, dtype):
    numbers = np.arange(signed.n).astype(dtype)
    assert gecc.ecdsa.verify_keys(keys, numbers, signed.wrong, signed.signature).tolist() == signed.expected
    assert gecc.ecdsa.verify_keys(keys, numbers[::-1], signed.wrong[::-1], signed.signature[::-1]).tolist() == \
        signed.expected[::-1]


def test_numbers_of_other_forms(signed, keys):
    rows = np.arange(signed.n, dtype="<u4").view(np.uint8).reshape(-1, 4)
    for numbers in (rows, list(range(signed.n)), [bytes(row) for row in rows]):
        assert gecc.ecdsa.verify_keys(keys, numbers, signed.wrong, signed.signature).tolist() == signed.expected
    for number in (7, np.int64(7), b"\x07\0\0\0"):
        status = gecc.ecdsa.verify_keys(keys, number, signed.digest, signed.signature)
        assert [row for row in range(signed.n) if status[row] == Status.OK] == [7]
    with pytest.raises(TypeError, match="key"):
        gecc.ecdsa.verify_keys(keys, np.arange(signed.n, dtype=float), signed.digest, signed.signature)
    with pytest.raises(gecc.ArgumentError, match="key: rows of 3 bytes, where a key number has 4"):
        gecc.ecdsa.verify_keys(keys, rows[:, :3], signed.digest, signed.signature)


@settings(max_examples=25, deadline=None)
@given(numbers=st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 60), min_size=1, max_size=40))
def test_numbers_that_no_key_has(signed, keys, numbers):
    rows = np.arange(len(numbers))
    for given_numbers in (numbers, np.array(numbers, np.int64)):
        status = gecc.ecdsa.verify_keys(keys, given_numbers, signed.digest[rows], signed.signature[rows])
        for row, number in zip(rows, numbers):
            expected = Status.MALFORMED_KEY_NUMBER if not 0 <= number < signed.n else \
                Status.OK if number == row else Status.INVALID
            assert status[row] == expected


def test_refused_keys(signed):
    points = [bytes(row) for row in signed.public_key[:4]]
    points[1] = points[1][:-2]
    points[2] = b"\5" + points[2][1:]
    with gecc.Keys("P-256", points) as keys:
        assert keys.status.tolist() == [Status.OK, Status.MALFORMED_WIDTH, Status.MALFORMED_POINT_ENCODING, Status.OK]
        status = gecc.ecdsa.verify_keys(keys, [0, 1, 2, 3], signed.digest[:4], signed.signature[:4])
        assert status.tolist() == [*keys.status[:3], Status.OK]


@pytest.mark.parametrize("curve, width", [("secp256k1", 32), ("P-256", 32), ("P-384", 48), ("SM2", 32)])
def test_sums_beside_points(curve, width):
    random = np.random.default_rng(SEED)
    u, v, private = (random.integers(0, 256, (20, width), dtype=np.uint8) for _ in range(3))
    private[:, 0] = 1
    points = gecc.ec.public_key(curve, private, point_format="compressed").out
    expected = gecc.ec.mul_add(curve, u, v, points, public_scalars=True)
    with gecc.Keys(curve, points, window=5) as keys:
        found = gecc.ec.mul_add_keys(keys, u, v, np.arange(20))
    assert (found.out == expected.out).all() and (found.status == Status.OK).all()


def test_schnorr_and_sm2():
    random = np.random.default_rng(SEED)
    private, message = (random.integers(0, 200, (12, 32), dtype=np.uint8) for _ in range(2))
    x_only = gecc.schnorr.public_key(private).public_key
    signature = gecc.schnorr.sign(private, message).signature
    signature[3, 40] ^= 1
    with gecc.Keys("secp256k1", x_only) as keys:
        found = gecc.schnorr.verify_keys(keys, np.arange(12), message, signature)
    assert (found == gecc.schnorr.verify(x_only, message, signature)).all() and found[3] == Status.INVALID
    public = gecc.ec.public_key("SM2", private).out
    signature = gecc.sm2.sign(private, message).signature
    signature[4, 40] ^= 1
    with gecc.Keys("SM2", public) as keys:
        found = gecc.sm2.verify_keys(keys, np.arange(12), message, signature)
    assert (found == gecc.sm2.verify(public, message, signature)).all() and found[4] == Status.INVALID


RULES = [{}, {"accept_ref10": True}, {"accept_strict": True}, {"accept_zip215": True}]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: " ".join(rule) or "RFC 8032")
def test_ed25519(rule):
    random = np.random.default_rng(SEED)
    seed, message = (random.integers(0, 256, (12, 32), dtype=np.uint8) for _ in range(2))
    public = gecc.ed25519.public_key(seed).public_key
    signature = gecc.ed25519.sign(seed, message, ctx=b"a context").signature
    signature[4, 40] ^= 1
    public[5] = 255  # y is not below p: 2^255 - 1 is 18, and its point's x has the sign that is set
    with gecc.Keys("Curve25519", public) as keys:
        assert keys.status.tolist() == [Status.OK] * 5 + [Status.MALFORMED_POINT_RANGE] + [Status.OK] * 6
        found = gecc.ed25519.verify_keys(keys, np.arange(12), message, signature, ctx=b"a context", **rule)
    assert (found == gecc.ed25519.verify(public, message, signature, ctx=b"a context", **rule)).all()
    assert found[3] == Status.OK and found[4] == Status.INVALID and found[5] != Status.OK
    with gecc.Keys("Curve25519", public[:, :31]) as keys:
        assert (keys.status == Status.MALFORMED_WIDTH).all()


def test_window_and_memory(signed):
    with gecc.Keys("P-256", signed.public_key, window=6) as keys:
        assert keys.window == 6 and keys.memory > 0 and "windows of 6 bits" in repr(keys)
        with gecc.Keys("P-256", signed.public_key, rows=10**6, memory=keys.memory) as others:
            assert others.memory <= keys.memory
    with pytest.raises(gecc.OutOfMemory, match="40 keys"):
        gecc.Keys("P-256", signed.public_key, memory=1000)
    with pytest.raises(gecc.ArgumentError, match="window is 17"):
        gecc.Keys("P-256", signed.public_key, window=17)
    with pytest.raises(ValueError, match="curve"):
        gecc.Keys("P-257", signed.public_key)


def test_added_keys(signed):
    half = signed.n // 2
    with gecc.Keys("P-256", signed.public_key[:half], capacity=signed.n) as keys:
        status = gecc.ecdsa.verify_keys(keys, np.arange(signed.n), signed.digest, signed.signature)
        assert (status[:half] == Status.OK).all() and (status[half:] == Status.MALFORMED_KEY_NUMBER).all()
        for start in range(half, signed.n):
            first, status = keys.add(signed.public_key[start : start + 1])
            assert first == start and status.tolist() == [Status.OK]
        assert len(keys) == keys.capacity == signed.n
        assert gecc.ecdsa.verify_keys(keys, np.arange(signed.n), signed.wrong, signed.signature).tolist() == signed.expected
        with pytest.raises(gecc.ArgumentError, match="room for 0"):
            keys.add(signed.public_key[:1])
    with pytest.raises(gecc.Error, match="closed"):
        keys.add(signed.public_key[:1])
    assert len(keys) == signed.n


@pytest.mark.parametrize("key_table_bytes", [None, 0])
def test_keys_that_repeat(signed, key_table_bytes):
    rows = np.arange(1024) % signed.n
    columns = signed.public_key[rows], signed.wrong[rows], signed.signature[rows]
    with gecc.Context("cpu", key_table_bytes=key_table_bytes) as context:
        report, job = gecc.Report(), gecc.Report()
        status = context.ecdsa.verify("P-256", *columns, report=report)
        submitted = context.ecdsa.verify.submit("P-256", *columns, report=job).result()
    expected = [signed.expected[row] for row in rows]
    assert status.tolist() == submitted.tolist() == expected
    assert report.prepared_keys == job.prepared_keys == (signed.n if key_table_bytes is None else 0)


def test_what_is_no_set(signed, keys):
    rows = ([0], signed.digest[:1], signed.signature[:1])
    with pytest.raises(TypeError, match="keys: str, where a gecc.Keys is wanted"):
        gecc.ecdsa.verify_keys("P-256", *rows)
    with pytest.raises(gecc.ArgumentError, match="keys|curve"):
        gecc.sm2.verify_keys(keys, *rows)
    with gecc.Context("cpu", threads=1) as context:
        with pytest.raises(gecc.ArgumentError, match="keys: of another context"):
            context.ecdsa.verify_keys(keys, *rows)


def test_closing(signed):
    rows = (np.arange(signed.n), signed.wrong, signed.signature)
    keys = gecc.Keys("P-256", signed.public_key)
    job = gecc.ecdsa.verify_keys.submit(keys, *rows)
    keys.close()
    keys.close()
    assert job.result().tolist() == signed.expected
    with pytest.raises(gecc.Error, match="keys: closed"):
        gecc.ecdsa.verify_keys(keys, *rows)
    context = gecc.Context("cpu", threads=1)
    keys = gecc.Keys("P-256", signed.public_key, context=context)
    assert context.ecdsa.verify_keys(keys, *rows).tolist() == signed.expected
    context.close()
    with pytest.raises(gecc.Error, match="closed"):
        context.ecdsa.verify_keys(keys, *rows)
    keys.close()
    with pytest.raises(gecc.Error, match="context: closed"):
        gecc.Keys("P-256", signed.public_key, context=context)
    gecc.Keys("P-256", signed.public_key, context=gecc.Context("cpu", threads=1))
    gc.collect()


def test_sets_of_several_curves_one_after_the_other(signed):
    """Of which the second may be where the first was."""
    for curve in ("P-256", "secp256k1", "P-384") * 5:
        width = 48 if curve == "P-384" else 32
        private = np.full((1, width), 3, np.uint8)
        public = gecc.ec.public_key(curve, private).out
        signature = gecc.ecdsa.sign(curve, private, signed.digest[:1]).signature
        with gecc.Keys(curve, public, window=4) as keys:
            assert gecc.ecdsa.verify_keys(keys, [0], signed.digest[:1], signature)[0] == Status.OK


def test_threads(signed, keys):
    found = []

    def work():
        for _ in range(10):
            with gecc.Keys("P-256", signed.public_key, window=4) as own:
                for each in (own, keys):
                    found.append(gecc.ecdsa.verify_keys(each, np.arange(signed.n), signed.wrong, signed.signature).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(verdicts == signed.expected for verdicts in found)
