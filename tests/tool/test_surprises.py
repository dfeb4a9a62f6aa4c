"""What people's files are like: columns that contradict each other, options that nothing obeys, names taken twice.

Test: fast; threads
"""

import base64
import csv
import hashlib
import io
import json
import json
import unittest

from support import P256, P384, SECP256K1, SM2, ToolTest, sm2_e


def row_of(curve, message, hash_name="sha256", key=7, k=1001):
    """A valid row with `msg` and `digest`."""
    digest = hashlib.new(hash_name, message).digest()
    r, s, _ = curve.ecdsa(key, digest, k)
    return {"pub": curve.encode(curve.mul(key)), "msg": message.hex(), "digest": digest.hex(), "sig": curve.signature(r, s)}


class DigestBesideMessage(ToolTest):
    def test_verify(self):
        good = row_of(P256, b"abc")
        # The signature is valid over the digest; over the message it is not.
        rows = [good, {**good, "msg": "00"}, {**good, "msg": ""}, {**good, "digest": good["digest"][:40]},
                {k: v for k, v in good.items() if k != "msg"}]  # fmt: skip
        out = self.json_rows("verify", rows, "--curve", "P-256", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "malformed", "malformed", "malformed", "malformed"])
        self.assertEqual(out[4]["reason"], "msg: not there, and the first row of the file that could be read has it")
        self.assertEqual([row["reason"] for row in out[1:4]], ["digest: not the hash of `msg`"] * 3)
        out = self.csv_rows("verify", list(good), [tuple(row.values()) for row in rows[:4]], "--curve", "P-256", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "malformed", "malformed", "malformed"])

    def test_sign_gives_nothing_away(self):
        rows = [{"priv": "07", "msg": "00", "digest": digest} for digest in (hashlib.sha256(b"\0").hexdigest(), "02" * 32)]
        for curve in ("P-256", "secp256k1"):
            out = self.json_rows("sign", rows, "--curve", curve, status=1)
            self.assertEqual([row["status"] for row in out], ["ok", "malformed"])
            self.assertEqual(("sig" in out[0], "sig" in out[1]), (True, False))
            self.assertEqual(out[1]["reason"], "digest: not the hash of `msg`")

    def test_recover(self):
        message = b"abc"
        digest = hashlib.sha256(message).digest()
        r, s, recid = SECP256K1.ecdsa(5, digest, 77)
        row = {"msg": message.hex(), "digest": digest.hex(), "sig": SECP256K1.signature(r, s), "recid": str(recid)}
        out = self.json_rows("recover", [row, {**row, "msg": "00"}], "--curve", "secp256k1", status=1)
        self.assertEqual(out[0]["pub"], SECP256K1.encode(SECP256K1.mul(5)))
        self.assertEqual((out[1]["status"], "pub" in out[1]), ("malformed", False))

    def test_sm2(self):
        point = SM2.mul(7)
        e = sm2_e(point, b"\1").hex()
        rows = [{"priv": "07", "msg": "01", "digest": e}, {"priv": "07", "msg": "02", "digest": e}]
        out = self.json_rows("sign", rows, "--curve", "SM2", status=1)
        self.assertEqual([row["status"] for row in out], ["ok", "malformed"])
        checked = self.json_rows("verify", [{**rows[0], "pub": SM2.encode(point), "sig": out[0]["sig"]}], "--curve", "SM2")
        self.assertEqual(checked[0]["status"], "valid")

    def test_bip340(self):
        rows = [{"priv": "07", "msg": "0102", "digest": "0102"}, {"priv": "07", "msg": "0102", "digest": "0103"}]
        out = self.json_rows("sign", rows, "--scheme", "bip340", status=1)
        self.assertEqual([row["status"] for row in out], ["ok", "malformed"])
        self.assertEqual(out[1]["reason"], "digest: not what `msg` is")


class Hashes(ToolTest):
    def test_a_column_says_which(self):
        rows = [
            {**row_of(P256, b"a", name), "hash": text}
            for name, text in (("sha256", "sha256"), ("sha384", "SHA-384"), ("sha512", "sha512"), ("sha256", ""))
        ]
        for columns in (("pub", "msg", "sig", "hash"), ("pub", "msg", "digest", "sig", "hash")):
            cells = [[row[column] for column in columns] for row in rows]
            out = self.csv_rows("verify", columns, cells, "--curve", "P-256")
            self.assertEqual([row["status"] for row in out], ["valid"] * 4)
        out = self.json_rows("digest", [{"msg": "00", "hash": "sha512"}, {"msg": "00"}], "--hash", "sha384")
        self.assertEqual([row["digest"] for row in out], [hashlib.sha512(b"\0").hexdigest(), hashlib.sha384(b"\0").hexdigest()])

    def test_it_is_not_read_beside_a_digest_alone(self):
        row = row_of(P256, b"a")
        del row["msg"]
        self.assertEqual(self.json_rows("verify", [{**row, "hash": "0xdecade"}], "--curve", "P-256")[0]["hash"], "0xdecade")

    def test_a_name_that_is_none(self):
        out = self.json_rows("digest", [{"msg": "00", "hash": "md5"}], status=1)
        self.assertRegex(out[0]["reason"], "^hash: .*sha256.*sm3.*keccak256")

    def test_options_list_their_names(self):
        for option, names in (("--hash", b"sha256, sha384, sha512, sm3, keccak256"), ("--format", b"csv, jsonl, raw"),
                              ("--curve", b"secp256k1, P-256, P-384, SM2"), ("--threads", b"does not fit")):  # fmt: skip
            done = self.run_tool("verify", option, "what", status=2)
            self.assertIn(option.encode(), done.stderr)
            self.assertIn(b": 'what' ", done.stderr)
            self.assertIn(names, done.stderr)

    def test_signatures_have_the_hash_of_their_row(self):
        out = self.json_rows("sign", [{"priv": "07", "msg": "00", "hash": "sha512"}], "--curve", "P-256")
        digest = hashlib.sha512(b"\0").digest()
        r, s, _ = P256.ecdsa(7, digest, P256.nonce(7, digest, "sha512"))
        self.assertEqual(out[0]["sig"], P256.signature(r, s))

    def test_a_hash_that_nothing_obeys(self):
        row = row_of(P384, b"a", "sha384")
        for command, columns, arguments in (
            ("verify", {"pub": row["pub"], "digest": row["digest"], "sig": row["sig"]}, ["--curve", "P-384", "--hash", "sha512"]),
            ("sign", {"priv": "07", "digest": "02" * 32}, ["--curve", "P-256", "--hash", "keccak256"]),
            ("verify", {"pub": "00", "msg": "00", "sig": "00"}, ["--curve", "SM2", "--hash", "sha256"]),
            ("sign", {"priv": "07", "msg": "00"}, ["--curve", "SM2", "--hash", "sha256"]),
            ("recover", {"digest": "00", "sig": "00", "recid": "0"}, ["--curve", "P-256", "--hash", "sha256"]),
            ("recover", {"digest": "00", "sig": "00"}, ["--address", "--personal-message"]),
        ):
            text = ",".join(columns) + "\n" + ",".join(columns.values()) + "\n"
            done = self.run_tool(command, *arguments, stdin=text, status=2)
            self.assertRegex(done.stderr.decode(), "hash|personal", command)
            self.assertEqual(self.json_rows(command, [columns], *arguments, status=1)[0]["status"], "malformed")
        self.run_tool("sign", "--curve", "P-256", "--hash", "sha512", stdin="priv,digest\n07," + "02" * 32, status=0)


class MissingColumns(ToolTest):
    def test_they_are_named(self):
        done = self.run_tool("verify", "--curve", "P-256", stdin="pub,hash,signature\n", status=2)
        self.assertIn(b"there are `pub`, `hash`, `signature`; wanted are `pub`, `digest`, `sig`; or `pub`, `sig`, `msg`; "
                      b"say --map digest=hash;", done.stderr)  # fmt: skip
        self.run_tool("verify", "--curve", "P-256", "--map", "digest=hash,sig=signature", "--allow-empty",
                      stdin="pub,hash,signature\n", status=0)  # fmt: skip

    def test_widths_are_named(self):
        row = row_of(P384, b"a", "sha384")
        del row["msg"]
        out = self.json_rows("verify", [{**row, "pub": row["pub"][:64]}, {**row, "digest": "00" * 19}], "--curve", "P-384",
                             status=1)  # fmt: skip
        self.assertTrue(out[0]["reason"].startswith("pub: 32 bytes, a point has 49, 96 or 97; "), out[0]["reason"])
        self.assertTrue(out[1]["reason"].startswith("digest: 19 bytes, a digest has 20 to 64; "), out[1]["reason"])

    def test_many(self):
        done = self.run_tool("digest", stdin=",".join(f"c{i}" for i in range(3000)) + "\n", status=2)
        self.assertIn(b"`c7` and 2992 more; wanted are `pub`, `msg`; or `msg`; see", done.stderr)
        self.run_tool("digest", stdin="x" * 5000 + "\n", status=2)


class UnreadColumns(ToolTest):
    def test_what_nobody_reads_passes_through(self):
        members = ['"x":1e400', '"x":-1E+999', '"x":%s' % ("9" * 400), '"x":"\\ud800"', '"\\udc00":1', '"x":["\\uDfFf",{"a":1e-999}]']
        text = "".join('{"msg":"00",%s}\n' % member for member in members)
        done = self.run_tool("digest", stdin=text, status=0)
        for member, line in zip(members, done.stdout.decode().splitlines(), strict=True):
            self.assertTrue(line.startswith('{"msg":"00",%s,"status":"ok"' % member), line)

    def test_what_is_read_has_to_be_readable(self):
        out = self.run_tool("digest", stdin='{"msg":"\\ud800"}\n', status=1).stdout
        self.assertEqual(json.loads(out)["reason"], "msg: a string that cannot be read")


class Encodings(ToolTest):
    ENCODERS = {
        "hex": bytes.hex,
        "base64": lambda data: base64.b64encode(data).decode(),
        "base64url": lambda data: base64.urlsafe_b64encode(data).decode().rstrip("="),
    }

    def test_rows_in_each(self):
        plain = [row_of(P256, bytes([i]) * i, key=i + 1, k=999 + i) for i in range(40)]
        for name, encode in self.ENCODERS.items():
            rows = [{column: encode(bytes.fromhex(text)) for column, text in row.items()} for row in plain]
            for out in (self.json_rows("verify", rows, "--curve", "P-256", "--encoding", name),
                        self.csv_rows("verify", list(rows[0]), [list(row.values()) for row in rows], "--curve", "P-256",
                                      "--encoding", name)):  # fmt: skip
                self.assertEqual({row["status"] for row in out}, {"valid"})
            out = self.json_rows("digest", [{"msg": row["msg"]} for row in rows], "--encoding", name)
            self.assertEqual([row["digest"] for row in out], [row["digest"] for row in rows])
            padded = [{"msg": row["msg"] + "=" * (-len(row["msg"]) % 4)} for row in rows] if name != "hex" else []
            self.assertEqual(len(self.json_rows("digest", padded or [{"msg": "00"}], "--encoding", name)), len(padded) or 1)

    def test_numbers(self):
        encode = self.ENCODERS["base64url"]
        modulus = (2**127 - 1).to_bytes(16, "big")
        for width in (1, 8, 16, 30):
            row = {"a": encode((77).to_bytes(width, "big")), "b": encode((3).to_bytes(width, "big")), "modulus": encode(modulus)}
            out = self.json_rows("mod", [row], "--op", "power", "--encoding", "base64url")
            self.assertEqual(out[0]["r"], encode((77**3).to_bytes(16, "big")))
        out = self.json_rows("mul", [{"scalar": "AA=="}], "--curve", "P-256", "--encoding", "base64")
        self.assertEqual(out[0]["point"], "AA==")

    def test_what_is_none(self):
        for encoding, texts in (("base64", ["A", "AB", "AA=", "AA===", "A-A=", "A A=", "====", "AAB", "\u00e4A=="]),
                                ("base64url", ["A+A", "A/A=", "AAAAA"])):  # fmt: skip
            for text in texts:
                out = self.json_rows("digest", [{"msg": text}], "--encoding", encoding, status=1)
                self.assertEqual(out[0]["reason"], f"msg: not {encoding}", text)
        self.run_tool("digest", "--encoding", "base32", stdin="msg\n", status=2)

    def test_results(self):
        self.assertEqual(self.json_rows("pubkey", [{"priv": "Bw=="}], "--curve", "P-256", "--encoding", "base64")[0]["pub"],
                         self.ENCODERS["base64"](bytes.fromhex(P256.encode(P256.mul(7)))))  # fmt: skip


class PrivateKeys(ToolTest):
    SECRET = "5ec4e7" * 10

    def test_commands_without_use_for_them_do_not_copy_them(self):
        good = {**row_of(P256, b"abc"), "n": "1"}
        for command, arguments in (("verify", ["--curve", "P-256"]), ("digest", [])):
            rows = self.json_rows(command, [{"priv": self.SECRET, **good}, {**good, "priv": self.SECRET}], *arguments)
            self.assertEqual([("priv" in row, row["n"]) for row in rows], [(False, "1")] * 2)
            columns, cells = list(good), list(good.values())
            rows = self.csv_rows(command, [*columns, "priv"], [[*cells, self.SECRET]], *arguments)
            self.assertEqual([("priv" in row, row["n"]) for row in rows], [(False, "1")])
            rows = self.csv_rows(command, ["priv", *columns], [[self.SECRET, *cells]], *arguments)
            self.assertEqual([(list(row)[0], row["n"]) for row in rows], [("pub", "1")])
        done = self.run_tool("digest", stdin=f"priv,msg\n{self.SECRET},00\n", status=0)
        self.assertIn(b"private keys", done.stderr)

    def test_nor_text_that_may_hold_them(self):
        for text in (f"priv,msg\n{self.SECRET}\n", f'msg,priv\n"00,{self.SECRET}\n', f"msg,priv\n00,00,{self.SECRET}\n",
                     '{"priv":"%s"' % self.SECRET, '{"pr\\u0069v":"%s"' % self.SECRET):  # fmt: skip
            done = self.run_tool("digest", stdin=text, status=2 if '"00,' in text else 1)
            self.assertNotIn(self.SECRET.encode(), done.stdout + done.stderr)

    def test_others_pass_them_on(self):
        done = self.run_tool("pubkey", "--curve", "P-256", stdin=f"priv\n{self.SECRET}\n", status=0)
        self.assertIn(self.SECRET.encode(), done.stdout)


class UnreadableRows(ToolTest):
    def rows(self, text, status=1):
        done = self.run_tool("digest", "--format", "csv", stdin=text, status=status)
        rows = list(csv.reader(io.StringIO(done.stdout.decode(errors="surrogateescape"), newline="")))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        return [row[:-1] for row in rows[1:]]

    def test_cells_of_csv(self):
        rows = self.rows('msg,a,b\n00,1\n"00","x ""y""",3,4,"5,6"\n00,1,2\n00,x"y,3\r\n')
        self.assertEqual(rows[0], ["00", "1", "", "malformed", "fewer fields than the header has", "2"])
        self.assertEqual(rows[1], ["00", 'x "y"', '3,4,"5,6"', "malformed", "more fields than the header has", "3"])
        self.assertEqual(rows[2][:4], ["00", "1", "2", "ok"])
        self.assertEqual(rows[3][:4], ['00,x"y,3', "", "", "malformed"])

    def test_one_column(self):
        rows = self.rows('msg\n00,1\n"00\n', status=2)
        self.assertEqual([row[0] for row in rows], ["00,1", '"00'])

    def test_json_lines(self):
        for line in (b'{"msg":"00"', b'"\\ \t', b"\xff\xc3\xa4\xed\xa0\x80"):
            done = self.run_tool("digest", "--format", "jsonl", stdin=line, status=1)
            self.assertEqual(json.loads(done.stdout)["unreadable"].replace("\ufffd", ""), line.decode(errors="ignore"))


if __name__ == "__main__":
    unittest.main()
