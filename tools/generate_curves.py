#!/usr/bin/env python3
"""Derive the constants of every curve in src/curve/curves.ini, for limbs of 64, 52 and 32 bits.

usage: generate_curves.py [OUTPUT_FOLDER [REDUCTION]]     (default: src/curve/generated)

REDUCTION: how the machines reduce modulo every p, instead of what curves.ini says; MONTGOMERY is right for any.

Every derived constant is checked against its definition before it is written.
"""
import configparser
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RADICES = {64: {256: 4, 384: 6}, 52: {256: 5, 384: 8}, 32: {256: 8, 384: 12}}


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


def modulus(writer, m, reduction, indent):
    """`struct modulus` for the prime m."""
    r = 1 << (writer.radix * writer.limbs)
    montgomery = reduction != "PSEUDO_MERSENNE"
    one = r % m if montgomery else 1
    r_squared = r * r % m if montgomery else 1
    word = 1 << writer.radix
    negative_inverse = -pow(m, -1, word) % word
    assert (negative_inverse * m + 1) % word == 0
    bits = 384 if m.bit_length() > 256 else 256
    c = 0 if montgomery else (1 << bits) - m
    assert c < 1 << 33
    fields = [
        (writer.constant(m), "m"),
        (writer.constant(one), "R mod m" if montgomery else "1"),
        (writer.constant(r_squared), "R^2 mod m" if montgomery else "1"),
        (writer.limb(negative_inverse), "-1 / m mod 2^LIMB_BITS"),
        (writer.limb(c), "2^256 - m" if c else "not pseudo-Mersenne"),
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


def power_chain(exponent, runs):
    """`struct power_chain` for a^exponent: first a^(2^n - 1) for the lengths n in `runs`, then the exponent's runs of ones
    from the top down, each in pieces of these lengths. A step is (from, squarings, times)."""
    ones, exponents, steps = {1: 0}, [1], []  # ones[n]: where a^(2^n - 1) is

    def step(source, squarings, times=None):
        exponents.append((exponents[source] << squarings) + (0 if times is None else exponents[times]))
        steps.append((source, squarings, "POWER_ALONE" if times is None else times))
        return len(steps)

    for n in runs:
        longest = max(m for m in ones if n - m in ones)
        ones[n] = step(ones[longest], n - longest, ones[n - longest])
    last, left, zeros = None, format(exponent, "b"), 0
    while left:
        run = len(left) - len(left.lstrip("1"))
        if run == 0:
            zeros, left = zeros + 1, left[1:]
            continue
        piece = max(n for n in ones if n <= run)
        last = ones[piece] if last is None else step(last, zeros + piece, ones[piece])
        left, zeros = left[piece:], 0
    if zeros:
        last = step(last, zeros)
    assert last == len(steps) <= 16 and exponents[last] == exponent
    assert all(squarings < 256 for _, squarings, _ in steps)
    return f"{{{len(steps)}, {{" + ", ".join("{%s, %s, %s}" % s for s in steps) + "}}"


def header(name, curve, radix):
    p, n = int(curve["p"], 16), int(curve["n"], 16)
    a, b = int(curve["a"], 16), int(curve["b"], 16)
    gx, gy = int(curve["gx"], 16), int(curve["gy"], 16)
    assert (gy * gy - gx**3 - a * gx - b) % p == 0 and p % 4 == 3 and n % 2 == 1
    bits = 384 if p.bit_length() > 256 else 256
    writer = Writer(radix, RADICES[radix][bits])
    r = 1 << (writer.radix * writer.limbs)
    in_p = (lambda x: x % p) if curve["reduction"] == "PSEUDO_MERSENNE" else (lambda x: x * r % p)
    in_n = lambda x: x * r % n
    has_glv = "beta" in curve
    fields = [
        (str(bits // 8), "bytes"),
        (modulus(writer, p, curve["reduction"], 4), "p"),
        (modulus(writer, n, "MONTGOMERY", 4), "n"),
        (writer.constant(in_p(a)), "a"),
        (writer.constant(in_p(b)), "b"),
        (writer.constant(in_p(gx)), "G.x"),
        (writer.constant(in_p(gy)), "G.y"),
        (power_chain((p + 1) // 4, [int(n) for n in curve["ones"].split()]), "a square root: a^((p + 1) / 4)"),
        (writer.constant(n // 2), "floor(n / 2)"),
        (str(int(a == 0)), "a is 0 (else -3)"),
        (str(int(has_glv)), "has an endomorphism"),
        (glv(writer, p, n, curve, in_p, in_n) if has_glv else "{" + 7 * "{{0}}, " + "0}", "glv"),
    ]
    body = "".join(f"    {value}, /* {what} */\n" for value, what in fields)
    families = "".join(f"#define CURVE_HAS_{family} 1\n" for family in curve.get("families", "").split())
    guard = f"GECC_CURVE_GENERATED_{name}_{radix}_GEN_H".upper()
    return (
        f"/* {name} in limbs of {radix} bits, R = 2^{writer.radix * writer.limbs}. Source: {curve['source']}.\n"
        f" * Generated by tools/generate_curves.py from src/curve/curves.ini: do not edit. */\n"
        f"#ifndef {guard}\n#define {guard}\n\n"
        f'#include "curve/curve.h"\n\n{families}'
        f"LANE_CONSTANT struct curve CURVE = {{\n{body}}};\n\n#endif\n"
    )


def listing(table):
    """The curves themselves: CURVES(X) is X(identifier, name, title, bytes) for each of them."""
    lines = []
    for name in table.sections():
        size = (int(table[name]["p"], 16).bit_length() + 7) // 8
        lines.append(f'    X({table[name]["identifier"]}, {name}, "{table[name]["title"]}", {size})')
    return (
        "/* All curves: X(its gecc_curve, its name in names of ours, the name that people write, bytes of a field element and of\n"
        " * a scalar).\n"
        " * Generated by tools/generate_curves.py from src/curve/curves.ini: do not edit. */\n"
        "#ifndef GECC_CURVE_GENERATED_CURVES_GEN_H\n#define GECC_CURVE_GENERATED_CURVES_GEN_H\n\n"
        "#include <gecc/context.h>\n\n"
        "#define CURVES(X) \\\n" + " \\\n".join(lines) + "\n\n#endif\n"
    )


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src" / "curve" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    table = configparser.ConfigParser()
    table.read(ROOT / "src" / "curve" / "curves.ini")
    for name in table.sections():
        if len(sys.argv) > 2:
            table[name]["reduction"] = sys.argv[2]
        for radix in RADICES:
            (folder / f"{name}_{radix}.gen.h").write_text(header(name, table[name], radix))
    if len(sys.argv) <= 2:
        (folder / "curves.gen.h").write_text(listing(table))


if __name__ == "__main__":
    main()
