"""A sheet becomes a PDF in a process of its own, which reads nothing else and is never waited for in vain."""

import contextlib
import gettext
import logging
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from jinja2 import TemplatesNotFound, UndefinedError

from companion import printing
from companion.printing import (
    PAPERS,
    Printer,
    PrinterBusy,
    PrinterStuck,
    SheetBroken,
    missing_font,
)
from companion.printing import sheet as sheet_module
from companion.printing.press import DONE, PRINT, receive, send
from companion.settings import PRINTABLES
from tests.house import without_threads
from tests.proofs import PAPERS_MM, bare, boxes_mm, sheet, sizes_mm, text
from tests.waiting import PATIENCE_S

LINK = "http://192.168.178.20:8000/t/K7QX2M"
JOIN = {
    "game_name": "Rage",
    "code": "K7QX2M",
    "link": LINK,
    "title": "Friday",
    "tongues": ["en"],
    "wifi": "",
    "network": "",
}
ENDLESS = bare("<table>" + "<tr><td>1</td><td>2</td></tr>" * 60_000 + "</table>")


@pytest.fixture
def hasty() -> Iterator[Printer]:
    """A printer with little patience and one place in the queue."""
    printer = Printer(PRINTABLES, patience_s=3.0, waiting=0)
    yield printer
    printer.close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server that would notice a call."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        yield server


# What comes out


@pytest.mark.parametrize("paper", PAPERS)
def test_a_join_card_fills_one_page_of_its_paper(printer: Printer, paper: str) -> None:
    pdf = printer.pdf(sheet("rage", "join_card", JOIN, paper))
    assert sizes_mm(pdf) == [PAPERS_MM[paper]]
    assert text(pdf).count("K7QX2M") == 4
    assert "192.168.178.20:8000" in text(pdf)


def test_four_join_cards_of_equal_size_cover_the_page() -> None:
    cards = boxes_mm(sheet("rage", "join_card", JOIN), "section")
    assert [(round(right - left, 1), round(bottom - top, 1)) for left, top, right, bottom in cards] == [
        (105, 148.5)
    ] * 4


def test_hostile_titles_and_names_are_text_on_the_card(printer: Printer) -> None:
    hostile = JOIN | {"title": "<script>alert(1)</script>", "game_name": "<img src=http://127.0.0.1:9/>"}
    pdf = printer.pdf(sheet("rage", "join_card", hostile))
    assert "<script>alert(1)</script>" in text(pdf).replace("\n", "")


def test_two_processes_print_the_same_bytes(printer: Printer) -> None:
    html = sheet("rage", "join_card", JOIN | {"title": "twice"})
    first = printer.pdf(html)
    other = Printer(PRINTABLES)
    try:
        other.pdf(bare("<p>Something else comes first."))
        assert other.pdf(html) == first
    finally:
        other.close()


def test_letters_that_no_font_has_become_question_marks(printer: Printer) -> None:
    assert "Anna ??" in text(printer.pdf(bare("<p>Anna \U0001f9ec\U00012031")))


@pytest.mark.parametrize("name", ["น้ำ", "ນ້ຳ", "\U0001d15e"])
def test_a_letter_of_whose_parts_no_font_has_one_keeps_no_sheet_from_being_printed(printer: Printer, name: str) -> None:
    """The layout engine takes it apart, and names its parts: Thai's vowel am is two."""
    assert "Anna" in text(printer.pdf(bare(f"<p>Anna {name}")))


def test_the_words_come_from_the_catalogue() -> None:
    class Other(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message.replace("Join", "Come")

    assert "Come card" in sheet("rage", "join_card", JOIN, words=Other())


# What is refused


@pytest.mark.promise(18)
@pytest.mark.parametrize(
    "body",
    [
        '<img src="{}" alt="x">',
        '<link rel="stylesheet" href="{}">',
        '<style>@import "{}";</style>',
        '<style>p {{ background: url("{}") }}</style><p>x</p>',
        '<style>p::before {{ content: url("{}") }}</style><p>x</p>',
        '<style>@font-face {{ font-family: x; src: url("{}") }} p {{ font-family: x }}</style><p>x</p>',
        '<ul style="list-style-image: url(&quot;{}&quot;)"><li>x</li></ul>',
        '<object data="{}">x</object>',
        '<embed src="{}">',
        '<link rel="attachment" href="{}">',
        '<a rel="attachment" href="{}">x</a>',
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="{}" width="9" height="9"/></svg>',
    ],
)
def test_a_sheet_can_neither_read_nor_call_out(printer: Printer, listener: socket.socket, body: str) -> None:
    port = listener.getsockname()[1]
    for address in ("file:///etc/passwd", f"http://127.0.0.1:{port}/x", f"https://127.0.0.1:{port}/x"):
        with pytest.raises(SheetBroken, match="no sheet may read"):
            printer.pdf(bare(body.format(address)))
    with pytest.raises(TimeoutError):
        listener.accept()


@pytest.mark.promise(18)
@pytest.mark.parametrize("inside", ['<use href="{}#x"/>', '<style>@import "{}";</style>', '<g filter="url({})"/>'])
def test_a_drawing_cannot_call_out(printer: Printer, listener: socket.socket, inside: str) -> None:
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/x"
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside.format(address)}</svg>'
    # The layout engine ignores some of these, and fails on others: either will do.
    with contextlib.suppress(SheetBroken):
        printer.pdf(bare(drawing))
    with pytest.raises(TimeoutError):
        listener.accept()


@pytest.mark.promise(18)
@pytest.mark.parametrize(
    "address",
    [
        "../pyproject.toml",
        "file://localhost/etc/passwd",
        "FILE:///etc/passwd",
        "//127.0.0.1/x.png",
        "ftp://127.0.0.1/x.png",
        "%2e%2e/pyproject.toml",
    ],
)
def test_no_spelling_leads_out_of_the_folder(printer: Printer, address: str) -> None:
    with pytest.raises(SheetBroken, match="no sheet may read"):
        printer.pdf(bare(f'<img src="{address}" alt="x">'))


@pytest.mark.promise(18)
def test_a_link_in_the_folder_does_not_lead_out_of_it(tmp_path: Path) -> None:
    folder = shutil.copytree(PRINTABLES, tmp_path / "printables")
    (folder / "out.css").symlink_to("/etc/passwd")
    printer = Printer(folder)
    try:
        with pytest.raises(SheetBroken, match="no sheet may read"):
            printer.pdf(bare('<link rel="stylesheet" href="out.css">'))
    finally:
        printer.close()


@pytest.mark.parametrize(
    "html",
    [
        bare('<p style="colour: red">x</p>'),
        bare("<style>p { width: nonsense }</style>"),
        bare('<img src="data:image/png;base64,AAAA" alt="x">'),
        bare('<img src="missing.png" alt="x">'),
        bare("<p>x</p>").replace(' lang="en"', ""),
    ],
)
def test_any_complaint_of_the_layout_engine_breaks_the_sheet(printer: Printer, html: str) -> None:
    with pytest.raises(SheetBroken, match="cannot be printed"):
        printer.pdf(html)


def test_a_broken_sheet_leaves_no_trace_on_the_next(printer: Printer) -> None:
    with pytest.raises(SheetBroken):
        printer.pdf(bare('<p style="colour: red">x</p>'))
    assert "next" in text(printer.pdf(bare("<p>next")))


def test_an_unknown_paper_sheet_or_word_of_a_template_is_an_error() -> None:
    with pytest.raises(ValueError, match="a4, letter"):
        sheet("rage", "join_card", JOIN, paper="a5")
    with pytest.raises(TemplatesNotFound):
        sheet("rage", "no_such_card", JOIN)
    with pytest.raises(UndefinedError, match="tongues"):
        sheet("rage", "join_card", {"game_name": "Rage", "code": "", "title": ""})


# How it waits


@pytest.mark.promise(18)
def test_a_sheet_without_end_is_given_up_and_the_next_is_printed(hasty: Printer) -> None:
    begun = time.monotonic()
    with pytest.raises(PrinterStuck, match="took longer than 3 seconds"):
        hasty.pdf(ENDLESS)
    assert time.monotonic() - begun < 3 + 10
    assert "next" in text(hasty.pdf(bare("<p>next")))


@pytest.mark.promise(18)
def test_a_sheet_that_eats_all_memory_is_given_up_and_the_next_is_printed() -> None:
    printer = Printer(PRINTABLES, memory_bytes=350 << 20, patience_s=60)
    try:
        with pytest.raises(PrinterStuck, match="memory"):
            printer.pdf(bare("<p>" + "word " * 3_000_000))
        assert "next" in text(printer.pdf(bare("<p>next")))
    finally:
        printer.close()


def test_who_finds_the_queue_full_is_told_so_at_once(hasty: Printer) -> None:
    hasty.pdf(bare("<p>warm"))
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(hasty.pdf, ENDLESS)
        while hasty._turn.acquire(blocking=False):
            hasty._turn.release()
            time.sleep(0.01)
        with pytest.raises(PrinterBusy, match="Too many sheets"):
            hasty.pdf(bare("<p>late"))
        assert not slow.done()
        assert isinstance(slow.exception(), PrinterStuck)


def test_who_waits_too_long_is_told_so() -> None:
    printer = Printer(PRINTABLES, patience_s=0.1)
    with printer._turn, pytest.raises(PrinterBusy, match=r"busy for 0\.1 seconds"):
        printer.pdf(bare("<p>late"))


@pytest.mark.promise(18)
def test_a_dead_process_is_replaced(printer: Printer) -> None:
    printer.pdf(bare("<p>first"))
    assert printer._press is not None
    os.kill(printer._press._process.pid, 9)
    printer._press._process.wait()
    assert "second" in text(printer.pdf(bare("<p>second")))


def test_a_process_whose_asker_has_gone_meanwhile_ends_without_a_word() -> None:
    """Whoever reads the log of a server that was stopped would look for a fault."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        [sys.executable, "-m", "companion.printing", str(PRINTABLES), str(1 << 30)], **pipes
    ) as asked:
        assert asked.stdin
        assert asked.stdout
        assert asked.stderr
        assert receive(asked.stdout) == (DONE, b"")
        asked.stdout.close()
        send(asked.stdin, PRINT, bare("<p>late").encode())
        asked.stdin.close()
        assert (asked.wait(PATIENCE_S), asked.stderr.read()) == (0, b"")


def test_a_new_process_takes_over_after_so_many_sheets() -> None:
    printer = Printer(PRINTABLES, documents=2)
    try:
        pids = []
        for number in range(3):
            printer.pdf(bare(f"<p>{number}"))
            assert printer._press is not None
            pids.append(printer._press._process.pid)
        assert [pids.index(pid) for pid in pids] == [0, 0, 2]
    finally:
        printer.close()


def test_a_printer_that_cannot_start_says_so(tmp_path: Path) -> None:
    (tmp_path / "print.css").write_text("p { colour: red }")
    with pytest.raises(PrinterStuck, match="does not start"):
        Printer(tmp_path).pdf(bare("<p>x"))


@pytest.mark.parametrize("is_running", [False, True])
def test_a_printer_that_is_given_no_thread_says_so_and_prints_the_next_sheet(is_running: bool) -> None:
    printer = Printer(PRINTABLES)
    try:
        if is_running:
            printer.pdf(bare("<p>before"))
        with without_threads(), pytest.raises(PrinterStuck):
            printer.pdf(bare("<p>never"))
        assert "next" in text(printer.pdf(bare("<p>next")))
    finally:
        printer.close()


def test_a_printer_that_can_open_no_file_says_so_and_prints_the_next_sheet() -> None:
    printer = Printer(PRINTABLES)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        with pytest.raises(PrinterStuck, match="does not start"):
            printer.pdf(bare("<p>never"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        assert "next" in text(printer.pdf(bare("<p>next")))
    finally:
        printer.close()


def test_the_first_sheet_finds_the_process_that_was_woken() -> None:
    printer = Printer(PRINTABLES)
    try:
        printer.wake()
        waits_for_waking()
        woken = printer._press
        printer.wake()
        waits_for_waking()
        assert woken is not None
        assert "first" in text(printer.pdf(bare("<p>first")))
        assert printer._press is woken
    finally:
        printer.close()


def test_a_process_that_has_ended_is_woken_again(printer: Printer) -> None:
    printer.pdf(bare("<p>first"))
    gone = printer._press
    assert gone is not None
    os.kill(gone._process.pid, 9)
    gone._process.wait()
    printer.wake()
    waits_for_waking()
    assert printer._press not in {None, gone}


def test_who_prints_already_is_not_woken(printer: Printer) -> None:
    printer.close()
    with printer._turn:
        printer.wake()
        waits_for_waking()
    assert printer._press is None


def test_who_looks_at_what_can_be_printed_is_shown_it_where_there_is_no_thread_to_wake_the_printer() -> None:
    printer = Printer(PRINTABLES)
    with without_threads():
        printer.wake()
    try:
        printer.wake()
        waits_for_waking()
        assert printer._press is not None
    finally:
        printer.close()


def test_a_printer_that_does_not_start_says_so_with_the_next_sheet(tmp_path: Path) -> None:
    (tmp_path / "print.css").write_text("p { colour: red }")
    printer = Printer(tmp_path)
    printer.wake()
    waits_for_waking()
    with pytest.raises(PrinterStuck, match="does not start"):
        printer.pdf(bare("<p>x"))


def waits_for_waking() -> None:
    """Wait until nobody wakes a printer any more."""
    for thread in threading.enumerate():
        if thread.name == "printer":
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def test_the_same_sheet_comes_from_memory(printer: Printer) -> None:
    html = bare("<p>once")
    first = printer.pdf(html)
    printer.close()
    assert printer.pdf(html) is first
    assert printer._press is None


def test_a_changed_style_sheet_is_seen(tmp_path: Path) -> None:
    folder = shutil.copytree(PRINTABLES, tmp_path / "printables")
    printer = Printer(folder)
    try:
        first = printer.pdf(bare("<p>x"))
        with (folder / "print.css").open("a") as css:
            css.write("@page { margin: 33mm }")
        assert printer.pdf(bare("<p>x")) != first
    finally:
        printer.close()


def test_many_threads_get_each_their_own_sheet(printer: Printer) -> None:
    with ThreadPoolExecutor(8) as threads:
        pdfs = list(threads.map(lambda number: printer.pdf(bare(f"<p>sheet {number}")), range(16)))
    assert [text(pdf).strip() for pdf in pdfs] == [f"sheet {number}" for number in range(16)]


def test_no_thread_is_left_behind(printer: Printer) -> None:
    before = threading.active_count()
    printer.pdf(bare("<p>quiet"))
    assert threading.active_count() == before


# The font


def test_a_missing_font_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_module, "FONT", "No Such Family")
    message = missing_font()
    assert message is not None
    assert "No Such Family" in message
    assert "fonts-lato" in message


def test_printing_without_the_font_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(printing, "missing_font", lambda: "The font is not installed.")
    printer = Printer(PRINTABLES)
    try:
        with caplog.at_level(logging.WARNING):
            printer.pdf(bare("<p>x"))
        assert "The font is not installed." in caplog.messages
    finally:
        printer.close()
