"""Public keys whose curve is written out in numbers: those of a curve of the library are its keys, all others are refused.

Test: fast; no sanitizers
"""

import sys
import unittest

from support import ROOT, ToolTest
from test_x509 import der_of, pem_of, tlv

sys.path.insert(0, str(ROOT / "tests" / "known_answers"))
from curves import CURVES  # noqa: E402

EC_PUBLIC_KEY, PRIME_FIELD = bytes.fromhex("2a8648ce3d0201"), bytes.fromhex("2a8648ce3d0101")
WEIERSTRASS = list(CURVES.values())
REFUSAL = "explicit parameters that are not exactly those of a curve that gecc has"


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def point_of(curve, point, form="uncompressed"):
    x, y = (value.to_bytes(curve.length, "big") for value in point)
    return {"uncompressed": b"\4" + x + y, "compressed": bytes([2 + point[1] % 2]) + x, "hybrid": bytes([6 + point[1] % 2]) + x + y}[form]


def numbers(curve, **others):
    """ECParameters, of which some are other elements than the curve's."""
    a, b = (tlv(4, value.to_bytes(curve.length, "big")) for value in (curve.a % curve.p, curve.b))
    parts = {"version": integer(1), "field": tlv(6, PRIME_FIELD), "p": integer(curve.p), "a": a, "b": b, "seed": b"",
             "generator": tlv(4, point_of(curve, curve.g)), "order": integer(curve.n), "cofactor": integer(1), "more": b"", **others}  # fmt: skip
    return tlv(0x30, parts["version"], tlv(0x30, parts["field"], parts["p"]), tlv(0x30, parts["a"], parts["b"], parts["seed"]),
               parts["generator"], parts["order"], parts["cofactor"], parts["more"])  # fmt: skip


def spki(curve, public, parameters, form="uncompressed"):
    return tlv(0x30, tlv(0x30, tlv(6, EC_PUBLIC_KEY), parameters), tlv(3, b"\0", point_of(curve, public, form)))


class ExplicitCurves(ToolTest):
    def signed(self, curve, key=0x1234567):
        """A public key, and a row that it signed."""
        [row] = self.json_rows("sign", [{"priv": f"{key:08x}", "msg": "00ff"}], "--curve", curve.name)
        return curve.multiply_base(key), [{"msg": "00ff", "sig": row["sig"]}]

    def check(self, der, rows, words=None):
        """The key verifies the rows, or is refused with these words."""
        path = self.folder / "key"
        for data in (der, pem_of(der, "PUBLIC KEY")) if words is None else (der,):
            path.write_bytes(data)
            if words is None:
                self.assertEqual([row["status"] for row in self.json_rows("verify", rows, "--pub-file", path)], ["valid"] * len(rows))
            else:
                done = self.run_tool("verify", "--pub-file", path, stdin="digest,sig\n", status=2)
                self.assertIn(words, done.stderr.decode())

    def test_every_curve(self):
        self.assertGreaterEqual(len(WEIERSTRASS), 8)
        for curve in WEIERSTRASS:
            public, rows = self.signed(curve)
            with self.subTest(curve.name):
                for others in ({}, {"cofactor": b""}, {"version": integer(2), "seed": tlv(3, b"\0" + bytes(20))}, {"version": integer(3)},
                               {"generator": tlv(4, point_of(curve, curve.g, "compressed"))}):  # fmt: skip
                    self.check(spki(curve, public, numbers(curve, **others)), rows)
                self.check(spki(curve, public, numbers(curve), "compressed"), rows)

    def test_other_numbers(self):
        """Each number counts: with a generator of one's own anybody has a private key to any point (CVE-2020-0601)."""
        for curve in WEIERSTRASS:
            public, rows = self.signed(curve)
            double, negative = curve.multiply_base(2), curve.negate(curve.g)
            length = curve.length
            with self.subTest(curve.name):
                wrong = [{"generator": tlv(4, point_of(curve, point, form))}
                         for point in (public, double, negative) for form in ("uncompressed", "compressed")]  # fmt: skip
                wrong += [{"p": integer(curve.p + d)} for d in (-2, 2, 1 << 40)] + [{"order": integer(curve.n + d)} for d in (-1, 1, curve.n)]
                wrong += [{name: tlv(4, ((value + d) % curve.p).to_bytes(length, "big"))} for d in (1, -1) for name, value in (("a", curve.a), ("b", curve.b))]
                wrong += [{"p": integer(curve.p << 8)}, {"order": integer(curve.n << 8)}, {"b": tlv(4, curve.b.to_bytes(length, "big") + b"\0")},
                          {"generator": tlv(4, point_of(curve, curve.g) + b"\0")}, {"generator": tlv(4, point_of(curve, curve.g, "compressed") + b"\0")}]  # fmt: skip
                wrong += [{"b": tlv(4, b"\1" + curve.b.to_bytes(length, "big"))}, {"cofactor": integer(2)}, {"cofactor": integer(0)}]
                wrong += [{"p": tlv(2, curve.p.to_bytes(length, "big"))}] if curve.p >> 8 * length - 1 else []
                wrong += [{"generator": tlv(4, point_of(curve, curve.g, "hybrid"))}, {"generator": tlv(4)}, {"order": tlv(2)}]
                wrong += [{"more": integer(1)}, {"field": tlv(6, PRIME_FIELD[:-1] + b"\2")}, {"version": integer(4)}, {"version": integer(0)}, {"order": b""}]
                for others in wrong:
                    self.check(spki(curve, public, numbers(curve, **others)), rows, REFUSAL)
        # A generator that makes 1 the private key of somebody's public key is the fault.
        curve = WEIERSTRASS[1]
        victim = curve.multiply_base(0xABCDEF)
        forged = spki(curve, victim, numbers(curve, generator=tlv(4, point_of(curve, victim))))
        self.check(forged, [], REFUSAL)

    def test_in_sets_and_cells(self):
        """The one parser reads keys wherever they stand."""
        curve = WEIERSTRASS[1]
        public, rows = self.signed(curve)
        good, bad = spki(curve, public, numbers(curve)), spki(curve, public, numbers(curve, cofactor=integer(2)))
        out = self.json_rows("verify", [{**rows[0], "pub": text} for text in (good.hex(), pem_of(good, "PUBLIC KEY").decode(), bad.hex())], status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "valid", "malformed"])
        self.assertIn(REFUSAL, out[2]["reason"])
        self.assertEqual(der_of(pem_of(good)), good)


if __name__ == "__main__":
    unittest.main()
