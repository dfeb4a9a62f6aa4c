"""Files that -o names: whole, or as they were; private where there are secrets."""

import os
import resource
import signal
import stat
import subprocess
import time
import unittest

from support import TOOL, ToolTest

ROWS = b"msg,n\n" + b"".join(b"%04x,%d\n" % (i, i) for i in range(1000))
SECRETS = "priv,digest\n05," + "02" * 32


class Modes(ToolTest):
    def mode(self, path):
        return stat.S_IMODE(path.stat().st_mode)

    def test_secrets_are_private_in_a_file_that_was_there(self):
        target = self.folder / "out.csv"
        target.write_text("old")
        for mode in (0o666, 0o644, 0o777):
            target.chmod(mode)
            self.run_tool("sign", "--curve", "P-256", "-o", target, stdin=SECRETS, status=0)
            self.assertEqual(self.mode(target), 0o600)

    def test_also_where_a_partial_one_was_there(self):
        partial, target = self.folder / "out.csv.partial", self.folder / "out.csv"
        partial.write_text("old")
        partial.chmod(0o666)
        self.run_tool("sign", "--curve", "P-256", "-o", target, stdin=SECRETS, status=0)
        self.assertEqual((self.mode(target), partial.exists()), (0o600, False))

    def test_others_keep_their_mode(self):
        target = self.folder / "out.csv"
        target.write_text("old")
        target.chmod(0o640)
        self.run_tool("digest", "-o", target, stdin=ROWS, status=0)
        self.assertEqual(self.mode(target), 0o640)

    def test_links_are_followed(self):
        target, link = self.folder / "out.csv", self.folder / "link"
        target.write_text("old")
        link.symlink_to(target)
        self.run_tool("digest", "-o", link, stdin=ROWS, status=0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_bytes().count(b"\n"), 1001)

    def test_what_is_no_file_is_written_as_it_is(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
            self.run_tool("digest", "-o", fifo, stdin=ROWS, status=0)
            self.assertEqual(reader.stdout.read().count(b"\n"), 1001)
        self.assertEqual(os.listdir(self.folder), ["fifo"])


class Partial(ToolTest):
    def setUp(self):
        super().setUp()
        self.target, self.partial = self.folder / "out.csv", self.folder / "out.csv.partial"
        self.target.write_text("old")

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = subprocess.Popen([TOOL, "digest", "-o", self.target], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(ROWS)
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while not self.partial.exists() or self.partial.read_bytes().count(b"\n") < 1001:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            process.send_signal(number)
            errors = process.stderr.read()
            self.assertEqual(process.wait(timeout=60), -number)
            process.stdin.close()
            process.stderr.close()
            self.assertIn(b"out.csv.partial: not whole", errors)
            self.assertIn(b"the first 1000 rows", errors)
            self.assertEqual(self.target.read_text(), "old")
            self.partial.unlink()

    def test_a_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        done = subprocess.run([TOOL, "digest", "--batch", "100", "-o", self.target], input=ROWS, capture_output=True,
                              preexec_fn=limit)  # fmt: skip
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(self.target.read_text(), "old")
        lines = self.partial.read_bytes().split(b"\n")
        self.assertEqual((lines[-1], (len(lines) - 2) % 100), (b"", 0))
        self.assertIn(b"the first %d rows" % (len(lines) - 2), done.stderr)
        self.assertGreater(len(lines), 102)

    def test_input_that_cannot_be_read(self):
        self.run_tool("digest", "-o", self.target, stdin="n\n1\n", status=2)
        self.assertEqual(self.target.read_text(), "old")

    def test_the_input_is_not_overwritten(self):
        for name in ("out.csv", "out.csv.partial"):
            source = self.folder / name
            source.write_bytes(ROWS)
            self.assertIn(b"is the input", self.run_tool("digest", "-o", self.target, source, status=2).stderr)
            self.assertEqual(source.read_bytes(), ROWS)

    def test_other_commands(self):
        for command, text in (("senders", b"00\n"), ("inputs", b'{"raw":"00"}\n')):
            self.run_tool(command, "-o", self.target, stdin=text, status=1)
            self.assertIn(b"malformed", self.target.read_bytes())
            self.assertFalse(self.partial.exists())


if __name__ == "__main__":
    unittest.main()
