"""Records as long as they may be, longer, and cut short, in every format and encoding.

Test: fast
"""

import base64
import csv
import io
import json
import unittest

from support import ToolTest

MOST = 16 << 20  # bytes of a record


class LongestCells(ToolTest):
    """Two rows of nearly 16 MiB are as many as a batch holds: what they become has room in it."""

    FILL = {"hex": "a0", "base64": "AAAA", "base64url": "____"}

    def long_rows(self, encoding, columns):
        width = (MOST - 200) // len(columns) // 16 * 16
        cells = [self.FILL[encoding] * (width // len(self.FILL[encoding]))] * len(columns)
        yield "csv", ",".join(columns) + "\n" + (",".join(cells) + "\n") * 2
        yield "jsonl", (json.dumps(dict(zip(columns, cells))) + "\n") * 2

    def test_every_encoding(self):
        for encoding in self.FILL:
            for command, columns, verdict in (("digest", ["msg"], b"ok"), ("verify", ["pub", "msg", "sig"], b"malformed")):
                for form, text in list(self.long_rows(encoding, columns))[command == "verify" :]:
                    with self.subTest(encoding=encoding, command=command, form=form):
                        done = self.run_tool(command, "--curve", "P-256", "--encoding", encoding, "--format", form, "-q", stdin=text,
                                             status=int(verdict != b"ok"))  # fmt: skip
                        lines = done.stdout.splitlines()[form == "csv" :]
                        self.assertEqual([verdict in line[-200:] for line in lines], [True] * 2)

    def test_tokens(self):
        token = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (b'{"alg":"ES256"}', bytes(3 * MOST // 4 - 1000), bytes(64)))
        public = self.folder / "key.pem"
        private = self.run_tool("keygen", "--curve", "P-256", "--output-format", "jsonl", status=0).stdout
        self.assertIn(b"pub", private)
        public.write_bytes(self.pem(json.loads(private)["pub"]))
        done = self.run_tool("verify", "--jwt", "--pub-file", public, "-q", stdin=(token + "\n") * 2, status=1)
        self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["malformed"] * 2)

    @staticmethod
    def pem(point):
        der = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200" + point)
        return b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der) + b"\n-----END PUBLIC KEY-----\n"


class LongRecords(ToolTest):
    """After one that is longer than 16 MiB comes the next where it is known to begin, or an error."""

    def statuses(self, form, text, status, *arguments):
        done = self.run_tool("digest", "--format", form, "-q", stdin=text, status=status)
        lines = done.stdout.decode().splitlines()
        if form == "csv":
            return [line.split(",")[2] for line in lines[1:]], done.stderr
        return [json.loads(line)["status"] for line in lines], done.stderr

    def test_csv(self):
        rows = b"00,injected\n" * (17 << 20 >> 3)
        before, after = b"msg,n\n00,1\n", b"\n00,2\n"
        for record, known in ((b'00,"' + rows + b'"', False), (b"a" * (17 << 20) + b",2", True), (b"a" * (17 << 20) + b',"2\n00,3"', False),
                              (b'0"' + b"a" * (17 << 20) + b',2', False)):  # fmt: skip
            statuses, errors = self.statuses("csv", before + record + after, 1 if known else 2)
            self.assertEqual(statuses, ["ok", "malformed", "ok"] if known else ["ok", "malformed"])
            self.assertEqual(b"nothing after line 3 is read" in errors, not known)

    def test_lines(self):
        statuses, _ = self.statuses("jsonl", b'{"msg":"00"}\n{"x":"' + b'\\"{}' * (17 << 18) + b'"}\n{"msg":"00"}\n', 1)
        self.assertEqual(statuses, ["ok", "malformed", "ok"])


class CutAnywhere(ToolTest):
    """Text within a cell is no row, wherever the input ends."""

    EVIL = "ff" * 3

    def check(self, command, text, cuts, *arguments):
        for cut in cuts:
            done = self.run_tool(command, *arguments, "-q", stdin=text[:cut])
            self.assertIn(done.returncode, (0, 1, 2))
            out = done.stdout.decode()
            rows = map(json.loads, out.splitlines()) if "jsonl" in arguments else csv.DictReader(io.StringIO(out, newline=""))
            self.assertNotIn(self.EVIL, [row.get("msg") for row in rows], cut)

    def test_csv(self):
        text = ("msg,note\n00,\"cell\n" + f"{self.EVIL},row\n" * 3 + "\"\"\n" + f"{self.EVIL},\"\"row\"\"\n" * 2 + "end\"\n00,b\n").encode()
        self.check("digest", text, range(12, len(text) + 1), "--format", "csv")
        # The same with a mark that closes nothing, or too much: the cell's text is still none.
        self.check("digest", text.replace(b'""row""', b'"row"'), [len(text)], "--format", "csv")

    def test_json_lines(self):
        row = json.dumps({"msg": "00", "note": "\n" + json.dumps({"msg": self.EVIL}) + "\n"}) + "\n"
        self.check("digest", (row * 2).encode(), range(1, 2 * len(row), 3), "--format", "jsonl")


if __name__ == "__main__":
    unittest.main()
