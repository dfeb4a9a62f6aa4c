"""gecc-gpu-check on two of the CPU's machines: equal ones pass, and whatever differs is found.

Test: fast; no sanitizers
"""

import json
import os
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

PROGRAM = os.environ.get("GECC_GPU_CHECK")
ANSWERS = os.environ.get("GECC_ANSWERS")  # the folder that tests/known_answers/write.py filled
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
CALLS = ("secp256k1", "SM2", "Curve25519", "128-bit", "- digest")  # of these, unless tests may take long
INTERFACE = SCRIPTS.parent / "bindings" / "abi" / "gecc.json"
CPUS = ["--backend-a", "cpu", "--backend-b", "cpu:portable-c"]

# 1 G on secp256k1: SEC 2 (version 2.0), 2.4.1.
ONE = "1".zfill(64)
G = (
    "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
)


def run(*arguments, backends=CPUS):
    return subprocess.run([PROGRAM, *backends, *arguments], capture_output=True, text=True, check=False)


def case(out, status="OK", scalar=ONE):
    call = ["ec.mul_base", "secp256k1", "-", "default", "uncompressed", "0", "-"]
    fields = [*call, status, out, "-", "1 G", scalar]
    return "\t".join(fields) + "\n"


@unittest.skipUnless(PROGRAM, "gecc-gpu-check is not built")
class GpuCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def json_lines(self, *arguments):
        path = self.folder / "out.json"
        done = run("--json", str(path), *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def cases(self, *lines):
        path = self.folder / "cases.txt"
        path.write_text("".join(lines), encoding="utf-8")
        return run("--cases", str(path))

    def test_every_operation_has_rows_of_all_kinds_and_no_mismatch(self):
        lines = []
        for call in [""] if "GECC_LONG_TESTS" in os.environ else CALLS:
            lines += self.json_lines("--conformance", "--rows", "100", "--filter", call)
        operations = {each["name"] for each in json.loads(INTERFACE.read_text(encoding="utf-8"))["operations"]}
        sums = {"ec.msm"}  # whose rows are groups, and which GPUs lack
        self.assertEqual({line["call"].split()[1] for line in lines}, operations - sums)
        malformed = Counter()
        for line in lines:
            self.assertEqual(line["mismatches"], 0, line)
            self.assertGreater(line["ok"], 50, line)
            curve, operation = line["call"].split()[:2]
            malformed[curve, operation] += line["malformed"]
        for (curve, operation), count in malformed.items():
            self.assertTrue(count > 0 or operation.startswith("mod.") or operation == "digest", (curve, operation))
        self.assertTrue(any(line["infinity"] for line in lines if "ec.mul_add" in line["call"]))
        judged = [line for line in lines if line["call"].split()[1].endswith(("verify", "nonce", "x25519"))]
        # No digest is as long as numbers on P-521 are, so none makes s = 0.
        judged = [line for line in judged if not line["call"].startswith("P-521 ecdsa.sign")]
        self.assertTrue(judged and all(line["invalid"] for line in judged))

    def test_every_memory_runs_each_batch_in_every_layout(self):
        lines = self.json_lines("--every-memory", "--rows", "100", "--filter", "P-256 ecdsa.verify")
        self.assertTrue(lines and not any(line["mismatches"] for line in lines))
        self.assertEqual({line["rows"] % 12 for line in lines if "keys" not in line["call"]}, {0})
        done = run("--every-memory", "--rows", "100", "--filter", "P-256 ec.add", "--plant", "0")
        self.assertEqual(done.returncode, 1)

    def test_a_single_row_that_is_too_wide_is_malformed(self):
        # With this seed one batch is a single DER signature with r or s of 66 bytes 0xff.
        lines = self.json_lines("--conformance", "--rows", "1", "--seed", "3", "--filter", "P-521 ecdsa")
        self.assertFalse(any(line["mismatches"] for line in lines))

    def test_a_chunk_bounds_the_rows_of_a_call(self):
        lines = self.json_lines("--conformance", "--rows", "100", "--chunk", "30", "--filter", "P-256 ec.add uncompressed")
        self.assertEqual([line["rows"] for line in lines], [100 + 1 + 31 + 33 + 129])

    def test_a_changed_bit_is_found(self):
        for call in ("P-256 ec.add", "P-384 ec.validate", "secp256k1 ecdsa.sign der", "128-bit mod.mul", "- digest sm3", "Curve25519 x25519"):
            done = run("--conformance", "--rows", "100", "--filter", call, "--plant", "0")
            self.assertEqual(done.returncode, 1, call)
            self.assertIn(f"MISMATCH {call}", done.stdout)

    def test_right_answers(self):
        done = self.cases(
            case(G), case("-", "refused", ONE[2:]), case("-", "MALFORMED_WIDTH", ONE[2:]), case("-", "INFINITY", "00" * 32)
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("cases: 4, 0 wrong", done.stdout)

    def test_wrong_answers(self):
        wrong = [case(G[:-1] + "9"), case("-", "INVALID"), case("-", "refused"), case(G, "OK", ONE[:-1] + "2")]
        wrong += [case("-", "MALFORMED_SCALAR", ONE[2:]), case("-", "refused", "00" * 32)]
        for line in wrong:
            done = self.cases(case(G), line)
            self.assertEqual(done.returncode, 1, line)
            self.assertIn("WRONG secp256k1 ec.mul_base", done.stdout)

    def test_malformed_cases(self):
        for line in ("ec.mul_base\n", case("0"), case(G).replace("secp256k1", "P-257"), case(G, scalar="-"), ""):
            done = self.cases(line)
            self.assertEqual(done.returncode, 2, line)

    def test_rates(self):
        lines = self.json_lines("--bench", "--batch", "64", "--runs", "1", "--filter", "secp256k1 ecdsa.verify")
        rates = [line for line in lines if line["bench"] == "rate"]
        self.assertEqual([line["call"] for line in rates], ["secp256k1 ecdsa.verify", "secp256k1 ecdsa.verify der"])
        for line in rates:
            for place in ("pageable", "spaced", "scattered"):
                self.assertGreater(line[place]["median"], 0)
            self.assertGreater(line["cpu_1_thread"]["median"], 0)
        self.assertEqual([line["rows"] for line in lines if line["bench"] == "sizes"], [1, 4, 16, 64])
        for line in lines:
            if line["bench"] == "sizes":
                self.assertGreater(min(line[f"{side}_seconds"] for side in ("a", "b", "auto")), 0)
        crossovers = [line for line in lines if line["bench"] == "crossover"]
        self.assertEqual([line["call"] for line in crossovers], ["secp256k1 ecdsa.verify"])
        self.assertGreater(crossovers[0]["auto_loss"], 0)
        lines = self.json_lines("--sizes", "--batch", "64", "--runs", "1", "--filter", "secp256k1 ecdsa.verify")
        self.assertEqual({line["bench"] for line in lines}, {"sizes", "crossover"})

    def test_rates_on_curve25519(self):
        lines = self.json_lines("--bench", "--batch", "64", "--runs", "1", "--filter", "Curve25519")
        calls = [line["call"].removesuffix(" without optional columns") for line in lines if line["bench"] == "rate"]
        names = ["ed25519.public_key", "ed25519.sign", "ed25519.sign verify_signatures", "ed25519.verify",
                 "ed25519.verify accept_zip215", "x25519_public_key", "x25519"]  # fmt: skip
        self.assertEqual(calls, [f"Curve25519 {name}" for name in names])
        crossovers = {line["call"].split()[1] for line in lines if line["bench"] == "crossover"}
        self.assertEqual(crossovers, {name.split()[0] for name in names})

    def test_a_backend_that_is_missing(self):
        done = run("--conformance", backends=["--backend-a", "cpu:abacus"])
        self.assertEqual(done.returncode, 77)
        self.assertIn("A: cpu:abacus is not available: ", done.stdout)
        self.assertEqual(run("--rows", "many").returncode, 2)

    def make_cases(self, *arguments, **environment):
        environment = {"PATH": os.environ["PATH"]} | environment
        return subprocess.run(
            [SCRIPTS / "gpu-cases", *arguments], env=environment, capture_output=True, text=True, check=True
        ).stdout

    def test_cases_from_vectors(self):
        vector = {"op": "mul_base", "curve": "secp256k1", "k": "0x1", "p": G, "valid": True, "src": "SEC 2", "tag": "G"}
        sign = {"op": "ecdsa_sign_rfc6979", "curve": "P-256", "hmac": "sha1", "priv": "01", "digest": "00" * 20, "r": "01",
                "s": "01", "valid": True, "src": "RFC 6979", "tag": "a hash that the library lacks"}  # fmt: skip
        lines = [json.dumps(case) + "\n" for case in (vector, sign)]
        (self.folder / "vectors.jsonl").write_text("".join(lines), encoding="utf-8")
        made = self.make_cases("--given", GECC_VECTORS=str(self.folder))
        self.assertEqual(len(made.splitlines()), 2)  # secret and public scalars
        self.assertEqual(self.cases(made).returncode, 0)

    @unittest.skipUnless(ANSWERS, "GECC_ANSWERS is not set")
    def test_cases_of_the_repository(self):
        """More than 40,000 where nothing lies beside the clone, of which one in thirty is tried here."""
        lines = self.make_cases("--answers", ANSWERS).splitlines(keepends=True)
        self.assertGreater(len(lines), 50000)
        done = self.cases(*lines[::30])
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr)

    @unittest.skipUnless(ANSWERS, "GECC_ANSWERS is not set")
    def test_wrong_recovery_ids_and_residues_are_found(self):
        lines = self.make_cases("--answers", ANSWERS).splitlines(keepends=True)
        fields = next(line for line in lines if line.startswith("ecdsa.sign\t") and "\tOK\t" in line).split("\t")
        fields[9] = f"{int(fields[9], 16) ^ 1:02x}"
        self.assertEqual(self.cases("\t".join(fields)).returncode, 1)
        fields = next(line for line in lines if line.startswith("mod.mul\t")).split("\t")
        fields[8] = fields[8][:-1] + f"{int(fields[8][-1], 16) ^ 1:x}"
        self.assertEqual(self.cases("\t".join(fields)).returncode, 1)


if __name__ == "__main__":
    unittest.main()
