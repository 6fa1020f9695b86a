"""The `companion` command: a module for what belongs together, a function a command."""

from __future__ import annotations

import click

from companion import __version__
from companion.commands.judge import judge
from companion.commands.keeping import backup, check, forget, purge, rename, restore, stats
from companion.commands.printing import print_
from companion.commands.records import export, import_, replay
from companion.commands.serve import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def companion() -> None:
    """Keep score and rule beside a physical game: phones at the table, one log, and paper.

    \b
    Start here:
      companion serve
    """


_keeping = (backup, restore, check, purge, stats, rename, forget)
for _command in (serve, replay, judge, print_, export, import_, *_keeping):
    companion.add_command(_command)
