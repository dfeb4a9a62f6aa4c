"""What the tests of the provider share: programs of OpenSSL, with the provider and without."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROVIDER = os.environ.get("GECC_PROVIDER")
OPENSSL = shutil.which("openssl")

# Where the provider is built with a sanitizer, programs get its run-time library. A finding ends them with a status that
# no command has; memory that OpenSSL's commands leave behind is none of the provider's.
PRELOAD = os.environ.get("GECC_PROVIDER_PRELOAD")
SANITIZER = {"LD_PRELOAD": PRELOAD, "ASAN_OPTIONS": "detect_leaks=0:exitcode=99",
             "UBSAN_OPTIONS": "print_stacktrace=1:exitcode=99"} if PRELOAD else {}

CONFIGURATION = """
openssl_conf = start
config_diagnostics = 1
[start]
providers = providers
alg_section = algorithms
[providers]
default = default_provider
gecc = gecc_provider
[default_provider]
activate = 1
[gecc_provider]
module = {module}
activate = 1
threads = {threads}
[algorithms]
default_properties = ?provider=gecc
[req]
distinguished_name = name
[name]
"""

PLAIN = "[req]\ndistinguished_name = name\n[name]\n"


def gecc_names():
    """The names of the library's curves of Weierstrass form."""
    header = (ROOT / "include/gecc/curves.h").read_text()
    listed = header[header.index("define GECC_CURVE_LIST") : header.index("define GECC_CURVE_END")]
    return re.findall(r'X\(GECC_\w+, \d+, \w+, "([^"]+)"', listed)


def shared_curves():
    """Those that this OpenSSL has too, by its names, without SM2's, whose keys are of another type."""
    aliases = {"P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1"}
    listed = subprocess.run([OPENSSL, "ecparam", "-list_curves"], capture_output=True, text=True, check=True).stdout
    known = re.findall(r"^\s*(\S+)\s*:", listed, re.MULTILINE)
    return [name for name in (aliases.get(name, name) for name in gecc_names()) if name in known and name != "SM2"]


@unittest.skipUnless(PROVIDER, "the provider is not built")
@unittest.skipUnless(OPENSSL, "no openssl command")
class ProviderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "gecc.cnf").write_text(CONFIGURATION.format(module=PROVIDER, threads=1))
        (self.folder / "default.cnf").write_text(PLAIN)

    def environment(self, by, **more):
        return {**os.environ, **SANITIZER, "OPENSSL_CONF": str(self.folder / f"{by}.cnf"), **more}

    def openssl(self, *arguments, by="gecc", status=0, stdin=b"", **environment):
        """The finished process of the openssl command; by: whose operations it uses, "gecc" or "default"."""
        done = subprocess.run([OPENSSL, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder,
                              env=self.environment(by, **environment), timeout=120)
        self.assertNotRegex(done.stderr, b"Sanitizer|runtime error")
        if status is not None:
            self.assertEqual(done.returncode, status, (arguments, by, done.stdout, done.stderr))
        return done

    def key_pair(self, name, *options, by="gecc"):
        """Files NAME.pem and NAME.pub of a new key."""
        self.openssl("genpkey", *options, "-out", f"{name}.pem", by=by)
        self.openssl("pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{name}.pub", by=by)
