"""`companion serve`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion import machine
from companion.errors import StartError
from companion.machine.networks import Network, networks
from companion.server.claim import claim_to_serve
from companion.server.presence import NOTES, OPENED
from companion.server.start import (
    check_free,
    check_host,
    check_workers,
    open_secure_door,
    server_command,
)
from companion.server.surroundings import firewalls, has_desktop, stay_awake
from companion.server.waitress_server import check_without_gunicorn, serve_by_waitress
from companion.settings import (
    PORT,
    PRINTABLES,
    SECURE_PORT,
    TEMPLATES,
    from_environment,
    own_address,
)
from companion.settings.written import at

ANOTHER = (
    "Another companion serves these tables already. Stop it first, or let this one keep its own: COMPANION_DATA=… %s"
)

EVERYWHERE = {"0.0.0.0", "::"}
"""The hosts that listen in all networks."""
AWAKE = "This computer does not go to sleep as long as the companion runs."


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    envvar="COMPANION_PORT",
    default=PORT,
    show_default=True,
    type=click.IntRange(1, 65535),
    help="The port to listen at.",
)
@click.option("--address", default="", help="In which network the phones are: this computer's number there, or wlan0.")
@click.option(
    "--streams",
    envvar="COMPANION_STREAMS",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="How many phones at once, each worker.",
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes that share the work.")
@click.option("--https", is_flag=True, help="Open a secure door, too, with a certificate of the companion's own.")
@click.option("--https-port", default=SECURE_PORT, show_default=True, type=click.IntRange(1, 65535), help="Its port.")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False), help="A certificate of yours instead.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="Its private key.")
@click.option(
    "--browser/--no-browser", default=None, help="Open the first page here.  [default: where there is a desktop]"
)
@click.option("--reload", is_flag=True, help="Start anew whenever a file changes: while you write a game.")
def serve(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    host: str,
    port: int,
    address: str,
    streams: int,
    workers: int,
    https: bool,
    https_port: int,
    certificate: str | None,
    key: str | None,
    browser: bool | None,
    reload: bool,
) -> None:
    """Open the companion to the phones around, and print its address with a QR code.

    \b
    Example:
      companion serve --port 8080
    """
    is_secure = _is_secure(https, [port, https_port], certificate, key)
    os.environ |= {"COMPANION_STREAMS": str(streams), "COMPANION_PORT": str(port)}
    try:
        check_without_gunicorn(workers, is_secure, reload)
        _choose(host, port, address)
        check_workers(workers, settings := from_environment())
        claim_to_serve(settings, ANOTHER % (typed := click.get_current_context().command_path))
        check_free(host, port, f"{typed} --port")
        if is_secure:
            check_free(host, https_port, f"{typed} --https-port")
            open_secure_door(host, https_port, certificate, key)
        _announce(host, [port, https_port] if is_secure else [port], browser)
        if not machine.HAS_UNIX:
            serve_by_waitress(host, port, streams)
            return
    except StartError as error:
        raise click.ClickException(str(error)) from None
    machine.open_many_files()
    command = server_command(host, port, streams, workers, watched() if reload else None)
    machine.put_off_interrupts()
    os.execv(sys.executable, command)


def watched() -> list[Path]:
    """List the folders whose files are looked after."""
    from companion.games import homes  # noqa: PLC0415 (workers alone load the games, but where these are written)

    return [TEMPLATES, PRINTABLES, *homes()]


def _is_secure(https: bool, ports: Sequence[int], certificate: str | None, key: str | None) -> bool:
    """Say whether there shall be a secure door, too. Raises: click.UsageError."""
    if bool(certificate) != bool(key):
        raise click.UsageError("--certificate and --key belong together.")
    is_secure = https or certificate is not None
    if is_secure and len(set(ports)) == 1:
        raise click.UsageError("--port and --https-port must differ.")
    return is_secure


def _choose(host: str, port: int, address: str) -> None:
    """Settle where phones are sent, unless it is set: to the only network that is listened in, or to one of them.

    Raises:
        StartError: the host is none.
    """
    check_host(host)
    if host not in EVERYWHERE:
        os.environ.setdefault("COMPANION_ADDRESS", f"http://{at(host, port)}")
    elif not os.environ.get("COMPANION_ADDRESS"):
        os.environ.setdefault("COMPANION_NAME", "companion")
        os.environ["COMPANION_NETWORK"] = _network(address or os.environ.get("COMPANION_NETWORK", ""), port)


def _network(asked: str, port: int) -> str:
    """Find the network in which the phones are, by its interface; "" for the one that leads out.

    Raises:
        click.BadParameter: this computer is in no such network.
    """
    found = networks()
    if asked:
        chosen = next((one.name for one in found if asked in {one.name, one.number}), None)
        if chosen is None:
            raise click.BadParameter(f"{asked} is none of this computer's: {_named(found)}.", param_hint="--address")
        return chosen
    if len(found) < 2:  # noqa: PLR2004 (nothing to choose)
        return ""
    usual = next((place for place, one in enumerate(found, 1) if f"//{one.number}:" in own_address(port)), 1)
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(f"This computer is in several networks: {_named(found)}. --address NUMBER chooses one.", err=True)
        return ""
    return _asked(found, usual)


def _asked(found: Sequence[Network], usual: int) -> str:
    """Ask in which network the phones are."""
    click.echo("This computer is in several networks. In which are the phones?")
    for place, one in enumerate(found, 1):
        click.echo(f"  {place}  {one.number}  ({one.name})")
    return found[click.prompt("Its line", default=usual, type=click.IntRange(1, len(found))) - 1].name


def _named(found: Sequence[Network]) -> str:
    return ", ".join(f"{one.number} ({one.name})" for one in found) or "it is in none"


def _announce(host: str, ports: Sequence[int], browser: bool | None) -> None:
    """Let the server say what this computer does for the evening, and open the first page here where that is wanted."""
    here = f"http://{at('localhost' if host in EVERYWHERE else host, ports[0])}/"
    os.environ[OPENED] = here if (has_desktop() if browser is None else browser) else ""
    os.environ[NOTES] = "\n".join(_notes(ports))


def _notes(ports: Sequence[int]) -> Iterator[str]:
    """Say what this computer does for the evening, and what may be in the way."""
    if stay_awake(os.getpid()):
        yield AWAKE
    for name, command in firewalls():
        opened = " && ".join(command.format(port=port) for port in ports)
        yield f"A firewall ({name}) is on. If no phone comes through, open the door in it: {opened}"
