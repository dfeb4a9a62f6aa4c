"""The hashes of the library, on bytes: SHA-2 of hashlib, SM3 and Keccak-256 written out; HMAC over any of them (FIPS 198-1)."""

import hashlib

WORD = 0xFFFFFFFF


def sm3(message):
    """GB/T 32905-2016 (GM/T 0004-2012), 5."""

    def rotate(x, count):
        count %= 32
        return (x << count | x >> (32 - count)) & WORD

    def p0(x):
        return x ^ rotate(x, 9) ^ rotate(x, 17)

    def p1(x):
        return x ^ rotate(x, 15) ^ rotate(x, 23)

    padded = message + b"\x80" + bytes(-(len(message) + 9) % 64) + (8 * len(message)).to_bytes(8, "big")
    v = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    for start in range(0, len(padded), 64):
        w = [int.from_bytes(padded[start + i : start + i + 4], "big") for i in range(0, 64, 4)]
        for j in range(16, 68):
            w.append(p1(w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15)) ^ rotate(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = v
        for j in range(64):
            t = 0x79CC4519 if j < 16 else 0x7A879D8A
            ss1 = rotate((rotate(a, 12) + e + rotate(t, j)) & WORD, 7)
            ss2 = ss1 ^ rotate(a, 12)
            ff = a ^ b ^ c if j < 16 else (a & b) | (a & c) | (b & c)
            gg = e ^ f ^ g if j < 16 else (e & f) | (~e & g)
            tt1 = (ff + d + ss2 + (w[j] ^ w[j + 4])) & WORD
            tt2 = (gg + h + ss1 + w[j]) & WORD
            a, b, c, d, e, f, g, h = tt1, a, rotate(b, 9), c, p0(tt2), e, rotate(f, 19), g
        v = [x ^ y for x, y in zip(v, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(4, "big") for x in v)


def keccak_f(lanes):
    """Keccak-f[1600] on 25 lanes of 64 bits, lane x + 5 y (The Keccak reference 3.0, 1.2)."""

    def rotate(x, count):
        return (x << count | x >> (64 - count)) & (1 << 64) - 1

    register = 1
    for _ in range(24):
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        theta = [parity[(x - 1) % 5] ^ rotate(parity[(x + 1) % 5], 1) for x in range(5)]
        lanes = [lane ^ theta[i % 5] for i, lane in enumerate(lanes)]
        x, y, moved = 1, 0, lanes[:]
        current = lanes[1]
        for t in range(24):  # rho and pi
            x, y = y, (2 * x + 3 * y) % 5
            current, moved[x + 5 * y] = lanes[x + 5 * y], rotate(current, (t + 1) * (t + 2) // 2 % 64)
        lanes = [moved[i] ^ (~moved[(i + 1) % 5 + i // 5 * 5] & moved[(i + 2) % 5 + i // 5 * 5]) for i in range(25)]  # chi
        for j in range(7):  # iota
            lanes[0] ^= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
    return lanes


def keccak256(message, suffix=0x01):
    """Keccak[r = 1088, c = 512], 32 bytes, with the padding 10*1 of the Keccak reference; with suffix 06, SHA3-256."""
    rate = 136
    padded = bytearray(message + bytes(rate - len(message) % rate))
    padded[len(message)] ^= suffix
    padded[-1] ^= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), rate):
        for i in range(rate // 8):
            lanes[i] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        lanes = keccak_f(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def sha2(name):
    return lambda message: hashlib.new(name, message).digest()


# name: the function, bytes of a digest, bytes of a block (HMAC's B)
HASHES = {
    "sha256": (sha2("sha256"), 32, 64),
    "sha384": (sha2("sha384"), 48, 128),
    "sha512": (sha2("sha512"), 64, 128),
    "sm3": (sm3, 32, 64),
    "keccak256": (keccak256, 32, 136),
}


def hash_bytes(name):
    return HASHES[name][1]


def digest(name, message):
    return HASHES[name][0](message)


def hmac(name, key, message):
    function, _, block = HASHES[name]
    key = key if len(key) <= block else function(key)
    key += bytes(block - len(key))
    inner = function(bytes(byte ^ 0x36 for byte in key) + message)
    return function(bytes(byte ^ 0x5C for byte in key) + inner)
