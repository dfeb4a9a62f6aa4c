"""Adversarial cases for every operation, each with the answer of schemes.py. Random is the seed's; no case depends on another."""

import itertools
from random import Random

from curves import SECP256K1, SM2
from hashes import HASHES
from hashes import digest as digest_of
from numbers_of import der_defects, edge_integers, eigenvalue_multiples, endomorphism, patterns, runs
from schemes import (
    OPERATIONS,
    answer,
    bits_to_integer,
    challenge,
    der_signature,
    even_key,
    private_keys_end,
    signature,
)

FORMS = ("uncompressed", "compressed", "raw")
DIGEST_WIDTHS = range(20, 65)


class Maker:
    """Makes cases on one curve; curve None: those without one."""

    def __init__(self, seed, curve, write):
        self.curve, self.write, self.seed = curve, write, seed
        self.random = Random(f"{seed} {curve.name if curve else ''}")
        if curve:
            curve.forget()
            self.edges, self.patterns, self.eigenvalues = edge_integers(curve), patterns(curve), eigenvalue_multiples(curve)
            self.keys = [self.random.randrange(1, curve.n) for _ in range(24)]
            self.strangers = [self.stranger(x) for x in (0, 1, 2, curve.p - 1, curve.p - 2, *self.random_xs(4))]

    # Building blocks.

    def case(self, op, tag, expect=None, **fields):
        """Write a case; `expect` is what its author thinks that comes of it. Not where digest_of had no digest."""
        if fields.get("digest", b"") is None:
            return
        case = {"op": op, "curve": self.curve.name} if self.curve else {"op": op}
        case |= {name: value.hex() if isinstance(value, bytes) else value for name, value in fields.items()}
        case = {name: value for name, value in case.items() if value not in (None, False)}
        found, result = answer(case), OPERATIONS[op].result
        assert expect in (None, found.status), (expect, found, tag, case)
        case["status"] = found.status
        if found.status == "OK" and result:
            case[result] = found.out.hex()
            if found.recid is not None:
                case["recid"] = found.recid
            if found.parity is not None:
                case["parity"] = found.parity
        self.write(case | {"src": f"generated, seed {self.seed}", "tag": tag})

    def number(self, value):
        return self.curve.number(value)

    def scalar(self):
        return self.random.randrange(1, self.curve.n)

    def bytes(self, width):
        return self.random.randbytes(width)

    def one_of(self, *options):
        return self.random.choice(options)

    def sample(self, values, most):
        values = list(values)
        return values if len(values) <= most else self.random.sample(values, most)

    def form(self):
        return self.random.choice(FORMS)

    def encode(self, point, form=None):
        return self.curve.encode(point, form or self.form())

    def key(self):
        """(d, d G), from few, so that keys come back."""
        d = self.random.choice(self.keys)
        return d, self.curve.point_of(d)

    def random_xs(self, count):
        return [self.random.randrange(self.curve.p) for _ in range(count)]

    def stranger(self, x):
        """A point near x whose logarithm nobody knows."""
        while not (point := self.curve.lift(x % self.curve.p, self.random.getrandbits(1))):
            x += 1
        return point

    def special(self):
        """A scalar of L bytes that is rarely drawn at random."""
        kind = self.random.randrange(4 if self.eigenvalues else 3)
        if kind == 2:
            return runs(self.curve, self.random)
        return self.random.choice((self.edges, self.patterns, None, self.eigenvalues)[kind])

    def special_or_random(self):
        return self.special() if self.random.getrandbits(1) else self.scalar()

    def wrong_widths(self, data, widths):
        for width in widths:
            if width != len(data):
                yield data[-width:] if 0 < width < len(data) else bytes(width - len(data)) + data if width else b""

    # Points.

    def malformed_points(self):
        """(tag, bytes, status or None) of encodings of all kinds, most of them wrong."""
        curve, p, length = self.curve, self.curve.p, self.curve.length
        for point in (self.key()[1], self.random.choice(self.strangers)):
            x, y = map(self.number, point)
            for prefix in (0, 1, 5, 6, 7, 8, 0x10, 0x40, 0x82, 0xFF):
                yield f"prefix {prefix:02x} of x and y", bytes([prefix]) + x + y, "MALFORMED_POINT_ENCODING"
            for prefix in (2, 3):
                yield f"prefix {prefix:02x} of x and y", bytes([prefix]) + x + y, "MALFORMED_POINT_ENCODING"
            for prefix in (0, 1, 4, 5, 6, 7, 0x12, 0xFF):
                yield f"prefix {prefix:02x} of x", bytes([prefix]) + x, "MALFORMED_POINT_ENCODING"
            for form in FORMS:
                good = curve.encode(point, form)
                for width in (0, 1, 2, length - 1, length, len(good) - 1, len(good) + 1, 2 * length + 2, 3 * length, 200):
                    if width not in (1 + length, 2 * length, 1 + 2 * length) and width:
                        yield f"{form}, {width} bytes", (good + bytes(width))[:width], None
                yield f"{form}, empty", b"", "MALFORMED_WIDTH"
            yield "opposite", curve.encode(curve.negate(point), self.form()), "OK"
            yield "x and y exchanged", b"\4" + y + x, None
            yield "y + 1", b"\4" + x + self.number((point[1] + 1) % p), "MALFORMED_POINT_OFF_CURVE"
            yield "x + 1", b"\4" + self.number((point[0] + 1) % p) + y, None
            yield "raw, y + 1", x + self.number((point[1] + 1) % p), "MALFORMED_POINT_OFF_CURVE"
            for bit in self.random.sample(range(16 * length), 4):
                changed = int.from_bytes(x + y, "big") ^ 1 << bit
                yield f"bit {bit} changed", b"\4" + changed.to_bytes(2 * length, "big"), None
        yield "infinity", b"\0", "MALFORMED_POINT_ENCODING"
        yield "infinity, as wide as a compressed point", bytes(1 + length), "MALFORMED_POINT_ENCODING"
        yield "infinity, as wide as a point", bytes(1 + 2 * length), "MALFORMED_POINT_ENCODING"
        yield "(0, 0)", b"\4" + bytes(2 * length), "MALFORMED_POINT_OFF_CURVE"
        yield "(0, 0), raw", bytes(2 * length), "MALFORMED_POINT_OFF_CURVE"
        yield "all ones", b"\4" + b"\xff" * 2 * length, "MALFORMED_POINT_RANGE"
        top = 1 << 8 * length
        for offset in self.sample(range(min(top - p, 40)), 12):
            x = self.number(p + offset)
            yield f"x = p + {offset}, compressed", bytes([2 + offset % 2]) + x, "MALFORMED_POINT_RANGE"
            yield f"x = p + {offset}", b"\4" + x + self.number(self.scalar()), "MALFORMED_POINT_RANGE"
        for point in self.strangers[:6] + [self.stranger(self.random.randrange(min(top - p, 1 << 30))) for _ in range(4)]:
            x, y = point
            if x + p < top:
                yield "x + p", b"\4" + self.number(x + p) + self.number(y), "MALFORMED_POINT_RANGE"
                yield "x + p, compressed", bytes([2 + y % 2]) + self.number(x + p), "MALFORMED_POINT_RANGE"
                yield "x + p, raw", self.number(x + p) + self.number(y), "MALFORMED_POINT_RANGE"
            yield "y = p", b"\4" + self.number(x) + self.number(p), "MALFORMED_POINT_RANGE"
            yield "y = 2^(8 L) - 1", self.number(x) + self.number(top - 1), "MALFORMED_POINT_RANGE"
            yield "0, y", b"\4" + bytes(length) + self.number(y), None
            yield "x, 0", b"\4" + self.number(x) + bytes(length), "MALFORMED_POINT_OFF_CURVE"
            yield "an extreme x", curve.encode(point, self.form()), "OK"
        for start in (0, p - 40, self.random.randrange(p), self.random.randrange(p), curve.n - 20):
            for x in range(start, start + 8):
                x %= p
                point = curve.lift(x, 0)
                for prefix in (2, 3):
                    yield (
                        f"x = {x:x}, {prefix:02x}",
                        bytes([prefix]) + self.number(x),
                        "OK" if point else "MALFORMED_POINT_OFF_CURVE",
                    )

    def some_malformed_point(self):
        if not hasattr(self, "malformed"):
            refused = [entry for entry in self.malformed_points() if entry[2] != "OK"]
            self.malformed = [(tag, data) for tag, data, _ in refused]
        return self.random.choice(self.malformed)

    def point_encodings(self):
        for tag, data, status in self.malformed_points():
            self.case("pubkey", tag, status, enc=data)
            self.case("convert", tag, status, enc=data, format=self.form())
        for point in self.strangers:
            for read, wrote in itertools.product(FORMS, FORMS):
                self.case("convert", f"{read} to {wrote}", "OK", enc=self.encode(point, read), format=wrote)
        for _ in range(60):
            self.case("pubkey", "a point", "OK", enc=self.encode(self.curve.point_of(self.scalar())))

    def sums(self):
        curve = self.curve
        g = curve.point_of(1)
        points = [g, curve.point_of(2), curve.negate(g), curve.point_of((curve.n + 1) // 2), *self.strangers]
        points += [curve.point_of(self.special_or_random() % curve.n or 1) for _ in range(30)]
        if not curve.a:
            beta, _ = endomorphism(curve)
            points += [(beta * x % curve.p, y) for x, y in points[:10]]
            points += [(beta * beta * x % curve.p, -y % curve.p) for x, y in points[:10]]
        for point in points:
            self.case("double", "a point", "OK", a=self.encode(point), format=self.form())
            self.case("add", "equal", "OK", a=self.encode(point), b=self.encode(point), format=self.form())
            opposite = self.encode(curve.negate(point))
            self.case("add", "opposite", "INFINITY", a=self.encode(point), b=opposite, format=self.form())
            double = curve.add(point, point)
            self.case("add", "P + 2 P", a=self.encode(point), b=self.encode(double), format=self.form())
            self.case("add", "2 P - P", a=self.encode(double), b=opposite, format=self.form())
            if not curve.a:
                other = (beta * point[0] % curve.p, point[1])
                self.case("add", "equal y", "OK", a=self.encode(point), b=self.encode(other), format=self.form())
                other = (other[0], -point[1] % curve.p)
                self.case("add", "opposite y", "OK", a=self.encode(point), b=self.encode(other), format=self.form())
        for _ in range(250):
            a, b = self.random.choice(points), self.random.choice(points)
            self.case("add", "two points", a=self.encode(a), b=self.encode(b), format=self.form())
        for _ in range(60):
            tag, data = self.some_malformed_point()
            self.case("double", tag, a=data, format=self.form())
            self.case("add", f"a: {tag}", a=data, b=self.encode(g), format=self.form())
            self.case("add", f"b: {tag}", a=self.encode(g), b=data, format=self.form())
            other, more = self.some_malformed_point()
            self.case("add", f"a: {tag}; b: {other}", a=data, b=more, format=self.form())

    # Multiples.

    def scalars(self, most_patterns):
        yield from ((f"{value:x}", value) for value in self.edges)
        yield from ((f"{value:x}", value) for value in self.sample(self.patterns, most_patterns))
        yield from ((f"lambda: {value:x}", value) for value in self.sample(self.eigenvalues, most_patterns // 3))
        yield from (("runs", runs(self.curve, self.random)) for _ in range(most_patterns // 3))

    def multiples(self):
        curve, length = self.curve, self.curve.length
        for tag, k in self.scalars(500):
            self.case("mul_base", tag, "OK" if k % curve.n else "INFINITY", k=self.number(k), format=self.form())
        points = [curve.point_of(d) for d in (1, 2, 3, curve.n - 1, (curve.n + 1) // 2, *self.keys)]
        points += [curve.point_of(value) for value in self.sample(self.eigenvalues, 10) if value]
        for tag, k in self.scalars(400):
            point, status = self.random.choice(points), "OK" if k % curve.n else "INFINITY"
            self.case("mul_point", tag, status, k=self.number(k), p=self.encode(point), format=self.form())
        for point in self.strangers:
            for k in (self.special(), self.scalar(), curve.n, curve.n - 1, curve.n + 2):
                self.case("mul_point", "an extreme x", k=self.number(k), p=self.encode(point), format=self.form())
        for tag, k in self.scalars(60):
            status = None if 0 < k < private_keys_end(curve) else "MALFORMED_SCALAR"
            self.case("public_key", tag, status, priv=self.number(k), format=self.form())
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length // 2, length - 1, length + 1, 2 * length)):
            point = self.encode(points[0])
            self.case("mul_base", f"{len(data)} bytes", "MALFORMED_WIDTH", k=data, format=self.form())
            self.case("public_key", f"{len(data)} bytes", "MALFORMED_WIDTH", priv=data, format=self.form())
            self.case("mul_point", f"{len(data)} bytes", "MALFORMED_WIDTH", k=data, p=point, format=self.form())
            self.case("mul_point", f"k: {len(data)} bytes; a malformed point", "MALFORMED_WIDTH",
                      k=data, p=self.some_malformed_point()[1], format=self.form())  # fmt: skip
            for u, v in ((data, self.number(1)), (self.number(1), data), (data, data[1:])):
                self.case("mul_add", "a wrong width", "MALFORMED_WIDTH", u=u, v=v, p=point, format=self.form())
        for _ in range(100):
            tag, data = self.some_malformed_point()
            k = self.number(self.one_of(0, curve.n, self.scalar()))
            self.case("mul_point", tag, k=k, p=data, format=self.form())
            self.case("mul_add", tag, u=self.number(self.special()), v=k, p=data, format=self.form())

    def sums_of_multiples(self):
        curve, n = self.curve, self.curve.n

        def put(tag, u, v, d, expect=None):
            point = self.encode(curve.point_of(d))
            self.case("mul_add", tag, expect, u=self.number(u), v=self.number(v), p=point, format=self.form())

        for u, v in itertools.product(self.sample(self.edges, 12) + [0, n], repeat=2):
            d = self.random.choice(self.keys + [1, n - 1, 2])
            put("edges", u, v, d, "INFINITY" if (u + v * d) % n == 0 else "OK")
        for _ in range(60):
            d, v = self.special_or_random() % n or 1, self.special_or_random()
            put("u G = -v P", -v * d % n, v, d, "INFINITY")
            put("u G = v P", v * d % n, v, d, None if v % n == 0 else "OK")
            put("u G = -v P + G", (1 - v * d) % n, v, d, "OK")
            put("u G = 2 v P", 2 * v * d % n, v, d)
            put("u G = -2 v P", -2 * v * d % n, v, d)
        for d in (1, n - 1, 2, n - 2, (n + 1) // 2):
            for _ in range(20):
                put(f"P = {d:x} G", self.special(), self.special(), d)
        for _ in range(250):
            put("special scalars", self.special(), self.special_or_random(), self.random.choice(self.keys))
        for point in self.strangers:
            self.case("mul_add", "an extreme x", u=self.number(self.special()), v=self.number(self.special()),
                      p=self.encode(point), format=self.form())  # fmt: skip

    def shared_secrets(self):
        curve, n, length = self.curve, self.curve.n, self.curve.length
        end = private_keys_end(curve)
        for tag, k in self.scalars(150):
            expect = "OK" if 0 < k < end else "MALFORMED_SCALAR"
            self.case("ecdh", tag, expect, priv=self.number(k), pub=self.encode(self.key()[1]))
        for tag, data, _ in self.malformed_points():
            if self.random.randrange(2):
                self.case("ecdh", tag, priv=self.number(self.one_of(1, end - 1, self.scalar())), pub=data)
        for d in (1, n - 1, 2, n - 2):
            for k in (1, n - 2, n - 1, pow(d, -1, n), -pow(d, -1, n) % n, self.scalar()):
                expect = "OK" if k < end else "MALFORMED_SCALAR"
                self.case("ecdh", "few multiples of G", expect, priv=self.number(k), pub=self.encode(curve.point_of(d)))
        for point in self.strangers:
            for k in (1, end - 1, self.scalar()):
                self.case("ecdh", "an extreme x", "OK", priv=self.number(k), pub=self.encode(point))
        for k in (0, n, n + 1, (1 << 8 * length) - 1):
            tag, data = self.some_malformed_point()
            self.case("ecdh", f"a private key out of range; {tag}", "MALFORMED_SCALAR", priv=self.number(k), pub=data)
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length - 1, length + 1, 2 * length)):
            self.case("ecdh", f"priv: {len(data)} bytes", "MALFORMED_WIDTH", priv=data, pub=self.encode(self.key()[1]))

    # ECDSA.

    def digest_of(self, e):
        """A digest whose number is e mod n: of L bytes, or longer, of which the first L count; None where it would be longer
        than digests are."""
        top, tail = 1 << 8 * self.curve.length, b""
        e %= self.curve.n
        if self.curve.length > 64:
            return e.to_bytes(64, "big") if e < 1 << 512 else None
        if e + self.curve.n < top and self.random.getrandbits(1):
            e += self.curve.n
        if self.random.getrandbits(1):
            tail = self.bytes(self.random.randrange(64 - self.curve.length + 1))
        return self.number(e) + tail

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

    def signed(self, d, k, e):
        """(r, s, recovery id) by nonce k."""
        x, y = self.curve.point_of(k)
        r = x % self.curve.n
        return r, pow(k, -1, self.curve.n) * (e + r * d) % self.curve.n, (y & 1) + 2 * (x >= self.curve.n)

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

    def private_keys(self):
        n, end = self.curve.n, private_keys_end(self.curve)
        return self.one_of(1, 2, end - 1, end - 2, n // 2, self.special() % end or 1, *(self.scalar() for _ in range(4)))

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

    # SM2.

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

    # A byte behind ECDSA's signatures.

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

    # Schnorr signatures.

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

    # Ethereum.

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

    def of_curve(self):
        self.point_encodings()
        self.sums()
        self.multiples()
        self.sums_of_multiples()
        self.shared_secrets()
        self.signatures_of_digests()
        self.edges_of_signatures()
        self.chosen_multiples()
        self.wrapped_x()
        self.encodings_of_signatures()
        self.keys_of_signatures()
        self.recoveries()
        self.deterministic_signatures()
        self.signatures_with_nonces()
        self.sighash_bytes()
        if self.curve is SECP256K1:
            self.schnorr()
            self.ethereum()
        if self.curve is SM2:
            self.sm2_verifications()
            self.sm2_signatures()
            self.sm2_digests()

    # Without a curve.

    def moduli(self, bits):
        top = 1 << bits
        names = (
            "2^b - 1",
            "2^(b - 1) + 1",
            "three",
            "random",
            "random, top bit",
            "square",
            "a multiple of 3, 5 and 7",
            "sparse",
            "short",
        )
        half = self.random.getrandbits(bits // 2) | 1
        values = (top - 1, top // 2 + 1, 3, self.random.getrandbits(bits) | 3, self.random.getrandbits(bits) | top // 2 | 1, half * half | 1,
                  105 * (self.random.getrandbits(bits - 8) | 1), top // 2 | 1 << bits // 3 | 1, self.random.getrandbits(bits // 3) | 3)  # fmt: skip
        return zip(names, values)

    def modular(self):
        for bits in range(128, 513, 32):
            for name, m in self.moduli(bits):
                self.modular_cases(f"{bits} bits, {name}", bits // 8, m)

    def modular_cases(self, tag, width, m):
        modulus, top = m.to_bytes(width, "big"), 1 << 8 * width
        edges = [value for value in (0, 1, 2, m - 1, m, m + 1, m // 2, top - 1, top - m, top // 2) if 0 <= value < top]
        edges += [3 * (m // 3), 5 * (m // 5), 7 * (m // 7)]

        def operand():
            kind = self.random.randrange(3)
            return (self.random.choice(edges) if kind else self.random.randrange(top)).to_bytes(width, "big")

        for op in ("mod_add", "mod_sub", "mod_mul"):
            for _ in range(5):
                self.case(op, tag, "OK", modulus=modulus, a=operand(), b=operand())
        for _ in range(4):
            self.case("mod_square", tag, "OK", modulus=modulus, a=operand())
            self.case("mod_inverse", tag, modulus=modulus, a=operand())
            exponent = self.one_of(
                bytes(1),
                b"\1",
                b"\2",
                self.bytes(1),
                self.bytes(width),
                self.bytes(64),
                b"\xff" * 33,
                (m - 1).to_bytes(width, "big"),
            )
            self.case("mod_power", tag, "OK", modulus=modulus, a=operand(), exponent=exponent)
        for op in ("mod_add", "mod_square", "mod_inverse"):
            short = {"a": bytes(width - 1)} | ({"b": operand()} if op == "mod_add" else {})
            self.case(op, f"{tag}, an operand of {width - 1} bytes", "MALFORMED_WIDTH", modulus=modulus, **short)

    def digests(self):
        for name in HASHES:
            slow = name in ("sm3", "keccak256")
            for width in (*range(0, 300, 3 if slow else 1), 1000, 4096):
                self.case("digest", f"{name} of {width} bytes", "OK", hash=name, msg=self.bytes(width))
