"""Every subcommand against a reference in integers.

Test: fast; threads
"""

import hashlib
import json
import subprocess
import unittest

from support import (
    CURVES,
    ECDSA_CURVES,
    P256,
    P384,
    P521,
    SECP256K1,
    SM2,
    TOOL,
    ToolTest,
    der,
    generator,
    oracle_curve,
    sm2_e,
    sm3,
)

HASH_OF = {"secp256k1": "sha256", "P-256": "sha256", "P-384": "sha384"}


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


class Schnorr(ToolTest):
    """The first cases of BIP-340's test-vectors.csv."""

    KEY, PUB = f"{3:064x}", "F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9".lower()
    SIG = (
        "E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA8215"
        "25F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0"
    ).lower()

    def test_sign_and_verify(self):
        for name, aux in (("msg", []), ("digest", []), ("msg", ["00" * 32])):
            columns = ["priv", name, *["aux"] * len(aux)]
            out = self.csv_rows("sign", columns, [(self.KEY, "00" * 32, *aux)], "--scheme", "bip340")
            self.assertEqual((out[0]["sig"], out[0]["recid"]), (self.SIG, ""))
            rows = [(self.PUB, "00" * 32, self.SIG), (self.PUB, "00" * 31, self.SIG), (self.PUB, "00" * 32, self.SIG[:-2])]
            out = self.csv_rows("verify", ["pub", name, "sig"], rows, "--scheme", "bip340", "--curve", "secp256k1", status=1)
            self.assertEqual([row["status"] for row in out], ["valid", "invalid", "malformed"])
        out = self.csv_rows("sign", ["priv", "msg"], [(self.KEY, ""), (self.KEY, "61" * 100)], "--scheme", "bip340")
        rows = [(self.PUB, "", out[0]["sig"]), (self.PUB, "61" * 100, out[1]["sig"]), (self.PUB, "", out[1]["sig"])]
        out = self.csv_rows("verify", ["pub", "msg", "sig"], rows, "--scheme", "bip340", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "valid", "invalid"])

    def test_x_only_public_keys(self):
        rows = [(self.KEY,), ("00" * 32,)]
        out = self.csv_rows("pubkey", ["priv"], rows, "--scheme", "bip340", status=1)
        self.assertEqual([(row["pub"], row["status"]) for row in out], [(self.PUB, "ok"), ("", "malformed")])
        done = self.run_tool("pubkey", "--scheme", "bip340", "--format", "csv", stdin=f"pub\n02{self.PUB}\n", status=2)
        self.assertIn(b"no `priv`", done.stderr)

    def test_raw_rows(self):
        row = bytes.fromhex(self.PUB + "00" * 32 + self.SIG)
        done = self.run_tool("verify", "--scheme", "bip340", "--format", "raw", stdin=2 * row, status=0)
        self.assertEqual(done.stdout, b"\1\1")
        done = self.run_tool("sign", "--scheme", "bip340", "--format", "raw", "--columns", "priv,msg,aux",
                             stdin=bytes.fromhex(self.KEY) + bytes(64), status=0)  # fmt: skip
        self.assertEqual(done.stdout.hex(), "01" + self.SIG)

    def test_sighash_bytes(self):
        rows = [(self.PUB, "00" * 32, self.SIG + byte) for byte in ("", "01", "83", "00")]
        out = self.csv_rows("verify", ["pub", "msg", "sig"], rows, "--scheme", "bip340", "--sighash-byte", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "valid", "valid", "malformed"])
        self.assertIn("sighash byte", out[3]["reason"])
        key, digest = 9, bytes(range(32))
        r, s, recid = SECP256K1.ecdsa(key, digest, 77, low_s=True)
        pub = SECP256K1.encode(SECP256K1.mul(key))
        signatures = [SECP256K1.signature(r, s) + "01", der(r, s).hex() + "00", der(r, s).hex()]
        out = self.csv_rows("verify", ["pub", "digest", "sig"], [(pub, digest.hex(), sig) for sig in signatures],
                            "--curve", "secp256k1", "--sighash-byte", status=1)  # fmt: skip
        self.assertEqual([row["status"] for row in out], ["valid", "valid", "malformed"])
        out = self.csv_rows("recover", ["digest", "sig", "recid"], [(digest.hex(), sig, recid) for sig in signatures],
                            "--curve", "secp256k1", "--sighash-byte", status=1)  # fmt: skip
        self.assertEqual([row["pub"] for row in out], [pub, pub, ""])

    def test_what_no_scheme_has(self):
        text = f"priv,msg,aux,nonce\n{self.KEY},00,{'00' * 32},01\n"
        for options in (["--scheme", "bip340", "--sig-format", "der"], ["--scheme", "bip340", "--hash", "sha256"],
                        ["--scheme", "bip340", "--curve", "P-256"], ["--scheme", "sm2", "--curve", "P-256"],
                        ["--scheme", "bip340"], ["--curve", "secp256k1"], ["--scheme", "rsa"]):  # fmt: skip
            done = self.run_tool("sign", "--format", "csv", *options, stdin=text, status=2)
            self.assertEqual(done.stdout, b"")

    def test_ecdsa_on_the_curve_sm2(self):
        key, digest = 9, bytes(range(32))
        out = self.csv_rows("sign", ["priv", "digest"], [(SM2.number(key), digest.hex())], "--curve", "SM2", "--scheme", "ecdsa")
        r, s, recid = SM2.ecdsa(key, digest, SM2.nonce(key, digest, "sha256"))
        self.assertEqual((out[0]["sig"], out[0]["recid"]), (SM2.signature(r, s), str(recid)))
        rows = [(SM2.encode(SM2.mul(key)), digest.hex(), out[0]["sig"])]
        for options, status in ((["--scheme", "ecdsa"], 0), ([], 1), (["--scheme", "sm2"], 1)):
            self.csv_rows("verify", ["pub", "digest", "sig"], rows, "--curve", "SM2", *options, status=status)


class Hedging(ToolTest):
    """More input to the nonce, given or drawn."""

    SCHEMES = [*((curve.name, [], "entropy") for curve in (*CURVES, P521)), ("brainpoolP256r1", [], "entropy"),
               ("brainpoolP384r1", [], "entropy"), ("brainpoolP512r1", [], "entropy"), ("SM2", ["--scheme", "ecdsa"], "entropy"),
               ("secp256k1", ["--scheme", "bip340"], "aux")]  # fmt: skip

    def verify(self, curve, options, signed):
        """All signatures are valid, under the keys that pubkey computes."""
        pubs = self.csv_rows("pubkey", ["priv"], [(row["priv"],) for row in signed], "--curve", curve, *options[: 2 * ("bip340" in options)])
        rows = [(pub["pub"], row["msg"], row["sig"]) for pub, row in zip(pubs, signed)]
        out = self.csv_rows("verify", ["pub", "msg", "sig"], rows, "--curve", curve, *options)
        self.assertEqual({row["status"] for row in out}, {"valid"})

    def test_entropy_of_a_column(self):
        for curve, options, column in self.SCHEMES:
            with self.subTest(curve=curve, options=options):
                entropies = ["00" * 32, "ff" * 32, "ff" * 32, "01" * 32]
                rows = [("05", "00ff", entropy) for entropy in entropies]
                out = self.csv_rows("sign", ["priv", "msg", column], rows, "--curve", curve, *options)
                again = self.json_rows("sign", [{"priv": "05", "msg": "00ff", column: e} for e in entropies], "--curve", curve, *options)
                plain = self.csv_rows("sign", ["priv", "msg"], [("05", "00ff")], "--curve", curve, *options)
                signatures = [row["sig"] for row in out]
                self.assertEqual([row["sig"] for row in again], signatures)
                self.assertEqual([row[column] for row in out], entropies)
                self.assertEqual(signatures[1], signatures[2])
                self.assertEqual(len({*signatures, plain[0]["sig"]}), 3 if column == "aux" else 4)  # BIP-340: none is zeros
                self.verify(curve, options, out)
                for bad in ("", "00" * 31, "00" * 33, "zz" * 32):
                    rows = [("05", "00ff", entropy) for entropy in ("ff" * 32, bad, "ff" * 32)]
                    out = self.csv_rows("sign", ["priv", "msg", column], rows, "--curve", curve, *options, status=1)
                    self.assertEqual([row["sig"] for row in out], [signatures[1], "", signatures[1]])
                    self.assertEqual(out[1]["status"], "malformed")

    def test_entropy_of_the_system(self):
        for curve, options, _ in self.SCHEMES:
            with self.subTest(curve=curve, options=options):
                for more in ([], ["--verify-signatures"], ["--batch", "7"]):
                    rows = [("05", "00ff")] * 40
                    out = self.csv_rows("sign", ["priv", "msg"], rows, "--curve", curve, "--hedged", *options, *more)
                    self.assertEqual(len({row["sig"][: len(row["sig"]) // 2] for row in out}), 40)
                    self.verify(curve, options, out)

    def test_in_raw_rows(self):
        for curve, options, column in self.SCHEMES:
            length = oracle_curve(curve).length
            row = (5).to_bytes(length, "big") + bytes(32) + b"\xff" * 32
            raw = self.run_tool("sign", "--format", "raw", "--columns", f"priv,digest,{column}", "--curve", curve, *options, stdin=row, status=0)
            out = self.csv_rows("sign", ["priv", "digest", column], [("05", "00" * 32, "ff" * 32)], "--curve", curve, *options)
            self.assertEqual(raw.stdout[1 : 1 + len(out[0]["sig"]) // 2].hex(), out[0]["sig"])

    def test_what_it_does_not_go_with(self):
        cells = {"priv": "05" * 32, "msg": "00", "entropy": "01" * 32, "aux": "01" * 32, "nonce": "07"}
        cases = [
            ("entropy", ["--scheme", "ed25519"], "which Ed25519 does not take"),
            ("", ["--scheme", "ed25519", "--hedged"], "--hedged: Ed25519 takes no more input"),
            ("", ["--curve", "Ed25519", "--hedged"], "--hedged: Ed25519 takes no more input"),
            ("entropy", ["--scheme", "bip340"], "which is `aux` with --scheme bip340"),
            ("aux", ["--curve", "P-256"], "no --scheme bip340"),
            ("aux", ["--scheme", "bip340", "--hedged"], "`aux`, and --hedged draws it"),
            ("entropy", ["--curve", "P-256", "--hedged"], "`entropy`, and --hedged draws it"),
            ("entropy", ["--curve", "SM2", "--hedged"], "`entropy`, and --hedged draws it"),
            ("entropy nonce", ["--curve", "P-256", "--dangerous-nonce"], "takes no `entropy`"),
            ("nonce", ["--curve", "P-256", "--dangerous-nonce", "--hedged"], "which --hedged does not change"),
        ]
        for names, options, words in cases:
            with self.subTest(names=names, options=options):
                columns = ["priv", "msg", *names.split()]
                text = ",".join(columns) + "\n" + ",".join(cells[c] for c in columns) + "\n"
                done = self.run_tool("sign", *options, stdin=text, status=2)
                self.assertIn(words, done.stderr.decode())
                self.assertEqual(done.stdout, b"")
                done = self.run_tool("sign", "--format", "jsonl", *options, stdin=json.dumps({c: cells[c] for c in columns}) + "\n")
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(words, (done.stdout + done.stderr).decode())
                self.assertNotIn(b'"sig"', done.stdout)
        out = self.json_rows("sign", [{"curve": "Ed25519", "priv": "05" * 32, "msg": "00"}, {"curve": "P-256", "priv": "05", "msg": "00"}],
                             "--hedged", status=1)  # fmt: skip
        self.assertEqual([row["status"] for row in out], ["malformed", "ok"])
        for command in ("verify", "recover", "pubkey", "digest"):
            self.assertIn(b"no such option", self.run_tool(command, "--hedged", status=2).stderr)


class Ecdsa(ToolTest):
    def rows(self, curve, count=6):
        draw = generator(curve.name)
        for _ in range(count):
            yield draw.randrange(1, curve.n), draw.randbytes(curve.length)

    def test_sign_is_rfc_6979(self):
        for curve in ECDSA_CURVES:
            rows = list(self.rows(curve))
            cells = [(curve.number(key), digest.hex()) for key, digest in rows]
            for options, name, low in (
                ([], HASH_OF[curve.name], curve is SECP256K1),
                (["--low-s"], HASH_OF[curve.name], True),
                (["--no-low-s", "--hash", "sha512"], "sha512", False),
            ):
                out = self.csv_rows("sign", ["priv", "digest"], cells, "--curve", curve.name, *options)
                for (key, digest), row in zip(rows, out, strict=True):
                    r, s, recid = curve.ecdsa(key, digest, curve.nonce(key, digest, name), low)
                    self.assertEqual((row["sig"], row["recid"]), (curve.signature(r, s), str(recid)))

    def test_der(self):
        for curve in ECDSA_CURVES:
            rows = list(self.rows(curve, 20))
            cells = [(curve.number(key), digest.hex()) for key, digest in rows]
            options = ["--curve", curve.name, "--sig-format", "der", "--no-low-s"]
            out = self.csv_rows("sign", ["priv", "digest"], cells, *options)
            for (key, digest), row in zip(rows, out, strict=True):
                r, s, _ = curve.ecdsa(key, digest, curve.nonce(key, digest, HASH_OF[curve.name]))
                self.assertEqual(row["sig"], der(r, s).hex())

    def test_dangerous_nonce(self):
        key, digest, k = 5, b"\x07" * 32, 1234567
        row = (P256.number(key), digest.hex(), P256.number(k))
        out = self.csv_rows("sign", ["priv", "digest", "nonce"], [row], "--curve", "P-256", "--dangerous-nonce")
        self.assertEqual(out[0]["sig"], P256.signature(*P256.ecdsa(key, digest, k)[:2]))
        text = "priv,digest,nonce\n" + ",".join(row) + "\n"
        done = self.run_tool("sign", "--curve", "P-256", stdin=text, status=2)
        self.assertIn(b"--dangerous-nonce", done.stderr)
        self.assertEqual(done.stdout, b"")
        names = dict(zip(["priv", "digest", "nonce"], row))
        out = self.json_rows("sign", [names], "--curve", "P-256", status=1)
        self.assertEqual((out[0]["status"], "sig" in out[0]), ("malformed", False))

    def test_verify_and_recover(self):
        for curve in ECDSA_CURVES:
            cells, keys = [], []
            for i, (key, digest) in enumerate(self.rows(curve, 12)):
                r, s, recid = curve.ecdsa(key, digest, key ^ 1)
                signature = der(r, s).hex() if i % 2 else curve.signature(r, s)
                form = ("uncompressed", "compressed", "raw")[i % 3]
                keys.append(curve.encode(curve.mul(key)))
                cells.append([curve.encode(curve.mul(key), form), digest.hex(), signature, str(recid)])
            cells[3][1] = "00" * curve.length
            cells[4][2] = cells[4][2][:-2] + f"{int(cells[4][2][-2:], 16) ^ 1:02x}"
            columns = ["pub", "digest", "sig", "recid"]
            out = self.csv_rows("verify", columns, cells, "--curve", curve.name, status=1)
            expected = ["invalid" if i in (3, 4) else "valid" for i in range(12)]
            self.assertEqual([row["status"] for row in out], expected)
            self.assertEqual({row["reason"] for row in out}, {""})
            out = self.csv_rows("recover", columns[1:], [row[1:] for row in cells], "--curve", curve.name)
            for i, row in enumerate(out):
                self.assertEqual(row["pub"] == keys[i], i not in (3, 4), row)

    def test_low_s(self):
        key, digest = 9, bytes(range(32))
        r, s, _ = P256.ecdsa(key, digest, 77, low_s=True)
        pub = P256.encode(P256.mul(key))
        rows = [(pub, digest.hex(), P256.signature(r, s)), (pub, digest.hex(), P256.signature(r, P256.n - s))]
        out = self.csv_rows("verify", ["pub", "digest", "sig"], rows, "--curve", "P-256")
        self.assertEqual([row["status"] for row in out], ["valid"] * 2)
        out = self.csv_rows("verify", ["pub", "digest", "sig"], rows, "--curve", "P-256", "--low-s", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "malformed"])
        self.assertIn("greater than half the order", out[1]["reason"])

    def test_sig_format_is_not_guessed_when_given(self):
        r, s, _ = P256.ecdsa(9, b"\1" * 32, 77)
        row = (P256.encode(P256.mul(9)), (b"\1" * 32).hex())
        for form, good, bad in (("raw", P256.signature(r, s), der(r, s).hex()),
                                ("der", der(r, s).hex(), P256.signature(r, s))):  # fmt: skip
            out = self.csv_rows("verify", ["pub", "digest", "sig"], [(*row, good), (*row, bad)], "--curve", "P-256",
                                "--sig-format", form, status=1)  # fmt: skip
            self.assertEqual([line["status"] for line in out], ["valid", "malformed"])

    def test_messages(self):
        for curve in ECDSA_CURVES:
            for options, name in (([], HASH_OF[curve.name]), (["--hash", "sha512"], "sha512")):
                messages = [b"", b"abc", bytes(1000)]
                cells = [(curve.number(3), message.hex()) for message in messages]
                out = self.csv_rows("sign", ["priv", "msg"], cells, "--curve", curve.name, *options)
                low = curve is SECP256K1
                for message, row in zip(messages, out, strict=True):
                    digest = hashlib.new(name, message).digest()
                    r, s, _ = curve.ecdsa(3, digest, curve.nonce(3, digest, name), low)
                    self.assertEqual(row["sig"], curve.signature(r, s))
                pub = curve.encode(curve.mul(3))
                signed = [(pub, row["msg"], row["sig"], row["recid"]) for row in out]
                columns = ["pub", "msg", "sig", "recid"]
                checked = self.csv_rows("verify", columns, signed, "--curve", curve.name, *options)
                self.assertEqual([row["status"] for row in checked], ["valid"] * 3)
                found = self.csv_rows("recover", columns[1:], [row[1:] for row in signed], "--curve", curve.name,
                                      *options)  # fmt: skip
                self.assertEqual([row["pub"] for row in found], [pub] * 3)

    def test_recovery_ids(self):
        row = ("01" * 32, P256.signature(1, 1))
        ids = ["4", "255", "256", "x", "-1"]
        out = self.csv_rows("recover", ["digest", "sig", "recid"], [(*row, i) for i in ids], "--curve", "P-256",
                            status=1)  # fmt: skip
        self.assertEqual([line["status"] for line in out], ["malformed"] * 5)


class Sm2(ToolTest):
    # GM/T 0003.5.
    KEY = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8"
    NONCE = "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21"
    E = "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"
    SIG = "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"  # noqa: E501
    MESSAGE = b"message digest".hex()

    def setUp(self):
        super().setUp()
        self.point = SM2.mul(int(self.KEY, 16))
        self.pub = SM2.encode(self.point)

    def test_example(self):
        out = self.csv_rows("sign", ["priv", "digest", "nonce"], [(self.KEY, self.E, self.NONCE)], "--curve", "SM2",
                            "--dangerous-nonce")  # fmt: skip
        self.assertEqual((out[0]["sig"], out[0]["recid"]), (self.SIG, ""))
        out = self.csv_rows("digest", ["pub", "msg"], [(self.pub, self.MESSAGE)], "--curve", "SM2")
        self.assertEqual(out[0]["digest"], self.E)
        rows = [(self.pub, self.E, self.SIG), (self.pub, self.E[:-1] + "1", self.SIG)]
        out = self.csv_rows("verify", ["pub", "digest", "sig"], rows, "--curve", "sm2p256v1", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "invalid"])

    def test_ids(self):
        rows = [
            {"pub": self.pub, "msg": "0102"},
            {"pub": self.pub, "msg": "0102", "sm2_id": "älice"},
            {"pub": self.pub, "msg": "0102", "sm2_id_hex": "00ff"},
            {"pub": self.pub, "msg": "0102", "sm2_id": None},
            {"pub": self.pub, "msg": "0102", "id": 4},
            {"pub": self.pub, "msg": "0102", "sm2_id": ""},
            {"pub": self.pub, "msg": "0102", "sm2_id_hex": ""},
            {"pub": self.pub, "msg": "0102", "sm2_id": "bob", "sm2_id_hex": b"bob".hex()},
        ]
        default = b"1234567812345678"
        ids = [default, "älice".encode(), b"\x00\xff", default, default, b"", b"", b"bob"]
        expected = [sm2_e(self.point, b"\1\2", identity).hex() for identity in ids]
        out = self.json_rows("digest", rows, "--curve", "SM2")
        self.assertEqual([row["digest"] for row in out], expected)

    def test_ids_agree(self):
        row = {"pub": self.pub, "msg": "0102"}
        rows = [row, {**row, "sm2_id": "bob"}, {**row, "sm2_id": "eve"}, {**row, "sm2_id_hex": ""},
                {**row, "sm2_id": "bob", "sm2_id_hex": "00"}]  # fmt: skip
        out = self.json_rows("digest", rows, "--curve", "SM2", "--id", "bob", status=1)
        self.assertEqual([row.get("digest") for row in out[:2]], [sm2_e(self.point, b"\1\2", b"bob").hex()] * 2)
        self.assertEqual([row["reason"] for row in out[2:]],
                         ["sm2_id: not what --id says", "sm2_id_hex: not what --id says",
                          "sm2_id: not what `sm2_id_hex` says"])  # fmt: skip

    def test_ids_of_other_curves_are_not_read(self):
        rows = [{"msg": "00", "sm2_id_hex": "zz", "curve": "P-256"}]
        self.assertEqual(self.json_rows("digest", rows, "--id", "bob")[0]["sm2_id_hex"], "zz")

    def test_ids_in_csv(self):
        rows = [(self.pub, "0102", 'a "quoted", id', "7"), (self.pub, "0102", "", "8")]
        out = self.csv_rows("digest", ["pub", "msg", "sm2_id", "id"], rows, "--curve", "SM2")
        expected = [sm2_e(self.point, b"\1\2", i).hex() for i in (b'a "quoted", id', b"")]
        self.assertEqual([row["digest"] for row in out], expected)

    def test_longest_id(self):
        rows = [(self.pub, "0102", "x" * 8191), (self.pub, "0102", "x" * 8192)]
        out = self.csv_rows("digest", ["pub", "msg", "sm2_id"], rows, "--curve", "SM2", status=1)
        self.assertEqual(out[0]["digest"], sm2_e(self.point, b"\1\2", b"x" * 8191).hex())
        self.assertEqual([row["status"] for row in out], ["ok", "malformed"])
        self.assertEqual(out[1]["reason"], "sm2_id: longer than 8191 bytes")

    def test_messages(self):
        with_pub = self.csv_rows("sign", ["priv", "pub", "msg"], [(self.KEY, self.pub, self.MESSAGE)], "--curve", "SM2")
        alone = self.csv_rows("sign", ["priv", "msg"], [(self.KEY, self.MESSAGE)], "--curve", "SM2")
        direct = self.csv_rows("sign", ["priv", "digest"], [(self.KEY, self.E)], "--curve", "SM2")
        self.assertEqual(with_pub[0]["sig"], direct[0]["sig"])
        self.assertEqual(alone[0]["sig"], direct[0]["sig"])
        rows = [(self.pub, self.MESSAGE, direct[0]["sig"]), (self.pub, self.MESSAGE + "00", direct[0]["sig"])]
        out = self.csv_rows("verify", ["pub", "msg", "sig"], rows, "--curve", "SM2", status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "invalid"])

    def test_bad_keys_with_messages(self):
        x, y = self.point
        rows = [(SM2.number(0), self.MESSAGE), (SM2.number(SM2.n - 1), self.MESSAGE), (self.KEY, self.MESSAGE)]
        out = self.csv_rows("sign", ["priv", "msg"], rows, "--curve", "SM2", status=1)
        self.assertEqual([(row["status"], row["sig"] == "") for row in out],
                         [("malformed", True), ("malformed", True), ("ok", False)])  # fmt: skip
        rows = [(SM2.encode((x, y ^ 1)), self.KEY, self.MESSAGE), (self.pub, self.KEY, self.MESSAGE)]
        out = self.csv_rows("sign", ["pub", "priv", "msg"], rows, "--curve", "SM2", status=1)
        self.assertEqual([(row["status"], row["sig"] == "") for row in out], [("malformed", True), ("ok", False)])
        self.assertEqual(out[0]["reason"], "a point is not on the curve")

    def test_no_recovery(self):
        out = self.csv_rows("recover", ["curve", "digest", "sig", "recid"], [("SM2", self.E, self.SIG, "0")], status=1)
        self.assertEqual(out[0]["status"], "malformed")


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
        for wrong in "", "0", "3,", ",3", "3,x", "1,2,3,4,5,6,7,8,9", "33554433":
            self.run_tool("bench", "--batch", wrong, status=2)

    def test_bench_check(self):
        """Every operation's results are those of the portable code."""
        for arguments in ["--curve", "secp256k1", "--batch", 33], ["--series", "--batch", 2, "--op", "*mul*"]:
            done = self.run_tool("bench", "--check", "--runs", 1, "--json", *arguments, status=0)
            self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()
