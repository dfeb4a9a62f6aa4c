#!/usr/bin/env python3
"""Constants of curves for reductions that the library does not have there, made by tools/generate_curves.py.

usage: generate_constants.py           SM2 in the plain representation of Zheng et al.: kernels/plain_sm2.gen.h
       generate_constants.py FOLDER    every curve, reduced as any odd modulus is, for the breakdown
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import generate_curves as library  # noqa: E402


def main():
    table = library.curves()
    if len(sys.argv) == 1:
        library.PLAIN.append("ROWS_SM2")
        table["sm2"]["reduction"] = "ROWS_SM2"
        plain = ROOT / "papers" / "kernels" / "plain_sm2.gen.h"
        text = library.header("plain_sm2", table["sm2"])
        plain.write_text(text.replace("tools/generate_curves.py", "papers/generate_constants.py"))
        return
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in table.sections():
        table[name]["reduction"] = "MONTGOMERY"
        (folder / f"{name}.gen.h").write_text(library.header(name, table[name]))


if __name__ == "__main__":
    main()
