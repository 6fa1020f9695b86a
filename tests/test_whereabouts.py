"""Where phones are sent: this machine's own address as it is now, in the network that was chosen."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner
from ifaddr import IP, Adapter

from companion.commands.serve import _asked, _network, serve
from companion.machine.networks import Network, networks
from companion.server import whereabouts as module
from companion.server.surroundings import firewalls, has_desktop, stay_awake
from companion.server.whereabouts import Whereabouts
from companion.settings import Settings, own_address
from tests.databases import PATIENCE_S

HOME, CAFE, NOWHERE = "http://192.168.1.5:8000", "http://10.0.0.7:8000", "http://127.0.0.1:8000"
SERVE = sys.modules["companion.commands.serve"]  # the package has a command of that name
NETWORKS = [Network("wlan0", "192.168.1.5"), Network("eth0", "10.0.0.7")]


def settings(**more: str) -> Settings:
    return Settings(data=Path(), database="sqlite://", **more)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FRESH_S", -1)
    monkeypatch.setattr(module, "LOOK_S", 0.01)


def looks(*found: str) -> tuple[list[str], Whereabouts]:
    """Find these addresses one after the other; gives what was said each time."""
    there = iter(found)
    here = Whereabouts(settings(), lambda: next(there))
    return [here.address for _ in found], here


def test_a_new_address_is_told_and_no_network_is_none() -> None:
    said, here = looks(NOWHERE, HOME, HOME, NOWHERE, HOME)
    assert said == [NOWHERE, HOME, HOME, HOME, HOME]
    assert not here.has_moved, "nobody had been sent anywhere before, and a network that comes back is the same"
    said, here = looks(HOME, NOWHERE, CAFE)
    assert said == [HOME, HOME, CAFE]
    assert here.has_moved


def test_an_address_that_is_set_never_changes() -> None:
    here = Whereabouts(settings(address="https://table.example"), lambda: CAFE)
    assert (here.address, here.host, here.look(), here.has_moved) == (
        "https://table.example",
        "table.example",
        False,
        False,
    )


def test_who_watches_is_told_of_each_new_address() -> None:
    found, told = [HOME], Event()
    here = Whereabouts(settings(), lambda: found[0])
    here.watch(told.set)
    assert not told.wait(0.1)
    found[0] = CAFE
    assert told.wait(PATIENCE_S)


def test_who_could_not_be_told_of_an_address_is_told_of_the_next() -> None:
    found, told, is_over = [HOME], [], Event()

    def moved() -> None:
        told.append(here.address)
        found[0] = HOME
        if len(told) > 1:
            is_over.set()
        raise OSError("no space left on device")

    here = Whereabouts(settings(), lambda: found[0])
    here.watch(moved)
    time.sleep(0.1)
    found[0] = CAFE
    assert is_over.wait(PATIENCE_S)
    assert told == [CAFE, HOME]


def test_own_networks_are_those_that_lead_to_others() -> None:
    found = networks()
    assert not any(one.number.startswith(("127.", "169.254.")) for one in found)
    for one in found:
        assert own_address(7, one.name) == f"http://{one.number}:7"
    assert own_address(7, "none such") == own_address(7)


@pytest.mark.parametrize(
    ("way_out", "here"),
    [
        *(("tun0", "wlan0"), ("wg-club", "wlan0"), ("tailscale0", "wlan0")),
        *(("wlan0", "wlan0"), ("docker0", "docker0"), ("br0", "br0")),
    ],
)
def test_phones_are_sent_to_no_vpn_that_leads_out(monkeypatch: pytest.MonkeyPatch, way_out: str, here: str) -> None:
    """Found with a VPN that came up in mid-evening: every code led to its number, where no phone is."""
    numbers = {"lo": "127.0.0.1", way_out: "10.8.0.2"} | ({} if way_out == "wlan0" else {"wlan0": "192.168.1.5"})
    adapters = [Adapter(name, name, [IP(number, 24, name)]) for name, number in numbers.items()]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    monkeypatch.setattr("companion.settings._number_out", lambda: "10.8.0.2")
    assert own_address(8000) == f"http://{numbers[here]}:8000"
    del adapters[2:]
    assert own_address(8000) == "http://10.8.0.2:8000", "there is no other network"


def test_a_system_that_tells_of_no_networks_is_one_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found behind a systemd unit that opens no netlink: no worker began."""

    def refuse() -> None:
        raise PermissionError

    monkeypatch.setattr("ifaddr.get_adapters", refuse)
    monkeypatch.setattr("companion.settings._number_out", lambda: "192.168.1.5")
    assert networks() == []
    assert own_address(8000) == "http://192.168.1.5:8000"


def test_one_of_several_networks_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(SERVE, "networks", lambda: NETWORKS)
    assert [_network(asked, 8000) for asked in ("10.0.0.7", "eth0", "")] == ["eth0", "eth0", ""]
    assert "192.168.1.5 (wlan0), 10.0.0.7 (eth0)" in capsys.readouterr().err
    monkeypatch.setattr(SERVE, "networks", lambda: NETWORKS[:1])
    assert _network("", 8000) == ""


def test_an_address_that_is_none_of_ours_is_refused() -> None:
    done = CliRunner().invoke(serve, ["--address", "203.0.113.9"])
    assert done.exit_code == 2
    assert "203.0.113.9 is none of this computer's" in done.output


@pytest.mark.parametrize(("typed", "name"), [("\n", "eth0"), ("1\n", "wlan0"), ("3\n2\n", "eth0")])
def test_a_terminal_is_asked_which(typed: str, name: str) -> None:
    with CliRunner().isolation(input=typed) as (said, *_rest):
        assert _asked(NETWORKS, usual=2) == name
        assert b"2  10.0.0.7  (eth0)" in said.getvalue()


def test_a_firewall_that_is_on_is_named_with_what_to_do(tmp_path: Path) -> None:
    assert list(firewalls(tmp_path)) == []
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/ufw/ufw.conf").write_text("# on boot\nENABLED=no\n")
    assert list(firewalls(tmp_path)) == []
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\nLOGLEVEL=low\n")
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert [(name, command.format(port=8000)) for name, command in firewalls(tmp_path)] == [
        ("ufw", "sudo ufw allow 8000/tcp"),
        ("firewalld", "sudo firewall-cmd --add-port=8000/tcp"),
    ]


def test_a_browser_opens_only_where_there_is_a_screen() -> None:
    assert not has_desktop({}, "linux")
    assert has_desktop({"DISPLAY": ":0"}, "linux")
    assert has_desktop({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert has_desktop({}, "darwin")


@pytest.mark.parametrize("program", ["", "exit 1", 'case "$*" in *true) ;; *) echo "$*" > "$0.said";; esac'])
def test_sleep_is_held_off_where_the_system_lets_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if program:
        inhibit = tmp_path / "systemd-inhibit"
        inhibit.write_text(f"#!/bin/sh\n{program}\n")
        inhibit.chmod(0o755)
    assert stay_awake(4711) == program.startswith("case")
