"""Trials that take turns: of many that are dear, or differ only by what they are given, the gate runs some, then others.

Each gate has the number after the last one's, and seven in a row have run everything. What turn it is `bin/test`
says to all of its processes, and prints it. `--long`, and whoever names files or trials, runs all of them: a trial that has
failed is run again by its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count, cycle, groupby
from random import Random

import pytest

OF = 7
PAGES = "tests/pages/"
DEAR = (
    PAGES,
    "tests/api/test_description.py",
    "tests/api/test_generated.py",
    "tests/api/test_play.py",
    "tests/log/test_keeping.py",
    "tests/log/test_postgresql.py",
    "tests/rendering/",
    "tests/test_adding_a_game.py",
    "tests/test_alike.py",
    "tests/test_attacker.py",
    "tests/test_bad_days.py",
    "tests/test_claim.py",
    "tests/test_commands.py",
    "tests/test_deadlines.py",
    "tests/test_deploying.py",
    "tests/test_durability.py",
    "tests/test_every_sheet.py",
    "tests/test_failover.py",
    "tests/test_faults.py",
    "tests/test_fifth_game.py",
    "tests/test_installed.py",
    "tests/test_keepers.py",
    "tests/test_keeps_rules.py",
    "tests/test_laid_out_once.py",
    "tests/test_machine.py",
    "tests/test_mutants.py",
    "tests/test_new_game.py",
    "tests/test_one_truth.py",
    "tests/test_packaging.py",
    "tests/test_printing.py",
    "tests/test_result_picture.py",
    "tests/test_score_sheets.py",
    "tests/test_serving.py",
    "tests/test_several_servers.py",
    "tests/test_sheets.py",
    "tests/test_starting.py",
    "tests/test_streams.py",
    "tests/test_tapped.py",
    "tests/test_told_alike.py",
    "tests/test_waits.py",
    "tests/web/test_fuzz.py",
    "tests/web/test_hands.py",
    "tests/web/test_headers.py",
    "tests/web/test_invited.py",
    "tests/web/test_names.py",
    "tests/web/test_opening_a_link.py",
    "tests/web/test_roles.py",
    "tests/web/test_sealed.py",
    "tests/web/test_unruled.py",
    "tests/web/test_wild.py",
)
"""What taps in a browser, starts servers, kills them, prints or asks every address costs a hundred times what asks the app:
all of it takes turns, unless it says how."""
HEAVIEST = (
    "tests/web/test_sealed.py::test_nobody_learns_anything_of_a_sealed_bid_before_its_reveal",
    "tests/pages/test_evening.py::test_four_phones_play_ten_rounds_with_secret_bids_and_everything_agrees",
    "tests/web/test_roles.py::test_everybody_gets_from_every_route_what_the_table_says",
    "tests/test_new_game.py::test_a_phone_has_its_page_and_its_keys",
    "tests/web/test_opening_a_link.py::test_every_get_and_head_twice_leaves_the_database_byte_for_byte",
    "tests/web/test_invited.py::test_newcomers_and_players_come_in_while_an_hour_s_guesses_go_on",
    "tests/api/test_description.py::test_every_operation_answers_as_it_is_described",
    "tests/web/test_headers.py::test_redirects_and_links_stay_within_the_site",
    "tests/pages/test_ubongo.py::test_three_phones_play_nine_rounds_and_everything_agrees",
    "tests/test_packaging.py::test_an_author_begins_a_game_with_the_wheel_in_an_empty_environment",
    "tests/test_alike.py::test_the_description_has_every_kind_and_says_what_an_author_leaves_open",
    "tests/test_keeps_rules.py::test_a_table_keeps_its_rules_whatever_becomes_of_the_package",
    "tests/test_several_servers.py::test_redis_dies_in_mid_round_and_no_move_is_lost_and_all_phones_are_right",
    "tests/pages/test_bad_days.py::test_at_home_a_tap_that_cannot_be_saved_waits_and_is_sent_once",
    "tests/web/test_headers.py::test_every_page_is_free_of_inline_script_and_style",
    "tests/test_adding_a_game.py::test_every_command_runs_in_the_order_of_the_page",
    "tests/web/test_headers.py::test_every_answer_of_every_route_carries_the_policy",
    "tests/web/test_names.py::test_no_name_changes_the_shape_of_any_page_and_every_name_is_shown_as_it_is",
    "tests/pages/test_hanabi.py::test_three_phones_tell_hints_without_places_and_everything_agrees",
    "tests/pages/test_rage.py::test_three_phones_play_ten_rounds_trick_by_trick_and_everything_agrees",
    "tests/pages/test_going_on.py::test_four_phones_and_a_screen_go_from_the_lobby_to_the_third_game_by_taps_alone",
    "tests/pages/test_ikebana.py::test_three_phones_play_four_rounds_card_by_card_and_everything_agrees",
    "tests/test_installed.py::test_the_check_names_them_too_and_no_other_command_minds",
    "tests/test_several_servers.py::test_a_restart_of_the_workers_costs_no_phone_more_than_a_second",
    "tests/test_waits.py::test_a_page_of_a_long_history_costs_no_more_than_one_of_a_short_one",
    "tests/test_commands.py::test_print_all_makes_a_folder_with_every_sheet",
    "tests/web/test_wild.py::test_wild_requests_never_give_a_500",
    "tests/web/test_fuzz.py::test_any_byte_of_a_request_may_be_another",
    "tests/test_mutants.py::test_a_run_that_was_cut_off_goes_on",
    "tests/rendering/test_modules.py::test_every_process_makes_the_same_modules",
    "tests/api/test_generated.py::test_the_description_is_valid",
    "tests/web/test_wild.py::test_wild_forms_on_every_unsafe_route_never_give_a_500",
    "tests/test_keepers.py::test_the_operator_sees_all_workers_together",
    "tests/web/test_hands.py::test_nobody_but_its_seat_learns_anything_of_a_hidden_card",
    "tests/web/test_hands.py::test_the_comparison_would_notice_a_hand_that_shows",
)
"""What takes more than fifteen seconds, the longest first: each turn gets as many of them, and as long ones."""


def left_out(items: Iterable[pytest.Item], turn: int) -> Iterator[pytest.Item]:
    """Yield the trials whose turn it is not.

    Of those marked `in_turn(of=3)` these are two thirds of each function's; of those marked `in_turn(of=3, among="x")`
    two thirds of all that say so. Three turns in a row leave out none. What is dear
    and says nothing is one group, of which the heaviest are dealt first: there and back, so that who has the first has the tenth.
    """
    dear: list[pytest.Item] = []
    groups = defaultdict[tuple[int, str], list[pytest.Item]](list)
    for item in items:
        if marker := item.get_closest_marker("in_turn"):
            groups[marker.kwargs["of"], marker.kwargs.get("among") or _function(item)].append(item)
        elif item.nodeid.startswith(DEAR):
            dear.append(item)
    heaviest = sorted(
        (item for item in dear if _function(item) in HEAVIEST), key=lambda item: HEAVIEST.index(_function(item))
    )
    there_and_back = cycle((*range(OF), *reversed(range(OF))))
    yield from (item for item, its_turn in zip(heaviest, there_and_back, strict=False) if (its_turn - turn) % OF)
    groups[OF, "dear"] = [item for item in dear if _function(item) not in HEAVIEST]
    dealt = defaultdict[int, Iterator[int]](count)
    for (of, _name), group in groups.items():
        yield from (item for item in _spread(group) if (next(dealt[of]) - turn) % of)


def _spread(group: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Order a group so that who is dealt every third of it gets a third of each function's, and of each one's parameters."""
    for name, of_function in groupby(sorted(group, key=_function), _function):
        shuffled = list(of_function)
        Random(name).shuffle(shuffled)
        yield from shuffled


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
