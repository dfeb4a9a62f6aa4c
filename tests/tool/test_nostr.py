"""Events of Nostr (NIP-01), made and signed here.

Test: fast
"""

import csv
import hashlib
import io
import json
import unittest

from bitcoin import Key, schnorr
from support import ToolTest, generator

ESCAPES = {"\n": "\\n", '"': '\\"', "\\": "\\\\", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def text(string):
    return '"' + "".join(ESCAPES.get(c, c) for c in string) + '"'


def canonical(event):
    """NIP-01: escapes of seven characters, all others verbatim, no blanks."""
    tags = "[" + ",".join("[" + ",".join(map(text, tag)) + "]" for tag in event["tags"]) + "]"
    return f'[0,{text(event["pubkey"])},{event["created_at"]},{event["kind"]},{tags},{text(event["content"])}]'.encode()


def sign(key, content="", tags=(), kind=1, created_at=1700000000, **others):
    event = {"pubkey": key.x.hex(), "created_at": created_at, "kind": kind, "tags": [list(tag) for tag in tags], "content": content}
    digest = hashlib.sha256(canonical(event)).digest()
    return {"id": digest.hex(), **event, "sig": schnorr(key, digest).hex(), **others}


class Events(ToolTest):
    def setUp(self):
        super().setUp()
        self.key = Key(0x1234567)

    def verify(self, lines, *options, status=0):
        lines = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        done = self.run_tool("verify", "--nostr", *options, stdin="\n".join(lines) + "\n", status=status)
        self.assertNotIn(b"is not read", done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_many(self):
        """Any text, in any spelling that JSON has for it, in any order of members; members of others pass."""
        randomness = generator("nostr")
        alphabet = [chr(c) for c in range(1, 128)] + ["\u00e4", "\u2028", "\ufeff", "\U0001f600", "\ud7ff", "\ue000", "/", "\0"]
        keys = [Key(n + 5) for n in range(3)]

        def random_text(most):
            return "".join(randomness.choice(alphabet) for _ in range(randomness.randrange(most)))

        events, lines = [], []
        for n in range(400):
            event = sign(randomness.choice(keys), random_text(60), [[random_text(6) for _ in range(randomness.randrange(4))] for _ in range(randomness.randrange(4))],
                         randomness.choice((0, 1, 65535)), randomness.choice((0, 1700000000, 2**63 - 1)))  # fmt: skip
            members = list(event.items()) + [("seen", [1.5e3, {"a": None}])] * (n % 3 == 0)
            randomness.shuffle(members)
            events.append(dict(members))
            line = json.dumps(events[-1], ensure_ascii=n % 2 == 0, separators=((",", ":"), (" , ", " : "))[n % 3 == 1])
            lines.append(line.replace("/", "\\/") if n % 5 == 0 else line)
        self.assertEqual(self.verify(lines), [{**event, "status": "valid"} for event in events])
        self.assertEqual([row["status"] for row in self.verify(lines, "--batch", "7")], ["valid"] * len(lines))

    def test_changes(self):
        """Whatever is changed of what was signed makes another id; a signature of another key or of another event is none."""
        good, other = sign(self.key, "hello", [["e", "x"]]), Key(99)
        changed = [
            {**good, "content": "hello "}, {**good, "tags": []}, {**good, "tags": [["e"], ["x"]]}, {**good, "kind": 2}, {**good, "created_at": 1},
            {**good, "pubkey": other.x.hex()}, {**good, "id": "00" * 32},
        ]  # fmt: skip
        for row in self.verify([*changed, good], status=1)[:-1]:
            self.assertEqual((row["status"], row["reason"]), ("invalid", "event: its id is not the hash of the event"))
        forged = sign(self.key, "x")
        signature = schnorr(other, bytes.fromhex(forged["id"])).hex()
        rows = self.verify([{**forged, "sig": signature}, {**forged, "sig": good["sig"]}, {**forged, "sig": "ff" * 64}, good], status=1)
        self.assertEqual([row["status"] for row in rows][::3], ["invalid", "valid"])
        self.assertNotEqual(rows[2]["status"], "valid")
        self.assertEqual(rows[1]["status"], "invalid")

    def test_malformed(self):
        good = sign(self.key, "hello", [["e", "x"]])
        without = {name: value for name, value in good.items() if name != "sig"}
        for line, words in (
            (without, "not all of"), ({**good, "id": good["id"].upper()}, "id is not 64 lower-case"), ({**good, "id": good["id"][:-1]}, "id is not 64"),
            ({**good, "pubkey": "02" + good["pubkey"]}, "pubkey is not 64"), ({**good, "sig": good["sig"] + "00"}, "sig is not 128"), ({**good, "sig": None}, "sig is not"),
            ({**good, "id": "zz" * 32}, "id is not 64"), ({**good, "created_at": "1"}, "no integer"), ({**good, "created_at": -1}, "no integer"), ({**good, "created_at": 2**63}, "no integer"), ({**good, "kind": 65536}, "no integer"),
            ({**good, "created_at": 1.5}, "no integer"), ({**good, "kind": True}, "no integer"), ({**good, "content": None}, "content is no string"),
            ({**good, "tags": {}}, "tags are no array"), ({**good, "tags": ["e"]}, "tags are no array of arrays"), ({**good, "tags": [["e", 1]]}, "tags are no array of arrays"),
            ({**good, "tags": [["e", ["x"]]]}, "tags are no array of arrays"), ({**good, "tags": [["e", None]]}, "tags are no array of arrays"),
            (json.dumps(good)[:-1] + ',"kind":1}', "a member twice"), (json.dumps(good)[:-1] + ',"k\\u0069nd":2}', "a member twice"),
            (json.dumps(good).replace('"hello"', '"\\ud800"'), "half of a surrogate pair"), (json.dumps(good).replace('"x"', '"\\udc00\\ud800"'), "half of a surrogate"),
            ("[]", "not a JSON object"), ('["EVENT",' + json.dumps(good) + "]", "not a JSON object"), (json.dumps(good)[:-1], "not a JSON object"), ("{}", "not all of"),
            (json.dumps({**good, "content": "a"}).replace('"a"', '"\xff\xfe"'), None),
        ):  # fmt: skip
            rows = self.verify([good, line, good], status=1)
            self.assertEqual([rows[0]["status"], rows[2]["status"]], ["valid", "valid"], line)
            if words:
                self.assertEqual(rows[1]["status"], "malformed", line)
                self.assertIn(words, rows[1]["reason"], line)

    def test_formats_and_options(self):
        good, bad = sign(self.key, 'a,"b"'), {**sign(self.key, "c"), "kind": 3}
        named = {**good, "status": "mine", "event": 5}
        done = self.run_tool("verify", "--nostr", "--output-format", "csv", stdin=json.dumps(good) + "\n" + json.dumps(bad) + "\n", status=1)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row["content"], row["status"]) for row in rows], [('a,"b"', "valid"), ("c", "invalid")])
        self.assertEqual(self.verify([named]), [{**good, "input_status": "mine", "event": 5, "status": "valid"}])
        self.assertEqual([row["status"] for row in self.verify([good, bad], "--only", "invalid", status=1)], ["invalid"])
        for options, words in ((["--jwt"], b"exclude each other"), (["--format", "csv"], b"events are JSON Lines"), (["--curve", "secp256k1"], b"each event has its key"),
                               (["--hash", "sha256"], b"go without"), (["--scheme", "bip340"], b"each event"), (["--map", "sig=s"], b"no column of this command")):  # fmt: skip
            self.assertIn(words, self.run_tool("verify", "--nostr", *options, stdin=json.dumps(good), status=2).stderr, options)


if __name__ == "__main__":
    unittest.main()
