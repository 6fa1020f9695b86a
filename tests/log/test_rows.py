"""The rows are those that the migrations have made room for, and begin as the log takes for granted."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine, inspect

from companion import log
from companion.log.codes import fresh_codes
from companion.log.rows import Base, db
from tests.house import House


def described(engine: Engine) -> dict[str, Any]:
    """Describe what the tables are: by what rows are told apart, what goes with them, and whether a number comes again."""
    found, tables = inspect(engine), {}
    with engine.connect() as connection:
        made = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
    for name, sql in made:
        if name in Base.metadata.tables:
            indexes = sorted((each["name"], each["column_names"]) for each in found.get_indexes(name))
            tables[name] = {
                "columns": {each["name"]: (str(each["type"]), each["nullable"]) for each in found.get_columns(name)},
                "primary": sorted(found.get_pk_constraint(name)["constrained_columns"]),
                "unique": sorted(sorted(each["column_names"]) for each in found.get_unique_constraints(name)),
                "indexes": indexes,
                "goes with": sorted(
                    (each["constrained_columns"], each["referred_table"], each["options"].get("ondelete"))
                    for each in found.get_foreign_keys(name)
                ),
                "never again": "AUTOINCREMENT" in sql,
            }
    return tables


def test_rows_are_what_the_migrations_have_made_room_for(house: House) -> None:
    said = create_engine("sqlite://")
    Base.metadata.create_all(said)
    with house.app.app_context():
        assert described(said) == described(db.engine)
    assert described(said).keys() == Base.metadata.tables.keys()


def test_a_table_of_which_no_more_is_said_begins_open_untaught_and_without_an_end(house: House) -> None:
    with house.app.app_context():
        seatings = [log.Seating(seat=0, figures=None)]
        table = log.Table(game="rage", options={}, host="host", opened=log.now(), result=None, seatings=seatings)
        log.open_table(table, fresh_codes())
    begun = house.rows("SELECT rules, is_locked, is_taught, halt, location, title FROM tables WHERE result IS NULL")
    assert begun == [(1, False, False, "", "", "")]
    assert house.rows("SELECT name, has_left FROM seatings WHERE figures IS NULL") == [("", False)]
