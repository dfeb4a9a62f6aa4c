"""Rows that come out in another format than they went in: every pair of formats, and each cell and member beside the columns.

Test: fast
"""

import csv
import io
import json
import subprocess
import unittest

from support import P256, TOOL, ToolTest, generator

DIGEST = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"  # SHA-256 of a zero byte


def csv_text(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


class Conversion(ToolTest):
    def to(self, form, text, *arguments, command="digest", status=0):
        """Rows in that format, as lists or dictionaries: by --output-format, which is not told by a name, and by -o."""
        done = self.run_tool(command, *arguments, "--output-format", form, stdin=text, status=status)
        path = self.folder / f"out.{form}"
        self.run_tool(command, *arguments, "-o", path, stdin=text, status=status)
        self.assertEqual(path.read_bytes(), done.stdout)
        out = done.stdout.decode(errors="surrogateescape")
        return [json.loads(line) for line in out.splitlines()] if form == "jsonl" else list(csv.reader(io.StringIO(out, newline="")))

    def refused(self, words, text, *arguments, command="digest"):
        done = self.run_tool(command, *arguments, stdin=text, status=2)
        self.assertIn(words, done.stderr.decode())
        self.assertEqual(done.stdout, b"")

    def test_csv_to_json(self):
        others = ['say "hi"', "two\r\nlines\t\\", "", "\u00e4\u00f6 \U0001f600", "  spaces ", ",", '"', "\x01\x7f"]
        rows = [[str(n), other, "00", other] for n, other in enumerate(others)]
        header = ["n", 'a "name", \u00e4\n', "msg", "status"]
        out = self.to("jsonl", csv_text([header, *rows]), "--format", "csv")
        self.assertEqual(out, [dict(zip([*header[:3], "input_status"], row)) | {"status": "ok", "digest": DIGEST} for row in rows])
        self.assertEqual(list(out[0]), [*header[:3], "input_status", "status", "digest"])

    def test_carriage_returns(self):
        """One is part of the end of a line, those before it of the last cell, in each format."""
        text = 'msg,note\r\r\n00,a\r\r\n00,a\r\n00,"b"\r\n00,"b\r"\n"00",\r\r\r\n0,c\r\r\n00,\r\n00,x,y\r\r\n'
        notes = ["a\r", "a", "b", "b\r", "\r\r", "c\r", ""]
        out = self.to("jsonl", text, "--format", "csv", status=1)
        self.assertEqual([row["note\r"] for row in out[:-1]], notes)
        plain = self.run_tool("digest", "--format", "csv", stdin=text, status=1).stdout.decode()
        self.assertEqual([row[1] for row in csv.reader(io.StringIO(plain.replace("\r", "R"), newline=""))], [n.replace("\r", "R") for n in ["note\r", *notes, "x,y\r"]])
        out = self.to("jsonl", "note,priv,msg\r\n\r,05,00\r\r\n", status=1)
        self.assertEqual((out[0]["note"], out[0]["msg"]), ("\r", "00\r"))

    def test_broken_rows_of_csv(self):
        out = self.to("jsonl", 'n,msg,a\n1,00,x\n2,00\n3,00,y,z,"q"\n4,0"0,y\n5,0,y\n6,,\n', status=1)
        expected = [
            {"n": "1", "msg": "00", "a": "x", "status": "ok", "digest": DIGEST},
            {"n": "2", "msg": "00", "status": "malformed", "reason": "fewer fields than the header has", "line": 3},
            {"n": "3", "msg": "00", "unreadable": 'y,z,"q"', "status": "malformed", "reason": "more fields than the header has", "line": 4},
            {"unreadable": '4,0"0,y', "status": "malformed", "reason": "a quotation mark inside an unquoted field", "line": 5},
            {"n": "5", "msg": "0", "a": "y", "status": "malformed", "reason": "msg: an odd number of hexadecimal digits", "line": 6},
        ]
        self.assertEqual(out[:5], expected)
        self.assertEqual((out[5]["n"], out[5]["msg"], out[5]["status"]), ("6", "", "ok"))
        out = self.to("jsonl", b"n,msg\n\xff\xe4,00\n")
        self.assertEqual(out[0]["n"], "\ufffd\ufffd")
        # A key that is not copied is in no member either.
        out = self.to("jsonl", "priv,msg,n\n05,00,1\n05,00\n", status=1)
        self.assertEqual([sorted(row) for row in out], [["digest", "msg", "n", "status"], ["line", "reason", "status"]])

    def test_json_to_csv(self):
        values = ['say "hi"', "two\nlines", "", None, 1, 1.5, True, [1, {"a": None}], {"b": 'x"'}, "\u00e4,", "nul\0", "null", "1"]
        objects = [{"n": n, "msg": "00", 'a "b",': value, "status": value} for n, value in enumerate(values)]
        text = "\n".join([json.dumps(row, separators=separators) for row in objects for separators in [(", ", ": "), (",", ":")]]) + "\n"
        out = self.to("csv", text)
        self.assertEqual(out[0], ["n", "msg", 'a "b",', "input_status", "status", "reason", "line", "digest"])
        shown = ["" if v is None else v if isinstance(v, str) else json.dumps(v) for v in values]
        for n, (row, compact) in enumerate(zip(out[1::2], out[2::2], strict=True)):
            cells = [row[2], row[3]]
            if n in (7, 8):  # as they are written
                self.assertEqual([json.loads(cell) for cell in cells], [values[n]] * 2)
                self.assertEqual(compact[2], json.dumps(values[n], separators=(",", ":")))
            else:
                self.assertEqual(cells, [shown[n]] * 2)
                self.assertEqual(row, compact)
            self.assertEqual([row[0], *row[4:]], [str(n), "ok", "", "", DIGEST])
        done = self.run_tool("digest", "--output-format", "csv", stdin='{"msg":"00","a":""}\n{"msg":"00","a":null}\n', status=0)
        self.assertEqual([line.split(b",")[1] for line in done.stdout.splitlines()[1:]], [b'""', b""])

    def test_halves_of_surrogate_pairs(self):
        """U+FFFD stands for each that is alone, in names and values: CSV has no escapes."""
        text = r'{"msg":"00","a\ud801":"\ud800\\ud800\ud83d\ude00\uDE00\u0000\n\ud83d\ud83d\ude00","b":"\ud800"}' + "\n" + r'{"a\udfff":"","msg":"00","b":"\\"}'
        out = self.to("csv", text)
        self.assertEqual([row[:3] for row in out], [["msg", "a\ufffd", "b"], ["00", "\ufffd\\ud800\U0001f600\ufffd\0\n\ufffd\U0001f600", "\ufffd"], ["00", "", "\\"]])
        self.refused("a column twice, which is no member twice: \ufffd", r'{"msg":"00","\ud800":1,"\ud801":2}', "--output-format", "csv")

    def test_members_in_another_order_and_not_there(self):
        text = '{"n":1,"msg":"00","a":"x"}\n{"a":"y","n":2,"\\u006dsg":"00"}\n\n{"msg":"00"}\nnone\n{"n":4,"a":"z"}\n{ "n" : 5 , "msg" : 7 }\n'
        out = self.to("csv", text, status=1)
        self.assertEqual([row[:3] for row in out[1:]], [["1", "00", "x"], ["2", "00", "y"], ["", "00", ""], ["none", "", ""], ["4", "", "z"], ["5", "7", ""]])
        self.assertEqual([row[3] for row in out[1:]], ["ok"] * 3 + ["malformed"] * 3)
        self.assertEqual([row[5] for row in out[1:]], ["", "", "", "5", "6", "7"])

    def test_a_member_without_a_column(self):
        """What cannot be written is named, and the file does not get its name."""
        good = '{"msg":"00","n":1}\n'
        for bad, words in (('{"msg":"00","n":2,"more":3}', "line 3: a member `more` which the first row does not have"),
                           ('{"msg":"00","n":2,"n":3}', "line 3: a member `n` twice"), ('{"msg":"00","status":1}', "a member `input_status` which")):  # fmt: skip
            path = self.folder / "out.csv"
            done = self.run_tool("digest", "-o", path, "--batch", "2", stdin=2 * good + bad + "\n" + good, status=2)
            self.assertIn(words, done.stderr.decode())
            self.assertFalse(path.exists())
            [partial] = self.folder.glob("out.csv.*.partial")
            self.assertEqual(len(partial.read_text().splitlines()), 3)
            partial.unlink()
        for first in ("none\n", '{"msg":"00","n":\n', "[1]\n"):
            self.refused("first row is no JSON object" if first[0] != "[" else "a JSON array", first + good, "--format", "jsonl", "--output-format", "csv")
        self.refused("a column twice, which is no member twice: n", "n,msg,n\n1,00,2\n", "--output-format", "jsonl")
        self.refused("more than 64 KiB of names", "x" * 70000 + ",msg\n1,00\n", "--output-format", "jsonl")

    def test_no_column_for_what_cannot_be_read(self):
        """The first row has no member that is kept: the line is named, as ever, and its text is nowhere, as the help says."""
        for first in ("{}", '{"priv":"05"}'):
            done = self.run_tool("digest", "--output-format", "csv", stdin=first + "\nnone\n", status=1)
            self.assertEqual(done.stdout.splitlines()[0::2], [b"status,reason,line,digest", b'malformed,"not a JSON object",2,'])
            self.assertIn(b"line 2: not a JSON object", done.stderr)
        told = " ".join(self.run_tool("digest", "--help", status=0).stdout.decode().split())
        self.assertIn("CSV keeps no text of lines that cannot be read where it is made of objects, of which the first has no", told)

    def test_columns_that_are_compared(self):
        """A column `pub` that stands in the place of the result does so in each format."""
        randomness = generator("conversion")
        rows = []
        for n in range(3):
            digest, key = randomness.randbytes(32), n + 5
            r, s, recid = P256.ecdsa(key, digest, randomness.randrange(1, P256.n))
            pub = ["", P256.encode(P256.mul(key), "compressed"), P256.encode(P256.mul(key + 1))][n]
            rows.append([str(n), pub, digest.hex(), P256.signature(r, s), str(recid), "z"])
        header = ["n", "pub", "digest", "sig", "recid", "z"]
        found = P256.encode(P256.mul(5))
        plain = self.to("csv", csv_text([header, *rows]), "--curve", "P-256", command="recover", status=1)
        self.assertEqual([row[1] for row in plain[1:]], [found, rows[1][1], rows[2][1]])
        objects = [json.dumps(dict(zip(header, row))) + "\n" for row in rows]
        as_json = self.to("jsonl", "".join(objects), "--curve", "P-256", command="recover", status=1)
        self.assertEqual(self.to("csv", "".join(objects), "--curve", "P-256", command="recover", status=1), plain)
        converted = self.to("jsonl", csv_text([header, *rows]), "--curve", "P-256", command="recover", status=1)
        self.assertEqual(converted, as_json)
        self.assertEqual([row["pub"] for row in converted], [found, rows[1][1], rows[2][1]])

    def test_raw(self):
        """Raw rows come out as tables, and tables as none."""
        keys = bytes(31) + b"\5" + bytes(32) + bytes(31) + b"\6" + b"\1"
        out = self.to("csv", keys, "--curve", "P-256", "--format", "raw", command="pubkey", status=1)
        self.assertEqual(out[0], ["status", "reason", "line", "pub"])
        self.assertEqual([(row[0], row[2]) for row in out[1:]], [("ok", ""), ("malformed", "2"), ("ok", ""), ("malformed", "4")])
        self.assertEqual([out[1][3], out[3][3]], [P256.encode(P256.mul(5)), P256.encode(P256.mul(6))])
        out = self.to("jsonl", keys[:32], "--curve", "P-256", "--format", "raw", command="pubkey")
        self.assertEqual(out, [{"status": "ok", "pub": P256.encode(P256.mul(5))}])
        every = [{"status": "ok", "pub": P256.encode(P256.mul(k))} for k in range(1, 9)]
        out = self.to("jsonl", b"".join(k.to_bytes(32, "big") for k in range(1, 9)), "--curve", "P-256", "--format", "raw",
                      command="pubkey")  # fmt: skip
        self.assertEqual(out, every)  # all whole, which need no table of cells where they stay raw
        for text in ("msg\n00\n", '{"msg":"00"}\n'):
            self.refused("raw rows, which --output-format", text, "--output-format", "raw")
            self.refused("raw rows, which --output-format", text, "-o", self.folder / "out.bin")

    def test_through_commands(self):
        """Secrets, tokens' reasons and numbers of batches are as in one format; there and back nothing is lost."""
        randomness = generator("there and back")
        rows = [[str(n), randomness.randbytes(n).hex(), randomness.choice(["", "a,b", '"', "\u00e9", "x\ny"])] for n in range(500)]
        text = csv_text([["n", "msg", "x"], *rows])
        here = self.run_tool("digest", "--format", "csv", stdin=text, status=0).stdout
        there = self.run_tool("digest", "--output-format", "jsonl", "--batch", "7", stdin=text, status=0).stdout
        self.assertEqual([[row["n"], row["msg"], row["x"]] for row in map(json.loads, there.splitlines())], rows)
        back = self.run_tool("digest", "--prefix", "again_", "--output-format", "csv", stdin=there, status=0).stdout
        before, after = (list(csv.DictReader(io.StringIO(out.decode(), newline=""))) for out in (here, back))
        self.assertEqual([{name: row[name] for name in ("n", "msg", "x", "digest")} for row in after],
                         [{name: row[name] for name in ("n", "msg", "x", "digest")} for row in before])  # fmt: skip
        signed = self.to("jsonl", "priv,digest\n05," + "02" * 32 + "\n", "--curve", "P-256", command="sign")
        self.assertEqual((signed[0]["priv"], signed[0]["recid"]), ("05", signed[0]["recid"]))
        self.assertEqual((self.folder / "out.jsonl").stat().st_mode & 0o777, 0o600)

    def test_rows_come_while_the_input_is_silent(self):
        """The header needs the first row alone."""
        command = [TOOL, "digest", "--format", "jsonl", "--output-format", "csv"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(b'\n {"n":1,"msg":"00"}\n')
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b"n,msg,status,reason,line,digest\n")
            self.assertEqual(process.stdout.readline(), f"1,00,ok,,,{DIGEST}\n".encode())
            process.stdin.close()
            process.wait(timeout=60)

    def test_nothing(self):
        for text, form in (("msg\n", "jsonl"), ("", "csv"), ("\n\n", "csv"), ("msg\n", "csv")):
            done = self.run_tool("digest", "--allow-empty", "--output-format", form, stdin=text, status=0)
            self.assertEqual(done.stdout, b"msg,status,reason,line,digest\n" if (text, form) == ("msg\n", "csv") else b"", text)


if __name__ == "__main__":
    unittest.main()
