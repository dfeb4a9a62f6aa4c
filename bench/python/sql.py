#!/usr/bin/env python3
"""DuckDB beside the library on the same rows in memory: a Parquet file, verified and counted by status; rows a second, alternating.

usage: sql.py [ROWS] [ROUNDS]

`run` is gecc.duckdb.run, in batches of 131,072 rows; `function` is gecc_ecdsa_verify_status in a SELECT, in DuckDB's vectors of
2,048. As in files.py, both the clock and the time that processors have spent are given.
"""

import os
import resource
import sys
import tempfile

import duckdb
from common import machine, median_ratio, signatures
from files import in_memory, timed, write

import gecc
import gecc.duckdb

COUNTS = "SELECT status, count(*) FROM {} GROUP BY status"
CALL = "(SELECT gecc_ecdsa_verify_status('P-256', public_key, digest, signature) AS status FROM '{}')"


def by_run(connection, source, rows):
    verdicts = gecc.duckdb.run("ecdsa.verify", connection, f"FROM '{source}'", curve="P-256")
    verdicts.create_view("verdicts")
    assert connection.sql(COUNTS.format("verdicts")).fetchall() == [("OK", rows)]


def by_function(connection, source, rows):
    assert connection.sql(COUNTS.format(CALL.format(source))).fetchall() == [("OK", rows)]


def main():
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"{machine()}, DuckDB {duckdb.__version__}")
    columns = signatures()
    gecc.ecdsa.verify.prepare("P-256", 1 << 20)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder, duckdb.connect() as connection:
        gecc.duckdb.register(connection)
        source = os.path.join(folder, "in.parquet")
        write(source, columns, rows)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ways = {"run": by_run, "function": by_function}
        found = {name: [] for name in ways}
        for _ in range(rounds):
            library = timed(in_memory, columns, rows)
            for name, way in ways.items():
                found[name].append((library, timed(way, connection, source, rows)))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{rows:,} rows, {os.path.getsize(source) / 1e6:.0f} MB, at most {most / 1024:.0f} MiB, {(most - before) / 1024:.0f} "
              "more than before")
        for what, index in (("by the clock", 0), ("by the time of processors", 1)):
            for name, pairs in found.items():
                library, duck, ratio = median_ratio([(one[index], other[index]) for one, other in pairs])
                print(f"{what}: library {rows / library:,.0f} a second, {name} {rows / duck:,.0f}, {100 * ratio:.1f} %")


if __name__ == "__main__":
    main()
