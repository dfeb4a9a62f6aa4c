"""Ten million rows in bounded memory.

Test: long
"""

import os
import subprocess
import unittest
from pathlib import Path

from support import P256, TOOL, ToolTest

COUNT = 10_000_000


@unittest.skipUnless(os.environ.get("GECC_LONG_TESTS"), "GECC_LONG_TESTS is not set")
class ManyRows(ToolTest):
    def test_ten_million_rows(self):
        """Additions, of which every thousandth has a point off the curve; the order is kept."""
        x, y = P256.g
        points = [P256.encode(P256.mul(k)) for k in range(1, 101)]
        bad = P256.encode((x, y ^ 1))

        def text(first, count):
            return "".join(
                f"{i},{points[i % 99] if i % 1000 else bad},{points[99]}\n" for i in range(first, first + count)
            ).encode()

        process = subprocess.Popen([TOOL, "add", "--curve", "P-256", "--point-format", "compressed", "-q"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        self.addCleanup(process.stdout.close)
        writer = os.fork()
        if writer == 0:
            process.stdin.write(b"n,a,b\n")
            for first in range(0, COUNT, 10000):
                process.stdin.write(text(first, 10000))
            process.stdin.close()
            os._exit(0)
        process.stdin.close()
        sums = [P256.encode(P256.add(P256.mul(k + 1), P256.mul(100)), "compressed").encode() for k in range(99)]
        self.assertEqual(process.stdout.readline(), b"n,a,b,status,reason,line,point\n")
        for i in range(COUNT):
            cells = process.stdout.readline().rstrip(b"\n").split(b",")
            good = i % 1000 != 0
            self.assertEqual((cells[0], cells[3]), (b"%d" % i, b"ok" if good else b"malformed"))
            if good and i % 97 == 0:
                self.assertEqual(cells[6], sums[i % 99])
            if i == COUNT - 5000:  # still at work: so much does not fit into the pipe
                memory = Path(f"/proc/{process.pid}/status").read_text().split("VmHWM:")[1].split()[0]
        os.waitpid(writer, 0)
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertLess(int(memory), 200 << 10)


if __name__ == "__main__":
    unittest.main()
