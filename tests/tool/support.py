"""What the tests of the tool share: running it, and a reference in integers."""

import csv
import hashlib
import hmac
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ.get("GECC_TOOL")
VECTORS = os.environ.get("GECC_VECTORS")
DATA = os.environ.get("GECC_DATA")
ANSWERS = os.environ.get("GECC_ANSWERS")  # the folder that tests/known_answers/write.py filled

NEEDS_TOOL = unittest.skipUnless(TOOL, "GECC_TOOL is not set")


@NEEDS_TOOL
class ToolTest(unittest.TestCase):
    """A test that runs the tool in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_tool(self, *arguments, stdin=b"", status=None, env=None):
        """The finished process; stdin and the outputs are bytes."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        done = subprocess.run([TOOL, *map(str, arguments)], input=stdin, capture_output=True, timeout=300, env=env)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr.decode(errors="replace"))
        return done

    def csv_rows(self, command, columns, rows, *arguments, status=0):
        """The rows that come out, as dictionaries, for rows (tuples of text) that go in as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        done = self.run_tool(command, "--format", "csv", *arguments, stdin=text.getvalue(), status=status)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def json_rows(self, command, rows, *arguments, status=0):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        done = self.run_tool(command, "--format", "jsonl", *arguments, stdin=text, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()]


class Curve:
    """y^2 = x^3 + a x + b over the integers modulo p; points are (x, y), infinity is None."""

    def __init__(self, name, length, p, a, b, gx, gy, n):
        self.name, self.length, self.p, self.a, self.b, self.g, self.n = name, length, p, a, b, (gx, gy), n

    def add(self, first, second):
        if first is None or second is None:
            return first or second
        (x1, y1), (x2, y2), p = first, second, self.p
        if x1 == x2 and (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, p) if first == second else (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        return x, (slope * (x1 - x) - y1) % p

    def mul(self, scalar, point=None):
        result, point = None, point or self.g
        for bit in range(scalar.bit_length()):
            if scalar >> bit & 1:
                result = self.add(result, point)
            point = self.add(point, point)
        return result

    def number(self, value):
        return value.to_bytes(self.length, "big").hex()

    def encode(self, point, form="uncompressed"):
        x, y = map(self.number, point)
        return {"uncompressed": "04" + x + y, "compressed": ("03" if point[1] & 1 else "02") + x, "raw": x + y}[form]

    def bits_to_int(self, digest):
        """The leftmost bits of a digest, as many as n has."""
        return int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - self.n.bit_length())

    def nonce(self, private, digest, name):
        """RFC 6979, section 3.2."""
        h1 = (self.bits_to_int(digest) % self.n).to_bytes(self.length, "big")
        seed = private.to_bytes(self.length, "big") + h1
        size = hashlib.new(name).digest_size
        key, v = bytes(size), b"\x01" * size
        for separator in b"\x00\x01":
            key = hmac.digest(key, v + bytes([separator]) + seed, name)
            v = hmac.digest(key, v, name)
        while True:
            t = b""
            while len(t) < self.length:
                v = hmac.digest(key, v, name)
                t += v
            k = self.bits_to_int(t[: self.length])
            if 1 <= k < self.n:
                return k
            key = hmac.digest(key, v + b"\x00", name)
            v = hmac.digest(key, v, name)

    def ecdsa(self, private, digest, k, low_s=False):
        """(r, s, recovery id)."""
        x, y = self.mul(k)
        r, s = x % self.n, pow(k, -1, self.n) * (self.bits_to_int(digest) + x * private) % self.n
        recid = (y & 1) + 2 * (x >= self.n)
        if low_s and s > self.n // 2:
            s, recid = self.n - s, recid ^ 1
        return r, s, recid

    def signature(self, r, s):
        return self.number(r) + self.number(s)


def der(r, s):
    """A signature in DER."""

    def integer(value):
        body = value.to_bytes(value.bit_length() // 8 + 1, "big")
        return bytes([2, len(body)]) + body

    body = integer(r) + integer(s)
    return (bytes([0x30, len(body)]) if len(body) < 128 else bytes([0x30, 0x81, len(body)])) + body


def sm3(message):
    """GM/T 0004."""

    def rotate(x, count):
        count %= 32
        return (x << count | x >> (32 - count)) & 0xFFFFFFFF

    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    padded = message + b"\x80" + bytes(-(len(message) + 9) % 64) + (8 * len(message)).to_bytes(8, "big")
    for start in range(0, len(padded), 64):
        w = [int.from_bytes(padded[start + i : start + i + 4], "big") for i in range(0, 64, 4)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15)
            w.append(x ^ rotate(x, 15) ^ rotate(x, 23) ^ rotate(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            t = 0x79CC4519 if j < 16 else 0x7A879D8A
            ss1 = rotate((rotate(a, 12) + e + rotate(t, j)) & 0xFFFFFFFF, 7)
            ff = a ^ b ^ c if j < 16 else a & b | a & c | b & c
            gg = e ^ f ^ g if j < 16 else e & f | ~e & g
            tt1 = (ff + d + (ss1 ^ rotate(a, 12)) + (w[j] ^ w[j + 4])) & 0xFFFFFFFF
            tt2 = (gg + h + ss1 + w[j]) & 0xFFFFFFFF
            a, b, c, d = tt1, a, rotate(b, 9), c
            e, f, g, h = tt2 ^ rotate(tt2, 9) ^ rotate(tt2, 17), e, rotate(f, 19), g
        state = [x ^ y for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(4, "big") for x in state)


def sm2_e(public, message, identity=b"1234567812345678"):
    """SM3(Z || message), GM/T 0003.2, 5.5."""
    head = (8 * len(identity)).to_bytes(2, "big") + identity
    numbers = (SM2.a % SM2.p, SM2.b, *SM2.g, *public)
    return sm3(sm3(head + b"".join(v.to_bytes(32, "big") for v in numbers)) + message)


SECP256K1 = Curve(
    "secp256k1", 32, 2**256 - 2**32 - 977, 0, 7,
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
)  # fmt: skip
P256 = Curve(
    "P-256", 32, 2**256 - 2**224 + 2**192 + 2**96 - 1, -3,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
)  # fmt: skip
P384 = Curve(
    "P-384", 48, 2**384 - 2**128 - 2**96 + 2**32 - 1, -3,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
)  # fmt: skip
SM2 = Curve(
    "SM2", 32, 2**256 - 2**224 - 2**96 + 2**64 - 1, -3,
    0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93,
    0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
    0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0,
    0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123,
)  # fmt: skip
P521 = Curve(
    "P-521", 66, 2**521 - 1, -3,
    0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
    0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
    0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650,
    0x01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
)  # fmt: skip
CURVES = [SECP256K1, P256, P384, SM2]
ECDSA_CURVES = CURVES[:3]


def oracle_curve(name):
    """A curve of tests/known_answers, which has them all."""
    sys.path.insert(0, str(ROOT / "tests" / "known_answers"))
    import curves  # noqa: PLC0415

    return curves.CURVES[name]


def generator(name):
    """Rows differ from each other and are the same in every run."""
    return random.Random(name)


def ed25519_sign(seed, message):
    """(public key, signature), from the oracle of tests/known_answers."""
    sys.path.insert(0, str(ROOT / "tests" / "known_answers"))
    import schemes  # noqa: PLC0415

    return schemes.ed25519_public_key(None, seed).out, schemes.ed25519_sign(None, seed, message).out


def addresses(randomness, count, personal=False):
    """(message, r || s || v, checksummed address) of random keys, from the oracle of tests/known_answers."""
    sys.path.insert(0, str(ROOT / "tests" / "known_answers"))
    from curves import SECP256K1  # noqa: PLC0415
    from hashes import keccak256  # noqa: PLC0415
    from schemes import address_of  # noqa: PLC0415

    n = SECP256K1.n
    for _ in range(count):
        message, d, k = randomness.randbytes(randomness.randrange(300)), randomness.randrange(1, n), randomness.randrange(1, n)
        prefix = b"\x19Ethereum Signed Message:\n" + str(len(message)).encode() if personal else b""
        (x, y), e = SECP256K1.multiply_base(k), int.from_bytes(keccak256(prefix + message), "big")
        s = pow(k, -1, n) * (e + x * d) % n
        text = address_of(SECP256K1, SECP256K1.multiply_base(d)).hex()
        digits = keccak256(text.encode()).hex()
        checksummed = "".join(c.upper() if int(h, 16) >= 8 else c for c, h in zip(text, digits))
        yield message.hex(), f"{x:064x}{s:064x}{27 + (y & 1):02x}", "0x" + checksummed
