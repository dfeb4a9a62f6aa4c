"""Keys that are written as JSON Web Keys.

Test: fast
"""

import base64
import json
import stat
import unittest

from support import P256, P384, P521, SECP256K1, ToolTest
from test_key_sets import NAMES, jwk, signed, thumbprint

ALGORITHMS = {"P-256": ("ES256", P256), "P-384": ("ES384", P384), "P-521": ("ES512", P521), "secp256k1": ("ES256K", SECP256K1)}
ED25519 = ["--scheme", "ed25519"]


def number(text):
    return int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")


class JwkOutput(ToolTest):
    def keygen(self, *options):
        return self.run_tool("keygen", *options, status=0).stdout.decode()

    def test_private_keys(self):
        """Each has the public key and the thumbprint of its d, and is read again."""
        for name, (algorithm, curve) in ALGORITHMS.items():
            keys = [json.loads(line) for line in self.keygen("--curve", name, "--jwk", "--count", 3).splitlines()]
            self.assertEqual(len({key["d"] for key in keys}), 3)
            for key in keys:
                expected = jwk(algorithm, number(key["d"]), d=key["d"], kid=thumbprint(key))
                self.assertEqual(key, expected)
                self.assertEqual(len(base64.urlsafe_b64decode(key["d"] + "==")), curve.length)
        path = self.folder / "key.json"
        for options in (["--curve", "P-256"], ED25519, ["--curve", "secp256k1"]):
            path.unlink(missing_ok=True)
            self.run_tool("keygen", *options, "--jwk", "-o", path, status=0)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            sig = self.json_rows("sign", [{"msg": "00"}], "--key-file", path)[0]["sig"]
            self.json_rows("verify", [{"msg": "00", "sig": sig}], "--pub-file", path)
        key = json.loads(self.keygen(*ED25519, "--jwk"))
        seed = base64.urlsafe_b64decode(key["d"] + "==")
        self.assertEqual(key, jwk("EdDSA", seed, d=key["d"], kid=thumbprint(key)))
        key = json.loads(self.keygen("--scheme", "x25519", "--jwk"))
        self.assertEqual((key["kty"], key["crv"], key["kid"]), ("OKP", "X25519", thumbprint(key)))

    def test_sets_of_one(self):
        """A set with one key is a key, also where it stands there twice."""
        path = self.folder / "key.jwks"
        for options in (["--curve", "P-256"], ED25519):
            path.unlink(missing_ok=True)
            self.run_tool("keygen", *options, "--jwks", "-o", path, status=0)
            key = json.loads(path.read_text())["keys"][0]
            for keys in ([key], [key, key], [{name: key[name] for name in key if name != "d"}, key]):
                path.write_text(json.dumps({"keys": keys}))
                sig = self.json_rows("sign", [{"msg": "00"}], "--key-file", path)[0]["sig"]
                self.json_rows("verify", [{"msg": "00", "sig": sig}], "--pub-file", path)
                self.run_tool("sign", "--jwt", "--key-file", path, stdin="{}\n", status=0)
        path.write_text(json.dumps({"keys": [key, {**key, "kid": "another"}]}))
        self.assertIn(b"several keys", self.run_tool("sign", "--key-file", path, stdin="msg\n00\n", status=2).stderr)

    def test_sets(self):
        for count in (1, 2, 4097):
            keys = json.loads(self.keygen("--curve", "P-256", "--jwks", "--count", count))["keys"]
            self.assertEqual((len(keys), len({key["kid"] for key in keys})), (count, count))
            self.assertEqual({tuple(key) for key in keys}, {("crv", "kty", "x", "y", "d", "kid")})

    def test_public_keys(self):
        """What keygen wrote as rows, over batches; a set by which tokens are verified."""
        rows = self.keygen("--curve", "P-256", "--count", 50)
        for options in ((), ("--batch", 7), ("--format", "csv")):
            keys = json.loads(self.run_tool("pubkey", "--jwks", *options, stdin=rows, status=0).stdout)["keys"]
            self.assertEqual([(number(key["x"]), number(key["y"])) for key in keys],
                             [(int(pub[2:66], 16), int(pub[66:], 16)) for pub in (line.split(",")[2] for line in rows.splitlines()[1:])])  # fmt: skip
            self.assertTrue(all(tuple(key) == ("crv", "kty", "x", "y", "kid") and key["kid"] == thumbprint(key) for key in keys))
        point6 = P256.encode(P256.mul(6))
        privates = {name: 5 + n for n, name in enumerate(ALGORITHMS)}
        mixed = "".join(json.dumps({"curve": name, "priv": f"{key:02x}", "secret": "x"}) + "\n" for name, key in privates.items())
        for options in ((), ("--batch", 1)):
            path = self.folder / "jwks.json"
            self.run_tool("pubkey", "--jwks", "-o", path, *options, stdin=mixed, status=0)
            self.assertEqual(json.loads(path.read_text()), {"keys": [{**key, "kid": thumbprint(key)} for key in (jwk(a, privates[n]) for n, (a, _) in ALGORITHMS.items())]})
            tokens = [signed(a, privates[n], kid=thumbprint(jwk(a, privates[n]))) for n, (a, _) in ALGORITHMS.items()]
            self.run_tool("verify", "--jwt", "--keys", path, stdin="\n".join(tokens), status=0)
        lines = self.run_tool("pubkey", "--jwk", stdin=mixed, status=0).stdout.decode().splitlines()
        self.assertEqual([NAMES[a] for a in NAMES], [json.loads(line)["crv"] for line in lines])
        for column in ("pub", "point", "public_key"):  # another's, beside the private key
            for text in (f"priv,{column}\n05,{point6}\n", json.dumps({"priv": "05", column: point6})):
                done = self.run_tool("pubkey", "--curve", "P-256", "--jwk", stdin=text, status=0)
                self.assertEqual(json.loads(done.stdout)["x"], jwk("ES256", 5)["x"])
                self.assertIn(f"the column `{'point' if column == 'point' else 'pub'}` is not read: `priv` is there", done.stderr.decode())
        seed = bytes(range(32))
        [key] = [json.loads(self.run_tool("pubkey", *ED25519, "--jwk", stdin="seed\n" + seed.hex()).stdout)]
        self.assertEqual(key["x"], jwk("EdDSA", seed)["x"])
        point = P256.encode(P256.mul(9), "compressed")
        [key] = [json.loads(self.run_tool("pubkey", "--curve", "P-256", "--jwk", stdin="pub\n" + point).stdout)]
        self.assertEqual(key["x"], jwk("ES256", 9)["x"])
        raw = b"".join(n.to_bytes(32, "big") for n in range(1, 40))
        keys = json.loads(self.run_tool("pubkey", "--curve", "P-256", "--jwks", "--format", "raw", stdin=raw, status=0).stdout)["keys"]
        self.assertEqual([key["x"] for key in keys], [jwk("ES256", n)["x"] for n in range(1, 40)])
        done = self.run_tool("pubkey", "--curve", "P-256", "--jwks", "--allow-empty", stdin="priv\n", status=0)
        self.assertEqual(json.loads(done.stdout), {"keys": []})

    def test_rows_without_a_key(self):
        """They would be missing from the keys without a word: they are an error, or left out on request."""
        path = self.folder / "jwks.json"
        for bad, words in (("00", "priv"), ("zz", "priv: "), (f"{P256.n:x}", "scalar")):
            text = f"priv\n05\n{bad}\n07\n"
            done = self.run_tool("pubkey", "--curve", "P-256", "--jwks", "-o", path, stdin=text, status=2)
            self.assertIn(b"line 3 has no key", done.stderr)
            self.assertFalse(path.exists())
            done = self.run_tool("pubkey", "--curve", "P-256", "--jwks", "--only", "ok", stdin=text, status=1)
            self.assertEqual([key["x"] for key in json.loads(done.stdout)["keys"]], [jwk("ES256", n)["x"] for n in (5, 7)])
        done = self.run_tool("pubkey", "--curve", "P-256", "--jwk", stdin="point\n00\n", status=2)
        self.assertIn(b"line 2 has no key", done.stderr)
        row = json.dumps({"curve": "SM2", "priv": "05"})
        self.assertIn(b"a curve that JSON Web Keys do not have", self.run_tool("pubkey", "--jwk", stdin=row, status=2).stderr)

    def test_usage(self):
        for command in ("keygen", "pubkey"):
            for options, words in ((["--curve", "SM2"], "a curve that JSON Web Keys do not have"), (["--curve", "P-256", "--point-format", "compressed"], "x and y"),
                                   (["--curve", "P-256", "--jwks"], "exclude"), (["--curve", "P-256", "--output-format", "jsonl"], "exclude")):  # fmt: skip
                self.assertIn(words, self.run_tool(command, "--jwk", *options, stdin="priv\n05\n", status=2).stderr.decode())
        for option in ("--jwk", "--jwks"):
            self.assertIn(b"exclude", self.run_tool("pubkey", option, "--curve", "P-256", "--prefix", "a_", stdin="priv\n05\n", status=2).stderr)
        self.assertIn(b"--scheme bip340", self.run_tool("pubkey", "--jwk", "--scheme", "bip340", stdin="priv\n05\n", status=2).stderr)
        self.assertIn(b"no such option", self.run_tool("sign", "--jwk", stdin="", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
