"""Cases with known answers through the tool: the generated ones, the published ones of a package, and those of the folder that
GECC_VECTORS names (Wycheproof, CAVP, Botan, RFC 6979, GM/T 0003.5). Their form: tests/known_answers/README.md.

Test: fast; no sanitizers
"""

import json
import re
import unittest
from collections import Counter, defaultdict
from pathlib import Path

from support import ANSWERS, ROOT, VECTORS, ToolTest

# operation: command, names of columns in a case and in the tool, name of the result in both
COMMANDS = {
    "ecdsa_verify": ("verify", {"pub": "pub", "digest": "digest", "sig": "sig"}, None),
    "sm2_verify": ("verify", {"pub": "pub", "digest": "digest", "sig": "sig"}, None),
    "ecdsa_sign_rfc6979": ("sign", {"priv": "priv", "digest": "digest", "entropy": "entropy"}, ("sig", "sig")),
    "sm2_sign_rfc6979": ("sign", {"priv": "priv", "digest": "digest", "entropy": "entropy"}, ("sig", "sig")),
    "ecdsa_sign_nonce": ("sign", {"priv": "priv", "digest": "digest", "nonce": "nonce"}, ("sig", "sig")),
    "sm2_sign_nonce": ("sign", {"priv": "priv", "digest": "digest", "nonce": "nonce"}, ("sig", "sig")),
    "bip340_verify": ("verify", {"pub": "pub", "msg": "msg", "sig": "sig"}, None),
    "bip340_sign": ("sign", {"priv": "priv", "msg": "msg", "aux": "aux"}, ("sig", "sig")),
    "ed25519_verify": ("verify", {"pub": "pub", "msg": "msg", "sig": "sig", "ctx": "ed25519_ctx_hex"}, None),
    "ed25519_sign": ("sign", {"seed": "priv", "msg": "msg", "ctx": "ed25519_ctx_hex"}, ("sig", "sig")),
    "ed25519_public_key": ("pubkey", {"seed": "priv"}, ("pub", "pub")),
    "x25519_public_key": ("pubkey", {"priv": "priv"}, ("pub", "pub")),
    "x25519": ("ecdh", {"priv": "priv", "pub": "peer"}, ("shared", "shared")),
    "ecdsa_recover": ("recover", {"digest": "digest", "sig": "sig", "recid": "recid"}, ("pub", "pub")),
    "ethereum_recover": ("recover", {"digest": "digest", "sig": "sig"}, ("address", "address")),
    "ecdh": ("ecdh", {"priv": "priv", "pub": "peer"}, ("x", "shared")),
    "pubkey": ("pubkey", {"enc": "point"}, None),
    "convert": ("pubkey", {"enc": "point"}, ("p", "pub")),
    "public_key": ("pubkey", {"priv": "priv"}, ("p", "pub")),
    "mul_base": ("mul", {"k": "scalar"}, ("p", "point")),
    "mul_point": ("mul", {"k": "scalar", "p": "point"}, ("z", "point")),
    "mul_add": ("mul", {"u": "u", "v": "v", "p": "point"}, ("z", "point")),
    "add": ("add", {"a": "a", "b": "b"}, ("p", "point")),
    "sm2_za": ("digest", {"pub": "pub", "sm2_id": "sm2_id_hex", "msg": "msg"}, ("e", "digest")),
    "sm2_decrypt": ("decrypt", {"priv": "priv", "cipher": "ciphertext"}, ("plain", "msg")),
    "digest": ("digest", {"msg": "msg"}, ("digest", "digest")),
    "mod_add": ("mod", {"a": "a", "b": "b", "modulus": "modulus"}, ("r", "r")),
    "mod_sub": ("mod", {"a": "a", "b": "b", "modulus": "modulus"}, ("r", "r")),
    "mod_mul": ("mod", {"a": "a", "b": "b", "modulus": "modulus"}, ("r", "r")),
    "mod_square": ("mod", {"a": "a", "modulus": "modulus"}, ("r", "r")),
    "mod_inverse": ("mod", {"a": "a", "modulus": "modulus"}, ("r", "r")),
    "mod_power": ("mod", {"a": "a", "exponent": "b", "modulus": "modulus"}, ("r", "r")),
}
# It has no such commands, and encrypts with nonces of its own.
NOT_OF_THE_TOOL = {"double", "msm", "bip340_public_key", "taproot_tweak", "taproot_tweak_priv", "ethereum_address", "ethereum_recover_columns",
                   "ethereum_recover_message", "sm2_encrypt", "sm2_exchange"}
NUMBERS = ("priv", "nonce", "k", "u", "v", "a", "b", "exponent")
SHA2 = ("sha256", "sha384", "sha512")
# Bytes of a number on a curve, where they are not 32.
LENGTHS = {"P-384": 48, "secp384r1": 48, "brainpoolP384r1": 48, "brainpoolP512r1": 64, "P-521": 66}


def reasons():
    """The texts of the library's statuses, from the header."""
    header = (ROOT / "include/gecc/context.h").read_text(encoding="utf-8")
    return dict(re.findall(r'X\(GECC_ITEM_(\w+), \d+,[\s\\]*"([^"]*)"\)', header))


def takes(case):
    """Can the tool be given this case? It chooses itself how wide texts may be that it decrypts; it reads numbers of any width, and recovery ids as numbers, with 27 to 30 for 0 to 3; it
    signs with SHA-2 alone; it recovers no keys on the curve SM2. An empty id is the default one to it."""
    length = LENGTHS.get(case.get("curve"), 32)
    width = len(case["modulus"]) if "modulus" in case else 2 * length
    numbers = [case[name] for name in NUMBERS if name in case and case["op"] != "add"]
    fits = "status" not in case or all(len(number) == width for number in numbers)
    if case["op"] == "mod_power":
        fits = len(case["exponent"]) <= width
    recid = case["op"] != "ecdsa_recover" or (len(case["recid"]) == 2 and int(case["recid"], 16) not in range(27, 31))
    if case["op"] == "ecdsa_recover" and case["curve"] == "SM2":
        return False
    if case["op"] == "sm2_decrypt" and case["status"] == "MALFORMED_WIDTH":
        return case["output_bytes"] == 240
    if case.get("curve") == "Curve25519":  # the tool looks at the widths of private keys and contexts itself
        return len(case.get("seed", case.get("priv", 64 * "0"))) == 64 and len(case.get("ctx", "")) <= 2 * 255
    identity = 0 < len(case.get("sm2_id", "00")) <= 2 * 8191
    return fits and recid and identity and case.get("hmac", "default") in ("default", *SHA2)


def options_of(case):
    """The command line for a case: what cases must share to be rows of one file."""
    command, _, result = COMMANDS[case["op"]]
    options = [command]
    if "sig" in case or command in ("verify", "sign", "recover"):
        options += ["--sig-format", case.get("enc", "raw")]
        scheme = case["op"].partition("_")[0]
        options += ["--scheme", scheme] * (command != "recover") + ["--sighash-byte"] * bool(case.get("sighash_byte"))
        options += ["--prehash"] * bool(case.get("prehash")) + (["--accept", case["accept"]] if "accept" in case else [])
        options += ["--low-s"] * bool(case.get("low_s")) + ["--no-low-s"] * bool(case.get("any_s"))
    options += ["--scheme", case["op"].partition("_")[0]] * (command == "pubkey" and case.get("curve") == "Curve25519")
    options += ["--address"] * (case["op"] == "ethereum_recover")
    if result and (command in ("mul", "add", "pubkey") or case["op"] == "ecdsa_recover"):
        default = "compressed" if case["op"] == "mul_point" else "uncompressed"
        options += ["--point-format", case.get("format", default)]
    if command == "decrypt":
        options += ["--ciphertext-format", case["sm2_format"], "--point-format", case.get("format", "uncompressed")]
    if case.get("hmac", "default") != "default" or "hash" in case:
        options += ["--hash", case.get("hash") or case["hmac"]]
    if case["op"].endswith("_nonce"):
        options += ["--dangerous-nonce"]
    if command == "mod":
        options += ["--op", case["op"].removeprefix("mod_"), "--bits", str(4 * len(case["modulus"]))]
    return (*options, case["op"])


class Cases:
    """A source: reads `path`; `least`: how many cases of each operation it has at least."""

    path = None
    least = {}

    def setUp(self):
        super().setUp()
        self.reasons = reasons()

    def row(self, case):
        _, columns, _ = COMMANDS[case["op"]]
        if "r" in case and "sig" in columns and "sig" not in case:
            case["sig"] = case["r"] + case["s"]
        row = {there: case[here] for here, there in columns.items() if here in case}
        if "curve" in case:
            row["curve"] = case["curve"]
        if case["op"] == "ecdsa_recover":
            row["recid"] = int(row["recid"], 16)
        return row

    def check(self, case, out):
        """One row that came out."""
        what = (case["op"], case["src"], case["tag"], out)
        command, _, result = COMMANDS[case["op"]]
        good = "valid" if command == "verify" else "ok"
        if "status" not in case:
            self.assertEqual(out["status"] == good, case["valid"], what)
        elif case["status"].startswith("MALFORMED"):
            self.assertEqual(out["status"], "malformed", what)
            if not out["reason"].endswith(": no value"):  # the tool refuses an empty cell before the library sees the row
                self.assertTrue(out["reason"].endswith(self.reasons[case["status"]]), what)
        elif case["status"] == "INFINITY":
            self.assertEqual((out["status"], out["point"]), ("ok", "00"), what)
        else:
            self.assertEqual(out["status"], {"OK": good, "INVALID": "invalid"}[case["status"]], what)
        if result and out["status"] == good and case.get("status") != "INFINITY":
            here, there = result
            expected = case.get(here) or case["r"] + case["s"]
            self.assertEqual(out[there].lower().removeprefix("0x"), expected.lower(), what)
            if case["op"].startswith("ecdsa_sign") and "recid" in case:
                self.assertEqual(int(out["recid"]), case["recid"], what)

    def test_all(self):
        groups, counts = defaultdict(list), Counter()
        with open(self.path, encoding="utf-8") as file:
            for case in map(json.loads, file):
                counts[case["op"]] += 1
                if case["op"] not in NOT_OF_THE_TOOL and takes(case):
                    groups[options_of(case)].append(case)
        for op, least in self.least.items():
            self.assertGreaterEqual(counts[op], least, op)
        self.assertGreater(sum(map(len, groups.values())), 0.7 * counts.total())
        for (command, *options, _), cases in groups.items():
            text = "".join(json.dumps(self.row(case)) + "\n" for case in cases)
            done = self.run_tool(command, "--format", "jsonl", *options, stdin=text)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            lines = done.stdout.splitlines()
            self.assertEqual(len(lines), len(cases))
            for case, line in zip(cases, lines):
                self.check(case, json.loads(line))


class Generated(Cases, ToolTest):
    path = Path(ANSWERS or "", "generated.jsonl")
    least = dict.fromkeys(COMMANDS, 100)


MISSING = Path(ANSWERS or "", "published.missing")


@unittest.skipIf(MISSING.exists(), MISSING.exists() and MISSING.read_text().strip())
class Published(Cases, ToolTest):
    path = Path(ANSWERS or "", "published.jsonl")
    least = {
        "ecdsa_verify": 1600,
        "ecdsa_sign_nonce": 180,
        "ecdsa_sign_rfc6979": 12,
        "ecdh": 200,
        "pubkey": 48,
        "public_key": 20,
    }


@unittest.skipUnless(VECTORS, "GECC_VECTORS is not set")
class Given(Cases, ToolTest):
    path = Path(VECTORS or "", "vectors.jsonl")
    least = {"ecdsa_verify": 5900, "ecdh": 1190, "mul_base": 150, "mul_point": 190, "pubkey": 24, "ecdsa_sign_rfc6979": 12}


@unittest.skipUnless(VECTORS, "GECC_VECTORS is not set")
class GivenBip340(Cases, ToolTest):
    path = Path(VECTORS or "", "bip340.jsonl")
    least = {"bip340_verify": 1352, "bip340_sign": 15}


if __name__ == "__main__":
    unittest.main()
