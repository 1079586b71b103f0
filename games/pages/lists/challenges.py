"""Who can be challenged with one tap beside lists of games: people one has played with lately, and bots."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from django.utils import timezone

from accounts.models import User
from games.base.apart import People
from games.pages.board.faces import Face, bot_face, face
from games.queries.people.known import lately_met
from games.values import Occupant, ScoreOfTwo
from games.words import ladder, names
from games.words.moments import Here, here
from games.words.scores import score_line

#: How many people are offered, and how many people and bots.
COMPANIONS_OFFERED, CHALLENGES_OFFERED = 4, 7


@dataclass(frozen=True)
class Challenge:
    """A person to invite or a bot to play: the name, where it leads, and what the button sends, `field` and `value`.

    `here` says of a person when they were here, where the reader may know, and `score` who leads.
    """

    name: str
    address: str
    face: Face
    is_bot: bool
    field: str
    value: str
    here: Here | None = None
    score: str = ""


def challenges_of(user: User | None, apart: People, strength: str) -> tuple[Challenge, ...]:
    """Return whom a reader may challenge; who has no account cannot invite people. One query, none for a stranger.

    None of the people `apart` is among them, from whom the reader is kept apart.
    """
    return challenges(lately_met(user, apart, COMPANIONS_OFFERED) if user and not user.is_guest else (), strength)


def challenges(people: Iterable[tuple[User, ScoreOfTwo]], strength: str) -> tuple[Challenge, ...]:
    """Return the first few of these people, then bots: of the level with that key first, then friendly ones.

    Each person comes with the score from the reader's side.
    """
    found = [person_to_invite(*each) for each in islice(people, COMPANIONS_OFFERED)]
    return (*found, *bots_to_play(strength, CHALLENGES_OFFERED - len(found)))


def bots_to_play(strength: str, number: int = COMPANIONS_OFFERED) -> tuple[Challenge, ...]:
    """Return the first few bots: of the level with that key first, then friendly ones."""
    rungs = (ladder.rung_of(strength), ladder.rung_of(ladder.FRIENDLY), *ladder.rungs().values())
    bots = dict.fromkeys(bot.name for rung in rungs for bot in rung.bots)
    return tuple(_bot(name) for name in islice(bots, number))


def person_to_invite(user: User, score: ScoreOfTwo | None = None) -> Challenge:
    """Return the challenge of a person, with the score from the reader's side."""
    who = Occupant.of(user)
    return Challenge(
        user.shown_name,
        names.page_of(who),
        face(who),
        is_bot=False,
        field="companion",
        value=user.username,
        here=here(user.last_here, timezone.now()),
        score=score_line(score) if score and score.games else "",
    )


def _bot(name: str) -> Challenge:
    who = Occupant(bot=name)
    return Challenge(names.bot_name(name), names.page_of(who), bot_face(name), is_bot=True, field="bot", value=name)
