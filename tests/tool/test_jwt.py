"""JSON Web Tokens: signed here with an oracle over Python's integers, and RFC 7515's own.

Test: fast
"""

import base64
import csv
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import unittest

from support import P256, P384, P521, SECP256K1, ToolTest, ed25519_sign, generator

ALGORITHMS = {"ES256": (P256, "sha256"), "ES384": (P384, "sha384"), "ES512": (P521, "sha512"), "ES256K": (SECP256K1, "sha256")}
OBJECTS = {"P-256": "06082a8648ce3d030107", "P-384": "06052b81040022", "P-521": "06052b81040023", "secp256k1": "06052b8104000a"}
KEY = 0x1234567


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def spki(curve, point):
    """A public key in DER."""

    def node(tag, body):
        return bytes([tag, len(body)]) + body if len(body) < 128 else bytes([tag, 0x81, len(body)]) + body

    algorithm = node(0x30, bytes.fromhex("06072a8648ce3d0201" + OBJECTS[curve.name]))
    return node(0x30, algorithm + node(3, b"\0" + bytes.fromhex(curve.encode(point))))


def token(header, payload=b'{"iss":"joe"}', algorithm="ES256", key=KEY):
    """Signed with that algorithm, whatever the header says: an object, or its text."""
    curve, name = ALGORITHMS[algorithm]
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    text = base64url(head) + "." + base64url(payload)
    digest = hashlib.new(name, text.encode()).digest()
    r, s, _ = curve.ecdsa(key, digest, curve.nonce(key, digest, name))
    return text + "." + base64url(bytes.fromhex(curve.signature(r, s)))


def ed25519_token(header, payload=b'{"iss":"joe"}', seed=bytes(32)):
    """Signed with Ed25519, whatever the header says."""
    text = base64url(json.dumps(header).encode()) + "." + base64url(payload)
    return text + "." + base64url(ed25519_sign(seed, text.encode())[1])


def spki25519(key, last=0x70):
    """A public key of Ed25519 (last 0x70) or X25519 (0x6e) in DER (RFC 8410)."""
    return bytes.fromhex("302a300506032b65") + bytes([last]) + bytes.fromhex("032100") + key


class Tokens(ToolTest):
    def setUp(self):
        super().setUp()
        self.keys = {}
        for name, (curve, _) in ALGORITHMS.items():
            self.keys[name] = self.folder / f"{name}.der"
            self.keys[name].write_bytes(spki(curve, curve.mul(KEY)))
        self.keys["EdDSA"] = self.folder / "EdDSA.der"
        self.keys["EdDSA"].write_bytes(spki25519(ed25519_sign(bytes(32), b"")[0]))

    def verify(self, tokens, *options, key="ES256", status=0):
        done = self.run_tool("verify", "--jwt", "--pub-file", self.keys[key], *options, stdin="\n".join(tokens), status=status)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_algorithm(self):
        randomness = generator("jwt")
        for name in ALGORITHMS:
            tokens = [token({"alg": name, "typ": "JWT", "n": n}, randomness.randbytes(n), name) for n in range(70)]
            out = self.verify(tokens, key=name)
            self.assertEqual(out, [{"token": text, "kid": "", "iss": "", "status": "valid"} for text in tokens])
            # One character changes, of the part that is signed or of the signature; another key.
            spoiled = []
            for text in tokens:
                at = randomness.randrange(text.index(".") + 1, len(text) - 1)
                other = "A" if text[at] != "A" else "B"
                spoiled.append(text[:at] + other + text[at + 1 :] if text[at] != "." else text.replace(".", ".A", 1))
            out = self.verify(spoiled, key=name, status=1)
            self.assertNotIn("valid", {row["status"] for row in out})
            out = self.verify([token({"alg": name}, algorithm=name, key=KEY + 1)], key=name, status=1)
            self.assertEqual(out[0]["status"], "invalid")

    def test_csv(self):
        good, bad = token({"alg": "ES256"}), token({"alg": "ES256"}, key=5)
        text = "\n".join([good, "", "  " + bad + "\r", 'a,"b', "x.y.z"]) + "\n"
        for options in (["--output-format", "csv"], ["--output-format=csv", "--prefix", "jwt_"]):
            done = self.run_tool("verify", "--jwt", "--pub-file", self.keys["ES256"], *options, stdin=text, status=1)
            rows = list(csv.reader(io.StringIO(done.stdout.decode())))
            prefix = "jwt_" if len(options) == 3 else ""
            self.assertEqual(rows[0], ["token", *(prefix + name for name in ("kid", "iss", "status", "reason", "line"))])
            self.assertEqual(rows[1:3], [[good, "", "joe", "valid", "", ""], [bad, "", "joe", "invalid", "", ""]])
            self.assertEqual(rows[3], ['a,"b', "", "", "malformed", "not three parts with dots between them", "4"])
            self.assertEqual(rows[4][:4], ["x.y.z", "", "", "malformed"])

    def test_other_algorithms(self):
        """What the key is for decides, not the token: however it is signed."""
        none = "alg is none of ES256, ES384, ES512, ES256K, EdDSA, Ed25519"
        for header, reason in (
            ({"alg": "none"}, "alg none: it is not signed"), ({"alg": "None"}, none), ({"alg": "HS256"}, none), ({"alg": "RS256"}, none),
            ({"alg": "es256"}, none), ({"alg": "ES521"}, none), ({"alg": "ES256 "}, none), ({"alg": ""}, none), ({"alg": "ES256\0"}, none),
            ({"alg": "ES384"}, "alg ES384 is for keys on P-384"), ({"alg": "ES512"}, "alg ES512 is for keys on P-521"),
            ({"alg": "ES256K"}, "alg ES256K is for keys on secp256k1"), ({"alg": "EdDSA"}, "alg EdDSA is for keys of Ed25519"),
            ({"alg": "Ed25519"}, "alg Ed25519 is for keys of Ed25519"), ({"alg": "Ed448"}, none), ({"alg": "eddsa"}, none),
            ({"alg": None}, "alg is no string"), ({"alg": ["ES256"]}, "alg is no string"), ({"alg": 256}, "alg is no string"),
            ({}, "the header has no alg"), ({"ALG": "ES256"}, "the header has no alg"), ({"x": {"alg": "ES256"}}, "the header has no alg"),
        ):  # fmt: skip
            row = self.verify([token(header)], status=1)[0]
            self.assertEqual((row["status"], row["reason"]), ("malformed", reason))
        secret = base64url(b"\0" * 32)
        for text in (token({"alg": "none"}).rsplit(".", 1)[0] + ".", token({"alg": "HS256"}).rsplit(".", 1)[0] + "." + secret):
            self.assertEqual(self.verify([text], status=1)[0]["status"], "malformed")
        for name in ("ES384", "ES512", "ES256K"):
            out = self.verify([token({"alg": "ES256"}), token({"alg": name}, algorithm=name)], key=name, status=1)
            self.assertEqual([row["status"] for row in out], ["malformed", "valid"])

    def test_ed25519(self):
        """RFC 8037, A.4; tokens of the oracle, each with a character changed; signatures of other widths and by other rules."""
        public = self.folder / "rfc8037.der"
        public.write_bytes(spki25519(base64.urlsafe_b64decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=")))
        text = ("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")  # fmt: skip
        for line in (text, text.replace("RXhh", "RXhi")):
            done = self.run_tool("verify", "--jwt", "--pub-file", public, stdin=line, status=int(line != text))
            self.assertEqual(json.loads(done.stdout)["status"], "valid" if line == text else "invalid")
        randomness = generator("EdDSA")
        tokens = [ed25519_token({"alg": ("EdDSA", "Ed25519")[n % 2], "n": n}, randomness.randbytes(n)) for n in range(60)]
        out = self.verify(tokens, key="EdDSA")
        self.assertEqual(out, [{"token": text, "kid": "", "iss": "", "status": "valid"} for text in tokens])
        spoiled = [text[:-10] + ("A" if text[-10] != "A" else "B") + text[-9:] for text in tokens]
        self.assertNotIn("valid", {row["status"] for row in self.verify(spoiled, key="EdDSA", status=1)})
        head, body, sig = tokens[0].split(".")
        raw = base64.urlsafe_b64decode(sig + "==")
        for other in (raw[:-1], raw + b"\0", b""):
            row = self.verify([f"{head}.{body}." + base64url(other)], key="EdDSA", status=1)[0]
            self.assertIn("not the 64 bytes of Ed25519", row.get("reason", ""))
        row = self.verify([ed25519_token({"alg": "ES256"})], key="EdDSA", status=1)[0]
        self.assertEqual(row["reason"], "alg ES256 is for keys on P-256")
        self.keys["small order"] = self.folder / "small.der"
        self.keys["small order"].write_bytes(spki25519(b"\1" + bytes(31)))
        small = f"{head}.{body}." + base64url(b"\1" + bytes(63))
        self.assertEqual(self.verify([small], key="small order")[0]["status"], "valid")
        self.assertEqual(self.verify([small], "--accept", "strict", key="small order", status=1)[0]["status"], "invalid")
        self.keys["x25519"] = self.folder / "x25519.der"
        self.keys["x25519"].write_bytes(spki25519(b"\x09" + bytes(31), 0x6E))
        for key, options, words in (("x25519", (), b"no signatures"), ("EdDSA", ("--prehash",), b"go without"), ("EdDSA", ("--ctx", "a"), b"go without"),
                                    ("EdDSA", ("--scheme", "x25519"), b"a key of ed25519"), ("ES256", ("--accept", "strict"), b"--accept")):  # fmt: skip
            done = self.run_tool("verify", "--jwt", "--pub-file", self.keys[key], *options, stdin=tokens[0], status=2)
            self.assertIn(words, done.stderr)

    def test_headers(self):
        twice = "a name twice in the header"
        for header, reason in (
            (b'{"alg":"none","alg":"ES256"}', None), (b'{"alg":"ES256","alg":"ES256"}', twice), (b'{"alg":"ES256","\\u0061lg":"none"}', twice),
            (b'{"alg":"ES256","kid":"1","kid":"2"}', twice), (b'{"alg":"ES256","crit":["b64"],"b64":false}', "crit asks for more"),
            (b'{"alg":"ES256","crit":[]}', "crit asks for more"), (b'{"crit":["exp"],"alg":"ES256"}', "crit asks for more"),
            (b'{"alg":"ES256","cri\\u0074":["exp"]}', "crit asks for more"), (b'{"alg":"ES256","b64":false}', "b64 changes"),
            (b'{"alg":"ES256"} x', "not a JSON object"), (b'["ES256"]', "not a JSON object"), (b'{"alg":"ES256"', "not a JSON object"),
            (b"", "not a JSON object"), (b'{"alg":"ES256",}', "not a JSON object"), (b'{"alg":"ES256","a":01}', "not a JSON object"),
            (b'{"alg":"ES256","a":"\xff"}', "not a JSON object"),
            (json.dumps({"alg": "ES256", **{f"x{n}": n for n in range(40)}}).encode(), "more than 32 members"),
        ):  # fmt: skip
            row = self.verify([token(header)], status=1)[0]
            self.assertEqual(row["status"], "malformed", header)
            self.assertIn(reason or "", row["reason"], header)
        good = [b' {"alg" : "ES256"}\n', b'{"alg":"ES256","x":{"alg":"none","crit":1}}', b'{"jwk":{"kty":"EC"},"alg":"ES256","x5c":["' + b"A" * 9000 + b'"]}',
                b'{"\\u0061lg":"ES256"}', json.dumps({"alg": "ES256", "n": "\u00e4\U0001f600"}).encode()]  # fmt: skip
        self.assertEqual({row["status"] for row in self.verify([token(header) for header in good])}, {"valid"})

    def test_forms(self):
        good = token({"alg": "ES256"})
        head, body, sig = good.split(".")
        raw = base64.urlsafe_b64decode(sig + "==")
        der = base64url(bytes([0x30, 70, 2, 33, 0]) + raw[:32] + bytes([2, 33, 0]) + raw[32:])
        for text, reason in (
            (head + "." + body, "not three parts"), (good + ".", "not three parts"), (good + "." + sig, "not three parts"), (good[:-1], "signature"),
            (head + ".." + sig, None), ("." + body + "." + sig, "not a JSON object"), (good + "==", "the signature is not base64url"),
            (head + "=." + body + "." + sig, "the header is not base64url"), (head + "." + body + "=." + sig, "the payload is not base64url"),
            (head + "." + body + "!." + sig, "the payload is not base64url"), (head + "." + body + "." + der, "not the 64 bytes of ES256"),
            (head + "." + body + ".", "not the 64 bytes of ES256"), (head + "." + body + "." + base64url(raw + b"\0"), "not the 64 bytes of ES256"),
            (head + "." + body + "." + base64url(bytes(64)), ""), ("..", "not a JSON object"), ("\0", "not three parts"), ("\u00e4.\u00e4.\u00e4", "base64url"),
            ("a" * 100000, "not three parts"), ('{"alg":"ES256"}', "not three parts"),
        ):  # fmt: skip
            rows = self.verify([good, text, good], status=1)
            self.assertEqual([rows[0]["status"], rows[2]["status"]], ["valid", "valid"])
            row = rows[1]
            self.assertEqual(row["status"], "invalid" if reason is None else "malformed", text[:80])
            self.assertIn(reason or "", row.get("reason", ""), text[:80])
            self.assertTrue(row.get("token", row.get("unreadable")), text[:80])

    def test_high_s(self):
        text, n = token({"alg": "ES256"}), P256.n
        signed, sig = text.rsplit(".", 1)
        raw = base64.urlsafe_b64decode(sig + "==")
        flipped = raw[:32] + (n - int.from_bytes(raw[32:], "big")).to_bytes(32, "big")
        texts = [text, signed + "." + base64url(flipped)]
        self.assertEqual([row["status"] for row in self.verify(texts)], ["valid", "valid"])
        self.assertEqual(sorted(row["status"] for row in self.verify(texts, "--low-s", status=1)), ["malformed", "valid"])

    def test_of_rfc_7515(self):
        """Appendix A.3."""
        x, y = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        point = tuple(int.from_bytes(base64.urlsafe_b64decode(v + "="), "big") for v in (x, y))
        self.keys["ES256"].write_bytes(spki(P256, point))
        text = ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")  # fmt: skip
        self.assertEqual(self.verify([text])[0]["status"], "valid")

    def test_many(self):
        """More than a batch, compressed, from a file; the order stays."""
        some = [token({"alg": "ES256", "n": n}, key=KEY + n % 2) for n in range(20)]
        path = self.folder / "tokens.csv.gz"
        path.write_bytes(gzip.compress(("\n".join(some * 2000) + "\n").encode()))
        done = self.run_tool("verify", "--jwt", "--pub-file", self.keys["ES256"], path, "-o", self.folder / "out", status=1)
        self.assertIn(b"40000 rows: 20000 valid, 20000 invalid", done.stderr)
        with open(self.folder / "out", encoding="utf-8") as file:
            for n, line in enumerate(file):
                self.assertEqual(json.loads(line), {"token": some[n % 20], "kid": "", "iss": "joe", "status": ("valid", "invalid")[n % 2]})
        out = self.verify(some, "--only", "valid", status=1)
        self.assertEqual([row["token"] for row in out], some[::2])

    def table(self, text, *options, status=0):
        done = self.run_tool("verify", "--jwt", "--pub-file", self.keys["ES256"], *options, stdin=text, status=status)
        return done.stdout.decode()

    def test_columns(self):
        """A table's other columns pass through beside `token`, be they called like results or columns of verify."""
        good, bad, other = token({"alg": "ES256"}), token({"alg": "ES256"}, key=5), token({"alg": "HS256"})
        rows = [["1", good, "a, b", "x"], ["2", bad, "", "y"], ["3", other, "c", "z"], ["4", "x.y", "", ""], ["5", "", "", ""], ["6", f" {good} ", "", ""]]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([["id", "token", "pub", "status"], *rows])
        expected = ["valid", "invalid", "malformed", "malformed", "malformed", "valid"]
        for options in ((), ("--format", "csv"), ("--batch", "2")):
            out = list(csv.DictReader(io.StringIO(self.table(text.getvalue(), *options, status=1))))
            self.assertEqual([list(row.values())[:4] for row in out], rows)
            self.assertEqual(list(out[0])[:8], ["id", "token", "pub", "input_status", "kid", "iss", "status", "reason"])
            self.assertEqual([row["iss"] for row in out], ["joe", "joe", "", "", "", "joe"])
            self.assertEqual([row["status"] for row in out], expected)
            for row, words in zip(out[2:5], ("token: alg is none of", "token: not three parts", "token: no value")):
                self.assertTrue(row["reason"].startswith(words), row)
            self.assertEqual([row["line"] for row in out], ["", "", "4", "5", "6", ""])
        out = list(csv.reader(io.StringIO(self.table(text.getvalue().replace("token", "jwt"), "--map", "token=jwt", "--prefix", "p_", status=1))))
        self.assertEqual(out[0][:8], ["id", "jwt", "pub", "status", "p_kid", "p_iss", "p_status", "p_reason"])
        self.assertEqual([row[6] for row in out[1:]], expected)
        objects = [{"id": n, "token": row[1], "nested": {"a": [None]}, "sig": 5, "status": "s"} for n, row in enumerate(rows)]
        objects += [{"token": None, "id": 6}, {"id": 7}, {"token": good.replace(".", "\\u002e"), "id": 8}]
        text = "".join(json.dumps(row).replace("\\\\", "\\") + "\n" for row in objects)
        for options in ((), ("--format", "jsonl")):
            out = [json.loads(line) for line in self.table(text, *options, status=1).splitlines()]
            self.assertEqual([row["status"] for row in out], [*expected, "malformed", "malformed", "valid"])
            for row, was in zip(out, json.loads(f"[{','.join(text.splitlines())}]")):
                self.assertEqual({name: row[name] for name in was if name != "status"}, {name: was[name] for name in was if name != "status"})
                self.assertEqual(row.get("input_status"), was.get("status"))
        self.assertEqual([json.loads(line) for line in self.table(f"n,token\n1,{good}\n", "--output-format", "jsonl").splitlines()],
                         [{"n": "1", "token": good, "kid": "", "iss": "joe", "status": "valid"}])  # fmt: skip
        self.assertEqual(self.table(json.dumps({"n": 1, "token": good}), "--output-format", "csv"), f"n,token,kid,iss,status,reason,line\n1,{good},\"\",joe,valid,,\n")
        self.assertEqual(self.table(f"token\n{good}\n").splitlines()[1].split(",")[:4], [good, '""', "joe", "valid"])
        # Lines of tokens are no table, whatever a header in another line says.
        self.assertIn("unreadable", self.table(f"{good}\nid,token\n", status=1))

    def test_options(self):
        text = token({"alg": "ES256"})
        for options, words in (
            (["--hash", "sha256"], "go without"), (["--scheme", "ecdsa"], "go without"), (["--map", "pub=k"], "no column of this command"),
            (["--map", "token=k"], "this input has none"),
            (["--encoding", "base64"], "go without"), (["--sig-format", "raw"], "go without"), (["--columns", "sig"], "go without"),
            (["--output-format", "raw"], "csv or jsonl"), (["--format", "raw"], "not raw"), (["--format", "csv"], "wanted are `token`"), (["--curve", "P-384"], "a key on P-256"),
        ):  # fmt: skip
            done = self.run_tool("verify", "--jwt", "--pub-file", self.keys["ES256"], *options, stdin=text, status=2)
            self.assertIn(words, done.stderr.decode())
        self.assertIn(b"--jwt needs --pub-file", self.run_tool("verify", "--jwt", stdin=text, status=2).stderr)
        self.assertIn(b"it is empty", self.run_tool("verify", "--jwt", "--pub-file", self.keys["ES256"], status=2).stderr)
        if shutil.which("openssl"):
            path = self.folder / "sm2.pem"
            subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:SM2", "-out", path], check=True, capture_output=True)
            self.assertIn(b"SM2", self.run_tool("verify", "--jwt", "--pub-file", path, stdin=text, status=2).stderr)

    def test_detached(self):
        """RFC 7515, appendix F: the payload is in a column; it is what the token would have."""
        payloads = ["", "a", '{"iss":"joe","exp":1000}', "line\nb\r\n\t", '"quoted", \u00e4\U0001f600', '{"iss":1}', "x" * 100_000]
        whole = [token({"alg": "ES256", "kid": f"k{n}"}, payload.encode()) for n, payload in enumerate(payloads)]
        bare = [text.split(".")[0] + ".." + text.split(".")[2] for text in whole]
        rows = [{"n": n, "token": text, "msg_text": payload} for n, (text, payload) in enumerate(zip(bare, payloads))]
        lines = "".join(json.dumps(row, ensure_ascii=row["n"] % 2 == 0) + "\n" for row in rows)
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows([["n", "payload", "token"], *([row["n"], row["msg_text"], row["token"]] for row in rows)])
        options = ["verify", "--jwt", "--detached", "--pub-file", self.keys["ES256"]]
        out = [json.loads(line) for line in self.run_tool(*options, stdin=lines, status=0).stdout.splitlines()]
        self.assertEqual([(row["n"], row["status"], row["kid"]) for row in out], [(n, "valid", f"k{n}") for n in range(len(rows))])
        self.assertEqual([row["iss"] for row in out], ["", "", "joe", "", "", "", ""])
        done = self.run_tool(*options, "--map", "msg_text=payload", "--batch", 2, stdin=table.getvalue(), status=0)
        self.assertEqual(list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))[2]["iss"], "joe")
        self.assertEqual(done.stdout.count(b",valid,"), len(rows))

        def verdicts(rows, *more, status=1):
            done = self.run_tool(*options, *more, stdin="".join(json.dumps(row) + "\n" for row in rows), status=status)
            return [(row["status"], row.get("reason", "")) for row in map(json.loads, done.stdout.splitlines())]

        self.assertEqual({v for v, _ in verdicts([{**row, "msg_text": row["msg_text"] + " "} for row in rows])}, {"invalid"})
        self.assertEqual([v for v, _ in verdicts(rows[2:4], "--at", "1001")], ["invalid", "malformed"])
        odd = [{"token": whole[1], "msg_text": "a"}, {"token": bare[1]}, {"token": bare[1], "msg_text": None}, {"token": "a.b", "msg_text": ""}, {"token": "...", "msg_text": ""},
               {"token": bare[1], "msg_text": {"a": 1}}, {"msg_text": "a"}, {"token": bare[1].replace("..", ". ."), "msg_text": "a"}]  # fmt: skip
        for (verdict, reason), words in zip(verdicts(odd), ("without a payload", "columns are missing", "columns are missing", "without a payload", "without a payload",
                                                            "neither a string nor null", "columns are missing", "without a payload")):  # fmt: skip
            self.assertEqual(verdict, "malformed")
            self.assertIn(words, reason)
        # RFC 7797: what is signed is not the payload's base64url; it is refused, be it asked for or smuggled in.
        for header in ({"alg": "ES256", "b64": False, "crit": ["b64"]}, {"alg": "ES256", "b64": False}, {"alg": "ES256", "b64": True}):
            text = token(header, b"a")
            [(verdict, reason)] = verdicts([{"token": text.split(".")[0] + ".." + text.split(".")[2], "msg_text": "a"}])
            self.assertEqual((verdict, reason.startswith(("token: crit", "token: b64"))), ("malformed", True), reason)
        # Without the option a token without a payload is one of nothing.
        self.assertEqual([row["status"] for row in self.verify([bare[0], bare[1]], status=1)], ["valid", "invalid"])
        for arguments, text, words in ((options, "\n".join(bare), "are in a column `token`"), (options, "token\n" + bare[0], "columns are missing"),
                                       (["verify", "--detached"], "", "--detached goes with --jwt")):  # fmt: skip
            self.assertIn(words, self.run_tool(*arguments, stdin=text, status=2).stderr.decode())


if __name__ == "__main__":
    unittest.main()
