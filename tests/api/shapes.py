"""A walk through a description: where something stands of which nothing is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TELLING = {"type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "not"}
"""A shape that says none of these is open to anything."""
OF_SHAPES = ("properties", "schemas")
"""What maps names to shapes."""
SHAPES = ("schema", "items", "payload")
"""What is a shape."""


def unsaid(part: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Find every object and every other shape of which nothing is said, with the place where it stands."""
    if isinstance(part, Mapping):
        for name, each in part.items():
            inner = f"{place}/{name}"
            if name in SHAPES and is_open(each):
                yield inner, each
            elif name in OF_SHAPES and isinstance(each, Mapping):
                yield from ((f"{inner}/{of}", shape) for of, shape in each.items() if is_open(shape))
            elif name in {"anyOf", "oneOf"}:
                yield from ((f"{inner}/{number}", shape) for number, shape in enumerate(each) if is_open(shape))
            yield from unsaid(each, inner)
    elif isinstance(part, list):
        for number, each in enumerate(part):
            yield from unsaid(each, f"{place}/{number}")


def is_open(shape: Mapping[str, Any]) -> bool:
    """Say whether a shape is any object, or anything at all."""
    if not TELLING & shape.keys():
        return True
    if "object" not in shape.get("type", ()):
        return False
    return "properties" not in shape and is_any(shape.get("additionalProperties", True))


def is_any(shape: Any) -> bool:
    return shape is True or (isinstance(shape, Mapping) and is_open(shape))


def faults(described: Any) -> list[str]:
    """List what OpenAPI's own schema, and its rules beyond that, find wrong with a description."""
    # It builds 38 grammars at once, in 1.5 seconds: no other process of the gate is to wait for them.
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415

    return [f"{list(error.path)}: {error.message}" for error in OpenAPIV31SpecValidator(described).iter_errors()]
