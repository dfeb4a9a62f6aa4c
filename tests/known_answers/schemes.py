"""What every operation of the library gives for a row of bytes, from the standards and from the contracts in include/gecc.

A function takes the columns of a row, in the order in which their defects are reported, and options; it returns an Answer or
raises Refused, which an Operation makes an Answer of. FIPS 186-5 (ECDSA), SEC 1 (recovery, encodings), RFC 6979 (nonces),
GB/T 32918.2 (SM2), BIP-340 and BIP-341 (Schnorr), the Yellow Paper, EIP-2 and EIP-155 (Ethereum), SP 800-56A (ECDH), X.690 (DER),
RFC 8032 and ZIP 215 (Ed25519), RFC 7748 (X25519).
"""

import hashlib
from dataclasses import dataclass

import edwards
from curves import CURVES
from hashes import digest as hash_of
from hashes import hash_bytes, hmac

SM2_ID_MOST = 8191
DEFAULT_FORMAT = "uncompressed"


@dataclass
class Answer:
    status: str
    out: bytes = b""
    recid: int = None
    parity: int = None
    confirmations: tuple = None


class Refused(Exception):
    """The row has another status than OK: its only argument."""


def require(holds, status):
    if not holds:
        raise Refused(status)


def written(curve, point, form):
    require(point is not None, "INFINITY")
    return Answer("OK", curve.encode(point, form))


# Columns.


def read_point(curve, data):
    """SEC 1, 2.3.4, and x || y; neither infinity nor hybrid encodings."""
    length = curve.length
    require(data != b"\0", "MALFORMED_POINT_ENCODING")
    require(len(data) in (1 + length, 2 * length, 1 + 2 * length), "MALFORMED_WIDTH")
    if len(data) == 1 + length:
        require(data[0] in (2, 3), "MALFORMED_POINT_ENCODING")
        x = int.from_bytes(data[1:], "big")
        require(x < curve.p, "MALFORMED_POINT_RANGE")
        point = curve.lift(x, data[0] & 1)
        require(point, "MALFORMED_POINT_OFF_CURVE")
        return point
    if len(data) == 1 + 2 * length:
        require(data[0] == 4, "MALFORMED_POINT_ENCODING")
        data = data[1:]
    point = int.from_bytes(data[:length], "big"), int.from_bytes(data[length:], "big")
    require(max(point) < curve.p, "MALFORMED_POINT_RANGE")
    require(curve.contains(point), "MALFORMED_POINT_OFF_CURVE")
    return point


def private_keys_end(curve):
    """The least number that is too large for a private key: on SM2 n - 1, as 1 + d is inverted (GM/T 0003.2, 6.1)."""
    return curve.n - (curve.name == "SM2")


def read_number(curve, data, end):
    require(len(data) == curve.length, "MALFORMED_WIDTH")
    value = int.from_bytes(data, "big")
    require(0 < value < end, "MALFORMED_SCALAR")
    return value


def read_private(curve, data):
    return read_number(curve, data, private_keys_end(curve))


def read_nonce(curve, data):
    return read_number(curve, data, curve.n)


def read_scalar(curve, data):
    require(len(data) == curve.length, "MALFORMED_WIDTH")
    return int.from_bytes(data, "big") % curve.n


def bits_to_integer(curve, data):
    """RFC 6979, 2.3.2; FIPS 186-5, 6.4.1, step 2."""
    return int.from_bytes(data, "big") >> max(0, 8 * len(data) - curve.n.bit_length())


def read_digest(curve, data):
    require(20 <= len(data) <= 64, "MALFORMED_WIDTH")
    return bits_to_integer(curve, data)


def der_element(data, tag):
    """The contents of the element that starts here, and what follows it (X.690, 8.1.3 and 10.1): of less than 256 bytes, and
    an INTEGER's of less than 128, as every signature on these curves has."""
    require(len(data) >= 2 and data[0] == tag, "MALFORMED_SIGNATURE_ENCODING")
    start, size = 2, data[1]
    if tag == 0x30 and size == 0x81:
        start, size = 3, data[2] if len(data) > 2 else 0
        require(size >= 128, "MALFORMED_SIGNATURE_ENCODING")
    require(size < 128 or start == 3, "MALFORMED_SIGNATURE_ENCODING")
    require(start + size <= len(data), "MALFORMED_SIGNATURE_ENCODING")
    return data[start : start + size], data[start + size :]


def der_integer(data):
    """A number from 0 up in the fewest bytes, and what follows it (X.690, 8.3)."""
    contents, rest = der_element(data, 2)
    shortest = len(contents) == 1 or len(contents) > 1 and not (contents[0] == 0 and contents[1] < 128)
    require(shortest and contents[0] < 128, "MALFORMED_SIGNATURE_ENCODING")
    return int.from_bytes(contents, "big"), rest


def without_sighash(data, der):
    """A signature without the byte that follows it."""
    require(data, "MALFORMED_SIGNATURE_ENCODING" if der else "MALFORMED_WIDTH")
    return data[:-1]


def read_signature(curve, data, der, low_s=False, sighash_byte=False):
    data = without_sighash(data, der) if sighash_byte else data
    if der:
        contents, rest = der_element(data, 0x30)
        require(not rest, "MALFORMED_SIGNATURE_ENCODING")
        r, contents = der_integer(contents)
        s, contents = der_integer(contents)
        require(not contents, "MALFORMED_SIGNATURE_ENCODING")
    else:
        require(len(data) == 2 * curve.length, "MALFORMED_WIDTH")
        r, s = int.from_bytes(data[: curve.length], "big"), int.from_bytes(data[curve.length :], "big")
    require(0 < r < curve.n and 0 < s < curve.n, "MALFORMED_SIGNATURE_RANGE")
    require(not low_s or s <= curve.n // 2, "MALFORMED_HIGH_S")
    return r, s


def der_signature(r, s):
    """SEQUENCE { INTEGER r, INTEGER s } of numbers from 0 up (SEC 1, C.8)."""

    def element(tag, contents):
        assert len(contents) < 256
        head = [tag, len(contents)] if len(contents) < 128 else [tag, 0x81, len(contents)]
        return bytes(head) + contents

    integers = (element(2, value.to_bytes(value.bit_length() // 8 + 1, "big")) for value in (r, s))
    return element(0x30, b"".join(integers))


def signature(curve, r, s, der):
    return der_signature(r, s) if der else curve.number(r) + curve.number(s)


# Points.


def pubkey(curve, point):
    read_point(curve, point)
    return Answer("OK")


def convert(curve, point, form=DEFAULT_FORMAT):
    return written(curve, read_point(curve, point), form)


def add(curve, a, b, form=DEFAULT_FORMAT):
    return written(curve, curve.add(read_point(curve, a), read_point(curve, b)), form)


def double(curve, point, form=DEFAULT_FORMAT):
    point = read_point(curve, point)
    return written(curve, curve.add(point, point), form)


def public_key(curve, private, form=DEFAULT_FORMAT):
    return written(curve, curve.multiply_base(read_private(curve, private)), form)


def mul_base(curve, k, form=DEFAULT_FORMAT):
    return written(curve, curve.multiply_base(read_scalar(curve, k)), form)


def mul_point(curve, k, point, form=DEFAULT_FORMAT):
    k = read_scalar(curve, k)
    return written(curve, curve.multiply(k, read_point(curve, point)), form)


def mul_add(curve, u, v, point, form=DEFAULT_FORMAT):
    u, v = read_scalar(curve, u), read_scalar(curve, v)
    return written(curve, curve.combine(u, v, read_point(curve, point)), form)


def msm(curve, scalars, points, form=DEFAULT_FORMAT):
    """The sum of k P over the terms of a group, of which the first that is refused decides."""
    count, length = len(scalars) // curve.length, curve.length
    width = len(points) // count if count else 0
    require(count * length == len(scalars) and count * width == len(points), "MALFORMED_WIDTH")
    total = None
    for i in range(count):
        point = read_point(curve, points[i * width : (i + 1) * width])
        total = curve.add(total, curve.multiply(read_scalar(curve, scalars[i * length : (i + 1) * length]), point))
    return written(curve, total, form)


def ecdh(curve, private, peer):
    """SP 800-56A, 5.7.1.2."""
    private = read_private(curve, private)
    return Answer("OK", curve.number(curve.multiply(private, read_point(curve, peer))[0]))


# ECDSA.


def nonces(curve, private, digest, hash_name, entropy=b""):
    """The candidates for k, one after the other (RFC 6979, 3.2 and 3.6)."""
    octets = curve.number(private) + curve.number(bits_to_integer(curve, digest) % curve.n) + entropy
    size = hash_bytes(hash_name)
    key, value = bytes(size), b"\1" * size
    for separator in (b"\0", b"\1"):
        key = hmac(hash_name, key, value + separator + octets)
        value = hmac(hash_name, key, value)
    while True:
        candidate = b""
        while len(candidate) < curve.length:
            value = hmac(hash_name, key, value)
            candidate += value
        k = bits_to_integer(curve, candidate)
        if 0 < k < curve.n:
            yield k
        key = hmac(hash_name, key, value + b"\0")
        value = hmac(hash_name, key, value)


def ecdsa_sign(curve, private, e, k, low_s):
    """(r, s, recovery id), or None where r or s is 0 (FIPS 186-5, 6.4.1)."""
    x, y = curve.multiply_base(k)
    r = x % curve.n
    s = pow(k, -1, curve.n) * (e + r * private) % curve.n
    if r == 0 or s == 0:
        return None
    recid = (y & 1) + 2 * (x >= curve.n)
    return (r, curve.n - s, recid ^ 1) if low_s and s > curve.n // 2 else (r, s, recid)


def makes_low(curve, low_s, any_s):
    return low_s or (curve.name == "secp256k1" and not any_s)


def default_hash(curve):
    return {32: "sha256", 48: "sha384"}.get(curve.length, "sha512")


def read_entropy(entropy):
    require(entropy is None or len(entropy) == 32, "MALFORMED_WIDTH")
    return entropy or b""


def ecdsa_sign_rfc6979(
    curve, private, digest, entropy=None, hash_name="default", der=False, low_s=False, any_s=False
):  # fmt: skip
    d, e, entropy = read_private(curve, private), read_digest(curve, digest), read_entropy(entropy)
    name = default_hash(curve) if hash_name == "default" else hash_name
    for k in nonces(curve, d, digest, name, entropy):
        made = ecdsa_sign(curve, d, e, k, makes_low(curve, low_s, any_s))
        if made:
            return Answer("OK", signature(curve, *made[:2], der), made[2])


def ecdsa_sign_nonce(curve, private, digest, nonce, der=False, low_s=False, any_s=False):
    d, e = read_private(curve, private), read_digest(curve, digest)
    made = ecdsa_sign(curve, d, e, read_nonce(curve, nonce), makes_low(curve, low_s, any_s))
    require(made, "INVALID")
    return Answer("OK", signature(curve, *made[:2], der), made[2])


def ecdsa_verify(curve, public, digest, signed, der=False, low_s=False, sighash_byte=False):
    """FIPS 186-5, 6.4.2."""
    q, e = read_point(curve, public), read_digest(curve, digest)
    r, s = read_signature(curve, signed, der, low_s, sighash_byte)
    inverse = pow(s, -1, curve.n)
    point = curve.combine(e * inverse % curve.n, r * inverse % curve.n, q)
    require(point is not None and point[0] % curve.n == r, "INVALID")
    return Answer("OK")


def ecdsa_recover(curve, digest, signed, recid, der=False, low_s=False, sighash_byte=False, form=DEFAULT_FORMAT):
    """SEC 1, 4.1.6, for the one R that the recovery id names."""
    e = read_digest(curve, digest)
    r, s = read_signature(curve, signed, der, low_s, sighash_byte)
    require(len(recid) == 1, "MALFORMED_WIDTH")
    require(recid[0] < 4, "MALFORMED_RECOVERY_ID")
    x = r + curve.n * (recid[0] >> 1)
    require(x < curve.p, "INVALID")
    point = curve.lift(x, recid[0] & 1)
    require(point, "INVALID")
    inverse = pow(r, -1, curve.n)
    public = curve.combine(-e * inverse % curve.n, s * inverse % curve.n, point)
    require(public, "INVALID")
    return written(curve, public, form)


# SM2.


def sm2_za(curve, public, identity, message):
    """e = SM3(ZA || M) (GB/T 32918.2, 5.5 and 6.1)."""
    x, y = read_point(curve, public)
    require(len(identity) <= SM2_ID_MOST, "MALFORMED_WIDTH")
    numbers = (curve.a % curve.p, curve.b, *curve.g, x, y)
    za = hash_of("sm3", (8 * len(identity)).to_bytes(2, "big") + identity + b"".join(map(curve.number, numbers)))
    return Answer("OK", hash_of("sm3", za + message))


def read_e(digest):
    require(len(digest) == 32, "MALFORMED_WIDTH")
    return int.from_bytes(digest, "big")


def sm2_sign(curve, private, e, k):
    """(r, s), or None where another k is needed (GB/T 32918.2, 6.1)."""
    n = curve.n
    r = (e + curve.multiply_base(k)[0]) % n
    s = pow(1 + private, -1, n) * (k - r * private) % n
    return None if r == 0 or r + k == n or s == 0 else (r, s)


def sm2_sign_rfc6979(curve, private, digest, entropy=None, hash_name="default", der=False):
    d, e, entropy = read_private(curve, private), read_e(digest), read_entropy(entropy)
    for k in nonces(curve, d, digest, default_hash(curve) if hash_name == "default" else hash_name, entropy):
        made = sm2_sign(curve, d, e, k)
        if made:
            return Answer("OK", signature(curve, *made, der))


def sm2_sign_nonce(curve, private, digest, nonce, der=False):
    d, e = read_private(curve, private), read_e(digest)
    made = sm2_sign(curve, d, e, read_nonce(curve, nonce))
    require(made, "INVALID")
    return Answer("OK", signature(curve, *made, der))


def sm2_verify(curve, public, digest, signed, der=False):
    """GB/T 32918.2, 7.1."""
    q, e = read_point(curve, public), read_e(digest)
    r, s = read_signature(curve, signed, der)
    t = (r + s) % curve.n
    require(t, "INVALID")
    point = curve.combine(s, t, q)
    require(point and (e + point[0]) % curve.n == r, "INVALID")
    return Answer("OK")


# SM2 encryption (GM/T 0003.4) and key exchange (GM/T 0003.3).


def sm2_kdf(z, width):
    blocks = (hash_of("sm3", z + (i + 1).to_bytes(4, "big")) for i in range((width + 31) // 32))
    return b"".join(blocks)[:width]


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def der_item(tag, content):
    width = len(content)
    head = bytes([width]) if width < 128 else None
    if head is None:
        count = (width.bit_length() + 7) // 8
        head = bytes([128 + count]) + width.to_bytes(count, "big")
    return bytes([tag]) + head + content


def der_number(number):
    return der_item(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def sm2_ciphertext(curve, point, c3, c2, enc="c1c3c2", form=DEFAULT_FORMAT):
    if enc == "der":
        return der_item(0x30, der_number(point[0]) + der_number(point[1]) + der_item(4, c3) + der_item(4, c2))
    return curve.encode(point, form) + (c3 + c2 if enc == "c1c3c2" else c2 + c3)


def sm2_encrypt(curve, public, nonce, text, enc="c1c3c2", form=DEFAULT_FORMAT, output_bytes=0):
    q, k = read_point(curve, public), read_nonce(curve, nonce)
    require(text, "MALFORMED_WIDTH")
    x, y = map(curve.number, curve.combine(0, k, q))
    t = sm2_kdf(x + y, len(text))
    made = sm2_ciphertext(curve, curve.multiply_base(k), hash_of("sm3", x + text + y), xor(text, t), enc, form)
    require(not output_bytes or len(made) <= output_bytes, "MALFORMED_WIDTH")
    require(any(t), "INVALID")
    return Answer("OK", made)


def der_parts(data, count):
    """The tags and contents of the parts of a strict SEQUENCE, one more than `count` at most; None is the last where it
    is not strict, and the result where the data is no SEQUENCE."""

    def item(at):
        if len(data) - at < 2:
            return None
        width, at = data[at + 1], at + 2
        if width >= 128:
            size = width - 128
            width = int.from_bytes(data[at : at + size], "big")
            if not 0 < size <= 4 or len(data) - at < size or width < 128 or data[at] == 0:
                return None
            at += size
        return (at, at + width) if at + width <= len(data) else None

    whole, parts = item(0), []
    if not whole or data[0] != 0x30 or whole[1] != len(data):
        return None
    at = whole[0]
    while at < len(data) and len(parts) <= count:
        part = item(at)
        if not part:
            return [*parts, None]
        parts.append((data[at], data[part[0] : part[1]]))
        at = part[1]
    return parts


def der_coordinate(tag, content):
    """A number that is not negative, in as few bytes as it can have."""
    good = tag == 2 and content and content[0] < 128 and (len(content) == 1 or content[0] or content[1] >= 128)
    require(good, "MALFORMED_CIPHERTEXT")
    require(len(content.lstrip(b"\0")) <= 32, "MALFORMED_POINT_RANGE")
    return content[-32:].rjust(32, b"\0")


def sm2_parts(curve, data, enc, form):
    """C1 as a row of a point, C3 and C2."""
    if enc == "der":
        parts = der_parts(data, 4)
        require(parts, "MALFORMED_CIPHERTEXT")
        c1 = b""
        for part in parts[:2]:
            require(part, "MALFORMED_CIPHERTEXT")
            c1 += der_coordinate(*part)
        require(len(parts) == 4 and parts[3], "MALFORMED_CIPHERTEXT")
        (tag3, c3), (tag2, c2) = parts[2:]
        require(tag3 == tag2 == 4 and len(c3) == 32, "MALFORMED_CIPHERTEXT")
        require(c2, "MALFORMED_WIDTH")
        return c1, c3, c2
    width = {"uncompressed": 65, "compressed": 33, "raw": 64}[form]
    require(len(data) > width + 32, "MALFORMED_WIDTH")
    c1, rest = data[:width], data[width:]
    return (c1, rest[:32], rest[32:]) if enc == "c1c3c2" else (c1, rest[-32:], rest[:-32])


def sm2_decrypt(curve, private, data, enc="c1c3c2", form=DEFAULT_FORMAT, output_bytes=0):
    d = read_private(curve, private)
    c1, c3, c2 = sm2_parts(curve, data, enc, form)
    require(not output_bytes or len(c2) <= output_bytes, "MALFORMED_WIDTH")
    x, y = map(curve.number, curve.combine(0, d, read_point(curve, c1)))
    t = sm2_kdf(x + y, len(c2))
    text = xor(c2, t)
    require(any(t) and hash_of("sm3", x + text + y) == c3, "INVALID")
    return Answer("OK", text)


def sm2_z(curve, point, identity):
    numbers = (curve.a % curve.p, curve.b, *curve.g, *point)
    return hash_of("sm3", (8 * len(identity)).to_bytes(2, "big") + identity + b"".join(map(curve.number, numbers)))


def sm2_exchange(curve, private, ephemeral, identity, peer, peer_point, peer_identity, responder=False, output_bytes=0):
    """The key, what this side sends to confirm it, and what the other one has to send."""
    identity, peer_identity = (value if value is not None else b"1234567812345678" for value in (identity, peer_identity))
    d, r = read_private(curve, private), read_nonce(curve, ephemeral)
    require(len(identity) <= SM2_ID_MOST, "MALFORMED_WIDTH")
    p, peer_r = read_point(curve, peer), read_point(curve, peer_point)
    require(len(peer_identity) <= SM2_ID_MOST, "MALFORMED_WIDTH")
    own_r, half = curve.multiply_base(r), 1 << 127
    t = (d + (half | own_r[0] % half) * r) % curve.n
    u = curve.add(p, curve.combine(0, half | peer_r[0] % half, peer_r))
    u = u and t and curve.combine(0, t, u)
    require(u, "INVALID")
    sides = [(sm2_z(curve, curve.multiply_base(d), identity), own_r), (sm2_z(curve, p, peer_identity), peer_r)]
    (z1, r1), (z2, r2) = reversed(sides) if responder else sides
    x, y = map(curve.number, u)
    inner = hash_of("sm3", x + z1 + z2 + b"".join(map(curve.number, (*r1, *r2))))
    s1, s2 = (hash_of("sm3", mark + y + inner) for mark in (b"\2", b"\3"))
    confirmations = (s1, s2) if responder else (s2, s1)
    return Answer("OK", sm2_kdf(x + y + z1 + z2, output_bytes), confirmations=confirmations)


# Schnorr signatures.


def tagged_hash(tag, data):
    """BIP-340, specification."""
    prefix = hash_of("sha256", tag.encode())
    return hash_of("sha256", prefix + prefix + data)


def read_x_only(curve, data):
    """lift_x of BIP-340."""
    require(len(data) == 32, "MALFORMED_WIDTH")
    x = int.from_bytes(data, "big")
    require(x < curve.p, "MALFORMED_POINT_RANGE")
    point = curve.lift(x, 0)
    require(point, "MALFORMED_POINT_OFF_CURVE")
    return point


def even_key(curve, k):
    """(k or n - k, x), of which multiple of G is the point with that x and an even y."""
    x, y = curve.multiply_base(k)
    return curve.n - k if y & 1 else k, curve.number(x)


def challenge(curve, r, p, message):
    return int.from_bytes(tagged_hash("BIP0340/challenge", r + p + message), "big") % curve.n


def bip340_public_key(curve, private):
    return Answer("OK", even_key(curve, read_private(curve, private))[1])


def bip340_sign(curve, private, message, auxiliary=None):
    """BIP-340, default signing."""
    d, p = even_key(curve, read_private(curve, private))
    mix = tagged_hash("BIP0340/aux", read_entropy(auxiliary) or bytes(32))
    t = bytes(a ^ b for a, b in zip(curve.number(d), mix))
    k = int.from_bytes(tagged_hash("BIP0340/nonce", t + p + message), "big") % curve.n
    require(k, "INVALID")
    k, r = even_key(curve, k)
    return Answer("OK", r + curve.number((k + challenge(curve, r, p, message) * d) % curve.n))


def bip340_verify(curve, public, message, signed, sighash_byte=False):
    """BIP-340, verification; a signature of 65 bytes as BIP-341 has it, where `sighash_byte`."""
    point = read_x_only(curve, public)
    require(len(signed) == 64 or sighash_byte and len(signed) == 65, "MALFORMED_WIDTH")
    require(signed[64:] != b"\0", "MALFORMED_SIGNATURE_ENCODING")
    r, s = int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:64], "big")
    require(r < curve.p and s < curve.n, "MALFORMED_SIGNATURE_RANGE")
    point = curve.combine(s, -challenge(curve, signed[:32], public, message) % curve.n, point)
    require(point is not None and not point[1] & 1 and point[0] == r, "INVALID")
    return Answer("OK")


def taproot_t(curve, x, merkle_root):
    require(len(merkle_root) in (0, 32), "MALFORMED_WIDTH")
    t = int.from_bytes(tagged_hash("TapTweak", x + merkle_root), "big")
    require(t < curve.n, "INVALID")
    return t


def taproot_tweak(curve, public, merkle_root=b""):
    """taproot_tweak_pubkey of BIP-341."""
    point = read_x_only(curve, public)
    tweaked = curve.add(point, curve.multiply_base(taproot_t(curve, public, merkle_root)))
    require(tweaked, "INFINITY")
    return Answer("OK", curve.number(tweaked[0]), parity=tweaked[1] & 1)


def taproot_tweak_priv(curve, private, merkle_root=b""):
    """taproot_tweak_seckey of BIP-341."""
    d, x = even_key(curve, read_private(curve, private))
    tweaked = (d + taproot_t(curve, x, merkle_root)) % curve.n
    require(tweaked, "INVALID")
    return Answer("OK", curve.number(tweaked))


# Ethereum.


def address_of(curve, point):
    """The last 20 bytes of Keccak-256(x || y) (Yellow Paper, appendix F)."""
    return hash_of("keccak256", curve.number(point[0]) + curve.number(point[1]))[12:]


def read_v(v):
    """The parity that v stands for: itself, v - 27, or that of v - 35 (EIP-155)."""
    value = int.from_bytes(v, "big")
    require(value in (0, 1, 27, 28) or value >= 35, "MALFORMED_RECOVERY_ID")
    return value if value < 2 else (value - 27) % 2


def ethereum_address(curve, public):
    return Answer("OK", address_of(curve, read_point(curve, public)))


def ethereum_recover_columns(curve, digest, r, s, v, low_s=False):
    require(len(digest) == 32, "MALFORMED_WIDTH")
    require(all(1 <= len(number) <= 32 for number in (r, s, v)), "MALFORMED_WIDTH")
    r, s = (int.from_bytes(number, "big") for number in (r, s))
    require(0 < r < curve.n and 0 < s < curve.n, "MALFORMED_SIGNATURE_RANGE")
    require(not low_s or 2 * s < curve.n, "MALFORMED_HIGH_S")
    point = curve.lift(r, read_v(v))
    require(point, "INVALID")
    inverse = pow(r, -1, curve.n)
    public = curve.combine(-int.from_bytes(digest, "big") * inverse % curve.n, s * inverse % curve.n, point)
    require(public is not None, "INVALID")
    return Answer("OK", address_of(curve, public))


def ethereum_recover(curve, digest, signed, low_s=False):
    require(len(digest) == 32 and 65 <= len(signed) <= 96, "MALFORMED_WIDTH")
    return ethereum_recover_columns(curve, digest, signed[:32], signed[32:64], signed[64:], low_s)


def ethereum_recover_message(curve, message, signed, low_s=False):
    return ethereum_recover(curve, hash_of("keccak256", message), signed, low_s)


# Ed25519 and X25519, on one curve, which is not among CURVES.


def sha512(*parts):
    return hashlib.sha512(b"".join(parts)).digest()


def little(data):
    return int.from_bytes(data, "little")


def dom2(prehash, context):
    """RFC 8032, 2; nothing of plain Ed25519, which has no context."""
    if not prehash and context is None:
        return b""
    require(len(context or b"") <= 255, "MALFORMED_WIDTH")
    return b"SigEd25519 no Ed25519 collisions" + bytes([prehash, len(context or b"")]) + (context or b"")


def expand_seed(seed):
    """(scalar, prefix) (RFC 8032, 5.1.5)."""
    require(len(seed) == 32, "MALFORMED_WIDTH")
    expanded = sha512(seed)
    return edwards.clamp(expanded[:32]), expanded[32:]


def ed25519_public_key(_, seed):
    return Answer("OK", edwards.encode(edwards.multiply_base(expand_seed(seed)[0])))


def ed25519_sign(_, seed, message, context=None, prehash=False):
    """RFC 8032, 5.1.6."""
    (a, prefix), head = expand_seed(seed), dom2(prehash, context)
    message = sha512(message) if prehash else message
    public = edwards.encode(edwards.multiply_base(a))
    r = little(sha512(head, prefix, message)) % edwards.N
    encoded = edwards.encode(edwards.multiply_base(r))
    k = little(sha512(head, encoded, public, message))
    return Answer("OK", encoded + ((r + k * a) % edwards.N).to_bytes(32, "little"))


def read_edwards(data, canonical):
    """RFC 8032, 5.1.3, or where another encoding of a point will do, as ZIP 215 has it."""
    require(len(data) == 32, "MALFORMED_WIDTH")
    y, odd = little(data) % 2**255, data[31] >> 7
    require(not canonical or y < edwards.P, "MALFORMED_POINT_RANGE")
    require(not canonical or not odd or (y * y - 1) % edwards.P, "MALFORMED_POINT_ENCODING")
    point = edwards.lift(y, odd)
    require(point, "MALFORMED_POINT_OFF_CURVE")
    return point


def same_times_eight(point, encoded):
    """Whether 8 point = 8 R for the R that is encoded, in whatever way."""
    try:
        r = read_edwards(encoded, False)
    except Refused:
        return False
    return edwards.has_small_order(edwards.add(point, edwards.negate(r)))


def ed25519_verify(_, public, message, signed, context=None, prehash=False, accept="rfc8032"):
    """RFC 8032, 5.1.7 without the cofactor; `accept`: include/gecc/ed25519.h."""
    a = read_edwards(public, accept in ("rfc8032", "strict"))
    require(len(signed) == 64, "MALFORMED_WIDTH")
    s = little(signed[32:])
    require(s < edwards.N, "MALFORMED_SIGNATURE_RANGE")
    k = little(sha512(dom2(prehash, context), signed[:32], public, sha512(message) if prehash else message)) % edwards.N
    point = edwards.add(edwards.multiply_base(s), edwards.multiply(k, edwards.negate(a)))
    same = same_times_eight(point, signed[:32]) if accept == "zip215" else edwards.encode(point) == signed[:32]
    require(same, "INVALID")
    require(accept != "strict" or not edwards.has_small_order(a) and not edwards.has_small_order(point), "INVALID")
    return Answer("OK")


def x25519(_, private, peer):
    """RFC 7748, 5 and 6.1."""
    require(len(private) == 32 and len(peer) == 32, "MALFORMED_WIDTH")
    shared = edwards.ladder(edwards.clamp(private), little(peer) % 2**255 % edwards.P)
    require(shared, "INVALID")
    return Answer("OK", shared.to_bytes(32, "little"))


def x25519_public_key(_, private):
    return x25519(None, private, (9).to_bytes(32, "little"))


# Without a curve.


def digest(_, message, hash_name):
    return Answer("OK", hash_of(hash_name, message))


def modular(function):
    """From a function on integers and the modulus; None: there is no result."""

    def operation(_, *operands, modulus):
        width, m = len(modulus), int.from_bytes(modulus, "big")
        require(all(len(operand) == width for operand in operands[: 1 if function is power else 2]), "MALFORMED_WIDTH")
        result = function(*(int.from_bytes(operand, "big") for operand in operands), m)
        require(result is not None, "INVALID")
        return Answer("OK", result.to_bytes(width, "big"))

    return operation


def power(a, exponent, m):
    return pow(a, exponent, m)


def inverse(a, m):
    try:
        return pow(a, -1, m)
    except ValueError:
        return None


@dataclass
class Operation:
    """An entry of src/scheme/operations.def, in its order: its name there, its function here, the names of its columns and
    of its result in a case, and which options it has."""

    name: str
    function: object
    columns: tuple
    result: str = None
    options: tuple = ()


POINT_OUT = ("format",)
SIGNS = ("hmac", "enc", "low_s", "any_s")
READS = ("enc", "low_s", "sighash_byte")
OPERATIONS = {
    "pubkey": Operation("ec.validate", pubkey, ("enc",)),
    "convert": Operation("ec.convert", convert, ("enc",), "p", POINT_OUT),
    "add": Operation("ec.add", add, ("a", "b"), "p", POINT_OUT),
    "double": Operation("ec.double", double, ("a",), "p", POINT_OUT),
    "public_key": Operation("ec.public_key", public_key, ("priv",), "p", POINT_OUT),
    "mul_base": Operation("ec.mul_base", mul_base, ("k",), "p", POINT_OUT),
    "mul_point": Operation("ec.mul", mul_point, ("k", "p"), "z", POINT_OUT),
    "mul_add": Operation("ec.mul_add", mul_add, ("u", "v", "p"), "z", POINT_OUT),
    "msm": Operation("ec.msm", msm, ("k", "p"), "z", POINT_OUT),
    "ecdsa_sign_rfc6979": Operation("ecdsa.sign", ecdsa_sign_rfc6979, ("priv", "digest", "entropy"), "sig", SIGNS),
    "ecdsa_sign_nonce": Operation("ecdsa.sign_with_dangerous_nonce", ecdsa_sign_nonce, ("priv", "digest", "nonce"), "sig", SIGNS[1:]),
    "ecdsa_verify": Operation("ecdsa.verify", ecdsa_verify, ("pub", "digest", "sig"), None, READS),
    "ecdsa_recover": Operation("ecdsa.recover", ecdsa_recover, ("digest", "sig", "recid"), "pub", (*READS, "format")),
    "ecdh": Operation("ecdh", ecdh, ("priv", "pub"), "x"),
    "sm2_za": Operation("sm2.digest", sm2_za, ("pub", "sm2_id", "msg"), "e"),
    "sm2_sign_rfc6979": Operation("sm2.sign", sm2_sign_rfc6979, ("priv", "digest", "entropy"), "sig", ("hmac", "enc")),
    "sm2_sign_nonce": Operation("sm2.sign_with_dangerous_nonce", sm2_sign_nonce, ("priv", "digest", "nonce"), "sig", ("enc",)),
    "sm2_verify": Operation("sm2.verify", sm2_verify, ("pub", "digest", "sig"), None, ("enc",)),
    "sm2_encrypt": Operation("sm2.encrypt", sm2_encrypt, ("pub", "nonce", "plain"), "cipher", ("sm2_format", "format", "output_bytes")),
    "sm2_decrypt": Operation("sm2.decrypt", sm2_decrypt, ("priv", "cipher"), "plain", ("sm2_format", "format", "output_bytes")),
    "sm2_exchange": Operation("sm2.exchange", sm2_exchange, ("priv", "ephemeral", "sm2_id", "pub", "peer_ephemeral", "peer_id"), "key",
                              ("responder", "output_bytes")),  # fmt: skip
    "bip340_public_key": Operation("schnorr.public_key", bip340_public_key, ("priv",), "pub"),
    "bip340_sign": Operation("schnorr.sign", bip340_sign, ("priv", "msg", "aux"), "sig"),
    "bip340_verify": Operation("schnorr.verify", bip340_verify, ("pub", "msg", "sig"), None, ("sighash_byte",)),
    "taproot_tweak": Operation("schnorr.tweak_public_key", taproot_tweak, ("internal_pub", "merkle_root"), "output_pub"),
    "taproot_tweak_priv": Operation("schnorr.tweak_private_key", taproot_tweak_priv, ("priv", "merkle_root"), "tweaked_priv"),
    "ethereum_address": Operation("ethereum.address", ethereum_address, ("pub",), "address"),
    "ethereum_recover": Operation("ethereum.recover", ethereum_recover, ("digest", "sig"), "address", ("low_s",)),
    "ethereum_recover_columns": Operation("ethereum.recover_columns", ethereum_recover_columns, ("digest", "r", "s", "v"), "address",
                                          ("low_s",)),  # fmt: skip
    "ethereum_recover_message": Operation("ethereum.recover_message", ethereum_recover_message, ("msg", "sig"), "address", ("low_s",)),
    "ed25519_public_key": Operation("ed25519.public_key", ed25519_public_key, ("seed",), "pub"),
    "ed25519_sign": Operation("ed25519.sign", ed25519_sign, ("seed", "msg", "ctx"), "sig", ("prehash",)),
    "ed25519_verify": Operation("ed25519.verify", ed25519_verify, ("pub", "msg", "sig", "ctx"), None, ("prehash", "accept")),
    "x25519_public_key": Operation("x25519_public_key", x25519_public_key, ("priv",), "pub"),
    "x25519": Operation("x25519", x25519, ("priv", "pub"), "shared"),
    "mod_add": Operation("mod.add", modular(lambda a, b, m: (a + b) % m), ("a", "b"), "r", ("modulus",)),
    "mod_sub": Operation("mod.sub", modular(lambda a, b, m: (a - b) % m), ("a", "b"), "r", ("modulus",)),
    "mod_mul": Operation("mod.mul", modular(lambda a, b, m: a * b % m), ("a", "b"), "r", ("modulus",)),
    "mod_square": Operation("mod.square", modular(lambda a, m: a * a % m), ("a",), "r", ("modulus",)),
    "mod_inverse": Operation("mod.inverse", modular(inverse), ("a",), "r", ("modulus",)),
    "mod_power": Operation("mod.power", modular(power), ("a", "exponent"), "r", ("modulus",)),
    "digest": Operation("digest", digest, ("msg",), "digest", ("hash",)),
}  # fmt: skip


def keywords(case):
    """The options of a case as the functions here take them."""
    names = {"format": "form", "hmac": "hash_name", "hash": "hash_name"}
    options = {names.get(name, name): case[name] for name in OPERATIONS[case["op"]].options if name in case}
    if "sm2_format" in options:
        options["enc"] = options.pop("sm2_format")
    elif "enc" in options:
        options["der"] = options.pop("enc") == "der"
    if "modulus" in options:
        options["modulus"] = bytes.fromhex(options["modulus"])
    return options


def answer(case):
    """What the library must give for a case, whose columns are hexadecimal; those at the end may be missing."""
    operation = OPERATIONS[case["op"]]
    columns = [bytes.fromhex(case[name]) for name in operation.columns if name in case]
    try:
        return operation.function(CURVES.get(case.get("curve")), *columns, **keywords(case))
    except Refused as refused:
        return Answer(refused.args[0])
