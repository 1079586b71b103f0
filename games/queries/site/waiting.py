"""The people who wait for background jobs."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Model

from games.models import (
    Archive,
    ChannelPost,
    DailyDigest,
    Delivery,
    Game,
    GameChannel,
    Player,
    PushSubscription,
    Receiver,
    Review,
    Seek,
)


@dataclass(frozen=True)
class PeopleOf:
    """Finds whose the rows of a table are: the first user to whom one of the paths of `whose` leads."""

    table: type[Model]
    whose: tuple[str, ...]

    def __call__(self, keys: Collection[int]) -> dict[int, frozenset[int]]:
        """Return by row the person whose it is; a row that is no one's is left out. One query, none for none."""
        if not keys:
            return {}
        rows = self.table._default_manager.filter(pk__in=keys).order_by().values_list("pk", *self.whose)
        first = ((pk, next((user for user in users if user is not None), None)) for pk, *users in rows)
        return {pk: frozenset([user]) for pk, user in first if user is not None}


people_of_seats = PeopleOf(Player, ("user",))
people_of_reviews = PeopleOf(Review, ("asked_by",))
people_of_deliveries = PeopleOf(Delivery, ("notification__user",))
people_of_digests = PeopleOf(DailyDigest, ("user",))
people_of_posts = PeopleOf(ChannelPost, ("channel__owner",))
people_of_game_channels = PeopleOf(GameChannel, ("owner",))
#: Of a bot's receiver it is the bot's operator.
people_of_receivers = PeopleOf(Receiver, ("owner__operator", "owner"))
people_of_archives = PeopleOf(Archive, ("user",))
people_of_seeks = PeopleOf(Seek, ("person",))
people_of_devices = PeopleOf(PushSubscription, ("user",))


def people_of_games(games: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by game the users who sit in it, or who opened it where only bots sit. Two queries at most."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    seated = Player.objects.filter(game__in=games, user__isnull=False, retired="").order_by()
    for game, user in seated.values_list("game_id", "user_id") if games else ():
        found[game].add(user)
    rest = {*games} - {*found}
    for game, user in Game.objects.filter(pk__in=rest).values_list("pk", "creator_id") if rest else ():
        found[game].add(user)
    return {game: frozenset(users) for game, users in found.items()}
