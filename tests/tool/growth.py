"""Whether what a reader takes stays in proportion to what it reads."""

import os
import subprocess
import tempfile

from support import TOOL

LEAST_SECONDS = 0.1  # shorter runs count as long as this: starting the tool takes about half of it
SLACK_BYTES = 64 << 20  # what memory may grow by that is bounded: pages of batches that only more rows touch


def _run(arguments, data, folder, timeout):
    """(seconds of processors, most bytes of memory, exit status) of the tool, which reads a file with that data."""
    with tempfile.NamedTemporaryFile(dir=folder) as file, open(os.devnull, "wb") as nowhere:
        file.write(data)
        file.flush()
        command = [TOOL, *(file.name if a == "FILE" else str(a) for a in arguments)]
        stdin = open(file.name, "rb") if "FILE" not in arguments else subprocess.DEVNULL
        sanitizers = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}  # what is freed is free
        process = subprocess.Popen(["timeout", "-s", "KILL", str(timeout), *command],
                                   stdin=stdin, stdout=nowhere, stderr=nowhere, env={**os.environ, **sanitizers})  # fmt: skip
        if stdin is not subprocess.DEVNULL:
            stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, process.returncode


def assert_in_proportion(test, arguments, make, n, *, time_ratio=8, memory_ratio=8, statuses=(0, 1, 2), timeout=60):
    """Fail the test (a unittest.TestCase) unless the tool reads make(4 n) in less than `time_ratio` times the processor's
    time that it takes for make(n), and with less than `memory_ratio` times the memory that comes on top of what it takes
    for make(1). What is linear takes 4 times as much, what is quadratic 16 times.

    arguments: of the tool; "FILE" among them is the path of a file with the data, without it the data is standard input.
    make(n): the data, bytes, of n records, members, or whatever is to be many.
    n: great enough that something quadratic takes seconds for 4 n, small enough that what is linear takes a tenth of that.
    statuses: exit statuses that are right; a crash, or more seconds than `timeout`, is none.

    Runs that are too slow are repeated, so that another program's load fails no test."""
    few, less, more = make(1), make(n), make(4 * n)
    with tempfile.TemporaryDirectory() as folder:
        runs = lambda data: _run(arguments, data, folder, timeout)  # noqa: E731
        base, first, last = runs(few), runs(less), runs(more)
        for repeat in range(2):
            if last[0] < time_ratio * max(first[0], LEAST_SECONDS) or last[2] not in statuses:
                break
            first, last = (min(pair) for pair in zip((first, last), (runs(less), runs(more))))
    for data, (_, _, status) in ((few, base), (less, first), (more, last)):
        test.assertIn(status, statuses, f"{arguments}: {len(data)} bytes of input")
    test.assertLess(last[0], time_ratio * max(first[0], LEAST_SECONDS),
                    f"{arguments}: seconds for {len(more)} bytes of input, and {first[0]:.3f} for {len(less)}")  # fmt: skip
    test.assertLess(last[1] - base[1], memory_ratio * max(first[1] - base[1], 0) + SLACK_BYTES,
                    f"{arguments}: memory for {len(more)} bytes of input, and {first[1] - base[1]} for {len(less)}")  # fmt: skip
