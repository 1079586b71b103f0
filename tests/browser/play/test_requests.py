"""What a move costs in requests: one for the page that makes it, one for the page that watches. No page is stale."""

from collections import Counter

from playwright.sync_api import Request, Route, expect

from tests.browser.people import People, Person, seat_two

#: Milliseconds in which a page fetches what it has been told of, many times over.
SETTLED = 1_000


class Traffic:
    """Every request that a page sends from now on: its method, and the last part of its path.

    The icons of the tab and the style of the offer of notices do not count: the browser fetches them once, and keeps
    them.
    """

    def __init__(self, person: Person) -> None:
        self.sent: Counter[str] = Counter()
        person.page.wait_for_load_state("networkidle")
        person.page.on("request", self._note)

    def _note(self, request: Request) -> None:
        path = request.url.partition("?")[0].rstrip("/")
        if not path.rpartition("/")[2].startswith(("icon", "offer.")):
            self.sent[f"{request.method} {path.rpartition('/')[2]}"] += 1


def test_a_move_is_one_request_of_the_mover_and_one_of_the_other(people: People) -> None:
    pair = people.arrive("alice"), people.arrive("bob")
    seat_two(*pair)
    traffic = [Traffic(person) for person in pair]
    for turn in range(10):
        mover, other = pair[turn % 2], pair[1 - turn % 2]
        mover.await_turn()
        other.await_version(mover.play_any())
    for person in pair:
        person.page.wait_for_timeout(SETTLED)
    assert [page.sent for page in traffic] == [{"POST place": 5, "GET board": 5}] * 2
    assert pair[0].version() == pair[1].version()


def test_what_bots_answer_at_once_is_fetched_after_the_answer_to_the_move(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    path = alice.open_table("blockyou-4", "bot:random", "bot:random", "bot:random")
    traffic = Traffic(alice)
    for _ in range(5):
        alice.play_any()
        alice.await_turn()
    alice.page.wait_for_timeout(SETTLED)
    shown = alice.version()
    assert traffic.sent["POST place"] == 5
    assert traffic.sent.total() <= 5 * 4, "at most one for each move of the four"
    alice.go(path)
    assert alice.version() == shown


def test_a_move_whose_answer_never_comes_is_shown_all_the_same(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    seat_two(alice, bob)
    unanswered: list[Route] = []

    def swallow(route: Route) -> None:
        route.fetch()
        unanswered.append(route)

    alice.page.route("**/place/", swallow)
    alice.play_any()
    expect(alice.page.locator("#board .piece")).to_have_count(1)
    assert len(unanswered) == 1
    for route in unanswered:
        route.abort()
