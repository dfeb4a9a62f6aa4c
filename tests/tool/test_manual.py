"""The manual pages in docs/man are what the tool says of itself.

Test: fast
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from support import TOOL, ToolTest

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "man"


class Manual(ToolTest):
    def test_pages_are_up_to_date(self):
        subprocess.run([MANUAL / "generate", Path(TOOL).resolve(), self.folder], check=True)
        fresh = {path.name: path.read_text() for path in self.folder.glob("*.1")}
        kept = {path.name: path.read_text() for path in MANUAL.glob("*.1")}
        self.assertEqual(fresh, kept, "run docs/man/generate")

    def test_the_page_of_the_library_is_up_to_date(self):
        subprocess.run([sys.executable, MANUAL / "generate_library.py", self.folder], check=True)
        page = (MANUAL / "gecc.3").read_text()
        self.assertEqual((self.folder / "gecc.3").read_text(), page, "run docs/man/generate_library.py")
        headers = "".join(path.read_text() for path in (MANUAL.parents[1] / "include" / "gecc").glob("*.h"))
        functions = re.findall(r"^GECC_(?:API|CALL) [^;(]*?(\w+)\(", headers, re.M)
        self.assertEqual(sorted(functions), sorted(re.findall(r"^\.SS (\w+)$", page, re.M)))

    def test_every_command_has_a_page(self):
        text = self.run_tool("--help", status=0).stdout.decode()
        commands = text.split("COMMANDS\n")[1].split("\n\n")[0]
        names = [line.strip() for line in commands.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertEqual(sorted(f"gecc-{name}.1" for name in names), sorted(p.name for p in MANUAL.glob("gecc-*.1")))


if __name__ == "__main__":
    unittest.main()
