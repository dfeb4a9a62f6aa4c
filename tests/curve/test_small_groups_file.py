"""tests/data/small_groups.json is what it says, and what the tests that try every point and scalar need.

Test: fast
"""

import configparser
import json
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def multiples(p, a, g):
    """g, 2 g, ... up to the last before infinity."""
    point = g
    while point:
        yield point
        (x1, y1), (x2, y2) = point, g
        if x1 == x2 and (y1 + y2) % p == 0:
            return
        slope = (3 * x1 * x1 + a) * pow(2 * y1, -1, p) if x1 == x2 else (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        point = x, (slope * (x1 - x) - y1) % p


class SmallGroups(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.groups = json.loads((ROOT / "tests/data/small_groups.json").read_text(encoding="ascii"))
        curves = configparser.ConfigParser()
        curves.read(ROOT / "src/curve/curves.ini")
        cls.curves = {curves[section]["title"]: curves[section] for section in curves.sections() if "b" in curves[section]}

    def of(self, name):
        return [group for group in self.groups if group["curve"] == name]

    def test_each_group(self):
        for group in self.groups:
            with self.subTest(curve=group["curve"], b=group["b"], order=group["order"]):
                curve = self.curves[group["curve"]]
                p, a, b, order = int(curve["p"], 16), int(curve["a"], 16), group["b"], group["order"]
                x, y = int(group["Gx"], 16), int(group["Gy"], 16)
                self.assertEqual(int(group["p"], 16), p)
                self.assertEqual(int(group["a"], 16), a % p)
                self.assertNotEqual((4 * a**3 + 27 * b * b) % p, 0)
                self.assertTrue(order > 1 and all(order % divisor for divisor in range(2, order)))
                self.assertTrue(0 <= x < p and 0 <= y < p)
                self.assertEqual((y * y - x**3 - a * x - b) % p, 0)
                # Infinity comes after order - 1 multiples and not before.
                points = list(multiples(p, a, (x, y)))
                self.assertEqual(len(points), order - 1)
                self.assertEqual(len(set(points)), order - 1)

    def test_no_group_is_there_twice(self):
        self.assertEqual(len({(group["curve"], group["b"], group["order"]) for group in self.groups}), len(self.groups))

    def test_the_endomorphism(self):
        """(beta x, y) is a multiple of (x, y), for beta of curves.ini."""
        p, beta = int(self.curves["secp256k1"]["p"], 16), int(self.curves["secp256k1"]["beta"], 16)
        for group in self.of("secp256k1"):
            g = int(group["Gx"], 16), int(group["Gy"], 16)
            self.assertIn((beta * g[0] % p, g[1]), list(multiples(p, 0, g)), group)

    def test_the_set_is_enough(self):
        """Orders of one and of two bytes and around windows' widths; more than one an order where there are but three."""
        orders = {name: [group["order"] for group in self.of(name)] for name in self.curves}
        self.assertEqual(sorted(orders["secp256k1"]), [7, 7, 13, 13, 199, 199])
        for name in set(orders) - {"secp256k1"}:
            bits = int(self.curves[name]["p"], 16).bit_length()
            self.assertGreaterEqual(len(set(orders[name])), {256: 30, 384: 10}.get(bits, 6), name)
        for name, found in orders.items():
            self.assertGreaterEqual(min(found), 5)
            self.assertLessEqual(max(found), 257)  # ORDER_MOST of small_group.h
            self.assertLessEqual(len(found), 64)  # GROUPS_MOST
            self.assertTrue(any(order <= 7 for order in found), name)
            if len(found) > 10:  # those over larger fields take minutes to find
                self.assertTrue(any(order > 128 for order in found), name)
        self.assertTrue(any(order > 256 for found in orders.values() for order in found))


if __name__ == "__main__":
    unittest.main()
