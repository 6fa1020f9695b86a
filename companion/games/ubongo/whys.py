"""What a refusal of Ubongo says beside the rule: which gems are taken from a row.

Source: U-cs, moving and taking; U4, U15.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowEmpty:
    """No gem is left."""


@dataclass(frozen=True, slots=True)
class OneLeft:
    """One gem is left."""


@dataclass(frozen=True, slots=True)
class FrontTwo:
    """Two gems lie in front."""


WhatLies = RowEmpty | OneLeft | FrontTwo
BY_NUMBER: tuple[WhatLies, ...] = (RowEmpty(), OneLeft(), FrontTwo())


def what_lies(due: int) -> WhatLies:
    """Say what is taken from a row, where so many gems are due."""
    return BY_NUMBER[due]
