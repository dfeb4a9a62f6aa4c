#!/usr/bin/env python3
"""Derive the constants of every curve in src/curve/curves.ini, for limbs of 64 (P-521: 58), 52 and 32 bits.

usage: generate_curves.py

Every derived constant is checked against its definition before it is written.
"""
import configparser
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RADICES = (64, 52, 32)
SPARE = {"P521": 58}  # reductions that the scalar machines have in limbs with spare bits, which take the place of 64
PLAIN = ["PSEUDO_MERSENNE", "P25519"]  # reductions of residues x that are kept as x, modulo 2^bits - c for a small c
EDWARDS_FIRST = 16  # the gecc_curve of the first curve of that form
NUMBERS_END = 31  # a gecc_curve is the number of a bit of gecc_operation.curves, which is an int
A_FORMS = {0: "A_IS_0", -3: "A_IS_MINUS_3"}  # others: A_IS_ANY
POWER_STEPS, POWERS_KEPT = 128, 18  # limbs/modulus.h: the most of a chain of powers
WINDOW = 5  # bits of an exponent that a step multiplies by, where its runs of ones are not told


class Writer:
    """Writes integers as initialisers of `struct limbs_constant`."""

    def __init__(self, radix, limbs):
        self.radix, self.limbs = radix, limbs

    def constant(self, x):
        assert 0 <= x < 1 << (self.radix * self.limbs)
        digits = [(x >> (self.radix * i)) & ((1 << self.radix) - 1) for i in range(self.limbs)]
        return "{{" + ", ".join(self.limb(d) for d in digits) + "}}"

    def limb(self, x):
        return f"0x{x:x}u" if self.radix == 32 else f"0x{x:x}ull"


def is_plain(reduction, radix):
    return reduction in PLAIN or SPARE.get(reduction) == radix


def modulus(writer, m, reduction, indent):
    """`struct modulus` for the prime m."""
    r = 1 << (writer.radix * writer.limbs)
    montgomery = not is_plain(reduction, writer.radix)
    one = r % m if montgomery else 1
    r_squared = r * r % m if montgomery else 1
    word = 1 << writer.radix
    negative_inverse = -pow(m, -1, word) % word
    assert (negative_inverse * m + 1) % word == 0
    c = (1 << m.bit_length()) - m
    if montgomery or c >= 1 << 33:
        c = 0
    fields = [
        (writer.constant(m), "m"),
        (writer.constant(one), "R mod m" if montgomery else "1"),
        (writer.constant(r_squared), "R^2 mod m" if montgomery else "1"),
        (writer.limb(negative_inverse), "-1 / m mod 2^LIMB_BITS"),
        (writer.limb(c), f"2^{m.bit_length()} - m" if c else "not pseudo-Mersenne"),
        ("REDUCE_" + reduction, "reduction"),
    ]
    pad = " " * indent
    return "{\n" + "".join(f"{pad}    {value}, /* {what} */\n" for value, what in fields) + pad + "}"


def glv_basis(n, lam):
    """Two short vectors (a, b) with a + b * lambda = 0 mod n, by the extended Euclidean algorithm."""
    rows = [(n, 0), (lam, 1)]
    while rows[-1][0] ** 2 >= n:
        (r0, t0), (r1, t1) = rows[-2], rows[-1]
        rows.append((r0 - r0 // r1 * r1, t0 - r0 // r1 * t1))
    (r0, t0), (r1, t1) = rows[-2], rows[-1]
    r2, t2 = r0 - r0 // r1 * r1, t0 - r0 // r1 * t1
    first = (r1, -t1)
    second = min((r0, -t0), (r2, -t2), key=lambda v: v[0] ** 2 + v[1] ** 2)
    for a, b in (first, second):
        assert (a + b * lam) % n == 0
    return first, second


def glv(writer, p, n, curve, in_p, in_n):
    """`struct glv`: constants that split k into k1 + k2 * lambda with |k1|, |k2| of half the length."""
    beta, lam = int(curve["beta"], 16), int(curve["lambda"], 16)
    assert pow(beta, 3, p) == 1 and pow(lam, 3, n) == 1 and beta != 1 and lam != 1
    (a1, b1), (a2, b2) = glv_basis(n, lam)
    if a1 * b2 - a2 * b1 < 0:
        a1, b1 = -a1, -b1
    assert a1 * b2 - a2 * b1 == n
    shift = 384
    g1 = ((b2 << shift) + n // 2) // n
    g2 = ((-b1 << shift) + n // 2) // n
    assert g1 > 0 and g2 > 0
    fields = [
        (writer.constant(in_p(beta)), "beta: lambda * (x, y) = (beta * x, y)"),
        (writer.constant(in_p(beta * beta % p)), "beta^2"),
        (writer.constant(in_n(-lam)), "-lambda"),
        (writer.constant(in_n(-b1)), "-b1"),
        (writer.constant(in_n(-b2)), "-b2"),
        (writer.constant(g1), f"round(2^{shift} * b2 / n)"),
        (writer.constant(g2), f"round(2^{shift} * -b1 / n)"),
        (str(shift), "shift"),
    ]
    return "{\n" + "".join(f"        {value}, /* {what} */\n" for value, what in fields) + "    }"


class PowerChain:
    """`struct power_chain`, step by step: powers[i] is the exponent that x[i] has."""

    def __init__(self):
        self.powers, self.steps = [1], []

    def step(self, source, squarings, times=None, to=None):
        """x[to] = x[source]^(2^squarings) x[times]; `to`: a new one unless it is given. Returns `to`."""
        power = (self.powers[source] << squarings) + (0 if times is None else self.powers[times])
        while squarings > 255:  # a step has a byte for them
            source, squarings = self.step(source, 255, None, to), squarings - 255
        if to is None or to == len(self.powers):
            to = len(self.powers)
            self.powers.append(power)
        self.powers[to] = power
        self.steps.append((source, squarings, "POWER_ALONE" if times is None else times, to))
        return to

    def text(self, exponent):
        assert self.powers[self.steps[-1][3]] == exponent
        assert len(self.steps) <= POWER_STEPS and len(self.powers) <= POWERS_KEPT
        return f"{{{len(self.steps)}, {{" + ", ".join("{%s, %s, %s, %s}" % s for s in self.steps) + "}}"

    def finish(self, exponent, piece):
        """From the exponent's highest bit down: piece(bits) says how many of the bits that are left, which start with a 1,
        are multiplied by in one step, and by which x."""
        last, left, zeros = None, format(exponent, "b"), 0
        running = len(self.powers)
        while left:
            if left[0] == "0":
                zeros, left = zeros + 1, left[1:]
                continue
            bits, times = piece(left)
            last = times if last is None else self.step(last, zeros + bits, times, running)
            left, zeros = left[bits:], 0
        if zeros:
            self.step(last, zeros, None, running)
        return self.text(exponent)


def power_chain_of_ones(exponent, runs):
    """a^exponent: first a^(2^n - 1) for the lengths n in `runs`, then the exponent's runs of ones, each in pieces of these
    lengths."""
    chain, ones = PowerChain(), {1: 0}  # ones[n]: where a^(2^n - 1) is
    for n in runs:
        longest = max(m for m in ones if n - m in ones)
        ones[n] = chain.step(ones[longest], n - longest, ones[n - longest])

    def piece(left):
        run = len(left) - len(left.lstrip("1"))
        longest = max(n for n in ones if n <= run)
        return longest, ones[longest]

    return chain.finish(exponent, piece)


def power_chain_of_windows(exponent):
    """The same for any exponent: first a^2 and the odd powers up to a^(2^WINDOW - 1), then windows that end in a 1."""
    chain = PowerChain()
    square = chain.step(0, 1)
    odd = {1: 0}
    for n in range(3, 1 << WINDOW, 2):
        odd[n] = chain.step(odd[n - 2], 0, square)

    def piece(left):
        window = left[:WINDOW].rstrip("0")
        return len(window), odd[int(window, 2)]

    return chain.finish(exponent, piece)


def odd_last_window(n, width):
    """The window of odd digits of `width` bits that is added last (docs/constant-time.md): n's bits there are not all alike,
    and n's digit is negative."""
    for window in range(4, n.bit_length() // width - 1):
        bits, upper = n >> width * window & (1 << width) - 1, n >> width * (window + 1) & 1
        if 0 < bits < (1 << width) - 1 and not upper:
            return window
    raise AssertionError("no window that may be the last")


def require_distinct_sums(n, width):
    """Signed windows of `width` bits from the lowest up never add a point to itself (docs/constant-time.md)."""
    base = 1 << (n.bit_length() + width - 1) // width * width - width  # of the last window
    nearly = base >> 8
    for digit in range(1, (1 << width - 1) + 1):
        k, lower = 2 * digit * base - n, n - digit * base
        largest = (base << width - 1) // ((1 << width) - 1)
        assert not (-nearly <= k <= n // 2 + nearly and abs(lower) <= largest + nearly), "a scalar meets an exception"


def square_root_chain(p, curve):
    runs = curve.get("ones")
    exponent = (p + 1) // 4
    return power_chain_of_windows(exponent) if runs is None else power_chain_of_ones(exponent, map(int, runs.split()))


def limb_writer(bits, radix):
    limbs = (bits + radix - 1) // radix
    return Writer(radix, limbs + limbs % 2 if radix == 32 else limbs)  # limbs/ptx/machine.h: an even number


def weierstrass(curve, radix):
    """CURVE in limbs of that many bits."""
    p, n = int(curve["p"], 16), int(curve["n"], 16)
    a, b = int(curve["a"], 16), int(curve["b"], 16)
    gx, gy = int(curve["gx"], 16), int(curve["gy"], 16)
    assert (gy * gy - gx**3 - a * gx - b) % p == 0 and p % 4 == 3 and n % 2 == 1
    bits = p.bit_length()
    assert n.bit_length() == bits
    writer = limb_writer(bits, radix)
    r = 1 << (writer.radix * writer.limbs)
    assert radix != 52 or r > 16 * p  # limbs/vector/multiply.h
    in_p = (lambda x: x % p) if is_plain(curve["reduction"], radix) else (lambda x: x * r % p)
    in_n = lambda x: x * r % n
    has_glv = "beta" in curve
    fields = [
        (str((bits + 7) // 8), "bytes"),
        (modulus(writer, p, curve["reduction"], 4), "p"),
        (modulus(writer, n, "MONTGOMERY", 4), "n"),
        (writer.constant(in_p(a)), "a"),
        (writer.constant(in_p(b)), "b"),
        (writer.constant(in_p(gx)), "G.x"),
        (writer.constant(in_p(gy)), "G.y"),
        (square_root_chain(p, curve), "a square root: a^((p + 1) / 4)"),
        (writer.constant(n // 2), "floor(n / 2)"),
        (A_FORMS.get(a, "A_IS_ANY"), "a"),
        (str(int(has_glv)), "has an endomorphism"),
        (glv(writer, p, n, curve, in_p, in_n) if has_glv else "{" + 7 * "{{0}}, " + "0}", "glv"),
    ]
    body = "".join(f"    {value}, /* {what} */\n" for value, what in fields)
    return f"/* R = 2^{writer.radix * writer.limbs} */\nLANE_CONSTANT struct curve CURVE = {{\n{body}}};\n"


def edwards(curve, radix):
    """The same for a twisted Edwards curve with a = -1."""
    p, n, d, x, y = (int(curve[key], 16) for key in ("p", "n", "d", "gx", "gy"))
    bits, reduction = p.bit_length(), curve["reduction"]
    assert (y * y - x * x - 1 - d * x * x * y * y) % p == 0 and p % 8 == 5 and n % 2 == 1 and n < p
    assert pow(d, (p - 1) // 2, p) == p - 1
    writer = limb_writer(bits, radix)
    r = 1 << (writer.radix * writer.limbs)
    assert radix != 52 or r > 16 * p  # limbs/vector/multiply.h
    in_p = (lambda v: v % p) if is_plain(reduction, radix) else (lambda v: v * r % p)
    root = pow(2, (p - 1) // 4, p)
    assert root * root % p == p - 1
    # The Montgomery curve v^2 = u^3 + A u^2 + u with A = 2 (a + d) / (a - d) is the same by u = (1 + y) / (1 - y).
    montgomery_a = 2 * (d - 1) * pow(-1 - d, -1, p) % p
    ladder = (montgomery_a + 2) * pow(4, -1, p) % p
    ones = power_chain_of_ones((p - 5) // 8, map(int, curve["ones"].split()))
    words = 32 * ((bits + 31) // 32)
    fields = [
        (str((bits + 7) // 8), "bytes"),
        (modulus(writer, p, reduction, 4), "p"),
        (modulus(writer, n, "MONTGOMERY", 4), "n"),
        (writer.constant(in_p(d)), "d"),
        (writer.constant(in_p(2 * d)), "2 d"),
        (writer.constant(in_p(x)), "G.x"),
        (writer.constant(in_p(y)), "G.y"),
        (writer.constant(in_p(min(root, p - root))), "a square root of -1"),
        (writer.constant(in_p(ladder)), "(A + 2) / 4, A of the Montgomery curve"),
        (writer.constant((1 << words) * r * r % n), f"2^{words} R^2 mod n"),
        (ones, "of a square root: a^((p - 5) / 8)"),
    ]
    body = "".join(f"    {value}, /* {what} */\n" for value, what in fields)
    return f"/* R = 2^{writer.radix * writer.limbs} */\nLANE_CONSTANT struct edwards_curve CURVE = {{\n{body}}};\n"


FORMS = {"weierstrass": weierstrass, "edwards": edwards}


def form_of(curve):
    return curve.get("form", "weierstrass")


def header(name, curve):
    n, form = int(curve["n"], 16), form_of(curve)
    constants = FORMS[form]
    if form == "weierstrass":
        require_distinct_sums(n, 5)
        require_distinct_sums(n, 6)
    last = "".join(f"#define CURVE_ODD_LAST_WINDOW_{width} {odd_last_window(n, width)}\n" for width in (8, 9)) if form == "weierstrass" else ""
    of = "of p, and of n" if form == "weierstrass" else "of p"
    families = "".join(f"#define CURVE_HAS_{family} 1\n" for family in curve.get("families", "").split())
    if curve.get("form") == "edwards":
        families += "#define CURVE_IS_EDWARDS 1\n"
    guard = f"GECC_CURVE_GENERATED_{name}_GEN_H".upper()
    radices = (SPARE.get(curve["reduction"], RADICES[0]), *RADICES[1:])
    first, second, third = (constants(curve, radix) for radix in radices)
    return (
        f"/* {curve['title']}, for limbs of {radices[0]}, {radices[1]} and {radices[2]} bits. Source: {curve['source']}.\n"
        f" * Generated by tools/generate_curves.py from src/curve/curves.ini: do not edit. */\n"
        f"#ifndef {guard}\n#define {guard}\n\n"
        f'#include "curve/curve.h"\n\n#define CURVE_BITS {int(curve["p"], 16).bit_length()} /* {of} */\n{last}{families}\n'
        f"#if LIMB_BITS == {radices[0]}\n{first}#elif LIMB_BITS == {radices[1]}\n{second}#else\n{third}#endif\n\n#endif\n"
    )


def listing(table):
    """include/gecc/curves.h: all curves and their names."""
    lists, names, low_s, most = {form: [] for form in FORMS}, [], [], 0
    for name in table.sections():
        curve, curves = table[name], lists[form_of(table[name])]
        first, end = (1, EDWARDS_FIRST) if curves is lists["weierstrass"] else (EDWARDS_FIRST, NUMBERS_END)
        number = first + len(curves)
        if number >= end:
            raise SystemExit(f"{name}: there are numbers for {end - first} curves of {form_of(curve)} form")
        bits = int(curve["p"], 16).bit_length()
        identifier, title = curve["identifier"], curve["title"]
        prime, order = (f"{int(curve[key], 16):0{(bits + 7) // 8 * 2}x}" for key in "pn")
        curves.append(f'    X({identifier}, {number}, {name}, "{title}", {bits}, GECC_{curve["hash"]}, \\\n      "{prime}", \\\n      "{order}")')
        most = max(most, bits)
        low_s += [f"    X({identifier})"] if curve.getboolean("low_s", False) else []
        names += [f'    X("{alias.strip()}", {identifier})' for alias in (title, *curve["names"].split(","))]
    return (
        "/* The curves.\n"
        " * Generated by tools/generate_curves.py from src/curve/curves.ini: do not edit. */\n"
        "#ifndef GECC_CURVES_H\n#define GECC_CURVES_H\n\n"
        "/* The curves of Weierstrass form, on which all operations of points and ECDSA are.\n"
        " * X(a gecc_curve, its value, its name within names, the name that people write, the bits of its field and of its order,\n"
        " * the hash of RFC 6979's nonces on it, the field's prime and the order in hexadecimal digits). */\n"
        "#define GECC_CURVE_LIST(X) \\\n" + " \\\n".join(lists["weierstrass"]) + "\n\n"
        "/* One more than the last of them: the length of an array by curves, and where a loop over them from 1 ends. */\n"
        f"#define GECC_CURVE_END {len(lists['weierstrass']) + 1}\n\n"
        "/* The same for the curves of twisted Edwards form, which have operations of their own alone; the bits are the field's. */\n"
        "#define GECC_EDWARDS_CURVE_LIST(X) \\\n" + " \\\n".join(lists["edwards"]) + "\n\n"
        "/* X(a gecc_curve): those on which s of ECDSA signatures that are made is low, unless GECC_ANY_S is set. */\n"
        "#define GECC_LOW_S_CURVE_LIST(X) \\\n" + " \\\n".join(low_s) + "\n\n"
        "/* The most bytes of a field element or scalar. */\n"
        f"#define GECC_CURVE_BYTES_MOST {(most + 7) // 8}\n\n"
        "/* X(a name that people, OpenSSL or standards have for a curve, or its object identifier; the gecc_curve). Letters are alike\n"
        " * in either case. */\n"
        "#define GECC_CURVE_NAME_LIST(X) \\\n" + " \\\n".join(names) + "\n\n#endif\n"
    )


def parameters(table):
    """tools/gecc/keys/curve_parameters.gen.h: what explicit parameters of a curve say besides its prime and order."""
    lines = []
    for name in table.sections():
        curve = table[name]
        if form_of(curve) != "weierstrass":
            continue
        p = int(curve["p"], 16)
        digits = (p.bit_length() + 7) // 8 * 2
        a, b, gx, gy = (f"{int(curve[key], 16) % p:0{digits}x}" for key in ("a", "b", "gx", "gy"))
        lines.append(f'    X({curve["identifier"]}, \\\n      "{a}", \\\n      "{b}", \\\n      "04{gx}" \\\n      "{gy}")')
    return (
        "/* Generated by tools/generate_curves.py from src/curve/curves.ini: do not edit. */\n"
        "#ifndef TOOL_CURVE_PARAMETERS_GEN_H\n#define TOOL_CURVE_PARAMETERS_GEN_H\n\n"
        "/* X(a gecc_curve of Weierstrass form, a and b of y^2 = x^3 + a x + b, and the uncompressed generator, in hexadecimal\n * digits). */\n"
        "#define CURVE_PARAMETERS_LIST(X) \\\n" + " \\\n".join(lines) + "\n\n#endif\n"
    )


def curves():
    table = configparser.ConfigParser()
    table.read(ROOT / "src" / "curve" / "curves.ini")
    return table


def main():
    table = curves()
    for name in table.sections():
        (ROOT / "src" / "curve" / "generated" / f"{name}.gen.h").write_text(header(name, table[name]))
    (ROOT / "include" / "gecc" / "curves.h").write_text(listing(table))
    (ROOT / "tools" / "gecc" / "keys" / "curve_parameters.gen.h").write_text(parameters(table))


if __name__ == "__main__":
    main()
