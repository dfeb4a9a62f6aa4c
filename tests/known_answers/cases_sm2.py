"""Cases of SM2."""

import itertools

from maker import Maker
from numbers_of import der_defects
from schemes import private_keys_end, signature


class Sm2(Maker):
    """Signatures, their nonces, and the digests that they are of."""

    def e_of(self, e):
        """32 bytes that are e modulo n."""
        e %= self.curve.n
        return self.number(e + self.curve.n if e + self.curve.n < 1 << 256 and self.random.getrandbits(1) else e)

    def sm2_verify(self, tag, expect, point, e, r, s, der=None):
        der = self.random.getrandbits(1) if der is None else der
        public = point if isinstance(point, bytes) else self.encode(point)
        self.case(
            "sm2_verify",
            tag,
            expect,
            pub=public,
            digest=e,
            sig=signature(self.curve, r, s, der),
            enc="der" if der else "raw",
        )

    def sm2_verifications(self):
        curve, n = self.curve, self.curve.n

        def put(tag, s, t, d, also=False):
            """The signature for which s G + t P is what it is meant to be."""
            point, sum_of_both = curve.point_of(d), curve.point_of(s + t * d)
            r, s = (t - s) % n, s % n
            x = sum_of_both[0] if sum_of_both else self.scalar()
            expect = "OK" if sum_of_both and t % n else "INVALID"
            if r == 0 or s == 0:
                expect = "MALFORMED_SIGNATURE_RANGE"
            self.sm2_verify(tag, expect, point, self.e_of(r - x), r, s)
            if also and expect == "OK":
                self.sm2_verify(f"{tag}; r + 1", None, point, self.e_of(r - x), r + 1, s)
                self.sm2_verify(f"{tag}; -P", None, curve.negate(point), self.e_of(r - x), r, s)
                self.sm2_verify(f"{tag}; e + 1", "INVALID", point, self.e_of(r - x + 1), r, s)

        for _ in range(100):
            d, s = self.private_keys(), self.special_or_random() % n
            t = self.special_or_random() % n
            put("special s and t", s, t, d, True)
            put("t = 0", self.scalar(), 0, d)
            put("s G = -t P", -t * d % n, t, d)
            put("s G = t P", t * d % n, t, d)
            put("s G = 2 t P", 2 * t * d % n, t, d)
            put("r = 0", t, t, d)
        for d in (1, n - 1, n - 2, 2, (n + 1) // 2):
            for _ in range(10):
                put(f"P = {d:x} G", self.special() % n, self.special() % n, d, True)
        values = [0, 1, 2, n - 2, n - 1, n, n + 1, n // 2, curve.p - 1, curve.p, (1 << 256) - 1]
        for r, s in itertools.product(values, repeat=2):
            expect = None if 0 < r < n and 0 < s < n else "MALFORMED_SIGNATURE_RANGE"
            for der in (False, True):
                self.sm2_verify(f"r = {r:x}, s = {s:x}", expect, self.key()[1], self.bytes(32), r, s, der)
        for e in self.edges:
            d, k = self.private_keys(), self.scalar()
            r = (e + curve.point_of(k)[0]) % n
            s = pow(1 + d, -1, n) * (k - r * d) % n
            self.sm2_verify(f"e = {e:x}", "OK", curve.point_of(d), self.number(e), r, s)
        self.sm2_wrapped_x(put)
        self.sm2_encodings()

    def sm2_wrapped_x(self, _):
        curve, n, p = self.curve, self.curve.n, self.curve.p
        for start in (n, p - 4, *(self.random.randrange(n, p) for _ in range(6))):
            for x in range(start, min(start + 3, p)):
                if not (wanted := curve.lift(x, self.random.getrandbits(1))):
                    continue
                s, t = self.scalar(), self.scalar()
                inverse = pow(t, -1, n)
                point, r = curve.combine(-s * inverse % n, inverse, wanted), (t - s) % n
                self.sm2_verify("x1 not less than n", "OK", point, self.e_of(r - x), r, s)
                self.sm2_verify("x1 not less than n, e + 1", "INVALID", point, self.e_of(r - x + 1), r, s)

    def sm2_encodings(self):
        curve, n = self.curve, self.curve.n
        for turn in range(3):
            d, k, e = self.scalar() % (n - 2) + 1, self.scalar(), self.scalar()
            r = (e + curve.point_of(k)[0]) % n
            s = pow(1 + d, -1, n) * (k - r * d) % n
            point = curve.point_of(d)
            for tag, data in der_defects(curve, r, s):
                self.case("sm2_verify", tag, pub=self.encode(point), digest=self.number(e), sig=data, enc="der")
            if turn == 0:
                for tag, data, _ in self.malformed_points():
                    self.sm2_verify(f"key: {tag}", None, data, self.number(e), r, s)
            for width in (0, 20, 31, 33, 48, 64):
                self.sm2_verify(f"e of {width} bytes", "MALFORMED_WIDTH", point, self.bytes(width), r, s)
            for width in (0, 32, 63, 65, 128):
                data = (self.number(r) + self.number(s) + bytes(width))[:width]
                self.case(
                    "sm2_verify",
                    f"raw of {width} bytes",
                    "MALFORMED_WIDTH",
                    pub=self.encode(point),
                    digest=self.number(e),
                    sig=data,
                    enc="raw",
                )
        for _ in range(200):
            d, k, e = self.scalar() % (n - 2) + 1, self.scalar(), self.scalar()
            r = (e + curve.point_of(k)[0]) % n
            s = pow(1 + d, -1, n) * (k - r * d) % n
            self.sm2_verify("valid", "OK", curve.point_of(d), self.number(e), r, s)
            row = bytearray(self.number(e) + self.number(r) + self.number(s))
            bit = self.random.randrange(8 * len(row))
            row[bit // 8] ^= 128 >> bit % 8
            self.case(
                "sm2_verify",
                f"bit {bit} changed",
                pub=self.encode(curve.point_of(d)),
                digest=bytes(row[:32]),
                sig=bytes(row[32:]),
                enc="raw",
            )

    def sm2_signatures(self):
        curve, n = self.curve, self.curve.n
        for name in ("default", "sha256", "sha384", "sha512", "sm3"):
            for turn in range(30 if name == "sm3" else 60):
                e = self.number(self.random.choice(self.edges)) if turn % 3 == 0 else self.bytes(32)
                d = self.private_keys()
                self.sign("sm2_sign_rfc6979", f"{name}", "OK", d, e, hmac=name, entropy=self.one_of(None, self.bytes(32)))
        for value in self.edges:
            expect = "OK" if 0 < value < private_keys_end(curve) else "MALFORMED_SCALAR"
            self.sign("sm2_sign_rfc6979", f"priv = {value:x}", expect, value, self.bytes(32), hmac="default")
            self.sign("sm2_sign_nonce", f"priv = {value:x}", expect, value, self.bytes(32), nonce=self.number(self.scalar()))
            expect = None if 0 < value < n else "MALFORMED_SCALAR"
            self.sign("sm2_sign_nonce", f"nonce = {value:x}", expect, 5, self.bytes(32), nonce=self.number(value))
        for width in (0, 20, 31, 33, 48, 64):
            self.sign("sm2_sign_rfc6979", f"e of {width} bytes", "MALFORMED_WIDTH", 7, self.bytes(width), hmac="default")
            self.sign(
                "sm2_sign_rfc6979",
                f"entropy of {width} bytes",
                "MALFORMED_WIDTH",
                7,
                self.bytes(32),
                hmac="default",
                entropy=self.bytes(width),
            )
            self.sign("sm2_sign_nonce", f"e of {width} bytes", "MALFORMED_WIDTH", 7, self.bytes(width), nonce=self.number(1))
            self.sign(
                "sm2_sign_nonce",
                f"nonce of {width} bytes",
                "OK" if width == 32 else "MALFORMED_WIDTH",
                7,
                self.bytes(32),
                nonce=self.bytes(width),
            )
        for _ in range(80):
            d, k = self.private_keys(), self.special_or_random() % n or 1
            x = curve.point_of(k)[0]
            for tag, r, expect in (("r = 0", 0, "INVALID"), ("r + k = n", -k, "INVALID"), ("s = 0", k * pow(d, -1, n), "INVALID"),
                                   ("r = 1", 1, None), ("r + k = n + 1", 1 - k, None), ("r = n - 1", -1, None)):  # fmt: skip
                self.sign("sm2_sign_nonce", tag, expect, d, self.e_of(r - x), nonce=self.number(k))
            self.sign("sm2_sign_nonce", "any e", None, d, self.number(self.special()), nonce=self.number(k))

    def sm2_digests(self):
        widths = (*range(0, 80), 100, 119, 120, 121, 183, 184, 185, 255, 256, 257, 1000, 4095, 8190, 8191)
        for width in widths:
            self.case("sm2_za", f"id of {width} bytes", "OK", pub=self.encode(self.key()[1]), sm2_id=self.bytes(width),
                      msg=self.bytes(self.random.randrange(100)))  # fmt: skip
        for width in (*range(0, 140, 3), 183, 184, 1000):
            self.case("sm2_za", f"message of {width} bytes", "OK", pub=self.encode(self.random.choice(self.strangers)),
                      sm2_id=b"1234567812345678", msg=self.bytes(width))  # fmt: skip
        for width in (8192, 8193):
            self.case(
                "sm2_za",
                f"id of {width} bytes",
                "MALFORMED_WIDTH",
                pub=self.encode(self.key()[1]),
                sm2_id=self.bytes(width),
                msg=b"",
            )
        for _ in range(60):
            tag, data = self.some_malformed_point()
            self.case("sm2_za", tag, None, pub=data, sm2_id=self.bytes(self.random.randrange(20)), msg=b"abc")
