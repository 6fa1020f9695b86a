"""What the choices of a table of Hanabi are called, each with a plain sentence that explains it; and the ratings."""

from __future__ import annotations

from enum import Enum

from companion.game import N_, Label
from companion.games.hanabi.scoring import Tier

RATINGS: dict[Enum, str] = {
    Tier.FLOP: N_("a flop"),
    Tier.WEAK: N_("weak"),
    Tier.FAIR: N_("fair"),
    Tier.GREAT: N_("great"),
    Tier.SUPERB: N_("superb"),
    Tier.LEGENDARY: N_("legendary"),
    Tier.DIVINE: N_("divine"),
}
"""What the bands of the rating scale are called: on screens, on sheets, in the rules and in statistics."""

EDITION: dict[str | tuple[str, object], Label] = {
    "edition": Label(N_("Edition"), N_("Which box is on the table: it decides the colours and the usual rules.")),
    ("edition", "cs"): Label(N_("Czech"), N_("White, red, blue, yellow, green; a hint points at one card or more.")),
    ("edition", "es"): Label(N_("Spanish"), N_("Black instead of white; a hint may also say that there is none.")),
    ("edition", "pl"): Label(
        N_("Polish de luxe"), N_("With ten multicolour cards, black powder and reward tiles for its variants.")
    ),
    "detail": Label(N_("What is recorded"), N_("The more is recorded, the more the referee can tell.")),
    ("detail", "tokens"): Label(
        N_("The phone is the token tray"), N_("Tokens, errors, fireworks and the deck: one tap a turn.")
    ),
    ("detail", "hints"): Label(
        N_("Hints without places"), N_("Whom a hint goes to and what it names, and every card: two taps a turn.")
    ),
    ("detail", "cards"): Label(
        N_("Remember every hint"), N_("Hints and cards are touched where they lie: two to four taps a turn.")
    ),
    "first_seat": Label(N_("Starting player"), N_("Whoever wears the most colours begins.")),
}

CARDS = {"detail": ("cards",)}
TILES = {"flamboyants": (True,)}
ENDLESS = {"endless": (True,)}
ENDING = {"endless": (False,)}
"""Where alone some of them mean anything."""

DECK: dict[str | tuple[str, object], Label] = {
    "multicolour": Label(N_("Multicolour cards"), N_("A sixth firework, which makes hints harder.")),
    ("multicolour", 0): Label(N_("None"), N_("They stay in the box.")),
    ("multicolour", 5): Label(N_("Five"), N_("One of each value.")),
    ("multicolour", 10): Label(N_("Ten"), N_("As many as of any colour.")),
    "multicolour_hint": Label(
        N_("Hints on multicolour cards"), N_("Which colour hints show them."), {"multicolour": (5, 10)}
    ),
    ("multicolour_hint", "own"): Label(N_("Their own"), N_("Multicolour is named like any other colour.")),
    ("multicolour_hint", "all"): Label(N_("Every colour"), N_("They are shown with each colour and have no own name.")),
    "black_powder": Label(
        N_("Black powder"), N_("Ten black cards, built from 5 down to 1; what is missing of them counts as a loss.")
    ),
    "flamboyants": Label(
        N_("Five Flamboyants"), N_("Whoever completes a firework reveals a reward tile instead of taking a token.")
    ),
}

DIFFICULTY: dict[str | tuple[str, object], Label] = {
    "endless": Label(
        N_("To the last breath"),
        N_("No final round: complete every firework, or lose with the first hope that is gone."),
    ),
    "hint_tokens": Label(N_("Hint tokens"), N_("How many there are; more make it easier.")),
    ("hint_tokens", 8): Label(N_("Eight"), N_("As in the box.")),
    ("hint_tokens", 10): Label(N_("Ten"), N_("Two more, for an easier game.")),
    "errors_allowed": Label(N_("Errors"), N_("Which error ends the game.")),
    ("errors_allowed", 3): Label(N_("The third"), N_("Two errors are forgiven.")),
    ("errors_allowed", 1): Label(N_("The first"), N_("For a harder game.")),
}

HOUSE: dict[str | tuple[str, object], Label] = {
    "empty_hint": Label(N_("Hints that show nothing"), N_("Whether one may say “no card of yours is red”.")),
    ("empty_hint", False): Label(N_("Not allowed"), N_("A hint points at one card or more.")),
    ("empty_hint", True): Label(N_("Allowed"), N_("“None” is a hint, too.")),
    "third_error": Label(N_("Score of a defeat"), N_("What a lost game is worth.")),
    ("third_error", "zero"): Label(N_("Nothing"), N_("Everything burns.")),
    ("third_error", "keep"): Label(N_("The sum"), N_("The fireworks count as they lie.")),
    "black_bonus": Label(
        N_("Complete black powder"), N_("What it earns with the Five Flamboyants."), {**TILES, "black_powder": (True,)}
    ),
    ("black_bonus", "token"): Label(N_("A hint token"), N_("Tiles are for fireworks completed by a 5.")),
    ("black_bonus", "tile"): Label(N_("A reward tile"), N_("As for any other firework.")),
    "tiles_empty": Label(N_("No reward tile left"), N_("What completing a firework earns then."), TILES),
    ("tiles_empty", "nothing"): Label(N_("Nothing"), N_("The reward is lost.")),
    ("tiles_empty", "token"): Label(N_("A hint token"), N_("As without the tiles.")),
    "late_shuffle": Label(
        N_("A card into the empty deck"), N_("What happens to the final round when a tile shuffles a card in."), TILES
    ),
    ("late_shuffle", "no_restart"): Label(N_("It goes on"), N_("The count of turns does not change.")),
    ("late_shuffle", "restart"): Label(N_("It begins anew"), N_("When that card is drawn, everyone has a turn again.")),
    "indispensable": Label(
        N_("A lost card that a tile might recover"),
        N_("To the last breath, with the Five Flamboyants."),
        {**TILES, **ENDLESS},
    ),
    ("indispensable", "immediate"): Label(N_("Lost at once"), N_("The game ends, whatever the tiles might bring.")),
    ("indispensable", "ignore"): Label(N_("The game goes on"), N_("As long as a tile may still bring it back.")),
    "stuck": Label(
        N_("Neither cards nor tokens"), N_("To the last breath: what a player does who can do nothing."), ENDLESS
    ),
    ("stuck", "skip"): Label(N_("Is passed over"), N_("The next player goes on.")),
    ("stuck", "defeat"): Label(N_("The game is lost"), N_("Everyone must always be able to do something.")),
    "talk": Label(N_("Table talk"), N_("What may be said beside the hints; the referee does not listen.")),
    ("talk", "hints"): Label(N_("Nothing but hints"), N_("Nobody helps by word or look.")),
    ("talk", "memory"): Label(N_("Recalling hints"), N_("What a hint told may be asked for and said again.")),
    ("talk", "free"): Label(N_("Open talk"), N_("Anything but what the cards are.")),
}

AIDS: dict[str | tuple[str, object], Label] = {
    "aid_critical": Label(N_("Show last copies"), N_("The page marks cards of which only one copy is left.")),
    "aid_cut_off": Label(
        N_("Mark lost fireworks"),
        N_("The page marks a firework that cannot be completed any more, and how far it can go."),
    ),
    "aid_max_score": Label(N_("Show what can be reached"), N_("The page shows the highest score still possible.")),
    "aid_pace": Label(N_("Show the pace"), N_("The page shows how many turns may pass without a card played."), ENDING),
    "aid_turns_left": Label(N_("Count the last turns"), N_("The page counts down the final round."), ENDING),
    "aid_hints": Label(N_("Remember hints"), N_("The page shows what the hints said about every card."), CARDS),
    "aid_can_be": Label(
        N_("Mark what a card can be"),
        N_("The page marks on a card that a hint was about the colours and values that it can still be."),
        CARDS,
    ),
    "aid_contradictions": Label(
        N_("Notice wrong hints"),
        N_(
            "The referee remarks on a hint that cannot be true beside earlier ones, and on a card that contradicts "
            "a hint."
        ),
        CARDS,
    ),
}

OPTIONS = EDITION | DECK | DIFFICULTY | HOUSE | AIDS

FIELDS = {
    "card": N_("Card"),
    "slot": N_("Place in the hand"),
    "slots": N_("Cards shown"),
    "to": N_("To"),
    "colour": N_("Colour"),
    "value": N_("Value"),
    "tile": N_("Reward tile"),
    "as": N_("Used as"),
    "order": N_("Order"),
}
