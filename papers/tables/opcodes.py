"""Instructions of the loops of a kernel, counted in machine code: no GPU, but nvdisasm."""

import collections
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cuda"))
from sass import elf, listing  # noqa: E402


def loops(kernel):
    """First and last address of each loop that has no other branch in it."""
    branches = [i for i in kernel.instructions.values() if i.name == "BRA"]
    for branch in branches:
        label = re.search(r"`\((\.L\w+)\)", branch.text)
        first = kernel.labels[label[1]] if label else branch.pc
        if first < branch.pc and not any(first <= other.pc < branch.pc for other in branches):
            yield first, branch.pc


def products(instructions):
    return sum(i.name == "IMAD" and bool(i.modifiers & {"WIDE", "HI"}) for i in instructions)


def multiplication(kernel):
    """How often each instruction comes in the loop with the most products, or, where none has any, in the longest."""
    bodies = [[i for i in kernel.instructions.values() if first <= i.pc <= last] for first, last in loops(kernel)]
    body = max(bodies, key=lambda body: (products(body), len(body)))
    count = collections.Counter(i.name for i in body)
    count["total"] = len(body)
    count["IMAD.WIDE"] = products(body)
    return count


def multiplications(image, architecture):
    """By kernel, of a fat binary that has code for the architecture, as 90."""
    prefix = "gecc_papers_"
    with tempfile.TemporaryDirectory() as folder:
        _, kernels = listing.disassemble(elf.extract(image, architecture, folder))
    return {name[len(prefix) :]: multiplication(kernel) for name, kernel in kernels.items() if name.startswith(prefix)}
