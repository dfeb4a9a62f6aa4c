"""For each kernel that handles secrets: launches that differ in secrets alone, and what must come of them.

What may be seen (docs/constant-time.md) is the same in all of them: every row's status is OK, no candidate for a nonce
is refused, every residue that is inverted has an inverse, and signatures are not DER.
"""

import random
from dataclasses import dataclass
from typing import Callable

from . import launch, reference

ROWS = 2
VARIANTS = 5
DIGEST_BYTES_MOST = 64


@dataclass
class Case:
    """launched(variant): a launch, and the results that it must have."""

    kernel: str
    name: str
    launched: Callable


def secret_programs(families):
    """The programs of operations.def that handle secrets and belong to these families, by name."""
    operations = launch.OPERATIONS.values()
    return [entry.function for entry in operations if entry.secrets != "NONE" and entry.family in families]


def secret_number(variant, place, low, high):
    """low <= x <= high: random, or with many zeros or ones, which a shortcut would take for something special."""
    middle = 1 << (high.bit_length() // 2)
    values = [None, None, low, high, middle]
    if values[variant] is not None:
        return values[variant]
    return random.Random(f"{variant} {place}").randint(low, high)


def public_bytes(place, size):
    return random.Random(f"public {place}").randbytes(size)


class CurveCases:
    def __init__(self, curve, info):
        self.curve = curve
        self.info = info
        self.table = curve.secret_table()
        self.point = [curve.multiply(7 + 1000 * row) for row in range(ROWS)]
        self.digest = [public_bytes(row, min(curve.bytes, DIGEST_BYTES_MOST)) for row in range(ROWS)]
        self.e = [int.from_bytes(digest, "big") for digest in self.digest]
        self.signing_flags = launch.flag("GECC_LOW_S") if curve.low_s else 0

    def secrets(self, variant, place, most=1):
        """One for each row; at most n - most."""
        return [secret_number(variant, f"{place} {row}", 1, self.curve.n - most) for row in range(ROWS)]

    def launch(self, columns, width, **fields):
        fields["curve"] = 1 + reference.CURVES.index(self.curve.name)
        return launch.Launched(self.info, columns, width, self.table, **fields)

    def case(self, function, columns, result, width):
        """`columns`: the letter of each input, s for a secret, p for a point."""

        def launched(variant):
            numbers = [self.secrets(variant, at) if c == "s" else self.point for at, c in enumerate(columns)]
            encode = {"s": self.curve.encode, "p": self.curve.encode_point}
            inputs = [[encode[c](value) for value in column] for c, column in zip(columns, numbers)]
            return self.launch(inputs, width), [(launch.OK, result(*row), 0) for row in zip(*numbers)]

        return [Case(function, function, launched)]

    def signing(self, function, sign, most):
        """By RFC 6979 with each hash, with and without entropy. `sign`: of d, e, k."""

        def case(name, with_entropy):
            def launched(variant):
                keys = self.secrets(variant, "d", most)
                entropy = [b""] * ROWS
                if with_entropy:
                    entropy = [self.curve.encode(x)[-32:] for x in self.secrets(variant, "entropy")]
                columns = [list(map(self.curve.encode, keys)), self.digest, entropy if with_entropy else None]
                results = []
                for d, e, extra in zip(keys, self.e, entropy):
                    results.append(sign(d, e, reference.nonce(self.curve, name, d, e, extra)))
                return self.launch(columns, 2 * self.curve.bytes, hash=launch.HASHES[name], flags=self.signing_flags), results

            return Case(function, f"{function}, {name}{', entropy' if with_entropy else ''}", launched)

        return [case(name, False) for name in launch.HASHES] + [case("sha256", True)]

    def signing_nonce(self, function, sign, most):
        def launched(variant):
            keys, nonces = self.secrets(variant, "d", most), self.secrets(variant, "k", most + 3)
            columns = [list(map(self.curve.encode, keys)), self.digest, list(map(self.curve.encode, nonces))]
            results = [sign(*row) for row in zip(keys, self.e, nonces)]
            return self.launch(columns, 2 * self.curve.bytes, flags=self.signing_flags), results

        return [Case(function, function, launched)]

    def schnorr_sign(self, function):
        """With and without auxiliary randomness; messages of 32 bytes, and others."""

        def case(width, with_auxiliary):
            def launched(variant):
                keys, messages = self.secrets(variant, "d"), [public_bytes(row, width) for row in range(ROWS)]
                auxiliary = [bytes(32)] * ROWS
                if with_auxiliary:
                    auxiliary = [x.to_bytes(32, "big") for x in self.secrets(variant, "auxiliary")]
                columns = [list(map(self.curve.encode, keys)), messages, auxiliary if with_auxiliary else None]
                results = [(launch.OK, self.curve.schnorr_sign(*row), 0) for row in zip(keys, messages, auxiliary)]
                return self.launch(columns, 2 * self.curve.bytes), results

            return Case(function, f"{function}, {width} bytes{', auxiliary' if with_auxiliary else ''}", launched)

        return [case(32, False), case(32, True), case(75, True)]

    def tweak_private(self, function):
        def launched(variant):
            keys, roots = self.secrets(variant, "d"), [public_bytes(row, 32) for row in range(ROWS)]
            results = [(launch.OK, self.curve.tweak_private(*row), 0) for row in zip(keys, roots)]
            return self.launch([list(map(self.curve.encode, keys)), roots], self.curve.bytes), results

        return [Case(function, function, launched)]

    def ecdsa(self, *arguments):
        return (launch.OK, *self.curve.ecdsa_sign(*arguments))

    def sm2(self, *arguments):
        return launch.OK, self.curve.sm2_sign(*arguments), 0

    def sm2_encrypt(self, function):
        """Texts are secret, too."""

        def launched(variant):
            nonces, texts = self.secrets(variant, "k"), [self.curve.encode(x) for x in self.secrets(variant, "text")]
            columns = [list(map(self.curve.encode_point, self.point)), list(map(self.curve.encode, nonces)), texts]
            results = [(launch.OK, self.curve.sm2_encrypt(*row), 0) for row in zip(self.point, nonces, texts)]
            return self.launch(columns, 97 + 32, output_bytes=97 + 32), results

        return [Case(function, function, launched)]

    def sm2_decrypt(self, function):
        """What is encrypted is the same in all launches where keys are; so the ciphertexts are not."""

        def launched(variant):
            keys, texts = self.secrets(variant, "d", 2), [public_bytes(row, 32) for row in range(ROWS)]
            sealed = [self.curve.sm2_encrypt(self.curve.multiply(d), 5 + row, texts[row]) for row, d in enumerate(keys)]
            results = [(launch.OK, text, 0) for text in texts]
            return self.launch([list(map(self.curve.encode, keys)), sealed], 32, output_bytes=32), results

        return [Case(function, function, launched)]

    def sm2_exchange(self, function):
        def launched(variant):
            keys, ephemeral = self.secrets(variant, "d", 2), self.secrets(variant, "r")
            peers, ids = [self.curve.multiply(11 + row) for row in range(ROWS)], [b"1234567812345678"] * ROWS
            encode, encode_point = self.curve.encode, self.curve.encode_point
            columns = [list(map(encode, keys)), list(map(encode, ephemeral)), ids, list(map(encode_point, self.point)),
                       list(map(encode_point, peers)), ids]  # fmt: skip
            results = [(launch.OK, self.curve.sm2_exchange(*row, 48), 0) for row in zip(keys, ephemeral, self.point, peers)]
            return self.launch(columns, 48, output_bytes=48, second=False), results

        return [Case(function, function, launched)]

    def all(self):
        """By the names of the programs."""
        curve, point = self.curve, 1 + 2 * self.curve.bytes

        def encoded(function):
            return lambda *inputs: curve.encode_point(function(*inputs))

        return {
            "ec_public_key": lambda f: self.case(f, "s", encoded(curve.multiply), point),
            "ec_mul_base": lambda f: self.case(f, "s", encoded(curve.multiply), point),
            "ec_mul": lambda f: self.case(f, "sp", encoded(curve.multiply), point),
            "ec_mul_add": lambda f: self.case(
                f, "ssp", encoded(lambda u, v, p: curve.add(curve.multiply(u), curve.multiply(v, p))), point
            ),
            "ecdh": lambda f: self.case(f, "sp", lambda k, p: curve.encode(curve.multiply(k, p)[0]), curve.bytes),
            "ecdsa_sign": lambda f: self.signing(f, self.ecdsa, 1),
            "ecdsa_sign_nonce": lambda f: self.signing_nonce(f, self.ecdsa, 1),
            "sm2_sign": lambda f: self.signing(f, self.sm2, 2),
            "sm2_sign_nonce": lambda f: self.signing_nonce(f, self.sm2, 2),
            "sm2_encrypt": self.sm2_encrypt,
            "sm2_decrypt": self.sm2_decrypt,
            "sm2_exchange": self.sm2_exchange,
            "schnorr_public_key": lambda f: self.case(f, "s", lambda k: curve.even(k)[1], curve.bytes),
            "schnorr_sign": self.schnorr_sign,
            "schnorr_tweak_private_key": self.tweak_private,
        }


class EdwardsCases:
    def __init__(self, curve, info):
        self.curve = curve
        self.info = info
        self.table = curve.secret_table()

    def secrets(self, variant, place):
        """32 bytes for each row."""
        top = (1 << 256) - 1
        return [secret_number(variant, f"{place} {row}", 0, top).to_bytes(32, "little") for row in range(ROWS)]

    def case(self, name, function, result, width, public=(), **fields):
        """`public`: further columns; result: of a secret and their rows."""
        fields["curve"] = 16 + reference.EDWARDS_CURVES.index(self.curve.name)

        def launched(variant):
            keys = self.secrets(variant, "key")
            rows = zip(keys, *(column for column in public if column))
            made = launch.Launched(self.info, [keys, *public], width, self.table, **fields)
            return made, [(launch.OK, result(*row), 0) for row in rows]

        return Case(function, name, launched)

    def sign(self, function):
        """Messages of 32 bytes and others; with contexts, and hashed before."""
        curve = self.curve
        messages = {width: [public_bytes(row, width) for row in range(ROWS)] for width in (32, 203)}
        contexts = [public_bytes(f"context {row}", 11) for row in range(ROWS)]

        def prehashed(seed, message):
            return curve.sign(seed, message, prehash=True)

        flag = launch.flag("GECC_PREHASH")
        plain = [self.case(f"{function}, {w} bytes", function, curve.sign, 64, [m, None]) for w, m in messages.items()]
        return plain + [
            self.case(f"{function}, contexts", function, curve.sign, 64, [messages[32], contexts]),
            self.case(f"{function}, hashed before", function, prehashed, 64, [messages[203], None], flags=flag),
        ]

    def all(self):
        """By the names of the programs."""
        curve = self.curve
        points = [curve.x25519(9 + row, 9) for row in range(ROWS)]

        def shared(k, u):
            return curve.x25519(curve.clamp(k), int.from_bytes(u, "little"))

        return {
            "ed25519_public_key": lambda f: [self.case(f, f, curve.public_key, 32)],
            "ed25519_sign": self.sign,
            "x25519_public_key": lambda f: [self.case(f, f, lambda k: curve.x25519(curve.clamp(k), 9), 32)],
            "x25519": lambda f: [self.case(f, f, shared, 32, [points])],
        }


class ModCases:
    def __init__(self, bits, info):
        self.width = bits // 8
        self.info = info
        modulus = next_prime(int.from_bytes(public_bytes(f"modulus {bits}", self.width), "big") | 1 << (bits - 1))
        curves = map(reference.Curve, reference.CURVES)
        self.any_modulus = {"": modulus}
        self.known = {f", p of {curve.name}": curve.p for curve in curves if curve.bytes == self.width}

    def case(self, function, operands, result, least, moduli):
        """result: of the operands and the modulus."""

        def launcher(modulus):
            def launched(variant):
                top = (1 << 8 * self.width) - 1
                numbers = [
                    [secret_number(variant, f"{at} {row}", least, top) for row in range(ROWS)] for at in range(operands)
                ]
                columns = [[x.to_bytes(self.width, "big") for x in column] for column in numbers]
                launched = launch.Launched(self.info, columns, self.width, operation=launch.OPERATIONS[function].number)
                launched.set_modulus(modulus, self.width)
                outputs = [(result(*row, modulus) % modulus).to_bytes(self.width, "big") for row in zip(*numbers)]
                return launched, [(launch.OK, output, 0) for output in outputs]

            return launched

        return [Case(function, f"{function}{name}", launcher(modulus)) for name, modulus in moduli.items()]

    def all(self):
        any_modulus, known = self.any_modulus, {**self.any_modulus, **self.known}
        return {
            "mod_add": lambda f: self.case(f, 2, lambda a, b, m: a + b, 0, any_modulus),
            "mod_sub": lambda f: self.case(f, 2, lambda a, b, m: a - b, 0, any_modulus),
            "mod_mul": lambda f: self.case(f, 2, lambda a, b, m: a * b, 0, any_modulus),
            "mod_square": lambda f: self.case(f, 1, lambda a, m: a * a, 0, any_modulus),
            "mod_inverse": lambda f: self.case(f, 1, lambda a, m: pow(a, -1, m), 1, known),
            "mod_power": lambda f: self.case(f, 2, pow, 0, any_modulus),
        }


def next_prime(number):
    """The next one that Fermat's test to base 2 takes for one."""
    number |= 1
    while pow(2, number - 1, number) != 1:
        number += 2
    return number


def families(image):
    if image.startswith("mod_"):
        return {"MOD"}
    return {image.upper()} if image in reference.EDWARDS_CURVES else {"CURVE", image.upper()}


def cases_of(image, info):
    """All cases of an image: a curve's name, or mod_<bits>. A program without a case is an error."""
    if image.startswith("mod_"):
        known = ModCases(int(image[4:]), info)
    elif image in reference.EDWARDS_CURVES:
        known = EdwardsCases(reference.EdwardsCurve(image), info)
    else:
        known = CurveCases(reference.Curve(image), info)
    makers = known.all()
    return [case for name in secret_programs(families(image)) for case in makers[name](name)]
