"""`companion serve`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion import machine
from companion.errors import StartError
from companion.server.claim import claim_to_serve
from companion.server.plain import check_plain, serve_plainly
from companion.server.start import (
    check_free,
    check_workers,
    open_secure_door,
    prepare,
    server_command,
)
from companion.settings import PORT, PRINTABLES, SECURE_PORT, TEMPLATES, from_environment, own_address

ANOTHER = (
    "Another companion serves these tables already. Stop it first, or let this one keep its own: "
    "COMPANION_DATA=… companion serve"
)


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen at.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="The port to listen at.")
@click.option(
    "--streams", default=1000, show_default=True, type=click.IntRange(1), help="How many phones at once, each worker."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes that share the work.")
@click.option("--https", is_flag=True, help="Open a secure door, too, with a certificate of the companion's own.")
@click.option("--https-port", default=SECURE_PORT, show_default=True, type=click.IntRange(1, 65535), help="Its port.")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False), help="A certificate of yours instead.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="Its private key.")
@click.option("--reload", is_flag=True, help="Start anew whenever a file changes: while you write a game.")
def serve(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    host: str,
    port: int,
    streams: int,
    workers: int,
    https: bool,
    https_port: int,
    certificate: str | None,
    key: str | None,
    reload: bool,
) -> None:
    """Open the companion to the phones around, and print its address with a QR code.

    \b
    Example:
      companion serve --port 8080
    """
    if bool(certificate) != bool(key):
        raise click.UsageError("--certificate and --key belong together.")
    is_secure = https or certificate is not None
    reached = own_address(port) if host in {"0.0.0.0", "::"} else f"http://{host}:{port}"
    os.environ.setdefault("COMPANION_ADDRESS", reached)
    os.environ |= {"COMPANION_STREAMS": str(streams), "COMPANION_PORT": str(port)}
    try:
        if not machine.HAS_UNIX:
            check_plain(workers, is_secure, reload)
        check_workers(workers, settings := from_environment())
        claim_to_serve(settings, ANOTHER)
        check_free(host, port)
        if is_secure:
            check_free(host, https_port)
            open_secure_door(host, https_port, certificate, key)
        if not machine.HAS_UNIX:
            serve_plainly(host, port, streams)
            return
    except (StartError, OSError) as error:
        raise click.ClickException(str(error)) from None
    prepare(workers)
    os.execv(sys.executable, server_command(host, port, streams, workers, watched() if reload else None))


def watched() -> list[Path]:
    """List the folders whose files are looked after."""
    from companion.games import homes  # noqa: PLC0415 (workers alone load the games, but where these are written)

    return [TEMPLATES, PRINTABLES, *homes()]
