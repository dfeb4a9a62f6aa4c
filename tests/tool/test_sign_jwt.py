"""Claims that become JSON Web Tokens: what is signed is compared with an oracle over Python's integers.

Test: fast
"""

import base64
import csv
import io
import json
import stat
import unittest

from support import ToolTest, ed25519_sign
from test_jwt import ALGORITHMS, base64url, token
from test_key_sets import jwk, thumbprint

KEY = 0x1234567


def parts(text):
    return [base64.urlsafe_b64decode(part + "==") for part in text.split(".")]


class SignTokens(ToolTest):
    def private(self, algorithm="ES256", key=KEY, **members):
        """A private key's file, and its JWK."""
        width = 32 if algorithm == "EdDSA" else ALGORITHMS[algorithm][0].length
        d = key if algorithm == "EdDSA" else key.to_bytes(width, "big")
        private = {**jwk(algorithm, key), "d": base64url(d), **members}
        path = self.folder / f"{algorithm}.jwk"
        path.write_text(json.dumps(private), encoding="utf-8")
        path.chmod(0o600)
        return path, private

    def sign(self, path, text, *options, status=0):
        done = self.run_tool("sign", "--jwt", "--key-file", path, *options, stdin=text, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_algorithm(self):
        """The header, the object as it stands and the signature; and verify takes the token under the key that it names."""
        claims = ['{"iss":"joe", "exp":1300819380,"http://example.com/is_root":true}', "{}", '{"n":[1,{"a":"\\u00e4 ä"}],"aud":["a"]}', '{"pub":1,"claims":{},"token":2}']
        for algorithm in [*ALGORITHMS, "EdDSA"]:
            key = bytes(range(32)) if algorithm == "EdDSA" else KEY
            path, private = self.private(algorithm, key)
            rows = self.sign(path, "\n".join(claims) + "\n\n  \t" + claims[0] + " \r\n")
            header = json.dumps({"alg": algorithm, "typ": "JWT", "kid": thumbprint(private)}, separators=(",", ":")).encode()
            for text, row in zip([*claims, claims[0]], rows):
                message = base64url(header) + "." + base64url(text.encode())
                if algorithm == "EdDSA":
                    expected = message + "." + base64url(ed25519_sign(key, message.encode())[1])
                else:
                    expected = token(header, text.encode(), algorithm, key)
                found = row["token"]
                if algorithm == "ES256K":  # s is low
                    curve, signature = ALGORITHMS[algorithm][0], parts(expected)[2]
                    s = int.from_bytes(signature[32:], "big")
                    expected = message + "." + base64url(signature[:32] + min(s, curve.n - s).to_bytes(32, "big"))
                self.assertEqual(found, expected)
            out = self.run_tool("verify", "--jwt", "--keys", path, stdin="\n".join(row["token"] for row in rows), status=0)
            self.assertEqual({json.loads(line)["kid"] for line in out.stdout.splitlines()}, {thumbprint(private)})

    def test_header(self):
        """kid: what is asked for, else the JWK's, else the thumbprint; typ: what is asked for, else JWT; empty: none."""
        for members, options, expected in (
            ({}, [], {"typ": "JWT", "kid": thumbprint(jwk("ES256", KEY))}), ({"kid": 'a"\n\u00e4'}, [], {"typ": "JWT", "kid": 'a"\n\u00e4'}),
            ({"kid": "own"}, ["--kid", 'b\\"\u00e4'], {"typ": "JWT", "kid": 'b\\"\u00e4'}), ({"kid": "own"}, ["--kid", ""], {"typ": "JWT"}),
            ({"kid": ""}, ["--typ", "at+jwt"], {"typ": "at+jwt", "kid": thumbprint(jwk("ES256", KEY))}), ({"kid": "x" * 1024}, ["--typ", ""], {"kid": "x" * 1024}), ({"kid": "x" * 3000}, ["--kid", "own"], {"typ": "JWT", "kid": "own"}),
        ):  # fmt: skip
            path, _ = self.private(**members)
            for lines in (1, 600):
                rows = self.sign(path, '{"a":1}\n' * lines, *options)
                self.assertEqual([json.loads(parts(row["token"])[0]) for row in rows], [{"alg": "ES256", **expected}] * lines)

    def test_of_pem(self):
        """The thumbprint of a key that has no name."""
        path, private = self.folder / "key.pem", self.private()[1]
        sec1 = "30310201010420" + KEY.to_bytes(32, "big").hex() + "a00a06082a8648ce3d030107"
        path.write_text("-----BEGIN EC PRIVATE KEY-----\n" + base64.b64encode(bytes.fromhex(sec1)).decode() + "\n-----END EC PRIVATE KEY-----\n")
        path.chmod(0o600)
        done = self.run_tool("sign", "--jwt", "--key-file", path, stdin="{}\n")
        if b"libcrypto" in done.stderr:
            self.skipTest("not run: no libcrypto")
        self.assertEqual(json.loads(parts(json.loads(done.stdout)["token"])[0])["kid"], thumbprint(private))

    def test_tables(self):
        """JSON in a column, beside which others pass through; and back."""
        path, private = self.private(kid="k")
        claims = ['{"iss":"joe","n":"a,\\"b"}', " {} ", '{"iss":"line\\n"}', '{"sub":"\u00e4"}']
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([["id", "claims", "status"], *([n, claim, "x"] for n, claim in enumerate(claims))])
        for options in ((), ("--batch", 1), ("--map", "claims=claims")):
            done = self.run_tool("sign", "--jwt", "--key-file", path, *options, stdin=text.getvalue(), status=0)
            rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
            self.assertEqual([(row["id"], row["input_status"], row["status"]) for row in rows], [(str(n), "x", "ok") for n in range(len(claims))])
            self.assertEqual([parts(row["token"])[1].decode() for row in rows], [claim.strip() for claim in claims])
            back = self.run_tool("verify", "--jwt", "--keys", path, stdin=done.stdout, status=0)
            self.assertEqual([row["iss"] for row in csv.DictReader(io.StringIO(back.stdout.decode()))], ["joe", "", "line\n", ""])
        out = self.folder / "tokens.jsonl"
        self.run_tool("sign", "--jwt", "--key-file", path, "-o", out, stdin=text.getvalue(), status=0)
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o600)
        self.assertEqual([json.loads(parts(json.loads(line)["token"])[0])["kid"] for line in out.read_text().splitlines()], ["k"] * len(claims))
        long = json.dumps({"a": "x" * 3_000_000})
        [row] = self.sign(path, long + "\n")
        self.assertEqual(parts(row["token"])[1].decode(), long)
        self.assertEqual(self.run_tool("sign", "--jwt", "--key-file", path, stdin="id,claim\n1,2\n", status=2).stdout, b"")

    def test_columns_beside_claims(self):
        """Names of columns in a header are said where nothing reads them, and a private key is refused; in objects they are claims."""
        path, _ = self.private()
        for column, words in (("curve", "the column `curve` is not read"), ("digest", "the column `digest` is not read"), ("id", "")):
            done = self.run_tool("sign", "--jwt", "--key-file", path, "-q", stdin=f"{column},claims\nP-384,{{}}\n", status=0)
            self.assertEqual(done.stderr.decode() != "", words != "")
            self.assertIn(words, done.stderr.decode())
        for column in ("priv", "private_key"):
            done = self.run_tool("sign", "--jwt", "--key-file", path, stdin=f"id,claims,{column}\n1,{{}},11\n", status=2)
            self.assertIn(f"--key-file, and a column {column}", done.stderr.decode())
        done = self.run_tool("sign", "--jwt", "--key-file", path, "-q", stdin='{"priv":"11","curve":"P-384"}\n', status=0)
        self.assertEqual(done.stderr, b"")

    def test_claims_that_are_none(self):
        path, _ = self.private()
        many = json.dumps({str(n): n for n in range(129)})
        for claims, words in (
            ("[]", "not a JSON object"), ("zz", "not a JSON object"), ('{"a":1', "not a JSON object"), ('{"a":01}', "not a JSON object"), ('{"a":"\\x"}', "not a JSON object"),
            ('{"a":1,"a":2}', "a claim twice"), ('{"a":1,"\\u0061":2}', "a claim twice"), ('{"exp":"5"}', "exp is no number"), ('{"nbf":null}', "nbf is no number"),
            ('{"iat":true}', "iat is no number"), ('{"iss":5}', "iss is no string"), ('{"sub":["a"]}', "sub is no string"), ('{"jti":{}}', "jti is no string"),
            ('{"\\u0065xp":"5"}', "exp is no number"), ('{"aud":5}', "aud is neither"), ('{"aud":{}}', "aud is neither"), ('{"\\ud800":1}', "cannot be read"), (many, "more than 128"),
            ('{"exp":1e999}', "exp is no number"), ('{"nbf":-1e999}', "nbf is no number"), ('{"iat":1' + "0" * 400 + "}", "iat is no number"), ('{"exp":1.' + "0" * 70 + "}", "exp is no number"),
            ('{"aud":["a",5]}', "aud is neither"), ('{"aud":[["a"]]}', "aud is neither"), ('{"aud":[null]}', "aud is neither"),
        ):  # fmt: skip
            rows = self.sign(path, '{"a":1}\n' + claims + "\n", status=1)
            self.assertEqual([row["status"] for row in rows], ["ok", "malformed"], claims)
            self.assertIn(words, rows[1]["reason"])
            self.assertFalse("token" in rows[1])
        self.sign(path, json.dumps({str(n): n for n in range(128)}) + "\n")
        self.sign(path, '{"aud":[],"exp":1e300}\n{"aud":["a","\\u0062"],"nbf":-1.5}\n')

    def test_usage(self):
        path, _ = self.private()
        for options, words in ((["--hash", "sha256"], "goes without"), (["--sig-format", "der"], "goes without"), (["--encoding", "base64"], "goes without"),
                               (["--columns", "claims"], "goes without"), (["--require", "msg"], "goes without"), (["--dangerous-nonce"], "goes without"),
                               (["--id", "a"], "goes without"), (["--format", "raw"], "not raw"), (["--output-format", "raw"], "not raw"), (["--map", "claims=a"], "as a whole"),
                               (["--kid", b"\xff"], "no UTF-8"), (["--curve", "P-384"], "and not on P-384"), (["--kid", "x" * 1025], "--kid TEXT"), (["--typ", "x" * 1025], "--typ TEXT")):  # fmt: skip
            arguments = [option if isinstance(option, str) else option.decode(errors="surrogateescape") for option in options]
            done = self.run_tool("sign", "--jwt", "--key-file", path, *arguments, stdin='{"a":1}\n', status=2)
            self.assertIn(words, done.stderr.decode(errors="replace"), options)
        for arguments, words in ((["--jwt"], "--jwt needs --key-file"), (["--kid", "a"], "--kid goes with --jwt"), (["--typ", "a"], "--typ goes with --jwt")):
            self.assertIn(words, self.run_tool("sign", *arguments, stdin="{}\n", status=2).stderr.decode())
        for members, words in (({"use": "enc"}, "another `use`"), ({"alg": "ES384"}, "an `alg`"), ({"kid": "x" * 1025}, "longer than 1024"), ({"key_ops": ["verify"]}, "`key_ops` without `sign`"), ({"key_ops": ["deriveKey"]}, "other `key_ops`"), ({"crv": "X25519"}, "")):
            refused, _ = self.private(**members)
            self.assertIn(words, self.run_tool("sign", "--jwt", "--key-file", refused, stdin="{}\n", status=2).stderr.decode())
        self.assertIn("`key_ops` without `sign`", self.run_tool("sign", "--key-file", self.private(key_ops=["verify"])[0], stdin="msg\n00\n", status=2).stderr.decode())
        self.sign(self.private(key_ops=["sign"])[0], "{}\n")
        sm2 = self.folder / "sm2.jwk"
        row = self.json_rows("pubkey", [{"priv": "05" * 32}], "--curve", "SM2")[0]["pub"]
        x, y = (base64url(bytes.fromhex(v)) for v in (row[2:66], row[66:]))
        sm2.write_text(json.dumps({"kty": "EC", "crv": "SM2", "x": x, "y": y, "d": base64url(b"\5" * 32)}))
        sm2.chmod(0o600)
        self.assertIn(b"no tokens with signatures", self.run_tool("sign", "--jwt", "--key-file", sm2, stdin="{}\n", status=2).stderr)
        seed, _ = self.private("EdDSA", bytes(32))
        for option in ("--hedged", "--low-s", "--no-low-s"):
            self.run_tool("sign", "--jwt", "--key-file", seed, option, stdin="{}\n", status=2)
        path, private = self.private()
        twice = [self.sign(path, "{}\n", "--hedged", "--verify-signatures")[0]["token"] for _ in range(2)]
        self.assertNotEqual(*twice)
        self.run_tool("verify", "--jwt", "--keys", path, stdin="\n".join(twice), status=0)


if __name__ == "__main__":
    unittest.main()
