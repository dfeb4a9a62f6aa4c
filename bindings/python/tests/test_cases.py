"""The cases that every language reads: bindings/cases, whose README says how lines are read."""

import itertools

import numpy as np
import pytest
from conftest import ROOT

import gecc


class Case:
    def __init__(self, line, operation):
        self.line, self.name = line, operation
        self.options, self.inputs, self.rows, self.answers, self.error = {}, [], [], [], None

    def read(self, key, words):
        if key == "inputs":
            self.inputs = words
        elif key == "row":
            end = words.index(":") if ":" in words else len(words)
            self.rows.append([None if cell == "." else bytes.fromhex(cell.strip("-")) for cell in words[:end]])
            if end < len(words):
                self.answers.append((words[end + 1], [bytes.fromhex(cell.strip("-")) for cell in words[end + 2 :]]))
        elif key == "error":
            self.error = words
        else:
            assert key in ("curve", "hash", "modulus", "flags", "nonce_hash", "point_format", "output_bytes", "outputs"), key
            self.options[key] = words

    def column(self, index):
        """Of calls that are refused as an array, whose rows have one width."""
        rows = [row[index] for row in self.rows if row[index] is not None]
        is_even = self.error and rows[0] and len(set(map(len, rows))) == 1
        return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1) if is_even else rows

    def selected(self):
        for key in ("curve", "hash"):
            if key in self.options and gecc.OPERATIONS[self.name].takes_selector:
                yield self.options[key][0]
        if "modulus" in self.options:
            yield bytes.fromhex(self.options["modulus"][0])

    def keywords(self):
        found = {flag: True for flag in self.options.get("flags", ())}
        found.update({key: self.options[key][0] for key in ("nonce_hash", "point_format") if key in self.options})
        if "output_bytes" in self.options:
            found["output_bytes"] = int(self.options["output_bytes"][0])
        return found

    def call(self):
        columns = {name: self.column(index) for index, name in enumerate(self.inputs)}
        return function(self.name)(*self.selected(), **columns, **self.keywords())

    def check(self, result):
        operation = gecc.OPERATIONS[self.name]
        status = result.status if operation.outputs else result
        assert [gecc.Status(value).name for value in status] == [name for name, _ in self.answers], self.line
        for row, (name, results) in enumerate(self.answers):
            values = [np.asarray(column[row]).tobytes() if not isinstance(column[row], bytes) else column[row]
                      for column in result[: len(operation.outputs)]] if operation.outputs else []
            if name != "OK":
                assert not any(map(any, values)), self.line
            assert all(map(bytes.__eq__, values, results)), self.line


def function(name):
    found = gecc
    for part in name.split("."):
        found = getattr(found, part)
    return found


def cases(name):
    found = []
    for number, line in enumerate((ROOT / "bindings/cases" / name).read_text(encoding="utf-8").splitlines(), 1):
        key, *words = line.split() or [""]
        if key == "case":
            found.append(Case(number, *words))
        elif key and not key.startswith("#"):
            found[-1].read(key, words)
    assert len(found) > 10
    return found


@pytest.mark.parametrize("operation,members", [
    (operation, list(members))
    for operation, members in itertools.groupby(sorted(cases("known_answers.txt"), key=lambda case: case.name), key=lambda case: case.name)
])
def test_known_answers(operation, members):
    for case in members:
        case.check(case.call())


@pytest.mark.parametrize("case", cases("misuse.txt"), ids=lambda case: f"{case.name} in line {case.line}")
def test_misuse(case):
    if case.options.get("curve") and not gecc.OPERATIONS[case.name].takes_selector:
        pytest.skip("cannot be said in Python")
    with pytest.raises((gecc.Error, TypeError, ValueError)) as raised:
        case.call()
    assert case.error[1].lower() in str(raised.value).lower()


def test_every_operation_has_cases():
    known = {case.name for case in cases("known_answers.txt")}
    assert {name for name in gecc.OPERATIONS if name.removesuffix("_keys") not in known} == set()
