"""The API against its own description: whatever schemathesis thinks of is answered as it is described."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig

from companion import create_app, log
from companion.desk import listening
from companion.desk.guard import limiter
from companion.log import Readings
from companion.settings import Settings
from tests.web.conftest import Mirror

CONFIG = SchemathesisConfig.from_dict(
    {
        # What a description cannot say, the referee does: an option of another game, a move out of turn.
        "checks": {
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "3xx", "400", "401", "403", "404", "409", "422", "429"]
            }
        }
    }
)
EXAMPLES, LONG = 12, 200


class Paper(Mirror):
    """A printer that gives no PDF, but says it is one."""

    def pdf(self, html: str) -> bytes:
        return b"%PDF-" + html[:20].encode()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("api")
    app = create_app(Settings(data=folder, database=f"sqlite:///{folder / 'c.sqlite'}", secret=b"s" * 32))
    with app.app_context():
        log.upgrade()
    app.extensions["companion.printer"] = Paper()
    limiter.enabled = False
    beat, listening.BEAT_S = listening.BEAT_S, 0
    yield app
    listening.BEAT_S = beat
    limiter.enabled = True


@pytest.fixture(scope="module")
def host(app: Flask) -> dict[str, str]:
    """A table of Rage, and the token of its host."""
    opened = app.test_client().post("/api/tables", json={"game": "rage", "players": ["Ann", "Bo", "Cy"]}).json
    assert opened
    return {"code": opened["table"]["code"], "token": opened["token"]}


@pytest.fixture(scope="module")
def description(app: Flask, host: dict[str, str]) -> Any:
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app, config=CONFIG)

    @schema.auth()
    class Token:
        def get(self, case: Any, context: Any) -> str:
            return host["token"]

        def set(self, case: Any, token: str, context: Any) -> None:
            case.headers["Authorization"] = f"Bearer {token}"

    return schema


@pytest.mark.promise(20)
def test_every_operation_answers_as_it_is_described(description: Any, host: dict[str, str], is_long: bool) -> None:
    operations = [found.ok() for found in description.get_all_operations()]
    assert len(operations) >= 20
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=LONG if is_long else EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
        def answers(case: Any) -> None:
            if "code" in (case.path_parameters or {}) and len(str(case.path_parameters["code"])) % 4:
                case.path_parameters["code"] = host["code"]
            case.call_and_validate()

        answers()


def begins_again(app: Flask, start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the house be as it was, with the same chance and the same clock: a story told twice must be the same twice."""
    dice, clock = Random(7), count()
    monkeypatch.setattr(secrets, "token_hex", lambda size: dice.randbytes(size).hex())
    monkeypatch.setattr(secrets, "choice", dice.choice)
    for place in (log, log.door):
        monkeypatch.setattr(place, "now", lambda: f"2026-11-21T20:00:00.{next(clock):03}Z")
    with app.app_context():
        log.close()
    for left in start.parent.glob("c.sqlite-*"):
        left.unlink()
    shutil.copy(start, start.with_name("c.sqlite"))
    app.extensions["companion.readings"] = Readings()


@pytest.mark.promise(20)
def test_what_is_opened_can_be_used(app: Flask, description: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statefully: a table is opened, and what follows uses its code."""
    with app.app_context():
        log.close()  # whoever closes last puts all that was written in its place
    start = Path(shutil.copy(app.config["COMPANION"].data / "c.sqlite", app.config["COMPANION"].data / "start"))

    class Stories(description.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            begins_again(app, start, monkeypatch)

    Stories.run(settings=settings(max_examples=EXAMPLES, stateful_step_count=8, deadline=None))


def test_the_folder_is_a_real_one(app: Flask) -> None:
    assert Path(app.config["COMPANION"].data, "c.sqlite").stat().st_size > 0
