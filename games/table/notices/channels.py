"""The channel of a group: that of each of its new tables."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from games.models import Game, GameChannel, Group, GroupChannel, Occasion, Player
from games.table import changes

NO_ENDPOINT = _("This is not the address of a webhook. Copy it from your channel: it begins with https://.")


def post_in_channel(game: Game, now: datetime) -> None:
    """Post a table that has just opened to the channel of its group, once all there agree.

    Not where a child sits, nor where one of those there wants none of their tables posted. One query, none for a table
    of no group; five more where there is a channel.
    """
    if game.group_id is None or game.is_sheltered:
        return
    channels = GroupChannel.objects.select_for_update(no_key=True).filter(group=game.group_id, stopped_at=None)
    channel = channels.first()
    people = changes.people_at(game)
    if channel is None or not people.isdisjoint(channel.refused):
        return
    GameChannel.objects.create(
        game=game, owner_id=channel.owner_id, group_channel=channel, address=channel.address, created_at=now
    )
    game.is_posted = True
    game.save(update_fields=["is_posted"])
    changes.post_occasion(game, Occasion.GROUP_TABLE, now)
    changes.ask_about_channel(game, people, now)


def drop_channel(group: Group) -> None:
    """Remove the channel of a group, which is locked, and its tables from it. Two queries without one."""
    posted = Game.objects.select_for_update(no_key=True, of=("self",)).filter(channel__group_channel__group=group)
    games = list(posted.order_by("pk").values_list("pk", flat=True))
    if games:
        Game.objects.filter(pk__in=games).update(is_posted=False)
    GroupChannel.objects.filter(group=group).delete()


def remove_channel_of(channel: GroupChannel, person: int) -> None:
    """Remove a channel, whose group is locked, from the tables at which a person sits. Four queries at most."""
    theirs = Player.objects.filter(user=person, game__channel__group_channel=channel).order_by().values("game")
    posted = Game.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=theirs)
    games = list(posted.order_by("pk").values_list("pk", flat=True))
    if games:
        GameChannel.objects.filter(game__in=games, group_channel=channel).delete()
        Game.objects.filter(pk__in=games).update(is_posted=False)


def forget_answers(group: Group, person: int) -> None:
    """Forget the answers of a person who leaves a group, which is locked; a channel of theirs goes. One query."""
    channel = GroupChannel.objects.filter(group=group).first()
    if channel is None:
        return
    if channel.owner_id == person:
        drop_channel(group)
        return
    channel.agreed = [key for key in channel.agreed if key != person]
    channel.refused = [key for key in channel.refused if key != person]
    channel.save(update_fields=["agreed", "refused"])
