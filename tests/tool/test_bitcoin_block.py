"""The signatures of a Bitcoin block, each with the verdict that it must get."""

import csv
import unittest
from collections import Counter
from pathlib import Path

from support import DATA, ToolTest

NAME = "bitcoin-block-413567.csv"


@unittest.skipUnless(DATA and Path(DATA, NAME).exists(), f"GECC_DATA has no {NAME}: NOT TESTED")
class BitcoinBlock(ToolTest):
    def test_verdicts(self):
        source, target = Path(DATA, NAME), self.folder / "out.csv"
        done = self.run_tool("verify", "--curve", "secp256k1", source, "-o", target, status=1)
        with open(source, newline="") as before, open(target, newline="") as after:
            rows = list(csv.DictReader(after))
            for row, original in zip(rows, csv.DictReader(before), strict=True):
                self.assertEqual({name: row[name] for name in original}, original)
                self.assertEqual(row["status"], original["expected"], original["tx"])
        self.assertEqual(Counter(row["status"] for row in rows), {"valid": 5815, "invalid": 824})
        self.assertIn(b"6639 rows: 5815 valid, 824 invalid", done.stderr)


if __name__ == "__main__":
    unittest.main()
