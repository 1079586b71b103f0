"""Who sits at many games at once."""

from collections.abc import Sequence

from django.db.models import Model, OuterRef, Subquery, Sum, prefetch_related_objects

from accounts.models import User
from games.base.welcome import last_here
from games.models import Game, HeadToHead
from games.values import ScoreOfTwo


def load_players(games: Sequence[Game], beside: User | None = None) -> dict[int, ScoreOfTwo]:
    """Fetch the players of all these games, and their users, in two queries: each person is read once.

    Return how the finished games of each of these people with the person `beside` them ended, from that one's side; of
    no one where none is named. With when each was last here, if that one may know.
    """
    prefetch_related_objects(list(games), "players")
    seats = [player for game in games for player in game.players.all()]
    users = User.objects.all()
    if beside is not None:
        users = users.annotate(**scores_beside(beside, "pk"), here_at=last_here(beside, "pk"))
    people = users.in_bulk({pk for seat in seats for pk in (seat.user_id, seat.invitee_id) if pk is not None})
    for seat in seats:
        seat.user, seat.invitee = people.get(seat.user_id or 0), people.get(seat.invitee_id or 0)
    if beside is None:
        return {}
    for user in people.values():
        user.last_here = vars(user)["here_at"]
    return {pk: score_in(user) for pk, user in people.items()}


def scores_beside(user: User, person: str) -> dict[str, Subquery]:
    """Return what annotates rows with the numbers of a score: of this person's side against the one at this path."""
    rows = HeadToHead.objects.filter(user=user, other=OuterRef(person)).order_by().values("other")
    return {f"of_two_{name}": Subquery(rows.annotate(sum=Sum(name)).values("sum")) for name in ScoreOfTwo._fields}


def score_in(row: Model) -> ScoreOfTwo:
    """Return the score with whose numbers a row was annotated."""
    return ScoreOfTwo(*(vars(row)[f"of_two_{name}"] or 0 for name in ScoreOfTwo._fields))


def load_hosts(games: Sequence[Game]) -> None:
    """Give each game its creator (needs the players' users fetched). One query, none where all of them have seats."""
    hosts = {player.user.pk: player.user for game in games for player in game.players.all() if player.user}
    hosts |= User.objects.in_bulk({game.creator_id for game in games} - hosts.keys())
    for game in games:
        game.creator = hosts[game.creator_id]
