"""The `companion` command, run as people run it: in a process of its own, with files, pipes and a terminal's output."""

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from companion.commands import COMMANDS, printing
from companion.commands import companion as command
from companion.commands.serve import serve
from companion.games import GAMES
from companion.machine.networks import Network
from companion.printing import EVENING, Printer
from tests.databases import PATIENCE_S, Lite
from tests.house import (
    EXAMPLE,
    FOUR,
    Client,
    House,
    Server,
    a_record,
    a_round,
    bid,
    companion,
    environment,
    free_port,
    tally,
)

FINISHED = a_record([move for number in range(1, 11) for move in a_round(number, 4)])
REFUSED = a_record([bid(0, 1), bid(2, 1)])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the command a folder of its own for its data, and stand in another one."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    for name in ("COMPANION_ADDRESS", "COMPANION_DATABASE", "COMPANION_STREAMS", "COMPANION_PORT"):
        monkeypatch.delenv(name, raising=False)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return tmp_path / "data"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run the command in this process; what is no clear answer is raised."""
    result = CliRunner().invoke(command, arguments, input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def written(name: str, content: Any) -> str:
    """Write a record into the folder where we stand."""
    Path(name).write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return name


def every_command(group: click.Group = command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        part = group.get_command(context, name)
        yield (*path, name)
        if isinstance(part, click.Group):
            yield from every_command(part, (*path, name))


@pytest.mark.parametrize("path", [*every_command()], ids=" ".join)
def test_every_command_has_help_with_an_example_of_itself(path: tuple[str, ...]) -> None:
    said = run(*path, "--help").output
    assert re.search(rf"Examples?:\n +companion {' '.join(path)}\b", said), said
    assert run(*path, "-h").output == said
    first = said.split("\n\n")[1].strip()
    assert first.endswith(".")
    assert len(first) > 20


def test_the_bare_command_says_where_to_start() -> None:
    assert "companion serve" in run("--help").output
    assert run("--version").output.startswith("companion, version ")
    assert run("dance").exit_code == 2


def test_the_list_of_commands_says_of_each_what_its_own_help_says_first() -> None:
    for name, (_module, does) in COMMANDS.items():
        assert " ".join(run(name, "--help").output.split("\n\n")[1].split()).startswith(does)


def test_what_needs_neither_the_web_nor_the_database_does_not_wait_for_them(tmp_path: Path) -> None:
    (tmp_path / "evening.json").write_text(json.dumps(EXAMPLE))
    program = """
import sys
from companion.commands import companion
for words in (["--help"], ["replay", "evening.json"], ["judge", "rage", "--trump", "R", "Y8", "R4", "NT"]):
    companion(words, standalone_mode=False)
print(sorted({"alembic", "cryptography", "flask", "sqlalchemy", "weasyprint"} & sys.modules.keys()))
"""
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=True
    )
    assert said.stdout.decode().splitlines()[-1] == "[]"


def test_replay_tells_people_how_a_record_ended(data: Path) -> None:
    result = run("replay", written("evening.json", EXAMPLE))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "evening.json: rage, 5 moves, unfinished",
        "  1. Katka  12",
        "  2. Anna  8",
        "  3. Bohdan  1",
        "  4. Dalibor  -1",
    ]
    assert not data.exists(), "ruling on a file needs no database"


def test_replay_calls_a_seat_that_nobody_has_named_by_its_letter(data: Path) -> None:
    unnamed = {**EXAMPLE, "players": ["", "Bohdan", "Katka", ""]}
    lines = run("replay", written("unnamed.json", unnamed)).stdout.splitlines()
    assert lines[1:] == ["  1. Katka  12", "  2. Seat A  8", "  3. Bohdan  1", "  4. Seat D  -1"]


def test_replay_says_the_same_as_data(data: Path) -> None:
    result = run("replay", "--json", written("evening.json", EXAMPLE))
    (line,) = result.stdout.splitlines()
    said = json.loads(line)
    assert result.exit_code == 0
    assert {name: said[name] for name in ("file", "game", "legal", "moves", "finished", "refused", "remarks")} == {
        "file": "evening.json",
        "game": "rage",
        "legal": True,
        "moves": 5,
        "finished": False,
        "refused": None,
        "remarks": [],
    }
    assert [row["n"] for row in said["summary"]["rounds"][0]["rows"]] == [8, 1, 12, -1]
    assert said["standing"] == [
        {"seat": 2, "name": "Katka", "rank": 1, "score": 12},
        {"seat": 0, "name": "Anna", "rank": 2, "score": 8},
        {"seat": 1, "name": "Bohdan", "rank": 3, "score": 1},
        {"seat": 3, "name": "Dalibor", "rank": 4, "score": -1},
    ]


def test_replay_answers_file_after_file_and_ends_with_the_worst(data: Path) -> None:
    files = [
        written("a.json", FINISHED),
        written("b.json", "{"),
        written("c.json", REFUSED),
        written("d.json", EXAMPLE),
    ]
    result = run("replay", "--json", *files)
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in said] == files
    assert [line.get("legal") for line in said] == [True, None, False, True]
    assert said[0]["finished"]
    assert [run("replay", *some).exit_code for some in (files[:1], files[2:], files[:3])] == [0, 1, 2]
    assert result.exit_code == 2


def test_replay_reads_standard_input(data: Path) -> None:
    result = run("replay", "--json", "-", stdin=json.dumps(EXAMPLE).encode())
    assert json.loads(result.stdout)["file"] == "-"
    assert (result.exit_code, json.loads(result.stdout)["legal"]) == (0, True)
    assert run("replay", "-", stdin=b"").exit_code == 2


def test_replay_rules_on_the_other_files_where_standard_input_is_closed(data: Path) -> None:
    program = f"exec {sys.executable} -m companion replay --json - {written('a.json', EXAMPLE)} <&-"
    done = subprocess.run(
        ["sh", "-c", program], env=environment(data), capture_output=True, timeout=PATIENCE_S, check=False
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("error", {}).get("message") for line in said] == ["Cannot be read: Bad file descriptor.", None]
    assert (said[1]["legal"], done.returncode, done.stderr) == (True, 2, b"")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "To není JSON: "),
        ({**EXAMPLE, "version": 2}, "Verze 2 je novější než tento program, který čte verzi 1."),
        ({**EXAMPLE, "options": {"bidding": "loud"}}, "To tu na výběr není. Možnosti: open, hidden, secret."),
        ({**EXAMPLE, "players": ["A", "B"]}, "Rage je pro 3 až 8 hráčů."),
        (a_record([bid(7, 0)]), "Takové místo není. Místa: 0 až 3."),
        (None, "Nelze přečíst: No such file or directory."),
    ],
)
@pytest.mark.usefixtures("data")
def test_replay_says_in_the_language_that_is_asked_for_why_a_file_is_no_record(content: Any, why: str) -> None:
    name = "evening.json" if content is None else written("evening.json", content)
    result = run("replay", "--json", "--lang", "cs", name)
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]["message"].startswith(why)
    assert why in run("replay", "--lang", "cs", name).stdout


def test_replay_names_the_move_that_is_refused_and_describes_the_table_before_it(data: Path) -> None:
    result = run("replay", "--json", written("refused.json", REFUSED))
    said = json.loads(result.stdout)
    assert result.exit_code == 1
    assert said["refused"] == {
        "number": 2,
        "move": bid(2, 1),
        "rule": "rage.not_your_turn",
        "reason": "It is not your turn: Bohdan is next.",
    }
    assert (said["legal"], said["moves"], said["summary"]["to_move"]) == (False, 1, 1)
    told = run("replay", "refused.json").stdout
    assert "Move 2 is refused by rule 2.3: It is not your turn: Bohdan is next." in told
    assert "rage." not in told


ASKED = {
    "rage": ["--trump", "R", "Y8", "R4"],
    "hanabi": ["--fireworks", "W1"],
    "ikebana": ["K3", "R3", "G3", "B2", "Y2"],
    "ubongo": ["A=6,4,2,2,2,2", "C=4,3,2,6,1,0"],
}


@pytest.mark.parametrize("game", ASKED)
def test_an_answer_leads_people_to_the_rule_in_their_language_and_shows_no_code(game: str) -> None:
    for title, language in (("Rule", "en"), ("Pravidlo", "cs"), ("Regel", "de"), ("Regla", "es"), ("Zasada", "pl")):
        told = run("judge", game, *ASKED[game], "--lang", language).stdout
        assert re.fullmatch(rf"{title} \d\.\d: .+\.", told.splitlines()[-1]), told
        for rule in GAMES[game].rules:
            assert rule.key not in told
            assert rule.source not in told


def test_an_answer_says_the_rule_in_the_words_of_its_card() -> None:
    told = run("judge", "rage", "--trump", "R", "Y8", "R4", "NT").stdout.splitlines()
    assert told[-1].startswith("Rule 3.4: The highest trump takes the trick; without one, the highest card")


def deep(text: str, levels: int = 200_000) -> str:
    return text.replace("…", "[" * levels + "]" * levels)


BROKEN: dict[str, tuple[str, Any]] = {
    "no JSON": ("", "{"),
    "nothing": ("", ""),
    "no object": ("", [EXAMPLE]),
    "a number": ("", 7),
    "huge nesting": ("", deep("…")),
    "huge nesting inside": ("", deep(json.dumps({**EXAMPLE, "title": "…"}, ensure_ascii=False).replace('"…"', "…"))),
    "a huge number": ("version", '{"version": ' + "9" * 10_000 + "}"),
    "another format": ("format", {**EXAMPLE, "format": "chess"}),
    "a newer version": ("version", {**EXAMPLE, "version": 2}),
    "no version": ("version", {**EXAMPLE, "version": None}),
    "a true version": ("version", {**EXAMPLE, "version": True}),
    "an unknown game": ("game", {**EXAMPLE, "game": "chess"}),
    "a list of games": ("game", {**EXAMPLE, "game": ["rage"]}),
    "no players": ("players", {**EXAMPLE, "players": None}),
    "too few players": ("players", {**EXAMPLE, "players": ["A", "B"]}),
    "too many players": ("players", {**EXAMPLE, "players": ["A"] * 9}),
    "a player who is no text": ("players[1]", {**EXAMPLE, "players": ["A", 2, "C", "D"]}),
    "options that are a list": ("options", {**EXAMPLE, "options": []}),
    "an unknown option": ("options.colour", {**EXAMPLE, "options": {"colour": "red"}}),
    "an unknown value": ("options.bidding", {**EXAMPLE, "options": {"bidding": "loud"}}),
    "an option of the wrong type": ("options.durch", {**EXAMPLE, "options": {"durch": 1}}),
    "no moves": ("moves", {**EXAMPLE, "moves": {}}),
    "a move that is no object": ("moves[1]", a_record([bid(0, 1), "bid"])),  # type: ignore[list-item]
    "an unknown move": ("moves[1].move", a_record([bid(0, 1), {"move": "dance"}])),
    "a move without its kind": ("moves[0].move", a_record([{"seat": 1}])),
    "a missing field": ("moves[0].tricks", a_record([{"move": "bid", "seat": 0}])),
    "an unknown field": ("moves[0].color", a_record([{**bid(0, 1), "color": "R"}])),
    "a text for a number": ("moves[0].tricks", a_record([{**bid(0, 1), "tricks": "3"}])),
    "a fraction": ("moves[0].tricks", a_record([{**bid(0, 1), "tricks": 3.0}])),
    "a seat that is not there": ("moves[0].seat", a_record([bid(4, 1)])),
    "a card that is none": ("moves[0].card", a_record([{"move": "turn", "card": "X9"}])),
    "a tally for three": ("moves[0].tricks", a_record([{**tally(1, 1, 1, 1), "tricks": [3, 3, 4]}])),
    "a tally of texts": ("moves[0].plus[2]", a_record([{**tally(1, 1, 1, 1), "plus": [0, 0, "0", 0]}])),
    "somebody else": ("moves[0].by", a_record([{**bid(0, 1), "by": 4}])),
    "some other time": ("moves[0].at", a_record([{**bid(0, 1), "at": "noon"}])),
    "a title that is no text": ("title", {**EXAMPLE, "title": 1}),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_record_is_answered_with_the_place(data: Path, what: str) -> None:
    place, content = BROKEN[what]
    file = written("broken.json", content)
    result = run("replay", "--json", file)
    said = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (said["file"], said["error"]["place"]) == (file, place)
    assert said["error"]["message"].endswith(".")
    told = run("replay", file)
    assert (told.exit_code, len(told.stdout.splitlines())) == (2, 1)
    assert f"broken.json: no record. {place}" in told.stdout
    assert run("import", file).exit_code == 2
    assert everything(data) == [[], [], []]


def test_what_is_no_file_to_read_is_answered_too(data: Path) -> None:
    Path("folder").mkdir()
    Path("binary").write_bytes(bytes(range(256)) * 100)
    Path("latin").write_bytes('{"title": "Žofie"}'.encode("cp1250"))
    Path("sealed").write_text("{}")
    Path("good.json").write_text(json.dumps(EXAMPLE))
    files = ["folder", "binary", "latin", "missing", "good.json"]
    result = run("replay", "--json", *files)
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in said] == files
    assert ["error" in line for line in said] == [True, True, True, True, False]
    assert "Is a directory" in said[0]["error"]["message"]
    assert "No such file" in said[3]["error"]["message"]
    assert result.exit_code == 2


def test_a_file_that_may_not_be_read_is_answered_too(tmp_path: Path) -> None:
    """`/proc/self/mem` opens but cannot be read, for root too."""
    result = companion(tmp_path, "replay", "--json", "/proc/self/mem")
    assert json.loads(result.stdout)["error"]["message"].startswith("Cannot be read")
    assert (result.returncode, result.stderr) == (2, b"")


def test_a_name_that_cannot_be_written_out_harms_nothing(tmp_path: Path) -> None:
    names = ["\ud800", "\x1b]0;gone\x07", "\u202egnirts", "A\nB"]
    (tmp_path / "names.json").write_text(json.dumps({**EXAMPLE, "players": names}))
    result = companion(tmp_path, "replay", "--json", "names.json")
    assert result.returncode == 0
    # Half of a character is dropped where it comes in.
    assert {place["name"] for place in json.loads(result.stdout)["standing"]} == {"", *names[1:]}
    told = run("replay", str(tmp_path / "names.json"))
    assert told.exit_code == 0
    assert len(told.stdout.splitlines()) == 5
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ud800]", told.stdout)


def test_a_terminal_that_lacks_a_letter_is_told_the_rest(tmp_path: Path) -> None:
    """As where the locale is `cs_CZ`, which speaks ISO 8859-2 and has no curly quotes."""
    told = companion(tmp_path, "replay", "-", stdin=b"{}", PYTHONIOENCODING="iso-8859-2")
    assert told.stdout == b"-: no record. format: Not ?companion-record?.\n"
    assert (told.returncode, told.stderr) == (2, b"")


def test_data_is_the_same_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    asked = ["judge", "ubongo", "--json", "Ω=6,4,2,2,2,2", "C=4,3,2,6,1,0"]
    said = companion(tmp_path, *asked, stdin=b"", PYTHONIOENCODING="iso-8859-2")
    assert [place["name"] for place in json.loads(said.stdout)["ranking"]] == ["C", "Ω"]
    assert (said.returncode, said.stderr) == (0, b"")


def test_words_that_are_held_together_are_shown_so(data: Path) -> None:
    """Czech binds “v” to the word after it, by a space that Python does not call printable."""
    told = run("replay", "--lang", "cs", written("evening.json", a_record([bid(0, 99)])))
    assert "tolik je v\u00a0tomto kole štychů." in told.stdout


def test_a_file_with_a_name_that_is_no_text_is_ruled_on(tmp_path: Path) -> None:
    file = tmp_path / "evening-\udcff.json"
    file.write_text(json.dumps(EXAMPLE))
    result = companion(tmp_path, "replay", "--json", file.name)
    assert (result.returncode, json.loads(result.stdout)["file"]) == (0, file.name)
    assert run("replay", str(file)).exit_code == 0


def imported(record: Any) -> tuple[str, str]:
    """Import a record; gives the code and the host's link."""
    result = run("import", written("record.json", record))
    assert result.exit_code == 0, result.output
    found = re.fullmatch(r"Table ([0-9A-Z]{6})\nHost: (\S+)\n", result.stdout)
    assert found, result.output
    return found[1], found[2]


def exported(code: str) -> Any:
    result = run("export", code)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.usefixtures("data")
def test_the_link_of_a_host_opens_one_table_of_those_that_came_together() -> None:
    files = [written(f"{number}.json", a_record([bid(0, number)])) for number in range(2)]
    links = re.findall(r"/t/([0-9A-Z]{6})/host/([0-9a-f]{32})$", run("import", *files).stdout, re.MULTILINE)
    assert len(dict(links)) == len({secret for _code, secret in links}) == 2


@pytest.mark.usefixtures("data")
def test_the_link_of_the_host_leads_through_the_network_that_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_NETWORK", "wlan7")
    monkeypatch.setattr("companion.settings.networks", lambda: [Network("wlan7", "10.1.2.3")])
    _code, host = imported(EXAMPLE)
    assert host.startswith("http://10.1.2.3:8000/t/")


UNFINISHED = a_record(
    [
        *map(bid, range(4), (3, 0, 2, 0)),
        {"move": "turn", "card": "+5"},
        {"move": "turn", "card": "R3"},
        {"move": "play", "seat": 0, "card": "Y8", "at": "2026-11-20T20:00:00.000Z", "by": 0},
        {"move": "play", "seat": 1, "card": "J:Y", "at": "2026-11-20T20:00:01.000Z", "by": "host"},
    ],
    options={"tie": "most_exact_bids"},
    players=["Žofie", "李小龍", "<b>", "D"],
)


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    "record", [EXAMPLE, UNFINISHED, FINISHED, a_record([])], ids=["one", "unfinished", "finished", "none"]
)
def test_what_is_exported_and_imported_again_is_the_same_play(record: Any) -> None:
    code, _ = imported(record)
    first = exported(code)
    assert first["table"] == code
    for name in ("format", "version", "game", "options", "players"):
        assert first[name] == record[name]
    envelope = {"at", "by"}
    assert [{k: v for k, v in move.items() if k not in envelope} for move in first["moves"]] == [
        {k: v for k, v in move.items() if k not in envelope} for move in record["moves"]
    ]
    again = exported(imported({name: value for name, value in first.items() if name != "table"})[0])
    assert {**again, "table": code} == first
    assert ("closed" in first) == (record is FINISHED)
    ruled = [
        json.loads(run("replay", "--json", "-", stdin=json.dumps(part).encode()).stdout) for part in (first, record)
    ]
    assert ruled[0] == ruled[1]


def test_a_record_that_is_here_already_is_not_imported_twice(data: Path) -> None:
    code, _ = imported(EXAMPLE)
    before = everything(data)
    result = run("import", written("again.json", exported(code)))
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"This evening is here already: table {code}." in result.stderr
    assert everything(data) == before


@pytest.mark.usefixtures("data")
def test_export_writes_into_a_file() -> None:
    code, _ = imported(EXAMPLE)
    assert run("export", code.lower(), "-o", "out.json").stdout == ""
    assert json.loads(Path("out.json").read_text()) == exported(code)
    failed = run("export", code, "-o", "nowhere/out.json")
    assert (failed.exit_code, "nowhere/out.json cannot be written" in failed.output) == (1, True)


@pytest.mark.usefixtures("data")
def test_what_shall_go_to_standard_output_becomes_no_file() -> None:
    """Found by hand: `companion print rage --blank -o - | lp` printed nothing, and a file was called "-"."""
    evening = imported(EXAMPLE)[0]
    for words in (["export", evening], ["export", "--all"], ["print", "rage", "--blank"]):
        result = run(*words, "-o", "-")
        assert result.exit_code == 0, result.output
        assert result.stdout_bytes[:4] in {b"{\n  ", b"PK\x03\x04", b"%PDF"}
    assert [*Path().iterdir()] == [Path("record.json")]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("arguments", [("export", "000000"), ("export", "\udcff"), ("print", "000000"), ("export", "")])
def test_an_unknown_code_is_said_to_be_unknown(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, "There is no table with this code" in result.stderr) == (1, True)


def everything(data: Path) -> list[list[tuple[Any, ...]]]:
    return [Lite(data).rows(f"SELECT * FROM {table}") for table in ("tables", "seatings", "entries")]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (REFUSED, "Move 2 is refused: It is not your turn: Bohdan is next."),
        ({**EXAMPLE, "players": ["A" * 25, *FOUR[1:]]}, "A name needs 1 to 24 characters"),
        ({**EXAMPLE, "players": ["\u200b", *FOUR[1:]]}, "A name needs 1 to 24 characters"),
        ({**EXAMPLE, "players": ["A"] * 9}, "players"),
    ],
)
def test_a_record_that_is_refused_changes_nothing(data: Path, record: Any, said: str) -> None:
    imported(EXAMPLE)
    before = everything(data)
    result = run("import", written("refused.json", record))
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert result.stdout == ""
    assert everything(data) == before


@pytest.mark.usefixtures("data")
def test_names_from_a_record_are_cleaned() -> None:
    code, _ = imported({**EXAMPLE, "players": [" A\u202eb ", "\ud800B", "C\x00", "Dd\u0301"]})
    assert exported(code)["players"] == ["Ab", "B", "C", "Dd\u0301"]


def text_of(file: str) -> str:
    pages = PdfReader(io.BytesIO(Path(file).read_bytes())).pages
    return "\n".join(page.extract_text() for page in pages)


@pytest.fixture
def warm(printer: Printer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command print by the render process that is there, and leave it running."""
    monkeypatch.setattr(printer, "close", lambda: None)
    monkeypatch.setattr(printing, "Printer", lambda *_about, **_more: printer)


def test_print_gives_a_blank_sheet_without_any_table(data: Path) -> None:
    result = run("print", "rage", "--blank", "--paper", "a4", "--lang", "en", "-o", "rage.pdf")
    assert result.exit_code == 0, result.output
    page = PdfReader("rage.pdf").pages[0]
    assert [round(float(edge) / 72 * 25.4) for edge in sorted(page.mediabox[2:])] == [210, 297]
    assert "Rage" in text_of("rage.pdf")
    assert result.stdout == ""
    assert not data.exists()


@pytest.mark.usefixtures("data", "warm")
def test_print_gives_the_sheet_and_the_join_card_of_a_table() -> None:
    code, _ = imported(EXAMPLE)
    assert run("print", code).exit_code == 0
    sheet = text_of(f"{code}-score_sheet.pdf")
    assert all(name in sheet for name in (*FOUR, code))
    assert run("print", code, "--item", "join_card", "--paper", "letter", "-o", "join.pdf").exit_code == 0
    assert code in text_of("join.pdf")


@pytest.mark.usefixtures("warm")
def test_print_all_makes_a_folder_with_every_sheet(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here every form, in one language on one paper; `print --all` itself takes minutes."""
    every = printing.every_sheet
    monkeypatch.setattr(
        printing, "every_sheet", lambda game: [s for s in every(game) if (s.language, s.paper) == ("es", "letter")]
    )
    result = run("print", "ubongo", "--all", "--players", "2", "-o", "far/sheets")
    assert result.exit_code == 0, result.output
    names = {file.name for file in Path("far/sheets").glob("*.pdf")}
    wanted = [sheet for sheet in printing.every_sheet(GAMES["ubongo"]) if sheet.item != EVENING]
    assert names == {f"ubongo-{sheet.name}.pdf" for sheet in wanted}
    assert "ubongo-rule_cards-folded-es-letter.pdf" in names
    assert f"{len(names)} sheets, " in result.stderr
    assert not data.exists()


@pytest.mark.usefixtures("data", "warm")
def test_print_all_prints_again_only_what_would_be_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    every = printing.every_sheet
    few = {"score_pad", "rule_card"}
    monkeypatch.setattr(
        printing,
        "every_sheet",
        lambda game: [s for s in every(game) if s.item in few and (s.language, s.paper) == ("pl", "a4")],
    )

    def printed(*options: str) -> tuple[dict[str, bytes], str]:
        result = run("print", "rage", "--all", "-o", "sheets", *options)
        assert result.exit_code == 0, result.output
        files = {file.name: file for file in Path("sheets").glob("*.pdf")}
        return {name: file.read_bytes() for name, file in files.items()}, result.stderr

    def when() -> dict[str, int]:
        return {file.name: file.stat().st_mtime_ns for file in Path("sheets").glob("*.pdf")}

    first, said = printed()
    before = when()
    assert len(first) > 2
    assert "as they were" not in said
    spoilt, gone = sorted(first)[:2]
    Path("sheets", spoilt).write_bytes(b"%PDF-1.7 spoilt")
    Path("sheets", gone).unlink()
    again, said = printed()
    assert f", {len(first) - 2} of them as they were" in said
    assert again.keys() == first.keys()
    assert all(PdfReader(f"sheets/{name}").pages for name in (spoilt, gone))
    assert {name for name, then in when().items() if before[name] != then} == {spoilt, gone}
    cards = {name for name in first if "rule_card" in name}
    assert cards
    with_durch, _ = printed("--option", "durch=on")
    assert cards <= {name for name in first if with_durch[name] != again[name]}
    for ledger in (b"torn", b"[]", b"{}"):
        Path("sheets/.printed.json").write_bytes(ledger)
        assert "as they were" not in printed()[1]


@pytest.mark.usefixtures("warm")
def test_a_blank_sheet_follows_the_rules_that_are_named(data: Path) -> None:
    for option, number in (("multicolour=5", "of 30"), ("multicolour=0", "of 25")):
        assert run("print", "hanabi", "--option", option, "-o", "hanabi.pdf").exit_code == 0
        assert number in text_of("hanabi.pdf")
    assert not data.exists()


@pytest.mark.usefixtures("data", "warm")
def test_a_switch_is_named_by_the_words_that_a_refusal_names() -> None:
    texts = []
    for word in ("true", "on", "false"):
        result = run("print", "rage", "--item", "rule_card", "--option", f"durch={word}", "-o", "rage.pdf")
        assert result.exit_code == 0, result.output
        texts.append(text_of("rage.pdf"))
    assert texts[0] == texts[1] != texts[2]
    refused = run("print", "rage", "--option", "durch=yes")
    assert (refused.exit_code, "durch: Not a choice here. Allowed: true, false, on, off." in refused.output) == (
        1,
        True,
    )


@pytest.mark.usefixtures("data", "warm")
def test_print_all_of_a_table_bears_its_names_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = imported(EXAMPLE)
    every = printing.every_sheet
    few = {"score_sheet", "join_card"}
    monkeypatch.setattr(
        printing, "every_sheet", lambda game: [sheet for sheet in every(game) if sheet.item in few][::4]
    )
    assert run("print", code, "--all", "-o", "sheets").exit_code == 0
    files = list(Path("sheets").glob("*.pdf"))
    assert files
    assert all(file.name.startswith(f"{code}-") for file in files)
    assert all(name in text_of(f"sheets/{code}-score_sheet-en-a4.pdf") for name in FOUR)


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("print", "chess", "--blank"), "chess: no such game. Known: "),
        (("print", "rage", "--players", "99"), "3 to 8 players"),
        (("print",), "Name a game or the code of a table"),
        (("print", "Rage"), "Games are called: hanabi, ikebana, rage"),
        (("print", "rage", "--item", "join_card", "--form", "leaf"), "join_card is laid out as: sheet"),
        (("print", "rage", "--option", "bidding=loud"), "bidding"),
        (("print", "rage", "--option", "colour=red"), "colour"),
        (("print", "rage", "--blank", "-o", "nowhere/rage.pdf"), "nowhere/rage.pdf cannot be written"),
        (("print", "rage", "--paper", "napkin"), "napkin"),
        (("print", "K7QX2M", "--option", "durch=on"), "--players and --option are for an empty sheet of a game."),
        (("print", "K7QX2M", "--players", "3", "--all"), "--players and --option are for an empty sheet of a game."),
        (("print", "rage", "--lang", "xx"), "xx"),
    ],
)
def test_what_cannot_be_printed_is_said(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert list(Path().iterdir()) == []


@pytest.mark.usefixtures("data")
def test_serve_says_when_the_port_is_busy() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        result = run("serve", "--host", "127.0.0.1", "--port", str(port))
    assert result.exit_code == 1
    assert f"127.0.0.1:{port} cannot be used (Address already in use)" in result.stderr
    assert f"companion serve --port {port + 1}" in result.stderr


@pytest.mark.usefixtures("data")
def test_one_setting_tells_the_server_and_the_commands_beside_it_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by hand: beside `serve --port 8080` the link that `import` printed led to a port where nobody was."""
    monkeypatch.setenv("COMPANION_PORT", "8123")
    assert serve.make_context("serve", []).params["port"] == 8123
    assert ":8123/t/" in imported(EXAMPLE)[1]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serve", "--port", "18000", "--https", "--https-port", "65535"), "companion serve --https-port 8080"),
        (("serve", "--port", "65535"), "companion serve --port 8080"),
        (("demo", "--port", "65535"), "companion demo --port 8080"),
    ],
)
def test_the_port_that_is_proposed_is_one_and_asked_for_by_its_own_option(
    arguments: tuple[str, ...], told: str
) -> None:
    """Found by hand: who was told to try --port 8444 for a busy 8443 found it as busy as before."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 65535))
        busy.listen()
        result = run(*arguments, "--host", "127.0.0.1")
    assert result.exit_code == 1
    assert result.stderr.endswith(f"Try another: {told}\n")


@pytest.mark.parametrize(("words", "told"), [(["serve"], "serve"), (["demo"], "demo"), (["serv"], "--help")])
def test_whoever_is_told_what_to_type_can_type_it(words: list[str], told: str, tmp_path: Path) -> None:
    """Found by hand: in the tree there is `bin/companion`, and the evening's first line was to be `companion serve`."""
    around = {**environment(tmp_path), "COMPANION_TYPED": "bin/companion"}
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        at = ["--host", "127.0.0.1", "--port", str(busy.getsockname()[1])]
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words, *at],
            env=around,
            capture_output=True,
            text=True,
            check=False,
        )
    assert f" bin/companion {told}" in done.stderr.replace("'", " ")
    assert not re.search(r"(?<!bin/)companion (?:serve|demo|--)", done.stderr)


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "evening.json"),
        ("replay", "--json", "evening.json"),
        ("export", "--all"),
        ("--help",),
        ("--version",),
        ("export", "--help"),
    ],
)
def test_what_finds_no_room_where_it_is_written_is_told_in_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "evening.json").write_text(json.dumps(EXAMPLE))
    assert companion(tmp_path, "import", "evening.json").returncode == 0
    command = [sys.executable, "-m", "companion", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(tmp_path / "data"), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "Error: What it says cannot be written: No space left on device.\n"


@pytest.mark.parametrize("words", [("replay", "evening.json"), ("replay", "--json", "evening.json"), ("--help",)])
def test_what_is_said_to_a_closed_output_is_not_taken_for_said(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "evening.json").write_text(json.dumps(EXAMPLE))
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "companion", *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE, check=False)
    assert done.stderr.decode() == "Error: What it says cannot be written: Bad file descriptor.\n"
    assert done.returncode == 1


def test_who_needs_no_output_does_not_miss_one_that_is_closed(tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "companion"]
    words = ["print", "rage", "--blank", "--item", "rule_cards", "-o", "cards.pdf"]
    done = subprocess.run([*command, *words], cwd=tmp_path, env=environment(tmp_path), check=False)
    assert done.returncode == 0
    assert PdfReader(tmp_path / "cards.pdf").pages


def test_what_was_written_before_stays_where_there_is_no_room_for_what_shall_take_its_place(tmp_path: Path) -> None:
    """Found on a full disk: what was printed or exported last week was a file without a byte."""
    (tmp_path / "rage.pdf").write_text("that of last week")
    command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "companion"]
    blank = ["print", "rage", "--blank", "-o", "rage.pdf"]
    around = environment(tmp_path / "data")
    done = subprocess.run([*command, *blank], cwd=tmp_path, env=around, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"rage.pdf cannot be written: " in done.stderr
    assert (tmp_path / "rage.pdf").read_text() == "that of last week"
    assert [file.name for file in tmp_path.iterdir()] == ["rage.pdf"]


@pytest.mark.parametrize("words", [("stats",), ("backup", "copy")])
def test_a_full_disk_is_called_so_from_the_start(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Found on one: all that was said was “disk I/O error”, as of a disk that breaks."""
    House(tmp_path).close()
    (tmp_path / "secret_key").write_bytes(bytes(32))
    command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "companion", *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False)
    assert done.returncode != 0
    assert done.stderr.decode() == "Error: The database cannot be used: database or disk is full.\n"


@pytest.mark.parametrize("time", ["once", "again"])
def test_what_a_command_sets_is_gone_for_the_next(time: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert os.environ.get("COMPANION_STREAMS") != "77", time
    assert run("serve", "--host", "no such host", "--streams", "77").exit_code == 1
    assert os.environ["COMPANION_STREAMS"] == "77"


@pytest.mark.usefixtures("data")
def test_serve_holds_as_many_phones_as_the_setting_says_unless_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_STREAMS", "4321")
    assert run("serve", "--host", "no such host").exit_code == 1
    assert os.environ["COMPANION_STREAMS"] == "4321"
    assert run("serve", "--host", "no such host", "--streams", "77").exit_code == 1
    assert os.environ["COMPANION_STREAMS"] == "77"


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "70000"),
        (("--port", "http"), "http"),
        (("--streams", "0"), "--streams"),
        (("--host", "no such host"), "no such host cannot be used"),
        (("--host", "a" * 64), "cannot be used"),
        (("--host", "192.0.2.1", "--port", "18000"), "192.0.2.1:18000 cannot be used"),
        (("--host", "2001:db8::1", "--port", "18000"), "[2001:db8::1]:18000 cannot be used"),
        (("--https", "--port", "18000", "--https-port", "18000", "--workers", "2"), "--https-port must differ"),
    ],
)
def test_serve_refuses_what_it_cannot_listen_at(arguments: tuple[str, ...], said: str) -> None:
    result = run("serve", *arguments)
    assert result.exit_code in {1, 2}
    assert said in result.stderr


@pytest.mark.usefixtures("data")
def test_nothing_is_purged_for_being_older_than_any_day() -> None:
    assert run("import", written("finished.json", FINISHED)).exit_code == 0
    done = run("purge", "--older-than", "99999y", "--yes")
    assert (done.exit_code, done.stderr) == (0, "0 tables deleted.\n")


@pytest.mark.usefixtures("data")
def test_serve_sends_nobody_to_another_port_for_an_address_of_another_computer() -> None:
    assert "Try another" not in run("serve", "--host", "192.0.2.1").stderr


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COMPANION_DATABASE", "sqlite://", "must be a file"),
        ("COMPANION_DATABASE", "postgresql://127.0.0.1:1/x", "The database cannot be used: connection failed"),
        ("COMPANION_STREAMS", "many", "COMPANION_STREAMS"),
        ("COMPANION_DATA", "/dev/null", "Error: /dev/null cannot be used: File exists.\n"),
        ("COMPANION_DATA", "/dev/null/here", "Error: /dev/null/here cannot be used: Not a directory.\n"),
    ],
)
@pytest.mark.usefixtures("data")
def test_no_command_starts_on_settings_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    result = run("export", "000000")
    assert (result.exit_code, said in result.stderr) == (1, True), result.output


@pytest.mark.parametrize("words", [("stats",), ("purge", "--older-than", "1d"), ("serve",)], ids=" ".join)
def test_a_data_folder_that_is_a_file_is_called_so_in_a_sentence(
    words: tuple[str, ...], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by hand: it was “[Errno 17] File exists: '…'”."""
    data.touch()
    monkeypatch.setattr("os.environ", dict(os.environ))  # `serve` sets what it hands on
    result = run(*words)
    assert (result.exit_code, result.stderr) == (1, f"Error: {data} cannot be used: File exists.\n")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run `companion serve` from a folder of its own; the last test stops it."""
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port)]
    server = Server(folder, port, command, environment(folder / "data"))
    server.start()
    yield server
    server.kill()


def test_serve_prints_its_address_and_a_code_and_answers_there(served: Server) -> None:
    said = served.output()
    assert f"The companion is at http://127.0.0.1:{served.port}\n" in said
    assert str(served.folder / "data") in said
    assert sum("█" in line for line in said.splitlines()) >= 12
    with Client(served.port, "ann") as client:
        lobby = client.get("/")
        assert lobby.status == 200
        assert b"Rage" in lobby.body


def test_an_imported_table_gets_its_host_by_the_link_that_import_prints(served: Server) -> None:
    (served.folder / "evening.json").write_text(json.dumps(EXAMPLE))
    said = companion(
        served.folder, "import", "evening.json", COMPANION_ADDRESS=f"http://127.0.0.1:{served.port}"
    ).stdout.decode()
    link = re.search(r"Host: (\S+)", said)
    code = re.search(r"Table (\S+)", said)
    assert link
    assert code
    path = link[1].removeprefix(f"http://127.0.0.1:{served.port}")
    assert path.startswith(f"/t/{code[1]}/host/")
    with Client(served.port, "ann") as ann, Client(served.port, "bo") as bo:
        assert ann.get(path).status == 200
        assert Lite(served.folder / "data").rows("SELECT number FROM entries WHERE number > 5") == []
        assert ann.post(f"/t/{code[1]}/lock", {"locked": "1"}).status == 403, "opening the link alone changes nothing"
        assert ann.post(path, {}).status == 303
        assert ann.post(f"/t/{code[1]}/lock", {"locked": "1"}).status == 303
        assert bo.post(path, {}).status == 403
        assert bo.post(f"/t/{code[1]}/host/{'0' * 32}", {}).status == 403
        assert ann.post(f"/t/{code[1]}/0/move", {"move": "bid", "seat": 0, "tricks": 1}).status == 422


def test_a_served_table_can_be_exported_while_it_is_played(served: Server) -> None:
    house = House(served.folder / "data")
    code = house.open()
    with Client(served.port, "host") as client:
        for seat in range(3):
            assert client.post(f"/t/{code}/0/move", {"move": "bid", "seat": seat, "tricks": seat}).status == 303
    house.close()
    result = companion(served.folder, "export", code)
    assert [move["tricks"] for move in json.loads(result.stdout)["moves"]] == [0, 1, 2]


def test_serve_ends_quietly_when_it_is_stopped(served: Server) -> None:
    assert served.process is not None
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(60) == 0
    assert "Traceback" not in served.output()
