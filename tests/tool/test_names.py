"""Columns and options by the names that Python and SQL have for them.

Test: fast
"""

import csv
import io
import json
import unittest

from support import ToolTest


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


class Names(ToolTest):
    OTHERS = {"pub": "public_key", "sig": "signature", "priv": "private_key", "msg": "message", "recid": "recovery_id"}

    def signed(self):
        keys = self.run_tool("keygen", "--curve", "P-256", "--count", 3, status=0).stdout
        rows = read_csv(keys.decode())
        text = "priv,digest,pub\n" + "".join(f"{row['priv']},{i:064x},{row['pub']}\n" for i, row in enumerate(rows, 1))
        return self.run_tool("sign", "--curve", "P-256", stdin=text.encode(), status=0).stdout.decode()

    def renamed(self, text, names=OTHERS):
        head, rest = text.split("\n", 1)
        return "\n".join([",".join(names.get(name, name) for name in head.split(",")), rest])

    def test_columns_of_csv_and_json_lines(self):
        text = self.renamed(self.signed())
        self.assertIn("public_key", text)
        self.assertIn("signature", text)
        found = read_csv(self.run_tool("verify", "--curve", "secp256r1", stdin=text.encode(), status=0).stdout.decode())
        self.assertEqual([row["status"] for row in found], ["valid"] * 3)
        # What gives a key away is not copied by any of its names.
        self.assertIn("private_key", text)
        self.assertNotIn("private_key", found[0])
        lines = "".join(json.dumps(row) + "\n" for row in read_csv(text))
        found = self.run_tool("verify", "--curve", "P-256", stdin=lines.encode(), status=0).stdout.decode()
        self.assertEqual([json.loads(line)["status"] for line in found.splitlines()], ["valid"] * 3)
        self.assertNotIn("private_key", found)
        signed = self.run_tool("sign", "--curve", "P-256", stdin=self.renamed("priv,digest\n01," + "00" * 32 + "\n").encode(), status=0)
        self.assertEqual(len(read_csv(signed.stdout.decode())[0]["sig"]), 128)

    def test_two_names_of_one_column(self):
        row = dict(read_csv(self.signed())[0], signature="00" * 64)
        text = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
        done = self.run_tool("verify", "--curve", "P-256", stdin=text.encode(), status=2)
        self.assertIn(b"a column twice", done.stderr)
        self.assertIn(b"sig", done.stderr)
        done = self.run_tool("verify", "--curve", "P-256", stdin=(json.dumps(row) + "\n").encode(), status=1)
        self.assertIn("two names of one column", json.loads(done.stdout)["reason"])
        for option in (["--map", "sig=sig"], ["--map", "signature=sig"], ["--column", "sig=sig"]):
            found = read_csv(self.run_tool("verify", "--curve", "P-256", *option, stdin=text.encode(), status=0).stdout.decode())
            self.assertEqual((found[0]["status"], found[0]["signature"]), ("valid", "00" * 64))

    def test_message_gives_way_to_digest(self):
        """A `message` beside `digest` is some text, unless it is asked for or the file's first row has no other."""
        rows = [dict(row, message="hello") for row in read_csv(self.signed())]
        texts = {"csv": ",".join(rows[0]) + "\n" + "".join(",".join(row.values()) + "\n" for row in rows),
                 "jsonl": "".join(json.dumps(row) + "\n" for row in rows),
                 "other order": "".join(json.dumps(dict(reversed(row.items()))) + "\n" for row in rows),
                 "an object": "".join(json.dumps(dict(row, message={"text": 1})) + "\n" for row in rows)}  # fmt: skip
        for name, text in texts.items():
            done = self.run_tool("verify", "--curve", "P-256", stdin=text.encode(), status=0)
            self.assertIn(b"`message` is not read beside `digest`", done.stderr, name)
            for option in (["--map", "msg=message"], ["--require", "msg"]):
                done = self.run_tool("verify", "--curve", "P-256", *option, stdin=text.encode(), status=1)
                self.assertNotIn(b"is not read beside", done.stderr, name)
        # Where messages are what is signed, a digest beside one is compared.
        row = {"priv": "01", "message": "00"}
        lines = json.dumps(row) + "\n" + json.dumps(dict(row, digest="00" * 32)) + "\n" + json.dumps({"priv": "01", "digest": "00" * 32}) + "\n"
        found = self.run_tool("sign", "--curve", "P-256", stdin=lines.encode(), status=1).stdout.decode()
        self.assertEqual([json.loads(line)["status"] for line in found.splitlines()], ["ok", "malformed", "malformed"])
        # And the other way about, a message alone is refused.
        lines = json.dumps(dict(row, digest="00" * 32)) + "\n" + json.dumps(row) + "\n"
        found = self.run_tool("sign", "--curve", "P-256", stdin=lines.encode(), status=1).stdout.decode()
        self.assertEqual([json.loads(line)["status"] for line in found.splitlines()], ["ok", "malformed"])

    def test_maps_are_joined(self):
        text = self.renamed(self.signed(), {"pub": "a", "sig": "b", "digest": "c"}).encode()
        for maps in (["--map", "pub=a,sig=b,digest=c"], ["--map", "pub=a", "--map", "sig=b,digest=c"],
                     ["--column", "public_key=a", "--column=signature=b", "--map", "digest=c"]):  # fmt: skip
            self.run_tool("verify", "--curve", "P-256", *maps, stdin=text, status=0)
        done = self.run_tool("verify", "--curve", "P-256", "--map", "pub=a", "--column", "public_key=b", stdin=text, status=2)
        self.assertIn(b"is there twice", done.stderr)

    def test_options(self):
        text = self.signed().encode()
        self.run_tool("verify", "--curve", "P-256", "--require", "signature", stdin=text, status=0)
        der = self.run_tool("sign", "--curve", "P-256", "--der", stdin=b"priv,digest\n01," + b"00" * 32 + b"\n", status=0)
        self.assertTrue(read_csv(der.stdout.decode())[0]["sig"].startswith("30"))
        for rule in ("ref10", "strict", "zip215"):
            for option in (["--accept", rule], [f"--accept-{rule}"]):
                # A key and an R of small order, which ZIP 215 takes.
                row = f"pub,msg,sig\n01{'00' * 31},,01{'00' * 63}\n".encode()
                done = self.run_tool("verify", "--curve", "Ed25519", *option, stdin=row)
                self.assertEqual(done.returncode, 1 if rule == "strict" else 0, (option, done))
        done = self.run_tool("verify", "--curve", "P-256", "--der=raw", stdin=text, status=2)
        self.assertIn(b"--der takes no argument", done.stderr)
        self.run_tool("sign", "--der", "--sig-format", "raw", stdin=text, status=2)

    def test_formats(self):
        """--format is the input's, --output-format the output's, which a name may say."""
        out, rows = self.folder / "out.jsonl", b"msg\n00\n"
        for options in (["--output-format", "jsonl"], ["-o", out]):
            done = self.run_tool("digest", *options, stdin=rows, status=0)
            self.assertEqual(json.loads(done.stdout or out.read_text())["status"], "ok")
        self.run_tool("digest", "--output-format", "csv", "-o", out, stdin=rows, status=0)
        self.assertEqual(out.read_text().partition("\n")[0], "msg,status,reason,line,digest")
        self.run_tool("digest", "-o", self.folder / "new.jsonl", stdin=b'{"msg":"00"}\n', status=0)
        for command in (["keygen", "--curve", "P-256"], ["senders"]):
            self.assertIn(b"the output's is --output-format", self.run_tool(*command, "--format", "jsonl", status=2).stderr)
        self.run_tool("keygen", "--curve", "P-256", "-o", self.folder / "keys.jsonl", status=0)
        self.assertIn("priv", json.loads((self.folder / "keys.jsonl").read_text()))
        for command in (["keygen", "--curve", "P-256"], ["senders"]):
            self.assertIn(b"-o FILE says: csv or jsonl", self.run_tool(*command, "-o", self.folder / "rows.bin", stdin=b"", status=2).stderr)
        for command in ("inputs", "senders"):
            for text in (b'{"raw":"00","prevouts":[]}\n', b"raw,prevouts\n00,\n"):
                for form in ("csv", "jsonl"):
                    self.run_tool(command, "-o", self.folder / f"rows.{form}", stdin=text, status=1)
                    written = (self.folder / f"rows.{form}").read_text()
                    self.assertEqual(written[0] == "{", form == "jsonl", (command, text, form))
            self.assertIn(b"not raw rows", self.run_tool(command, "--output-format", "raw", stdin=text, status=2).stderr)

    def test_secrets_that_records_hold(self):
        for name in ("priv", "private_key", "seed"):
            for text in (f"raw,note,{name}\n00,kept,73656372\n", json.dumps({"raw": "00", "note": "kept", name: "73656372"}),
                         json.dumps({"raw": "00", "note": "kept", name: "73656372"}).replace('"' + name[0], '"\\u00%02x' % ord(name[0]))):  # fmt: skip
                for command in (["senders", "--output-format", "jsonl"], ["inputs"]):
                    done = self.run_tool(*command, stdin=text.encode())
                    self.assertNotIn(b"73656372", done.stdout + done.stderr, (command, text))
                    if command[0] == "senders":
                        self.assertIn(b"kept", done.stdout)

    def test_raw_columns(self):
        row = bytes(31) + b"\1" + bytes(32)
        one = self.run_tool("sign", "--curve", "P-256", "--format", "raw", "--columns", "priv,digest", stdin=row, status=0)
        other = self.run_tool("sign", "--curve", "P-256", "--format", "raw", "--columns", "private_key,digest", stdin=row, status=0)
        self.assertEqual(one.stdout, other.stdout)


if __name__ == "__main__":
    unittest.main()
