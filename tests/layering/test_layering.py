"""scripts/check-layering accepts this tree and reports a planted violation of each kind.

Test: fast; sources
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "scripts" / "check-layering"


def check(*arguments):
    return subprocess.run([sys.executable, CHECK, *arguments], capture_output=True, text=True, check=False)


class Layering(unittest.TestCase):
    def tree(self, files):
        """The check's report on a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"src/limbs/a.h": "", "include/gecc/gecc.h": "", **files}.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check(root)

    def refuses(self, name, text, reason, others=()):
        result = self.tree({name: text, **dict.fromkeys(others, "")})
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{name}:1: ", result.stdout)
        self.assertIn(reason, result.stdout)

    def test_this_tree(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_downwards(self):
        field = '#include "limbs/a.h"\n#include <stdint.h>\n'
        result = self.tree({"src/field/b.h": field, "src/api/c.c": '#include "field/b.h"\n'})
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_upwards(self):
        self.refuses("src/limbs/b.h", '#include "field/c.h"\n', "may not include src/field/c.h", ["src/field/c.h"])

    def test_upwards_relative(self):
        self.refuses("src/limbs/b.h", '#include "../field/c.h"\n', "may not include", ["src/field/c.h"])

    def test_hash_of_batch(self):
        files = ["src/batch/rows.h", "src/batch/inverse.h"]
        self.refuses("src/hash/b.h", '#include "batch/inverse.h"\n', "may not include", files)
        result = self.tree({"src/hash/b.h": '#include "batch/rows.h"\n', **dict.fromkeys(files, "")})
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_tool_of_internals(self):
        self.refuses("tools/gecc/b.c", '#include "limbs/a.h"\n', "may not include src/limbs/a.h")

    def test_rooms_of_the_tool(self):
        rows = {"tools/gecc/rows/b.h": '#include "text/a.h"\n', "tools/gecc/text/a.h": "", "tools/gecc/bitcoin/c.h": ""}
        result = self.tree(rows)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.refuses("tools/gecc/text/b.h", '#include "rows/b.h"\n', "tools/gecc/text may not include rows/b.h", rows)
        self.refuses("tools/gecc/bench/b.h", '#include "bitcoin/c.h"\n', "tools/gecc/bench may not include", rows)
        self.refuses("src/api/b.h", '#include "text/a.h"\n', "may not include tools/gecc/text/a.h", rows)
        result = self.tree({"tools/gecc/other/b.c": ""})
        self.assertIn("tools/gecc/other/b.c: no room", result.stdout)

    def test_rooms_of_the_gpu(self):
        cuda = "src/backend/cuda"
        files = {f"{cuda}/{name}": "" for name in ["cuda.h", "kernels/a.h", "device/a.h", "card/a.h", "cards/a.h"]}
        down = {f"{cuda}/module.c": "cards", f"{cuda}/cards/b.c": "card", f"{cuda}/card/b.c": "device",
                f"{cuda}/device/b.c": "kernels"}
        result = self.tree({**files, **{name: f'#include "backend/cuda/{room}/a.h"\n' for name, room in down.items()}})
        self.assertEqual(result.returncode, 0, result.stdout)
        for room, other in [("kernels", "device"), ("device", "card"), ("card", "cards")]:
            reason = f"{cuda}/{room} may not include {other}/a.h"
            self.refuses(f"{cuda}/{room}/b.h", f'#include "backend/cuda/{other}/a.h"\n', reason, files)
            self.refuses(f"{cuda}/{room}/b.h", f'#include "../{other}/a.h"\n', reason, files)
        self.refuses(f"{cuda}/kernels/b.cu", '#include "../device/a.h"\n', "may not include device/a.h", files)
        self.refuses(f"{cuda}/cards/b.h", '#include "backend/cuda/cuda.h"\n', "may not include cuda.h", files)
        result = self.tree({f"{cuda}/other/b.cu": ""})
        self.assertIn(f"{cuda}/other/b.cu: no room", result.stdout)

    def test_bench_of_a_tool(self):
        self.refuses("bench/b.c", '#include "../tools/gecc/a.h"\n', "may not include tools/gecc/a.h", ["tools/gecc/a.h"])
        self.refuses("bench/b.c", '#include "backend/a.h"\n', "may not include src/backend/a.h", ["src/backend/a.h"])
        result = self.tree({"bench/b.c": '#include "a.h"\n', "tools/measure/a.h": ""})
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_papers(self):
        paper = {"papers/limbs/b.h": '#include "limbs/a.h"\n', "tests/limbs/c.h": "", "tools/measure/d.h": ""}
        uses = '#include "papers/limbs/b.h"\n#include "limbs/c.h"\n#include "d.h"\n#include <cmocka.h>\n'
        result = self.tree({**paper, "papers/tests/e.c": uses})
        self.assertEqual(result.returncode, 0, result.stdout)
        for name in ("src/limbs/f.h", "tools/gecc/f.c", "bench/f.c", "tests/limbs/f.c", "examples/f.c"):
            self.refuses(name, '#include "papers/limbs/b.h"\n', "nothing may include papers/", paper)
        self.refuses("src/limbs/f.h", '#include "../../papers/limbs/b.h"\n', "nothing may include papers/", paper)
        self.refuses("src/limbs/f.h", '#define OWN_REDUCTIONS "papers/limbs/b.h"\n', "nothing may include papers/", paper)
        self.refuses("papers/limbs/f.h", '#include "text/a.h"\n', "papers may not include", {"tools/gecc/text/a.h": ""})

    def test_foreign_library(self):
        self.refuses("src/field/b.h", "#include <openssl/bn.h>\n", "openssl/bn.h")

    def test_compiler_of_kernels(self):
        self.refuses("src/field/b.h", "#ifdef __CUDACC__\n", "__CUDACC__ is for src/limbs")
        self.refuses("src/backend/cuda/b.h", "#if defined(__CUDACC__)\n", "__CUDACC__ is for src/limbs")
        result = self.tree({"src/limbs/ptx/b.h": "#ifdef __CUDACC__\n"})
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_unknown_folder(self):
        result = self.tree({"src/other/b.c": ""})
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/other: no layer", result.stdout)


if __name__ == "__main__":
    unittest.main()
