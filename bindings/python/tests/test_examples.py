"""The programs of examples/python run on small data."""

import subprocess
import sys

import pytest
from conftest import ROOT

import gecc

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")


def plot_rates(picture, *options):
    command = [sys.executable, ROOT / "examples/python/plot_rates.py", picture, "--threads", "1", "--seconds", "0"]
    return subprocess.run([*map(str, command), *map(str, options)], capture_output=True, text=True, timeout=300)


def test_plot_rates(tmp_path):
    """Of the sample in the repository, with batches that are smaller and larger than it."""
    picture = tmp_path / "rates.png"
    done = plot_rates(picture, "--most", "1024")
    assert done.returncode == 0, done.stderr
    assert "305 signatures, 268 valid" in done.stdout
    assert done.stdout.count(" rows a batch ") % 6 == 0 and "1,024 rows a batch" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("changed", [False, True])
def test_plot_rates_of_a_file(signed, tmp_path, changed):
    """A file that expects of a signature what is not so is refused before anything is drawn."""
    private_key = bytes(31) + b"\x05"
    digest = [row.tobytes() for row in signed.digest[:4]]
    signature = gecc.ecdsa.sign("secp256k1", private_key, digest, der=True).signature.tolist()
    public_key = gecc.ec.public_key("secp256k1", private_key, point_format="compressed").out[0].tobytes()
    path, picture = tmp_path / "signatures.parquet", tmp_path / "rates.png"
    expected = ["valid", "valid", "invalid" if changed else "valid", "valid"]
    pq.write_table(pa.table({"pub": [public_key] * 4, "digest": digest, "sig": signature, "expected": expected}), path)
    done = plot_rates(picture, "--most", "4", "--signatures", path)
    if changed:
        assert done.returncode == 1 and "not every signature is what" in done.stderr and not picture.exists()
    else:
        assert done.returncode == 0 and "4 signatures, 4 valid" in done.stdout and picture.exists()
