"""The signatures of a Bitcoin block, each with the verdict that it must get.

Test: fast
"""

import csv
import unittest
from collections import Counter
from pathlib import Path

from support import DATA, ROOT, ToolTest

PART = ROOT / "examples/data/bitcoin-block-413567-part.csv"
WHOLE = Path(DATA or "", "bitcoin-block-413567.csv")


class BitcoinBlock(ToolTest):
    def check(self, source, valid, invalid):
        target = self.folder / "out.csv"
        done = self.run_tool("verify", "--curve", "secp256k1", source, "-o", target, status=1)
        with open(source, newline="") as before, open(target, newline="") as after:
            rows = list(csv.DictReader(after))
            for row, original in zip(rows, csv.DictReader(before), strict=True):
                self.assertEqual({name: row[name] for name in original}, original)
                self.assertEqual(row["status"], original["expected"], original["tx"])
        self.assertEqual(Counter(row["status"] for row in rows), {"valid": valid, "invalid": invalid})
        self.assertIn(f"{valid + invalid} rows: {valid} valid, {invalid} invalid".encode(), done.stderr)

    def test_part_of_the_block(self):
        self.check(PART, 268, 37)

    @unittest.skipUnless(DATA, "GECC_DATA is not set")
    def test_the_whole_block(self):
        self.check(WHOLE, 5815, 824)


if __name__ == "__main__":
    unittest.main()
