"""Keys in PEM and DER, written by the openssl command."""

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import unittest

from support import CURVES, P256, ToolTest, oracle_curve

NAMES = {"prime256v1": "P-256", "secp384r1": "P-384", "secp256k1": "secp256k1", "SM2": "SM2", "brainpoolP512r1": "brainpoolP512r1"}


@unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
class KeyTest(ToolTest):
    def openssl(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def make(self, group):
        """A private key, and the files that it and its public key are in."""
        private, folder = self.folder / f"{group}.pem", self.folder
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}", "-out", private)
        files = {"priv": [private], "pub": [private]}
        for name, options in (("sec1.pem", ["ec"]), ("sec1.der", ["ec", "-outform", "DER"]),
                              ("p8.der", ["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"])):  # fmt: skip
            self.openssl(*options, "-in", private, "-out", folder / name)
            files["priv"].append(folder / name)
        for name, options in (("pub.pem", []), ("pub.der", ["-outform", "DER"])):
            self.openssl("pkey", "-pubout", "-in", private, *options, "-out", folder / name)
            files["pub"].append(folder / name)
        for name, form in (("cert.pem", "PEM"), ("cert.der", "DER")):
            self.openssl("req", "-x509", "-key", private, "-subj", "/CN=test", "-outform", form, "-out", folder / name)
            files["pub"].append(folder / name)
        return files


class KeyFiles(KeyTest):
    def test_every_form(self):
        for group, curve in NAMES.items():
            files = self.make(group)
            for private in files["priv"]:
                done = self.run_tool("sign", "--key-file", private, stdin="msg,n\n00,1\n", status=0)
                self.assertTrue(done.stdout.startswith(b"msg,n,status,reason,sig,recid\n00,1,ok,,"))
                for public in files["pub"]:
                    text = "msg,sig\n00," + done.stdout.decode().splitlines()[1].split(",")[4] + "\n"
                    self.run_tool("verify", "--pub-file", public, "--curve", curve, stdin=text, status=0)
                    self.run_tool("verify", "--pub-file", public, stdin=text.replace("\n00,", "\n01,"), status=1)

    def test_shared_secrets(self):
        """openssl derives the same; the file is of one side or of the other."""
        for group in ("prime256v1", "secp384r1", "secp256k1"):
            mine, theirs = self.make(group), self.folder / f"{group}-other.pem"
            self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}", "-out", theirs)
            self.openssl("pkeyutl", "-derive", "-inkey", theirs, "-peerkey", mine["pub"][1], "-out", self.folder / "secret")
            secret, cell = (self.folder / "secret").read_bytes().hex(), theirs.read_text()
            out = self.json_rows("ecdh", [{"priv": cell}], "--pub-file", mine["pub"][1])
            self.assertEqual(out[0]["shared"], secret)
            for column in ("peer", "pub"):
                out = self.json_rows("ecdh", [{column: cell}], "--key-file", mine["priv"][0])
                self.assertEqual(out[0]["shared"], secret)
            for column in ("peer", "pub"):
                out = self.json_rows("ecdh", [{"priv": cell, column: cell}], "--pub-file", mine["pub"][1], status=1)
                self.assertIn("--pub-file", out[0]["reason"])
                done = self.run_tool("ecdh", "--pub-file", mine["pub"][1], stdin=f"priv,{column}\n07,07\n", status=2)
                self.assertIn(b"--pub-file", done.stderr)

    def test_digests(self):
        files = self.make("SM2")
        rows = [{"msg": "00"}, {"msg": "00", "sm2_id": "someone"}, {"msg": "", "curve": "SM2"}]
        pub = files["pub"][1].read_text()
        expected = self.json_rows("digest", [{**row, "pub": pub} for row in rows])
        out = self.json_rows("digest", [*rows, {"msg": "00", "curve": "P-256"}], "--pub-file", files["pub"][1], status=1)
        self.assertEqual([row["digest"] for row in out[:3]], [row["digest"] for row in expected])
        self.assertEqual(out[3]["reason"], "pub: a key on SM2, and the row is on another curve")
        done = self.run_tool("digest", "--pub-file", files["pub"][1], "--hash", "sm3", stdin="msg\n", status=2)
        self.assertIn(b"--pub-file: no key goes", done.stderr)
        done = self.run_tool("digest", "--pub-file", self.make("prime256v1")["pub"][1], stdin="msg\n", status=2)
        self.assertIn(b"only SM2's e", done.stderr)

    def test_signatures_of_openssl(self):
        files, message = self.make("prime256v1"), self.folder / "message"
        message.write_bytes(b"some text")
        self.openssl("dgst", "-sha256", "-sign", files["priv"][0], "-out", self.folder / "sig", message)
        row = {"digest": hashlib.sha256(b"some text").hexdigest(), "sig": (self.folder / "sig").read_bytes().hex()}
        self.assertEqual(self.json_rows("verify", [row], "--pub-file", files["pub"][1])[0]["status"], "valid")

    def test_who_may_read_private_keys(self):
        """Whatever the form, and the option: public keys may be read by all, and of private ones it is said."""
        files, root = self.make("prime256v1"), os.geteuid() == 0
        uses = [(path, ["sign", "--key-file"], "msg\n00\n", 0) for path in files["priv"]]
        uses += [(path, ["ecdh", "--key-file"], f"peer\n{P256.encode(P256.g)}\n", 0) for path in files["priv"]]
        uses += [(path, ["verify", "--pub-file"], f"msg,sig\n00,{'01' * 64}\n", 1) for path in files["pub"]]
        for path, arguments, text, status in uses:
            for mode, words in ((0o600, None), (0o400, None), (0o700, None), (0o644, "every user read"), (0o604, "every user read"),
                                (0o602, "every user change"), (0o640, None if root else "its group read"),
                                (0o620, "its group change"), (0o660, "its group read")):  # fmt: skip
                path.chmod(mode)
                said = self.run_tool(*arguments, path, "-q", stdin=text, status=status).stderr.decode()
                private = path in files["priv"]
                if mode == 0o660 and root:
                    words = "its group change"
                expected = f"gecc: {path}: its mode {mode:04o} lets {words} this private key; right is 0600: chmod 600 {path}\n"
                self.assertEqual(said, expected if private and words else "", (path, oct(mode)))
        pem = files["priv"][0].read_bytes()
        done = self.run_tool("sign", "--key-file", "/dev/stdin", "--curve", "P-256", "/dev/null", "--allow-empty", "-q", stdin=pem)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_what_contradicts_it(self):
        files = self.make("prime256v1")
        row = {"pub": P256.encode(P256.g), "digest": "02" * 32, "sig": "01" * 64}
        out = self.json_rows("verify", [row], "--pub-file", files["pub"][0], status=1)
        self.assertEqual(out[0]["reason"], "pub: there beside --pub-file")
        done = self.run_tool("verify", "--pub-file", files["pub"][0], stdin="pub,digest,sig\n", status=2)
        self.assertIn(b"--pub-file, and a column pub", done.stderr)
        done = self.run_tool("verify", "--curve", "P-384", "--pub-file", files["pub"][0], stdin="digest,sig\n", status=2)
        self.assertIn(b"a key on P-256, and --curve says P-384", done.stderr)

    def test_files_that_are_none(self):
        self.openssl("genpkey", "-algorithm", "ED448", "-out", self.folder / "ed.pem")
        self.openssl("ecparam", "-genkey", "-name", "secp224r1", "-noout", "-out", self.folder / "p224.pem")
        (self.folder / "text").write_text("no key")
        (self.folder / "long").write_bytes(bytes(1 << 17))
        for name, words in (("none", b"No such file"), ("text", b"no key or certificate"), ("long", b"too long"),
                            ("ed.pem", b"none of an elliptic curve"), ("p224.pem", b"on a curve that gecc does not have")):  # fmt: skip
            done = self.run_tool("verify", "--pub-file", self.folder / name, stdin="digest,sig\n", status=2)
            self.assertIn(words, done.stderr, name)
        files = self.make("prime256v1")
        done = self.run_tool("sign", "--key-file", files["pub"][1], stdin="msg\n00\n", status=2)
        self.assertIn(b"no private key", done.stderr)
        self.openssl("ec", "-in", files["priv"][0], "-aes128", "-passout", "pass:word", "-out", self.folder / "locked.pem")
        done = self.run_tool("sign", "--key-file", self.folder / "locked.pem", stdin="msg\n00\n", status=2)
        self.assertIn(b"password", done.stderr)

    def test_bip340(self):
        files = self.make("secp256k1")
        sig = self.json_rows("sign", [{"msg": "00"}], "--scheme", "bip340", "--key-file", files["priv"][0])[0]["sig"]
        rows = [{"msg": "00", "sig": sig}, {"msg": "01", "sig": sig}]
        out = self.json_rows("verify", rows, "--scheme", "bip340", "--pub-file", files["pub"][1], status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "invalid"])


def cells_of(path):
    """What a cell may hold of a file."""
    data = path.read_bytes()
    if data.startswith(b"-"):
        return [data.decode(), data.decode().replace("\n", "\r\n"), data.decode().rstrip()]
    return [data.hex(), "0x" + data.hex().upper(), base64.b64encode(data).decode(), base64.b64encode(data).decode().rstrip("=")]


class KeyCells(KeyTest):
    """The same keys in cells."""

    def test_every_form(self):
        for group, curve in NAMES.items():
            files = self.make(group)
            privates = [cell for path in files["priv"] for cell in cells_of(path)]
            publics = [cell for path in files["pub"][1:] for cell in cells_of(path)]
            rows = [{"priv": cell, "msg": "00"} for cell in privates]
            for out in (self.json_rows("sign", rows), self.csv_rows("sign", ["priv", "msg"], [row.values() for row in rows])):
                self.assertEqual({row["status"] for row in out}, {"ok"})
                self.assertEqual([row["priv"] for row in out], privates)
                self.assertEqual(len({row["sig"] for row in out}), 1)
            rows = [{"pub": cell, "msg": f"0{i % 2}", "sig": out[0]["sig"]} for i, cell in enumerate(publics)]
            named = [{**row, "curve": curve if i % 3 else "K-256" if curve == "secp256k1" else curve} for i, row in enumerate(rows)]
            verdicts = ["invalid" if i % 2 else "valid" for i in range(len(rows))]
            for given, options in ((rows, ()), (named, ()), (rows, ("--curve", curve))):
                out = self.json_rows("verify", given, *options, status=1)
                self.assertEqual([row["status"] for row in out], verdicts, out)
                out = self.csv_rows("verify", list(given[0]), [row.values() for row in given], *options, status=1)
                self.assertEqual([row["status"] for row in out], verdicts, out)
                self.assertEqual([row["pub"] for row in out], publics)

    def test_private_keys_among_public_ones(self):
        """Such a row is refused, and nothing of it is in an output that is not for secrets; its neighbours are as they were."""
        files = self.make("prime256v1")
        good = files["pub"][1].read_text()
        sig = self.json_rows("sign", [{"priv": files["priv"][0].read_text(), "msg": "00"}])[0]["sig"]
        for cell in (cell for path in files["priv"] for cell in cells_of(path)):
            rows = [{"n": str(i), "pub": pub, "msg": "00", "sig": sig} for i, pub in enumerate((good, cell, good))]
            for run in (
                lambda: self.json_rows("verify", rows, status=1),
                lambda: self.csv_rows("verify", list(rows[0]), [row.values() for row in rows], status=1),
            ):
                out = run()
                self.assertEqual([row["status"] for row in out], ["valid", "malformed", "valid"])
                self.assertEqual([row["pub"] for row in (out[0], out[2])], [good] * 2)
                self.assertEqual(out[1]["reason"], "pub: a private key, where a public one is wanted")
                self.assertFalse(out[1].get("pub"))

    def test_curves_mix(self):
        rows = []
        for group in NAMES:
            files = self.make(group)
            rows.append({"priv": files["priv"][0].read_text(), "peer": files["pub"][1].read_text()})
        out = self.json_rows("ecdh", rows)
        self.assertEqual([len(row["shared"]) for row in out], [64, 96, 64, 64, 128])
        mixed = [{"priv": a["priv"], "peer": b["peer"]} for a, b in zip(rows, rows[1:] + rows[:1])]
        out = self.json_rows("ecdh", [*mixed, *rows], status=1)
        self.assertEqual([row["status"] for row in out], ["malformed"] * len(NAMES) + ["ok"] * len(NAMES))
        for row in out[: len(NAMES)]:
            self.assertRegex(row["reason"], "^priv: a key on .*, and the row is on another curve$")

    def test_with_plain_cells(self):
        """A key beside a number: the curve is the key's."""
        for curve, group in zip(CURVES, ("secp256k1", "prime256v1", "secp384r1", "SM2")):
            pub = self.make(group)["pub"][1].read_text()
            rows = [{"priv": curve.number(7), "peer": pub}, {"priv": curve.number(7), "peer": curve.encode(curve.mul(5))}]
            out = self.json_rows("ecdh", rows, status=1)
            self.assertEqual((out[0]["status"], out[1]["reason"]), ("ok", "curve: neither --curve nor the row says which"))
            out = self.json_rows("ecdh", rows, "--curve", curve.name)
            self.assertEqual(out[1]["shared"], curve.number(curve.mul(35)[0]))

    def test_a_curve_that_was_forgotten(self):
        """The first row of a table without a column `curve` tells, be it that of all only."""
        pem, plain = self.make("prime256v1")["priv"][0].read_text(), ["07", "00"]
        for rows in ([plain], [plain, [pem, "00"]]):
            done = self.run_tool("sign", stdin=self.quoted(["priv", "msg"], rows), status=2)
            self.assertIn(b"neither --curve nor a column `curve`", done.stderr)
        out = self.csv_rows("sign", ["priv", "msg"], [[pem, "00"], plain, [pem, "0"]], status=1)
        self.assertEqual([row["status"] for row in out], ["ok", "malformed", "malformed"])
        done = self.run_tool("sign", "--curve", "P-256", stdin="priv,msg\n" + "0" * 3000000 + "7,00\n", status=1)
        self.assertIn(b"malformed", done.stdout)
        done = self.run_tool("sign", stdin="priv,msg\n" + "-" * 3000000 + ",00\n", status=1)
        self.assertIn(b"neither --curve nor the row", done.stdout)
        self.run_tool("sign", "--allow-empty", stdin="priv,msg\n", status=0)

    def test_base64_rows(self):
        files = self.make("prime256v1")
        for encoding in ("base64", "base64url"):
            der = {"base64": base64.b64encode, "base64url": base64.urlsafe_b64encode}[encoding]
            cells = [files["pub"][1].read_text(), der(files["pub"][2].read_bytes()).decode()]
            out = self.json_rows("sign", [{"priv": files["priv"][0].read_text(), "msg": "AAA="}], "--encoding", encoding)
            rows = [{"pub": cell, "msg": "AAA=", "sig": out[0]["sig"]} for cell in cells]
            self.assertEqual([row["status"] for row in self.json_rows("verify", rows, "--encoding", encoding)], ["valid"] * 2)

    def test_a_broken_cell_is_one_row(self):
        files = self.make("prime256v1")
        pem, der = files["pub"][1].read_text(), files["pub"][2].read_bytes().hex()
        other = self.make("secp256k1")["pub"][1].read_text()
        self.openssl("genpkey", "-algorithm", "ED448", "-out", self.folder / "ed.pem")
        self.openssl("ecparam", "-genkey", "-name", "secp224r1", "-noout", "-out", self.folder / "p224.pem")
        none = "no key or certificate in PEM or DER"
        cases = [(pem, None), (pem[:60] + "!" + pem[61:], none), (pem[: len(pem) // 2], none), ("-----BEGIN PUBLIC KEY-----", none),
                 (der, None), (der[:-2] + "00", ""), (der[:10] + "ff" * 86, none), (der[:-2] + "zz", "not a hexadecimal digit"),
                 (der[:-1], "odd number"), ("M" + "A" * 99, none), ("M" + "?" * 99, "neither hexadecimal nor"), ("M" * 40, "hexadecimal"),
                 (other, "a key on secp256k1, and the row is on another curve"), ((self.folder / "ed.pem").read_text(), "none of an elliptic"),
                 ((self.folder / "p224.pem").read_text(), "on a curve that gecc does not have"), ("-" * 100, "hexadecimal digit"),
                 ("-----BEGIN CERTIFICATE-----\n" + "A" * 70000, none), (P256.encode(P256.g), None)]  # fmt: skip
        sig = self.json_rows("sign", [{"msg": "00"}], "--key-file", files["priv"][0])[0]["sig"]
        out = self.json_rows("verify", [{"pub": cell, "msg": "00", "sig": sig} for cell, _ in cases], "--curve", "P-256", status=1)
        for (cell, words), row in zip(cases, out):
            if words is None:
                self.assertEqual(row["status"], "invalid" if cell == P256.encode(P256.g) else "valid")
            else:
                self.assertEqual(row["status"], "malformed", cell)
                self.assertIn(words, row["reason"], cell)

    def test_points_that_begin_like_der(self):
        """Raw points and numbers whose first byte is that of DER, with lengths that fit."""
        for curve in (*CURVES, oracle_curve("brainpoolP512r1")):
            digits = 2 * curve.length
            start = {64: "303e", 96: "305e", 128: "30817d"}[digits]
            found = None
            for x in range(1000):
                value = int(start.ljust(digits, "0"), 16) + x
                square = (value**3 + curve.a * value + curve.b) % curve.p
                y = pow(square, (curve.p + 1) // 4, curve.p)
                if y * y % curve.p == square:
                    found = f"{value:0{digits}x}{y:0{digits}x}"
                    break
            out = self.json_rows("ecdh", [{"priv": start.ljust(digits, "0"), "peer": found}], "--curve", curve.name)
            self.assertEqual(out[0]["status"], "ok")
            out = self.json_rows("pubkey", [{"pub": found}], "--curve", curve.name, "--point-format", "raw")
            self.assertEqual(out[0]["status"], "ok")

    def test_a_key_that_is_locked(self):
        files = self.make("prime256v1")
        self.openssl("ec", "-in", files["priv"][0], "-aes128", "-passout", "pass:word", "-out", self.folder / "locked.pem")
        rows = [{"priv": (self.folder / "locked.pem").read_text(), "msg": "00"}, {"priv": files["pub"][1].read_text(), "msg": "00"}]
        for row in self.json_rows("sign", rows, status=1):
            self.assertEqual(row["reason"], "priv: no private key in PEM or DER, or one with a password")

    def test_bip340(self):
        files = self.make("secp256k1")
        sig = self.json_rows("sign", [{"priv": files["priv"][2].read_bytes().hex(), "msg": "00"}], "--scheme", "bip340")[0]["sig"]
        row = {"pub": files["pub"][1].read_text(), "msg": "00", "sig": sig}
        self.assertEqual(self.json_rows("verify", [row], "--scheme", "bip340")[0]["status"], "valid")

    def test_sm2(self):
        files = self.make("SM2")
        rows = [{"msg": "00", "pub": cell} for cell in (files["pub"][1].read_text(), files["pub"][2].read_bytes().hex())]
        out = self.json_rows("digest", rows)
        self.assertEqual(len({row["digest"] for row in out}), 1)
        plain = self.json_rows("pubkey", rows)
        again = self.json_rows("digest", [{"msg": "00", "pub": plain[0]["pub"]}], "--curve", "SM2")
        self.assertEqual(again[0]["digest"], out[0]["digest"])

    def test_without_the_library(self):
        pem = self.make("prime256v1")["pub"][1].read_text()
        (self.folder / "libcrypto.so.3").write_bytes(b"no library" * 100)
        done = self.run_tool("pubkey", stdin=self.quoted(["pub", "curve"], [[pem, ""], [P256.encode(P256.g), "P-256"]]), status=1,
                             env={**os.environ, "LD_LIBRARY_PATH": f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"})  # fmt: skip
        self.assertIn(b"needs OpenSSL's libcrypto.so.3", done.stdout)
        self.assertIn(b",ok,", done.stdout)

    @staticmethod
    def quoted(columns, rows):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue()


if __name__ == "__main__":
    unittest.main()
