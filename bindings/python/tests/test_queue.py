"""Queues: calls from threads and tasks, joined; each with its own result."""

import asyncio
import concurrent.futures
import os
import subprocess
import sys
import textwrap
import threading

import gecc
import numpy as np
import pytest

ROWS = 200
KEYS = np.arange(1, ROWS + 1, dtype=np.uint8).repeat(32).reshape(ROWS, 32)


@pytest.fixture(scope="module")
def signed():
    digest = KEYS[::-1].copy()
    return gecc.ec.public_key("P-256", KEYS).out, digest, gecc.ecdsa.sign("P-256", KEYS, digest).signature


def test_threads_get_their_own(signed):
    public_key, digest, signature = signed
    bad = signature.copy()
    bad[::3, 40] ^= 1
    expected = gecc.ecdsa.verify("P-256", public_key, digest, bad)
    found = np.zeros(ROWS, np.uint8)

    def work(first):
        for i in range(first, ROWS, 8):
            found[i] = queue.ecdsa.verify("P-256", public_key[i:i + 1], digest[i:i + 1], bad[i:i + 1])[0]

    with gecc.Queue() as queue:
        threads = [threading.Thread(target=work, args=(first,)) for first in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (found == expected).all() and len(set(found)) == 2


def test_futures(signed):
    public_key, digest, _ = signed
    with gecc.Queue(max_wait_us=50, threads=1) as queue:
        jobs = [queue.ecdsa.sign.submit("P-256", KEYS[i:i + 3], digest[i:i + 3]) for i in range(0, ROWS - 3, 3)]
        hashes = [queue.digest.submit("SHA-256", [b"x" * i]) for i in range(20)]
        assert concurrent.futures.wait(jobs + hashes, timeout=60).not_done == set()
    for i, job in zip(range(0, ROWS, 3), jobs):
        assert (gecc.ecdsa.verify("P-256", public_key[i:i + 3], digest[i:i + 3], job.result().signature) == 1).all()
    assert all((job.result().digest == gecc.digest("SHA-256", [b"x" * i]).digest).all() for i, job in enumerate(hashes))


def test_asyncio(signed):
    public_key, digest, signature = signed

    async def verify(queue, i):
        status = await queue.ecdsa.verify.submit("P-256", public_key[i:i + 1], digest[i:i + 1], signature[i:i + 1])
        return int(status[0])

    async def serve():
        with gecc.Queue() as queue:
            return await asyncio.gather(*(verify(queue, i) for i in range(ROWS)))

    assert asyncio.run(serve()) == [1] * ROWS


def test_cancel_and_full(signed):
    """Behind a large call everything waits, so that what happens to it is certain."""
    public_key, digest, signature = signed
    large = np.repeat(KEYS, 100, axis=0)
    with gecc.Queue(gecc.Context("cpu", threads=1), rows=len(large) + 2) as queue:
        first = queue.ec.public_key.submit("P-256", large)
        one = queue.ecdsa.verify.submit("P-256", public_key[:1], digest[:1], signature[:1])
        two = queue.ecdsa.verify.submit("P-256", public_key[:1], digest[:1], signature[:1])
        with pytest.raises(gecc.Busy, match="full"):
            queue.digest("SHA-256", [b""])
        with pytest.raises(gecc.ArgumentError, match="no room"):
            queue.ec.public_key("P-256", np.repeat(large, 2, axis=0))
        assert two.cancel() and two.cancelled() and two.cancel() is False
        with pytest.raises(concurrent.futures.CancelledError):
            two.result()
        assert (first.result().status == 1).all() and one.result()[0] == 1
        assert not one.cancel()
    assert issubclass(gecc.Busy, gecc.Error) and issubclass(gecc.Cancelled, gecc.Error)


def test_asyncio_cancels(signed):
    large = np.repeat(KEYS, 100, axis=0)

    async def serve():
        with gecc.Queue(gecc.Context("cpu", threads=1)) as queue:
            first = queue.ec.public_key.submit("P-256", large)
            task = asyncio.ensure_future(asyncio.wait_for(queue.digest.submit("SHA-256", [b"late"]), 0.001))
            with pytest.raises(asyncio.TimeoutError):
                await task
            return (await first).status

    assert (asyncio.run(serve()) == 1).all()


def test_refusals_and_the_end():
    queue = gecc.Queue()
    with pytest.raises(gecc.ArgumentError, match="rows of 31 bytes"):
        queue.ec.public_key("P-256", KEYS[:, :31].copy())
    with pytest.raises(gecc.ArgumentError, match="report"):
        queue.ec.public_key("P-256", KEYS, report=gecc.Report())
    with pytest.raises(ValueError, match="rows: 0"):
        gecc.Queue(rows=0)
    job = queue.ec.public_key.submit("P-256", KEYS)
    assert "Queue" in repr(queue)
    queue.close()
    queue.close()
    assert (job.result().status == 1).all() and repr(queue) == "<gecc.Queue: closed>"
    with pytest.raises(gecc.Error, match="closed"):
        queue.ec.public_key("P-256", KEYS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    with gecc.Queue() as queue:
        child = os.fork()
        if child == 0:
            try:
                queue.ec.public_key("P-256", KEYS)
            except gecc.Error as error:
                os._exit(0 if "before fork()" in str(error) else 2)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0


def test_exit_with_an_open_queue():
    """The interpreter ends, and what was submitted is done."""
    process = subprocess.run([sys.executable, "-c", textwrap.dedent("""
        import gecc, numpy as np
        queue = gecc.Queue()
        job = queue.ec.public_key.submit("P-256", np.ones((5000, 32), np.uint8))
        job.add_done_callback(lambda job: print((job.result().status == 1).all(), flush=True))
    """)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (process.returncode, process.stdout, process.stderr) == (0, "True\n", "")
