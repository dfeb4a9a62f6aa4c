"""What the benches share: rows, medians, and what the machine is."""

import os
import statistics
from pathlib import Path

import numpy as np

import gecc

#: Rows that differ; larger tables repeat them.
DIFFERENT = 1 << 14


def signatures(curve="P-256", rows=DIFFERENT):
    """(public_key, digest, signature) of so many rows that differ."""
    random = np.random.default_rng(1)
    private = random.integers(1, 255, (rows, 32), dtype=np.uint8)
    digest = random.integers(0, 256, (rows, 32), dtype=np.uint8)
    return gecc.ec.public_key(curve, private).out, digest, gecc.ecdsa.sign(curve, private, digest).signature


def machine():
    """The processor, the processors this process may use, and how busy they are: figures of a busy machine say little."""
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return f"{model[0] if model else 'unknown'}, {len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}"


def median_ratio(pairs):
    """(median a, median b, median of a / b) of alternating measurements."""
    return (statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
            statistics.median(a / b for a, b in pairs))
