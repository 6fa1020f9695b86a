"""The certificate of a companion at home: whom it vouches for, for how long, and who can read its key."""

from __future__ import annotations

import errno
import ssl
import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from companion.server.certificates import Identity, fingerprint, identity, own_hosts, root

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
HOSTS = ["192.168.1.5", "table.lan"]


def chain(found: Identity) -> list[x509.Certificate]:
    return x509.load_pem_x509_certificates(found.certificate.read_bytes())


def verify(folder: Path, found: Identity, host: str, at: datetime = NOW) -> None:
    """Check the certificate as a phone does that trusts the authority."""
    subject: x509.general_name.GeneralName
    try:
        subject = x509.IPAddress(ip_address(host))
    except ValueError:
        subject = x509.DNSName(host)
    verifier = (
        PolicyBuilder().store(Store([root(folder, NOW)])).time(at.replace(tzinfo=None)).build_server_verifier(subject)
    )
    server, *others = chain(found)
    verifier.verify(server, others)


@pytest.mark.parametrize("host", [*HOSTS, "localhost", "127.0.0.1"])
def test_a_phone_that_trusts_the_authority_trusts_the_server(tmp_path: Path, host: str) -> None:
    verify(tmp_path, identity(tmp_path, HOSTS, NOW), host)


def test_nothing_else_is_vouched_for(tmp_path: Path) -> None:
    found = identity(tmp_path, HOSTS, NOW)
    with pytest.raises(VerificationError):
        verify(tmp_path, found, "192.168.1.6")


def test_the_authority_cannot_vouch_for_a_site_on_the_internet(tmp_path: Path) -> None:
    found = identity(tmp_path, ["bank.example"], NOW)
    with pytest.raises(VerificationError):
        verify(tmp_path, found, "bank.example")


def test_nobody_else_can_read_the_keys(tmp_path: Path) -> None:
    found = identity(tmp_path / "authority", HOSTS, NOW)
    for key in (found.key, tmp_path / "authority" / "authority.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "authority").stat().st_mode) == 0o700


def test_a_server_s_certificate_is_short_enough_for_every_phone(tmp_path: Path) -> None:
    server, authority = chain(identity(tmp_path, HOSTS, NOW))
    assert server.not_valid_after_utc - server.not_valid_before_utc <= timedelta(days=398)
    assert server.not_valid_before_utc < NOW
    assert authority.not_valid_after_utc - NOW > timedelta(days=3600)


def test_it_is_kept_until_it_nears_its_end_and_then_renewed_by_the_same_authority(tmp_path: Path) -> None:
    first = chain(identity(tmp_path, HOSTS, NOW))
    assert chain(identity(tmp_path, HOSTS, NOW + timedelta(days=300))) == first
    later = chain(identity(tmp_path, HOSTS, NOW + timedelta(days=370)))
    assert later[0] != first[0]
    assert later[1] == first[1]


def test_a_new_address_makes_a_new_certificate_and_an_old_one_stays_good(tmp_path: Path) -> None:
    first = chain(identity(tmp_path, HOSTS, NOW))
    assert chain(identity(tmp_path, HOSTS[:1], NOW)) == first
    found = identity(tmp_path, [*HOSTS, "10.0.0.7"], NOW)
    assert chain(found) != first
    verify(tmp_path, found, "10.0.0.7")


def test_an_authority_that_ends_is_made_anew_with_all_it_signed(tmp_path: Path) -> None:
    first = chain(identity(tmp_path, HOSTS, NOW))
    late = NOW + timedelta(days=3600)
    found = identity(tmp_path, HOSTS, late)
    assert chain(found)[1] != first[1]
    assert fingerprint(root(tmp_path, late)) != fingerprint(first[1])


def test_the_machine_knows_its_own_names() -> None:
    hosts = own_hosts("0.0.0.0", "192.168.1.5", "")
    assert "192.168.1.5" in hosts
    assert "0.0.0.0" not in hosts
    assert any(host.endswith(".local") for host in hosts)


@pytest.mark.promise(29)
@pytest.mark.parametrize("name", ["server.crt", "server.key", "authority.crt", "authority.key"])
@pytest.mark.parametrize("left", [0, 1, 60, 400, -1], ids=["nothing", "a byte", "a line", "half", "all but the end"])
def test_what_was_cut_off_while_it_was_written_is_made_anew(tmp_path: Path, name: str, left: int) -> None:
    identity(tmp_path, HOSTS, NOW)
    file = tmp_path / name
    before = file.read_bytes()
    file.write_bytes(before[: len(before) - 40] if left < 0 else before[:left])
    verify(tmp_path, identity(tmp_path, HOSTS, NOW), "192.168.1.5")
    assert file.read_bytes().startswith(b"-----BEGIN")
    assert file.read_bytes().endswith(b"-----\n")


@pytest.mark.promise(29)
@pytest.mark.parametrize("name", ["server.crt", "server.key", "authority.crt", "authority.key"])
def test_a_key_that_is_not_its_certificate_s_is_made_anew_with_it(tmp_path: Path, name: str) -> None:
    """So it would be where the power went between the two."""
    own, others = tmp_path / "own", tmp_path / "others"
    identity(own, HOSTS, NOW)
    identity(others, HOSTS, NOW)
    (own / name).write_bytes((others / name).read_bytes())
    found = identity(own, HOSTS, NOW)
    verify(own, found, "192.168.1.5")
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(found.certificate, found.key)


@pytest.mark.promise(29)
def test_a_certificate_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = chain(identity(tmp_path, HOSTS, NOW))

    def no_room(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("os.fsync", no_room)
        with pytest.raises(OSError, match="No space"):
            identity(tmp_path, [*HOSTS, "fresh.lan"], NOW)
    assert chain(identity(tmp_path, HOSTS, NOW)) == before
