"""The oracle against published values, its quick ways against the plain ones, and its cases against the seed.

Test: fast; sources
"""

import hashlib
import json
import re
import unittest
from pathlib import Path
from random import Random

import edwards
import schemes
from curves import CURVES, P256, P384, SECP256K1, SM2
from generate import generate
from hashes import hmac, keccak256, sm3
from numbers_of import endomorphism
from published import Missing, folder, published


def unhex(text):
    return bytes.fromhex(text.replace(" ", ""))


class Hashes(unittest.TestCase):
    def test_sm3(self):
        """GB/T 32905-2016 (GM/T 0004-2012), appendix A."""
        self.assertEqual(sm3(b"abc").hex(), "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0")
        self.assertEqual(sm3(b"abcd" * 16).hex(), "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732")

    def test_keccak(self):
        """ShortMsgKAT_256.txt of the Keccak team's submission to the SHA-3 competition, Len = 0 and 8. Of every length, and of
        several blocks: SHA3-256, from which it differs by its padding."""
        self.assertEqual(keccak256(b"").hex(), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")
        self.assertEqual(keccak256(b"\xcc").hex(), "eead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a")
        for width in (*range(140), 271, 272, 273, 1000):
            message = (bytes(range(250)) * 4)[:width]
            self.assertEqual(keccak256(message, 0x06), hashlib.sha3_256(message).digest())

    def test_hmac(self):
        """RFC 4231, 4.3 and 4.7."""
        key, message = b"Jefe", b"what do ya want for nothing?"
        expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        self.assertEqual(hmac("sha256", key, message).hex(), expected)
        message = b"Test Using Larger Than Block-Size Key - Hash Key First"
        expected = "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
        self.assertEqual(hmac("sha384", b"\xaa" * 131, message).hex(), expected)


class Groups(unittest.TestCase):
    def test_parameters(self):
        for curve in CURVES.values():
            self.assertTrue(curve.contains(curve.g))
            self.assertEqual(curve.p % 4, 3)
            self.assertIsNone(curve.double_and_add(curve.n, curve.g))
            self.assertEqual(curve.double_and_add(curve.n - 1, curve.g), curve.negate(curve.g))

    def test_jacobian_sums_are_the_affine_ones(self):
        random = Random("sums")
        for curve in CURVES.values():
            point, total = curve.point_of(random.randrange(1, curve.n)), None
            for k in range(1, 40):
                total = curve.add(total, point)
                self.assertEqual(curve.double_and_add(k, point), total)
            self.assertEqual(curve.double_and_add(curve.n - 39, point), curve.negate(total))
            three = curve.add_to_jacobian(curve.double_jacobian((*point, 1)), point)
            self.assertIsNone(curve.add_to_jacobian(three, curve.negate(curve.from_jacobian(three))))
            self.assertEqual(
                curve.from_jacobian(curve.add_to_jacobian(three, curve.from_jacobian(three))), curve.double_and_add(6, point)
            )

    def test_quick_multiples_are_the_plain_ones(self):
        random = Random("multiples")
        for curve in CURVES.values():
            curve.forget()
            for k in (0, 1, 2, curve.n - 1, curve.n, curve.n + 1, *(random.randrange(curve.n) for _ in range(5))):
                plain = curve.double_and_add(k, curve.g)
                self.assertEqual(curve.multiply_base(k), plain)
                point = curve.point_of(random.randrange(1, curve.n))
                v = random.randrange(curve.n)
                product = curve.double_and_add(v, point)
                self.assertEqual(curve.multiply(v, point), product)
                self.assertEqual(curve.combine(k, v, point), curve.add(plain, product))
                curve.forget()
                self.assertEqual(curve.multiply(v, point), product)
                self.assertEqual(curve.combine(k, v, point), curve.add(plain, product))

    def test_curve25519(self):
        """Quick multiples are the plain ones; the points of small order are a group; the ladder goes with the Edwards form."""
        random = Random("Curve25519")
        self.assertTrue(edwards.contains(edwards.G))
        self.assertEqual(edwards.multiply(edwards.N, edwards.G), edwards.NEUTRAL)
        small = edwards.small_points()
        self.assertEqual(len(set(small)), 8)
        self.assertTrue(all(edwards.contains(point) and edwards.has_small_order(point) for point in small))
        for k in (0, 1, 2, edwards.N - 1, edwards.N, *(random.randrange(edwards.N) for _ in range(4))):
            point, total = edwards.multiply(k, edwards.G), edwards.NEUTRAL
            self.assertEqual(edwards.multiply_base(k), point)
            self.assertEqual(edwards.lift(point[1], point[0] & 1), point)
            for j in range(9):
                self.assertEqual(edwards.multiply(j, point), total)
                total = edwards.add(total, point)
            x, y = point
            u = (1 + y) * pow(1 - y, -1, edwards.P) % edwards.P if y != 1 else 0
            self.assertEqual(edwards.ladder(k, 9), u)

    def test_multiples(self):
        """CAVP, 186-3 KeyPair.rsp, P-256 and P-384, the first pairs; secp256k1: lambda G, from its endomorphism."""
        pairs = [
            (P256, "c9806898a0334916c860748880a541f093b579a9b1f32934d86c363c39800357",
             "d0720dc691aa80096ba32fed1cb97c2b620690d06de0317b8618d5ce65eb728f",
             "9681b517b1cda17d0d83d335d9c4a8a9a9b0b1b3c7106d8f3c72bc5093dc275f"),
            (P384, "5394f7973ea868c52bf3ff8d8ceeb4db90a683653b12485d5f627c3ce5abd8978fc9673d14a71d925747931662493c37",
             "fd3c84e5689bed270e601b3d80f90d67a9ae451cce890f53e583229ad0e2ee645611fa9936dfa45306ec18066774aa24",
             "b83ca4126cfc4c4d1d18a4b6c21c7f699d5123dd9c24f66f833846eeb58296196b42ec06425db5b70a4b81b7fcf705a0"),
        ]  # fmt: skip
        for curve, d, x, y in pairs:
            self.assertEqual(schemes.public_key(curve, unhex(d), "raw").out.hex(), x + y)
        beta, eigenvalue = endomorphism(SECP256K1)
        self.assertEqual(pow(beta, 3, SECP256K1.p), 1)
        self.assertEqual((eigenvalue**2 + eigenvalue + 1) % SECP256K1.n, 0)


class Schemes(unittest.TestCase):
    def test_rfc6979(self):
        """RFC 6979, A.2.5, SHA-256, SHA-384 and SHA-512; A.2.6, SHA-384."""
        d = unhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
        values = [
            ("sha256", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
             "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
             "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
            ("sha384", "09F634B188CEFD98E7EC88B1AA9852D734D0BC272F7D2A47DECC6EBEB375AAD4",
             "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
             "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"),
            ("sha512", "5FA81C63109BADB88C1F367B47DA606DA28CAD69AA22C4FE6AD7DF73A7173AA5",
             "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
             "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"),
        ]  # fmt: skip
        for name, k, r, s in values:
            digest = hashlib.new(name, b"sample").digest()
            self.assertEqual(next(schemes.nonces(P256, int.from_bytes(d, "big"), digest, name)), int(k, 16))
            self.assertEqual(schemes.ecdsa_sign_rfc6979(P256, d, digest, hash_name=name).out, unhex(r + s))
        d = unhex("6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")
        r = "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"
        s = "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"
        digest = hashlib.sha384(b"sample").digest()
        self.assertEqual(schemes.ecdsa_sign_rfc6979(P384, d, digest).out, unhex(r + s))

    def test_ecdsa(self):
        """CAVP, 186-3 SigGen.txt, P-256 and SHA-256, the first signature; SigVer.rsp, P-256 and SHA-1, the first, which is
        wrong."""
        message = unhex(
            "5905238877c77421f73e43ee3da6f2d9e2ccad5fc942dcec0cbd25482935faaf416983fe165b1a045ee2bcd2e6dca3bdf46c4310a7461f9a"
            "37960ca672d3feb5473e253605fb1ddfd28065b53cb5858a8ad28175bf9bd386a5e471ea7a65c17cc934a9d791e91491eb3754d03799790f"
            "e2d308d16146d5c9b0d0debd97d79ce8"
        )
        digest = hashlib.sha256(message).digest()
        d = unhex("519b423d715f8b581f4fa8ee59f4771a5b44c8130b4e3eacca54a56dda72b464")
        public = unhex(
            "041ccbe91c075fc7f4f033bfa248db8fccd3565de94bbfb12f3c59ff46c271bf83"
            "ce4014c68811f9a21a1fdb2c0e6113e06db7ca93b7404e78dc7ccd5ca89a4ca9"
        )
        k = unhex("94a1bbb14b906a61a280f245f9e93c7f3b4a6247824f5d33b9670787642a68de")
        r = "f3ac8061b514795b8843e3d6629527ed2afd6b1f6a555a7acabb5e6f79c8c2ac"
        s = "8bf77819ca05a6b2786c76262bf7371cef97b218e96f175a3ccdda2acc058903"
        made = schemes.ecdsa_sign_nonce(P256, d, digest, k)
        self.assertEqual(made.out, unhex(r + s))
        self.assertEqual(schemes.ecdsa_verify(P256, public, digest, made.out).status, "OK")
        self.assertEqual(schemes.ecdsa_recover(P256, digest, made.out, bytes([made.recid])).out, public)
        with self.assertRaises(schemes.Refused):
            schemes.ecdsa_verify(P256, public, digest[::-1], made.out)
        public = unhex(
            "041198b3c409a8b47edb1347e0982d533cb1813e5cb2a92c824b2881b3cd2f3f4a"
            "0bdbac5fa02e41e775f8d602446d58ecb2209b5a3d79ae69eef399016e992e87"
        )
        message = unhex(
            "2d9c344f6877877290ad536c9eca2cfb92f3973b208367b90eaa73320326025663959b0d165ab88902c891dc1bf61a96a76e4488d6c29969"
            "8e94f36b198e1f2b0d243d184ab145eb5c2253ff7ad10fd2df710e15015493f1b2fcbb28d5cd734b638d8d123bde9ff03027ac7345b5928c"
            "1963645b80f0e8dfa53fb3f694cc8bda"
        )
        signed = unhex(
            "9206d435f148f88c15b2effbf3c506e41b2c620102022b801e371d0767b54bea"
            "cbc4e1674ae1af69873946ccf6275946e59e0107278749b2d0010795833d80fa"
        )
        with self.assertRaises(schemes.Refused) as refused:
            schemes.ecdsa_verify(P256, public, hashlib.sha1(message).digest(), signed)
        self.assertEqual(refused.exception.args, ("INVALID",))

    def test_ecdh(self):
        """CAVP, KAS_ECC_CDH_PrimitiveTest.txt, P-256, COUNT = 0."""
        peer = unhex(
            "04700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"
            "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"
        )
        d = unhex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")
        expected = "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"
        self.assertEqual(schemes.ecdh(P256, d, peer).out.hex(), expected)

    def test_ecdh_of_brainpool(self):
        """RFC 7027, A.3."""
        curve = CURVES["brainpoolP512r1"]
        a = unhex(
            "16302FF0DBBB5A8D733DAB7141C1B45ACBC8715939677F6A56850A38BD87BD59"
            "B09E80279609FF333EB9D4C061231FB26F92EEB04982A5F1D1764CAD57665422"
        )
        b = unhex(
            "230E18E1BCC88A362FA54E4EA3902009292F7F8033624FD471B5D8ACE49D12CF"
            "ABBC19963DAB8E2F1EBA00BFFB29E4D72D13F2224562F405CB80503666B25429"
        )
        public = {
            a: "0A420517E406AAC0ACDCE90FCD71487718D3B953EFD7FBEC5F7F27E28C614999"
               "9397E91E029E06457DB2D3E640668B392C2A7E737A7F0BF04436D11640FD09FD",
            b: "9D45F66DE5D67E2E6DB6E93A59CE0BB48106097FF78A081DE781CDB31FCE8CCB"
               "AAEA8DD4320C4119F1E9CD437A2EAB3731FA9668AB268D871DEDA55A5473199F",
        }  # fmt: skip
        expected = unhex(
            "A7927098655F1F9976FA50A9D566865DC530331846381C87256BAF3226244B76"
            "D36403C024D7BBF0AA0803EAFF405D3D24F11A9B5C0BEF679FE1454B21C4CD1F"
        )
        for own, other in (a, b), (b, a):
            peer = schemes.public_key(curve, other).out
            self.assertEqual(peer[1:65], unhex(public[other]))
            self.assertEqual(schemes.ecdh(curve, own, peer).out, expected)

    def test_sm2(self):
        """GB/T 32918.5-2017 (GM/T 0003.5-2012), A.2."""
        d = unhex("3945208F 7B2144B1 3F36E38A C6D39F95 88939369 2860B51A 42FB81EF 4DF7C5B8")
        k = unhex("59276E27 D506861A 16680F3A D9C02DCC EF3CC1FA 3CDBE4CE 6D54B80D EAC1BC21")
        public = unhex(
            "04 09F9DF31 1E5421A1 50DD7D16 1E4BC5C6 72179FAD 1833FC07 6BB08FF3 56F35020"
            "CCEA490C E26775A5 2DC6EA71 8CC1AA60 0AED05FB F35E084A 6632F607 2DA9AD13"
        )
        e = unhex("F0B43E94 BA45ACCA ACE692ED 534382EB 17E6AB5A 19CE7B31 F4486FDF C0D28640")
        r = "F5A03B06 48D2C463 0EEAC513 E1BB81A1 5944DA38 27D5B741 43AC7EAC EEE720B3"
        s = "B1B6AA29 DF212FD8 763182BC 0D421CA1 BB9038FD 1F7F42D4 840B69C4 85BBC1AA"
        self.assertEqual(schemes.public_key(SM2, d).out, public)
        self.assertEqual(schemes.sm2_za(SM2, public, b"1234567812345678", b"message digest").out, e)
        self.assertEqual(schemes.sm2_sign_nonce(SM2, d, e, k).out, unhex(r + s))
        self.assertEqual(schemes.sm2_verify(SM2, public, e, unhex(r + s)).status, "OK")

    def test_ed25519(self):
        """RFC 8032, 7.1 (tests 1 and 2), 7.2 (foo and bar) and 7.3; by every rule."""
        seeds = ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                 "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6", "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42")  # fmt: skip
        keys = ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292", "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf")  # fmt: skip
        message = unhex("f726936d19c800494e3fdaff20b276a8")
        examples = [
            (0, b"", None, False, "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
            (1, b"\x72", None, False, "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
            (2, message, b"foo", False, "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d"),
            (2, message, b"bar", False, "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3216c48e8b3b66431b5b186d1d28f8ee15a5ca2df6668346291c2043d4eb3e90d"),
            (3, b"abc", None, True, "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406"),
        ]  # fmt: skip
        for i, message, context, prehash, signed in examples:
            self.assertEqual(schemes.ed25519_public_key(None, unhex(seeds[i])).out.hex(), keys[i])
            self.assertEqual(schemes.ed25519_sign(None, unhex(seeds[i]), message, context, prehash).out.hex(), signed)
            for accept in ("rfc8032", "ref10", "strict", "zip215"):
                found = schemes.ed25519_verify(None, unhex(keys[i]), message, unhex(signed), context, prehash, accept)
                self.assertEqual(found.status, "OK")
                with self.assertRaises(schemes.Refused):
                    schemes.ed25519_verify(None, unhex(keys[i]), message, unhex(signed), context, not prehash, accept)

    def test_x25519(self):
        """RFC 7748, 5.2 and 6.1."""
        scalar, u = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4", "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
        shared = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        self.assertEqual(schemes.x25519(None, unhex(scalar), unhex(u)).out.hex(), shared)
        alice, bob = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a", "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
        public = schemes.x25519_public_key(None, unhex(alice)).out
        self.assertEqual(public.hex(), "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        self.assertEqual(schemes.x25519(None, unhex(bob), public).out.hex(), shared)

    def test_der(self):
        """X.690, 8.3 and 10.1."""
        self.assertEqual(schemes.der_signature(127, 128).hex(), "300702017f02020080")
        self.assertEqual(schemes.read_signature(P256, unhex("300702017f02020080"), True), (127, 128))
        for text in ("300802017f0203000080", "30810702017f02020080", "300702017f0202008000", "30060201ff020101", "3000"):
            with self.assertRaises(schemes.Refused, msg=text) as refused:
                schemes.read_signature(P256, unhex(text), True)
            self.assertEqual(refused.exception.args, ("MALFORMED_SIGNATURE_ENCODING",))


class Published(unittest.TestCase):
    def test_every_tenth_case_of_the_package(self):
        try:
            cases = list(published(folder()))
        except Missing as reason:
            self.skipTest(str(reason))
        self.assertGreater(len(cases), 2000)
        for case in cases[::10]:
            found, result = schemes.answer(case), schemes.OPERATIONS[case["op"]].result
            self.assertEqual(found.status == "OK", case["valid"], case)
            if case["valid"] and result:
                self.assertEqual(found.out.hex(), case[result].lower(), case)


class Cases(unittest.TestCase):
    def some(self, seed):
        cases = []
        generate(seed, cases.append, (), True)
        return cases

    def test_the_seed_decides(self):
        self.assertEqual(self.some(1), self.some(1))
        self.assertNotEqual(self.some(1), self.some(2))

    def test_every_operation_of_the_library_has_cases(self):
        """operations.def names them all; those with a curve come from generate() with curves. An operation on numbers of keys
        has the cases of the one on points, which tests run by numbers, too."""
        text = (Path(__file__).resolve().parents[2] / "src/scheme/operations.def").read_text(encoding="utf-8")
        entries = text.split("\nOPERATION(")[1:]
        entries = [entry for entry in entries if "IN(KEY_NUMBER" not in entry]
        columns = [len(re.findall(r"\bIN(?:_OPTIONAL)?\(", entry)) for entry in entries]
        self.assertEqual(columns, [len(operation.columns) for operation in schemes.OPERATIONS.values()])

    def test_a_case_is_json_and_its_answer_is_that_of_the_oracle(self):
        for case in self.some(3)[:200]:
            again = json.loads(json.dumps(case))
            self.assertEqual(schemes.answer(again).status, case["status"])


if __name__ == "__main__":
    unittest.main()
