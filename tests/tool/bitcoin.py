"""Bitcoin's transactions in integers and bytes, by the BIPs: what is signed, and signatures.

Nonces come from a small pool, which makes signing quick and keys worthless: for tests alone.
"""

import copy
import hashlib
from dataclasses import dataclass, field

from support import SECP256K1, der

CURVE = SECP256K1
ALL, NONE, SINGLE, ANYONECANPAY = 1, 2, 3, 0x80
HASH_TYPES = [ALL, NONE, SINGLE, ALL | ANYONECANPAY, NONE | ANYONECANPAY, SINGLE | ANYONECANPAY]


def sha256(data):
    return hashlib.sha256(data).digest()


def hash256(data):
    return sha256(sha256(data))


def hash160(data):
    return hashlib.new("ripemd160", sha256(data)).digest()


def tagged(tag, data):
    return sha256(sha256(tag.encode()) * 2 + data)


def compact(number):
    for limit, prefix, width in ((0xFD, b"", 1), (1 << 16, b"\xfd", 2), (1 << 32, b"\xfe", 4)):
        if number < limit:
            return prefix + number.to_bytes(width, "little")
    return b"\xff" + number.to_bytes(8, "little")


def with_size(data):
    return compact(len(data)) + data


def push(data):
    """As the interpreter writes pushes."""
    if len(data) < 0x4C:
        return bytes([len(data)]) + data
    if len(data) < 0x100:
        return b"\x4c" + bytes([len(data)]) + data
    return b"\x4d" + len(data).to_bytes(2, "little") + data


def small(number):
    """The opcode that pushes 1 to 16, or the push of 17 to 20."""
    return bytes([0x50 + number]) if number <= 16 else bytes([1, number])


class Key:
    """A private key, its point, and how scripts write that."""

    def __init__(self, private):
        self.private = private
        self.point = CURVE.mul(private)
        x, y = (value.to_bytes(32, "big") for value in self.point)
        self.x = x
        self.compressed = bytes([2 + self.point[1] % 2]) + x
        self.uncompressed = b"\x04" + x + y
        self.hybrid = bytes([6 + self.point[1] % 2]) + x + y

    @property
    def even_private(self):
        return self.private if self.point[1] % 2 == 0 else CURVE.n - self.private

    def tweaked(self, root):
        """BIP-341: the key that stands in the output, and the parity of its y."""
        tweak = int.from_bytes(tagged("TapTweak", self.x + root), "big")
        key = Key((self.even_private + tweak) % CURVE.n)
        return key, key.point[1] % 2


NONCES = [(k, CURVE.mul(k)) for k in (3**100 + i for i in range(8))]


def ecdsa(key, digest, number=0, high=False):
    k, point = NONCES[number % len(NONCES)]
    r = point[0] % CURVE.n
    s = pow(k, -1, CURVE.n) * (int.from_bytes(digest, "big") + r * key.private) % CURVE.n
    return der(r, max(s, CURVE.n - s) if high else min(s, CURVE.n - s))


def schnorr(key, digest, number=0):
    k, point = NONCES[number % len(NONCES)]
    k = k if point[1] % 2 == 0 else CURVE.n - k
    r = point[0].to_bytes(32, "big")
    e = int.from_bytes(tagged("BIP0340/challenge", r + key.x + digest), "big")
    return r + ((k + e * key.even_private) % CURVE.n).to_bytes(32, "big")


@dataclass
class Input:
    outpoint: bytes
    amount: int
    spends: bytes  # the script of the output
    sequence: int = 0xFFFFFFFE
    script: bytes = b""
    witness: list = field(default_factory=list)


@dataclass
class Transaction:
    inputs: list
    outputs: list  # (amount, script)
    version: int = 2
    lock_time: int = 0

    def serialize(self, witness=True):
        witness = witness and any(one.witness for one in self.inputs)
        parts = [self.version.to_bytes(4, "little"), b"\x00\x01" if witness else b"", compact(len(self.inputs))]
        parts += [one.outpoint + with_size(one.script) + one.sequence.to_bytes(4, "little") for one in self.inputs]
        parts += [compact(len(self.outputs)), *map(output_bytes, self.outputs)]
        for one in self.inputs if witness else []:
            parts += [compact(len(one.witness)), *map(with_size, one.witness)]
        return b"".join(parts) + self.lock_time.to_bytes(4, "little")

    @property
    def txid(self):
        return hash256(self.serialize(witness=False))[::-1].hex()

    @property
    def prevouts(self):
        return [[one.amount, one.spends.hex()] for one in self.inputs]

    def record(self):
        return {"raw": self.serialize().hex(), "prevouts": self.prevouts}


def output_bytes(output):
    amount, script = output
    return amount.to_bytes(8, "little", signed=True) + with_size(script)


def without_pushes(script, data):
    """FindAndDelete: the script without the pushes of the data that stand where an operation does."""
    pattern, at, kept = push(data), 0, b""
    while at < len(script):
        if script.startswith(pattern, at):
            at += len(pattern)
            continue
        opcode, start = script[at], at
        at += 1
        if opcode < 0x4C:
            at += opcode
        elif opcode < 0x4F:
            width = 1 << (opcode - 0x4C)
            at += width + int.from_bytes(script[at : at + width], "little")
        kept += script[start:at]
    return kept


def legacy_digest(tx, index, script_code, hash_type, signatures=()):
    """The first rule: the hash of a copy of the transaction, changed as the hash type says."""
    base = hash_type & 0x1F
    if base == SINGLE and index >= len(tx.outputs):
        return (1).to_bytes(32, "little")
    for signature in signatures:
        script_code = without_pushes(script_code, signature)
    changed = copy.deepcopy(tx)
    for one in changed.inputs:
        one.script, one.witness = b"", []
    changed.inputs[index].script = script_code
    if base in (NONE, SINGLE):
        changed.outputs = [] if base == NONE else [(-1, b"")] * index + [tx.outputs[index]]
        for number, one in enumerate(changed.inputs):
            if number != index:
                one.sequence = 0
    if hash_type & ANYONECANPAY:
        changed.inputs = [changed.inputs[index]]
    return hash256(changed.serialize() + hash_type.to_bytes(4, "little"))


def v0_digest(tx, index, script_code, hash_type):
    """BIP-143."""
    base, anyone, own = hash_type & 0x1F, hash_type & ANYONECANPAY, tx.inputs[index]
    zeros = bytes(32)
    prevouts = zeros if anyone else hash256(b"".join(one.outpoint for one in tx.inputs))
    sequences = hash256(b"".join(one.sequence.to_bytes(4, "little") for one in tx.inputs))
    if anyone or base in (NONE, SINGLE):
        sequences = zeros
    outputs = zeros
    if base not in (NONE, SINGLE):
        outputs = hash256(b"".join(map(output_bytes, tx.outputs)))
    elif base == SINGLE and index < len(tx.outputs):
        outputs = hash256(output_bytes(tx.outputs[index]))
    return hash256(
        tx.version.to_bytes(4, "little") + prevouts + sequences + own.outpoint + with_size(script_code)
        + own.amount.to_bytes(8, "little") + own.sequence.to_bytes(4, "little") + outputs
        + tx.lock_time.to_bytes(4, "little") + hash_type.to_bytes(4, "little")
    )  # fmt: skip


def taproot_digest(tx, index, hash_type, annex=None, leaf=None):
    """BIP-341; with a leaf's hash BIP-342's."""
    own, message = tx.inputs[index], b"\x00" + bytes([hash_type])
    message += tx.version.to_bytes(4, "little") + tx.lock_time.to_bytes(4, "little")
    if not hash_type & ANYONECANPAY:
        message += sha256(b"".join(one.outpoint for one in tx.inputs))
        message += sha256(b"".join(one.amount.to_bytes(8, "little") for one in tx.inputs))
        message += sha256(b"".join(with_size(one.spends) for one in tx.inputs))
        message += sha256(b"".join(one.sequence.to_bytes(4, "little") for one in tx.inputs))
    if hash_type & 3 not in (NONE, SINGLE):
        message += sha256(b"".join(map(output_bytes, tx.outputs)))
    message += bytes([2 * (leaf is not None) + (annex is not None)])
    if hash_type & ANYONECANPAY:
        message += own.outpoint + own.amount.to_bytes(8, "little") + with_size(own.spends)
        message += own.sequence.to_bytes(4, "little")
    else:
        message += index.to_bytes(4, "little")
    if annex is not None:
        message += sha256(with_size(annex))
    if hash_type & 3 == SINGLE:
        message += sha256(output_bytes(tx.outputs[index]))
    if leaf is not None:
        message += leaf + b"\x00" + b"\xff" * 4
    return tagged("TapSighash", message)


def p2pkh(digest):
    return b"\x76\xa9\x14" + digest + b"\x88\xac"


def p2sh(script):
    return b"\xa9\x14" + hash160(script) + b"\x87"


class KeyScript:
    """<key> OP_CHECKSIG"""

    name = "p2pk"

    def __init__(self, key, form="compressed"):
        self.key, self.pub = key, getattr(key, form)
        self.script = push(self.pub) + b"\xac"

    def signed(self, digest_of, hash_types):
        """The elements of the stack, and (public key, hash type, digest, signature) of each signature."""
        hash_type = hash_types[0]
        digest = digest_of(self.script, hash_type)
        signature = ecdsa(self.key, digest) + bytes([hash_type])
        return [signature], [(self.shown, hash_type, digest, signature)]

    @property
    def shown(self):
        return b"\x04" + self.pub[1:] if self.pub[0] in (6, 7) else self.pub


class KeyHash(KeyScript):
    """OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG"""

    name = "p2pkh"

    def __init__(self, key, form="compressed"):
        super().__init__(key, form)
        self.script = p2pkh(hash160(self.pub))

    def signed(self, digest_of, hash_types):
        stack, rows = super().signed(digest_of, hash_types)
        return [*stack, self.pub], rows


class Multisig:
    """m <key> ... <key> n OP_CHECKMULTISIG; signers: the numbers of the keys that sign."""

    name = "multisig"

    def __init__(self, keys, signers, forms=None):
        self.keys, self.signers = keys, signers
        self.pubs = [getattr(key, form) for key, form in zip(keys, forms or ["compressed"] * len(keys))]
        self.script = small(len(signers)) + b"".join(map(push, self.pubs)) + small(len(keys)) + b"\xae"

    def signed(self, digest_of, hash_types):
        rows = []
        for place, number in enumerate(self.signers):
            hash_type = hash_types[place % len(hash_types)]
            digest = digest_of(self.script, hash_type)
            signature = ecdsa(self.keys[number], digest, place) + bytes([hash_type])
            rows.append((self.pubs[number], hash_type, digest, signature))
        return [b"", *(row[3] for row in rows)], rows


def ecdsa_rows(kind, rows):
    names = ("pub", "hash_type", "digest", "sig")
    values = [(pub.hex(), hash_type, digest.hex(), sig.hex()) for pub, hash_type, digest, sig in rows]
    return [{"kind": kind, "scheme": "ecdsa", "curve": "secp256k1", **dict(zip(names, row))} for row in values]


class Wrapped:
    """A script in an output: bare, or by its hash in p2sh, p2wsh, or that in p2sh."""

    def __init__(self, inner, wrapper=""):
        self.inner, self.wrapper = inner, wrapper
        program = b"\x00\x20" + sha256(inner.script)
        self.spends = {
            "": inner.script, "p2sh-": p2sh(inner.script), "p2wsh-": program, "p2sh-p2wsh-": p2sh(program),
        }[wrapper]  # fmt: skip
        self.program = program

    def sign(self, tx, index, hash_types):
        witness = "p2wsh" in self.wrapper

        def digest_of(script, hash_type):
            return (v0_digest if witness else legacy_digest)(tx, index, script, hash_type)

        stack, rows = self.inner.signed(digest_of, hash_types)
        own = tx.inputs[index]
        if witness:
            own.witness = [*stack, self.inner.script]
            own.script = push(self.program) if self.wrapper == "p2sh-p2wsh-" else b""
        else:
            own.script = b"".join(map(push, [*stack, self.inner.script] if self.wrapper else stack))
        return ecdsa_rows(self.wrapper + self.inner.name, rows)


class WitnessKeyHash:
    """p2wpkh, or that in p2sh."""

    def __init__(self, key, nested=False):
        self.key, self.nested = key, nested
        self.program = b"\x00\x14" + hash160(key.compressed)
        self.spends = p2sh(self.program) if nested else self.program

    def sign(self, tx, index, hash_types):
        hash_type = hash_types[0]
        digest = v0_digest(tx, index, p2pkh(self.program[2:]), hash_type)
        signature = ecdsa(self.key, digest) + bytes([hash_type])
        own = tx.inputs[index]
        own.witness = [signature, self.key.compressed]
        own.script = push(self.program) if self.nested else b""
        row = (self.key.compressed, hash_type, digest, signature)
        return ecdsa_rows("p2sh-p2wpkh" if self.nested else "p2wpkh", [row])


def schnorr_row(kind, key, hash_type, digest, signature, **more):
    return {
        "kind": kind, "scheme": "bip340", "curve": "secp256k1", "pub": key.x.hex(), "hash_type": hash_type,
        "digest": digest.hex(), "sig": signature.hex(), **more,
    }  # fmt: skip


def schnorr_text(key, digest, hash_type, number=0):
    return schnorr(key, digest, number) + (bytes([hash_type]) if hash_type else b"")


class KeyPath:
    """p2tr, spent with its key; hash type 0 is written as none."""

    def __init__(self, key, annex=None, root=b""):
        self.key, _ = key.tweaked(root)
        self.annex = annex
        self.spends = b"\x51\x20" + self.key.x

    def sign(self, tx, index, hash_types):
        digest = taproot_digest(tx, index, hash_types[0], self.annex)
        signature = schnorr_text(self.key, digest, hash_types[0])
        tx.inputs[index].witness = [signature] + ([] if self.annex is None else [self.annex])
        return [schnorr_row("p2tr-key", self.key, hash_types[0], digest, signature)]


class ScriptPath:
    """p2tr, spent with a script; signers: the keys in the order in which the script asks, None for an empty signature."""

    def __init__(self, internal, script, signers, path=(), annex=None):
        self.internal, self.script, self.signers, self.annex = internal, script, signers, annex
        self.leaf = tagged("TapLeaf", b"\xc0" + with_size(script))
        self.root = self.leaf
        for node in path:
            self.root = tagged("TapBranch", min(self.root, node) + max(self.root, node))
        self.output, self.parity = internal.tweaked(self.root)
        self.control = bytes([0xC0 + self.parity]) + internal.x + b"".join(path)
        self.spends = b"\x51\x20" + self.output.x

    def sign(self, tx, index, hash_types):
        rows, stack = [], []
        more = {
            "internal_key": self.internal.x.hex(), "merkle_root": self.root.hex(),
            "output_key": self.output.x.hex(), "parity": self.parity,
        }  # fmt: skip
        for place, key in enumerate(self.signers):
            if key is None:
                stack.append(b"")
                continue
            hash_type = hash_types[place % len(hash_types)]
            digest = taproot_digest(tx, index, hash_type, self.annex, self.leaf)
            stack.append(schnorr_text(key, digest, hash_type, place))
            rows.append(schnorr_row("p2tr-script", key, hash_type, digest, stack[-1], **more))
        tx.inputs[index].witness = [*reversed(stack), self.script, self.control]
        if self.annex is not None:
            tx.inputs[index].witness.append(self.annex)
        return rows


def build(draw, spends, hash_types, outputs=2, **more):
    """A transaction with an input for each spend, and the rows that come of it; hash_types: a list for each."""
    inputs = [
        Input(draw.randbytes(32) + draw.randrange(5).to_bytes(4, "little"), draw.randrange(1, 21 * 10**14), s.spends)
        for s in spends
    ]
    for one in inputs:
        one.sequence = more.get("sequence", draw.randrange(2**32))
    scripts = [draw.randbytes(draw.choice([0, 22, 25, 300])) for _ in range(outputs)]
    tx = Transaction(inputs, [(draw.randrange(10**12), script) for script in scripts], more.get("version", 2))
    tx.lock_time = more.get("lock_time", draw.randrange(2**32))
    rows = [spend.sign(tx, index, types) for index, (spend, types) in enumerate(zip(spends, hash_types))]
    return tx, [{"txid": tx.txid, "input": index, **row} for index, some in enumerate(rows) for row in some]
