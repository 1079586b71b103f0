"""One's own mistakes: found by a review, tried again on the analysis board, and shown to no one else."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.analysis.retry_mistake import retry_mistake
from games.bots.reviewer import continue_review
from games.findings import Finding, RatedPlacement
from games.models import Game, Mistake, Review
from games.queries.analysis.mistakes import INTERVALS, LEAST_COST, better_placements
from games.queries.analysis.turning import chances_of, losses_of
from games.queries.play.moves import move_rows
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db


def review(user: User, game: Game) -> list[Finding]:
    ask_for_review(user, game.slug)
    found = Review.objects.get(game=game)
    done: int | None = 0
    while done is not None:
        done = continue_review(found.pk, done)
    found.refresh_from_db()
    return [Finding.of_json(each) for each in found.findings]


@pytest.fixture
def findings(alice: User, game: Game) -> list[Finding]:
    """Return what the review of the game has found."""
    return review(alice, game)


@pytest.fixture
def mistake(alice: User, findings: list[Finding]) -> Mistake:
    """Return the dearest mistake of alice."""
    assert findings
    return Mistake.objects.filter(user=alice).order_by("-cost")[0]


def better(mistake: Mistake, findings: list[Finding]) -> str:
    return next(each.best[0].placement for each in findings if each.number == mistake.number)


def worse(mistake: Mistake, findings: list[Finding]) -> str:
    return next(each.played.placement for each in findings if each.number == mistake.number)


def at(mistake: Mistake) -> str:
    return f"/games/{mistake.game.slug}/analysis/?move={mistake.number - 1}"


def board(browser: Client, mistake: Mistake) -> Element:
    return read(browser.get(at(mistake)))


def listed(page: Element, name: str) -> list[Element]:
    """Return the links of a list of moves or of branches, none where there is no such list."""
    return [link for each in page.find_all("ul", class_=name) for link in each.find_all("a")]


def attempt(browser: Client, mistake: Mistake, text: str) -> str:
    """Try a move in place of a mistake, and return the board after it."""
    form = {"move": mistake.number - 1, "placement": text}
    return browser.post(f"/games/{mistake.game.slug}/analysis/try/", form, follow=True).content.decode()


def value_of_others(mistake: Mistake, less: float) -> tuple[str, str]:
    """Store that the second best placement there is worth so much less than the best; return both."""
    kept = Review.objects.get(game=mistake.game)
    finding = next(each for each in kept.findings if each["number"] == mistake.number)
    first, second = finding["best"][:2]
    assert finding["played"]["placement"] not in (first["placement"], second["placement"])
    finding["played"]["value"], second["value"] = None, round(first["value"] + less, 4)
    kept.save()
    return first["placement"], second["placement"]


def test_a_review_keeps_the_worst_three_moves_of_each_person_that_cost_much(
    alice: User, bob: User, game: Game, findings: list[Finding]
) -> None:
    moves = move_rows(game)
    chances = chances_of(moves, findings, [float(each.is_winner) for each in game.players.order_by("seat")])
    losses, seats = losses_of(moves, findings, chances), {finding.number: finding.seat for finding in findings}
    for user in (alice, bob):
        seat = game.players.get(user=user).seat
        own = sorted((cost for number, cost in losses.items() if seats[number] == seat), reverse=True)
        kept = Mistake.objects.filter(user=user).order_by("-cost").values_list("cost", flat=True)
        assert list(kept) == [cost for cost in own[:3] if cost >= LEAST_COST]
    assert Mistake.objects.exists()


def test_a_better_placement_rests_longer_each_time_until_it_is_found_for_good(
    alice: User, mistake: Mistake, findings: list[Finding]
) -> None:
    now, move = timezone.now(), better(mistake, findings)
    for rest in INTERVALS:
        assert retry_mistake(alice, mistake.game.slug, number=mistake.number, move=move, now=now)
        mistake.refresh_from_db()
        assert mistake.due_at == now + rest
        # Once more at once changes nothing.
        assert retry_mistake(alice, mistake.game.slug, number=mistake.number, move=move, now=now)
        mistake.refresh_from_db()
        assert mistake.due_at == now + rest
        now = mistake.due_at
    assert retry_mistake(alice, mistake.game.slug, number=mistake.number, move=move, now=now)
    mistake.refresh_from_db()
    assert (mistake.due_at, mistake.tries) == (None, 9)


def test_what_is_not_found_begins_anew_tomorrow(alice: User, mistake: Mistake, findings: list[Finding]) -> None:
    now = timezone.now()
    Mistake.objects.filter(pk=mistake.pk).update(step=3, due_at=now)
    assert (
        retry_mistake(alice, mistake.game.slug, number=mistake.number, move=worse(mistake, findings), now=now) is False
    )
    mistake.refresh_from_db()
    assert (mistake.step, mistake.due_at) == (0, now + timedelta(days=1))


def test_the_analysis_board_asks_for_a_better_move_and_says_whether_it_is_one(
    alice: User, mistake: Mistake, findings: list[Finding], log_in: LogIn
) -> None:
    browser = log_in(alice)
    page = browser.get(at(mistake)).content.decode()
    piece = worse(mistake, findings).partition(":")[0]
    assert f"Here you played {piece}" in page
    for move, said in (
        (worse(mistake, findings), "That is what you played."),
        (better(mistake, findings), "Found: the review prefers this too."),
    ):
        form = {"move": mistake.number - 1, "placement": move}
        answer = browser.post(f"/games/{mistake.game.slug}/analysis/try/", form, follow=True)
        assert said in answer.content.decode()
    mistake.refresh_from_db()
    # The first try counts: it was due then.
    assert (mistake.tries, mistake.step) == (2, 0)


def test_my_mistakes_are_listed_with_what_is_due_first_and_without_those_of_others(
    alice: User, bob: User, mistake: Mistake, log_in: LogIn
) -> None:
    later = timezone.now() + timedelta(days=3)
    Mistake.objects.filter(user=alice).exclude(pk=mistake.pk).update(due_at=later)
    page = log_in(alice).get("/mistakes/").content.decode()
    assert "1 position to try now" in page
    assert at(mistake).replace("&", "&amp;") in page
    assert f"cost you {mistake.cost}" in page
    theirs_too = Mistake.objects.filter(user=bob).values("number")
    theirs = log_in(bob).get("/mistakes/").content.decode()
    for one in Mistake.objects.filter(user=alice).exclude(number__in=theirs_too):
        assert f"?move={one.number - 1}" not in theirs


def test_no_one_else_is_asked_and_nothing_of_theirs_changes(
    alice: User, bob: User, mistake: Mistake, findings: list[Finding], log_in: LogIn
) -> None:
    assert "Find a better move" not in log_in(bob).get(at(mistake)).content.decode()
    assert retry_mistake(bob, mistake.game.slug, number=mistake.number, move=better(mistake, findings)) is None
    mistake.refresh_from_db()
    assert mistake.tries == 0


def test_a_person_without_mistakes_reads_how_they_come(alice: User, log_in: LogIn) -> None:
    page = log_in(alice).get("/mistakes/").content.decode()
    assert "No mistakes yet" in page
    assert Client().get("/mistakes/").status_code == 302


def test_mistakes_go_with_the_account_and_a_second_review_leaves_what_was_found(
    alice: User, game: Game, mistake: Mistake
) -> None:
    Mistake.objects.filter(pk=mistake.pk).update(step=2, due_at=None)
    Review.objects.all().delete()
    review(alice, game)
    mistake.refresh_from_db()
    assert (mistake.step, mistake.due_at) == (2, None)
    close_account(alice)
    assert not Mistake.objects.filter(user=alice).exists()
    Review.objects.all().delete()
    review(User.objects.get(username="bob"), game)
    assert not Mistake.objects.filter(user=alice).exists()


def test_placements_as_good_as_the_best_are_found_too_but_not_what_was_played() -> None:
    best = tuple(RatedPlacement(text, value) for text, value in (("a", 0.6), ("b", 0.59), ("c", 0.5), ("d", 0.6)))
    assert better_placements(Finding(1, 0, (0.5, 0.5), {}, best, RatedPlacement("d", 0.6)), 10) == {"a", "b"}
    unknown = (RatedPlacement("a"), RatedPlacement("b", 0.9))
    assert better_placements(Finding(1, 0, (0.5, 0.5), {}, unknown, RatedPlacement("d")), 10) == {"a"}


def test_a_placement_that_makes_up_half_of_what_was_lost_is_found_too_unless_it_is_no_better_than_what_was_played() -> (
    None
):
    best = tuple(RatedPlacement(text, value) for text, value in (("a", 0.6), ("b", 0.5), ("c", 0.45)))
    for cost, played, found in (
        (20, None, {"a", "b"}),
        (18, None, {"a"}),
        (30, None, {"a", "b", "c"}),
        (30, 0.3, {"a", "b", "c"}),
        # After it the game looked worse than the placement itself had looked.
        (30, 0.48, {"a", "b"}),
        (30, 0.5, {"a"}),
    ):
        finding = Finding(1, 0, (0.6, 0.4), {}, best, RatedPlacement("d", played))
        assert better_placements(finding, cost) == found


def test_a_much_better_placement_counts_and_the_board_says_that_there_is_one_better_still(
    alice: User, mistake: Mistake, log_in: LogIn
) -> None:
    first, second = value_of_others(mistake, -mistake.cost / 200)
    browser = log_in(alice)
    answer = attempt(browser, mistake, second)
    assert "Found: this is much better than what you played." in answer
    mistake.refresh_from_db()
    assert (mistake.tries, mistake.step) == (1, 1)
    assert "Found: the review prefers this too." in attempt(browser, mistake, first)


def test_a_placement_that_is_not_much_better_is_not_found(alice: User, mistake: Mistake, log_in: LogIn) -> None:
    _first, second = value_of_others(mistake, -mistake.cost / 200 - 0.01)
    assert "not among the better moves that the review has found" in attempt(log_in(alice), mistake, second)
    mistake.refresh_from_db()
    assert (mistake.tries, mistake.step) == (1, 0)


def test_what_was_tried_before_is_hidden_from_an_exercise_until_it_is_tried_now(
    alice: User, mistake: Mistake, findings: list[Finding], log_in: LogIn
) -> None:
    browser, hidden = log_in(alice), "What you have tried here before is hidden until you try a move."
    attempt(browser, mistake, better(mistake, findings))
    other = next(one for one in Mistake.objects.filter(user=alice).exclude(pk=mistake.pk))
    attempt(browser, other, better(other, findings))
    resting = board(browser, mistake)
    assert len(listed(resting, "branches__line")) == 1
    assert len(listed(resting, "branches__list")) == 2
    assert hidden not in resting.text
    now = timezone.now()
    Mistake.objects.filter(pk=mistake.pk).update(due_at=now)
    # Also where a try is refused.
    refused = browser.post(
        f"/games/{mistake.game.slug}/analysis/try/", {"move": mistake.number - 1, "placement": "nonsense"}
    )
    assert refused.status_code == 400
    for due in (board(browser, mistake), read(refused)):
        assert listed(due, "branches__line") == []
        assert [link["href"].partition("?")[2] for link in listed(due, "branches__list")] == ["node=2"]
    assert hidden in board(browser, mistake).text
    assert "Found:" in attempt(browser, mistake, better(mistake, findings))
    assert len(listed(board(browser, mistake), "branches__list")) == 2
    Mistake.objects.filter(pk=mistake.pk).update(due_at=None)
    assert len(listed(board(browser, mistake), "branches__line")) == 1


def test_nothing_is_said_to_be_hidden_where_nothing_is(alice: User, mistake: Mistake, log_in: LogIn) -> None:
    page = board(log_in(alice), mistake)
    assert "Here you played" in page.text
    assert "is hidden" not in page.text


def test_the_page_asks_as_much_for_many_as_for_one(
    alice: User, mistake: Mistake, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    few = query_count(browser, "/mistakes/")
    Mistake.objects.bulk_create(
        Mistake(user=alice, game=mistake.game, number=500 + each, cost=20, due_at=timezone.now()) for each in range(40)
    )
    assert query_count(browser, "/mistakes/") == few
