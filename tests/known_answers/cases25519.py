"""Adversarial cases of Ed25519, by each rule of what is accepted, and of X25519."""

from random import Random

import edwards
from maker import Maker
from edwards import N, P
from schemes import dom2, little, sha512

RULES = ("rfc8032", "ref10", "strict", "zip215")
TOP = 1 << 256
SIGN = 1 << 255


class Curve25519:
    name = "Curve25519"


def number(value):
    return value.to_bytes(32, "little")


def edge_integers():
    """Integers of 32 bytes around 0, the order, p, and what clamping changes."""
    around = [(0, 3), (N // 2, 1), (N, 2), (8 * N, 9), (P // 2, 1), (P, 3), (SIGN, 2), (2 * P, 2), (TOP, 3), (1 << 252, 1), (1 << 254, 9)]
    values = {center + offset for center, width in around for offset in range(-width, width + 1)}
    return sorted(value for value in values if 0 <= value < TOP)


def encodings(point):
    """All encodings of a point: the canonical one, y + p where that fits, and where x is 0 either sign."""
    x, y = point
    for value in (y, y + P):
        if value < SIGN:
            yield number(value | (x & 1) << 255)
            if x == 0:
                yield number(value | SIGN)


class Maker25519(Maker):
    """Makes cases on Curve25519."""

    def __init__(self, seed, write):
        super().__init__(seed, None, write)
        self.curve, self.random = Curve25519, Random(f"{seed} Curve25519")
        self.small = edwards.small_points()

    def scalar(self):
        return self.random.randrange(1, N)

    def rarely(self, values):
        return self.random.choice(values) if self.random.getrandbits(1) else self.random.randrange(TOP)

    # Ed25519.

    def verify(self, tag, expect, public, message, signed, context=None, prehash=False, rules=RULES):
        """By each rule; `expect`: of all of them, or by rule."""
        for rule in rules:
            wanted = expect.get(rule) if isinstance(expect, dict) else expect
            self.case("ed25519_verify", tag, wanted, pub=public, msg=message, sig=signed, ctx=context, prehash=prehash,
                      accept=rule if rule != "rfc8032" else None)  # fmt: skip

    def signed(self, a, r, message, context=None, prehash=False, key=None, point=None):
        """(key, signature) by the scalars a and r. Those of `key` and `point` may have a part of small order, or be encoded in
        another way."""
        public = key or edwards.encode(edwards.multiply_base(a))
        encoded = point or edwards.encode(edwards.multiply_base(r))
        k = little(sha512(dom2(prehash, context), encoded, public, sha512(message) if prehash else message))
        return public, encoded + number((r + k * a) % N)

    def keys_and_signatures(self):
        for value in edge_integers():
            self.case("ed25519_public_key", f"{value:x}", "OK", seed=number(value))
        for _ in range(60):
            self.case("ed25519_public_key", "random", "OK", seed=self.bytes(32))
        for data in self.wrong_widths(self.bytes(32), (0, 1, 31, 33, 64)):
            self.case("ed25519_public_key", f"{len(data)} bytes", "MALFORMED_WIDTH", seed=data)
            self.case("ed25519_sign", f"{len(data)} bytes", "MALFORMED_WIDTH", seed=data, msg=b"", ctx=self.bytes(256))
        for width in (*range(0, 200, 5), 94, 96, 97, 111, 112, 127, 128, 129, 1000, 4096):
            seed, message = number(self.rarely(edge_integers())), self.bytes(width)
            for context, prehash in ((None, False), (b"", False), (self.bytes(width % 256), self.random.getrandbits(1) == 1), (None, True)):
                self.case("ed25519_sign", f"message of {width} bytes", "OK", seed=seed, msg=message, ctx=context, prehash=prehash)
                public, signed = self.signed(self.scalar(), self.scalar(), message, context, prehash)
                self.verify(f"message of {width} bytes", "OK", public, message, signed, context, prehash, self.sample(RULES, 1))
        for width in (1, 61, 62, 94, 95, 189, 190, 254, 255, 256, 257, 1000):
            expect, context = "OK" if width < 256 else "MALFORMED_WIDTH", self.bytes(width)
            for prehash in (False, True):
                self.case("ed25519_sign", f"context of {width} bytes", expect, seed=self.bytes(32), msg=b"m", ctx=context, prehash=prehash)
                public, signed = self.signed(self.scalar(), self.scalar(), b"m", context[:255], prehash)
                self.verify(f"context of {width} bytes", expect, public, b"m", signed, context, prehash)

    def spoiled_signatures(self):
        for _ in range(40):
            message, context, prehash = self.bytes(self.random.randrange(200)), self.one_of(None, b"", b"c"), self.random.getrandbits(1) == 1
            public, signed = self.signed(self.scalar(), self.scalar(), message, context, prehash)
            s = little(signed[32:])

            def put(tag, expect, public=public, message=message, signed=signed, context=context, prehash=prehash):
                self.verify(tag, expect, public, message, signed, context, prehash, self.sample(RULES, 2))

            put("valid", "OK")
            put("another message", "INVALID", message=message + b"\0")
            put("another context", "INVALID", context=(context or b"") + b"\0")
            put("hashed or not", "INVALID", prehash=not prehash)
            put("S + n", "MALFORMED_SIGNATURE_RANGE", signed=signed[:32] + number(s + N))
            put("n - S", "INVALID", signed=signed[:32] + number(N - s))
            put("-A", "INVALID", public=number(little(public) ^ SIGN))
            put("-R", "INVALID", signed=number(little(signed[:32]) ^ SIGN) + signed[32:])
            row = bytearray(public + signed)
            bit = self.random.randrange(8 * len(row))
            row[bit // 8] ^= 1 << bit % 8
            put(f"bit {bit} changed", None, public=bytes(row[:32]), signed=bytes(row[32:]))
        for s in edge_integers():
            expect = "INVALID" if s < N else "MALFORMED_SIGNATURE_RANGE"
            public, signed = self.signed(self.scalar(), self.scalar(), b"")
            self.verify(f"S = {s:x}", expect, public, b"", signed[:32] + number(s))
        for width in (0, 1, 32, 63, 65, 128):
            self.verify(f"signature of {width} bytes", "MALFORMED_WIDTH", self.signed(1, 1, b"")[0], b"", self.bytes(width))
            if width != 32:
                self.verify(f"key of {width} bytes", "MALFORMED_WIDTH", self.bytes(width), b"", self.one_of(b"", bytes(64)))

    def small_orders(self):
        """Keys and R of small order, in all encodings, and with S G beside them."""
        every = [data for point in self.small for data in encodings(point)]
        for public in every:
            for point in every:
                self.verify("key and R of small order", {"strict": None}, public, self.bytes(8), point + bytes(32))
            for r in (1, self.scalar()):
                self.verify("key of small order", None, public, self.bytes(8), edwards.encode(edwards.multiply_base(r)) + number(r))
        for point in every:
            a, message = self.scalar(), self.bytes(8)
            public, signed = self.signed(a, 0, message, point=point)
            self.verify("R of small order", None, public, message, signed)

    def mixed_orders(self):
        """A and R with parts of small order, which cancel each other or do not."""
        for _ in range(48):
            a, r, t, u = self.scalar(), self.scalar(), self.random.randrange(8), self.random.randrange(8)
            key = edwards.encode(edwards.add(edwards.multiply_base(a), self.small[t]))
            point = edwards.encode(edwards.add(edwards.multiply_base(r), self.small[u]))
            message = self.bytes(8)
            public, signed = self.signed(a, r, message, key=key, point=point)
            expect = {"zip215": "OK"} | ({"rfc8032": "OK", "ref10": "OK", "strict": "OK"} if t == u == 0 else {})
            self.verify("parts of small order", expect, public, message, signed)

    def broken_encodings(self):
        """y that is not below p, that no point has, and x = 0 with its sign set."""
        for y in (*range(P, SIGN), 0, 1, 2, 3, P - 1, P - 2, *(self.random.randrange(P) for _ in range(20))):
            for sign in (0, SIGN):
                data, (public, signed) = number(y | sign), self.signed(self.scalar(), self.scalar(), b"")
                expect = {rule: "MALFORMED_POINT_RANGE" for rule in ("rfc8032", "strict") if y >= P}
                if not edwards.lift(y, 0):
                    expect |= {rule: "MALFORMED_POINT_OFF_CURVE" for rule in RULES if rule not in expect}
                self.verify(f"A: y = {y:x}", expect, data, b"", signed)
                self.verify(f"R: y = {y:x}", "INVALID", public, b"", data + signed[32:])
                self.verify(f"A: y = {y:x}; S + n", None, data, b"", signed[:32] + number(little(signed[32:]) + N))

    # X25519.

    def u_coordinates(self):
        for value in edge_integers():
            yield f"u = {value:x}", value
        for point in self.small:
            if point != edwards.NEUTRAL:
                u = (1 + point[1]) * pow(1 - point[1], -1, P) % P
                for value in (u, u + P, u + SIGN):
                    yield f"small order: {value:x}", value % TOP
        for point in self.small:
            mixed = edwards.add(edwards.multiply_base(self.scalar()), point)
            yield "a part of small order", (1 + mixed[1]) * pow(1 - mixed[1], -1, P) % P

    def exchanges(self):
        for tag, u in self.u_coordinates():
            for _ in range(2):
                self.case("x25519", tag, None, priv=number(self.rarely(edge_integers())), pub=number(u))
        for value in edge_integers():
            self.case("x25519_public_key", f"{value:x}", "OK", priv=number(value))
            self.case("x25519", f"private key {value:x}", "OK", priv=number(value), pub=number(self.random.randrange(2, P - 1)))
        for _ in range(100):
            private, peer = self.bytes(32), self.bytes(32)
            self.case("x25519", "random", None, priv=private, pub=peer)
            self.case("x25519", "bit 255 set or not", None, priv=private, pub=number(little(peer) ^ SIGN))
            self.case("x25519_public_key", "random", "OK", priv=private)
        for width in (0, 1, 31, 33, 64):
            self.case("x25519_public_key", f"{width} bytes", "MALFORMED_WIDTH", priv=self.bytes(width))
            self.case("x25519", f"private key of {width} bytes", "MALFORMED_WIDTH", priv=self.bytes(width), pub=number(9))
            self.case("x25519", f"peer of {width} bytes", "MALFORMED_WIDTH", priv=self.bytes(32), pub=self.bytes(width))

    def of_curve(self):
        self.keys_and_signatures()
        self.spoiled_signatures()
        self.small_orders()
        self.mixed_orders()
        self.broken_encodings()
        self.exchanges()
