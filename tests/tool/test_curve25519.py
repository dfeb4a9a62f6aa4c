"""Ed25519 and X25519 in the tool: RFC 8032's and RFC 7748's examples, keys in PEM and as OpenSSH writes them, and what is refused.

Test: fast
"""

import base64
import hashlib
import shutil
import subprocess
import unittest

from support import ToolTest

SEED = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
SIGNATURE = ("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
             "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")  # fmt: skip
ALICE = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
ALICE_KEY = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
BOB = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
BOB_KEY = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
SHARED = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
IDENTITY = "01" + 31 * "00"
# Seed, public key, message, context and signature of Ed25519ctx (RFC 8032, 7.2).
CTX_SEEDS = ("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6", "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560")
CTX_KEYS = ("dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292", "0f1d1274943b91415889152e893d80e93275a1fc0b65fd71b4b0dda10ad7d772")
CTX_MESSAGES = ("f726936d19c800494e3fdaff20b276a8", "508e9e6882b979fea900f62adceaca35")
CTX_CASES = [
    (CTX_SEEDS[0], CTX_KEYS[0], CTX_MESSAGES[0], "foo",
     "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d"),
    (CTX_SEEDS[0], CTX_KEYS[0], CTX_MESSAGES[0], "bar",
     "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3216c48e8b3b66431b5b186d1d28f8ee15a5ca2df6668346291c2043d4eb3e90d"),
    (CTX_SEEDS[0], CTX_KEYS[0], CTX_MESSAGES[1], "foo",
     "8b70c1cc8310e1de20ac53ce28ae6e7207f33c3295e03bb5c0732a1d20dc64908922a8b052cf99b7c4fe107a5abb5b2c4085ae75890d02df26269d8945f84b0b"),
    (CTX_SEEDS[1], CTX_KEYS[1], CTX_MESSAGES[0], "foo",
     "21655b5f1aa965996b3f97b3c849eafba922a0a62992f73b3d1b73106a84ad85e9b86a7b6005ea868337ff2d20a7f5fbd4cd10b0be49a68da2b2e0dc0ad8960f"),
]  # fmt: skip
# The same of Ed25519ph (7.3), without a context.
PH = ("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42", "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf", "616263",
      "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406")  # fmt: skip
OIDS = {"ed25519": bytes.fromhex("06032b6570"), "x25519": bytes.fromhex("06032b656e")}


def pem(label, der):
    return f"-----BEGIN {label}-----\n{base64.b64encode(der).decode()}\n-----END {label}-----\n"


def public_pem(scheme, key):
    """SubjectPublicKeyInfo of RFC 8410."""
    return pem("PUBLIC KEY", bytes.fromhex("302a3005") + OIDS[scheme] + bytes.fromhex("032100" + key))


def private_pem(scheme, key):
    """PKCS #8 of RFC 8410."""
    return pem("PRIVATE KEY", bytes.fromhex("302e0201003005") + OIDS[scheme] + bytes.fromhex("04220420" + key))


def ssh_line(key):
    blob = b"".join(len(part).to_bytes(4, "big") + part for part in (b"ssh-ed25519", bytes.fromhex(key)))
    return f"ssh-ed25519 {base64.b64encode(blob).decode()} somebody@somewhere\n"


class Ed25519(ToolTest):
    def test_verify(self):
        other = KEY[:-2] + "8c"
        rows = [(KEY, "72", SIGNATURE), (KEY, "73", SIGNATURE), (other, "72", SIGNATURE), (KEY[2:], "72", SIGNATURE)]
        for arguments in (["--scheme", "ed25519"], ["--curve", "Ed25519"], ["--scheme", "ed25519", "--accept", "strict"]):
            found = self.csv_rows("verify", ("pub", "msg", "sig"), rows, *arguments, status=1)
            self.assertEqual([row["status"] for row in found][:2], ["valid", "invalid"])
            self.assertNotEqual(found[2]["status"], "valid")
            self.assertEqual(found[3]["status"], "malformed")

    def test_a_curve_in_each_row(self):
        rows = [("Curve25519", KEY, "72", SIGNATURE), ("P-256", KEY, "72", SIGNATURE)]
        found = self.csv_rows("verify", ("curve", "pub", "msg", "sig"), rows, status=1)
        self.assertEqual([row["status"] for row in found], ["valid", "malformed"])

    def test_rules(self):
        """The key and R are the neutral element and S is 0: right by the equation, for any message."""
        small = [(IDENTITY, "00", IDENTITY + 64 * "0")]
        noncanonical = [("ee" + 30 * "ff" + "7f", "00", IDENTITY + 64 * "0")]
        expected = {"rfc8032": ("valid", "malformed"), "ref10": ("valid", "valid"), "strict": ("invalid", "malformed"),
                    "zip215": ("valid", "valid")}  # fmt: skip
        for rule, verdicts in expected.items():
            for rows, verdict in zip((small, noncanonical), verdicts):
                found = self.csv_rows("verify", ("pub", "msg", "sig"), rows, "--scheme", "ed25519", "--accept", rule,
                                      status=0 if verdict == "valid" else 1)  # fmt: skip
                self.assertEqual(found[0]["status"], verdict, (rule, rows))

    def test_sign_and_pubkey(self):
        found = self.csv_rows("sign", ("priv", "msg"), [(SEED, "72")], "--scheme", "ed25519")
        self.assertEqual(found[0]["sig"], SIGNATURE)
        found = self.json_rows("pubkey", [{"priv": SEED}], "--scheme", "ed25519")
        self.assertEqual(found[0]["pub"], KEY)

    def test_contexts(self):
        """A column of them, as text or in hexadecimal; a JSON row without one is of another scheme."""
        for name, text in (("ed25519_ctx", str), ("ed25519_ctx_hex", lambda context: context.encode().hex())):
            rows = [{"priv": seed, "msg": msg, name: text(ctx)} for seed, _, msg, ctx, _ in CTX_CASES]
            found = self.json_rows("sign", [*rows, {"priv": SEED, "msg": "72"}], "--scheme", "ed25519")
            self.assertEqual([row["sig"] for row in found], [case[4] for case in CTX_CASES] + [SIGNATURE])
            rows = [(key, msg, text(ctx), sig) for _, key, msg, ctx, sig in CTX_CASES]
            rows += [(key, msg, text(other), sig) for _, key, msg, _, sig in CTX_CASES for other in ("fo", "", "foo0")]
            found = self.csv_rows("verify", ("pub", "msg", name, "sig"), rows, "--scheme", "ed25519", status=1)
            self.assertEqual([row["status"] for row in found], 4 * ["valid"] + 12 * ["invalid"])
        rows = [{"pub": KEY, "msg": "72", "sig": SIGNATURE, **context} for context in ({}, {"ed25519_ctx": None}, {"ed25519_ctx": ""})]
        found = self.json_rows("verify", rows, "--scheme", "ed25519", status=1)
        self.assertEqual([row["status"] for row in found], ["valid", "valid", "invalid"])

    def test_a_context_for_all_rows(self):
        seed, key, msg, ctx, sig = CTX_CASES[0]
        raw = self.run_tool("sign", "--scheme", "ed25519", "--ctx", ctx, "--format", "raw", "--columns", "priv,msg", "--msg-bytes", 16,
                            stdin=bytes.fromhex(seed + msg), status=0)  # fmt: skip
        self.assertEqual(raw.stdout.hex(), "01" + sig)
        row = {"pub": key, "msg": msg, "sig": sig}
        said = [{}, {"ed25519_ctx": ctx}, {"ed25519_ctx_hex": ctx.encode().hex()}, {"ed25519_ctx": ctx, "ed25519_ctx_hex": ctx.encode().hex()},
                {"ed25519_ctx": "bar"}, {"ed25519_ctx_hex": ""}, {"ed25519_ctx": ctx, "ed25519_ctx_hex": "00"}]  # fmt: skip
        found = self.json_rows("verify", [{**row, **more} for more in said], "--scheme", "ed25519", "--ctx", ctx, status=1)
        self.assertEqual([row["status"] for row in found], 4 * ["valid"] + 3 * ["malformed"])
        self.assertEqual([row["reason"] for row in found[4:]],
                         ["ed25519_ctx: not what --ctx says", "ed25519_ctx_hex: not what --ctx says", "ed25519_ctx: not what `ed25519_ctx_hex` says"])  # fmt: skip
        found = self.csv_rows("verify", ("pub", "msg", "sig"), [(key, msg, sig)], "--scheme", "ed25519", "--ctx", "", status=1)
        self.assertEqual(found[0]["status"], "invalid")

    def test_widths_of_contexts(self):
        rows = [(SEED, "72", width * "x") for width in (0, 1, 255, 256)]
        for name, text in (("ed25519_ctx", str), ("ed25519_ctx_hex", lambda context: context.encode().hex())):
            found = self.csv_rows("sign", ("priv", "msg", name), [(*row[:2], text(row[2])) for row in rows], "--scheme", "ed25519", status=1)
            self.assertEqual([row["status"] for row in found], ["ok", "ok", "ok", "malformed"])
            self.assertEqual(found[3]["reason"], name + ": longer than 255 bytes")
            self.assertEqual(len({SIGNATURE, *(row["sig"] for row in found)}), 5)
        found = self.csv_rows("sign", ("priv", "msg"), [(SEED, "72")], "--scheme", "ed25519", "--ctx", 255 * "x")
        self.assertEqual(len(found[0]["sig"]), 128)

    def test_contexts_of_other_curves(self):
        """They are not read there."""
        rows = [{"curve": "P-256", "priv": "01", "msg": "00", "ed25519_ctx_hex": "zz"}, {"curve": "Ed25519", "priv": SEED, "msg": "00", "ed25519_ctx_hex": "zz"}]
        found = self.json_rows("sign", rows, status=1)
        self.assertEqual([row["status"] for row in found], ["ok", "malformed"])

    def test_prehash(self):
        seed, key, msg, sig = PH
        found = self.csv_rows("sign", ("priv", "msg"), [(seed, msg)], "--scheme", "ed25519", "--prehash")
        self.assertEqual(found[0]["sig"], sig)
        found = self.csv_rows("sign", ("priv", "msg", "ed25519_ctx"), [(seed, msg, ""), (seed, msg, "foo")], "--scheme", "ed25519", "--prehash")
        self.assertEqual(found[0]["sig"], sig)
        rows = [(key, msg, "", sig), (key, msg, "foo", found[1]["sig"]), (key, msg, "", found[1]["sig"]), (key, "616264", "", sig)]
        found = self.csv_rows("verify", ("pub", "msg", "ed25519_ctx", "sig"), rows, "--scheme", "ed25519", "--prehash", status=1)
        self.assertEqual([row["status"] for row in found], ["valid", "valid", "invalid", "invalid"])
        found = self.csv_rows("verify", ("pub", "msg", "sig"), [(key, msg, sig)], "--scheme", "ed25519", status=1)
        self.assertEqual(found[0]["status"], "invalid")
        digest = hashlib.sha512(bytes.fromhex(msg)).hexdigest()
        done = self.run_tool("verify", "--scheme", "ed25519", "--prehash", stdin=f"pub,digest,sig\n{key},{digest},{sig}\n", status=2)
        self.assertIn(b"--prehash hashes `msg`", done.stderr)

    def test_raw_rows(self):
        bytes_in = bytes.fromhex(KEY + 32 * "00" + SIGNATURE)
        done = self.run_tool("verify", "--scheme", "ed25519", "--format", "raw", stdin=bytes_in)
        self.assertEqual(len(done.stdout), 1)

    def test_keygen(self):
        for scheme in ("ed25519", "x25519"):
            made = self.run_tool("keygen", "--scheme", scheme, "--count", 3, status=0).stdout.decode().splitlines()
            self.assertEqual(made[0], "curve,priv,pub")
            for line in made[1:]:
                curve, private, public = line.split(",")
                self.assertEqual((curve, len(private)), ("Curve25519", 64))
                found = self.csv_rows("pubkey", ("priv",), [(private,)], "--scheme", scheme)
                self.assertEqual(found[0]["pub"], public)

    def test_key_files(self):
        public, private, line = (self.folder / name for name in ("public.pem", "private.pem", "id_ed25519.pub"))
        public.write_text(public_pem("ed25519", KEY))
        private.write_text(private_pem("ed25519", SEED))
        line.write_text(ssh_line(KEY))
        for path in (public, private, line):
            found = self.csv_rows("verify", ("msg", "sig"), [("72", SIGNATURE)], "--pub-file", path)
            self.assertEqual(found[0]["status"], "valid")
        found = self.csv_rows("sign", ("msg",), [("72",)], "--key-file", private)
        self.assertEqual(found[0]["sig"], SIGNATURE)

    def test_keys_in_cells(self):
        rows = [(key, "72", SIGNATURE) for key in (public_pem("ed25519", KEY), ssh_line(KEY).strip(), KEY)]
        found = self.csv_rows("verify", ("pub", "msg", "sig"), rows, "--curve", "Ed25519")
        self.assertEqual([row["status"] for row in found], 3 * ["valid"])

    @unittest.skipUnless(shutil.which("openssl"), "no openssl command")
    def test_a_key_of_openssl(self):
        """In PEM and DER; OpenSSL takes the signature, and the tool OpenSSL's."""
        pem, der, public, message, signature = (self.folder / name for name in ("key.pem", "key.der", "public.pem", "message", "signature"))
        message.write_bytes(b"a message")
        for command in (["genpkey", "-algorithm", "ED25519", "-out", pem], ["pkcs8", "-topk8", "-nocrypt", "-in", pem, "-outform", "DER", "-out", der],
                        ["pkey", "-in", pem, "-pubout", "-out", public]):  # fmt: skip
            subprocess.run(["openssl", *command], check=True, capture_output=True)
        for private in (pem, der):
            found = self.csv_rows("sign", ("msg",), [(message.read_bytes().hex(),)], "--key-file", private)
            signature.write_bytes(bytes.fromhex(found[0]["sig"]))
            subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin", "-in", message, "-sigfile", signature],
                           check=True, capture_output=True)  # fmt: skip
        subprocess.run(["openssl", "pkeyutl", "-sign", "-inkey", pem, "-rawin", "-in", message, "-out", signature], check=True, capture_output=True)
        rows = [(text.hex(), signature.read_bytes().hex()) for text in (message.read_bytes(), b"another")]
        found = self.csv_rows("verify", ("msg", "sig"), rows, "--pub-file", public, status=1)
        self.assertEqual([row["status"] for row in found], ["valid", "invalid"])

    @unittest.skipUnless(shutil.which("ssh-keygen"), "no ssh-keygen")
    def test_a_key_of_ssh_keygen(self):
        path = self.folder / "id_ed25519"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        done = self.run_tool("verify", "--pub-file", f"{path}.pub", stdin=f"msg,sig\n00,{SIGNATURE}\n", status=1)
        self.assertIn(b"invalid", done.stdout)

    def test_what_is_refused(self):
        line = self.folder / "broken.pub"
        line.write_text(ssh_line(KEY).replace("AAAA", "AAAB", 1))
        rows = f"pub,msg,sig\n{KEY},72,{SIGNATURE}\n"
        for arguments in (["verify", "--scheme", "ed25519", "--curve", "P-256"], ["verify", "--scheme", "x25519"],
                          ["verify", "--scheme", "bip340", "--curve", "Ed25519"],
                          ["verify", "--curve", "P-256", "--accept", "zip215"], ["verify", "--scheme", "ed25519", "--hash", "sha256"],
                          ["verify", "--ctx", "foo", "--curve", "P-256"], ["verify", "--prehash", "--curve", "P-256"],
                          ["sign", "--scheme", "bip340", "--prehash"], ["verify", "--scheme", "ed25519", "--ctx", 256 * "x"],
                          ["verify", "--scheme", "ed25519", "--accept", "any"], ["mul", "--curve", "Curve25519"],
                          ["recover", "--curve", "Ed25519"], ["demo", "--curve", "X25519"], ["keygen", "--curve", "X25519"],
                          ["verify", "--pub-file", line]):  # fmt: skip
            self.assertEqual(self.run_tool(*arguments, stdin=rows, status=2).stdout, b"")
        for seed in (SEED[2:], SEED + "00"):
            found = self.csv_rows("sign", ("priv", "msg"), [(seed, "72")], "--scheme", "ed25519", status=1)
            self.assertEqual(found[0]["status"], "malformed")
        found = self.csv_rows("pubkey", ("curve", "priv"), [("Ed25519", SEED)], status=1)
        self.assertEqual(found[0]["status"], "malformed")


class X25519(ToolTest):
    def test_ecdh(self):
        rows = [(ALICE, BOB_KEY), (BOB, ALICE_KEY), (ALICE, IDENTITY)]
        found = self.csv_rows("ecdh", ("priv", "peer"), rows, "--curve", "X25519", status=1)
        self.assertEqual([row["status"] for row in found], ["ok", "ok", "invalid"])
        self.assertEqual([row["shared"] for row in found], [SHARED, SHARED, ""])

    def test_pubkey(self):
        found = self.csv_rows("pubkey", ("priv",), [(ALICE,), (BOB,)], "--scheme", "x25519")
        self.assertEqual([row["pub"] for row in found], [ALICE_KEY, BOB_KEY])

    def test_key_files_and_their_scheme(self):
        private, public, other = (self.folder / name for name in ("private.pem", "public.pem", "ed25519.pem"))
        private.write_text(private_pem("x25519", ALICE))
        public.write_text(public_pem("x25519", BOB_KEY))
        other.write_text(public_pem("ed25519", KEY))
        found = self.csv_rows("ecdh", ("peer",), [(BOB_KEY,)], "--key-file", private)
        self.assertEqual(found[0]["shared"], SHARED)
        found = self.csv_rows("ecdh", ("priv",), [(ALICE,)], "--pub-file", public)
        self.assertEqual(found[0]["shared"], SHARED)
        self.run_tool("ecdh", "--pub-file", other, stdin=f"priv\n{ALICE}\n", status=2)
        found = self.csv_rows("ecdh", ("priv", "peer"), [(ALICE, other.read_text())], "--curve", "X25519", status=1)
        self.assertEqual(found[0]["status"], "malformed")
        self.run_tool("verify", "--pub-file", public, stdin=f"msg,sig\n72,{SIGNATURE}\n", status=2)


if __name__ == "__main__":
    unittest.main()
