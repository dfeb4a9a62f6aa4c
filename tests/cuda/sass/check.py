"""Does what can be seen of a kernel depend on secrets?"""

import ctypes
import tempfile
from pathlib import Path

from .cases import VARIANTS, cases_of
from .elf import Cubin, extract
from .launch import Info
from .listing import disassemble
from .thread import Code, Thread

ARCHITECTURE = 90


class Leak(Exception):
    pass


class Wrong(Exception):
    """A kernel's result is not what it must be."""


def run(code, launched):
    """Its trace."""
    thread = Thread(code, bytes(launched.argument), launched.memory.bytes)
    thread.run()
    return thread.trace


def describe(code, entry):
    pc, value = entry >> 64, entry & (1 << 64) - 1
    instructions = code.listing.instructions
    if pc in instructions and entry not in code.blocks:
        return f"{instructions[pc].text} with {value:#x}", pc
    return f"goes on at {instructions[entry].text}", entry


def difference(code, a, b):
    """Where two traces part."""
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    before = next(entry for entry in reversed(a[:at]) if entry in code.blocks)
    texts, where = [], before
    for trace in (a, b):
        if at < len(trace):
            text, pc = describe(code, trace[at])
            texts.append(f"{pc:#x}: {text}")
        else:
            texts.append("the end")
    function = code.listing.function_at(where)
    return f"in {function}, block {where:#x}, after {at} steps: " + "; or ".join(texts)


def check_case(code, case, variants=VARIANTS):
    """The instructions that one launch takes. Raises Leak or Wrong."""
    first = None
    for variant in range(variants):
        launched, expected = case.launched(variant)
        trace = run(code, launched)
        results = launched.results()
        if results != expected:
            raise Wrong(f"{case.name}, secrets {variant}: {results} should be {expected}")
        if first is None:
            first = trace
        elif trace != first:
            raise Leak(f"{case.name}, secrets {variant}: {difference(code, first, trace)}")
    return code.executed(first)


def kernels(path):
    """A cubin, or that of a fat binary, and its kernels by name."""
    with tempfile.TemporaryDirectory() as folder:
        if Path(path).suffix == ".fatbin":
            path = extract(path, ARCHITECTURE, folder)
        cubin = Cubin(path)
        architecture, listings = disassemble(path)
    if architecture != f"sm_{ARCHITECTURE}":
        raise ValueError(f"{path} is for {architecture}; only sm_{ARCHITECTURE} is known")
    return cubin, {name: Code(cubin, name, listing) for name, listing in listings.items()}


def image_cases(path, wanted=None):
    """Pairs of code and case: all of an image, whose name the file has up to its first dot; or those of the wanted
    kernels."""
    cubin, codes = kernels(path)
    for case in cases_of(Path(path).name.split(".")[0], Info(cubin)):
        if wanted is None or case.kernel in wanted:
            yield codes[f"gecc_kernel_{case.kernel}"], case


def check_argument(code, make):
    """For kernels that are not gecc's: make(variant) is the argument, a ctypes structure, and its memory."""
    traces = []
    for variant in range(2):
        argument, memory = make(variant)
        thread = Thread(code, ctypes.string_at(ctypes.addressof(argument), ctypes.sizeof(argument)), memory.bytes)
        thread.run()
        traces.append(thread.trace)
    if traces[0] != traces[1]:
        raise Leak(difference(code, *traces))
