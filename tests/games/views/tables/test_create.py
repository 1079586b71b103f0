"""Opening a table, by the form that every page without scripts sends."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.bots.turns import play_turn
from games.models import Game
from games.roster.offered import offered_bots
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import fresh, play_out, running

DAY = 24 * 3600


def filled(*seats: str, **fields: str) -> dict[str, Any]:
    """Return a form for as many seats as are given; a bot with its level, as in "bot:greedy"."""
    chosen: dict[str, str] = {}
    for number, kind in enumerate(seats):
        who, _, strength = kind.partition(":")
        chosen |= {f"seat-{number}": who} | ({f"seat-{number}-strength": strength} if strength else {})
    settings = {"days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
    return {"variant": f"blockyou-{len(seats)}", **settings, **chosen, **fields}


def who(game: Game) -> list[str]:
    return [player.user.username if player.user else player.bot or player.access for player in game.players.all()]


def test_the_form_opens_the_table_it_describes(alice: User, bob: User, log_in: LogIn) -> None:
    form = filled("me", "named", "link", "bot:random", days="7", name="Tuesday", is_public="no", passes="declared")
    answer = log_in(alice).post("/games/new/", {**form, "seat-1-name": " Bob "})
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert (game.variant, game.name, game.is_public, game.declares_passes) == ("blockyou-4", "Tuesday", False, True)
    assert (game.time_initial, game.time_increment, game.time_cap) == (7 * DAY, 7 * DAY, 7 * DAY)
    assert who(game) == ["alice", "named", "link", "random"]


@pytest.mark.parametrize(
    ("others", "is_public"),
    [(["link"], False), (["named"], False), (["link", "open", "open"], True), (["bot:random"], True)],
)
def test_a_table_of_friends_with_no_seat_open_to_anyone_is_for_its_players_unless_the_form_says_otherwise(
    others: list[str], is_public: bool, alice: User, bob: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    (begins_with,) = [
        each["value"]
        for each in read(client.get("/games/new/")).find_all("input", name="is_public")
        if "checked" in each.attributes
    ]
    form = {**filled("me", *others), "seat-1-name": "bob"}
    client.post("/games/new/", {**form, "is_public": begins_with})
    client.post("/games/new/", {**form, "is_public": "yes"})
    assert [game.is_public for game in Game.objects.order_by("pk")] == [is_public, True]


def test_seats_are_chosen_drawn_or_as_the_form_says(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for dealing in ("choose", "draw", "set"):
        client.post("/games/new/", filled("me", "open", dealing=dealing))
    tables = Game.objects.order_by("pk").values_list("lets_choose", "is_shuffled")
    assert list(tables) == [(True, False), (False, True), (False, False)]


@pytest.mark.parametrize(
    ("seats", "hints", "allowed"),
    [
        (("me", "open"), "usual", (True, False)),
        (("me", "open"), "", (True, False)),
        (("me", "bot:random"), "usual", (True, True)),
        (("bot:random", "bot:random"), "usual", (True, True)),
        (("me", "open"), "yes", (True, True)),
        (("me", "open"), "no", (False, False)),
        (("me", "bot:random"), "no", (False, False)),
    ],
)
def test_between_people_an_engine_advises_only_where_the_table_says_so(
    seats: tuple[str, ...], hints: str, allowed: tuple[bool, bool], alice: User, log_in: LogIn
) -> None:
    log_in(alice).post("/games/new/", filled(*seats, hints=hints))
    game = Game.objects.get()
    assert (game.allows_hints, game.allows_advice) == allowed


def test_the_form_says_what_hints_are_and_begins_with_them(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).get("/games/new/"))
    (told,) = [each for each in page.find_all("fieldset") if each.find_all("input", name="hints")]
    assert told.find("legend").text == "Hints"
    help_text = page.find(id=told["aria-describedby"]).text
    assert help_text == "An engine suggests moves to players when they ask."
    assert [each["value"] for each in told.find_all("input") if "checked" in each.attributes] == ["usual"]


def test_another_board_keeps_the_choice_of_hints(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/games/new/", filled("me", "open", hints="no", show="duo"), follow=True)
    assert 'name="hints" value="no" id="id_hints_2" checked' in answer.content.decode()


def test_three_players_choose_their_colours(alice: User, log_in: LogIn) -> None:
    colours = {"seat-0-colour": "green", "seat-1-colour": "blue", "seat-2-colour": "red"}
    log_in(alice).post("/games/new/", filled("me", "open", "open", **colours))
    assert Game.objects.get().colours == ["green", "blue", "red"]


def test_no_limit_means_no_clock(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("me", "open", days="0"))
    assert Game.objects.get().time_initial is None


@pytest.mark.parametrize(
    ("seats", "fields", "sentence"),
    [
        (("me", "me"), {}, "You can take only one seat."),
        (("me", "named"), {}, "Enter the name of the player to invite."),
        (("me", "named"), {"seat-1-name": "nobody"}, "There is no player named nobody."),
        (("me", "named"), {"seat-1-name": "alice"}, "You cannot invite yourself."),
        (("me", "robot"), {}, "Choose who sits here."),
        (("me", "bot:skynet"), {}, "Choose a level from the list."),
        (("me", "bot:random"), {"seat-1-seed": "-1"}, "A bot&#x27;s seed is a whole number from 0 to"),
        (("me", "open"), {"days": "4"}, "Choose a time per move from the list."),
        (("me", "open"), {"hints": "perhaps"}, "Choose whether hints are allowed."),
        (("me", "open"), {"explains": "perhaps"}, "Choose from the list when bots explain their moves."),
        (("me", "open"), {"bot_pause": "3"}, "Choose from the list how long bots wait."),
        (("me", "open"), {"dealing": "perhaps"}, "Choose from the list how colours are dealt."),
        (("me", "open"), {"name": "x" * 41}, "at most 40 characters"),
        (("me", "open"), {"name": "a\u202eb"}, "one line of plain text"),
        (
            ("me", "open", "open"),
            {f"seat-{number}-colour": "blue" for number in range(3)},
            "Choose a different colour for each player.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence_and_keeps_what_was_typed(
    seats: tuple[str, ...], fields: dict[str, str], sentence: str, alice: User, log_in: LogIn
) -> None:
    answer = log_in(alice).post("/games/new/", {**filled(*seats, passes="declared"), **fields})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text
    assert 'value="declared" id="id_passes_1" checked' in text
    assert not Game.objects.exists()


@pytest.mark.parametrize(("variant", "seats"), [("blockyou-2", 2), ("blockyou-3", 3), ("blockyou-4", 4), ("x", 4)])
def test_the_variant_in_the_address_decides_how_many_seats_there_are(
    variant: str, seats: int, alice: User, log_in: LogIn
) -> None:
    text = log_in(alice).get(f"/games/new/?variant={variant}").content.decode()
    assert text.count('class="seat"') == seats


def test_people_i_played_with_are_suggested(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    running(alice, bob)
    text = log_in(alice).get("/games/new/").content.decode()
    assert re.findall(r'<option\s+value="(\w+)"', text.partition('id="companions"')[2].partition("</datalist>")[0]) == [
        "bob"
    ]
    assert "carol" not in text


def test_a_stranger_opens_a_table_as_a_guest(db: None) -> None:
    assert Client().get("/games/new/").status_code == 200
    assert not User.objects.exists()
    Client().post("/games/new/", filled("me", "open"))
    assert Game.objects.get().creator.is_guest


def test_a_guest_who_invites_by_name_reads_beside_the_seat_to_send_a_link(bob: User) -> None:
    form = {**filled("me", "named"), "seat-1-name": "bob"}
    answer = Client().post("/games/new/", form)
    assert answer.status_code == 422
    assert "Guests invite by link." in read(answer).text
    assert not Game.objects.exists()


def test_a_bot_is_told_how_many_games_to_simulate_or_why_it_cannot(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    page = read(client.get("/games/new/"))
    assert "From level 4 a bot can simulate 10 to 500 games, from level 7 up to 16,000." in page.text
    client.post("/games/new/", {**filled("me", "bot:5"), "seat-1-character": "sage", "seat-1-simulations": "60"})
    assert Game.objects.get().players.get(seat=1).bot_simulations == 60
    for number, sentence in (("many", "Enter how many games"), ("9", "can simulate 10 to 500 games"), ("9" * 5000, "")):
        form = {**filled("me", "bot:5"), "seat-1-character": "sage", "seat-1-simulations": number}
        answer = client.post("/games/new/", form)
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert Game.objects.count() == 1


def test_a_bot_is_told_for_how_many_seconds_to_think_or_why_it_cannot(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    page = read(client.get("/games/new/"))
    assert "a bot simulates games: up to 2 from level 4, up to 10 from level 7." in page.text
    client.post("/games/new/", {**filled("me", "bot:5"), "seat-1-character": "sage", "seat-1-seconds": "2"})
    assert Game.objects.get().players.get(seat=1).bot_seconds == 2
    for seconds, sentence in (
        ("long", "Enter for how many seconds"),
        ("1.5", "Enter for how many seconds"),
        ("9", "can think for 1 to 2 seconds"),
        ("9" * 5000, ""),
    ):
        form = {**filled("me", "bot:5"), "seat-1-character": "sage", "seat-1-seconds": seconds}
        answer = client.post("/games/new/", form)
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    form = {**filled("me", "bot:5"), "seat-1-character": "sage", "seat-1-seconds": "1", "seat-1-simulations": "60"}
    assert "not both. Leave one of them empty." in client.post("/games/new/", form).content.decode()
    assert Game.objects.count() == 1


def test_a_bot_has_a_level_a_character_and_a_seed(bots: None, alice: User, log_in: LogIn) -> None:
    fields = {"seat-1-character": "mason", "seat-1-seed": "77", "seat-2-character": "warden"}
    log_in(alice).post("/games/new/", {**filled("me", "bot:5", "bot:3", "bot:greedy"), **fields})
    assert who(Game.objects.get()) == ["alice", "mason-5", "warden-3", "greedy"]
    assert Game.objects.get().players.get(seat=1).bot_seed == 77


@pytest.mark.parametrize(("fields", "bot"), [({}, "sage-3"), ({"seat-1-character": "mason"}, "mason-3")])
def test_a_bot_of_which_nothing_is_said_is_friendly(
    fields: dict[str, str], bot: str, bots: None, alice: User, log_in: LogIn
) -> None:
    sent = {"seat-1-strength": "", "seat-1-character": "sage", **fields}
    log_in(alice).post("/games/new/", {**filled("me", "bot"), **sent})
    assert who(Game.objects.get()) == ["alice", bot]


@pytest.mark.parametrize(
    ("character", "sentence"),
    [("skynet", "Choose a character from the list."), ("", "There is no such bot. Choose one from the list.")],
)
def test_a_bot_that_there_is_not_is_refused_at_its_seat(
    character: str, sentence: str, bots: None, alice: User, log_in: LogIn
) -> None:
    form = {**filled("me", "bot:5"), "seat-1-character": character}
    answer = log_in(alice).post("/games/new/", form)
    (seat,) = read(answer).find_all(aria_label="Seat 2")
    assert (answer.status_code, sentence in seat.text) == (422, True)


def test_what_is_said_of_a_bot_that_does_not_sit_is_not_looked_at(alice: User, log_in: LogIn) -> None:
    nonsense = {"seat-1-seed": "many", "seat-1-strength": "?", "seat-1-character": "?"}
    log_in(alice).post("/games/new/", {**filled("me", "open"), **nonsense})
    assert who(Game.objects.get()) == ["alice", "open"]


def test_only_levels_and_characters_that_there_are_are_offered(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).get("/games/new/"))
    (select,) = page.find_all("select", name="seat-1-strength")
    offered = {option["value"] for option in select.find_all("option")}
    names = {f"{each.rpartition('-')[2]}" for each in offered_bots()}
    assert offered == names


def test_a_game_of_bots_begins_paused_unless_the_box_is_empty(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for box in ({"is_paused": "on"}, {}):
        client.post("/games/new/", filled("bot:random", "bot:greedy", **box))
    client.post("/games/new/", filled("me", "bot:greedy", is_paused="on"))
    assert list(Game.objects.order_by("pk").values_list("is_paused", flat=True)) == [True, False, False]


def test_another_board_keeps_the_bots(bots: None, alice: User, log_in: LogIn) -> None:
    form = {**filled("me", "bot:5", show="duo"), "seat-1-character": "mason", "seat-1-seed": "9" * 19}
    page = read(log_in(alice).post("/games/new/", form, follow=True))
    chosen = {
        select["name"]: [option["value"] for option in select.find_all("option") if "selected" in option.attributes]
        for select in page.find_all("select")
    }
    assert [chosen[f"seat-1{part}"] for part in ("", "-strength", "-character")] == [["bot"], ["5"], ["mason"]]
    assert page.find("input", name="seat-1-seed")["value"] == "9" * 19


def test_tables_are_counted_together_through_whichever_door(
    alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 3)
    browser = log_in(alice)
    doors = [("/play-bots/", {}), ("/play-friend/", {}), ("/games/new/", {"preset": "friend"}), ("/play-anyone/", {})]
    assert [browser.post(path, form).status_code for path, form in doors] == [302, 302, 302, 429]


def test_a_rematch_is_counted_as_the_table_that_it_is(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 0)
    game = running(alice, bob)
    resign(alice, game.slug)
    assert log_in(alice).post(f"/games/{game.slug}/rematch/").status_code == 429
    assert Game.objects.count() == 1


def test_the_invitations_of_one_person_in_an_hour_are_limited(
    alice: User, bob: User, carol: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.INVITATIONS_AN_HOUR", 2)
    browser = log_in(alice)
    forms = [{**filled("me", "named"), "seat-1-name": name} for name in ("bob", "carol", "bob")]
    assert [browser.post("/games/new/", form).status_code for form in forms] == [302, 302, 429]
    assert Game.objects.count() == 2


def test_a_person_opens_thirty_tables_an_hour(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 2)
    browser = log_in(alice)
    answers = [browser.post("/games/new/", {"preset": "friend"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_a_bot_is_told_its_opening_and_the_game_can_be_had_again(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    told = {"seat-0-opening": "barasona", "seat-1-opening": ""}
    client.post("/games/new/", {**filled("bot:greedy", "bot:random"), **told})
    game = Game.objects.get()
    assert sorted(game.players.values_list("bot", "bot_opening")) == [("greedy", "barasona"), ("random", "")]
    seat = game.players.get(bot="greedy").seat
    assert play_turn(game.pk, 1)
    play_out(fresh(game))
    address = client.get(f"/games/{game.slug}/replay/").content.decode()
    assert f"seat-{seat}-opening=barasona" in address
    form = client.get(f"/games/new/?seat-{seat}=bot&seat-{seat}-opening=barasona").content.decode()
    assert '<option value="barasona" selected>' in form


def test_an_opening_of_the_highest_level_or_another_board_is_refused(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for bot, opening, sentence in (
        ("9", "barasona", "This bot chooses its opening itself."),
        ("greedy", "fw", "Choose an opening from the list."),
    ):
        form = {**filled("me", f"bot:{bot}"), "seat-1-character": "sage", "seat-1-opening": opening}
        answer = client.post("/games/new/", form)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    # What is said of a bot that does not sit is not looked at.
    assert client.post("/games/new/", {**filled("me", "open"), "seat-1-opening": "fw"}).status_code == 302


def test_a_board_without_named_openings_does_not_ask_for_one(alice: User, log_in: LogIn) -> None:
    assert "seat-1-opening" in log_in(alice).get("/games/new/?variant=duo").content.decode()
    assert "seat-1-opening" not in log_in(alice).get("/games/new/?variant=junior").content.decode()


@pytest.mark.parametrize(
    ("seats", "explains", "allowed"),
    [
        (("me", "bot:greedy"), "usual", True),
        (("me", "bot:greedy"), "no", False),
        (("me", "open", "bot:greedy", "bot:greedy"), "usual", False),
        (("me", "open", "bot:greedy", "bot:greedy"), "yes", True),
        (("me", "bot:greedy"), "", True),
    ],
)
def test_bots_explain_their_moves_when_the_form_says(
    seats: tuple[str, ...], explains: str, allowed: bool, alice: User, log_in: LogIn
) -> None:
    log_in(alice).post("/games/new/", filled(*seats, explains=explains))
    assert Game.objects.get().allows_explanations is allowed


def test_between_people_the_form_remembers_when_bots_explain_their_moves(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post("/games/new/", filled("me", "open", explains="yes"))
    page = read(client.get("/games/new/"))
    chosen = [each["value"] for each in page.find_all("input", name="explains") if "checked" in each.attributes]
    assert chosen == ["yes"]


@pytest.mark.parametrize(("sent", "seconds"), [({}, 0), ({"bot_pause": "0"}, 0), ({"bot_pause": "10"}, 10)])
def test_bots_wait_as_long_as_the_form_says_and_the_next_form_begins_with_it(
    sent: dict[str, str], seconds: int, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    client.post("/games/new/", filled("me", "bot:greedy", **sent))
    assert Game.objects.get().bot_pause == seconds
    page = read(client.get("/games/new/"))
    chosen = [each["value"] for each in page.find_all("input", name="bot_pause") if "checked" in each.attributes]
    assert chosen == [str(seconds)]


def test_a_new_table_offers_the_colours_as_its_seats_say(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).get("/games/new/?variant=blockyou-4"))
    labels = [
        each.text.strip() for each in page.find_all("label") if each.find_all("input", name="dealing", value="set")
    ]
    assert labels == ["In the order above"]
