"""New keys.

Test: fast
"""

import csv
import io
import json
import stat
import unittest

from support import CURVES, ToolTest


class Keygen(ToolTest):
    def test_pairs(self):
        for curve in CURVES:
            for form in ("uncompressed", "compressed", "raw"):
                done = self.run_tool("keygen", "--curve", curve.name, "--count", 5, "--point-format", form, status=0)
                rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
                self.assertEqual(len({row["priv"] for row in rows}), 5)
                for row in rows:
                    key = int(row["priv"], 16)
                    self.assertTrue(0 < key < curve.n)
                    self.assertEqual(row["curve"], curve.name)
                    self.assertEqual(row["pub"], curve.encode(curve.mul(key), form))

    def test_counts_and_all_bits(self):
        done = self.run_tool("keygen", "--curve", "P-384", "--count", 4099, "--output-format", "jsonl", status=0)
        keys = [int(json.loads(line)["priv"], 16) for line in done.stdout.splitlines()]
        self.assertEqual((len(keys), len(set(keys))), (4099, 4099))
        for bit in range(384):
            self.assertTrue(1600 < sum(key >> bit & 1 for key in keys) < 2500, bit)
        self.assertEqual(self.run_tool("keygen", "--curve", "SM2", status=0).stdout.count(b"\n"), 2)

    def test_what_comes_out_can_be_signed_with(self):
        keys = self.run_tool("keygen", "--curve", "P-256", "--count", 3, status=0).stdout.decode().splitlines()
        text = "\n".join([keys[0] + ",msg", *(key + ",00" for key in keys[1:])]) + "\n"
        signed = self.run_tool("sign", stdin=text, status=0).stdout
        self.run_tool("verify", stdin=signed, status=0)

    def test_files_are_private(self):
        target = self.folder / "keys.csv"
        target.write_text("")
        target.chmod(0o666)
        self.run_tool("keygen", "--curve", "P-256", "-o", target, status=0)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o600)
        self.assertEqual(len(target.read_text().splitlines()), 2)

    def test_usage(self):
        for arguments in ([], ["--curve", "P-256", "--output-format", "raw"], ["--curve", "P-256", "--count", 0],
                          ["--curve", "P-256", "-o", "/dev/full"]):  # fmt: skip
            self.assertEqual(self.run_tool("keygen", *arguments, status=2).stdout, b"")


if __name__ == "__main__":
    unittest.main()
