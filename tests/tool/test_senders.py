"""gecc senders, and the addresses of gecc recover: transactions with known senders in each form that the tool reads.

Test: fast; no sanitizers
"""

import csv
import io
import json
import random
import unittest
from pathlib import Path

from ethereum_rpc import transaction_object
from support import ANSWERS, VECTORS, ToolTest, addresses


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return list(map(json.loads, file))


def rows_of(done):
    return list(csv.DictReader(io.StringIO(done.stdout.decode()), strict=True))


class Sender(ToolTest):
    def known(self):
        """Cases for any chain, with signatures that all of Ethereum's forks take."""
        return [case for case in lines_of(Path(ANSWERS, "ethereum.jsonl")) if "chain" not in case and not case.get("high_s")]

    def check(self, case, row):
        if not case["valid"] or "status" in case:
            self.assertIn(row["status"], ("malformed", "invalid"), case["tag"])
            self.assertTrue(row["reason"], case["tag"])
            if "position" in case:
                self.assertTrue(row["reason"].startswith(f"byte {case['position']}: "), (case["tag"], row))
            self.assertFalse(row.get("sender"))
            return
        self.assertEqual(row["status"], "ok", (case["tag"], row))
        self.assertEqual(row["hash"], "0x" + case["hash"], case["tag"])
        self.assertEqual(int(row["type"]), case["type"], case["tag"])
        self.assertEqual(row["sender"].lower(), "0x" + case["sender"], case["tag"])
        signers = [each["signer"] for each in case.get("authorizations", [])]
        found = row.get("authorities") or []
        if isinstance(found, str):
            found = [None if each == "-" else each for each in found.split()]
        self.assertEqual([each and each.lower() for each in found], [each and "0x" + each for each in signers], case["tag"])

    def check_all(self, cases, rows, status=0):
        self.assertEqual(len(rows), len(cases))
        for case, row in zip(cases, rows):
            self.check(case, row)

    def test_hexadecimal_lines(self):
        """With and without 0x, blanks around them, empty lines between them. An empty row has no line here."""
        cases = [case for case in self.known() if case["raw"]]
        text = "\n\n".join(f" {'0x' if i % 2 else ''}{case['raw']}\t" for i, case in enumerate(cases))
        done = self.run_tool("senders", stdin=text, status=1)
        rows = rows_of(done)
        self.check_all(cases, rows)
        self.assertEqual([int(row["line"]) for row in rows], [2 * i + 1 for i in range(len(cases))])
        self.assertEqual(self.run_tool("senders", "--batch", 7, "--threads", 1, stdin=text).stdout, done.stdout)

    def test_column_of_csv(self):
        cases = self.known()
        text = "id,raw,note\n" + "".join(f'{i},"0x{case["raw"]}","a, b"\n' for i, case in enumerate(cases))
        self.check_all(cases, rows_of(self.run_tool("senders", stdin=text, status=1)))

    def test_carriage_returns(self):
        """One is part of the end of a line, those before it of the last cell."""
        text = "raw,a\n0x02f8,1\r\r\n0x02f8,2\r\n"
        found = [self.run_tool("senders", "-q", "--output-format", form, stdin=text, status=1).stdout for form in ("jsonl", "csv")]
        self.assertEqual([json.loads(line)["a"] for line in found[0].splitlines()], ["1\r", "2"])
        self.assertEqual([line.split(b",")[0] for line in found[1].split(b"\n")[1:3]], [b"1\r", b"2"])

    def test_columns_twice(self):
        """Beside what is read names may be the same, but for members."""
        text = 'raw,"a ""b""","a ""b""",priv,priv\n0x02f8,1,2,3,4\n'
        done = self.run_tool("senders", "-q", stdin=text, status=1)
        self.assertEqual(done.stdout.splitlines()[1].split(b",")[:2], [b"1", b"2"])
        done = self.run_tool("senders", "-q", "--output-format", "jsonl", stdin=text, status=2)
        self.assertIn(b'standard input: the header: a column twice, which is no member twice: a ""b""', done.stderr)
        self.assertEqual(done.stdout, b"")
        done = self.run_tool("senders", "-q", "--output-format", "jsonl", stdin="raw,a,b,priv,priv\n0x02f8,1,2,3,4\n", status=1)
        self.assertEqual([json.loads(done.stdout)[name] for name in "ab"], ["1", "2"])

    def test_members_raw(self):
        cases = self.known()
        text = "".join(json.dumps({"raw": "0x" + case["raw"]}) + "\n" for case in cases)
        done = self.run_tool("senders", stdin=text, status=1)
        self.check_all(cases, list(map(json.loads, done.stdout.splitlines())))

    def objects(self):
        """Those that JSON-RPC has: well formed, and without blobs."""
        cases = [case for case in self.known() if case["valid"] and len(case["raw"]) < 200000]
        return cases, [transaction_object(bytes.fromhex(case["raw"])) for case in cases]

    def senders_of(self, text, status=None):
        done = self.run_tool("senders", stdin=text, status=status)
        return list(map(json.loads, done.stdout.splitlines()))

    def test_objects(self):
        cases, objects = self.objects()
        lines = "".join(json.dumps(each) + "\n" for each in objects)
        self.check_all(cases, self.senders_of(lines))
        self.check_all(cases, self.senders_of(json.dumps(objects)))
        self.check_all(cases, self.senders_of(json.dumps(objects, indent=1)))
        block = {"number": "0x10", "transactions": objects}
        self.check_all(cases, self.senders_of(json.dumps(block)))
        spoiled = {"transactions": [*objects[:2], 5, {**objects[2], "nonce": "x"}, *objects[3:]]}
        rows = self.senders_of("\n\n" + json.dumps(spoiled) + "\n" + json.dumps(objects[0]) + "\n" + json.dumps({"result": block}))
        places = [(3, n) for n in range(len(objects) + 1)] + [(4, None)] + [(5, n) for n in range(len(objects))]
        self.assertEqual([(row["line"], row.get("transaction")) for row in rows], places)
        self.assertEqual([rows[2]["status"], rows[3]["status"]], ["malformed"] * 2)
        self.check_all(cases, self.senders_of(json.dumps({"jsonrpc": "2.0", "id": 1, "result": block}, indent=2)))
        self.check_all(cases * 2, self.senders_of(json.dumps([block, block])))
        mixed = "".join(json.dumps(each) + "\n" for each in (block, objects, objects[0]))
        self.check_all([*cases, *cases, cases[0]], self.senders_of(mixed))

    def test_objects_that_are_wrong(self):
        _, objects = self.objects()
        good = objects[2]
        changes = {
            "nonce: it is missing": {"nonce": None},
            "value: it is no string of hexadecimal digits": {"value": 5},
            "gas: it is no string of hexadecimal digits": {"gas": "0xzz"},
            "input: it is no string of hexadecimal digits": {"input": "0x123"},
            "r: the number is wider than 32 bytes": {"r": "0x1" + "0" * 64},
            "accessList: it is no list": {"accessList": "0x"},
            "type: 0x7b: there is no such type of transaction": {"type": "0x7b"},
            "type: 0x7e: a deposit, which carries no signature": {"type": 126},
        }
        made = [{name: value for name, value in (good | change).items() if value is not None or name == "to"} for change in changes.values()]
        rows = self.senders_of("".join(json.dumps(each) + "\n" for each in (good, *made)) + '{"nonce": \n')
        self.assertEqual([row.get("reason") for row in rows], [None, *changes, "not JSON; what is left of the line is not read"])
        self.assertEqual([row["line"] for row in rows], list(range(1, len(rows) + 1)))

    def test_input_that_is_none(self):
        for text, reason in (
            ("a,b\n1,2\n", "neither a transaction nor a header"),
            ("[1,\n2", "line 2: what is no JSON: a value from an earlier line does not end well"),
            ("\xf9\x01".encode("latin1"), "ends within"),
        ):
            done = self.run_tool("senders", stdin=text, status=2)
            self.assertIn(reason, done.stderr.decode())
        for text in ("", "\n \n", "\ufeff"):
            done = self.run_tool("senders", stdin=text, status=2)
            self.assertIn(b"standard input: it is empty; if it may be, say --allow-empty", done.stderr)
            self.assertEqual(done.stdout, b"")
            self.assertEqual(self.run_tool("senders", "--allow-empty", stdin=text, status=0).stdout.count(b"\n"), 1)
        rows = rows_of(self.run_tool("senders", stdin="0x01\nc0\nxyz0\n0x123\n", status=1))
        self.assertEqual([row["reason"] for row in rows][2:], ["not hexadecimal digits, two a byte"] * 2)

    def test_chains_and_high_s(self):
        cases = lines_of(Path(ANSWERS, "ethereum.jsonl"))
        ten = [case for case in cases if case.get("chain") == 10]
        text = "".join(case["raw"] + "\n" for case in ten)
        self.check_all(ten, rows_of(self.run_tool("senders", "--chain-id", 10, stdin=text, status=0)))
        for row in rows_of(self.run_tool("senders", "--chain-id", 11, stdin=text, status=1)):
            self.assertTrue(row["reason"].endswith("it is for another chain"))
        high = [case for case in cases if case.get("high_s") and "chain" not in case]
        text = "".join(case["raw"] + "\n" for case in high)
        self.assertGreater(len(high), 20)
        self.check_all(high, rows_of(self.run_tool("senders", "--any-s", stdin=text, status=0)))
        for row in rows_of(self.run_tool("senders", stdin=text, status=1)):
            self.assertIn("greater than half the order", row["reason"])
            self.assertTrue(row["hash"])

    @unittest.skipUnless(VECTORS, "GECC_VECTORS is not set")
    def test_blocks(self):
        blocks = lines_of(Path(VECTORS, "eth_block.jsonl"))
        wanted = [(hash, sender) for block in blocks for hash, sender in zip(block["hashes"], block["senders"])]
        as_text = self.run_tool("senders", stdin="".join(f"0x{block['rlp']}\n" for block in blocks), status=0)
        as_bytes = self.run_tool("senders", stdin=b"".join(bytes.fromhex(block["rlp"]) for block in blocks), status=0)
        places = [(str(n), str(i)) for n, block in enumerate(blocks, 1) for i in range(len(block["hashes"]))]
        for done in (as_text, as_bytes):
            self.assertEqual([(row["line"], row["transaction"]) for row in rows_of(done)], places)
        self.assertEqual(as_text.stdout, as_bytes.stdout)
        rows = rows_of(as_text)
        self.assertEqual([(row["hash"][2:], row["sender"][2:].lower()) for row in rows], wanted)

    @unittest.skipUnless(VECTORS, "GECC_VECTORS is not set")
    def test_real_transactions_as_objects(self):
        cases = [case for case in lines_of(Path(VECTORS, "eth_sender.jsonl")) if not case.get("network_form")]
        objects = "".join(json.dumps(transaction_object(bytes.fromhex(case["raw"]))) + "\n" for case in cases)
        self.check_all(cases, self.senders_of(objects, status=0))


class Address(ToolTest):
    def test_capitals(self):
        """EIP-55, written again."""
        rows = list(addresses(random.Random(55), 20))
        found = self.csv_rows("recover", ("msg", "sig"), [(msg, sig) for msg, sig, _ in rows], "--address")
        self.assertEqual([row["address"] for row in found], [address for _, _, address in rows])

    def test_personal_messages(self):
        rows = list(addresses(random.Random(191), 20, personal=True))
        found = self.csv_rows("recover", ("msg", "sig"), [("0x" + msg, sig) for msg, sig, _ in rows], "--address", "--personal-message")
        self.assertEqual([row["address"] for row in found], [address for _, _, address in rows])
        split = [("0x" + msg, sig[:128], int(sig[128:], 16) - 27) for msg, sig, _ in rows]
        found = self.csv_rows("recover", ("msg", "sig", "recid"), split, "--address", "--personal-message")
        self.assertEqual([row["address"] for row in found], [address for _, _, address in rows])

    def test_refusals(self):
        for arguments in (("--address", "--curve", "P-256"), ("--personal-message", "--hash", "sha256")):
            done = self.run_tool("recover", *arguments, "--format", "csv", stdin="msg,sig,recid\n00,00,0\n")
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
