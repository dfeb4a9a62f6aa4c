"""gecc senders: whatever a record says twice has to agree, and what is not read is kept. One table of variants, one run each.

Test: fast
"""

import csv
import io
import json
import unittest
from pathlib import Path

from ethereum_rpc import item_of, transaction_object
from support import ANSWERS, ToolTest, generator

LEAST = 200  # variants of each kind
CONTEXT = {"blockHash": "0x" + "ab" * 32, "blockNumber": "0x10", "transactionIndex": "0x0"}


def head(count, base):
    if count <= 55:
        return bytes([base + count])
    size = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([base + 55 + len(size)]) + size


def rlp(item):
    if isinstance(item, list):
        inside = b"".join(map(rlp, item))
        return head(len(inside), 0xC0) + inside
    return item if len(item) == 1 and item[0] < 0x80 else head(len(item), 0x80) + item


def header():
    """A block's header, as far as it is read: 15 strings of which the first is a hash."""
    return [bytes([7]) * 32, *[bytes([i]) * 20 for i in range(14)]]


def item(raw):
    """A transaction as a block has it."""
    return item_of(raw)[0] if raw[0] >= 0xC0 else raw


def block(raws, first=None, rest=([],)):
    return rlp([header() if first is None else first, [item(raw) for raw in raws], *rest])


def other(digits, randomness):
    """Hexadecimal digits of which one is another."""
    place = randomness.randrange(2, len(digits))
    return digits[:place] + format(int(digits[place], 16) ^ randomness.randrange(1, 16), "x") + digits[place + 1 :]


class SendersTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.randomness = generator("told")
        with open(Path(ANSWERS, "ethereum.jsonl"), encoding="utf-8") as lines:
            cases = [case for case in map(json.loads, lines) if "chain" not in case and not case.get("high_s")]
        self.cases = [case for case in cases if case["valid"] and "status" not in case and len(case["raw"]) < 200000]
        self.raws = [bytes.fromhex(case["raw"]) for case in self.cases]

    def objects(self, count=None, types=range(5)):
        """Objects as nodes give them, with hash and sender, of different types; as many as asked for."""
        chosen = [(case, raw) for case, raw in zip(self.cases, self.raws) if case["type"] in types]
        for i in range(count or len(chosen)):
            case, raw = chosen[i % len(chosen)]
            yield case, {**transaction_object(raw), "hash": "0x" + case["hash"], "from": "0x" + case["sender"], **CONTEXT}

    def rows(self, objects, status=None, *arguments):
        text = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in objects)
        done = self.run_tool("senders", "--output-format", "jsonl", *arguments, stdin=text, status=status)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["line"] for row in rows], list(range(1, len(objects) + 1)))
        return rows


class Told(SendersTest):
    def refused(self, kind, variants):
        """variants: (object, texts that the reason has). Each is malformed; the good objects between them are not touched."""
        self.assertGreaterEqual(len(variants), LEAST, kind)
        good, (case, each) = [], next(iter(self.objects(1)))
        for variant, _ in variants:
            good += [variant, each]
        rows = self.rows(good, 1)
        for (variant, texts), row in zip(variants, rows[::2]):
            self.assertEqual(row["status"], "malformed", (kind, variant, row))
            self.assertNotIn("sender", row, kind)
            for text in texts:
                self.assertIn(text.lower(), row["reason"].lower(), (kind, variant))
            self.assertEqual(row["blockNumber"], CONTEXT["blockNumber"], (kind, "no key to join on"))
        for row in rows[1::2]:
            self.assertEqual((row["status"], row["sender"].lower()), ("ok", "0x" + case["sender"]), row)

    def test_hash(self):
        variants = []
        for _, each in self.objects(LEAST):
            wrong = other(each["hash"], self.randomness)
            variants.append((each | {"hash": wrong}, ["hash: it says", wrong, each["hash"]]))
        self.refused("hash", variants)

    def test_sender(self):
        for name in ("from", "sender"):
            variants = []
            for _, each in self.objects(LEAST):
                right, wrong = each["from"], other(each["from"], self.randomness)
                variants.append((each | {"from": right, name: wrong}, [wrong, right] if name == "from" else [wrong]))
            self.refused(name, variants)

    def test_what_is_not_what_was_signed(self):
        """A member is not the one that was signed: an effective gas price, input that was cut, merged lists."""
        variants = []
        numbers = "nonce gasPrice gas value maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas r s".split()
        for case, each in self.objects(6 * LEAST):
            signed = [name for name in numbers if name in each and not (name == "gasPrice" and case["type"] > 1)]
            name = self.randomness.choice([*signed, "input", "accessList", "to"])
            if name in signed:
                changed = hex(int(each[name], 16) ^ 1)
            elif name == "input" and len(each["input"]) > 2:
                changed = each["input"][:-2]
            elif name == "accessList" and each.get(name):
                changed = [{**each[name][0], "storageKeys": [*each[name][0]["storageKeys"], "0x" + "77" * 32]}, *each[name][1:]]
            elif name == "to" and each["to"]:
                changed = other(each["to"], self.randomness)
            else:
                continue
            variants.append((each | {name: changed}, []))
        self.refused("another than was signed", variants)

    def test_name_twice(self):
        variants = []
        for _, each in self.objects(2 * LEAST):
            name = self.randomness.choice([n for n in each if n not in CONTEXT and each[n] is not None])
            first, second = json.dumps(each)[:-1], json.dumps(self.randomness.choice([each[name], "0x5", None]))
            written = name if self.randomness.randrange(2) else f"\\u{ord(name[0]):04x}{name[1:]}"
            variants.append((f'{first}, "{written}": {second}}}', [f"{name}: it is there twice"]))
        self.refused("a name twice", variants)

    def test_two_names_of_one_thing(self):
        variants = []
        for case, each in self.objects(LEAST):
            if case["type"]:
                wrong = hex(int(each["yParity"], 16) ^ self.randomness.randrange(1, 256))
                variants.append((each | {"v": wrong}, ["yParity and v differ", each["yParity"], wrong]))
            else:
                v = int(each["v"], 16)
                parity = v - 27 if v < 35 else (v - 35) % 2
                for name in ("yParity", "standardV"):
                    variants.append((each | {name: hex(parity ^ 1)}, [name, each["v"]]))
                if v >= 35:
                    wrong = hex((v - 35) // 2 + 1)
                    variants.append((each | {"chainId": wrong}, ["chainId and v differ", wrong, each["v"]]))
            wrong = each["input"] + "00"
            variants.append((each | {"data": wrong}, ["input and data differ"]))
        self.refused("two names", variants)
        agreeing = []
        for case, each in self.objects(LEAST):
            v = int(each["v"], 16)
            more = {"data": each["input"].upper().replace("0X", "0x"), "sender": each["from"]}
            if case["type"] == 0 and v >= 35:
                more |= {"chainId": hex((v - 35) // 2), "yParity": hex((v - 35) % 2)}
            agreeing.append(each | more)
        self.assertEqual({row["status"] for row in self.rows(agreeing, 0)}, {"ok"})

    def test_members_of_other_types(self):
        """Signed content that the type does not have, and no hash to compare with."""
        foreign = {
            "accessList": [{"address": "0x" + "11" * 20, "storageKeys": []}], "maxFeePerGas": "0x5", "maxPriorityFeePerGas": "0x5",
            "maxFeePerBlobGas": "0x1", "blobVersionedHashes": ["0x01" + "00" * 31], "authorizationList": [{}],
        }  # fmt: skip
        variants, agreeing = [], []
        for case, each in self.objects(2 * LEAST):
            names = [name for name in foreign if name not in each]
            if not names:
                continue
            name = self.randomness.choice(names)
            told = each | {name: foreign[name]}
            agreeing.append(told)
            del each["hash"]
            variants.append(({k: v for k, v in told.items() if k != "hash"}, [name, "there is no hash to compare"]))
        self.refused("members of other types", variants)
        for row, each in zip(self.rows(agreeing, 0), agreeing):
            self.assertTrue(any(row.get(name) == value for name, value in foreign.items()), row)

    def test_lists(self):
        """Entries of lists have the members that are read, each once, and no others. What is left out is empty."""
        variants = []
        for case, each in self.objects(4 * LEAST, types=(1, 2, 3, 4)):
            name = "authorizationList" if case["type"] == 4 and self.randomness.randrange(2) else "accessList"
            if not each[name]:
                continue
            entry = dict(each[name][0])
            entry[self.randomness.choice(["signer", "keys", "note", "raw"])] = "0x1"
            variants.append((each | {name: [entry, *each[name][1:]]}, [f"{name}: an entry has a member that is not read"]))
        self.refused("lists", variants)
        agreeing = []
        for case, each in self.objects(LEAST, types=(4,)):
            signed = each["authorizationList"]
            agreeing.append(each | {"authorizationList": [one | {"v": one["yParity"]} for one in signed]})
            wrong = [one | {"v": hex(int(one["yParity"], 16) ^ 1)} for one in signed]
            if signed:
                row = self.rows([each | {"authorizationList": wrong}], 1)[0] if len(agreeing) < 3 else None
                self.assertTrue(row is None or "not what another says" in row["reason"])
        self.assertEqual({row["status"] for row in self.rows(agreeing, 0)}, {"ok"})
        blobs = [{k: v for k, v in each.items() if k != "blobVersionedHashes"} for _, each in self.objects(types=(3,))]
        self.assertEqual({row["reason"] for row in self.rows(blobs, 1)}, {"blobVersionedHashes: it is missing"})
        empty = []
        for _, each in self.objects(LEAST, types=(1, 2, 3, 4)):
            if each["accessList"] == []:
                empty += [each | {"accessList": None}, {k: v for k, v in each.items() if k != "accessList"}]
            else:
                lists = [e | ({"storageKeys": None} if e["storageKeys"] == [] else {}) for e in each["accessList"]]
                empty.append(each | {"accessList": lists})
        self.assertEqual({row["status"] for row in self.rows(empty, 0)}, {"ok"})

    def test_type_as_a_number(self):
        made = [each | {"type": int(each["type"], 16)} for _, each in self.objects()]
        self.assertEqual({row["status"] for row in self.rows(made, 0)}, {"ok"})

    def test_unknown_members_are_kept(self):
        """In objects, beside `raw`, and in columns; results have their names for themselves."""
        extra = {"note": 'a "b" \u00e9 \\', "x": [1, {"y": None}], "status": 5, "input_status": "k", "line": None, "authorities": True}
        kept = {"note": extra["note"], "x": extra["x"], "input_status": 5, "input_input_status": "k", "input_line": None,
                "input_authorities": True}  # fmt: skip
        made = [extra | each for _, each in self.objects()]
        for row in self.rows(made, 0):
            self.assertEqual(row, row | kept | CONTEXT)
        pretty = self.run_tool("senders", stdin=json.dumps(made, indent=3), status=0).stdout.splitlines()
        self.assertEqual([json.loads(line) | {"line": 0} for line in pretty], [row | {"line": 0} for row in self.rows(made, 0)])
        raws = [{"raw": "0x" + raw.hex(), "nonce": "mine", **extra} for raw in self.raws] + [{"raw": "0x1", **extra}, {"raw": 7, **extra}]
        for row in self.rows(raws, 1):
            self.assertEqual(row, row | kept)
        done = self.run_tool("senders", "--output-format", "csv", stdin=json.dumps(made[0]), status=0)
        self.assertIn(b"members of objects are in no row, as CSV has no columns for them. With", done.stderr)
        block = extra | {"number": "0x1", "hash": "0x00", "withdrawals": [], "miner": "0x", "transactions": made[:2], "long": "x" * 5000}
        for whole in (block, {"jsonrpc": "2.0", "id": 1, "result": block}, [extra | {"result": made[0]}]):
            done = self.run_tool("senders", stdin=json.dumps(whole), status=0)
            for row in map(json.loads, done.stdout.splitlines()):
                self.assertEqual(row, row | kept)
                self.assertFalse({"number", "withdrawals", "long", "input_hash", "jsonrpc"} & set(row))
            self.assertEqual(b"longer than 4096 bytes" in done.stderr, whole != [extra | {"result": made[0]}])

    def test_columns(self):
        names = ["id", "raw", "status", "hash", "note", "from"]
        cells, wanted = [], []
        for i, (case, raw) in enumerate(zip(self.cases, self.raws)):
            cells.append([i, raw.hex(), "mine", case["hash"], 'a, "b"\n0x' + raw.hex(), "0x" + case["sender"]])
            wanted.append(("ok", "0x" + case["hash"]))
        cells += [["x", "0x1", "mine", "", "", ""], ["y", self.raws[0].hex(), "mine", "00" * 32, "", ""]]
        text = io.StringIO()
        csv.writer(text).writerows([names, *cells])
        for options in ([], ["--output-format", "jsonl"]):
            done = self.run_tool("senders", *options, stdin=text.getvalue() + "z,1\n", status=1).stdout.decode()
            rows = list(map(json.loads, done.splitlines())) if options else list(csv.DictReader(io.StringIO(done, newline="")))
            self.assertEqual(len(rows), len(cells) + 1)
            for row, cell in zip(rows, cells):
                found = [row[name] for name in ("id", "input_status", "input_hash", "note", "from")]
                self.assertEqual([str(found[0]), *found[1:]], [str(cell[0]), "mine", *cell[3:]])
            self.assertEqual([(row["status"], row.get("hash")) for row in rows[: len(wanted)]], wanted)
            self.assertEqual(rows[-3]["reason"], "not hexadecimal digits, two a byte")
            self.assertTrue(rows[-2]["reason"].startswith("hash: it says 0x" + "00" * 32))
            self.assertEqual(rows[-1]["reason"], "fewer fields than the header has")

    def test_answers(self):
        made = list(self.objects(6))
        cases = [case for case, _ in made]
        one, *many = [each for _, each in made]
        batch = [
            {"jsonrpc": "2.0", "id": 1, "result": one}, {"jsonrpc": "2.0", "id": 2, "result": {"number": "0x1", "transactions": many}},
            {"id": 3, "result": "0x" + self.raws[0].hex()}, {"id": 4, "result": None},
            {"id": 5, "error": {"code": -32000, "message": "no \"such\" block"}},
            {"id": 6, "result": {"transactions": ["0x" + case["hash"] for case in cases]}},
        ]  # fmt: skip
        reasons = ["the node's answer is null", "the node answered with an error: 'no ?'such?' block'"] + ["the hash of a transaction of a block"] * 6
        for text in (json.dumps(batch), json.dumps(batch, indent=1), "".join(json.dumps(each) + "\n" for each in batch)):
            rows = [json.loads(line) for line in self.run_tool("senders", stdin=text, status=1).stdout.splitlines()]
            self.assertEqual([row["id"] for row in rows], [1] + [2] * 5 + [3, 4, 5] + [6] * 6)
            self.assertEqual([row["status"] for row in rows], ["ok"] * 7 + ["malformed"] * 8)
            self.assertEqual([row["sender"].lower() for row in rows[:6]], ["0x" + case["sender"] for case in cases])
            for row, reason in zip(rows[7:], reasons):
                self.assertTrue(row["reason"].startswith(reason), row)

    def test_types_of_other_chains(self):
        """A row each, malformed, with the number of the type, as bytes, within a block, and as an object."""
        numbers = [n for n in range(0x80) if n not in (1, 2, 3, 4)]
        raws = [bytes([n]) + rlp([b"\x01"] * 9) for n in numbers]
        lines = "".join(f"{raw.hex()}\n" for raw in raws)
        inside = block(raws).hex()
        for text in (lines, inside):
            rows = list(csv.DictReader(io.StringIO(self.run_tool("senders", stdin=text, status=1).stdout.decode())))
            self.assertEqual(len(rows), len(numbers))
            for number, row in zip(numbers, rows):
                self.assertEqual(row["status"], "malformed")
                self.assertIn(f"type 0x{number:02x}: ", row["reason"])
        self.assertIn("a deposit, which carries no signature", rows[numbers.index(0x7E)]["reason"])
        base = next(iter(self.objects(1)))[1]
        objects = [base | {"type": form(n)} for n in range(5, 256) for form in (hex, int)]
        for i, row in enumerate(self.rows(objects, 1)):
            self.assertIn(f"type: 0x{5 + i // 2:02x}: ", row["reason"])
        for text in ('"2"', '"0x"', "2.5", "[]", "true", "256", '"0x100"', "-1"):
            row = self.rows([json.dumps(base)[:-1].replace('"type"', '"was"') + f', "type": {text}}}'], 1)[0]
            self.assertIn("it is no number of a type", row["reason"])

    def test_list_where_a_number_belongs(self):
        """A block begins with a list that has a hash first: an empty list with 32 bytes behind it is a bad transaction."""
        wide = b"\xaa" * 32
        for items in ([[], wide, *[b"\1"] * 7], [[b"\1"], wide, *[b"\1"] * 7]):
            row = next(csv.DictReader(io.StringIO(self.run_tool("senders", stdin=rlp(items).hex() + "\n", status=1).stdout.decode())))
            self.assertEqual(row["status"], "malformed")
            self.assertRegex(row["reason"], r"^byte \d+: ")

    def test_chains(self):
        """A refused object has the reason that its bytes have; every chain of 64 bits can be asked for."""
        made = [each for _, each in self.objects()]
        for row, each in zip(self.rows(made, 1, "--chain-id", "987654321"), made):
            if row["status"] != "ok":
                self.assertEqual((row["reason"], row["hash"]), ("chainId: it is for another chain", each["hash"]))
        for chain in (1, *range(2**64 - 8, 2**64)):
            self.run_tool("senders", "--chain-id", chain, stdin="c0\n", status=1)
        for chain in (0, 2**64, 2**64 + 1, 10 * 2**64):
            self.run_tool("senders", "--chain-id", chain, stdin="c0\n", status=2)


class Blocks(SendersTest):
    """Bytes that no node takes for a block are none; nothing is left out."""

    def all_rows(self, data, status):
        done = self.run_tool("senders", stdin=data, status=status)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def test_blocks(self):
        whole = block(self.raws)
        for data in (whole, whole.hex(), "0x" + whole.hex() + "\n", "id,raw\n7," + whole.hex() + "\n"):
            rows = self.all_rows(data, 0)
            self.assertEqual([row["hash"][2:] for row in rows], [case["hash"] for case in self.cases])
        self.assertEqual(self.run_tool("senders", "--batch", 3, stdin=whole, status=0).stdout, self.run_tool("senders", stdin=whole).stdout)
        self.assertEqual(self.all_rows(block([]), 0), [])

    def test_blocks_that_are_none(self):
        legacy = next(raw for raw in self.raws if raw[0] >= 0xC0)
        typed = next(raw for raw in self.raws if raw[0] < 0xC0)
        bad = [
            rlp([header(), [legacy], []]), rlp([header(), [b""], []]), rlp([header(), [item(legacy), b""], []]),
            rlp([header(), [typed, b"\x80" * 40], []]), rlp([header(), typed, []]), rlp([header(), [typed]]),
            rlp([header(), [typed], b"\x01"]), rlp([[], [typed], []]), rlp([[bytes(31)], [typed], []]),
            rlp([header() + [[]], [typed], []]), rlp([header(), [b"\x01"] * 500, []]),
            rlp([[item(legacy), typed], []]), rlp([[item(legacy)], [], []]), rlp([[], []]), rlp([[typed], []]),
        ]  # fmt: skip
        for data in bad:
            for form in (data, data.hex(), json.dumps([{"raw": "0x" + data.hex()}]), json.dumps({"result": data.hex()})):
                done = self.run_tool("senders", "--output-format", "csv", stdin=form, status=1)
                rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
                self.assertEqual([(row["status"], bool(row["reason"])) for row in rows], [("malformed", True)], data.hex())

    def test_nothing(self):
        """Nothing was read: not a success."""
        for text in ("[]", "[ ]\n", "[]\n[]\n", '{"result": []}', "raw\n", "id,raw\n", "[[],[]]"):
            done = self.run_tool("senders", stdin=text, status=2)
            self.assertIn(b"there is no transaction in it; if that may be, say --allow-empty", done.stderr)
            self.run_tool("senders", "--allow-empty", stdin=text, status=0)
        self.run_tool("senders", stdin='{"transactions": []}', status=0)

    def test_lines_that_break_off(self):
        """What follows a record that cannot be read begins on a line of its own, or nothing does."""
        good = json.dumps(next(iter(self.objects(1)))[1])
        for bad in ("{", '{"raw": "0x', '{"raw": "0x"]', '{"raw": "\\', "[{}, {]", "end", '{"a": 1}}', "[1 2]", "nul"):
            text = f"{good}\n{bad}\n{good}\n"
            rows = [json.loads(line) for line in self.run_tool("senders", stdin=text, status=1).stdout.splitlines()]
            self.assertEqual([row["line"] for row in rows if row["status"] == "ok"], [1, 3], bad)
            self.assertEqual({row["line"] for row in rows if row["status"] == "malformed"}, {2}, bad)
        done = self.run_tool("senders", stdin="[\n" + good + ",\n" + good[:-1] + ",\n" + good + "]\n", status=2)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        raw = self.raws[0].hex()
        for cut in (f'id,raw\n1,{raw}\n2,"cut\n3,{raw}\n', f'id,raw\n"a,{raw}\n"b",{raw}\n'):
            done = self.run_tool("senders", stdin=cut, status=2)
            self.assertLessEqual(len(done.stdout.splitlines()), 2)



if __name__ == "__main__":
    unittest.main()
