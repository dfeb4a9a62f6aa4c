#!/usr/bin/env python3
"""Write gecc(3), the manual page of the library, from the description of its interface, which has the headers' comments.

usage: docs/man/generate_library.py [folder]
"""

import json
import sys
from pathlib import Path

MAN = Path(__file__).resolve().parent
DESCRIPTION = MAN.parents[1] / "bindings" / "abi" / "gecc.json"


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def paragraphs(comment):
    out = []
    for line in comment.split("\n"):
        if not line.strip():
            out.append(".PP")
        elif line.strip().startswith("- "):
            out += [".IP \\(bu 2", roff(line.strip()[2:])]
        else:
            out.append(roff(line.strip()))
    while out and out[-1] == ".PP":
        out.pop()
    return out[1:] if out and out[0] == ".PP" else out


def page():
    abi = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    lines = [
        f'.TH gecc 3 "" "gecc {abi["version"]}" "Library Functions"',
        ".SH NAME",
        "gecc \\- elliptic\\-curve cryptography in bulk",
        ".SH SYNOPSIS",
        ".nf",
        "#include <gecc/gecc.h>",
        "",
        "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs gecc)",
        ".fi",
    ]
    for header in abi["headers"]:
        lines += [f".SH {header['name'].upper()}", *paragraphs(header["text"])]
        for function in abi["functions"]:
            if function["header"] == header["name"]:
                lines += [f".SS {function['name']}", ".nf", *map(roff, function["declaration"].split("\n")), ".fi"]
                if function["text"]:
                    lines += [".PP", *paragraphs(function["text"])]
    return "\n".join([*lines, ".SH SEE ALSO", ".BR gecc (1)"]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else MAN, "gecc.3").write_text(page())
