"""Commands that have no use for a private key let none into their output, wherever in a row it stands.

Test: fast
"""

import itertools
import json
import unittest

from bitcoin import ALL, WitnessKeyHash, build
from support import ToolTest, generator
from test_inputs import KEYS

SECRET = "5ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4"


def quoted(cells):
    return ",".join('"%s"' % cell for cell in cells)


class KeptOfRecords(ToolTest):
    """`senders` and `inputs`, which make rows of their own."""

    def setUp(self):
        super().setUp()
        spending, _ = build(generator("secrets"), [WitnessKeyHash(KEYS[0])], [[ALL]])
        record = spending.record()
        prevouts = " ".join(f"{satoshi}:{script}" for satoshi, script in record["prevouts"])
        self.records = {"inputs": record, "senders": {"raw": "0xc0"}}
        self.cells = {"inputs": [record["raw"], prevouts], "senders": ["0xc0"]}

    def check(self, command, text, *arguments):
        done = self.run_tool(command, *arguments, stdin=text)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn(b"KEPT", done.stdout, (command, text, arguments))
        self.assertNotIn(SECRET.encode(), done.stdout + done.stderr, (command, text, arguments))
        return done

    def test_members(self):
        for command, record in self.records.items():
            rest = json.dumps(record)[1:]
            for name, broken in itertools.product(('"priv"', r'"pri\u0076"', r'"\u0070riv"'), (False, True)):
                key, kept = f'{name}:"{SECRET}"', '"own":"KEPT"'
                for members in ([key, kept], [kept, key], [kept, key, key.replace(SECRET, SECRET[::-1])]):
                    self.check(command, "{" + ",".join(members) + "," + (rest.replace('"raw"', '"cooked"') if broken else rest) + "\n")
        self.check("senders", '{"own":"KEPT","priv":"%s","transactions":["0xc0"]}' % SECRET)
        self.check("senders", '{"jsonrpc":"2.0","id":"KEPT","priv":"%s","result":"0xc0"}' % SECRET)
        self.check("inputs", '{"id":"KEPT","priv":"%s","result":%s}' % (SECRET, json.dumps(self.records["inputs"])))

    def test_cells(self):
        names = {"inputs": ["raw", "prevouts"], "senders": ["raw"]}
        for command, cells in self.cells.items():
            formats = ([], ["--output-format", "jsonl"]) if command == "senders" else ([],)
            for at, put, form in itertools.product(range(3), (",".join, quoted), formats):
                header, row = ["own", *names[command]], ["KEPT", *cells]
                header.insert(min(at, len(header)), "priv")
                row.insert(min(at, len(row)), SECRET)
                done = self.check(command, put(header) + "\n" + put(row) + "\n", *form)
                self.assertNotIn(b"priv", done.stdout)
                # Nobody knows which cell is the key where a row has more or fewer than the header.
                for odd in (row[1:], [*row, SECRET], ["1", *row], row[:-1]):
                    self.check(command, put(header) + "\n" + put(row) + "\n" + put(odd) + "\n", *form)


class ColumnsOfRows(ToolTest):
    """Commands that map rows to rows, of which the output is not for secrets."""

    COLUMNS = {"verify": "pub,digest,sig", "recover": "digest,sig,recid", "digest": "msg", "add": "a,b"}
    PEM = "-----BEGIN EC PRIVATE KEY-----"

    def run_secretly(self, command, form, text):
        done = self.run_tool(command, "--curve", "P-256", "--format", form, stdin=text, status=1)
        self.assertNotIn(SECRET.encode(), done.stdout + done.stderr, (command, text))
        self.assertIn(b"private keys and nonces, which it has no use for, are not copied", done.stderr, (command, text))
        return done.stdout

    def test_columns(self):
        for command, name in itertools.product(self.COLUMNS, ("priv", "nonce", "entropy")):
            columns = self.COLUMNS[command].split(",")
            row = dict.fromkeys(columns, "0") | {"own": "KEPT"}
            for cells in ({name: SECRET} | row, row | {name: SECRET}):
                text = ",".join(cells) + "\n" + ",".join(cells.values()) + "\n"
                self.assertIn(b"KEPT", self.run_secretly(command, "csv", text))
                odd = text + ",".join(list(cells.values())[1:]) + "\n" + ",".join([*cells.values(), SECRET]) + "\n"
                self.run_secretly(command, "csv", odd)
                self.assertIn(b"KEPT", self.run_secretly(command, "jsonl", json.dumps(cells) + "\n"))

    def test_unreadable_rows(self):
        """A neighbour that cannot be read either, and holds no secret, keeps its text."""
        signs = ['"priv"', "priv", '"nonce"', "'nonce'", '"entropy"', r'"\u0070riv"', r'"n\u006fnce"', '"pub":"%s"' % self.PEM,
                 r'"pub":"-----BEGIN \u0050RIVATE KEY-----"', '"pub":"-----BEGIN PRIVATE\u0020KEY-----"']  # fmt: skip
        for command, sign in itertools.product(self.COLUMNS, signs):
            out = self.run_secretly(command, "jsonl", '{%s:"%s"\n{"own":"KEPT"\n' % (sign, SECRET))
            self.assertIn(b"KEPT", out)
        for command, columns in self.COLUMNS.items():
            odd = self.PEM + SECRET
            for row in (odd, f"{odd},1,2,3,4,5", f'"{odd}\n",1,2,3,4,5', f'1,2,3,4,5,{odd}', f'x"{odd}'):
                out = self.run_secretly(command, "csv", f"{columns},x\n{row}\nKEPT\n")
                self.assertIn(b"KEPT", out)


if __name__ == "__main__":
    unittest.main()
