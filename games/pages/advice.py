"""Advice for the player who asked for it: what was found for the turn that is due, or that it is under way."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format

from accounts.models import User
from games.base import access
from games.drawing.thumbnails import Thumbnail, mark_path, thumbnail
from games.findings import RatedPlacement
from games.models import Game, Player
from games.queries.analysis import advice_told
from games.queries.players import seat_side
from games.queries.turns import next_number
from games.rules import Placement
from games.words import names, reasons, sentences
from games.words.sentences import placement_label

#: How a page shows advice: on the board, in words, or on a page of its own.
WAYS = ("board", "words", "page")


@dataclass(frozen=True)
class AdviceView:
    """A good placement: its text, the same in words, the chance that goes with it, what it does, and a picture.

    `piece` is its piece's name, `mark` the path of its cells in the picture.
    """

    text: str
    label: str
    chance: str
    sentence: str
    piece: str
    thumb: Thumbnail
    mark: str


@dataclass(frozen=True)
class FoundAdvice:
    """How far the advice has come: `state` is "idle", "thinking", "late", "ready", "failed" or, not on turn, "waiting".

    `colour` is the name of the colour to play, `code` its code. `seconds` have gone since the advice was asked for.
    """

    state: str
    colour: str = ""
    code: str = ""
    seconds: int = 0
    choices: tuple[AdviceView, ...] = ()


@dataclass(frozen=True)
class AdvicePage:
    """Advice for a player who may ask for it. `way` is one of `WAYS`, `simulations` say how good the advice is."""

    slug: str
    address: str
    name: str
    number: int
    way: str
    simulations: str
    found: FoundAdvice


def advice_page(user: User, slug: str, way: str, now: datetime | None = None) -> AdvicePage:
    """Return what is to be shown to a player of a running game; three queries at most.

    Raises:
        NotFound, NotSeated: no such game for this person, or none of theirs; or hints are not allowed at the table.
        WrongStatus: it is not running.

    """
    game, player = access.game_to_advise(user, slug)
    return AdvicePage(
        slug=game.slug,
        address=reverse("game", args=[game.slug]),
        name=names.game_title(game, user.pk),
        number=next_number(game),
        way=way if way in WAYS else "page",
        simulations=number_format(settings.HINT_SIMULATIONS, force_grouping=True),
        found=_found(game, player, now or timezone.now()),
    )


def _found(game: Game, player: Player, now: datetime) -> FoundAdvice:
    told = advice_told(game, player, now)
    if told.state == "waiting":
        return FoundAdvice("waiting")
    side = seat_side(game, player.seat)
    choices = tuple(_choice(game, choice, side) for choice in told.choices)
    return FoundAdvice(told.state, sentences.colour(told.colour), told.colour, told.seconds, choices)


def _choice(game: Game, choice: RatedPlacement, side: int) -> AdviceView:
    placement = Placement.parse(choice.placement, game.variant)
    return AdviceView(
        text=choice.placement,
        label=placement_label(placement),
        chance="" if choice.value is None else sentences.percent(round(100 * choice.value)),
        sentence=reasons.reasons_text(choice.reasons, True),
        piece=placement.piece,
        thumb=thumbnail(game.board, game.variant, side),
        mark=mark_path(placement.cells, game.turn_colour, game.variant, side),
    )
