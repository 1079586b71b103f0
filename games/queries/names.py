"""What games and the people at their tables are called."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.bots.registry import engines
from games.clock import DAY
from games.models import Game, Player
from games.queries import boards, sentences
from games.queries.characters import CHARACTERS, called, known
from games.rules.variants import SIZED, get_variant


def bot_name(name: str) -> str:
    """Return what a bot is called at the table, whether or not there still is one of that stored name."""
    if bot_known := known(name):
        return called(*bot_known)
    bot = engines().get(name)
    return gettext("%(kind)s bot") % {"kind": bot.title if bot else name}


def short_bot_name(name: str) -> str:
    """Return a bot's name with its level as a number alone, for where only a few letters have room."""
    if not (found := known(name)):
        return bot_name(name)
    character, level = found
    return f"{CHARACTERS[character].title} {level}"


def player_name(player: Player) -> str:
    """Return who sits in a seat; an empty seat is called after who may take it (needs `user` and `invitee`)."""
    if player.bot:
        return bot_name(player.bot)
    if player.user:
        return player.user.username
    if player.invitee:
        return gettext("%(name)s (invited)") % {"name": player.invitee.username}
    return gettext("Free seat")


def page_of(player: Player) -> str:
    """Return the address of the page about who sits here, empty where there is none (needs `user`)."""
    if player.bot:
        return reverse("bot", args=[player.bot]) if player.bot in engines() else ""
    return reverse("player", args=[player.user.username]) if player.user and player.user.is_active else ""


def others(players: Iterable[Player], user_id: int | None) -> list[str]:
    """Return the names of everybody at the table but this person."""
    return [player_name(player) for player in players if user_id is None or player.user_id != user_id]


def company(players: Iterable[Player], user_id: int | None) -> str:
    """Return everybody at the table but this person in one line: people first, equal names counted.

    Bots of one level are named together.
    """
    everybody = list(players)
    people = others([player for player in everybody if not player.bot], user_id)
    return ", ".join([*_counted(people), *_bots_together([player.bot for player in everybody if player.bot])])


def _counted(found: Iterable[str]) -> list[str]:
    return [
        name if count == 1 else gettext("%(name)s (%(count)d)") % {"count": count, "name": name}
        for name, count in Counter(found).items()
    ]


def _bots_together(names: Sequence[str]) -> list[str]:
    """Return the bots by level: "Sage and Mason, level 3". Those without a character come first."""
    levels: dict[int, list[str]] = {}
    for character, level in filter(None, map(known, names)):
        levels.setdefault(level, []).append(str(CHARACTERS[character].title))
    told = gettext("%(name)s, level %(level)d")
    together = [told % {"name": sentences.listed(_counted(found)), "level": level} for level, found in levels.items()]
    return [*_counted(bot_name(name) for name in names if not known(name)), *together]


def game_title(game: Game, user_id: int | None) -> str:
    """Return the game's name, or else the names of this person's opponents (needs the players prefetched)."""
    return game.name or company(game.players.all(), user_id)


def variant_name(variant: str) -> str:
    """Return the name of a variant: its board, its size where one is chosen, and how many play."""
    kind = get_variant(variant)
    board = boards.board_name(boards.board_key(kind.id))
    if kind.family in SIZED:
        board = gettext("%(board)s %(size)d × %(size)d") % {"board": board, "size": kind.width}  # noqa: RUF001  (it is meant)
    seats = ngettext("%(n)d player", "%(n)d players", kind.seats) % {"n": kind.seats}
    return gettext("%(board)s, %(seats)s") % {"board": board, "seats": seats}


def time_name(seconds: int | None) -> str:
    """Return a time per move in words."""
    if seconds is None:
        return gettext("no time limit")
    return ngettext("%(n)d day a move", "%(n)d days a move", seconds // DAY) % {"n": seconds // DAY}


def table_of(name: str) -> str:
    """Return what an unnamed open table is called: after who opened it."""
    return gettext("%(name)s's table") % {"name": name}


def seats_taken(taken: int, seats: int) -> str:
    """Return how full a table is."""
    told = ngettext("%(taken)d of %(seats)d seats taken", "%(taken)d of %(seats)d seats taken", taken)
    return told % {"taken": taken, "seats": seats}
