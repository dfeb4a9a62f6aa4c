"""What the readers of rows take of four times the input, in every format.

Test: fast; no sanitizers
"""

import base64
import gzip
import shutil
import subprocess
import unittest

from growth import assert_in_proportion
from support import ToolTest


def renamed_members(n):
    return ('{"msg":"00","status":1,"input_status":0' + "".join(f',"input_status_{i}":0' for i in range(2, n)) + "}\n").encode()


class Growth(ToolTest):
    """Four times the input takes about four times the time and memory."""

    def test_row_readers(self):
        for name, arguments, make, n in (
            ("rows of CSV", ["--format", "csv"], lambda n: b"msg\n" + b"00\n" * n, 300_000),
            ("rows of JSON", ["--format", "jsonl"], lambda n: b'{"msg":"00"}\n' * n, 100_000),
            ("raw rows", ["--format", "raw"], bytes, 5_000_000),
            ("cells", ["--format", "csv"], lambda n: b"msg\n" + b"," * n, 2_000_000),
            ("lines in a cell", ["--format", "csv"], lambda n: b'msg,note\n00,"' + b"\n" * n + b'"\n', 3_000_000),
            ("marks in a cell", ["--format", "csv"], lambda n: b'msg,note\n00,"' + b'""' * n + b'"\n', 1_500_000),
            ("columns", ["--format", "csv"], lambda n: b"msg" + b",status,input_status" * n + b"\n", 500),
            ("a header", ["--format", "csv"], lambda n: b'"' + b"\n" * n, 3_000_000),
            ("members called like results", ["--format", "jsonl"], renamed_members, 8000),
            ("members called like a result", ["--format", "jsonl"], lambda n: b'{"msg":"00"' + b',"status":1' * n + b"}\n", 20_000),
            ("members", ["--format", "jsonl"], lambda n: b'{"msg":"00"' + b',"a":1' * n + b"}\n", 500_000),
            ("escapes", ["--format", "jsonl"], lambda n: b'{"msg":"' + b"\\u0030" * 2 * n + b'"}\n', 300_000),
            ("nesting", ["--format", "jsonl"], lambda n: b'{"msg":' + b"[" * n, 1_000_000),
            ("blanks", ["--format", "jsonl"], lambda n: b'{"msg":"00"}' + b" \n" * n, 1_000_000),
        ):  # fmt: skip
            with self.subTest(name):
                assert_in_proportion(self, ["digest", *arguments, "FILE"], make, n)
                if name in ("rows of CSV", "rows of JSON"):
                    assert_in_proportion(self, ["digest", *arguments], lambda n, make=make: gzip.compress(make(n), 1), n)

    @unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
    def test_records(self):
        issuer, certificate = self.folder / "ca.pem", self.folder / "certificate.pem"
        self.authority(issuer)
        pem = issuer.read_bytes().strip()
        verify = ["verify", "--pub-file" , issuer, "--jwt"]
        token = b"e30." + b"A" * 100 + b".AAAA\n"
        header = lambda n: base64.urlsafe_b64encode(b'{"a":' + b"[" * n).rstrip(b"=") + b".AAAA.AAAA\n"  # noqa: E731
        for name, arguments, make, n in (
            ("tokens", verify, lambda n: token * n, 30_000),
            ("a token", verify, lambda n: b"e30." + b"A" * 4 * n + b".AAAA\n", 700_000),
            ("dots", verify, lambda n: b"." * n, 3_000_000),
            ("a header", verify, header, 500_000),
            ("certificates on a line", ["verify", "--x509", "--issuer", issuer], lambda n: pem * n, 8000),
            ("certificates on lines", ["verify", "--x509", "--issuer", issuer], lambda n: (pem + b"\n") * n, 6000),
            ("beginnings", ["verify", "--x509", "--issuer", issuer], lambda n: b"-----BEGIN CERTIFICATE-----" * n, 50_000),
            ("dashes", ["verify", "--x509", "--issuer", issuer], lambda n: b"-" * n, 3_000_000),
            ("spaced dashes", ["verify", "--x509", "--issuer", issuer], lambda n: b"- " * n, 375_000),
            ("text", ["verify", "--x509", "--issuer", issuer], lambda n: b"text\n" * n, 500_000),
        ):  # fmt: skip
            with self.subTest(name):
                assert_in_proportion(self, [*arguments, "FILE"], make, n)

    @staticmethod
    def authority(path):
        key = path.with_suffix(".key")
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key], check=True, capture_output=True)
        subprocess.run(["openssl", "req", "-x509", "-new", "-key", key, "-subj", "/CN=CA", "-sha256", "-out", path], check=True, capture_output=True)


if __name__ == "__main__":
    unittest.main()
