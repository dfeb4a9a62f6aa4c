#!/usr/bin/env python3
"""Find the groups of small prime order that the exhaustive tests run in: tests/data/small_groups.json.

usage: generate_small_groups.py [FILE]     (default: tests/data/small_groups.json)

Groups over the fields of curves that the file has are kept as they are.

A group is a subgroup of a curve y^2 = x^3 + a x + b with the p and a of a curve in src/curve/curves.ini and the least b > 0
that has one of that order. Its order is a prime from 5 to 257, so that tests can try all points and scalars.

a = 0: there are six curves but for isomorphism, whose orders follow from the order n of the real one: p + 1 - n = t with
4 p = t^2 + 3 v^2, and the traces are +-t and (+-t +- 3 v) / 2 (Ireland and Rosen, A Classical Introduction to Modern Number
Theory, 18.3). Other curves are counted by PARI, whose program gp is needed (Debian: pari-gp, pari-seadata): 1 s a curve over
256 bits, 12 s over 384, a minute over 521. Nothing but this generator needs it; tests/curve/test_small_groups_file.py checks what it wrote.
"""

import configparser
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRIMES = [r for r in range(5, 258) if all(r % q for q in range(2, r))]
# How many orders are looked for, by the bits of p, and, where a = 0 and there are but three, groups of each.
ORDERS = {256: 32, 384: 12}
ORDERS_OF_OTHERS = 6
GROUPS_OF_AN_ORDER = 2


class Curve:
    """y^2 = x^3 + a x + b modulo p, p = 3 mod 4. Points are (x, y), infinity is None."""

    def __init__(self, p, a, b):
        self.p, self.a, self.b = p, a, b

    def add(self, first, second):
        if first is None or second is None:
            return first or second
        (x1, y1), (x2, y2), p = first, second, self.p
        if x1 == x2 and (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, p) if x1 == x2 else (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        return x, (slope * (x1 - x) - y1) % p

    def multiply(self, k, point):
        total = None
        while k:
            if k & 1:
                total = self.add(total, point)
            point = self.add(point, point)
            k >>= 1
        return total

    def points(self):
        """Those with x = 0, 1, 2, ..."""
        for x in range(1000):
            square = (x**3 + self.a * x + self.b) % self.p
            y = pow(square, (self.p + 1) // 4, self.p)
            if y * y % self.p == square and y:
                yield x, y

    def point_of_order(self, r, curve_order):
        """A point of prime order r, which divides the curve's order."""
        while curve_order % r == 0:
            curve_order //= r
        for point in self.points():
            point = self.multiply(curve_order, point)
            if point is not None:
                while (multiple := self.multiply(r, point)) is not None:
                    point = multiple
                return point
        raise AssertionError("no point of a prime order that divides the curve's")


def eigenvector(curve, point, r):
    """Of a point of prime order r, r = 1 mod 3, on y^2 = x^3 + b: one whose multiples the map (x, y) -> (beta x, y) permutes.
    There is but one such group where r^2 does not divide the curve's order, else two of r + 1: (map - lambda) point is in it
    for one of the lambda with lambda^2 + lambda + 1 = 0 mod r, as the map has these eigenvalues."""
    beta = next(root for base in range(2, 100) if (root := pow(base, (curve.p - 1) // 3, curve.p)) != 1)
    for value in range(2, r):
        if (value * value + value + 1) % r == 0:
            image = curve.add((beta * point[0] % curve.p, point[1]), curve.multiply(r - value, point))
            if image is not None:
                return image
    raise AssertionError("no eigenvector")


def count_by_pari(p, a):
    """(b, order of y^2 = x^3 + a x + b) for b = 1, 2, ..."""
    program = (
        f"p = {p}; a = {a};"
        'for(b = 1, oo, if(Mod(4 * a^3 + 27 * b^2, p) != 0, print(b, " ", ellcard(ellinit([a, b] * Mod(1, p))))))\n'
    )
    settings = [word for setting in ("parisizemax=2000000000", "breakloop=0") for word in ("--default", setting)]
    try:
        process = subprocess.Popen(
            ["gp", "--quiet", "--fast", *settings],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
    except FileNotFoundError:
        sys.exit("generate_small_groups: PARI's program gp is needed (Debian: pari-gp and pari-seadata)")
    with process:
        process.stdin.write(program)
        process.stdin.close()
        try:
            for line in process.stdout:
                yield tuple(map(int, line.split()))
            sys.exit("generate_small_groups: gp ended early")
        finally:
            process.kill()


def count_by_twists(p, n):
    """(b, order of y^2 = x^3 + b) for b = 1, 2, ..., where n is the order of one such curve."""
    t = p + 1 - n
    v = math.isqrt((4 * p - t * t) // 3)
    assert t * t + 3 * v * v == 4 * p
    orders = [p + 1 - trace for trace in (t, -t, (t + 3 * v) // 2, (t - 3 * v) // 2, (-t + 3 * v) // 2, (-t - 3 * v) // 2)]
    for b in range(1, 1000):
        curve, left = Curve(p, 0, b), orders
        for point in curve.points():
            left = [order for order in left if curve.multiply(order, point) is None]
            if len(left) == 1:
                break
        assert len(left) == 1
        yield b, left[0]


def groups(name, p, a, counted, enough, of_an_order):
    """Entries of the file; a curve gives a group of each order that is not there `of_an_order` times."""
    found = []
    for b, curve_order in counted:
        for r in PRIMES:
            if curve_order % r or sum(entry["order"] == r for entry in found) >= of_an_order:
                continue
            curve = Curve(p, a, b)
            point = curve.point_of_order(r, curve_order)
            x, y = point if a else eigenvector(curve, point, r)
            digits = (p.bit_length() + 3) // 4
            numbers = {key: format(value, f"0{digits}x") for key, value in (("p", p), ("a", a % p), ("Gx", x), ("Gy", y))}
            found.append({"curve": name, "p": numbers["p"], "a": numbers["a"], "b": b, "order": r,
                          "Gx": numbers["Gx"], "Gy": numbers["Gy"]})  # fmt: skip
            print(f"{name}: y^2 = x^3 + {a} x + {b} has a group of order {r}", file=sys.stderr)
        if len(found) >= enough:
            counted.close()
            return found
    raise AssertionError("the curves ran out")


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/data/small_groups.json"
    curves = configparser.ConfigParser()
    curves.read(ROOT / "src/curve/curves.ini")
    there = json.loads(target.read_text()) if target.exists() else []
    entries = []
    for section in curves.sections():
        if curves[section].get("form", "weierstrass") != "weierstrass":
            continue
        name = curves[section]["title"]
        p, a, n = (int(curves[section][key], 16) for key in "pan")
        kept = [entry for entry in there if entry["curve"] == name]
        if kept:
            entries += kept
        elif a == 0:
            # 3 has order 3 in the multiplicative group modulo these, so that the endomorphism has an eigenvalue.
            entries += groups(name, p, a, count_by_twists(p, n), 3 * GROUPS_OF_AN_ORDER, GROUPS_OF_AN_ORDER)
        else:
            entries += groups(name, p, a, count_by_pari(p, a), ORDERS.get(p.bit_length(), ORDERS_OF_OTHERS), 1)
    lines = ",\n".join("  " + json.dumps(entry) for entry in entries)
    target.write_text(f"[\n{lines}\n]\n", encoding="ascii")


if __name__ == "__main__":
    main()
