"""Each script says what it is for, and those that nothing else here runs begin: they end well, say what they lack, or are
still at it after a second.

Test: fast; sources
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(path.name for path in (ROOT / "scripts").iterdir())
# They are for people: a GPU, a quiet machine or files of a release is what they need. Others .ci/run runs, or, as they
# make whole systems, scripts/release.
BY_HAND = ["check-sass", "compare", "field-cycles", "gpu-breakdown", "gpu-cases", "gpu-check", "gpu-cost", "gpu-groups",
           "plot-latency", "reproduce", "spdx", "tarball"]  # fmt: skip
BROKEN = re.compile(rb"Traceback|[Ss]yntax error|unbound variable|: (?:command )?not found")


def run(root, name, *arguments, seconds=None):
    """(Exit status, None where it was ended after these seconds; output) of a script and all that it has started."""
    with subprocess.Popen([root / "scripts" / name, *arguments], cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]


class Scripts(unittest.TestCase):
    def test_documents_name_scripts_that_are_there(self):
        documents = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] != "build"]
        text = "".join(path.read_text(encoding="utf-8") for path in documents)
        named = set(re.findall(r"\bscripts/([a-z][\w-]*)", text))
        self.assertGreater(len(named), 20)
        self.assertEqual(named - set(SCRIPTS), set())

    def test_help(self):
        self.assertGreater(len(SCRIPTS), 30)
        for name in SCRIPTS:
            with self.subTest(name):
                status, output = run(ROOT, name, "--help", seconds=20)
                self.assertEqual(status, 0, output)
                self.assertGreater(len(output), 60)
                self.assertNotRegex(output, BROKEN)

    def test_a_tarball_is_whole(self):
        """Where git fails no file gets the name."""
        with tempfile.TemporaryDirectory() as folder:
            git = Path(folder, "git")
            git.write_text('#!/bin/sh\ncase $* in *archive*) echo half; exit 128 ;; esac\nprintf "#define GECC_VERSION_%s 1\\n" MAJOR MINOR PATCH\n')
            git.chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run([ROOT / "scripts" / "tarball", Path(folder, "out")], env=environment, capture_output=True)
            self.assertEqual((done.returncode, list(Path(folder, "out").glob("*.gz"))), (1, []))

    def test_they_begin(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "gecc")
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
            for name in BY_HAND:
                with self.subTest(name):
                    status, output = run(copy, name, seconds=1)
                    self.assertIn(status, (None, 0, 1, 2, 77), output)
                    self.assertTrue(status in (None, 0) or output)
                    self.assertNotRegex(output, BROKEN)


if __name__ == "__main__":
    unittest.main()
