"""Curves and signature schemes on Python's integers: what kernels must compute. Nothing here is for secrets."""

import configparser
import hashlib
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "src"

TABLE = configparser.ConfigParser()
TABLE.read(SOURCE / "curve" / "curves.ini")

def curves_of(form):
    return [name for name in TABLE.sections() if TABLE[name].get("form", "weierstrass") == form]


# The names of the curves that kernels are for, in the order of their gecc_curve, from 1 on; and of those of Edwards form, from 16 on.
CURVES = curves_of("weierstrass")
EDWARDS_CURVES = curves_of("edwards")


def secret_window(wide):
    """Bits of a window of G's table for secret scalars."""
    text = (SOURCE / "batch" / "gpu_windows.h").read_text("utf-8")
    return int(re.search(r"SECRET_WINDOW = WORDS > 8 \? (\d+) : (\d+)", text)[1 if wide else 2])


def scan_place(entry, at, size):
    """Where byte `at` of an entry of `size` bytes stands: 32 entries after 32, for each of a quarter's words 16 bytes of each lane."""
    part = size // 4
    quarter, word, half, column = at // part, at % part // 4, at % 4 // 2, at % 2
    lane = (2 * quarter + column) * 4 + entry % 32 // 8
    return ((entry // 32 * (part // 4) + word) * 32 + lane) * 16 + 8 * half + entry % 8


def scan_window(rows):
    """Entries, each some bytes, as src/limbs/ptx/scan.h has them."""
    size = len(rows[0])
    window = bytearray(len(rows) * size)
    for entry, row in enumerate(rows):
        for at, value in enumerate(row):
            window[scan_place(entry, at, size)] = value
    return bytes(window)


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
        self.low_s = section.getboolean("low_s", False)  # unless any s is asked for
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
        """src/batch/tables.h: the odd multiples of each window's base."""
        width = secret_window(self.bytes > 32)
        table, base = b"", self.generator
        for _ in range(-(-self.bits // width)):
            rows, point, twice = [], base, self.add(base, base)
            for _ in range(1 << width - 1):
                rows.append(b"".join((x * self.r % self.p).to_bytes(self.residue_bytes, "little") for x in point))
                point = self.add(point, twice)
            table += scan_window(rows)
            base = self.multiply(1 << width, base)
        return table

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


    def sm2_kdf(self, z, width):
        """GM/T 0003.4, 5.4.3."""
        return b"".join(sm3(z + i.to_bytes(4, "big")) for i in range(1, 2 + width // 32))[:width]

    def sm2_masked(self, point, text):
        """C2 and C3 of a text for (x2, y2), GM/T 0003.4, 6.1."""
        x, y = map(self.encode, point)
        return bytes(a ^ b for a, b in zip(text, self.sm2_kdf(x + y, len(text)))), sm3(x + text + y)

    def sm2_encrypt(self, point, k, text):
        c2, c3 = self.sm2_masked(self.multiply(k, point), text)
        return self.encode_point(self.multiply(k)) + c3 + c2

    def sm2_exchange(self, d, r, point, peer, width):
        """GM/T 0003.3, 6.1, of the initiator, with the default ids."""

        def z(key):
            numbers = (self.a % self.p, self.b, *self.generator, *key)
            return sm3(b"\0\x80" + b"1234567812345678" + b"".join(map(self.encode, numbers)))

        def reduced(x):
            return 1 << 127 | x % (1 << 127)

        t = (d + reduced(self.multiply(r)[0]) * r) % self.n
        u = self.multiply(t, self.add(point, self.multiply(reduced(peer[0]), peer)))
        return self.sm2_kdf(b"".join(map(self.encode, u)) + z(self.multiply(d)) + z(point), width)

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


class EdwardsCurve:
    """-x^2 + y^2 = 1 + d x^2 y^2 mod p, Ed25519 on it (RFC 8032) and X25519 (RFC 7748)."""

    def __init__(self, name):
        section = TABLE[name]
        self.name = name
        self.p, self.n, self.d, x, y = (int(section[key], 16) for key in ("p", "n", "d", "gx", "gy"))
        self.generator = (x, y)

    def add(self, a, b):
        (x1, y1), (x2, y2) = a, b
        product = self.d * x1 * x2 * y1 * y2
        x = (x1 * y2 + y1 * x2) * pow(1 + product, -1, self.p)
        y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, self.p)
        return x % self.p, y % self.p

    def multiply(self, k, point=None):
        result, power = (0, 1), point or self.generator
        while k:
            if k & 1:
                result = self.add(result, power)
            power = self.add(power, power)
            k >>= 1
        return result

    def secret_table(self):
        """src/batch/edwards_group.h: y + x and y - x of the multiples of each window's base, and after them 2 d x y."""
        width = secret_window(False)
        table, base = b"", self.generator
        for _ in range(-(-self.p.bit_length() // width)):
            pairs, singles, point = [], [], base
            for _ in range(1 << width - 1):
                x, y = point
                parts = [z % self.p for z in (y + x, y - x, 2 * self.d * x * y)]
                first, second, third = (z.to_bytes(32, "little") for z in parts)
                pairs.append(first + second)
                singles.append(third)
                point = self.add(point, base)
            table += scan_window(pairs) + scan_window(singles)
            base = self.multiply(1 << width, base)
        return table

    def encode(self, point):
        x, y = point
        return (y | (x & 1) << 255).to_bytes(32, "little")

    @staticmethod
    def clamp(seed):
        return int.from_bytes(seed, "little") & ~(1 << 255 | 7) | 1 << 254

    def expand(self, seed):
        digest = hashlib.sha512(seed).digest()
        return self.clamp(digest[:32]), digest[32:]

    def public_key(self, seed):
        return self.encode(self.multiply(self.expand(seed)[0]))

    def sign(self, seed, message, context=None, prehash=False):
        def number(*parts):
            return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % self.n

        dom = b""
        if context is not None or prehash:
            context = context or b""
            dom = b"SigEd25519 no Ed25519 collisions" + bytes([prehash, len(context)]) + context
        if prehash:
            message = hashlib.sha512(message).digest()
        a, prefix = self.expand(seed)
        r = number(dom, prefix, message)
        encoded = self.encode(self.multiply(r))
        k = number(dom, encoded, self.public_key(seed), message)
        return encoded + ((r + k * a) % self.n).to_bytes(32, "little")

    def x25519(self, k, u):
        """RFC 7748, section 5, by a ladder."""
        p, x1 = self.p, u % self.p
        x2, z2, x3, z3 = 1, 0, x1, 1
        for bit in reversed(range(255)):
            if k >> bit & 1:
                x2, z2, x3, z3 = x3, z3, x2, z2
            da, cb = (x3 - z3) * (x2 + z2), (x3 + z3) * (x2 - z2)
            aa, bb = (x2 + z2) ** 2, (x2 - z2) ** 2
            x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
            x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
            if k >> bit & 1:
                x2, z2, x3, z3 = x3, z3, x2, z2
        return (x2 * pow(z2, -1, p) % p).to_bytes(32, "little")


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
