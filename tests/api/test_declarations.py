"""The typed functions are declared with the columns of src/scheme/operations.def: by the same names and in the same order as
gecc_run takes them."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SELECTORS = {"CURVE": ["gecc_curve curve"], "SM2": [], "SECP256K1": [], "CURVE25519": [], "MOD": ["gecc_modulus modulus"], "HASH": ["gecc_hash hash"]}


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
    for header in (ROOT / "include" / "gecc").glob("*.h"):
        text = header.read_text(encoding="utf-8")
        for name, parameters in re.findall(r"^GECC_CALL gecc_result (\w+)\(([^;]*?)\);", text, re.M | re.S):
            of_an_operation = name not in ("gecc_run", "gecc_keys_open", "gecc_keys_add") and "gecc_ethereum_options" not in parameters
            if "gecc_rows" in parameters and of_an_operation:
                found[name] = [" ".join(parameter.split()) for parameter in parameters.split(",")]
    return found


def with_statuses():
    """The functions that take statuses."""
    for header in (ROOT / "include" / "gecc").glob("*.h"):
        text = header.read_text(encoding="utf-8")
        for name, parameters in re.findall(r"^GECC_CALL gecc_result (\w+)\(([^;]*?)\);", text, re.M | re.S):
            if re.search(r"gecc_out\s+status", parameters):
                yield name


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
