"""What a table means is what comes out of it: kinds of tables that could be taken for something else, each with hundreds of
variants and a table of what is expected.

Test: fast; no sanitizers
"""

import base64
import csv
import hashlib
import io
import itertools
import json
import random
import re
import shutil
import subprocess
import sys
import unittest

from support import P256, ROOT, SECP256K1, SM2, ToolTest, der, sm2_e

sys.path.insert(0, str(ROOT / "tests" / "known_answers"))
from hashes import keccak256  # noqa: E402

KEY, NONCE = 0x1F2E3D, 0xA1B2C3D4
NONCE_POINT = SECP256K1.mul(NONCE)
POINT = SECP256K1.mul(KEY)


def checksummed(point):
    """The address of a key, in the capitals of EIP-55."""
    text = keccak256(b"".join(v.to_bytes(32, "big") for v in point))[-20:].hex()
    digits = keccak256(text.encode()).hex()
    return "0x" + "".join(c.upper() if int(d, 16) >= 8 else c for c, d in zip(text, digits))


ADDRESS, OTHER_ADDRESS = checksummed(POINT), checksummed(NONCE_POINT)


def ethereum_signature(message, personal=True):
    """(r || s, recovery id), with a nonce that is always the same."""
    prefix = b"\x19Ethereum Signed Message:\n%d" % len(message) if personal else b""
    e = int.from_bytes(keccak256(prefix + message), "big")
    x, y = NONCE_POINT
    s = pow(NONCE, -1, SECP256K1.n) * (e + x * KEY) % SECP256K1.n
    return SECP256K1.signature(x, s), y & 1


def verdicts(rows):
    return [(row["status"], row.get("reason") or "", row.get("address", row.get("pub"))) for row in rows]


class TextAndBytes(ToolTest):
    """A message is text or bytes, as its column says."""

    TEXTS = [
        "", "1234567890", "deadbeef", "20240131", "2024-01-31", "0", "00", "cafe", "face", "BEEF", "abc", "12", "1e10", "0x", "0b11",
        "hello", 'say "hi"', "a,b", "line\nend", "\u00e4\u00f6\U0001f600", "tab\t", " 00", "00 ", "null", "true", "-1", "+1", "1.2E+76",
        *(str(10**n + n) for n in range(1, 20)), *(f"{n:x}" for n in range(250, 70000, 4999)),
        *(f"{1990 + n}{n % 12 + 1:02}{n % 28 + 1:02}" for n in range(40)),
    ]  # fmt: skip
    AS_BYTES = "msg: bytes of a personal message begin with 0x; text is in a column `msg_text`"

    def variants(self):
        """(cells, what is expected: the status and the start of the reason)"""
        ok = ("ok", "")
        for text in self.TEXTS:
            data = text.encode()
            sig, recid = ethereum_signature(data)
            row = {"sig": sig + f"{27 + recid:02x}"}
            yield {"msg_text": text, **row}, ok
            yield {"msg": "0x" + data.hex(), **row}, ok
            yield {"msg": "0X" + data.hex().upper(), "msg_text": text, **row}, ok
            yield {"msg": data.hex(), **row}, ("malformed", self.AS_BYTES) if text else ok
            if not text.startswith("0x"):
                yield {"msg": text, **row}, ("malformed", self.AS_BYTES) if text else ok
            yield {"msg": "0x00", "msg_text": text + "!", **row}, ("malformed", "msg_text: not what `msg` is")

    def check(self, rows, expected):
        self.assertEqual(len(rows), len(expected))
        for row, (cells, (status, reason)) in zip(rows, expected):
            self.assertEqual((row["status"], row.get("reason") or ""), (status, reason), cells)
            self.assertEqual(row.get("address") or None, ADDRESS if status == "ok" else None, cells)

    def test_personal_messages(self):
        expected = list(self.variants())
        self.assertGreater(len(expected), 500)
        self.check(self.json_rows("recover", [cells for cells, _ in expected], "--address", "--personal-message", status=1), expected)
        for columns in (["msg_text", "sig"], ["sig", "msg"], ["msg", "sig", "msg_text"]):
            some = [(cells, answer) for cells, answer in expected if set(cells) == set(columns)]
            rows = [[cells[c] for c in columns] for cells, _ in some]
            self.check(self.csv_rows("recover", columns, rows, "--address", "--personal-message", status=int(columns != ["msg_text", "sig"])), some)

    def test_every_command(self):
        """Text signs and hashes as its bytes do."""
        texts = [text for text in self.TEXTS if text.strip()]
        both = [[{"msg_text": text} for text in texts], [{"msg": text.encode().hex()} for text in texts]]
        for name in ("sha256", "keccak256"):
            first, second = ([row["digest"] for row in self.json_rows("digest", rows, "--hash", name)] for rows in both)
            self.assertEqual(first, second)
        self.assertEqual(second, [keccak256(text.encode()).hex() for text in texts])
        for arguments in (["--curve", "P-256"], ["--curve", "SM2"], ["--scheme", "bip340"], ["--scheme", "ed25519"]):
            signed = [self.json_rows("sign", [{"priv": "07" * 32, **row} for row in rows], *arguments) for rows in both]
            self.assertEqual(*([row["sig"] for row in rows] for rows in signed))
            public = self.json_rows("pubkey", [{"priv": "07" * 32}], *arguments)[0]["pub"]
            for rows, out in zip(both, signed):
                rows = [{"pub": public, "sig": o["sig"], **row} for row, o in zip(rows, out)]
                self.assertEqual({row["status"] for row in self.json_rows("verify", rows, *arguments)}, {"valid"})


class Compared(ToolTest):
    """A key or an address beside a recovery is compared with what is found."""

    def test_addresses_and_keys(self):
        sig, recid = ethereum_signature(b"abc", personal=False)
        good = {"msg": b"abc".hex(), "sig": sig, "recid": str(recid)}
        plain, key = ADDRESS[2:].lower(), {form: SECP256K1.encode(POINT, form) for form in ("uncompressed", "compressed", "raw")}
        wrong_key, wrong_x = SECP256K1.encode(NONCE_POINT, "compressed"), "02" + "ff" * 32
        differs = lambda column, result, found: ("invalid", f"{column}: not the signer's, whose `{result}` is {found}")  # noqa: E731
        table = [  # cells, with --address, without
            ({}, "ok", "ok"),
            *(({"address": text}, "ok", "ok") for text in (ADDRESS, plain, "0x" + plain, plain.upper(), "0X" + plain.upper())),
            *(({"pub": text}, "ok", "ok") for text in (*key.values(), "0x" + key["compressed"], key["raw"].upper())),
            *(({"pub": text, "address": ADDRESS}, "ok", "ok") for text in key.values()),
            *(({"address": text}, differs("address", "address", ADDRESS), differs("address", "pub", key["uncompressed"]))
              for text in (OTHER_ADDRESS, plain[:-1] + "0", "0x" + "00" * 20)),
            *(({"pub": text}, differs("pub", "address", ADDRESS), differs("pub", "pub", key["uncompressed"]))
              for text in (wrong_key, wrong_key[2:] * 0 + SECP256K1.encode(NONCE_POINT))),
            *(({"pub": text}, ("malformed", None), ("malformed", None)) for text in (wrong_x, "04" + "00" * 64, "00", "claimed", key["raw"][2:])),
            *(({"address": text}, ("malformed", None), ("malformed", None)) for text in ("00", plain[2:], plain + "00", "vitalik.eth", plain[1:])),
        ]  # fmt: skip
        for arguments, which in ((["--address"], 1), (["--curve", "secp256k1", "--hash", "keccak256"], 2)):
            result = "address" if which == 1 else "pub"
            found = ADDRESS if which == 1 else key["uncompressed"]
            rows = self.json_rows("recover", [{**good, **entry[0]} for entry in table], *arguments, status=1)
            for row, entry in zip(rows, table):
                status, reason = (entry[which], "") if entry[which] == "ok" else entry[which]
                self.assertEqual(row["status"], status, (entry, row))
                if reason is not None:
                    self.assertEqual(row.get("reason", ""), reason, entry)
                # What the row says of itself stands as it was, and only a row that says nothing gets the result.
                self.assertEqual(row.get(result), entry[0].get(result, found if status == "ok" else None), entry)
                self.assertFalse([name for name in row if name.startswith("input_")])
            for columns in ([], ["address"], ["pub"], ["pub", "address"]):
                some = [entry for entry in table if set(entry[0]) == set(columns)]
                names = [*columns[:1], *good, *columns[1:]]
                cells = [[{**good, **entry[0]}[name] for name in names] for entry in some] + [["" if name in columns else good[name] for name in names]]
                out = self.csv_rows("recover", names, cells, *arguments, status=None)
                expected = [entry[which] if entry[which] == "ok" else entry[which][0] for entry in some] + ["ok"]
                self.assertEqual([row["status"] for row in out], expected)
                self.assertEqual(list(out[0]), names + [n for n in ("status", "reason", "line", result) if n not in names])
                self.assertEqual([row.get(name) for row in out for name in columns[:1]], [entry[0][name] for entry in some for name in columns[:1]] + ([found] if columns[:1] == [result] else [""] * len(columns[:1])))
                self.assertEqual(out[-1][result], found)

    def test_raw_rows(self):
        sig, recid = ethereum_signature(b"x" * 32, personal=False)
        good = keccak256(b"x" * 32).hex() + sig + f"{recid:02x}"
        for column, right, wrong in (("pub", SECP256K1.encode(POINT, "raw"), SECP256K1.encode(NONCE_POINT, "raw")), ("address", ADDRESS[2:], OTHER_ADDRESS[2:])):
            text = bytes.fromhex(good + right + good + wrong)
            for arguments in (["--address"], ["--curve", "secp256k1"]):
                done = self.run_tool("recover", "--format", "raw", "--columns", f"digest,sig,recid,{column}", *arguments, stdin=text, status=1)
                half = len(done.stdout) // 2
                self.assertEqual((done.stdout[0], done.stdout[half]), (1, 2))
        self.assertIn(b"leave out the column v", self.run_tool("recover", "--curve", "secp256k1", "--format", "raw", "--columns", "digest,sig,v", stdin=b"x", status=2).stderr)

    def test_on_other_curves(self):
        digest = hashlib.sha256(b"x").digest()
        r, s, recid = P256.ecdsa(7, digest, 99)
        row = {"digest": digest.hex(), "sig": P256.signature(r, s), "recid": recid}
        out = self.json_rows("recover", [{**row, "pub": P256.encode(P256.mul(k), form)} for k in (7, 8) for form in ("raw", "compressed")],
                             "--curve", "P-256", "--point-format", "compressed", status=1)  # fmt: skip
        self.assertEqual([o["status"] for o in out], ["ok", "ok", "invalid", "invalid"])
        for name in ("address", "v"):
            out = self.json_rows("recover", [{**row, name: "0x" + "00" * 20 if name == "address" else 27}], "--curve", "P-256", status=1)
            self.assertIn("secp256k1", out[0]["reason"])


class RecoveryIds(ToolTest):
    def test_recid_and_v(self):
        """As numbers and as text, in decimal and in hexadecimal."""
        sig, recid = ethereum_signature(b"abc", personal=False)
        good = {"msg": b"abc".hex(), "sig": sig}
        right, no = {True: "ok", False: "other"}, "malformed"
        table = []
        for n in (*range(45), 100, 127, 128, 255, 256, 297, 2**31 + 35, 2**32, 2**63 + 36, 2**64 - 1, 2**64):
            of_recid = n if n < 4 else n - 27 if 27 <= n < 31 else None
            of_v = n if n < 2 else n - 27 if n in (27, 28) else (n - 35) % 2 if 35 <= n < 2**64 else None
            for name, value in (("recid", of_recid), ("v", of_v)):
                expected = no if value is None else right[value == recid]
                table += [({name: text}, expected) for text in (n, str(n), hex(n), hex(n).upper(), "0" + str(n))]
        table += [({name: text}, no) for name in ("recid", "v") for text in ("-1", "1.0", 1.5, "", "x", "0x", " 0", "1e0", True, [0])]
        table += [({"recid": recid, "v": v}, "ok" if v in (27 + recid, 35 + recid, 37 + recid) else no) for v in (27, 28, 35, 36, 37, 38)]
        self.assertGreater(len(table), 500)
        for arguments in (["--address"], ["--curve", "secp256k1", "--hash", "keccak256"]):
            rows = self.json_rows("recover", [{**good, **cells} for cells, _ in table], *arguments, status=1)
            found = ADDRESS if "--address" in arguments else SECP256K1.encode(POINT)
            for row, (cells, expected) in zip(rows, table):
                answer = row.get("address", row.get("pub"))
                if expected == "other":  # another key, or none
                    self.assertTrue(row["status"] in ("ok", "invalid") and answer != found, (cells, row))
                else:
                    self.assertEqual((row["status"], answer), ("ok", found) if expected == "ok" else (no, None), (cells, row))


class Fields(ToolTest):
    """A header has as many fields as its rows, with the names that it had."""

    def headers(self):
        for count in range(1, 5):
            for places in itertools.product(["", '""', "a", "status"], repeat=count - 1):
                for at in range(count):
                    yield [*places[:at], "msg", *places[at:]]
        yield from (["", "priv", "msg"], ["priv", "", "msg"], ["msg", "priv", ""], ["", "priv", "", "msg", "", "priv", ""])

    def test_digest(self):
        headers = list(self.headers())
        self.assertGreater(len(headers), 200)
        for names in headers[:: max(1, len(headers) // 220)]:
            if names.count("priv") > 1:
                continue
            text = ",".join(names) + "\n" + ",".join("00" if name == "msg" else str(n) for n, name in enumerate(names)) + "\n"
            done = self.run_tool("digest", "--format", "csv", stdin=text, status=0)
            header, row = csv.reader(io.StringIO(done.stdout.decode()))
            kept = [(name.strip('"'), n) for n, name in enumerate(names) if name != "priv"]
            self.assertEqual(len(header), len(row), names)
            self.assertEqual([re.sub("input_(status)(_[0-9])?", "\\1", name) for name in header[: len(kept)]], [name for name, _ in kept])
            self.assertEqual(row[: len(kept)], ["00" if name == "msg" else str(n) for name, n in kept])
            self.assertEqual((header[len(kept) :], row[len(kept)]), (["status", "reason", "line", "digest"], "ok"))

    def test_every_command(self):
        sig, recid = ethereum_signature(b"abc", personal=False)
        cells = {"priv": "07", "pub": SECP256K1.encode(POINT), "digest": keccak256(b"abc").hex(), "sig": sig, "recid": str(recid), "scalar": "05",
                 "a": SECP256K1.encode(POINT), "b": SECP256K1.encode(NONCE_POINT), "peer": SECP256K1.encode(POINT), "msg": "00"}  # fmt: skip
        for command, columns in (("verify", "pub digest sig"), ("sign", "priv digest"), ("recover", "digest sig recid"), ("pubkey", "priv"),
                                 ("ecdh", "priv peer"), ("mul", "scalar"), ("add", "a b"), ("digest", "msg")):  # fmt: skip
            columns = columns.split()
            for at in range(len(columns) + 1):
                names, values = ([*list[:at], extra, *list[at:]] for list, extra in ((columns, ""), ([cells[c] for c in columns], "7")))
                text = ",".join(names) + "\n" + ",".join(values) + "\n"
                done = self.run_tool(command, "--format", "csv", "--curve", "secp256k1", stdin=text, status=0)
                header, row = csv.reader(io.StringIO(done.stdout.decode()))
                self.assertEqual((len(header), header[: len(names)], row[at]), (len(row), names, "7"))


class UnreadColumns(ToolTest):
    """What a command does not read and another does, or did, is named."""

    COLUMNS = {
        "verify": "curve pub digest sig msg msg_text hash sm2_id sm2_id_hex ed25519_ctx ed25519_ctx_hex",
        "sign": "curve priv digest msg msg_text hash nonce aux pub sm2_id sm2_id_hex ed25519_ctx ed25519_ctx_hex",
        "recover": "curve digest sig msg msg_text hash recid v pub address",
        "digest": "curve msg msg_text hash pub sm2_id sm2_id_hex",
        "pubkey": "curve priv pub point",
        "ecdh": "curve priv peer pub",
        "mul": "curve scalar point u v",
        "add": "curve a b",
        "mod": "a b modulus",
        "encrypt": "curve pub msg msg_text",
        "decrypt": "curve priv ciphertext",
    }
    RESULTS = {"sign": "sig recid", "recover": "pub", "digest": "digest", "pubkey": "pub", "ecdh": "shared", "mul": "point", "add": "point", "mod": "r",
               "encrypt": "ciphertext", "decrypt": "msg"}  # fmt: skip
    DROPPED = ("verify", "recover", "digest", "add", "encrypt")  # a private key is, and is named otherwise

    def test_every_name(self):
        names = sorted({name for columns in self.COLUMNS.values() for name in columns.split()} | {"id", "id_hex"})
        self.assertGreater(len(names) * len(self.COLUMNS), 200)
        for command, columns in self.COLUMNS.items():
            modulus = ["--modulus", "ff" * 15 + "01", "--op", "add"] if command == "mod" else [] if "crypt" in command else ["--curve", "SM2"]
            text = "".join(json.dumps({name: None}) + "\n" for name in names)
            done = self.run_tool(command, "--format", "jsonl", *modulus, stdin=text, status=1)
            said = re.findall("the column `(.*?)` is not read", done.stderr.decode())
            expected = [name for name in names if name not in columns.split() + self.RESULTS.get(command, "").split()]
            expected = [name for name in expected if not (name in ("priv", "nonce") and command in self.DROPPED)]
            expected = [name for name in expected if name not in ("id", "id_hex") or "sm2_id" in columns]
            self.assertEqual(sorted(said), expected, command)
            for name in ("id", "id_hex", "nonce"):
                done = self.run_tool(command, "--format", "csv", *modulus, stdin=f"{name},x\n1,2\n")
                self.assertEqual(f"`{name}` is not read" in done.stderr.decode(), False)  # nothing is read: columns are missing

    def test_ids(self):
        point = SM2.mul(7)
        row = {"pub": SM2.encode(point), "msg": "01", "id": "alice"}
        r = self.json_rows("sign", [{"priv": "07", "msg": "01", "sm2_id": "alice"}], "--curve", "SM2")[0]
        row["sig"] = r["sig"]
        for form, text in (("jsonl", json.dumps(row) + "\n"), ("csv", ",".join(row) + "\n" + ",".join(row.values()) + "\n")):
            for arguments, said, status in (([], True, 1), (["--map", "sm2_id=id"], False, 0), (["--id", "alice"], True, 0)):
                done = self.run_tool("verify", "--curve", "SM2", "--format", form, *arguments, stdin=text, status=status)
                self.assertEqual(b"the column `id` is not read: SM2's id is in `sm2_id`" in done.stderr, said, arguments)
        done = self.run_tool("verify", "--curve", "P-256", "--format", "jsonl", stdin=json.dumps(row) + "\n", status=1)
        self.assertNotIn(b"`id`", done.stderr)


class FirstRow(ToolTest):
    """What is signed is in the same column of all rows, or in the one that is required."""

    def test_digest_in_the_place_of_msg(self):
        data = b"pay 1"
        digest = hashlib.sha256(data).digest()
        r, s, _ = P256.ecdsa(7, digest, 99)
        base = {"pub": P256.encode(P256.mul(7)), "sig": P256.signature(r, s)}
        contents = {
            "msg": {"msg": data.hex()}, "text": {"msg_text": data.decode()}, "digest": {"digest": digest.hex()}, "both": {"msg": data.hex(), "digest": digest.hex()},
            "null": {"msg": None, "digest": digest.hex()}, "other": {"text": data.decode(), "digest": digest.hex()}, "none": {"digest": None},
        }  # fmt: skip
        says = {"msg": "msg", "text": "msg", "digest": "digest", "both": "msg", "null": "digest", "other": "digest", "none": None}
        has = {"msg": {"msg"}, "text": {"msg"}, "digest": {"digest"}, "both": {"msg", "digest"}, "null": {"digest"}, "other": {"digest"}, "none": set()}
        count = 0
        for rows in itertools.product(contents, repeat=3):
            told = next((says[name] for name in rows if says[name]), None)
            for required in ([None, "msg", "digest"] if count % 7 == 0 else [None]):
                good = ["valid" if has[name] and {required or told} - {None} <= has[name] else "malformed" for name in rows]
                text = "".join(json.dumps({**base, **contents[name]}) + "\n" for name in rows)
                done = self.run_tool("verify", "--curve", "P-256", "--format", "jsonl", *(["--require", required] if required else []), stdin=text)
                self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], good, (rows, required))
            count += 1
        self.assertGreater(count, 200)

    def test_rows_that_cannot_be_read_tell_nothing(self):
        for first in ({"msg": 1}, {"msg": True}, {"msg": []}, {"msg": {}}, {"msg_text": 1}, {"msg": "00", "sig": []}, {"msg": "00", "pub": 7}):
            rows = [{"priv": "07"} | first] + [{"priv": "07", "digest": "02" * 32}] * 2
            if "sig" in first or "pub" in first:
                rows = [{"pub": P256.encode(P256.g), "sig": "01" * 64} | row for row in rows]
                rows[0] |= first
            command, good = ("verify", "invalid") if "sig" in rows[0] else ("sign", "ok")
            out = self.json_rows(command, rows, "--curve", "P-256", status=1)
            self.assertEqual([row["status"] for row in out], ["malformed", good, good], first)

    def test_it_is_told_over_batches(self):
        rows = '{"msg":"00"}\n' * 5 + '{"msg":null,"digest":"%s"}\n' % ("02" * 32)
        for first, expected in (("", ["ok"] * 5 + ["malformed"]), ('{"x":1}\n\n', ["malformed"] + ["ok"] * 5 + ["malformed"]), ("{\n", ["malformed"] + ["ok"] * 5 + ["malformed"])):
            text = (first + rows).replace('"msg"', '"priv":"07","msg"')
            done = self.run_tool("sign", "--curve", "P-256", "--batch", "1", "--format", "jsonl", stdin=text, status=1)
            self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], expected)

    def test_require(self):
        self.run_tool("verify", "--curve", "P-256", "--require", "msg", stdin="pub,digest,sig\n00,00,00\n", status=2)
        for text, words in (("recid", b"no column of this command"), ("x", b"does not fit"), ("", b"does not fit"), ("msg,", b"does not fit")):
            self.assertIn(words, self.run_tool("verify", "--require", text, stdin="", status=2).stderr)
        out = self.json_rows("verify", [{"msg": "00", "sig": "00"}], "--curve", "P-256", "--require", "pub,msg", status=1)
        self.assertEqual(out[0]["status"], "malformed")


class NothingVerified(ToolTest):
    COLUMNS = {"verify": "pub,digest,sig", "sign": "priv,digest", "recover": "digest,sig,recid", "pubkey": "priv", "ecdh": "priv,peer", "mul": "scalar",
               "add": "a,b", "digest": "msg"}  # fmt: skip

    def test_no_rows(self):
        for command, columns in self.COLUMNS.items():
            for form, text in (("csv", columns), ("csv", columns + "\n"), ("csv", columns + "\r\n\n"), ("jsonl", "\n"), ("jsonl", "[]"), ("jsonl", "[{}]\n"),
                               (None, "[]"), (None, " [\n{}\n]\n"), (None, '{\n  "msg": "00"\n}\n'), ("jsonl", '{"a":\n1}')):  # fmt: skip
                done = self.run_tool(command, "--curve", "P-256", *(["--format", form] if form else []), stdin=text, status=2)
                self.assertRegex(done.stderr, b"there are no rows|it is empty|one on each line", (command, text))


class Reasons(ToolTest):
    def test_signatures_of_others(self):
        """Signatures with something behind them, and of other curves."""
        digest = hashlib.sha256(b"x").digest()
        table = []
        for curve in (SECP256K1, P256, SM2):
            point = curve.mul(7)
            if curve is SM2:
                sig = self.json_rows("sign", [{"priv": "07", "digest": digest.hex()}], "--curve", "SM2")[0]["sig"]
            else:
                sig = curve.signature(*curve.ecdsa(7, digest, 99)[:2])
            row = {"curve": curve.name, "pub": curve.encode(point), "digest": digest.hex()}
            other = "one that is no DER has 64 on " + curve.name
            table += [({**row, "sig": sig}, None), ({**row, "sig": sig + "00"}, "Ethereum" if curve is SECP256K1 else other),
                      ({**row, "sig": sig + "1b"}, "Ethereum" if curve is SECP256K1 else other), ({**row, "sig": sig[:-2]}, other),
                      ({**row, "sig": sig + curve.encode(point, "raw")}, "FISCO-BCOS" if curve is SM2 else other), ({**row, "sig": sig * 3}, other)]  # fmt: skip
        out = self.json_rows("verify", [cells for cells, _ in table], status=1)
        for row, (cells, words) in zip(out, table):
            self.assertEqual(row["status"], "malformed" if words else "valid")
            self.assertIn(words or "", row.get("reason", ""))
        for row in self.json_rows("verify", [cells for cells, words in table if words], "--sig-format", "raw", status=1):
            self.assertIn("sig: ", row["reason"])

    def test_numbers_of_spreadsheets(self):
        for text in ("1.2E+76", "1E+10", "1,23456E+76", "9.99999999999999E+153", "1.2e-5"):
            out = self.json_rows("digest", [{"msg": text}], status=1)
            self.assertIn("a spreadsheet has rounded", out[0]["reason"], text)
        for text in ("1.2E+", "E+10", "1.2", "1E10F", "+1E+10", "1.2E+7x", "1..2E+7", "zz"):
            out = self.json_rows("digest", [{"msg": text}], status=1)
            self.assertNotIn("spreadsheet", out[0]["reason"], text)

    def test_separators(self):
        for separator, words in ((";", b"`;` are no commas"), ("\t", b"tabs are no commas"), ("|", b"`|` are no commas"), (" ", b"wanted are")):
            done = self.run_tool("verify", "--curve", "P-256", "--format", "csv", stdin=separator.join(("pub", "digest", "sig")) + "\n1\n", status=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(b"no commas" in done.stderr, separator != " ")

    def test_empty_digests(self):
        """What BIP-340 and Ed25519 sign may have no bytes, whatever its column; of ECDSA and SM2 there is no such digest."""
        for arguments, right in ((["--scheme", "bip340"], True), (["--scheme", "ed25519"], True), (["--curve", "P-256"], False), (["--curve", "SM2"], False)):
            signed = self.json_rows("sign", [{"priv": "07" * 32, "digest": ""}], *arguments, status=int(not right))
            self.assertEqual(signed[0]["status"], "ok" if right else "malformed")
            if right:
                public = self.json_rows("pubkey", [{"priv": "07" * 32}], *arguments)[0]["pub"]
                for name in ("digest", "msg", "msg_text"):
                    out = self.csv_rows("verify", ["pub", name, "sig"], [[public, "", signed[0]["sig"]]], *arguments)
                    self.assertEqual(out[0]["status"], "valid")


class Escapes(ToolTest):
    """Nothing that an input holds commands a terminal or makes lines of the log."""

    NASTY = [*(bytes([c]) for c in (*range(1, 32), 127, 128, 155, 255)), *(chr(c).encode() for c in (0x80, 0x85, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069))]  # fmt: skip

    def test_headers_and_names(self):
        texts = [b"x" + nasty + b"]0;owned" for nasty in self.NASTY]
        for text in texts:
            done = self.run_tool("verify", "--curve", "P-256", "--format", "csv", stdin=b'pub,sig,"' + text + b'"\n1\n', status=2)
            self.check(done.stderr)
            self.assertIn(b"\\x", done.stderr)
        self.check(self.run_tool("verify", "--curve", "P-256", "--format", "csv", stdin=b'pub,sig,"' + b"".join(self.NASTY) + b'"\n1\n', status=2).stderr)
        for nasty in self.NASTY[::7]:
            name = nasty + b"\xc3\xa4.csv"
            for arguments in ((b"digest", name), (b"digest", b"--format", name), (b"digest", b"--" + name), (name,)):
                done = self.run_tool(*arguments[:0], *[a if isinstance(a, str) else a.decode(errors="surrogateescape") for a in arguments], status=2)
                self.check(done.stderr)
        self.check(self.run_tool("senders", stdin=b'{"transactions":[\x1b]0;owned\x07\n', status=None).stderr)

    def check(self, errors):
        self.assertEqual(errors.count(b"\n"), 1, errors)
        text = errors[:-1].decode()  # UTF-8
        self.assertFalse(re.search("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text), errors)

    def test_what_is_shown_stays(self):
        done = self.run_tool("verify", "--curve", "P-256", "--format", "csv", stdin="pub,sig,\u00e4\u4e2d\U0001f600\\\n1\n", status=2)
        self.assertIn("`\u00e4\u4e2d\U0001f600\\`".encode(), done.stderr)


class UnknownMembers(ToolTest):
    """What a reader does not consume passes through."""

    def test_rows(self):
        r, s, recid = SECP256K1.ecdsa(7, b"\5" * 32, 99)
        sig, key = SECP256K1.signature(r, s), SECP256K1.encode(SECP256K1.mul(7))
        for command, cells in (("verify", {"pub": key, "digest": "05" * 32, "sig": sig}), ("sign", {"priv": "07", "digest": "05" * 32}),
                               ("recover", {"digest": "05" * 32, "sig": sig, "recid": str(recid)}), ("pubkey", {"priv": "07"}), ("ecdh", {"priv": "07", "peer": key}),
                               ("mul", {"scalar": "07"}), ("add", {"a": key, "b": key}), ("digest", {"msg": "00"})):  # fmt: skip
            for name, value in (("unknown", "x"), ("Sig", "00"), ("SIG", "y"), (" sig", "00"), ("pub ", "00"), ("sig\u00e4", "z"), ("Message", "m"), ("input_status", "1")):
                out = self.json_rows(command, [{**cells, name: value}], "--curve", "secp256k1")
                self.assertEqual((out[0][name], out[0]["status"] in ("ok", "valid")), (value, True))
                out = self.csv_rows(command, [name, *cells], [[value, *cells.values()]], "--curve", "secp256k1")
                self.assertEqual(out[0][name], value)

    @unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
    def test_tokens(self):
        encode = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")  # noqa: E731
        key = self.folder / "key.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key], check=True, capture_output=True)
        for header, expected in (({}, "valid"), ({"unknown": 1}, "valid"), ({"kid": "a", "typ": "JWT"}, "valid"), ({"crit": ["a"]}, "malformed"), ({"b64": False}, "malformed")):
            text = encode(json.dumps({"alg": "ES256", **header}).encode()) + b"." + encode(b"{}")
            sig = self.json_rows("sign", [{"msg": text.hex()}], "--key-file", key)[0]["sig"]
            done = self.run_tool("verify", "--jwt", "--pub-file", key, stdin=text + b"." + encode(bytes.fromhex(sig)) + b"\n")
            self.assertEqual(json.loads(done.stdout)["status"], expected, header)


class Help(ToolTest):
    def test_options_are_there(self):
        """A help names no option that its command does not have."""
        tool = self.run_tool("--help", status=0).stdout.decode()
        for command in re.findall(r"^  ([a-z0-9]+)$", tool.split("COMMANDS")[1].split("OPTIONS")[0], re.M):
            text = self.run_tool(command, "--help", status=0).stdout.decode()
            has = set(re.findall(r"^  (--[a-z0-9-]+)", text, re.M))
            description = re.sub(r"(?s)\nEXAMPLES\n.*", "", text)
            for option in re.findall(r"(?<![a-z-])--[a-z0-9][a-z0-9-]*", description):
                self.assertIn(option, has, command)

    def test_machines(self):
        """What an error offers can run, and what can run is offered."""
        names = {"ifma", "ifma-256", "avx512", "portable-adx", "portable-aarch64", "portable-c", "portable"}
        run = lambda name: self.run_tool("digest", "-q", stdin='{"msg":"00"}\n', env={"GECC_CPU": name})  # noqa: E731
        done = run("abacus")
        self.assertEqual(done.returncode, 2)
        offered = set(re.search(rb"here it may be (.*) or left out", done.stderr)[1].decode().split(", "))
        self.assertEqual(offered, {name for name in names if run(name).returncode == 0})
        tool = self.run_tool("--help", status=0).stdout.decode()
        self.assertEqual({name for name in names if re.search(rf"\b{name}\b(?!-)", tool)}, names)


if __name__ == "__main__":
    unittest.main()
