"""Queues: calls from threads and tasks, joined; each with its own result."""

import asyncio
import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

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


def test_close_while_a_long_job_runs():
    """The taker's time passes meanwhile, and it goes on."""
    context = gecc.Context("cpu", threads=1)
    large = np.zeros((3000, 66), np.uint8)
    large[:, 65] = 1
    with context:
        began = time.perf_counter()
        context.ec.public_key("P-521", large)
        rows = int(len(large) * 1.5 / (time.perf_counter() - began)) + len(large)
        large = np.repeat(large[:1], rows, axis=0)
        queue = gecc.Queue(context, threads=1, rows=rows + 1, bytes=1 << 32)
        job = queue.ec.public_key.submit("P-521", large)
        queue.close()
        assert (job.result(timeout=0).status == 1).all()
        with gecc.Queue(context, threads=1, rows=rows + 1, bytes=1 << 32) as queue:
            time.sleep(0.95)  # of the second that the taker waits
            job = queue.ec.public_key.submit("P-521", large[:rows // 3])
        assert (job.result(timeout=0).status == 1).all()


def test_callbacks_use_the_queue(signed):
    public_key, digest, signature = signed
    found, ended = [], threading.Event()

    def begin():
        queue.digest.submit("SHA-256", [b"first"]).add_done_callback(call)

    def call(job):
        if not queue._is_taker():  # it was done before it had a callback
            return begin()
        try:
            found.append(queue.ecdsa.verify("P-256", public_key[:2], digest[:2], signature[:2]).tolist())
            found.append(queue.digest.submit("SHA-256", [b"later"]))
            with pytest.raises(gecc.Error, match="cannot close"):
                queue.close()
            with pytest.raises(gecc.Busy):
                for _ in range(10):
                    found.append(queue.ec.public_key.submit("P-256", KEYS))
        finally:
            ended.set()
        raise SystemExit("the thread of all other jobs goes on")

    with gecc.Queue(threads=1, rows=ROWS + 1, waits_for_room=True) as queue:
        begin()
        assert ended.wait(60)
        assert (queue.digest.submit("SHA-256", [b"last"]).result(timeout=60).status == 1).all()
        assert found[0] == [1, 1] and len(found) >= 3
        assert all((job.result(timeout=60).status == 1).all() for job in found[1:])


def test_waiting_for_room():
    """More rows than the queue has room for, by threads that wait, one of them with as many as there are."""
    rows = []

    def work(count):
        rows.append(int((queue.ec.public_key("P-256", KEYS[:count]).status == 1).sum()))

    with gecc.Queue(threads=1, rows=50, waits_for_room=True) as queue:
        threads = [threading.Thread(target=work, args=(count,)) for count in [20, 30, 50, 1, 7] * 8]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert sorted(rows) == sorted([20, 30, 50, 1, 7] * 8)


def test_interrupted_close(monkeypatch):
    """close() is called again, and then the context can be closed."""
    context = gecc.Context("cpu", threads=1)
    queue = gecc.Queue(context)
    job = queue.ec.public_key.submit("P-256", KEYS)
    join = queue._taker.join
    monkeypatch.setattr(queue._taker, "join", lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        queue.close()
    with pytest.raises(gecc.Error, match="closed"):
        queue.ec.public_key("P-256", KEYS)
    monkeypatch.setattr(queue._taker, "join", join)
    queue.close()
    queue.close()
    assert context._calls == 0 and (job.result(timeout=0).status == 1).all()
    context.close()


def test_no_thread(monkeypatch):
    def fail(self):
        raise RuntimeError("can't start new thread")

    context = gecc.Context("cpu", threads=1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(RuntimeError, match="new thread"):
            gecc.Queue(context)
    assert context._calls == 0
    context.close()


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
