"""Files, pipes, exit statuses, memory; the command line itself.

Test: fast; threads
"""

import os
import stat
import subprocess
import sys
import time
import unittest
from random import Random

from support import TOOL, ToolTest

SEED = int(os.environ.get("GECC_TEST_SEED", 1))
ROWS = b"msg,n\n" + b"".join(b"%04x,%d\n" % (i, i) for i in range(1000))


class Files(ToolTest):
    def test_input_and_output(self):
        source, target = self.folder / "in.csv", self.folder / "out.csv"
        source.write_bytes(ROWS)
        expected = self.run_tool("digest", stdin=ROWS, status=0).stdout
        for arguments in (["-o", target, source], [source, "--output", target], [f"--output={target}", "--", source]):
            done = self.run_tool("digest", *arguments, status=0)
            self.assertEqual((done.stdout, target.read_bytes()), (b"", expected))
            target.unlink()
        self.assertEqual(self.run_tool("digest", "-", "-o", "-", stdin=ROWS, status=0).stdout, expected)

    def test_trouble(self):
        source = self.folder / "in.csv"
        source.write_bytes(ROWS)
        self.assertIn(b"No such file", self.run_tool("digest", self.folder / "none.csv", status=2).stderr)
        self.run_tool("digest", self.folder, status=2)
        self.run_tool("digest", source, "-o", self.folder / "no" / "folder", status=2)
        done = self.run_tool("digest", source, "-o", source, status=2)
        self.assertIn(b"is the input", done.stderr)
        self.assertEqual(source.read_bytes(), ROWS)

    def test_full_device(self):
        done = self.run_tool("digest", "-o", "/dev/full", stdin=ROWS, status=2)
        self.assertIn(b"No space left", done.stderr)

    def test_secret_output_is_private(self):
        target = self.folder / "out.csv"
        self.run_tool("sign", "--curve", "P-256", "-o", target, stdin="priv,digest\n05," + "02" * 32, status=0)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode) & 0o077, 0)


class Statuses(ToolTest):
    def test_exit_statuses(self):
        self.run_tool("digest", stdin="msg,n\n00,1\n", status=0)
        self.run_tool("digest", stdin="msg,n\n0,1\n", status=1)
        self.run_tool("digest", stdin="n\n0\n", status=2)

    def test_command_line(self):
        for arguments in (
            [], ["nothing"], ["--nothing"], ["verify", "--nothing"], ["verify", "--curve"], ["verify", "--curve", "P-1"],
            ["verify", "--quiet=1"], ["verify", "a", "b"], ["devices", "a"], ["sign", "--low-s", "--no-low-s"],
            ["verify", "--threads", "-1"], ["verify", "--threads", ""], ["verify", "--threads", "9" * 30],
            ["mod", "--bits", "100"], ["verify", "--backend", "abacus"], ["sign", "--hash", "md5"], ["add", "--low-s"],
        ):  # fmt: skip
            done = self.run_tool(*arguments, status=2)
            self.assertEqual(done.stdout, b"", arguments)
            self.assertTrue(done.stderr, arguments)

    def test_backend_that_is_not_there(self):
        rows = self.run_tool("devices", status=0).stdout.decode().splitlines()
        if any("cuda" in row and " yes " in row for row in rows):
            self.skipTest("there is a GPU here")
        done = self.run_tool("digest", "--backend", "cuda", stdin=ROWS, status=2)
        self.assertEqual(done.stdout, b"")
        self.assertIn(b"backend cuda: ", done.stderr)

    def test_code_that_is_not_there(self):
        done = self.run_tool("digest", stdin=ROWS, status=2, env={"GECC_CPU": "abacus"})
        self.assertRegex(done.stderr, b"GECC_CPU=abacus: .* it may be .*portable-c, portable or left out")

    def test_who_computes_on_the_cpu_hears_of_no_gpu(self):
        done = self.run_tool("digest", stdin=ROWS, status=0)
        if b" on cpu " not in done.stderr:
            self.skipTest("there is a GPU here")
        self.assertNotIn(b"cuda", done.stderr)
        self.assertIn(b"cuda", self.run_tool("digest", "--backend", "auto", stdin=ROWS, status=0).stderr)

    def test_help_and_version(self):
        commands = ["verify", "sign", "recover", "pubkey", "ecdh", "mul", "add", "keygen", "mod", "digest", "encrypt", "decrypt", "devices",
                    "selftest", "demo", "bench"]  # fmt: skip
        text = self.run_tool("--help", status=0).stdout.decode()
        for command in commands:
            self.assertIn(f"\n  {command}\n", text)
            page = self.run_tool(command, "--help", status=0).stdout.decode()
            self.assertTrue(page.startswith(f"gecc {command}: "))
            self.assertIn("--help", page)
        self.assertRegex(self.run_tool("--version", status=0).stdout.decode(), r"^gecc \d+\.\d+\.\d+\n$")

    def test_summary_and_quiet(self):
        done = self.run_tool("digest", stdin="msg,n\n00,1\n0,2\n", status=1)
        self.assertRegex(done.stderr.decode(), r"gecc digest: 2 rows: 1 ok, 1 malformed; .* rows/s\n.* on cpu \(.*\)")
        done = self.run_tool("digest", "--quiet", stdin="msg,n\n00,1\n0,2\n", status=1)
        self.assertEqual(done.stderr, b"")


class Pipes(ToolTest):
    def start(self, *arguments):
        process = subprocess.Popen([TOOL, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)  # fmt: skip
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(self.close, process.stdin)
        return process

    @staticmethod
    def close(pipe):
        try:
            pipe.close()
        except BrokenPipeError:
            pass

    def test_rows_come_out_before_the_input_ends(self):
        process = self.start("digest")
        process.stdin.write(b"msg,n\n00,1\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"msg,n,status,reason,line,digest\n")
        self.assertTrue(process.stdout.readline().startswith(b"00,1,ok,,,6e34"))
        process.stdin.write(b"01,")
        process.stdin.flush()
        time.sleep(0.1)
        process.stdin.write(b"2\n")
        process.stdin.flush()
        self.assertTrue(process.stdout.readline().startswith(b"01,2,ok,,,4bf5"))
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)

    def test_closed_output(self):
        process = self.start("digest")
        process.stdout.close()
        with self.assertRaises(BrokenPipeError):
            process.stdin.write(b"msg,n\n" + b"00,1\n" * 1000000)
        self.assertEqual(process.wait(timeout=60), 2)
        self.assertEqual(process.stderr.read(), b"")

    def test_closed_output_while_the_input_stays_open(self):
        process = self.start("digest")
        process.stdout.close()
        process.stdin.write(b"msg,n\n00,1\n")
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=60), 2)
        self.assertEqual(process.stderr.read(), b"")
        process.stdin.close()

    def test_help_that_cannot_be_written(self):
        for arguments in (["--help"], ["verify", "--help"], ["devices"]):
            with open("/dev/full", "wb") as full:
                self.assertEqual(subprocess.run([TOOL, *arguments], stdout=full).returncode, 2)

    def test_tiny_pieces(self):
        process = self.start("digest")
        text = b'msg,n\r\n00,"a\r\n""b"\r\n01,2\r\n'
        for i in range(len(text)):
            process.stdin.write(text[i : i + 1])
            process.stdin.flush()
            time.sleep(0.03)
        process.stdin.close()
        lines = process.stdout.read()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(lines.count(b",ok,,,"), 2)


class Batches(ToolTest):
    """What comes out does not depend on where batches end, nor on how many threads there are."""

    PIECES = {
        "csv": ["00", "616263", ",", ",x", '"', '""', '","', '"a\n""b"', "\n", "\n", "\n00,1\n", "\r\n", ",\n", "zz"],
        "jsonl": ['{"msg":"00"}\n', '{"msg":"616263","n":[1,"\\n"]}\n', "\n", "{", "}", '"', ":", '{"msg":1}\n', "\r\n"],
        "raw": ["abcd", "\n", '"', "xyz"],
    }

    def test_batches_and_threads(self):
        random = Random(SEED)
        for form, pieces in self.PIECES.items():
            text = "".join(random.choices(pieces, k=4000))
            path = self.folder / f"rows.{form}"
            path.write_text(("msg,n\n" if form == "csv" else "") + text, newline="")
            options = ["--msg-bytes", "4"] if form == "raw" else []
            results = set()
            for batch, threads in ((1, 1), (2, 3), (7, 2), (100, 4), (100000, 2)):
                run = subprocess.run(
                    [TOOL, "digest", "-q", "--format", form, *options, "--batch", str(batch), "--threads", str(threads), path],
                    capture_output=True,
                    check=False,
                )
                results.add((run.returncode, run.stdout, run.stderr))
            self.assertEqual(len(results), 1, f"{form}, seed {SEED}")


# A process's peak includes that of the one it was forked from: a fresh interpreter is small.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class Memory(ToolTest):
    def test_memory_is_bounded(self):
        """Three times the rows take no more memory, once there are many more than five batches hold: those of two workers and a
        caller, and two more."""

        def peak(count):
            rows = (b"00" * 100 + b",some text that passes through\n") * 1000
            with open(self.folder / "rows.csv", "wb") as file:
                file.write(b"msg,n\n")
                for _ in range(count // 1000):
                    file.write(rows)
            command = [TOOL, "digest", self.folder / "rows.csv", "-o", "/dev/null", "-q", "--threads", "2"]
            return int(subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, check=True).stdout)

        few, many = peak(400000), peak(1200000)
        self.assertLess(many, few * 1.2 + 4096)


if __name__ == "__main__":
    unittest.main()
