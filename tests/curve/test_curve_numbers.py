"""Numbers of curves, which are bits of gecc_operation.curves: each curve has its own, however many there are, or is refused by name.

Test: fast
"""

import configparser
import importlib.util
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def generator():
    spec = importlib.util.spec_from_file_location("generate_curves", ROOT / "tools" / "generate_curves.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CurveNumbers(unittest.TestCase):
    def numbers(self, form, count):
        """Those of so many curves of a form besides one of the other, as the header that is written has them."""
        module, table = generator(), configparser.ConfigParser()
        table.read(ROOT / "src" / "curve" / "curves.ini")
        model = {module.form_of(table[name]): name for name in table.sections()}
        for name in table.sections():
            if module.form_of(table[name]) == form and name != model[form]:
                table.remove_section(name)
        for i in range(1, count):
            table[f"curve{i}"] = dict(table[model[form]], identifier=f"GECC_CURVE_{i}")
        return [int(number) for number in re.findall(r"X\(GECC_\w+, (\d+), \w+, \"", module.listing(table))]

    def test_every_curve_has_a_bit_of_its_own(self):
        for form in generator().FORMS:
            for count in range(1, 40):
                with self.subTest(form=form, count=count):
                    try:
                        numbers = self.numbers(form, count)
                    except SystemExit as refusal:
                        self.assertRegex(str(refusal), r"^curve\d+: there are numbers for 15 curves of ")
                        self.assertGreater(count, 15)
                        continue
                    self.assertEqual(len(numbers), len(set(numbers)))
                    self.assertLess(max(numbers), 31)


if __name__ == "__main__":
    unittest.main()
