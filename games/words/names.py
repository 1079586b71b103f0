"""What games and the people at their tables are called."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.names import as_shown, is_given
from games.roster.entries import character_and_level
from games.roster.offered import offered_bots
from games.rules.variants import SIZED, get_variant
from games.values import Occupant
from games.words import boards, sentences
from games.words.characters import TEXTS, called, title_of

if TYPE_CHECKING:
    from games.models import Game, Player


def bot_name(name: str) -> str:
    """Return what a bot is called at the table, whether or not there still is one of that stored name."""
    if bot_known := character_and_level(name):
        return called(*bot_known)
    bot = offered_bots().get(name)
    return gettext("%(kind)s bot") % {"kind": title_of(bot) if bot else name}


def short_bot_name(name: str) -> str:
    """Return a bot's name for where only a few letters have room: its level is a number, and no word says "bot"."""
    if not (found := character_and_level(name)):
        bot = offered_bots().get(name)
        title = title_of(bot) if bot else name
        return f"{title[:1].upper()}{title[1:]}"
    character, level = found
    return f"{TEXTS[character].title} {level}"


def bot_name_in_sentence(name: str) -> str:
    """Return a bot's name for the middle of a sentence, where "Sage, level 4" would read like two of a list."""
    return gettext("the bot %(name)s") % {"name": short_bot_name(name)}


def occupant_name(occupant: Occupant) -> str:
    """Return who sits in a seat; an empty seat is called after the person who may take it."""
    if occupant.bot:
        return bot_name(occupant.bot)
    if occupant.username or occupant.device_number:
        return person_name(occupant)
    if occupant.invitee:
        return gettext("%(name)s (invited)") % {"name": person_name(occupant)}
    return gettext("Free seat")


def seat_names(occupants: Iterable[Occupant], *, is_short: bool = False) -> list[str]:
    """Return the occupants' names in order, bots by `short_bot_name` where short; the seats of one bot are numbered."""
    everybody = list(occupants)
    several = {bot for bot, count in Counter(each.bot for each in everybody).items() if bot and count > 1}
    before: Counter[str] = Counter()
    found: list[str] = []
    for occupant in everybody:
        bot = occupant.bot
        name = short_bot_name(bot) if is_short and bot else occupant_name(occupant)
        before[bot] += 1
        found.append(_numbered(name, bot, before[bot]) if bot in several else name)
    return found


def _numbered(name: str, bot: str, number: int) -> str:
    """Return the name of one of several seats of a bot; after a level the number has a sign, to be none itself."""
    text = gettext("%(name)s #%(n)d") if character_and_level(bot) else gettext("%(name)s %(n)d")
    return text % {"name": name, "n": number}


def names_by_seat(players: "Iterable[Player]") -> dict[int, str]:
    """Return who sits in each seat of a game, as `seat_names` (needs `user` and `invitee`)."""
    seated = list(players)
    return dict(zip([each.seat for each in seated], seat_names(each.occupant for each in seated), strict=True))


def person_name(occupant: Occupant) -> str:
    """Return what the person is called who sits in a seat or is invited to it; a bot account is marked as one."""
    if occupant.device_number and not occupant.username:
        return gettext("Player %(n)d") % {"n": occupant.device_number}
    return as_shown(occupant.username or occupant.invitee, is_bot=occupant.is_bot_account)


def player_name(player: "Player") -> str:
    """Return who sits in a player's seat (needs `user` and `invitee`)."""
    return occupant_name(player.occupant)


def page_of(occupant: Occupant) -> str:
    """Return the address of the page about a person or bot, empty where there is none."""
    if occupant.bot:
        return reverse("bot", args=[occupant.bot]) if occupant.bot in offered_bots() else ""
    return reverse("player", args=[occupant.username]) if occupant.has_account else ""


def opponents(players: "Iterable[Player]", user_id: int | None) -> list[Occupant]:
    """Return everybody at the table but this person (needs the players' `user` and `invitee`)."""
    return [player.occupant for player in players if user_id is None or player.user_id != user_id]


def names_of(occupants: Iterable[Occupant]) -> str:
    """Return the people and bots at a table in one line: people first, equal names counted.

    Bots of one level are named together.
    """
    everybody = list(occupants)
    people = [occupant_name(occupant) for occupant in everybody if not occupant.bot]
    return ", ".join([*_counted(people), *_bots_together([occupant.bot for occupant in everybody if occupant.bot])])


def short_names_of(occupants: Iterable[Occupant]) -> str:
    """Return the people and bots at a table in one short line: a single bot has its level, several have not."""
    everybody = list(occupants)
    if sum(bool(occupant.bot) for occupant in everybody) < 2:
        return names_of(everybody)
    people = [occupant_name(occupant) for occupant in everybody if not occupant.bot]
    characters = [(occupant.bot, character_and_level(occupant.bot)) for occupant in everybody if occupant.bot]
    bots = [str(TEXTS[known[0]].title) if known else bot_name(name) for name, known in characters]
    return sentences.listed(_counted([*people, *bots]))


def _counted(found: Iterable[str]) -> list[str]:
    return [
        name if count == 1 else gettext("%(name)s (%(count)d)") % {"count": count, "name": name}
        for name, count in Counter(found).items()
    ]


def _bots_together(names: Sequence[str]) -> list[str]:
    """Return the bots by level: "Sage and Mason, level 3". Those without a character come first."""
    levels: dict[int, list[str]] = {}
    for character, level in filter(None, map(character_and_level, names)):
        levels.setdefault(level, []).append(str(TEXTS[character].title))
    line = gettext("%(name)s, level %(level)d")
    together = [line % {"name": sentences.listed(_counted(found)), "level": level} for level, found in levels.items()]
    return [*_counted(bot_name(name) for name in names if not character_and_level(name)), *together]


def game_title(game: "Game", user_id: int | None) -> str:
    """Return the game's name, or else the names of this person's opponents (needs the players prefetched)."""
    return game.name or names_of(opponents(game.players.all(), user_id))


def variant_name(variant_id: str) -> str:
    """Return the name of a variant: its board, its size where one is chosen, Freestyle or not, and how many play."""
    return _with_players(variant_board(variant_id), get_variant(variant_id).seats)


def variant_board(variant_id: str) -> str:
    """Return the name of a variant without how many play."""
    variant = get_variant(variant_id)
    board = boards.board_name(boards.board_key(variant.id))
    if variant.family in SIZED:
        board = gettext("%(board)s %(size)d × %(size)d") % {"board": board, "size": variant.width}  # noqa: RUF001  (it is meant)
    if variant.named_pieces:
        board = gettext("%(board)s, Freestyle") % {"board": board}
    return board


def kind_name(variant_id: str) -> str:
    """Return the name of all variants of a kind: as `variant_name`, but without the size where one is chosen."""
    variant = get_variant(variant_id)
    return _with_players(boards.board_name(boards.board_key(variant.id)), variant.seats)


def _with_players(board: str, seats: int) -> str:
    return gettext("%(board)s, %(seats)s") % {"board": board, "seats": boards.players(seats)}


def bots_called(part: str, key: Callable[[str], str]) -> list[str]:
    """Return the stored names of the bots that have this in their names, as `key` compares names."""
    wanted = key(part)
    return [
        name for name in offered_bots() if any(wanted in key(shown) for shown in (bot_name(name), short_bot_name(name)))
    ]


def unnamed_table(host: Occupant, *, is_mine: bool = False) -> str:
    """Return what an unnamed open table is called: after the player who opened it, by a name of their own."""
    if is_mine:
        return gettext("Your table")
    if is_given(host.username):
        return gettext("A guest's table")
    return gettext("%(name)s's table") % {"name": person_name(host)}


def seats_taken(taken: int, seats: int) -> str:
    """Return how full a table is."""
    line = ngettext("%(taken)d of %(seats)d seats taken", "%(taken)d of %(seats)d seats taken", taken)
    return line % {"taken": taken, "seats": seats}
