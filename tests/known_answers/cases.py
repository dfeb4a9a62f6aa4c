"""Adversarial cases for every operation, each with the answer of schemes.py. Random is the seed's; no case depends on another."""

from cases_ecdsa import Ecdsa
from cases_points import Points
from cases_secp256k1 import Ethereum, Schnorr
from cases_sm2 import Sm2
from curves import SECP256K1, SM2
from hashes import HASHES


class Cases(Points, Ecdsa, Sm2, Schnorr, Ethereum):
    """All cases on one curve, or, with curve None, without one."""

    def of_curve(self):
        self.point_encodings()
        self.sums()
        self.multiples()
        self.sums_of_multiples()
        self.sums_of_many_multiples()
        self.shared_secrets()
        self.signatures_of_digests()
        self.edges_of_signatures()
        self.chosen_multiples()
        self.wrapped_x()
        self.encodings_of_signatures()
        self.keys_of_signatures()
        self.recoveries()
        self.deterministic_signatures()
        self.signatures_with_nonces()
        self.sighash_bytes()
        if self.curve is SECP256K1:
            self.schnorr()
            self.ethereum()
        if self.curve is SM2:
            self.sm2_verifications()
            self.sm2_signatures()
            self.sm2_digests()
            self.sm2_ciphertexts()
            self.sm2_defects()
            self.sm2_exchanges()

    def moduli(self, bits):
        top = 1 << bits
        names = (
            "2^b - 1",
            "2^(b - 1) + 1",
            "three",
            "random",
            "random, top bit",
            "square",
            "a multiple of 3, 5 and 7",
            "sparse",
            "short",
        )
        half = self.random.getrandbits(bits // 2) | 1
        values = (top - 1, top // 2 + 1, 3, self.random.getrandbits(bits) | 3, self.random.getrandbits(bits) | top // 2 | 1, half * half | 1,
                  105 * (self.random.getrandbits(bits - 8) | 1), top // 2 | 1 << bits // 3 | 1, self.random.getrandbits(bits // 3) | 3)  # fmt: skip
        return zip(names, values)

    def modular(self):
        for bits in range(128, 513, 32):
            for name, m in self.moduli(bits):
                self.modular_cases(f"{bits} bits, {name}", bits // 8, m)

    def modular_cases(self, tag, width, m):
        modulus, top = m.to_bytes(width, "big"), 1 << 8 * width
        edges = [value for value in (0, 1, 2, m - 1, m, m + 1, m // 2, top - 1, top - m, top // 2) if 0 <= value < top]
        edges += [3 * (m // 3), 5 * (m // 5), 7 * (m // 7)]

        def operand():
            kind = self.random.randrange(3)
            return (self.random.choice(edges) if kind else self.random.randrange(top)).to_bytes(width, "big")

        for op in ("mod_add", "mod_sub", "mod_mul"):
            for _ in range(5):
                self.case(op, tag, "OK", modulus=modulus, a=operand(), b=operand())
        for _ in range(4):
            self.case("mod_square", tag, "OK", modulus=modulus, a=operand())
            self.case("mod_inverse", tag, modulus=modulus, a=operand())
            exponent = self.one_of(
                bytes(1),
                b"\1",
                b"\2",
                self.bytes(1),
                self.bytes(width),
                self.bytes(64),
                b"\xff" * 33,
                (m - 1).to_bytes(width, "big"),
            )
            self.case("mod_power", tag, "OK", modulus=modulus, a=operand(), exponent=exponent)
        for op in ("mod_add", "mod_square", "mod_inverse"):
            short = {"a": bytes(width - 1)} | ({"b": operand()} if op == "mod_add" else {})
            self.case(op, f"{tag}, an operand of {width - 1} bytes", "MALFORMED_WIDTH", modulus=modulus, **short)

    def digests(self):
        for name in HASHES:
            slow = name in ("sm3", "keccak256")
            for width in (*range(0, 300, 3 if slow else 1), 1000, 4096):
                self.case("digest", f"{name} of {width} bytes", "OK", hash=name, msg=self.bytes(width))
