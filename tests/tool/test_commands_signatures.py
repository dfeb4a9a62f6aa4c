"""Signing, verifying and recovering against a reference in integers.

Test: fast
"""

import hashlib
import json
import unittest

from support import CURVES, ECDSA_CURVES, P256, P521, SECP256K1, SM2, ToolTest, der, generator, oracle_curve, sm2_e

HASH_OF = {"secp256k1": "sha256", "P-256": "sha256", "P-384": "sha384"}


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


if __name__ == "__main__":
    unittest.main()
