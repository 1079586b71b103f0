"""What becomes of a player who misses a turn, in words: of the table's rule, and of what a bot did meanwhile."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.words import names, sentences

#: How many of the moves that a bot made for a player are named; if there are more, the last ones.
MOVES_NAMED = 3


def table_rule(seats: int, bot: str) -> str:
    """Return what happens at a table when time runs out; `bot` takes missed turns, empty where none does."""
    if seats == 2:
        return gettext(
            "A player who runs out of time loses; a game in which one of the two has not moved yet does not count."
        )
    if not bot:
        return gettext("A player who runs out of time is out of the game; their pieces stay.")
    return _bot_rule(names.bot_name_in_sentence(bot))


def every_rule() -> list[tuple[str, str]]:
    """Return what happens at any table when time runs out: of which tables, and the sentence that they say."""
    return [
        (gettext("Two players"), table_rule(2, "")),
        (gettext("Three or four players"), _bot_rule(gettext("a bot"))),
        (gettext("Three or four players, if the table says so"), table_rule(4, "")),
    ]


def _bot_rule(bot: str) -> str:
    text = gettext(
        "If a player runs out of time, %(bot)s plays that turn;"
        " after two missed turns in a row, it plays for them until they come back."
    )
    return text % {"bot": bot}


def if_time_runs_out(seats: int, bot: str) -> str:
    """Return the same to the player whose time is nearly up."""
    if seats == 2:
        return gettext("If your time runs out, you lose the game.")
    if not bot:
        return gettext("If your time runs out, you are out of the game.")
    return gettext("If your time runs out, %(bot)s plays this turn for you.") % {"bot": names.bot_name_in_sentence(bot)}


def played_for_you(bot: str, deeds: Sequence[tuple[int, str]]) -> str:
    """Return what a bot did for the viewer: the number and the piece of each move, empty for a pass."""
    values = {"bot": names.bot_name(bot), "n": len(deeds)}
    if len(deeds) <= MOVES_NAMED:
        values["moves"] = sentences.listed([_deed(*deed) for deed in deeds])
        return gettext("%(bot)s played for you: %(moves)s.") % values
    values["last"] = _deed(*deeds[-1])
    text = ngettext(
        "%(bot)s took %(n)d turn for you: %(last)s.",
        "%(bot)s took %(n)d turns for you, most recently %(last)s.",
        len(deeds),
    )
    return text % values


def _deed(number: int, piece: str) -> str:
    text = gettext("%(piece)s (move %(number)d)") if piece else gettext("a pass (move %(number)d)")
    return text % {"piece": piece, "number": number}
