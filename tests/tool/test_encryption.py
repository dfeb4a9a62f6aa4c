"""Encryption and decryption with SM2: there and back, beside OpenSSL, and rows that have no result.

Test: fast
"""

import base64
import csv
import functools
import random
import shutil
import stat
import subprocess
import unittest

from support import CURVES, ToolTest

SM2 = next(curve for curve in CURVES if curve.name == "SM2")
PRIVATE = random.Random("SM2").randrange(1, SM2.n - 1)
FORMATS = [("c1c3c2", "uncompressed", 97), ("c1c3c2", "compressed", 65), ("c1c3c2", "raw", 96), ("c1c2c3", "uncompressed", 97),
           ("c1c2c3", "compressed", 65), ("c1c2c3", "raw", 96), ("der", "uncompressed", None)]  # fmt: skip
TEXTS = [random.Random(width).randbytes(width) for width in (1, 2, 3, 5, 16, 31, 32, 33, 100, 255, 256, 3000, 70000)]

csv.field_size_limit(1 << 24)


def private(key=PRIVATE):
    return f"{key:064x}"


@functools.cache
def public(form="uncompressed"):
    return SM2.encode(SM2.mul(PRIVATE), form)


def arguments(form, points):
    return ["--ciphertext-format", form, "--point-format", points]


class Encryption(ToolTest):
    def encrypted(self, texts, *options, status=0):
        rows = self.csv_rows("encrypt", ("pub", "msg"), [(public(), text.hex()) for text in texts], *options, status=status)
        return [row["ciphertext"] for row in rows]

    def decrypted(self, ciphertexts, *options, status=0):
        return self.csv_rows("decrypt", ("priv", "ciphertext"), [(private(), text) for text in ciphertexts], *options, status=status)

    def test_there_and_back(self):
        for form, points, more in FORMATS:
            with self.subTest(form=form, points=points):
                options = arguments(form, points)
                made, again = (self.encrypted(TEXTS, *options) for _ in range(2))
                self.assertFalse(set(made) & set(again))
                for text, ciphertext in zip(TEXTS, made):
                    width = len(ciphertext) // 2 - len(text)
                    self.assertTrue(100 < width <= 116 if more is None else width == more, width)
                for texts in (made, again):
                    self.assertEqual([row["msg"] for row in self.decrypted(texts, *options)], [text.hex() for text in TEXTS])

    def test_what_the_parts_are(self):
        """C1 is a multiple of G, which the private key takes to the point whose x and y mask the text: C2 and C3 of both orders."""
        (text,) = self.encrypted([b"a text"])
        c1, c3, c2 = text[:130], text[130:194], text[194:]
        other = c1 + c2 + c3
        (row,) = self.decrypted([other], *arguments("c1c2c3", "uncompressed"))
        self.assertEqual(bytes.fromhex(row["msg"]), b"a text")
        (row,) = self.decrypted([c1[2:] + c3 + c2], *arguments("c1c3c2", "raw"))
        self.assertEqual(bytes.fromhex(row["msg"]), b"a text")
        (row,) = self.decrypted([other], status=1)
        self.assertEqual((row["status"], row["msg"]), ("invalid", ""))

    def test_all_rows_of_one_byte_get_a_nonce(self):
        texts = [bytes([i % 256]) for i in range(3000)]
        found = self.decrypted(self.encrypted(texts))
        self.assertEqual([row["msg"] for row in found], [text.hex() for text in texts])

    def test_rows_of_widths_that_differ_much(self):
        texts = [bytes([i]) * (1 << 20 if i % 50 == 25 else 20) for i in range(130)]
        found = self.decrypted(self.encrypted(texts))
        self.assertEqual([row["msg"] for row in found], [text.hex() for text in texts])

    def test_texts_json_and_base64(self):
        rows = [{"pub": public(form="compressed"), "msg_text": text, "n": n} for n, text in enumerate(["für", "x" * 500, "z"])]
        made = self.json_rows("encrypt", rows)
        self.assertEqual([row["n"] for row in made], [0, 1, 2])
        found = self.json_rows("decrypt", [{"priv": private(), "ciphertext": row["ciphertext"]} for row in made])
        self.assertEqual([bytes.fromhex(row["msg"]).decode() for row in found], [row["msg_text"] for row in rows])
        for encoding, decode in (("base64", base64.b64decode), ("base64url", lambda text: base64.urlsafe_b64decode(text + "=="))):
            row = {"pub": base64.b64encode(bytes.fromhex(public())).decode(), "msg": "QUJDREU="}
            if encoding == "base64url":
                row = {name: text.translate(str.maketrans("+/", "-_")).rstrip("=") for name, text in row.items()}
            (made,) = self.json_rows("encrypt", [row], "--encoding", encoding)
            (found,) = self.decrypted([decode(made["ciphertext"]).hex()])
            self.assertEqual(bytes.fromhex(found["msg"]), b"ABCDE")

    def test_rows_without_a_ciphertext(self):
        rows = [(public(), "00"), (public(), ""), (public()[:-4], "00"), (public()[:-2] + "00", "00"), (public(), "0"), (public(), "0102")]
        found = self.csv_rows("encrypt", ("pub", "msg"), rows, status=1)
        self.assertEqual([row["status"] for row in found], ["ok", *4 * ["malformed"], "ok"])
        for row, reason in zip(found[1:5], ("msg: no bytes", "pub: 63 bytes", "curve", "odd number")):
            self.assertRegex(row["reason"], reason)
            self.assertEqual(row["ciphertext"], "")
        texts = [row["ciphertext"] for row in found if row["ciphertext"]]
        self.assertEqual([row["msg"] for row in self.decrypted(texts)], ["00", "0102"])

    def test_rows_without_a_plaintext(self):
        for form, points, _ in FORMATS:
            with self.subTest(form=form, points=points):
                good = self.encrypted([b"a text"], *arguments(form, points))[0]
                changed = good[:-1] + ("0" if good[-1] != "0" else "1")
                off = bytearray.fromhex(good)
                off[40] ^= 1
                short = good[:128] if form != "der" else good[:-2]
                rows = [good, changed, short, good, off.hex(), "", good]
                found = self.decrypted(rows, *arguments(form, points), status=1)
                self.assertEqual([row["msg"] for row in found], [bytes.hex(b"a text") if text == good else "" for text in rows])
                status = [row["status"] for row in found]
                self.assertEqual(status[:4] + status[5:], ["ok", "invalid", "malformed", "ok", "malformed", "ok"])
                # A compressed C1 is before byte 40, which is then one of C2 or C3.
                self.assertEqual(status[4], "invalid" if points == "compressed" else "malformed")
                self.assertRegex(found[1]["reason"], "C3")
                self.assertRegex(found[2]["reason"], "ciphertext" if form == "der" else r"ciphertext: 64 bytes, fewer")
        (row,) = self.csv_rows("decrypt", ("priv", "ciphertext"), [(private(PRIVATE + 1), self.encrypted([b"a"])[0])], status=1)
        self.assertEqual((row["status"], row["msg"]), ("invalid", ""))

    def test_files_are_private(self):
        given, made, found = (self.folder / name for name in ("given.csv", "made.csv", "found.csv"))
        given.write_text(f"pub,msg\n{public()},0102\n")
        for path in (made, found):
            path.write_text("")
            path.chmod(0o666)
        self.run_tool("encrypt", given, "-o", made, status=0)
        text = made.read_text().splitlines()[1].split(",")[-1]
        self.run_tool("decrypt", "-o", found, stdin=f"priv,ciphertext\n{private()},{text}\n", status=0)
        self.assertTrue(found.read_text().splitlines()[1].endswith(",0102"))
        self.assertEqual([stat.S_IMODE(path.stat().st_mode) for path in (made, found)], [0o600, 0o600])

    def test_private_keys_do_not_pass_through_an_encryption(self):
        done = self.run_tool("encrypt", stdin=f"curve,priv,pub,msg\nSM2,{private()},{public()},01\n", status=0)
        self.assertEqual(done.stdout.split(b"\n")[0], b"curve,pub,msg,status,reason,line,ciphertext")
        self.assertNotIn(private().encode(), done.stdout)

    def test_what_is_refused(self):
        row = f"pub,msg\n{public()},01\n"
        for options, reason in ((["--format", "raw"], b"any"), (["--ciphertext-format", "der", "--point-format", "raw"], b"x and y"),
                                (["--ciphertext-format", "c3"], b"none of c1c3c2, c1c2c3, der"), (["--curve", "SM2"], b"--curve")):  # fmt: skip
            self.assertRegex(self.run_tool("encrypt", *options, stdin=row, status=2).stderr, reason)
        rows = [("P-256", public(), "00"), ("SM2", public(), "00")]
        found = self.csv_rows("encrypt", ("curve", "pub", "msg"), rows, status=1)
        self.assertEqual([row["status"] for row in found], ["malformed", "ok"])
        self.assertIn("on the curve SM2", found[0]["reason"])


@unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
class BesideOpenSSL(ToolTest):
    def openssl(self, *arguments, stdin=None):
        done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, input=stdin)
        return done.stdout if done.returncode == 0 else None

    def setUp(self):
        super().setUp()
        self.private, self.public = self.folder / "private.pem", self.folder / "public.pem"
        if self.openssl("ecparam", "-name", "SM2", "-genkey", "-noout", "-out", self.private) is None:
            self.skipTest("this OpenSSL has no SM2")
        self.openssl("pkey", "-in", self.private, "-pubout", "-out", self.public)

    def test_openssl_decrypts_what_is_encrypted(self):
        texts = TEXTS[3:12]
        rows = [(text.hex(),) for text in texts]
        rows[4:4] = [("zz",), ("",)]
        found = self.csv_rows("encrypt", ("msg",), rows, "--pub-file", self.public, "--ciphertext-format", "der", status=1)
        self.assertEqual([row["status"] for row in found], 4 * ["ok"] + 2 * ["malformed"] + 5 * ["ok"])
        made = [bytes.fromhex(row["ciphertext"]) for row in found if row["status"] == "ok"]
        self.assertEqual([self.openssl("pkeyutl", "-decrypt", "-inkey", self.private, stdin=text) for text in made], texts)

    def test_what_openssl_encrypts_is_decrypted(self):
        texts = TEXTS[3:12]
        made = [self.openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", self.public, stdin=text).hex() for text in texts]
        changed = made[5][:-2] + f"{int(made[5][-2:], 16) ^ 1:02x}"
        rows = [(text,) for text in made[:5] + [changed, made[5][:-2], made[5] + "00"] + made[5:]]
        options = ["--key-file", self.private, "--ciphertext-format", "der"]
        found = self.csv_rows("decrypt", ("ciphertext",), rows, *options, status=1)
        self.assertEqual([row["status"] for row in found], 5 * ["ok"] + ["invalid"] + 2 * ["malformed"] + 4 * ["ok"])
        self.assertEqual([row["msg"] for row in found if row["status"] == "ok"], [text.hex() for text in texts])
        self.assertIsNone(self.openssl("pkeyutl", "-decrypt", "-inkey", self.private, stdin=bytes.fromhex(changed)))

    def test_keys_of_other_curves(self):
        other = self.folder / "other.pem"
        self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", other)
        self.openssl("pkey", "-in", other, "-pubout", "-out", self.folder / "other_public.pem")
        for command, option, path in (("encrypt", "--pub-file", self.folder / "other_public.pem"), ("decrypt", "--key-file", other)):
            done = self.run_tool(command, option, path, stdin="msg,ciphertext\n00,00\n", status=2)
            self.assertIn(b"a key on P-256, and not on SM2", done.stderr)
        (row,) = self.csv_rows("decrypt", ("priv", "ciphertext"), [(other.read_text(), "00")], status=1)
        self.assertEqual(row["status"], "malformed")


if __name__ == "__main__":
    unittest.main()
