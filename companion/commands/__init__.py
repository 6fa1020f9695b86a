"""The `companion` command: a module for what belongs together, a function a command."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EBADF, EPIPE
from importlib import import_module
from io import StringIO, TextIOBase, TextIOWrapper
from os import strerror
from typing import Any

import click

from companion import __version__, starting

COMMANDS = {
    "backup": ("keeping", "Copy the database into FILE, while the companion runs."),
    "book": ("book", "Print the book of evenings as PDF, or its statistics."),
    "check": ("keeping", "Check the games and the database: the file, every log, every stored result."),
    "demo": ("demo", "Show the companion: four players who are not there play one game after the other."),
    "export": ("records", "Write the records of tables, or their plays for other programs."),
    "forget": (
        "keeping",
        "Forget the name of a player everywhere; the evenings stay, with nobody's name at that seat.",
    ),
    "import": (
        "records",
        "Open tables from records, archives of them unpacked; "
        "print each code, and the link that makes a phone its host.",
    ),
    "judge": ("judge", "Ask the referee one question, without a table."),
    "new-game": ("new_game", "Write a package for the game NAME: it plays, prints and passes its own tests."),
    "print": ("printing", "Print a sheet as PDF: a blank one of a game, or the one of a table."),
    "purge": ("keeping", "Delete the tables where nothing has happened for so long; stop the companion first."),
    "rename": ("keeping", "Call a player NEW wherever it says NAME."),
    "replay": ("replay", "Rule on every move of table records, and print how they ended."),
    "restore": ("keeping", "Put the copy FILE in the place of the database; stop the companion first."),
    "serve": ("serve", "Open the companion to the phones around, and print its address with a QR code."),
    "stats": ("keeping", "Count what the database holds."),
    "update": (
        "update",
        "Say which release runs, whether there is a newer one, and how it comes here; change nothing.",
    ),
    "words": (
        "words",
        "Gather the sentences of GAME for the translators, keep what they have written, and compile it.",
    ),
}
"""Each command's module, and what it does in a sentence."""


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what the system keeps a command from, as a full disk does; Ctrl-C needs no words. Raises: ClickException."""
    try:
        yield
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT) from None
    except OSError as error:
        if error.errno == EPIPE:  # nobody reads on
            raise
        what = f"{error.filename} cannot be used" if error.filename else "What it says cannot be written"
        raise click.ClickException(f"{what}: {error.strerror}.") from None


class Closed(TextIOBase):
    """Standard output that was closed before we began: whatever is said there is not heard, and that is an error."""

    def write(self, text: str) -> int:
        """Refuse it. Raises: OSError."""
        raise OSError(EBADF, strerror(EBADF))


class Late(click.Group):
    """Imports a command when it is asked for: most need the web and the database, which take a second to load."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import a command; None where there is no such."""
        if name not in COMMANDS:
            return None
        with starting():
            module = import_module(f"companion.commands.{COMMANDS[name][0]}")
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as `__main__.py` has it; a command may have to tidy up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        found: click.Command = getattr(module, f"{name}_" if name in {"import", "print"} else name.replace("-", "_"))
        return found

    def make_context(self, *words: Any, **more: Any) -> click.Context:
        """Read what was typed; who asks for help is helped here."""
        sys.stdout, sys.stderr = sys.stdout or Closed(), sys.stderr or StringIO()
        with _in_a_sentence():
            return super().make_context(*words, **more)

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        with _in_a_sentence():
            return super().invoke(context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the commands do, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_module, does) in COMMANDS.items()])


@click.group(cls=Late, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def companion() -> None:
    """Keep score and rule beside a physical game: phones at the table, one log, and paper.

    \b
    Start here:
      companion serve
    """
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal of another alphabet shows a question mark for what it lacks.
        sys.stdout.reconfigure(errors="replace")
