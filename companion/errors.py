"""What goes wrong above the rules, each with its HTTP status and the words for who meets it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.game import N_


class Told(str):
    """An English sentence that remembers its facts, so that a page can say it in the reader's language.

    >>> Told("There is no such seat. Seats: 0 to %(last)s.", last=3)
    'There is no such seat. Seats: 0 to 3.'
    """

    sentence: str
    facts: Mapping[str, object]

    def __new__(cls, sentence: str, **facts: object) -> Told:
        """Fill the places of a sentence."""
        told = super().__new__(cls, sentence % facts if facts else sentence)
        told.sentence, told.facts = sentence, facts
        return told


class CompanionError(Exception):
    """Something that the person at the table can understand; `facts` fill the places of its message."""

    status: ClassVar[int] = 400
    key: ClassVar[str] = "error"
    """Its stable name, for programs."""
    title: ClassVar[str] = ""
    message: ClassVar[str] = ""
    retry_s: int | None = None
    """Seconds after which it is worth trying again, where that is known."""

    def __init__(self, **facts: object) -> None:
        """Take what the message mentions."""
        super().__init__(self.message % facts if facts else self.message)
        self.facts = facts


class Malformed(CompanionError):
    """What was sent cannot be read."""

    status, key = 400, "malformed"
    title = N_("That could not be read")
    message = N_("%(place)s: %(reason)s")


class UnknownHost(CompanionError):
    """The request names a host that is not ours."""

    status, key = 400, "unknown_host"
    title = N_("Unknown address")
    message = N_("The companion does not answer at this address. Open it at the address that its host gave you.")


class Forged(CompanionError):
    """An unsafe request that did not come from our own pages."""

    status, key = 403, "forged"
    title = N_("Not from this page")
    message = N_("This request did not come from a page of the companion, so nothing was done.")


class NotJson(CompanionError):
    """A program sends something else than JSON."""

    status, key = 415, "not_json"
    title = N_("Not JSON")
    message = N_("Programs send JSON, with the content type application/json.")


class NoToken(CompanionError):
    """A program that has to say who it is."""

    status, key = 401, "no_token"
    title = N_("Who is asking?")
    message = N_("Send the token that you were given: Authorization: Bearer …")


class NotYours(CompanionError):
    """The phone may not do this at this table."""

    status, key = 403, "not_yours"
    title = N_("Not your seat")
    message = N_("Only the player who sits there, or the host for a seat without a phone, can do this.")


class HostOnly(CompanionError):
    """Something that only the host may do."""

    status, key = 403, "host_only"
    title = N_("Ask the host")
    message = N_("Only the host of the table can do this.")


class HostThere(CompanionError):
    """The host's phone was heard lately: nobody can take the table on."""

    status, key = 409, "host_there"
    title = N_("The host is there")
    message = N_("The host’s phone was heard a moment ago, so nobody else can take the table on.")


class PlayedOn(CompanionError):
    """The old host comes too late: the table was played on with another."""

    status, key = 409, "played_on"
    title = N_("The game has gone on")
    message = N_("Something was played since, so the table stays with its new host, who can hand it over.")


class NoSuchTable(CompanionError):
    """No table has this code."""

    status, key = 404, "no_such_table"
    title = N_("No such table")
    message = N_("There is no table with this code. Codes have six letters and digits; look at the host’s phone again.")


class NoSuchReturn(CompanionError):
    """Nobody at this table comes back by this return code."""

    status, key = 404, "no_such_return"
    title = N_("No such return code")
    message = N_("Nobody at this table has this return code. It stands in the menu of the page that was open before.")


class NoSuchGroup(CompanionError):
    """No group has this evening key."""

    status, key = 404, "no_such_group"
    title = N_("No such group")
    message = N_("There is no group with this evening key. Let somebody of the group show it to you again.")


class NotThere(CompanionError):
    """A page, seat or entry that does not exist."""

    status, key = 404, "not_there"
    title = N_("Not there")
    message = N_("There is nothing at this address.")


class NoSuchVersion(CompanionError):
    """A version of the API's contract, in the address, that this companion does not have."""

    status, key = 404, "no_such_version"
    title = N_("No such version")
    message = N_("The API has no version %(asked)s here. It has: %(versions)s.")


class AlreadyHere(CompanionError):
    """A record of an evening that is here already."""

    status, key = 409, "already_here"
    title = N_("Already here")
    message = N_("This evening is here already: table %(code)s.")


class RecordRefused(CompanionError):
    """A record with a move that the rules refuse."""

    status, key = 422, "record_refused"
    title = N_("The rules say no")
    message = N_("Move %(number)s is refused: %(reason)s")


class SeatTaken(CompanionError):
    """Somebody else was quicker, or sits there already."""

    status, key = 409, "seat_taken"
    title = N_("This seat is taken")
    message = N_("Somebody sits there already. If it is you with another phone, the host can free the seat.")


class Seated(CompanionError):
    """The phone has a seat at this table already."""

    status, key = 409, "seated"
    title = N_("You have a seat already")
    message = N_("This phone has a seat at this table. Leave it first, or let the host play for the other seat.")


class Locked(CompanionError):
    """The table lets nobody in."""

    status, key = 409, "locked"
    title = N_("The table is locked")
    message = N_("The host has locked the table: nobody can sit down now.")


class Stale(CompanionError):
    """The table moved on while the move was on its way, and it would now mean something else."""

    status, key = 409, "stale"
    title = N_("Somebody was quicker")
    message = N_("The table has moved on, so this was not entered. Look again; nothing is lost.")

    def __init__(self, code: str = "", after: int | None = None, move: Mapping[str, Any] | None = None) -> None:
        """Take what it is told by: who was quicker, and what stands now.

        Args:
            code: the table's.
            after: the number that had been seen; None where it was never reached.
            move: as the log writes it; None for what is no move.
        """
        super().__init__()
        self.code, self.after, self.move = code, after, move


class NothingThere(CompanionError):
    """Nothing to take back or to put back."""

    status, key = 409, "nothing_there"
    title = N_("Nothing to undo")
    message = N_("There is nothing to take back or to put back.")


class StillSealed(CompanionError):
    """What lies open keeps its kind as long as something is sealed."""

    status, key = 409, "still_sealed"
    title = N_("Something is still sealed")
    message = N_("Something at this table is still sealed. This can be changed once it is open.")


class GameOver(CompanionError):
    """What can be done only while a game runs."""

    status, key = 409, "game_over"
    title = N_("Over already")
    message = N_("The game is over already.")


class NotOver(CompanionError):
    """Something that only a finished game has."""

    status, key = 409, "not_over"
    title = N_("Not over yet")
    message = N_("The game is not over yet.")


class Paused(CompanionError):
    """The table is paused."""

    status, key = 409, "paused"
    title = N_("Paused")
    message = N_("The game is paused, so nothing was entered. Go on first.")


class BrokenOff(CompanionError):
    """The game was ended early."""

    status, key = 409, "broken_off"
    title = N_("Broken off")
    message = N_("This game was broken off, and nobody has won. The host can go on with it.")


class BadWifi(CompanionError):
    """A Wi-Fi that there cannot be."""

    status, key = 422, "wifi"
    title = N_("That is no Wi-Fi")
    message = N_("The name of a Wi-Fi has 32 letters at most, and its key 8 to 63, or none where it is open.")


class KeyReused(CompanionError):
    """One idempotency key came with two different contents."""

    status, key = 422, "key_reused"
    title = N_("Already answered")
    message = N_("Another tap from this page was entered first. Look at the table again.")


class BadName(CompanionError):
    """A name that cannot be taken."""

    status, key = 422, "name"
    title = N_("Another name, please")
    message = N_("A name needs 1 to %(most)s characters that can be seen.")


class BadNote(CompanionError):
    """A place, a title or the name of a group that cannot be taken."""

    status, key = 422, "note"
    title = N_("Shorter, please")
    message = N_("A place, a title or the name of a group has %(most)s characters at most.")


class TooOften(CompanionError):
    """Too many wrong codes, or too much of anything."""

    status, key = 429, "too_often"
    title = N_("Too many tries")
    message = N_("Please wait a minute, then try again.")


class Full(CompanionError):
    """No more event streams can be served; the page looks for itself instead."""

    status, key = 503, "full"
    title = N_("Very busy")
    message = N_("Updates are slower: many phones are connected.")


class NotSaved(CompanionError):
    """The database could not keep it: a full disk, a lock that lasts."""

    status, key = 503, "not_saved"
    title = N_("Not saved")
    message = N_("The companion could not save this. Nothing was changed; try again in a few seconds.")


class Away(CompanionError):
    """The database cannot be read now: its server restarts, or cannot be reached."""

    status, key = 503, "away"
    title = N_("One moment")
    message = N_("The companion cannot look at its tables just now. Nothing is lost; try again in a few seconds.")


class NoSheet(CompanionError):
    """A game without a printed sheet."""

    status, key = 404, "no_sheet"
    title = N_("No sheet yet")
    message = N_("This game has no score sheet to print yet.")


class PrinterDown(CompanionError):
    """A sheet could not be printed."""

    status, key = 503, "printer"
    title = N_("Not printed")
    message = N_("The sheet could not be printed now: %(reason)s")


class StartError(Exception):
    """The app refuses to start; the message says what to set."""
