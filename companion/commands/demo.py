"""`companion demo`."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion import machine
from companion.errors import StartError
from companion.server.claim import claim_to_serve
from companion.server.start import check_free, check_host, server_command
from companion.settings import PORT, from_environment, own_address
from companion.settings.written import at

ANOTHER = "Another companion has this folder already. Name another one: %s --data …"
OF_ANOTHER = (
    *("COMPANION_DATABASE", "COMPANION_REDIS", "COMPANION_HTTPS", "COMPANION_GAMES"),
    *("COMPANION_WEBHOOKS", "COMPANION_WEBHOOK_KEYS"),
)
"""Settings of the companion at home, which a demonstration leaves alone."""


@click.command()
@click.option("--game", "games", multiple=True, metavar="GAME", help="Show this game alone; may be said again.")
@click.option(
    "--pace",
    default=2.5,
    show_default=True,
    type=click.FloatRange(0.1, 60),
    help="How many seconds a player thinks, more or less.",
)
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen at.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="The port to listen at.")
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Keep its tables in this folder; else they go."
)
def demo(games: tuple[str, ...], pace: float, host: str, port: int, data: Path | None) -> None:
    """Show the companion: four players who are not there play one game after the other.

    Whoever opens the address sees the screen for everyone, and a phone beside it. Nothing of yours is touched.

    \b
    Example:
      companion demo --game rage --pace 1.5
    """
    shown = _known(games)
    with _folder(data) as folder:
        reached = own_address(port) if host in {"0.0.0.0", "::"} else f"http://{at(host, port)}"
        for name in OF_ANOTHER:
            os.environ.pop(name, None)
        os.environ |= {"COMPANION_DATA": str(folder), "COMPANION_PORT": str(port), "COMPANION_PACE": f"{pace:.3f}"}
        os.environ |= {"COMPANION_DEMO": ",".join(shown), "COMPANION_ADDRESS": reached}
        try:
            check_host(host)
            settings = from_environment()
            claim_to_serve(settings, ANOTHER % (typed := click.get_current_context().command_path))
            check_free(host, port, f"{typed} --port")
        except StartError as error:
            raise click.ClickException(str(error)) from None
        machine.open_many_files()
        code = _served(server_command(host, port, settings.streams, 1))
    raise SystemExit(code if code >= 0 else 128 - code)  # as a shell says of whom a signal has ended


def _known(games: tuple[str, ...]) -> list[str]:
    """Name the games that are shown. Raises: UsageError, where one cannot be."""
    from companion.phantoms.demonstration import games_shown  # noqa: PLC0415 (they take a while to load)

    there = games_shown()
    if lacking := [game for game in games if game not in there]:
        raise click.UsageError(f"{', '.join(lacking)} cannot be shown. There are: {', '.join(there)}.")
    return list(games) or there


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    """Give the folder that was named, or one that goes with the demonstration."""
    if data is not None:
        yield data
        return
    with TemporaryDirectory(prefix="companion-demo-") as folder:
        yield Path(folder)


def _served(command: list[str]) -> int:
    """Serve until somebody stops it, and wait for the end, so that the folder is free. Gives how it ended."""
    machine.put_off_interrupts()
    server = subprocess.Popen(command)

    def end(sign: int, _frame: object) -> None:
        server.send_signal(signal.SIGINT if sign == signal.SIGINT else signal.SIGTERM)

    for stop in (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if machine.ends_with_its_window() else [])):
        signal.signal(stop, end)
    machine.hear_interrupts()
    return server.wait()
