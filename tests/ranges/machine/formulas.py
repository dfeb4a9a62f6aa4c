"""Point formulas by the ranges that field functions promise: whatever its arguments are, a formula hands each field
function what it takes, on every path, and leaves loose residues.

A residue is an object with a range, whatever its limbs, and a comparison of residues has either outcome."""

from machine import operations, words

# Function -> how many residues each argument has, and how it is called. FLAG is 0 and 1.
WEIERSTRASS = {
    "jacobian_double": ([3], "&a"),
    "jacobian_double_pair": ([6], "&a"),
    "jacobian_add_affine": ([3, 2], "&a, &b"),
    "jacobian_add_affine_rarely": ([3, 2], "&a, &b"),
    "jacobian_add_affine_vartime": ([3, 2], "&a, &b"),
    "xyzz_add_affine": ([4, 2], "&a, &b"),
    "xyzz_add_distinct": ([4, 2], "&a, &b, FLAG"),
    "xyzz_add_affine_vartime": ([4, 2], "&a, &b, FLAG, &infinity"),
    "xyzz_double_affine": ([2], "= &a"),
    "curve_rhs": ([1], "= a"),
    "affine_negate_if": ([2], "= infinity, a"),
    "fe_sqrt": ([1], "= a"),
}
EDWARDS = {
    "edwards_double_to": ([4], "&a, FLAG"),
    "edwards_double_times": ([4], "&a, 3"),
    "edwards_add_entry_to": ([4, 3], "&a, &b, FLAG"),
    "edwards_add_projective_to": ([4, 4], "&a, &b, FLAG"),
    "edwards_entry_of": ([1, 1], "= a, b"),
    "edwards_from_entry": ([3], "= &a"),
    "edwards_projective_entry_of": ([4], "= &a"),
    "edwards_from_affine": ([1, 1], "= a, b"),
    "edwards_negate": ([4], "= a"),
    "edwards_is_sound": ([4], "mask &a"),
    "edwards_entry_negate_if": ([3], "= infinity, a"),
    "fe_mul_ladder": ([1], "= a"),
    "fe_sqrt_ratio": ([1, 1], "= a, b, &infinity"),
    "edwards_lift_y": ([1], "= a, infinity, &infinity"),
}
# Function, or the first word of its name -> the types of its arguments.
TYPES = {
    "jacobian": ["struct jacobian", "struct affine"], "jacobian_double_pair": ["struct jacobian_pair"],
    "xyzz": ["struct xyzz", "struct affine"], "xyzz_double_affine": ["struct affine"], "curve_rhs": ["fe"],
    "affine_negate_if": ["struct affine"], "edwards": ["struct edwards", "struct edwards_entry"],
    "edwards_add_projective_to": ["struct edwards", "struct edwards_projective_entry"], "fe": ["fe", "fe"],
    "edwards_entry_of": ["fe", "fe"], "edwards_from_entry": ["struct edwards_entry"],
    "edwards_from_affine": ["fe", "fe"],
    "edwards_entry_negate_if": ["struct edwards_entry"], "edwards_lift_y": ["fe"],
}
RESULTS = {"xyzz_double_affine": ("struct xyzz", 4), "curve_rhs": ("fe", 1), "affine_negate_if": ("struct affine", 2),
           "edwards_entry_of": ("struct edwards_entry", 3), "edwards_from_entry": ("struct edwards", 4),
           "edwards_projective_entry_of": ("struct edwards_projective_entry", 4),
           "edwards_from_affine": ("struct edwards", 4),
           "edwards_negate": ("struct edwards", 4), "edwards_entry_negate_if": ("struct edwards_entry", 3),
           "fe_mul_ladder": ("fe", 1), "fe_sqrt": ("fe", 1), "fe_sqrt_ratio": ("fe", 1), "edwards_lift_y": ("fe", 1)}


def formulas(edwards):
    """Name -> (function, residues of arguments, residues of the result)."""
    found = {}
    for function, (counts, call) in (EDWARDS if edwards else WEIERSTRASS).items():
        for flag in ("0", "1") if "FLAG" in call else ("0",):
            found[f"{function}_{flag}"] = (function, counts, RESULTS.get(function, ("", 0))[1])
    return found


def unit(settings, curve, edwards):
    lines = [settings, f'#include "curve/generated/{curve}.gen.h"',
             f'#include "curve/{"edwards" if edwards else "point"}.h"']
    if not edwards:
        lines.append("struct jacobian_pair { struct jacobian p[2]; };")
    for name, (function, counts, _) in formulas(edwards).items():
        call = (EDWARDS if edwards else WEIERSTRASS)[function][1].replace("FLAG", name[-1])
        if function == "jacobian_double_pair":
            call = "a->p"
        kinds = TYPES.get(function) or TYPES[function.split("_")[0]]
        given = ", ".join(f"{kind} *{n}" for kind, n in zip(kinds, "ab"[:len(counts)]))
        call = call.replace("&a", "A").replace("&b", "B")
        head, _, arguments = call.rpartition("= ") if "= " in call else ("", "", call)
        arguments = arguments.replace("mask ", "")
        for n in "ab":
            parts = [f"*{n}" if part == n else n if part == n.upper() else part for part in arguments.split(", ")]
            arguments = ", ".join(parts)
        result = RESULTS.get(function, ("", 0))[0]
        given += f", {result} *r" if result else ""
        lines.append(f"void prove_{name}({given}, mask infinity) {{ (void)infinity; {'*r = ' if result else ''}"
                     f"{function}({arguments}); }}")
    return "\n".join(lines) + "\n"


class Limb:
    """Limb `index` of a residue below `below`."""

    def __init__(self, residue, index, below):
        self.residue, self.index, self.below = residue, index, below


class Formulas:
    def __init__(self, module, field, said):
        self.module, self.field, self.made = module, field, 0
        for function, (ranges, result) in said.items():
            module.space[f"c_modular_{function}"] = self.contract(function, ranges, result)
        for comparison in ("modular_is_zero", "modular_equal", "limbs_is_zero", "limbs_equal", "limbs_is_odd"):
            module.space[f"c_{comparison}"] = lambda *_: 255 if operations.RUN[0].decide() else 0

    def residue(self, in_range):
        self.made += 1
        return [Limb(self.made, i, self.field.below[in_range]) for i in range(self.field.limbs)]

    def put(self, address, residues):
        cells, at = address
        for k, limb in enumerate(limb for residue in residues for limb in residue):
            cells[at + self.field.stride * k] = (self.field.stride, limb)

    def check(self, address, in_range, what):
        limbs = [address[0][address[1] + self.field.stride * i][1] for i in range(self.field.limbs)]
        if all(type(v) is int for v in limbs):
            value = sum(v << self.field.limb_bits * i for i, v in enumerate(limbs))
            if value < self.field.below[in_range] and not any(v >> self.field.limb_bits for v in limbs):
                return
        elif all(type(v) is Limb and v.residue == limbs[0].residue and v.index == i for i, v in enumerate(limbs)) and \
                limbs[0].below <= self.field.below[in_range]:
            return
        raise operations.Violation(f"{what} is not {in_range}")

    def contract(self, function, ranges, result):
        def called(to, modulus, *arguments):
            for i, in_range in enumerate(ranges):
                self.check(arguments[i], in_range, f"argument {i + 1} of modular_{function}")
            self.put(to, [self.residue(result)])
        return called

    def prove(self, name, counts, results):
        size = self.field.stride * self.field.limbs

        def program(run):
            operations.RUN[0] = run
            arguments = [({}, 0) for _ in counts]
            for argument, count in zip(arguments, counts):
                self.put(argument, [self.residue("loose") for _ in range(count)])
            given = arguments + ([({}, 0)] if results else [])
            self.module.space[f"c_prove_{name}"](*given, 255 if run.decide() else 0)
            for argument, count in zip(given, counts + [results]):
                for k in range(count):
                    self.check((argument[0], k * size), "loose", f"residue {k} after {name}")

        return sum(1 for _ in words.paths(program))
