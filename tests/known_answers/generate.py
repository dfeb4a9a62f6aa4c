"""All cases that are made from a seed."""

from cases import Cases
from cases25519 import Curve25519, Maker25519
from curves import CURVES

NAMES = (*CURVES, Curve25519.name)


def generate(seed, write, curves=NAMES, without_curve=True):
    for name in curves:
        maker = Maker25519(seed, write) if name == Curve25519.name else Cases(seed, CURVES[name], write)
        maker.of_curve()
    if without_curve:
        maker = Cases(seed, None, write)
        maker.modular()
        maker.digests()
