"""In the machine code of the kernels that handle secrets, no branch, no address and nothing that lanes exchange depends
on a secret; and their results are right. Planted leaks are found.

All programs on SM2 and modulo 256 bits, and some on curves that have formulas, a reduction or a width of their own, for sm_90: of
the images in GECC_CUDA_IMAGES, or compiled here. Not run without nvcc or nvdisasm. Other images: scripts/check-sass.

Test: fast; sources
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from sass import arithmetic, cases, check, elf, launch, listing, reference, translate
from sass.operands import Unknown

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# kernels of an image, of those that handle secrets; None: all
IMAGES = {
    "mod_256": None,
    "sm2": None,
    "secp256k1": {"ec_mul", "ecdsa_sign_nonce", "schnorr_sign", "schnorr_tweak_private_key"},
    "p521": {"ec_mul", "ecdsa_sign"},
    # of its order, candidates for nonces are refused a third of the time, which may be seen
    "brainpoolp256r1": {"ec_mul", "ecdsa_sign_nonce"},
    "curve25519": None,
}


def compiler():
    folders = [Path(os.environ[name], "bin") for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    path = [os.environ.get("PATH", ""), *map(str, folders), "/usr/local/cuda/bin"]
    return shutil.which("nvcc", path=os.pathsep.join(path))


def setUpModule():
    tools = {"nvcc": compiler(), "nvdisasm": listing.disassembler()}
    for name, path in tools.items():
        if not path:
            raise unittest.SkipTest(f"no {name}")


def compile_cubin(source, cubin, *flags):
    includes = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
    command = [compiler(), "-cubin", "-arch=sm_90", "-O3", "-std=c++17", *flags, *includes, "-o", cubin, source]
    subprocess.run([str(word) for word in command], check=True)


def find_image(image, folder):
    """From the build, if that has one for this architecture, else compiled into the folder."""
    built = Path(os.environ.get("GECC_CUDA_IMAGES", folder), f"{image}.fatbin")
    try:
        return elf.extract(built, check.ARCHITECTURE, folder)
    except (FileNotFoundError, ValueError):
        return compile_image(image, folder)


def unit(image):
    """The source of an image and what it is compiled with, as cmake/Cuda.cmake has it."""
    if image.startswith("mod_"):
        return "mod", [f"-DMODULUS_WORDS={int(image[4:]) // 32}"]
    if image == "hash":
        return "hash", []
    constants = f"curve/generated/{image}.gen.h"
    words = (int(reference.TABLE[image]["p"], 16).bit_length() + 31) // 32
    return "curve", [f"-DCURVE_WORDS={words}", f'-DCURVE_CONSTANTS="{constants}"']


def compile_image(image, folder):
    """The programs of IMAGES, from the source of the image that is installed."""
    wanted = IMAGES[image] or cases.secret_programs(cases.families(image))
    programs = Path(folder, f"{image}.def")
    programs.write_text("".join(launch.OPERATIONS[name].text for name in wanted), encoding="utf-8")
    cubin = Path(folder, f"{image}.cubin")
    kind, options = unit(image)
    source = ROOT / "src" / "backend" / "cuda" / "kernels" / f"{kind}.cu"
    compile_cubin(source, cubin, f'-DPROGRAMS="{programs}"', *options)
    return cubin


class Images(unittest.TestCase):
    def check_image(self, image):
        with tempfile.TemporaryDirectory() as folder:
            for code, case in check.image_cases(find_image(image, folder), IMAGES[image]):
                with self.subTest(case.name):
                    self.assertGreater(check.check_case(code, case), 1000)

    def test_mod_256(self):
        self.check_image("mod_256")

    def test_sm2(self):
        self.check_image("sm2")

    def test_secp256k1(self):
        self.check_image("secp256k1")

    def test_p521(self):
        self.check_image("p521")

    def test_brainpoolp256r1(self):
        self.check_image("brainpoolp256r1")

    def test_curve25519(self):
        self.check_image("curve25519")


class Leak(ctypes.Structure):
    _fields_ = [("secret", ctypes.c_uint64), ("table", ctypes.c_uint64), ("out", ctypes.c_uint64)]


def leak_argument(variant):
    """The same but for a secret word, of which all bits differ."""
    memory = launch.Memory()
    secret = memory.put((0x12345678 ^ 0xFFFFFFFF * variant).to_bytes(4, "little"))
    table = memory.put(b"".join(n.to_bytes(4, "little") for n in range(256)))
    return Leak(secret, table, memory.put(bytes(8))), memory


class Leaks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cubin = Path(folder, "leaks.cubin")
            compile_cubin(HERE / "leaks.cu", cubin)
            cls.kernels = check.kernels(cubin)[1]

    def test_each_leak_is_found(self):
        leaks = [name for name in self.kernels if name.startswith("leak_")]
        self.assertEqual(len(leaks), 8)
        for name in leaks:
            with self.subTest(name), self.assertRaises(check.Leak):
                check.check_argument(self.kernels[name], leak_argument)

    def test_no_leak_is_invented(self):
        tight = [name for name in self.kernels if name.startswith("tight_")]
        self.assertEqual(len(tight), 2)
        for name in tight:
            with self.subTest(name):
                check.check_argument(self.kernels[name], leak_argument)


def instruction(text):
    return listing.parse(f"\t.section\t.text.k,\n        /*0000*/  {text} ;\n")["k"].instructions[0]


class Instructions(unittest.TestCase):
    def test_unknown_ones_are_refused(self):
        for text in ("FADD R1, R2, R3", "IADD3.XX R1, R2, R3, R4", "ATOMG.E R1, desc[UR4][R2.64], R4", "SEL R1, R2"):
            with self.subTest(text), self.assertRaises(Unknown):
                translate.translate_instruction(instruction(text))

    def test_tables_of_three_inputs(self):
        for lut in range(256):
            expression = translate.table(lut, ["a", "b", "c"], 1)
            for index in range(8):
                values = {"a": index >> 2, "b": index >> 1 & 1, "c": index & 1}
                self.assertEqual(eval(expression, values), lut >> index & 1)  # pylint: disable=eval-used

    def test_floats(self):
        self.assertEqual(arithmetic.float_above(0), 0)
        self.assertEqual(arithmetic.float_above(5), 0x40A00000)
        self.assertEqual(arithmetic.float_above((1 << 24) + 1), arithmetic.float_above((1 << 24) + 2))
        self.assertEqual(arithmetic.float_truncated(0x40A00000, 32), 5)
        self.assertEqual(arithmetic.float_truncated(0x7F800000, 32), 0xFFFFFFFF)
        self.assertEqual(arithmetic.float_reciprocal(0x40800000), 0x3E800000)

    def test_halves(self):
        self.assertEqual(translate.half_bits("1"), 0x3C00)
        self.assertEqual(translate.half_bits("-0"), 0x8000)
        self.assertEqual(translate.half_bits("+QNAN"), 0x7FFF)

    def test_bytes_are_permuted(self):
        self.assertEqual(arithmetic.permute(0x33221100, 0x7604, 0x77665544), 0x77660044)
        self.assertEqual(arithmetic.permute(0x33221180, 0x0008, 0), 0x808080FF)


class Reference(unittest.TestCase):
    def test_sm3(self):
        """GB/T 32905, A.1."""
        expected = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
        self.assertEqual(reference.sm3(b"abc").hex(), expected)

    def test_nonce(self):
        """RFC 6979, A.2.5: P-256, SHA-256, "sample"."""
        curve = reference.Curve("p256")
        d = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
        e = int.from_bytes(reference.digest("sha256", b"sample"), "big")
        k = reference.nonce(curve, "sha256", d, e)
        self.assertEqual(k, 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60)
        signature, _ = curve.ecdsa_sign(d, e, k)
        self.assertEqual(signature.hex()[:16], "efd48b2aacb6a8fd")
        self.assertEqual(signature.hex()[64:80], "f7cb1c942d657c41")


if __name__ == "__main__":
    unittest.main()
