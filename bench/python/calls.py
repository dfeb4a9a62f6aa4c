#!/usr/bin/env python3
"""A call from Python beside the same call from C: verification on P-256, one thread, NumPy arrays, alternating, medians.

usage: calls.py [ROUNDS]
"""

import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from common import machine, median_ratio, signatures

import gecc
from gecc import _library

ROOT = Path(__file__).resolve().parents[2]


def compiled(folder):
    """call.c, linked to the library that is loaded."""
    path = Path(folder) / "call.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/include", Path(__file__).with_name("call.c"), "-o", path,
                    _library.PATH], check=True)  # fmt: skip
    function = ctypes.CDLL(str(path)).call_verify
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint, *[ctypes.c_void_p] * 4, ctypes.c_size_t]
    return function


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    print(machine())
    with tempfile.TemporaryDirectory() as folder, gecc.Context("cpu", threads=1) as context:
        in_c = compiled(folder)
        key, digest, signature = signatures(rows=4096)
        context.ecdsa.verify.prepare("P-256", 1 << 20)
        for count in (1, 16, 256, 4096):
            columns = [column[:count] for column in (key, digest, signature)]
            status = np.zeros(count, np.uint8)
            addresses = [column.ctypes.data for column in (*columns, status)]
            pairs = []
            for _ in range(rounds or max(15, 4000 // count)):
                start = time.perf_counter()
                found = context.ecdsa.verify("P-256", *columns)
                python = time.perf_counter() - start
                pairs.append((python, in_c(context._handle, gecc.CURVES["P-256"], *addresses, count)))
            assert (found == 1).all() and (status == 1).all()
            python, c, ratio = median_ratio(pairs)
            print(f"{count:5} rows: Python {python * 1e6:10.1f} us, C {c * 1e6:10.1f} us, {python * 1e6 - c * 1e6:+8.1f} us, "
                  f"{100 * ratio - 100:+6.2f} %")


if __name__ == "__main__":
    main()
