"""Asking to be shown a good placement: who may, what is shown, and that nobody else notices."""

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import events
from games.background.sweep import sweep
from games.base.positions import position_of
from games.bots.adviser import find_advice
from games.models import Advice, Game
from tests.conftest import LogIn
from tests.games.bots.fakes import Broken, Endless
from tests.games.play.pages import Element, game_part, read, without_secrets
from tests.games.tables import ME, NOON, advance, bot, fresh, open_table, running
from tests.games.tasks.workers import forget_jobs, jobs, make_failed, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game in which it is alice's turn, some moves on."""
    game = running(alice, bob, allows_advice=True)
    for _ in range(4):
        game = advance(game, random.Random(3))
    return game


def ask(client: Client, game: Game) -> str:
    """Ask on the board, and return what the page then says."""
    return read(client.post(f"/games/{game.slug}/advice/", {"way": "board"}, headers=HTMX)).text


def look(client: Client, game: Game) -> Element:
    """Return the part of the page that is fetched until the answer is there."""
    return read(client.get(f"/games/{game.slug}/advice/", {"way": "board"}, headers=HTMX))


def wait_in_vain(client: Client, game: Game) -> None:
    """Ask, and let more time go by than an answer takes."""
    ask(client, game)
    Advice.objects.update(asked_at=Advice.objects.get().asked_at - timedelta(seconds=31))


def held(part: Element) -> list[str]:
    """Return the placements that a part of a page offers to hold."""
    return [button["data-hold"] for button in part.find_all("button")]


def test_the_page_says_that_it_is_thought_about_and_then_shows_the_best_three(
    alice: User, game: Game, log_in: LogIn
) -> None:
    client = log_in(alice)
    assert "Looking for good moves." in ask(client, game)
    run_jobs()
    best = [str(placement) for placement in position_of(game).legal_placements()[:3]]
    assert held(look(client, game)) == best


def test_every_placement_has_a_sentence(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    run_jobs()
    sentences = [span.text for span in look(client, game).find_all("span", class_="advice__why")]
    assert len(sentences) == 3
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)


def test_asking_twice_for_the_same_move_is_asking_once(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    ask(client, game)
    assert [job for job in jobs() if job[0] == "advise"] == [("advise", [Advice.objects.get().player_id, 5])]


def test_nothing_is_thought_in_the_web_process(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.bots.adviser.strong_engine", Broken)
    assert "Looking for good moves." in ask(log_in(alice), game)
    assert Advice.objects.get().choices is None


def test_an_answer_is_of_no_use_once_the_game_has_moved_on(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    advance(game, random.Random(4))
    run_jobs()
    assert Advice.objects.get().choices is None
    assert "It is not your turn." in look(client, game).text


def test_the_next_turn_is_thought_about_anew(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    run_jobs()
    first = held(look(client, game))
    for _ in range(2):
        advance(game, random.Random(5))
    assert held(look(client, game)) == []
    ask(client, game)
    run_jobs()
    assert (Advice.objects.count(), Advice.objects.get().number) == (1, 7)
    assert held(look(client, game)) != first


def test_nobody_else_sees_or_hears_of_it(
    alice: User, bob: User, game: Game, log_in: LogIn, heard: list[events.GameEvent]
) -> None:
    opponent, before = log_in(bob), fresh(game)
    heard.clear()
    page = opponent.get(f"/games/{game.slug}/")
    ask(log_in(alice), game)
    run_jobs()
    assert (heard, fresh(game).version) == ([], before.version)
    assert held(look(opponent, game)) == []
    after = opponent.get(f"/games/{game.slug}/")
    assert without_secrets(game_part(read(page))) == without_secrets(game_part(read(after)))


def test_a_table_without_hints_gives_none(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob, allows_hints=False), log_in(alice)
    answer = client.post(f"/games/{game.slug}/advice/", headers=HTMX)
    assert (answer.status_code, answer["X-Error-Code"], Advice.objects.count()) == (403, "no-hints", 0)
    assert client.get(f"/games/{game.slug}/advice/").status_code == 403
    assert not read(client.get(f"/games/{game.slug}/")).find_all(form="advise")


def test_the_button_is_there_on_ones_own_turn_alone(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    pages = [read(log_in(user).get(f"/games/{game.slug}/")) for user in (alice, bob)]
    assert [bool(page.find_all("form", id="advise")) for page in pages] == [True, False]
    assert [bool(page.find_all("button", form="advise")) for page in pages] == [True, False]


def test_the_look_of_suggestions_comes_with_the_first_answer_and_not_with_the_page(
    alice: User, game: Game, log_in: LogIn
) -> None:
    client = log_in(alice)

    def is_brought(page: Element) -> bool:
        return any("advice/advice" in link["href"] for link in page.find_all("link", rel="stylesheet"))

    assert not is_brought(read(client.get(f"/games/{game.slug}/")))
    ask(client, game)
    assert is_brought(look(client, game))


def test_an_engine_that_fails_is_told_and_may_be_asked_again(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = log_in(alice)
    with monkeypatch.context() as broken:
        broken.setattr("games.bots.adviser.strong_engine", Broken)
        ask(client, game)
        run_jobs()
    assert "No good move was found in time." in look(client, game).text
    assert "ArithmeticError" in caplog.text
    ask(client, game)
    run_jobs()
    assert len(held(look(client, game))) == 3


def test_advice_that_takes_too_long_is_given_up(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = log_in(alice)
    monkeypatch.setattr("games.bots.adviser.strong_engine", Endless)
    monkeypatch.setattr("games.bots.adviser.ADVISING_SECONDS", 0.05)
    ask(client, game)
    run_jobs()
    assert "No good move was found in time." in look(client, game).text


def test_what_a_crash_has_lost_is_found_without_being_asked_for_again(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    wait_in_vain(client, game)
    forget_jobs()
    assert "The moves appear here once they are found." in look(client, game).text
    assert sweep(timezone.now()).hints == 1
    assert sweep(timezone.now()).hints == 0
    run_jobs()
    assert len(held(look(client, game))) == 3


def test_hints_that_nobody_waits_for_any_more_are_not_asked_for(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    wait_in_vain(client, game)
    forget_jobs()
    assert sweep(timezone.now() + timedelta(hours=1)).hints == 0
    advance(game, random.Random(4))
    assert sweep(timezone.now()).hints == 0


def test_hints_whose_workers_always_die_are_given_up_and_the_page_says_so(
    alice: User, game: Game, log_in: LogIn
) -> None:
    client, now = log_in(alice), timezone.now()
    ask(client, game)
    for tried in range(5):
        make_failed(ended=now, began=now)
        now += timedelta(seconds=60)
        assert sweep(now).hints == (tried < 4)
    assert "No good move was found in time. Ask again." in look(client, game).text


def test_whoever_is_told_to_ask_again_can_do_so_there(alice: User, game: Game, log_in: LogIn) -> None:
    client, address = log_in(alice), f"/games/{game.slug}/advice/"
    wait_in_vain(client, game)
    Advice.objects.update(choices=[])
    assert look(client, game).find("button", form="advise").text == "Ask again"
    part = read(client.get(address, {"way": "page"}, headers=HTMX))
    assert "ask again." in part.text.lower()
    form = part.find("form", method="post")
    assert form.find("button").text == "Ask again"
    assert "Looking for good moves." in client.post(form["action"], follow=True).content.decode()


def test_a_page_that_waits_offers_to_ask_once_more_when_the_turn_comes_again(
    alice: User, game: Game, log_in: LogIn
) -> None:
    client = log_in(alice)
    ask(client, game)
    for _ in range(2):
        advance(game, random.Random(5))
    part = read(client.get(f"/games/{game.slug}/advice/", {"way": "page"}, headers=HTMX))
    assert part.find("form").find("button").text == "Suggest a move"


def test_each_has_a_small_board_on_which_its_cells_stand_out(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    run_jobs()
    for part in (look(client, game), read(client.get(f"/games/{game.slug}/advice/"))):
        pictures = part.find_all("svg", class_="advice__picture")
        marks = [picture.find("path", class_="advice__edge")["d"] for picture in pictures]
        assert len({*marks}) == 3
        assert [picture.find_all("path")[-1]["d"] for picture in pictures] == marks
        assert {picture.find_all("path")[-1]["data-colour"] for picture in pictures} == {fresh(game).turn_colour}


def test_what_the_figures_are_worth_is_said(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    run_jobs()
    (folded,) = read(client.get(f"/games/{game.slug}/advice/")).find_all("details", class_="folded")
    assert folded.find("summary").text == "Percentages are estimates."
    assert "Based on 1,000 simulated games." in folded.find("p").text
    on_the_board = look(client, game).text
    assert "Percentages are estimates." in on_the_board
    assert "simulated" not in on_the_board


def test_the_job_may_run_twice(alice: User, game: Game, log_in: LogIn) -> None:
    ask(log_in(alice), game)
    player = Advice.objects.get().player_id
    assert (find_advice(player, 5), find_advice(player, 5), find_advice(player, 4)) == (True, False, False)


def test_it_works_without_scripts(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    listed = read(client.get(f"/games/{game.slug}/placements/"))
    form = next(form for form in listed.find_all("form") if form.attributes.get("action", "").endswith("/advice/"))
    assert "Looking for good moves." in client.post(form["action"], follow=True).content.decode()
    run_jobs()
    page = read(client.get(form["action"]))
    chosen = page.find_all("button", name="placement")[1]["value"]
    number = page.find_all("input", name="number")[0]["value"]
    assert client.post(f"/games/{game.slug}/place/", {"placement": chosen, "number": number}).status_code == 302
    assert game.moves.get(number=5).placement == chosen


def test_the_game_in_words_leads_to_it(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    forms = read(client.get(f"/games/{game.slug}/")).find_all("form", action=f"/games/{game.slug}/advice/")
    assert len(forms) == 1


def test_it_can_be_asked_for_so_often_an_hour(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.ADVICE_AN_HOUR", 2)
    client = log_in(alice)
    statuses = [client.post(f"/games/{game.slug}/advice/", headers=HTMX).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_the_page_of_suggested_moves_offers_to_look_for_them(alice: User, game: Game, log_in: LogIn) -> None:
    client, address = log_in(alice), f"/games/{game.slug}/advice/"
    form = read(client.get(address)).find("main").find("form", method="post")
    assert (form["action"], form.find("button").text) == (address, "Suggest a move")
    assert "Looking for good moves." in client.post(address, follow=True).content.decode()


def test_it_is_told_in_french(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    run_jobs()
    User.objects.filter(pk=alice.pk).update(language="fr")
    assert "Coups suggérés" in look(client, game).text


def test_a_bots_turn_is_nobodys_to_ask_about(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, bot(), ME, now=NOON)
    assert log_in(alice).post(f"/games/{game.slug}/advice/").status_code == 409
