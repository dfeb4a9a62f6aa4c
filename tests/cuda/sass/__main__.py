"""python3 -m sass FILE...: all kernels that handle secrets, of images <curve>.* and mod_<bits>.*, cubins or fatbins"""

import sys
import time

from .check import Leak, Wrong, check_case, image_cases
from .operands import Unknown
from .thread import Fault


def main(paths):
    failures = 0
    for path in paths:
        for code, case in image_cases(path):
            start = time.perf_counter()
            try:
                result = f"ok, {check_case(code, case)} instructions"
            except (Leak, Wrong, Fault, Unknown) as error:
                result = f"{type(error).__name__.upper()}: {error}"
                failures += 1
            print(f"{path}: {case.name}: {result}, {time.perf_counter() - start:.1f} s", flush=True)
    return failures > 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
