"""The API is tried in the same house as the pages."""

from tests.web.conftest import build, bytecode, house, phone

__all__ = ["build", "bytecode", "house", "phone"]
