"""gecc.ray on a cluster of two nodes on this machine; an actor is killed in the middle of a job."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import Signed, long

import gecc

ray = pytest.importorskip("ray")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("ray.data")
import gecc.ray  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    nodes = {"num_cpus": 1, "object_store_memory": 100 * 1024 * 1024}
    found = Cluster(initialize_head=True, head_node_args=nodes | {"include_dashboard": False})
    found.add_node(**nodes)
    ray.init(address=found.address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture(scope="module")
def rows():
    return Signed("P-384", 60)


def dataset(rows, count, blocks):
    pick = np.arange(count) % rows.n
    columns = {"row": pa.array(range(count))}
    for name, source in (("public_key", rows.public_key), ("hash", rows.wrong), ("signature", rows.signature)):
        columns[name] = pa.array([source[i].tobytes() for i in range(rows.n)]).take(pa.array(pick))
    return ray.data.from_arrow(pa.table(columns)).repartition(blocks), [int(rows.expected[i]) for i in pick]


def verify(data, **options):
    return gecc.ray.map("ecdsa.verify", data, curve="P-384", columns={"digest": "hash"}, **options)


def test_map(cluster, rows):
    data, expected = dataset(rows, 3000, 4)
    got = verify(data, batch_rows=500).take_all()
    assert sorted((row["row"], row["status"]) for row in got) == list(enumerate(expected))


def test_two_actors_on_two_cpus_do_not_hang(cluster, rows):
    data, expected = dataset(rows, 3000, 4)
    assert verify(data, actors=2, batch_rows=500).count() == len(expected)


def test_secrets(cluster, rows):
    data = ray.data.from_items([{"private_key": key.tobytes(), "digest": digest.tobytes()}
                                for key, digest in zip(rows.private_key, rows.digest)])  # fmt: skip
    with pytest.raises(ValueError, match="allow_secrets: ecdsa.sign works on secrets"):
        gecc.ray.map("ecdsa.sign", data, curve="P-384")
    with pytest.raises(ValueError, match="public_scalars=True if they are public"):
        gecc.ray.Operation("ec.mul_base", curve="P-384")
    got = gecc.ray.map("ecdsa.sign", data, curve="P-384", allow_secrets=True).take_all()
    assert {row["signature"] for row in got} == {row.tobytes() for row in rows.signature}


def actors():
    """Processes of the actors."""
    from pathlib import Path

    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::MapWorker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@long
def test_an_actor_is_killed(cluster, rows):
    """The result is complete and right all the same."""
    data, expected = dataset(rows, 120_000, 24)
    before, killed = set(actors()), []

    def kill():
        for _ in range(600):
            if found := [process for process in actors() if process not in before]:
                time.sleep(1.5)
                os.kill(found[0], signal.SIGKILL)
                killed.append(found[0])
                return
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    got = verify(data, actors=2, batch_rows=2500).take_all()
    killer.join()
    assert killed
    assert sorted((row["row"], row["status"]) for row in got) == list(enumerate(expected))
