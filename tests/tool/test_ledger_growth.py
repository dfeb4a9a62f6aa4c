"""gecc senders and gecc inputs: time and memory stay in proportion to what they read, however it is made up, and memory within bounds.

Test: fast; no sanitizers
"""

import gzip
import json
import os
import subprocess
import tempfile
import unittest

from bitcoin import Input, Transaction, compact
from growth import assert_in_proportion
from support import TOOL, ToolTest

MIB = 1 << 20
KEY = "2102" + "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798" + "ac"


def json_bytes(value):
    return json.dumps(value).encode()


def first_rule(count):
    """A transaction of many inputs of the first rule, each of which signs all of it."""
    inputs = b"".join(i.to_bytes(4, "little") * 8 + bytes(4) + b"\x02\x01\x01" + b"\xff" * 4 for i in range(1, count + 1))
    raw = (1).to_bytes(4, "little") + compact(count) + inputs + b"\x01" + bytes(8) + b"\x01\x51" + bytes(4)
    return json_bytes({"raw": raw.hex(), "prevouts": [[1, KEY]] * count})


def witness(count):
    tx = Transaction([Input(b"\x11" * 36, 1, bytes.fromhex("5120" + "11" * 32), witness=[b""])], [(0, b"\x51")])
    whole = tx.serialize()
    return json_bytes({"raw": (whole[:-6] + compact(count) + bytes(count) + whole[-4:]).hex(), "prevouts": tx.prevouts})


SENDERS = {
    "a line that does not end": (lambda n: b"0" * n, 4 * MIB),
    "an object that does not end": (lambda n: b'{"raw": "' + b"0" * n, 4 * MIB),
    "blocks without transactions": (lambda n: b"[" + b",".join([b'{"transactions":[]}'] * n) + b"]\n", 40000),
    "blocks within an answer": (lambda n: b'{"result":[' + b",".join([b'{"transactions":[]}'] * n) + b"]}\n", 40000),
    "arrays within arrays": (lambda n: b"[" * n + b"]" * n, 2 * MIB),
    "answers within answers": (lambda n: b'{"result":' * n + b"1" + b"}" * n, 100000),
    "escapes": (lambda n: b'{"x":"' + b"\\\\" * n + b'"}', 2 * MIB),
    "members": (lambda n: b"{" + b",".join(b'"input_status_%d":1' % i for i in range(n)) + b"}", 50000),
    "names that results have": (lambda n: b"{" + b",".join([b'"' + b"input_" * 100 + b'status":1'] * n) + b"}", 2000),
    "columns": (lambda n: b"raw," + b",".join(b"input_status_%d" % i for i in range(100)) + b"\nc0\n" * n, 20000),
    "quotation marks": (lambda n: b"raw,x\n" + b'c0,"' + b'""' * n + b'"\n', 2 * MIB),
    "lines within a cell": (lambda n: b"raw,x\n" + b'c0,"' + b"\n" * n + b'"\n', 2 * MIB),
    "what a block's rows have besides": (lambda n: json_bytes({"raw": "0x" + "c0" * n, "x": "y" * n}), MIB),
    "an access list": (lambda n: json_bytes({"type": 1, "accessList": [{"address": "0x" + "11" * 20, "storageKeys": []}] * n}), 10000),
    "answers with errors": (lambda n: json_bytes([{"id": 1, "error": {"message": "x" * 100}}] * n), 5000),
}  # fmt: skip

INPUTS = {
    "inputs of the first rule": (first_rule, 4000),
    "a witness": (witness, 250000),
    "a script": (lambda n: json_bytes({"raw": "00" * n, "prevouts": []}), 4 * MIB),
    "prevouts": (lambda n: json_bytes({"raw": "00", "prevouts": [[1, ""]] * n}), 100000),
    "transactions": (lambda n: json_bytes({"tx": [{}] * n}), 40000),
    "answers": (lambda n: json_bytes([{"result": None}] * n), 10000),
    "members": (lambda n: b'{"raw":"00",' + b",".join(b'"input_status_%d":1' % i for i in range(n)) + b"}", 50000),
    "an object that does not end": (lambda n: b'{"raw": "' + b"0" * n, 4 * MIB),
    "arrays within arrays": (lambda n: b"[" * n + b"]" * n, 2 * MIB),
    "quotation marks": (lambda n: b"raw,prevouts,x\n" + b'c0,,"' + b'""' * n + b'"\n', 2 * MIB),
}  # fmt: skip


class Growth(ToolTest):
    def test_senders(self):
        for name, (make, n) in SENDERS.items():
            with self.subTest(name):
                assert_in_proportion(self, ("senders", "-q", "FILE"), make, n, timeout=300)

    def test_inputs(self):
        for name, (make, n) in INPUTS.items():
            with self.subTest(name):
                assert_in_proportion(self, ("inputs", "-q", "FILE"), make, n, timeout=300)

    def memory(self, command, data):
        """The most memory that the tool had, MiB."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file, open(os.devnull, "wb") as nowhere:
            file.write(data)
            file.flush()
            process = subprocess.Popen([TOOL, command, "-q", file.name], stdout=nowhere, stderr=nowhere)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertIn(process.returncode, (1, 2))
        return usage.ru_maxrss / 1024

    def test_memory(self):
        """What gzip makes of little is not kept, and a record of the most bytes takes little more than these."""
        much = gzip.compress(b"0" * (64 * MIB), 1) * 8
        self.assertLess(self.memory("senders", much), 300)
        self.assertLess(self.memory("inputs", gzip.compress(b'{"raw":"' + b"0" * (64 * MIB), 1) + much), 300)
        self.assertLess(self.memory("inputs", witness(30_000_000)), 300)

    def test_bytes_one_by_one(self):
        """A record that comes in pieces is not looked at anew for each."""
        starts = {"senders": (b'{"raw":"', b'raw\n"', b"raw\n0", b"0x"), "inputs": (b'{"raw":"', b'raw,prevouts\n"', b"raw,prevouts\n0")}
        for command, each in starts.items():
            for start in each:
                with self.subTest(command=command, start=start):
                    first, last = (self.seconds(command, start, n) for n in (5000, 20000))
                    self.assertLess(last, 8 * max(first, 0.1))

    def seconds(self, command, start, count):
        process = subprocess.Popen([TOOL, command, "-q"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with process.stdin as pipe:
            os.write(pipe.fileno(), start)
            for _ in range(count):
                os.write(pipe.fileno(), b"0")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (1, 2))
        return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    unittest.main()
