"""A program that knows the API by its description alone, and holds every answer to it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient

PROBLEM = "application/problem+json"


@dataclass
class Program:
    """One that sits at a table: it has a token once it was given one."""

    client: FlaskClient
    token: str = ""
    described: dict[str, Any] = field(default_factory=dict)

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
        operation = self.described["paths"][path][method]
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        sent = {"json": {} if body is None else body} if "requestBody" in operation else {}
        answer = self.client.open(
            path.format(**named), method=method.upper(), headers=headers, query_string=query or {}, **sent
        )
        assert str(answer.status_code) in operation["responses"], (method, path, answer.status_code, answer.text)
        content = self._resolved(operation["responses"][str(answer.status_code)])["content"]
        assert answer.mimetype in content, (answer.mimetype, content)
        if answer.mimetype not in {"application/json", PROBLEM}:
            return answer.status_code, answer.data
        schema = {**content[answer.mimetype]["schema"], "components": self.described["components"]}
        said = json.loads(answer.data)
        jsonschema_rs.validate(schema, said)
        return answer.status_code, said

    def _resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in part:
            return part
        found: Any = self.described
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return dict(found)
