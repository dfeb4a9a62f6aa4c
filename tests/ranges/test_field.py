"""Field functions, modulo p and n of every curve, for every input: what `machine/README.md` says is
proved of them, and planted errors are found.

Test: fast; sources; 1800 s
"""

import concurrent.futures
import os
import shutil
import tempfile
import unittest

from machine import field, formulas, operations, words
from machine.units import LANES, curves, edwards_curves, machine_on, multiply_of, units

MULTIPLY, INTEGERS, DOUBLES = "limbs/vector/multiply.h", "limbs/vector/machine.h", "limbs/avx512/products.h"
END = "}\n\n/* t += x"
STEP_CARRY = "    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(columns_settle(t, i), LIMB_BITS);\n" + END
LAST_REDUCTION = "limbs_select(lane64_is_negative(less.v[LIMBS - 1]), t, less)"
FOLDED = "limbs_carry(prime_fold(m, t));\n}\n\n/* Is a"

# What is planted: where, what stands there, what takes its place, and the machine, curve, modulus and function that
# show it.
PLANTED = [
    ("a carry that is dropped from a sum", INTEGERS, "= 0; i < LIMBS - 1; i++) {\n        t.v[i + 1] =",
     "= 1; i < LIMBS - 1; i++) {\n        t.v[i + 1] =", "ifma", "p256", "p", "add"),
    ("a carry that is dropped from a Montgomery step", MULTIPLY, STEP_CARRY, END, "ifma", "p256", "n",
     "mul"),
    ("an excess of steps that is not corrected", MULTIPLY, "columns_correct(&t, 2, (limb)1 << 24);", "", "ifma", "p384",
     "p", "sqr"),
    ("a fold less", MULTIPLY, "columns_add_product(&t, 0, columns_settle(&t, LIMBS), fold);",
     "columns_settle(&t, LIMBS);", "ifma", "secp256k1", "p", "mul"),
    ("a subtraction less", MULTIPLY, f"return reduce_twice(m, {LAST_REDUCTION});", f"return {LAST_REDUCTION};", "ifma",
     "brainpoolp256r1", "p", "mul_sub"),
    ("a bit less of slack", MULTIPLY, "REDUCE_MONTGOMERY ? 6 : 4);", "REDUCE_MONTGOMERY ? 6 : 2);", "ifma", "p256", "p",
     "sqr_sub_sum_double"),
    ("a multiple of m too much", MULTIPLY, "REDUCE_MONTGOMERY ? 6 : 4);", "REDUCE_MONTGOMERY ? 7 : 4);", "ifma",
     "brainpoolp256r1", "p", "sqr_sub_sum_double"),
    ("a limb that does not pay what it borrowed", MULTIPLY, "<< LIMB_BITS : 0) - (i > 0);", "<< LIMB_BITS : 0);",
     "ifma", "sm2", "p", "sub"),
    ("a sum that is not folded", MULTIPLY, FOLDED, FOLDED.replace("prime_fold(m, t)", "t"), "ifma", "curve25519", "p",
     "add"),
    ("a bit that a shift puts a place too low", MULTIPLY, "lane64_set(1)) << (LIMB_BITS - 1));",
     "lane64_set(1)) << (LIMB_BITS - 2));", "ifma", "p521", "p", "half"),
    ("doubles that are rounded to nearest", DOUBLES, "_mm512_set1_pd(0x1p104), _MM_FROUND_TO_ZERO",
     "_mm512_set1_pd(0x1p104), _MM_FROUND_TO_NEAREST_INT", "avx512", "p256", "p", "mul"),
    ("a carry that a sum of limbs drops", "limbs/portable/multiply.h", "window[LIMBS] = limb_add(&window[LIMBS + 1],",
     "limb_add(&window[LIMBS + 1],", "portable", "p256", "n", "sqr"),
    ("a limb that is not folded again", "limbs/portable/multiply.h", "s.v[0] = limb_add(&carry, r.v[0], m->c);",
     "s.v[0] = limb_add(&carry, r.v[0], 0);", "portable", "secp256k1", "p", "mul"),
    ("an excess of doubles that is not doubled", MULTIPLY, "t.excess[i] *= 2;", "", "avx512", "secp256k1", "p", "sqr"),
]


# What is not decided: the bound that is found for these results is R, since the two carries out of the window of
# Montgomery's reduction of a square are each bounded, but not their sum.
UNDECIDED = [("portable", "secp256k1", "n", "sqr"), ("portable", "p384", "p", "sqr"), ("portable", "p384", "n", "sqr")]


def proved(machine, curve, functions=None, moduli="pn", folder=""):
    """[(modulus, function, what fails)]"""
    settings, flags, limbs, limb_bits, lanes, bits = machine_on(machine, curve)
    said, composed = field.statements(multiply_of(machine), folder)
    promises = {f: s for f, s in said.items() if f not in composed}
    functions = functions or list(field.FUNCTIONS)
    module = field.compiled(field.unit(settings, curve, moduli, functions), flags, folder)
    failed = []
    for modulus in moduli:
        residues = field.Field(module, modulus, limbs, limb_bits, lanes, bits)
        if not residues.is_residue(residues.below["loose"] - 1) or residues.is_residue(residues.below["loose"]):
            failed.append((modulus, "is_residue", "the range `loose` is another"))
        for function in filter(residues.has, functions):
            try:
                residues.prove(function, *said[function], promises if function in composed else None)
            except (words.Undecided, operations.Violation) as error:
                failed.append((modulus, function, f"{error}, in {' < '.join(field.functions_of(error))}"))
    return failed


def formulas_proved(curve, said):
    """Formulas are the same on every vector machine, as are promises: those of `ifma` are looked at."""
    settings, flags, limbs, limb_bits, lanes, bits = machine_on("ifma", curve)
    edwards = curve in edwards_curves()
    module = field.compiled(formulas.unit(settings, curve, edwards), flags, standard=("-DGECC_VERIFY",))
    looked_at = formulas.Formulas(module, field.Field(module, "p", limbs, limb_bits, lanes, bits), said)
    failed = []
    for name, (_, counts, results) in formulas.formulas(edwards).items():
        try:
            looked_at.prove(name, counts, results)
        except operations.Violation as error:
            failed.append((name, str(error)))
    return failed


@unittest.skipUnless(shutil.which("clang"), "no clang")
class Ranges(unittest.TestCase):
    def test_every_function_says_its_ranges(self):
        for machine in LANES:
            missing = set(field.FUNCTIONS) - set(field.statements(multiply_of(machine))[0])
            self.assertEqual(missing - {"mul_small"}, set(), machine)

    def test_field(self):
        with concurrent.futures.ProcessPoolExecutor() as pool:
            found = list(pool.map(proved, *zip(*units())))
        for (machine, curve), failed in zip(units(), found):
            with self.subTest(machine=machine, curve=curve):
                undecided = [(m, f) for u, c, m, f in UNDECIDED if (u, c) == (machine, curve)]
                self.assertEqual([what for what in failed if what[:2] not in undecided], [])
                self.assertEqual([what[:2] for what in failed], undecided, "UNDECIDED names more than is not proved")

    def test_planted_errors(self):
        for what, path, good, bad, machine, curve, modulus, function in PLANTED:
            with self.subTest(what), tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(field.ROOT, "src", path), encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(text.count(good), 1, "what a planted error takes the place of")
                os.makedirs(os.path.join(folder, "src", os.path.dirname(path)))
                with open(os.path.join(folder, "src", path), "w", encoding="utf-8") as file:
                    file.write(text.replace(good, bad))
                self.assertNotEqual(proved(machine, curve, [function], modulus, folder), [])

    def test_formulas(self):
        for curve in curves():
            with self.subTest(curve=curve):
                self.assertEqual(formulas_proved(curve, field.statements("vector/multiply.h")[0]), [])

    def test_a_promise_that_formulas_need(self):
        said = field.statements("vector/multiply.h")[0]
        said["add"] = (said["add"][0], "integer")
        for curve in ("brainpoolp256r1", "brainpoolp512r1"):
            self.assertNotEqual(formulas_proved(curve, said), [])


if __name__ == "__main__":
    unittest.main()
