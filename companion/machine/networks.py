"""The networks that this machine is in, as the system tells of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address

INSIDE = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "cni", "lxc")
"""How networks begin that are inside this machine, for containers and the like: no phone is there."""
AWAY = ("utun", "tun", "tailscale", "wg")
"""How those begin that lead far away, as a VPN does: nor is one there."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network that this machine is in."""

    name: str
    """Of its interface: `wlan0`."""
    number: str
    """This machine's, there."""


def networks() -> list[Network]:
    """List the networks by which phones may come: neither those inside this machine nor half of one."""
    found = [own for own in _all() if not own.name.startswith(INSIDE + AWAY)]
    return [own for own in found if not (ip_address(own.number).is_loopback or ip_address(own.number).is_link_local)]


def leads_away(number: str) -> bool:
    """Say whether a number of this machine's is one in a network that leads far away."""
    return any(own.number == number and own.name.startswith(AWAY) for own in _all())


def _all() -> Iterator[Network]:
    import ifaddr  # noqa: PLC0415 (only who has several asks)

    try:
        adapters = ifaddr.get_adapters()
    except OSError:  # whoever has locked us in may keep them from us
        return
    for adapter in adapters:
        yield from (Network(adapter.nice_name, one.ip) for one in adapter.ips if isinstance(one.ip, str))
