"""The package beside other libraries, on rows that hypothesis makes: cryptography (OpenSSL), coincurve (libsecp256k1), gmssl."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gecc
from gecc import Status

settings.register_profile("gecc", max_examples=25, deadline=None)
settings.load_profile("gecc")

#: Orders of the curves: SEC 2, FIPS 186-4, GB/T 32918.5.
ORDERS = {
    "secp256k1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    "P-256": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "P-384": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    "SM2": 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123,
}  # fmt: skip
SIZES = {"secp256k1": 32, "P-256": 32, "P-384": 48, "SM2": 32}


def keys(curve):
    """Private keys, small and large ones more often than by chance."""
    order = ORDERS[curve]
    numbers = st.one_of(st.integers(1, order - 2), st.integers(1, 20), st.integers(order - 20, order - 2))
    return numbers.map(lambda number: number.to_bytes(SIZES[curve], "big"))


def rows_of(curve, width=None):
    digest = st.binary(min_size=width or SIZES[curve], max_size=width or SIZES[curve])
    return st.lists(st.tuples(keys(curve), digest), min_size=1, max_size=8)


def spoil(row, bit):
    """The row with one bit changed; bit None: as it is. What is changed does not depend on the row, which may be random."""
    return row if bit is None else (int.from_bytes(row, "big") ^ 1 << bit % (8 * len(row))).to_bytes(len(row), "big")


@pytest.mark.parametrize("curve, name", [("P-256", "SECP256R1"), ("P-384", "SECP384R1"), ("secp256k1", "SECP256K1")])
@given(data=st.data())
def test_ecdsa_beside_cryptography(curve, name, data):
    pytest.importorskip("cryptography")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    rows = data.draw(rows_of(curve))
    algorithm = ec.ECDSA(utils.Prehashed(hashes.SHA384() if curve == "P-384" else hashes.SHA256()))
    theirs = [ec.derive_private_key(int.from_bytes(key, "big"), getattr(ec, name)()) for key, _ in rows]
    public = [key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
              for key in theirs]  # fmt: skip
    digests = [digest for _, digest in rows]
    made = gecc.ec.public_key(curve, [key for key, _ in rows])
    assert [bytes(row) for row in made.out] == public

    signed = gecc.ecdsa.sign(curve, [key for key, _ in rows], digests, der=True)
    for key, digest, signature in zip(theirs, digests, signed.signature):
        key.public_key().verify(signature, digest, algorithm)

    bits = data.draw(st.lists(st.none() | st.integers(0, 1023), min_size=len(rows), max_size=len(rows)))
    given_signatures = [spoil(key.sign(digest, algorithm), bit) for key, digest, bit in zip(theirs, digests, bits)]
    status = gecc.ecdsa.verify(curve, public, digests, given_signatures, der=True)
    for i, (key, digest, signature) in enumerate(zip(theirs, digests, given_signatures)):
        try:
            key.public_key().verify(signature, digest, algorithm)
            assert status[i] == Status.OK
        except InvalidSignature:
            assert status[i] != Status.OK and status[i] != Status.NOT_PROCESSED


@pytest.mark.parametrize("curve, name", [("P-256", "SECP256R1"), ("P-384", "SECP384R1")])
@given(data=st.data())
def test_ecdh_beside_cryptography(curve, name, data):
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives.asymmetric import ec

    pairs = data.draw(st.lists(st.tuples(keys(curve), keys(curve)), min_size=1, max_size=6))
    peers = gecc.ec.public_key(curve, [peer for _, peer in pairs], point_format="compressed").out
    found = gecc.ecdh(curve, [key for key, _ in pairs], peers)
    for (key, peer), shared in zip(pairs, found.shared):
        theirs = [ec.derive_private_key(int.from_bytes(each, "big"), getattr(ec, name)()) for each in (key, peer)]
        assert bytes(shared) == theirs[0].exchange(ec.ECDH(), theirs[1].public_key())


@given(rows=rows_of("secp256k1"))
def test_secp256k1_beside_coincurve(rows):
    coincurve = pytest.importorskip("coincurve")
    private, digests = [key for key, _ in rows], [digest for _, digest in rows]
    signed = gecc.ecdsa.sign("secp256k1", private, digests)
    recovered = gecc.ecdsa.recover("secp256k1", digests, signed.signature, signed.recovery_id, point_format="compressed")
    for i, (key, digest) in enumerate(rows):
        theirs = coincurve.PrivateKey(key)
        assert theirs.sign_recoverable(digest, hasher=None) == bytes(signed.signature[i]) + bytes(signed.recovery_id[i])
        assert theirs.public_key.format() == bytes(recovered.public_key[i])


def ordinary_keys():
    """Keys near neither end of their range, which gmssl's formulas for points do not take."""
    return st.integers(2**200, 2**250).map(lambda number: number.to_bytes(32, "big"))


@settings(max_examples=4)
@given(rows=st.lists(st.tuples(ordinary_keys(), st.binary(min_size=32, max_size=32)), min_size=1, max_size=2),
       message=st.binary(max_size=100))
def test_sm2_beside_gmssl(rows, message):
    sm2 = pytest.importorskip("gmssl.sm2")
    private, digests = [key for key, _ in rows], [digest for _, digest in rows]
    public = gecc.ec.public_key("SM2", private, point_format="raw").out
    signed = gecc.sm2.sign(private, digests)
    for i, (key, digest) in enumerate(rows):
        theirs = sm2.CryptSM2(private_key=key.hex(), public_key=bytes(public[i]).hex())
        assert theirs.verify(bytes(signed.signature[i]).hex(), digest)
        assert gecc.sm2.verify(public[i], digest, bytes.fromhex(theirs.sign(digest, "1234567890abcdef" * 4)))[0] == Status.OK
        assert gecc.sm2.digest(public[i], message).e.tobytes().hex() == theirs._sm3_z(message)


@given(messages=st.lists(st.binary(max_size=300), min_size=1, max_size=20))
def test_digests_beside_hashlib(messages):
    for name in ("sha256", "sha384", "sha512"):
        found = gecc.digest(name, messages)
        assert [bytes(row) for row in found.digest] == [hashlib.new(name, message).digest() for message in messages]


@given(modulus=st.integers(1, 2**511 - 1).map(lambda number: 2 * number + 1), rows=st.lists(
    st.tuples(st.integers(0, 2**512 - 1), st.integers(0, 2**512 - 1)), min_size=1, max_size=8))
def test_arithmetic_beside_python(modulus, rows):
    modulus_bytes = modulus.to_bytes(64, "big")
    a, b = ([row[i].to_bytes(64, "big") for row in rows] for i in (0, 1))
    for name, expected in (("add", lambda x, y: x + y), ("sub", lambda x, y: x - y), ("mul", lambda x, y: x * y)):
        found = getattr(gecc.mod, name)(modulus_bytes, a, b).out
        assert [int.from_bytes(bytes(row), "big") for row in found] == [expected(x, y) % modulus for x, y in rows]
    found = gecc.mod.power(modulus_bytes, a, b).out
    assert [int.from_bytes(bytes(row), "big") for row in found] == [pow(x, y, modulus) for x, y in rows]
