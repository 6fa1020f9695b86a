"""A program that knows the API by its description alone, and holds every answer to it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

PROBLEM = "application/problem+json"
OURS = (
    *("API-Version", "ETag", "Content-Disposition", "WWW-Authenticate", "Retry-After"),
    *("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Retry-After"),
)
"""Headers that stand nowhere but where the description has them."""


@dataclass
class Program:
    """One that sits at a table: it has a token once it was given one."""

    client: FlaskClient
    token: str = ""
    described: dict[str, Any] = field(default_factory=dict)
    told: Headers = field(default_factory=Headers)
    """The headers of the last answer."""

    def __post_init__(self) -> None:
        self.described = self.client.get("/api/openapi.json").get_json()

    def asks(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str = "",
        query: dict[str, Any] | None = None,
        **named: Any,
    ) -> tuple[int, Any]:
        """Use an operation; return the status and what was said, which must be as the description has it."""
        path = path.removeprefix("/api")
        operation = self.described["paths"][path][method]
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        sent = {"json": {} if body is None else body} if "requestBody" in operation else {}
        answer = self.client.open(
            self.described["servers"][0]["url"] + path.format(**named),
            method=method.upper(),
            headers=headers,
            query_string=query or {},
            **sent,
        )
        self.told = answer.headers
        assert str(answer.status_code) in operation["responses"], (method, path, answer.status_code, answer.text)
        described = self._resolved(operation["responses"][str(answer.status_code)])
        self._hold_headers(described["headers"], answer.headers)
        content = described["content"]
        assert answer.mimetype in content, (answer.mimetype, content)
        if answer.mimetype not in {"application/json", PROBLEM}:
            return answer.status_code, answer.data
        schema = {**content[answer.mimetype]["schema"], "components": self.described["components"]}
        said = json.loads(answer.data)
        jsonschema_rs.validate(schema, said)
        return answer.status_code, said

    def _hold_headers(self, described: dict[str, Any], told: Headers) -> None:
        """Hold headers to the description: those that are always there, and none that it does not know."""
        for name, one in described.items():
            assert name in told or not one.get("required"), name
            if name in told:
                value = int(told[name]) if one["schema"]["type"] == "integer" else told[name]
                jsonschema_rs.validate(one["schema"], value)
        assert {name for name in OURS if name in told} <= described.keys(), told

    def _resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in part:
            return part
        found: Any = self.described
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return dict(found)
