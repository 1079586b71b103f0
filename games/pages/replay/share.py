"""What a game shows when it is passed on: as a picture, or move by move as an animation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from games.base import access, positions
from games.drawing import svg
from games.drawing.raster.shared_game import SharedGame, SideView
from games.drawing.raster.text import can_write
from games.pages.board.link_card import full_day
from games.pages.board.table import PlayerView, players_at
from games.queries.play.moves import move_rows
from games.queries.play.players import seated_of, seats_placed
from games.rules import Position
from games.words import endings, names

if TYPE_CHECKING:
    from games.models import Game


def shared_picture(user: access.Viewer, slug: str, token: str = "", number: int | None = None) -> SharedGame:
    """Return the game after that many moves, by default after all of them. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game, stages = _stages(user, slug, token)
    shown = len(stages) - 1 if number is None else min(number, len(stages) - 1)
    return _shared(game, stages, (shown,))


def shared_animation(user: access.Viewer, slug: str, token: str = "") -> SharedGame:
    """Return the game with what was placed in every state in which a piece had been placed. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game, stages = _stages(user, slug, token)
    placed = [number for number, turn in enumerate(stages[-1].history, 1) if turn.placement is not None]
    # What follows the last piece, passes and retirements, belongs to its picture.
    return _shared(game, stages, (0, *placed[:-1], len(stages) - 1) if placed else (0,))


def _stages(user: access.Viewer, slug: str, token: str) -> "tuple[Game, list[Position]]":
    game = access.started_game_to_view(user, slug, token)
    return game, list(positions.positions_of(game, move_rows(game)))


def _shared(game: "Game", stages: Sequence[Position], shown: Sequence[int]) -> SharedGame:
    position = stages[shown[-1]]
    is_end = position.is_over and shown[-1] == len(stages) - 1
    players = players_at(position, seated_of(game))
    # An animation does not give away the winner by the order of its first picture.
    is_ranked = is_end and len(shown) == 1
    ranked = sorted(players, key=lambda player: position.places()[player.seat]) if is_ranked else players
    variant = names.variant_name(game.variant)
    title = game.name if game.name and can_write(game.name) else variant
    return SharedGame(
        name=f"block-you-{game.slug}",
        variant=game.variant,
        title=title,
        about=variant if title != variant else "",
        say=endings.winner_text(players) if is_end else _progress(shown[-1], len(stages) - 1),
        more=full_day(game.finished_at) if is_end else "",
        sides=tuple(_side(player, [stages[number] for number in shown], is_end) for player in ranked),
        starts=svg.start_marks(stages[shown[0]]),
        begun=next((count for count, number in enumerate(shown) if not svg.start_marks(stages[number])), None),
        pieces=svg.pieces_of(position),
        is_public=game.is_public,
    )


def _side(player: PlayerView, stages: Sequence[Position], is_end: bool) -> SideView:
    return SideView(
        colours=tuple(colour.code for colour in player.colours),
        name=player.name,
        placed=tuple(f"{seats_placed(stage)[player.seat]}/{player.cells}" for stage in stages),
        is_winner=is_end and player.is_winner,
        place=endings.place_name(stages[-1].places()[player.seat]) if is_end else "",
    )


def _progress(number: int, last: int) -> str:
    return gettext("Move %(number)d of %(last)d") % {"number": number, "last": last}
