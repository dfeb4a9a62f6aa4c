"""Signed transactions of Ethereum with known senders, and what is not a transaction, with the byte where it goes wrong: written from
the Yellow Paper (appendices B and F) and the EIPs 2, 155, 1559, 2930, 4844, 7594 and 7702.

A case is a line of JSON: `raw`; `valid`, then `type`, `hash`, `sender`, `high_s`, and `authorizations` with a `signer` or null;
else `reason`, a name of `GECC_ETHEREUM_REASON_LIST`, and `position`. `chain` is the chain that is asked for, if one is."""

from random import Random

from curves import SECP256K1
from hashes import digest as hash_of
from schemes import address_of

LEGACY, ACCESS_LIST, DYNAMIC_FEE, BLOBS, SET_CODE = range(5)
NUMBER, WIDE, TO, ADDRESS, DATA, ACCESS, HASHES, AUTHORIZATIONS = "number wide to address data access hashes authorizations".split()
BEFORE = (NUMBER, WIDE, WIDE)
KINDS = {
    LEGACY: (NUMBER, WIDE, NUMBER, TO, WIDE, DATA),
    ACCESS_LIST: (WIDE, NUMBER, WIDE, NUMBER, TO, WIDE, DATA, ACCESS),
    DYNAMIC_FEE: (WIDE, *BEFORE, NUMBER, TO, WIDE, DATA, ACCESS),
    BLOBS: (WIDE, *BEFORE, NUMBER, ADDRESS, WIDE, DATA, ACCESS, WIDE, HASHES),
    SET_CODE: (WIDE, *BEFORE, NUMBER, ADDRESS, WIDE, DATA, ACCESS, AUTHORIZATIONS),
}


def number(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def head(width, offset):
    """What stands before a string (offset 80) or the items of a list (c0)."""
    return bytes([offset + width]) if width < 56 else bytes([offset + 55 + len(number(width))]) + number(width)


def rlp(item):
    """Lists, numbers and strings; what is in a Raw as it is."""
    if isinstance(item, Raw):
        return item.data
    if isinstance(item, int):
        return rlp(number(item))
    if isinstance(item, (bytes, bytearray)):
        return bytes(item) if len(item) == 1 and item[0] < 0x80 else head(len(item), 0x80) + item
    inside = b"".join(map(rlp, item))
    return head(len(inside), 0xC0) + inside


class Raw:
    def __init__(self, data):
        self.data = data


def keccak(data):
    return hash_of("keccak256", data)


class Ledger:
    def __init__(self, seed, put):
        self.random, self.put, self.seed = Random(f"{seed} ledger"), put, seed

    def case(self, tag, raw, **facts):
        self.put({"op": "eth_sender", "curve": "secp256k1", "raw": raw.hex(), **facts, "tag": tag, "src": f"generated, seed {self.seed}"})

    def bytes(self, width):
        return self.random.randbytes(width)

    def key(self):
        d = self.random.randrange(1, SECP256K1.n)
        return d, address_of(SECP256K1, SECP256K1.multiply_base(d)).hex()

    def sign(self, d, preimage, high=False):
        """(r, s, parity)."""
        n, k = SECP256K1.n, self.random.randrange(1, SECP256K1.n)
        x, y = SECP256K1.multiply_base(k)
        r = x % n
        s = pow(k, -1, n) * (int.from_bytes(keccak(preimage), "big") + r * d) % n
        return (r, s, y & 1) if (2 * s > n) == high else (r, n - s, y & 1 ^ 1)

    def field(self, kind, blobs):
        values = {
            NUMBER: lambda: self.random.choice((0, 1, 127, 128, 21000, 2**63, 2**64 - 1, self.random.getrandbits(64))),
            WIDE: lambda: self.random.choice((0, 1, 2**255, 2**256 - 1, self.random.getrandbits(self.random.randrange(1, 257)))),
            TO: lambda: self.random.choice((b"", self.bytes(20))),
            ADDRESS: lambda: self.bytes(20),
            DATA: lambda: self.bytes(self.random.choice((0, 1, 55, 56, 135, 136, 255, 256, 300, self.random.randrange(2000)))),
            ACCESS: lambda: [[self.bytes(20), [self.bytes(32) for _ in range(self.random.randrange(4))]] for _ in range(self.random.randrange(4))],
            HASHES: lambda: [b"\1" + self.bytes(31) for _ in range(blobs)],
        }
        return values[kind]()

    def authorization(self, bad):
        body = [self.random.choice((0, 1, 2**256 - 1)), self.bytes(20), self.random.getrandbits(self.random.randrange(1, 65))]
        d, signer = self.key()
        r, s, parity = self.sign(d, b"\5" + rlp(body))
        if bad:
            parity, r, s = self.random.choice(((27 + parity, r, s), (2, r, s), (255, r, s), (parity ^ 1, r, SECP256K1.n - s), (parity, 0, s), (parity, r, SECP256K1.n)))
            signer = None
        return [*body, parity, r, s], {"signer": signer}

    def transaction(self, kind, chain=None, v=None, high=False, blobs=1, authorizations=()):
        """(items, what is known of them). v: a function of the parity, of legacy transactions before EIP-155."""
        made = [self.authorization(bad) for bad in authorizations]
        items = [[a for a, _ in made] if f == AUTHORIZATIONS else self.field(f, blobs) for f in KINDS[kind]]
        d, sender = self.key()
        if kind == LEGACY:
            signed = rlp(items if v else [*items, chain, 0, 0])
            r, s, parity = self.sign(d, signed, high)
            last = [v(parity) if v else 35 + 2 * chain + parity, r, s]
        else:
            items[0] = chain
            r, s, parity = self.sign(d, bytes([kind]) + rlp(items), high)
            last = [parity, r, s]
        items += last
        facts = {"valid": True, "type": kind, "hash": keccak(self.raw(kind, items)).hex(), "sender": sender, "high_s": high}
        return items, facts | ({"authorizations": [fact for _, fact in made]} if kind == SET_CODE else {})

    def raw(self, kind, items):
        return (bytes([kind]) if kind else b"") + rlp(items)

    def some(self, kind, chain=1, **options):
        return self.transaction(kind, chain, **({"authorizations": (False, True)} if kind == SET_CODE else {}) | options)

    # Transactions.

    def good(self):
        for turn in range(30):
            for kind in KINDS:
                chain = self.random.choice((0, 1, 2, 46, 47, 1337, 2**31, 2**64, 2**255 - 19, self.random.getrandbits(64)))
                flags = tuple(self.random.random() < 0.3 for _ in range(self.random.randrange(1, 6))) if kind == SET_CODE else ()
                items, facts = self.transaction(kind, chain, high=turn % 5 == 4, blobs=1 + turn % 6, authorizations=flags)
                self.case(f"type {kind}, chain {chain}", self.raw(kind, items), **facts)
            items, facts = self.transaction(LEGACY, v=lambda parity: 27 + parity, high=turn % 5 == 3)
            self.case("before EIP-155", self.raw(LEGACY, items), **facts)
            self.case("before EIP-155, whatever the chain", self.raw(LEGACY, items), chain=61, **facts)

    def blobs(self):
        blob = bytes(131072)
        for version, proofs in ((None, 1), (1, 128)):
            items, facts = self.some(BLOBS)
            rest = ([version] if version else []) + [[blob], [self.bytes(48)], [self.bytes(48)] * proofs]
            self.case("with blobs", b"\3" + rlp([items, *rest]), **facts)
            start = 1 + len(head(len(rlp(items)) + len(b"".join(map(rlp, rest))), 0xC0)) + len(rlp(items))
            for tag, other in (("no proof", [*rest[:-1], []]), ("a proof too many", [*rest[:-1], rest[-1] * 2]), ("no commitment", [*rest[:-2], [], rest[-1]])):
                at = 1 + len(head(len(rlp(items)) + len(b"".join(map(rlp, other))), 0xC0)) + len(rlp(items))
                self.case(tag, b"\3" + rlp([items, *other]), valid=False, reason="SIDECAR", position=at)
            wrong = [*rest[:-1], [self.bytes(47)]]
            at = 1 + len(head(len(rlp(items)) + len(b"".join(map(rlp, wrong))), 0xC0)) + len(rlp(items)) + len(b"".join(map(rlp, rest[:-1]))) + 1
            self.case("a proof too narrow", b"\3" + rlp([items, *wrong]), valid=False, reason="WIDTH", position=at)
            if version:
                self.case("version 2", b"\3" + rlp([items, 2, *rest[1:]]), valid=False, reason="SIDECAR", position=start)

    def refused_signatures(self):
        """Well formed, so that they have a hash; but no sender."""
        n = SECP256K1.n
        for kind in KINDS:
            items, facts = self.some(kind)
            del facts["sender"]
            vs = (0, 1, 2, 26, 29, 34) if kind == LEGACY else (2, 27, 28, 37, 2**256 - 1)
            changes = [(f"v = {v}", "MALFORMED_RECOVERY_ID", [v, *items[-2:]]) for v in vs]
            changes += [("r = 0", "MALFORMED_SIGNATURE_RANGE", [items[-3], 0, items[-1]]), ("s = 0", "MALFORMED_SIGNATURE_RANGE", [*items[-3:-1], 0]),
                        ("r = n", "MALFORMED_SIGNATURE_RANGE", [items[-3], n, items[-1]]), ("s = n", "MALFORMED_SIGNATURE_RANGE", [*items[-3:-1], n]),
                        ("r of no point", "INVALID", [items[-3], self.no_point(), items[-1]])]  # fmt: skip
            for tag, status, last in changes:
                raw = self.raw(kind, [*items[:-3], *last])
                self.case(f"type {kind}, {tag}", raw, **facts | {"hash": keccak(raw).hex(), "status": status})

    def no_point(self):
        return next(r for r in range(self.random.getrandbits(200), 2**201) if not SECP256K1.lift(r, 0))

    # What is no transaction.

    def bad(self, kind, tag, reason, items, place):
        """The item at `place` is what is wrong: its head's first byte."""
        raw, start = self.raw(kind, items), len(self.raw(kind, items)) - len(b"".join(map(rlp, items)))
        self.case(f"type {kind}: {tag}", raw, valid=False, reason=reason, position=start + sum(len(rlp(i)) for i in items[:place]))

    def malformed_fields(self, kind):
        items, _ = self.some(kind)
        for place, what in enumerate((*KINDS[kind], WIDE, WIDE, WIDE)):

            def put(tag, reason, item, place=place):
                self.bad(kind, f"item {place}, {tag}", reason, [*items[:place], item, *items[place + 1 :]], place)

            if what in (NUMBER, WIDE):
                put("zeros before it", "ZEROS", b"\0\5")
                put("zero as a byte", "ZEROS", b"\0")
                put("too large", "NUMBER", b"\1" + bytes(8 if what == NUMBER else 32))
            if what in (TO, ADDRESS):
                for width in (1, 19, 21, 32) + ((0,) if what == ADDRESS else ()):
                    put(f"{width} bytes", "WIDTH", b"\xaa" * width)
            if what in (ACCESS, HASHES, AUTHORIZATIONS):
                put("a string", "NO_LIST", b"")
                put("a longer string", "NO_LIST", b"x" * 60)
            else:
                if kind != BLOBS or place:  # there it is the network's form
                    put("a list", "NO_STRING", [])
                put("a small byte with a length", "LENGTH", Raw(b"\x81\x05"))
                put("a short length in the long way", "LENGTH", Raw(b"\xb8\x01\xff"))
                put("a length with a zero before it", "LENGTH", Raw(b"\xb9\x00\x40" + b"x" * 64))
                put("longer than the list", "TOO_SHORT", Raw(b"\xbb\xff\xff\xff\xff"))
                put("longer than memory", "TOO_SHORT", Raw(b"\xbf" + b"\xff" * 8))
        self.bad(kind, "an item more", "TOO_MANY", [*items, 1], len(items))
        for count in range(len(items)):
            self.bad(kind, f"{count} items", "TOO_FEW", items[:count], count)

    def malformed_lists(self):
        """Within access lists, hashes of blobs and authorizations: the first item of the list is what is wrong."""
        address, key = b"\x11" * 20, b"\x22" * 32
        good = [1, address, 0, 0, 5, 7]
        changes = [
            (ACCESS_LIST, 7, "no pair", "NO_LIST", [address]),
            (ACCESS_LIST, 7, "an address too wide", "WIDTH", [[b"\0" + address, []]], 1),
            (ACCESS_LIST, 7, "keys are no list", "NO_LIST", [[address, key]], 22),
            (ACCESS_LIST, 7, "a key too narrow", "WIDTH", [[address, [key[1:]]]], 23),
            (ACCESS_LIST, 7, "an address alone", "TOO_FEW", [[address]], 22),
            (ACCESS_LIST, 7, "three in a pair", "TOO_MANY", [[address, [], 1]], 23),
            (BLOBS, 10, "a hash too narrow", "WIDTH", [key[1:]]),
            (BLOBS, 10, "a list of hashes", "NO_STRING", [[key]]),
            (SET_CODE, 9, "a string", "NO_LIST", [key]),
            (SET_CODE, 9, "parity of two bytes", "NUMBER", [[*good[:3], 256, 5, 7]], 24),
            (SET_CODE, 9, "no s", "TOO_FEW", [good[:5]], 26),
            (SET_CODE, 9, "seven items", "TOO_MANY", [[*good, 1]], 27),
            (SET_CODE, 9, "zeros before r", "ZEROS", [[*good[:4], b"\0\5", 7]], 25),
            (SET_CODE, 9, "address too narrow", "WIDTH", [[1, address[1:], 0, 0, 5, 7]], 2),
        ]  # fmt: skip
        for kind, place, tag, reason, item, *more in changes:
            items, _ = self.some(kind)
            items = [*items[:place], item, *items[place + 1 :]]
            raw = self.raw(kind, items)
            start = len(raw) - len(b"".join(map(rlp, items[place:]))) + len(rlp(item)) - len(b"".join(map(rlp, item)))
            self.case(f"type {kind}: {tag}", raw, valid=False, reason=reason, position=start + sum(more))

    def malformed_rows(self):
        self.case("empty", b"", valid=False, reason="EMPTY", position=0)
        for first in (0, *range(5, 0xC0, 11), 0x7F, 0x80, 0xB8, 0xBF):
            self.case(f"type {first}", bytes([first]) + self.bytes(40), valid=False, reason="TYPE", position=0)
        for kind in KINDS:
            items, facts = self.some(kind)
            raw, outside = self.raw(kind, items), int(kind > 0)
            self.case("a byte follows", raw + b"\0", valid=False, reason="TOO_MANY", position=len(raw))
            for cut in sorted({outside + 1, outside + 2, 20, len(raw) // 2, len(raw) - 1}):
                self.case(f"cut to {cut} bytes", raw[:cut], valid=False, reason="TOO_SHORT", position=outside)
            if kind:
                self.case("a type alone", raw[:1], valid=False, reason="TOO_FEW", position=1)
                self.case("a string", bytes([kind]) + rlp(b"x" * 60), valid=False, reason="NO_LIST", position=1)
            inside = b"".join(map(rlp, items))
            spread = raw[:outside] + bytes([0xFA]) + len(inside).to_bytes(3, "big") + inside
            self.case("the list's length with a zero before it", spread, valid=False, reason="LENGTH", position=outside)
            del facts
            items, facts = self.some(kind, 10)
            raw = self.raw(kind, items)
            self.case("of the chain", raw, chain=10, **facts)
            place = len(KINDS[LEGACY]) if kind == LEGACY else 0
            position = len(raw) - len(b"".join(map(rlp, items[place:])))
            self.case("of another chain", raw, chain=1, valid=False, reason="CHAIN", position=position)

    def all(self):
        self.good()
        self.blobs()
        self.refused_signatures()
        for kind in KINDS:
            self.malformed_fields(kind)
        self.malformed_lists()
        self.malformed_rows()


def ledger(seed, put):
    Ledger(seed, put).all()
