"""Keys in PEM and DER, written by the openssl command."""

import hashlib
import shutil
import subprocess
import unittest

from support import P256, ToolTest

NAMES = {"prime256v1": "P-256", "secp384r1": "P-384", "secp256k1": "secp256k1", "SM2": "SM2"}


@unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
class KeyFiles(ToolTest):
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

    def test_signatures_of_openssl(self):
        files, message = self.make("prime256v1"), self.folder / "message"
        message.write_bytes(b"some text")
        self.openssl("dgst", "-sha256", "-sign", files["priv"][0], "-out", self.folder / "sig", message)
        row = {"digest": hashlib.sha256(b"some text").hexdigest(), "sig": (self.folder / "sig").read_bytes().hex()}
        self.assertEqual(self.json_rows("verify", [row], "--pub-file", files["pub"][1])[0]["status"], "valid")

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
        self.openssl("genpkey", "-algorithm", "ED25519", "-out", self.folder / "ed.pem")
        self.openssl("ecparam", "-genkey", "-name", "secp521r1", "-noout", "-out", self.folder / "p521.pem")
        (self.folder / "text").write_text("no key")
        (self.folder / "long").write_bytes(bytes(1 << 17))
        for name, words in (("none", b"No such file"), ("text", b"no key or certificate"), ("long", b"too long"),
                            ("ed.pem", b"none of an elliptic curve"), ("p521.pem", b"on another curve")):  # fmt: skip
            done = self.run_tool("verify", "--pub-file", self.folder / name, stdin="digest,sig\n", status=2)
            self.assertIn(words, done.stderr, name)
        files = self.make("prime256v1")
        done = self.run_tool("sign", "--key-file", files["pub"][1], stdin="msg\n00\n", status=2)
        self.assertIn(b"no private key", done.stderr)
        self.openssl("ec", "-in", files["priv"][0], "-aes128", "-passout", "pass:word", "-out", self.folder / "locked.pem")
        done = self.run_tool("sign", "--key-file", self.folder / "locked.pem", stdin="msg\n00\n", status=2)
        self.assertIn(b"password", done.stderr)


if __name__ == "__main__":
    unittest.main()
