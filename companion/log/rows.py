"""The rows of the database: tables, who sits there, their logs, groups that share a book, and who is told of an end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from companion.log.codes import INVITATION_LENGTH, fresh_invitation

PHANTOMS = "phantoms"
"""The host of a table where nobody is there but who tries the game alone: no phone is called so."""
EVERYBODY = "everybody"
"""The phone of a seat that everybody may look through: no phone is called so."""


class Base(DeclarativeBase):
    """What all rows are."""


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})
if TYPE_CHECKING:
    Row = Base
else:
    Row = db.Model


class Table(Row):
    """One group playing one game."""

    __tablename__ = "tables"
    __table_args__ = (
        # A host's newest tables stand at the end of theirs.
        Index("ix_tables_host_opened", "host", "opened", "id"),
        Index("ix_tables_closed", "closed"),
        # What is known of a table is kept by its number: one that was deleted must not come again.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(6), unique=True)
    invitation: Mapped[str] = mapped_column(String(INVITATION_LENGTH), default=fresh_invitation)
    """What the QR code brings beside the code: by it a newcomer comes in while strangers guess."""
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[int] = mapped_column(default=1)
    """The version of the game's rules by which it is played."""
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    host: Mapped[str] = mapped_column(String(64))
    """The host's phone, hashed."""
    former_host: Mapped[str | None] = mapped_column(String(64))
    """The phone that was the host until others took the table on from it, hashed; None where nobody did."""
    is_locked: Mapped[bool] = mapped_column(default=False)
    halt: Mapped[str] = mapped_column(String(12), default="")
    """`paused` or `broken_off` while nothing can be played; "" else."""
    is_taught: Mapped[bool] = mapped_column(default=False)
    """Whether they play for the first time: the first round is explained as it is played."""
    opened: Mapped[str] = mapped_column(String(24))
    """UTC, ISO 8601, milliseconds; so are all times here."""
    closed: Mapped[str | None] = mapped_column(String(24))
    """When its result was entered, or corrected last; None while the game runs."""
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The standing and summary as they were ruled when the game ended; a later correction of a rule leaves them."""
    location: Mapped[str] = mapped_column(String(200), default="")
    """Where it was played; "" where nobody says."""
    title: Mapped[str] = mapped_column(String(200), default="")
    """What the evening is called; "" for most."""
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id", ondelete="SET NULL"), index=True)
    """The group in whose book it stands."""
    seatings: Mapped[list[Seating]] = relationship(order_by="Seating.seat", lazy="selectin")


class Seating(Row):
    """A place at a table, and who has it."""

    __tablename__ = "seatings"
    __table_args__ = (Index("ix_seatings_phone_table_id", "phone", "table_id"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200), default="", index=True)
    phone: Mapped[str | None] = mapped_column(String(64))
    """The phone that sits there, hashed; None for a seat that the host plays."""
    has_left: Mapped[bool] = mapped_column(default=False)
    """Whether who sat there had to go, and is played on."""
    hand: Mapped[int | None]
    """The seat by whose hand it is played on; None for the host's."""
    rank: Mapped[int | None]
    """The place that was reached, as it was ruled when the game ended; None while it runs. So are these:"""
    score: Mapped[int | None] = mapped_column(BigInteger)
    figures: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """What the game counts of every seat, for the book of evenings."""


class Entry(Row):
    """A line in a table's log."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("table_id", "key"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """Its place in the log, from 1 without gaps."""
    kind: Mapped[str] = mapped_column(String(12))
    """`move`, `take_back`, `put_back`, `amend`, `start`, `seat`, `table`."""
    seat: Mapped[int | None]
    """Whom it is about; None for the table as a whole."""
    by: Mapped[int | None]
    """The seat whose phone entered it; None for the host."""
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    key: Mapped[str] = mapped_column(String(64))
    """Sent along by the phone: the same key counts once."""
    at: Mapped[str] = mapped_column(String(24))
    """"" in a record that was imported without times."""
    standing: Mapped[str | None] = mapped_column(Text)
    """How the play stood after it (`Play.standing`), as it was ruled; None where it stood so before."""


class Group(Row):
    """People who keep a book of their evenings together."""

    __tablename__ = "groups"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(20), unique=True)
    """The evening key: who has it may read the book, and put evenings into it."""
    name: Mapped[str] = mapped_column(String(200))
    made: Mapped[str] = mapped_column(String(24))


class Member(Row):
    """A phone that has a group's key."""

    __tablename__ = "members"

    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True)
    phone: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    """Hashed."""


class Making(Row):
    """A post that has made a table or a group; it goes with what it has made."""

    __tablename__ = "makings"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Whose post, and the key that it carried, hashed."""
    asked: Mapped[str] = mapped_column(String(64))
    """The same with what it asked for, hashed."""
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)


class Declined(Row):
    """A post that was answered without an entry: a copy of it is to make none either. The newest ones of all tables."""

    __tablename__ = "declined"
    __table_args__ = (UniqueConstraint("table_id", "key"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(64))
    """As an entry would have borne it."""


class Telling(Row):
    """The end of a game, on its way to one of those who are told of it; it goes with its table."""

    __tablename__ = "tellings"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    receiver: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The address, hashed."""
    ended: Mapped[str] = mapped_column(String(24), primary_key=True)
    """As `Table.closed` was: a game that ends again is told again."""
    seen: Mapped[str] = mapped_column(String(24))
    """When it was first tried."""
    tries: Mapped[int]
    due: Mapped[str | None] = mapped_column(String(24), index=True)
    """When it is tried next; None once it was told, or given up."""
