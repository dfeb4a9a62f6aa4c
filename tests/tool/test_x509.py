"""Certificates that the openssl command signed, in bundles.

Test: fast
"""

import base64
import csv
import gzip
import io
import json
import shutil
import subprocess
import time
import unittest

from support import ToolTest

CURVES = ("prime256v1", "secp384r1", "secp256k1", "SM2", "ED25519")
SCHEMES = {"SM2": "SM2", "ED25519": "Ed25519"}  # of others ECDSA
OTHER = "signed with another algorithm than ECDSA with SHA-2, SM2 with SM3 and Ed25519"


def der_of(pem):
    return base64.b64decode("".join(line for line in pem.decode().split("-----")[2].split()))


def hash_options(group):
    """Ed25519 and Ed448 have hashes of their own."""
    return [] if group.startswith("ED") else ["-sm3" if group == "SM2" else "-sha256"]


def pem_of(der, label="CERTIFICATE"):
    text = base64.b64encode(der).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode()


def tlv(tag, *parts):
    """An element of DER."""
    body = b"".join(parts)
    digits = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    size = bytes([len(body)]) if len(body) < 128 else bytes([0x80 + len(digits)]) + digits
    return bytes([tag]) + size + body


def elements(body):
    """Those that stand one after another in DER."""
    found = []
    while body:
        head, size = 2, body[1]
        if size >= 128:
            head, size = 2 + size - 128, int.from_bytes(body[2 : 2 + size - 128], "big")
        found.append(body[: head + size])
        body = body[head + size :]
    return found


def inner(element):
    return element[2 + (element[1] - 128 if element[1] >= 128 else 0) :]


@unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
class Certificates(ToolTest):
    def test_blank_lines_are_no_rows(self):
        issuer = self.authority("root", "prime256v1")[1]
        for text in ("", "\n", " \r\n\t\n\n", "\ufeff\n", "\n" * 300000):
            done = self.run_tool("verify", "--x509", "--pub-file", issuer, "--allow-empty", stdin=text, status=0)
            self.assertEqual(done.stdout, b"", text[:9])
        self.run_tool("verify", "--x509", "--pub-file", issuer, "--allow-empty", stdin="\n" * 300000 + "x", status=1)

    def openssl(self, *arguments, stdin=None):
        return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, input=stdin).stdout

    def key(self, name, group):
        path = self.folder / (name + ".key")
        if group == "RSA":
            self.openssl("genrsa", "-out", path, "2048")
        elif group.startswith("ED"):
            self.openssl("genpkey", "-algorithm", group, "-out", path)
        else:
            self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}", "-out", path)
        return path

    def authority(self, name, group):
        """A key and a certificate that it signed itself."""
        key, path = self.key(name, group), self.folder / (name + ".pem")
        self.openssl("req", "-x509", "-new", "-key", key, "-subj", f"/CN={name}", *hash_options(group), "-out", path)
        return key, path

    def issue(self, authority, subject, serial, hash_name="sha256", key=None, options=()):
        request = self.openssl("req", "-new", "-utf8", "-key", key or authority[0], "-subj", subject)
        return self.openssl("x509", "-req", "-CA", authority[1], "-CAkey", authority[0], "-set_serial", serial, *(["-" + hash_name] if hash_name else []),
                            *options, stdin=request)  # fmt: skip

    def verify(self, text, issuer, *options, status=0):
        done = self.run_tool("verify", "--x509", "--issuer", issuer, *options, stdin=text, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_curve_and_hash(self):
        authorities = {group: self.authority("CA " + group, group) for group in CURVES}
        for group, authority in authorities.items():
            hashes = {"SM2": ["sm3"], "ED25519": [None, None]}.get(group, ["sha256", "sha384", "sha512"])
            some = [self.issue(authority, f"/C=XX/O=a, b/CN=n {n}", n + 0x80, hash_name) for n, hash_name in enumerate(hashes)]
            some.append(authority[1].read_bytes())
            public = self.folder / "public.pem"
            self.openssl("pkey", "-in", authority[0], "-pubout", "-out", public)
            # Without another id OpenSSL 3 signs with an empty one.
            options = ["--id", ""] if group == "SM2" else []
            for issuer in (authority[1], public, authority[0]):
                out = self.verify(b"".join(some), issuer, *options)
                self.assertEqual([row["status"] for row in out], ["valid"] * len(some))
                self.assertEqual([row["number"] for row in out], list(range(1, len(some) + 1)))
                for n in range(len(hashes)):
                    self.assertEqual((out[n]["subject"], out[n]["serial"]), (f"CN=n {n},O=a\\, b,C=XX", f"{n + 0x80:02x}"))
            # Each byte of what is signed and of the signature counts.
            der = bytearray(der_of(some[0]))
            spoiled = []
            for at in (*range(20, len(der) - 75, 7), len(der) - 3, len(der) - 40):
                der[at] ^= 1
                spoiled.append(pem_of(bytes(der)))
                der[at] ^= 1
            out = self.verify(b"".join(spoiled), authority[1], *options, status=1)
            self.assertEqual(len(out), len(spoiled))
            self.assertNotIn("valid", {row["status"] for row in out})
            self.assertIn("invalid", {row["status"] for row in out})
            for other in CURVES:
                if other != group:
                    out = self.verify(some[0], authorities[other][1], status=1)
                    if SCHEMES.get(group) != SCHEMES.get(other):
                        reason = f"signed with {SCHEMES.get(group, 'ECDSA')}, and the issuer's key is for another scheme"
                        self.assertEqual((out[0]["status"], out[0]["reason"]), ("malformed", reason))
                    self.assertNotEqual(out[0]["status"], "valid")

    def resign(self, der, key, hash_name, serial=None, algorithm=None):
        """The certificate with another serial number (of two's complement) or identifier of the algorithm, signed again."""
        tbs, outer, _ = elements(inner(der))
        fields = elements(inner(tbs))
        first = int(fields[0][0] == 0xA0)  # a version
        fields[first] = tlv(2, serial) if serial is not None else fields[first]
        fields[first + 1] = outer = algorithm or outer
        tbs, path = tlv(0x30, *fields), self.folder / "tbs"
        path.write_bytes(tbs)
        if hash_name:
            signature = self.openssl("dgst", "-" + hash_name, "-sign", key, path)
        else:
            signature = self.openssl("pkeyutl", "-sign", "-rawin", "-in", path, "-inkey", key)
        return tlv(0x30, tbs, outer, tlv(3, b"\0", signature))

    def test_serials(self):
        """Each number has a text of its own, whatever its sign."""
        authority = self.authority("CA", "prime256v1")
        der = der_of(self.issue(authority, "/CN=a", 1))
        numbers = [0, 1, 5, -5, 127, 128, -128, 251, -129, 255, 256, -256, -1, 2**159 - 1, -(2**159), 2**315, -(2**315)]
        bytes_of = [n.to_bytes((n + (n < 0)).bit_length() // 8 + 1, "big", signed=True) for n in numbers]
        long = [b"\1" * 40, b"\1" * 41, b"\xff" + b"\2" * 60]
        text = b"".join(pem_of(self.resign(der, authority[0], "sha256", serial)) for serial in bytes_of + long)
        out = self.verify(text, authority[1])
        expected = ["-" * (n < 0) + f"{abs(n):0{2 * max(1, (abs(n).bit_length() + 7) // 8)}x}" for n in numbers]
        self.assertEqual([row["serial"] for row in out[: len(numbers)]], expected)
        self.assertEqual([row["serial"] for row in out[len(numbers) :]], ["01" * 40, "01" * 40 + "...", "-" + "fd" * 39 + "..."])
        self.assertEqual({row["status"] for row in out}, {"valid"})

    def test_parameters_of_algorithms(self):
        """ECDSA and SM2 have none, or NULL; Ed25519 has none."""
        wrong = "parameters of the signature's algorithm, which has none"
        identifiers = {("prime256v1", "sha256"): "2a8648ce3d040302", ("prime256v1", "sha384"): "2a8648ce3d040303",
                       ("prime256v1", "sha512"): "2a8648ce3d040304", ("ED25519", None): "2b6570"}  # fmt: skip
        for (group, hash_name), identifier in identifiers.items():
            authority = self.authority("CA", group)
            der = der_of(self.issue(authority, "/CN=a", 1, hash_name))
            for parameters, good in ((b"", True), (b"\5\0", hash_name), (b"\5\1\0", False), (b"\5\0\5\0", False), (tlv(0x30), False),
                                     (tlv(6, b"\x2a\x86\x48\xce\x3d\3\1\7"), False), (b"\5", False)):  # fmt: skip
                algorithm = tlv(0x30, tlv(6, bytes.fromhex(identifier)), parameters)
                text = pem_of(self.resign(der, authority[0], hash_name, algorithm=algorithm))
                [out] = self.verify(text, authority[1], status=0 if good else 1)
                self.assertEqual((out["status"], out.get("reason")), ("valid", None) if good else ("malformed", wrong), (group, parameters))

    def test_trusted_certificates(self):
        """OpenSSL's own, with what they are trusted for, are certificates; bytes behind it that are something else are not."""
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7)
        label = "TRUSTED CERTIFICATE"
        trusted = [self.openssl("x509", "-trustout", *options, stdin=good)
                   for options in ([], ["-addtrust", "serverAuth"], ["-setalias", "a name"], ["-addreject", "emailProtection"])]  # fmt: skip
        for text in trusted:
            self.assertIn(label.encode(), text)
        out = self.verify(good + b"".join(trusted) + good, authority[1])
        self.assertEqual([(row["number"], row["subject"], row["serial"], row["status"]) for row in out], [(n, "CN=good", "07", "valid") for n in range(1, 7)])
        der = der_of(good)
        for behind in (b"\0", b"\x30", b"\x30\5", b"\x30\0\x30\0", der[:-1]):
            out = self.verify(pem_of(der + behind, label), authority[1], status=1)
            self.assertEqual((len(out), out[0]["reason"]), (1, "bytes behind the certificate"))
        for issuer in (trusted[1], trusted[2]):
            path = self.folder / "issuer.pem"
            path.write_bytes(self.openssl("x509", "-trustout", "-setalias", "a", stdin=authority[1].read_bytes()))
            self.assertEqual(self.verify(good, path)[0]["status"], "valid", issuer)

    def test_what_is_like_certificates(self):
        """Nothing that may hold a certificate is left out without a row; keys and parameters beside them are."""
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7)
        request = self.openssl("req", "-new", "-key", authority[0], "-subj", "/CN=a")
        path = self.folder / "good.pem"
        path.write_bytes(good)
        others = [request, request.replace(b" CERTIFICATE", b" NEW CERTIFICATE"), self.openssl("crl2pkcs7", "-nocrl", "-certfile", path),
                  pem_of(b"0", "X509 CRL"), pem_of(b"0", "CMS"), pem_of(b"0", "ATTRIBUTE CERTIFICATE"), b"-----BEGIN PKCS7-----\n"]  # fmt: skip
        for other in others:
            for text, at, count in ((other, 0, 1), (good + other + good, 1, 3), (other + good, 0, 2)):
                out = self.verify(text, authority[1], status=1)
                self.assertEqual([row["status"] for row in out], ["malformed" if n == at else "valid" for n in range(count)], text)
                self.assertIn("PEM of something else than a certificate", out[at]["reason"])
        beside = [authority[0].read_bytes(), pem_of(b"0", "EC PARAMETERS"), pem_of(b"0", "PUBLIC KEY")]
        out = self.verify(good.join([*beside, b""]), authority[1])
        self.assertEqual([row["status"] for row in out], ["valid"] * 3)

    def test_how_they_are_put_together(self):
        """With line ends between them or not, in lines or not: each is a row, in time that grows with their number."""
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7).strip()
        flat = good.replace(b"\n", b" ")
        for one in (good, flat, good.replace(b"\n", b"\r\n"), good.replace(b"\n", b"\n \t")):
            for between in (b"", b"\n", b" ", b"\t", b" \r\n \t", b"\n\n", b"\ntext\n", b"\n\xef\xbb\xbf"):
                for before in (b"", b"\xef\xbb\xbf", b" "):
                    out = self.verify(before + between.join([one] * 3) + b"\n", authority[1])
                    self.assertEqual([row["status"] for row in out], ["valid"] * 3, (one[:60], between, before))
        for one, between in ((good, b""), (good, b" "), (flat, b"")):
            seconds = []
            for count in (1500, 6000):
                start = time.monotonic()
                done = self.run_tool("verify", "--x509", "--issuer", authority[1], stdin=between.join([one] * count), status=0)
                seconds.append(time.monotonic() - start)
                self.assertEqual(done.stdout.count(b'"valid"'), count)
            self.assertLess(seconds[1], 9 * seconds[0] + 0.5)

    def test_another_authority(self):
        """Of the same name, with a key on the same curve."""
        first, second = self.authority("CA", "prime256v1"), self.authority("CA", "prime256v1")
        shutil.copy(first[1], self.folder / "first.pem")
        first = self.authority("CA", "prime256v1")
        text = self.issue(first, "/CN=a", 1)
        self.assertEqual(self.verify(text, self.folder / "first.pem", status=1)[0]["status"], "invalid")
        self.assertEqual(self.verify(text, first[1])[0]["status"], "valid")
        self.assertIsNotNone(second)

    def test_other_algorithms(self):
        authority, rsa = self.authority("CA", "prime256v1"), self.authority("RSA", "RSA")
        some = [self.issue(authority, "/CN=a", 1), self.issue(rsa, "/CN=b", 2), self.issue(authority, "/CN=c", 3, "sha1"), self.issue(authority, "/CN=d", 4)]
        out = self.verify(b"".join(some), authority[1], status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "malformed", "malformed", "valid"])
        self.assertEqual([(row["subject"], row.get("reason")) for row in out[1:3]], [("CN=b", OTHER), ("CN=c", OTHER)])
        # The algorithm outside of what is signed differs from the one inside.
        der = der_of(some[0])
        identifier = bytes.fromhex("300a06082a8648ce3d040302")
        at = der.rindex(identifier)
        changed = der[:at] + identifier[:-1] + b"\3" + der[at + len(identifier) :]
        out = self.verify(pem_of(changed), authority[1], status=1)
        self.assertEqual(out[0]["reason"], "two signature algorithms that differ")
        done = self.run_tool("verify", "--x509", "--issuer", rsa[1], stdin=some[0], status=2)
        self.assertIn(b"none of an elliptic curve", done.stderr)

    def test_other_edwards_curves(self):
        """Ed448 is no algorithm here; a key of X25519 signs nothing; signatures of Ed25519 have one width; --accept."""
        authority = self.authority("CA", "ED25519")
        other = self.issue(self.authority("Ed448", "ED448"), "/CN=b", 1, None)
        good = self.issue(authority, "/CN=a", 1, None)
        out = self.verify(good + other, authority[1], status=1)
        self.assertEqual([row["status"] for row in out], ["valid", "malformed"])
        self.assertEqual(out[1]["reason"], OTHER)
        der = der_of(good)
        at = der.rindex(bytes.fromhex("034100"))
        shorter = der[:at] + bytes.fromhex("034000") + der[at + 3 : -1]
        shorter = shorter[:2] + (len(shorter) - 4).to_bytes(2, "big") + shorter[4:]
        out = self.verify(pem_of(shorter) + good, authority[1], "--accept", "strict", status=1)
        self.assertEqual([row["status"] for row in out], ["malformed", "valid"])
        key, public = self.folder / "x25519.key", self.folder / "x25519.pem"
        self.openssl("genpkey", "-algorithm", "X25519", "-out", key)
        self.openssl("pkey", "-in", key, "-pubout", "-out", public)
        self.assertIn(b"no signatures", self.run_tool("verify", "--x509", "--issuer", public, stdin=good, status=2).stderr)

    def test_broken_blocks(self):
        """Each is one row, and the next is read."""
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7)
        der, lines = der_of(good), good.decode().splitlines(keepends=True)
        broken = [
            (pem_of(b""), "not base64"), (pem_of(b"\x30\x00"), "not a certificate"), (pem_of(b"text"), "not a certificate"), (pem_of(der[:-1]), "not a certificate"),
            (pem_of(der + b"\0"), "bytes behind"), (good.replace(b"M", b"!", 1), "not base64"), ("".join(lines[:-1]).encode(), "does not end"),
            ("".join(lines[:3] + lines[-1:]).encode(), "not"), (pem_of(b"\x30\x84\xff\xff\xff\xff" + der), "not a certificate"),
            (pem_of(b"\x30\x85\0\0\0\0\0" + der), "not a certificate"), (pem_of(b"\x30\x80" + der), "not a certificate"), (lines[0].encode(), "does not end"),
        ]  # fmt: skip
        for n, (text, words) in enumerate(broken):
            for before, after in ((b"", b""), (good, good)):
                out = self.verify(before + text + after, authority[1], status=1)
                with self.subTest(n=n, words=words, alone=not before):
                    row = out[1 if before else 0]
                    self.assertEqual(len(out), 3 if before else 1)
                    self.assertEqual(set(row), {"number", "status", "reason", "line"})
                    self.assertIn(words, row["reason"])
                    self.assertEqual([r["status"] for r in out if r is not row], ["valid", "valid"] if before else [])
        randomly = b"".join(pem_of(der[:cut]) for cut in range(1, len(der)))
        out = self.verify(randomly, authority[1], status=1)
        self.assertEqual([row["status"] for row in out], ["malformed"] * (len(der) - 1))

    def test_what_stands_between(self):
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7)
        text = b"".join([b"subject=CN = x\nissuer=y\n\n", good, authority[0].read_bytes(), b"0 text, BEGIN CERTIFICATE, -- -----\n", good.replace(b"\n", b"\r\n"),
                         good.rstrip(), good.rstrip(), good.replace(b"CERTIFICATE", b"X509 CERTIFICATE"), b"\xff\0 end", b"\n", good.rstrip()])  # fmt: skip
        out = self.verify(text, authority[1])
        self.assertEqual([row["status"] for row in out], ["valid"] * 6)
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], stdin=text + b"\n" + pem_of(b"x") + good, status=1)
        line = text.count(b"\n") + 2
        self.assertIn(f"standard input: line {line}: not a certificate".encode(), done.stderr)
        for none in (b"no certificate\n", b"no certificate", b"a\nb\n", authority[0].read_bytes(), b"0", b"\n\n-"):
            out = self.verify(none, authority[1], status=1)
            self.assertEqual([(row["number"], row["reason"]) for row in out], [(1, "no certificate in PEM or DER")])
        self.assertIn(b"it is empty", self.run_tool("verify", "--x509", "--issuer", authority[1], status=2).stderr)

    def test_each_is_a_row(self):
        """Wherever a certificate stands, and whatever else PEM has in its place, there is a row for it."""
        authority = self.authority("CA", "prime256v1")
        good = self.issue(authority, "/CN=good", 7)
        trusted = self.openssl("x509", "-trustout", "-addtrust", "serverAuth", "-setalias", "a", stdin=good)
        self.assertIn(b"BEGIN TRUSTED CERTIFICATE", trusted)
        request = self.openssl("req", "-new", "-key", authority[0], "-subj", "/CN=a")
        bare = good.strip()
        variants = [
            (between.join([bare] * count), ["valid"] * count)
            for between in (b"", b" ", b"\t", b"\n", b"\r\n", b"\n \n", b"text", b"-", b"\0", b"; ", b"\xff", b"\n# -----\n")
            for count in (1, 2, 3, 9)
        ]
        for text, status, words in (
            (trusted, "valid", ""),
            (trusted.replace(b"MII", b"MIJ"), "malformed", "not a certificate"),
            (bare.replace(b"\n", b" "), "valid", ""),
            (bare.replace(b"\n", b""), "valid", ""),
            (b"  " + bare.replace(b"\n", b"\n  "), "valid", ""),
            (bare[1:], "malformed", "five dashes"),
            (bare.replace(b"TE-----\n", b"TE----\n", 1), "malformed", "five dashes"),
            (bare.replace(b"TE-----\n", b"TE\n", 1), "malformed", "five dashes"),
            (bare[:-1] + b"\n", "malformed", "does not end"),
            (bare.replace(b"END CERT", b"END X509 CERT"), "malformed", "another label"),
            (bare.replace(b"CERTIFICATE", b"X509 CERTIFICATE"), "valid", ""),
            (bare.replace(b"CERTIFICATE", b"TRUSTED CERTIFICATE"), "valid", ""),
            (bare.replace(b"CERTIFICATE", b"PKCS7"), "malformed", "something else"),
            (bare.replace(b"CERTIFICATE", b"X509 CRL"), "malformed", "something else"),
            (request, "malformed", "something else"),
        ):
            for before, after in ((b"", b""), (good, good), (bare, b" " + bare), (b"x", b"\nx")):
                around = bool(good in before or bare in before)
                variants.append((before + text + after, ["valid"] * around + [(status, words)] + ["valid"] * around))
        self.assertGreater(len(variants), 100)
        for n, (text, expected) in enumerate(variants):
            expected = [(row, "") if isinstance(row, str) else row for row in expected]
            out = self.verify(text, authority[1], status=int(any(row[0] != "valid" for row in expected)))
            self.assertEqual([row["status"] for row in out], [row[0] for row in expected], (n, text))
            for row, (_, words) in zip(out, expected):
                self.assertIn(words, row.get("reason", ""))

    def test_der(self):
        authority = self.authority("CA", "secp384r1")
        der = der_of(self.issue(authority, "/CN=good", 7, "sha384"))
        out = self.verify(der * 5, authority[1])
        self.assertEqual([(row["number"], row["serial"], row["status"]) for row in out], [(n, "07", "valid") for n in range(1, 6)])
        for tail, words in ((der[:-1], "does not end"), (b"\n", "no certificate"), (b"\x30\x82", "no certificate"), (b"x" * 500000, "no certificate")):
            out = self.verify(der + tail, authority[1], status=2)
            self.assertEqual([row["status"] for row in out], ["valid", "malformed"])
            self.assertIn(words, out[1]["reason"])

    def test_subjects(self):
        """Whatever a subject holds, it is one string."""
        authority = self.authority("CA", "prime256v1")
        key = self.key("key", "prime256v1")
        names = ['/CN="quoted"', "/CN=back\\\\\\\\slash", "/CN=line\nend", "/CN=\u00e4\U0001f600\u4e2d", "/CN=a\\+b", "/O=" + "x" * 60 + "/OU=" + "y" * 60, "/CN=,;<>"]
        text = b"".join(self.issue(authority, name, n, key=key) for n, name in enumerate(names, 1))
        long = "".join(f"/OU={'z' * 60}{n}" for n in range(100))
        text += self.issue(authority, long, 2**159 - 1, key=key)
        out = self.verify(text, authority[1])
        self.assertEqual([row["status"] for row in out], ["valid"] * 8)
        for row, name in zip(out, names):
            self.assertEqual(row["subject"][:3], "OU=" if "/OU" in name else name[1:4])
        self.assertIn("\u00e4\U0001f600\u4e2d", out[3]["subject"])
        self.assertTrue(out[7]["subject"].endswith("..."))
        self.assertEqual(out[7]["serial"], f"{2**159 - 1:x}")
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], "--output-format", "csv", stdin=text, status=0)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual(list(rows[0]), ["number", "subject", "serial", "status", "reason", "line"])
        self.assertEqual([row["subject"] for row in rows], [row["subject"] for row in out])
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], "--output-format", "csv", stdin=pem_of(b"x") + text, status=1)
        rows = list(csv.reader(io.StringIO(done.stdout.decode())))
        self.assertEqual(rows[1], ["1", "", "", "malformed", "not a certificate", "1"])
        self.assertEqual({len(row) for row in rows}, {6})

    def test_columns(self):
        """One certificate in each row of a table, whose other columns pass through."""
        authority, other = self.authority("CA", "prime256v1"), self.authority("x", "prime256v1")
        good = self.issue(authority, '/CN=a, "b"', 7).decode()
        der = der_of(good.encode())
        elsewhere = pem_of(der_of(self.issue(other, "/CN=c", 8))).decode()
        rows = [
            ["1", good, "x", ""], ["2", der.hex(), "y", "z"], ["3", base64.b64encode(der).decode(), "", ""], ["4", "0x" + der.hex().upper(), "", ""],
            ["5", f"text\n{good}", "", ""], ["6", elsewhere, "", ""], ["7", good + good, "", ""], ["8", "", "", ""], ["9", "no certificate", "", ""],
            ["10", der.hex()[:-2], "", ""], ["11", good.replace("CERTIFICATE", "X509 CRL"), "", ""], ["12", "MA==", "", ""],
        ]  # fmt: skip
        reasons = ["", "more than one certificate", "no value", "neither PEM nor DER in hexadecimal or base64", "not a certificate",
                   "PEM of something else than a certificate", "not a certificate"]  # fmt: skip
        expected = ["valid"] * 5 + ["invalid"] + ["malformed"] * 6
        text = io.StringIO()
        csv.writer(text).writerows([["id", "certificate", "serial", "pub"], *rows])
        for options in ((), ("--format", "csv"), ("--batch", "3")):
            done = self.run_tool("verify", "--x509", "--issuer", authority[1], *options, stdin=text.getvalue(), status=1)
            out = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
            self.assertEqual(out[0][:8], ["id", "certificate", "input_serial", "pub", "subject", "serial", "status", "reason"])
            self.assertEqual([row[:4] for row in out[1:]], rows)
            self.assertEqual([row[6] for row in out[1:]], expected)
            self.assertEqual([row[7].removeprefix("certificate: ") for row in out[6:]], reasons)
            self.assertEqual([row[4:6] for row in out[1:6]], [['CN=a\\, \\"b\\"', "07"]] * 5)
            self.assertEqual(out[6][4:6], ["CN=c", "08"])
            self.assertEqual({tuple(row[4:6]) for row in out[7:]}, {("", "")})
            self.assertEqual({len(row) for row in out}, {len(out[0])})
        for form, made in (("jsonl", text.getvalue()), ("csv", "".join(json.dumps(dict(zip(("id", "certificate", "serial", "pub"), row))) + "\n" for row in rows))):
            done = self.run_tool("verify", "--x509", "--issuer", authority[1], "--output-format", form, stdin=made, status=1)
            if form == "csv":
                converted = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
                self.assertEqual([row[:-1] for row in converted], [row[:-1] for row in out])  # all but lines
            else:
                found = [json.loads(line) for line in done.stdout.splitlines()]
                self.assertEqual([[str(row.get(name, "")) for name in out[0]] for row in found], out[1:])
        broken = "id,certificate,priv\n1,00\n2,00,1,1\n"
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], stdin=broken, status=1)
        self.assertEqual({line.count(",") for line in done.stdout.decode().splitlines()}, {done.stdout.decode().splitlines()[0].count(",")})
        objects = [{"id": row[0], "certificate": row[1], "subject": None} for row in rows]
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], "--prefix", "p_", stdin="".join(json.dumps(row) + "\n" for row in objects), status=1)
        out = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["p_status"] for row in out], expected)
        self.assertEqual([{name: row[name] for name in objects[0]} for row in out], objects)
        self.assertEqual([row.get("p_serial") for row in out], ["07"] * 5 + ["08"] + [None] * 6)

    def test_sm2_ids(self):
        authority = self.authority("CA", "SM2")
        request = self.openssl("req", "-new", "-key", authority[0], "-subj", "/CN=a", "-sm3", "-sigopt", "distid:1234567812345678")
        text = self.openssl("x509", "-req", "-CA", authority[1], "-CAkey", authority[0], "-set_serial", 1, "-sm3", "-sigopt", "distid:someone",
                            "-vfyopt", "distid:1234567812345678", stdin=request)  # fmt: skip
        self.assertEqual(self.verify(text, authority[1], "--id", "someone")[0]["status"], "valid")
        self.assertEqual(self.verify(text, authority[1], status=1)[0]["status"], "invalid")
        text = self.openssl("x509", "-req", "-CA", authority[1], "-CAkey", authority[0], "-set_serial", 1, "-sm3", "-sigopt",
                            "distid:1234567812345678", "-vfyopt", "distid:1234567812345678", stdin=request)  # fmt: skip
        self.assertEqual(self.verify(text, authority[1])[0]["status"], "valid")

    def test_many(self):
        authority = self.authority("CA", "prime256v1")
        good, other = self.issue(authority, "/CN=good", 7), self.issue(self.authority("x", "prime256v1"), "/CN=other", 8)
        path = self.folder / "all.pem.gz"
        path.write_bytes(gzip.compress((good + other) * 10000))
        done = self.run_tool("verify", "--x509", "--issuer", authority[1], path, "-o", self.folder / "out", status=1)
        self.assertIn(b"20000 rows: 10000 valid, 10000 invalid", done.stderr)
        rows = [json.loads(line) for line in (self.folder / "out").read_text().splitlines()]
        self.assertEqual([row["number"] for row in rows], list(range(1, 20001)))

    def test_options(self):
        issuer = self.authority("CA", "prime256v1")[1]
        for options, words in (
            (["--x509"], "--x509 needs --issuer"), (["--issuer", issuer], "--issuer goes with --x509"), (["--x509", "--jwt", "--issuer", issuer], "exclude"),
            (["--x509", "--issuer", issuer, "--hash", "sha256"], "go without"), (["--x509", "--issuer", issuer, "--id", "x"], "go without"),
            (["--x509", "--issuer", issuer, "--output-format", "raw"], "csv or jsonl"), (["--x509", "--issuer", self.folder / "none"], "No such file"),
        ):  # fmt: skip
            self.assertIn(words, self.run_tool("verify", *options, stdin=b"x", status=2).stderr.decode())


if __name__ == "__main__":
    unittest.main()
