"""The examples in Python, each of at most 80 lines, against the package that is installed."""

import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = {"cose_sign1": ("cbor2", "valid"), "did_plc": ("cbor2", "valid"), "dnssec_zone": ("dns", "signatures valid")}


def test_all():
    assert {path.stem for path in (ROOT / "examples" / "python").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    parser, words = EXAMPLES[name]
    pytest.importorskip(parser)
    path = ROOT / "examples" / "python" / f"{name}.py"
    assert len(path.read_text().splitlines()) <= 80
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
