"""What makes cases on a curve is made of: keys, scalars and encodings that go wrong, and the answer to each case."""

from random import Random

from numbers_of import edge_integers, eigenvalue_multiples, patterns, runs
from schemes import OPERATIONS, answer, private_keys_end

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
            if found.confirmations is not None:
                case["confirmation"], case["peer_confirmation"] = (value.hex() for value in found.confirmations)
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

    def scalars(self, most_patterns):
        yield from ((f"{value:x}", value) for value in self.edges)
        yield from ((f"{value:x}", value) for value in self.sample(self.patterns, most_patterns))
        yield from ((f"lambda: {value:x}", value) for value in self.sample(self.eigenvalues, most_patterns // 3))
        yield from (("runs", runs(self.curve, self.random)) for _ in range(most_patterns // 3))

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

    def signed(self, d, k, e):
        """(r, s, recovery id) by nonce k."""
        x, y = self.curve.point_of(k)
        r = x % self.curve.n
        return r, pow(k, -1, self.curve.n) * (e + r * d) % self.curve.n, (y & 1) + 2 * (x >= self.curve.n)

    def private_keys(self):
        n, end = self.curve.n, private_keys_end(self.curve)
        return self.one_of(1, 2, end - 1, end - 2, n // 2, self.special() % end or 1, *(self.scalar() for _ in range(4)))
