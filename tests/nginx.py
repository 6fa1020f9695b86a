"""Debian's nginx with our own file before a server: only its names, ports and files are others."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from companion.server.certificates import Identity, identity
from tests.house import free_port
from tests.waiting import PATIENCE_S, wait_until

FILES = Path(__file__).parent.parent / "docs" / "deploying"
HEAD = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
{user}
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    include {folder}/site.conf;
}}
"""
GOOD = "ECDHE-ECDSA-AES128-GCM-SHA256"
WEAK = ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-CCM8")
"""Ways to encrypt in TLS 1.2 that a certificate like ours would go with, and that nobody recommends any more."""


def ciphers_agreed(port: int) -> set[str]:
    """Find out on which of these ways to encrypt a server agrees, and whether on a TLS older than 1.2."""
    agreed = {cipher for cipher in (GOOD, *WEAK) if _agrees(port, cipher, ssl.TLSVersion.TLSv1_2)}
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        return agreed | ({"TLS 1.1"} if _agrees(port, "ALL", ssl.TLSVersion.TLSv1_1) else set())


def _agrees(port: int, cipher: str, version: ssl.TLSVersion) -> bool:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    context.set_ciphers(f"{cipher}:@SECLEVEL=0")
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as plain, context.wrap_socket(plain):
            return True
    except (ssl.SSLError, ConnectionResetError):
        return False


@dataclass
class Nginx:
    """nginx on 127.0.0.1, before a server on another port."""

    folder: Path
    behind: int
    """The port of the server."""
    name: str = "127.0.0.1"
    """How the site is called."""
    port: int = field(default_factory=free_port)
    plain: int = field(default_factory=free_port)
    """Where it leads pages to https."""
    process: subprocess.Popen[bytes] | None = None

    def start(self, is_there: Callable[[], object]) -> None:
        """Write its files, start it, and wait until asking raises no OSError."""
        made = self.identity
        text = (FILES / "nginx.conf").read_text()
        changes = {
            r"listen 80;": f"listen 127.0.0.1:{self.plain};",
            r"listen 443": f"listen 127.0.0.1:{self.port}",
            r"127\.0\.0\.1:8000": f"127.0.0.1:{self.behind}",
            r"/etc/letsencrypt/\S+/fullchain\.pem": str(made.certificate),
            r"/etc/letsencrypt/\S+/privkey\.pem": str(made.key),
            r"server_name table\.example": f"server_name {self.name}",
            r"/var/log/nginx/companion\.log": str(self.folder / "access.log"),
        }
        for old, new in changes.items():
            text, count = re.subn(old, new, text)
            assert count, old
        (self.folder / "site.conf").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(HEAD.format(folder=self.folder, user=user))
        program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        assert program, "nginx is not here; bin/test installs it."
        words = [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "nginx.log"]
        self.process = subprocess.Popen(words)
        wait_until(is_there, self.process, (self.folder / "nginx.log").read_text)

    def stop(self) -> None:
        """Stop it."""
        if self.process:
            self.process.terminate()
            self.process.wait()

    @property
    def identity(self) -> Identity:
        """Give its certificate and key, made when they are asked for first."""
        return identity(self.folder / "authority", (self.name,))

    @property
    def pin(self) -> str:
        """Say by which key a browser may know it."""
        certificate = x509.load_pem_x509_certificate(self.identity.certificate.read_bytes())
        key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(hashlib.sha256(key).digest()).decode()
