"""Signatures, keys and shared secrets of the provider, beside OpenSSL's own.

Test: fast; no sanitizers
"""

import itertools
import unittest

from support import PROVIDER, ProviderTest, shared_curves

BOTH = ("gecc", "default")
WAYS = list(itertools.product(BOTH, BOTH))


def ec(curve):
    return ("-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}")


class Signatures(ProviderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "message").write_bytes(b"a message of some bytes")
        (self.folder / "other").write_bytes(b"a message of other bytes")

    def check(self, key, sign, verify):
        """Made and checked by each; another message and a signature that was changed are refused."""
        for maker, checker in WAYS:
            self.openssl(sign[0], "-out", "signature", *sign[1:], by=maker)
            self.openssl(*verify("message", "signature"), by=checker)
            self.openssl(*verify("other", "signature"), by=checker, status=1)
            signature = bytearray((self.folder / "signature").read_bytes())
            signature[-1] ^= 1
            (self.folder / "spoiled").write_bytes(signature)
            self.openssl(*verify("message", "spoiled"), by=checker, status=1)
            (self.folder / "cut").write_bytes(signature[:-1])
            self.openssl(*verify("message", "cut"), by=checker, status=1)

    def check_digest(self, key, digest):
        self.check(
            key,
            ("dgst", f"-{digest}", "-sign", f"{key}.pem", "message"),
            lambda message, signature: ("dgst", f"-{digest}", "-verify", f"{key}.pub", "-signature", signature, message),
        )

    def check_raw(self, key, *options):
        options = ("-rawin", *options)
        self.check(
            key,
            ("pkeyutl", "-sign", "-inkey", f"{key}.pem", "-in", "message", *options),
            lambda message, signature: ("pkeyutl", "-verify", "-pubin", "-inkey", f"{key}.pub", "-sigfile", signature,
                                        "-in", message, *options),
        )

    def test_ecdsa_on_each_curve(self):
        curves = shared_curves()
        self.assertGreater(len(curves), 2)
        for curve in curves:
            with self.subTest(curve):
                self.key_pair(curve, *ec(curve))
                self.check_digest(curve, "sha256")

    def test_digests_of_every_width(self):
        """Narrower than 20 bytes, as wide as P-521, and of another family."""
        self.key_pair("key", *ec("secp521r1"), by="default")
        for digest in ("md5", "sha1", "sha224", "sha512", "sha3-384", "blake2b512"):
            with self.subTest(digest):
                self.check_digest("key", digest)

    def test_signatures_without_a_digest(self):
        """Widths that no digest has, up to the 64 bytes that the command takes."""
        for curve, width in itertools.product(("prime256v1", "secp521r1"), (1, 19, 20, 63, 64)):
            with self.subTest(curve=curve, width=width):
                self.key_pair("key", *ec(curve))
                (self.folder / "digest").write_bytes(bytes(range(255, 255 - width, -1)))
                for maker, checker in WAYS:
                    self.openssl("pkeyutl", "-sign", "-inkey", "key.pem", "-in", "digest", "-out", "signature", by=maker)
                    self.openssl("pkeyutl", "-verify", "-inkey", "key.pem", "-in", "digest", "-sigfile", "signature",
                                 by=checker)

    def test_ed25519(self):
        self.key_pair("key", "-algorithm", "ED25519")
        self.check_raw("key")
        (self.folder / "empty").write_bytes(b"")
        for maker, checker in WAYS:
            self.openssl("pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "message", "-out", maker, by=maker)
        self.assertEqual((self.folder / "gecc").read_bytes(), (self.folder / "default").read_bytes())

    def test_sm2(self):
        self.key_pair("key", "-algorithm", "SM2")
        self.check_raw("key", "-digest", "sm3", "-pkeyopt", "distid:1234567812345678")
        self.check_raw("key", "-digest", "sm3")
        sign = ("pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "message", "-digest", "sm3")
        self.openssl(*sign, "-pkeyopt", "distid:one", "-out", "signature")
        verify = ("pkeyutl", "-verify", "-inkey", "key.pem", "-rawin", "-in", "message", "-digest", "sm3", "-sigfile",
                  "signature")
        for checker in BOTH:
            self.openssl(*verify, "-pkeyopt", "distid:one", by=checker)
            self.openssl(*verify, "-pkeyopt", "distid:two", by=checker, status=1)
        said = self.openssl("pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "message", "-digest", "sha256",
                            status=1)
        self.assertIn(b"SM2 has a digest of its own", said.stderr)

    def test_sm2_encryption_stays_with_others(self):
        self.key_pair("key", "-algorithm", "SM2")
        self.openssl("pkeyutl", "-encrypt", "-inkey", "key.pem", "-in", "message", "-out", "secret")
        plain = self.openssl("pkeyutl", "-decrypt", "-inkey", "key.pem", "-in", "secret")
        self.assertEqual(plain.stdout, b"a message of some bytes")


class Keys(ProviderTest):
    TYPES = {"EC": ec("secp384r1"), "SM2": ("-algorithm", "SM2"), "ED25519": ("-algorithm", "ED25519"),
             "X25519": ("-algorithm", "X25519")}

    def test_files_are_openssls(self):
        """What one reads and writes, the other reads and writes the same."""
        for (name, options), maker in itertools.product(self.TYPES.items(), BOTH):
            with self.subTest(name=name, maker=maker):
                self.key_pair("key", *options, by=maker)
                for form in ("PEM", "DER"):
                    for public in ((), ("-pubout",)):
                        written = [self.openssl("pkey", "-in", "key.pem", "-outform", form, *public, by=by).stdout
                                   for by in BOTH]
                        self.assertEqual(*written)
                text = [self.openssl("pkey", "-in", "key.pem", "-noout", "-text", by=by).stdout for by in BOTH]
                self.assertEqual(*text)
                self.openssl("pkey", "-in", "key.pem", "-noout", "-check")
                self.openssl("pkey", "-pubin", "-in", "key.pub", "-noout", "-pubcheck")

    def test_new_keys_are_written_as_openssl_would(self):
        """Straight from the generation: text has all that OpenSSL tells of a key and its curve."""
        for name, options in self.TYPES.items():
            with self.subTest(name):
                new = self.openssl("genpkey", *options, "-text").stdout
                pem = new[: new.index(b"-----END") + 1]
                self.assertIn(b"PRIVATE KEY", pem)
                (self.folder / "key.pem").write_bytes(new)
                again = self.openssl("pkey", "-in", "key.pem", "-text", by="default").stdout
                self.assertEqual(new, again)

    def test_each_new_key_differs(self):
        for name, options in self.TYPES.items():
            keys = {self.openssl("genpkey", *options).stdout for _ in range(8)}
            self.assertEqual(len(keys), 8, name)

    def test_old_forms(self):
        self.openssl("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", "key.pem")
        self.assertIn(b"BEGIN EC PRIVATE KEY", (self.folder / "key.pem").read_bytes())
        compressed = self.openssl("ec", "-in", "key.pem", "-pubout", "-conv_form", "compressed").stdout
        (self.folder / "key.pub").write_bytes(compressed)
        self.assertEqual(compressed, self.openssl("ec", "-in", "key.pem", "-pubout", "-conv_form", "compressed",
                                                  by="default").stdout)
        (self.folder / "message").write_bytes(b"hello")
        self.openssl("dgst", "-sha384", "-sign", "key.pem", "-out", "signature", "message")
        self.openssl("dgst", "-sha384", "-verify", "key.pub", "-signature", "signature", "message")

    def test_what_gecc_lacks_is_served_by_others(self):
        explicit = (*ec("prime256v1"), "-pkeyopt", "ec_param_enc:explicit")
        for name, options in {"P-224": ec("secp224r1"), "explicit": explicit, "binary": ec("sect283k1"),
                              "Ed448": ("-algorithm", "ED448"), "RSA": ("-algorithm", "RSA")}.items():
            with self.subTest(name):
                self.key_pair("key", *options)
                (self.folder / "message").write_bytes(b"hello")
                sign = ("-rawin", "-inkey", "key.pem", "-in", "message")
                for maker, checker in WAYS:
                    self.openssl("pkeyutl", "-sign", *sign, "-out", "signature", by=maker)
                    self.openssl("pkeyutl", "-verify", *sign, "-sigfile", "signature", by=checker)
                    self.openssl("pkeyutl", "-verify", "-rawin", "-inkey", "key.pem", "-in", "key.pub", "-sigfile",
                                 "signature", by=checker, status=1)

    def test_a_key_off_its_curve_is_refused(self):
        self.key_pair("key", *ec("secp384r1"))
        der = bytearray(self.openssl("pkey", "-in", "key.pem", "-pubout", "-outform", "DER").stdout)
        der[-1] ^= 1
        (self.folder / "bad.der").write_bytes(der)
        self.openssl("pkey", "-pubin", "-inform", "DER", "-in", "bad.der", "-noout", "-pubcheck", status=1)


class Secrets(ProviderTest):
    def check(self, options):
        for maker in BOTH:
            self.key_pair(maker, *options, by=maker)
        secrets = {
            self.openssl("pkeyutl", "-derive", "-inkey", f"{mine}.pem", "-peerkey", f"{theirs}.pub", by=by).stdout
            for (mine, theirs), by in itertools.product((BOTH, BOTH[::-1]), BOTH)
        }
        self.assertEqual(len(secrets), 1)
        return secrets.pop()

    def test_ecdh_on_each_curve(self):
        for curve in [*shared_curves(), "secp224r1"]:
            with self.subTest(curve):
                self.check(ec(curve))

    def test_x25519(self):
        self.assertEqual(len(self.check(("-algorithm", "X25519"))), 32)

    def test_a_peer_on_another_curve_is_refused(self):
        self.key_pair("a", *ec("prime256v1"))
        self.key_pair("b", *ec("brainpoolP256r1"))
        for by in BOTH:
            self.openssl("pkeyutl", "-derive", "-inkey", "a.pem", "-peerkey", "b.pub", by=by, status=1)

    def test_a_peer_of_small_order_is_refused(self):
        self.key_pair("a", "-algorithm", "X25519")
        zero = bytes.fromhex("302a300506032b656e032100") + bytes(32)
        (self.folder / "b.der").write_bytes(zero)
        for by in BOTH:
            self.openssl("pkeyutl", "-derive", "-inkey", "a.pem", "-peerkey", "b.der", "-peerform", "DER", by=by, status=1)


class Loading(ProviderTest):
    def test_it_says_what_it_is(self):
        said = self.openssl("list", "-providers").stdout.decode()
        self.assertRegex(said, r"gecc\n\s+name: gecc\n\s+version: [0-9.]+\n\s+status: active")

    def test_operations_are_its_own(self):
        for kind in ("-signature-algorithms", "-key-exchange-algorithms", "-key-managers"):
            said = self.openssl("list", kind, "-propquery", "provider=gecc").stdout
            self.assertIn(b"@ gecc", said)

    def test_a_provider_that_cannot_load_says_why(self):
        folder, module = PROVIDER.rsplit("/", 1)
        done = self.openssl("list", "-providers", "-provider-path", folder, "-provider", module.removesuffix(".so"),
                            by="default", status=1, GECC_CPU="abacus")
        self.assertIn(b"abacus", done.stderr)

    def test_where_it_cannot_load_the_default_one_serves(self):
        self.key_pair("key", *ec("prime256v1"))
        text = (self.folder / "gecc.cnf").read_text()
        for broken in (text.replace("threads = 1", "threads = many"), text.replace("gecc.so", "absent.so")):
            (self.folder / "gecc.cnf").write_text(broken)
            self.assertNotIn(b"gecc", self.openssl("list", "-providers").stdout)
            self.openssl("pkey", "-in", "key.pem", "-check", "-noout")
            self.openssl("genpkey", *ec("prime256v1"))


if __name__ == "__main__":
    unittest.main()
