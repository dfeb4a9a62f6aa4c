"""Programs that know nothing of the provider: certificates by openssl, TLS by openssl, nginx and curl.

Test: fast; no sanitizers
"""

import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from support import ProviderTest, OPENSSL, PRELOAD

BOTH = ("gecc", "default")
TYPES = {
    "P-256": ("EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
    "P-384": ("EC", "-pkeyopt", "ec_paramgen_curve:secp384r1"),
    "P-521": ("EC", "-pkeyopt", "ec_paramgen_curve:secp521r1"),
    "brainpoolP256r1": ("EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"),
    "Ed25519": ("ED25519",),
    "SM2": ("SM2",),
}


class ProgramTest(ProviderTest):
    def certificate(self, name, by="gecc"):
        """Files NAME.key and NAME.crt."""
        options = ("-sm3",) if name == "SM2" else ()
        self.openssl("genpkey", "-algorithm", *TYPES[name], "-out", f"{name}.key", by=by)
        self.openssl("req", "-new", "-x509", "-key", f"{name}.key", "-subj", "/CN=localhost", "-days", "30", "-addext",
                     "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:TRUE", *options, "-out", f"{name}.crt", by=by)


class Certificates(ProgramTest):
    def test_made_by_one_checked_by_the_other(self):
        for name, maker in itertools.product(TYPES, BOTH):
            with self.subTest(name=name, maker=maker):
                self.certificate(name, by=maker)
                for checker in BOTH:
                    self.openssl("verify", "-check_ss_sig", "-CAfile", f"{name}.crt", f"{name}.crt", by=checker)
                certificate = self.openssl("x509", "-in", f"{name}.crt", "-outform", "DER").stdout
                (self.folder / "bad.der").write_bytes(certificate[:-1] + bytes([certificate[-1] ^ 1]))
                for checker in BOTH:
                    self.openssl("x509", "-inform", "DER", "-in", "bad.der", "-out", "bad.crt", by=checker)
                    self.openssl("verify", "-check_ss_sig", "-CAfile", "bad.crt", "bad.crt", by=checker, status=2)

    def test_requests_with_an_id(self):
        """A command of OpenSSL 3.0 that checks a request's signature ends with 0 whatever it finds."""
        for maker in BOTH:
            self.openssl("genpkey", "-algorithm", "SM2", "-out", "key", by=maker)
            self.openssl("req", "-new", "-key", "key", "-subj", "/CN=me", "-sm3", "-sigopt", "distid:me", "-out", "request",
                         by=maker)
            for checker, (name, verdict) in itertools.product(BOTH, {"me": b"OK", "you": b"failure"}.items()):
                done = self.openssl("req", "-in", "request", "-verify", "-noout", "-vfyopt", f"distid:{name}", by=checker,
                                    status=None)
                self.assertIn(b"verify " + verdict, done.stdout + done.stderr)

    def test_requests_and_authorities(self):
        """A request is checked, and signed by an authority of another type."""
        self.certificate("P-384")
        for name, by in itertools.product(("P-521", "Ed25519"), BOTH):
            self.openssl("genpkey", "-algorithm", *TYPES[name], "-out", "key", by=by)
            self.openssl("req", "-new", "-key", "key", "-subj", "/CN=leaf", "-out", "request", by=by)
            for checker in BOTH:
                self.openssl("req", "-in", "request", "-verify", "-noout", by=checker)
            self.openssl("x509", "-req", "-in", "request", "-CA", "P-384.crt", "-CAkey", "P-384.key", "-CAcreateserial",
                         "-out", "leaf.crt", by=by)
            for checker in BOTH:
                self.openssl("verify", "-CAfile", "P-384.crt", "leaf.crt", by=checker)


class Server:
    """A process that serves until the test is over."""

    def __init__(self, test, command, by, **options):
        self.process = subprocess.Popen(command, cwd=test.folder, env=test.environment(by), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        test.addCleanup(self.stop)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=20)
        self.process.stdin.close()
        self.process.stdout.close()

    def read_until(self, pattern):
        for line in self.process.stdout:
            found = re.search(pattern, line)
            if found:
                return found
        raise AssertionError(f"it ended with {self.process.wait()}")


class OpensslServers(ProgramTest):
    def check(self, name, group, version, server_by, client_by, *options):
        server = Server(self, [OPENSSL, "s_server", "-accept", "127.0.0.1:0", "-cert", f"{name}.crt", "-key",
                               f"{name}.key", *options], server_by)
        port = server.read_until(r"ACCEPT .*:(\d+)").group(1)
        said = self.openssl("s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", "-CAfile",
                            f"{name}.crt", "-verify_return_error", "-groups", group, version, by=client_by).stdout
        self.assertIn(b"Verify return code: 0 (ok)", said)
        server.stop()

    def test_handshakes(self):
        for name in TYPES:
            if name == "SM2":  # TLS with SM2 is not OpenSSL's
                continue
            self.certificate(name)
            curves = {"P-384": "P-384", "P-521": "P-521", "brainpoolP256r1": "brainpoolP256r1"}
            version = "-tls1_2" if name.startswith("brainpool") else "-tls1_3"
            groups = f"{name}:P-256" if name.startswith("brainpool") else curves.get(name, "X25519")
            for server_by, client_by in (("gecc", "gecc"), ("gecc", "default"), ("default", "gecc")):
                with self.subTest(name=name, server=server_by, client=client_by):
                    self.check(name, groups, version, server_by, client_by)

    def test_two_instances_of_the_module(self):
        """Two names in one configuration; each tells of the groups of others."""
        configuration = (self.folder / "gecc.cnf").read_text()
        (self.folder / "twice.cnf").write_text(configuration.replace("gecc = gecc_provider",
                                                                     "gecc = gecc_provider\nagain = gecc_provider"))
        listed = self.openssl("list", "-providers", by="twice").stdout
        self.assertEqual(listed.count(b"name: gecc"), 2)
        self.certificate("P-384")
        self.check("P-384", "P-384", "-tls1_3", "twice", "twice")

    def test_paused_jobs(self):
        for name in ("P-384", "Ed25519"):
            self.certificate(name)
            for client_by in BOTH:
                with self.subTest(name=name, client=client_by):
                    self.check(name, "X25519", "-tls1_3", "gecc", client_by, "-async")
                    self.check(name, "P-521:P-384", "-tls1_2", "gecc", client_by, "-async")

    def test_speed_with_paused_jobs(self):
        done = self.openssl("speed", "-seconds", "1", "-async_jobs", "16", "ecdsap384")
        self.assertNotRegex(done.stdout + done.stderr, rb"(?i)error:|fail")
        self.assertGreater(float(done.stdout.split()[-1]), 1 if PRELOAD else 100)


NGINX = """
daemon off;
master_process on;
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache off;
    ssl_session_tickets off;
{servers}
}}
"""


def find(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@unittest.skipUnless(find("nginx"), "nginx is not installed")
@unittest.skipUnless(find("curl"), "curl is not installed")
class Nginx(ProgramTest):
    NAMES = ("P-384", "P-521", "Ed25519")

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)  # workers of root's nginx are another user's
        servers = []
        self.ports = {}
        for name in self.NAMES:
            self.certificate(name)
            self.ports[name] = free_port()
            servers.append(f"server {{ listen 127.0.0.1:{self.ports[name]} ssl; ssl_certificate {name}.crt; "
                           f"ssl_certificate_key {name}.key; location / {{ return 200 served; }} }}")
        (self.folder / "nginx.conf").write_text(NGINX.format(servers="\n".join(servers)))

    def curl(self, name, by, *options):
        url = f"https://localhost:{self.ports[name]}/"
        return subprocess.run([find("curl"), "-sS", "--max-time", "10", "--cacert", f"{name}.crt", *options, url],
                              cwd=self.folder, env=self.environment(by), capture_output=True, text=True)

    def test_curl_is_served(self):
        for server_by in BOTH:
            server = Server(self, [find("nginx"), "-p", str(self.folder), "-c", "nginx.conf"], server_by)
            until = time.monotonic() + 20
            while self.curl(self.NAMES[0], "default").returncode == 7 and time.monotonic() < until:
                time.sleep(0.05)  # nobody listens yet
            for name, client_by, version in itertools.product(self.NAMES, BOTH, ("1.2", "1.3")):
                with self.subTest(server=server_by, client=client_by, name=name, version=version):
                    for curves in ("X25519:P-384:P-521", "P-384:P-521"):
                        done = self.curl(name, client_by, "--tls-max", version, "--curves", curves)
                        self.assertEqual((done.returncode, done.stdout), (0, "served"), done.stderr)
            server.stop()


if __name__ == "__main__":
    unittest.main()
