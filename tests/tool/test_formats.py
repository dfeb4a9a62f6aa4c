"""Rows in each format, in and out.

Test: fast
"""

import bz2
import csv
import hashlib
import io
import json
import lzma
import unittest

from support import CURVES, P256, P384, SECP256K1, SM2, ToolTest, der, generator

VALID, INVALID, INFINITY = 1, 2, 3  # gecc_item


def signed(curve, count, name="rows"):
    """(pub, digest, r, s) of valid signatures; every third one then has another digest."""
    draw = generator(name + curve.name)
    for i in range(count):
        key, digest = draw.randrange(1, curve.n), draw.randbytes(32)
        r, s, _ = curve.ecdsa(key, digest, draw.randrange(1, curve.n))
        yield curve.mul(key), digest if i % 3 else bytes(32), r, s


class Csv(ToolTest):
    def test_columns_pass_through_in_order(self):
        rows = list(signed(P256, 7))
        text = io.StringIO()
        writer = csv.writer(text)  # CRLF
        writer.writerow(["n", "sig", 'a "name", quoted', "digest", "pub", "last"])
        for i, (point, digest, r, s) in enumerate(rows):
            other = ['say "hi"', "two\r\nlines\nhere", "", "äöü", "  spaces ", ",", '"'][i]
            writer.writerow([i, P256.signature(r, s), other, digest.hex(), P256.encode(point), "x"])
        done = self.run_tool("verify", "--curve", "P-256", stdin=text.getvalue(), status=1)
        before = list(csv.reader(io.StringIO(text.getvalue(), newline="")))
        after = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
        self.assertEqual(after[0], before[0] + ["status", "reason", "line"])
        for i, (row_before, row_after) in enumerate(zip(before[1:], after[1:], strict=True)):
            self.assertEqual(row_after, row_before + ["valid" if i % 3 else "invalid", "", ""])

    def test_columns_named_like_results_are_kept(self):
        columns = ["status", "priv", "sig", "note", "digest", "recid", "status", "input_status"]
        row = ["old", "05", "older", "keep", "02" * 32, "oldest", "again", "taken"]
        text = f"{','.join(columns)}\n{','.join(row)}\n"
        done = self.run_tool("sign", "--curve", "P-256", stdin=text, status=0)
        header, out = csv.reader(io.StringIO(done.stdout.decode()))
        self.assertEqual(header, ["input_status_2", "priv", "input_sig", "note", "digest", "input_recid", "input_status_3",
                                  "input_status", "status", "reason", "line", "sig", "recid"])  # fmt: skip
        self.assertEqual(out[:11], row + ["ok", "", ""])
        done = self.run_tool("sign", "--curve", "P-256", "--prefix", "gecc_", stdin=text, status=0)
        header, prefixed = csv.reader(io.StringIO(done.stdout.decode()))
        self.assertEqual(header, columns + ["gecc_status", "gecc_reason", "gecc_line", "gecc_sig", "gecc_recid"])
        self.assertEqual(prefixed, out)

    def test_prefix(self):
        text = "gecc_status,msg\nold,00\n"
        done = self.run_tool("digest", "--prefix", "gecc_", stdin=text, status=0)
        self.assertTrue(done.stdout.startswith(b"input_gecc_status,msg,gecc_status,gecc_reason,gecc_line,gecc_digest\nold,00,ok,,,"))
        for prefix in ("", "a b", 'a"', "x" * 33):
            self.run_tool("digest", "--prefix", prefix, stdin=text, status=2)

    def test_recover_keeps_a_key_that_is_not_read(self):
        r, s, recid = P256.ecdsa(5, b"\5" * 32, 50)
        row = {"pub": "claimed", "digest": "05" * 32, "sig": P256.signature(r, s), "recid": str(recid)}
        for out in (self.json_rows("recover", [row], "--curve", "P-256", "--map", "pub=other"),
                    self.csv_rows("recover", list(row), [tuple(row.values())], "--curve", "P-256", "--map", "pub=other")):  # fmt: skip
            self.assertEqual((out[0]["input_pub"], out[0]["pub"]), ("claimed", P256.encode(P256.mul(5))))

    def test_commands_in_a_row(self):
        keys = "".join(f"{key:064x},{key:064x}\n" for key in range(1, 40))
        public = self.run_tool("pubkey", "--curve", "SM2", stdin="priv,digest\n" + keys, status=0).stdout
        done = self.run_tool("sign", "--curve", "SM2", stdin=public, status=0).stdout
        done = self.run_tool("verify", "--curve", "SM2", stdin=done, status=0).stdout
        rows = list(csv.DictReader(io.StringIO(done.decode())))
        self.assertEqual([row["status"] for row in rows], ["valid"] * 39)
        self.assertEqual(list(rows[0]),
                         ["digest", "input_status", "input_reason", "input_line", "pub", "input_status_2", "input_reason_2",
                          "input_line_2", "sig", "recid", "status", "reason", "line"])  # fmt: skip

    def test_byte_order_mark_and_no_last_line_end(self):
        done = self.run_tool("digest", stdin=b"\xef\xbb\xbfmsg,n\r\n00,1\r\n01,2", status=0)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertTrue(done.stdout.startswith(b"msg,n,status,reason,line,digest\n00,1,ok,,,6e340b9c"))

    def test_curves_mix(self):
        rows, expected = [], []
        for i in range(40):
            curve = CURVES[i % 3]
            key, digest = i + 2, bytes([i]) * 32
            r, s, _ = curve.ecdsa(key, digest, 1000 + i)
            name = {SECP256K1: "SECP256K1", P256: "prime256v1", P384: "Secp384r1"}[curve]
            signature = der(r, s).hex().upper() if i % 2 else "0x" + curve.signature(r, s)
            if i % 7 == 0:
                key += 1
            if i % 11 == 10:
                name = "P-521"
            expected.append("malformed" if i % 11 == 10 else "valid" if i % 7 else "invalid")
            rows.append((name, curve.encode(curve.mul(key)), digest.hex(), signature))
        # --curve serves the rows that do not say theirs.
        r, s, _ = P256.ecdsa(5, b"\5" * 32, 50)
        rows.append(("", P256.encode(P256.mul(5)), "05" * 32, P256.signature(r, s)))
        out = self.csv_rows("verify", ["curve", "pub", "digest", "sig"], rows, "--curve", "P-256", status=1)
        self.assertEqual([row["status"] for row in out], expected + ["valid"])

    def test_batches_keep_the_order(self):
        rows = [(f"{i:04x}", str(i)) for i in range(500)]
        for size in (1, 7, 499, 500, 501):
            out = self.csv_rows("digest", ["msg", "n"], rows, "--batch", size)
            self.assertEqual([row["n"] for row in out], [n for _, n in rows])
            self.assertEqual(len({row["digest"] for row in out}), 500)


class Jsonl(ToolTest):
    def test_members_pass_through_as_written(self):
        line = (
            '{ "n" : 12345678901234567890123, "x":1.10,"pub":"%s", "deep": {"a":[1, {"b":"}\\""}]},'
            '"digest":"%s","sig":"%s","t":true,"nothing":null,"text":"\\u00e4 \\n ä"}'
        )
        lines, statuses = [], []
        for i, (point, digest, r, s) in enumerate(signed(P256, 6)):
            lines.append(line % (P256.encode(point), digest.hex(), P256.signature(r, s)))
            statuses.append("valid" if i % 3 else "invalid")
        done = self.run_tool("verify", "--curve", "P-256", stdin="\n".join(lines) + "\n", status=1)
        for before, after, status in zip(lines, done.stdout.decode().splitlines(), statuses, strict=True):
            self.assertEqual(after, "{" + before[2:-1] + f',"status":"{status}"' + "}")

    def test_escapes_in_names_and_values(self):
        row = '{"p\\u0072iv":"0\\u0035","\\u0064igest":"%s","\\u0073tatus":"old","a\\tb":"\\u0000"}' % ("02" * 32)
        done = self.run_tool("sign", "--curve", "P-256", stdin=row, status=0)
        names = list(json.loads(done.stdout))
        self.assertEqual(names, ["priv", "digest", "input_status", "a\tb", "status", "sig", "recid"])
        plain = self.csv_rows("sign", ["priv", "digest"], [("05", "02" * 32)], "--curve", "P-256")
        self.assertEqual(json.loads(done.stdout)["sig"], plain[0]["sig"])

    def test_results(self):
        out = self.json_rows("sign", [{"priv": "05", "digest": "02" * 32}, {"priv": "00", "digest": "02" * 32}],
                             "--curve", "P-256", status=1)  # fmt: skip
        self.assertEqual(list(out[0]), ["priv", "digest", "status", "sig", "recid"])
        self.assertIsInstance(out[0]["recid"], int)
        self.assertEqual(list(out[1]), ["priv", "digest", "status", "reason", "line"])
        self.assertEqual(out[1]["line"], 2)
        recovered = self.json_rows("recover", [{**out[0], "curve": "P-256"}])
        self.assertEqual(recovered[0]["pub"], P256.encode(P256.mul(5)))

    def test_members_named_like_results_are_kept(self):
        row = {"status": "x", "priv": "05", "sig": [1], "digest": "02" * 32, "reason": {"a": 1}, "z": 1, "input_sig": 2}
        out = self.json_rows("sign", [row], "--curve", "P-256")
        self.assertEqual(list(out[0]), ["input_status", "priv", "input_sig_2", "digest", "input_reason", "z", "input_sig",
                                        "status", "sig", "recid"])  # fmt: skip
        self.assertEqual((out[0]["input_status"], out[0]["input_sig_2"], out[0]["input_reason"]), ("x", [1], {"a": 1}))
        out = self.json_rows("sign", [row], "--curve", "P-256", "--prefix", "my.")
        self.assertEqual(list(out[0]), [*row, "my.status", "my.sig", "my.recid"])
        done = self.run_tool("digest", stdin='{"msg":"00","status":1,"\\u0073tatus":2,"input_status":3}', status=0)
        self.assertTrue(done.stdout.startswith(b'{"msg":"00","input_status_2":1,"input_status_3":2,"input_status":3,"status"'))

    def test_forms_of_each_row(self):
        g = P256.encode(P256.g)
        rows = [{"scalar": "03"}, {"scalar": "03", "point": g}, {"u": "01", "v": "02", "point": g}, {"u": "01"}]
        out = self.json_rows("mul", rows, "--curve", "P-256", status=1)
        self.assertEqual([row.get("point") for row in out[:3]], [P256.encode(P256.mul(3))] * 3)
        self.assertEqual(out[3]["status"], "malformed")

    def test_nothing(self):
        for options in ([], ["--format", "csv"], ["--format", "jsonl"], ["--format", "raw"]):
            for text in ("", "\n \n") if "raw" not in options else ("",):
                done = self.run_tool("digest", *options, stdin=text, status=2)
                self.assertIn(b"standard input: it is empty; if it may be, say --allow-empty", done.stderr)
                self.assertEqual(self.run_tool("digest", "--allow-empty", *options, stdin=text, status=0).stdout, b"")

    def test_expected_rows(self):
        target = self.folder / "out.csv"
        for count, status in ((2, 0), (1, 2), (3, 2)):
            done = self.run_tool("digest", "--expect-rows", count, "-o", target, stdin="msg\n00\n01\n", status=status)
            self.assertEqual(target.exists(), status == 0)
            self.assertEqual(b"2 rows, and --expect-rows says %d" % count in done.stderr, status == 2)
            target.unlink(missing_ok=True)
        for text in ("msg\n", "", "\n \n", "\ufeff", "\ufeff\n"):
            for options in ([], ["--format", "jsonl"] if text != "msg\n" else []):
                self.run_tool("digest", "--expect-rows", 0, *options, stdin=text, status=0)
                done = self.run_tool("digest", "--expect-rows", 1, *options, stdin=text, status=2)
                self.assertRegex(done.stderr, b"it is empty|there are no rows")

    def test_a_byte_order_mark_alone_is_empty(self):
        for command in (["digest"], ["inputs"], ["senders"]):
            for text in ("\ufeff", "\ufeff\r\n", "\ufeff \n\n"):
                self.assertIn(b"it is empty", self.run_tool(*command, stdin=text, status=2).stderr)
                self.assertEqual(self.run_tool(*command, "--allow-empty", stdin=text).returncode, 0, (command, text))

    def test_only_some_rows(self):
        text = "msg,n\n00,1\nx,2\n01,3\n"
        for only, numbers in (("ok", "13"), ("malformed", "2"), ("invalid", ""), ("invalid,malformed", "2")):
            done = self.run_tool("digest", "--only", only, stdin=text, status=1)
            self.assertEqual([row["n"] for row in csv.DictReader(io.StringIO(done.stdout.decode()))], list(numbers))
            self.assertIn(b"3 rows: 2 ok, 1 malformed", done.stderr)
        for only in ("", "good", "ok,"):
            self.run_tool("digest", "--only", only, stdin=text, status=2)
        self.run_tool("digest", "--only", "ok", "--format", "raw", stdin=text, status=2)

    def test_columns_with_other_names(self):
        point, digest, r, s = next(signed(P256, 1, "map"))
        row = {"key": P256.encode(point), "hash": digest.hex(), "signature": P256.signature(r, s), "sig": "not this",
               "digest": "nor this"}  # fmt: skip
        options = ["--curve", "P-256", "--map", "digest=hash,sig=signature,pub=key"]
        for out in (self.json_rows("verify", [row], *options, status=1),
                    self.csv_rows("verify", list(row), [tuple(row.values())], *options, status=1)):  # fmt: skip
            self.assertEqual(out[0], {**row, "status": "invalid", **({"reason": "", "line": ""} if "reason" in out[0] else {})})
        for value, text in (("digset=hash", b"'digset' is no column"), ("digest", b"'digest' is not followed by"),
                            ("sig=a,sig=b", b"'sig' is there twice"), ("", b"--map")):  # fmt: skip
            self.assertIn(text, self.run_tool("verify", "--map", value, stdin="a\n", status=2).stderr)


class Raw(ToolTest):
    def test_verify(self):
        for curve in (SECP256K1, P384):
            rows = list(signed(curve, 10))
            packed = b"".join(
                bytes.fromhex(curve.encode(point, "raw")) + digest + bytes.fromhex(curve.signature(r, s))
                for point, digest, r, s in rows
            )
            bad = bytearray(packed)
            bad[0:4] = b"\xff" * 4  # the first row's key: no longer on the curve
            done = self.run_tool("verify", "--curve", curve.name, "--format", "raw", stdin=bytes(bad), status=1)
            self.assertGreaterEqual(done.stdout[0], 16)
            self.assertEqual(list(done.stdout[1:]), [VALID if i % 3 else INVALID for i in range(1, 10)])
            path = self.folder / "rows.raw"
            path.write_bytes(bytes(bad))
            self.assertEqual(self.run_tool("verify", "--curve", curve.name, path, status=1).stdout, done.stdout)

    def test_sign_recover_verify(self):
        rows = [(key, bytes([key]) * 48) for key in range(1, 9)]
        packed = b"".join(key.to_bytes(32, "big") + digest for key, digest in rows)
        done = self.run_tool("sign", "--curve", "P-256", "--format", "raw", "--digest-bytes", 48, stdin=packed, status=0)
        self.assertEqual(len(done.stdout), 8 * (1 + 64 + 1))
        for i, (key, digest) in enumerate(rows):
            status, sig, recid = done.stdout[66 * i], done.stdout[66 * i + 1 : 66 * i + 65], done.stdout[66 * i + 65]
            r, s, expected = P256.ecdsa(key, digest, P256.nonce(key, digest, "sha256"))
            self.assertEqual((status, sig.hex(), recid), (VALID, P256.signature(r, s), expected))
            found = self.run_tool("recover", "--curve", "P-256", "--format", "raw", "--digest-bytes", 48,
                                  "--point-format", "raw", stdin=digest + sig + bytes([recid]), status=0)  # fmt: skip
            self.assertEqual(found.stdout.hex(), "01" + P256.encode(P256.mul(key), "raw"))
            for other, status in ((recid + 27, 0), (recid + 31, 1)):
                again = self.run_tool("recover", "--curve", "P-256", "--format", "raw", "--digest-bytes", 48,
                                      "--point-format", "raw", stdin=digest + sig + bytes([other]), status=status)  # fmt: skip
                self.assertEqual(again.stdout == found.stdout, status == 0)

    def test_columns_that_raw_rows_cannot_have(self):
        for command, columns in (("recover", "digest,sig,v"), ("verify", "pub,curve,digest,sig"), ("digest", "msg_text")):
            done = self.run_tool(command, "--curve", "secp256k1", "--format", "raw", "--columns", columns, stdin=b"0", status=2)
            self.assertIn(b"raw rows: they cannot have it: leave out the column ", done.stderr)
        done = self.run_tool("mod", "--op", "add", "--columns", "a,b,modulus", "--format", "raw", stdin=b"0", status=2)
        self.assertIn(b"raw rows: give --bits, or leave out the column ", done.stderr)

    def test_sm2_has_no_recovery_id(self):
        done = self.run_tool("sign", "--curve", "SM2", "--format", "raw", stdin=bytes(31) + b"\5" * 33, status=0)
        self.assertEqual(len(done.stdout), 65)
        check = bytes.fromhex(SM2.encode(SM2.mul(5), "raw")) + b"\5" * 32 + done.stdout[1:]
        self.run_tool("verify", "--curve", "SM2", "--format", "raw", stdin=check, status=0)

    def test_points(self):
        def run(command, data, *options):
            return self.run_tool(command, "--curve", "P-256", "--format", "raw", *options, stdin=data, status=0).stdout

        three, g = (3).to_bytes(32, "big"), bytes.fromhex(P256.encode(P256.g, "raw"))
        expected = "01" + P256.encode(P256.mul(3), "compressed")
        compressed = ["--point-format", "compressed"]
        self.assertEqual(run("pubkey", three, *compressed).hex(), expected)
        self.assertEqual(run("mul", three + g, *compressed).hex(), expected)
        self.assertEqual(run("mul", three, "--columns", "scalar", *compressed).hex(), expected)
        self.assertEqual(run("mul", three + g + bytes(32), "--columns", "u,point,v", *compressed).hex(), expected)
        self.assertEqual(run("mul", bytes(32) + g, *compressed), bytes([INFINITY]) + bytes(33))
        self.assertEqual(run("ecdh", three + g).hex(), "01" + P256.number(P256.mul(3)[0]))
        self.assertEqual(run("add", g + g).hex(), "01" + P256.encode(P256.mul(2)))

    def test_digest_and_mod(self):
        done = self.run_tool("digest", "--format", "raw", "--msg-bytes", 3, stdin=b"abcabc", status=0)
        self.assertEqual(done.stdout.hex(), 2 * "01ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        data = b"".join(x.to_bytes(16, "big") for x in (7, 9))
        for options, expected in (
            (["--op", "mul", "--modulus", "0d"], 63 % 13),
            (["--op", "power", "--modulus", "0d"], 7**9 % 13),
        ):
            done = self.run_tool("mod", *options, "--format", "raw", stdin=data, status=0)
            self.assertEqual(done.stdout, b"\1" + expected.to_bytes(16, "big"))
        done = self.run_tool("mod", "--op", "square", "--bits", 128, "--format", "raw",
                             stdin=data[:16] + (13).to_bytes(16, "big"), status=0)  # fmt: skip
        self.assertEqual(done.stdout, b"\1" + (49 % 13).to_bytes(16, "big"))

    def test_cut_short(self):
        done = self.run_tool("pubkey", "--curve", "P-256", "--format", "raw", stdin=bytes(31) + b"\1" + b"\2" * 5,
                             status=1)  # fmt: skip
        self.assertEqual(len(done.stdout), 2 * 66)
        self.assertEqual((done.stdout[0], done.stdout[66]), (VALID, 16))
        self.assertIn(b"row 2: the input ends inside it", done.stderr)

    def test_usage(self):
        for options in (
            ["--format", "raw"],
            ["--format", "raw", "--curve", "P-256", "--sig-format", "der"],
            ["--format", "raw", "--curve", "P-256", "--columns", "pub,pub"],
            ["--format", "raw", "--curve", "P-256", "--columns", "pub,nothing"],
            ["--format", "raw", "--curve", "P-256", "--columns", "pub,digest"],
        ):
            self.assertEqual(self.run_tool("verify", *options, stdin=b"x", status=2).stdout, b"")


class Detection(ToolTest):
    TEXTS = {"csv": b"msg,n\n00,1\n", "jsonl": b'{"msg":"00"}\n', "raw": b"\x01" * 32}

    def test_by_first_bytes(self):
        starts = {"csv": b"msg,n,status", "jsonl": b'{"msg":"00","status":"ok"'}
        for name, start in starts.items():
            for mark in (b"", b"\xef\xbb\xbf"):
                text = mark + self.TEXTS[name]
                self.assertTrue(self.run_tool("digest", stdin=text, status=0).stdout.startswith(start))
                self.assertTrue(self.run_tool("digest", "--format", name, stdin=text, status=0).stdout.startswith(start))
        done = self.run_tool("digest", stdin=self.TEXTS["raw"], status=2)
        self.assertIn(b"say --format raw", done.stderr)
        done = self.run_tool("digest", "--format", "raw", "--msg-bytes", 3, stdin=b"\xef\xbb\xbf", status=0)
        self.assertEqual(done.stdout[1:], hashlib.sha256(b"\xef\xbb\xbf").digest())

    def test_other_files_are_named(self):
        text = "msg,n\n00,1\n"
        for data, words in (
            (bz2.compress(text.encode()), b"bzip2 -dc"), (lzma.compress(text.encode()), b"xz -dc"),
            (b"PAR1\x15\x04", b"Parquet"), (b"ARROW1\0\0", b"Arrow"), (b"PK\3\4\n\0", b"ZIP"), (b"SQLite format 3\0", b"SQLite"),
            (text.encode("utf-16"), b"iconv -f UTF-16 "), (text.encode("utf-16-be"), b"iconv -f UTF-16BE"),
            (text.encode("utf-16-le"), b"iconv -f UTF-16LE"),
        ):  # fmt: skip
            for options in ([], ["--format", "csv"], ["--format", "jsonl"]):
                done = self.run_tool("digest", *options, stdin=data, status=2)
                self.assertIn(words, done.stderr)
            self.assertIn(words, self.run_tool("inputs", stdin=data, status=2).stderr)
            self.run_tool("digest", "--format", "raw", "--msg-bytes", 1, stdin=data, status=0)

    def test_byte_order_marks_of_records(self):
        plain = self.run_tool("inputs", stdin=b'{"raw":"00"}\n', status=1).stdout
        self.assertEqual(self.run_tool("inputs", stdin=b'\xef\xbb\xbf{"raw":"00"}\n', status=1).stdout, plain)
        for text in (b"00\n", b'{"raw":"00"}\n', b"raw\n00\n"):
            plain = self.run_tool("senders", stdin=text, status=1).stdout
            self.assertEqual(self.run_tool("senders", stdin=b"\xef\xbb\xbf" + text, status=1).stdout, plain)

    def test_by_name(self):
        for name, ending in (("csv", "CSV"), ("jsonl", "ndjson"), ("jsonl", "json"), ("raw", "bin"), ("raw", "raw")):
            path = self.folder / f"rows.{ending}"
            path.write_bytes(self.TEXTS[name])
            done = self.run_tool("digest", path, status=0)
            self.assertEqual(done.stdout, self.run_tool("digest", "--format", name, stdin=self.TEXTS[name]).stdout)

    def test_the_name_wins(self):
        path = self.folder / "rows.csv"
        path.write_bytes(self.TEXTS["jsonl"])
        self.run_tool("digest", path, status=2)
        self.run_tool("digest", "--format", "jsonl", path, status=0)

    def test_a_header_alone(self):
        for text in ("msg", "msg\n", "msg\r\n\n\r\n", '"msg"\n\n'):
            self.assertIn(b"there are no rows", self.run_tool("digest", "-o", self.folder / "out", stdin=text, status=2).stderr)
            self.assertFalse((self.folder / "out").exists())
            for option in (["--allow-empty"], ["--expect-rows", "0"]):
                self.assertEqual(self.run_tool("digest", *option, stdin=text, status=0).stdout.count(b"\n"), 1)


if __name__ == "__main__":
    unittest.main()
