"""Cases of what is on secp256k1 alone."""

from hashes import digest as digest_of
from maker import Maker
from schemes import challenge, even_key


class Schnorr(Maker):
    """BIP-340's signatures, and Taproot's keys."""

    def schnorr(self):
        self.schnorr_keys()
        self.schnorr_signatures()
        self.schnorr_verifications()
        self.schnorr_ranges()

    def schnorr_keys(self):
        n = self.curve.n
        for tag, k in self.scalars(60):
            expect = "OK" if 0 < k < n else "MALFORMED_SCALAR"
            self.case("bip340_public_key", tag, expect, priv=self.number(k))
            self.case("bip340_sign", f"priv = {tag}", expect, priv=self.number(k), msg=self.bytes(32), aux=self.bytes(32))
            self.case("taproot_tweak_priv", tag, expect, priv=self.number(k), merkle_root=self.one_of(b"", self.bytes(32)))
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, 31, 33, 64)):
            for op, fields in (("bip340_public_key", {}), ("bip340_sign", {"msg": b""}), ("taproot_tweak_priv", {"merkle_root": b""})):
                self.case(op, f"priv of {len(data)} bytes", "MALFORMED_WIDTH", priv=data, **fields)
        for width in (0, 1, 31, 32, 33, 64):
            expect, root = "OK" if width in (0, 32) else "MALFORMED_WIDTH", self.bytes(width)
            for _ in range(20):
                d, x = even_key(self.curve, self.random.choice(self.keys))
                self.case("taproot_tweak", f"root of {width} bytes", expect, internal_pub=x, merkle_root=root)
                self.case("taproot_tweak_priv", f"root of {width} bytes", expect, priv=self.number(d), merkle_root=root)
        for _ in range(40):
            d, x = even_key(self.curve, self.scalar())
            self.case("taproot_tweak", "no column of roots", "OK", internal_pub=x)
            self.case("taproot_tweak_priv", "no column of roots", "OK", priv=self.number(self.curve.n - d))
        for tag, x, expect in self.x_only_points():
            self.case("taproot_tweak", tag, expect, internal_pub=x, merkle_root=self.one_of(b"", self.bytes(32)))

    def x_only_points(self):
        """(tag, bytes, status) of x-only keys of all kinds."""
        p, top = self.curve.p, 1 << 256
        for x in (*range(40), *range(p - 40, p), *self.random_xs(40)):
            yield f"x = {x:x}", self.number(x), "OK" if self.curve.lift(x, 0) else "MALFORMED_POINT_OFF_CURVE"
        for x in (*range(p, p + 20), self.curve.n, top - 1):
            yield f"x = {x:x}", self.number(x), "MALFORMED_POINT_RANGE" if x >= p else None
        for width in (0, 1, 31, 33, 64, 65):
            yield f"x of {width} bytes", self.bytes(width), "MALFORMED_WIDTH"

    def schnorr_signatures(self):
        for width in (*range(0, 140), 183, 184, 1000, 4096):
            self.case("bip340_sign", f"message of {width} bytes", "OK", priv=self.number(self.scalar()), msg=self.bytes(width),
                      aux=self.one_of(bytes(32), b"\xff" * 32, self.bytes(32)))  # fmt: skip
            self.case("bip340_sign", f"message of {width} bytes, no aux", "OK", priv=self.number(self.private_keys()),
                      msg=self.bytes(width))  # fmt: skip
        for width in (0, 1, 31, 33, 64):
            self.case("bip340_sign", f"aux of {width} bytes", "MALFORMED_WIDTH", priv=self.number(3), msg=b"", aux=self.bytes(width))

    def schnorr_signed(self, d, k, message):
        """(x of P, r, s), by the nonce k or n - k."""
        d, p = even_key(self.curve, d)
        k, r = even_key(self.curve, k)
        return p, r, (k + challenge(self.curve, r, p, message) * d) % self.curve.n

    def schnorr_verifications(self):
        n, number = self.curve.n, self.number
        for turn in range(120):
            d, k, message = self.private_keys(), self.special_or_random() % n or 1, self.bytes(32 if turn & 1 else turn % 150)
            p, r, s = self.schnorr_signed(d, k, message)

            def put(tag, expect, p=p, message=message, sig=r + number(s), **options):
                self.case("bip340_verify", tag, expect, pub=p, msg=message, sig=sig, **options)

            put("valid", "OK")
            put("valid, of 64 bytes where 65 may be", "OK", sighash_byte=True)
            put("valid, with a sighash byte", "OK", sig=r + number(s) + self.bytes(1).replace(b"\0", b"\1"), sighash_byte=True)
            put("sighash byte 0", "MALFORMED_SIGNATURE_ENCODING", sig=r + number(s) + b"\0", sighash_byte=True)
            put("65 bytes", "MALFORMED_WIDTH", sig=r + number(s) + b"\1")
            put("n - s", None, sig=r + number(n - s if s else 0))
            put("s + n", "MALFORMED_SIGNATURE_RANGE" if s + n < 1 << 256 else None, sig=r + number((s + n) % (1 << 256)))
            put("another message", "INVALID", message=message + b"\0")
            even_d, even_k = even_key(self.curve, d)[0], even_key(self.curve, k)[0]
            e = challenge(self.curve, r, p, message)
            put("y of R is odd", "INVALID", sig=r + number((e * even_d - even_k) % n))
            put("R is infinity", "INVALID", sig=r + number(e * even_d % n))
            put("s G = -e P", None, sig=r + number(-e * even_d % n))
            row = bytearray(p + r + number(s))
            bit = self.random.randrange(8 * len(row))
            row[bit // 8] ^= 128 >> bit % 8
            put(f"bit {bit} changed", None, p=bytes(row[:32]), sig=bytes(row[32:]))

    def schnorr_ranges(self):
        p, n = self.curve.p, self.curve.n
        for value in (0, 1, n - 1, n, n + 1, p - 1, p, p + 1, (1 << 256) - 1):
            for turn in range(4):
                key, r, s = self.schnorr_signed(self.scalar(), self.scalar(), b"m")
                sig = self.number(value) + self.number(s) if turn & 1 else r + self.number(value)
                expect = "INVALID" if value < (p if turn & 1 else n) else "MALFORMED_SIGNATURE_RANGE"
                self.case("bip340_verify", f"{'r' if turn & 1 else 's'} = {value:x}", expect, pub=key, msg=b"m", sig=sig)
        for tag, x, expect in self.x_only_points():
            self.case("bip340_verify", tag, "INVALID" if expect == "OK" else expect, pub=x, msg=b"m", sig=self.number(1) * 2)
        for width in (0, 1, 32, 63, 65, 66, 128):
            for flag in (False, True):
                expect = None if width == 65 and flag else "MALFORMED_WIDTH"
                self.case("bip340_verify", f"signature of {width} bytes", expect, pub=self.schnorr_signed(5, 7, b"")[0], msg=b"",
                          sig=self.bytes(width), sighash_byte=flag)  # fmt: skip


class Ethereum(Maker):
    """Addresses, and what recovers them."""

    def ethereum(self):
        self.ethereum_addresses()
        for turn in range(100):
            self.ethereum_recoveries(turn)
        self.ethereum_vs()
        self.ethereum_numbers()
        self.ethereum_messages()

    def ethereum_addresses(self):
        for _ in range(60):
            self.case("ethereum_address", "a key", "OK", pub=self.encode(self.key()[1]))
        for k in (1, 2, 3, self.curve.n - 1):
            self.case("ethereum_address", f"key of {k}", "OK", pub=self.encode(self.curve.multiply_base(k)))
        for _ in range(40):
            tag, data = self.some_malformed_point()
            self.case("ethereum_address", tag, None, pub=data)

    def ethereum_recovered(self, tag, expect, digest, r, s, v, **options):
        """The same signature in one column and in three."""
        self.case("ethereum_recover", tag, expect, digest=digest, sig=self.number(r) + self.number(s) + v, **options)
        self.case("ethereum_recover_columns", tag, expect, digest=digest, r=self.number(r), s=self.number(s), v=v, **options)

    def ethereum_messages(self):
        """Widths about the ends of blocks of Keccak-256, and what transactions sign."""
        for width in (0, 1, 31, 32, 52, 108, 134, 135, 136, 137, 271, 272, 273, 500, 4000):
            for v in (b"\0", b"\1", b"\x1b", b"\x26"):
                message, (d, _) = self.bytes(width), self.key()
                r, s, recid = self.signed(d, self.scalar(), int.from_bytes(digest_of("keccak256", message), "big") % self.curve.n)
                self.case("ethereum_recover_message", f"message of {width} bytes", None, msg=message, sig=self.number(r) + self.number(s) + v,
                          low_s=bool(recid))  # fmt: skip
        for width in (0, 1, 32, 64, 97, 130):
            self.case("ethereum_recover_message", f"signature of {width} bytes", "MALFORMED_WIDTH", msg=self.bytes(64), sig=self.bytes(width))
        n = self.curve.n
        for number in (0, 1, n - 1, n, 2**256 - 1):
            for sig in (self.number(number) + self.number(1), self.number(1) + self.number(number)):
                self.case("ethereum_recover_message", f"{number:x}", None, msg=b"abc", sig=sig + b"\0", low_s=True)
        self.case("ethereum_recover_message", "v = 2", "MALFORMED_RECOVERY_ID", msg=b"abc", sig=self.number(1) * 2 + b"\2")

    def ethereum_recoveries(self, turn):
        n, (d, _), k, e = self.curve.n, self.key(), self.scalar(), self.special_or_random() % 2**256
        digest = self.number(e)
        r, s, recid = self.signed(d, k, e % n)
        low, parity = (s, recid) if 2 * s < n else (n - s, recid ^ 1)
        forms = [bytes([parity]), bytes([27 + parity]), bytes([37 + parity]), b"\x7a\x69" + bytes([1 - parity]), self.bytes(31) + bytes([3 - parity])]
        for v in forms:
            self.ethereum_recovered(f"v = {v.hex()}", None, digest, r, low, v, low_s=bool(turn & 1))
        self.ethereum_recovered("n - s", "MALFORMED_HIGH_S", digest, r, n - low, bytes([1 - parity]), low_s=True)
        self.ethereum_recovered("n - s", "OK", digest, r, n - low, bytes([1 - parity]))
        self.ethereum_recovered("the other R", None, digest, r, low, bytes([1 - parity]))
        self.ethereum_recovered("another r", None, digest, self.scalar(), low, bytes([parity]))
        x, y = self.curve.point_of(k)
        self.ethereum_recovered("s R = e G", "INVALID", self.number(low * k % n), x % n, low, bytes([y & 1]))

    def ethereum_vs(self):
        digest, (d, _) = self.bytes(32), self.key()
        r, s, _ = self.signed(d, self.scalar(), int.from_bytes(digest, "big") % self.curve.n)
        for v in (*range(0, 60), 254, 255, 256, 257, 65535, 2**64 - 1, 2**255, 2**256 - 1):
            expect = "OK" if v in (0, 1, 27, 28) or v >= 35 else "MALFORMED_RECOVERY_ID"
            least = max(1, (v.bit_length() + 7) // 8)
            for width in {least, min(32, least + 1), 32}:
                self.ethereum_recovered(f"v = {v} in {width} bytes", expect, digest, r, s, v.to_bytes(width, "big"))

    def ethereum_numbers(self):
        n, p = self.curve.n, self.curve.p
        digest, good = self.bytes(32), self.scalar()
        for value in (0, 1, 2, n // 2, n // 2 + 1, n - 1, n, n + 1, p - 1, p, 2**256 - 1):
            for flag in (False, True):
                self.ethereum_recovered(f"r = {value:x}", None, digest, value, 1, b"\0", low_s=flag)
                self.ethereum_recovered(f"s = {value:x}", None, digest, good, value, b"\1", low_s=flag)
        for width in (0, 1, 20, 31, 33, 64):
            self.ethereum_recovered(f"digest of {width} bytes", "MALFORMED_WIDTH", self.bytes(width), 1, 1, b"\0")
        for width in (0, 1, 32, 64, 97, 130):
            self.case("ethereum_recover", f"signature of {width} bytes", "MALFORMED_WIDTH", digest=digest, sig=self.bytes(width))
        for width in (0, 33, 65):
            for place in range(3):
                r, s, v = (bytes(width) if place == i else b"\1" for i in range(3))
                self.case("ethereum_recover_columns", f"number {place} of {width} bytes", "MALFORMED_WIDTH", digest=digest, r=r, s=s, v=v)
        for width in range(1, 33):
            r, s = self.bytes(width), self.bytes(self.random.randrange(1, 33))
            self.case("ethereum_recover_columns", f"r of {width} bytes", None, digest=digest, r=r, s=s, v=b"\1")
