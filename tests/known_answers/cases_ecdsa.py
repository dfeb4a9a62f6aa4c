"""Cases of ECDSA."""

import itertools

from maker import DIGEST_WIDTHS, FORMS, Maker
from numbers_of import der_defects
from schemes import bits_to_integer, der_signature, private_keys_end, signature


class Ecdsa(Maker):
    """Signatures that hold, do not, or are none; keys, digests and nonces; recovered keys."""

    def verify(self, tag, expect, point, digest, r, s, der=None, low_s=None):
        """Raw or DER; a number that does not fit in L bytes only DER."""
        fits = max(r, s) < 1 << 8 * self.curve.length
        der = not fits or (self.random.getrandbits(1) if der is None else der)
        low_s = self.random.randrange(8) == 0 if low_s is None else low_s
        if low_s and expect == "OK" and s > self.curve.n // 2:
            expect = "MALFORMED_HIGH_S"
        elif low_s:
            expect = None if expect == "INVALID" else expect
        signed = der_signature(r, s) if der else self.number(r) + self.number(s)
        public = point if isinstance(point, bytes) else self.encode(point)
        self.case("ecdsa_verify", tag, expect, pub=public, digest=digest, sig=signed,
                  enc="der" if der else "raw", low_s=bool(low_s))  # fmt: skip

    def recover(self, tag, expect, digest, r, s, recid, der=None, low_s=False):
        der = self.random.getrandbits(1) if der is None else der
        recid = bytes([recid]) if isinstance(recid, int) else recid
        self.case("ecdsa_recover", tag, expect, digest=digest, sig=signature(self.curve, r, s, der), recid=recid,
                  enc="der" if der else "raw", low_s=low_s, format=self.form())  # fmt: skip

    def signatures_of_digests(self):
        """Every width of digest, valid, and with one thing wrong."""
        curve, n = self.curve, self.curve.n
        for width, form in itertools.product(DIGEST_WIDTHS, FORMS):
            d, point = self.key()
            digest = self.bytes(width) if self.random.randrange(4) else self.one_of(b"\0", b"\xff") * width
            r, s, recid = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
            public = self.encode(point, form)
            self.verify(f"digest of {width} bytes", "OK", public, digest, r, s)
            self.verify(f"digest of {width} bytes, n - s", "OK", public, digest, r, n - s)
            self.recover(f"digest of {width} bytes", "OK", digest, r, s, recid)
            flipped = bytearray(digest)
            bit = self.random.randrange(8 * min(width, curve.length))
            flipped[bit // 8] ^= 128 >> bit % 8
            self.verify(f"bit {bit} of the digest changed", "INVALID", public, bytes(flipped), r, s)
            if width > curve.length:
                tail = digest[: curve.length] + bytes(byte ^ 0xFF for byte in digest[curve.length :])
                self.verify("digest with another tail", "OK", public, tail, r, s)
            elif width < curve.length:
                longer = digest + b"\0"
                self.verify("digest with a zero more", None, public, longer, r, s)
            wrong = self.random.choice((
                ("r + 1", point, r + 1, s), ("s + 1", point, r, s + 1), ("r and s exchanged", point, s, r),
                ("n - r", point, n - r, s), ("-Q", curve.negate(point), r, s), ("another key", self.key()[1], r, s),
            ))  # fmt: skip
            self.verify(wrong[0], None, wrong[1], digest, *wrong[2:])
        d, point = self.key()
        for width in (0, 1, 2, 16, 19, 65, 66, 96, 128, 200):
            digest = self.bytes(width)
            r, s, _ = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
            self.verify(f"digest of {width} bytes", "MALFORMED_WIDTH", point, digest, r, s)
            self.verify("digest and signature malformed", "MALFORMED_WIDTH", point, digest, 0, s, low_s=False)
            self.recover(f"digest of {width} bytes", "MALFORMED_WIDTH", digest, r, s, 0)

    def edges_of_signatures(self):
        """r and s at their ends, raw and DER, with either flag."""
        curve, n = self.curve, self.curve.n
        values = [0, 1, 2, n - 2, n - 1, n, n + 1, n // 2, n // 2 + 1, curve.p - 1, curve.p, (1 << 8 * curve.length) - 1]
        for r, s in itertools.product(values, repeat=2):
            digest = self.bytes(self.random.choice(DIGEST_WIDTHS))
            refused = not (0 < r < n and 0 < s < n)
            expect = "MALFORMED_SIGNATURE_RANGE" if refused else None
            for der in (False, True):
                low_s = self.random.getrandbits(1)
                expect_s = "MALFORMED_HIGH_S" if low_s and not refused and s > n // 2 else expect
                self.verify(f"r = {r:x}, s = {s:x}", expect_s, self.key()[1], digest, r, s, der, low_s)
            recid = self.random.randrange(6)
            self.recover(
                f"r = {r:x}, s = {s:x}",
                None,
                digest,
                r,
                s,
                recid,
                der=bool(recid & 1),
                low_s=bool(self.random.getrandbits(1)),
            )
        for _ in range(40):
            d, point = self.key()
            digest = self.bytes(min(curve.length, 64))
            r, s, recid = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
            low, high = min(s, n - s), max(s, n - s)
            for low_s, value in itertools.product((False, True), (low, high)):
                expect = "MALFORMED_HIGH_S" if low_s and value == high else "OK"
                self.verify("low or high s", expect, point, digest, r, value, low_s=low_s)
                right = recid if value == s else recid ^ 1
                self.recover("low or high s", expect, digest, r, value, right, low_s=low_s)
            for wide in (r + n, s + n):
                r_or_s = (wide, s) if wide == r + n else (r, wide)
                self.verify("r + n or s + n", None, point, digest, *r_or_s, low_s=False)
        for exactly in (n // 2, n // 2 + 1):
            d, k = self.scalar(), self.scalar()
            point, r = curve.point_of(d), curve.point_of(k)[0] % n
            digest = self.digest_of(exactly * k - r * d)
            expect = "OK" if exactly == n // 2 else "MALFORMED_HIGH_S"
            self.verify(f"s = {exactly:x}", expect, point, digest, r, exactly, low_s=True)
            self.verify(f"s = {exactly:x}", "OK", point, digest, r, exactly, low_s=False)

    def chosen_multiples(self):
        """Signatures for which u1 and u2 in u1 G + u2 Q are what they are meant to be, and Q too."""
        n = self.curve.n

        def put(tag, u1, u2, d, all_of_them=False):
            point, big_r = self.curve.point_of(d), self.curve.point_of(u1 + u2 * d)
            r = big_r[0] % n if big_r else self.scalar()
            s = r * pow(u2, -1, n) % n
            digest = self.digest_of(u1 * s)
            self.verify(tag, "OK" if big_r else "INVALID", point, digest, r, s)
            if big_r and (all_of_them or self.random.randrange(4) == 0):
                self.verify(f"{tag}; r + 1", None, point, digest, r + 1, s, low_s=False)
                self.verify(f"{tag}; -Q", "OK" if u1 == 0 else None, self.curve.negate(point), digest, r, s, low_s=False)
                self.recover(tag, "OK", digest, r, s, (big_r[1] & 1) + 2 * (big_r[0] >= n))

        for _ in range(70):
            u1, u2, d = self.special() % n, self.special_or_random() % n or 1, self.random.choice(self.keys)
            put("special u1 and u2", u1, u2, d)
            put("u1 = 0", 0, u2, d)
            put("R at infinity", -u2 * d, u2, d)
            put("u1 G = u2 Q", u2 * d, u2, d)
            put("u1 G = 2 u2 Q", 2 * u2 * d, u2, d)
            put("u1 G = -u2 Q + G", 1 - u2 * d, u2, d)
        for d in (1, n - 1, 2, n - 2, (n + 1) // 2, 3, *self.sample(self.eigenvalues, 6)):
            for _ in range(8):
                put(f"Q = {d:x} G", self.special() % n, self.special() % n or 1, d or 1, True)
            put(f"Q = {d:x} G, u1 = u2", 5, 5, d or 1)
            put(f"Q = {d:x} G, u1 = -u2", n - 5, 5, d or 1)
        for value in self.sample(self.patterns, 200) + self.sample(self.eigenvalues, 60):
            put(f"u2 = {value:x}", self.scalar(), value % n or 1, self.random.choice(self.keys))
            put(f"u1 = {value:x}", value % n, self.scalar(), self.random.choice(self.keys))
        # e = 0 as a number, whatever its digest looks like
        zeros = [bytes(20), bytes(64)]
        if self.curve.length <= 64:
            zeros += [self.number(n), self.number(n) + bytes(64 - self.curve.length)]
        for digest in zeros:
            d, point = self.key()
            r, s, recid = self.signed(d, self.scalar(), 0)
            self.verify("e = 0", "OK", point, digest, r, s)
            self.recover("e = 0", "OK", digest, r, s, recid)

    def wrapped_x(self):
        """R whose x is not less than n, and r that could be such an x."""
        curve, n, p = self.curve, self.curve.n, self.curve.p
        starts = [n, p - 8, *(self.random.randrange(n, p) for _ in range(6))]
        points = [
            point
            for start in starts
            for x in range(start, start + 3)
            if x < p and (point := curve.lift(x, self.random.getrandbits(1)))
        ]
        for big_r in points:
            r, s, e = big_r[0] - n, self.scalar(), self.one_of(0, self.scalar())
            digest = self.digest_of(e)
            if r == 0:
                self.verify("x = n", "MALFORMED_SIGNATURE_RANGE", self.key()[1], digest, r, s, low_s=False)
                self.verify("r = x = n", "MALFORMED_SIGNATURE_RANGE", self.key()[1], digest, n, s, low_s=False)
                continue
            inverse = pow(r, -1, n)
            point = curve.combine(-e * inverse % n, s * inverse % n, big_r)
            recid = 2 + (big_r[1] & 1)
            self.verify("r = x - n", "OK", point, digest, r, s)
            self.verify(
                "r = x, which is not less than n", "MALFORMED_SIGNATURE_RANGE", point, digest, big_r[0], s, low_s=False
            )
            self.verify("r = x - n + 1", "INVALID", point, digest, r + 1, s, low_s=False)
            self.recover("r = x - n", "OK", digest, r, s, recid)
            self.recover("r = x, which is not less than n", "MALFORMED_SIGNATURE_RANGE", digest, big_r[0], s, recid)
            self.recover("r = x - n, without saying so", None, digest, r, s, recid - 2)
        for r in (p - n, p - n + 1, p - n + 2, 2 * (p - n), n - 1, n - 2, self.scalar(), self.scalar()):
            for recid in (2, 3):
                if 0 < r < n and r + n >= p:
                    self.recover("r + n is not less than p", "INVALID", self.bytes(32), r, self.scalar(), recid)
        for start in (1, p - n - 6, self.random.randrange(1, p - n), self.random.randrange(1, p - n)):
            for r in range(start, start + 6):
                for recid in range(4):
                    self.recover("r or r + n is an x, or not", None, self.bytes(32), r, self.scalar(), recid)
                low, high = curve.lift(r, 0), r + n < p and curve.lift(r + n, 0)
                if low and high:  # both can be R: the signature of one is not the other's
                    s, e = self.scalar(), self.scalar()
                    inverse = pow(r, -1, n)
                    for big_r in (low, high):
                        point = curve.combine(-e * inverse % n, s * inverse % n, big_r)
                        self.verify("x = r and x = r + n both exist", "OK", point, self.digest_of(e), r, s)

    def encodings_of_signatures(self):
        curve, n, length = self.curve, self.curve.n, self.curve.length
        for turn in range(5):
            d, point = self.key()
            digest = self.bytes(32)
            e = bits_to_integer(curve, digest)
            r, s, recid = self.signed(d, self.scalar(), e)
            if turn == 1:  # both with the top bit
                while r >> n.bit_length() - 1 == 0 or s >> n.bit_length() - 1 == 0:
                    r, s, recid = self.signed(d, self.scalar(), e)
            if turn == 2:  # a short s: by the key
                k = self.scalar()
                r = curve.point_of(k)[0] % n
                s = self.random.randrange(1, 1 << 8 * self.random.randrange(1, length))
                point, recid = curve.point_of((s * k - e) * pow(r, -1, n)), None
            self.verify("strict DER", "OK", point, digest, r, s, der=True, low_s=False)
            for tag, data in der_defects(curve, r, s):
                self.case("ecdsa_verify", tag, pub=self.encode(point), digest=digest, sig=data, enc="der",
                          low_s=self.random.randrange(8) == 0)  # fmt: skip
                if recid is not None and turn == 0:
                    self.case(
                        "ecdsa_recover", tag, digest=digest, sig=data, recid=bytes([recid]), enc="der", format=self.form()
                    )
            raw = self.number(r) + self.number(s)
            for width in (0, 1, length, 2 * length - 1, 2 * length + 1, 2 * length + 2, 4 * length):
                data = (raw + bytes(width))[:width]
                self.case(
                    "ecdsa_verify",
                    f"raw of {width} bytes",
                    "MALFORMED_WIDTH",
                    pub=self.encode(point),
                    digest=digest,
                    sig=data,
                    enc="raw",
                )
                self.case("ecdsa_recover", f"raw of {width} bytes", "MALFORMED_WIDTH", digest=digest, sig=data, recid=b"\0",
                          enc="raw", format=self.form())  # fmt: skip
            self.case(
                "ecdsa_verify", "DER read as raw", pub=self.encode(point), digest=digest, sig=der_signature(r, s), enc="raw"
            )
        for bits in range(8, 8 * length, 8):  # every length of r and s
            d, k = self.scalar(), self.scalar()
            r, s = curve.point_of(k)[0] % n, (1 << bits) - self.random.randrange(1, 1 << 6)
            self.verify(
                f"s of {bits} bits", "OK", curve.point_of(d), self.digest_of(s * k - r * d), r, s, der=True, low_s=False
            )
            self.verify(f"r of {bits} bits", None, curve.point_of(d), self.bytes(32), s, r, der=True, low_s=False)

    def keys_of_signatures(self):
        """Signatures under keys that are not what they should be."""
        curve = self.curve
        d, point = self.key()
        digest = self.bytes(32)
        r, s, _ = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
        for tag, data, _ in self.malformed_points():
            self.verify(f"key: {tag}", None, data, digest, r, s, low_s=False)
        for _ in range(40):
            tag, data = self.some_malformed_point()
            self.verify(f"key: {tag}; the signature too", None, data, self.one_of(digest, b""), 0, s, low_s=False)
        for point in self.strangers:
            self.verify("a key with an extreme x", None, point, digest, r, s, low_s=False)
        for _ in range(200):
            d, point = self.key()
            width = self.random.choice(DIGEST_WIDTHS)
            digest = bytearray(self.bytes(width))
            r, s, recid = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
            signed = bytearray(self.number(r) + self.number(s))
            where, at = self.one_of((signed, len(signed)), (digest, min(width, curve.length))), None
            at = self.random.randrange(8 * where[1])
            where[0][at // 8] ^= 128 >> at % 8
            self.case(
                "ecdsa_verify",
                "a bit changed",
                None,
                pub=self.encode(point),
                digest=bytes(digest),
                sig=bytes(signed),
                enc="raw",
            )
            self.case("ecdsa_recover", "a bit changed", None, digest=bytes(digest), sig=bytes(signed), recid=bytes([recid]),
                      enc="raw", format=self.form())  # fmt: skip

    def recoveries(self):
        curve, n = self.curve, self.curve.n
        for _ in range(70):
            d, point = self.key()
            digest = self.bytes(self.random.choice(DIGEST_WIDTHS))
            r, s, _ = self.signed(d, self.scalar(), bits_to_integer(curve, digest))
            for recid in (0, 1, 2, 3, self.random.randrange(4, 256)):
                expect = "OK" if recid < 2 else "MALFORMED_RECOVERY_ID" if recid > 3 else None
                self.recover(f"recovery id {recid}", expect, digest, r, s, recid)
            k = self.special_or_random() % n or 1
            r = curve.point_of(k)[0] % n
            parity = curve.point_of(k)[1] & 1
            e = self.scalar() >> max(0, 8 * curve.length - 512)
            self.recover("Q at infinity", "INVALID", self.digest_of(e), r, e * pow(k, -1, n) % n, parity)
            self.recover("-Q' + 2 e G", "OK", self.digest_of(e), r, e * pow(k, -1, n) % n, parity ^ 1)
        for recid in (4, 5, 7, 8, 27, 28, 31, 127, 128, 254, 255):
            self.recover(
                f"recovery id {recid}", "MALFORMED_RECOVERY_ID", self.bytes(32), self.scalar(), self.scalar(), recid
            )
        for width in (0, 2, 3, 32):
            self.recover(f"recovery id of {width} bytes", "MALFORMED_WIDTH", self.bytes(32), 1, 1, bytes(width))
        for _ in range(150):  # about half of all r are no x
            self.recover(
                "any r",
                None,
                self.bytes(self.random.choice(DIGEST_WIDTHS)),
                self.scalar(),
                self.scalar(),
                self.random.randrange(2),
            )
            digest = self.bytes(10)
            self.recover("digest, r and recovery id malformed", "MALFORMED_WIDTH", digest, 0, self.scalar(), 9, der=False)

    def sign(self, op, tag, expect, d, digest, **fields):
        private = d if isinstance(d, bytes) else self.number(d)
        any_s = self.random.randrange(4) == 0
        flags = {"enc": self.one_of("raw", "der"), "any_s": any_s, "low_s": not any_s and self.random.randrange(4) == 0}
        if op.startswith("sm2"):
            flags = {"enc": flags["enc"]}
        self.case(op, tag, expect, priv=private, digest=digest, **flags, **fields)

    def deterministic_signatures(self):
        curve, n, length = self.curve, self.curve.n, self.curve.length
        for width in DIGEST_WIDTHS:
            for name in ("default", "sha256", "sha384", "sha512"):
                for entropy in (None, self.bytes(32)):
                    digest = self.bytes(width) if self.random.randrange(4) else self.one_of(b"\0", b"\xff") * width
                    self.sign("ecdsa_sign_rfc6979", f"{name}, digest of {width} bytes", "OK", self.private_keys(), digest,
                              hmac=name, entropy=entropy)  # fmt: skip
        for width in self.random.sample(DIGEST_WIDTHS, 20):
            for entropy in (None, self.bytes(32)):
                self.sign("ecdsa_sign_rfc6979", f"sm3, digest of {width} bytes", "OK", self.private_keys(), self.bytes(width),
                          hmac="sm3", entropy=entropy)  # fmt: skip
        for _ in range(30):
            digest = self.number(self.random.choice(self.edges))[-64:]
            self.sign("ecdsa_sign_rfc6979", "an extreme digest", "OK", self.private_keys(), digest, hmac="default")
        for entropy in (bytes(32), b"\xff" * 32):
            self.sign(
                "ecdsa_sign_rfc6979", "extreme entropy", "OK", self.scalar(), self.bytes(32), hmac="default", entropy=entropy
            )
        for value in self.edges:
            expect = "OK" if 0 < value < private_keys_end(curve) else "MALFORMED_SCALAR"
            self.sign("ecdsa_sign_rfc6979", f"priv = {value:x}", expect, value, self.bytes(32), hmac="default")
            self.sign(
                "ecdsa_sign_rfc6979",
                f"priv = {value:x}",
                expect,
                value,
                self.bytes(32),
                hmac="sha512",
                entropy=self.bytes(32),
            )
        for width in (0, 1, 19, 65, 100):
            self.sign(
                "ecdsa_sign_rfc6979",
                f"digest of {width} bytes",
                "MALFORMED_WIDTH",
                self.scalar(),
                self.bytes(width),
                hmac="default",
            )
            self.sign(
                "ecdsa_sign_rfc6979", "priv and digest malformed", "MALFORMED_SCALAR", 0, self.bytes(width), hmac="default"
            )
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length - 1, length + 1)):
            self.sign(
                "ecdsa_sign_rfc6979", f"priv of {len(data)} bytes", "MALFORMED_WIDTH", data, self.bytes(32), hmac="default"
            )
        for width in (0, 31, 33, 64):
            self.sign("ecdsa_sign_rfc6979", f"entropy of {width} bytes", "MALFORMED_WIDTH", self.scalar(), self.bytes(32), hmac="default",
                      entropy=self.bytes(width))  # fmt: skip

    def signatures_with_nonces(self):
        curve, n, length, op = self.curve, self.curve.n, self.curve.length, "ecdsa_sign_nonce"

        def put(tag, expect, d, digest, k):
            self.sign(op, tag, expect, d, digest, nonce=k if isinstance(k, bytes) else self.number(k))

        for d, k in itertools.product(self.sample(self.edges, 16) + [1, n - 2, n - 1, n, 0], repeat=2):
            good = 0 < d < private_keys_end(curve) and 0 < k < n
            put(f"priv = {d:x}, nonce = {k:x}", None if good else "MALFORMED_SCALAR", d, self.bytes(32), k)
        for _ in range(60):
            d, k = self.private_keys(), self.special_or_random() % n or 1
            r = curve.point_of(k)[0] % n
            put("s = 0", "INVALID", d, self.digest_of(-r * d), k)
            put("s = +-1", "OK", d, self.digest_of(self.one_of(k, -k) - r * d), k)
            put("s about n / 2", "OK", d, self.digest_of((n // 2 + self.random.randrange(2)) * k - r * d), k)
            put("e = 0", "OK", d, self.digest_of(0), k)
            put("nonce = +-priv", None, d, self.bytes(32), self.one_of(d, n - d))
        for value in self.sample(self.patterns, 200) + self.sample(self.eigenvalues, 60):
            put(f"nonce = {value:x}", None, self.private_keys(), self.bytes(self.random.choice(DIGEST_WIDTHS)), value)
        for width in DIGEST_WIDTHS:
            for _ in range(3):
                put(f"digest of {width} bytes", "OK", self.private_keys(), self.bytes(width), self.scalar())
        for width in (0, 19, 65):
            put(f"digest of {width} bytes", "MALFORMED_WIDTH", self.scalar(), self.bytes(width), 0)
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length - 1, length + 1)):
            put(f"nonce of {len(data)} bytes", "MALFORMED_WIDTH", self.scalar(), self.bytes(32), data)
            put(f"priv of {len(data)} bytes", "MALFORMED_WIDTH", data, self.bytes(32), self.scalar())

    def sighash_bytes(self):
        """Any byte may follow r || s, or DER; one fewer or more is part of the signature."""
        for turn in range(120):
            (d, point), k, digest = self.key(), self.scalar(), self.bytes(min(self.curve.length, 64))
            r, s, recid = self.signed(d, k, bits_to_integer(self.curve, digest))
            der = bool(turn & 1)
            sig = signature(self.curve, r, s, der)
            wrong = "MALFORMED_SIGNATURE_ENCODING" if der else "MALFORMED_WIDTH"
            for tag, row, flag, expect in (("followed by a byte", sig + self.bytes(1), True, "OK"),
                                           ("followed by 0", sig + b"\0", True, "OK"),
                                           ("a byte too many", sig + self.bytes(1), False, wrong),
                                           ("followed by none", sig, True, wrong),
                                           ("followed by two", sig + self.bytes(2), True, wrong),
                                           ("empty", b"", True, wrong),
                                           ("a byte alone", self.bytes(1), True, wrong)):  # fmt: skip
                options = {"enc": "der" if der else "raw", "sighash_byte": flag}
                self.case("ecdsa_verify", tag, expect, pub=self.encode(point), digest=digest, sig=row, **options)
                self.case("ecdsa_recover", tag, expect, digest=digest, sig=row, recid=bytes([recid]), format=self.form(), **options)
