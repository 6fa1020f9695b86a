"""Trying a game alone: a table of phantoms, and who asks for it at seat 0."""

from __future__ import annotations

from companion.desk import quotas
from companion.desk.language import language
from companion.desk.options import suggested
from companion.desk.phone import phone
from companion.errors import NotThere
from companion.game import AnyGame
from companion.log import Post, Table
from companion.phantoms import practice
from companion.phantoms.playing import phantoms


def begin(game: AnyGame, name: str, post: Post | None, key: str) -> Table:
    """Open a table where phantoms play the other seats, and sit down.

    Args:
        game: which game.
        name: of who asks; "" for one that phantoms would have.
        post: what asks for it; one that was heard already is given its table again.
        key: makes sitting down twice count once.

    Raises:
        NotThere: phantoms do not play it.
        TooMuch, BadName, KeyReused, NotSaved.
    """
    if not practice.can_be_tried(game):
        raise NotThere
    if not phantoms().has_room:
        raise quotas.TooMuch(quotas.BUSY)
    quotas.spend(quotas.TABLES)
    table = practice.open_practice(game, suggested(game, language()), post)
    practice.seat(table, phone(), name or practice.NAMES[0], key)
    return table
