"""bindings/abi describes this tree's headers, and scripts/check-abi names each thing that a program that was compiled
against the last release would miss: planted changes of each kind, in a copy of the tree.

Test: fast
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ["bindings/abi/gecc.json", "cmake/gecc.map"]
README = "bindings/abi/README.md"
CONTEXT, OPERATIONS = "include/gecc/context.h", "src/scheme/operations.def"
POLL = "GECC_CALL gecc_result gecc_poll(const gecc_job *job);\n"
REASON = "| `{}` | {} |\n"


class Abi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for part in ("include", "src", "bindings/abi", "cmake"):
            shutil.copytree(ROOT / part, self.root / part)

    def edit(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, f"{name}: {old}")
        path.write_text(text.replace(old, new), encoding="utf-8")

    def explain(self, what, why):
        with open(self.root / README, "a", encoding="utf-8") as readme:  # whose last lines are the table
            readme.write(REASON.format(what, why))

    def generate(self):
        subprocess.run([sys.executable, "-B", ROOT / "tools" / "generate_abi.py", self.root], check=True)

    def run_check(self, *arguments):
        command = [sys.executable, "-B", ROOT / "scripts" / "check-abi", *arguments, self.root]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def check(self):
        """What scripts/check-abi says, a line for each defect; it fails where there is one."""
        result = self.run_check()
        lines = result.stderr.splitlines()
        self.assertEqual((result.returncode, result.stdout), (1, "") if lines else (0, "abi: ok\n"))
        return lines

    def names(self, *beginnings):
        """The check names these changes, in this order, and no others."""
        self.generate()
        lines = self.check()
        self.assertEqual([line[: len(beginning)] for line, beginning in zip(lines, beginnings)], list(beginnings))
        self.assertEqual(len(lines), len(beginnings), lines)

    def test_this_tree(self):
        self.generate()
        for name in GENERATED:
            fresh, kept = ((root / name).read_text(encoding="utf-8") for root in (self.root, ROOT))
            self.assertTrue(fresh == kept, f"{name}: run tools/generate_abi.py")
        self.assertEqual(self.check(), [])

    def test_a_function_that_is_gone(self):
        self.edit(CONTEXT, POLL, "")
        self.names("function gecc_poll: removed; was gecc_result (const gecc_job *)")
        self.explain("function gecc_poll", "gecc_wait is enough")
        self.assertEqual(self.check(), [])
        self.explain("function gecc_poll", "")
        self.assertEqual(len(self.check()), 1)

    def test_a_reason_for_nothing(self):
        self.explain("function gecc_poll", "gecc_wait is enough")
        self.assertIn("function gecc_poll: ", self.check()[0])

    def test_a_function_with_another_parameter(self):
        self.edit(CONTEXT, POLL, POLL.replace("job);", "job, int now);"))
        self.names("function gecc_poll: was gecc_result (const gecc_job *), is gecc_result (const gecc_job *, int);")

    def test_a_function_that_is_new(self):
        self.edit(CONTEXT, POLL, POLL + "GECC_API int gecc_poll_again(void);\n")
        self.names()
        functions = json.loads((self.root / GENERATED[0]).read_text(encoding="utf-8"))["functions"]
        since = {function["name"]: function["since"] for function in functions}
        self.assertEqual((since["gecc_poll"], since["gecc_poll_again"]), ("0.2", "0.3"))

    def test_a_value(self):
        self.edit(CONTEXT, "X(GECC_ERROR_FAULT, 8,", "X(GECC_ERROR_FAULT, 9,")
        self.assertIn("GECC_ERROR_FAULT", "".join(self.check()))  # compilers see it before anything is generated
        self.names("value GECC_ERROR_FAULT: was 8, is 9;")

    def test_a_value_that_is_gone(self):
        self.edit("include/gecc/hashes.h", 'X(GECC_SM3, 4, sm3, "SM3", 32)', "")
        self.names("value GECC_SM3: removed; was 4")

    def test_a_field_that_moves(self):
        self.edit(CONTEXT, "    double seconds; ", "    double began;\n    double seconds; ")
        self.generate()
        found = self.check()
        self.assertIn("field gecc_report.seconds: was double at 168, is double at 176;", found[0])
        self.assertEqual(len(found), 5)  # and all behind it

    def test_a_field_of_another_type(self):
        self.edit(CONTEXT, "    uint32_t flags;                 /* gecc_flag", "    int32_t flags; /* gecc_flag")
        self.names("field gecc_options.flags: was uint32_t at 8, is int32_t at 8;")

    def test_structs_that_grow(self):
        self.edit(CONTEXT, "\n} gecc_report;", "\n    double began;\n} gecc_report;")
        self.names()
        self.edit(CONTEXT, "\n} gecc_out;", "\n    size_t rows;\n} gecc_out;")
        self.names("struct gecc_out: was 24 bytes, is 32 bytes;")

    def test_an_operation_with_other_columns(self):
        column = 'OUT_OPTIONAL(RECOVERY_ID, "recovery_id", '
        text = (self.root / OPERATIONS).read_text(encoding="utf-8")
        (self.root / OPERATIONS).write_text(text.replace(column, column.replace("_OPTIONAL", ""), 1), encoding="utf-8")
        self.names("operation ecdsa.sign: was ")

    def test_a_release(self):
        """It keeps its list, once, and nothing else changes by that; functions since the one before have its version, and later
        ones the next, which the headers must have."""
        header = (self.root / CONTEXT).read_text(encoding="utf-8")
        major, minor, patch = (int(re.search(rf"VERSION_{part} (\d+)", header)[1]) for part in ("MAJOR", "MINOR", "PATCH"))
        for path in (self.root / "bindings" / "abi").glob("*.txt"):
            if path.stem != "0.2.0":  # the release before is 0.2.0
                path.unlink()
        self.generate()
        made = [(self.root / name).read_text(encoding="utf-8") for name in GENERATED]
        self.assertEqual(self.run_check("--keep").returncode, 0)
        self.assertNotEqual(self.run_check("--keep").returncode, 0)  # this version's is there
        self.generate()
        self.assertEqual([(self.root / name).read_text(encoding="utf-8") for name in GENERATED], made)
        self.edit(CONTEXT, POLL, POLL + "GECC_API int gecc_poll_again(void);\n")
        with self.assertRaises(subprocess.CalledProcessError):
            self.generate()
        self.edit(CONTEXT, f"GECC_VERSION_MINOR {minor}\n", f"GECC_VERSION_MINOR {minor + 1}\n")
        self.edit(CONTEXT, "X(GECC_ERROR_FAULT, 8,", "X(GECC_ERROR_FAULT, 9,")
        self.names(f"value GECC_ERROR_FAULT: was 8, is 9; since {major}.{minor}.{patch}")
        first, second, third = (self.root / GENERATED[1]).read_text(encoding="utf-8").split("\n}")[:3]
        self.assertIn("GECC_0.2 {\nglobal:\n    gecc_backends;\n", first)
        self.assertTrue(second.startswith(f";\nGECC_{major}.{minor} {{\nglobal:\n    gecc_"), second)
        self.assertIn("    gecc_version_number;", second)
        self.assertEqual(third, f" GECC_0.2;\nGECC_{major}.{minor + 1} {{\nglobal:\n    gecc_poll_again;")

    def test_a_field_that_is_not_read(self):
        """The generator looks at what the compiler lays out: it refuses where it read less."""
        self.edit(CONTEXT, "    size_t width;\n", "    GECC_HIDDEN\n    size_t width;\n")
        self.edit(CONTEXT, "#define GECC_API ", "#define GECC_HIDDEN int hidden;\n#define GECC_API ")
        with self.assertRaises(subprocess.CalledProcessError):
            self.generate()


if __name__ == "__main__":
    unittest.main()
