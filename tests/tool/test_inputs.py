"""The signatures of Bitcoin's transactions: rows and verdicts.

Test: fast; no sanitizers
"""

import json
import unittest
from collections import Counter
from itertools import combinations
from pathlib import Path

from bitcoin import (
    ALL, ANYONECANPAY, CURVE, HASH_TYPES, SINGLE, Key, KeyHash, KeyPath, KeyScript, Multisig, ScriptPath, WitnessKeyHash,
    Wrapped, build, ecdsa, hash160, legacy_digest, p2pkh, push, v0_digest,
)  # fmt: skip
from support import ROOT, VECTORS, ToolTest, der, generator

EXAMPLE = ROOT / "examples/data/bitcoin-transactions.jsonl"

KEYS = [Key(7**50 + 12345 * i) for i in range(6)]
WRAPPERS = ["", "p2sh-", "p2wsh-", "p2sh-p2wsh-"]
TAPROOT_HASH_TYPES = [0, *HASH_TYPES]


def checksig(key, verify=False):
    return push(key.x) + (b"\xad" if verify else b"\xac")


class InputsTest(ToolTest):
    def rows(self, records, *arguments, status=0):
        """The rows that come of records, as dictionaries."""
        text = "".join(json.dumps(record) + "\n" for record in records)
        done = self.run_tool("inputs", "--format", "jsonl", *arguments, stdin=text, status=status)
        return self.read(done)

    def read(self, done, places=None):
        """Its rows without where their records are, each of which has a line; places: these are (line, transaction)."""
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found = [(row.pop("line"), row.pop("transaction", None)) for row in rows]
        self.assertTrue(all(line > 0 for line, _ in found))
        if places is not None:
            self.assertEqual(found, places)
        return rows

    def judge(self, tx, *arguments, status=0):
        return self.rows([tx.record()], "--verify", *arguments, status=status)

    def refused(self, tx, reason, kind=None):
        """All rows of the transaction are invalid, for that reason."""
        rows = self.judge(tx, status=1)
        self.assertEqual({(row["status"], row.get("reason")) for row in rows}, {("invalid", reason)})
        if kind:
            self.assertEqual({row["kind"] for row in rows}, {kind})
        return rows

    def check_all(self, made):
        """Transactions that are signed well: rows without and with verdicts."""
        records = [tx.record() for tx, _ in made]
        wanted = [row for _, rows in made for row in rows]
        for arguments, status in (([], "ok"), (["--verify"], "valid")):
            found = self.rows(records, *arguments)
            self.assertEqual(len(found), len(wanted))
            for row, want in zip(found, wanted):
                self.assertEqual(row, {**want, "status": status})


class Signed(InputsTest):
    """Every kind with every hash type, against the digests of bitcoin.py."""

    def test_one_signature(self):
        draw, made = generator("one signature"), []
        for hash_type in [*HASH_TYPES, 0, 4, 0x1F, 0x43, 0x60, 0xFF]:
            spends = [WitnessKeyHash(KEYS[0]), WitnessKeyHash(KEYS[1], nested=True)]
            for wrapper in WRAPPERS:
                spends += [Wrapped(KeyScript(KEYS[2]), wrapper), Wrapped(KeyHash(KEYS[3]), wrapper)]
            draw.shuffle(spends)
            for outputs in (1, 4, 12):  # with SINGLE some inputs lack an output
                made.append(build(draw, spends, [[hash_type]] * len(spends), outputs))
        self.check_all(made)

    def test_keys_in_each_encoding(self):
        draw, spends = generator("encodings"), []
        for form in ("compressed", "uncompressed", "hybrid"):
            for key in KEYS[:4]:
                spends += [Wrapped(kind(key, form), wrapper) for wrapper in WRAPPERS for kind in (KeyScript, KeyHash)]
        self.check_all([build(draw, spends, [[ALL]] * len(spends))])

    def test_multisig(self):
        draw, made = generator("multisig"), []
        for wrapper in WRAPPERS:
            for count in (1, 2, 3, 4):
                for needed in range(1, count + 1):
                    for signers in combinations(range(count), needed):
                        spend = Wrapped(Multisig(KEYS[:count], signers), wrapper)
                        made.append(build(draw, [spend], [draw.sample(HASH_TYPES, 3)]))
        self.check_all(made)

    def test_a_key_twice(self):
        """Each place of a key is good for one signature."""
        keys = [KEYS[0], KEYS[1], KEYS[0]]
        spends = [Wrapped(Multisig(keys, signers), wrapper) for wrapper in WRAPPERS for signers in ((0, 1), (1, 2), (0, 2))]
        self.check_all([build(generator("twice"), spends, [[ALL]] * len(spends))])

    def test_multisig_of_many_keys(self):
        draw = generator("many keys")
        keys = [KEYS[draw.randrange(6)] if i % 3 else Key(1000 + i) for i in range(20)]
        signers = [i for i in range(20) if i % 3 == 0]
        spends = [Wrapped(Multisig(keys, signers), wrapper) for wrapper in ("", "p2wsh-", "p2sh-p2wsh-")]
        spends.append(Wrapped(Multisig(keys[:15], signers[:5]), "p2sh-"))
        spends.append(Wrapped(Multisig(KEYS[:3], (0, 2), ["uncompressed", "hybrid", "compressed"]), "p2sh-"))
        self.check_all([build(draw, spends, [[ALL]] * len(spends))])

    def test_taproot(self):
        draw, made = generator("taproot"), []
        for hash_type in TAPROOT_HASH_TYPES:
            spends = [
                KeyPath(KEYS[0]),
                KeyPath(KEYS[1], annex=b"\x50"),
                KeyPath(KEYS[2], annex=b"\x50" + draw.randbytes(300), root=draw.randbytes(32)),
                ScriptPath(KEYS[3], checksig(KEYS[4]), [KEYS[4]]),
                ScriptPath(KEYS[5], checksig(KEYS[4]), [KEYS[4]], [draw.randbytes(32) for _ in range(5)], b"\x50abc"),
                ScriptPath(KEYS[2], checksig(KEYS[1]), [KEYS[1]], [draw.randbytes(32) for _ in range(128)]),
            ]
            made.append(build(draw, spends, [[hash_type]] * len(spends), outputs=6))
        self.check_all(made)

    def test_scripts_of_taproot(self):
        draw = generator("tapscripts")
        envelope = b"\x00\x63" + push(b"ord") + b"\x51" + push(draw.randbytes(100)) + b"\x4d\x08\x02" + bytes(520) + b"\x68"
        sum_of = checksig(KEYS[0]) + b"".join(push(key.x) + b"\xba" for key in KEYS[1:4])
        two = [KEYS[0], None, KEYS[2], None]
        spends = [
            ScriptPath(KEYS[5], checksig(KEYS[0]) + 2 * envelope, [KEYS[0]]),
            ScriptPath(KEYS[5], push(b"x") + b"\x75" + envelope + checksig(KEYS[0]), [KEYS[0]]),
            ScriptPath(KEYS[5], checksig(KEYS[0], True) + checksig(KEYS[1]), [KEYS[0], KEYS[1]]),
            ScriptPath(KEYS[5], sum_of + b"\x52\x9c", two),
            ScriptPath(KEYS[5], sum_of + b"\x52\xa2", two),
            ScriptPath(KEYS[5], sum_of + b"\x52\x9d\x51", two),
            ScriptPath(KEYS[5], checksig(KEYS[0]) + b"\x69\x51", [KEYS[0]]),
            ScriptPath(KEYS[5], checksig(KEYS[0], True) + b"\x02\x90\x00\xb2", [KEYS[0]]),  # 144 blocks
            ScriptPath(KEYS[5], checksig(KEYS[0], True) + b"\x03\x40\x0d\x03\xb1", [KEYS[0]]),  # block 200,000
        ]
        hash_types = [draw.sample(TAPROOT_HASH_TYPES, 4) for _ in spends]
        self.check_all([build(draw, spends, hash_types, outputs=9, sequence=144, lock_time=200000)])

    def test_the_number_one_is_signed(self):
        """SINGLE without an output of the input's number, by the first rule."""
        spends = [Wrapped(KeyHash(KEYS[0]))] * 3
        tx, rows = build(generator("one"), spends, [[ALL], [SINGLE], [SINGLE | ANYONECANPAY]], outputs=1)
        self.assertEqual([row["digest"] for row in rows[1:]], ["01" + "00" * 31] * 2)
        self.check_all([(tx, rows)])

    def test_a_high_s_is_valid(self):
        tx, _ = build(generator("high"), [WitnessKeyHash(KEYS[0])], [[ALL]])
        digest = v0_digest(tx, 0, p2pkh(hash160(KEYS[0].compressed)), ALL)
        tx.inputs[0].witness[0] = ecdsa(KEYS[0], digest, high=True) + b"\x01"
        self.assertEqual(self.judge(tx)[0]["status"], "valid")

    def test_signatures_are_deleted_from_the_script(self):
        """A key that is the push of a signature is not in what is signed by the first rule."""
        short = der(1, 2**150 - 1)[:-1]
        fake = (short + bytes(33))[:32] + b"\x01"
        inner = Multisig(KEYS[:2], (0,))
        inner.script = b"\x51" + push(KEYS[0].compressed) + push(fake) + b"\x52\xae"
        for wrapper, digest_of in (("", legacy_digest), ("p2wsh-", v0_digest)):
            spend = Wrapped(inner, wrapper)
            tx, _ = build(generator("delete"), [spend], [[ALL]])
            if wrapper:
                tx.inputs[0].witness[1] = fake
                want = v0_digest(tx, 0, inner.script, ALL)
            else:
                tx.inputs[0].script = push(b"") + push(fake)
                want = legacy_digest(tx, 0, inner.script, ALL, [fake])
                self.assertNotEqual(want, legacy_digest(tx, 0, inner.script, ALL))
            row = self.judge(tx, status=1)[0]
            self.assertEqual((row["digest"], row["status"]), (want.hex(), "invalid"))


class Refused(InputsTest):
    """What the rules do not allow, each for its own reason."""

    def made(self, spend, hash_types=(ALL,), **more):
        return build(generator("refused"), [spend], [list(hash_types)], **more)[0]

    def test_hashes(self):
        reason = "the key's hash is not that of the script"
        tx = self.made(Wrapped(KeyHash(KEYS[0])))
        tx.inputs[0].spends = p2pkh(bytes(20))
        self.refused(tx, reason, "p2pkh")
        tx = self.made(WitnessKeyHash(KEYS[0]))
        tx.inputs[0].spends = b"\x00\x14" + bytes(20)
        self.refused(tx, "the key's hash is not that of the output", "p2wpkh")
        for wrapper, text in (("p2sh-", "script"), ("p2wsh-", "witness script"), ("p2sh-p2wsh-", "script")):
            tx = self.made(Wrapped(Multisig(KEYS[:3], (0, 2)), wrapper))
            spends = bytearray(tx.inputs[0].spends)
            spends[5] ^= 1
            tx.inputs[0].spends = bytes(spends)
            self.refused(tx, f"the {text}'s hash is not that of the output", wrapper + "multisig")

    def test_multisig(self):
        left = "none of the keys that are left has made the signature"
        for wrapper in WRAPPERS:
            spend = Wrapped(Multisig(KEYS[:3], (0, 2)), wrapper)
            tx, rows = build(generator("order"), [spend], [[ALL]])
            own = tx.inputs[0]
            swapped = [rows[1]["sig"], rows[0]["sig"]]
            if own.witness:
                own.witness[1:3] = map(bytes.fromhex, swapped)
            else:
                stack = [b"", *map(bytes.fromhex, swapped)] + ([spend.inner.script] if wrapper else [])
                own.script = b"".join(map(push, stack))
            for row in self.refused(tx, left, wrapper + "multisig"):
                self.assertNotIn("pub", row)
            tx = self.made(Wrapped(Multisig(KEYS[:3], (1, 1)), wrapper))
            self.assertEqual([row["status"] for row in self.judge(tx, status=1)], ["valid", "invalid"], wrapper)
        tx = self.made(Wrapped(Multisig(KEYS[:3], (0, 2)), "p2wsh-"))
        tx.inputs[0].witness[0] = b"\x01"
        self.refused(tx, "the element that OP_CHECKMULTISIG drops is not empty (BIP 147)")
        tx = self.made(Wrapped(Multisig(KEYS[:3], (0, 2)), "p2wsh-"))
        tx.inputs[0].witness[1] = b""
        found = self.judge(tx, status=1)
        verdicts = [(row["status"], row.get("reason")) for row in found]
        self.assertEqual(verdicts, [("invalid", "no signature"), ("valid", None)])
        del tx.inputs[0].witness[1]
        self.refused(tx, "fewer elements than the script takes")
        tx.inputs[0].witness[1:1] = [b"", b""]
        self.refused(tx, "more elements than the script takes")

    def test_more_on_the_stack(self):
        """By the first rule, what lies below is not looked at."""
        for wrapper in WRAPPERS[:2]:
            tx = self.made(Wrapped(KeyHash(KEYS[0]), wrapper))
            tx.inputs[0].script = push(b"below") + b"\x4f\x00" + tx.inputs[0].script
            self.assertEqual(self.judge(tx)[0]["status"], "valid")

    def test_scripts_of_inputs(self):
        tx = self.made(WitnessKeyHash(KEYS[0]))
        tx.inputs[0].script = b"\x51"
        self.refused(tx, "an input's script that is not empty (BIP 141)")
        tx = self.made(WitnessKeyHash(KEYS[0], nested=True))
        tx.inputs[0].script = b"\x51" + tx.inputs[0].script
        self.refused(tx, "an input's script that is not one push of the witness program (BIP 141)")
        tx.inputs[0].script = b"\x4c" + tx.inputs[0].script[1:]
        self.refused(tx, "an input's script that is not one push of the witness program (BIP 141)")
        for spend in (Wrapped(KeyHash(KEYS[0])), Wrapped(KeyHash(KEYS[0]), "p2sh-")):
            tx = self.made(spend)
            tx.inputs[0].witness = [b""]
            self.refused(tx, "a witness that no program takes (BIP 141)")
        tx = self.made(Wrapped(KeyHash(KEYS[0]), "p2sh-"))
        tx.inputs[0].script = b"\x61" + tx.inputs[0].script
        self.refused(tx, "an input's script that does more than push (BIP 16)")
        tx.inputs[0].script = tx.inputs[0].script[1:-1]
        self.refused(tx, "an input's script that ends within a push")
        tx.inputs[0].script = b""
        self.refused(tx, "no script for the output's hash")
        tx = self.made(Wrapped(KeyHash(KEYS[0])))
        tx.inputs[0].script = push(bytes(521)) + tx.inputs[0].script
        self.refused(tx, "an element of more than 520 bytes")
        tx.inputs[0].script = 1001 * b"\x51"
        self.refused(tx, "more than 1,000 elements")
        tx.inputs[0].script = 10001 * b"\x51"
        self.refused(tx, "a script of more than 10,000 bytes")

    def test_witnesses(self):
        tx = self.made(WitnessKeyHash(KEYS[0]))
        for witness in ([], tx.inputs[0].witness[:1], [b"", *tx.inputs[0].witness]):
            tx.inputs[0].witness = witness
            self.refused(tx, "a witness that is not a signature and a key")
        for spend in (Wrapped(KeyHash(KEYS[0]), "p2wsh-"), KeyPath(KEYS[0])):
            tx = self.made(spend)
            tx.inputs[0].witness = []
            self.refused(tx, "no witness")
        tx.inputs[0].spends = b"\x00\x1f" + bytes(31)
        self.refused(tx, "a witness program of version 0 that has neither 20 nor 32 bytes", "other")

    def test_signatures(self):
        encoding = "a signature is not strict DER, or its sighash byte is 0"
        tx, rows = build(generator("der"), [WitnessKeyHash(KEYS[0])], [[ALL]])
        good = bytes.fromhex(rows[0]["sig"])[:-1]
        r = good[4 : 4 + good[3]]
        long = bytes([0x30, good[1] + 1, 2, good[3] + 1, 0]) + good[4:]
        for bad in (long, good[:1] + bytes([good[1] + 1]) + good[2:], good + b"\x00", b"\x30", b"\x31" + good[1:], r):
            tx.inputs[0].witness[0] = bad + b"\x01"
            self.refused(tx, encoding)
        for r, s in ((0, 1), (1, 0), (CURVE.n, 1), (1, CURVE.n)):
            tx.inputs[0].witness[0] = der(r, s) + b"\x01"
            self.refused(tx, "r or s is out of range")
        tx.inputs[0].witness[0] = b""
        self.refused(tx, "no signature")
        tx.inputs[0].witness[0] = good + b"\x02"
        self.refused(tx, "the signature does not verify")

    def test_keys(self):
        key = KEYS[0]
        wrong = bytes([key.hybrid[0] ^ 1]) + key.hybrid[1:]
        for pub in (wrong, b"\x05" + key.uncompressed[1:], key.uncompressed[1:], key.x, b"\x04" + key.x, b"", b"\x00"):
            tx = self.made(WitnessKeyHash(key))
            tx.inputs[0].spends = b"\x00\x14" + hash160(pub)
            digest = v0_digest(tx, 0, p2pkh(hash160(pub)), ALL)
            tx.inputs[0].witness = [ecdsa(key, digest) + b"\x01", pub]
            rows = self.refused(tx, "a point's encoding starts with the wrong byte")
            self.assertEqual(rows[0].get("pub", ""), pub.hex())

    def test_taproot_signatures(self):
        def with_type(tx, text):
            tx.inputs[0].witness[0] = text
            return tx

        tx = self.made(KeyPath(KEYS[0]), [0])
        good = tx.inputs[0].witness[0]
        for bad in (good + b"\x00", good + b"\x04", good + b"\x80", good + b"\x84", good + b"\xff"):
            self.refused(with_type(tx, bad), "a hash type that BIP 341 does not have", "p2tr-key")
        for bad in (good[:-1], good + b"\x01\x01", b"\x01"):
            self.refused(with_type(tx, bad), "a signature that has neither 64 nor 65 bytes")
        self.refused(with_type(tx, b""), "no signature")
        self.refused(with_type(tx, good + b"\x01"), "the signature does not verify")
        self.refused(with_type(tx, b"\x50" + good[1:]), "the signature does not verify")  # alone it is no annex
        spends = [KeyPath(KEYS[0])] * 3
        tx, _ = build(generator("single"), spends, [[0]] * 3, outputs=2)
        tx.inputs[2].witness[0] = tx.inputs[2].witness[0] + b"\x83"
        row = self.judge(tx, status=1)[2]
        self.assertEqual(row["reason"], "SINGLE, and no output of the input's number")
        self.assertNotIn("digest", row)

    def test_commitments(self):
        def changed(change):
            spend = ScriptPath(KEYS[5], checksig(KEYS[0]), [KEYS[0]], [bytes(32)])
            tx = self.made(spend, [0])
            witness = tx.inputs[0].witness
            witness[-1] = change(bytearray(witness[-1]))
            return tx

        def flip(place):
            def change(control):
                control[place] ^= 1
                return bytes(control)

            return change

        other = "the output key is not that of the internal key and the scripts"
        self.refused(changed(flip(0)), "the output key's y has another parity than the control block says")
        self.refused(changed(flip(40)), other, "p2tr-script")
        self.refused(changed(lambda control: bytes(control[:1]) + KEYS[4].x + bytes(control[33:])), other)
        off = next(x for x in range(5, 100) if pow(x**3 + 7, (CURVE.p - 1) // 2, CURVE.p) != 1).to_bytes(32, "big")
        self.refused(changed(lambda control: bytes(control[:1]) + off + bytes(control[33:])),
                     "the internal key gives no output key")  # fmt: skip
        for width in (32, 34, 64, 66):
            self.refused(changed(lambda control, width=width: bytes(width)), "a control block of no width that one has")
        self.refused(changed(lambda control: bytes(33 + 129 * 32)), "a control block of no width that one has")

    def test_scripts_of_taproot(self):
        def script_path(script, signers, **more):
            return self.made(ScriptPath(KEYS[5], script, signers), [0], **more)

        ends, fewer = "the script ends with false", "fewer elements than the script takes"
        self.refused(script_path(checksig(KEYS[0]), [None]), ends)
        self.refused(script_path(checksig(KEYS[0]), []), fewer)
        self.refused(script_path(checksig(KEYS[0]), [KEYS[0], None]), "the script leaves more than one element")
        self.refused(script_path(checksig(KEYS[0], True) + b"\x51", [None]), "no signature")
        sum_of = checksig(KEYS[0]) + push(KEYS[1].x) + b"\xba"
        self.refused(script_path(sum_of + b"\x52\x9c", [KEYS[0], None]), ends)
        self.refused(script_path(sum_of + b"\x52\x9d\x51", [KEYS[0], None]), "OP_NUMEQUALVERIFY finds another number")
        self.refused(script_path(b"\x00\xac", [KEYS[0]]), "a key without bytes")
        relative = checksig(KEYS[0], True) + b"\x02\x90\x00\xb2"
        reason = "a relative lock time that is not reached (BIP 112)"
        for sequence, version in ((143, 2), (144, 1), (144 | 1 << 22, 2), (144 | 1 << 31, 2)):
            self.refused(script_path(relative, [KEYS[0]], sequence=sequence, version=version), reason)
        absolute = checksig(KEYS[0], True) + b"\x03\x40\x0d\x03\xb1"
        reason = "a lock time that is not reached (BIP 65)"
        for lock_time, sequence in ((199999, 0), (600000000, 0), (200000, 0xFFFFFFFF)):
            self.refused(script_path(absolute, [KEYS[0]], lock_time=lock_time, sequence=sequence), reason)
        self.refused(script_path(checksig(KEYS[0], True) + b"\x01\x81\xb1", [KEYS[0]]), "a time lock below zero")


class Old(InputsTest):
    """Rules that old blocks do not keep."""

    def judge_at(self, tx, height):
        rows = self.rows([tx.record()], "--verify", "--height", str(height), status=None)
        return [row["status"] for row in rows]

    def test_signatures_before_bip66(self):
        tx, rows = build(generator("bip66"), [Wrapped(KeyHash(KEYS[0]))], [[ALL]])
        good = bytes.fromhex(rows[0]["sig"])[:-1]
        r, s = good[4 : 4 + good[3]], good[6 + good[3] :]

        def integer(number):
            return b"\x02" + bytes([len(number)]) + number

        def long_integer(number, width):
            return b"\x02" + bytes([0x80 + width]) + len(number).to_bytes(width, "big") + number

        body = integer(r) + integer(s)
        read = [
            b"\x30\x00" + body,
            b"\x30\x81" + bytes([len(body)]) + body,
            b"\x30\x83\xff\xff\xff" + body,
            good + b"trailing",
            b"\x30\x46" + integer(bytes(3) + r) + integer(s),
            b"\x30\x46" + integer(r.lstrip(b"\0")) + integer(s.lstrip(b"\0")),
            b"\x30\x46" + long_integer(r, 1) + long_integer(s, 7),
            b"\x30\x46" + long_integer(bytes(300) + r, 2) + integer(s),
        ]
        not_read = [
            b"\x31" + good[1:], b"\x30", b"\x30\x85\x00", good[:-1], b"\x30\x46\x03" + body[1:],
            b"\x30\x46" + integer(r), b"\x30\x46" + integer(b"\x01" + bytes(32)) + integer(s),
            b"\x30\x46" + integer(r) + b"\x02\x84\x01\x00\x00\x00" + s, b"\x30\x46\x02\x84\x00",
            b"\x30\x46\x02\x00" + integer(s), b"\x30\x46" + integer(r) + b"\x02",
            b"\x30\x46" + integer(r.lstrip(b"\0") + b"\0") + integer(s),
            b"\x30\x46\x02\x89\x01" + len(r).to_bytes(8, "big") + r + integer(s),
        ]  # fmt: skip
        for texts, before in ((read, "valid"), (not_read, "invalid")):
            for text in texts:
                tx.inputs[0].script = push(text + b"\x01") + push(KEYS[0].compressed)
                self.assertEqual(self.judge_at(tx, 363724), [before], text.hex())
                self.assertEqual(self.judge_at(tx, 363725), ["invalid"], text.hex())
        tx.inputs[0].script = push(good + b"\x01") + push(KEYS[0].compressed)
        self.assertEqual(self.judge_at(tx, 0) + self.judge_at(tx, 363725), ["valid"] * 2)

    def test_what_multisig_drops_before_bip147(self):
        for wrapper in WRAPPERS[:2]:
            tx, _ = build(generator("bip147"), [Wrapped(Multisig(KEYS[:2], (1,)), wrapper)], [[ALL]])
            tx.inputs[0].script = b"\x51" + tx.inputs[0].script[1:]
            self.assertEqual(self.judge_at(tx, 481823), ["valid"])
            self.assertEqual(self.judge_at(tx, 481824), ["invalid"])
            self.refused(tx, "the element that OP_CHECKMULTISIG drops is not empty (BIP 147)")


class NotCovered(InputsTest):
    def test_other_scripts(self):
        form, draw = "a script of another form", generator("not covered")
        tap = checksig(KEYS[0])
        spends = [
            (Wrapped(KeyScript(KEYS[0])), {"spends": b""}, "other", form),
            (Wrapped(KeyScript(KEYS[0])), {"spends": b"\x51"}, "other", form),
            (Wrapped(KeyScript(KEYS[0])), {"spends": b"\x6a" + bytes(30)}, "other", form),
            (Wrapped(KeyScript(KEYS[0])), {"script": b"\x51\x61"}, "other", "an input's script that does more than push"),
            (KeyPath(KEYS[0]), {"spends": b"\x52\x20" + bytes(32)}, "other", "a witness program without rules"),
            (KeyPath(KEYS[0]), {"spends": b"\x51\x02\x4e\x73"}, "other", "a witness program without rules"),
            (ScriptPath(KEYS[5], tap + b"\x50", [KEYS[0]]), {}, "p2tr-script", form),
            (ScriptPath(KEYS[5], tap + b"\x00\x63\x50\x68", [KEYS[0]]), {}, "p2tr-script", form),
            (ScriptPath(KEYS[5], tap + b"\x00\x63\x4d\x09\x02" + bytes(521) + b"\x68", [KEYS[0]]), {}, "p2tr-script", form),
            (ScriptPath(KEYS[5], b"\xab" + tap, [KEYS[0]]), {}, "p2tr-script", form),
            (ScriptPath(KEYS[5], tap + b"\x21", [KEYS[0]]), {}, "p2tr-script", form),
            (ScriptPath(KEYS[5], b"\x51", []), {}, "p2tr-script", "a script without signatures"),
            (ScriptPath(KEYS[5], push(KEYS[0].compressed) + b"\xac", [KEYS[0]]), {}, "p2tr-script",
             "a key of another kind than BIP-340's"),
        ]
        for script in (b"\xab" + push(KEYS[0].compressed) + b"\xac", b"\x51", push(KEYS[0].x) + b"\xac",
                       b"\x00" + push(KEYS[0].compressed) + b"\x51\xae", b"\x52" + push(KEYS[0].compressed) + b"\x51\xae",
                       b"\x51" + push(KEYS[0].compressed) + b"\x01\x01\xae",
                       b"\x51" + push(KEYS[0].compressed) + b"\x51\xae\xae"):  # fmt: skip
            for wrapper in WRAPPERS:
                inner = KeyScript(KEYS[0])
                inner.script = script
                spends.append((Wrapped(inner, wrapper), {}, wrapper[:-1] or "other", form))
        for spend, changes, kind, reason in spends:
            tx, _ = build(draw, [spend], [[0]])
            for name, value in changes.items():
                setattr(tx.inputs[0], name, value)
            for arguments in ([], ["--verify"]):
                row = self.rows([tx.record()], *arguments, status=1)[0]
                want = {"txid": tx.txid, "input": 0, "kind": kind, "status": "not covered", "reason": reason}
                self.assertEqual(row, want)

    def test_other_leaves(self):
        tx, _ = build(generator("leaf"), [ScriptPath(KEYS[5], checksig(KEYS[0]), [KEYS[0]])], [[0]])
        tx.inputs[0].witness[-1] = b"\xc2" + tx.inputs[0].witness[-1][1:]
        row = self.judge(tx, status=1)[0]
        self.assertEqual((row["status"], row["reason"]), ("not covered", "a leaf of another version"))

    def test_a_coinbase_alone(self):
        """Whether it is one, only its block says."""
        tx, _ = build(generator("coinbase"), [WitnessKeyHash(KEYS[0])], [[ALL]])
        tx.inputs[0].outpoint = bytes(32) + b"\xff" * 4
        row = self.rows([{"raw": tx.serialize().hex(), "prevouts": []}], "--verify", status=1)[0]
        self.assertEqual((row["txid"], row["kind"], row["status"]), (tx.txid, "coinbase", "not covered"))


def mixed(draw):
    """A transaction with inputs of all kinds."""
    spends = [
        WitnessKeyHash(KEYS[0]), WitnessKeyHash(KEYS[1], nested=True), Wrapped(KeyHash(KEYS[2])),
        Wrapped(Multisig(KEYS[:3], (0, 2)), "p2sh-"), Wrapped(Multisig(KEYS[:3], (1, 2)), "p2wsh-"),
        Wrapped(Multisig(KEYS[2:5], (0, 1)), "p2sh-p2wsh-"), Wrapped(KeyScript(KEYS[3], "uncompressed")), KeyPath(KEYS[4]),
        ScriptPath(KEYS[5], checksig(KEYS[4]), [KEYS[4]], [bytes(32)]),
    ]  # fmt: skip
    return build(draw, spends, [[ALL]] * 7 + [[0]] * 2, outputs=3)


def example():
    """What is in examples/data: inputs of all kinds; all hash types; inputs of the first kinds with another amount."""
    draw = generator("example")
    every, _ = mixed(draw)
    spends = [WitnessKeyHash(KEYS[0]), Wrapped(KeyHash(KEYS[1])), KeyPath(KEYS[2])]
    types, _ = build(draw, 6 * spends, [[one] for one in HASH_TYPES for _ in range(3)], outputs=18)
    changed, _ = build(draw, spends, [[ALL]] * 3)
    changed.inputs[0].amount += 1
    return [tx.record() for tx in (every, types, changed)]


class Example(InputsTest):
    def test_data(self):
        self.assertEqual([json.loads(line) for line in EXAMPLE.read_text().splitlines()], example())
        done = self.run_tool("inputs", "--verify", EXAMPLE, status=1)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["status"] for row in rows], ["valid"] * 30 + ["invalid", "valid", "invalid"])
        self.assertIn(b"3 transactions, 30 inputs, 33 rows: 31 valid, 2 invalid;", done.stderr)


@unittest.skipUnless(VECTORS, "GECC_VECTORS is not set")
class Mainnet(InputsTest):
    """Transactions of blocks 866,342 and 367,891."""

    def load(self, name):
        with open(Path(VECTORS, name)) as lines:
            return [json.loads(line) for line in lines]

    def test_transactions(self):
        rows = {}
        done = self.run_tool("inputs", "--verify", Path(VECTORS, "bitcoin.jsonl"), status=1)
        for line in done.stdout.splitlines():
            row = json.loads(line)
            self.assertIn(row["status"], ("valid", "not covered"))
            rows.setdefault((row["txid"], row["input"]), []).append(row)
        checks = 0
        for vector in self.load("bitcoin.jsonl"):
            self.assertTrue(all((vector["txid"], i) in rows for i in range(len(vector["prevouts"]))))
            for check in vector["checks"]:
                checks += 1
                self.assertTrue(any(self.fits(row, check) for row in rows[vector["txid"], check["input"]]), check)
        self.assertEqual(checks, 5325)
        counts = Counter(row["status"] for some in rows.values() for row in some)
        self.assertEqual(counts, {"valid": 5233, "not covered": 33})

    def fits(self, row, check):
        if check["kind"] == "taproot_tweak":
            names = {"internal_key": "pub", "merkle_root": "merkle_root", "output_key": "output", "parity": "parity"}
            return row["status"] == "valid" and all(row.get(name) == check[other] for name, other in names.items())
        kind = row["kind"].replace("p2sh-p2wsh-", "p2wsh-")
        signature = row.get("sig", "")[: -2 if check["enc"] == "der" else 128]
        found = (kind, row["status"], row.get("pub"), row.get("digest"), signature, row.get("hash_type"))
        return found == (check["kind"], "valid", check["pub"], check["sighash"], check["sig"], check["hash_type"])

    def test_block(self):
        done = self.run_tool("inputs", "--verify", "--block", Path(VECTORS, "bitcoin_block.jsonl"), status=1)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        counts = Counter((row["kind"], row["status"]) for row in rows)
        wanted = {("p2pkh", "valid"): 810, ("p2sh-multisig", "valid"): 14, ("other", "not covered"): 20000}
        self.assertEqual(counts, wanted)
        half = CURVE.n // 2
        high = sum(int(row["sig"][:-2][-64:], 16) > half for row in rows if row["status"] == "valid")
        self.assertEqual(high, 3)


if __name__ == "__main__":
    unittest.main()
