"""Records as long as they may be, and longer, in every format and encoding; and what a reader takes of more of them."""

import base64
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
        private = self.run_tool("keygen", "--curve", "P-256", "--format", "jsonl", status=0).stdout
        self.assertIn(b"pub", private)
        public.write_bytes(self.pem(json.loads(private)["pub"]))
        done = self.run_tool("verify", "--jwt", "--pub-file", public, "-q", stdin=(token + "\n") * 2, status=1)
        self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["malformed"] * 2)

    @staticmethod
    def pem(point):
        der = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200" + point)
        return b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der) + b"\n-----END PUBLIC KEY-----\n"


if __name__ == "__main__":
    unittest.main()
