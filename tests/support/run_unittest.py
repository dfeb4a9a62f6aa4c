"""Runs the unit tests of a module, or those named, in the folder where it is: python3 -B run_unittest.py MODULE [TEST...].

Each reason why some of them were not run is a line `not run: REASON`. Exit status: 0 if those that were run passed, 77 if
none could be, else 1.
"""

import os
import sys
import unittest

NOT_RUN = 77


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main():
    sys.path.insert(0, os.getcwd())
    runner = unittest.TextTestRunner(resultclass=Result)
    result = unittest.main(sys.argv[1], argv=["unittest", *sys.argv[2:]], testRunner=runner, exit=False).result
    for reason in dict.fromkeys(reason for _, reason in result.skipped):
        print(f"not run: {reason}", file=sys.stderr)
    if result.wasSuccessful() and result.passed == 0 and result.skipped:
        return NOT_RUN
    return 0 if result.wasSuccessful() and result.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
