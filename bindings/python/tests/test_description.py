"""What is made from the library's description: functions, their documentation, stubs; and the constants of the headers."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import gecc
from gecc._description import flags_of

PACKAGE = Path(gecc.__file__).parent


def function_of(operation):
    found = gecc
    for part in operation.name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("operation", gecc.OPERATIONS.values(), ids=lambda operation: operation.name)
def test_functions(operation):
    function = function_of(operation)
    parameters = inspect.signature(function).parameters
    assert [column.name for column in operation.inputs if not column.is_optional] == [
        name for name, parameter in parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name not in ("curve", "modulus", "hash", "keys")]
    assert set(flags_of(operation)) < set(parameters) and "out" in parameters
    assert ("accept" in parameters) == (flags_of(operation) != list(operation.flags))
    for column in (*operation.inputs, *operation.outputs):
        assert f"    {column.name}: {column.text}" in function.__doc__ and column.secrecy in function.__doc__
    assert function.__name__ == operation.name.rpartition(".")[2] and function.submit.__qualname__.endswith(".submit")


def test_documentation_of_one():
    text = gecc.ecdsa.verify.__doc__
    assert re.search(r"33 or 64 or 65 bytes \(P-384, brainpoolP384r1: 49 or 96 or 97; [^)]*\) a row; public", text)
    assert "20 to 64 bytes a row" in text


def generate(what, source, target):
    subprocess.run([sys.executable, ROOT / "bindings/python/generate.py", what, source, target], check=True)
    return target.read_text()


def test_stubs_are_current(tmp_path):
    assert generate("stubs", PACKAGE, tmp_path / "stubs") == (PACKAGE / "_operations.pyi").read_text()


@pytest.mark.parametrize("what", ["abi", "constants"])
def test_what_the_description_gives_is_current(what, tmp_path):
    assert generate(what, ROOT / "bindings/abi/gecc.json", tmp_path / what) == (PACKAGE / f"_{what}.py").read_text()


def test_version():
    major, minor, patch = map(int, gecc.__version__.split("."))
    assert gecc.VERSION_NUMBER == major * 1000000 + minor * 1000 + patch


def test_statuses():
    assert gecc.Status(1) is gecc.Status.OK and gecc.Status.OK.text == "valid, or computed"
    assert gecc.Status.NULL.is_malformed and not gecc.Status.INVALID.is_malformed
    assert all(status.text != "unknown" for status in gecc.Status)


TYPED = """\
import numpy as np
import gecc

rows = np.zeros((4, 32), np.uint8)
status = gecc.ecdsa.verify("P-256", b"k", rows, [b"s", None], low_s=True)
reveal_type(status)
signature, recovery_id, statuses = gecc.ecdsa.sign("secp256k1", rows, rows, low_s=True)
with gecc.Context("cpu", threads=1) as context:
    reveal_type(context.sm2.digest.submit(rows, rows, id=b"id").result())
reveal_type(gecc.Status.OK)
gecc.ecdsa.verify("P-257", rows, rows, rows)
gecc.ecdsa.verify("P-256", rows, rows)
gecc.ecdsa.forge("P-256", rows, rows)
"""


def test_types(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "typed.py").write_text(TYPED)
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "typed.py"],
                           cwd=tmp_path, capture_output=True, text=True).stdout  # fmt: skip
    lines = [line for line in found.splitlines() if line.startswith("typed.py")]
    errors = [line for line in lines if ": error: " in line]
    assert [line.split(":")[1] for line in errors] == ["11", "12", "13"], found
    assert "ndarray" in lines[0] and "Sm2DigestResult" in found and "Status" in found


def test_every_error_has_an_exception():
    """PENDING is no error; values that the library does not know have no text of their own."""
    from gecc._errors import _CLASSES
    from gecc._library import library

    texts = {value: library.gecc_result_text(value) for value in range(1, 64)}
    errors = {value for value, text in texts.items() if text not in (b"unknown result", b"the job is still running")}
    assert errors == set(_CLASSES)
    assert all(getattr(gecc, found.__name__) is found for found in _CLASSES.values())
