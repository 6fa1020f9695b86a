"""The API is tried in the same house as the pages."""

from tests.web.conftest import build, house, phone

__all__ = ["build", "house", "phone"]
