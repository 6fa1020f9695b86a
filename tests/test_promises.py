"""What every game promises to the house, tried on random plays of all of them."""

from companion.testing.promises import *  # noqa: F403
