"""What a player sees of a game of their own lies as its board does; what is shared lies the same for everybody."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.moves.resign import resign
from games.actions.studies.share_study import share_study
from games.base import positions
from games.bots.adviser import find_advice
from games.drawing.raster.colours import fill_of
from games.drawing.raster.paths import polylines
from games.models import Advice, Game, Move, Study
from games.notifications.picture import board_picture
from games.queries.play.players import recorded_side
from games.rules import VARIANTS, Position
from games.rules.geometry import Point
from games.rules.variants import get_variant
from games.table.records import game_record
from tests.conftest import LogIn
from tests.games.bots.fakes import FirstFew
from tests.games.play.pages import Element, read
from tests.games.replay.pictures import opened
from tests.games.tables import NOON, fresh, large_first, play_out, running

pytestmark = pytest.mark.django_db

Seat = tuple[str, int, int]
#: A board, a seat at it, and by how many quarters clockwise the board is turned for the player in that seat.
SEATS = [
    ("blockyou-2", 0, 0),
    ("blockyou-2", 1, 0),
    ("blockyou-3", 0, 0),
    ("blockyou-3", 2, 2),
    ("blockyou-4", 0, 0),
    ("blockyou-4", 1, 0),
    ("blockyou-4", 2, 2),
    ("blockyou-4", 3, 2),
    ("classic-2", 0, 0),
    ("classic-2", 1, 0),
    ("classic-3", 0, 2),
    ("classic-3", 2, 0),
    ("classic-4", 0, 2),
    ("classic-4", 1, 2),
    ("classic-4", 2, 0),
    ("classic-4", 3, 0),
    ("duo", 0, 2),
    ("duo", 1, 0),
    ("junior", 0, 2),
    ("junior", 1, 0),
    ("trigon-2", 1, 0),
    ("trigon-3", 2, 0),
    ("trigon-4", 3, 0),
    ("codingame-2:13:42", 0, 2),
    ("codingame-2:13:42", 1, 0),
    ("codingame-3:9:7", 0, 2),
    ("codingame-3:9:7", 1, 0),
    ("codingame-4:12:3", 0, 2),
    ("codingame-4:12:3", 3, 2),
]
#: The seats that are left: with those above they are all that there are.
FURTHER_SEATS = [
    ("blockyou-3", 1, 0),
    ("classic-3", 1, 2),
    ("trigon-2", 0, 0),
    ("trigon-3", 0, 0),
    ("trigon-3", 1, 0),
    ("trigon-4", 0, 0),
    ("trigon-4", 1, 0),
    ("trigon-4", 2, 0),
    ("codingame-3:9:7", 2, 0),
    ("codingame-4:12:3", 1, 0),
    ("codingame-4:12:3", 2, 0),
]
#: Seats whose board is turned and one whose board is not, on boards of each shape: for what asks the board how it lies.
FEW_SEATS = [
    ("blockyou-4", 2, 2),
    ("classic-3", 0, 2),
    ("classic-4", 3, 0),
    ("duo", 0, 2),
    ("junior", 0, 2),
    ("trigon-3", 2, 0),
    ("codingame-2:13:42", 0, 2),
    ("codingame-4:12:3", 3, 2),
]


def of_seats(quick: list[Seat]) -> pytest.MarkDecorator:
    """Return what asks a test of these seats, and of all others as a proof."""
    others = [seat for seat in (*SEATS, *FURTHER_SEATS) if seat not in quick]
    proofs = [pytest.param(*seat, marks=pytest.mark.proof) for seat in others]
    return pytest.mark.parametrize(("variant", "seat", "quarters"), [*quick, *proofs])


each_seat, some_seats = of_seats(SEATS), of_seats(FEW_SEATS)

LATER = NOON + timedelta(hours=1)
#: Where something lies in a picture, across and down, in parts of its width and height.
Place = tuple[float, float]
Make = Callable[[Sequence[User], str, int], Game]


@pytest.fixture
def people(alice: User, bob: User, carol: User, dave: User) -> list[User]:
    return [alice, bob, carol, dave]


def begun(people: Sequence[User], variant: str, seat: int) -> Game:
    """Return a game in which every colour has begun and this seat is due."""
    game = running(*people[: get_variant(variant).seats], variant=variant, allows_advice=True)
    game = play_out(game, 3, large_first, turns=len(position_of(game).colours_in_play))
    while position_of(game).seat != seat:
        game = play_out(game, 3, large_first, turns=1)
    return game


def ended(people: Sequence[User], variant: str, seat: int) -> Game:
    """Return such a game after everyone but the player in the seat has resigned."""
    game = begun(people, variant, seat)
    resign_all_but(people, game, seat)
    return fresh(game)


def resign_all_but(people: Sequence[User], game: Game, seat: int) -> None:
    for number in range(len(position_of(game).seats)):
        if number != seat:
            resign(people[number], game.slug)


def position_of(game: Game) -> Position:
    return positions.position_of(game)


def colour_of(game: Game, seat: int) -> str:
    return position_of(game).seats[seat][0]


def middle(points: Iterable[Place], width: float, height: float) -> Place:
    """Return the middle of the box around some points."""
    xs, ys = zip(*points, strict=True)
    return (min(xs) + max(xs)) / 2 / width, (min(ys) + max(ys)) / 2 / height


def turned(place: Place, quarters: int) -> Place:
    """Return the place after quarters of a turn, clockwise."""
    x, y = place
    for _ in range(quarters):
        x, y = 1 - y, x
    return x, y


def middle_of(paths: Iterable[Element], picture: Element) -> Place:
    """Return the middle of the box around paths of a picture."""
    _left, _top, width, height = map(float, picture["viewbox"].split())
    return middle([spot for path in paths for spot in spots(path["d"])], width, height)


def spots(path: str) -> list[Place]:
    """Return the points that a path goes through."""
    if "L" not in path:
        return [spot for line in polylines(path) for spot in line]
    # Small pictures of triangles name every corner by its place.
    numbers = [float(number) for number in re.findall(r"[\d.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def truth(game: Game, seat: int, quarters: int, moves: int | None = None) -> Place:
    """Return where the first colour of a seat lies on its player's board, by the rules alone."""
    colour, history = colour_of(game, seat), position_of(game).history[:moves]
    cells = [point for turn in history if turn.colour == colour and turn.placement for point in turn.placement.points]
    return turned(upright(cells, game.variant), quarters)


def upright(cells: Iterable[Point], variant: str) -> Place:
    """Return where cells lie on a board that is not turned, by the rules alone."""
    grid = get_variant(variant).grid
    width = max(x for point in grid.points for x, _y in grid.lattice.outline(point))
    x, y = middle([corner for cell in cells for corner in grid.lattice.outline(cell)], width, grid.height)
    return x, 1 - y


def about(place: Place) -> object:
    """Return what equals this place, up to half a cell of the smallest board."""
    return pytest.approx(place, abs=0.07)


def page(client: Client, game: Game, path: str = "", **query: str) -> Element:
    return read(client.get(f"/games/{game.slug}/{path}", query))


def on_the_board(client: Client, game: Game, colour: str) -> Place:
    return lies_on_board(page(client, game), colour)


def lies_on_board(found: Element, colour: str) -> Place:
    """Return where a colour lies on a board that the browser turns."""
    board = found.find("svg", id="board")
    place = middle_of(board.find_all("path", class_="piece", data_colour=colour), board)
    return turned(place, int(board["data-near"]))


def in_the_replay(client: Client, game: Game, colour: str) -> Place:
    return lies_in_leaves(page(client, game, "replay/"), colour)


def lies_in_leaves(found: Element, colour: str) -> Place:
    """Return where a colour lies on a board whose moves are turned like leaves."""
    board = found.find("svg", id="board")
    groups = [group for group in board.find_all("g", data_colour=colour) if "data-number" in group.attributes]
    return middle_of([group.find("path", class_="piece") for group in groups], board)


def lies_in_picture(found: Element, kind: str, colour: str) -> Place:
    """Return where a colour lies in the only picture of that kind."""
    picture = found.find("svg", class_=kind)
    return middle_of(picture.find_all("path", class_="piece", data_colour=colour), picture)


def in_the_list(client: Client, game: Game, colour: str) -> Place:
    (thumb,) = read(client.get("/games/")).find_all("svg", class_="thumb")
    return middle_of(thumb.find_all("path", data_colour=colour), thumb)


def in_the_mail(game: Game, user: User, colour: str) -> Place:
    image = opened(board_picture(game, list(game.moves.all()), user.pk)).convert("RGB")
    width, height = image.size
    wanted, pixels = bytes.fromhex(fill_of(colour)[1:]), image.tobytes()
    points = [
        (float(x), float(y))
        for x in range(0, width, 2)
        for y in range(0, height, 2)
        if sum(abs(pixels[3 * (y * width + x) + each] - wanted[each]) for each in range(3)) < 24
    ]
    return middle(points, width, height)


def test_what_follows_is_asked_of_every_seat_of_every_board() -> None:
    asked = [(variant.partition(":")[0], seat) for variant, seat, _quarters in (*SEATS, *FURTHER_SEATS)]
    assert sorted(asked) == sorted((name, seat) for name, kind in VARIANTS.items() for seat in range(kind.seats))


@each_seat
@pytest.mark.parametrize("make", [begun, ended], ids=["running", "finished"])
def test_the_board_the_replay_the_list_and_the_mail_lie_the_same_for_a_player(
    make: Make, variant: str, seat: int, quarters: int, people: list[User], log_in: LogIn
) -> None:
    game = make(people, variant, seat)
    client, colour = log_in(people[seat]), colour_of(game, seat)
    mine = about(truth(game, seat, quarters))
    assert {
        "board": on_the_board(client, game, colour),
        "replay": in_the_replay(client, game, colour),
        "list": in_the_list(client, game, colour),
        "mail": in_the_mail(game, people[seat], colour),
    } == {"board": mine, "replay": mine, "list": mine, "mail": mine}


@some_seats
def test_the_pictures_of_a_suggestion_lie_as_the_board_does(
    variant: str,
    seat: int,
    quarters: int,
    people: list[User],
    log_in: LogIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.bots.adviser.strong_engine", FirstFew)
    game = begun(people, variant, seat)
    client = log_in(people[seat])
    client.post(f"/games/{game.slug}/advice/", {"way": "page"})
    find_advice(Advice.objects.get().player_id, game.move_count + 1)
    pictures = page(client, game, "advice/", way="page").find_all("svg", class_="advice__picture")
    assert len(pictures) == 3
    colour, mine = colour_of(game, seat), truth(game, seat, quarters)
    for picture, best in zip(pictures, position_of(game).legal_placements()[:3], strict=True):
        others = picture.find("g", class_="advice__others").find_all("path", data_colour=colour)
        assert middle_of(others, picture) == about(mine)
        # What is suggested lies where the board would show it.
        marked = middle_of(picture.find_all("path", class_="advice__edge"), picture)
        assert marked == about(turned(upright(best.points, variant), quarters))


@some_seats
def test_the_picture_of_an_explanation_lies_as_the_board_does(
    variant: str, seat: int, quarters: int, people: list[User], log_in: LogIn
) -> None:
    game = begun(people, variant, seat)
    number = game.move_count
    Move.objects.filter(game=game, number=number).update(bot="greedy")
    Game.objects.filter(pk=game.pk).update(allows_explanations=True)
    picture = page(log_in(people[seat]), game, "why/").find("svg", class_="explained__picture")
    colour, played = colour_of(game, seat), position_of(game).history[-1].placement
    others = picture.find("g", class_="explained__others").find_all("path", data_colour=colour)
    assert middle_of(others, picture) == about(truth(game, seat, quarters, number - 1))
    assert played
    marked = middle_of(picture.find_all("path", class_="explained__edge"), picture)
    assert marked == about(turned(upright(played.points, variant), quarters))


@some_seats
def test_what_was_tried_in_a_game_and_where_another_begins_lie_as_the_board_does(
    variant: str, seat: int, quarters: int, people: list[User], log_in: LogIn
) -> None:
    game = begun(people, variant, seat)
    client, colour, tried = log_in(people[seat]), colour_of(game, seat), position_of(game).legal_placements()[-1]
    due = position_of(game).colour
    extend_branch(people[seat], game.slug, move=str(tried))
    resign_all_but(people, game, seat)

    def lies(kind: str, path: str, **query: str) -> list[Place]:
        """Return where the colour's pieces lie in each picture of a page."""
        pictures = page(client, game, path, **query).find_all("svg", class_=kind)
        return [middle_of(each.find_all("path", class_="piece", data_colour=colour), each) for each in pictures]

    placed = game.move_count
    cells = [
        point
        for turn in position_of(game).history[:placed]
        if turn.colour == colour and turn.placement
        for point in turn.placement.points
    ]
    mine = about(truth(game, seat, quarters, placed))
    beside = about(turned(upright([*cells, *(tried.points if due == colour else ())], variant), quarters))
    assert lies("read__board", "analysis/branches/") == [beside]
    assert lies("compare__board", "analysis/compare/") == [mine, beside]
    assert lies("from__board", "from/", move=str(placed)) == [mine]


@some_seats
def test_what_happened_while_i_was_away_my_plan_and_the_analysis_board_lie_as_the_board_does(
    variant: str, seat: int, quarters: int, people: list[User], log_in: LogIn
) -> None:
    game = begun(people, variant, seat)
    client, colour, mine = log_in(people[seat]), colour_of(game, seat), about(truth(game, seat, quarters))
    assert {
        "away": lies_in_leaves(page(client, game, "away/"), colour),
        "plan": lies_in_picture(page(client, game, "plan/"), "plan__board", colour),
        "analysis": lies_on_board(page(client, game, "analysis/"), colour),
    } == {"away": mine, "plan": mine, "analysis": mine}


@some_seats
def test_a_study_of_a_game_of_mine_lies_as_its_board_did(
    variant: str, seat: int, quarters: int, people: list[User], eve: User, log_in: LogIn
) -> None:
    game = begun(people, variant, seat)
    placed = game.move_count
    resign_all_but(people, game, seat)
    client, colour = log_in(people[seat]), colour_of(game, seat)
    client.post(f"/games/{game.slug}/study/")
    study = Study.objects.get()
    share_study(people[seat], study.slug, is_shared=True)
    address, at = f"/studies/{study.slug}/", {"move": str(placed)}
    mine, fixed = about(truth(game, seat, quarters, placed)), about(truth(game, seat, 0, placed))
    assert {
        "study": lies_in_leaves(read(client.get(address, at)), colour),
        "board": lies_on_board(read(client.get(f"{address}board/", at)), colour),
        "from here": lies_in_picture(read(client.get(f"{address}from/", at)), "from__board", colour),
    } == {"study": mine, "board": mine, "from here": mine}
    # Who did not play sees it as everybody does.
    for other in (log_in(eve), Client()):
        assert lies_in_leaves(read(other.get(address, at)), colour) == fixed
    # Under another name too; and what was typed in as a record is found by when its game ended.
    User.objects.filter(pk=people[seat].pk).update(username="another")
    assert lies_in_leaves(read(client.get(address, at)), colour) == mine
    record = json.loads(client.get(f"{address}record.json").content)
    client.post("/studies/", {"text": json.dumps(record)})
    again = Study.objects.latest("pk")
    assert lies_in_leaves(read(client.get(f"/studies/{again.slug}/", at)), colour) == mine


@pytest.mark.parametrize(
    "ended", ["", "2026-02-31T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
)
def test_a_record_that_names_no_end_of_a_game_of_mine_lies_upright(ended: str, alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    resign(alice, game.slug)
    record = replace(game_record(alice, game.slug), ended=ended)
    assert recorded_side(record, alice) == 0


def test_where_several_games_ended_at_once_the_record_of_one_lies_as_its_own_board(
    alice: User, bob: User, carol: User
) -> None:
    first, other = running(alice, bob, variant="duo"), running(carol, alice, variant="junior")
    resign(alice, first.slug, now=LATER)
    resign(alice, other.slug, now=LATER)
    assert [recorded_side(game_record(alice, game.slug), alice) for game in (first, other)] == [2, 0]
    # Two seats of one board at one moment: no one can say which it was.
    third = running(bob, alice, variant="duo")
    resign(alice, third.slug, now=LATER)
    assert recorded_side(game_record(alice, first.slug), alice) == 0


@some_seats
def test_what_is_shared_and_what_others_see_lies_upright(
    variant: str, seat: int, quarters: int, people: list[User], eve: User, log_in: LogIn
) -> None:
    game = begun(people, variant, seat)
    colour, fixed = colour_of(game, seat), about(truth(game, seat, 0))
    own, stranger = log_in(people[seat]), Client()
    assert on_the_board(stranger, game, colour) == fixed
    assert in_the_replay(stranger, game, colour) == fixed
    assert in_the_mail(game, eve, colour) == fixed
    for path in ("picture.png", "replay.gif"):
        shared = [client.get(f"/games/{game.slug}/{path}").content for client in (own, stranger)]
        assert shared[0] == shared[1]
    embeds = [read(client.get(f"/games/{game.slug}/embed/")).find("svg", id="board") for client in (own, stranger)]
    paths = [[path["d"] for path in embed.find_all("path") if "d" in path.attributes] for embed in embeds]
    assert paths[0] == paths[1]


def test_a_board_stays_as_it_lies_when_the_game_ends_or_i_resign(people: list[User], log_in: LogIn) -> None:
    for variant, seat in (("duo", 0), ("blockyou-4", 2), ("codingame-2:13:42", 0)):
        game = begun(people, variant, seat)
        client = log_in(people[seat])
        before = page(client, game).find("svg", id="board")["data-near"]
        resign(people[seat], game.slug)
        assert (before, page(client, game).find("svg", id="board")["data-near"]) == ("2", "2")


def test_a_turned_replay_names_its_columns_and_rows_where_they_end(people: list[User], log_in: LogIn) -> None:
    game = begun(people, "blockyou-4", 2)
    mine, theirs = (page(client, game, "replay/").find("svg", id="board") for client in (log_in(people[2]), Client()))
    letters = [board.find("text", class_="board__letters") for board in (mine, theirs)]
    digits = [board.find("text", class_="board__numbers") for board in (mine, theirs)]
    assert letters[0].text == letters[1].text
    across = [[float(x) for x in text["x"].split()] for text in letters]
    assert across[0] == pytest.approx([200 - x for x in across[1]])
    assert float(letters[0]["y"].split()[0]) < 0 < 200 < float(letters[1]["y"].split()[0])
    assert min(float(x) for x in digits[0]["x"].split()) > 200
