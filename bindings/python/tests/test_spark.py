"""gecc.spark on a cluster of two executors, each a process of its own; one of them is killed in the middle of a job."""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import Signed, long

import gecc

pyspark = pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("pandas")
if shutil.which("java") is None:
    pytest.skip("no java", allow_module_level=True)
import gecc.spark  # noqa: E402

#: The master: two executors of one core and 512 MiB. Ends with the session.
MASTER = "local-cluster[2,1,512]"


def open_session(master, folder):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    for name, value in {"spark.executor.memory": "512m", "spark.driver.memory": "512m", "spark.local.dir": folder,
                        "spark.sql.execution.arrow.maxRecordsPerBatch": 2000, "spark.sql.shuffle.partitions": 4,
                        "spark.driver.host": "127.0.0.1", "spark.sql.warehouse.dir": folder,
                        "spark.log.level": "ERROR"}.items():  # fmt: skip
        builder = builder.config(name, str(value))
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    session = open_session(MASTER, tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows():
    """Signatures on P-384, which take long, many times over: (file, expected status by row)."""
    return Signed("P-384", 60)


def write(rows, folder, count):
    import numpy as np
    import pyarrow.parquet as pq

    pick = np.arange(count) % rows.n
    columns = {"row": pa.array(range(count))}
    for name, source in (("public_key", rows.public_key), ("hash", rows.wrong), ("signature", rows.signature)):
        columns[name] = pa.array([source[i].tobytes() for i in range(rows.n)]).take(pa.array(pick))
    path = str(folder / "rows.parquet")
    pq.write_table(pa.table(columns), path, row_group_size=count // 16)
    return path, [int(rows.expected[i]) for i in pick]


def executors(ancestor):
    """Processes of executors that this process or a descendant of it has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in line and b"java" in line.split(b"\0")[0]:
            if ancestor in ancestors(int(folder.name)):
                found.append(int(folder.name))
    return found


def ancestors(process):
    found = []
    while process > 1:
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(process)
    return found


def collect_and_kill(spark, frame, ancestor):
    """The rows of a frame whose last stage has 16 tasks; after some of them an executor of this ancestor is killed."""
    killed = []

    def kill():
        tracker = spark.sparkContext.statusTracker()
        for _ in range(1200):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numTasks == 16 and stage.numCompletedTasks in range(2, 12) for stage in stages):
                killed.append(executors(ancestor)[0])
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    got = frame.collect()
    killer.join()
    assert killed, "the job was over before an executor could be killed"
    return got


def test_map(spark, rows, tmp_path):
    path, expected = write(rows, tmp_path, 3000)
    frame = spark.read.parquet(path).repartition(4)
    found = gecc.spark.map("ecdsa.verify", frame, curve="P-384", columns={"digest": "hash"})
    assert found.columns == ["row", "public_key", "hash", "signature", "status"]
    got = found.orderBy("row").select("row", "status").collect()
    assert [(row.row, row.status) for row in got] == list(enumerate(expected))


def test_results(spark, rows):
    frame = spark.createDataFrame([(bytearray(key), bytearray(digest)) for key, digest in zip(rows.private_key, rows.digest)],
                                  "private_key binary, digest binary")  # fmt: skip
    with pytest.raises(ValueError, match="allow_secrets: ecdsa.sign works on secrets"):
        gecc.spark.map("ecdsa.sign", frame, curve="P-384")
    found = gecc.spark.map("ecdsa.sign", frame, curve="P-384", allow_secrets=True).collect()
    assert {bytes(row.signature) for row in found} == {row.tobytes() for row in rows.signature}
    assert all(row.status == 1 and row.recovery_id in range(4) for row in found)


def test_curves_and_text(spark, rows):
    """A column of names, and text in hexadecimal, as a CSV import has it."""
    other = Signed("P-256", 4)
    names = ["P-256", "secp384r1", "P-224", None, "P-384", "prime256v1", "P-384", "P-256"]
    lines = []
    for i, name in enumerate(names):
        of = rows if name in ("P-384", "secp384r1") else other
        lines.append((i, name, *(column[i % 4].tobytes().hex() for column in (of.public_key, of.wrong, of.signature))))
    frame = spark.createDataFrame(lines, "row int, curve string, public_key string, hash string, signature string").repartition(3)
    for columns in ({"digest": "hash"}, {"digest": "hash", "curve": "curve"}):
        found = gecc.spark.map("ecdsa.verify", frame, columns=columns).orderBy("row").collect()
        expected = [(rows if name in ("P-384", "secp384r1") else other).expected[i % 4] for i, name in enumerate(names)]
        expected[2:4] = [gecc.Status.MALFORMED_SELECTOR, gecc.Status.NULL]
        assert [row.status for row in found] == expected
    keys = spark.createDataFrame([("P-256", "01"), ("P-384", "02")], "curve string, private_key string")
    found = gecc.spark.map("ec.public_key", keys, allow_secrets=True).orderBy("curve").collect()
    assert [len(row.out) for row in found] == [65, 97]


def test_bad_arguments_are_refused_on_the_driver(spark):
    frame = spark.range(3)
    with pytest.raises(ValueError, match="columns: no one column is called 'message'"):
        gecc.spark.map("digest", frame, hash="sha256")
    empty = gecc.spark.map("digest", spark.createDataFrame([], "message binary"), hash="sha256")
    assert empty.collect() == [] and empty.columns == ["message", "digest", "status"]


@long
def test_an_executor_is_killed(spark, rows, tmp_path):
    """The result is complete and right all the same."""
    path, expected = write(rows, tmp_path, 160_000)
    frame = spark.read.parquet(path).repartition(16)
    found = gecc.spark.map("ecdsa.verify", frame, curve="P-384", columns={"digest": "hash"})
    got = collect_and_kill(spark, found.select("row", "status"), os.getpid())
    assert sorted((row.row, row.status) for row in got) == list(enumerate(expected))
