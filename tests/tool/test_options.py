"""Options and names of files, for every command: nothing that is given is left out, and names decide formats.

Test: fast; no sanitizers
"""

import base64
import gzip
import re
import unittest

from support import P256, ToolTest

# An argument that an option takes, by what the help calls it.
ARGUMENTS = {
    "NAME": "P-256", "RULE": "strict", "HEX": "0d", "N": "128", "TEXT": "x", "FILE": "none", "FILE|TEXT": "none", "TIME": "now", "LIST": "priv", "SIZE": "64M",
    "COLUMN=NAME[,COLUMN=NAME]...": "sig=x", "STATUS[,STATUS]...": "valid", "ROWS": "16", "ROWS[,ROWS]...": "16,32",
    "N[,N]...": "1,2", "N[,N]...|all": "0", "COLUMN[,COLUMN]...": "msg",
}  # fmt: skip
BY_OPTION = {"--plot": "none.svg", "--scheme": "ecdsa", "--hash": "sha256", "--point-format": "raw", "--digest-bytes": "32", "--op": "add"}
INPUT = {"verify", "sign", "recover", "pubkey", "ecdh", "mul", "add", "senders", "inputs", "mod", "digest"}
OUTPUT = INPUT | {"keygen", "keys"}


class OptionTest(ToolTest):
    def commands(self):
        text = self.run_tool("--help", status=0).stdout.decode().split("COMMANDS\n")[1].split("\n\n")[0]
        return [line.strip() for line in text.splitlines() if line[2] != " "]

    def options(self, command):
        """The options of a command, each with an argument that it takes."""
        text = self.run_tool(command, "--help", status=0).stdout.decode().split("OPTIONS\n")[1]
        for name, argument in re.findall(r"^  (--[a-z0-9-]+)(?: (.*))?$", text.partition("\n\n")[0], re.M):
            if not argument:
                yield name, []
            else:
                yield name, [BY_OPTION.get(name) or ARGUMENTS.get(argument) or re.split(r"[|\[]", argument)[0]]


class Twice(OptionTest):
    def test_every_option_of_every_command(self):
        count = 0
        for command in self.commands():
            for name, argument in self.options(command):
                if name == "--map":  # what is said by several is joined: test_names.py
                    continue
                once = [name, *argument]
                joined = [f"{name}={argument[0]}"] if argument else once
                for twice in ([*once, *once], [*joined, *once], [*once, "--quiet", *joined], [*once, "-q", *once]):
                    if name == "--quiet" and len(twice) > 2:
                        continue
                    done = self.run_tool(command, *twice, status=2)
                    self.assertEqual(done.stderr.decode(), f"gecc {command}: {name} is given twice; see gecc {command} --help\n")
                    self.assertEqual(done.stdout, b"")
                    count += 1
        self.assertGreater(count, 700)

    def test_short_names(self):
        for short, long, argument in (("-o", "--output", ["x"]), ("-q", "--quiet", []), ("-h", "--help", [])):
            for first, second in ((short, short), (short, long), (long, short)):
                done = self.run_tool("digest", first, *argument, second, *argument, status=2)
                self.assertIn(f"{long} is given twice", done.stderr.decode())
        self.assertIn(b"one argument too many", self.run_tool("digest", "a", "b", status=2).stderr)

    def test_two_of_which_one_would_do_nothing(self):
        for command, options in (("sign", ["--low-s", "--no-low-s"]), ("verify", ["--x509", "--issuer", "a", "--pub-file", "b"])):
            for order in (options, options[::-1] if len(options) == 2 else [options[0], *options[3:], *options[1:3]]):
                self.assertIn(b"exclude each other", self.run_tool(command, *order, stdin="msg,sig\n", status=2).stderr)
        for order in (["--hash", "sha256", "--personal-message"], ["--personal-message", "--hash", "sha256"]):
            done = self.run_tool("recover", "--curve", "secp256k1", *order, stdin=f"msg,sig,recid\n00,{'01' * 64},0\n", status=2)
            self.assertIn(b"personal messages are hashed with keccak256", done.stderr)
        for order in (["--hash", "keccak256", "--personal-message"], ["--personal-message", "--hash", "keccak256"]):
            self.run_tool("recover", "--curve", "secp256k1", "--allow-empty", *order, stdin="msg,sig,recid\n", status=0)


class Names(OptionTest):
    """Of files that are of another format than rows are read and written in."""

    PACKAGE = "the program `gecc` of the Python package reads and writes it"
    TABLES = ("rows.parquet", "rows.PARQUET", "a.b.pq", "rows.parq", "rows.arrow", "rows.arrows", "rows.Feather", "rows.ipc",
              "rows.parquet.gz", "rows.arrow.zst")  # fmt: skip
    COMPRESSED = ("rows.csv.gz", "rows.GZIP", "rows.jsonl.zst", "rows.zstd", "rows.bz2", "rows.csv.xz", "rows.lz4", "rows.zip")
    SHEETS = ("rows.xlsx", "rows.xls", "rows.ods", "rows.orc", "rows.avro")

    def test_output(self):
        for command in sorted(OUTPUT):
            curve = [] if command in ("mod", "senders", "inputs", "keys") else ["--curve", "P-256"]
            for names, words in ((self.TABLES, self.PACKAGE), (self.COMPRESSED, "not written compressed"), (self.SHEETS, "CSV or JSON Lines")):
                for name in names:
                    path = self.folder / name
                    for options in (["-o", path], [f"--output={path}"], ["--output-format", "csv", "-o", path]):
                        done = self.run_tool(command, *curve, *options, stdin="", status=2)
                        self.assertIn(f"{path}: ", done.stderr.decode())
                        self.assertIn(words, done.stderr.decode())
                        self.assertFalse(path.exists())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_input(self):
        for command in sorted(INPUT):
            for name in self.TABLES:
                path = self.folder / name
                path.write_text("msg\n00\n")
                for options in ([path], ["--", path], [*([] if command == "senders" else ["--format", "csv"]), path], [path, "-o", self.folder / "out.csv"]):
                    done = self.run_tool(command, *options, status=2)
                    self.assertIn(f"{path}: ", done.stderr.decode())
                    self.assertIn(self.PACKAGE, done.stderr.decode())
        self.assertFalse((self.folder / "out.csv").exists())

    def test_input_by_its_bytes(self):
        for start in (b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff\x70\1\0\0"):
            for command in sorted(INPUT - {"senders", "mod"}):
                done = self.run_tool(command, stdin=start + bytes(100), status=2)
                self.assertIn(self.PACKAGE, done.stderr.decode(), command)

    def test_names_that_are_right(self):
        for name in ("rows.csv", "rows", "parquet", ".parquet", "rows.parquet.csv", "rows.gz.csv", "arrow.jsonl"):
            path, out = self.folder / name, self.folder / ("out-" + name)
            path.write_text("msg\n00\n")
            options = ["--format", "csv", "--output-format", "csv"]
            if not name.startswith("."):
                self.run_tool("digest", *options, path, "-o", out, status=0)
                self.assertEqual(out.read_text().count("\n"), 2)
        (self.folder / "rows.csv.gz").write_bytes(gzip.compress(b"msg\n00\n"))
        self.run_tool("digest", self.folder / "rows.csv.gz", status=0)


class KeysAreKept(ToolTest):
    def test_output_in_the_place_of_a_key(self):
        link, keys = self.folder / "link", self.folder / "key.pem"
        link.symlink_to(keys)
        der = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200" + P256.encode(P256.g))
        text = f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n"
        keys.write_text(text)
        for key, out in ((keys, keys), (link, keys), (keys, link)):
            done = self.run_tool("verify", "--pub-file", key, "-o", out, stdin="msg,sig\n", status=2)
            self.assertIn(b"-o names it", done.stderr)
            self.assertEqual(keys.read_text(), text)


if __name__ == "__main__":
    unittest.main()
