"""The IFMA machine of four lanes is tested and measured on processors with AVX-512, whose products have another encoding:
what is shipped differs from that in the encoding of vpmadd52 alone, and has nothing of AVX-512.

Test: fast; sources
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

LIBRARY = os.environ.get("GECC_LIBRARY")
MEASURED = os.environ.get("GECC_IFMA256_EVEX", "")  # objects, parted by colons

FUNCTION = re.compile(r"^<([^>]+)>:$")
# Where code stands depends on the lengths of encodings: targets of jumps, what a linker has yet to fill in, and gaps.
TARGET = re.compile(r"(<[^>+]+|R_X86_64_\S+\s+[^\s+-]+)[+-]0x[0-9a-f]+")
UNLINKED = re.compile(r"<[^>]*>(?=\s+R_X86_64_)")
PADDING = re.compile(r"(data16 |cs |rex\.\w* )*(nop|nopw|nopl|xchg +%ax,%ax)\b")
SHIPPED, TESTED = re.compile(r"\{vex\} vpmadd52[lh]uq "), re.compile(r"vpmadd52[lh]uq ")
ONLY_AVX512 = re.compile(r"%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]|\{evex\}")


def disassembled(path):
    """(function, instruction) for each instruction of an object file, without what follows from lengths."""
    text = subprocess.run(["objdump", "-drw", "--no-show-raw-insn", "--no-addresses", path], capture_output=True, text=True,
                          check=True)
    function, found = "", []
    for line in text.stdout.splitlines():
        if name := FUNCTION.match(line):
            function = name[1]
        elif line.startswith("\t"):
            instruction = TARGET.sub(r"\1", UNLINKED.sub("", line.split("#")[0].strip()))
            if not PADDING.match(instruction):
                found.append((function, instruction))
    return found


def differences(shipped, tested):
    """What is wrong with two lists of instructions."""
    found = [pair for pair in shipped if ONLY_AVX512.search(pair[1])]
    found += [pair for pair in shipped if TESTED.match(pair[1])] + [pair for pair in tested if SHIPPED.match(pair[1])]
    plain = [(function, instruction.removeprefix("{vex} ")) for function, instruction in shipped]
    found += [pair for pair in zip(plain, tested) if pair[0] != pair[1]]
    return found if len(shipped) == len(tested) else [*found, (len(shipped), len(tested))]


@unittest.skipUnless(shutil.which("objdump"), "no objdump")
class Encodings(unittest.TestCase):
    @unittest.skipUnless(LIBRARY and MEASURED, "the machine ifma256 is not built")
    def test_shipped_and_measured(self):
        for measured in map(Path, MEASURED.split(":")):
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["ar", "x", LIBRARY, measured.name], cwd=folder, check=True)
                shipped, tested = disassembled(Path(folder, measured.name)), disassembled(measured)
            self.assertEqual(differences(shipped, tested)[:5], [], measured.name)
            for function, instruction in shipped:
                if instruction.startswith("vpmadd52"):
                    self.fail(f"{function}: {instruction}")
            self.assertGreater(sum(bool(SHIPPED.match(instruction)) for _, instruction in shipped), 100)

    @unittest.skipUnless(shutil.which("as") and os.uname().machine == "x86_64", "no assembler for x86-64")
    def test_differences_are_found(self):
        def instructions(*lines):
            with tempfile.TemporaryDirectory() as folder:
                source, target = Path(folder, "x.s"), Path(folder, "x.o")
                source.write_text("\n".join([".text", "f:", *lines, ""]), encoding="utf-8")
                subprocess.run(["as", "-o", target, source], check=True)
                return disassembled(target)

        shipped = ["1: {vex} vpmadd52luq %ymm2, %ymm1, %ymm0", "jne 1b", "ret"]
        tested = ["1: vpmadd52luq %ymm2, %ymm1, %ymm0", ".p2align 4", "jne 1b", "ret"]
        self.assertEqual(differences(instructions(*shipped), instructions(*tested)), [])
        self.assertNotEqual(differences(instructions(*tested), instructions(*tested)), [])
        self.assertNotEqual(differences(instructions(*shipped), instructions(*shipped)), [])
        for wrong in ["vpaddq %ymm2, %ymm1, %ymm0", "vpaddq %ymm16, %ymm1, %ymm0", "kmovw %k1, %eax"]:
            self.assertNotEqual(differences(instructions(*shipped, wrong), instructions(*tested)), [], wrong)
        self.assertNotEqual(differences(instructions(*shipped, "vpxor %zmm16, %zmm1, %zmm0".replace("xor", "xorq")),
                                        instructions(*tested, "vpxorq %zmm16, %zmm1, %zmm0")), [])


if __name__ == "__main__":
    unittest.main()
