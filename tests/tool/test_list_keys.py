"""`gecc keys`: what is in files of keys, with its names, and no private key.

Test: fast
"""

import csv
import io
import json
import unittest

from support import P256, ToolTest, ed25519_sign
from test_jwt import base64url, spki, spki25519
from test_key_sets import RSA, jwk, pem, ssh_line, thumbprint

NAMES = ("kid", "thumbprint", "curve", "scheme", "pub", "reason")


def row(key, kid=None, reason=None):
    curve, scheme = ("Curve25519", "ed25519") if key["kty"] == "OKP" else (key["crv"], None)
    numbers = [json_bytes(key[name]).hex() for name in ("x", "y") if name in key]
    return dict(zip(NAMES, (kid, thumbprint(key), curve, scheme, ("04" if len(numbers) == 2 else "") + "".join(numbers), reason)))


def json_bytes(text):
    import base64  # noqa: PLC0415

    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class ListKeys(ToolTest):
    def list(self, content, *options, status=0):
        path = self.folder / "keys"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.run_tool("keys", path, *options, status=status)

    def rows(self, content):
        return [json.loads(line) for line in self.list(content, "--output-format", "jsonl").stdout.splitlines()]

    def test_json(self):
        keys = [jwk("ES256", 5), jwk("ES384", 6), jwk("ES512", 7), jwk("ES256K", 8), jwk("EdDSA", bytes(range(32)))]
        kids = ["one", 'a,"b"\n', "\u00e4", "", None]
        named = [{**key, **({} if kid is None else {"kid": kid})} for key, kid in zip(keys, kids)]
        self.assertEqual(self.rows(json.dumps({"keys": named})), [row(key, kid) for key, kid in zip(keys, kids)])
        done = self.list(json.dumps({"keys": named}))
        table = [{name: cell or None for name, cell in cells.items()} for cells in csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))]
        self.assertEqual(table, [row(key, kid or None) for key, kid in zip(keys, kids)])

    def test_not_used(self):
        done = self.list(json.dumps({"keys": [{**RSA, "kid": "r"}, jwk("ES256", 5, use="enc"), jwk("ES256", 6)]}), "--output-format", "jsonl")
        first, second, third = map(json.loads, done.stdout.splitlines())
        self.assertEqual((first["kid"], first["curve"], first["pub"]), ("r", None, None))
        self.assertTrue(first["reason"] and second["reason"])
        self.assertEqual(third, row(jwk("ES256", 6)))
        self.assertEqual(done.stderr, b"")
        rsa = bytes.fromhex("305c300d06092a864886f70d0101010500034b003048024100") + b"\xc1" + bytes(62) + b"\1" + bytes.fromhex("0203010001")
        good = pem(spki(P256, P256.mul(6)))
        for text in (pem(rsa) + good, "-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n" + good):
            first, second = self.rows(text)
            self.assertEqual((first["pub"], first["reason"], second), (None, "its key is none of an elliptic curve", row(jwk("ES256", 6))))
        ssh = ssh_line("ES256", 9)
        reasons = [one["reason"] for one in self.rows(f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQDB me\n{ssh}\ncert-authority {ssh}\n")]
        self.assertEqual(reasons, ["its key is none of a curve that gecc has", None, "its key is an authority's or for a time"])
        self.assertEqual(len(self.rows(pem(rsa))), 1)

    def test_other_forms(self):
        seed = bytes(range(32))
        lines = "\n".join(["# comment", ssh_line("ES256", 9), ssh_line("EdDSA", seed)]) + "\n"
        self.assertEqual([(one["curve"], one["pub"]) for one in self.rows(lines)], [("P-256", row(jwk("ES256", 9))["pub"]), ("Curve25519", ed25519_sign(seed, b"")[0].hex())])
        keys = [jwk("ES256", 9), jwk("EdDSA", seed)]
        self.assertEqual(self.rows(pem(spki(P256, P256.mul(9))) + pem(spki25519(ed25519_sign(seed, b"")[0]))), list(map(row, keys)))
        self.assertEqual(self.rows(spki(P256, P256.mul(9))), [row(keys[0])])

    def test_private(self):
        """Of a private key the public one comes out alone."""
        private = {**jwk("ES256", 0x1234567), "d": base64url((0x1234567).to_bytes(32, "big"))}
        done = self.list(json.dumps(private), "--output-format", "jsonl")
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], [row(jwk("ES256", 0x1234567))])
        self.assertNotIn(b"1234567", done.stdout + done.stderr)

    def test_errors(self):
        for content, words in (("", b"it is empty"), ("{}", b""), ('{"keys":[]}', b""), (json.dumps(jwk("ES256", 5))[:-1], b""), (json.dumps({**jwk("ES256", 5), "x": base64url(bytes(32))}), b"not on its curve")):
            done = self.list(content, status=2)
            self.assertIn(words, done.stderr, content)
            self.assertEqual(done.stdout, b"")
        for options in ([], ["-"]):
            self.assertIn(b"it is empty", self.run_tool("keys", *options, status=2).stderr)
            done = self.run_tool("keys", "--output-format", "jsonl", *options, stdin=json.dumps(jwk("ES256", 5)), status=0)
            self.assertEqual(json.loads(done.stdout), row(jwk("ES256", 5)))
        self.assertIn(b"not raw rows", self.list(json.dumps(jwk("ES256", 5)), "-o", self.folder / "x.raw", status=2).stderr)
        self.assertIn(b"No such file", self.run_tool("keys", self.folder / "none", status=2).stderr)
        self.list(json.dumps(jwk("ES256", 5)), "-o", self.folder / "x.jsonl")
        self.assertEqual([json.loads(line) for line in (self.folder / "x.jsonl").read_text().splitlines()], [row(jwk("ES256", 5))])


if __name__ == "__main__":
    unittest.main()
