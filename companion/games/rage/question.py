"""What the referee of Rage can be asked without a table: a trick, a card to play, a round's points, the last bid.

Cards are given in the order played; `turned` names the talon cards that come up.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import N_
from companion.games.rage import question_keys as keys
from companion.games.rage.cards import card_name
from companion.games.rage.cards_asked import Followed, TrickWon, follow, trick
from companion.games.rage.points_asked import LastBid, RoundScored, last_bid, score
from companion.games.rage.position import Bidding, Position
from companion.question import Asked, Topic, about


def lies(position: Position) -> Mapping[str, Asked]:
    """Tell what lies on the table; bids only where they are open."""
    options = position.options
    rules = {
        "edition": options.edition.value,
        "joker_tie": options.joker_tie.value,
        "nt_then_ct": options.nt_then_ct.value,
        "joker_anytime": "yes" if options.joker_anytime else "no",
        "durch": "yes" if options.durch else "no",
        "cards": str(position.cards),
    }
    cards, turned = ",".join(card_name(card) for card in position.trick), ",".join(_turned_in(position))
    trump = {"trump": position.turned.value} if position.turned else {}
    order = [(position.dealer + 1 + place) % position.seats for place in range(position.seats)]
    made = [str(position.bids[seat]) for seat in order if position.bids[seat] is not None]
    spoken = {"bids": ",".join(made[: position.seats - 1])} if options.bidding is Bidding.OPEN else {}
    trick_now = {"words": cards, "turned": turned, **trump}
    return {"": rules, "trick": trick_now, "follow": {"words": cards}, "bids": spoken}


def _turned_in(position: Position) -> list[str]:
    """Name the talon cards that came up in the trick that lies on the table."""
    turned, trick_cards = [], list(position.trick)
    for card in reversed(position.seen):
        if not trick_cards:
            break
        if card == trick_cards[-1]:
            trick_cards.pop()
        else:
            turned.append(card_name(card))
    return turned[::-1]


CARD_RULES = {
    "edition": "Which box: amigo_2000, amigo_1985 or us.",
}
ROUND = {"cards": "How many tricks the round has: 10 in the first."}

QUESTION = about(
    (
        Topic(
            "trick",
            N_("Which card wins the trick?"),
            keys.TRICK,
            trick,
            {
                "trump": "The trump before the trick: B, G, R, Y, P or O.",
                "turned": "Talon cards that a change of trump turned up, with commas: NT,B7.",
                "nt_then_ct": "A change of trump after a no trump: ct_wins, ct_wins_but_reflip or nt_dominates.",
                "joker_tie": "Which of two jokers of one colour is higher: later or earlier.",
                **CARD_RULES,
            },
            data=TrickWon,
        ),
        Topic(
            "follow",
            N_("May this card be played?"),
            keys.FOLLOW,
            follow,
            {
                "hand": "The hand of who plays the last card, with commas: may it be played?",
                "joker_anytime": "Whether a joker may be played even by who could follow: yes or no.",
                **CARD_RULES,
            },
            is_meant=lambda words, options: "hand" in options,
            data=Followed,
        ),
        Topic(
            "score",
            N_("What does the round bring?"),
            keys.SCORE,
            score,
            {**ROUND, "durch": "Whether Durch is played: yes or no.", **CARD_RULES},
            line=("bid", "tricks", "plus", "minus"),
            is_meant=lambda words, options: any("=" in word for word in words),
            data=RoundScored,
        ),
        Topic(
            "bids",
            N_("Plus/minus one: what may the last one bid?"),
            keys.BIDS,
            last_bid,
            {**ROUND, "bids": "The bids before the last one, with commas: 1,2,1."},
            is_meant=lambda words, options: "bids" in options,
            data=LastBid,
        ),
    ),
    "--trump R Y8 R4 NT",
    lies,
)
