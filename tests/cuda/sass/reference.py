"""Curves and signature schemes on Python's integers: what kernels must compute. Nothing here is for secrets."""

import configparser
import hashlib
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "src"

TABLE = configparser.ConfigParser()
TABLE.read(SOURCE / "curve" / "curves.ini")
# The names of the curves that kernels are for, in the order of their gecc_curve, from 1 on.
CURVES = [name for name in TABLE.sections() if TABLE[name].get("form", "weierstrass") == "weierstrass"]


class Curve:
    """y^2 = x^3 + a x + b mod p; points are pairs, None is infinity."""

    def __init__(self, name):
        section = TABLE[name]
        self.name = name
        self.p, self.n, self.b, x, y = (int(section[key], 16) for key in ("p", "n", "b", "gx", "gy"))
        self.a = int(section["a"], 16)
        self.bits = self.n.bit_length()
        self.bytes = (self.bits + 7) // 8
        # of residues on the GPU's machine, which has an even number of limbs of 32 bits
        self.residue_bytes = -(-self.bits // 64) * 8
        self.generator = (x, y)
        self.low_s = name == "secp256k1"
        # residues are kept as x R mod p where the reduction is Montgomery's: src/limbs/modulus.h
        self.r = 1 if section["reduction"] == "PSEUDO_MERSENNE" else 1 << 8 * self.residue_bytes

    def add(self, a, b):
        if a is None or b is None:
            return a or b
        (x1, y1), (x2, y2) = a, b
        if x1 == x2 and (y1 + y2) % self.p == 0:
            return None
        if x1 == x2:
            slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, self.p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p)
        x = (slope * slope - x1 - x2) % self.p
        return x, (slope * (x1 - x) - y1) % self.p

    def multiply(self, k, point=None):
        result, power = None, point or self.generator
        while k:
            if k & 1:
                result = self.add(result, power)
            power = self.add(power, power)
            k >>= 1
        return result

    def encode(self, number):
        return number.to_bytes(self.bytes, "big")

    def encode_point(self, point):
        return b"\4" + self.encode(point[0]) + self.encode(point[1])

    def secret_table(self):
        """src/batch/tables.h: the odd multiples of each window's base, as src/limbs/ptx/scan.h has them."""
        text = (SOURCE / "batch" / "gpu_windows.h").read_text("utf-8")
        wide, narrow = re.search(r"SECRET_WINDOW = WORDS > 8 \? (\d+) : (\d+)", text).groups()
        width = int(wide if self.bytes > 32 else narrow)
        entries, size = 1 << width - 1, 2 * self.residue_bytes
        table, base = bytearray(), self.generator
        for _ in range(-(-self.bits // width)):
            window, point, twice = bytearray(entries * size), base, self.add(base, base)
            for entry in range(entries):
                row = b"".join((x * self.r % self.p).to_bytes(self.residue_bytes, "little") for x in point)
                for at, value in enumerate(row):
                    window[self.scan_place(entry, at)] = value
                point = self.add(point, twice)
            table += window
            base = self.multiply(1 << width, base)
        return bytes(table)

    def scan_place(self, entry, at):
        """Where byte `at` of an entry stands: 32 entries after 32, for each of a quarter's words 16 bytes of each lane."""
        part = self.residue_bytes // 2
        quarter, word, half, column = at // part, at % part // 4, at % 4 // 2, at % 2
        lane = (2 * quarter + column) * 4 + entry % 32 // 8
        return ((entry // 32 * (part // 4) + word) * 32 + lane) * 16 + 8 * half + entry % 8

    def ecdsa_sign(self, d, e, k):
        """FIPS 186-5, 6.4.1: the signature and its recovery id."""
        x, y = self.multiply(k)
        r = x % self.n
        s = pow(k, -1, self.n) * (e + r * d) % self.n
        odd = y & 1
        if self.low_s and s > self.n // 2:
            s, odd = self.n - s, odd ^ 1
        return self.encode(r) + self.encode(s), odd | 2 * (x >= self.n)

    def sm2_sign(self, d, e, k):
        """GM/T 0003.2, 6.1."""
        r = (e + self.multiply(k)[0]) % self.n
        s = pow(1 + d, -1, self.n) * (k - r * d) % self.n
        return self.encode(r) + self.encode(s)


    # BIP-340 and BIP-341.

    def even(self, k):
        """(k or n - k, x): which multiple of the generator has that x and an even y."""
        x, y = self.multiply(k)
        return (self.n - k if y & 1 else k), self.encode(x)

    def schnorr_sign(self, d, message, auxiliary):
        d, p = self.even(d)
        mix = tagged("BIP0340/aux", auxiliary)
        t = bytes(a ^ b for a, b in zip(self.encode(d), mix))
        k, r = self.even(int.from_bytes(tagged("BIP0340/nonce", t + p + message), "big") % self.n)
        e = int.from_bytes(tagged("BIP0340/challenge", r + p + message), "big")
        return r + self.encode((k + e * d) % self.n)

    def tweak_private(self, d, root):
        d, p = self.even(d)
        return self.encode((d + int.from_bytes(tagged("TapTweak", p + root), "big")) % self.n)


def tagged(tag, message):
    prefix = hashlib.sha256(tag.encode()).digest()
    return hashlib.sha256(prefix + prefix + message).digest()


def rotate(x, n):
    n %= 32
    return (x << n | x >> (32 - n)) & 0xFFFFFFFF


def sm3(message):
    """GB/T 32905."""
    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    padded = message + b"\x80" + bytes(-(len(message) + 9) % 64) + (8 * len(message)).to_bytes(8, "big")
    for at in range(0, len(padded), 64):
        w = [int.from_bytes(padded[at + 4 * j : at + 4 * j + 4], "big") for j in range(16)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15)
            w.append(x ^ rotate(x, 15) ^ rotate(x, 23) ^ rotate(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            ss1 = rotate(rotate(a, 12) + e + rotate(0x79CC4519 if j < 16 else 0x7A879D8A, j) & 0xFFFFFFFF, 7)
            ff = a ^ b ^ c if j < 16 else a & b | a & c | b & c
            gg = e ^ f ^ g if j < 16 else e & f | ~e & g
            tt1 = ff + d + (ss1 ^ rotate(a, 12)) + (w[j] ^ w[j + 4]) & 0xFFFFFFFF
            tt2 = gg + h + ss1 + w[j] & 0xFFFFFFFF
            a, b, c, d = tt1, a, rotate(b, 9), c
            e, f, g, h = tt2 ^ rotate(tt2, 9) ^ rotate(tt2, 17), e, rotate(f, 19), g
        state = [x ^ y for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(4, "big") for x in state)


def digest(name, message):
    return sm3(message) if name == "sm3" else hashlib.new(name, message).digest()


def hmac(name, key, message):
    block = 128 if name in ("sha384", "sha512") else 64
    key = key.ljust(block, b"\0")
    inner = digest(name, bytes(x ^ 0x36 for x in key) + message)
    return digest(name, bytes(x ^ 0x5C for x in key) + inner)


def nonce(curve, name, d, e, entropy=b""):
    """RFC 6979, 3.2, with the additional data of 3.6."""
    seed = curve.encode(d) + curve.encode(e % curve.n) + entropy
    size = len(digest(name, b""))
    k, v = bytes(size), b"\1" * size
    for separator in (b"\0", b"\1"):
        k = hmac(name, k, v + separator + seed)
        v = hmac(name, k, v)
    while True:
        t = b""
        while len(t) < curve.bytes:
            v = hmac(name, k, v)
            t += v
        candidate = int.from_bytes(t[: curve.bytes], "big") >> (8 * curve.bytes - curve.bits)
        if 0 < candidate < curve.n:
            return candidate
        k = hmac(name, k, v + b"\0")
        v = hmac(name, k, v)
