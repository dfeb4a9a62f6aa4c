"""Files that several workers read, each ranges of it: their rows, line numbers and messages are those of the same bytes from a pipe.

Test: fast
"""

import os
import re
import subprocess
import time
import unittest
from random import Random

from support import TOOL, ToolTest

SEED = int(os.environ.get("GECC_TEST_SEED", 1))
ROWS = 60000  # some batches of 16384


def csv(rows):
    return b"msg,n\n" + b"".join(rows)


def plain(first, count, width=16):
    return [b"%0*x,%d\n" % (2 * width, i, i) for i in range(first, first + count)]


class Ranges(ToolTest):
    def compare(self, command, data, status, name="rows"):
        path = self.folder / name
        path.write_bytes(data)
        piped = self.run_tool(*command, stdin=data, status=status)
        read = self.run_tool(*command, path, status=status)
        if read.stdout != piped.stdout:  # which are too long to be shown
            lines = zip(read.stdout.split(b"\n"), piped.stdout.split(b"\n"))
            self.fail(next(((n, a[:200], b[:200]) for n, (a, b) in enumerate(lines) if a != b), "one is shorter"))
        names = str(path).encode(), b"standard input"
        said = [re.sub(rb"; [\d.]+ s.*| on cpu .*", b"", done.stderr.replace(name, b"INPUT")) for done, name in zip((read, piped), names)]
        self.assertEqual(*said)
        return read

    def test_plain_rows(self):
        done = self.compare(["digest"], csv(plain(0, ROWS)), 0)
        self.assertEqual(done.stdout.count(b"\n"), ROWS + 1)
        self.compare(["digest"], csv(plain(0, ROWS))[:-1], 0)  # the last line does not end
        self.compare(["digest"], csv(row.replace(b"\n", b"\r\n") for row in plain(0, ROWS)), 0)

    def test_json_lines(self):
        rows = [b'{"msg":"%032x","n":"\\"%d"}\n' % (i, i) for i in range(ROWS)]
        rows[40000] = b"{broken\n"
        done = self.compare(["digest"], b"".join(rows), 1)
        self.assertIn(b"line 40001: ", done.stderr)

    def test_quotation_marks_anywhere(self):
        random = Random(SEED)
        for place in (1, 16384, 20000, random.randrange(ROWS)):
            rows = plain(0, ROWS)
            rows[place] = b'00,"a\n""b""\n,\r\n"\n'
            rows[place + 100:place + 100] = [b"0\n", b"\n"]
            with self.subTest(place):
                done = self.compare(["digest"], csv(rows), 1)
                self.assertIn(b"line %d: fewer fields" % (place + 105), done.stderr)

    def test_a_mark_that_does_not_close(self):
        rows = plain(0, ROWS)
        rows[50000] = b'00,"a\n'
        done = self.compare(["digest"], csv(rows), 2)
        self.assertIn(b"nothing after line 50002 is read", done.stderr)

    def test_lines_that_grow_shorter_and_longer(self):
        rows = plain(0, ROWS, 64) + plain(0, 3 * ROWS, 1) + [b"\n"] * ROWS + plain(0, ROWS, 300) + plain(0, ROWS, 2)
        rows += [b"0\n"]
        done = self.compare(["digest"], csv(rows), 1)
        self.assertIn(b"line %d: fewer fields" % (7 * ROWS + 2), done.stderr)

    def test_shorter_lines_before_a_long_one(self):
        """A range with more records than a batch, and a long one at its end: it gets no shorter by being tried again."""
        rows = [b"%0*x,%06d\n" % (width, i, i) for i, width in enumerate([92] * 3000 + [80] * 14023 + [299992] + [92] * 21660)]
        self.compare(["digest"], csv(rows), 0)

    def test_records_that_are_too_long(self):
        for width in (2 << 20, 17 << 20):
            rows = plain(0, ROWS)
            rows[30000] = b"00" * (width // 2) + b",long\n"
            rows[31000] = b"0\n"
            with self.subTest(width):
                done = self.compare(["digest"], csv(rows), 1)
                self.assertIn(b"line 31002: fewer fields", done.stderr)

    def test_raw_rows(self):
        data = Random(SEED).randbytes(64 * ROWS)
        command = ["digest", "--format", "raw", "--msg-bytes", "64"]
        done = self.compare(command, data, 0)
        self.assertEqual(len(done.stdout), 33 * ROWS)
        done = self.compare(command, data + b"\0", 1)
        self.assertIn(b"row %d: the input ends inside it" % (ROWS + 1), done.stderr)

    def test_input_that_is_open_already(self):
        path, data = self.folder / "rows", csv(plain(0, ROWS))
        path.write_bytes(b"skipped" + data)
        with open(path, "rb") as file:
            file.seek(7)
            done = subprocess.run([TOOL, "digest", "-q"], stdin=file, capture_output=True, check=True)
        self.assertEqual(done.stdout, self.run_tool("digest", stdin=data, status=0).stdout)

    def test_a_file_that_shrinks(self):
        """Its rows are those before where it ends now, or fewer, and an error says so."""
        path = self.folder / "rows"
        for name, data, options in (("raw", bytes(64) * 20 * ROWS, ["--format", "raw", "--msg-bytes", "64"]), ("csv", csv(plain(0, 20 * ROWS)), [])):
            path.write_bytes(data)
            with self.subTest(name):
                process = subprocess.Popen([TOOL, "digest", *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                head = process.stdout.read(1 << 20)
                time.sleep(0.3)  # what has no room in the pipe waits
                os.truncate(path, len(data) - 1000)
                output, error = process.stdout.read(), process.stderr.read()
                self.assertEqual(process.wait(timeout=60), 2, error)
                process.stdout.close()
                process.stderr.close()
                self.assertIn(b"it became shorter while it was read", error)
                path.write_bytes(data)
                whole = self.run_tool("digest", *options, path, status=0).stdout
                self.assertTrue(whole.startswith(head + output))
                self.assertLess(len(head + output), len(whole))

    def test_a_file_that_grows_is_read_to_its_end(self):
        path, rows = self.folder / "rows", plain(0, 20 * ROWS)
        path.write_bytes(csv(rows))
        process = subprocess.Popen([TOOL, "digest", "-q", path], stdout=subprocess.PIPE)
        head = process.stdout.read(1 << 20)
        with open(path, "ab") as file:
            file.write(b"00,more\n")
        output = process.stdout.read()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()
        self.assertEqual((head + output).count(b"\n"), 20 * ROWS + 2)

    def test_the_output_ends_early(self):
        path = self.folder / "rows"
        path.write_bytes(csv(plain(0, 20 * ROWS)))
        process = subprocess.Popen([TOOL, "digest", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(100)
        process.stdout.close()
        self.assertEqual((process.wait(timeout=60), process.stderr.read()), (2, b""))
        process.stderr.close()
        done = self.run_tool("digest", "-o", "/dev/full", path, status=2)
        self.assertIn(b"No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
