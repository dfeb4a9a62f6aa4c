"""The typed functions are declared with the columns of src/scheme/operations.def: by the same names and in the same order as
gecc_run takes them.

Test: fast
"""

import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = json.loads((ROOT / "bindings/abi/gecc.json").read_text(encoding="utf-8"))["functions"]
SELECTORS = {"CURVE": ["gecc_curve curve"], "SUMS": ["gecc_curve curve"], "SM2": [], "SECP256K1": [], "CURVE25519": [], "MOD": ["gecc_modulus modulus"], "HASH": ["gecc_hash hash"]}


def operations():
    """The name of the typed function of each, and the parameters that follow from its entry."""
    text = (ROOT / "src" / "scheme" / "operations.def").read_text(encoding="utf-8")
    for entry in re.findall(r"^OPERATION\(.*?(?=^OPERATION\(|\Z)", text, re.M | re.S):
        name, family = re.search(r'"([\w.]+)",\s*(\w+)', entry).groups()
        inputs, outputs = (
            re.findall(rf'\b{direction}(?:_OPTIONAL)?\(\w+,\s*"(\w+)"', entry) for direction in ("IN", "OUT")
        )
        yield "gecc_" + name.replace(".", "_"), [
            "gecc_context *context",
            *(["gecc_keys *keys"] if "IN(KEY_NUMBER," in entry else SELECTORS[family]),
            *(f"gecc_out {column}" for column in outputs),
            "gecc_out status",
            *(f"gecc_rows {column}" for column in inputs),
            "size_t count",
            "const gecc_options *options",
        ]


def declarations():
    """The parameters of the functions that take rows; not of gecc_run, of those that make sets of keys, or of those over
    transactions."""
    found = {}
    for function in FUNCTIONS:
        types = [parameter["type"] for parameter in function["parameters"]]
        others = function["name"] in ("gecc_keys_open", "gecc_keys_add") or "const gecc_ethereum_options *" in types
        if "gecc_rows" in types and not others:
            found[function["name"]] = [f"{p['type']} {p['name']}".replace("* ", "*") for p in function["parameters"]]
    return found


def with_statuses():
    """The functions that take statuses."""
    status = {"name": "status", "type": "gecc_out"}
    return [function["name"] for function in FUNCTIONS if status in function["parameters"]]


class Declarations(unittest.TestCase):
    def test_refusals_are_tested(self):
        """Those of operations by test_refusals.c, the others by test_refused_rows.c."""
        tested = (ROOT / "tests" / "api" / "test_refused_rows.c").read_text(encoding="utf-8")
        others = set(with_statuses()) - {name for name, _ in operations()}
        self.assertGreater(len(others), 4)
        self.assertEqual([name for name in sorted(others) if f"{name}(" not in tested], [])

    def test_are_those_of_the_operations(self):
        expected = dict(operations())
        self.assertGreater(len(expected), 20)
        self.assertEqual(declarations(), expected)


if __name__ == "__main__":
    unittest.main()
