"""Names of files, and what else is quoted, command no terminal: each message is one line without control characters.

Test: fast
"""

import json
import signal
import subprocess
import time
import unittest

from bitcoin import ALL, WitnessKeyHash, build
from support import TOOL, ToolTest, generator
from test_inputs import KEYS

COMMANDS_A_TERMINAL = "\x1b[31m\u202e\x07"


class Escapes(ToolTest):
    def setUp(self):
        super().setUp()
        self.path = self.folder / f"a{COMMANDS_A_TERMINAL}b"

    def check(self, said, words):
        self.assertIn(words, said)
        self.assertIn(rb"\x1b[31m", said)
        self.assertNotRegex(said.decode(), "[\x00-\x09\x0b-\x1f\u202e]")

    def said(self, *arguments):
        return self.run_tool(*arguments).stderr

    def test_names_of_inputs(self):
        record = build(generator("messages"), [WitnessKeyHash(KEYS[0])], [[ALL]])[0].record()
        self.path.write_text(json.dumps(record | {"txid": "00" * 32}) + "\n")
        self.check(self.said("inputs", self.path), b"txid: it says")
        self.path.write_text(json.dumps({"own": 5000 * "x"} | record) + "\n")
        self.check(self.said("inputs", self.path), b"longer than 4096 bytes")
        self.path.write_text("[]\n")
        self.check(self.said("senders", self.path), b"there is no transaction in it")

    def test_key_files(self):
        subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-out", self.path], check=True)
        self.path.chmod(0o644)
        self.check(self.said("sign", "--key-file", self.path, "/dev/null"), b"its mode 0644 lets every user read")

    def test_names_of_benchmarks(self):
        self.check(self.said("bench", "--op", "x" + COMMANDS_A_TERMINAL), b"no operation")

    def test_what_a_signal_leaves(self):
        arguments = [TOOL, "digest", "-o", self.path]
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(b"msg\n00\n")
            process.stdin.flush()
            while not list(self.folder.glob("*.partial")):
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            self.check(process.stderr.read(), b"not whole")


if __name__ == "__main__":
    unittest.main()
