"""Every subcommand against a reference in integers; those of signatures are apart.

Test: fast; threads
"""

import hashlib
import json
import os
import subprocess
import unittest

from support import CURVES, P256, P384, SECP256K1, SM2, TOOL, ToolTest, generator, sm3


class Examples(ToolTest):
    def test_the_tool_s_own(self):
        """As they stand, of files that have what they name."""
        (self.folder / "requests.jsonl").write_text('{"priv":"07","msg":"00"}\n{"priv":"08","msg":"01"}\n')
        row = ",".join([SECP256K1.encode(SECP256K1.g), "02" * 32, "01" * 64])
        (self.folder / "signatures.csv").write_text(f"pub,digest,sig\n{row}\n")
        lines = [line.strip() for line in self.run_tool("--help").stdout.decode().split("EXAMPLES\n")[1].splitlines() if line.strip()]
        self.assertEqual(len(lines), 2)
        for line in lines:
            done = subprocess.run(line.replace("gecc ", f"{TOOL} "), shell=True, cwd=self.folder, capture_output=True)
            self.assertIn(done.returncode, (0, 1), done.stderr)
        checked = [json.loads(line)["status"] for line in (self.folder / "checked.jsonl").read_text().splitlines()]
        self.assertEqual(checked, ["valid"] * 2)


class Pubkey(ToolTest):
    def test_public_keys_in_each_encoding(self):
        for curve in CURVES:
            draw = generator(curve.name)
            keys = [1, 2, curve.n - 1 - (curve is SM2), *(draw.randrange(1, curve.n) for _ in range(5))]
            for form in ("uncompressed", "compressed", "raw"):
                rows = [(hex(k) if len(hex(k)) % 2 == 0 else "0" + f"{k:x}",) for k in keys]
                out = self.csv_rows("pubkey", ["priv"], rows, "--curve", curve.name, "--point-format", form)
                for key, row in zip(keys, out, strict=True):
                    self.assertEqual((row["status"], row["pub"]), ("ok", curve.encode(curve.mul(key), form)))

    def test_conversion(self):
        for column in ("pub", "point"):
            point = P384.mul(77)
            rows = [(P384.encode(point, form),) for form in ("uncompressed", "compressed", "raw")]
            out = self.csv_rows("pubkey", [column], rows, "--curve", "secp384r1", "--point-format", "compressed")
            self.assertEqual([row["pub"] for row in out], [P384.encode(point, "compressed")] * 3)

    def test_leading_zeros(self):
        rows = [("0x" + "00" * zeros + "05",) for zeros in (0, 1, 31, 32, 40, 100)]
        out = self.csv_rows("pubkey", ["priv"], rows, "--curve", "P-256")
        self.assertEqual([row["pub"] for row in out], [P256.encode(P256.mul(5))] * len(rows))

    def test_refused_keys(self):
        rows = [("00",), (P256.number(P256.n),), ("01" * 33,), ("zz",), ("1",)]
        out = self.csv_rows("pubkey", ["priv"], rows, "--curve", "P-256", status=1)
        self.assertEqual([row["status"] for row in out], ["malformed"] * 5)
        self.assertIn("not between 1 and the order", out[0]["reason"])
        self.assertIn("not between 1 and the order", out[1]["reason"])
        self.assertEqual(out[2]["reason"], "priv: a number that is too wide")
        self.assertEqual(out[3]["reason"], "priv: a character that is not a hexadecimal digit")
        self.assertEqual(out[4]["reason"], "priv: an odd number of hexadecimal digits")
        self.assertEqual([row["pub"] for row in out], [""] * 5)


    def test_range_of_keys_on_sm2(self):
        """GM/T 0003.2: 1 to n - 2, for every command that takes a private key; a scalar is any number."""
        pub = SM2.encode(SM2.mul(9))
        for command, columns, more in (
            ("pubkey", ["priv"], ()),
            ("ecdh", ["priv", "peer"], (pub,)),
            ("sign", ["priv", "digest"], ("11" * 32,)),
            ("sign", ["priv", "msg"], ("11",)),
        ):
            for options in ([], ["--scheme", "ecdsa"])[: 2 if command == "sign" else 1]:
                keys = [1, SM2.n - 2, SM2.n - 1, SM2.n]
                rows = [(SM2.number(key), *more) for key in keys]
                out = self.csv_rows(command, columns, rows, "--curve", "SM2", *options, status=1)
                self.assertEqual([row["status"] for row in out], ["ok", "ok", "malformed", "malformed"], (command, options))
                for row in out[2:]:
                    self.assertIn("not between 1 and the order less 1 (key of SM2: less 2)", row["reason"])
        out = self.csv_rows("mul", ["scalar"], [(SM2.number(SM2.n - 1),)], "--curve", "SM2")
        self.assertEqual(out[0]["point"], SM2.encode(SM2.mul(SM2.n - 1)))


class OptionsOfOtherSchemes(ToolTest):
    """What is asked for of signatures that have no such thing is not passed over in silence."""

    MEANING = {
        "--low-s": {"ecdsa"},
        "--no-low-s": {"ecdsa"},
        "--sighash-byte": {"ecdsa", "bip340"},
        "--accept=strict": {"ed25519"},
        "--prehash": {"ed25519"},
    }
    COLUMNS = {"verify": ["curve", "pub", "msg", "sig"], "sign": ["curve", "priv", "msg"]}
    CURVES_OF = {"ecdsa": ["P-256", "secp256k1"], "sm2": ["SM2"], "bip340": ["secp256k1"], "ed25519": ["Curve25519"]}
    WRONG = {"--no-low-s": "sign", "--sighash-byte": "verify", "--accept=strict": "verify"}

    def test_each_option_with_each_scheme(self):
        for command, columns in self.COLUMNS.items():
            for option, meaning in self.MEANING.items():
                if self.WRONG.get(option, command) != command:
                    self.run_tool(command, option, "--curve", "P-256", status=2)
                    continue
                for scheme, curves in self.CURVES_OF.items():
                    row = [curves[-1], *["11" * 32] * (len(columns) - 1)]
                    text = ",".join(columns) + "\n" + ",".join(row) + "\n"
                    done = self.run_tool(command, "--scheme", scheme, option, "--format", "csv", stdin=text)
                    told = option.split("=")[0] in (done.stdout + done.stderr).decode()
                    self.assertEqual(told, scheme not in meaning, (command, option, scheme, done.stdout, done.stderr))
                    self.assertTrue(not told or done.returncode != 0, (command, option, scheme))

    def test_mixed_curves(self):
        rows = [("P-256", "11" * 32, "22"), ("SM2", "11" * 32, "22"), ("Curve25519", "11" * 32, "22")]
        out = self.csv_rows("sign", self.COLUMNS["sign"], rows, "--low-s", status=1)
        self.assertEqual([row["status"] for row in out], ["ok", "malformed", "malformed"])
        self.assertTrue(all("--low-s" in row["reason"] for row in out[1:]), out)


class EmptyMessages(ToolTest):
    """BIP-340 and Ed25519 sign any bytes, none of them too, whichever column has them; ECDSA's and SM2's digests are not empty."""

    def test_both_columns(self):
        for scheme, curve in (("bip340", "secp256k1"), ("ed25519", "Curve25519")):
            key = "07" * 32
            pub = self.csv_rows("pubkey", ["priv"], [(key,)], "--curve", curve, "--scheme", scheme)[0]["pub"]
            made = {
                column: self.csv_rows("sign", ["priv", column], [(key, "")], "--curve", curve, "--scheme", scheme)[0]["sig"]
                for column in ("digest", "msg")
            }
            self.assertEqual(made["digest"], made["msg"])
            for column in made:
                row = {"pub": pub, column: "", "sig": made["msg"]}
                self.assertEqual(self.json_rows("verify", [row], "--curve", curve, "--scheme", scheme)[0]["status"], "valid")
                out = self.csv_rows("verify", list(row), [tuple(row.values())], "--curve", curve, "--scheme", scheme)
                self.assertEqual(out[0]["status"], "valid")
        for curve in ("P-256", "SM2"):
            out = self.csv_rows("sign", ["priv", "digest"], [("07" * 32, "")], "--curve", curve, status=1)
            self.assertEqual(out[0]["status"], "malformed")


class Points(ToolTest):
    def test_multiplication_of_the_base_point(self):
        for curve in CURVES:
            scalars = [1, 3, curve.n - 1, curve.n + 5, generator(curve.name).randrange(curve.n)]
            rows = [(curve.number(k),) for k in scalars]
            for public in ([], ["--public"]):
                out = self.csv_rows("mul", ["scalar"], rows, "--curve", curve.name, *public)
                self.assertEqual([row["point"] for row in out], [curve.encode(curve.mul(k % curve.n)) for k in scalars])

    def test_multiplication_of_points(self):
        for curve in CURVES:
            draw = generator(curve.name)
            pairs = [(draw.randrange(1, curve.n), curve.mul(draw.randrange(1, curve.n))) for _ in range(4)]
            rows = [(curve.number(k), curve.encode(p, "compressed")) for k, p in pairs]
            out = self.csv_rows("mul", ["scalar", "point"], rows, "--curve", curve.name)
            self.assertEqual([row["point"] for row in out], [curve.encode(curve.mul(k, p)) for k, p in pairs])

    def test_two_scalars(self):
        draw = generator("u v")
        u, v, p = draw.randrange(P256.n), draw.randrange(P256.n), P256.mul(draw.randrange(1, P256.n))
        row = {"u": P256.number(u), "v": P256.number(v), "point": P256.encode(p)}
        out = self.json_rows("mul", [row], "--curve", "prime256v1", "--point-format", "raw")
        self.assertEqual(out[0]["point"], P256.encode(P256.add(P256.mul(u), P256.mul(v, p)), "raw"))

    def test_infinity(self):
        out = self.csv_rows("mul", ["scalar"], [("00",), (SM2.number(SM2.n),)], "--curve", "sm2")
        self.assertEqual([(row["status"], row["reason"], row["point"]) for row in out], [("ok", "", "00")] * 2)
        g, minus_g = SM2.encode(SM2.g), SM2.encode((SM2.g[0], SM2.p - SM2.g[1]))
        out = self.csv_rows("add", ["a", "b"], [(g, minus_g), (g, g)], "--curve", "SM2")
        self.assertEqual([row["point"] for row in out], ["00", SM2.encode(SM2.mul(2))])

    def test_addition(self):
        for curve in CURVES:
            draw = generator(curve.name)
            pairs = [[curve.mul(draw.randrange(1, curve.n)) for _ in "ab"] for _ in range(4)]
            rows = [[curve.encode(p) for p in pair] for pair in pairs]
            out = self.csv_rows("add", ["a", "b"], rows, "--curve", curve.name, "--point-format", "compressed")
            self.assertEqual([row["point"] for row in out], [curve.encode(curve.add(*p), "compressed") for p in pairs])

    def test_points_off_the_curve(self):
        x, y = P256.g
        bad = P256.encode((x, y + 1))
        out = self.csv_rows("mul", ["scalar", "point"], [("02", bad), ("02", P256.encode(P256.g))], "--curve", "P-256",
                            status=1)  # fmt: skip
        self.assertEqual([row["status"] for row in out], ["malformed", "ok"])
        self.assertEqual(out[0]["reason"], "a point is not on the curve")


class Ecdh(ToolTest):
    def test_shared_secrets(self):
        for curve in CURVES:
            draw = generator(curve.name)
            pairs = [(draw.randrange(1, curve.n), curve.mul(draw.randrange(1, curve.n))) for _ in range(4)]
            expected = [curve.number(curve.mul(k, p)[0]) for k, p in pairs]
            for column in ("peer", "pub"):
                rows = [(curve.number(k), curve.encode(p)) for k, p in pairs]
                out = self.csv_rows("ecdh", ["priv", column], rows, "--curve", curve.name)
                self.assertEqual([row["shared"] for row in out], expected)


class Digest(ToolTest):
    MESSAGES = [b"", b"abc", bytes(range(256)), b"x" * 5000]

    def test_hashes(self):
        rows = [(m.hex(), "n") for m in self.MESSAGES]
        for name, function in (
            ("sha256", lambda m: hashlib.sha256(m).digest()),
            ("SHA-384", lambda m: hashlib.sha384(m).digest()),
            ("sha512", lambda m: hashlib.sha512(m).digest()),
            ("sm3", sm3),
        ):
            out = self.csv_rows("digest", ["msg", "note"], rows, "--hash", name)
            self.assertEqual([row["digest"] for row in out], [function(m).hex() for m in self.MESSAGES])

    def test_keccak(self):
        out = self.csv_rows("digest", ["msg", "note"], [("", "x"), (b"abc".hex(), "x")], "--hash", "keccak256")
        self.assertEqual([row["digest"] for row in out],
                         ["c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
                          "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"])  # fmt: skip

    def test_default_follows_the_curve(self):
        rows = [{"msg": "00", "curve": "P-384"}, {"msg": "00", "curve": "P-256"}, {"msg": "00"}]
        out = self.json_rows("digest", rows)
        one = hashlib.sha256(b"\0").hexdigest()
        self.assertEqual([row["digest"] for row in out], [hashlib.sha384(b"\0").hexdigest(), one, one])

    def test_sm2_needs_a_key(self):
        self.run_tool("digest", "--curve", "SM2", stdin="msg\n00\n", status=2)
        self.run_tool("digest", "--curve", "SM2", "--hash", "sm3", stdin="msg\n00\n", status=0)


class Mod(ToolTest):
    MODULI = [3, 2**127 - 1, P256.p, P384.n, 2**512 - 569, 15]

    def operands(self, m, count=6):
        draw = generator(f"mod {m}")
        width = max(16, (m.bit_length() + 31) // 32 * 4)
        return [[draw.randrange(256**width) for _ in "ab"] for _ in range(count)], width

    def test_operations(self):
        for m in self.MODULI:
            rows, width = self.operands(m)
            cells = [[f"{x:0{2 * width}x}" for x in row] for row in rows]
            text = f"{m:x}".rjust(len(f"{m:x}") + len(f"{m:x}") % 2, "0")
            for name, function in (
                ("add", lambda a, b: (a + b) % m),
                ("sub", lambda a, b: (a - b) % m),
                ("mul", lambda a, b: a * b % m),
                ("square", lambda a, b: a * a % m),
                ("power", lambda a, b: pow(a, b, m)),
            ):
                out = self.csv_rows("mod", ["a", "b"], cells, "--op", name, "--modulus", text)
                expected = [f"{function(a, b):0{2 * width}x}" for a, b in rows]
                self.assertEqual([row["r"] for row in out], expected, f"{name} modulo {m}")

    def test_inverse(self):
        out = self.csv_rows("mod", ["a"], [("02",), ("00",), ("05",), ("0f",)], "--op", "inverse", "--modulus", "0f",
                            status=1)  # fmt: skip
        self.assertEqual([row["status"] for row in out], ["ok", "invalid", "invalid", "invalid"])
        self.assertEqual(int(out[0]["r"], 16), 8)
        self.assertIn("common factor", out[1]["reason"])

    def test_moduli_of_each_row(self):
        draw = generator("moduli")
        rows = []
        for _ in range(40):
            m = draw.choice([2**127 - 1, P256.p, 3, draw.getrandbits(256) | 1])
            rows.append({"a": f"{draw.randrange(m):064x}", "b": f"{draw.randrange(m):064x}", "modulus": f"{m:0128x}"})
        rows.append({"a": "01", "b": "01", "modulus": "10"})
        rows.append({"a": "01", "b": "01", "modulus": "01"})
        out = self.json_rows("mod", rows, "--op", "mul", "--bits", "512", status=1)
        for row, result in zip(rows[:40], out):
            a, b, m = (int(row[name], 16) for name in ("a", "b", "modulus"))
            self.assertEqual(result["r"], f"{a * b % m:0128x}")
        for result in out[40:]:
            self.assertEqual((result["status"], result["reason"]),
                             ("malformed", "modulus: not an odd number of at least 3"))  # fmt: skip

    def test_exponents_of_many_widths(self):
        m = P256.n
        exponents = [0, 1, 255, 2**64, 2**300 + 7, 2**512 - 1]
        cells = [("03", f"{e:x}".rjust(len(f"{e:x}") + len(f"{e:x}") % 2, "0")) for e in exponents]
        out = self.csv_rows("mod", ["a", "b"], cells, "--op", "power", "--modulus", f"{m:x}")
        self.assertEqual([int(row["r"], 16) for row in out], [pow(3, e, m) for e in exponents])

    def test_bits(self):
        wide = "ff" * 64
        out = self.csv_rows("mod", ["a"], [(wide,)], "--op", "square", "--modulus", "03", "--bits", "512")
        self.assertEqual(out[0]["r"], f"{int(wide, 16) ** 2 % 3:0128x}")
        out = self.csv_rows("mod", ["a"], [(wide,)], "--op", "square", "--modulus", "03", status=1)
        self.assertEqual(out[0]["reason"], "a: a number that is too wide")

    def test_usage(self):
        self.run_tool("mod", "--modulus", "03", stdin="a,b\n", status=2)
        self.run_tool("mod", "--op", "add", "--modulus", "04", stdin="a,b\n", status=2)
        self.run_tool("mod", "--op", "add", "--modulus", "xx", stdin="a,b\n", status=2)
        self.run_tool("mod", "--op", "add", stdin="a,b\n", status=2)


class Others(ToolTest):
    def test_devices(self):
        table = self.run_tool("devices", status=0).stdout.decode()
        lines = [json.loads(line) for line in self.run_tool("devices", "--json", status=0).stdout.splitlines()]
        rows = [line for line in lines if "backend" in line]
        self.assertEqual(sum(row["chosen"] for row in rows), 1)
        cpu = next(row for row in rows if row["backend"] == "cpu")
        self.assertTrue(cpu["available"])
        self.assertIn("cpu", table)
        for row in rows:
            self.assertTrue(row["available"] or row["reason"])
        codes = {line["code"]: line for line in lines if "code" in line}
        self.assertEqual(set(codes), {"ifma", "ifma-256", "avx512", "portable-adx", "portable-aarch64", "portable-c"})
        self.assertTrue(codes["portable-c"]["available"])
        if "GECC_CPU" not in os.environ:
            self.assertEqual(cpu["device"], next(code for code, line in codes.items() if line["available"]))
        for code, line in codes.items():
            done = self.run_tool("digest", stdin=b"message\n00\n", env={**os.environ, "GECC_CPU": code})
            self.assertEqual(done.returncode == 0, line["available"], code)
            self.assertRegex(line["reason"], "^$" if line["available"] else f"cannot run the {code} code|no CPU code named {code}")
            self.assertRegex(table, rf"(?m)^  {code} +{'yes' if line['available'] else 'no'} ")

    def test_selftest(self):
        done = self.run_tool("selftest", status=0)
        self.assertIn(b" 0 failed", done.stdout)
        self.assertNotIn(b"FAILED", done.stdout)
        self.assertEqual(self.run_tool("selftest", "--quiet", status=0).stdout, b"")

    def test_demo(self):
        for curve in CURVES:
            done = self.run_tool("demo", "--curve", curve.name, "--count", 300, status=0)
            self.assertIn(b"just those planted", done.stdout)

    def test_bench(self):
        done = self.run_tool("bench", "--curve", "P-256", "--batch", 16, "--runs", 3, "--json", status=0)
        heading, *rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((heading["batch"], heading["runs"], heading["backend"]), (16, 3, "cpu"))
        names = {row["operation"] for row in rows}
        self.assertGreaterEqual(names, {"ecdsa.sign", "ecdsa.verify", "ecdsa.recover", "ec.mul:public", "ecdh", "mod.mul",
                                        "digest:sm3"})  # fmt: skip
        for row in rows:
            self.assertEqual((row["time"], row["transfers"]), ("pageable", True))
            self.assertLessEqual(row["low"], row["items_per_second"])
            self.assertLessEqual(row["items_per_second"], row["high"])
        table = self.run_tool("bench", "--op", "*.verify", "--batch", 8, "--runs", 1, status=0).stdout.decode()
        verifying = [tuple(line.split()[:2]) for line in table.splitlines() if ".verify " in line]
        self.assertEqual(len(set(verifying)), len(verifying))
        self.assertGreaterEqual(set(verifying), {("ecdsa.verify", "secp256k1"), ("schnorr.verify", "secp256k1"),
                                                 ("ecdsa.verify", "P-521"), ("sm2.verify", "SM2"),
                                                 ("ed25519.verify", "Curve25519")})  # fmt: skip

    def test_bench_names(self):
        run = ["bench", "--batch", 2, "--runs", 1]
        for arguments in (["--op", "verify"], ["--op", "ecdsa.verif"], ["--op", "sm2.sign", "--curve", "P-256"], ["--op", "*.x"]):
            done = self.run_tool(*run, *arguments, status=2)
            self.assertEqual(done.stdout, b"")
            self.assertRegex(done.stderr, rb"--op .*: no operation .*there are .*ecdsa\.verify, .* \* stands for any text")
            self.assertEqual(b"sm2.sign," in done.stderr, "--curve" not in arguments)
        table = self.run_tool(*run, "--op", "ec.mul", "--curve", "P-256", status=0).stdout.decode()
        self.assertEqual([line.split()[0] for line in table.splitlines() if " pageable " in line and "P-256" in line],
                         ["ec.mul"])  # fmt: skip

    def test_bench_says_what_was_measured(self):
        run = ["bench", "--op", "ecdh", "--curve", "P-256", "--batch", 2, "--runs", 1]
        heading = json.loads(self.run_tool(*run, "--json", status=0).stdout.splitlines()[0])
        self.assertEqual(heading["version"], self.run_tool("--version").stdout.split()[1].decode())
        self.assertTrue({"commit", "machine", "clock_mhz"} < set(heading))
        with open("/dev/full", "wb") as full:
            self.assertEqual(subprocess.run([TOOL, *map(str, run)], stdout=full, stderr=subprocess.DEVNULL).returncode, 2)

    def test_bench_series(self):
        """Each batch size up to the greatest, and no GPU's time from the CPU."""
        done = self.run_tool("bench", "--op", "sm2.sign", "--curve", "SM2", "--series", "--batch", 9, "--runs", 1, "--json",
                             status=0)  # fmt: skip
        heading, *rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["batch"] for row in rows], [1, 2, 4, 8])
        for row in rows:
            self.assertEqual((row["operation"], row["curve"], row["backend"]), ("sm2.sign", "SM2", "cpu"))
            self.assertEqual(row["time"], "pageable")

    def test_bench_batches(self):
        done = self.run_tool("bench", "--op", "ecdsa.sign", "--curve", "P-256", "--batch", "9,3,20", "--runs", 1, "--json",
                             status=0)  # fmt: skip
        heading, *rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(heading["batch"], 20)
        self.assertEqual([row["batch"] for row in rows], [9, 3, 20])
        for wrong in "", "0", "3,", ",3", "3,x", "1,2,3,4,5,6,7,8,9", "134217729":
            self.run_tool("bench", "--batch", wrong, status=2)

    def test_bench_check(self):
        """Every operation's results are those of the portable code."""
        for arguments in ["--curve", "secp256k1", "--batch", 33], ["--series", "--batch", 2, "--op", "*mul*"]:
            done = self.run_tool("bench", "--check", "--runs", 1, "--json", *arguments, status=0)
            self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()
