"""`gecc bench --backend cuda`, and commands on several GPUs, on a driver without one: rows, and that wrong results are found.

Test: fast
"""

import json
import os
import unittest

from support import ToolTest

FAKE_CUDA = os.environ.get("GECC_FAKE_CUDA")


@unittest.skipUnless(FAKE_CUDA, "the module on the fake driver is not built")
class BenchGpu(ToolTest):
    def bench(self, *arguments, status=0, plant=False, **variables):
        env = {**os.environ, "LD_LIBRARY_PATH": FAKE_CUDA, **({"GECC_FAKE_PLANT": "1"} if plant else {}), **variables}
        done = self.run_tool("bench", "--backend", "cuda", "--runs", 2, "--json", *arguments, env=env, status=status)
        heading, *rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((heading["backend"], heading["detail"]), ("cuda", "a fake GPU"))
        if plant:
            return done.stderr.decode().splitlines()
        for row in rows:
            self.assertEqual(row["transfers"], row["time"] != "kernel")
            self.assertLessEqual(row["low"], row["items_per_second"])
            self.assertLessEqual(row["items_per_second"], row["high"])
        return rows

    def test_each_line_by_kernel_and_from_pinned_rows(self):
        rows = self.bench("--curve", "SM2", "--op", "*s*", "--batch", "5,200", status=2)  # no square modulo SM2's prime
        signs = [(row["batch"], row["time"]) for row in rows if row["operation"] == "sm2.sign"]
        self.assertEqual(signs, [(5, "kernel"), (5, "pinned"), (200, "kernel"), (200, "pinned")])

    def test_multiplications_in_registers(self):
        rows = self.bench("--curve", "P-256", "--op", "multiply", "--batch", 70)
        self.assertEqual([(row["curve"], row["batch"], row["time"]) for row in rows], [("P-256", 64, "kernel")])
        rows = self.bench("--curve", "P-256", "--op", "square", "--batch", 7)
        self.assertEqual(rows[-1]["operation"], "square")
        self.assertEqual(rows[-1]["items_per_second"], 7 * 4096 / 1e-3)  # the fake driver's events say 1 ms

    def test_inversions(self):
        rows = self.bench("--op", "*inverse", "--batch", "300,3")
        rows = [(row["batch"], row["time"]) for row in rows if row["operation"] == "inverse"]
        one = [(300, "pinned"), (300, "kernel"), (300, "device")]
        self.assertEqual(rows, one + [(3, time) for _, time in one])

    def test_curve25519(self):
        for operation in "ed25519.public_key", "ed25519.sign", "ed25519.verify", "x25519", "x25519_public_key":
            rows = self.bench("--curve", "Curve25519", "--op", operation, "--batch", 20)
            self.assertEqual([(row["curve"], row["operation"], row["time"]) for row in rows],
                             [("Curve25519", operation, "kernel"), ("Curve25519", operation, "pinned")])
            self.bench("--curve", "Curve25519", "--op", operation, "--batch", 300, status=1, plant=True)

    def test_a_module_that_cannot_make_keys(self):
        for operation in "ec.mul_base", "ecdsa.verify":
            rows = self.bench("--curve", "P-256", "--op", operation, "--batch", 20, GECC_FAKE_BREAKDOWN="1")
            self.assertEqual({row["operation"] for row in rows}, {operation})
            self.assertTrue(all(row["backend"] == "cuda" for row in rows))
        self.bench("--curve", "P-256", "--op", "ecdsa.sign", "--batch", 20, status=2, GECC_FAKE_BREAKDOWN="1")

    def test_wrong_results_are_found(self):
        for operation, arguments in ("ec.mul_base", ["--curve", "P-256"]), ("multiply", ["--curve", "P-256"]), ("inverse", []):
            errors = self.bench("--op", operation, "--batch", 300, *arguments, status=1, plant=True)
            self.assertTrue(any(f"gecc bench: {operation} " in line for line in errors), errors)

    def test_scaling(self):
        arguments = ["--curve", "P-256", "--op", "ec.mul_base:public", "--batch", "300,64"]
        rows = self.bench("--devices", "1,2,4", *arguments, GECC_FAKE_DEVICES="4")
        self.assertEqual([(row["batch"], row["devices"], row["detail"]) for row in rows],
                         [(300, 1, "a fake GPU"), (300, 2, "2 x a fake GPU"), (300, 4, "4 x a fake GPU"),
                          (64, 1, "a fake GPU"), (64, 2, "2 x a fake GPU"), (64, 4, "2 x a fake GPU")])
        self.assertEqual([row["efficiency"] for row in rows if row["devices"] == 1], [1, 1])
        for row in rows:
            self.assertGreater(row["efficiency"], 0)
        # Two of the one that there is, and more than there are.
        rows = self.bench("--devices", "1,2", "--device", "0,0", *arguments)
        self.assertEqual([row["detail"] for row in rows], ["a fake GPU", "2 x a fake GPU"] * 2)
        for arguments in (["--devices", "2"], ["--devices", "2", "--device", "0"], ["--devices", "0"], ["--devices", ""]):
            done = self.run_tool("bench", "--backend", "cuda", *arguments, env={**os.environ, "LD_LIBRARY_PATH": FAKE_CUDA},
                                 status=2)
            self.assertIn(b"--devices", done.stderr)
        self.run_tool("bench", "--devices", "1", status=2)


@unittest.skipUnless(FAKE_CUDA, "the module on the fake driver is not built")
class Devices(ToolTest):
    def run_on(self, count, *arguments, **options):
        env = {**os.environ, "LD_LIBRARY_PATH": FAKE_CUDA, "GECC_FAKE_DEVICES": str(count)}
        return self.run_tool(*arguments, env=env, **options)

    def test_list(self):
        lines = self.run_on(3, "devices", "--json", "--backend", "cuda", "--device", "0,2", status=0).stdout.splitlines()
        gpus = [found for found in map(json.loads, lines) if "gpu" in found]
        self.assertEqual([(gpu["gpu"], gpu["state"]) for gpu in gpus], [(0, "open"), (1, "idle"), (2, "open")])
        for gpu in gpus:
            self.assertEqual((gpu["name"], gpu["memory"], gpu["architecture"]), ("a fake GPU", 1 << 30, "sm_90"))
        self.assertEqual(len({gpu["uuid"] for gpu in gpus}), 3)
        table = self.run_on(3, "devices", "--backend", "cuda", status=0).stdout.decode()
        self.assertEqual([line.split()[-2] for line in table.splitlines() if "GPU-" in line], ["open", "chosen", "chosen"])

    def test_commands_on_one_of_them(self):
        done = self.run_on(2, "selftest", "--backend", "cuda", "--device", "1", status=0)
        self.assertIn(b"0 failed, 8 left out", done.stdout)  # GPUs have no program for sums, ec.msm
        done = self.run_on(2, "selftest", "--backend", "cuda", "--device", "2", status=2)
        self.assertIn(b'there is no device "2": devices are 0 to 1', done.stderr)
        for wrong in "x", "", "1;2", "-1":
            self.assertIn(b"--device", self.run_on(2, "devices", "--device", wrong, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
