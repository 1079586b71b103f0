"""Advice as whoever asked for it sees it: what was found for the turn that is due, or that it is thought about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.models import User
from games import access
from games.errors import NotSeated, WrongStatus
from games.models import Advice, Game, Player, Status
from games.queries import names, reasons, sentences
from games.queries.findings import Choice
from games.queries.spoken import placement_label
from games.queries.turns import next_number
from games.rules import Placement

#: Seconds after which an answer is late: what was asked may be lost, and may be asked again.
PATIENCE = 30

#: How a page shows advice: on the board, in words, or on a page of its own.
WAYS = ("board", "words", "page")


@dataclass(frozen=True)
class ChoiceView:
    """A good placement: its text, the same in words, the chance that goes with it, and what it does."""

    text: str
    label: str
    chance: str
    sentence: str


@dataclass(frozen=True)
class AdvicePage:
    """What somebody sees who may ask.

    `state` is "idle", "thinking", "late", "ready", "failed" or, not on turn, "waiting". `way` is one of `WAYS`.
    `seconds` have gone since it was asked for. `simulations` say how good it is.
    """

    slug: str
    address: str
    name: str
    version: int
    way: str
    state: str
    colour: str = ""
    seconds: int = 0
    choices: tuple[ChoiceView, ...] = ()
    simulations: str = ""


def advice_page(user: User, slug: str, way: str, now: datetime | None = None) -> AdvicePage:
    """Return what is to be shown to a player of a running game; three queries at most.

    Raises:
        NotFound, NotSeated: no such game for this person, or none of theirs; or hints are not allowed at the table.
        WrongStatus: it is not running.

    """
    game = access.game_to_view(user, slug)
    player = access.own_seat(game, user)
    if game.status != Status.RUNNING:
        raise WrongStatus(_("There is nothing to place in this game now."), code="not-running")
    if not game.allows_hints:
        raise NotSeated(_("This table is played without hints."), code="no-hints")
    shown = way if way in WAYS else "page"
    return AdvicePage(
        slug=game.slug,
        address=reverse("game", args=[game.slug]),
        name=names.game_title(game, user.pk),
        version=game.version,
        way=shown,
        simulations=number_format(settings.HINT_SIMULATIONS, force_grouping=True),
        **_found(game, player, now or timezone.now()),
    )


def _found(game: Game, player: Player, now: datetime) -> dict[str, Any]:
    """Return the fields that say how far the advice has come."""
    if game.turn_seat != player.seat:
        return {"state": "waiting"}
    colour = sentences.colour(game.turn_colour)
    advice = Advice.objects.filter(player=player, number=next_number(game)).first()
    if advice is None:
        return {"state": "idle", "colour": colour}
    if advice.choices:
        choices = tuple(_choice(game, Choice.of_json(kept)) for kept in advice.choices)
        return {"state": "ready", "colour": colour, "choices": choices}
    seconds = max(0, int((now - advice.asked_at).total_seconds()))
    state = "failed" if advice.choices is not None else "late" if seconds >= PATIENCE else "thinking"
    return {"state": state, "colour": colour, "seconds": seconds}


def _choice(game: Game, choice: Choice) -> ChoiceView:
    placement = Placement.parse(choice.placement, game.variant)
    chance = "" if choice.value is None else sentences.percent(round(100 * choice.value))
    return ChoiceView(choice.placement, placement_label(placement), chance, reasons.told(choice.reasons, True))
