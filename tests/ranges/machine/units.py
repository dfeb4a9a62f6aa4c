"""Which units machines have: src/units.ini and src/curve/curves.ini."""

import configparser
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
LANES = {"ifma": 8, "ifma256": 4, "avx512": 8, "portable": 1}


def table(path):
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    with open(os.path.join(ROOT, "src", path), encoding="utf-8") as file:
        parser.read_file(file)
    return parser


def curves():
    return table("curve/curves.ini").sections()


def multiply_of(machine):
    """The header that says what functions of the machine promise."""
    return "vector/multiply.h" if LANES[machine] > 1 else table("units.ini")[machine]["multiply"]


def edwards_curves():
    sections = table("curve/curves.ini")
    return [c for c in curves() if sections[c].get("form") == "edwards"]


def units():
    """(machine, curve) of all that is proved: limbs with spare bits are not."""
    spare = [int(part.split(":")[0]) for part in table("units.ini")["portable"]["spare"].split()]
    return [(m, c) for m in LANES for c in curves() if m != "portable" or bits_of(c) not in spare]


def bits_of(curve):
    return int(table("curve/curves.ini")[curve]["p"], 16).bit_length()


def machine_on(machine, curve):
    """What a unit begins with, its flags, its limbs, their bits, the machine's lanes, and the bits of the field."""
    section = table("units.ini")[machine]
    bits = bits_of(curve)
    limb_bits = int(section["limb_bits"])
    limbs = -(-bits // limb_bits)
    settings = f'enum {{ LIMBS = {limbs}, WORDS = {-(-bits // 32)} }};\n#include "limbs/{section["multiply"]}"'
    return settings, section.get("flags", "").split(), limbs, limb_bits, LANES[machine], bits
