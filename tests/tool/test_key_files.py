"""Keys in PEM and DER, written by the openssl command.

Test: fast; no sanitizers
"""

import base64
import csv
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import textwrap
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
                self.assertTrue(done.stdout.startswith(b"msg,n,status,reason,line,sig,recid\n00,1,ok,,,"))
                for public in files["pub"]:
                    text = "msg,sig\n00," + done.stdout.decode().splitlines()[1].split(",")[5] + "\n"
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
                                (0o620, "its group change"), (0o660, "its group read"), (0o601, None), (0o611, None),
                                (0o642, "every user change"), (0o621, "its group change"), (0o624, "every user read")):  # fmt: skip
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
        self.assertEqual(out[0]["reason"], "a public key of its own, and --pub-file")
        out = self.json_rows("sign", [{"seed": "05", "digest": "02" * 32}], "--key-file", files["priv"][0], status=1)
        self.assertEqual(out[0]["reason"], "a private key of its own, and --key-file")
        # A column is called as the file calls it.
        for name in ("pub", "public_key", "mine"):
            done = self.run_tool("verify", "--pub-file", files["pub"][0], "--map", "pub=mine" if name == "mine" else "digest=digest",
                                 stdin=f"{name},digest,sig\n", status=2)  # fmt: skip
            self.assertIn(f"--pub-file, and a column {name};".encode(), done.stderr)
        for name in ("priv", "private_key", "seed"):
            done = self.run_tool("sign", "--key-file", files["priv"][0], stdin=f"{name},digest\n", status=2)
            self.assertIn(f"--key-file, and a column {name};".encode(), done.stderr)
        done = self.run_tool("verify", "--curve", "P-384", "--pub-file", files["pub"][0], stdin="digest,sig\n", status=2)
        self.assertIn(b"a key on P-256, and not on P-384", done.stderr)

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
        self.assertIn(b"a public key, where a private one is wanted", done.stderr)
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
        for name in ("ed.pem", "p224.pem"):
            self.openssl("pkey", "-in", self.folder / name, "-pubout", "-out", self.folder / ("pub-" + name))
        cut = "does not end as it begins"
        cases = [(pem, None), (pem[:60] + "!" + pem[61:], "not base64"), (pem[: len(pem) // 2], cut), ("-----BEGIN PUBLIC KEY-----", cut),
                 (der, None), (der[:-2] + f"{int(der[-2:], 16) ^ 1:02x}", ""), (der[:10] + "ff" * 86, "or broken"), (der[:-2] + "zz", "not a hexadecimal digit"),
                 (der[:-1], "odd number"), ("M" + "A" * 99, "or broken"), ("M" + "?" * 99, "neither hexadecimal nor"), ("M" * 40, "hexadecimal"),
                 (other, "a key on secp256k1, and the row is on another curve"), ((self.folder / "pub-ed.pem").read_text(), "none of an elliptic"),
                 ((self.folder / "pub-p224.pem").read_text(), "on a curve that gecc does not have"), ("-" * 100, "hexadecimal digit"),
                 ("-----BEGIN CERTIFICATE-----\n" + "A" * 70000, "too long for a key"), (P256.encode(P256.g), None)]  # fmt: skip
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
            words = "an encrypted private key" if "ENCRYPTED" in row["priv"] else "a public key, where a private one is wanted"
            self.assertTrue(row["reason"].startswith("priv: " + words), row["reason"])

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


def tlv(tag, *parts):
    """An element of DER."""
    body = b"".join(parts)
    size = bytes([len(body)]) if len(body) < 128 else bytes([0x81, len(body)]) if len(body) < 256 else b"\x82" + len(body).to_bytes(2, "big")
    return bytes([tag]) + size + body


def pem(label, der, end=None):
    lines = textwrap.wrap(base64.b64encode(der).decode(), 64)
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {end or label}-----", ""]).encode()


ED25519, X25519 = tlv(0x30, bytes.fromhex("06032b6570")), tlv(0x30, bytes.fromhex("06032b656e"))
ON_P256 = tlv(0x30, bytes.fromhex("06072a8648ce3d0201"), bytes.fromhex("06082a8648ce3d030107"))


class Version2(ToolTest):
    """PKCS #8 with a public key beside the private one, RFC 5958, which OpenSSL 3.0 does not read."""

    ATTRIBUTES = tlv(0xA0, tlv(0x30, tlv(0x06, bytes.fromhex("2a864886f70d010914")), tlv(0x31, tlv(0x0C, b"a name"))))

    def keys(self):
        """Of each kind: its options, private key, what PKCS #8 has of it, the bits of its public key, and those that are not."""
        seed = bytes(range(32))
        ed = bytes.fromhex(self.json_rows("pubkey", [{"priv": seed.hex()}], "--scheme", "ed25519")[0]["pub"])
        x = bytes.fromhex(self.json_rows("pubkey", [{"priv": seed.hex()}], "--scheme", "x25519")[0]["pub"])
        yield ED25519, seed, tlv(0x04, seed), [ed], [seed, x, ed[:-1], ed + b"\0"], "ed25519"
        yield X25519, seed, tlv(0x04, seed), [x], [seed, ed, b""], "x25519"
        point, other = P256.mul(int.from_bytes(seed, "big")), P256.mul(7)
        forms = [bytes.fromhex(P256.encode(point, form)) for form in ("uncompressed", "compressed")]
        wrong = [bytes.fromhex(P256.encode(other, form)) for form in ("uncompressed", "compressed")]
        wrong += [bytes([forms[1][0] ^ 1]) + forms[1][1:], forms[0][:-1], forms[0] + b"\0", b"\4"]
        yield ON_P256, seed, tlv(0x30, tlv(0x02, b"\1"), tlv(0x04, seed)), forms, wrong, None

    def test_every_form(self):
        for algorithm, seed, inner, rights, wrongs, scheme in self.keys():
            command = "ecdh" if scheme == "x25519" else "sign"
            options = ["--scheme", scheme] if command == "sign" and scheme else ["--curve", "Ed25519" if scheme else "P-256"]
            row = {"peer": rights[0].hex()} if command == "ecdh" else {"msg": "00"}
            result = "shared" if command == "ecdh" else "sig"
            expected = self.json_rows(command, [{**row, "priv": seed.hex()}], *options)[0][result]
            head = tlv(0x02, b"\1") + algorithm + tlv(0x04, inner)
            path = self.folder / "key"
            for attributes in (b"", self.ATTRIBUTES):
                for bits, good in [(None, True), *((b, True) for b in rights), *((b, False) for b in wrongs)]:
                    for wrap in (lambda b: tlv(0x81, b"\0", b), lambda b: tlv(0xA1, tlv(0x03, b"\0", b))):
                        der = tlv(0x30, head, attributes, wrap(bits) if bits is not None else b"")
                        for cell, data in ((pem("PRIVATE KEY", der).decode(), pem("PRIVATE KEY", der)), (der.hex(), der)):
                            if cell == der.hex() and (len(der) <= 48 or len(der) in (64, 96, 128)):
                                continue  # as wide as a number or a point
                            with self.subTest(scheme=scheme, attributes=bool(attributes), bits=bits, form=cell[:5]):
                                path.write_bytes(data)
                                path.chmod(0o600)
                                rows = "\n".join([",".join(row), ",".join(row.values()), ""])
                                done = self.run_tool(command, "--format", "csv", "--key-file", path, stdin=rows)
                                [out] = self.json_rows(command, [{**row, "priv": cell}], *options, status=0 if good else 1)
                                if good:
                                    self.assertIn(expected.encode(), done.stdout, done.stderr)
                                    self.assertEqual(out[result], expected)
                                else:
                                    words = "a private key beside a public key that is not its own"
                                    self.assertIn(words, out["reason"])
                                    self.assertIn(words.encode(), done.stderr)

    def test_what_is_none(self):
        seed = bytes(range(32))
        ed = bytes.fromhex(self.json_rows("pubkey", [{"priv": seed.hex()}], "--scheme", "ed25519")[0]["pub"])
        plain = ED25519 + tlv(0x04, tlv(0x04, seed))
        rest = plain + tlv(0x81, b"\0", ed)
        for der in (tlv(0x30, tlv(0x02, b"\2"), plain), tlv(0x30, tlv(0x02, b"\x7f"), plain), tlv(0x30, tlv(0x02, b"\2"), rest), tlv(0x30, tlv(0x02, b"\0"), rest, b"\0\0"), tlv(0x30, tlv(0x02, b"\1"), rest, tlv(0x04, b"")),
                    tlv(0x30, tlv(0x02, b"\1"), rest[:-1]), tlv(0x30, tlv(0x02, b"\1"), ED25519)):  # fmt: skip
            [out] = self.json_rows("sign", [{"priv": pem("PRIVATE KEY", der).decode(), "msg": "00"}], "--scheme", "ed25519", status=1)
            self.assertEqual(out["status"], "malformed")

    def test_pairs_of_other_forms(self):
        """SEC 1 has the public key as well: that of another is refused wherever the key is read."""
        seed = bytes(range(32))
        for point, good in ((P256.mul(int.from_bytes(seed, "big")), True), (P256.mul(7), False)):
            public = tlv(0xA1, tlv(0x03, b"\0", bytes.fromhex(P256.encode(point))))
            curve = tlv(0xA0, bytes.fromhex("06082a8648ce3d030107"))
            bare = tlv(0x30, tlv(0x02, b"\1"), tlv(0x04, seed), public)
            for label, der in (("EC PRIVATE KEY", tlv(0x30, tlv(0x02, b"\1"), tlv(0x04, seed), curve, public)),
                               ("PRIVATE KEY", tlv(0x30, tlv(0x02, b"\0"), ON_P256, tlv(0x04, bare)))):  # fmt: skip
                [out] = self.json_rows("sign", [{"priv": pem(label, der).decode(), "msg": "00"}], status=0 if good else 1)
                self.assertEqual(out["status"], "ok" if good else "malformed", out)


class Versions(ToolTest):
    def sign(self, data):
        path = self.folder / "key"
        path.write_bytes(data)
        path.chmod(0o600)
        done = self.run_tool("sign", "--key-file", path, "-q", stdin="msg\n00\n")
        if b"libcrypto" in done.stderr:
            self.skipTest("not run: no libcrypto")
        return done.returncode, done.stderr.decode()

    def test_of_ec_private_keys(self):
        """Version 1 alone (RFC 5915, 3), and within PKCS #8 no other curve than the one around it."""
        p256, secp256k1 = (tlv(0x06, bytes.fromhex(name)) for name in ("2a8648ce3d030107", "2b8104000a"))
        for version, named, good in ((1, p256, True), (1, None, True), (0, p256, False), (2, p256, False), (1, secp256k1, False)):
            inner = tlv(0x30, tlv(0x02, bytes([version])), tlv(0x04, (5).to_bytes(32, "big")), *([tlv(0xA0, named)] if named else []))
            outer = tlv(0x30, tlv(0x02, b"\0"), tlv(0x30, bytes.fromhex("06072a8648ce3d0201"), p256), tlv(0x04, inner))
            for data, is_key in ((outer, good), (inner, good or named == secp256k1)):
                if data is inner and not named:
                    continue  # its curve is nowhere
                status, said = self.sign(data)
                self.assertEqual(status, 0 if is_key else 2, said)
                self.assertIn("" if is_key else "ECPrivateKey", said)


class Mistakes(KeyTest):
    """Each kind of file that is no key gets its own sentence, whatever option or cell it is given to."""

    def make_all(self):
        files, folder = self.make("prime256v1"), self.folder
        other = self.make("secp256k1")
        private, public = folder / "prime256v1.pem", (folder / "prime256v1-pub.pem")
        self.openssl("pkey", "-pubout", "-in", private, "-out", public)
        self.openssl("pkey", "-pubout", "-outform", "DER", "-in", private, "-out", folder / "prime256v1-pub.der")
        self.openssl("req", "-x509", "-key", private, "-subj", "/CN=a", "-out", folder / "mine.pem")
        self.openssl("req", "-new", "-key", private, "-subj", "/CN=a", "-out", folder / "request.pem")
        self.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", folder / "rsa.pem")
        self.openssl("rsa", "-traditional", "-in", folder / "rsa.pem", "-out", folder / "rsa1.pem")
        self.openssl("rsa", "-traditional", "-in", folder / "rsa.pem", "-outform", "DER", "-out", folder / "rsa1.der")
        self.openssl("ec", "-in", private, "-aes128", "-passout", "pass:word", "-out", folder / "locked1.pem")
        for form in ("PEM", "DER"):
            self.openssl("pkcs8", "-topk8", "-in", private, "-passout", "pass:word", "-outform", form, "-out", folder / f"locked.{form}")
        self.openssl("crl2pkcs7", "-nocrl", "-certfile", folder / "mine.pem", "-out", folder / "p7.pem")
        self.openssl("crl2pkcs7", "-nocrl", "-certfile", folder / "mine.pem", "-outform", "DER", "-out", folder / "p7.der")
        self.openssl("pkcs12", "-export", "-in", folder / "mine.pem", "-inkey", private, "-passout", "pass:word", "-out", folder / "p12")
        return files, other

    def read(self, name):
        return (self.folder / name).read_bytes()

    def test_each_its_sentence(self):
        self.make_all()
        private, public = self.read("prime256v1.pem"), self.read("prime256v1-pub.pem")
        der, text = self.read("prime256v1-pub.der"), public.decode()
        encrypted, utf16 = "an encrypted private key", "text in UTF-16"
        broken, cut, p7 = "or broken", "PEM that does not end as it begins", "PKCS #7"
        cases = {
            "empty": (b"", "it is empty"), "blank": (b" \r\n\n", "it is empty"),
            "utf-16": (text.encode("utf-16"), utf16), "utf-16-le": (text.encode("utf-16-le"), utf16),
            "utf-16-be": (text.encode("utf-16-be"), utf16), "utf-16 with a mark": (b"\xfe\xff" + text.encode("utf-16-be"), utf16),
            "gzip": (gzip.compress(public), "compressed with gzip"),
            "encrypted PKCS #8": (self.read("locked.PEM"), encrypted), "encrypted DER": (self.read("locked.DER"), encrypted),
            "encrypted SEC 1": (self.read("locked1.pem"), encrypted),
            "JWK": (b'{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', "base64url of its curve's length"), "JSON": (b"[]", "no JWK"),
            "JWK set": (b'\n {"keys":[]}', "no key"), "JWK of RSA": (b'{"kty":"RSA","n":"AQAB","e":"AQAB"}', "none of a curve"),
            "OpenSSH": (pem("OPENSSH PRIVATE KEY", b"openssh-key-v1\0" + bytes(99)), "a private key of OpenSSH"),
            "PuTTY": (b"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "a key of PuTTY"),
            "SSH2": (b"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n", "RFC 4716"),
            "ssh-rsa": (b"ssh-rsa AAAAB3NzaC1yc2E= me@here\n", "of a kind that gecc does not have"),
            "a token's": (b"sk-ssh-ed25519@openssh.com AAAA me\n", "of a kind that gecc does not have"),
            "options": (b'from="10.*",no-pty ssh-ed25519 AAAA me\n', "behind options or names"),
            "known_hosts": (b"host.example ecdsa-sha2-nistp256 AAAA\n", "behind options or names"),
            "request": (self.read("request.pem"), "a certificate request"), "RSA": (self.read("rsa.pem"), "none of an elliptic curve"),
            "RSA's own": (self.read("rsa1.pem"), "none of an elliptic curve"), "in DER": (self.read("rsa1.der"), "none of an elliptic curve"),
            "PKCS #7": (self.read("p7.pem"), p7), "PKCS #7 in DER": (self.read("p7.der"), p7), "PKCS #12": (self.read("p12"), "PKCS #12"),
            "OpenPGP": (b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ==\n-----END PGP PUBLIC KEY BLOCK-----\n", "OpenPGP"),
            "CRL": (pem("X509 CRL", b"00"), "certificates that are revoked"), "a message": (pem("CMS", b"00"), "PEM of another kind"),
            "hexadecimal": (P256.encode(P256.g).encode() + b"\n", "hexadecimal digits: in a file"), "number": (b"0x05\n", "hexadecimal digits: in a file"),
            "cut": (public[: len(public) // 2], cut), "no label": (b"-----BEGIN ", "PEM of another kind"), "another end": (pem("PUBLIC KEY", der, "PRIVATE KEY"), cut),
            "base64": (public.replace(b"M", b"!", 1), "PEM that is not base64"), "nothing in it": (pem("PUBLIC KEY", b""), "PEM that is not base64"),
            "nonsense": (pem("PUBLIC KEY", b"nonsense"), broken), "cut DER": (der[:-1], broken), "DER and more": (der + b"\0", "bytes behind the key"),
            "wrong DER": (der[:-9] + bytes(9), "a key that is broken"), "text": (b"some text\n", "key"), "random": (b"\x81\x92" * 50, "key"),
        }  # fmt: skip
        path, certificate = self.folder / "file", self.folder / "mine.pem"
        for name, (data, words) in cases.items():
            path.write_bytes(data)
            path.chmod(0o600)
            for arguments, text in ((["verify", "--pub-file", path], "msg,sig\n"), (["sign", "--key-file", path], "msg\n"),
                                    (["verify", "--x509", "--issuer", path], certificate.read_text()),
                                    (["digest", "--pub-file", path], "msg\n"), (["ecdh", "--key-file", path], "pub\n")):  # fmt: skip
                with self.subTest(name=name, arguments=arguments[:-1]):
                    done = self.run_tool(*arguments, stdin=text, status=2)
                    self.assertIn(f"{path}: ", done.stderr.decode())
                    self.assertIn(words, done.stderr.decode().partition("file: ")[2])
                    self.assertEqual(done.stdout, b"")
            if data.startswith(b"-----BEGIN ") and len(data) > 20:
                for command, row, column in (("verify", {"msg": "00", "sig": "00" * 64}, "pub"), ("sign", {"msg": "00"}, "priv")):
                    [out] = self.json_rows(command, [{**row, column: data.decode()}], "--curve", "P-256", status=1)
                    secret = b"PRIVATE" in data.splitlines()[0] and column == "pub"
                    self.assertIn("a private key, where a public one is wanted" if secret else words, out["reason"])
                    self.assertEqual(column in out, not secret, name)

    def test_private_where_public_and_the_other_way(self):
        self.make_all()
        for name, words in (("prime256v1-pub.pem", "a public key, where a private one is wanted"),
                            ("prime256v1-pub.der", "a public key, where a private one is wanted"),
                            ("mine.pem", "a certificate, where a private key is wanted"),
                            ("cert.der", "a certificate, where a private key is wanted")):  # fmt: skip
            done = self.run_tool("sign", "--key-file", self.folder / name, stdin="msg\n", status=2)
            self.assertIn(words, done.stderr.decode())

    def test_several(self):
        """In whatever form they stand and are put together: one is never chosen. What is the same key several times is one."""
        self.make_all()
        mine = {name: self.read(file) for name, file in (("priv", "prime256v1.pem"), ("pub", "prime256v1-pub.pem"), ("cert", "mine.pem"))}
        theirs = {name: self.read(file) for name, file in (("priv", "secp256k1.pem"), ("pub", "pub.pem"), ("cert", "cert.pem"))}
        digits = bytes.fromhex(self.json_rows("pubkey", [{"pub": mine["pub"].decode()}])[0]["pub"])
        field = lambda data: len(data).to_bytes(4, "big") + data  # noqa: E731
        name = b"ecdsa-sha2-nistp256"
        line = name + b" " + base64.b64encode(field(name) + field(b"nistp256") + field(digits)) + b" me@here\n"
        path = self.folder / "file"
        sig = self.json_rows("sign", [{"priv": mine["priv"].decode(), "msg": "00"}])[0]["sig"]
        uses = [(["verify", "--pub-file", path], f"msg,sig\n00,{sig}\n"), (["sign", "--key-file", path], "msg\n00\n"),
                (["verify", "--x509", "--issuer", path], mine["cert"].decode())]  # fmt: skip

        def check(data, good, of_private):
            path.write_bytes(data)
            path.chmod(0o600)
            for arguments, text in uses:
                if arguments[0] == "sign" and not of_private:
                    continue
                done = self.run_tool(*arguments, stdin=text)
                if good:
                    self.assertEqual((done.returncode, b"several" in done.stderr), (0, False), (arguments, data, done.stderr))
                else:
                    self.assertEqual(done.returncode, 2, (arguments, data))
                    words = b"several keys, of which one alone can be used" if good is False else b"a key of OpenSSH that is not"
                    self.assertIn(words, done.stderr)
                    self.assertEqual(done.stdout, b"")

        for first, one in mine.items():
            for second, two in theirs.items():
                for data in (one + two, two + one, b"a comment\n" + one + b"another\n" + two, one + one + two,
                             (one + two).replace(b"\n", b"\r\n")):  # fmt: skip
                    check(data, False, "priv" in (first, second))
            for second, two in mine.items():
                for data in (one, one + two, one + b"text\n" + two + one, b"\xef\xbb\xbf" + one, b"Subject: CN=a\n" + one):
                    check(data, True, "priv" in (first, second) if data.count(b"BEGIN") > 1 else first == "priv")
        ders = [self.read(name) for name in ("prime256v1-pub.der", "cert.der")]
        for data in (ders[0] + ders[1], ders[1] + ders[0], ders[0] * 2):
            check(data, False, False)
        for data in (line, b"# mine\n\n" + line, b"\xef\xbb\xbf" + line, line + b"\n# end\n", line.replace(b"\n", b"\r\n")):
            check(data, True, False)
        for data in (line * 2, line + b"ssh-ed25519 AAAA you\n", line + b"# more\n" + line, line + b"what is this\n"):
            check(data, False, False)
        for one in mine.values():  # lines beside PEM
            check(one + line, True, False)
            check(line + one, True, False)
            check(one + line.replace(b"AAAA", b"AAAB"), None, False)
        for one in theirs.values():
            check(one + line, False, False)
            check(line + b"text\n" + one, False, False)
        for data in (mine["pub"] + ders[1], ders[1] + mine["pub"]):
            path.write_bytes(data)
            self.assertIn(b"PEM beside bytes that are no text", self.run_tool("verify", "--pub-file", path, stdin="msg\n", status=2).stderr)
        parameters = pem("EC PARAMETERS", bytes.fromhex("06082a8648ce3d030107"))
        check(parameters + mine["priv"], True, True)
        row = {"msg": "00", "sig": sig}
        out = self.json_rows("verify", [{**row, "pub": (mine["pub"] + theirs["pub"]).decode()}, {**row, "pub": mine["pub"].decode()}], status=1)
        self.assertIn("several keys", out[0]["reason"])
        self.assertEqual(out[1]["status"], "valid")


if __name__ == "__main__":
    unittest.main()
