"""Numbers and encodings that go wrong in implementations: of a curve, and of signatures in DER."""

from schemes import der_signature

# Windows of scalars that implementations use, a little beyond both ends.
WINDOWS = (3, 4, 5, 6, 7, 8, 9, 13, 16, 20, 24)


def endomorphism(curve):
    """(beta, lambda): cube roots of 1 modulo p and n with lambda (x, y) = (beta x, y), where a = 0."""

    def cube_roots(m):
        base = 2
        while (root := pow(base, (m - 1) // 3, m)) == 1:
            base += 1
        return root, root * root % m

    for eigenvalue in cube_roots(curve.n):
        for beta in cube_roots(curve.p):
            if curve.multiply_base(eigenvalue) == (beta * curve.g[0] % curve.p, curve.g[1]):
                return beta, eigenvalue
    raise AssertionError("no endomorphism")


def edge_integers(curve):
    """Integers of L bytes around 0, n / 2, n, p and 2^(8 L)."""
    n, p, top = curve.n, curve.p, 1 << 8 * curve.length
    around = [(0, 4), (n // 2, 2), (n, 3), (p, 2), (top, 3), (top // 2, 1)]
    values = {center + offset for center, width in around for offset in range(-width, width + 1)}
    return sorted(value for value in values if 0 <= value < top)


def patterns(curve):
    """Integers of L bytes made of powers of two, runs, and digits that carry in windows of every usual width."""
    bits = 8 * curve.length
    values = set()
    for i in range(bits):
        values |= {1 << i, (1 << i) - 1, (1 << bits) - (1 << i)}
    for width in WINDOWS:
        half = 1 << width - 1
        for digit in {1, half - 1, half, half + 1, 2 * half - 1}:
            repeated = sum(digit << i for i in range(0, bits, width))
            values |= {repeated % (1 << bits), (repeated + 1) % (1 << bits), curve.n - repeated % curve.n}
        values |= {j << width * i for j in (half, half + 1) for i in (1, bits // width - 1)}
    return sorted(value for value in values if 0 <= value < 1 << bits)


def eigenvalue_multiples(curve):
    """Scalars whose halves are small or extreme where a = 0; on other curves nothing."""
    if curve.a:
        return []
    _, eigenvalue = endomorphism(curve)
    n, small = curve.n, (0, 1, 2, 3, 7, 8, 1 << 64, (1 << 127) - 1, 1 << 127, (1 << 128) - 1)
    return sorted(
        {(sign * a + other * b * eigenvalue) % n for a in small for b in small for sign, other in ((1, 1), (-1, 1), (1, -1))}
    )


def runs(curve, random):
    """A number of L bytes of long runs of equal bits."""
    bits, value, at, bit = 8 * curve.length, 0, 0, random.getrandbits(1)
    while at < bits:
        length = min(random.choice((1, 2, 5, 13, 32, 52, 64, 100)) + random.randrange(8), bits - at)
        if bit:
            value |= ((1 << length) - 1) << at
        at, bit = at + length, bit ^ 1
    return value


def der_defects(curve, r, s):
    """(what is wrong, bytes) for encodings of (r, s) that are not strict DER, and some that are but have numbers out of range."""
    length = curve.length

    def contents(value):
        return value.to_bytes(value.bit_length() // 8 + 1, "big")

    def element(tag, body, head=None):
        return bytes([tag]) + (bytes([len(body)]) if head is None else head) + body

    ri, si = element(2, contents(r)), element(2, contents(s))
    body, good = ri + si, der_signature(r, s)
    size = len(body)
    head = bytes([0x81, size]) if size >= 128 else bytes([size])

    def sequence(inner, how=None):
        return element(0x30, inner, how if how is not None else b"\x81" + bytes([len(inner)]) if len(inner) >= 128 else None)

    yield "empty", b""
    yield "one byte", b"\x30"
    yield "empty sequence", b"\x30\0"
    yield "one integer", sequence(ri)
    yield "three integers", sequence(ri + si + element(2, b"\1"))
    yield "an empty element inside", sequence(ri + b"\x05\0" + si)
    yield "an element at the end inside", sequence(body + b"\x05\0")
    yield "an element at the start inside", sequence(b"\x05\0" + body)
    for count in (1, 2, 3, len(good) // 2, len(good) - 1):
        yield f"cut off by {count}", good[:-count]
    for tail in (b"\0", b"\x05\0", b"\x30\0", b"\xff" * 3, bytes(40), good):
        yield f"{len(tail)} bytes behind", good + tail
    yield "a zero before", b"\0" + good
    for tag in (0x00, 0x10, 0x31, 0x20, 0x70, 0xB0, 0x02, 0x2F, 0xFF):
        yield f"sequence with tag {tag:02x}", element(tag, body, head)
    for tag in (0x00, 0x01, 0x03, 0x04, 0x0A, 0x22, 0x42, 0x82, 0xFF):
        yield f"r with tag {tag:02x}", sequence(element(tag, contents(r)) + si)
        yield f"s with tag {tag:02x}", sequence(ri + element(tag, contents(s)))
    for more in (-1, 1, 2, 127 - size, 256 - size):
        if 0 <= size + more < 256:
            yield f"sequence longer by {more} than its contents", element(0x30, body, head[:-1] + bytes([size + more]))
    for name, at in (("r", 1), ("s", len(ri) + 1)):
        old = body[at]
        for value in (0, 1, old - 1, old + 1, 127, 128, 129, 0x84, 0xFF):
            if value != old:
                changed = body[:at] + bytes([value]) + body[at + 1 :]
                yield f"length {value:02x} of {name}", sequence(changed)
    yield "long form for the sequence", element(0x30, body, b"\x82\0" + bytes([size]))
    yield "longer form for the sequence", element(0x30, body, b"\x84\0\0\0" + bytes([size]))
    yield "longest form for the sequence", element(0x30, body, b"\x88" + bytes(7) + bytes([size]))
    if size < 128:
        yield "long form of a short length", element(0x30, body, b"\x81" + bytes([size]))
    yield "indefinite length", element(0x30, body, b"\x80") + b"\0\0"
    yield "indefinite length without its end", element(0x30, body, b"\x80")
    yield "length of 2^32 more", element(0x30, body, b"\x85\1\0\0\0" + bytes([size]))
    yield "length of 2^64 more", element(0x30, body, b"\x89\1" + bytes(7) + bytes([size]))
    yield "length ff ff ff ff", element(0x30, body, b"\x84\xff\xff\xff\xff")
    for name, value in (("r", r), ("s", s)):

        def both(other, name=name):
            return sequence(other + si if name == "r" else ri + other)

        plain = contents(value)
        yield f"{name} with long form", both(element(2, plain, b"\x81" + bytes([len(plain)])))
        yield f"{name} with longer form", both(element(2, plain, b"\x82\0" + bytes([len(plain)])))
        yield f"{name} with indefinite length", both(element(2, plain, b"\x80") + b"\0\0")
        yield f"{name} with a needless zero", both(element(2, b"\0" + plain))
        yield f"{name} with three needless zeros", both(element(2, bytes(3) + plain))
        yield f"{name} with needless ff", both(element(2, b"\xff" + plain))
        yield f"{name} empty", both(b"\2\0")
        yield f"{name} without a tag", both(b"")
        yield f"{name} null", both(b"\5\0")
        yield f"{name} boolean", both(b"\1\1\xff")
        yield f"{name} real", both(b"\x09\x01\x40")
        yield f"{name} a string of its digits", both(element(0x0C, plain))
        yield f"{name} inside a sequence", both(sequence(element(2, plain)))
        yield (
            f"{name} negative",
            both(element(2, (-value).to_bytes(length + 1, "big", signed=True).lstrip(b"\xff") or b"\xff")),
        )
        yield f"{name} -1", both(element(2, b"\xff"))
        yield f"{name} -128", both(element(2, b"\x80"))
        if plain[0] == 0 and len(plain) > 1:
            yield f"{name} without its sign byte", both(element(2, plain[1:]))
        yield f"{name} of zero", both(element(2, b"\0"))
        for offset in (curve.n, 1 << 8 * length, 1 << 8 * length + 8, 1 << 8 * length + 64):
            yield f"{name} + {offset.bit_length()} bits", both(element(2, contents(value + offset)))
        yield f"{name} of 2^{8 * length} - 1", both(element(2, contents((1 << 8 * length) - 1)))
    yield "r and s of zero", sequence(element(2, b"\0") * 2)
    yield "raw", curve.number(r) + curve.number(s)
