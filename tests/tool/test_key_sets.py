"""Sets of keys, of which a token names one: JSON Web Keys, PEM with several keys, authorized_keys; and the claims of tokens.

Test: fast
"""

import base64
import csv
import hashlib
import io
import json
import struct
import unittest

from support import P256, P384, P521, SECP256K1, ToolTest, ed25519_sign
from test_jwt import ALGORITHMS, base64url, ed25519_token, spki, spki25519, token

NAMES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "ES256K": "secp256k1"}
SSH = {"ES256": "nistp256", "ES384": "nistp384", "ES512": "nistp521"}
RSA = {"kty": "RSA", "n": "AQAB", "e": "AQAB"}


def jwk(algorithm, key, **members):
    """The public key of that number, or of the seed."""
    if algorithm == "EdDSA":
        return {"kty": "OKP", "crv": "Ed25519", "x": base64url(ed25519_sign(key, b"")[0]), **members}
    curve = ALGORITHMS[algorithm][0]
    x, y = (base64url(v.to_bytes(curve.length, "big")) for v in curve.mul(key))
    return {"kty": "EC", "crv": NAMES[algorithm], "x": x, "y": y, **members}


def thumbprint(key):
    """RFC 7638, 3."""
    members = {name: key[name] for name in ("crv", "kty", "x", "y") if name in key}
    return base64url(hashlib.sha256(json.dumps(members, sort_keys=True, separators=(",", ":")).encode()).digest())


def signed(algorithm, key, payload=b'{"iss":"joe"}', **header):
    header = {"alg": algorithm, **header}
    return ed25519_token(header, payload, key) if algorithm == "EdDSA" else token(header, payload, algorithm, key)


def pem(der):
    body = base64.b64encode(der).decode()
    return "-----BEGIN PUBLIC KEY-----\n" + "\n".join(body[i : i + 64] for i in range(0, len(body), 64)) + "\n-----END PUBLIC KEY-----\n"


def ssh_line(algorithm, key, comment="someone@somewhere"):
    def string(data):
        return struct.pack(">I", len(data)) + data

    if algorithm == "EdDSA":
        name, blob = b"ssh-ed25519", string(ed25519_sign(key, b"")[0])
    else:
        curve, name = ALGORITHMS[algorithm][0], b"ecdsa-sha2-" + SSH[algorithm].encode()
        blob = string(SSH[algorithm].encode()) + string(bytes.fromhex(curve.encode(curve.mul(key))))
    return f"{name.decode()} {base64.b64encode(string(name) + blob).decode()} {comment}"


class KeySets(ToolTest):
    def run_keys(self, keys, tokens, *options, status=1):
        """keys: text, or an object of JSON."""
        path = self.folder / "keys"
        path.write_text(keys if isinstance(keys, str) else json.dumps(keys), encoding="utf-8")
        return self.run_tool("verify", "--jwt", "--keys", path, *options, stdin="\n".join(tokens), status=status)

    def verify(self, keys, tokens, *options, status=1):
        return [json.loads(line) for line in self.run_keys(keys, tokens, *options, status=status).stdout.splitlines()]

    def statuses(self, keys, tokens, *options, status=1):
        return [row["status"] for row in self.verify(keys, tokens, *options, status=status)]

    def refusal(self, keys, *options):
        return self.run_keys(keys, [signed("ES256", 5)], *options, status=2).stderr.decode()

    def test_names_choose(self):
        """Each algorithm, by kid and by thumbprint: the key that is named, and no other."""
        keys = [jwk(name, 5 + n, kid=f'{name} "{n}" \u00e4') for name in ALGORITHMS for n in range(3)]
        seeds = [bytes([n]) * 32 for n in range(3)]
        keys += [jwk("EdDSA", seed, kid=f"ed {n}", alg="EdDSA", use="sig", key_ops=["verify"]) for n, seed in enumerate(seeds)]
        owners = [(name, 5 + n) for name in ALGORITHMS for n in range(3)] + [("EdDSA", seed) for seed in seeds]
        good = [signed(name, owner, kid=kid) for (name, owner), key in zip(owners, keys) for kid in (key["kid"], thumbprint(key))]
        out = self.verify({"keys": keys}, good, status=0)
        self.assertEqual([row["status"] for row in out], ["valid"] * len(good))
        self.assertEqual([row["kid"] for row in out], [kid for key in keys for kid in (key["kid"], thumbprint(key))])
        self.assertEqual({row["iss"] for row in out}, {"joe"})
        # Signed by another key of the set than the one that the token names: valid under any is not valid.
        other = [signed(name, owner, kid=keys[3 * (i // 3) + (i + 1) % 3]["kid"]) for i, (name, owner) in enumerate(owners)]
        self.assertEqual(self.statuses({"keys": keys}, other), ["invalid"] * len(other))
        out = self.verify({"keys": keys}, [signed("ES256", 5, kid=kid) for kid in ("", "nobody", "ES256", keys[0]["kid"] + " ")])
        self.assertEqual({(row["status"], row["reason"]) for row in out}, {("no_key", "the set has no key of this kid")})
        self.assertEqual([row["kid"] for row in out][1:3], ["nobody", "ES256"])
        out = self.verify({"keys": keys}, [signed("ES256", 5, kid=keys[3]["kid"]), signed("ES256", 5, kid=7)])
        self.assertEqual([(row["status"], row["reason"]) for row in out],
                         [("malformed", "alg ES256 is for keys on P-256"), ("malformed", "kid is no string")])  # fmt: skip
        escaped = token(b'{"alg":"ES256","\\u006bid":"\\u0061\\u0022"}', key=9)
        self.assertEqual(self.verify([jwk("ES256", 9, kid='a"')][0], [escaped], status=0)[0]["kid"], 'a"')
        google = jwk("ES256", 9, kid="-----BEGIN CERTIFICATE-----", big=10**40)
        self.assertEqual(self.statuses(google, [signed("ES256", 9, kid=google["kid"])], status=0), ["valid"])

    def test_of_rfc(self):
        """RFC 8037, A.3: the thumbprint of its key."""
        key = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        self.assertEqual(thumbprint(key), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        seed = base64.urlsafe_b64decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")
        self.assertEqual(self.statuses(key, [signed("EdDSA", seed, kid=thumbprint(key))], status=0), ["valid"])

    def test_without_a_name(self):
        """The only key that fits, if there is one."""
        keys = {"keys": [jwk("ES256", 5, kid="a"), jwk("ES256", 5, kid="the same again"), jwk("ES384", 6), jwk("ES384", 7), RSA]}
        out = self.verify(keys, [signed("ES256", 5), signed("ES256", 6), signed("ES384", 6), signed("ES512", 6)])
        self.assertEqual([row["status"] for row in out], ["valid", "invalid", "no_key", "no_key"])
        self.assertEqual([row.get("reason") for row in out[2:]],
                         ["no kid, and several keys of the set fit the alg", "no kid, and no key of the set fits the alg"])  # fmt: skip

    def test_one_name_of_several(self):
        """RFC 7517, 4.5: one kid may be of keys that differ in their kind; among those of one kind it decides nothing."""
        keys = {"keys": [jwk("ES256", 5, kid="a"), jwk("ES384", 6, kid="a"), {**RSA, "kid": "a"}]}
        self.assertEqual(self.statuses(keys, [signed("ES256", 5, kid="a"), signed("ES384", 6, kid="a")], status=0), ["valid"] * 2)
        keys["keys"].append(jwk("ES256", 7, kid="a"))
        row = self.verify(keys, [signed("ES256", 5, kid="a")])[0]
        self.assertEqual((row["status"], row["reason"]), ("no_key", "several keys of this kid fit the alg"))

    def test_keys_that_cannot_be_used(self):
        x25519 = {"kty": "OKP", "crv": "X25519", "x": base64url(bytes(31) + b"\1")}
        for members, words in (({"use": "enc"}, "another `use`"), ({"key_ops": ["deriveKey"]}, "other `key_ops`"), ({"alg": "ES384"}, "an `alg`"),
                               ({"alg": "ECDH-ES"}, "an `alg`"), ({"use": 1}, "another `use`"), ({"crv": "P-257"}, "none of a curve")):  # fmt: skip
            done = self.run_keys({"keys": [{**jwk("ES256", 5, kid="a"), **members}, jwk("ES256", 5, kid="b")]}, [signed("ES256", 5, kid=kid) for kid in "ab"])
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([row["status"] for row in rows], ["no_key", "valid"], members)
            self.assertIn(words, rows[0]["reason"])
            self.assertIn(b"1 of its keys is not used", done.stderr)
        rows = self.verify({"keys": [{**key, "kid": "a"} for key in (x25519, RSA, {"kty": "oct", "k": "AA"})]}, [signed("ES256", 5, kid="a")])
        self.assertEqual(rows[0]["status"], "no_key")

    def test_broken_sets(self):
        good = jwk("ES256", 5, kid="a")
        off = {**good, "y": base64url((P256.mul(5)[1] ^ 1).to_bytes(32, "big"))}
        twice = json.dumps(good)[:-1] + ',"x":"AA"}'
        for keys, words in (
            ({"keys": [{**good, "x": good["x"][:-2]}]}, "base64url of its curve's length"), ({"keys": [{**good, "x": base64url(bytes(33))}]}, "length"),
            ({"keys": [off]}, "not on its curve"), ({"keys": [{**good, "kid": 1}]}, "kid is no text"), ({"keys": [{"crv": "P-256"}]}, "without `kty`"),
            ({"keys": {"a": good}}, "is no array"), ({"keys": [good, 5]}, "no object"), ({"keys": []}, "no key"), (twice, "a name twice"), ("{", "neither a JWK"),
            ("[]", "no JWK"), ("", "it is empty"), ("zz", "no key of OpenSSH"), ("# a\n", "no key in JSON, PEM, DER"), ({"a": 1}, "without `kty`"),
            ({**good, "x": base64url(P256.p.to_bytes(32, "big"))}, "not on its curve"), ({**good, "x": good["x"] + "="}, "length"),
        ):  # fmt: skip
            self.assertIn(words, self.refusal(keys), keys)

    def test_pem_and_authorized_keys(self):
        """Without names of their own keys are found by their thumbprints; what cannot be used is said."""
        owners = [("ES256", 5), ("ES256", 6), ("ES384", 5), ("ES512", 5), ("ES256K", 5), ("EdDSA", bytes(32))]
        keys = [jwk(*owner) for owner in owners]
        tokens = [signed(*owner, kid=thumbprint(key)) for owner, key in zip(owners, keys)]
        ders = [spki25519(ed25519_sign(key, b"")[0]) if name == "EdDSA" else spki(ALGORITHMS[name][0], ALGORITHMS[name][0].mul(key)) for name, key in owners]
        rsa = bytes.fromhex("305c300d06092a864886f70d0101010500034b003048024100") + b"\xc1" + bytes(62) + b"\1" + bytes.fromhex("0203010001")
        text = "a comment\n" + "\n".join(pem(der) for der in [*ders, rsa])
        done = self.run_keys(text, tokens, status=0)
        self.assertEqual(done.stdout.count(b'"valid"'), len(tokens))
        self.assertIn(b"1 of its keys is not used", done.stderr)
        lines = [ssh_line(*owner) for owner in owners if owner[0] != "ES256K"]
        lines[1] = 'command="echo \\"ssh-ed25519 AAAA\\" ",no-pty ' + lines[1]
        text = "# keys\n\n" + "\n".join(lines) + "\nssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQDB someone\n"
        done = self.run_keys(text, tokens)
        self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["valid"] * 4 + ["no_key", "valid"])
        self.assertIn(b"1 of its keys is not used", done.stderr)
        # Lines whose key is an authority's or holds for a time are left out; others that are no key are errors.
        for start in ("cert-authority ", 'no-pty,expiry-time="20200101" ', "Cert-Authority,pty "):
            done = self.run_keys(start + lines[0] + "\n" + lines[2] + "\n", tokens[:1])
            self.assertEqual(json.loads(done.stdout)["status"], "no_key", start)
            self.assertIn(b"1 of its keys is not used", done.stderr)
        for start in ("host,1.2.3.4 ", 'command="x ', "no-pty, no-x ", "garbage ", "@revoked ", 'command="cert-authority",foo ', "\0"):
            self.assertIn("no key of OpenSSH", self.refusal(start + lines[0]), start)
        self.assertEqual(self.statuses("\t " + lines[0].replace(" ", "\t ", 1), tokens[:1], status=0), ["valid"])
        self.assertIn("bytes behind the key", self.refusal(pem(ders[0] + b"\0")))
        self.assertIn("several keys", self.refusal(pem(ders[0] + ders[1])))
        self.assertIn("is broken", self.refusal(pem(ders[0][:-1] + bytes([ders[0][-1] ^ 1]))))
        self.assertIn("base64 is wrong", self.refusal(lines[0].replace("AAAA", "A!AA")))
        self.assertIn("PEM that is not base64", self.refusal(pem(ders[0]).replace("M", "!", 1)))

    def test_one_key(self):
        """A JWK in the place of other files: one, and the private key that belongs to it."""
        path, curve = self.folder / "key", P256
        private = {**jwk("ES256", 5), "d": base64url((5).to_bytes(32, "big"))}
        path.write_text(json.dumps(private), encoding="utf-8")
        path.chmod(0o600)
        signature = self.run_tool("sign", "--key-file", path, "--output-format", "csv", stdin="digest\n" + "5a" * 32).stdout.decode().splitlines()[1].split(",")[-2]
        self.assertEqual(signature, curve.signature(*curve.ecdsa(5, b"\x5a" * 32, curve.nonce(5, b"\x5a" * 32, "sha256"))[:2]))
        done = self.run_tool("verify", "--jwt", "--pub-file", path, stdin=signed("ES256", 5, kid="whatever"))
        self.assertEqual(json.loads(done.stdout)["status"], "valid")
        for key, words in (({**private, "d": base64url((6).to_bytes(32, "big"))}, "not the public one's"), ({**private, "d": "AA"}, "d is not base64url"),
                           (jwk("ES256", 5), "a public key, where a private one is wanted"), ({"keys": [private, jwk("ES256", 6)]}, "several keys")):  # fmt: skip
            path.write_text(json.dumps(key), encoding="utf-8")
            self.assertIn(words, self.run_tool("sign", "--key-file", path, stdin="digest\n" + "5a" * 32, status=2).stderr.decode())
        for members, words in (({"use": "enc"}, "another `use`"), ({"alg": "ES384"}, "an `alg`"), ({"key_ops": ["deriveKey"]}, "other `key_ops`")):
            path.write_text(json.dumps({**private, **members}), encoding="utf-8")
            self.assertIn(words, self.run_tool("verify", "--jwt", "--pub-file", path, stdin=signed("ES256", 5), status=2).stderr.decode())
            self.assertIn(words, self.run_tool("sign", "--key-file", path, stdin="digest\n" + "5a" * 32, status=2).stderr.decode())
            self.run_tool("ecdh", "--key-file", path, stdin="peer\n" + P256.encode(P256.mul(7)) + "\n", status=0)
        seed = bytes(range(32))
        path.write_text(json.dumps({**jwk("EdDSA", seed), "d": base64url(seed)}), encoding="utf-8")
        out = self.run_tool("sign", "--key-file", path, stdin="msg\n61\n").stdout.decode().splitlines()[1]
        self.assertIn(ed25519_sign(seed, b"a")[1].hex(), out)

    def test_options_of_other_schemes(self):
        """A set mixes schemes: an option that one of them has not is said of its tokens alone."""
        keys = {"keys": [jwk("ES256", 5, kid="a"), jwk("EdDSA", bytes(32), kid="b")]}
        tokens = [signed("ES256", 5, kid="a"), signed("EdDSA", bytes(32), kid="b")]
        for option, refused in (("--low-s", 1), ("--accept=zip215", 0)):
            rows = self.verify(keys, tokens, option, status=1)
            self.assertIn(rows[1 - refused]["status"], ("valid", "malformed") if refused else ("valid",))
            self.assertEqual(rows[refused]["status"], "malformed")
            self.assertIn(option.partition("=")[0], rows[refused]["reason"])

    def test_claims(self):
        def one(payload, *options):
            text = signed("ES256", 5, payload if isinstance(payload, bytes) else json.dumps(payload).encode())
            row = self.verify(jwk("ES256", 5), [text], *options, status=None)[0]
            return row["status"], row.get("reason", "")

        at = ("--at", "1000")
        for payload, options, status, words in (
            ({"exp": 1001}, at, "valid", ""), ({"exp": 1000}, at, "invalid", "expired"), ({"exp": 1000.5}, at, "valid", ""), ({"exp": 1e3}, at, "invalid", "expired"),
            ({"nbf": 1000}, at, "valid", ""), ({"nbf": 1001}, at, "invalid", "not come"), ({"nbf": 1000.5}, at, "invalid", "not come"), ({}, at, "valid", ""),
            ({"exp": "1001"}, at, "malformed", "exp is no number"), ({"nbf": None}, at, "malformed", "nbf is no number"), ({"exp": -1}, at, "invalid", "expired"),
            ({"exp": 10**30}, at, "valid", ""), (b'{"exp":1001,"exp":5}', at, "malformed", "twice"), (b'{"exp":1001,"\\u0065xp":5}', at, "malformed", "twice"),
            (b'{"\\u0065xp":5}', at, "invalid", "expired"), (b"abc", at, "malformed", "not a JSON object"), (b"[]", at, "malformed", "not a JSON object"),
            ({"exp": 5}, (), "valid", ""), ({"exp": 1970}, ("--at", "1970-01-01T00:32:49Z"), "valid", ""), ({"exp": 1969}, ("--at", "1970-01-01T00:32:49Z"), "invalid", "expired"),
            ({"exp": 2**40}, ("--at", "now"), "valid", ""), ({"exp": 10**9}, ("--at", "now"), "invalid", "expired"),
            ({"iss": "a"}, ("--issuer", "a"), "valid", ""), ({"iss": "ab"}, ("--issuer", "a"), "invalid", "iss"), ({}, ("--issuer", "a"), "invalid", "iss"),
            ({"iss": ["a"]}, ("--issuer", "a"), "invalid", "iss"), (b'{"iss":"\\u0061"}', ("--issuer", "a"), "valid", ""), (b'{"iss":"\\ud800"}', ("--issuer", "\ufffd"), "invalid", "iss"), ({"iss": None}, ("--issuer", "a"), "invalid", "iss"),
            ({"aud": "a"}, ("--audience", "a"), "valid", ""), ({"aud": ["b", "a"]}, ("--audience", "a"), "valid", ""), ({"aud": ["b", ["a"]]}, ("--audience", "a"), "invalid", "aud"),
            ({"aud": []}, ("--audience", "a"), "invalid", "aud"), ({"aud": {"a": 1}}, ("--audience", "a"), "invalid", "aud"), ({}, ("--audience", "a"), "invalid", "aud"),
            ({"exp": 1001, "iss": "i", "aud": ["x"]}, (*at, "--issuer", "i", "--audience", "x"), "valid", ""),
        ):  # fmt: skip
            found, reason = one(payload, *options)
            self.assertEqual(found, status, (payload, options, reason))
            self.assertIn(words, reason, payload)
        bad = signed("ES256", 6, b'{"exp":5}')
        self.assertEqual(self.statuses(jwk("ES256", 5), [bad], *at), ["invalid"])

    def test_tables(self):
        keys = {"keys": [jwk("ES256", n, kid=f"k,{n}") for n in (5, 6)]}
        rows = [[str(n), signed("ES256", 5 + n % 2, json.dumps({"iss": f'i"{n}'}).encode(), kid=f"k,{5 + n % 3}")] for n in range(9)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([["id", "token"], *rows])
        expected = ["no_key" if n % 3 == 2 else "valid" if n % 2 == n % 3 else "invalid" for n in range(9)]
        out = list(csv.DictReader(io.StringIO(self.run_keys(keys, [text.getvalue()]).stdout.decode())))
        self.assertEqual([(row["id"], row["kid"], row["iss"], row["status"]) for row in out],
                         [(str(n), f"k,{5 + n % 3}", f'i"{n}', expected[n]) for n in range(9)])  # fmt: skip
        done = self.run_keys(keys, [text.getvalue()], "--only", "no_key")
        self.assertEqual([row["id"] for row in csv.DictReader(io.StringIO(done.stdout.decode()))], ["2", "5", "8"])
        self.assertIn(b"3 no_key", done.stderr)

    def test_options(self):
        keys = jwk("ES256", 5)
        path = self.folder / "p.json"
        path.write_text(json.dumps(keys), encoding="utf-8")
        for options, words in ((["--pub-file", path], "exclude each other"), (["--curve", "P-256"], "says its own"), (["--hash", "sha256"], "go without"),
                               (["-o", self.folder / "keys"], "in its place"), (["--at", "yesterday"], "--at"), (["--at", "2026-01-01"], "--at"),
                               (["--at", "2026-02-31T00:00:00Z"], "--at"), (["--at", "2026- 1-31T00:00:00Z"], "--at"), (["--format", "raw"], "not raw rows"),
                               (["--format", "raw", "--output-format", "csv"], "not raw rows")):  # fmt: skip
            self.assertIn(words, self.refusal(keys, *options), options)
        for options, words in ((["--keys", path], b"--keys goes with --jwt"), (["--at", "5"], b"--at goes with --jwt"), (["--audience", "a"], b"--audience goes"),
                               (["--issuer", path], b"--issuer goes with")):  # fmt: skip
            self.assertIn(words, self.run_tool("verify", *options, stdin="digest,sig\n", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
