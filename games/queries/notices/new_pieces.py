"""The pieces that are new to a person in their games, for small pictures of the boards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.models import Move, Player


def new_pieces(user_id: int, games: Iterable[int]) -> Mapping[int, Sequence[tuple[str, str]]]:
    """Return what was placed in each of these games since this person's own last move there, at least the last piece of
    all, each as its colour and its text, in order. One query, none without games.

    A move that a bot made for the person is none of their own. Games in which they do not sit are left out.
    """
    keys = set(games)
    if not keys:
        return {}
    there = Move.objects.filter(game=OuterRef("game")).order_by("-number").values("number")
    own = Coalesce(Subquery(there.filter(seat=OuterRef("seat"), bot="")[:1]), 0)
    last = Subquery(there.exclude(placement="")[:1])
    seats = Player.objects.filter(user=user_id, game__in=keys).annotate(own=own, last=last)
    is_new = Q(game__moves__number__gt=F("own")) | Q(game__moves__number=F("last"))
    # In one filter: both conditions are about the same move.
    rows = seats.filter(is_new, game__moves__placement__gt="").order_by("game_id", "game__moves__number")
    found: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for game, colour, text in rows.values_list("game_id", "game__moves__colour", "game__moves__placement"):
        found[game].append((colour, text))
    return found
