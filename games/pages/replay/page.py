"""The replay of a game of this site, at one of its moves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone

from games.base import access, positions
from games.base.talk import may_react
from games.errors import NotFound
from games.pages.board.kindness import day_lines, holiday_lines
from games.pages.board.link_card import LinkCard, link_card
from games.pages.board.opened import OpenedView, opened_views
from games.pages.board.reactions import Reactions
from games.pages.board.table import players_at
from games.pages.board.takebacks import TakenBackView, taken_back_views
from games.pages.replay.repeat import repeat_query
from games.pages.replay.steps import Leaves, replay_steps
from games.queries.play.bot_thoughts import thoughts_of
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.players import own_side, seated_of, viewer_seat
from games.queries.play.takebacks import taken_back
from games.queries.tables.table import holidays_in
from games.queries.talk.reactions import ReactionState, reactions_of
from games.rules.records import has_blksgf
from games.values import Status
from games.words import moments, names
from games.words.boards import given_fact
from games.words.moments import When
from games.words.thoughts import thought_lines

if TYPE_CHECKING:
    from games.models import Game


@dataclass(frozen=True)
class ReplayPage:
    """A game of this site at one of its moves. `has_blksgf` says whether its record has that form too.

    `address` is the replay's own, to which `query` and a move's number are added; `review` that of the game's
    review. `when` says when the game ended, or when it was last moved in; `began` and `ended` when it did. `study` is
    where a finished game is opened as a study, `analysis` where other moves are tried and `from_here` where a new game
    begins at the move shown, with the `token` of a link. `given` says how many moves were given to this one, and
    `begun_from` where the viewer finds those. `picture_query` asks for the picture of the move that was asked for.
    `card` is there for a finished game that is shown at its end. `opened` are the openings of the whole game, and
    `taken_back` the moves that stand no more. `days` say who gave whom a day, `holidays` when players
    were away.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
    when: When | None
    began: When | None
    ended: When | None
    is_over: bool
    is_public: bool
    has_blksgf: bool
    picture_query: str
    repeat_query: str
    review: str
    study: str
    analysis: str
    from_here: str
    given: str
    begun_from: str
    token: str
    is_seated: bool
    card: LinkCard | None
    opened: tuple[OpenedView, ...]
    taken_back: tuple[TakenBackView, ...]
    days: tuple[str, ...]
    holidays: tuple[str, ...]
    leaves: Leaves


def replay_page(
    user: access.Viewer, slug: str, token: str = "", number: int | None = None, *, is_shared: bool = False
) -> ReplayPage:
    """Return the game after that many moves, by default after all of them; 0 is the empty board. Four queries at most,
    one where players have reacted to any move, and those of `_way_to_former`.

    The board of one that is shared, on a page of another site, lies the same for everybody.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game = access.started_game_to_view(user, slug, token)
    moves = move_rows(game)
    stages = list(positions.positions_of(game, moves))
    people, seat = seated_of(game), viewer_seat(game, user)
    players = players_at(stages[-1], people, seat)
    is_end = game.status == Status.FINISHED and number is None
    away = holidays_in(game)
    leaves = replay_steps(
        stages,
        players,
        moves,
        number,
        started_at=game.started_at,
        pauses=game.pause_spans,
        days=game.days_given,
        holidays=away,
        side=0 if is_shared else own_side(game, user),
    )
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    address, query, now = reverse("replay", args=[game.slug]), f"{secret}&" if secret else "?", timezone.now()
    reactions = Reactions(game.slug, players, moves, *_said(game, user, now, is_shared=is_shared))
    return ReplayPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        about=names.variant_name(game.variant),
        address=address,
        query=query,
        when=moments.when(game.finished_at or game.turn_since, now),
        began=moments.when(game.started_at, now),
        ended=moments.when(game.finished_at, now),
        is_over=game.status == Status.FINISHED,
        is_public=game.is_public,
        has_blksgf=has_blksgf(stages[0].variant),
        picture_query="" if number is None else f"?move={number}",
        repeat_query=repeat_query(game),
        review=reverse("review", args=[game.slug]) + secret,
        study=reverse("game-study", args=[game.slug]) + secret,
        analysis=reverse("game-analysis", args=[game.slug]),
        from_here=reverse("from-game", args=[game.slug]),
        given=given_fact(game.given_moves),
        begun_from=_way_to_former(user, game, moves),
        token=token if secret else "",
        is_seated=seat is not None,
        card=link_card(game.variant, game.finished_at, stages[-1], players_at(stages[-1], people)) if is_end else None,
        opened=opened_views(stages[-1]),
        taken_back=taken_back_views(taken_back(game), players, f"{address}{query}move=", now),
        days=day_lines(game.days_given, players),
        # Of what is to come those who play here are told alone.
        holidays=holiday_lines((one for one in away if seat is not None or one.begins_at <= now), players),
        leaves=replace(leaves, moves=reactions.beside(leaves.moves), thoughts=thought_lines(thoughts_of(game))),
    )


def _way_to_former(user: access.Viewer, game: "Game", moves: Sequence[MoveRow]) -> str:
    """Return the address of the game that this one began in, at the last of its moves that were given here.

    Empty where there is none that the person may see. Three queries where there is one.
    """
    if not game.begun_from:
        return ""
    try:
        former = access.game_to_view(user, game.begun_from)
    except NotFound:
        return ""
    pairs = zip(move_rows(former), moves[: game.given_moves], strict=False)
    same = len(list(takewhile(lambda pair: pair[0].placement == pair[1].placement, pairs)))
    return f"{reverse('replay', args=[former.slug])}?move={same}"


def _said(
    game: "Game", user: access.Viewer, now: datetime, *, is_shared: bool
) -> tuple[tuple[ReactionState, ...], bool]:
    """Return what the viewer is shown of reactions, and whether they may react; nothing on a page for everybody."""
    return ((), False) if is_shared else (reactions_of(game, user), may_react(game, user, now))
