"""The `companion` command, from the file that is begun with: `python -m companion`.

While it loads Ctrl-C ends it without a word: Python would tell in twenty lines what it was about to load. So that is
seen to before anything else is loaded, by the module that Python has in it: `signal` takes as long to load as Python.
"""

import _signal as signal  # type: ignore[import-not-found]
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # who runs in the background lets Ctrl-C be
    signal.signal(signal.SIGINT, signal.SIG_DFL)
if sys.flags.no_site:  # as `bin/companion` begins it: to find what is installed takes a while, too
    import site

    site.main()

import os

from companion.commands import companion


def main() -> None:
    """Run what was typed."""
    companion(prog_name=os.environ.get("COMPANION_TYPED") or "companion")


if __name__ == "__main__":
    main()
