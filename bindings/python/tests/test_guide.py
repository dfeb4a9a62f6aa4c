"""The examples of docs/python.md and docs/duckdb.md do what they say."""

import doctest

import pytest
from conftest import ROOT

pytest.importorskip("pyarrow")


def run(page, folder, monkeypatch):
    """How many examples of a page there are. They find the repository's, and write to a folder."""
    (folder / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(folder)
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert result.failed == 0
    return result.attempted


def test_guide(tmp_path, monkeypatch):
    assert run("python.md", tmp_path, monkeypatch) > 20


def test_duckdb(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    assert run("duckdb.md", tmp_path, monkeypatch) > 10
