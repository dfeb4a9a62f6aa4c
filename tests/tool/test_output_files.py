"""Files that -o names: whole, or as they were; each run's own until it is whole; private where there are secrets.

Test: fast
"""

import os
import resource
import signal
import stat
import subprocess
import time
import unittest
from pathlib import Path

from support import P256, TOOL, ToolTest

ROWS = b"msg,n\n" + b"".join(b"%04x,%d\n" % (i, i) for i in range(1000))
POINT, DIGEST = P256.encode(P256.g), "02" * 32

# Every command that writes a file: its options, its input, whether secrets are in it, and its exit status.
SECRET = {
    "keygen": (["--curve", "P-256"], "", 0),
    "sign": (["--curve", "P-256"], f"priv,digest\n05,{DIGEST}\n", 0),
    "pubkey": (["--curve", "P-256"], "priv\n05\n", 0),
    "ecdh": (["--curve", "P-256"], f"priv,peer\n05,{POINT}\n", 0),
    "mul": (["--curve", "P-256"], f"scalar,point\n05,{POINT}\n", 0),
    "mod": (["--op", "mul"], "a,b,modulus\n02,03,07\n", 0),
}
PUBLIC = {
    "verify": (["--curve", "P-256"], f"pub,digest,sig\n{POINT},{DIGEST},{'01' * 64}\n", 1),
    "recover": (["--curve", "P-256"], f"digest,sig,recid\n{DIGEST},{'01' * 64},9\n", 1),
    "add": (["--curve", "P-256"], f"a,b\n{POINT},{POINT}\n", 0),
    "digest": ([], "msg\n00\n", 0),
    "senders": ([], "00\n", 1),
    "inputs": ([], "raw,prevouts\n00,\n", 1),
}
COMMANDS = {**SECRET, **PUBLIC}


class OutputTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.target = self.folder / "out.csv"
        self.addCleanup(os.umask, os.umask(0o022))

    def write(self, command, target, **named):
        options, text, status = COMMANDS[command]
        return self.run_tool(command, *options, "-q", "-o", target, stdin=text, status=status, **named)

    def partials(self, folder=None):
        return sorted((folder or self.folder).glob("out.csv.*.partial"))

    def expect_rows(self, path):
        self.assertGreaterEqual(path.read_bytes().count(b"\n"), 1)
        self.assertNotIn(b"old", path.read_bytes())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


class Modes(OutputTest):
    def test_secrets_are_private_in_a_file_that_was_there(self):
        """Whoever has the old file open reads nothing of the new one."""
        for command in SECRET:
            for before in (0o666, 0o644, 0o777, None):
                with self.subTest(command=command, before=before):
                    self.target.unlink(missing_ok=True)
                    if before is None:
                        self.write(command, self.target)
                    else:
                        self.target.write_text("old")
                        self.target.chmod(before)
                        with self.target.open() as reader:
                            self.write(command, self.target)
                            self.assertEqual(reader.read(), "old")
                    self.assertEqual(mode(self.target), 0o600)
                    self.expect_rows(self.target)

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "not run: no /dev/shm to write to")
    def test_also_in_memory(self):
        """/dev/shm is a folder like others, though its name begins with /dev."""
        target = Path(f"/dev/shm/gecc-test-{os.getpid()}")
        self.addCleanup(target.unlink)
        for command in SECRET:
            target.write_text("old")
            target.chmod(0o644)
            with target.open() as reader:
                self.write(command, target)
                self.assertEqual(reader.read(), "old")
            self.assertEqual(mode(target), 0o600)

    def test_while_it_is_written(self):
        for arguments, private in ((["sign", "--curve", "P-256"], True), (["digest"], False)):
            with self.subTest(arguments):
                self.target.unlink(missing_ok=True)
                with subprocess.Popen([TOOL, *arguments, "-q", "-o", self.target], stdin=subprocess.PIPE) as process:
                    process.stdin.write((f"priv,digest\n05,{DIGEST}\n" if private else "msg\n00\n").encode())
                    process.stdin.flush()
                    deadline = time.monotonic() + 60
                    while not self.partials():
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.01)
                    self.assertEqual(mode(self.partials()[0]) & 0o077 == 0, private)
                    process.stdin.close()
                    self.assertEqual(process.wait(60), 0)
                self.assertEqual(self.partials(), [])

    def test_others_keep_their_mode(self):
        for command in PUBLIC:
            for before in (0o640, 0o600, 0o664):
                self.target.write_text("old")
                self.target.chmod(before)
                self.write(command, self.target)
                self.assertEqual(mode(self.target), before)
                self.expect_rows(self.target)


    def test_a_new_one_is_for_whom_the_caller_lets(self):
        for command in PUBLIC:
            for mask in (0, 0o022, 0o027, 0o077):
                os.umask(mask)
                self.target.unlink(missing_ok=True)
                self.write(command, self.target)
                self.assertEqual(mode(self.target), 0o666 & ~mask)


class Planted(OutputTest):
    """Whatever somebody made before under a name that might be written is neither read nor written."""

    def test_files_links_and_pipes(self):
        other, partial = self.folder / "other", self.folder / "out.csv.partial"
        plants = {
            "file": lambda: partial.write_text("precious"),
            "link": lambda: partial.symlink_to(other),
            "dangling": lambda: partial.symlink_to(self.folder / "nothing"),
            "hard link": lambda: partial.hardlink_to(other),
            "pipe": lambda: os.mkfifo(partial, 0o666),
            "folder": partial.mkdir,
        }
        for command in COMMANDS:
            for name, plant in plants.items():
                with self.subTest(command=command, plant=name):
                    other.write_text("precious")
                    plant()
                    before = partial.lstat()
                    self.write(command, self.target)
                    self.assertEqual(partial.lstat()[:2], before[:2])
                    if partial.is_file():
                        self.assertEqual(partial.read_text(), "precious")
                    self.assertEqual(other.read_text(), "precious")
                    self.assertFalse((self.folder / "nothing").exists())
                    self.expect_rows(self.target)
                    self.assertEqual(self.partials(), [])
                    partial.rmdir() if partial.is_dir() and not partial.is_symlink() else partial.unlink()

    @unittest.skipUnless(os.geteuid() == 0, "not run: only root can make pipes of another user")
    def test_pipes_of_other_users(self):
        os.mkfifo(self.target, 0o666)
        os.chown(self.target, 65534, 65534)
        for command, (options, text, _) in SECRET.items():
            done = self.run_tool(command, *options, "-o", self.target, stdin=text, status=2)
            self.assertIn(b"a pipe of another user", done.stderr)


class Links(OutputTest):
    def links(self):
        """Pairs of a link and the file that it leads to, which is there or is not."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "inner").symlink_to("../out.csv")
        for n, (to, file) in enumerate((("out.csv", self.target), (self.target, self.target), ("elsewhere/out.csv", elsewhere / "out.csv"),
                                        ("elsewhere/../out.csv", self.target), ("elsewhere/inner", self.target))):  # fmt: skip
            link = self.folder / f"link{n}"
            link.symlink_to(to)
            yield link, file

    def test_links_are_followed(self):
        for link, file in self.links():
            for command in COMMANDS:
                for there in (True, False):
                    with self.subTest(link=os.readlink(link), command=command, there=there):
                        file.unlink(missing_ok=True)
                        if there:
                            file.write_text("old")
                        self.write(command, link)
                        self.assertTrue(link.is_symlink())
                        self.assertFalse(file.is_symlink())
                        self.expect_rows(file)
                        self.assertEqual(mode(file) & 0o077 == 0, command in SECRET)
                        self.assertEqual(self.partials() + self.partials(file.parent), [])

    def test_links_that_lead_nowhere(self):
        for to, words in (("loop", b"Too many levels"), ("none/out.csv", b"No such file"), ("file/out.csv", b"Not a directory")):
            link = self.folder / "loop"
            link.unlink(missing_ok=True)
            link.symlink_to(to)
            (self.folder / "file").touch()
            for command, (options, text, _) in COMMANDS.items():
                self.assertIn(words, self.run_tool(command, *options, "-o", link, stdin=text, status=2).stderr)
            self.assertTrue(link.is_symlink())

    def test_what_is_no_file_is_written_as_it_is(self):
        fifo, link = self.folder / "fifo", self.folder / "link"
        os.mkfifo(fifo)
        link.symlink_to(fifo)
        for command in COMMANDS:
            for name in (fifo, link):
                with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
                    self.write(command, name)
                    self.assertGreaterEqual(reader.stdout.read().count(b"\n"), 1)
            self.write(command, "/dev/null")
        self.assertEqual(sorted(os.listdir(self.folder)), ["fifo", "link"])

    def test_names_of_standard_output(self):
        """A pipe, or a file that the shell has opened, of which nothing is lost."""
        for command, (options, text, status) in COMMANDS.items():
            for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
                done = self.write(command, name)
                self.assertGreaterEqual(done.stdout.count(b"\n"), 1)
                self.target.write_text("before\n")
                with self.target.open("a") as out:
                    done = subprocess.run([TOOL, command, *options, "-q", "-o", name], input=text.encode(), stdout=out, stderr=subprocess.DEVNULL)
                self.assertEqual(done.returncode, status)
                self.assertTrue(self.target.read_text().startswith("before\n"))
                self.assertGreaterEqual(self.target.read_text().count("\n"), 2)


class AtOnce(OutputTest):
    def test_each_run_writes_a_file_of_its_own(self):
        """Runs with one -o, of which rows come in turn: the file is that of the last to end, whole."""
        for count in (2, 4):
            runs = [subprocess.Popen([TOOL, "digest", "-q", "-o", self.target], stdin=subprocess.PIPE) for _ in range(count)]
            for part in range(3):
                for i, run in enumerate(runs):
                    run.stdin.write((b"" if part else b"msg,run\n") + b"%02x,%d\n" % (part, i) * 500)
                    run.stdin.flush()
                    time.sleep(0.03)
            self.assertEqual(len(self.partials()), count)
            for i, run in enumerate(runs):
                run.stdin.close()
                self.assertEqual(run.wait(60), 0)
                lines = self.target.read_text().splitlines()
                self.assertEqual(len(lines), 1501)
                self.assertEqual({line.split(",")[1] for line in lines[1:]}, {str(i)})
            self.assertEqual(self.partials(), [])


class Partial(OutputTest):
    def setUp(self):
        super().setUp()
        self.target.write_text("old")

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = subprocess.Popen([TOOL, "digest", "-o", self.target], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(ROWS)
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while not self.partials() or self.partials()[0].read_bytes().count(b"\n") < 1001:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            process.send_signal(number)
            errors = process.stderr.read()
            self.assertEqual(process.wait(timeout=60), -number)
            process.stdin.close()
            process.stderr.close()
            [partial] = self.partials()
            self.assertIn(f"{partial}: not whole, and {self.target} is as it was; it has the first 1000 rows".encode(), errors)
            self.assertEqual(self.target.read_text(), "old")
            partial.unlink()

    def test_signals_end_every_command_with_a_word(self):
        """Also those that write no rows of a stream: what is left over is named, and no later run minds it."""
        for command, (options, text, _) in COMMANDS.items():
            many = ["--count", "100000000"] if command == "keygen" else []
            process = subprocess.Popen([TOOL, command, *options, *many, "-q", "-o", self.target], stdin=subprocess.PIPE,
                                       stderr=subprocess.PIPE)  # fmt: skip
            process.stdin.write(text.encode())
            deadline = time.monotonic() + 60
            while not self.partials():
                self.assertLess(time.monotonic(), deadline, command)
                process.stdin.write((text.splitlines(True) or [""])[-1].encode())
                process.stdin.flush()
                time.sleep(0.005)
            time.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            errors = process.stderr.read()
            self.assertEqual(process.wait(timeout=60), -signal.SIGTERM, command)
            process.stdin.close()
            process.stderr.close()
            [partial] = self.partials()
            self.assertIn(f"{partial}: not whole, and {self.target} is as it was".encode(), errors, command)
            self.assertEqual(self.target.read_text(), "old")
            self.write(command, self.target)
            self.expect_rows(self.target)
            self.assertEqual(self.partials(), [partial])
            partial.unlink()
            self.target.write_text("old")

    def test_a_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        done = subprocess.run([TOOL, "digest", "--batch", "100", "-o", self.target], input=ROWS, capture_output=True,
                              preexec_fn=limit)  # fmt: skip
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(self.target.read_text(), "old")
        [partial] = self.partials()
        lines = partial.read_bytes().split(b"\n")
        self.assertEqual((lines[-1], (len(lines) - 2) % 100), (b"", 0))
        self.assertIn(b"the first %d rows" % (len(lines) - 2), done.stderr)
        self.assertGreater(len(lines), 102)

    def test_input_that_cannot_be_read(self):
        self.run_tool("digest", "-o", self.target, stdin="n\n1\n", status=2)
        self.assertEqual(self.target.read_text(), "old")

    def test_what_is_read_is_not_overwritten(self):
        for command, (options, text, _) in COMMANDS.items():
            if command == "keygen":
                continue
            self.target.write_text(text)
            link = self.folder / "link"
            link.unlink(missing_ok=True)
            link.symlink_to(self.target)
            for source, target in ((self.target, self.target), (link, self.target), (self.target, link)):
                done = self.run_tool(command, *options, "-o", target, source, status=2)
                self.assertIn(b"is the input", done.stderr, command)
                self.assertEqual(self.target.read_text(), text)


if __name__ == "__main__":
    unittest.main()
