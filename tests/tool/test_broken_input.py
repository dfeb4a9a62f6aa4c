"""Broken lines cost themselves and no other.

Test: fast
"""

import csv
import io
import json
import unittest

from support import ToolTest

csv.field_size_limit(1 << 30)

GOOD = ("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", "00")  # SHA-256 of a zero byte


class BrokenCsv(ToolTest):
    def rows(self, body, status=1, columns="msg,n"):
        done = self.run_tool("digest", stdin=columns.encode() + b"\n" + body, status=status)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))))
        for row in rows:
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())
        return rows, done.stderr.decode()

    def check_middle(self, line, reason, number=3):
        """Of three lines the one in the middle is broken; it is named and the others are not touched."""
        rows, errors = self.rows(b"00,1\n" + line + b"\n00,3\n")
        self.assertEqual([row["status"] for row in rows], ["ok", "malformed", "ok"])
        self.assertEqual([rows[0]["digest"], rows[2]["digest"]], [GOOD[0]] * 2)
        self.assertEqual([rows[0]["n"], rows[2]["n"]], ["1", "3"])
        self.assertEqual([(row["line"], row["reason"]) for row in rows], [("", ""), (str(number), reason), ("", "")])
        self.assertIn(f"line {number}: {reason}", errors)

    def test_number_of_fields(self):
        self.check_middle(b"00", "fewer fields than the header has")
        self.check_middle(b"00,2,3", "more fields than the header has")

    def test_quotation_marks(self):
        self.check_middle(b'0"0,2', "a quotation mark inside an unquoted field")
        self.check_middle(b'0"0,"2, \n3"', "a quotation mark inside an unquoted field")
        self.check_middle(b'"00,2"', "fewer fields than the header has")

    def test_where_no_record_is_known_to_begin(self):
        """A line end that may be a cell's ends nothing, and what may be a cell's text is no row."""
        for line, reason in (
            (b'"00"x,2', "text after a closing quotation mark"),
            (b'"00"\rx,2', "text after a closing quotation mark"),
            (b'"00"\r,2', "text after a closing quotation mark"),
            (b'0"0,"2"x', "text after a closing quotation mark"),
            (b'"00,2', "a quotation mark that is never closed"),
            (b'00,"2', "a quotation mark that is never closed"),
            (b'0"0,"2', "a quotation mark that is never closed"),
        ):
            rows, errors = self.rows(b"00,1\n" + line + b"\n00,3\n" * 5, status=2)
            self.assertEqual([row["status"] for row in rows], ["ok", "malformed"], line)
            self.assertEqual((rows[1]["line"], rows[1]["reason"]), ("3", reason), line)
            self.assertIn("nothing after line 3 is read", errors)
        rows, _ = self.rows(b'00,1\n00,"2\n' + b"".join(b'00,"%d"\n' % i for i in range(1000)) + b"00,4\n", status=2)
        self.assertEqual([row["status"] for row in rows], ["ok", "malformed"])
        output = self.folder / "out.csv"
        done = self.run_tool("digest", "-o", output, stdin=b'msg,n\n00,1\n00,"2\n00,3\n', status=2)
        self.assertFalse(output.exists())

    def test_no_value(self):
        rows, errors = self.rows(b"05,02\n,02\n05,\n", columns="priv,digest", status=2)
        self.assertEqual(rows, [])
        done = self.run_tool("sign", "--curve", "P-256", stdin=b"priv,digest\n05," + b"02" * 32 + b"\n,02\n05,\n",
                             status=1)  # fmt: skip
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row["line"], row["reason"]) for row in rows], [("", ""), ("3", "priv: no value"), ("4", "digest: no value")])
        self.assertIn(b"line 3: priv: no value", done.stderr)

    def test_hexadecimal(self):
        for cell in (b"0", b"0g", b"0x0", b"xx", b" 00", b"00 ", b"0\x80", b"0\x00", b"0x0x", b"-1", b"\xb1" * 16,
                     b"0" * 15 + b"\xe1"):  # fmt: skip
            rows, errors = self.rows(b"00,1\n" + cell + b",2\n0x00,3\n", status=1)
            self.assertEqual([row["status"] for row in rows], ["ok", "malformed", "ok"], cell)
            self.assertTrue(rows[1]["reason"].startswith("msg: "))
            self.assertEqual((rows[1]["n"], rows[1]["line"], errors.count("line")), ("2", "3", 0))

    def test_blank_lines_are_no_rows(self):
        rows, _ = self.rows(b"\n00,1\n\r\n\n00,2\n\n", status=0)
        self.assertEqual([row["n"] for row in rows], ["1", "2"])

    def test_line_numbers_count_lines_in_quotes(self):
        rows, errors = self.rows(b'00,"a\nb\nc"\n00\n')
        self.assertEqual((rows[1]["line"], rows[1]["reason"]), ("5", "fewer fields than the header has"))

    def test_headers(self):
        for header in (b"n,m\n", b"msg,msg\n", b'"msg\n', b"msg," + b"priv,x," * 13 + b"\n", b"msg," * 5000 + b"n\n"):  # fmt: skip
            done = self.run_tool("digest", "--format", "csv", stdin=header + b"00\n" * bool(header), status=2)
            self.assertEqual(done.stdout, b"")
            self.assertRegex(done.stderr, b"header|columns are missing")

    def test_curves(self):
        self.run_tool("pubkey", stdin="priv\n05\n", status=2)
        done = self.run_tool("pubkey", stdin="priv,curve\n05,P-256\n05,\n05,P-999\n", status=1)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([row["status"] for row in rows], ["ok", "malformed", "malformed"])
        self.assertRegex(rows[2]["reason"], r"^curve: none of secp256k1, P-256, P-384, .*, Curve25519$")
        refused = self.run_tool("pubkey", "--curve", "P-999", stdin="priv\n05\n", status=2)
        self.assertRegex(refused.stderr, b"--curve: 'P-999' is none of secp256k1, .*, Curve25519; see")

    def test_long_records(self):
        rows, _ = self.rows(b"00,1\n" + b"00" * (9 << 20) + b",2\n00,3\n")
        self.assertEqual([row["status"] for row in rows], ["ok", "malformed", "ok"])
        self.assertEqual((rows[1]["line"], rows[1]["reason"]), ("3", "longer than 16 MiB"))
        rows, _ = self.rows(b"00,1\n" + b"00" * (7 << 20) + b",2\n00,3\n", status=0)
        self.assertEqual([row["status"] for row in rows], ["ok", "ok", "ok"])

    def test_secrets_are_not_shown(self):
        secret = b"5ec4e75ec4e75ec4e75ec4e75ec4e7"
        body = b"priv,digest\n" + b"".join(
            [secret + b"\n", secret + b"z,00\n", b'"' + secret + b"\n", secret + b',"\n', secret + b",,\n"]
        )
        done = self.run_tool("sign", "--curve", "P-256", stdin=body, status=1)
        self.assertNotIn(secret, done.stderr)
        done = self.run_tool("sign", "--curve", "P-256", stdin=b'{"priv":"%s","priv":"00"}\n{"priv":"%s' % (secret, secret),
                             status=1)  # fmt: skip
        self.assertNotIn(secret, done.stderr)


class BrokenJson(ToolTest):
    BROKEN = [
        b"{", b"}", b"[]", b"1", b'"msg"', b"null", b"{}x", b'{"msg":"00"', b'{"msg":"00",}', b'{"msg" "00"}',
        b'{msg:"00"}', b"{'msg':'00'}", b'{"msg":"00"}}', b'{"msg":"00","x":01}', b'{"msg":"00","x":+1}',
        b'{"msg":"00","x":nul}', b'{"msg":"00","x":[1,}', b'{"msg":"00","x":[1}]}', b'{"msg":"00","x":"\x01"}',
        b'{"msg":"00","x":"\xff"}', b'{"msg":"00","x":"\\q"}', b'{"msg":"00","x":"\\ud80"}', b'{"msg":"00"} {}',
        b'{"msg":"00","x":.5}', b'{"msg":"00","x":1.}', b'{"msg":"00","x":-}', b'{"msg":"00","x":}', b'{"a":{"b":"}}',
        b'{"msg":"00","x":[1\x00]}', b'{"msg":"00","x":1\x00}', b'{"msg":"00","x":"\x00"}',
    ]  # fmt: skip

    def test_broken_lines(self):
        for line in self.BROKEN:
            body = b'{"msg":"00","n":1}\n' + line + b'\n{"msg":"00","n":3}\n'
            done = self.run_tool("digest", "--format", "jsonl", stdin=body, status=1)
            rows = [json.loads(text) for text in done.stdout.splitlines()]
            self.assertEqual([row["status"] for row in rows], ["ok", "malformed", "ok"], line)
            self.assertEqual([rows[0]["digest"], rows[2]["digest"]], [GOOD[0]] * 2)
            self.assertEqual(rows[1], {"unreadable": line.decode(errors="replace"), "status": "malformed",
                                       "reason": "not a JSON object", "line": 2}, line)  # fmt: skip
            self.assertIn(b"line 2: not a JSON object", done.stderr)

    def test_values(self):
        for row, reason in (
            ({"n": 1}, "columns are missing"),
            ({"msg": None, "n": 1}, "columns are missing"),
            ({"msg": 12}, "msg: a number where a string is expected"),
            ({"msg": ["00"]}, "msg: neither a string nor null"),
            ({"msg": True}, "msg: neither a string nor null"),
            ({"msg": "0"}, "msg: an odd number of hexadecimal digits"),
            ({"msg": "ä0"}, "msg: an odd number of hexadecimal digits"),
            ({"msg": "0\u0000"}, "msg: a character that is not a hexadecimal digit"),
        ):
            out = self.json_rows("digest", [row], status=1)
            self.assertEqual((out[0]["status"], out[0]["reason"], out[0]["line"]), ("malformed", reason, 1))
            self.assertEqual(list(out[0])[: len(row)], list(row))

    def test_a_name_twice(self):
        done = self.run_tool("digest", stdin='{"msg":"00","n":1,"msg":"01"}\n', status=1)
        self.assertIn("msg: a name twice", json.loads(done.stdout)["reason"])

    def test_deep_nesting(self):
        deep = b'{"msg":"00","x":' + b"[" * 100000 + b"]" * 100000 + b"}\n"
        done = self.run_tool("digest", stdin=deep + b'{"msg":"00"}\n', status=1)
        self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["malformed", "ok"])


class Counting(ToolTest):
    def test_many_broken_lines(self):
        body = b"msg,n\n" + b"x\n" * 30000 + b"00,1\n"
        done = self.run_tool("digest", stdin=body, status=1)
        self.assertEqual(len(done.stdout.splitlines()), 30002)
        self.assertLessEqual(done.stderr.count(b"\n"), 15)
        self.assertEqual(done.stderr.count(b"standard input: line "), 10)
        self.assertIn(b"30000 broken lines, of which the first 10 are named above", done.stderr)
        self.assertRegex(done.stderr, rb"\n.* 30000  fewer fields than the header has\n")
        self.assertIn(b"30001 rows: 1 ok, 30000 malformed", done.stderr)

    def test_reasons_are_counted(self):
        body = b"priv,digest\n" + b"05\n" * 12 + b",02\n" * 7 + b"05,02,x\n" * 3
        done = self.run_tool("sign", "--curve", "P-256", stdin=body, status=1)
        for count, reason in ((12, b"fewer fields"), (7, b"priv: no value"), (3, b"more fields")):
            self.assertRegex(done.stderr, rb"gecc: +%d  %s" % (count, reason))


if __name__ == "__main__":
    unittest.main()
