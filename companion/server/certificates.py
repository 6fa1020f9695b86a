"""A certificate for an address at home: from a local authority that is made on the first start.

No public authority certifies `192.168.1.5`. So the companion has one of its own: a phone that trusts it once gets what
browsers give to secure pages only (a screen that stays awake, a page that opens without the network). The authority can
sign for private addresses and local names alone, so trusting it cannot harm anything else.

Dates: telephones of Apple refuse server certificates that are valid for longer than 398 days.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.machine.files import written_beside

ROOT_DAYS, SERVER_DAYS, RENEWED_DAYS = 3650, 397, 30
"""How long the authority and the server's certificate are valid, and how long before its end the latter is renewed."""
NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16",
    "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip
NAMES = ("localhost", "local", "lan", "home", "internal", "home.arpa", "test")
"""All that the authority may sign for, and this machine's own name."""

Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class Identity:
    """Files that a server shows and signs with."""

    certificate: Path
    key: Path


def identity(folder: Path, hosts: Iterable[str], now: datetime | None = None) -> Identity:
    """Give the server's certificate for these hosts; make it, or make it anew when it ends soon or hosts were added.

    Args:
        folder: where the authority and the certificate are kept; made if it is not there.
        hosts: names and addresses at which phones reach the server.
        now: the time, UTC.
    """
    now, wanted = now or datetime.now(UTC), set(hosts) | {"localhost", "127.0.0.1"}
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = Identity(folder / "server.crt", folder / "server.key")
    if not _is_good(found, root(folder, now), wanted, now):
        _sign_server(folder, found, wanted, now)
    return found


def root(folder: Path, now: datetime | None = None) -> x509.Certificate:
    """Give the authority's certificate, which phones are asked to trust; make it on the first start."""
    now = now or datetime.now(UTC)
    kept = _matching(Identity(folder / "authority.crt", folder / "authority.key"))
    if kept and kept[0].not_valid_after_utc > now + timedelta(days=SERVER_DAYS):
        return kept[0]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _make_root(folder, now)


def fingerprint(certificate: x509.Certificate) -> str:
    """Write the SHA-256 of a certificate as phones show it: `3A:…`."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def own_hosts(*addresses: str) -> list[str]:
    """List the names and addresses of this machine, with those given; "" is left out."""
    name = socket.gethostname().split(".")[0].lower()
    return sorted({*filter(None, addresses), name, f"{name}.local"} - {"0.0.0.0", "::"})


def _matching(found: Identity) -> list[x509.Certificate]:
    """Read a certificate and what signs it; [] where it or its key is not there, was cut off, or is another's."""
    try:
        chain = x509.load_pem_x509_certificates(found.certificate.read_bytes())
        key = serialization.load_pem_private_key(found.key.read_bytes(), None)
    except (FileNotFoundError, ValueError):
        return []
    return chain if chain[0].public_key() == key.public_key() else []


def _is_good(found: Identity, authority: x509.Certificate, wanted: set[str], now: datetime) -> bool:
    chain = _matching(found)
    if chain[1:] != [authority] or chain[0].not_valid_after_utc < now + timedelta(days=RENEWED_DAYS):
        return False
    names = chain[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return wanted <= {str(name.value) for name in names}


def _make_root(folder: Path, now: datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    # A name of its own for each authority: a phone that trusted an earlier one must not mix them up.
    name = _name(f"companion {socket.gethostname()} {now:%Y-%m-%d %H:%M:%S}")
    builder = (
        _builder(name, name, key, now, ROOT_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(_constraints(), critical=True)
    )
    certificate = builder.sign(key, hashes.SHA256())
    _write(folder / "authority.key", _written(key), 0o600)
    _write(folder / "authority.crt", certificate.public_bytes(serialization.Encoding.PEM))
    return certificate


def _sign_server(folder: Path, found: Identity, hosts: set[str], now: datetime) -> None:
    authority = root(folder, now)
    signer = serialization.load_pem_private_key((folder / "authority.key").read_bytes(), None)
    assert isinstance(signer, Key)
    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([_general(host) for host in sorted(hosts)])
    builder = (
        _builder(_name("companion"), authority.subject, key, now, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(names, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    _write(found.key, _written(key), 0o600)
    signed = builder.sign(signer, hashes.SHA256())
    _write(found.certificate, b"".join(each.public_bytes(serialization.Encoding.PEM) for each in (signed, authority)))


def _builder(subject: x509.Name, issuer: x509.Name, key: Key, now: datetime, days: int) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        # An hour back: the clock of a phone may be slow.
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now - timedelta(hours=1) + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, key_cert_sign=signs_certificates, crl_sign=signs_certificates, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _constraints() -> x509.NameConstraints:
    names: list[x509.GeneralName] = [
        x509.DNSName(name) for name in (*NAMES, socket.gethostname().split(".")[0].lower())
    ]
    names += [x509.IPAddress(ip_network(network)) for network in NETWORKS]
    return x509.NameConstraints(permitted_subtrees=names, excluded_subtrees=None)


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common[:64])])


def _written(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(file: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file on to the disk: the whole of it under its name, or what was there before."""
    written_beside(file, content, mode).rename(file)
