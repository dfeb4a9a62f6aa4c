"""--key-cache: tables of keys that outlive a batch change no byte of the output.

Test: fast; threads
"""

import random
import unittest

from support import ToolTest


class KeyCache(ToolTest):
    def rows(self, curve, scheme, count, keys):
        """CSV of signatures by a few keys, some of them often; the key or the signature of some rows is spoiled."""
        source = random.Random(f"{curve} {scheme}")
        secrets = [f"{source.getrandbits(248):0{96 if curve == 'P-384' else 64}x}" for _ in range(keys)]
        text = "priv,digest\n" + "".join(
            f"{secrets[min(int(source.expovariate(4 / keys)), keys - 1)]},{source.getrandbits(256):064x}\n" for _ in range(count)
        )
        options = ["--scheme", scheme] if scheme == "ed25519" else ["--curve", curve, "--scheme", scheme]
        signed = self.csv(self.run_tool("sign", "-q", *options, stdin=text, status=0))
        public = self.csv(self.run_tool("pubkey", "-q", *(options if scheme == "bip340" else options[:2]), stdin=text, status=0))
        lines, refused = ["pub,digest,sig"], [public[0]["pub"][:-1] + end for end in "0123456789abcdef"]
        for one, other in zip(signed, public, strict=True):
            pub, sig = other["pub"], one["sig"]
            kind = source.randrange(12)
            if kind == 0:
                sig = sig[:20] + f"{15 - int(sig[20], 16):x}" + sig[21:]
            elif kind == 1:
                pub = pub[:20] + f"{15 - int(pub[20], 16):x}" + pub[21:]
            elif kind == 2:
                pub = source.choice([pub[:-2], "00" * 32, "00" * 33, "00", pub[:66]])
            elif kind == 4:
                pub = source.choice(refused)  # most of these are no points, and come back
            elif kind == 3 and scheme not in ("bip340", "ed25519"):
                pub = pub[2:]
            lines.append(f"{pub},{one['digest']},{sig}")
        return "\n".join(lines) + "\n", options

    def csv(self, done):
        header, *lines = done.stdout.decode().splitlines()
        return [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]

    def kept(self, done):
        return int(done.stderr.decode().rpartition("kept tables of ")[2].split()[0])

    def test_same_output(self):
        for curve, scheme in (("P-256", "ecdsa"), ("P-384", "ecdsa"), ("secp256k1", "bip340"), ("SM2", "sm2"),
                              ("Curve25519", "ed25519")):
            text, options = self.rows(curve, scheme, 3000, 20)
            plain = self.run_tool("verify", *options, stdin=text, status=1)
            for size, batch in (("64M", 100), ("1M", 300)):
                done = self.run_tool("verify", *options, "--key-cache", size, "--batch", batch, stdin=text, status=1)
                self.assertEqual(done.stdout, plain.stdout, (curve, size))
                self.assertIn(self.kept(done), range(5, 41) if size == "64M" else range(1, 9))

    def test_keys_that_hardly_come_back(self):
        text, options = self.rows("P-256", "ecdsa", 400, 300)
        done = self.run_tool("verify", *options, "--key-cache", "8M", "--batch", 50, stdin=text, status=1)
        self.assertEqual(self.kept(done), 0)
        self.assertEqual(done.stdout, self.run_tool("verify", *options, stdin=text, status=1).stdout)

    def test_sizes_that_are_none(self):
        for size in ("", "x", "1000", "1K", "64MB", "9999999999999G", "M"):
            self.run_tool("verify", "--curve", "P-256", "--key-cache", size, stdin="pub,digest,sig\n", status=2)
        self.run_tool("sign", "--curve", "P-256", "--key-cache", "64M", stdin="priv,digest\n", status=2)


if __name__ == "__main__":
    unittest.main()
