"""A plan on the pages: two presses from a tried piece, seen and cleared from the game, and never by anybody else."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.guests import create_guest
from accounts.models import Scope, User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.plans.set_plan import set_plan
from games.base import positions
from games.base.plans import NOT_PLACED, PlannedMove, PlannedTurn, TurnPlan
from games.models import Game, Player
from games.rules import IllegalPlacement, Placement, Position
from games.rules.errors import NO_CORNER_CONTACT
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.plans.test_playing import run_chain
from tests.games.play.pages import Element, game_part, read
from tests.games.tables import due, fresh, place, play_out, running, take_turn
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)

#: What differs with every request.
TOKEN = re.compile(r"[A-Za-z0-9]{64}")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a duel that alice has begun; bob is to play."""
    return play_out(running(alice, bob, variant="duo", is_public=True), turns=1)


def mine(game: Game, number: int = 0) -> str:
    position = positions.position_of(fresh(game))
    return str(position.legal_placements(position.seats[0][0])[number])


def address(game: Game, rest: str = "plan/") -> str:
    return f"/games/{game.slug}/{rest}"


def fields(browser: Client, game: Game, move: str, way: str = "only") -> dict[str, str]:
    """Return what the form of a move sends when one of its buttons is pressed."""
    page = read(browser.get(address(game), {"placement": move}))
    form = next(one for one in page.find_all("form") if one.find_all("button", name="where"))
    assert way in [button["value"] for button in form.find_all("button", name="where")]
    hidden = {one["name"]: one["value"] for one in form.find_all("input", type="hidden")}
    return {**hidden, "where": way}


def planned(user: User, game: Game) -> list[list[str]]:
    plan = TurnPlan.from_data(Player.objects.get(game=game, user=user).plan)
    return [[choice.move for choice in turn.choices] for turn in plan.turns]


def test_from_a_tried_piece_it_takes_two_presses(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    link = game_part(read(browser.get(address(game, "")))).find("a", data_plan="")
    assert link["href"] == address(game)
    assert link.text == "Play this when it is my turn"
    sent = fields(browser, game, mine(game))
    answer = browser.post(address(game), sent)
    assert (answer.status_code, answer["Location"]) == (302, address(game, ""))
    assert planned(alice, game) == [[mine(game)]]


def test_the_game_shows_the_plan_and_clears_it_in_one_press(alice: User, game: Game, log_in: LogIn) -> None:
    browser, move = log_in(alice), mine(game)
    browser.post(address(game), fields(browser, game, move))
    for cookies in ({}, {"spoken": "yes"}):
        browser.cookies.load(cookies)
        part = read(browser.get(address(game, ""))).find("form", id="planned")
        piece, _colon, cells = move.partition(":")
        assert f"Planned: {piece} at {cells.split(',')[0]}." in part.text
        assert part["action"] == address(game, "plan/clear/")
    assert browser.post(address(game, "plan/clear/")).status_code == 302
    assert planned(alice, game) == []
    assert not read(browser.get(address(game, ""))).find_all("form", id="planned")


def test_the_part_that_changes_is_another_once_the_plan_is(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    tag = browser.get(address(game, "board/"))["ETag"]
    browser.post(address(game), fields(browser, game, mine(game)))
    now = browser.get(address(game, "board/"), headers={"if-none-match": tag})
    assert (now.status_code, now["ETag"] == tag) == (200, False)
    assert browser.get(address(game, "board/"), headers={"if-none-match": now["ETag"]}).status_code == 304
    cleared = browser.post(address(game, "plan/clear/"), headers={"hx-request": "true"})
    assert "Planned:" not in cleared.content.decode()


def candidate(page: Element) -> Element:
    """Return the form in which a move is added to the plan."""
    return next(one for one in page.find_all("form") if one.find_all("button", name="where"))


def test_without_scripts_a_piece_lists_its_places_or_a_move_is_typed(alice: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(fresh(game))
    page = read(browser.get(address(game)))
    assert not page.find_all("button", value="pass")
    links = [each for each in page.find_all("a") if "piece=" in each.attributes.get("href", "")]
    assert {each["href"].partition("piece=")[2].partition("#")[0] for each in links} == position.fitting_pieces(
        position.seats[0][0]
    )
    listed = read(browser.get(address(game) + links[0]["href"].partition("#")[0]))
    place_ = listed.find_all("button", name="placement")[0]
    form = next(one for one in listed.find_all("form", method="get") if place_ in one.walk())
    chosen = {one["name"]: one["value"] for one in form.find_all("input")} | {"placement": place_["value"]}
    sent = {
        one["name"]: one["value"]
        for one in candidate(read(browser.get(form["action"], chosen))).find_all("input")
        if "value" in one.attributes
    }
    assert browser.post(address(game), {**sent, "where": "only"}).status_code == 302
    assert planned(alice, game) == [[place_["value"]]]
    typed = next(one for one in page.find_all("form", method="get") if one.find_all("input", id="typed"))
    form = candidate(read(browser.get(typed["action"], {"placement": mine(game, 7)})))
    sent = {one["name"]: one["value"] for one in form.find_all("input") if "value" in one.attributes}
    assert browser.post(address(game), {**sent, "where": "then"}).status_code == 302
    assert planned(alice, game) == [[place_["value"]], [mine(game, 7)]]


def test_where_passes_are_declared_the_page_offers_to_pass_if_nothing_fits(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, variant="duo", declares_passes=True), turns=1)
    browser = log_in(alice)
    button = read(browser.get(address(game))).find("button", value="pass")
    assert button.text == "Pass if nothing fits"
    browser.post(address(game), fields(browser, game, "pass"))
    assert planned(alice, game) == [["pass"]]


def test_in_words_a_link_leads_to_the_plan(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.cookies.load({"spoken": "yes"})
    links = read(browser.get(address(game, ""))).find_all("a", href=address(game))
    assert [each.text for each in links] == ["Plan your next turns"]
    assert browser.get(address(game)).status_code == 200


def test_another_move_is_listed_after_it_or_for_the_turn_after(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    first, second, third, fourth = (mine(game, number) for number in range(4))
    browser.post(address(game), fields(browser, game, first))
    browser.post(address(game), fields(browser, game, second, "else-0"))
    browser.post(address(game), fields(browser, game, third, "then"))
    assert planned(alice, game) == [[first, second], [third]]
    page = read(browser.get(address(game)))
    dropped = next(one for one in page.find_all("button", name="drop") if one["value"] == "0.0")
    number, edition = (page.find_all("input", name=name)[0]["value"] for name in ("number", "edition"))
    browser.post(address(game), {"drop": dropped["value"], "number": number, "edition": edition})
    assert planned(alice, game) == [[second], [third]]
    browser.post(address(game), fields(browser, game, fourth, "only"))
    assert planned(alice, game) == [[fourth]]


def test_conditions_are_said_in_words(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    sent = fields(browser, game, mine(game)) | {"free": "m1, n2", "corners": "n1"}
    sent |= {"other": "orange", "other_move": "1:n14", "other_made": "no"}
    assert browser.post(address(game), sent).status_code == 302
    text = read(browser.get(address(game))).text
    assert "only if m1 and n2 are still free" in text
    assert "stop the plan if another player covers n1" in text
    assert "only if Orange has not placed 1 at n14" in text


@pytest.mark.parametrize("typed", ["nonsense", "V9:a1", "", "<b>"])
def test_what_cannot_be_read_is_refused_in_words(alice: User, game: Game, log_in: LogIn, typed: str) -> None:
    browser = log_in(alice)
    sent = fields(browser, game, mine(game)) | {"placement": typed}
    answer = browser.post(address(game), sent)
    assert answer.status_code == 400
    assert "could not be read" in read(answer).find("ul", id="refusal").text
    assert planned(alice, game) == []


def test_who_came_to_the_turn_meanwhile_is_told_to_look(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    sent = fields(browser, game, mine(game))
    take_turn(game)
    answer = browser.post(address(game), sent)
    assert answer.status_code == 409
    assert planned(alice, game) == []


def test_a_plan_of_another_device_is_not_lost(alice: User, game: Game, log_in: LogIn) -> None:
    phone, desk = log_in(alice), log_in(alice)
    late = fields(phone, game, mine(game, 3))
    desk.post(address(game), fields(desk, game, mine(game)))
    assert phone.post(address(game), late).status_code == 409
    assert planned(alice, game) == [[mine(game)]]


def test_why_a_plan_stopped_is_said_in_the_game(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    position = positions.position_of(fresh(game))
    blow = str(position.legal_placements()[0])
    cell = blow.partition(":")[2].split(",")[0]
    set_plan(alice, game.slug, [PlannedTurn("", (PlannedMove(mine(game), (cell,)),))], number=due(game), edition=0)
    place(game, blow, bob)
    text = game_part(read(log_in(alice).get(address(game, "")))).text
    assert "Your plan has stopped." in text
    assert f"{cell} was covered by " in text


def test_nobody_else_can_tell_from_any_page_part_or_answer_that_there_is_a_plan(
    alice: User, bob: User, carol: User, game: Game, log_in: LogIn, program: Callable[..., Program]
) -> None:
    blocked = carol
    block_person(alice, blocked.username)
    readers = {"an opponent": log_in(bob), "a watcher": log_in(create_guest()), "who is blocked": log_in(blocked)}
    opponent = program(bob, [Scope.READ, Scope.PLAY])

    def seen() -> dict[str, object]:
        found: dict[str, object] = {"api": opponent.get(f"games/{game.slug}").json()}
        for who, browser in readers.items():
            for rest in ("", "board/", "replay/", "away/"):
                answer = browser.get(address(game, rest))
                page = TOKEN.sub("", answer.content.decode())
                found[f"{who} at {rest}"] = answer.status_code, page, answer.headers.get("ETag")
        return found

    before = seen()
    set_plan(alice, game.slug, [PlannedTurn("", (PlannedMove(mine(game)),))], number=due(game), edition=0)
    assert seen() == before
    for who, browser in readers.items():
        answer = browser.get(address(game))
        assert answer.status_code in ((200,) if who == "an opponent" else (403, 404))
        assert mine(game) not in answer.content.decode()


def test_programs_plan_too(alice: User, bob: User, game: Game, program: Callable[..., Program]) -> None:
    mine_, reader = program(alice, [Scope.PLAY]), program(alice, [Scope.READ])
    assert reader.get(f"games/{game.slug}/plan").json()["code"] == "scope"
    assert mine_.get(f"games/{game.slug}/plan").json()["turns"] == []
    move, number = mine(game), due(game)
    turns = [{"choices": [{"move": move, "free": ["n1"]}]}]
    kept = mine_.post(f"games/{game.slug}/plan", turns=turns, number=number, edition=0).json()
    assert kept["turns"][0]["choices"][0] == {"move": move, "free": ["n1"], "corners": [], "others": []}
    late = mine_.post(f"games/{game.slug}/plan", turns=[], number=number, edition=7)
    assert (late.status_code, late.json()["code"]) == (409, "plan-changed")
    wrong = [{"choices": [{"move": move, "free": ["zz99"]}]}]
    bad = mine_.post(f"games/{game.slug}/plan", turns=wrong, number=number, edition=1)
    assert (bad.status_code, bad.json()["code"], bad.json()["field"]) == (400, "no-cell", "free")
    assert mine_.post(f"games/{game.slug}/plan/clear").json()["turns"] == []


def test_a_branch_of_the_analysis_board_becomes_a_plan(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(fresh(game))
    line: list[str] = []
    for _ in range(4):
        line.append(str(position.legal_placements()[0]))
        position = position.play(Placement.parse(line[-1], position.variant))
    node = "0"
    for move in line:
        answer = browser.post(address(game, "analysis/try/"), {"node": node, "placement": move})
        node = answer["Location"].rpartition("node=")[2]
    ways = read(browser.get(address(game, f"analysis/?node={node}"))).find_all(
        "a", href=address(game, f"plan/?node={node}")
    )
    assert {way.text for way in ways} == {"Plan this", "Play my moves when it is my turn"}
    page = read(browser.get(address(game), {"node": node}))
    form = next(one for one in page.find_all("form") if one.find_all("input", name="node"))
    sent = {one["name"]: one["value"] for one in form.find_all("input")}
    assert browser.post(address(game), sent).status_code == 302
    assert planned(alice, game) == [[line[1]], [line[3]]]
    first, _second = TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).turns
    assert [(one.move, one.is_made) for one in first.choices[0].others] == [(line[0], True)]
    sent["edition"] = "1"
    del sent["strictly"]
    browser.post(address(game), sent)
    first, _second = TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).turns
    assert first.choices[0].others == ()


def branch_of(user: User, game: Game, *choices: Callable[[Position], Placement]) -> tuple[int, list[str]]:
    """Try a move for each of these choices, one after the other; return the number of the last and all of them."""
    position, node, line = positions.position_of(fresh(game)), 0, []
    for choose in choices:
        line.append(str(choose(position)))
        node = extend_branch(user, game.slug, move=line[-1], node=node).node
        position = position.play(Placement.parse(line[-1], position.variant))
    return node, line


def first_legal(position: Position) -> Placement:
    return position.legal_placements()[0]


def plan_branch(browser: Client, game: Game, node: int) -> None:
    page = read(browser.get(address(game), {"node": str(node)}))
    form = next(one for one in page.find_all("form") if one.find_all("input", name="node"))
    assert browser.post(address(game), {one["name"]: one["value"] for one in form.find_all("input")}).status_code == 302


def test_in_a_branch_of_two_rounds_the_shared_colour_is_another_players_the_second_time(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    # Blue is Alice's, and green, which is shared, in the first round too; in the second round green is Bob's.
    game = play_out(running(alice, bob, carol, variant="classic-3"), turns=1)
    node, line = branch_of(alice, game, *[first_legal] * 8)
    browser = log_in(alice)
    assert read(browser.get(address(game, f"analysis/?node={node}"))).find_all(
        "a", href=address(game, f"plan/?node={node}")
    )
    plan_branch(browser, game, node)
    turns = TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).turns
    assert [(turn.colour, turn.choices[0].move) for turn in turns] == [
        ("green", line[2]),
        ("blue", line[3]),
        ("blue", line[7]),
    ]
    assert [[(one.colour, one.move) for one in turn.choices[0].others] for turn in turns] == [
        [("yellow", line[0]), ("red", line[1])],
        [],
        [("yellow", line[4]), ("red", line[5]), ("green", line[6])],
    ]
    for move in (line[0], line[1], line[4], line[5]):
        place(game, move)
        run_chain()
    assert fresh(game).move_count == 7
    place(game, str(positions.position_of(fresh(game)).legal_placements()[-1]), bob)
    run_chain()
    stopped = TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).stopped
    assert stopped
    assert [(one.code, one.colour) for one in stopped.obstacles] == [(NOT_PLACED, "green")]


def test_a_shared_colour_is_planned_where_it_is_ones_own_only_later_and_touches_what_others_place_before(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    # Of green, which is shared, Bob places the next piece, then Carol, then Alice.
    game = play_out(running(alice, bob, carol, variant="classic-3"), turns=5)
    now = positions.position_of(fresh(game))

    def only_then(position: Position) -> Placement:
        return next(each for each in position.legal_placements() if no_corner_now(each))

    def no_corner_now(placement: Placement) -> bool:
        try:
            now.check(placement, "green")
        except IllegalPlacement as illegal:
            return NO_CORNER_CONTACT in illegal.reasons
        return False

    node, line = branch_of(alice, game, *[first_legal] * 10, only_then)
    plan_branch(log_in(alice), game, node)
    turns = TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).turns
    assert [(turn.colour, turn.choices[0].move) for turn in turns] == [
        ("blue", line[3]),
        ("blue", line[7]),
        ("green", line[10]),
    ]
    assert ("green", line[2]) in [(one.colour, one.move) for one in turns[0].choices[0].others]


def test_the_end_of_a_game_says_how_many_turns_were_planned(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    set_plan(alice, game.slug, [PlannedTurn("", (PlannedMove(mine(game)),))], number=due(game), edition=0)
    take_turn(game)
    run_jobs()
    browser = log_in(bob)
    assert "planned 1 of" not in browser.get(address(game, "")).content.decode()
    resign(bob, game.slug)
    assert "alice planned 1 of 2 turns." in read(browser.get(address(game, ""))).text
    assert "You planned 1 of your 2 turns." in read(log_in(alice).get(address(game, ""))).text


def test_a_second_press_takes_no_move_away_that_the_page_did_not_show(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(address(game), fields(browser, game, mine(game)))
    shown = Player.objects.get(game=game, user=alice).plan["edition"]
    drop = {"drop": "0.0", "edition": str(shown), "number": str(fresh(game).move_count + 1)}
    Player.objects.filter(game=game, user=alice).update(
        plan=TurnPlan.from_data(Player.objects.get(game=game, user=alice).plan).edited(shown + 1).to_data()
    )
    assert browser.post(address(game), drop).status_code == 409
    assert planned(alice, game) == [[mine(game)]]
    assert browser.post(address(game), drop | {"edition": str(shown + 1)}).status_code == 302
    assert planned(alice, game) == []
