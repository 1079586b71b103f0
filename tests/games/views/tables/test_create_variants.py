"""Opening a table on any board: what is offered, what is refused, and that what was filled in is kept."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from games.drawing import openings
from games.models import Game
from games.rules import VARIANTS, Position, record
from games.rules.variants import SIZED, get_variant
from games.words import boards
from tests.conftest import LogIn
from tests.games.views.conftest import QueryCount

WIDE = 2**32 - 1


def filled(variant: str, **fields: str) -> dict[str, Any]:
    """Return the form for me and bots, as it is offered."""
    kind = VARIANTS[variant]
    seats = {f"seat-{number}": "bot" if number else "me" for number in range(kind.seats)}
    seats |= {f"seat-{number}-strength": "random" for number in range(1, kind.seats)}
    colours = {f"seat-{number}-colour": kind.colours[number] for number in range(kind.choosable_colours)}
    settings = {"days": "3", "is_public": "yes", "passes": "automatic", "name": "", "size": "13", "seed": ""}
    return {"variant": variant, **settings, **seats, **colours, **fields}


def page(client: Client, variant: str = "", **asked: str) -> str:
    return client.get("/games/new/", {"variant": variant, **asked}).content.decode()


def words(text: str) -> str:
    """Return what the page says, in one line."""
    return " ".join(strip_tags(text).split())


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_opened_by_the_form_and_starts_among_bots(variant: str, alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/games/new/", filled(variant))
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert get_variant(game.variant).family == variant
    assert (game.players.count(), game.status) == (VARIANTS[variant].seats, "running")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_page_with_its_seats_colours_and_a_picture(
    variant: str, alice: User, log_in: LogIn
) -> None:
    text, kind = page(log_in(alice), variant), VARIANTS[variant]
    assert text.count('class="seat"') == kind.seats
    assert re.findall(r'value="(\S+)"\s+aria-pressed="true"', text) == [variant, variant]
    starts = text[text.index("about__starts") : text.index("</ul>", text.index("about__starts"))]
    assert re.findall(r'data-colour="(\w+)"', starts) == list(kind.colours)
    assert text.count('class="thumb"') == len(boards.boards()) + len(boards.boards()[boards.board_key(variant)])


def test_each_board_is_offered_once_and_each_variant_from_its_board(alice: User, log_in: LogIn) -> None:
    client, offered = log_in(alice), set()
    for kinds in boards.boards().values():
        buttons = re.findall(r'name="show"\s+value="(\S+)"', page(client, kinds[0].id))
        offered.update(buttons[len(boards.boards()) :])
    assert offered == set(VARIANTS)


def test_another_board_keeps_the_number_of_players_where_it_can(alice: User, log_in: LogIn) -> None:
    buttons = re.findall(r'name="show"\s+value="(\S+)"', page(log_in(alice), "classic-3"))[: len(boards.boards())]
    assert buttons == ["blockyou-3", "classic-3", "duo", "junior", "trigon-3", "codingame-3"]


def test_choosing_another_variant_keeps_what_was_filled_in(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    form = filled(
        "blockyou-4",
        days="7",
        name="Tuesday & <b>",
        scoring="coverage",
        passes="declared",
        dealing="set",
        show="trigon-3",
    )
    address = client.post("/games/new/", form)["Location"]
    text = client.get(address).content.decode()
    assert address.endswith("#variant")
    assert 'name="variant" value="trigon-3"' in text
    assert 'value="Tuesday &amp; &lt;b&gt;"' in text
    for chosen in ('value="7"', 'value="coverage"', 'value="declared"', 'value="set"'):
        assert re.search(rf"{chosen}[^>]* checked", text)
    assert text.count('<option value="bot" selected>') == text.count('<option value="random" selected>') == 2
    assert "errorlist" not in text
    assert not Game.objects.exists()


def test_nothing_of_the_request_but_the_fields_goes_into_the_address(alice: User, log_in: LogIn) -> None:
    form = filled("duo", show="\r\nSet-Cookie: x=1", csrfmiddlewaretoken="secret", more="y", name="n" * 9999)
    address = log_in(alice).post("/games/new/", form)["Location"]
    assert "\r" not in address
    assert "secret" not in address
    assert "more" not in address
    assert len(address) < 1000


def test_three_players_are_told_which_colour_they_share(alice: User, log_in: LogIn) -> None:
    text = words(page(log_in(alice), "classic-3"))
    assert "One colour each; Green is shared." in text
    assert "Green is shared: the players take turns playing it, and its points do not count." in text


def test_each_seat_says_its_colour_and_its_corner(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert "Blue, upper left, a20" in words(page(client, "classic-4"))
    assert "Purple, start cell e10" in words(page(client, "duo"))
    assert "Yellow, any free start cell" in words(page(client, "trigon-3"))
    assert "Blue, lower left, a1 Red, upper left, a20" in words(page(client, "blockyou-2"))


# CodinGame: size and seed


def test_size_and_seed_are_part_of_the_game(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("codingame-2", size="10", seed="42"))
    assert Game.objects.get().variant == "codingame-2:10:42"


def test_without_a_seed_one_is_drawn_each_time(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for _ in range(3):
        client.post("/games/new/", filled("codingame-3", size="9"))
    games = Game.objects.values_list("variant", flat=True)
    assert {variant.rpartition(":")[0] for variant in games} == {"codingame-3:9"}
    assert len(set(games)) == 3


@pytest.mark.parametrize("size", ["6", "27", "", "x", "13.5", "-13", "1e1", "9" * 5000, "١٣x"])
def test_a_size_that_no_board_has_is_refused_at_its_field(size: str, alice: User, log_in: LogIn) -> None:
    text = refused(log_in(alice), filled("codingame-2", size=size, seed="7"), "id_size")
    assert "Enter a number of rows from 7 to 26." in text
    assert 'name="seed" value="7"' in text


@pytest.mark.parametrize("seed", ["-1", str(WIDE + 1), "x", "4.2", "9" * 5000])
def test_a_seed_that_is_none_is_refused_at_its_field(seed: str, alice: User, log_in: LogIn) -> None:
    text = refused(log_in(alice), filled("codingame-2", seed=seed), "id_seed")
    assert "A seed is a whole number from 0 to 4294967295." in text


@pytest.mark.parametrize("seed", ["0", str(WIDE)])
def test_the_least_and_the_largest_seed_are_seeds(seed: str, alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("codingame-4", size="26", seed=seed))
    assert Game.objects.get().variant == f"codingame-4:26:{seed}"


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in SIZED])
def test_a_board_of_one_size_asks_for_none(variant: str, alice: User, log_in: LogIn) -> None:
    text = page(log_in(alice), variant)
    assert 'name="size"' not in text
    assert 'name="seed"' not in text


# Scoring


@pytest.mark.parametrize("scoring", ["penalty", "basic", "coverage"])
def test_a_way_of_scoring_is_chosen_for_the_game(scoring: str, alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("duo", scoring=scoring))
    assert Game.objects.get().scoring == scoring


def test_a_way_of_scoring_that_is_not_offered_is_refused_at_its_field(alice: User, log_in: LogIn) -> None:
    text = refused(log_in(alice), filled("duo", scoring="golf"), "id_scoring")
    assert "Choose a way of scoring from the list." in text


@pytest.mark.parametrize(
    ("variant", "ways"),
    [
        ("blockyou-4", ["penalty", "basic", "coverage"]),
        ("trigon-2", ["penalty", "basic", "coverage"]),
        ("junior", ["penalty", "coverage"]),
        ("codingame-2", []),
    ],
)
def test_only_ways_of_scoring_that_differ_are_offered(
    variant: str, ways: list[str], alice: User, log_in: LogIn
) -> None:
    assert re.findall(r'name="scoring" value="(\w+)"', page(log_in(alice), variant)) == ways


def test_what_a_way_of_scoring_counts_follows_from_the_bonus(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert "All pieces placed: a bonus of 15 points, or of 20 if the one-cell piece comes last." in words(
        page(client, "trigon-4")
    )
    assert "All pieces placed" not in words(page(client, "junior"))
    assert "Each cell you place earns a point." in words(page(client, "codingame-4"))


# Colours


def test_a_colour_chosen_twice_is_refused_where_it_is_chosen_again(alice: User, log_in: LogIn) -> None:
    form = filled("blockyou-3", **{"seat-0-colour": "red", "seat-1-colour": "blue", "seat-2-colour": "red"})
    text = refused(log_in(alice), form, "id_seat-2-colour")
    # At the field, and in the summary above the form.
    assert text.count("Choose a different colour for each player.") == 2


def test_colours_are_not_chosen_where_the_variant_has_them_fixed(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("classic-3", **{"seat-0-colour": "green"}))
    assert Game.objects.get().colours == []


# The table that was opened


@pytest.mark.parametrize(
    ("variant", "fields", "said"),
    [
        ("codingame-2", {"size": "10", "seed": "42"}, ["CodinGame 10 × 10, 2 players", "drawn from seed 42"]),
        ("codingame-3", {"seed": "0"}, ["drawn from seed 0", "Blue and Yellow start with a piece of at most 3 cells"]),
        (
            "classic-3",
            {"scoring": "basic"},
            ["Classic, 3 players", "Green is shared: the players take turns", "Scoring: Basic."],
        ),
        ("duo", {"scoring": "coverage"}, ["Duo, 2 players", "Scoring: Coverage. Each cell you place earns a point."]),
    ],
)
def test_the_table_and_its_invitation_say_what_is_played_and_how_it_is_scored(
    variant: str, fields: dict[str, str], said: list[str], alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    client.post("/games/new/", {**filled(variant, **fields), "seat-1": "link"})
    game = Game.objects.get()
    for reader, address in ((client, f"/games/{game.slug}/"), (Client(), f"/join/{game.invite_token}/")):
        text = reader.get(address).content.decode()
        assert [phrase for phrase in said if phrase not in words(text)] == []
        assert f'href="/rules/#{boards.board_key(variant)}"' in text
        assert 'class="thumb"' in text


def test_the_lobby_says_how_a_table_is_scored_where_that_is_unusual(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for scoring in ("penalty", "coverage"):
        client.post("/games/new/", {**filled("duo", scoring=scoring, name=scoring), "seat-1": "open"})
    text = words(client.get("/lobby/").content.decode())
    assert text.count("Duo, 2 players · 3 days a move") == 2
    assert text.count("scoring: Coverage") == 1
    assert "scoring: Penalty" not in text


def test_the_menu_of_a_running_game_says_what_is_special_and_leads_to_its_rules(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post("/games/new/", filled("codingame-3", size="9", seed="7"))
    text = client.get(f"/games/{Game.objects.get().slug}/").content.decode()
    menu = text[text.index('id="menu"') : text.index("</nav>", text.index('id="menu"'))]
    assert "The pieces are drawn from seed 7." in menu
    assert 'href="/rules/#codingame"' in menu


# The page


@pytest.mark.parametrize("variant", ["blockyou-4", "codingame-3", "trigon-4"])
def test_the_page_costs_the_same_whatever_is_chosen(
    variant: str, alice: User, log_in: LogIn, query_count: QueryCount
) -> None:
    assert query_count(log_in(alice), f"/games/new/?variant={variant}") == 6


def test_enter_in_a_field_opens_the_table(alice: User, log_in: LogIn) -> None:
    form = re.search(r"<form class=\"create\".*?</form>", page(log_in(alice)), re.DOTALL)
    assert form
    first = re.findall(r"<button[^>]*>", form[0])[0]
    assert "name=" not in first


@pytest.mark.parametrize(
    "address",
    [
        "?days=99&seat-0=x&is_public=%01",
        "?variant=codingame-2&size=x&seed=%F0",
        "?variant=codingame-2:10:42",
        "?name=%0A",
    ],
)
def test_an_address_that_asks_for_nonsense_still_shows_a_form(address: str, alice: User, log_in: LogIn) -> None:
    assert log_in(alice).get("/games/new/" + address).status_code == 200


# The pictures


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_picture_shows_turns_that_the_rules_allow(variant: str) -> None:
    position = record.replay(variant, openings.OPENINGS[variant], validate=True)
    playing = Position.start(variant).colours_in_play
    assert [turn.colour for turn in position.history] == [
        playing[number % len(playing)] for number in range(position.move_count)
    ]
    assert [colour for colour, _ in openings.opening_thumbnail(variant).paths] == list(playing)


def refused(client: Client, form: dict[str, Any], field: str) -> str:
    """Return the page that refuses the form, having checked that it does so at that field."""
    answer = client.post("/games/new/", form)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert f'id="{field}_error"' in text
    assert not Game.objects.exists()
    return text
