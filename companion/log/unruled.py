"""Why nobody can say how a table stands: its game is gone, or its rules are others; what is stored can be read."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.game import N_


class GameMissing(CompanionError):
    """A table of a game that is not installed here; what is stored of it can still be read."""

    status, key = 409, "game_missing"
    title = N_("This game is not installed")
    message = N_(
        "Table %(code)s plays “%(game)s”, and no game of that name is installed here. Install the package that brings "
        "it, and start the companion again: nothing is lost."
    )


class LogRefused(CompanionError):
    """A table whose log the rules that are installed here do not take; what is stored of it can still be read.

    The fact `reason` says why; it may tell what is secret, so it is for who runs the companion.
    """

    status, key = 409, "log_refused"
    title = N_("Played by other rules")
    message = N_(
        "Table %(code)s was played by other rules of %(game)s than those that are installed here. Install the version "
        "that it was played with, and start the companion again: nothing is lost."
    )


class RulesMissing(CompanionError):
    """A table that was begun by a version of its game's rules that is not here: it is frozen."""

    status, key = 409, "rules_missing"
    title = N_("Begun by other rules")
    message = N_(
        "Table %(code)s was begun by version %(rules)s of the rules of %(game)s, and what is installed here rules by "
        "version %(here)s. So it stays as it was. Install the package that it was begun with, and start the companion "
        "again: nothing is lost."
    )


class MoveMissing(CompanionError):
    """A table whose log has a kind of move that its game, as it is installed here, does not know."""

    status, key = 409, "move_missing"
    title = N_("A move is not known here")
    message = N_(
        "Table %(code)s was played with the move “%(move)s”, which %(game)s as it is installed here does not know. "
        "Install the version that it was played with, and start the companion again: nothing is lost."
    )


class OptionMissing(CompanionError):
    """A table with an option that its game, as it is installed here, does not know."""

    status, key = 409, "option_missing"
    title = N_("An option is not known here")
    message = N_(
        "Table %(code)s is played with the option “%(option)s”, which %(game)s as it is installed here does not know. "
        "Install the version that it was begun with, and start the companion again: nothing is lost."
    )


class RuledOtherwise(CompanionError):
    """A table whose log is scored otherwise by now, though its rules say that they are the same: it is frozen.

    The fact `reason` says after which entry.
    """

    status, key = 409, "ruled_otherwise"
    title = N_("Scored otherwise by now")
    message = N_(
        "Table %(code)s would stand otherwise by the rules of %(game)s that are installed here than it stood when it "
        "was played. So it stays as it was. Install the version that it was played with, and start the companion "
        "again: nothing is lost."
    )


UNRULED = (GameMissing, LogRefused, RulesMissing, MoveMissing, OptionMissing, RuledOtherwise)
"""Why nobody can say how a table stands."""
