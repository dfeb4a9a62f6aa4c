"""Cases of SM2."""

import itertools

from maker import FORMS, Maker
from numbers_of import der_defects
from schemes import der_item, der_number, private_keys_end, signature, sm2_ciphertext, sm2_encrypt


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

    def sm2_ciphertexts(self):
        """There and back, in every format; a room that is too small by a byte, and one that is not."""
        widths = (*range(1, 40), 63, 64, 65, 95, 96, 97, 119)
        for turn, width in enumerate(widths):
            enc, form = ("c1c3c2", "c1c2c3", "der")[turn % 3], FORMS[turn // 3 % 3]
            d, k, text = self.private_keys(), self.scalar(), self.bytes(width)
            options = {"sm2_format": enc} | ({} if enc == "der" else {"format": form})
            point = self.encode(self.curve.point_of(d))
            made = sm2_encrypt(self.curve, point, self.number(k), text, enc, form)
            room = max(len(made.out), width) if made.status == "OK" else 240
            for output_bytes, expect in ((room, made.status), (room - 1, None), (240, made.status)):
                self.case("sm2_encrypt", f"{enc}, {width} bytes", expect, pub=point, nonce=self.number(k), plain=text,
                          output_bytes=output_bytes, **options)  # fmt: skip
            if made.status == "OK":
                for output_bytes, expect in ((width, "OK"), (max(width - 1, 1), None), (240, "OK")):
                    self.case("sm2_decrypt", f"{enc}, {width} bytes", expect, priv=self.number(d), cipher=made.out,
                              output_bytes=output_bytes, **options)  # fmt: skip
        for k in (*self.edges, 0, self.curve.n):
            self.case("sm2_encrypt", f"nonce = {k:x}", None, pub=self.encode(self.key()[1]), nonce=self.number(k),
                      plain=b"message", output_bytes=240, sm2_format="c1c3c2", format="uncompressed")  # fmt: skip
        self.case("sm2_encrypt", "no plaintext", "MALFORMED_WIDTH", pub=self.encode(self.key()[1]), nonce=self.number(5), plain=b"",
                  output_bytes=240, sm2_format="c1c3c2", format="uncompressed")  # fmt: skip

    def sm2_defects(self):
        """Ciphertexts that are not what was encrypted, or are none."""
        curve = self.curve
        d, k, text = self.private_keys(), self.scalar(), self.bytes(19)

        def put(tag, data, enc, expect=None):
            options = {"sm2_format": enc} | ({} if enc == "der" else {"format": "uncompressed"})
            self.case("sm2_decrypt", tag, expect, priv=self.number(d), cipher=data, output_bytes=240, **options)

        for enc in ("c1c3c2", "c1c2c3", "der"):
            good = sm2_encrypt(curve, self.encode(curve.point_of(d)), self.number(k), text, enc).out
            put("good", good, enc, "OK")
            for byte in (*range(8), *range(8, len(good), 7)):
                put(f"byte {byte} changed", good[:byte] + bytes([good[byte] ^ self.one_of(1, 2, 128)]) + good[byte + 1 :], enc)
            for width in (0, 1, 2, 44, 45, 97, 98, len(good) - 1):
                put(f"{width} bytes of it", good[:width], enc)
            put("a byte more", good + b"\0", enc)
        good = sm2_encrypt(curve, self.encode(curve.point_of(d)), self.number(k), text)
        c1, c3, c2 = good.out[1:65], good.out[65:97], good.out[97:]
        for tag, data, _ in self.malformed_points():
            if len(data) == 65:
                put(f"C1: {tag}", data + c3 + c2, "c1c3c2")
        x, y = (int.from_bytes(c1[i : i + 32], "big") for i in (0, 32))
        parts = [der_number(x), der_number(y), der_item(4, c3), der_item(4, c2)]
        changes = {
            "x + 2^256": (0, der_number(x + (1 << 256))),
            "x = p": (0, der_number(curve.p)),
            "x = 0": (0, der_number(0)),
            "x negative": (0, der_item(2, b"\xff")),
            "x with a needless zero": (0, der_item(2, bytes(2) + self.number(x))),
            "x without a byte": (0, der_item(2, b"")),
            "y is an OCTET STRING": (1, der_item(4, self.number(y))),
            "C3 of 31 bytes": (2, der_item(4, c3[1:])),
            "C3 is an INTEGER": (2, der_item(2, c3)),
            "C3 with a long head": (2, b"\4\x81\x20" + c3),
            "no byte of C2": (3, der_item(4, b"")),
            "C2 with an endless head": (3, b"\4\x80" + c2 + bytes(2)),
            "C2 longer than it is": (3, b"\4\x7f" + c2),
        }
        for tag, (at, item) in changes.items():
            put(tag, der_item(0x30, b"".join(parts[:at] + [item] + parts[at + 1 :])), "der")
        put("a SET", der_item(0x31, b"".join(parts)), "der", "MALFORMED_CIPHERTEXT")
        put("without C2", der_item(0x30, b"".join(parts[:3])), "der", "MALFORMED_CIPHERTEXT")
        put("a part more", der_item(0x30, b"".join([*parts, der_number(1)])), "der", "MALFORMED_CIPHERTEXT")
        put("the other hash", sm2_ciphertext(curve, (x, y), bytes(32), c2), "c1c3c2", "INVALID")

    def sm2_exchanges(self):
        """Both sides; special keys; U that is infinity."""
        curve, n, half = self.curve, self.curve.n, 1 << 127

        def put(tag, da, ra, db, rb, expect=None, point=None):
            ids = [self.one_of(b"1234567812345678", b"", self.bytes(self.random.randrange(40))) for _ in range(2)]
            for responder in (False, True):
                own, other = ((db, rb), (da, ra)) if responder else ((da, ra), (db, rb))
                ephemeral = point or self.encode(curve.point_of(other[1]) or curve.g)
                self.case("sm2_exchange", tag, None if responder else expect, priv=self.number(own[0]), ephemeral=self.number(own[1]),
                          sm2_id=ids[responder], pub=self.encode(curve.point_of(other[0]) or curve.g), peer_ephemeral=ephemeral,
                          peer_id=ids[not responder], responder=responder,
                          output_bytes=self.one_of(1, 16, 31, 32, 33, 48, 64, 65, 160))  # fmt: skip

        for _ in range(40):
            put("random keys", self.private_keys(), self.scalar(), self.private_keys(), self.scalar(), "OK")
        for value in self.edges:
            put(f"ephemeral key {value:x}", self.private_keys(), value, self.private_keys(), self.scalar())
            put(f"private key {value:x}", value, self.scalar(), self.private_keys(), self.scalar())
        for _ in range(10):
            r = self.scalar()
            x = half | curve.point_of(r)[0] % half
            put("t = 0", -x * r % n, r, self.private_keys(), self.scalar(), "INVALID")
            put("P + x'(R) R is infinity", self.private_keys(), self.scalar(), -x * r % n, r, "INVALID")
            tag, data = self.some_malformed_point()
            put(tag, self.private_keys(), self.scalar(), self.private_keys(), self.scalar(), None, data)
