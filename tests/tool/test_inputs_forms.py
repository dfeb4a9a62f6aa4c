"""gecc inputs: the forms in which records come, and records of which something is changed.

Test: fast; no sanitizers
"""

import csv
import io
import json
import unittest

from bitcoin import ALL, KeyHash, WitnessKeyHash, Wrapped, build, compact
from support import generator
from test_inputs import KEYS, InputsTest, mixed


def core_number(satoshi):
    return f"{satoshi // 10**8}.{satoshi % 10**8:08}"


class Literal(float):
    """A number that json writes as Bitcoin Core does."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __repr__(self):
        return self.text


def core_transaction(tx, coinbase=False):
    """As getrawtransaction shows one with verbosity 2."""
    vin = [{"coinbase": "00", "sequence": 1}] if coinbase else [
        {"txid": one.outpoint[31::-1].hex(), "vout": int.from_bytes(one.outpoint[32:], "little"),
         "scriptSig": {"asm": "", "hex": one.script.hex()}, "txinwitness": [item.hex() for item in one.witness],
         "prevout": {"generated": False, "height": 1, "value": Literal(core_number(one.amount)),
                     "scriptPubKey": {"asm": "OP \u00e9 \\ \"", "hex": one.spends.hex(), "type": "x"}},
         "sequence": one.sequence} for one in tx.inputs]  # fmt: skip
    vout = [{"value": Literal(core_number(amount)), "n": n, "scriptPubKey": {"hex": script.hex()}}
            for n, (amount, script) in enumerate(tx.outputs)]  # fmt: skip
    return {"txid": tx.txid, "version": 2, "size": 1, "vin": vin, "vout": vout, "fee": Literal("0.00000001"),
            "hex": tx.serialize().hex()}  # fmt: skip


class Records(InputsTest):
    def setUp(self):
        super().setUp()
        draw = generator("records")
        self.made = [mixed(draw) for _ in range(3)]
        self.coinbase, _ = build(draw, [WitnessKeyHash(KEYS[0])], [[ALL]])
        self.coinbase.inputs[0].outpoint = bytes(32) + b"\xff" * 4
        self.wanted = [{**row, "status": "valid"} for _, rows in self.made for row in rows]

    def lines(self, text, *arguments, status=0, places=None):
        return self.read(self.run_tool("inputs", "--verify", *arguments, stdin=text, status=status), places)

    def block(self):
        every = [self.coinbase, *(tx for tx, _ in self.made)]
        return bytes(80) + compact(len(every)) + b"".join(tx.serialize() for tx in every)

    def prevouts(self):
        return [prevout for tx, _ in self.made for prevout in tx.prevouts]

    def test_objects_of_bitcoin_core(self):
        wanted = [{**row, "fee": 1e-8} for row in self.wanted]
        text = "".join(json.dumps(core_transaction(tx)) + "\n" for tx, _ in self.made)
        self.assertEqual(self.lines(text), wanted)
        text = "".join(json.dumps(core_transaction(tx), indent=2) + "\n\n" for tx, _ in self.made)
        self.assertEqual(self.lines(text), wanted)

    def test_blocks(self):
        block = {"hash": "00", "height": 5, "difficulty": 1.5e20, "tx": [core_transaction(self.coinbase, True)]}
        block["tx"] += [core_transaction(tx) for tx, _ in self.made]
        for indent in (None, 2):
            self.assertEqual(self.lines(json.dumps(block, indent=indent)), [{**row, "fee": 1e-8} for row in self.wanted])
        record = {"raw": self.block().hex(), "prevouts": self.prevouts()}
        self.assertEqual(self.lines(json.dumps(record), "--block"), self.wanted)

    def csv_text(self, columns=("raw", "prevouts"), raw=None):
        records = [(tx.serialize().hex(), " ".join(f"{a}:{s}" for a, s in tx.prevouts)) for tx, _ in self.made]
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["note", *columns])
        writer.writerows(["a, b", *record] for record in records)
        return text.getvalue()

    def test_csv(self):
        for columns in (("raw", "prevouts"), ("hex", "prevouts")):
            done = self.run_tool("inputs", "--verify", stdin=self.csv_text(columns), status=0)
            rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
            lines = [str(line) for line, (_, made) in enumerate(self.made, 2) for _ in made]
            self.assertEqual([row.pop("line") for row in rows], lines)
            wanted = [{"note": "a, b"} | {name: str(row.get(name, "")) for name in rows[0] if name != "note"} for row in self.wanted]
            self.assertEqual(rows, wanted)

    def test_rows_go_on_to_verify(self):
        """Rows of either scheme are what gecc verify takes."""
        done = self.run_tool("inputs", stdin=self.csv_text(), status=0)
        head, *lines = done.stdout.decode().splitlines(keepends=True)
        for scheme, arguments in (("ecdsa", ["--sig-format", "der"]), ("bip340", [])):
            chosen = [line for line in lines if f",{scheme}," in line]
            done = self.run_tool(
                "verify", "--scheme", scheme, "--sighash-byte", *arguments, stdin="".join([head, *chosen]), status=0
            )
            rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
            self.assertEqual({row["status"] for row in rows}, {"valid"})
            self.assertEqual(len(rows), sum(row["scheme"] == scheme for row in self.wanted))

    def test_small_batches(self):
        text = "".join(json.dumps(tx.record()) + "\n" for tx, _ in 50 * self.made)
        self.assertEqual(self.lines(text, "--batch", "1", "--threads", "1"), 50 * self.wanted)

    def test_malformed_records(self):
        record = self.made[0][0].record()
        raw, prevouts = record["raw"], record["prevouts"]
        bad = [
            ("[1]", "not a JSON object"),
            ("{", "not a JSON object"),
            ('{"raw":"00","prevouts":[[1,"00"]],"x":[1,]}', "not a JSON object"),
            ({}, "no `raw` and no `hex`"),
            ({"raw": 5, "prevouts": []}, "raw: not a string of hexadecimal digits"),
            ({"raw": "0", "prevouts": []}, "raw: an odd number of hexadecimal digits"),
            ({"raw": "0g", "prevouts": []}, "raw: a character that is not a hexadecimal digit"),
            ({"raw": raw}, "prevouts: fewer than the inputs that spend"),
            ({"raw": raw, "prevouts": prevouts[1:]}, "prevouts: fewer than the inputs that spend"),
            ({"raw": raw, "prevouts": [*prevouts, prevouts[0]]}, "prevouts: more than the inputs that spend"),
            ({"raw": raw, "hex": raw, "prevouts": prevouts}, "a name twice"),
            ({"raw": raw, "prevouts": prevouts, "vin": []}, "both `prevouts` and `vin`"),
            ({"raw": raw, "prevouts": {}}, "prevouts: not an array"),
            ({"raw": raw, "prevouts": [[1.5, "00"]]}, "prevouts: no amount in satoshi, an integer"),
            ({"raw": raw, "prevouts": [["1", "00"]]}, "prevouts: no amount in satoshi, an integer"),
            ({"raw": raw, "prevouts": [[-1, "00"]]}, "prevouts: no amount in satoshi, an integer"),
            ({"raw": raw, "prevouts": [[2**64, "00"]]}, "prevouts: no amount in satoshi, an integer"),
            ({"raw": raw, "prevouts": [[1]]}, "prevouts: not an amount and a script"),
            ({"raw": raw, "prevouts": [[1, "00", 2]]}, "prevouts: not an amount and a script"),
            ({"raw": raw, "prevouts": [[1, "0"]]}, "prevouts: an odd number of hexadecimal digits"),
            ({"raw": raw, "vin": [{"txid": "00"}]}, "vin: an input without prevout"),
            ({"raw": raw, "vin": [{"prevout": {"value": 1}}]}, "prevout: no scriptPubKey with hex"),
            ({"raw": raw, "vin": [{"prevout": {"value": Literal("0.123456789")}}]},
             "prevout: no value in bitcoins, a number with at most 8 decimals"),
            ({"raw": raw + "00", "prevouts": prevouts}, f"raw: byte {len(raw) // 2}: bytes follow it"),
        ]  # fmt: skip
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one, _ in bad)
        text += json.dumps(record) + "\n"
        done = self.run_tool("inputs", "--verify", "--format", "jsonl", stdin=text, status=1)
        numbers = [*range(1, len(bad) + 1), *[len(bad) + 1] * len(self.made[0][1])]
        rows = self.read(done, [(number, None) for number in numbers])
        self.assertEqual(rows[: len(bad)], [{"status": "malformed", "reason": reason} for _, reason in bad])
        self.assertEqual(rows[len(bad) :], [{**row, "status": "valid"} for row in self.made[0][1]])
        for number, (_, reason) in enumerate(bad, 1):
            self.assertIn(f"gecc: standard input: line {number}: {reason}\n".encode(), done.stderr)
        self.assertIn(b"24 malformed", done.stderr)

    def test_malformed_blocks(self):
        record = {"raw": self.block().hex(), "prevouts": self.prevouts()}
        start = 81 + len(self.coinbase.serialize())
        cases = [
            ({**record, "raw": record["raw"][:100]}, "raw: byte 0: ends within the block's header"),
            ({**record, "raw": record["raw"][:160]}, "raw: byte 80: ends before the number of transactions"),
            ({**record, "raw": record["raw"][:160] + "ff" * 9},
             "raw: byte 80: more transactions than there are bytes for"),
            ({**record, "raw": record["raw"][: 2 * start] + "01000000" + "0002" + record["raw"][2 * start + 12 :]},
             f"raw: byte {start + 4}: no inputs, and no marker of a witness", 1),
            ({**record, "raw": record["raw"] + "00"}, f"raw: byte {len(record['raw']) // 2}: bytes follow it"),
            ({**record, "prevouts": record["prevouts"][1:]}, "prevouts: fewer than the inputs that spend", 3),
            ({**record, "prevouts": record["prevouts"] + [[1, ""]]}, "prevouts: more than the inputs that spend"),
        ]  # fmt: skip
        for case, reason, *number in cases:
            places = [(1, number[0] if number else None)]
            self.assertEqual(self.lines(json.dumps(case), "--block", status=1, places=places), [{"status": "malformed", "reason": reason}])
        block = {"tx": [core_transaction(tx) for tx, _ in self.made]}
        block["tx"][1]["hex"] += "00"
        counts = [len(self.made[0][1]), 1, len(self.made[2][1])]
        places = [(3, number) for number, count in enumerate(counts) for _ in range(count)]
        rows = self.lines("\n\n" + json.dumps(block, indent=1), status=1, places=places)
        size = len(self.made[1][0].serialize())
        self.assertEqual([row["status"] for row in rows].count("malformed"), 1)
        self.assertIn(f"raw: byte {size}: bytes follow it", [row.get("reason") for row in rows])
        self.assertEqual([row["status"] for row in rows].count("valid"), 2 * len(self.made[0][1]))

    def test_truncated_at_every_byte(self):
        for tx, _ in (self.made[0], build(generator("old"), [Wrapped(KeyHash(KEYS[0]))], [[ALL]])):
            whole = tx.serialize()
            records = [{"raw": whole[:size].hex(), "prevouts": tx.prevouts} for size in range(len(whole))]
            rows = self.rows(records, status=1)
            self.assertEqual(len(rows), len(whole))
            for size, row in enumerate(rows):
                self.assertEqual(row["status"], "malformed")
                place = int(row["reason"].split("raw: byte ")[1].split(":")[0])
                self.assertLessEqual(place, size)

    def test_numbers_in_the_fewest_bytes(self):
        tx, _ = build(generator("compact"), [WitnessKeyHash(KEYS[0])], [[ALL]])
        whole = tx.serialize()
        for number in (b"\xfd\x01\x00", b"\xfe\x01\x00\x00\x00", b"\xff\x01\x00\x00\x00\x00\x00\x00\x00"):
            record = {"raw": (whole[:6] + number + whole[7:]).hex(), "prevouts": tx.prevouts}
            reason = "raw: byte 6: a number that is not in the fewest bytes"
            self.assertEqual(self.rows([record], status=1), [{"status": "malformed", "reason": reason}])
        empty = whole[:-4 - sum(len(item) + 1 for item in tx.inputs[0].witness) - 1] + b"\x00" + whole[-4:]
        row = self.rows([{"raw": empty.hex(), "prevouts": tx.prevouts}], status=1)[0]
        self.assertIn("a witness without items", row["reason"])

    def test_command_line(self):
        source = self.folder / "in.jsonl"
        source.write_text(json.dumps(self.made[0][0].record()))
        target = self.folder / "out.jsonl"
        done = self.run_tool("inputs", "--verify", source, "-o", target, status=0)
        self.assertEqual(len(target.read_text().splitlines()), len(self.made[0][1]))
        self.assertIn(b"1 transactions, 9 inputs, 12 rows: 12 valid;", done.stderr)
        done = self.run_tool("inputs", "-q", source, "-o", source, status=2)
        self.assertIn(b"is the input", done.stderr)
        self.assertIn(b"--format: csv or jsonl", self.run_tool("inputs", "--format", "raw", status=2).stderr)
        self.assertIn(b"no columns `raw` and `prevouts`", self.run_tool("inputs", stdin="a,b\n1,2\n", status=2).stderr)
        for options in ([], ["--format", "csv"], ["--format", "jsonl"]):
            for text in ("", "\n \n"):
                done = self.run_tool("inputs", *options, stdin=text, status=2)
                self.assertIn(b"standard input: it is empty; if it may be, say --allow-empty", done.stderr)
        for options in ([], ["--format", "csv"], ["--format", "jsonl"]):
            self.assertEqual(self.run_tool("inputs", "-q", "--allow-empty", *options, stdin=b"", status=0).stderr, b"")


class Changed(InputsTest):
    """A changed bit changes the verdict of what it is part of, and of nothing else."""

    def statuses(self, records):
        """Of each record the statuses of its inputs' rows, sets by input; or "malformed"."""
        text = "".join(json.dumps(record) + "\nend\n" for record in records)
        done = self.run_tool("inputs", "--verify", "--format", "jsonl", stdin=text, status=1)
        found, inputs = [], {}
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if row["status"] != "malformed":
                inputs.setdefault(row["input"], set()).add(row["status"])
            elif row["reason"].endswith("not a JSON object"):
                found.append([inputs[i] for i in sorted(inputs)] or "malformed")
                inputs = {}
        self.assertEqual(len(found), len(records))
        return found

    def test_bits(self):
        draw = generator("bits")
        tx, rows = mixed(draw)
        record = tx.record()
        whole = tx.serialize()
        places = sorted(draw.sample(range(len(whole)), 300))
        records = []
        for place in places:
            changed = bytearray(whole)
            changed[place] ^= 1 << draw.randrange(8)
            records.append({"raw": changed.hex(), "prevouts": record["prevouts"]})
        found = self.statuses(records)
        for place, one in zip(places, found):
            self.assertNotEqual(one, [{"valid"}] * 9, place)
        self.assertIn("malformed", found)
        signatures = [(row["input"], bytes.fromhex(row["sig"])) for row in rows]
        records, numbers = [], []
        for number, text in signatures:
            changed = bytearray(whole)
            changed[whole.index(text) + len(text) // 2] ^= 1
            records.append({"raw": changed.hex(), "prevouts": record["prevouts"]})
            numbers.append(number)
        for number, one in zip(numbers, self.statuses(records)):
            self.assertIn("invalid", one[number])
            self.assertTrue(all(one[i] == {"valid"} for i in range(9) if i != number), number)

    def test_amounts_and_scripts(self):
        tx, rows = mixed(generator("amounts"))
        for number in range(len(tx.inputs)):
            record = tx.record()
            record["prevouts"][number] = [record["prevouts"][number][0] ^ 1, record["prevouts"][number][1]]
            found = self.statuses([record])[0]
            # The first rule signs no amounts, BIP-143 its own, BIP-341 all.
            changed = {7, 8} | ({number} if number in (0, 1, 4, 5) else set())
            self.assertEqual([i for i, one in enumerate(found) if "invalid" in one], sorted(changed), number)
            self.assertTrue(all(found[i] == {"valid"} for i in range(9) if i not in changed))
        record = tx.record()
        amount, script = record["prevouts"][0]
        record["prevouts"][0] = [amount, script[:-1] + ("0" if script[-1] != "0" else "1")]
        found = self.statuses([record])[0]
        self.assertEqual([i for i, one in enumerate(found) if one != {"valid"}], [0, 7, 8])


if __name__ == "__main__":
    unittest.main()
