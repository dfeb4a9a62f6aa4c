"""The examples of docs/python.md do what they say."""

import doctest

import pytest
from conftest import ROOT

pytest.importorskip("pyarrow")


def test_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert result.attempted > 20 and result.failed == 0
