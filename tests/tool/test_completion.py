"""Completion for shells: as it was generated, and what the shells that are installed make of it.

Test: fast
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT, TOOL, ToolTest

SHELLS = ("bash", "zsh", "fish")


class Completion(ToolTest):
    def script(self, shell):
        return self.run_tool("--completion", shell, status=0).stdout.decode()

    def bash(self, *words):
        """What bash offers for the last of these words, and whether it goes on to offer files."""
        line = " ".join(map(shlex.quote, words))
        program = self.script("bash") + f"""
with_files=no
compopt() {{ with_files=yes; }}
COMP_WORDS=({line})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_gecc gecc
printf '%s\\n' "$with_files" "${{COMPREPLY[@]}}"
"""
        done = subprocess.run(["bash", "-eu", "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        files, *offered = done.stdout.split("\n")[:-1]
        return [word for word in offered if word], files == "yes"

    def commands(self):
        text = self.run_tool("--help", status=0).stdout.decode()
        return re.findall(r"^  (\w+)$", text.partition("COMMANDS")[2].partition("OPTIONS")[0], re.M)

    def options(self, command):
        text = self.run_tool(command, "--help", status=0).stdout.decode()
        return re.findall(r"^  (--[\w-]+)", text.partition("OPTIONS")[2], re.M)

    def test_they_are_those_of_this_version(self):
        for shell in SHELLS:
            kept = (ROOT / "docs" / "completion" / f"gecc.{shell}").read_text(encoding="utf-8")
            self.assertEqual(kept, self.script(shell), "run docs/completion/generate")
        self.assertIn(b"bash", self.run_tool("--completion", "ksh", status=2).stderr)

    def test_bash_offers_what_the_help_has(self):
        commands = self.commands()
        self.assertIn("verify", commands)
        self.assertEqual([word for word in self.bash("gecc", "")[0] if word[0] != "-"], commands)
        for command in commands:
            self.assertEqual(self.bash("gecc", command, "--")[0], self.options(command))

    def test_bash_offers_values(self):
        self.assertEqual(self.bash("gecc", "ver"), (["verify"], False))
        self.assertEqual(self.bash("gecc", "verify", "--curve", "P-")[0], ["P-256", "P-384", "P-521"])
        self.assertEqual(self.bash("gecc", "verify", "--curve", "=", "P-5")[0], ["P-521"])
        self.assertEqual(self.bash("gecc", "verify", "--accept", "=")[0], ["rfc8032", "ref10", "strict", "zip215"])
        self.assertEqual(self.bash("gecc", "mod", "--op", "i")[0], ["inverse"])
        self.assertEqual(self.bash("gecc", "verify", "--id", ""), ([], False))
        for words in (["--completion", ""], ["--completion", "="], ["--completion", "=", ""]):
            self.assertEqual(self.bash("gecc", *words), (list(SHELLS), False))
        self.assertEqual(self.bash("gecc", "--completion", "f"), (["fish"], False))
        for words in (["verify", ""], ["verify", "-o", ""], ["sign", "--key-file", "k"], ["verify", "--curve", "SM2", "ro"]):
            self.assertEqual(self.bash("gecc", *words), ([], True), words)

    def test_bash_itself(self):
        """In an interactive bash, by its own key."""
        if not shutil.which("script"):
            self.skipTest("script is not installed")
        try:
            for end in os.openpty():
                os.close(end)
        except OSError as error:
            self.skipTest(f"there is no terminal to be had: {error}")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rc").write_text(self.script("bash") + f"PS1='$ '\nalias gecc={TOOL}\n")
            done = subprocess.run(["script", "-qec", f"bash --noprofile --rcfile {folder}/rc -i", "/dev/null"],
                                  input=b"gecc ver\t--curve P-38\t--help\nexit\n",
                                  capture_output=True, timeout=60)  # fmt: skip
            self.assertIn(b"gecc verify --curve P-384 --help", done.stdout)
            self.assertIn(b"gecc verify: check signatures", done.stdout)

    def test_others(self):
        for shell in ("zsh", "fish"):
            if not shutil.which(shell):
                continue
            done = subprocess.run([shell, "-n", "/dev/stdin"], input=self.script(shell), text=True, capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("fish"):
            done = subprocess.run(["fish", "-c", self.script("fish") + "complete -C 'gecc verify --curve P-5'"], text=True, capture_output=True, timeout=60)
            self.assertIn("P-521", done.stdout)


if __name__ == "__main__":
    unittest.main()
