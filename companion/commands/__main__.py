"""`python -m companion.commands`, as units and scripts of earlier releases have it."""

from companion.__main__ import main

main()
