"""The examples of docs/python.md and docs/sql.md do what they say."""

import doctest

import pytest
from conftest import ROOT

pytest.importorskip("pyarrow")


def test_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert result.attempted > 20 and result.failed == 0


def test_sql(monkeypatch):
    pytest.importorskip("duckdb")
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "docs/sql.md"), module_relative=False)
    assert result.attempted >= 10 and result.failed == 0
