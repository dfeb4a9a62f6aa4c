"""The GPU of this machine, or one that was measured before: builds gecc-papers, runs it, keeps what it prints."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import opcodes

ROOT = Path(__file__).resolve().parents[2]
NO_GPU = 77
CODE_FOR = 90  # without a GPU: the architecture whose machine code is counted, that of the kept results
SCHEDULERS, WARP = 4, 32
RUNS, RUNS_QUICK = {"multiply": 5, "halves": 5}, 2
RUNS_USUAL = 3


class Trouble(Exception):
    """A measurement that could not be made; the others go on."""


class NoGpu(Exception):
    """Why nothing can be measured here."""


def look_for_gpu():
    """NoGpu, with the reason, where the driver knows of none: before minutes of compiling, not after."""
    try:
        driver, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
    except OSError as error:
        raise NoGpu(f"no NVIDIA driver: {error}") from None
    if (code := driver.cuInit(0)) or (code := driver.cuDeviceGetCount(ctypes.byref(count))):
        raise NoGpu(f"NVIDIA's driver answers with error {code}")
    if count.value == 0:
        raise NoGpu("NVIDIA's driver knows no GPU")


def build(folder, paper, targets=("gecc-papers",), architecture="native"):
    """Configures and builds what is measured for a paper, and nothing else, with all cores."""
    options = ["TESTS=OFF", "TOOL=OFF", "BENCH=OFF", "PAPERS=ON", "CUDA_IMAGES=sm2", f"PAPERS_KERNELS={paper}"]
    options.append(f"CUDA_ARCHITECTURES={architecture}")
    configure = ["cmake", "--preset", "cuda", "-B", folder, *(f"-DGECC_{option}" for option in options)]
    subprocess.run(configure, cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(
        ["cmake", "--build", folder, "--target", *targets, "-j", str(os.cpu_count())],
        check=True,
        stdout=sys.stderr,
    )


def build_machine_code(folder, paper, images):
    """The machine code of these images alone, which takes no GPU; NoGpu: it could not be read."""
    if images and not opcodes.listing.disassembler():
        raise NoGpu("no nvdisasm, which `scripts/setup --test` installs beside nvcc")
    if images:
        build(folder, paper, [f"papers_image_{image}" for image in images], str(CODE_FOR))


def write(path, text):
    """The whole file or nothing of it, whenever this is ended."""
    part = Path(f"{path}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


class Machine:
    """What has been measured, by the arguments of gecc-papers that asked for it. It goes to the file `keep`, if there is one,
    after each call; without a folder that has the program there is only what an earlier run has kept."""

    def __init__(self, folder, quick=False, keep=None, calls=None):
        self.folder, self.quick, self.keep = folder and Path(folder), quick, keep
        self.calls = calls or {}
        self.device = self.run("device")[0]

    @classmethod
    def kept(cls, path):
        """As an earlier run kept it."""
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
        return cls(None, stored["quick"], calls={tuple(call["arguments"]): call["lines"] for call in stored["calls"]})

    @classmethod
    def without_gpu(cls, folder, keep):
        """Machine code alone."""
        device = {"measure": "device", "name": "no GPU", "capability": CODE_FOR}
        machine = cls(folder, keep=keep, calls={("device",): [device]})
        if keep:
            machine.write()
        return machine

    def write(self):
        calls = [
            f'{{"arguments": {json.dumps(arguments)}, "lines": [\n' + ",\n".join(map(json.dumps, lines)) + "\n]}"
            for arguments, lines in self.calls.items()
        ]
        write(self.keep, f'{{"quick": {json.dumps(self.quick)}, "calls": [\n' + ",\n".join(calls) + "\n]}\n")

    @property
    def wrong(self):
        """Lines whose results were not the CPU's."""
        return [line for lines in self.calls.values() for line in lines if not line.get("right", True)]

    def run(self, what, *arguments):
        """The lines of one call of gecc-papers, in the order printed."""
        return self.known((what, *arguments), self.measure)

    def named(self, what, *arguments):
        """The same, by name."""
        return {line["name"]: line for line in self.run(what, *arguments)}

    def sized(self, what, *arguments):
        """The same, by name and by the logarithm of rows for a scheduler."""
        return {(line["name"], line["power"]): line for line in self.run(what, *arguments)}

    def known(self, call, make):
        """The lines of a call, which are make(call) the first time."""
        if call not in self.calls:
            if self.folder is None:
                raise Trouble(f"not measured: {' '.join(call)}")
            self.calls[call] = make(call)
            if self.keep:
                self.write()
        return self.calls[call]

    def measure(self, call):
        runs = ["--runs", str(RUNS_QUICK if self.quick else RUNS.get(call[0], RUNS_USUAL))]
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.folder / "papers" / "ours"))
        command, found = [str(self.folder / "bin" / "gecc-papers"), *call, *runs], []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            for text in process.stdout:
                found.append(json.loads(text))
                print(f"    {progress(found[-1])}", file=sys.stderr, flush=True)
        if process.returncode == NO_GPU:
            raise NoGpu("gecc-papers finds no GPU")
        if process.returncode not in (0, 1) or not found:
            raise Trouble(f"gecc-papers {' '.join(call)}: exit status {process.returncode}")
        return found

    @property
    def multiprocessors(self):
        return self.device["multiprocessors"]

    def issue(self):
        """Cycles of a scheduler an instruction A, by stream and by warps of a scheduler (0: a single warp)."""
        return {(line["name"], line["warps"]): line for line in self.run("issue")}

    def multiplier(self):
        """W: whole products of 32 by 32 bits a multiprocessor and clock."""
        return SCHEDULERS * WARP / min(l["cycles_a"] for (name, _), l in self.issue().items() if name == "imad_wide_x")

    def opcodes(self, *images):
        """Instructions of a modular multiplication, by kernel; of other images, by image:kernel. Takes nvdisasm, and no GPU."""
        return {line["name"]: line for line in self.known(("opcodes", *images), self.count)}

    def count(self, call):
        counts = {}
        try:
            for image in call[1:] or ("multiply", "multiply_256"):
                path, prefix = self.folder / "papers" / f"{image}.fatbin", f"{image}:" if call[1:] else ""
                found = opcodes.multiplications(path, self.device["capability"])
                counts |= {prefix + name: count for name, count in found.items()}
        except (FileNotFoundError, ValueError) as error:
            raise Trouble(f"no machine code of this GPU was counted: {error}") from error
        return [{"measure": "opcodes", "name": name, **count} for name, count in counts.items()]


def progress(line):
    if "rate" not in line:
        return json.dumps(line)
    verdict = "" if line["right"] else "  WRONG RESULTS"
    rows = f" {line['rows']:,} rows" if "rows" in line else ""
    clock = f", {line['mhz']:.0f} MHz" if "mhz" in line else ""
    return f"{line['measure']} {line['name']}{rows}: {line['rate']:.4g}/s{clock}{verdict}"
