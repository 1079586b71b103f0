"""Games as pictures and animations: what is in them, who gets them, and what they may cost."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.models import Game
from games.pages.replay.share import shared_animation, shared_picture
from games.rules.variants import VARIANTS, get_variant
from games.views.play import share
from tests.conftest import LogIn
from tests.games.replay.pictures import film_of, lengths_of, opened, stages_of, token, wrong_cells
from tests.games.tables import ME, OPEN, bot, fresh, open_table, place, play_out, running

pytestmark = pytest.mark.django_db

CHOSEN = ("codingame-2:13:42", "codingame-3:9:7")
ALL = (*VARIANTS, *CHOSEN)
#: Where boards lie in a picture: in a square of 578 by 558 beside the words, 4 pixels from its border.
WIDE, HIGH = 570, 550
MEBIBYTE = 1024 * 1024


def table_of(alice: User, variant: str) -> Game:
    """Return a running game of alice and bots that do nothing unless they are played."""
    return open_table(alice, ME, *([bot()] * (get_variant(variant).seats - 1)), variant=variant)


def shape_of(variant: str) -> tuple[float, float]:
    """Return the width and height of a board in widths of a column."""
    grid = get_variant(variant).grid
    high = 1.0 if len(grid.lattice.outline((0, 0))) == 4 else 3**0.5
    return max(x for point in grid.points for x, _ in grid.lattice.outline(point)), grid.height * high


@pytest.mark.parametrize("variant", ALL)
@pytest.mark.slow
def test_every_cell_of_every_board_has_its_colour(variant: str, alice: User) -> None:
    game = play_out(table_of(alice, variant), turns=17)
    image = opened(Client().get(f"/games/{game.slug}/picture.png").content)
    columns, rows = shape_of(variant)
    unit = min(WIDE / columns, HIGH / rows)
    left, top = (650 - unit * columns) / 2, (630 - unit * rows) / 2
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert wrong_cells(image, positions.position_of(game), left, top, unit * columns) == []


@pytest.mark.parametrize("variant", ["blockyou-4", "trigon-3"])
def test_every_move_has_a_picture_of_its_own(variant: str, alice: User) -> None:
    game = play_out(table_of(alice, variant), turns=9)
    columns, rows = shape_of(variant)
    unit = min(WIDE / columns, HIGH / rows)
    for number, position in enumerate(stages_of(game)):
        image = opened(Client().get(f"/games/{game.slug}/picture.png", {"move": number}).content)
        corner = (650 - unit * columns) / 2, (630 - unit * rows) / 2
        assert wrong_cells(image, position, *corner, unit * columns) == []


@pytest.mark.parametrize("variant", ["blockyou-4", "duo", "trigon-2"])
def test_an_animation_shows_the_game_piece_by_piece_and_holds_its_end(variant: str, alice: User) -> None:
    game = play_out(table_of(alice, variant))
    content = Client().get(f"/games/{game.slug}/replay.gif").content
    film = film_of(content)
    placed = [stage for stage in stages_of(game)[1:] if stage.history[-1].placement is not None]
    assert (film.format, film.n_frames) == ("GIF", len(placed) + 1)
    assert len(content) <= MEBIBYTE
    lengths = lengths_of(film)
    assert (set(lengths[1:-1]), lengths[-1]) == ({500}, 4000)
    unit = min(472 / shape_of(variant)[0], 472 / shape_of(variant)[1])
    left = (480 - unit * shape_of(variant)[0]) / 2
    for number in (1, 7, len(placed)):
        film.seek(number)
        assert wrong_cells(film, placed[number - 1], left, 34, unit * shape_of(variant)[0]) == []


def test_a_game_without_a_move_has_both(alice: User) -> None:
    game = table_of(alice, "duo")
    assert opened(Client().get(f"/games/{game.slug}/replay.gif").content).size[0] == 480
    assert opened(Client().get(f"/games/{game.slug}/picture.png").content).getpixel((0, 0)) == token("card")


def test_a_picture_says_how_the_game_stands_and_an_end_who_won(alice: User, bob: User, eve: User) -> None:
    game = running(alice, bob, variant="duo", name="Sunday evening")
    place(game, str(positions.position_of(game).legal_placements()[0]))
    shown = shared_picture(eve, game.slug)
    assert (shown.title, shown.say, shown.sides[0].is_winner) == ("Sunday evening", "Move 1 of 1", False)
    resign(bob, game.slug)
    for viewer in (alice, bob, eve):
        over = shared_picture(viewer, game.slug)
        assert over.say == "alice won"
        assert [(side.place, side.name) for side in over.sides] == [("1st", "alice"), ("2nd", "bob")]
    assert shared_picture(eve, game.slug, number=1).say == "Move 1 of 2"


def test_a_name_that_the_font_cannot_write_is_left_out(alice: User, bob: User) -> None:
    for name, title in (("Été à Łódź", "Été à Łódź"), ("Вечер", "Вечер"), ("\u56f2\u7881", "Duo, 2 players")):
        assert shared_picture(alice, running(alice, bob, variant="duo", name=name).slug).title == title


def test_an_animation_has_what_was_placed_in_every_state(alice: User) -> None:
    game = play_out(table_of(alice, "blockyou-2"))
    film = shared_animation(alice, game.slug)
    board = stages_of(game)[-1].board
    assert {len(side.placed) for side in film.sides} == {len(film.pieces) + 1}
    assert [side.placed[0] for side in film.sides] == ["0/178", "0/178"]
    covered = [sum(map(board.count, seat)) for seat in ("02", "13")]
    assert [side.placed[-1] for side in film.sides] == [f"{cells}/178" for cells in covered]


@pytest.mark.parametrize("file", ["picture.png", "replay.gif"])
def test_a_private_game_is_drawn_for_its_players_and_whoever_has_its_link(
    file: str, alice: User, bob: User, mallory: User, log_in: LogIn
) -> None:
    game = running(alice, bob, variant="duo", is_public=False)
    address = f"/games/{game.slug}/{file}"
    assert log_in(mallory).get(address).status_code == 404
    assert Client().get(address).status_code == 404
    answers = [log_in(bob).get(address), Client().get(address, {"token": game.invite_token})]
    assert [(answer.status_code, answer["Cross-Origin-Resource-Policy"]) for answer in answers] == [
        (200, "same-origin")
    ] * 2


@pytest.mark.parametrize(("file", "kind"), [("picture.png", "image/png"), ("replay.gif", "image/gif")])
def test_what_has_not_changed_is_not_sent_again(file: str, kind: str, alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    address = f"/games/{game.slug}/{file}"
    # Every browser asks like this, and what is made smaller on its way has its tag weakened.
    first = Client().get(address, headers={"Accept-Encoding": "gzip, br"})
    assert (first["Content-Type"], first["Cache-Control"]) == (kind, "private, no-cache")
    assert first["Content-Disposition"] == f'inline; filename="block-you-{game.slug}.{kind[-3:]}"'
    assert first["Cross-Origin-Resource-Policy"] == "cross-origin"
    known = {"If-None-Match": first["ETag"]}
    again = Client().get(address, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    place(game, str(positions.position_of(fresh(game)).legal_placements()[0]))
    assert Client().get(address, headers=known).status_code == 200


@pytest.mark.parametrize(
    ("file", "limit"), [("picture.png", "PICTURES_A_MINUTE"), ("replay.gif", "ANIMATIONS_A_MINUTE")]
)
def test_drawing_is_limited_and_being_told_that_nothing_changed_is_not(
    file: str, limit: str, alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share, limit, 2)
    address, browser = f"/games/{running(alice, bob, variant='duo').slug}/{file}", log_in(alice)
    tag = browser.get(address)["ETag"]
    assert [browser.get(address, headers={"If-None-Match": tag}).status_code for _ in range(4)] == [304] * 4
    answers = [browser.get(address) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert 1 <= int(answers[1]["Retry-After"]) <= 60
    assert log_in(bob).get(address).status_code == 200


@pytest.mark.parametrize("file", ["picture.png", "replay.gif", "embed/"])
def test_a_table_that_has_not_started_is_not_drawn(file: str, alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN)
    assert log_in(alice).get(f"/games/{game.slug}/{file}").status_code == 409


def test_a_move_that_is_not_there_is_the_last(alice: User) -> None:
    game = play_out(table_of(alice, "duo"), turns=3)

    def tag(move: str) -> str:
        return Client().get(f"/games/{game.slug}/picture.png", {"move": move})["ETag"]

    assert {tag(move) for move in ("", "99999", "-1", "x", "3.0")} == {tag("3")}
    assert tag("2") != tag("3")
