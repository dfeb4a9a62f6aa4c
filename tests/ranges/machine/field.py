"""Field functions of a machine on a curve, proved for every input: that a residue is in the range that the function's
comment promises, is congruent to what the function's name says, and that each VERIFY on the way holds.

A comment says `Maps loose, loose to loose.`; limbs/README.md says what the ranges are."""

import os
import re
import subprocess
import tempfile

from machine import ir, operations, words

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")

# r times the number is the sum of these products of arguments with integers.
FUNCTIONS = {
    "add": (1, {"a": 1, "b": 1}),
    "sub": (1, {"a": 1, "b": -1}),
    "neg": (1, {"a": -1}),
    "half": (2, {"a": 1}),
    "three_halves": (2, {"a": 3}),
    "add_factor": (1, {"a": 1, "b": 1}),
    "mul": (1, {"ab": 1}),
    "sqr": (1, {"aa": 1}),
    "mul_sub": (1, {"ab": 1, "c": -1}),
    "sqr_sub_double": (1, {"aa": 1, "b": -2}),
    "sqr_sub_sum": (1, {"aa": 1, "b": -1, "c": -1}),
    "sqr_sub_sum_double": (1, {"aa": 1, "b": -1, "c": -2}),
    "mul_sub_mul": (1, {"ab": 1, "cd": -1}),
    "mul_sub_sqr": (1, {"ab": 1, "cc": -1}),
    "mul_small": (1, {"ak": 1}),
    "canonical": (1, {"a": 1}),
    "reduce_once": (1, {"a": 1}),
    "encode": (1, {"a": "R"}),
    "decode": ("R", {"a": 1}),
}
operations.SPLITS.add(("prime_fold", "lane64_shift_right_signed"))
EXTRA = {"reduce_once": ", 0"}  # arguments beside residues
SMALL = 1 << 20  # numbers k of mul_small are below


def statements(multiply, folder=""):
    """Function -> (ranges of its arguments, range of its result), as the comments of sources say, and the functions of
    field/sums.h, which are made of others. `multiply` is the header of a machine's residues."""
    found, composed = {}, []
    for name in ("limbs/" + multiply, "field/modular.h", "field/sums.h"):
        path = os.path.join(folder, "src", name)
        with open(path if os.path.exists(path) else os.path.join(ROOT, "src", name), encoding="utf-8") as file:
            text = file.read()
        for comment, function in re.findall(r"/\*((?:[^*]|\*(?!/))*)\*/\nLANE_\w+ struct limbs modular_(\w+)\(", text):
            said = re.search(r"Maps ([a-z, ]+) to ([a-z]+)\.", re.sub(r"\s+\*?\s*", " ", comment))
            if said and function not in found:
                found[function] = (said[1].split(", "), said[2])
                composed += [function] if name == "field/sums.h" else []
    return found, composed


def functions_of(error):
    """Functions of C that an error came through, the innermost first."""
    names, trace = [], error.__traceback__
    while trace:
        name = trace.tb_frame.f_code
        if name.co_filename.startswith("<") and name.co_name.startswith("c_"):
            names.insert(0, name.co_name[2:])
        trace = trace.tb_next
    return names


def unit(settings, curve, moduli, functions):
    lines = [settings, f'#include "curve/generated/{curve}.gen.h"', '#include "field/field.h"']
    for modulus in moduli:
        for function in functions:
            if function == "mul_small" and (modulus == "n" or curve != "curve25519"):
                continue
            names = sorted(set("".join(FUNCTIONS[function][1])))
            given = ", ".join(("limb " if n == "k" else "struct limbs ") + n for n in names)
            lines.append(f"struct limbs prove_{modulus}_{function}({given}) {{ return "
                         f"modular_{function}(&CURVE.{modulus}, {', '.join(names)}{EXTRA.get(function, '')}); }}")
        lines.append(f"mask prove_{modulus}_is_residue(struct limbs a) {{ "
                     f"return modular_is_residue(&CURVE.{modulus}, a); }}")
    return "\n".join(lines) + "\n"


def compiled(source, flags, folder="", standard=("-DGECC_VERIFY", "-DGECC_VERIFY_LANES")):
    """The module of a unit, of which files below `folder` take the place of the repository's."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "unit.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        includes = [f"-I{os.path.join(folder, 'src')}"] if folder else []
        includes += [f"-I{os.path.join(ROOT, 'src')}", f"-I{os.path.join(ROOT, 'include')}"]
        subprocess.run(["clang", "-std=c11", "-O0", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Wno-psabi",
                        *standard, *flags, *includes, path, "-o", path + ".ll"], check=True)
        with open(path + ".ll", encoding="utf-8") as file:
            return ir.Module(file.read(), operations)


class Field:
    """A curve's p or n on a machine."""

    def __init__(self, module, modulus, limbs, limb_bits, lanes, bits):
        self.originals = {}  # functions of the module whose promises stand in their place
        self.module, self.name, self.limbs, self.limb_bits, self.stride = module, modulus, limbs, limb_bits, 8 * lanes
        cells = module.globals["@CURVE"]
        curve = module.named.get("%struct.curve") or module.named["%struct.edwards_curve"]
        kind, base = module.named["%struct.modulus"], module.offset(curve, "pn".index(modulus) + 1)
        self.m = sum(cells[base + 8 * i][1] << limb_bits * i for i in range(limbs))
        self.reduction = cells[base + module.offset(kind, 5)][1]
        words32 = 32 * ((bits + 31) // 32)
        self.r = 1 << limb_bits * limbs
        self.plain = self.reduction in (1, 6)
        power = {5: 521, 6: 255}.get(self.reduction, words32)
        self.below = {
            "loose": self.m if lanes == 1 else 2 * self.m if self.reduction == 0 else (1 << power) + (1 << power - 3),
            "canonical": self.m,
            "twice": min(2 * self.m, self.r),
            "integer": self.r if self.reduction == 0 else 1 << words32,
        }

    def struct(self, values):
        return ({self.stride * i: (self.stride, v) for i, v in enumerate(values)}, 0)

    def constant(self, value):
        return self.struct([value >> self.limb_bits * i & (1 << self.limb_bits) - 1 for i in range(self.limbs)])

    def has(self, function):
        return f"c_prove_{self.name}_{function}" in self.module.space

    def is_residue(self, value):
        operations.RUN[0] = words.Run([])
        return bool(self.module.space[f"c_prove_{self.name}_is_residue"](self.constant(value)))

    def relation(self, function, numbers):
        """(scale, polynomial): scale times the result is congruent to it."""
        factor, wanted = FUNCTIONS[function]
        montgomery = 1 if self.plain else self.r
        rho = montgomery if any(len(t) == 2 for t in wanted) and "k" not in "".join(wanted) else 1
        want = {}
        for names, c in wanted.items():
            product = {(): 1}
            for n in names:
                product = words.multiply(product, numbers[n])
            want = words.add_scaled(want, product, (montgomery if c == "R" else c) * (rho if len(names) == 1 else 1))
        return rho * (montgomery if factor == "R" else factor), want

    def prove(self, function, ranges, result_range, said=None):
        """The number of paths on which that holds; raises what does not. Functions that are `said` are taken to do what
        they say."""
        names = sorted(set("".join(FUNCTIONS[function][1])))
        self.rely_on(said or {}, function)

        def program(run, whole):
            operations.RUN[0] = run
            numbers, given = {}, []
            for n, in_range in zip(names, [*ranges, ""]):
                if n == "k":
                    k = run.symbol("k", 0, SMALL - 1)
                    numbers[n] = {(k,): 1}
                    given.append(words.Word(numbers[n], 0, SMALL - 1))
                else:
                    below = self.below[in_range]
                    numbers[n], limbs = run.number(n, self.limbs, self.limb_bits, below, n != "a" or whole)
                    given.append(self.struct(limbs))
            result = ({}, 0)
            self.module.space[f"c_prove_{self.name}_{function}"](result, *given)
            total = self.number(run, result, result_range)
            scale, want = self.relation(function, numbers)
            if not run.is_multiple(words.add_scaled({m: c * scale for m, c in total.items()}, want, -1), self.m):
                raise operations.Violation("the result is not congruent to what it should be")

        try: # either form of the first argument may be the one that has bounds
            return sum(1 for _ in words.paths(lambda run: program(run, True)))
        except (words.Undecided, operations.Violation):
            return sum(1 for _ in words.paths(lambda run: program(run, False)))

    def rely_on(self, said, function):
        """Replaces each function of `said` by what it promises, so that its body is not run; the function itself stays."""
        for name, original in self.originals.items():
            self.module.space[name] = original
        for callee, (ranges, result_range) in said.items():
            name = f"c_modular_{callee}"
            if callee != function and name in self.module.space:
                self.originals.setdefault(name, self.module.space[name])
                self.module.space[name] = self.promise(callee, ranges, result_range)

    def promise(self, callee, ranges, result_range):
        def called(to, modulus, *arguments):
            run = operations.RUN[0]
            names = sorted(set("".join(FUNCTIONS[callee][1])))
            numbers = {n: self.number(run, a, in_range) for n, a, in_range in zip(names, arguments, ranges)}
            total, limbs = run.number(callee, self.limbs, self.limb_bits, self.below[result_range])
            (whole,), = total
            scale, want = self.relation(callee, numbers)
            run.congruent[whole] = (want, scale)
            for offset, cell in self.struct(limbs)[0].items():
                to[0][to[1] + offset] = cell
        return called

    def number(self, run, struct, in_range):
        """The polynomial of a struct limbs, of which it is shown that it is in the range and that its limbs have no
        more bits than they may."""
        total, low, high = {}, 0, 0
        for i in range(self.limbs):
            word = operations.unsigned(struct[0][struct[1] + self.stride * i][1], 64)
            if word.high >> self.limb_bits:
                run.bound(word)
            if word.high >> self.limb_bits:
                raise operations.Violation(f"limb {i} may be {word.high:#x}")
            total = words.add_scaled(total, word.poly, 1 << self.limb_bits * i)
            low, high = low + (word.low << self.limb_bits * i), high + (word.high << self.limb_bits * i)
        whole = run.bound(words.Word(total, low, high))
        total, low, high = run.unwrapped(total), whole.low, whole.high
        whole = run.bound(words.Word(total, low, high))
        if whole.high >= self.below[in_range]:
            total = run.unwrapped(total, pairs=True)
            whole = run.bound(words.Word(total, low, high))
        if whole.high >= self.below[in_range]:
            raise operations.Violation(f"a number may be {whole.high:#x}, which is not {in_range}")
        return total
