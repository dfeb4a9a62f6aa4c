"""gecc inputs: records that say things twice, that are answers, that no node takes; what is not read is kept.

Test: fast
"""

import csv
import gzip
import io
import itertools
import json
import unittest

from bitcoin import ALL, Input, Transaction, WitnessKeyHash, build, compact, hash256
from support import generator
from test_inputs import KEYS, InputsTest, mixed
from test_inputs_forms import core_transaction

NULL = bytes(32) + b"\xff" * 4
MOST_WEIGHT = 4_000_000


def coinbase():
    return Transaction([Input(NULL, 0, b"", script=b"\x03\x01\x02\x03")], [(50, b"\x51")])


def block(transactions):
    return bytes(80) + compact(len(transactions)) + b"".join(tx.serialize() for tx in transactions)


class Records(InputsTest):
    def setUp(self):
        super().setUp()
        self.randomness = generator("records told")
        self.made = [build(self.randomness, [WitnessKeyHash(KEYS[i % 6])] * (1 + i % 3), [[ALL]] * (1 + i % 3)) for i in range(20)]

    def found(self, text, *arguments, status=0, places=None):
        done = self.run_tool("inputs", "--verify", *arguments, stdin=text, status=status)
        return self.read(done, places)

    def test_rows_before_a_break(self):
        """What was read before an input breaks is judged and written, however little of it there is."""
        text = "".join(json.dumps(tx.record()) + "\n" for tx, _ in self.made)
        whole = self.run_tool("inputs", "--verify", stdin=text, status=0).stdout.splitlines()
        stored, reached = gzip.compress(text.encode(), compresslevel=0), set()
        for batch, cut in itertools.product(([], ["--batch", "4"]), (1, 9, len(stored) // 2, len(stored) * 9 // 10)):
            done = self.run_tool("inputs", "--verify", *batch, stdin=stored[:-cut], status=2)
            found = done.stdout.splitlines()
            self.assertEqual(found, whole[: len(found)])
            self.assertIn(b"standard input: gzip: ", done.stderr)
            reached.add(len(found))
        self.assertIn(len(whole), reached)
        self.assertNotIn(0, reached)

    def test_ids(self):
        """txid, hash and, in inputs of Bitcoin Core's, txid and vout: where they differ nothing is said of the inputs."""
        records, wanted = [], []
        for i in range(220):
            tx, rows = self.made[i % len(self.made)]
            whole = hash256(tx.serialize())[::-1].hex()
            wrong = format(int(tx.txid, 16) ^ 1 << self.randomness.randrange(256), "064x")
            core = core_transaction(tx)
            core.pop("fee")
            kinds = [
                (tx.record() | {"txid": tx.txid}, None), (tx.record() | {"hash": whole}, None), (tx.record() | {"hash": tx.txid}, None),
                (core | {"hash": whole}, None), (tx.record() | {"txid": wrong}, f"txid: it says {wrong}, and the transaction's is {tx.txid}"),
                (tx.record() | {"hash": wrong}, f"hash: it says {wrong}, and the transaction's is {whole}"),
                (core | {"txid": wrong}, f"txid: it says {wrong}"), (core | {"txid": tx.txid, "hash": wrong}, f"hash: it says {wrong}"),
                (core | {"vin": [each | {"txid": wrong} for each in core["vin"]]}, "vin: an input's txid is not the one"),
                (core | {"vin": [each | {"vout": each["vout"] ^ 1} for each in core["vin"]]}, "vin: an input's vout is not the one"),
            ]  # fmt: skip
            record, reason = kinds[i % len(kinds)]
            records.append(record)
            wanted += [(reason, record)] if reason else [(None, row) for row in rows]
        found = self.found("".join(json.dumps(each) + "\n" for each in records), status=1)
        self.assertEqual(len(found), len(wanted))
        for row, (reason, want) in zip(found, wanted):
            if reason is None:
                self.assertEqual({k: v for k, v in row.items() if k != "hash"}, want | {"status": "valid"})
            else:
                self.assertEqual(row["status"], "malformed")
                self.assertIn(reason, row["reason"])
                self.assertTrue("txid" not in want or row["txid"] == want["txid"])

    def test_a_name_twice(self):
        tx, _ = self.made[0]
        core = core_transaction(tx)
        for name in ("hex", "vin", "txid"):
            for written in (name, f"\\u{ord(name[0]):04x}{name[1:]}"):
                text = json.dumps(core)[:-1] + f', "{written}": {json.dumps(core[name])}}}'
                self.assertIn("a name twice", self.found(text, status=1)[0]["reason"])
        for inner in ('"value": ', '"prevout": ', '"vout": ', '"txid": "', '"scriptPubKey": '):
            text = json.dumps(core)
            at = text.index(inner)
            again = text[:at] + inner.split(":")[0] + ": 1, " + text[at:]
            self.assertIn("a name twice", self.found(again, status=1)[0]["reason"], inner)

    def test_amounts(self):
        """Numbers as programs write them: as many satoshi, or none."""
        tx, rows = self.made[0]
        core, cases = core_transaction(tx), []
        for _ in range(210):
            satoshi = self.randomness.randrange(1, 10 ** self.randomness.randrange(1, 16))
            right = self.randomness.randrange(4)
            forms = [repr(satoshi / 1e8), f"{satoshi}e-8", f"{satoshi}000E-11", f"{satoshi // 10}.{satoshi % 10}e-07", f"{satoshi}.0e-8",
                     f"{satoshi}00e-0010", f"{satoshi / 1e8:.8e}" if satoshi < 10**9 else f"{satoshi}E-8"]  # fmt: skip
            wrong = [f"{satoshi}e-9" if satoshi % 10 else f"{satoshi}1e-9", f"-{satoshi}e-8", "1e400", "1e-400", f"{satoshi}e20", "1.5e-8"]
            cases.append((self.randomness.choice(forms), satoshi) if right else (self.randomness.choice(wrong), None))
        records, plain = [], []
        for text, satoshi in cases:
            core["vin"][0]["prevout"]["value"] = "AMOUNT"
            records.append(json.dumps(core).replace('"AMOUNT"', text))
            plain.append({"raw": core["hex"], "prevouts": [[satoshi, core["vin"][0]["prevout"]["scriptPubKey"]["hex"]]]})
        found = self.found("\n".join(records), "--format", "jsonl", status=1)
        good = self.rows([one for one, (_, satoshi) in zip(plain, cases) if satoshi is not None], "--verify", status=1)
        digests = iter(good)
        for (text, satoshi), row in zip(cases, found, strict=True):
            if satoshi is None:
                self.assertIn("no value in bitcoins", row["reason"], text)
            else:
                self.assertEqual(row["digest"], next(digests)["digest"], text)
        for text in ("1e3", "1000", "1000.0", "10.00E2", "1E+3"):
            record = json.dumps(tx.record() | {"prevouts": [[7, tx.prevouts[0][1]]]}).replace("[[7,", f"[[{text},")
            want = self.rows([tx.record() | {"prevouts": [[1000, tx.prevouts[0][1]]]}], status=0)
            self.assertEqual(self.found(record, status=1)[0]["digest"], want[0]["digest"], text)

    def test_what_is_kept(self):
        extra = {"note": 'a "b" \u00e9 \\', "x": [1, {"y": None}], "status": 5, "input_status": "k", "sig": None}
        kept = {"note": extra["note"], "x": extra["x"], "input_status": 5, "input_input_status": "k", "input_sig": None}
        records = [extra | tx.record() for tx, _ in self.made] + [extra | {"raw": "0"}, extra | {"raw": "00", "txid": "ab" * 32}]
        for text in ("\n".join(map(json.dumps, records)), json.dumps(records), json.dumps(records, indent=1)):
            found = self.found(text, status=1)
            self.assertEqual(len(found), sum(len(rows) for _, rows in self.made) + 2)
            for row in found:
                self.assertEqual(row, row | kept)
            self.assertEqual(found[-1]["txid"], "ab" * 32)
        long = self.made[2][0].record() | {"note": "x" * 5000, "id": 7}
        done = self.run_tool("inputs", stdin=json.dumps(long), status=0)
        self.assertIn(b"line 1: 'note': longer than 4096 bytes: it is left out", done.stderr)
        self.assertEqual({(row.get("note"), row["id"]) for row in map(json.loads, done.stdout.splitlines())}, {(None, 7)})

    def test_columns(self):
        text = io.StringIO()
        rows = [[i, tx.serialize().hex(), 'a, "b"\n' + "x", " ".join(f"{a}:{s}" for a, s in tx.prevouts), tx.txid] for i, (tx, _) in enumerate(self.made)]
        rows += [["bad", "0", "", "", ""], ["other", *rows[0][1:4], "00" * 32]]
        csv.writer(text).writerows([["id", "raw", "status", "prevouts", "txid"], *rows])
        done = self.run_tool("inputs", "--verify", stdin=text.getvalue() + "short\n", status=1)
        found = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
        wanted = [(str(i), rows[i][2], tx.txid, "valid") for i, (tx, each) in enumerate(self.made) for _ in each]
        wanted += [("bad", "", "", "malformed"), ("other", rows[0][2], "00" * 32, "malformed"), ("short", "", "", "malformed")]
        self.assertEqual([(row["id"], row["input_status"], row["input_txid"], row["status"]) for row in found], wanted)
        self.assertEqual({None in row or None in row.values() for row in found}, {False})
        done = self.run_tool("inputs", "--verify", "--output-format", "jsonl", stdin=text.getvalue() + "short\n", status=1)
        as_json = [json.loads(line) for line in done.stdout.splitlines()]
        names = ("id", "input_status", "input_txid", "status", "digest", "reason", "line")
        self.assertEqual([[str(row.get(name, "")) for name in names] for row in as_json], [[row[name] for name in names] for row in found])
        objects = "".join(json.dumps(tx.record() | {"note": 1}) + "\n" for tx, _ in self.made)
        done = self.run_tool("inputs", "--output-format", "csv", stdin=objects, status=0)
        self.assertIn(b"members of objects are in no row, as CSV has no columns for them. With", done.stderr)
        plain = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row["line"], row["digest"]) for row in plain],
                         [(str(n), row["digest"]) for n, (_, each) in enumerate(self.made, 1) for row in each])  # fmt: skip
        self.assertNotIn("note", plain[0])

    def test_carriage_returns(self):
        """One is part of the end of a line, those before it of the last cell."""
        tx = self.made[0][0]
        text = f"raw,prevouts,a\n{tx.serialize().hex()},{' '.join(f'{a}:{s}' for a, s in tx.prevouts)},1\r\r\n"
        done = self.run_tool("inputs", "-q", "--output-format", "jsonl", stdin=text, status=0)
        self.assertEqual({json.loads(line)["a"] for line in done.stdout.splitlines()}, {"1\r"})

    def test_columns_twice(self):
        """Beside what is read names may be the same, but for members."""
        tx = self.made[0][0]
        text = f"raw,a,a,prevouts\n{tx.serialize().hex()},1,2,{' '.join(f'{a}:{s}' for a, s in tx.prevouts)}\n"
        self.assertIn(b"\n1,2,", self.run_tool("inputs", "-q", stdin=text, status=0).stdout)
        done = self.run_tool("inputs", "-q", "--output-format", "jsonl", stdin=text, status=2)
        self.assertIn(b"standard input: the header: a column twice, which is no member twice: a\n", done.stderr)
        self.assertEqual(done.stdout, b"")

    def test_answers(self):
        whole = {"tx": [core_transaction(coinbase(), True), *(core_transaction(tx) for tx, _ in self.made)], "hash": "00"}
        batch = [
            {"id": 1, "result": core_transaction(self.made[0][0])}, {"jsonrpc": "2.0", "id": 2, "result": whole}, {"id": 3, "result": None},
            {"id": 4, "error": {"code": -5, "message": 'No such "thing"'}, "result": None}, {"id": 5, "result": "00"},
            {"id": 6, "result": {"tx": ["ab" * 32]}},
        ]  # fmt: skip
        every = sum(len(rows) for _, rows in self.made)
        for text in (json.dumps(batch), json.dumps(batch, indent=2), "".join(json.dumps(each) + "\n" for each in batch)):
            found = self.found(text, status=1)
            self.assertEqual([row["id"] for row in found], [1] * len(self.made[0][1]) + [2] * every + [3, 4, 5, 6])
            self.assertEqual({row["status"] for row in found[:-4]}, {"valid"})
            reasons = ["the node's answer is null", "the node answered with an error: 'No such ?'thing?''", "ask for verbosity 2", "ask for verbosity 3"]
            for row, reason in zip(found[-4:], reasons):
                self.assertIn(reason, row["reason"])

    def test_coinbases(self):
        first, (tx, rows) = coinbase(), self.made[0]
        prevouts = tx.prevouts

        def judged(transactions, status):
            record = {"raw": block(transactions).hex(), "prevouts": prevouts * sum(one is tx for one in transactions)}
            return self.found(json.dumps(record), "--block", status=status)

        self.assertEqual([row["status"] for row in judged([first, tx], 0)], ["valid"] * len(rows))
        self.assertEqual(judged([first], 0), [])
        for transactions in ([tx], [tx, first], [first, tx, first], [first, first]):
            row = judged(transactions, 1)
            self.assertEqual([each["status"] for each in row], ["malformed"])
            self.assertIn("coinbase", row[0]["reason"])
        objects = {"tx": [core_transaction(first, True), core_transaction(tx), core_transaction(first, True)]}
        found = self.found(json.dumps(objects), status=1)
        self.assertEqual([row["status"] for row in found], ["valid"] * len(rows) + ["malformed"])
        self.assertIn("a coinbase that is not the first", found[-1]["reason"])
        two = Transaction([tx.inputs[0], Input(NULL, 1, b"\x51")], tx.outputs)
        self.assertIn("an input that spends no output, beside others", self.rows([two.record()], status=1)[0]["reason"])
        row = self.found(json.dumps({"raw": block([first, tx]).hex(), "prevouts": prevouts}), status=1)[0]
        self.assertIn("a block: say --block", row["reason"])

    def test_weights(self):
        """A transaction, and a block, of the most weight is read; of one more is not."""
        def weighing(weight, others=0):
            tx = Transaction([Input(bytes([1]) * 36, 5, b"\x51")], [(1, b"\x51")])
            base = len(tx.serialize()) * 4 + others
            script = (weight - base) // 4 - 4
            tx.outputs[0] = (1, b"\x6a" * (1 + script))
            tx.inputs[0].witness = [b""] if (weight - base) % 4 else []
            while 4 * len(tx.serialize(witness=False)) + (len(tx.serialize()) - len(tx.serialize(witness=False))) + others < weight:
                tx.inputs[0].witness = [b"\x00" * (len(tx.inputs[0].witness[0]) + 1 if tx.inputs[0].witness else 0)]
            return tx
        for weight, status in ((MOST_WEIGHT, "not covered"), (MOST_WEIGHT + 1, "malformed"), (MOST_WEIGHT + 40, "malformed")):
            rows = self.rows([weighing(weight).record()], status=1)
            self.assertIn(rows[0]["status"], ("invalid", status) if status != "malformed" else (status,))
        first = coinbase()
        others = 4 * (81 + len(first.serialize()))
        for more, refused in ((0, False), (8, True)):
            tx = weighing(MOST_WEIGHT + more, others)
            row = self.found(json.dumps({"raw": block([first, tx]).hex(), "prevouts": tx.prevouts}), "--block", status=1)[0]
            self.assertEqual(row["status"] == "malformed", refused, row)

    def test_nothing(self):
        for text in ("[]", "raw,prevouts\n", "[]\n[]\n"):
            done = self.run_tool("inputs", stdin=text, status=2)
            self.assertIn(b"there is no transaction in it; if that may be, say --allow-empty", done.stderr)
            self.run_tool("inputs", "--allow-empty", stdin=text, status=0)

    def test_lines_that_break_off(self):
        tx, rows = self.made[0]
        good = json.dumps(tx.record())
        for bad in ("{", '{"raw": "0', '{"a": 1}}', "end", "[{]", '"x"'):
            done = self.run_tool("inputs", "--verify", stdin=f"{good}\n{bad}\n{good}\n", status=1)
            self.assertEqual({(row["line"], row["status"]) for row in map(json.loads, done.stdout.splitlines())}, {(1, "valid"), (2, "malformed"), (3, "valid")})
            found = self.read(done)
            self.assertEqual(sum(row["status"] == "valid" for row in found), 2 * len(rows), bad)
            self.assertNotIn("line", found[len(rows)]["reason"])
        self.assertEqual(len(self.found(json.dumps([tx.record()] * 3, indent=1))), 3 * len(rows))
        raw, prevouts = tx.serialize().hex(), f"{tx.prevouts[0][0]}:{tx.prevouts[0][1]}"
        done = self.run_tool("inputs", stdin=f'id,raw,prevouts\n"cut,{raw},{prevouts}\n2,{raw},{prevouts}\n', status=2)
        self.assertIn(b"a quotation mark that is never closed", done.stderr)

    def test_all_kinds_are_kept_apart(self):
        """Many signatures with all hash types: each input has its own digest, however it was computed."""
        tx, rows = mixed(self.randomness)
        self.assertEqual(self.judge(tx), [{**row, "status": "valid"} for row in rows])


if __name__ == "__main__":
    unittest.main()
