"""What taking back would undo, and what a move or an amendment has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.desk.wording import voice
from companion.game import N_
from companion.kernel.frozen import replace
from companion.log import Table
from companion.play import START, Play
from companion.words import Voice

_HOST = N_("the host")
_CHANGED, _CHANGED_OF = N_("%(before)s\u00a0→\u00a0%(after)s"), N_("%(name)s %(before)s\u00a0→\u00a0%(after)s")


@dataclass(frozen=True, slots=True)
class Undoing:
    """What taking back would undo, or putting back would redo."""

    sentence: str
    who: str
    """Who may, beside the host."""
    effect: str
    """Whose points it changed: `Anna 7 → 9`; "" where it changed none."""


def effect(before: Play[Any], after: Play[Any], speak: Voice, sitting: Play[Any], here: Play[Any]) -> str:
    """Say whose points changed between two plays, and how; "" where none did, none are counted, or it is sealed again.

    Args:
        before: the one.
        after: the other; people may sit otherwise there.
        speak: names people.
        sitting: the play where they sit as they are named.
        here: the play as it is now.
    """
    places_then, places_now = (play.game.standing(play.position).places for play in (before, after))
    if places_then is places_now or not here.game.has_points:
        return ""
    then, now = ({place.seat: place.score for place in places} for places in (places_then, places_now))
    if before.order != after.order:
        then = {sitting.seat_now(seat, before): score for seat, score in then.items()}
        now = {sitting.seat_now(seat, after): score for seat, score in now.items()}
    is_fresh_move = after is here and after.amended is None
    if then == now or (not is_fresh_move and (here.hides(before) or here.hides(after))):
        return ""
    changes = [(seat, then[seat], now[seat]) for seat in sorted(now) if then[seat] != now[seat]]
    together = {(old, new) for _seat, old, new in changes}
    if len(changes) == len(now) > 1 and len(together) == len(set(now.values())) == 1:
        old, new = together.pop()
        return speak.text(_CHANGED, before=speak.say(old), after=speak.say(new))
    return ", ".join(
        speak.text(_CHANGED_OF, name=speak.players[seat], before=speak.say(old), after=speak.say(new))
        for seat, old, new in changes
    )


def last_change(table: Table, play: Play[Any]) -> Undoing | None:
    """Say what was done last, as it could be undone or was; None where nothing was."""
    speak = voice(table)
    if play.redo is None:
        return undoing(play.undo, play, speak, play) if play.undo else None
    taken = undoing(play, play.redo, speak, play)
    return replace(taken, sentence=speak.text(N_("Taken back: %(move)s"), move=taken.sentence))


def undoing(before: Play[Any], after: Play[Any], speak: Voice, sitting: Play[Any]) -> Undoing:
    """Say what taking back would undo, or putting back would redo: all that is between two plays, as `effect` does."""
    sentence = speak.event(after.events[0]) if after.amended is None else amended(after, after.amended, speak)
    who = speak.text(_HOST) if after.by is None else speak.players[after.by]
    return Undoing(sentence, who, effect(before, after, speak, sitting, sitting))


def amended(play: Play[Any], number: int, speak: Voice) -> str:
    """Say what an amendment has put in the place of a move (or of the START), or that it was not made."""
    if number == START:
        return speak.text(N_("The start of the game was changed."))
    step = play.numbered(number).get(number)
    if step is None:
        return speak.text(N_("Entry %(number)s was struck: it was not made."), number=number)
    return speak.text(N_("Entry %(number)s was amended: %(move)s"), number=number, move=speak.event(step.events[0]))
