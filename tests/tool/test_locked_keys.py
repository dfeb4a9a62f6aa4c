"""Private keys with a password, written by the openssl command and as GmSSL writes them; and those of OpenSSH's own form.

Test: fast; no sanitizers
"""

import base64
import hashlib
import hmac
import json
import os
import shutil
import struct
import subprocess
import unittest

from support import P256, P384, P521, SM2, ed25519_sign, sm3
from test_key_files import KeyTest, pem, tlv

WORD = "correct horse \u00e4"
CASES = {  # how openssl writes it: PBES2 with PBKDF2 and scrypt, and RFC 1421's
    "aes": ["pkcs8", "-topk8", "-v2", "aes-256-cbc"],
    "sha512": ["pkcs8", "-topk8", "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512", "-iter", "5000"],
    "scrypt": ["pkcs8", "-topk8", "-scrypt"],
    "sm4": ["pkcs8", "-topk8", "-v2", "sm4-cbc"],
    "legacy": ["ec", "-aes-256-cbc"],
    "legacy3": ["ec", "-des3"],
}


def gmssl(key, password, rounds=20):
    """PBES2 as GmSSL 3 has it: PBKDF2 with HMAC-SM3, SM4-CBC."""

    def hmac_sm3(message):
        padded = password.ljust(64, b"\0")
        return sm3(bytes(b ^ 0x5C for b in padded) + sm3(bytes(b ^ 0x36 for b in padded) + message))

    salt, iv, u, total = os.urandom(8), os.urandom(16), b"", 0
    for _ in range(rounds):
        u = hmac_sm3(u or salt + b"\0\0\0\1")
        total ^= int.from_bytes(u, "big")
    derived = total.to_bytes(32, "big")[:16]
    sealed = subprocess.run(["openssl", "enc", "-sm4-cbc", "-K", derived.hex(), "-iv", iv.hex()], input=key, capture_output=True, check=True).stdout
    oid = bytes.fromhex
    kdf = tlv(0x30, oid("06092a864886f70d01050c"),
              tlv(0x30, tlv(0x04, salt), tlv(0x02, bytes([rounds])), tlv(0x02, b"\x10"), tlv(0x30, oid("06092a811ccf5501831102"))))  # fmt: skip
    cipher = tlv(0x30, oid("06082a811ccf55016802"), tlv(0x04, iv))
    algorithm = tlv(0x30, oid("06092a864886f70d01050d"), tlv(0x30, kdf, cipher))
    return tlv(0x30, algorithm, tlv(0x04, sealed))


class LockedTest(KeyTest):
    def setUp(self):
        super().setUp()
        self.password = self.folder / "password"
        self.write_password(WORD.encode() + b"\n")

    def write_password(self, data):
        self.password.write_bytes(data)
        self.password.chmod(0o600)

    def sign(self, path, *options, status=0):
        done = self.run_tool("sign", "--key-file", path, *options, "-q", stdin='{"msg":"00"}\n', status=status)
        return json.loads(done.stdout)["sig"] if status == 0 else done.stderr.decode()


class Locked(LockedTest):
    def test_of_openssl(self):
        for group in ("prime256v1", "secp384r1", "SM2"):
            plain = self.make(group)["priv"][0]
            signature = self.sign(plain)
            for name, options in CASES.items():
                if group != "prime256v1" and name in ("sha512", "scrypt", "legacy3"):
                    continue
                for form in ("PEM", "DER") if options[0] == "pkcs8" else ("PEM",):
                    path = self.folder / name
                    self.openssl(*options, "-in", plain, "-passout", f"pass:{WORD}", "-outform", form, "-out", path)
                    for end in (b"", b"\n", b"\r\n"):
                        self.write_password(WORD.encode() + end)
                        self.assertEqual(self.sign(path, "--password-file", self.password), signature, (name, form))
                    if form == "PEM":
                        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
                        self.assertEqual(self.sign(path, "--password-file", self.password), signature, name)
                    self.write_password(b"another\n")
                    self.assertIn("the password is not that of the key", self.sign(path, "--password-file", self.password, status=2))
                    self.assertIn("--password-file", self.sign(path, status=2))
        self.write_password(WORD.encode())
        self.assertIn("a key without a password", self.sign(plain, "--password-file", self.password, status=2))
        # The public key of a private one; and both sides of a secret.
        for command, option, words in (("sign", "--key-file", "--password-file names"), ("verify", "--pub-file", "--password-file names"), ("verify", "--keys", "`openssl pkey`")):
            said = self.run_tool(command, "--jwt", option, path, stdin="{}\n", status=2).stderr.decode().replace(str(path), "")
            self.assertIn(words, said)
            self.assertEqual("--key-file" in said, False)
        done = self.run_tool("verify", "--pub-file", path, "--password-file", self.password, stdin=json.dumps({"msg": "00", "sig": signature}), status=0)
        self.assertEqual(json.loads(done.stdout)["status"], "valid")
        mine = self.make("prime256v1")
        self.openssl("pkcs8", "-topk8", "-in", mine["priv"][0], "-passout", f"pass:{WORD}", "-out", path)
        self.run_tool("ecdh", "--key-file", path, "--password-file", self.password, stdin="peer\n" + P256.encode(P256.mul(7)), status=0)

    def test_of_gmssl(self):
        plain = self.make("SM2")["priv"][0]
        der = self.folder / "plain.der"
        self.openssl("pkcs8", "-topk8", "-nocrypt", "-in", plain, "-outform", "DER", "-out", der)
        sealed, path = gmssl(der.read_bytes(), WORD.encode()), self.folder / "sealed"
        for data in (sealed, pem("ENCRYPTED PRIVATE KEY", sealed)):
            path.write_bytes(data)
            path.chmod(0o600)
            self.assertEqual(self.sign(path, "--password-file", self.password), self.sign(plain))
        # Of version 2, with its public key, of another's, and whatever else may be in it.
        seed = bytes(range(32))
        for public, good in ((ed25519_sign(seed, b"")[0], True), (bytes(32), False)):
            inner = tlv(0x30, tlv(0x02, b"\1"), tlv(0x30, bytes.fromhex("06032b6570")), tlv(0x04, tlv(0x04, seed)), tlv(0x81, b"\0" + public))
            path.write_bytes(gmssl(inner, WORD.encode()))
            if good:
                self.assertEqual(self.sign(path, "--password-file", self.password), ed25519_sign(seed, b"\0")[1].hex())
            else:
                self.assertIn("not its own", self.sign(path, "--password-file", self.password, status=2))
        for inner in (b"nonsense", sealed, der.read_bytes()[:-1]):
            path.write_bytes(gmssl(inner, WORD.encode()))
            self.assertIn("the password is not that of the key", self.sign(path, "--password-file", self.password, status=2))
        good = gmssl(der.read_bytes(), WORD.encode())
        for data, words in ((good + b"\0", "bytes behind the key"), (good[:-1], "or broken"), (good.replace(b"\x02\x01\x14\x02\x01\x10", b"\x02\x01\x84\x02\x01\x10"), "is broken")):
            path.write_bytes(data)
            self.assertIn(words, self.sign(path, "--password-file", self.password, status=2))

    def test_too_much_work(self):
        """Refused before anything is derived."""
        path = self.folder / "sealed"
        pbes2, pbkdf2, scrypt = (bytes.fromhex(x) for x in ("06092a864886f70d01050d", "06092a864886f70d01050c", "06092b06010401da47040b"))
        cipher = tlv(0x30, bytes.fromhex("060960864801650304012a"), tlv(0x04, bytes(16)))
        for name, numbers in ((pbkdf2, ["00800001"]), (pbkdf2, ["7fffffff"]), (pbkdf2, ["00ffffffffffffffffff"]), (scrypt, ["020000", "08", "20"]), (scrypt, ["02", "01", "00800000"])):
            kdf = tlv(0x30, name, tlv(0x30, tlv(0x04, bytes(8)), *(tlv(0x02, bytes.fromhex(n)) for n in numbers)))
            path.write_bytes(tlv(0x30, tlv(0x30, pbes2, tlv(0x30, kdf, cipher)), tlv(0x04, bytes(64))))
            self.assertIn("too much work", self.sign(path, "--password-file", self.password, status=2), numbers)

    def test_password_files(self):
        plain, path = self.make("prime256v1")["priv"][0], self.folder / "sealed"
        long = "x" * 1000
        self.openssl("pkcs8", "-topk8", "-in", plain, "-passout", f"pass:{long}", "-out", path)
        for data, words in ((b"", "no password"), (b"\n", "no password"), (b"\r\n", "no password"), (b"a\nb", "more than the one line"), (b"a\n\n", "more than the one line"),
                            (b"a\0", "a zero byte"), (b"a\0\nb", "a zero byte"), (b"x" * 1025, "too long"), (b"x" * 5000, "too long")):  # fmt: skip
            self.write_password(data)
            self.assertIn(words, self.sign(path, "--password-file", self.password, status=2), data)
        self.write_password(long.encode())
        self.assertIn("No such file", self.sign(path, "--password-file", self.folder / "none", status=2))
        self.assertIn("in its place", self.sign(path, "--password-file", self.password, "-o", self.password, status=2))
        self.assertEqual(self.password.read_bytes(), long.encode())
        self.password.chmod(0o644)
        said = self.run_tool("sign", "--key-file", path, "--password-file", self.password, "-q", stdin="msg\n00\n", status=0).stderr.decode()
        self.assertIn("lets every user read this password", said.replace(str(self.password), ""))
        done = self.run_tool("sign", "--password-file", self.password, stdin="priv,msg\n", status=2)
        self.assertIn(b"--password-file goes with", done.stderr)


def string(data):
    return struct.pack(">I", len(data)) + data


def openssh(key, curve=None, comment=b"me@here", check=b"1234", outer=None, other=None, again=None, sizes=8, signed=True):
    """openssh-key-v1 of a number on a curve, or of a seed. Not signed: without the zero by which a high first bit is no sign."""
    if curve:
        name = f"nistp{8 * curve.length if curve is not P521 else 521}".encode()
        point = bytes.fromhex(curve.encode(curve.mul(other or key)))
        public = string(b"ecdsa-sha2-" + name) + string(name) + string(point)
        private = public + string(key.to_bytes((key.bit_length() + 7 * (not signed)) // 8 + signed, "big"))
    else:
        point = ed25519_sign(other or key, b"")[0]
        public = string(b"ssh-ed25519") + string(point)
        private = public + string(key + (again or point))
    sealed = check + b"1234" + private + string(comment)
    sealed += bytes(range(1, 1 + -len(sealed) % sizes))
    return b"openssh-key-v1\0" + string(b"none") * 2 + string(b"") + struct.pack(">I", 1) + string(outer or public) + string(sealed)


class OfOpenSSH(LockedTest):
    def write(self, blob):
        path = self.folder / "id"
        path.write_bytes(pem("OPENSSH PRIVATE KEY", blob))
        path.chmod(0o600)
        return path

    def test_keys(self):
        for curve in (P256, P384, P521):
            form = "sha256" if curve is P256 else "sha384" if curve is P384 else "sha512"
            digest = hashlib.new(form, b"\0").digest()
            for key in (5, 1, curve.n - 1, curve.n >> 9):
                signature = curve.signature(*curve.ecdsa(key, digest, curve.nonce(key, digest, form))[:2])
                for comment, sizes in ((b"", 8), (b"a", 8), (b"seven..", 8), (b"me@here", 240)):  # OpenSSH takes any padding
                    self.assertEqual(self.sign(self.write(openssh(key, curve, comment, sizes=sizes))), signature)
        seed = bytes(range(32))
        path = self.write(openssh(seed))
        public, signature = ed25519_sign(seed, b"\0")
        self.assertEqual(self.sign(path), signature.hex())
        line = "ssh-ed25519 " + base64.b64encode(string(b"ssh-ed25519") + string(public)).decode()
        for data in (path.read_bytes(), path.read_bytes() + line.encode() + b"\n"):
            path.write_bytes(data)
            done = self.run_tool("verify", "--pub-file", path, stdin=json.dumps({"msg": "00", "sig": signature.hex()}), status=0)
            self.assertEqual(json.loads(done.stdout)["status"], "valid")
        [row] = self.json_rows("sign", [{"priv": path.read_text(), "msg": "00"}])
        self.assertEqual(row["sig"], signature.hex())

    def test_mistakes(self):
        good, seed = openssh(5, P256), bytes(range(32))
        rsa = openssh(seed, outer=string(b"ssh-rsa") + string(b"\1"))
        broken = [openssh(5, P256, check=b"1235"), openssh(seed, again=bytes(32)), openssh(5, P256, other=6)[:-1], good + b"\0", good[:-1], openssh(5, P256, sizes=3),
                  good.replace(b"nistp256", b"nistp384", 1), openssh(5, P256, outer=openssh(6, P256)[43:147]), openssh(5, P256, b"there")[:-1] + b"\x07", b"openssh-key-v1",
                  good.replace(string(b"none") * 2, string(b"none") + string(b"bcrypt")), openssh(P256.n - 1, P256, signed=False)]  # fmt: skip
        for data in broken:
            self.assertIn("a private key of OpenSSH that is broken", self.sign(self.write(data), status=2), data)
        for data, words in ((openssh(5, P256, other=6), "not the public one's"), (openssh(seed, other=bytes(32)), "not the public one's"), (rsa, "none of an elliptic curve"),
                            (openssh(0, P256, other=6), "not the public one's"), (openssh(P256.n + 5, P256, other=5), "not the public one's"),
                            (good.replace(struct.pack(">I", 1) + string(good[43:147])[:4], struct.pack(">I", 2) + string(good[43:147])[:4]), "several keys"),
                            (good.replace(struct.pack(">I", 1) + string(good[43:147])[:4], bytes(4) + string(good[43:147])[:4]), "has no key"),
                            (good.replace(string(b"none") * 2, string(b"aes256-ctr") + string(b"bcrypt")), "ssh-keygen -p")):  # fmt: skip
            self.assertIn(words, self.sign(self.write(data), status=2), words)
        path = self.write(good)
        path.write_bytes(path.read_bytes() + self.write(openssh(6, P256)).read_bytes())
        self.assertIn("several keys", self.sign(path, status=2))
        self.assertIn("a key without a password", self.sign(self.write(good), "--password-file", self.password, status=2))

    @unittest.skipUnless(shutil.which("ssh-keygen"), "not run: no ssh-keygen command")
    def test_of_ssh_keygen(self):
        for kind, bits in (("ed25519", 256), ("ecdsa", 256), ("ecdsa", 384), ("ecdsa", 521)):
            path = self.folder / f"{kind}{bits}"
            subprocess.run(["ssh-keygen", "-q", "-t", kind, "-b", str(bits), "-N", "", "-C", "x" * (bits % 7), "-f", path], check=True, stdin=subprocess.DEVNULL)
            row = json.dumps({"msg": "00", "sig": self.sign(path)})
            self.run_tool("verify", "--pub-file", f"{path}.pub", stdin=row, status=0)
            subprocess.run(["ssh-keygen", "-q", "-p", "-N", "another", "-f", path], check=True, capture_output=True)
            self.assertIn("ssh-keygen -p", self.sign(path, status=2))


if __name__ == "__main__":
    unittest.main()
