"""What the play page tells of what was agreed at its table: hints, scoring, a shared colour."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.base.positions import position_of
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element
from tests.games.spoken.words import see
from tests.games.tables import ME, bot, fresh, large_first, open_table, place, play_out, running


def shared(client: Client, game: Game) -> str:
    return see(client, game).find("li", class_="players__shared").find(class_="players__sentence").text


# Hints


def test_where_hints_are_forbidden_the_board_shows_none_and_the_page_says_so(
    alice: User, bob: User, log_in: LogIn
) -> None:
    page = see(log_in(alice), running(alice, bob, allows_hints=False))
    assert "data-no-hints" in page.find(id="board").attributes
    assert page.find_all(class_="corners") == []
    assert "No hints at this table." in page.text


@pytest.mark.parametrize(
    ("allowed", "sentence"),
    [
        (None, "No engine suggests moves at this table."),
        (True, "Players can ask an engine to suggest moves."),
    ],
)
def test_between_people_the_page_says_whether_an_engine_may_advise(
    allowed: bool | None, sentence: str, alice: User, bob: User, log_in: LogIn
) -> None:
    page = see(log_in(alice), running(alice, bob, allows_advice=allowed))
    assert "data-no-hints" not in page.find(id="board").attributes
    assert page.find_all(class_="corners") != []
    assert sentence in page.text
    assert ("Suggest a move" in page.text) is bool(allowed)


def test_of_hints_against_bots_alone_nothing_is_said(alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), open_table(alice, ME, bot()))
    assert "advice at this table" not in page.text
    assert "Suggest a move" in page.text


# What the seats of bots were opened with


def opened(page: Element) -> list[str]:
    return [note.text for note in page.find_all(class_="stock__note") if note.text.startswith("Seed")]


def test_what_a_bots_seat_was_opened_with_stands_beside_its_pieces(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("greedy", 17), bot("mason-5", 0), bot("sage-9", 2**63 - 1))
    assert opened(see(log_in(alice), game)) == [
        "Seed 17. Places its largest piece where it opens the most corners.",
        "Seed 0. Simulates up to 100 games to their end before each move.",
        "Seed 9223372036854775807. Simulates up to 16,000 games to their end before each move. "
        "This can take a few seconds.",
    ]


def test_in_words_it_stands_below_the_pieces(alice: User, log_in: LogIn) -> None:
    game, client = open_table(alice, ME, bot("greedy", 17), variant="duo"), log_in(alice)
    client.cookies["spoken"] = "yes"
    told = see(client, game).find(id="scores")
    assert "Greedy bot Seed 17. Places its largest piece where it opens the most corners." in told.text


def test_of_a_bot_that_there_is_no_more_the_seed_is_told(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("greedy", 17), variant="duo")
    game.players.filter(bot="greedy").update(bot="retired")
    assert opened(see(log_in(alice), game)) == ["Seed 17."]


def test_where_bots_explain_nothing_yet_their_seeds_are_told_at_the_end(alice: User, log_in: LogIn) -> None:
    game, client = open_table(alice, ME, bot("greedy", 17), variant="duo", allows_explanations=False), log_in(alice)
    assert opened(see(client, game)) == []
    resign(alice, game.slug)
    assert len(opened(see(client, game))) == 1


# The colour that three players share


@pytest.fixture
def three(alice: User, bob: User, carol: User) -> Game:
    return running(alice, bob, carol, variant="classic-3")


def test_who_places_the_shared_colour_next_is_told_with_the_piece(three: Game, alice: User, log_in: LogIn) -> None:
    assert shared(log_in(alice), three) == "You play piece 1 of Green, the shared colour."
    for client in (Client(), log_in(User.objects.get(username="bob"))):
        assert shared(client, three) == "alice plays piece 1 of Green, the shared colour."


def test_after_each_piece_of_it_another_player_is_told_to_place_the_shared_colour(three: Game) -> None:
    order = []
    for _round in range(4):
        order.append(shared(Client(), three))
        three = play_out(three, 3, large_first, turns=4)
    assert order == [
        f"{name} plays piece {number} of Green, the shared colour."
        for number, name in enumerate(("alice", "bob", "carol", "alice"), 1)
    ]


def test_once_the_game_is_over_the_shared_colour_is_still_told_to_be_shared(three: Game) -> None:
    over = play_out(three, 3, large_first)
    assert over.status == "finished"
    assert shared(Client(), over) == "Green is shared: its points do not count."


def test_while_the_game_goes_on_a_shared_colour_without_moves_is_told_in_the_present(three: Game) -> None:
    game = play_out(three, 3, large_first, turns=30)
    while not position_of(game).is_blocked("green"):
        assert "plays piece" in shared(Client(), game)
        game = play_out(game, 3, large_first, turns=1)
    assert game.status == "running"
    assert shared(Client(), game) == "Green is shared: its points do not count."


def test_no_colour_is_told_to_be_shared_where_each_has_a_player(alice: User, bob: User) -> None:
    assert see(Client(), running(alice, bob, variant="classic-2")).find_all(class_="players__shared") == []


# Scoring


@pytest.mark.parametrize(
    ("scoring", "counted", "sentence"),
    [
        (
            "penalty",
            "Cells left",
            "Scoring: Penalty. Each cell you cannot place costs a point. "
            "All pieces placed: a bonus of 15 points, or of 20 if the one-cell piece comes last.",
        ),
        ("basic", "Cells left", "Scoring: Basic. Each cell you cannot place costs a point. There is no bonus."),
        (
            "coverage",
            "Cells placed",
            "Scoring: Coverage. Each cell you place earns a point. "
            "All pieces placed: a bonus of 15 points, or of 20 if the one-cell piece comes last.",
        ),
    ],
)
def test_a_finished_game_says_how_it_was_scored_and_what_the_cells_are(
    scoring: str, counted: str, sentence: str, alice: User, bob: User
) -> None:
    game = play_out(running(alice, bob, variant="duo", scoring=scoring), turns=4)
    resign(alice, game.slug)
    page = see(Client(), fresh(game))
    assert page.find(class_="result__scoring").text == sentence
    heads = [head.text for head in page.find(class_="result__table").find_all("th", scope="col")]
    assert heads == ["Player", counted, "Bonus", "Total"]


def test_the_cells_of_the_result_are_those_placed_or_those_left(alice: User, bob: User) -> None:
    for scoring, cells in (("coverage", 5), ("penalty", 89 - 5)):
        game = running(alice, bob, variant="duo", scoring=scoring)
        place(game, "X:e10,d9,e9,f9,e8")
        place(game, "X:j6,i5,j5,k5,j4")
        resign(alice, game.slug)
        rows = see(Client(), fresh(game)).find_all("tr", class_="result__player")
        assert [row.find_all("td")[0].text for row in rows] == [str(cells)] * 2


def test_a_finished_game_adds_up_by_how_many_points_it_was_won(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, variant="duo"))
    best, other = sorted((player.score or 0 for player in game.players.all()), reverse=True)
    assert best > other
    told = see(Client(), fresh(game)).find(class_="result__ahead").text
    texts = [str(score).replace("-", "\N{MINUS SIGN}") for score in (best, other)]
    assert told == f"In points: {texts[0]} to {texts[1]}, a lead of {best - other}."
