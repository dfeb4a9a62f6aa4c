"""The GPU of this machine, by way of gecc-papers: builds it, runs it, keeps what it prints."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NO_GPU = 77
SCHEDULERS, WARP = 4, 32
RUNS, RUNS_QUICK = {"multiply": 5}, 2
RUNS_USUAL = 3


class Trouble(Exception):
    """A measurement that could not be made; the others go on."""


class NoGpu(Exception):
    pass


def build(folder):
    """Configures and builds what is measured, and nothing else, with all cores."""
    folder = Path(folder or ROOT / "build" / "reproduce")
    options = ["TESTS=OFF", "TOOL=OFF", "BENCH=OFF", "CUDA_BREAKDOWN=ON", "CUDA_IMAGES=sm2"]
    configure = ["cmake", "--preset", "cuda-native", "-B", folder, *(f"-DGECC_{option}" for option in options)]
    subprocess.run(configure, cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(
        ["cmake", "--build", folder, "--target", "gecc-papers", "-j", str(os.cpu_count())],
        check=True,
        stdout=sys.stderr,
    )
    return folder


class Machine:
    """What has been measured, by what is asked for. `wrong`: lines whose results were not the CPU's."""

    def __init__(self, folder, quick):
        self.folder, self.quick = Path(folder), quick
        self.lines, self.wrong = [], []
        self.known = {}
        self.device = self.run("device")[0]

    def run(self, what, *arguments):
        """The lines of one call of gecc-papers, in the order printed."""
        key = (what, *arguments)
        if key in self.known:
            return self.known[key]
        runs = ["--runs", str(RUNS_QUICK if self.quick else RUNS.get(what, RUNS_USUAL))]
        command = [str(self.folder / "bin" / "gecc-papers"), what, *arguments, *runs]
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.folder / "papers" / "ours"))
        found = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            for text in process.stdout:
                line = json.loads(text)
                found.append(line)
                if not line.get("right", True):
                    self.wrong.append(line)
                print(f"    {progress(line)}", file=sys.stderr, flush=True)
        self.lines += found
        if process.returncode == NO_GPU:
            raise NoGpu
        if process.returncode not in (0, 1) or not found:
            raise Trouble(f"gecc-papers {' '.join(key)}: exit status {process.returncode}")
        self.known[key] = found
        return found

    def named(self, what, *arguments):
        """The same, by name."""
        return {line["name"]: line for line in self.run(what, *arguments)}

    @property
    def multiprocessors(self):
        return self.device["multiprocessors"]

    def issue(self):
        """Cycles of a scheduler an instruction A, by stream and by warps of a scheduler (0: a single warp)."""
        return {(line["name"], line["warps"]): line for line in self.run("issue")}

    def multiplier(self):
        """W: whole products of 32 by 32 bits a multiprocessor and clock."""
        return SCHEDULERS * WARP / min(l["cycles_a"] for (name, _), l in self.issue().items() if name == "imad_wide_x")


def progress(line):
    if "rate" not in line:
        return json.dumps(line)
    verdict = "" if line["right"] else "  WRONG RESULTS"
    rows = f" {line['rows']:,} rows" if "rows" in line else ""
    return f"{line['measure']} {line['name']}{rows}: {line['rate']:.4g}/s, {line['mhz']:.0f} MHz{verdict}"
