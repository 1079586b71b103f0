"""Who can be challenged with one tap beside lists of games: people one has played with lately, and bots."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from accounts.models import User
from games.base.apart import People
from games.pages.board.faces import Face, bot_face, face
from games.queries.people.known import lately_met
from games.values import Occupant
from games.words import ladder, names

#: How many people are offered, and how many people and bots.
COMPANIONS_OFFERED, CHALLENGES_OFFERED = 4, 7


@dataclass(frozen=True)
class Challenge:
    """A person to invite or a bot to play: the name, where it leads, and what the button sends, `field` and `value`."""

    name: str
    address: str
    face: Face
    is_bot: bool
    field: str
    value: str


def challenges_of(user: User | None, apart: People, strength: str) -> tuple[Challenge, ...]:
    """Return whom a reader may challenge; who has no account cannot invite people. One query, none for a stranger.

    None of the people `apart` is among them, from whom the reader is kept apart.
    """
    return challenges(lately_met(user, apart, COMPANIONS_OFFERED) if user and not user.is_guest else (), strength)


def challenges(people: Iterable[User], strength: str) -> tuple[Challenge, ...]:
    """Return the first few of these people, then bots: of the level with that key first, then friendly ones."""
    found = [person_to_invite(each) for each in islice(people, COMPANIONS_OFFERED)]
    return (*found, *bots_to_play(strength, CHALLENGES_OFFERED - len(found)))


def bots_to_play(strength: str, number: int = COMPANIONS_OFFERED) -> tuple[Challenge, ...]:
    """Return the first few bots: of the level with that key first, then friendly ones."""
    rungs = (ladder.rung_of(strength), ladder.rung_of(ladder.FRIENDLY), *ladder.rungs().values())
    bots = dict.fromkeys(bot.name for rung in rungs for bot in rung.bots)
    return tuple(_bot(name) for name in islice(bots, number))


def person_to_invite(user: User) -> Challenge:
    """Return the challenge of a person."""
    who = Occupant.of(user)
    return Challenge(
        user.shown_name, names.page_of(who), face(who), is_bot=False, field="companion", value=user.username
    )


def _bot(name: str) -> Challenge:
    who = Occupant(bot=name)
    return Challenge(names.bot_name(name), names.page_of(who), bot_face(name), is_bot=True, field="bot", value=name)
