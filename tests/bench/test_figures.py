"""scripts/figures: README's figures are those of docs/figures, and a file says what its table says.

Test: fast
"""

import importlib.machinery
import importlib.util
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "figures"


def module():
    loader = importlib.machinery.SourceFileLoader("figures", str(SCRIPT))
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", loader))
    loader.exec_module(found)
    return found


HEADING = {"version": "9.8.7", "commit": "abc", "machine": "M", "clock_mhz": "1", "backend": "cuda", "detail": "G", "batch": 4194304, "runs": 7}
LINE = {"operation": "ecdsa.verify", "curve": "P-256", "time": "kernel", "items_per_second": 32e6, "low": 31.36e6, "high": 32.64e6}


class Figures(unittest.TestCase):
    def kept(self, lines):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
            return module().Kept(path)

    def test_readme_has_what_is_kept(self):
        run = subprocess.run([SCRIPT, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_a_table(self):
        command = {"command": "gecc bench --json --backend cuda --batch 4194304 --curve P-256 --op ecdsa.verify"}
        text = module().own_table(self.kept([command, HEADING, LINE]))
        self.assertIn("| P-256 verify | 32.0 (-2 to +2 %) |", text)
        self.assertIn("M, G; gecc 9.8.7, commit abc; millions of rows a second, median of 7 runs", text)
        self.assertIsNone(module().compared_table(self.kept([command, HEADING, LINE])))

    def test_several_machines_in_a_file(self):
        command = {"command": "gecc bench --json --backend cuda --batch 4194304 --curve P-256 --op ecdsa.verify"}
        other = {"command": "gecc bench --json --backend cpu --batch 4096 --curve P-256 --op ecdsa.verify"}
        with self.assertRaises(SystemExit):
            module().own_table(self.kept([command, HEADING, LINE, other, {**HEADING, "machine": "N"}, LINE]))

    def test_only_some_are_measured(self):
        """The others stay as they are, in their places."""
        tool = '''#!/bin/sh
case $1 in devices) ;; *) echo '{"machine":"M","version":"2"}'; echo "{\\"time\\":\\"pageable\\",\\"operation\\":\\"$9\\",\\"curve\\":\\"x\\"}" ;; esac
'''
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "bin").mkdir()
            (Path(folder) / "bin" / "gecc").write_text(tool)
            (Path(folder) / "bin" / "gecc").chmod(0o755)
            kept, run = Path(folder) / "m.jsonl", [SCRIPT, "--build", folder, "--measure"]
            subprocess.run([*run, kept], check=True, capture_output=True)
            before = kept.read_text()
            some = "--curve P-384 --op ecdsa.verify"
            self.assertEqual((before.count('"command"'), before.count(some)), (28, 2))
            kept.write_text(before.replace('"version":"2"', '"version":"1"'))
            subprocess.run([*run, kept, "--only", some], check=True, capture_output=True)
            after = kept.read_text()
            self.assertEqual((after.count('"version":"1"'), after.count('"version":"2"')), (26, 2))
            self.assertEqual(after.replace('"version":"1"', '"version":"2"'), before)
            kept.write_text(before.replace('"M"', '"N"'))
            self.assertNotEqual(subprocess.run([*run, kept, "--only", some], capture_output=True).returncode, 0)
            self.assertEqual(kept.read_text(), before.replace('"M"', '"N"'))
            for file in (kept, Path(folder) / "new.jsonl"):
                done = subprocess.run([*run, file, "--only", "no such"], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (1, "figures: no command has 'no such' in it\n"))
            self.assertEqual((kept.read_text(), list(Path(folder).glob("new*"))), (before.replace('"M"', '"N"'), []))

    def test_digits(self):
        self.assertEqual([module().rate(value) for value in (387449, 1220200, 57.63, 0.31234, 943.2)], ["387,000", "1,220,000", "57.6", "0.312", "943"])


if __name__ == "__main__":
    unittest.main()
