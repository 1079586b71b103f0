"""The lessons: small positions in which a newcomer tries the rules out. Positions and answers are the rules' own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules import Position, record
from games.rules.errors import EDGE_CONTACT, NO_CORNER_CONTACT, START_CELL

#: The smallest board there is: on the smallest phone its cells are as large as buttons.
VARIANT = "codingame-2:7:11"
COLOUR = "blue"

START, CORNER, EDGE, LANES = "start", "corner", "edge", "lanes"

#: The lesson that shows what a refusal means. Other reasons say all there is to say, and lead to none.
OF_REASON: Mapping[str, str] = {START_CELL: START, NO_CORNER_CONTACT: CORNER, EDGE_CONTACT: EDGE}

#: One game, of which each lesson shows a beginning.
_GAME = ("P:a5,a6,b6,a7,b7", "P:f1,g1,e2,f2,g2", "T4:b4,c4,d4,c5", "N:a2,b2,b3,c3,d3")


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A position after so many moves, and what to do in it.

    `begin` is where the piece lies at first, empty where there is only a choice between `choices`. They are places to
    choose without moving anything, right and wrong ones. `praise` answers the first right attempt.
    """

    key: str
    title: str | Promise
    task: str | Promise
    praise: str | Promise
    moves: int
    begin: str
    choices: tuple[str, ...]


LESSONS: Mapping[str, Lesson] = {
    lesson.key: lesson
    for lesson in (
        Lesson(
            key=START,
            title=_("Start at your cell"),
            task=_("Your first piece covers your start cell, the marked one. Put the piece there."),
            praise=_("That is how a game begins. From now on your corners lead the way."),
            moves=0,
            begin="P:d3,d4,e4,d5,e5",
            choices=(
                "P:f1,f2,g2,f3,g3",
                "P:a5,a6,b6,a7,b7",
                "P:d3,d4,e4,d5,e5",
                "P:b6,c6,a7,b7,c7",
            ),
        ),
        Lesson(
            key=CORNER,
            title=_("Go on by the corners"),
            task=_("Every further piece touches a corner of yours. The rings mark them: reach one with the piece."),
            praise=_("It touches your corner, so it may lie there. Each piece brings new corners."),
            moves=2,
            begin="T4:e3,d4,e4,f4",
            choices=(
                "T4:e3,d4,e4,f4",
                "T4:d4,c5,d5,e5",
                "T4:f6,e7,f7,g7",
                "T4:b2,b3,c3,b4",
            ),
        ),
        Lesson(
            key=EDGE,
            title=_("Never along your own edge"),
            task=_(
                "Your own pieces never lie side by side. Try to place it here, then move it so that only corners touch."
            ),
            praise=_("Only corners of yours touch. Pieces of others may be touched anywhere."),
            moves=4,
            begin="L4:d5,d6,d7,e7",
            choices=(
                "L4:d5,d6,d7,e7",
                "L4:e5,e6,e7,f7",
                "L4:e4,f4,g4,e5",
                "L4:e3,f3,g3,g4",
            ),
        ),
        Lesson(
            key=LANES,
            title=_("Keep lanes open"),
            task=_("Both places are allowed. Choose the one that leaves you more ways to go on."),
            praise=_("You keep your lanes open. Who can place longest wins."),
            moves=4,
            begin="",
            choices=("V5:e5,f5,g5,e6,e7", "V5:e3,f3,g3,g4,g5"),
        ),
    )
}


@cache
def position_of(lesson: str) -> Position:
    """Return the position of a lesson: its own colour is to play."""
    return record.replay(VARIANT, _GAME[: LESSONS[lesson].moves])
