"""A word typed, an answer in lines."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.bots.turns import play_turn
from games.models import Game
from tests.conftest import LogIn
from tests.games.spoken.words import BOARDS, HTMX, answers, blocked, news, part, see, spoken
from tests.games.tables import ME, bot, open_table, place, play_out, running
from tests.proof import mostly_proof


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    game = running(alice, bob, variant="duo")
    place(game, "I5:e10,f10,g10,h10,i10")
    place(game, "I5:j5,k5,l5,m5,n5")
    return game


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("l", ["2. bob placed I5 at j5: j5, k5, l5, m5, n5.", "1. You placed I5 at e10: e10, f10, g10, h10, i10."]),
        ("LAST", ["2. bob placed I5 at j5: j5, k5, l5, m5, n5.", "1. You placed I5 at e10: e10, f10, g10, h10, i10."]),
        ("n", ["Since your last turn:", "2. bob placed I5 at j5: j5, k5, l5, m5, n5."]),
        ("s", ["You: 5 of 89, 20 pieces, 84 cells left.", "bob: 5 of 89, 20 pieces, 84 cells left."]),
        ("p purple", ["Purple: 1, 2, I3, V3, I4, L4, O, T4, Z4, F, L5, N, P, T5, U, V5, W, X, Y, Z5."]),
        ("pieces or", ["Orange: 1, 2, I3, V3, I4, L4, O, T4, Z4, F, L5, N, P, T5, U, V5, W, X, Y, Z5."]),
        ("p", ["Purple: 1, 2, I3, V3, I4, L4, O, T4, Z4, F, L5, N, P, T5, U, V5, W, X, Y, Z5."]),
        ("p mauve", ["There is no such colour here. The colours are Purple and Orange."]),
        ("t", ["It is your turn."]),
        ("c", ["Corners that Purple can use: d9, j9, d11, j11."]),
        ("c orange", ["Corners that Orange can use: i4, i6."]),
        ("b", ["10 of 196 cells are taken.", "Row 10: e10 to i10 Purple.", "Row 5: j5 to n5 Orange."]),
        ("e10", ["e10: Purple."]),
        ("E9", ["e9: empty."]),
        ("shape f", ["F before it is turned: b1, a2, b2, b3, c3."]),
        ("shape q", ["The pieces are 1, 2, I3, V3, I4, L4, O, T4, Z4, F, I5, L5, N, P, T5, U, V5, W, X, Y, Z5."]),
        ("legal 1", ["1: 4 places."]),
        ("legal I5", ["I5 does not fit anywhere now."]),
    ],
)
def test_a_command_is_answered(command: str, lines: list[str], game: Game, alice: User, log_in: LogIn) -> None:
    assert answers(log_in(alice), game, command) == lines


def test_what_is_new_is_one_press_away_and_nothing_is_new_to_who_has_just_moved(
    game: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    link = see(spoken(log_in(alice)), game).find("a", id="since")
    assert (link.text, link["href"]) == ("1 move since your last turn", f"/games/{game.slug}/ask/?say=new#ask")
    assert answers(log_in(bob), game, "new") == ["Nothing has happened since your last turn."]
    assert answers(Client(), game, "new")[0] == "The last round:"
    assert not see(spoken(log_in(bob)), game).find_all("a", id="since")


def test_a_table_without_hints_keeps_its_corners_to_itself(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo", allows_hints=False)
    assert answers(log_in(alice), game, "c") == ["Hints are not allowed at this table."]
    assert "corner you can use" not in see(spoken(log_in(alice)), game).find(id="text-board").text
    assert see(spoken(log_in(alice)), game).find(id="legal").find_all("a")


def test_a_question_mark_and_what_is_no_command_list_all_commands(game: Game) -> None:
    every = answers(Client(), game, "?")
    assert [line.split(": ")[0] for line in every] == [
        "l last", "n new", "s scores", "p pieces", "t turn", "c corners", "legal", "why", "shape", "b board", "? help",
    ]  # fmt: skip
    assert answers(Client(), game, "fold") == ["There is no command \u201cfold\u201d.", *every]


def test_an_answer_is_said_aloud_once_and_stays_while_others_move(
    game: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    client = spoken(log_in(alice))
    asked = see(client, game, "ask/?say=t")
    assert news(asked) == "It is your turn."
    place(game, "1:j11")
    since = asked.find("input", name="since")["value"]
    update = see(client, game, f"board/?since={since}&say=t")
    assert update.find(id="answer").find("li").text == "It is bob's turn."
    assert news(update) == ""


def test_a_player_without_a_move_is_told_so(alice: User, bob: User, log_in: LogIn) -> None:
    game = blocked(alice, bob)
    seat = positions.position_of(game).seat or 0
    client, colour = log_in([alice, bob][seat]), ["Purple", "Orange"][seat]
    assert answers(client, game, "t") == ["It is your turn, but you have no moves left: pass."]
    assert answers(client, game, "legal") == [f"{colour} has no moves left."]


@pytest.mark.parametrize(("command", "same"), [("possibles V3", "legal V3"), ("p orange", "p orange"), ("aide", "?")])
def test_commands_are_understood_in_the_readers_language_and_in_english(command: str, same: str, game: Game) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    assert answers(client, game, command) == answers(client, game, same)
    shown = see(client, game, "ask/?say=%3F").find(id="say-help").find_all("kbd")
    assert [key.text for key in shown][5:7] == ["possibles", "possibles F"]


def test_counts_of_places_are_those_of_the_rules(game: Game, alice: User, log_in: LogIn) -> None:
    position = positions.position_of(game)
    said = answers(log_in(alice), game, "legal")[0]
    counts = [int(part.split()[1]) for part in said.rstrip(".").split(", ")]
    assert sum(counts) == position.legal_count()


def test_naming_a_piece_lists_its_places(game: Game, alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), game, "ask/?say=legal+v3")
    assert page.find(id="places-title").text.startswith("V3: places 1 to 20 of ")
    assert len(page.find(id="places").find_all("button")) == 20


def test_who_only_looks_may_ask_too(game: Game, eve: User, log_in: LogIn) -> None:
    assert answers(log_in(eve), game, "t") == ["It is alice's turn."]
    assert answers(Client(), game, "legal") == ["You cannot place a piece in this game right now."]


def test_asking_works_without_javascript(game: Game) -> None:
    page = see(Client(), game, "ask/?say=s")
    form = part(page).find("form", id="asking")
    assert (form["method"], form["action"]) == ("get", f"/games/{game.slug}/ask/")
    assert page.find("input", id="say")["value"] == "s"


def test_the_link_to_a_private_game_goes_with_the_question(alice: User, bob: User) -> None:
    game = running(alice, bob, is_public=False)
    page = see(Client(), game, f"ask/?say=t&token={game.invite_token}")
    assert page.find("form", id="asking").find("input", name="token")["value"] == game.invite_token


@pytest.mark.parametrize("variant", mostly_proof(BOARDS, "blockyou-2", "duo"))
def test_every_command_is_answered_on_every_board_to_its_end(
    variant: str, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game, client = running(*[alice, bob, carol, dave][: BOARDS[variant]], variant=variant), log_in(alice)
    for go_on in (lambda: game, lambda: play_out(game, 4, turns=20), lambda: end(game)):
        go_on()
        for command in ("l", "s", "p", "t", "c", "legal", "legal 1", "shape 1", "b", "?", "k8"):
            assert all(answers(client, game, command))


def end(game: Game) -> None:
    """Let everybody but the first give up."""
    for person in User.objects.filter(seats__game=game, seats__seat__gt=0):
        resign(person, game.slug)


def test_a_browser_keeps_the_page_and_its_part_apart(game: Game) -> None:
    address = f"/games/{game.slug}/ask/?say=l"
    whole, update = Client().get(address), Client().get(address, headers=HTMX)
    assert b"<html" in whole.content
    assert b"<html" not in update.content
    assert all("HX-Request" in answer["Vary"] for answer in (whole, update))


def test_why_a_bot_made_its_last_move_is_one_press_away(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, bot("greedy", 3), ME, variant="duo")
    client = log_in(alice)
    assert answers(client, game, "why") == ["No bot has placed a piece in this game yet."]
    play_turn(game.pk, 1)
    link = see(spoken(client), game).find("a", id="why")
    assert link["href"] == f"/games/{game.slug}/ask/?say=why#ask"
    lines = answers(client, game, "why")
    assert lines[0].startswith("1. Greedy bot placed ")
    assert "The bot placed its largest piece where it opens the most corners." in lines
    assert any(line.startswith("Opens ") for line in lines)
    assert not [line for line in lines if "level 1 ·" in line]


def test_bots_that_explain_nothing_yet_say_so_to_the_ear(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, bot("greedy", 3), ME, variant="duo", allows_explanations=False)
    play_turn(game.pk, 1)
    client = log_in(alice)
    assert not see(spoken(client), game).find_all("a", id="why")
    assert answers(client, game, "why") == ["At this table the bots explain their moves once the game is over."]
