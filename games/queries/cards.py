"""One game in a list: its board, its name, who plays, and the figure that matters most."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext, ngettext

from games import clock
from games.models import Game, Player, Reason
from games.queries import names, sentences
from games.queries.thumbnails import Thumbnail, table_thumbnail, thumbnail
from games.rules.variants import get_variant

URGENT = timedelta(hours=6)


@dataclass(frozen=True)
class GameCard:
    """One row of a list of games.

    `figure` is a score, or the time left until the `deadline`; empty where there is none.
    """

    slug: str
    title: str
    line: str
    about: str
    thumb: Thumbnail
    figure: str = ""
    figure_label: str = ""
    deadline: datetime | None = None
    is_urgent: bool = False


def load_players(games: Sequence[Game]) -> None:
    """Fetch the players of all these games, with their users, in one query."""
    people = Player.objects.select_related("user", "invitee")
    prefetch_related_objects(list(games), Prefetch("players", people))


def picture(game: Game) -> Thumbnail:
    """Return the game's board, small; before the first move, which seats are taken."""
    return thumbnail(game.board, game.variant) if game.move_count else _table(game)


def _table(game: Game) -> Thumbnail:
    colours = get_variant(game.variant).seat_colours(game.colours or None)
    taken: list[str] = []
    free: list[str] = []
    for player in game.players.all():
        (taken if player.user_id or player.bot else free).extend(colours[player.seat])
    return table_thumbnail(game.variant, tuple(taken), tuple(free))


def running_card(game: Game, user_id: int | None, now: datetime) -> GameCard:
    """Return the row of a running game: who is to play and how long they have."""
    players = list(game.players.all())
    turn = next((player for player in players if player.seat == game.turn_seat), None)
    is_mine = turn is not None and user_id is not None and turn.user_id == user_id
    named = [names.company(players, user_id)] if game.name else []
    waiting = [] if is_mine or turn is None else [_waits(game, turn)]
    return GameCard(
        slug=game.slug,
        title=names.game_title(game, user_id),
        line=(waiting or named or [""])[0],
        about=about(game, gettext("move %(number)d") % {"number": game.move_count + 1}),
        thumb=picture(game),
        figure=sentences.left(game.deadline, now),
        figure_label=_left_label(game, now),
        deadline=game.deadline,
        is_urgent=game.deadline is not None and game.deadline - now < URGENT,
    )


def _waits(game: Game, turn: Player) -> str:
    return gettext("paused") if game.is_paused else gettext("waiting for %(name)s") % {"name": names.player_name(turn)}


def _left_label(game: Game, now: datetime) -> str:
    if game.deadline is None:
        return ""
    return gettext("time is up") if clock.is_past(game.deadline, now) else gettext("left")


def finished_card(game: Game, user_id: int | None, *, is_mine: bool = True) -> GameCard:
    """Return the row of a finished game as it went for this person, who need not have played.

    `is_mine` tells it to this person, otherwise to somebody else.
    """
    players = list(game.players.all())
    player = next((each for each in players if user_id is not None and each.user_id == user_id), None)
    moves = ngettext("%(n)d move", "%(n)d moves", game.move_count) % {"n": game.move_count}
    has_score = player is not None and player.score is not None
    return GameCard(
        slug=game.slug,
        title=names.game_title(game, user_id if is_mine else None),
        line=result(players, player if is_mine else None),
        about=about(game, moves),
        thumb=picture(game),
        figure=score_text(player.score) if player is not None and player.score is not None else "",
        figure_label=(gettext("your score") if is_mine else gettext("score")) if has_score else "",
    )


def waiting_card(game: Game, user_id: int) -> GameCard:
    """Return the row of a table that waits for players, for one of them or for somebody invited."""
    players = list(game.players.all())
    taken = [player for player in players if player.user_id or player.bot]
    is_invited = user_id not in [player.user_id for player in players]
    return GameCard(
        slug=game.slug,
        title=game.name or names.company(taken, user_id) or gettext("Your table"),
        line=gettext("you are invited") if is_invited else names.seats_taken(len(taken), len(players)),
        about=about(game, names.time_name(game.time_initial)),
        thumb=picture(game),
    )


def result(players: Sequence[Player], mine: Player | None) -> str:
    """Return how a game ended, for the player in the seat `mine` or for somebody who looks on."""
    winners = [player for player in players if player.is_winner]
    if mine is None:
        return _result_for_others(winners)
    if mine.retired:
        return {Reason.RESIGNED.value: gettext("you resigned")}.get(mine.retired, gettext("you ran out of time"))
    if mine not in winners:
        return _result_for_others(winners)
    if len(winners) > 1:
        return gettext("you tied with %(names)s") % {"names": sentences.listed(names.others(winners, mine.user_id))}
    return _won(players, mine)


def _won(players: Sequence[Player], mine: Player) -> str:
    rivals = [each.score for each in players if each is not mine and not each.retired and each.score is not None]
    if not rivals or mine.score is None:
        return gettext("you won")
    return gettext("you won by %(n)d") % {"n": mine.score - max(rivals)}


def _result_for_others(winners: Sequence[Player]) -> str:
    who = sentences.listed([names.player_name(each) for each in winners])
    if len(winners) > 1:
        return gettext("%(names)s tied") % {"names": who}
    return gettext("%(names)s won") % {"names": who} if who else gettext("nobody won")


def score_text(score: int) -> str:
    """Return a score with a true minus sign."""
    return str(score).replace("-", "\N{MINUS SIGN}")


def about(game: Game, last: str) -> str:
    """Return what is played, in a line that ends with what the list is about."""
    return " · ".join([names.variant_name(game.variant), last])
