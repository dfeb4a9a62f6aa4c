"""gecc.spark on Spark's standalone cluster: a master, two workers and their executors, each a process of its own."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import long

# Skips where there is no Spark.
from test_spark import collect_and_kill, executors, open_session, pyspark, rows, write  # noqa: F401

import gecc
import gecc.spark

pytestmark = long
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


class Cluster:
    """A master and two workers of one core and 1 GiB, from the files of the package pyspark."""

    def __init__(self, folder):
        self.folder, self.processes, self.url = folder, {}, None

    def open(self):
        self.start("master", "master.Master")
        self.url = self.wait_for("master", r"Starting Spark master at (spark://\S+)")[0]
        for name in ("worker-1", "worker-2"):
            self.start(name, "worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", self.folder / name, self.url)
            self.wait_for(name, "Successfully registered with master")

    def start(self, name, program, *arguments):
        """Java takes the place of the shell: the process is the master's or the worker's."""
        command = [SPARK_CLASS, f"org.apache.spark.deploy.{program}", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_", "PYTHON"))}
        environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(self.folder)}
        with open(self.log(name), "w") as log:
            self.processes[name] = subprocess.Popen(list(map(str, [*command, *arguments])), stdout=log, stderr=log,
                                                    stdin=subprocess.DEVNULL, env=environment)  # fmt: skip

    def log(self, name):
        return self.folder / f"{name}.log"

    def wait_for(self, name, pattern):
        for _ in range(600):
            if found := re.findall(pattern, self.log(name).read_text()):
                return found
            assert self.processes[name].poll() is None, self.log(name).read_text()
            time.sleep(0.1)
        raise AssertionError(f"the {name} does not say {pattern!r}: {self.log(name).read_text()}")

    def stop(self):
        for process in reversed(self.processes.values()):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        found.open()
        yield found
    finally:
        found.stop()


@pytest.fixture(scope="module")
def spark(cluster, tmp_path_factory):
    session = open_session(cluster.url, tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


def test_workers_have_the_wheel(spark):
    """What the executors import is the package that is installed here."""

    def place(_):
        import gecc

        return [(gecc.__file__, gecc.__version__)]

    found = spark.sparkContext.parallelize(range(2), 2).mapPartitions(place).collect()
    assert set(found) == {(gecc.__file__, gecc.__version__)} and sys.prefix in gecc.__file__


def test_an_executor_is_killed(spark, cluster, rows, tmp_path):  # noqa: F811
    """The result is complete and right all the same, and the worker starts another executor."""
    path, expected = write(rows, tmp_path, 20_000)
    workers = [cluster.processes[name].pid for name in ("worker-1", "worker-2")]
    before = [executors(worker) for worker in workers]
    assert [len(found) for found in before] == [1, 1]

    def slowly(batches):
        time.sleep(0.5)
        yield from batches

    frame = spark.read.parquet(path).repartition(16)
    frame = frame.mapInArrow(slowly, frame.schema)
    found = gecc.spark.map("ecdsa.verify", frame, curve="P-384", columns={"digest": "hash"})
    got = collect_and_kill(spark, found, workers[0])
    assert sorted((row.row, row.status) for row in got) == list(enumerate(expected))
    for row in got:
        assert bytes(row.signature) == rows.signature[row.row % rows.n].tobytes()
    for _ in range(600):
        if len(executors(workers[0])) == 1 and executors(workers[0]) != before[0]:
            break
        time.sleep(0.1)
    after = [executors(worker) for worker in workers]
    assert len(after[0]) == 1 and after[0] != before[0] and after[1] == before[1]
