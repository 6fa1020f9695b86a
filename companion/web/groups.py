"""Groups that share a book: founded, joined by their key, left."""

from __future__ import annotations

from typing import TypedDict

from flask import Blueprint, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import addresses, quotas, wording
from companion.desk.asking import find_group
from companion.desk.context import Context
from companion.desk.keys import fresh_key
from companion.desk.phone import phone
from companion.errors import BadName, BadNote, NoSuchGroup
from companion.log import groups
from companion.log.codes import said_code
from companion.log.rows import Group
from companion.web.forms import number_of, post_of_form

pages = Blueprint("groups", __name__)


class ShownGroup(TypedDict):
    """A group, for who is in it."""

    id: int
    name: str
    key: str
    """As it is read aloud."""
    phones: int
    address: str
    """Where the key leads to."""
    qr: Markup


class GroupsPage(Context, template="groups.html"):
    """The groups of this phone."""

    groups: list[ShownGroup]
    key: str
    """Of the form for a new one: founds it once."""
    error: str
    """What is wrong with its name; "" for nothing."""
    typed: str
    """That name."""
    no_group: str
    """What is said of a key that no group has; "" for nothing."""
    typed_key: str
    """That key."""


class JoinPage(Context, template="join.html"):
    """Whether this phone shall read the book of a group."""

    group: Group


@pages.get("/groups")
def all_groups() -> str:
    """Show the groups of this phone, and how to found or join one."""
    return _page()


@pages.post("/groups")
def found() -> BaseResponse | tuple[str, int]:
    """Found a group."""
    quotas.spend(quotas.TABLES)
    name = request.form.get("name", "")
    try:
        group = groups.found(name, phone(), post_of_form())
    except BadNote as error:
        # It needs letters, too, which is said of names alone.
        return _page(wording.said(BadName(**error.facts)), name), error.status
    return redirect(url_for("groups.all_groups", _anchor=f"group-{group.id}"), 303)


@pages.get("/groups/join")
def typed_key() -> BaseResponse | tuple[str, int]:
    """Go where the key that was typed leads to."""
    key = request.args.get("key", "")
    try:
        return redirect(url_for("groups.join_form", key=find_group(key).key))
    except NoSuchGroup as error:
        return _page(no_group=wording.said(error), typed_key=key), error.status


@pages.get("/groups/join/<key>")
@pages.get("/GROUPS/JOIN/<key>", endpoint="short_join_form")
def join_form(key: str) -> str:
    """Ask whether this phone shall read the book of a group; opening the link alone changes nothing."""
    return JoinPage(group=find_group(key)).html()


@pages.post("/groups/join/<key>")
def join(key: str) -> BaseResponse:
    """Let this phone into a group."""
    group = find_group(key)
    groups.join(group, phone())
    return redirect(url_for("book.evenings_page", group=group.id), 303)


@pages.post("/groups/leave")
def leave() -> BaseResponse:
    """Leave a group."""
    groups.leave(_mine(), phone())
    return redirect(url_for("groups.all_groups"), 303)


@pages.post("/groups/key")
def change_key() -> BaseResponse:
    """Give a group a new key."""
    group = _mine()
    groups.change_key(group)
    return redirect(url_for("groups.all_groups", _anchor=f"group-{group.id}"), 303)


def _page(error: str = "", typed: str = "", no_group: str = "", typed_key: str = "") -> str:
    shown = [_shown(group) for group in groups.groups_of(phone())]
    wrong = {"error": error, "typed": typed, "no_group": no_group, "typed_key": typed_key}
    return GroupsPage(groups=shown, key=fresh_key(), **wrong).html()


def _mine() -> Group:
    return groups.group_of(phone(), number_of("group"))


def _shown(group: Group) -> ShownGroup:
    address = addresses.our_address() + url_for("groups.join_form", key=group.key)
    return {
        "id": group.id,
        "name": group.name,
        "key": said_code(group.key),
        "phones": groups.phones(group),
        "address": address,
        "qr": addresses.qr_of(address.upper()),
    }
