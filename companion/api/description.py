"""How the API describes itself, and how it says that something is wrong."""

from __future__ import annotations

import http
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

import flask_smorest
from apispec import APISpec
from flask import Flask, Request, Response, json, request
from flask_babel import gettext as _
from marshmallow import Schema
from webargs.core import missing
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException
from werkzeug.http import generate_etag

from companion.api import headers
from companion.api.asking import check_key
from companion.api.schemas import ProblemSchema
from companion.desk import races, trouble
from companion.desk.context import Context
from companion.desk.keys import KEY_LENGTH
from companion.desk.phone import API as PREFIX
from companion.desk.phone import KEY as KEY_HEADER
from companion.desk.phone import is_api
from companion.errors import CompanionError, Malformed, NotThere, RecordRefused, TooOften
from companion.intake import NotRead, read_json

PROBLEM = "application/problem+json"
TYPE = f"{PREFIX}#"
"""A problem's type is the address where it is explained."""

KEY = {
    "in": "header",
    "name": KEY_HEADER,
    "schema": {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH},
    "description": "The same key counts once, however often the post is sent; with another body it is refused.",
}
SEEN = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "The `ETag` of an earlier answer: if this one would be the same, it is 304 without a body.",
}
UNCHANGED = {"description": "As it was: see `If-None-Match`."}
REFUSED = (
    "refused",
    422,
    "The rules say no: `rule` names the rule, `detail` says why, `later` the entry that an amendment would break.",
)
CHANGING = (403, 404, 409, 415, 422, 503)
"""How a change may fail, beside what may go wrong anywhere."""

F = TypeVar("F", bound=Callable[..., Any])


class ApiPage(Context, template="api.html"):
    """The API, for people."""

    title: str
    about: str
    operations: list[dict[str, Any]]
    """`path`, `method`, and what OpenAPI says of each."""
    problems: list[tuple[str, int, str | None]]
    """Each by its key, its status and what it means."""


class BodyParser(FlaskParser):
    """Reads bodies as everything is read that comes from outside."""

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Read a body. Raises: Malformed."""
        body = req.get_data(cache=True)
        try:
            return read_json(body) if body.strip() else missing
        except NotRead as error:
            raise Malformed(place=error.place or "JSON", reason=error.message) from None


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """Resources that answer with problem details."""

    ARGUMENTS_PARSER = BodyParser()

    def __init__(self, name: str, module: str, **more: Any) -> None:
        """Stand under the prefix of all."""
        super().__init__(name, module, url_prefix=PREFIX, **more)
        self.before_request(check_key)

    def route(self, rule: str, **more: Any) -> Callable[[F], F]:
        """Name an operation as its function, so that generated clients have a word for it."""
        decorate: Callable[[F], F] = super().route(rule, **more)
        return lambda function: decorate(self.doc(operationId=function.__name__)(function))

    def arguments(self, schema: type[Schema], **more: Any) -> Callable[[F], F]:
        """Read what is sent by one schema for all requests: to make one costs more than to read with it."""
        decorate: Callable[[F], F] = super().arguments(schema(), **more)
        return decorate

    def may_fail(self, *statuses: int, is_counted: bool = True) -> Callable[[F], F]:
        """Document the problems of an operation, beside those that every one has: 400, 500, and 429 where it counts."""

        def decorate(function: F) -> F:
            for status in (*statuses, 400, *([429] if is_counted else []), 500):
                named = http.HTTPStatus(status).name
                function = self.alt_response(status, named)(function)
            return function

        return decorate

    def changes(
        self, body: type[Schema] | None, answer: type[Schema], status: int = 200, *, by_anyone: bool = False
    ) -> Callable[[F], F]:
        """Describe an operation that changes something: its body, its answer, and that it needs a token."""

        def decorate(function: F) -> F:
            secured: dict[str, Any] = {} if by_anyone else {"security": [{"token": []}]}
            function = self.doc(**secured)(function)
            function = self.response(status, answer)(function)
            function = self.may_fail(*CHANGING, *(() if by_anyone else (401,)))(function)
            return self.arguments(body)(function) if body else function

        return decorate

    def kept(self, function: F) -> F:
        """Answer who has kept what is still the same by 304 (`ETag`, `If-None-Match`); nobody between may keep it."""

        @wraps(function)
        def answered(*args: Any, **named: Any) -> Response:
            answer: Response = function(*args, **named)
            tag = generate_etag(answer.get_data())
            # The library's own way would tell the time as well, which servers do.
            answer = Response(status=304) if request.if_none_match.contains_weak(tag) else answer
            answer.set_etag(tag, weak=True)
            return answer

        told = self.doc(responses={"304": UNCHANGED})
        return cast(F, told(answered))


class Api(flask_smorest.Api):  # type: ignore[misc]
    """The API, which leaves the errors of the pages to the pages."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, complete: Callable[[APISpec], None]) -> None:
        """Serve an app; `complete` adds to the description what the resources do not say of themselves."""
        self._resources: list[Blueprint] = []
        self._complete = complete
        super().__init__(app)

    def register_blueprint(self, resources: Blueprint) -> None:
        """Serve resources; they are described when somebody asks."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][resources.name] = self
        self._app.register_blueprint(resources)
        self._resources.append(resources)

    @cached_property
    def described(self) -> APISpec:
        """The description; made when somebody asks first, for a server that starts is waited for."""
        spec: APISpec = self.spec
        self._describe_problems()
        for one in self._resources:
            one.register_views_in_doc(self, self._app, spec, name=one.name, parameters=None)
            spec.tag({"name": one.name, "description": one.description})
        self._complete(spec)
        return spec

    def _openapi_json(self) -> Response:
        """Serve the description."""
        return Response(json.dumps(self.described.to_dict(), indent=2, sort_keys=False), mimetype="application/json")

    def _register_responses(self) -> None:
        """Register nothing yet: the library does so at the start, with a content type that is not ours."""

    def _describe_problems(self) -> None:
        """Register the problems under the content type that they have."""
        for status in http.HTTPStatus:
            if status >= 400:  # noqa: PLR2004
                content = {PROBLEM: {"schema": ProblemSchema}}
                told = headers.of_a_problem(status)
                response = {"description": status.phrase, "headers": told, "content": content}
                self.spec.components.response(status.name, response, lazy=True)

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Answer under `/api` with a problem, and elsewhere with a page."""
        if not is_api():
            return trouble.page_of(error)
        trouble.note_http(error)
        status = error.code or 500
        messages = getattr(error, "data", {}).get("messages")
        known = {404: NotThere, 429: TooOften}.get(status)
        if messages:
            place, reason = first_complaint(messages)
            answer = problem(400, Malformed.key, _(Malformed.title), f"{place}: {reason}" if place else reason)
        elif known:
            answer = problem(status, known.key, _(known.title), _(known.message))
        else:
            key = http.HTTPStatus(status).name.lower()
            answer = problem(status, key, http.HTTPStatus(status).phrase, error.description or "")
        for name, value in error.get_headers(request.environ):
            if name.lower() not in {"content-type", "content-length"}:
                answer.headers.setdefault(name, value)
        return answer


def companion_error(error: CompanionError) -> Response:
    """Answer a program with a problem, and a phone with a page."""
    return problem_of(error) if is_api() else trouble.page_of(error)


def problem_of(error: CompanionError) -> Response:
    """Tell a program what went wrong above the rules."""
    trouble.note(error)
    more = {"rule": error.facts["rule"], "later": error.facts["number"]} if isinstance(error, RecordRefused) else {}
    answer = problem(error.status, error.key, _(error.title), races.detail(error), **more)
    if error.status == 401:  # noqa: PLR2004
        answer.headers["WWW-Authenticate"] = "Bearer"
    if wait_s := trouble.wait_s(error):
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def problem(status: int, key: str, title: str, detail: str, **more: Any) -> Response:
    """Write problem details (RFC 9457)."""
    said = {"type": f"{TYPE}{key}", "title": title, "status": status, "detail": detail, **more}
    return Response(json.dumps(said, ensure_ascii=False), status, mimetype=PROBLEM)


def readable(spec: APISpec) -> str:
    """Show the description to people."""
    described = spec.to_dict()
    operations = [
        {"path": f"{PREFIX}{path}", "method": method, **operation}
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]
    problems = [REFUSED, *((kind.key, kind.status, kind.__doc__) for kind in _kinds(CompanionError) if kind.title)]
    about = described["info"]["description"]
    return ApiPage(title="API", about=about, operations=operations, problems=problems).html()


def _kinds(kind: type[CompanionError]) -> list[type[CompanionError]]:
    return [kind, *(more for each in kind.__subclasses__() for more in _kinds(each))]


def first_complaint(messages: Any) -> tuple[str, str]:
    """Find the first complaint of a schema, and the name of its field."""
    place: list[str] = []
    while isinstance(messages, dict) and messages:
        key, messages = next(iter(messages.items()))
        place.append(str(key))
    while isinstance(messages, list) and messages:
        messages = messages[0]
    names = [name for name in place if name not in {"json", "query", "headers", "_schema"}]
    return ".".join(names), str(messages)
