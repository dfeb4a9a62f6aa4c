"""scripts/field-cycles: what it measures compiles, for machines of all kinds, curves of both forms and three widths.

Test: fast
"""

import subprocess
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "field-cycles"


class Syntax(unittest.TestCase):
    def test_it_compiles(self):
        run = subprocess.run([SCRIPT, "--syntax", "p256", "p384", "p521", "curve25519"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
