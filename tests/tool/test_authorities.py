"""Certificates under the authority that each names: sets, chains, times, lists of revoked ones.

Test: fast; no sanitizers
"""

import csv
import io
import json
import os
import random
import shutil
import subprocess
import time
import unittest

from authorities import ECDSA_SHA256, NOW, certificate, extension, fingerprint, integer, issuer_key, key_id, name, pems, revocations, root, signed, spki, utc
from support import ToolTest
from test_x509 import der_of, elements, inner, tlv

AT = ("--at", NOW)
NO_NAME = ("no_key", "no CA of --keys has its issuer's name")
NO_ID = ("no_key", "no CA of its issuer's name has the key identifier that it names")
NO_WAY = ("no_key", "its issuer is of the input, and no CA of --keys vouches for it")
VALID, INVALID = ("valid", None), ("invalid", None)
UNREADABLE = "extensions that cannot be read"


# What OpenSSL takes, and is refused here: DER has one encoding of everything, there are three versions, and names are compared as they stand,
# so that those of an issuer whose letters are in the other case are another's.
STRICTER = ("not a certificate", UNREADABLE, "a version that is none of 1, 2 and 3", "extensions, and it is not of version 3", NO_NAME[1], NO_WAY[1])
SEED, COUNT = int(os.environ.get("GECC_TEST_SEED", "5"), 0), int(os.environ.get("GECC_TEST_CERTIFICATES", "300"))


def mutated(randomness, data, *kept):
    """One or two bytes are others; none in the parts that are kept."""
    changed = bytearray(data)
    places = [at for at in range(len(data)) if not any(0 <= at - data.index(part) < len(part) for part in kept)]
    for _ in range(randomness.choice((1, 1, 2))):
        at = randomness.choice(places)
        changed[at] = randomness.choice((changed[at] ^ 1 << randomness.randrange(8), randomness.randrange(256), changed[at] + 1 & 255))
    return bytes(changed)


class AuthorityTest(ToolTest):
    def check(self, authorities, certificates, *options, lists=None, status=None):
        """authorities: DER of each; certificates: likewise, or text of PEM."""
        keys, path, crl = self.folder / "cas.pem", self.folder / "input.pem", self.folder / "crl.pem"
        keys.write_bytes(authorities if isinstance(authorities, bytes) else pems(*authorities))
        path.write_bytes(certificates if isinstance(certificates, bytes) else pems(*certificates))
        if lists is not None:
            crl.write_bytes(lists if isinstance(lists, bytes) else pems(*lists, label="X509 CRL"))
            options = (*options, "--crl", crl)
        return self.run_tool("verify", "--x509", "--keys", keys, *options, path, status=status)

    def rows(self, *arguments, **options):
        return [json.loads(line) for line in self.check(*arguments, **options).stdout.splitlines()]

    def verdicts(self, *arguments, **options):
        return [(row["status"], row.get("reason")) for row in self.rows(*arguments, **options)]


class Authorities(AuthorityTest):
    def test_names_choose(self):
        """Each certificate under the CA that it names, and no other; which one is said."""
        cas = [root(f"CA {n}", 10 + n) for n in range(5)]
        leaves = [certificate(f"leaf {n}", 99, f"CA {n % 5}", 10 + n % 5, n) for n in range(20)]
        out = self.rows(cas, leaves, status=0)
        self.assertEqual([(row["subject"], row["issuer"], row["issuer_sha256"], row["status"]) for row in out],
                         [(f"CN=leaf {n}", f"CN=CA {n % 5}", fingerprint(cas[n % 5]), "valid") for n in range(20)])  # fmt: skip
        # Signed by another of them than the one that they name: valid under any is not valid.
        crossed = [certificate(f"leaf {n}", 99, f"CA {n}", 10 + (n + 1) % 5, n, ids=False) for n in range(5)]
        out = self.rows(cas, crossed, status=1)
        self.assertEqual({(row["status"], row["issuer_sha256"]) for row in out}, {("invalid", "")})
        out = self.rows(cas, [certificate("leaf", 99, "CA 9", 10)], status=1)
        self.assertEqual((out[0]["issuer"], out[0]["status"], out[0]["reason"], out[0]["issuer_sha256"]), ("CN=CA 9", *NO_NAME, ""))
        for other in (name("CA 0", tag=19), name("ca 0"), name("CA 0 "), name("CA 0", "CA 0")):
            self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, other, 10)]), [NO_NAME])
        self.assertEqual(self.verdicts(cas, [*cas, cas[0][:-1]])[:5], [VALID] * 5)

    def test_one_name_of_several(self):
        """The key identifier chooses; without one each is tried."""
        cas = [root("CA", 10 + n, serial=n + 1) for n in range(5)]
        leaves = [certificate("leaf", 99, "CA", 10 + n) for n in range(5)]
        bare = [certificate("leaf", 99, "CA", 10 + n, ids=False) for n in range(5)]
        out = self.rows(cas, leaves + bare, status=0)
        self.assertEqual([row["issuer_sha256"] for row in out], [fingerprint(ca) for ca in cas] * 2)
        self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, "CA", 77), certificate("leaf", 99, "CA", 77, ids=False)]), [NO_ID, INVALID])
        # The identifier is another's than the key's: it decides, and nothing else is tried.
        self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, "CA", 10, aki=issuer_key(key_id(11)))]), [INVALID])
        unread = ("malformed", UNREADABLE)

        def named(host, *names):
            return tlv(0x30, tlv(0xA1, tlv(0x82, host), *(tlv(0xA4, each) for each in names)), tlv(0x82, integer(1)[2:]))

        for aki, expected in (
            (issuer_key(None, name("CA"), 1), VALID), (issuer_key(None, name("CA"), 2), INVALID), (issuer_key(key_id(10), name("CA"), 1), VALID),
            (issuer_key(key_id(10), name("CA"), 2), NO_ID), (issuer_key(key_id(10), name("other"), 1), NO_ID), (issuer_key(), VALID), (issuer_key(b""), VALID),
            (issuer_key(None, None, 9), NO_ID), (named(b"x", name("CA"), name("other")), VALID), (named(b"x", name("other")), NO_ID), (named(b"x"), VALID),
            (tlv(0x30, tlv(0xA1)), unread), (tlv(0x30, tlv(0xA1, tlv(0xA4))), unread), (tlv(0x30, tlv(0xA1, b"\x82\5x")), unread), (tlv(0x30, tlv(0x82)), unread),
            (tlv(0x30, tlv(0x82, b"\0\1")), unread), (tlv(0x30, integer(1)), ("malformed", UNREADABLE)), (tlv(0x31), ("malformed", UNREADABLE)),
        ):  # fmt: skip
            self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, "CA", 10, aki=aki)]), [expected], aki.hex())
        # Certificates of one key, of which one has expired, and CAs that have no identifier.
        cas = [root("CA", 10, serial=1, dates=("200101000000Z", "210101000000Z")), root("CA", 10, serial=2), root("CA", 11, ids=False)]
        out = self.rows(cas, [certificate("leaf", 99, "CA", 10), certificate("leaf", 99, "CA", 11)], *AT, status=0)
        self.assertEqual([row["issuer_sha256"] for row in out], [fingerprint(ca) for ca in cas[1:]])
        # There is an end to what is tried.
        cas = [root("CA", 10, serial=n + 1, ids=False) for n in range(65)]
        self.assertEqual(self.verdicts([cas[0]] * 70, [certificate("leaf", 99, "CA", 10)]), [VALID])
        self.assertEqual(self.verdicts(cas[:64], [certificate("leaf", 99, "CA", 10)]), [VALID])
        self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, "CA", 10)])[0][0], "no_key")

    def test_chains(self):
        top = root("top", 10)
        middle, low = certificate("middle", 11, "top", 10, ca=True), certificate("low", 12, "middle", 11, ca=True)
        leaf = certificate("leaf", 99, "low", 12)
        for order in ([middle, low, leaf], [leaf, low, middle], [leaf, middle, low, leaf]):
            for depth, expected in ((0, NO_NAME), (1, ("invalid", "more CAs stand above it than --depth allows")), (2, VALID), (9, VALID)):
                found = dict(zip(map(fingerprint, order), self.verdicts([top], order, "--depth", depth)))
                self.assertEqual(found[fingerprint(leaf)], expected, depth)
                self.assertEqual(found[fingerprint(middle)], VALID)
        out = self.rows([top], [leaf, low, middle], "--depth", 2, status=0)
        self.assertEqual([row["issuer_sha256"] for row in out], [fingerprint(low), fingerprint(middle), fingerprint(top)])
        self.assertEqual(self.verdicts([top], [leaf, low], "--depth", 5), [NO_WAY, NO_NAME])
        self.assertEqual(self.verdicts([middle], [leaf, low, middle], "--depth", 5), [VALID, VALID, NO_NAME])

    def test_what_may_stand_between(self):
        top = root("top", 10)

        def between(*middles, cas=(top,), leaf=None):
            return self.verdicts(cas, [leaf or certificate("leaf", 99, "middle", 11), *middles], "--depth", 5)[0]

        self.assertEqual(between(certificate("middle", 11, "top", 10, ca=True, path=0, usage=4)), VALID)
        for options in ({"ca": None}, {"ca": False}, {"version": 0, "bare": True}, {"ca": None, "usage": 4}):
            self.assertEqual(between(certificate("middle", 11, "top", 10, **options)), NO_NAME)
        for options, reason in (
            ({"usage": 2}, "its issuer's key is not for certificates (keyUsage)"),
            ({"more": [extension(30, tlv(0x30), True)]}, "its issuer has a critical extension that is not looked at"),
        ):
            self.assertEqual(between(certificate("middle", 11, "top", 10, **{"ca": True, **options})), ("invalid", reason))
        self.assertEqual(between(certificate("middle", 11, "top", 77, ca=True, aki=issuer_key())), ("invalid", "its issuer's own signature is not valid"))
        self.assertEqual(between(certificate("middle", 11, "top", 77, ca=True)), NO_WAY)
        # Version 1 cannot say that it is a CA's, and is nobody's whom nobody trusts, be it signed by its own name.
        self.assertEqual(between(certificate("top", 11, "top", 10, version=0, bare=True), leaf=certificate("leaf", 99, "top", 11, ids=False)), INVALID)
        # One that names itself as its issuer is nobody's until somebody trusts it; and so are two that name each other.
        self.assertEqual(between(root("middle", 11)), NO_WAY)
        ring = [certificate("middle", 11, "other", 12, ca=True), certificate("other", 12, "middle", 11, ca=True)]
        self.assertEqual(between(*ring), NO_WAY)
        self.assertEqual(between(*ring, certificate("other", 12, "top", 10, ca=True)), VALID)
        # Of two certificates of one CA that which leads somewhere.
        self.assertEqual(between(root("middle", 11), certificate("middle", 11, "nobody", 70, ca=True), certificate("middle", 11, "top", 10, ca=True)), VALID)
        # A certificate of the trusted set has to be a CA's, too.
        for options, reason in (({"ca": None}, "its issuer is no CA (basicConstraints)"), ({"ca": False}, "its issuer is no CA (basicConstraints)"),
                                ({"usage": 2}, "its issuer's key is not for certificates (keyUsage)")):  # fmt: skip
            cas = [root("middle", 11, **options)]
            self.assertEqual(between(cas=cas), ("invalid", reason))
        self.assertEqual(between(cas=[root("middle", 11, version=0, bare=True)]), VALID)
        cas = [certificate("middle", 11, "top", 10, version=0, bare=True)]
        self.assertEqual(between(cas=cas), ("invalid", "its issuer is no CA (basicConstraints)"))

    def test_impostors(self):
        """CAs of the input that nobody vouches for take no place from others, wherever they stand, and change no reason."""
        top, leaf = root("top", 10), certificate("leaf", 99, "top", 10, 5)
        junk = [certificate("top", 50, "top", 50, n + 100, ca=True, ids=False) for n in range(70)]
        self.assertEqual(self.verdicts([top], [leaf, *junk], "--depth", 1)[0], VALID)
        middle, low = certificate("middle", 11, "top", 10, 7, ca=True), certificate("low", 12, "middle", 11, 3, ca=True)
        some = [middle, low, certificate("leaf", 99, "low", 12, 5)]
        junk = [certificate("middle", 50, "x", 51, n, ca=True, ids=False) for n in range(70)]
        for order in ([*some, *junk], [*junk, *some]):
            out = [row for row in self.rows([top], order, "--depth", 3) if row["subject"] != "CN=middle"]
            self.assertEqual([row["status"] for row in out], ["valid"] * 2)
        other = certificate("middle", 11, "nobody", 12, 1, ca=True)
        over = certificate("middle", 11, "top", 10, 2, ca=True, dates=("200101000000Z", "210101000000Z"))
        for order in ([other, over], [over, other]):
            self.assertEqual(self.verdicts([top], [certificate("leaf", 99, "middle", 11), *order], "--depth", 3, *AT)[0], ("invalid", "its issuer has expired"))

    def test_path_lengths(self):
        def chain(*lengths, self_issued=()):
            """The first is trusted; each signs the next."""
            names = [f"CA {0 if n in self_issued else n}" for n in range(len(lengths))]
            cas = [certificate(names[n], 10 + n, names[max(0, n - 1)], 10 + max(0, n - 1), n + 1, ca=True, path=length) for n, length in enumerate(lengths)]
            leaf = certificate("leaf", 99, names[-1], 9 + len(lengths))
            return self.verdicts(cas[:1], [leaf, *cas], "--depth", 9)[0]

        exceeded = ("invalid", "more CAs stand above it than one of them allows (pathLenConstraint)")
        for lengths, expected in (
            ((0,), VALID), ((0, None), exceeded), ((1, None), VALID), ((1, 0), VALID), ((1, None, None), None), ((2, None, None), VALID),
            ((None, 0, None), exceeded), ((None, 1, None), VALID), ((None, 9, 0), VALID), ((3, 2, 1, 0), VALID), ((2, 9, 9, None), exceeded),
            ((200000, None), VALID),
        ):  # fmt: skip
            self.assertEqual(chain(*lengths) if expected else chain(*lengths)[0], expected or "invalid", lengths)
        self.assertEqual(chain(0, None, self_issued=(1,)), VALID)
        self.assertEqual(chain(0, 0, self_issued=(1,)), VALID)
        # The longest of two ways, be it found first or later.
        low = certificate("low", 12, "middle", 11, ca=True)
        narrow, wide = (certificate("middle", 11, "top", 10, serial, ca=True, path=path) for serial, path in ((1, 0), (2, 1)))
        for order in ([narrow, wide, low], [low, wide, narrow]):
            self.assertEqual(self.verdicts([root("top", 10)], [certificate("leaf", 99, "low", 12), *order], "--depth", 3)[0], VALID)

    def test_times(self):
        def verdict(*, top=None, middle=None, leaf=None, at=AT):
            dates = [{"dates": dates} if dates else {} for dates in (top, middle, leaf)]
            some = [certificate("leaf", 99, "middle", 11, **dates[2]), certificate("middle", 11, "top", 10, ca=True, **dates[1])]
            return self.verdicts([root("top", 10, **dates[0])], some, "--depth", 2, *at)[0]

        over, later, exact = ("200101000000Z", "210101000000Z"), ("300101000000Z", "310101000000Z"), ("231114221320Z", "231114221320Z")
        self.assertEqual(verdict(), VALID)
        self.assertEqual(verdict(top=exact, middle=exact, leaf=exact), VALID)
        self.assertEqual(verdict(middle=exact, at=("--at", NOW + 1)), ("invalid", "its issuer has expired"))
        self.assertEqual(verdict(leaf=exact, at=("--at", NOW + 1)), ("invalid", "notAfter: it has expired"))
        self.assertEqual(verdict(leaf=exact, at=("--at", NOW - 1)), ("invalid", "notBefore: its time has not come"))
        self.assertEqual(verdict(middle=over), ("invalid", "its issuer has expired"))
        self.assertEqual(verdict(middle=later), ("invalid", "its issuer's time has not come"))
        self.assertEqual(verdict(top=over)[0], "no_key")
        self.assertEqual(verdict(top=over, middle=over, leaf=later, at=()), VALID)
        self.assertEqual(verdict(leaf=("500101000000Z", "491231235959Z"), at=("--at", "2049-12-31T23:59:59Z"))[0], "invalid")  # of a CA that has ended
        for wrong in ("20010100000Z", "200101000000+", "200101000000", "201301000000Z", "200100000000Z", "200230000000Z", "200101240000Z", "200101006000Z",
                      "2001010000-1Z", "200101000060Z", "200101000000+0100"):  # fmt: skip
            self.assertEqual(verdict(leaf=(wrong, "300101000000Z")), ("malformed", "dates that cannot be read"), wrong)

    def test_extensions(self):
        """Those that must be understood are, or the certificate is not valid; none stands twice."""
        top = root("top", 10)
        good = [extension(number, tlv(0x30, tlv(6, b"\x2b")), True) for number in (17, 18, 31, 32, 37)]
        good += [extension(number, tlv(0x30)) for number in (36, 33, 54, 46)] + [tlv(0x30, tlv(6, b"\x2b\1"), tlv(4))]
        good += [tlv(0x30, tlv(6, b"\x55\x1d\x24"), tlv(1, b"\0"), tlv(4)), extension(15, tlv(3, b"\7\x80")), extension(15, tlv(3, b"\7\0\x80"))]
        unknown = ("invalid", "a critical extension that is not looked at")
        bad = [(extension(number, tlv(0x30), True), unknown) for number in (30, 36, 33, 54, 46, 0, 63, 64, 127)]
        bad += [(extension(30, tlv(0x30)), unknown), (tlv(0x30, tlv(6, b"\x2b\1"), tlv(1, b"\xff"), tlv(4)), unknown)]
        broken = [tlv(0x30), tlv(0x30, tlv(6, b"\x55\x1d\x0f")), extension(15, b""), extension(15, tlv(3)), extension(15, tlv(3, b"\x08\4")), extension(19, tlv(4)),
                  extension(19, tlv(0x30, tlv(1, b"\1"))), extension(19, tlv(0x30, tlv(1, b"\xff"), tlv(2, b"\x80"))), extension(19, tlv(0x30, tlv(1, b"\xff"), tlv(2))),
                  extension(19, tlv(0x30) + b"\0"), extension(19, tlv(0x30, integer(1), integer(1))), extension(14, tlv(0x30)), extension(15, tlv(3, b"\1\4")) * 2,
                  extension(17, tlv(0x30)) * 2, tlv(0x31), extension(17, b""), extension(37, tlv(0x31)), extension(32, tlv(0x30) + b"\0"),
                  extension(15, tlv(3, b"\7\0")), extension(15, tlv(3, b"\1\1")), tlv(0x30, tlv(6), tlv(4)), tlv(0x30, tlv(6, b"\x55\x1d\x80"), tlv(4)), tlv(0x30, tlv(6, b"\x55\x1d\x0f"), tlv(1, b"\1"), tlv(4, tlv(3, b"\1\4")))]  # fmt: skip
        for n, (more, expected) in enumerate([(e, VALID) for e in good] + bad + [(e, ("malformed", UNREADABLE)) for e in broken]):
            self.assertEqual(self.verdicts([top], [certificate("leaf", 99, "top", 10, more=[more])]), [expected], (n, more.hex()))
        self.assertEqual(self.verdicts([top], [certificate("leaf", 99, "top", 10, version=1)]), [("malformed", "extensions, and it is not of version 3")])
        self.assertEqual(self.verdicts([top], [certificate("leaf", 99, "top", 10, version=3, bare=True)]), [("malformed", "a version that is none of 1, 2 and 3")])
        self.assertEqual(self.verdicts([top], [certificate("leaf", 99, "top", 10, bare=True, version=version) for version in (0, 1, 2)]), [VALID] * 3)

    def test_lengths(self):
        """In DER each is as short as it can be."""
        top, leaf = root("top", 10), certificate("leaf", 99, "top", 10)
        fields = elements(inner(elements(inner(leaf))[0]))
        for serial, expected in ((b"\2\1\1", VALID), (b"\2\x81\1\1", ("malformed", "not a certificate")), (b"\2\x82\0\1\1", ("malformed", "not a certificate")),
                                 (b"\2\2\0\1", ("malformed", "not a certificate")), (b"\2\2\0\x80", VALID), (b"\2\2\xff\x80", ("malformed", "not a certificate")),
                                 (b"\2\2\xff\x7f", VALID), (b"\2\0", ("malformed", "not a certificate"))):  # fmt: skip
            self.assertEqual(self.verdicts([top], [signed(tlv(0x30, fields[0], serial, *fields[2:]), 10)]), [expected])
        for behind, expected in ((tlv(0x81, b"\0x"), VALID), (tlv(0x82, b"\4\x10"), VALID), (tlv(0x81), None), (tlv(0x81, b"\1"), None), (tlv(0x82, b"\x08x"), None),
                                 (tlv(0xA3), None)):  # fmt: skip
            body = fields[:-1] if behind[0] == 0xA3 else fields
            changed = signed(tlv(0x30, *body[:7], behind, *body[7:]), 10)
            got = self.verdicts([top], [changed])[0]
            self.assertEqual(got if expected else got[0], expected or "malformed", behind.hex())
        self.assertEqual(self.verdicts([top], [b"\x30\x83\0" + leaf[2:]]), [("malformed", "not a certificate")])

    def test_lists(self):
        top = root("top", 10)
        middle = certificate("middle", 11, "top", 10, 7, ca=True)
        leaves = [certificate("leaf", 99, "top", 10, serial) for serial in (1, 2, 3, 2**150, -2)]
        revoked, missing = ("invalid", "its issuer has revoked it"), ("invalid", "no list of --crl is its issuer's")
        self.assertEqual(self.verdicts([top], leaves, lists=[revocations("top", 10, [2, 9, 2**150])]), [VALID, revoked, VALID, revoked, VALID])
        self.assertEqual(self.verdicts([top], leaves[:1], lists=[revocations("top", 10, [])]), [VALID])
        self.assertEqual(self.verdicts([top], leaves[:1], lists=[revocations("top", 10, [2]), revocations("top", 10, [1])]), [revoked])
        self.assertEqual(self.verdicts([top], leaves[:1], lists=[revocations("top", 10, [1], ids=False)]), [revoked])
        # One that nobody signed who may, or of somebody else, is no list; standard error names it.
        for unused in (revocations("top", 77, [2]), revocations("top", 77, [2], ids=False), revocations("other", 10, [2])):
            done = self.check([top], leaves[:2], lists=[unused], status=1)
            self.assertEqual({json.loads(line)["reason"] for line in done.stdout.splitlines()}, {missing[1]})
            self.assertIn(b"number 1, of CN=", done.stderr)
        mute = [root("top", 10, usage=4)]
        self.assertEqual(self.verdicts(mute, leaves[:1], lists=[revocations("top", 10, [2])]), [missing])
        self.assertEqual(self.verdicts([root("top", 10, usage=6)], leaves[:2], lists=[revocations("top", 10, [2])]), [VALID, revoked])
        # Every certificate of the chain has to be in nobody's list, and in the care of one.
        chain = [certificate("leaf", 99, "middle", 11, 5), middle]
        lists = [revocations("top", 10, [1]), revocations("middle", 11, [6])]
        self.assertEqual(self.verdicts([top], chain, "--depth", 1, lists=lists), [VALID, VALID])
        self.assertEqual(self.verdicts([top], chain, "--depth", 1, lists=lists[:1]), [missing, VALID])
        wrong = "its issuer is revoked, or no list of --crl says that it is not"
        self.assertEqual(self.verdicts([top], chain, "--depth", 1, lists=lists[1:]), [("invalid", wrong), missing])
        self.assertEqual(self.verdicts([top], chain, "--depth", 1, lists=[revocations("top", 10, [7]), lists[1]]), [("invalid", wrong), revoked])
        # Times: what was revoked stays so.
        old, new = revocations("top", 10, [2], dates=("210101000000Z", "220101000000Z")), revocations("top", 10, [])
        self.assertEqual(self.verdicts([top], leaves[:2], *AT, lists=[old])[0][1], "no list of --crl that its issuer signed holds at the time of --at")
        self.assertEqual(self.verdicts([top], leaves[:2], *AT, lists=[old, new]), [VALID, revoked])
        self.assertEqual(self.verdicts([top], leaves[:1], *AT, lists=[revocations("top", 10, [], dates=("210101000000Z",))]), [VALID])
        # Versions, and numbers that are shorter than they are written.
        def written(version, serial=b"\2\1\2", more=b""):
            entries = tlv(0x30, tlv(0x30, serial, utc("220101000000Z")))
            return [signed(tlv(0x30, version, ECDSA_SHA256, name("top"), utc("230101000000Z"), entries, more), 10)]

        some = tlv(0xA0, tlv(0x30, extension(20, integer(1))))
        for version, more in ((b"", b""), (integer(1), b""), (integer(1), some)):
            self.assertEqual(self.verdicts([top], leaves[:2], lists=written(version, more=more)), [VALID, revoked])
        for bad in (written(b"", more=some), written(integer(0)), written(integer(2), more=some), written(tlv(2, b"\0\1"), more=some), written(tlv(2)),
                    written(integer(1), tlv(2, b"\0\2")), written(integer(1), tlv(2)), written(integer(1), more=tlv(0xA0))):  # fmt: skip
            self.check([top], leaves, lists=bad, status=2)
        # Lists of a part, and of changes, are not taken for the whole.
        reason = extension(21, tlv(10, b"\1"))
        self.assertEqual(self.verdicts([top], leaves[:2], lists=[revocations("top", 10, [2], entry=[reason])]), [VALID, revoked])
        parts = [{part: [extension(number, value, critical)]} for critical in (True, False)
                 for part, number, value in (("more", 28, tlv(0x30)), ("more", 27, integer(1)), ("entry", 29, tlv(0x30)))]  # fmt: skip
        for options in (*parts, {"more": [extension(99, tlv(0x30), True)]}):
            self.assertIn(b"critical extension", self.check([top], leaves, lists=[revocations("top", 10, [2], **options)], status=2).stderr)
        good = revocations("top", 10, [2])
        self.assertEqual(self.verdicts([top], leaves[:2], lists=good + revocations("top", 10, [1])), [revoked] * 2)
        for text, words in ((good[:-1], b"broken"), (pems(good), b"something else"), (b"", b"no list"), (pems(good[:-1], label="X509 CRL"), b"not a list"),
                            (pems(top, label="X509 CRL"), b"not a list"), (pems(good + b"\0", label="X509 CRL"), b"bytes behind")):  # fmt: skip
            self.assertIn(words, self.check([top], leaves, lists=text, status=2).stderr)

    def test_revoked_authorities(self):
        """Who is revoked vouches for nobody, though --keys has it."""
        top, middle = root("top", 10), certificate("middle", 11, "top", 10, 7, ca=True)
        low, leaf = certificate("low", 12, "middle", 11, 8, ca=True), certificate("leaf", 99, "middle", 11, 5)
        lists = [revocations("top", 10, [7]), revocations("middle", 11, [])]
        done = self.check([top, middle], [leaf], lists=lists, status=1)
        self.assertIn("is revoked", json.loads(done.stdout)["reason"])
        self.assertIn(b"a CA of --keys, CN=middle, is not used", done.stderr)
        self.assertEqual(self.verdicts([top, middle], [leaf], lists=[revocations("top", 10, [9]), lists[1]]), [VALID])
        self.assertEqual(self.verdicts([middle], [leaf], lists=lists[1:]), [VALID])
        # All that depends on it, be its own issuer of the set or of the input.
        below = [certificate("leaf", 99, "low", 12, 5), low]
        lists = [revocations("top", 10, [7]), revocations("middle", 11, []), revocations("low", 12, [])]
        self.assertEqual([verdict for verdict, _ in self.verdicts([top, middle], below, "--depth", 2, lists=lists)], ["no_key", "invalid"])
        lists = [revocations("top", 10, []), revocations("middle", 11, [8]), revocations("low", 12, [])]
        self.assertEqual([verdict for verdict, _ in self.verdicts([top, low], [below[0], middle], "--depth", 2, lists=lists)], ["invalid", "valid"])
        # What one certificate of a name and key has signed binds the others.
        one, other = (root("top", 10, serial=n, ids=False, more=[extension(14, tlv(4, text))]) for n, text in ((1, b"AAAA"), (2, b"BBBB")))
        lists = [revocations("top", 10, some, ids=False, more=[extension(35, issuer_key(text))]) for some, text in (([5], b"AAAA"), ([], b"BBBB"))]
        for cas in ([one], [one, other], [other, one]):
            self.assertEqual(self.verdicts(cas, [certificate("leaf", 99, "top", 10, 5, ids=False)], lists=lists), [("invalid", "its issuer has revoked it")])

    def test_sets(self):
        """PEM or DER, with text beside; what is no certificate is an error."""
        cas = [root(f"CA {n}", 10 + n) for n in range(3)]
        leaves = [certificate("leaf", 99, f"CA {n}", 10 + n) for n in range(3)]
        every, some = tlv(6, b"\x55\x1d\x25\0"), tlv(6, b"\x2b\1")
        trusted = cas[0] + tlv(0x30, tlv(0x30, some, every))
        for text in (b"".join(cas), b"text\n" + pems(*cas), pems(cas[0], label="X509 CERTIFICATE") + pems(*cas[1:]), pems(trusted, label="TRUSTED CERTIFICATE") + pems(*cas),
                     pems(*cas, *cas), b"0 s:CN = CA 0\n" + pems(*cas)):  # fmt: skip
            self.assertEqual(self.verdicts(text, leaves), [VALID] * 3)
        # OpenSSL's trust: for all uses, or it is of no use here; a copy that does not say it changes nothing.
        for behind in (tlv(0xA0, every), tlv(0xA0, some), tlv(0x30, some), tlv(0x30), tlv(0x30, every) + tlv(0xA0, some)):
            limited = pems(cas[0] + tlv(0x30, behind), label="TRUSTED CERTIFICATE")
            for text in (limited + pems(*cas), pems(*cas) + limited):
                done = self.check(text, leaves, status=1)
                self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["invalid", "valid", "valid"])
                self.assertIn(b"CN=CA 0, is not used", done.stderr)
        for behind in (tlv(0x30, tlv(12, b"alias")), tlv(0x30, tlv(0x30, every), tlv(12, b"alias")), b""):
            self.assertEqual(self.verdicts(pems(cas[0] + behind, label="TRUSTED CERTIFICATE"), leaves[:1]), [VALID])
        for behind in (b"\0", tlv(0x31), tlv(0x30) * 2, tlv(0x30, tlv(0x30, tlv(2, b"\1")))):
            self.assertIn(b"OpenSSL's trust", self.check(pems(cas[0] + behind, label="TRUSTED CERTIFICATE"), leaves, status=2).stderr)
        for text, words in ((b"", b"no certificate"), (b"x", b"no certificate"), (b"".join(cas)[:-1], b"broken"), (pems(cas[0], label="PUBLIC KEY"), b"something else"),
                            (pems(cas[0])[:-9], b"does not end"), (pems(cas[0][:-1]), b"not a certificate"), (pems(trusted), b"bytes behind")):  # fmt: skip
            self.assertIn(words, self.check(text, leaves, status=2).stderr)
        self.assertIn(b"number 3: not a certificate", self.check(pems(*cas[:2], b"0"), leaves, status=2).stderr)

    def test_tables(self):
        """The columns beside certificates pass through."""
        top, middle = root("top", 10), certificate("middle", 11, "top", 10, ca=True)
        some = [certificate("leaf", 99, "middle", 11), middle, b"0", certificate("leaf", 99, "nobody", 10)]
        keys, path = self.folder / "cas", self.folder / "rows.csv"
        keys.write_bytes(pems(top))
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([["id", "issuer", "certificate"], *([n, "x", data.hex()] for n, data in enumerate(some))])
        done = self.run_tool("verify", "--x509", "--keys", keys, "--depth", 1, path, status=1)
        out = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual(list(out[0]), ["id", "input_issuer", "certificate", "subject", "serial", "issuer", "issuer_sha256", "signer_id", "status", "reason", "line"])
        self.assertEqual([(row["id"], row["input_issuer"], row["issuer"], row["status"]) for row in out],
                         [("0", "x", "CN=middle", "valid"), ("1", "x", "CN=top", "valid"), ("2", "x", "", "malformed"), ("3", "x", "CN=nobody", "no_key")])  # fmt: skip
        done = self.run_tool("verify", "--x509", "--keys", keys, "--output-format", "csv", stdin=pems(*some), status=1)
        self.assertEqual({len(row) for row in csv.reader(io.StringIO(done.stdout.decode()))}, {9})

    def test_options(self):
        keys, path = self.folder / "cas", self.folder / "input"
        keys.write_bytes(pems(root("top", 10)))
        path.write_bytes(pems(certificate("leaf", 99, "top", 10)))
        for options, words in (
            (["--x509", "--keys", keys, "--issuer", keys], "exclude each other"), (["--x509", "--issuer", keys, "--depth", "1"], "--depth goes with"),
            (["--x509", "--issuer", keys, "--crl", keys], "--crl goes with"), (["--x509", "--issuer", keys, "--at", "now"], "--at goes with"),
            (["--x509", "--keys", keys, "--hash", "sha256"], "go without"), (["--x509", "--keys", keys, "--curve", "P-256"], "says its own"),
            (["--x509", "--keys", keys, "--audience", "x"], "--audience goes with"), (["--keys", keys], "goes with"), (["--depth", "1"], "--depth goes with"),
            (["--x509", "--keys", keys, "--depth", "-1"], "does not fit"), (["--x509", "--keys", self.folder / "none"], "No such file"),
            (["--x509", "--keys", keys, "--crl", self.folder / "none"], "No such file"), (["--x509", "--keys", keys, "-o", keys], "-o names it"),
        ):  # fmt: skip
            self.assertIn(words, self.run_tool("verify", *options, path, status=2).stderr.decode(), options)
        done = self.run_tool("verify", "--x509", "--keys", keys, "--depth", "1", stdin=path.read_bytes(), status=2)
        self.assertIn(b"it has to be a file", done.stderr)
        self.run_tool("verify", "--x509", "--keys", keys, "--low-s", path)

    def test_many_of_one_name(self):
        """Inputs of somebody who wants it to take long: certificates of CAs of one name, in a chain or not."""
        top = root("top", 10)
        loop = [certificate("middle", 11 + n % 3, "middle", 11 + (n + 1) % 3, n, ca=True, ids=False) for n in range(400)]
        chain = [certificate(f"CA {n}", 11 + n % 3, f"CA {n - 1}" if n else "top", 11 + (n - 1) % 3 if n else 10, ca=True) for n in range(120)]
        ids = [n.to_bytes(3, "big") for n in range(300)]
        long = [certificate("X", 11, "X" if n else "top", 11 if n else 10, n + 1, ca=True, ids=False, more=[extension(14, tlv(4, ids[n])),
                extension(35, issuer_key(ids[n - 1] if n else key_id(10)))]) for n in range(300)]  # fmt: skip
        for some in (loop, chain, long[::-1], [certificate("middle", 11, "top", 10, ca=True, ids=False), *loop]):
            start = time.monotonic()
            self.check([top], [*some, certificate("leaf", 99, "middle", 11, ids=False)], "--depth", 1000)
            self.assertLess(time.monotonic() - start, 5)


    def test_much_of_an_input(self):
        """Copies, and what --keys has, do not count against the limit; certificates that are too long say so."""
        top, leaf = root("top", 10), certificate("leaf", 99, "middle", 11)
        middle = certificate("middle", 11, "top", 10, 7, ca=True)
        out = self.rows([top], pems(leaf, middle, top) * 8193, "--depth", 1, status=0)
        self.assertEqual(len(out), 3 * 8193)
        fields = elements(inner(elements(inner(middle))[0]))

        def distinct(count):
            """Their signatures are another's."""
            head, *rest = (b"".join(fields[:1]), tlv(0x30, b"".join(fields[2:])))
            behind = b"".join(elements(inner(middle))[1:])
            return [tlv(0x30, tlv(0x30, head, integer(n + 1000), inner(rest[0])), behind) for n in range(count)]

        some = distinct(8192)
        self.assertEqual(self.verdicts([top], [*some[1:], middle, middle, top, leaf], "--depth", 1)[-1], VALID)
        self.assertIn(b"more than 8192", self.check([top], [*some, middle, leaf], "--depth", 1, status=2).stderr)
        long = certificate("middle", 11, "top", 10, 7, ca=True, more=[tlv(0x30, tlv(6, b"\x2b\1"), tlv(4, bytes(1 << 16)))])
        done = self.check([top], [leaf, long], "--depth", 1, status=1)
        self.assertIn(b"more than 64 KiB: 1", done.stderr)
        self.assertEqual(self.verdicts([top, long], [leaf]), [VALID])


@unittest.skipUnless(shutil.which("openssl"), "not run: no openssl command")
class Openssl(AuthorityTest):
    def openssl(self, *arguments, stdin=None):
        return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, input=stdin).stdout

    def test_every_curve(self):
        """CAs of all curves in one set, their curves by name or by numbers, with certificates of each."""
        curves = subprocess.run([self.tool(), "verify", "--help"], check=True, capture_output=True).stdout.decode()
        groups = [group for group in ("P-256", "P-384", "P-521", "secp256k1", "SM2", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1") if group in curves]
        self.assertEqual(len(groups), 8)
        cas, leaves, expected = [], [], []
        for group in (*groups, "ED25519"):
            for form in ("named_curve", "explicit") if group != "ED25519" else ("",):
                key, path = self.folder / "key", self.folder / "ca.pem"
                kind = ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}", "-pkeyopt", f"ec_param_enc:{form}"]
                self.openssl("genpkey", *(kind if form else ["-algorithm", group]), "-out", key)
                hashes = [] if not form else ["-sm3" if group == "SM2" else "-sha384"]
                self.openssl("req", "-x509", "-new", "-key", key, "-subj", f"/CN={group} {form}", *hashes, "-out", path)
                request = self.openssl("req", "-new", "-key", key, "-subj", "/CN=leaf")
                for identity in ([], ["-sigopt", "distid:1234567812345678"]) if group == "SM2" else ([],):
                    leaves.append(self.openssl("x509", "-req", "-CA", path, "-CAkey", key, "-set_serial", 1, *hashes, *identity, stdin=request))
                    expected.append((fingerprint(der_of(path.read_bytes())), ("default" if identity else "empty") if group == "SM2" else ""))
                cas.append(path.read_bytes())
        out = self.rows(b"".join(cas), b"".join(leaves), status=0)
        self.assertEqual([(row["issuer_sha256"], row["signer_id"]) for row in out], expected)
        out = self.rows(b"".join(cas), b"".join(leaves), "--id", "1234567812345678", status=1)
        self.assertEqual([(row["status"], row["signer_id"]) for row in out],
                         [("invalid", "") if signer == "empty" else ("valid", signer and "given") for _, signer in expected])  # fmt: skip
        # Options of one scheme leave the others as they are.
        self.rows(b"".join(cas), b"".join(leaves), "--accept", "zip215", status=0)
        out, high = self.rows(b"".join(cas), b"".join(leaves), "--low-s"), "s is greater than half the order, and low s was asked for"
        self.assertLessEqual({(row["status"], row.get("reason")) for row in out}, {VALID, ("malformed", high)})
        self.assertEqual({row["status"] for row, (_, signer) in zip(out, expected) if signer} | {out[-1]["status"]}, {"valid"})
        ecdsa, ed25519 = [root("top", 10)], [cas[-1]]
        for some, options, words in ((pems(*ecdsa), ("--accept", "zip215"), b"Ed25519"), (pems(*ecdsa), ("--id", "x"), b"SM2"), (ed25519[0], ("--low-s",), b"ECDSA")):
            self.assertIn(words, self.check(some, leaves[-1], *options, status=2).stderr)
            self.check(some, leaves[-1], *options, "--depth", 1)

    def tool(self):
        import support  # noqa: PLC0415

        return support.TOOL

    def test_like_openssl(self):
        """Chains in which some bits or bytes are changed, signed again or not: the verdicts are those of `openssl verify`, but for what is
        written at STRICTER, and for what is not looked at here: the certificate's own key, and what is within extensions of names and uses."""
        version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True).stdout
        if not version.startswith("OpenSSL 3.0."):
            self.skipTest("not run: the reasons that are written down are those of OpenSSL 3.0")
        # Other certificates where their number is said: what OpenSSL is laxer in is written down as it is found.
        randomness = random.Random(SEED if "GECC_TEST_CERTIFICATES" in os.environ else 5)
        top, middle = root("top", 10, usage=6), certificate("middle", 11, "top", 10, 2, ca=True, path=0, usage=6)
        names, identifiers = tlv(0x30, tlv(0x82, b"a.example")), [tlv(6, bytes([0x55, 0x1D, number])) for number in (14, 15, 17, 35)]
        leaf = certificate("leaf", 99, "middle", 11, 3, usage=0x80, more=[extension(17, names)])
        self.compare(top, middle, [mutated(randomness, leaf) for _ in range(COUNT)])
        self.compare(top, middle, [signed(mutated(randomness, elements(inner(leaf))[0], spki(99), names, *identifiers), 11) for _ in range(COUNT)])
        for _ in range(COUNT // 20):
            self.compare(top, mutated(randomness, middle), [leaf])
            self.compare(top, signed(mutated(randomness, elements(inner(middle))[0]), 10), [leaf])

    def compare(self, top, middle, leaves):
        trusted, other = self.folder / "top.pem", self.folder / "middle.pem"
        paths = [self.folder / f"{n}.pem" for n in range(len(leaves))]
        for path, data in zip((trusted, other, *paths), (top, middle, *leaves)):
            path.write_bytes(pems(data))
        done = subprocess.run(["openssl", "verify", "-attime", str(NOW), "-CAfile", str(trusted), "-untrusted", str(other), *map(str, paths)], capture_output=True)
        good = {line.rsplit(":", 1)[0] for line in done.stdout.decode(errors="replace").splitlines() if line.endswith(": OK")}
        theirs = [str(path) in good for path in paths]
        rows = self.rows([top], [middle, *leaves], "--depth", 1, "--at", NOW)[1:]
        ours = [row["status"] == "valid" for row in rows]
        self.assertEqual(len(ours), len(theirs))
        for data, row, us, them in zip(leaves, rows, ours, theirs):
            self.assertFalse(us and not them, (data.hex(), row))
            self.assertTrue(us or not them or row["reason"] in STRICTER, (data.hex(), row))




if __name__ == "__main__":
    unittest.main()
