"""What stands around a game of any kind: place cards, stickers, a certificate, sheets for a season and a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.drawing.paper import SeatHead, named, typeset

AROUND = ("place_cards", "stickers", "certificate", "season_sheet", "tournament_sheet")
SEASON, SEASON_LARGE = (12, 10), (9, 6)
"""The rows and the evenings of a season's sheet, and in large print."""
TOURNAMENT, TOURNAMENT_LARGE = (16, 4, 4), (9, 2, 2)
"""The rows and the rounds of a tournament's page, and the tables whose slips are on another one; and in large print."""
ROUNDS = 4
"""Of a tournament."""


class Won(TypedDict):
    """A place in a game that is over."""

    rank: int
    seat: int
    score: int


class PlaceCards(TypedDict):
    """What stands on place cards: whose seat it is, and what opens the table."""

    game_name: str
    code: str
    link: str
    seats: Sequence[SeatHead]


class Stickers(TypedDict):
    """What stands on stickers."""

    game_name: str
    code: str
    link: str


class CertificateLine(SeatHead):
    """A place on a certificate."""

    rank: str
    score: str


class Certificate(TypedDict):
    """What stands on a certificate; without a game that is over there are lines to write on."""

    game_name: str
    date: str
    title: str
    place: str
    lines: Sequence[CertificateLine]


class SeasonSheet(TypedDict):
    """What stands on the sheet of a season."""

    game_name: str
    seats: Sequence[SeatHead]
    rows: int
    evenings: int


class TournamentSheet(TypedDict):
    """What stands on the sheets of a tournament: how everybody did, and how a round ended at each table."""

    game_name: str
    seats: Sequence[SeatHead]
    is_shared: bool
    """Whether all at a table have one score."""
    rows: int
    rounds: Sequence[Sequence[int]]
    """By the page that they stand on."""
    tables: int


def place_cards(name: str, about: Mapping[str, str], players: Sequence[str]) -> PlaceCards:
    """Say whose seat each is."""
    link = about["link"] if about["code"] else ""
    return {"game_name": name, "code": about["code"], "link": link, "seats": named(players)}


def stickers(name: str, about: Mapping[str, str]) -> Stickers:
    """Say what they open."""
    return {"game_name": name, "code": about["code"], "link": about["link"]}


def certificate(
    name: str, about: Mapping[str, str], players: Sequence[str], standing: Sequence[Won] | None
) -> Certificate:
    """Say how a game ended, the best first."""
    heads = named(players)
    blank: list[CertificateLine] = [{**head, "name": "", "rank": f"{head['seat'] + 1}", "score": ""} for head in heads]
    lines: list[CertificateLine] = [
        {**heads[won["seat"]], "rank": str(won["rank"]), "score": typeset(won["score"])} for won in standing or ()
    ]
    return {
        "game_name": name,
        "date": about["date"],
        "title": about["title"],
        "place": about["place"],
        "lines": lines or blank[:3],
    }


def season_sheet(name: str, players: Sequence[str], is_large: bool) -> SeasonSheet:
    """Leave a row for everybody, and a column for each evening."""
    rows, evenings = SEASON_LARGE if is_large else SEASON
    return {"game_name": name, "seats": named(players), "rows": rows, "evenings": evenings}


def tournament_sheet(name: str, players: Sequence[str], is_shared: bool, is_large: bool) -> TournamentSheet:
    """Leave a row for everybody, and a slip for each of some tables."""
    rows, each, tables = TOURNAMENT_LARGE if is_large else TOURNAMENT
    numbers = range(1, ROUNDS + 1)
    return {
        "game_name": name,
        "seats": named(players),
        "is_shared": is_shared,
        "rows": rows,
        "rounds": [[*numbers[first : first + each]] for first in range(0, ROUNDS, each)],
        "tables": tables,
    }
