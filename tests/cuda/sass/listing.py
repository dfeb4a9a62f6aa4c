"""The instructions of a cubin, as nvdisasm prints them."""

import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

INSTRUCTION = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:(\{)\s*)?(?:@(!?)(U?P[0-7T])\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
LABEL = re.compile(r"([.$\w]+):$")
SECTION = re.compile(r"\s+\.section\s+\.text\.(\w+),")


INSTALLED = Path(__file__).resolve().parents[3] / "build" / "python"  # by scripts/setup


class Instruction:
    """`name` is the opcode up to its first dot, `modifiers` the set of what follows; operands are texts."""

    __slots__ = ("pc", "guard", "negated", "name", "modifiers", "operands", "text")

    def __init__(self, match):
        pc, _, negated, guard, opcode, operands = match.groups()
        operands = re.sub(r'\(\*.*?\*\)|\.reuse|\?\w+', "", operands).strip()
        self.pc = int(pc, 16)
        self.guard = guard
        self.negated = negated == "!"
        self.name, *modifiers = opcode.split(".")
        self.modifiers = frozenset(modifiers)
        self.operands = [text.strip() for text in operands.split(",")] if operands else []
        self.text = f"{f'@{negated}{guard} ' if guard else ''}{opcode} {operands}".strip()


class Listing:
    """A kernel and the functions that it calls: `instructions` by address, `labels` to addresses."""

    def __init__(self):
        self.instructions = {}
        self.labels = {}
        self.size = 0

    def function_at(self, pc):
        """The name of the function that an address is in."""
        inside = [(at, name) for name, at in self.labels.items() if name[0] != "." and at <= pc]
        return max(inside, default=(0, ""))[1]


def disassembler():
    """Its path; None where there is none: on PATH, in CUDA's folder, or where pip or scripts/setup installs it."""
    folders = [Path(os.environ[name], "bin") for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    for root in [INSTALLED, *site.getsitepackages(), site.getusersitepackages(), *filter(None, sys.path)]:
        folders += sorted(Path(root).glob("nvidia/*/bin"))
    found = (shutil.which("nvdisasm", path=str(folder)) for folder in [*folders, "/usr/local/cuda/bin"])
    return shutil.which("nvdisasm") or next(filter(None, found), None)


def parse(text):
    """Listings by the names of their kernels."""
    listings, listing, pending = {}, None, []
    for line in text.splitlines():
        section = SECTION.match(line)
        if section:
            listing = listings.setdefault(section[1], Listing())
            pending = []
        elif line.lstrip().startswith(".section"):
            listing = None
        elif listing is not None and (match := INSTRUCTION.match(line)):
            instruction = Instruction(match)
            listing.instructions[instruction.pc] = instruction
            listing.labels.update(dict.fromkeys(pending, instruction.pc))
            pending = []
        elif listing is not None and (match := LABEL.match(line.strip())):
            pending.append(match[1])
    return listings


def disassemble(path):
    """The architecture, as in sm_90, and the listings."""
    tool = disassembler()
    if not tool:
        raise FileNotFoundError("nvdisasm")
    result = subprocess.run([tool, "-c", str(path)], capture_output=True, text=True, check=True)
    return re.search(r"^\s*\.target\s+(\w+)", result.stdout, re.M)[1], parse(result.stdout)
