"""No function of a vector machine gathers or scatters, whose addresses are lanes, unless its name says that it is on
public data, and none divides doubles: memcheck sees models of these machines, this is about the instructions that
compilers chose.

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

MEMBER = re.compile(r"^(\S+\.o):\s+file format")
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(?:\{\w+\} )?(\S+)")
MACHINES = {"ifma_": "vpmadd52", "ifma256_": "vpmadd52", "avx512_": "vfmadd"}  # each with an instruction that it has
# By addresses that are lanes, or of a time that depends on lanes.
INDEXED = re.compile(r"vp?(gather|scatter)[dq](d|q|ps|pd|pf\d\w+)|v(div|sqrt)[ps][ds]")
# Of public data, though inlined where no name says so; with the reason. Compilers' clones keep the name.
ALLOWED = {}


def disassembled(path):
    """(member, function, mnemonic) for each instruction of an object file or archive."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True)
    member = function = ""
    for line in text.stdout.splitlines():
        if found := MEMBER.match(line):
            member = found[1]
        elif found := FUNCTION.match(line):
            function = found[1]
        elif found := INSTRUCTION.match(line):
            yield member, function, found[1]


def is_allowed(function):
    name = function.split(".")[0]
    return name.endswith("_vartime") or name in ALLOWED


def offenders(instructions):
    return sorted({(m, f) for m, f, mnemonic in instructions if INDEXED.fullmatch(mnemonic) and not is_allowed(f)})


@unittest.skipUnless(shutil.which("objdump"), "no objdump")
class Gathers(unittest.TestCase):
    @unittest.skipUnless(LIBRARY, "GECC_LIBRARY is not set")
    def test_library(self):
        vectors = [i for i in disassembled(LIBRARY) if i[0].startswith(tuple(MACHINES))]
        if not vectors:
            self.skipTest("the library has no vector machine")
        for machine in {member.split("_")[0] + "_" for member, _, _ in vectors}:
            own = [mnemonic for member, _, mnemonic in vectors if member.startswith(machine)]
            self.assertTrue(any(mnemonic.startswith(MACHINES[machine]) for mnemonic in own), machine)
        self.assertEqual(offenders(vectors), [])

    def planted(self, function, instruction):
        """What is reported of a function with this instruction."""
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "ifma_planted.s"), Path(folder, "ifma_planted.o")
            source.write_text(f".text\n{function}:\nkxnorb %k1, %k1, %k1\n{instruction}\nret\n", encoding="utf-8")
            subprocess.run(["as", "-o", target, source], check=True)
            return [f for _, f in offenders(disassembled(target))]

    @unittest.skipUnless(shutil.which("as") and os.uname().machine == "x86_64", "no assembler for x86-64")
    def test_planted(self):
        for instruction in [
            "vpgatherqq (%rdi,%zmm1,8), %zmm0{%k1}",
            "vpgatherdd (%rdi,%ymm1,4), %ymm0{%k1}",
            "vgatherqpd (%rdi,%zmm1,8), %zmm0{%k1}",
            "vpgatherqq %ymm2, (%rdi,%ymm1,8), %ymm0",
            "vpscatterqq %zmm0, (%rdi,%zmm1,8){%k1}",
            "vdivpd %zmm2, %zmm1, %zmm0",
        ]:
            self.assertEqual(self.planted("ecdsa_sign", instruction), ["ecdsa_sign"], instruction)
            self.assertEqual(self.planted("ecdsa_sign.constprop.0", instruction), ["ecdsa_sign.constprop.0"])
            self.assertEqual(self.planted("base_add_vartime.isra.0", instruction), [])
        self.assertEqual(self.planted("ecdsa_sign", "vpmadd52luq %zmm2, %zmm1, %zmm0"), [])


if __name__ == "__main__":
    unittest.main()
