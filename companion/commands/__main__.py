"""`python -m companion.commands`."""

from companion.commands import companion

companion(prog_name="companion")
