"""What is told of a game when it is passed on: as a picture, or move by move as an animation."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games import access, positions
from games.models import Game
from games.queries import drawing, names, sentences
from games.queries.cards import score_text
from games.queries.share_text import can_write
from games.queries.table import PlayerView, player_views
from games.queries.words import moves_of
from games.rules import Position

#: Goes into the tags of pictures: another number when they are drawn in another way.
_EDITION = 1


@dataclass(frozen=True)
class SideView:
    """One player in a picture. `scores` has one for every state that is shown."""

    colours: tuple[str, ...]
    name: str
    scores: tuple[str, ...]
    is_winner: bool


@dataclass(frozen=True)
class SharedGame:
    """A game as everybody may see it, nobody in it being "you".

    `pieces` are those in the picture, in order. A picture shows one state, an animation one for each number of pieces.
    `say` is how far the game is or how it ended, `more` why.
    """

    name: str
    variant: str
    title: str
    about: str
    say: str
    more: str
    sides: tuple[SideView, ...]
    starts: tuple[drawing.MarkView, ...]
    pieces: tuple[drawing.PieceView, ...]
    is_public: bool

    @property
    def tag(self) -> str:
        """Return a tag that differs whenever the picture does."""
        return f'"{hashlib.sha256(f"{_EDITION}{self!r}".encode()).hexdigest()[:32]}"'


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
    """Return the game with the scores of every state in which a piece had been placed. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game, stages = _stages(user, slug, token)
    placed = [number for number, turn in enumerate(stages[-1].history, 1) if turn.placement is not None]
    # What follows the last piece, passes and retirements, belongs to its picture.
    return _shared(game, stages, (0, *placed[:-1], len(stages) - 1) if placed else (0,))


def _stages(user: access.Viewer, slug: str, token: str) -> tuple[Game, list[Position]]:
    game = access.started_game_to_view(user, slug, token)
    return game, list(positions.positions_of(game, moves_of(game)))


def _shared(game: Game, stages: Sequence[Position], shown: Sequence[int]) -> SharedGame:
    position = stages[shown[-1]]
    is_end = position.is_over and shown[-1] == len(stages) - 1
    players = player_views(game, position, None)
    variant = names.variant_name(game.variant)
    title = game.name if game.name and can_write(game.name) else variant
    return SharedGame(
        name=f"block-you-{game.slug}",
        variant=game.variant,
        title=title,
        about=variant if title != variant else "",
        say=sentences.verdict(players) if is_end else _progress(shown[-1], len(stages) - 1),
        more=sentences.end(game.reason) if is_end else "",
        sides=tuple(_side(player, [stages[number] for number in shown], is_end) for player in players),
        starts=drawing.board_view(stages[0]).starts,
        pieces=drawing.pieces_of(position),
        is_public=game.is_public,
    )


def _side(player: PlayerView, stages: Sequence[Position], is_end: bool) -> SideView:
    return SideView(
        colours=tuple(colour.code for colour in player.colours),
        name=player.name,
        scores=tuple(score_text(stage.seat_scores()[player.seat]) for stage in stages),
        is_winner=is_end and player.is_winner,
    )


def _progress(number: int, last: int) -> str:
    return gettext("Move %(number)d of %(last)d") % {"number": number, "last": last}
