"""Tokens whose claims are disclosed selectively (SD-JWT, RFC 9901), signed here. bindings/python/tests compare others with sd-jwt.

Test: fast
"""

import csv
import hashlib
import io
import json
import unittest

from support import ToolTest
from test_jwt import base64url, token
from test_key_sets import jwk, signed

HOLDER = 0x7654321


def digest(text):
    return base64url(hashlib.sha256(text.encode()).digest())


def disclosure(*parts):
    return base64url(json.dumps(list(parts)).encode())


CLAIM, ELEMENT = disclosure("salt1", "name", "Erika"), disclosure("salt2", {"code": "DE"})
INNER = disclosure("salt3", "street", "Heidestra\u00dfe")
OUTER = disclosure("salt4", "address", {"_sd": [digest(INNER), digest("decoy")], "city": "K\u00f6ln"})
PAYLOAD = {"iss": "joe", "_sd_alg": "sha-256", "_sd": [digest(CLAIM), digest(OUTER), "decoy"], "list": [1, {"...": digest(ELEMENT)}, {"...": "other"}],
           "exp": 2000000000, "cnf": {"jwk": jwk("ES256", HOLDER)}}  # fmt: skip
CLAIMS = {"iss": "joe", "list": [1], "exp": 2000000000, "cnf": PAYLOAD["cnf"]}


def present(disclosures=(), payload=PAYLOAD, **members):
    payload = {name: value for name, value in {**payload, **members}.items() if value is not None}
    return "~".join([token({"alg": "ES256"}, json.dumps(payload).encode()), *disclosures, ""])


def bind(presentation, algorithm="ES256", key=HOLDER, typ="kb+jwt", text=None, **claims):
    said = {"iat": 1700000000, "aud": "me", "nonce": "one", "sd_hash": digest(presentation), **claims}
    said = {name: value for name, value in said.items() if value is not None}
    return presentation + signed(algorithm, key, text or json.dumps(said).encode(), typ=typ)


class Presentations(ToolTest):
    def verify(self, texts, *options, status=None):
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps(jwk("ES256", 0x1234567)))
        done = self.run_tool("verify", "--sd-jwt", "--keys", keys, "--output-format", "jsonl", *options, stdin="\n".join(texts) + "\n", status=status)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def claims(self, *texts, **options):
        rows = self.verify(texts, *options, status=0)
        return [json.loads(row["claims"]) for row in rows]

    def test_disclosed(self):
        """What is disclosed is there, what is not is not, in any order of disclosures."""
        address = {"city": "K\u00f6ln"}
        self.assertEqual(self.claims(present(), present([CLAIM]), present([ELEMENT, CLAIM]), present([OUTER]), present([INNER, OUTER]), present(_sd_alg=None)),
                         [CLAIMS, {**CLAIMS, "name": "Erika"}, {**CLAIMS, "name": "Erika", "list": [1, {"code": "DE"}]}, {**CLAIMS, "address": address},
                          {**CLAIMS, "address": {**address, "street": "Heidestra\u00dfe"}}, CLAIMS])  # fmt: skip
        self.assertEqual(self.claims(present(payload={"a": {"b": [[{"...": digest(ELEMENT)}]]}}), present([ELEMENT], {"a": {"b": [[{"...": digest(ELEMENT)}]]}})),
                         [{"a": {"b": [[]]}}, {"a": {"b": [[{"code": "DE"}]]}}])  # fmt: skip

    def test_refused(self):
        def claim(name, value=1):
            one = disclosure("s", name, value)
            return present([one], _sd=[digest(one)])

        deep = one = {}
        for _ in range(40):
            one["a"] = one = {}
        cases = [
            (present([CLAIM, CLAIM]), "without a digest, or twice"), (present([INNER]), "without a digest"), (present([disclosure("s", "x", 1)]), "without a digest"),
            (present([CLAIM], _sd=[digest(CLAIM), digest(CLAIM)]), "a digest twice"), (present(_sd=["x", "x"]), "a digest twice"), (present(_sd=["other"]), "a digest twice"),
            (present([CLAIM], list=[{"...": digest(CLAIM)}], _sd=[]), "a disclosure of a claim"), (present([ELEMENT], _sd=[digest(ELEMENT)], list=[]), "of an array's element"),
            (claim("iss"), "a claim twice"), (claim("_sd", []), "names its claim _sd"), (claim("..."), "names its claim _sd"), (claim("_sd_alg"), "_sd_alg that is not"), (present(a={"_sd_alg": "sha-256"}), "_sd_alg that is not"),
            (present(_sd_alg="sha-512"), "not sha-256"), (present(_sd_alg=1), "not sha-256"), (present(_sd={}), "_sd is no array"), (present(_sd=[1]), "a digest that is no string"), (present(list=[{"...": 1}]), "a digest that is no string"),
            (present(a={"...": "x"}), "named ..."), (present(list=[{"...": "x", "y": 1}]), "named ..."), (present(["!!"]), "not base64url"), (present([""]), "not base64url"), (present([base64url(b"[")]), "not JSON"),
            (present([base64url(b"{}")]), "two or three"), (present([disclosure("s")]), "two or three"), (present([disclosure("s", "a", 1, 2)]), "two or three"), (present([disclosure(1, "a", 1)]), "no string"), (present([disclosure("s", 1, 1)]), "no string"),
            (present(a=deep), "deeper than 32"), (present(a={str(n): n for n in range(129)}), "more than 128"), (present()[:-1], "no ~"), (token({"alg": "ES256"}, b"{") + "~", "not a JSON object"), ("~", "three parts"),
            (token({"alg": "ES256"}, b'{"a":{"b":1,"b":2}}') + "~", "a claim twice"), (token({"alg": "ES256"}, b'{"_sd":[],"_sd":[]}') + "~", "a claim twice"), (token({"alg": "ES256", "typ": "kb+jwt"}) + "~", "no issuer's"),
        ]  # fmt: skip
        for (text, words), row in zip(cases, self.verify([text for text, _ in cases], status=1), strict=True):
            self.assertEqual(row["status"], "malformed", (text, words))
            self.assertIn(words, row["reason"])
            self.assertFalse(row.get("claims") or row.get("key_binding"))
        forged = present([CLAIM]).split("~")
        forged[0] = token({"alg": "ES256"}, json.dumps(PAYLOAD).encode(), key=99)
        (row,) = self.verify(["~".join(forged)], status=1)
        self.assertEqual((row["status"], row["claims"]), ("invalid", ""))

    def test_binding(self):
        plain = present([CLAIM])
        good = bind(plain)
        (row,) = self.verify([good], "--nonce", "one", "--audience", "me", status=0)
        self.assertEqual(json.loads(row["claims"]), {**CLAIMS, "name": "Erika"})
        self.assertEqual(json.loads(row["key_binding"])["nonce"], "one")
        seed = bytes(range(32))
        others = [(algorithm, seed if algorithm == "EdDSA" else 77) for algorithm in ("ES256", "ES384", "ES512", "ES256K", "EdDSA")]
        texts = [bind(present([CLAIM], cnf={"jwk": jwk(algorithm, key)}), algorithm, key) for algorithm, key in others] + [plain, good]
        self.assertEqual([row["status"] for row in self.verify(texts)], ["valid"] * 7)
        private = {**jwk("ES256", HOLDER), "d": base64url(HOLDER.to_bytes(32, "big"))}
        cases = [
            (bind(plain, key=HOLDER + 1), "invalid", "not signed by the key of cnf"), (good[:-8] + "AAAAAAAA", "invalid", "not signed by"), (bind(plain, sd_hash=digest(present())), "invalid", "sd_hash is not"),
            (bind(plain, nonce="two"), "invalid", "--nonce"), (bind(plain, aud="you"), "invalid", "--audience"), (plain, "invalid", "key binding: there is none"),
            (bind(plain, typ="JWT"), "malformed", "typ is not kb+jwt"), (bind(plain, typ=None), "malformed", "typ is not kb+jwt"), (bind(plain, aud=["me"]), "malformed", "are not there"), (bind(plain, iat=None), "malformed", "are not there"), (bind(plain, iat="1"), "malformed", "iat is no number"),
            (bind(plain, text=b"[]"), "malformed", "not a JSON object"), (plain + "x.y", "malformed", "three parts"), (bind(present(cnf=None)), "malformed", "no cnf"), (bind(present(cnf={"kid": "x"})), "malformed", "no cnf"),
            (bind(present(cnf={"jwk": private})), "malformed", "private key"), (bind(present(cnf={"jwk": "x"})), "malformed", "no object"), (bind(present(cnf={"jwk": {"keys": []}})), "malformed", "a set of keys"), (bind(present(cnf={"jwk": {"keys": [jwk("ES256", HOLDER)]}})), "malformed", "a set of keys"), (bind(present(cnf={"jwk": jwk("ES256", HOLDER, x5c="x" * 70000)})), "malformed", "too long"), (bind(present(cnf={"jwk": jwk("ES384", 5)})), "malformed", "for keys on P-256"),
            (bind(present(cnf={"jwk": jwk("ES256", HOLDER, use="enc")})), "malformed", "another `use`"), (good.replace(CLAIM + "~", ""), "invalid", "sd_hash is not"), (bind(plain)[:-2] + "==", "malformed", "key binding: the signature has not the 64 bytes of ES256"),
            (bind(plain, text=b'{"x":1,"x":2}'), "malformed", "a claim twice"), (bind(plain, iat=10**400), "malformed", "iat is no number"), (plain + token({"alg": "none", "typ": "kb+jwt"}), "malformed", "key binding: alg none"),
            (bind(present(cnf={"jwk": {**jwk("ES256", HOLDER), "x": base64url(bytes(32))}})), "malformed", "key binding: a point is not on the curve"), (plain + ".".join([*good.split("~")[-1].split(".")[:2], base64url(bytes(64))]), "malformed", "key binding: r or s"),
        ]  # fmt: skip
        rows = self.verify([text for text, _, _ in cases], "--nonce", "one", "--audience", "me", status=1)
        for (text, status, words), row in zip(cases, rows, strict=True):
            self.assertEqual((row["status"], row.get("claims") or "", row.get("key_binding") or ""), (status, "", ""), (words, row))
            self.assertIn(words, row["reason"])
            self.assertIn("key binding: ", row["reason"])
        # The issuer's verdict comes first.
        forged = token({"alg": "ES256"}, json.dumps(PAYLOAD).encode(), key=99) + "~"
        (row,) = self.verify([bind(forged, key=5)], status=1)
        self.assertNotIn("reason", row)

    def test_claims(self):
        """Dates and issuers are those of what is disclosed."""
        issuer, end = disclosure("s", "iss", "ann"), disclosure("t", "exp", 5)
        hidden = {"_sd": [digest(issuer), digest(end)]}
        for disclosures, options, status in (([issuer], ["--issuer", "ann"], "valid"), ([], ["--issuer", "ann"], "invalid"), ([end], ["--at", "4"], "valid"), ([end], ["--at", "5"], "invalid"), ([], ["--at", "5"], "valid")):
            (row,) = self.verify([present(disclosures, hidden)], *options)
            self.assertEqual(row["status"], status, (disclosures, options))
        self.assertEqual(row["iss"], "")

    def test_binding_times(self):
        """At that time the holder's token has to hold, too."""
        cases = [(dict(exp=5), "invalid", "exp: it has expired"), (dict(nbf=1999999999), "invalid", "nbf: its time"), (dict(exp="5"), "malformed", "exp is no number"), (dict(exp=1900000001, nbf=5), "valid", "")]  # fmt: skip
        for (_, status, words), row in zip(cases, self.verify([bind(present(), **claims) for claims, _, _ in cases], "--at", "1900000000", status=1), strict=True):
            self.assertEqual(row["status"], status)
            self.assertIn("key binding: " + words if words else "", row.get("reason", ""))

    def test_binding_options(self):
        """Options are applied to the holder's signature as to the issuer's."""
        seed = bytes(range(32))
        (row,) = self.verify([bind(present(cnf={"jwk": jwk("EdDSA", seed)}), "EdDSA", seed)], "--low-s", status=1)
        self.assertEqual((row["status"], row["reason"].split(": ", 1)), ("malformed", ["key binding", "--low-s, and only ECDSA's signatures have a low s"]))
        rows = []
        for n in range(24):  # the issuer's s is high or low, which the holder's does not change
            presentation = present(cnf={"jwk": jwk("ES256", HOLDER + n)}, n=n)
            rows += [present(cnf={"jwk": jwk("ES256", HOLDER + n)}, n=n), bind(presentation, key=HOLDER + n)]
        verdicts = [(row["status"], row.get("reason", "")) for row in self.verify(rows, "--low-s", status=1)]
        of_holders = [bound for alone, bound in zip(verdicts[::2], verdicts[1::2]) if alone[0] == "valid"]
        self.assertEqual({status for status, _ in of_holders}, {"valid", "malformed"})
        self.assertTrue(all("key binding: s is greater" in reason for status, reason in of_holders if status != "valid"), of_holders)

    def test_types(self):
        """`typ` is a media type: of any case, and `application/` may be left out."""
        types = ["kb+jwt", "KB+JWT", "application/kb+jwt", "Application/Kb+Jwt"]
        self.assertEqual([row["status"] for row in self.verify([bind(present(), typ=typ) for typ in types], status=0)], ["valid"] * 4)
        rows = self.verify([token({"alg": "ES256", "typ": typ}) + "~" for typ in types], status=1)
        self.assertTrue(all("no issuer's" in row["reason"] for row in rows), rows)

    def test_limits(self):
        """What a line costs does not grow with what it does not prove."""
        many = [digest(str(n)) for n in range(4097)]
        head = token({"alg": "ES256"})
        rows = self.verify([head + "~" * 4098, present(_sd=many, list=None), present(_sd=many[1:], list=None)])
        self.assertEqual([row.get("reason", "")[-27:] for row in rows], ["more than 4096 disclosures", "more than 4096 digests", ""])

    def test_tables_and_options(self):
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps(jwk("ES256", 0x1234567)))
        text = io.StringIO()
        csv.writer(text).writerows([["note", "token"], ["a", bind(present([CLAIM]))], ["b", present([CLAIM, CLAIM])], ["c", present()]])
        done = self.run_tool("verify", "--sd-jwt", "--keys", keys, "--format", "csv", stdin=text.getvalue(), status=1)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row["note"], row["status"]) for row in rows], [("a", "valid"), ("b", "malformed"), ("c", "valid")])
        self.assertEqual([json.loads(row["claims"]) if row["claims"] else None for row in rows], [{**CLAIMS, "name": "Erika"}, None, CLAIMS])
        done = self.run_tool("verify", "--sd-jwt", "--keys", keys, "--output-format", "csv", stdin=present() + "\nx\n" + bind(present()) + "\n", status=1)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row["status"], bool(row["claims"]), bool(row["key_binding"])) for row in rows], [("valid", True, False), ("malformed", False, False), ("valid", True, True)])
        (row,) = [json.loads(line) for line in self.run_tool("verify", "--jwt", "--keys", keys, stdin=present(), status=1).stdout.splitlines()]
        self.assertIn("--sd-jwt takes", row["reason"])
        self.assertIn(b"--sd-jwt needs --pub-file", self.run_tool("verify", "--sd-jwt", stdin="", status=2).stderr)
        for options, words in ((["--jwt", "--nonce", "x"], b"goes with --sd-jwt"), (["--sd-jwt", "--detached"], b"exclude each other"), (["--sd-jwt", "--nostr"], b"exclude each other")):
            self.assertIn(words, self.run_tool("verify", *options, "--keys", keys, stdin="", status=2).stderr, options)


if __name__ == "__main__":
    unittest.main()
