"""Contexts, jobs, and what processes do to them."""

import asyncio
import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import Signed

import gecc
from gecc import Status


def test_a_context(signed):
    with gecc.Context("cpu", threads=1) as context:
        assert repr(context).startswith("<gecc.Context: cpu")
        report = gecc.Report()
        status = context.ecdsa.verify(signed.curve, signed.public_key, signed.wrong, signed.signature, report=report)
        assert status.tolist() == signed.expected
        assert (report.backend, report.seconds > 0) == ("cpu", True) and "1 thread" in report.detail
        assert {backend.name for backend in context.backends()} == {"cpu", "cuda"}
        context.ecdsa.verify.prepare("P-256", 1000)
        assert set(gecc._operations.__all__) <= set(dir(context))
    with pytest.raises(gecc.Error, match="context: closed"):
        context.ec.validate("P-256", signed.public_key)
    assert repr(context) == "<gecc.Context: closed>"
    context.close()


def test_bad_contexts():
    with pytest.raises(gecc.NoBackend, match="opencl"):
        gecc.Context("opencl")
    with pytest.raises(ValueError, match="threads"):
        gecc.Context(threads=-1)
    for device in ([], [0, -1], -1):
        with pytest.raises(ValueError, match="device"):
            gecc.Context("cuda", device=device)
    with pytest.raises(TypeError):
        gecc.Context("cuda", device=["0"])
    with gecc.Context() as context, pytest.raises(AttributeError, match="rsa"):
        context.rsa


def test_devices_are_a_number_or_numbers():
    with gecc.Context("cpu", device=3) as one, gecc.Context("cpu", device=iter([0, 2])) as two:
        for context in one, two:
            assert all(device.memory > 0 and not device.is_chosen for device in context.devices())
            pickle.loads(pickle.dumps(context)).close()
        report = gecc.Report()
        two.ec.validate("P-256", bytes(65), report=report)
        assert report.devices == {}


def test_contexts_are_pickled_by_their_arguments(signed):
    with gecc.Context("cpu", threads=1) as context, pickle.loads(pickle.dumps(context)) as other:
        assert (other.ec.validate("P-256", signed.public_key) == Status.OK).all()


def test_contexts_that_nobody_needs_are_closed():
    threads = len(os.listdir("/proc/self/task"))
    for _ in range(20):
        gecc.Context("cpu", threads=2).ec.validate("P-256", bytes(65))
    gc.collect()
    assert len(os.listdir("/proc/self/task")) <= threads + 2


def test_jobs(signed):
    with gecc.Context() as context:
        jobs = [context.ecdsa.verify.submit(signed.curve, signed.public_key, signed.wrong, signed.signature) for _ in range(100)]
        assert all(job.result().tolist() == signed.expected for job in concurrent.futures.as_completed(jobs))
        assert not jobs[0].cancel() and jobs[0].done()
        job = context.ecdsa.verify.submit(signed.curve, signed.public_key, signed.wrong, signed.signature)
    assert job.done() and job.result().tolist() == signed.expected


def test_jobs_can_be_awaited(signed):
    async def both():
        return await asyncio.gather(*(gecc.digest.submit("sha256", [b"abc"] * 100) for _ in range(2)))

    assert [(found.status == Status.OK).all() for found in asyncio.run(both())] == [True, True]


def test_jobs_are_refused_at_once(signed):
    with pytest.raises(gecc.ArgumentError, match="digest"):
        gecc.ecdsa.verify.submit(signed.curve, signed.public_key, signed.digest[:, :3], signed.signature)


def test_many_threads(signed):
    def verify(_):
        return gecc.ecdsa.verify(signed.curve, signed.public_key, signed.wrong, signed.signature).tolist()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(found == signed.expected for found in pool.map(verify, range(200)))


def test_the_gil_is_released():
    keys = np.ones((3000, 48), np.uint8)
    job = threading.Thread(target=gecc.ec.public_key, args=("P-384", keys))
    start, turns = time.perf_counter(), 0
    job.start()
    while job.is_alive():
        turns += 1
        time.sleep(0)
    assert turns > 5 or time.perf_counter() - start < 0.05


def verify_in_a_child(arguments):
    return gecc.ecdsa.verify(*arguments).tolist()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools(signed, method):
    arguments = (signed.curve, signed.public_key, signed.wrong, signed.signature)
    assert verify_in_a_child(arguments) == signed.expected
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(verify_in_a_child, [arguments] * 4) == [signed.expected] * 4


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_has_to_open_its_own(signed):
    context = gecc.Context()
    context.ec.validate("P-256", signed.public_key)
    child = os.fork()
    if child == 0:
        try:
            context.ec.validate("P-256", signed.public_key)
        except gecc.Error as error:
            context.close()
            os._exit(0 if "before fork()" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    context.close()


def run(text, interrupt_after=None):
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)  # fmt: skip
    if interrupt_after:
        assert process.stdout.readline() == "begun\n"
        time.sleep(interrupt_after)
        process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


PREPARE = """
    import gecc, numpy as np, signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells have ignored of what runs in the background
    keys = np.ones((200000, 32), np.uint8)
    status = np.zeros(len(keys), np.uint8)
"""


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise SystemExit(3)"])
def test_exit_with_jobs_under_way(end):
    code, _, error = run(PREPARE + f"""
    jobs = [gecc.ec.public_key.submit("P-256", keys) for _ in range(3)]
    job = gecc.ec.public_key.submit("P-256", keys, out=(None, status))
    {end}
    """)
    assert code == (3 if end else 0) and not error


def test_jobs_at_exit():
    code, out, error = run(PREPARE + """
    import atexit
    atexit.register(lambda: print(gecc.ec.public_key.submit("P-256", keys[:5]).result().status.tolist()))
    """)
    assert (code, out, error) == (0, "[1, 1, 1, 1, 1]\n", "")


def test_interrupted_call():
    """Ctrl-C ends a long call in seconds, and the package works afterwards."""
    start = time.monotonic()
    code, out, error = run(PREPARE + """
    many = np.broadcast_to(keys[:1], (20_000_000, 32))
    status = np.zeros(len(many), np.uint8)
    gecc.ec.validate("P-256", bytes(65))
    print("begun", flush=True)
    try:
        gecc.ec.public_key("P-256", many, out=(None, status))
    except KeyboardInterrupt:
        done = np.count_nonzero(status)
        print(0 < done < len(status), gecc.ec.validate("P-256", bytes(65)), done == np.count_nonzero(status))
    """, interrupt_after=1.5)
    assert (code, out) == (0, "True [17] True\n"), error
    assert time.monotonic() - start < 60


def test_interrupted_call_of_dear_rows():
    """What is under way is a chunk of rows for each thread, half a second's work; all are half a minute's without AVX-512."""
    code, out, error = run("""
    import gecc, numpy as np, signal, time
    signal.signal(signal.SIGINT, signal.default_int_handler)
    keys = np.zeros((100_000, 66), np.uint8)
    keys[:, 1:] = 255
    status = np.zeros(len(keys), np.uint8)
    context = gecc.Context("cpu", threads=1)
    print("begun", flush=True)
    begun = time.monotonic()
    try:
        context.ecdh("P-521", keys, gecc.ec.public_key("P-521", keys[0].tobytes()).out[0].tobytes(), out=(None, status))
    except KeyboardInterrupt:
        print(time.monotonic() - begun < 6, 0 < np.count_nonzero(status) < len(status))
    """, interrupt_after=1)
    assert (code, out) == (0, "True True\n"), error


@pytest.mark.parametrize("call", [
    'gecc.arrow.run("ecdh", table, curve="P-521", context=context)',
    'list(gecc.arrow.run("ecdh", pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), curve="P-521", context=context))',
    'gecc.parquet.run("ecdh", "in.parquet", "out.parquet", curve="P-521", context=context)',
])
def test_interrupted_tables(call, tmp_path):
    """What was under way for batches is given up, so that neither the call nor the interpreter's exit waits for it."""
    pytest.importorskip("pyarrow")
    start = time.monotonic()
    code, out, error = run(f"""
    import gecc.arrow, gecc.parquet, os, pyarrow as pa, pyarrow.parquet as pq, signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir({str(tmp_path)!r})
    key = b"\\0" + bytes([255]) * 65
    peer = gecc.ec.public_key("P-521", key).out[0].tobytes()
    table = pa.table({{"private_key": pa.array([key] * 200_000, pa.binary(66)), "peer": pa.array([peer] * 200_000)}})
    pq.write_table(table, "in.parquet")
    context = gecc.Context("cpu", threads=1)
    print("begun", flush=True)
    try:
        {call}
    except KeyboardInterrupt:
        print("interrupted", os.listdir("."))
    """, interrupt_after=1)
    assert (code, out) == (0, "interrupted ['in.parquet']\n"), error
    assert time.monotonic() - start < 30


def test_interrupted_wait():
    code, out, error = run(PREPARE + """
    job = gecc.ec.public_key.submit("P-256", np.concatenate([keys] * 5))
    print("begun", flush=True)
    try:
        job.result()
    except KeyboardInterrupt:
        print("interrupted", (job.result().status == 1).all())
    """, interrupt_after=0.2)
    assert (code, out) == (0, "interrupted True\n"), error


def test_signed_rows_differ():
    signed = Signed("secp256k1")
    assert len({row.tobytes() for row in signed.signature}) == signed.n
