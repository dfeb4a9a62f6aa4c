#!/usr/bin/env python3
"""Write gecc(3), the manual page of the library, from the comments and declarations of its headers.

usage: docs/man/generate_library.py [folder]
"""

import re
import sys
from pathlib import Path

MAN = Path(__file__).resolve().parent
HEADERS = MAN.parents[1] / "include" / "gecc"
# The order of gecc.h: what all share comes first.
INCLUDE = re.compile(r"#include <gecc/(\w+)\.h>")
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
# A comment and the function that it stands before, up to the semicolon.
FUNCTION = re.compile(r"(?P<comment>/\*(?:(?!\*/).)*\*/\n)?(?P<code>^GECC_(?:API|CALL) [^;{]*;)", re.S | re.M)


def words(comment):
    """The lines of a comment without its marks; a list's lines stay apart."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().removeprefix("/*").removesuffix("*/").split("\n")]
    return [line.strip() if not line.startswith("  ") else line for line in lines]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def paragraphs(comment):
    out = []
    for line in words(comment):
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
    numbers = re.findall(r"#define GECC_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (HEADERS / "context.h").read_text())
    lines = [
        f'.TH gecc 3 "" "gecc {".".join(numbers)}" "Library Functions"',
        ".SH NAME",
        "gecc \\- elliptic\\-curve cryptography in bulk",
        ".SH SYNOPSIS",
        ".nf",
        "#include <gecc/gecc.h>",
        "",
        "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs gecc)",
        ".fi",
    ]
    for name in INCLUDE.findall((HEADERS / "gecc.h").read_text()):
        text = (HEADERS / f"{name}.h").read_text()
        lines += [f".SH {name.upper()}", *paragraphs(COMMENT.search(text).group(0))]
        for match in FUNCTION.finditer(text):
            code = re.sub(r"^GECC_(API|CALL) ", "", match["code"])
            title = re.search(r"(\w+)\(", code).group(1)
            lines += [f".SS {title}", ".nf", *map(roff, re.sub(r"\n\s+", "\n    ", code).split("\n")), ".fi"]
            if match["comment"]:
                lines += [".PP", *paragraphs(match["comment"])]
    return "\n".join([*lines, ".SH SEE ALSO", ".BR gecc (1)"]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else MAN, "gecc.3").write_text(page())
