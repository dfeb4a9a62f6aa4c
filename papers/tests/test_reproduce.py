"""scripts/reproduce with a program in place of gecc-papers that makes numbers up: what is printed, and how it exits."""

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "reproduce"
sys.path.insert(0, str(ROOT / "papers" / "tables"))
from paper import Paper  # noqa: E402

# Prints a line for each name that the tables may ask for. FAKE: a name that is wrong, trouble, or none (no GPU).
PROGRAM = r"""#!/usr/bin/env python3
import json, os, re, sys
what, fake = sys.argv[1], os.environ.get("FAKE", "")
if fake == "none":
    sys.exit(77)
if fake == what:
    sys.exit(2)
if what == "device":
    print(json.dumps({"measure": what, "name": "No GPU", "multiprocessors": 132, "nominal_mhz": 1980, "capability": 90,
                      "l2_bytes": 1 << 25, "persisting_bytes": 1 << 24}))
    sys.exit(0)
arguments = dict(zip(sys.argv[2::2], sys.argv[3::2]))
wanted = arguments.get("--names", "").split(",")
least, _, most = arguments.get("--per-scheduler", "1-16").partition("-")
wrong = False
for number, item in enumerate(json.loads(os.environ["NAMES"])[what]):
    if wanted != [""] and item["name"] not in wanted or not int(least) <= item.get("power", 14) <= int(most or least):
        continue
    right = item["name"] != fake
    wrong = wrong or not right
    print(json.dumps({"measure": what, "rate": 1e7 * (number + 1), "low": 1e7, "high": 2e7, "seconds": 0.5,
                      "mhz": 1980.0, "registers": 64, "resident": 2, "right": right, **item}))
sys.exit(1 if wrong else 0)
"""

METHOD = r'^    \{"(\w+)", "\w+", "\w+", [A-Z_]+, \d+\}'


def names():
    """What gecc-papers measures, by what it is called with: read from the sources, so that no table asks for another."""
    folder, bench = ROOT / "papers" / "kernels", ROOT / "papers" / "program"
    streams = re.findall(r"^    X\((\w+), ", (folder / "issue.h").read_text(), re.M)
    points, sharing = (bench / "points.c").read_text(), (bench / "sharing.c").read_text()
    multiply = (bench / "multiply.c").read_text().split("static const struct method halves")
    blocks = re.search(r"unsigned threads\[\] = \{THREADS, ([\d, ]+)\}", multiply[1])[1]
    sized = [{"rows": 1 << 20, "power": power} for power in range(8, 17)]
    found = {
        "issue": [{"name": s, "warps": w, "cycles_a": 4.0, "count_a": 64, "count_b": 0} for s in streams for w in (0, 8)],
        "multiply": re.findall(METHOD, multiply[0], re.M),
        "halves": re.findall(METHOD, multiply[1], re.M),
        "threads": [f"{o}_any_two_pass_{bits}_{threads}" for o in ("multiply", "square") for bits in (128, 256, 384, 512)
                    for threads in (128, *map(int, blocks.split(", ")))],
        "points": re.findall(r'\{"(\w+)", "', points),
        "ours": re.findall(r'\{"(\w+)", [A-Z]+, [0G]', points),
        "inverse": re.findall(r'"(each_\w+|of_\w+|one_\w+)"', sharing),
        "padd": [{"name": name, "batch": b} for name in ("affine", "jacobian") for b in (1, 2, 4, 8, 16, 32, 64)],
    }
    for what in ("points", "ours", "inverse"):
        found[what] = [{"name": name, **size} for name in found[what] for size in sized]
    return {what: [item if isinstance(item, dict) else {"name": item} for item in items] for what, items in found.items()}


def has_driver():
    try:
        return bool(ctypes.CDLL("libcuda.so.1"))
    except OSError:
        return False


class Reproduce(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        program = Path(self.folder.name, "bin", "gecc-papers")
        program.parent.mkdir()
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def run_script(self, *arguments, fake=""):
        environment = dict(os.environ, FAKE=fake, NAMES=json.dumps(names()))
        command = [sys.executable, SCRIPT, "--build", self.folder.name, "--no-build", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    @unittest.skipIf(has_driver(), "there is a driver of NVIDIA's")
    def test_nothing_is_built_without_a_gpu(self):
        command = [sys.executable, SCRIPT, "--build", Path(self.folder.name, "none")]
        run = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(run.returncode, 77)
        self.assertRegex(run.stderr, "^not measured: no NVIDIA driver: ")
        self.assertRegex(run.stderr, "\n  scripts/reproduce --from papers/results/gecc-h200.json +every table.*"
                                     "\n  scripts/reproduce --table 1,3 +of sources and machine code")
        self.assertFalse(Path(self.folder.name, "none").exists())

    def test_without_a_gpu(self):
        result = self.run_script(fake="none")
        self.assertEqual(result.returncode, 77)
        self.assertIn("--from papers/results/gecc-h200.json", result.stderr)
        other = self.run_script("--paper", "zheng", fake="none")
        self.assertIn("  scripts/reproduce --paper zheng --from papers/results/zheng-h200.json", other.stderr)
        self.assertNotIn("--table", other.stderr)

    def test_tables_of_sources_without_a_gpu(self):
        kept = Path(self.folder.name, "kept")
        result = self.run_script("--table", "1", "--json", str(kept), fake="none")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("no GPU: machine code for sm_90", result.stdout)
        self.assertIn("Table 1:", result.stdout)
        self.assertEqual(self.run_script("--table", "1", "--from", str(kept)).stdout, result.stdout)
        self.assertEqual(self.run_script("--table", "1,2", fake="none").returncode, 77)
        lacking = self.run_script("--table", "3", fake="none")  # nothing was compiled
        self.assertEqual(lacking.returncode, 1)
        self.assertIn("table 3 failed: Trouble: no machine code of this GPU was counted", lacking.stdout)

    def test_tables(self):
        listed = self.run_script("--table", "list").stdout.split("\n")
        wanted = [line.split()[0] for line in listed if line and line.split()[0] != "3"]  # 3 has machine code
        out = Path(self.folder.name, "out")
        result = self.run_script("--table", ",".join(wanted), "--json", f"{out}.json", "--markdown", f"{out}.md")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        paper = Paper("gecc")
        for name in {record["table"] for record in paper.records} - {"Table 3"}:
            self.assertIn(f"{name}:", result.stdout)
            self.assertIn(f"### {name}:", Path(f"{out}.md").read_text())
        self.assertIn("W 32.00", result.stdout)
        found = names()
        others = {"halves", "threads"}
        everything = {item["name"] for what, items in found.items() if what not in others for item in items}
        self.assertEqual(everything - {"upmul_simple_rows", "upmul_simple_ours"}, self.measured(f"{out}.json"))

    def measured(self, path):
        kept = json.loads(Path(path).read_text())["calls"]
        return {line["name"] for call in kept for line in call["lines"]} - {"No GPU"}

    def test_tables_of_papers_on_products(self):
        measured = set()
        titles = {"zheng": ["Table 1", "Figure 3", "Table 2", "Curve"], "emmart": ["Table II", "Table III", "Table V", "Threads"]}
        for paper, wanted in (("zheng", "1,fig3,2,curve"), ("emmart", "II,III,V,threads")):
            kept = Path(self.folder.name, paper)
            result = self.run_script("--paper", paper, "--table", wanted, "--json", str(kept))
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            for title in titles[paper]:
                self.assertIn(f"{title}: ", result.stdout)
            measured |= self.measured(kept)
        found = names()
        everything = {item["name"] for what in ("halves", "threads") for item in found[what]}
        self.assertEqual(everything - measured, set())
        self.assertLessEqual({"upmul_simple_rows", "upmul_simple_ours", "upmul_secret", "upmul_public"}, measured)

    def test_tables_of_an_earlier_run(self):
        kept, document = Path(self.folder.name, "kept"), Path(self.folder.name, "document")
        document.write_text("before\n<!-- reproduce --paper gecc -->\nold\n<!-- end -->\nafter\n")
        first = self.run_script("--table", "fig12,4", "--json", str(kept))
        again = self.run_script("--table", "fig12,4,2", "--from", str(kept), "--markdown", str(document), fake="device")
        self.assertEqual([first.returncode, again.returncode], [0, 0], again.stdout + again.stderr)
        self.assertTrue(again.stdout.startswith(first.stdout))
        self.assertRegex(document.read_text(), "(?s)^before\n.*### Figure 12: .*### Table 2: .*\nafter\n$")
        self.assertNotIn("old", document.read_text())
        lacking = self.run_script("--table", "5,2", "--from", str(kept), fake="device")
        self.assertEqual(lacking.returncode, 1)
        self.assertIn("table 5 failed: Trouble: not measured", lacking.stdout)

    def test_table_5_ends_where_the_run_did(self):
        kept = Path(self.folder.name, "kept")
        self.assertEqual(self.run_script("--table", "5", "--json", str(kept)).returncode, 0)
        run = json.loads(kept.read_text())
        run["calls"] = [call for call in run["calls"] if call["arguments"][-1] not in ("14-14", "15-15", "16-16")]
        kept.write_text(json.dumps(run))
        result = self.run_script("--table", "5", "--from", str(kept))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("gECC, UPMUL, 2^13", result.stdout)
        self.assertNotIn("2^14 ", result.stdout.split("FPMUL: k G")[0])

    def test_a_run_that_is_cut_off(self):
        kept = Path(self.folder.name, "kept")
        self.assertEqual(self.run_script("--table", "2,fig12", "--json", str(kept), fake="multiply").returncode, 1)
        self.assertIn("Table 2:", self.run_script("--table", "2", "--from", str(kept)).stdout)

    def test_a_wrong_result(self):
        result = self.run_script("--table", "fig12", fake="multiply_sm2_pairs")
        self.assertEqual(result.returncode, 1)
        self.assertIn("WRONG RESULTS: multiply multiply_sm2_pairs", result.stdout)

    def test_a_table_that_fails_leaves_the_others(self):
        result = self.run_script("--table", "fig12,2", fake="multiply")
        self.assertEqual(result.returncode, 1)
        self.assertIn("table fig12 failed", result.stdout)
        self.assertIn("Table 2:", result.stdout)


class Documents(unittest.TestCase):
    def test_tables_are_those_of_what_was_kept(self):
        kept, document = sorted(ROOT.glob("papers/results/gecc-*.json")), ROOT / "papers" / "results.md"
        self.assertIn("<!-- reproduce --paper gecc -->\n", document.read_text())
        if not kept:
            self.skipTest("no measurements of papers/results.md's tables are kept")
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "papers.md")
            copy.write_text(document.read_text())
            command = [sys.executable, SCRIPT, "--from", kept[-1], "--markdown", copy]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertEqual(copy.read_text(), document.read_text(), "see scripts/reproduce")


class Figures(unittest.TestCase):
    def test_speedups_of_table_5(self):
        paper = Paper("gecc")
        for power, fixed, unknown in ((11, 2.98, 4.25), (14, 3.78, 4.62), (16, 3.66, 4.56)):
            for column, expected in (("FPMUL", fixed), ("UPMUL", unknown)):
                theirs, base = (paper.figure("Table 5", f"{row} 2^{power}", column) for row in ("gECC", "RapidEC"))
                self.assertAlmostEqual(theirs.value / base.value, expected, delta=0.0051)


if __name__ == "__main__":
    unittest.main()
