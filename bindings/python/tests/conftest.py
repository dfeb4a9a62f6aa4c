"""What the tests share. They test the package that is installed, which is a wheel's."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import gecc
from gecc._description import parameters_of

ROOT = Path(__file__).resolve().parents[3]
SEED = int(os.environ.get("GECC_TEST_SEED") or 20240613)
sys.path.insert(0, str(ROOT / "tests" / "known_answers"))

#: Tests that take minutes: make check-full runs them.
long = pytest.mark.skipif(not os.environ.get("GECC_LONG_TESTS"), reason="long: GECC_LONG_TESTS=1 runs it")


def curve_bytes(curve):
    operation = gecc.OPERATIONS["ec.public_key"]
    (width,) = operation.widths(operation.inputs[0], parameters_of(operation, curve)).listed  # of private keys
    return width


class Signed:
    """n rows of keys, digests and signatures on a curve; rows of BAD do not verify."""

    BAD = (3, 17)

    def __init__(self, curve, n=40):
        width = curve_bytes(curve)
        random = np.random.default_rng(SEED)
        self.n, self.curve = n, curve
        self.private_key = random.integers(0, 256, (n, width), dtype=np.uint8)
        self.private_key[:, 0] = 1
        self.digest = random.integers(0, 256, (n, min(width, 64)), dtype=np.uint8)
        self.public_key = gecc.ec.public_key(curve, self.private_key).out
        self.signature, self.recovery_id, _ = gecc.ecdsa.sign(curve, self.private_key, self.digest)
        self.wrong = self.digest.copy()
        self.wrong[[i for i in self.BAD if i < n], 0] ^= 1
        self.expected = [gecc.Status.INVALID if i in self.BAD else gecc.Status.OK for i in range(n)]


@pytest.fixture(scope="session")
def signed():
    return Signed("P-256")
