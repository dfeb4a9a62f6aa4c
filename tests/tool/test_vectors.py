"""Published vectors (Wycheproof, CAVP, Botan, RFC 6979, GM/T 0003.5) through the tool."""

import json
import unittest
from collections import defaultdict
from pathlib import Path

from support import VECTORS, ToolTest

NAME = "vectors.jsonl"


@unittest.skipUnless(VECTORS and Path(VECTORS, NAME).exists(), f"GECC_VECTORS has no {NAME}: NOT TESTED")
class Vectors(ToolTest):
    @classmethod
    def setUpClass(cls):
        cls.rows = defaultdict(list)
        with open(Path(VECTORS, NAME)) as file:
            for row in map(json.loads, file):
                cls.rows[row["op"]].append(row)

    def results(self, command, rows, *options, rename=()):
        """The tool's rows for vectors whose columns have other names."""
        names = dict(rename)
        renamed = [{names.get(name, name): value for name, value in row.items()} for row in rows]
        self.assertTrue(rows)
        text = "".join(json.dumps(row) + "\n" for row in renamed)
        done = self.run_tool(command, "--format", "jsonl", *options, stdin=text)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        out = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(out), len(rows))
        return zip(rows, out)

    def test_verify(self):
        groups = defaultdict(list)
        for row in self.rows["ecdsa_verify"]:
            groups[row["enc"], row["low_s"]].append(row)
        for (encoding, low_s), rows in groups.items():
            options = ["--sig-format", encoding] + ["--low-s"] * low_s
            for row, out in self.results("verify", rows, *options):
                self.assertEqual(out["status"] == "valid", row["valid"], (row["src"], row["tag"], out))

    def test_ecdh(self):
        for row, out in self.results("ecdh", self.rows["ecdh"]):
            self.assertEqual(out["status"] == "ok", row["valid"], (row["src"], row["tag"], out))
            if row["valid"]:
                self.assertEqual(out["shared"], row["x"].lower())

    def test_points(self):
        for row, out in self.results("pubkey", self.rows["pubkey"], rename={"enc": "point"}.items()):
            self.assertEqual(out["status"] == "ok", row["valid"], (row["src"], out))
        for row, out in self.results("mul", self.rows["mul_base"], rename={"k": "scalar"}.items()):
            self.assertEqual(out["point"], row["p"].lower(), row["src"])
        renamed = {"k": "scalar", "p": "point"}.items()
        for row, out in self.results("mul", self.rows["mul_point"], "--point-format", "compressed", rename=renamed):
            self.assertEqual(out["point"], row["z"].lower(), row["src"])

    def test_sign(self):
        for name in ("sha256", "sha384", "sha512"):
            rows = [
                {key: value for key, value in row.items() if key != "nonce"}
                for row in self.rows["ecdsa_sign_rfc6979"]
                if row["hmac"] == name
            ]
            for row, out in self.results("sign", rows, "--hash", name):
                self.assertEqual(out["sig"], (row["r"] + row["s"]).lower())
        for operation in ("ecdsa_sign_nonce", "sm2_sign_nonce"):
            for row, out in self.results("sign", self.rows[operation], "--dangerous-nonce"):
                self.assertEqual(out["sig"], row["sig"].lower())

    def test_sm2(self):
        for row, out in self.results("digest", self.rows["sm2_za"], rename={"sm2_id": "id_hex"}.items()):
            self.assertEqual(out["digest"], row["e"])
        rows = [{**row, "sig": row["r"] + row["s"]} for row in self.rows["sm2_verify"]]
        for row, out in self.results("verify", rows):
            self.assertEqual(out["status"] == "valid", row["valid"])


if __name__ == "__main__":
    unittest.main()
