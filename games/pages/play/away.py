"""What has happened since a player's last turn, on a page of its own: told move by move, and played once."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone

from games.base import access, positions
from games.pages.board.table import player_views
from games.pages.replay.steps import Leaves, replay_steps
from games.pages.spoken.news import Narrator
from games.queries.play.players import own_side
from games.queries.play.state import GameState, state_for
from games.queries.play.while_away import while_away
from games.values import Status
from games.words import moments, names
from games.words.happenings.while_away import open_line, step_line
from games.words.moments import When


@dataclass(frozen=True)
class AwayPage:
    """The board with what is new, and a line a move: its number and what it did. `still` says what is left to reach.

    `since` is when the viewer's last turn was. `plays_from` is after how many moves it begins to play by itself, None
    where it does not, as a move was asked for. The rest is as in a `ReplayPage`.
    """

    slug: str
    name: str
    about: str
    query: str
    back: str
    since: When | None
    lines: tuple[tuple[int, str], ...]
    still: str
    before: int
    plays_from: int | None
    leaves: Leaves


def away_page(user: access.Viewer, slug: str, token: str = "", number: int | None = None) -> AwayPage:
    """Return what has happened since the viewer's last turn; for those who only look, in the last round.

    The queries are those of `game_state`.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game, now = access.started_game_to_view(user, slug, token), timezone.now()
    state = state_for(game, user, token, now)
    if not isinstance(state, GameState):
        raise TypeError(f"game {slug} has not started")
    stages = list(positions.positions_of(game, state.moves))
    told = while_away(state, stages)
    players = player_views(state.seats, state.colours, state.hand)
    narrator = Narrator(state, players)
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    is_going = game.status == Status.RUNNING and state.rights.is_playing and state.game.allows_hints
    lines = tuple((step.move.number, step_line(narrator.deed(step.move), step.closed)) for step in told.steps)
    leaves = replay_steps(
        stages,
        players,
        state.moves,
        number,
        started_at=game.started_at,
        pauses=game.pause_spans,
        side=own_side(game, user),
        told=dict(lines),
    )
    return AwayPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        about=names.variant_name(game.variant),
        query=f"{secret}&" if secret else "?",
        back=reverse("game", args=[game.slug]) + secret,
        since=moments.when(told.last_turn, now),
        lines=lines,
        still=open_line(told.open) if is_going else "",
        before=told.before,
        plays_from=told.before if number is None and told.steps else None,
        leaves=leaves,
    )
