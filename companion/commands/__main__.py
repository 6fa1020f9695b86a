"""`python -m companion.commands`."""

import os

from companion.commands import companion

companion(prog_name=os.environ.get("COMPANION_TYPED") or "companion")
