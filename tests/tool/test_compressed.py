"""Input in gzip and zstd, whole and broken.

Test: fast
"""

import gzip
import hashlib
import os
import shutil
import signal
import subprocess
import time
import unittest
import zlib

from support import TOOL, ToolTest

TEXTS = {"csv": b"msg,n\n" + b"".join(b"%02x,%d\n" % (n % 251, n) for n in range(60000)),
         "jsonl": b"".join(b'{"msg":"%02x","n":%d}\n' % (n % 251, n) for n in range(30000))}  # fmt: skip


def zstd(data, *options):
    return subprocess.run(["zstd", "-qc", *options], input=data, capture_output=True, check=True).stdout


def forms(text):
    """Every way in which these tests write a text, by name."""
    half = len(text) // 2
    yield "gzip", gzip.compress(text)
    yield "members", gzip.compress(text[:half]) + gzip.compress(b"") + gzip.compress(text[half:])
    yield "padded", gzip.compress(text) + bytes(700)
    yield "stored", gzip.compress(text, compresslevel=0)
    if shutil.which("zstd"):
        yield "zstd", zstd(text)
        yield "frames", zstd(text[:half]) + zstd(b"") + zstd(text[half:], "-19", "--no-check")
        yield "skippable", zstd(text) + b"\x50\x2a\x4d\x18\x03\0\0\0abc"


class Compressed(ToolTest):
    def test_the_same_rows(self):
        for form, text in TEXTS.items():
            plain = self.run_tool("digest", stdin=text, status=0).stdout
            for name, data in forms(text):
                with self.subTest(form=form, name=name):
                    self.assertEqual(self.run_tool("digest", stdin=data, status=0).stdout, plain)

    def test_names(self):
        """An ending says how a file is compressed, the one before it what it holds."""
        for form, text in TEXTS.items():
            for name, data in forms(text[: text.index(b"\n", 1000) + 1]):
                path = self.folder / f"rows.{form}.{'gz' if data[:1] == bytes([0x1f]) else 'zst'}"
                path.write_bytes(data)
                with self.subTest(form=form, name=name):
                    out = self.run_tool("digest", path, "-o", self.folder / "out", status=0)
                    self.assertIn(b" rows", out.stderr)
                    self.assertEqual((self.folder / "out").read_bytes(),
                                     self.run_tool("digest", stdin=data, status=0).stdout)  # fmt: skip

    def test_raw_rows(self):
        """They may begin with any bytes: a name alone says that they are compressed."""
        rows = bytes(range(64)) * 500
        plain = self.run_tool("digest", "--format", "raw", stdin=rows, status=0).stdout
        for name, data in forms(rows):
            path = self.folder / f"rows.raw.{'gz' if data[:1] == bytes([0x1f]) else 'zst'}"
            path.write_bytes(data)
            self.assertEqual(self.run_tool("digest", path, status=0).stdout, plain, name)
        self.run_tool("digest", "--format", "raw", "--msg-bytes", 1, stdin=gzip.compress(rows), status=0)

    def test_other_commands(self):
        text = b'{"raw":"00"}\n'
        plain = self.run_tool("inputs", stdin=text, status=1).stdout
        for name, data in forms(text):
            self.assertEqual(self.run_tool("inputs", stdin=data, status=1).stdout, plain, name)
            done = self.run_tool("inputs", stdin=data[:-1] if name in ("gzip", "zstd") else data + b"x", status=2)
            self.assertIn(b"standard input: " + (b"gzip" if data[0] == 0x1F else b"zstd"), done.stderr)

    def test_transactions(self):
        """Lines, JSON and blocks; what is broken is named, whatever was being read."""
        # Long ones, so that few rows fill the buffers: a block is a list of one transaction, a list of 400 bytes.
        long = b"00" * 400
        block = b"\xf9\x01\x96" + b"\xf9\x01\x93" + b"\xb9\x01\x90" + bytes(400)
        one, two = b'{"raw":"00"}', b'{"raw":"01"}'
        for text in ((long + b"\n") * 200, b"0", b"raw\n" + b"00\n" * 9, (b'{"raw":"' + long + b'"}\n') * 200,
                     b"[" + one + b",\n" + two + b"]", block * 400):  # fmt: skip
            plain = self.run_tool("senders", stdin=text, status=1).stdout
            for name, data in forms(text):
                self.assertEqual(self.run_tool("senders", stdin=data, status=1).stdout, plain, name)
                if name in ("gzip", "zstd"):
                    for broken in (data[:-1], data[: len(data) // 2], data + b"garbage"):
                        done = self.run_tool("senders", stdin=broken, status=2)
                        self.assertIn(b"standard input: " + (b"gzip: " if data[0] == 0x1F else b"zstd: "), done.stderr)
        path = self.folder / "blocks.rlp"
        path.write_bytes(gzip.compress(block))
        self.run_tool("senders", path, "-o", self.folder / "out", status=1)
        self.assertIn(b"is the input", self.run_tool("senders", path, "-o", path, status=2).stderr)

    def test_empty(self):
        for name, data in forms(b""):
            self.assertIn(b"it is empty", self.run_tool("digest", stdin=data, status=2).stderr, name)
            self.assertEqual(self.run_tool("digest", "--allow-empty", stdin=data, status=0).stdout, b"", name)

    def test_broken(self):
        """Every error names the input, and no file gets its name."""
        text = TEXTS["csv"]
        for name, data in forms(text):
            kind = b"gzip" if data[0] == 0x1F else b"zstd"
            flipped = bytearray(data)
            flipped[len(data) // 3] ^= 0x10
            cases = {"half": data[: len(data) // 2], "garbage": data + b"garbage", "head": data[:9]}
            if name in ("gzip", "zstd"):
                cases["last byte"] = data[:-1]
            if name in ("gzip", "zstd", "members"):
                cases["a bit"] = bytes(flipped)
            if name == "skippable":
                cases.pop("half")
            for case, broken in cases.items():
                path, out = self.folder / "rows.csv.gz", self.folder / "out.csv"
                path.write_bytes(broken)
                with self.subTest(name=name, case=case):
                    done = self.run_tool("digest", path, "-o", out, status=2)
                    self.assertIn(b"rows.csv.gz: " + kind + b": ", done.stderr)
                    self.assertFalse(out.exists())
                    partials = list(self.folder.glob("out.csv.*.partial"))
                    if case == "garbage":
                        self.assertEqual(partials[0].read_bytes(), self.run_tool("digest", stdin=text, status=0).stdout)
                    for partial in partials:
                        partial.unlink()

    def test_the_checksum_counts(self):
        data = bytearray(gzip.compress(TEXTS["csv"]))
        data[-8] ^= 1
        done = self.run_tool("digest", stdin=bytes(data), status=2)
        self.assertIn(b"gzip: incorrect data check", done.stderr)
        # The rows before it were decompressed and computed.
        self.assertEqual(done.stdout.splitlines()[1].split(b",")[5].decode(), hashlib.sha256(b"\0").hexdigest())

    def test_every_cut_is_seen(self):
        for name, data in forms(b"msg\n00\n01\n"):
            if name not in ("gzip", "stored", "members", "zstd"):
                continue
            for end in range(12, len(data)):
                done = self.run_tool("digest", "-q", stdin=data[:end])
                whole = name == "members" and gzip_whole(data[:end])
                self.assertEqual(done.returncode != 2, whole, (name, end))

    def test_compressed_twice(self):
        done = self.run_tool("digest", stdin=gzip.compress(gzip.compress(TEXTS["csv"])), status=2)
        self.assertIn(b"gzip -dc", done.stderr)

    def test_without_the_library(self):
        for library, words in (("libz.so.1", b"(Debian: zlib1g)"), ("libzstd.so.1", b"(Debian: libzstd1)")):
            (self.folder / library).write_bytes(b"no library" * 100)
        env = {**os.environ, "LD_LIBRARY_PATH": f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
        for name, data in forms(b"msg\n00\n"):
            words = b"(Debian: zlib1g)" if data[0] == 0x1F else b"(Debian: libzstd1)"
            self.assertIn(words, self.run_tool("digest", stdin=data, status=2, env=env).stderr, name)
        self.run_tool("digest", stdin=b"msg\n00\n", status=0, env=env)

    def test_the_input_is_not_the_output(self):
        path = self.folder / "rows.csv"
        path.write_bytes(gzip.compress(TEXTS["csv"]))
        done = self.run_tool("digest", path, "-o", path, status=2)
        self.assertIn(b"is the input", done.stderr)


class Interruptions(ToolTest):
    def start(self, *arguments):
        return subprocess.Popen([TOOL, "digest", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)  # fmt: skip

    def begin(self, process, codec=31):
        """Rows of which more could follow."""
        stream = zlib.compressobj(wbits=codec)
        process.stdin.write(stream.compress(TEXTS["csv"]) + stream.flush(zlib.Z_SYNC_FLUSH))
        process.stdin.flush()
        return stream

    def test_a_signal_while_the_input_is_silent(self):
        out = self.folder / "out.csv"
        process = self.start("-o", str(out))
        self.begin(process)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        self.assertFalse(out.exists())
        self.assertEqual(len(list(self.folder.glob("out.csv.*.partial"))), 1)
        process.communicate()

    def test_rows_come_while_the_input_is_silent(self):
        process = self.start()
        stream = self.begin(process)
        header = process.stdout.readline()
        self.assertEqual(header, b"msg,n,status,reason,line,digest\n")
        rows = [process.stdout.readline() for _ in range(1000)]
        self.assertTrue(all(b",ok," in row for row in rows))
        process.stdin.write(stream.flush())
        process.stdin.close()
        self.assertEqual(len(process.stdout.read().splitlines()), 59000)
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()
        process.stderr.close()

    def test_nobody_reads_the_output(self):
        process = self.start()
        process.stdout.close()
        try:
            self.begin(process)
        except BrokenPipeError:
            pass
        self.assertEqual(process.wait(20), 2)
        process.stderr.close()
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass

    def test_a_reader_that_stops_early(self):
        """The rows are refused before what was decompressed is read."""
        text = b"nothing\n" + b"00\n" * 3000000
        done = self.run_tool("digest", stdin=gzip.compress(text), status=2)
        self.assertIn(b"msg", done.stderr)


def gzip_whole(data):
    try:
        gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return False
    return True


if __name__ == "__main__":
    unittest.main()
