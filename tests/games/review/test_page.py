"""What the review of a game tells, checked against the game and the engine's own answers."""

import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.base.positions import positions_of
from games.drawing.raster.paths import polylines
from games.findings import Finding, Merit, RatedPlacement
from games.models import Game, Review
from games.pages.play.page import PlayPage, play_page
from games.pages.review.because import better_because, told_turning
from games.pages.review.page import review_page
from games.queries.analysis.turning import chances_of, decided_from, turning_points
from games.queries.play.moves import MoveRow, move_rows
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.children.families import child_of
from tests.games.play.pages import Element, read
from tests.games.tables import place, running

pytestmark = pytest.mark.django_db(transaction=True)


def page(client: Client, game: Game, query: str = "") -> Element:
    return read(client.get(f"/games/{game.slug}/review/{query}"))


def test_the_findings_tell_of_every_position_what_the_rules_and_the_engine_say(reviewed: Game) -> None:
    moves = move_rows(reviewed)
    stages = list(positions_of(reviewed, moves))
    for kept in Review.objects.get().findings:
        finding = Finding.of_json(kept)
        before, move = stages[finding.number - 1], moves[finding.number - 1]
        assert (finding.seat, finding.played.placement) == (move.seat, move.placement)
        assert finding.legal == {colour: before.legal_count(colour) for colour in before.colours_in_play}
        assert [choice.placement for choice in finding.best] == [str(one) for one in before.legal_placements()[:3]]
        after = before.play(before.legal_placements()[0])
        assert finding.best[0].legal == {colour: after.legal_count(colour) for colour in after.colours_in_play}


def test_a_finding_comes_back_as_it_was_kept(reviewed: Game) -> None:
    for kept in Review.objects.get().findings:
        assert json.loads(json.dumps(Finding.of_json(kept).to_json())) == kept


def test_the_graph_has_a_line_for_every_player_and_a_value_for_every_move(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    shown = page(log_in(alice), reviewed)
    assert len(shown.find_all("polyline", class_="graph__line")) == 2
    marked = [text.text for text in shown.find_all("text", class_="graph__move")]
    points = [point.find("h3")["id"].partition("-")[2] for point in shown.find_all("article")]
    assert set(points) <= set(marked)
    (table,) = [one for one in shown.find_all("table") if "chance" in one.text and "Best" not in one.text]
    assert len(table.find("tbody").find_all("tr")) == reviewed.move_count + 1


def test_the_finished_game_names_the_worst_turning_point_of_its_review(reviewed: Game, log_in: LogIn) -> None:
    moves = move_rows(reviewed)
    findings = [Finding.of_json(kept) for kept in Review.objects.get().findings]
    winners = [float(player.is_winner) for player in reviewed.players.order_by("seat")]
    chances = chances_of(moves, findings, winners)
    fell = {
        point.number: chances[point.number - 1][point.seat] - chances[point.number][point.seat]
        for point in turning_points(moves, findings, chances)
    }
    winner = reviewed.players.get(place=1).user
    assert winner
    told = read(log_in(winner).get(f"/games/{reviewed.slug}/")).find(id="turned").text
    worst = max(fell, key=lambda number: fell[number])
    assert f"The game turned at move {worst}, when " in told
    player = reviewed.players.get(seat=next(finding.seat for finding in findings if finding.number == worst))
    whose = "Your" if player.user == winner else f"{player.user}'s"
    assert f"{whose} chance of winning fell from" in told


def test_every_placement_is_listed_with_its_place_in_the_replay(alice: User, reviewed: Game, log_in: LogIn) -> None:
    rows = page(log_in(alice), reviewed).find("table", class_="review__moves").find("tbody").find_all("tr")
    numbers = [move.number for move in move_rows(reviewed) if move.kind == "place"]
    links = [row.find("a")["href"] for row in rows]
    assert links == [f"/games/{reviewed.slug}/replay/?move={number}" for number in numbers]


def test_whoever_may_look_at_the_game_sees_it_at_the_same_address(reviewed: Game) -> None:
    assert page(Client(), reviewed).find("table", class_="review__moves")


def test_a_private_games_review_is_seen_with_its_link_alone(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    game = recorded.reviewed(alice, recorded.finished(alice, bob, variant="duo", is_public=False))
    query = f"?token={game.invite_token}"
    assert log_in(eve).get(f"/games/{game.slug}/review/").status_code == 404
    shown = page(log_in(eve), game, query)
    assert all(query in link["href"] for link in shown.find_all("a") if "/replay/" in link["href"])


def test_it_costs_as_many_queries_as_is_written_here(alice: User, reviewed: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    page(client, reviewed)
    with CaptureQueriesContext(connection) as queries:
        page(client, reviewed)
    # The session, its person, whose turns the navigation counts; the game, its players, the review, the moves.
    assert len(queries) == 7


def test_while_it_is_under_way_no_move_is_read(alice: User, reviewed: Game, log_in: LogIn) -> None:
    Review.objects.update(status="running")
    with CaptureQueriesContext(connection) as queries:
        log_in(alice).get(f"/games/{reviewed.slug}/review/", HTTP_HX_REQUEST="true")
    assert not any("games_move" in query["sql"] for query in queries)


def test_a_game_in_which_nobody_placed_anything_has_nothing_to_review(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    client.post(f"/games/{game.slug}/resign/")
    client.post(f"/games/{game.slug}/review/ask/")
    assert "No pieces were placed in this game." in page(client, game).text


def placed(number: int, seat: int, kind: str = "place") -> MoveRow:
    return MoveRow(number, kind, seat, "blue", "1:a1", False, "")


def found(number: int, seat: int, chance: float, best: str = "2:a1,b1") -> Finding:
    """Return what was found before a move of a game of two in which the first seat's chance was so high."""
    return Finding(number, seat, (chance, 1 - chance), {}, (RatedPlacement(best),), RatedPlacement("1:a1"))


def test_the_chance_before_a_pass_is_that_before_the_next_placement() -> None:
    moves = [placed(1, 0), placed(2, 1, "pass"), placed(3, 0)]
    chances = chances_of(moves, [found(1, 0, 0.5), found(3, 0, 0.7)], [1.0, 0.0])
    assert [round(first, 2) for first, _second in chances] == [0.5, 0.7, 0.7, 1.0]


def test_a_tie_is_shared() -> None:
    assert chances_of([], [], [1.0, 1.0, 0.0]) == [(0.5, 0.5, 0.0)]


def test_the_turning_points_are_what_cost_whoever_moved_most() -> None:
    before = [0.5, 0.45, 0.6, 0.2, 0.25, 0.1]
    moves = [placed(number, (number - 1) % 2) for number in range(1, 7)]
    findings = [found(number, (number - 1) % 2, chance) for number, chance in enumerate(before, 1)]
    chances = chances_of(moves, findings, [0.0, 1.0])
    # Losses by move: 1: 5, 2: 15 (the second seat's), 3: 40, 4: 5, 5: 15, 6: the second seat won.
    assert [point.number for point in turning_points(moves, findings, chances)] == [2, 3, 5]


@pytest.mark.parametrize(("after", "points"), [(0.45, [1]), (0.4549, [1]), (0.4551, []), (0.5, [])])
def test_what_is_said_to_mean_nothing_is_no_turning_point(after: float, points: list[int]) -> None:
    moves = [placed(1, 0), placed(2, 1)]
    findings = [found(1, 0, 0.5), found(2, 1, after, best="1:a1")]
    chances = chances_of(moves, findings, [1.0, 0.0])
    assert [point.number for point in turning_points(moves, findings, chances)] == points


def test_what_the_engine_would_have_played_is_no_turning_point() -> None:
    moves = [placed(1, 0), placed(2, 1)]
    findings = [found(1, 0, 0.9, best="1:a1"), found(2, 1, 0.2)]
    assert turning_points(moves, findings, chances_of(moves, findings, [0.0, 1.0])) == []


def test_giving_up_is_not_blamed_on_the_move_before_it() -> None:
    moves = [placed(1, 0), placed(2, 1, "retire")]
    findings = [found(1, 0, 0.9)]
    assert turning_points(moves, findings, chances_of(moves, findings, [0.0, 1.0])) == []


def proved(number: int, seat: int, *values: float) -> Finding:
    return replace(found(number, seat, 0.5), values=values, is_proved=True)


@pytest.mark.parametrize(
    ("findings", "decided"),
    [
        ([found(1, 0, 1.0), proved(2, 1, 1.0, 0.0), proved(3, 0, 1.0, 0.0)], (2, 0)),
        ([proved(1, 0, 1.0, 0.0), proved(2, 1, 0.0, 1.0), proved(3, 0, 0.0, 1.0)], (2, 1)),
        # A draw that is held is not lost.
        ([proved(1, 0, 1.0, 0.0), proved(2, 1, 0.5, 0.5), proved(3, 0, 1.0, 0.0)], (1, 0)),
        ([proved(1, 0, 0.0, 1.0), proved(2, 1, 0.5, 0.5), proved(3, 0, 0.5, 0.5)], (1, 1)),
        ([found(1, 0, 1.0), proved(2, 1, 0.5, 0.5), proved(3, 0, 0.5, 0.5)], (2, 1)),
        ([proved(1, 0, 1.0, 0.0), proved(2, 1, 0.5, 0.5), proved(3, 0, 0.0, 1.0)], (2, 1)),
        ([proved(1, 0, 1.0, 0.0), found(2, 1, 1.0)], None),
        ([proved(1, 0, 0.5, 0.5), found(2, 1, 0.5)], None),
        ([], None),
    ],
)
def test_a_seat_could_no_longer_lose_from_where_every_position_to_the_end_was_won_or_a_draw_for_certain(
    findings: list[Finding], decided: tuple[int, int] | None
) -> None:
    moves = [placed(number, (number - 1) % 2) for number in range(1, 4)]
    assert decided_from(moves, findings) == decided
    assert decided_from([*moves, placed(4, 1, "retire")], findings) is None


def test_what_was_proved_is_kept_and_what_was_not_is_kept_as_before() -> None:
    for finding in (proved(1, 0, 1.0, 0.0), found(1, 0, 0.5)):
        assert Finding.of_json(finding.to_json()) == finding
    assert "proved" not in found(1, 0, 0.5).to_json()


def test_a_review_says_from_where_on_a_player_could_no_longer_lose(
    alice: User, eve: User, reviewed: Game, log_in: LogIn
) -> None:
    review = Review.objects.get(game=reviewed)
    last = review.findings[-1]
    last["values"], last["proved"] = [1.0, 0.0], True
    review.findings[-2].pop("proved", None)
    review.save()
    said = f"From move {last['number']}, {{}} could no longer lose: every continuation was checked."
    winner = reviewed.players.get(seat=0).user
    assert said.format("you" if winner == alice else "alice") in page(log_in(alice), reviewed).text
    assert "could no longer lose" in page(log_in(eve), reviewed).text


def test_a_turning_point_shows_the_board_both_placements_and_why(alice: User, reviewed: Game) -> None:
    body = review_page(alice, reviewed.slug).body
    assert body is not None
    stages = list(positions_of(reviewed, move_rows(reviewed)))
    for point in body.points:
        assert len(point.board.pieces) == sum(
            turn.placement is not None for turn in stages[point.move.number - 1].history
        )
        assert point.played != point.best
        assert point.why == "" or point.why.endswith(".")
        assert [row.label for row in point.mobility] == ["Purple", "Orange"]
    assert 0 < len(body.points) <= 3


def test_mobility_is_told_in_the_order_of_play_however_the_database_keeps_it(alice: User, reviewed: Game) -> None:
    review = Review.objects.get()
    for kept in review.findings:
        for counts in (kept["legal"], kept["played"]["legal"], kept["best"][0]["legal"]):
            counts.update({colour: counts.pop(colour) for colour in ("orange", "purple")})
    review.save()
    body = review_page(alice, reviewed.slug).body
    assert body is not None
    assert body.points
    assert all([row.colour for row in point.mobility] == ["purple", "orange"] for point in body.points)


def test_a_review_begins_with_where_the_game_turned_and_folds_what_was_counted(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    shown = page(log_in(alice), reviewed).find(id="review")
    assert [title.text for title in shown.find_all("h2")] == [
        "Where the game turned",
        "Chances of winning",
        "Every move",
        "Share",
    ]
    points, here = shown.find_all("article"), f"/games/{reviewed.slug}"
    assert points
    for point in points:
        number = int(point.find("h3")["id"].removeprefix("point-"))
        assert point.find("h3").text.split() == ["Move", str(number)]
        assert [(link.text, link["href"]) for link in point.find_all("a")] == [
            ("See the move", f"{here}/replay/?move={number}"),
            ("Try it", f"{here}/analysis/?move={number - 1}"),
        ]
        folded = point.find("details")
        assert "open" not in folded.attributes
        assert (folded.find("summary").text, len(folded.find_all("table"))) == ("In numbers", 1)
        # Outside of what is folded no chance is told.
        assert point.text.count("%") == folded.text.count("%") > 0
    (every,) = [one for one in shown.find_all("details") if one.find_all("table", class_="review__moves")]
    assert "open" not in every.attributes


def test_a_stranger_follows_a_turning_point_to_the_replay_alone(reviewed: Game) -> None:
    for point in page(Client(), reviewed).find_all("article"):
        assert [link.text for link in point.find_all("a")] == ["See the move"]


@pytest.mark.parametrize(
    ("chance", "to_her", "to_him"),
    [
        (0.7, "You were ahead, then placed piece 1.", "alice was ahead, then placed piece 1."),
        (0.3, "bob was ahead when you placed piece 1.", "You were ahead when alice placed piece 1."),
        (0.57, "It was close when you placed piece 1.", "It was close when alice placed piece 1."),
    ],
)
def test_a_turning_point_says_who_was_ahead_and_what_was_played(
    chance: float, to_her: str, to_him: str, alice: User, bob: User
) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "1:e10")
    for user, told in ((alice, to_her), (bob, to_him)):
        shown = play_page(user, game.slug)
        assert isinstance(shown, PlayPage)
        chances = [(chance, 1 - chance), (0.2, 0.8)]
        assert told_turning(found(1, 0, chance), shown.moves[0], shown.players, chances) == told


def test_a_bot_that_played_for_an_absent_player_is_who_placed_the_piece(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "1:e10")
    shown = play_page(alice, game.slug)
    assert isinstance(shown, PlayPage)
    line = replace(shown.moves[0], who="Sage, level 4", what="placed 1 for you")
    told = told_turning(found(1, 0, 0.9), line, shown.players, [(0.9, 0.1)])
    assert told == "You were ahead when Sage, level 4 placed 1 for you."


def test_the_board_of_a_turning_point_is_the_part_around_it_with_its_own_names(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    boards = page(log_in(alice), reviewed).find_all("svg", class_="point__board")
    assert boards
    for board in boards:
        left, top, side, _ = map(float, board["viewbox"].split())
        assert 100 <= side < 140
        letters, digits = board.find_all("text", class_="point__name")
        # Her board is turned by half.
        columns = [140 - 10 * (ord(letter) - ord("a")) - 5 for letter in letters.text.strip()]
        assert [float(x) for x in letters["x"].split()] == columns
        assert sorted(columns) == [left + 10 * at + 5 for at in range(int(side / 10))]
        assert all(top - 20 < float(y) < top for y in letters["y"].split())
        assert all(left + side < float(x) < left + side + 20 for x in digits["x"].split())
        assert all(top < float(y) < top + side for y in digits["y"].split())


def test_beside_its_picture_a_placement_is_told_by_one_cell_and_read_aloud_with_all(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    for point in page(log_in(alice), reviewed).find_all("article"):
        for told in point.find("dl").find_all("dd")[:2]:
            shown, heard = told.find("span", aria_hidden="true"), told.find("span", class_="visually-hidden")
            assert heard.text.startswith(shown.text)
            assert "," not in shown.text


def test_the_pieces_of_the_moves_are_pictured(alice: User, reviewed: Game, log_in: LogIn) -> None:
    shown = page(log_in(alice), reviewed)
    shapes = {f"#{symbol['id']}" for symbol in shown.find_all("symbol")}
    rows = shown.find("table", class_="review__moves").find("tbody").find_all("tr")
    for line in [*rows, *(point.find("h3") for point in shown.find_all("article"))]:
        (piece,) = line.find_all("svg", class_="move__piece")
        assert piece.find("use")["href"] in shapes


def test_every_line_of_the_graph_leads_to_the_number_of_its_move(alice: User, reviewed: Game, log_in: LogIn) -> None:
    picture = page(log_in(alice), reviewed).find("svg", class_="graph__picture")
    numbers = [text for text in picture.find_all("text", class_="graph__move") if text["dy"] == "-3"]
    lines = picture.find_all("path", class_="graph__event")
    assert lines
    for line, number in zip(lines, numbers, strict=True):
        assert line["d"].startswith(f"M{number['x']} {number['y']}L")


@pytest.mark.parametrize(
    ("better", "played", "why"),
    [
        ({"purple": 40, "orange": 30}, {"purple": 20, "orange": 30}, "It leaves Purple 40 moves instead of 20."),
        ({"purple": 20, "orange": 1}, {"purple": 20, "orange": 30}, "It leaves Orange 1 move instead of 30."),
        ({"purple": 30, "orange": 20}, {"purple": 20, "orange": 90}, "It leaves Orange 20 moves instead of 90."),
        # It has fewer moves itself: no reason for it.
        ({"purple": 20, "orange": 30}, {"purple": 40, "orange": 30}, ""),
        ({"purple": 20, "orange": 30}, {"purple": 20, "orange": 30}, ""),
    ],
)
def test_without_a_reason_the_largest_gain_in_moves_is_told_or_nothing(
    better: dict[str, int], played: dict[str, int], why: str, alice: User, bob: User
) -> None:
    shown = play_page(alice, running(alice, bob, variant="duo").slug)
    assert isinstance(shown, PlayPage)
    best, worse = RatedPlacement("2:a1,b1", legal=better), RatedPlacement("1:a1", legal=played)
    assert better_because(Finding(1, 0, (0.5, 0.5), {}, (best,), worse), "purple", shown.players) == why


@pytest.mark.parametrize(("is_you", "told"), [(True, "It closes none of your corners."), (False, "Red closes none of")])
def test_what_speaks_for_a_better_placement_is_a_sentence_about_you_or_about_the_colour(
    is_you: bool, told: str, alice: User, bob: User
) -> None:
    game = running(alice, bob)
    shown = play_page(alice if is_you else bob, game.slug)
    assert isinstance(shown, PlayPage)
    best = RatedPlacement("1:a1", reasons=(Merit("keeps", "", 0),))
    finding = Finding(3, 0, (0.5, 0.5), {}, (best,), RatedPlacement("1:a1"))
    assert better_because(finding, "red", shown.players).startswith(told)
    spared = replace(finding, best=(replace(best, reasons=(Merit("spares", "blue", 4),)),))
    whose = "It leaves your Blue 4 moves." if is_you else "Red leaves 4 moves for Blue, the player's other colour."
    assert better_because(spared, "red", shown.players) == whose


def test_where_only_the_search_shows_why_it_says_that_every_continuation_was_checked(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    review = Review.objects.get()
    for kept in review.findings:
        kept["best"][0] |= {"reasons": [], "value": None, "legal": kept["played"]["legal"]}
        kept["proved"] = True
    review.save()
    points = page(log_in(alice), reviewed).find_all("article")
    assert points
    assert all("Every continuation was checked" in point.text for point in points)


def test_where_neither_board_nor_games_show_a_reason_it_is_said_to_be_an_estimate(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    review = Review.objects.get()
    for kept in review.findings:
        kept["best"][0] |= {"reasons": [], "value": None, "legal": kept["played"]["legal"]}
        kept.pop("proved", None)
    review.save()
    points = page(log_in(alice), reviewed).find_all("article")
    assert points
    assert all("Nothing on the board shows it yet: it is the engine's estimate." in point.text for point in points)


def test_the_links_back_to_the_game_and_to_its_replay_stand_below_the_title(
    alice: User, reviewed: Game, log_in: LogIn
) -> None:
    head = page(log_in(alice), reviewed).find("div", class_="page-head")
    links = [(link.text, link["href"]) for link in head.find_all("a")]
    here = f"/games/{reviewed.slug}/"
    assert links == [("Back to the game", here), ("Replay", f"{here}replay/"), ("My mistakes", "/mistakes/")]


def test_a_players_review_lies_as_their_board_does_and_that_of_others_upright(
    alice: User, bob: User, reviewed: Game, log_in: LogIn
) -> None:
    first, second, others = (page(client, reviewed) for client in (log_in(alice), log_in(bob), Client()))
    boards = [shown.find_all("svg", class_="point__board") for shown in (first, second, others)]
    assert boards[0]
    for mine, theirs, watched in zip(*boards, strict=True):
        assert [path.attributes["d"] for path in theirs.find_all("path")] == [
            path.attributes["d"] for path in watched.find_all("path")
        ]
        for kind in ("piece", "point__played", "point__best"):
            turned = [_middle(path["d"]) for path in mine.find_all("path", class_=kind)]
            upright = [_middle(path["d"]) for path in watched.find_all("path", class_=kind)]
            # Before the first move there is no piece.
            assert turned or kind == "piece"
            assert turned == [pytest.approx((140 - x, 140 - y), abs=0.3) for x, y in upright]


def _middle(path: str) -> tuple[float, float]:
    """Return the middle of the box around a shape."""
    xs, ys = zip(*(spot for line in polylines(path) for spot in line), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def test_a_child_is_not_led_to_exercises_or_a_study(alice: User, bob: User, log_in: LogIn) -> None:
    mia = child_of(alice, "Mia", bob)
    game = recorded.reviewed(mia, recorded.finished(mia, bob, variant="duo"))
    shown = log_in(mia).get(f"/games/{game.slug}/review/").content.decode()
    assert "points-title" in shown
    assert "/mistakes/" not in shown
    assert "/study/" not in shown
