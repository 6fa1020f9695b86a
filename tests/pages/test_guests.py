"""A program in a browser, on a page of another origin: it plays by the API, where the companion has named its origin."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.phones import Server, free_port

OPEN = """async (at) => {
  const body = JSON.stringify({ game: "rage", players: ["A", "B", "C"] });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID?.() ?? "one" };
  const answer = await fetch(`${at}/api/tables`, { method: "POST", body, headers });
  const opened = await answer.json();
  const bearer = { Authorization: `Bearer ${opened.token}` };
  const view = await fetch(`${at}/api/tables/${opened.table.code}/view?seat=0`, { headers: bearer });
  return { code: opened.table.code, token: opened.token, seen: await view.json(), tag: view.headers.get("ETag") };
}"""
PLAY = """([at, code, token]) => new Promise((tell) => {
  const said = [];
  const socket = new WebSocket(`${at.replace("http", "ws")}/api/tables/${code}/socket?seat=0&auth=message`);
  socket.onopen = () => socket.send(JSON.stringify({ token }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    said.push(message);
    if (message.look?.number === 0)
      socket.send(JSON.stringify({ key: "k", move: { move: "bid", seat: 0, tricks: 3 } }));
    if (message.look?.number === 1) socket.close();
  };
  socket.onclose = ({ code }) => tell([said, code]);
})"""


class Elsewhere(BaseHTTPRequestHandler):
    """A page with nothing on it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Board</title>")

    def log_message(self, format: str, *about: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def board() -> Iterator[str]:
    """Give the origin of a site that is not the companion's."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://localhost:{site.server_address[1]}"
    site.shutdown()
    site.server_close()


@pytest.fixture(scope="module")
def hospitable(board: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"), free_port(), more={"COMPANION_ORIGINS": board})
    server.start()
    yield server
    server.stop()


def test_a_program_of_a_named_origin_plays_from_a_page_of_its_own(
    browser: Browser, hospitable: Server, board: str
) -> None:
    page = browser.new_page()
    page.goto(board)
    opened = page.evaluate(OPEN, hospitable.address)
    assert opened["seen"]["seat"] == 0
    assert opened["tag"]
    said, closed = page.evaluate(PLAY, [hospitable.address, opened["code"], opened["token"]])
    assert [next(name for name in ("welcome", "ruled", "look") if name in one) for one in said] == [
        *("welcome", "look", "ruled", "look")
    ]
    assert closed in {1000, 1005}
    page.close()


@pytest.mark.promise(14)
def test_a_program_of_another_origin_does_not(browser: Browser, hospitable: Server, board: str) -> None:
    other = board.replace("localhost", "127.0.0.1")
    page = browser.new_page()
    page.goto(other)
    asked = "(at) => fetch(`${at}/api/games`).then(() => 'read', () => 'refused')"
    assert page.evaluate(asked, hospitable.address) == "refused"
    page.goto(board)
    assert page.evaluate(asked, hospitable.address) == "read"
    assert page.evaluate(asked.replace("/api/games", "/"), hospitable.address) == "refused", "no page is read"
    page.close()


@pytest.mark.parametrize(("path", "is_told"), [("/api/games", True), ("/", False)])
def test_a_guest_may_read_that_nobody_reads_what_it_asks(
    hospitable: Server, board: str, path: str, is_told: bool
) -> None:
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {board}\r\nX: ".encode() + b"x" * 70_000
    with socket.create_connection(("127.0.0.1", hospitable.port)) as one:
        one.sendall(head)
        answer = one.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert (f"\r\nAccess-Control-Allow-Origin: {board}\r\n".encode() in answer) == is_told
