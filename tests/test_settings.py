"""The first start makes a folder and a key that nobody else can read; every setting is read or refused by name."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion import create_app, log
from companion.errors import StartError
from companion.server.claim import claim_to_serve, release
from companion.settings import PORT, from_environment, own_address


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("COMPANION_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "deep" / "data"))


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> object:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_the_first_start_makes_a_folder_and_a_key_for_our_eyes_only() -> None:
    settings = from_environment()
    assert mode(settings.data) == 0o700
    assert mode(settings.data / "secret_key") == 0o600
    assert len(settings.secret) == 32
    assert (settings.data / "secret_key").read_bytes() == settings.secret
    assert [file.name for file in settings.data.iterdir()] == ["secret_key"]


def test_the_next_start_finds_the_same_key() -> None:
    assert from_environment().secret == from_environment().secret


def test_two_folders_have_two_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = from_environment()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "other"))
    assert from_environment().secret != first.secret


def test_first_starts_at_once_agree_on_one_key() -> None:
    with ThreadPoolExecutor(16) as pool:
        settings = list(pool.map(lambda _: from_environment(), range(64)))
    assert len({setting.secret for setting in settings}) == 1
    assert [file.name for file in settings[0].data.iterdir()] == ["secret_key"]


def test_a_first_start_that_is_overtaken_takes_the_key_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    link, quicker = os.link, []

    def overtaken(fresh: Path, file: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        quicker.append(from_environment())
        link(fresh, file)

    monkeypatch.setattr(os, "link", overtaken)
    settings = from_environment()
    assert settings.secret == quicker[0].secret
    assert [file.name for file in settings.data.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("left", [b"", b"x", b"x" * 31])
def test_a_key_that_is_empty_or_cut_off_is_refused_by_its_file(left: bytes) -> None:
    file = from_environment().data / "secret_key"
    file.write_bytes(left)
    with pytest.raises(StartError, match=f"{file} has no whole key"):
        from_environment()
    assert file.read_bytes() == left
    file.unlink()
    assert len(from_environment().secret) == 32


def test_a_longer_key_that_somebody_brought_is_taken() -> None:
    (from_environment().data / "secret_key").write_bytes(b"x" * 65)
    assert from_environment().secret == b"x" * 65


def test_a_key_that_did_not_come_on_to_the_disk_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_room(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("os.fsync", no_room)
        with pytest.raises(OSError, match="No space"):
            from_environment()
    assert list((tmp_path / "deep" / "data").iterdir()) == []
    assert len(from_environment().secret) == 32


def test_the_data_lies_where_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", "here")
    settings = from_environment()
    assert settings.data == tmp_path / "here"
    assert settings.database == f"sqlite:///{tmp_path}/here/companion.sqlite"


@pytest.mark.parametrize("name", ["what?", "100%", "a#b", "a b", "a%20b", "Žofie", "a?b=c&uri=true"])
def test_the_database_and_its_lock_lie_in_the_folder_whatever_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / name))
    settings = from_environment()
    claim_to_serve(settings, "It is served.")
    try:
        with create_app(settings).app_context():
            log.upgrade()
            log.close()
    finally:
        release()
    assert {file.name for file in (tmp_path / name).iterdir()} == {
        "companion.sqlite",
        "companion.sqlite.lock",
        "secret_key",
        "serving.lock",
    }
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_without_a_word_the_data_lies_where_the_platform_keeps_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("COMPANION_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert from_environment().data == tmp_path / "share" / "companion"


def test_a_file_in_the_place_of_the_folder_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "file"))
    with pytest.raises(FileExistsError):
        from_environment()


def test_the_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "COMPANION_DATABASE": "sqlite:////elsewhere",
        "COMPANION_ADDRESS": "https://table.example/",
        "COMPANION_NETWORK": "wlan0",
        "COMPANION_NAME": "Klub-2",
        "COMPANION_HOSTS": "table.example,, OTHER.example ",
        "COMPANION_ORIGINS": "https://board.example, http://localhost:3000,,http://[::1]:8080",
        "COMPANION_STREAMS": "7",
        "COMPANION_HOMES": "30",
        "COMPANION_DEMO": "rage,, hanabi",
        "COMPANION_PACE": "0.25",
    }.items():
        monkeypatch.setenv(name, value)
    settings = from_environment()
    assert settings.database == "sqlite:////elsewhere"
    assert settings.address == "https://table.example"
    assert (settings.network, settings.name) == ("wlan0", "klub-2")
    assert settings.hosts == ("table.example", "other.example")
    assert settings.origins == ("https://board.example", "http://localhost:3000", "http://[::1]:8080")
    assert (settings.streams, settings.homes) == (7, 30)
    assert (settings.demo, settings.pace_s) == (("rage", "hanabi"), 0.25)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("HTTPS://Companion.Example", "https://companion.example"),
        ("https://companion.example:443/", "https://companion.example"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("http://[FE80::1]:8000//", "http://[fe80::1]:8000"),
        (" http://raspberry_pi ", "http://raspberry_pi"),
    ],
)
def test_the_address_is_read_as_browsers_write_it(monkeypatch: pytest.MonkeyPatch, given: str, read: str) -> None:
    monkeypatch.setenv("COMPANION_ADDRESS", given)
    assert from_environment().address == read


@pytest.mark.parametrize(
    "value",
    [
        *("companion.example", "192.168.1.5:8000", "//table.example", "ftp://table.example", "http://", "http:///x"),
        *("http://[::1", "http://[1.2.3.4]", "http://fe80::1:8000", "http://table.example:x", "http://table.example:0"),
        *("http://table.example:99999", "http://user:pw@table.example", "http://ta ble.example", "https://*.example"),
        *("https://table.example/x", "https://table.example?x", "https://table.example#x", "https://stůl.example", "/"),
    ],
)
def test_an_address_that_leads_no_phone_here_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("COMPANION_ADDRESS", value)
    with pytest.raises(StartError, match="COMPANION_ADDRESS"):
        from_environment()


@pytest.mark.parametrize("value", ["sqlite:///evenings.sqlite", "sqlite:///home/anna/evenings.sqlite"])
def test_half_of_the_path_of_a_database_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Its lock lay where it was typed, and the database itself in the tree of the companion."""
    monkeypatch.setenv("COMPANION_DATABASE", value)
    with pytest.raises(StartError, match="COMPANION_DATABASE"):
        from_environment()


@pytest.mark.parametrize("value", ["[::1]", "::1", "0:0:0:0:0:0:0:1"])
def test_a_host_of_ipv6_is_read_as_requests_name_it(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_HOSTS", f"192.168.1.5,{value},raspberry_pi")
    assert from_environment().hosts == ("192.168.1.5", "::1", "raspberry_pi")


@pytest.mark.parametrize(
    "value",
    [
        *("https://table.example", "table.example:8443", "table.example/", "*.example", "[::1]:8000", ":8000"),
        *("ta ble.example", "a@table.example", "stůl.example", "[::1"),
    ],
)
def test_a_host_that_no_request_names_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """With https:// before it every page was answered by 400, and nothing said why."""
    monkeypatch.setenv("COMPANION_HOSTS", f"other.example,{value}")
    with pytest.raises(StartError, match="COMPANION_HOSTS names"):
        from_environment()


@pytest.mark.parametrize(("value", "has_lines"), [("", False), ("json", True), ("JSON", True)])
def test_the_log_is_written_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, value: str, has_lines: bool) -> None:
    monkeypatch.setenv("COMPANION_LOG", value)
    assert from_environment().has_lines is has_lines


def test_a_way_to_write_the_log_that_nobody_knows_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LOG", "jsonl")
    with pytest.raises(StartError, match="COMPANION_LOG is jsonl"):
        from_environment()


@pytest.mark.parametrize("value", ["", "quick", "-1", "1e3", "٣", "nan", "99999"])
def test_a_pace_that_is_no_time_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_PACE", value)
    with pytest.raises(StartError, match="COMPANION_PACE"):
        from_environment()


@pytest.mark.parametrize("value", ["", "many", "-1", "1.5", "٣", "1e3", "9" * 5000])
def test_a_number_that_is_none_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_STREAMS", value)
    with pytest.raises(StartError, match="COMPANION_STREAMS"):
        from_environment()


@pytest.mark.parametrize("value", ["klub.local", "-klub", "klub ", "стол", "k" * 43])
def test_a_name_that_no_network_takes_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_NAME", value)
    with pytest.raises(StartError, match="COMPANION_NAME"):
        from_environment()


@pytest.mark.parametrize(
    "value",
    [
        *("*", "null", "board.example", "https://*.example", "https://board.example/", "https://Board.example"),
        *("https://board.example:443", "https://a@board.example", "file:///home", "https://", "https://b.example:x"),
        "https://deska.příklad",
    ],
)
def test_an_origin_that_no_browser_says_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_ORIGINS", f"https://board.example,{value}")
    with pytest.raises(StartError, match="COMPANION_ORIGINS"):
        from_environment()


@pytest.mark.parametrize(
    "value",
    [
        *("redis://localhost:abc", "redis://h:99999", "redis://h:0", "redis://[::1", "localhost:6379"),
        *("redis://h?db=x", "rediss://h/0?db=1&db=x", "redis://h/club", "redis://h/0/1"),
        *("redis+sentinel://a:99999/x", "redis+sentinel://a:1,b:0/x", "redis+sentinel://me:secret@[::1:26379/x"),
    ],
)
def test_an_address_where_no_redis_can_be_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_REDIS", value)
    with pytest.raises(StartError, match="COMPANION_REDIS is no address"):
        from_environment()


@pytest.mark.parametrize(
    "value",
    [
        *("redis://localhost", "rediss://:pass:w@rd@h:6380/1?db=2", "redis://[::1]:6379/0"),
        "redis+sentinel://me:a,b@one:26379,two:26379/companion?db=1",
    ],
)
def test_an_address_of_redis_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_REDIS", value)
    assert from_environment().redis == value


@pytest.mark.parametrize("value", ["0", "65536", "99999", "http", " 8000", "8000.", "-1", "٣", ":8000"])
def test_a_port_that_is_none_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_PORT", value)
    with pytest.raises(StartError, match="COMPANION_PORT"):
        from_environment()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        *(("", None), ("8443", ("0.0.0.0", 8443)), (":8443", ("0.0.0.0", 8443)), ("[::]:8443", ("::", 8443))),
        *(("127.0.0.1:65535", ("127.0.0.1", 65535)), ("Table.lan:1", ("table.lan", 1))),
    ],
)
def test_the_secure_door_is_where_it_is_said(
    monkeypatch: pytest.MonkeyPatch, given: str, read: tuple[str, int] | None
) -> None:
    monkeypatch.setenv("COMPANION_HTTPS", given)
    assert from_environment().https == read


@pytest.mark.parametrize("value", ["a:b:8443", "::8443", "x", ":", "0.0.0.0", "0.0.0.0:", "0.0.0.0:0", "0.0.0.0:99999"])
def test_a_door_that_cannot_be_opened_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COMPANION_HTTPS", value)
    with pytest.raises(StartError, match="COMPANION_HTTPS"):
        from_environment()


def test_a_token_that_could_be_guessed_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert from_environment().operator == ""
    monkeypatch.setenv("COMPANION_OPERATOR", "x" * 20)
    assert from_environment().operator == "x" * 20
    monkeypatch.setenv("COMPANION_OPERATOR", "x" * 19)
    with pytest.raises(StartError, match="COMPANION_OPERATOR is too short") as refused:
        from_environment()
    assert "xxx" not in str(refused.value)


def test_without_a_word_no_origin_is_named() -> None:
    assert from_environment().origins == ()


WEBHOOK = "https://club.example/ended?by=us"
WEBHOOK_KEY = "whsec_" + 8 * "aGF0"
OTHER_KEY = "whsec_" + 8 * "Y2Fw"


@pytest.mark.parametrize(
    ("addresses", "keys", "found"),
    [
        ("", "", []),
        (WEBHOOK, WEBHOOK_KEY, [b"hat"]),
        (f"{WEBHOOK}, http://[::1]:8080,", WEBHOOK_KEY, [b"hat", b"hat"]),
        (f"{WEBHOOK},http://b.example", f"{OTHER_KEY}, {WEBHOOK_KEY}", [b"cap", b"hat"]),
    ],
)
def test_who_is_told_has_a_key_each_or_all_have_one(
    monkeypatch: pytest.MonkeyPatch, addresses: str, keys: str, found: list[bytes]
) -> None:
    monkeypatch.setenv("COMPANION_WEBHOOKS", addresses)
    monkeypatch.setenv("COMPANION_WEBHOOK_KEYS", keys)
    told = from_environment().webhooks
    assert [one.key for one in told] == [8 * key for key in found]
    assert [one.address for one in told] == [one.strip() for one in addresses.split(",") if one.strip()]


@pytest.mark.parametrize(
    "address",
    [
        *("board.example", "ftp://board.example", "https://", "https://a@board.example/", "https://a:b@board.example/"),
        *(
            "https://board.example/#there",
            "https://board.example:x/",
            "https://bo ard.example/",
            "https://deska.příklad",
        ),
    ],
)
def test_an_address_where_nothing_can_be_posted_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("COMPANION_WEBHOOKS", f"{WEBHOOK},{address}")
    monkeypatch.setenv("COMPANION_WEBHOOK_KEYS", WEBHOOK_KEY)
    with pytest.raises(StartError, match="COMPANION_WEBHOOKS names"):
        from_environment()


@pytest.mark.parametrize(
    "keys",
    ["", "secret", "whsec_", "whsec_aGF0", "whsec_*", WEBHOOK_KEY[6:], "whsec_" + 30 * "aGF0", 3 * f"{WEBHOOK_KEY},"],
)
def test_a_key_that_is_missing_or_none_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    monkeypatch.setenv("COMPANION_WEBHOOKS", f"{WEBHOOK},{WEBHOOK}")
    monkeypatch.setenv("COMPANION_WEBHOOK_KEYS", keys)
    with pytest.raises(StartError, match="COMPANION_WEBHOOK_KEYS") as error:
        from_environment()
    assert not keys.removeprefix("whsec_") or keys not in str(error.value)


def test_a_key_for_nobody_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_WEBHOOK_KEYS", WEBHOOK_KEY)
    with pytest.raises(StartError, match="COMPANION_WEBHOOK_KEYS"):
        from_environment()


def test_our_own_address_names_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_address(1234).startswith("http://")
    assert own_address(1234).endswith(":1234")
    assert own_address().endswith(f":{PORT}")
    monkeypatch.setenv("COMPANION_PORT", "8123")
    assert own_address().endswith(":8123")
