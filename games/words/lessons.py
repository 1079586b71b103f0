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

START, CORNER, EDGE = "start", "corner", "edge"
#: The opponent in every lesson.
RIVAL = "yellow"

#: The lesson that shows what a refusal means. Other reasons say all there is to say, and lead to none.
OF_REASON: Mapping[str, str] = {START_CELL: START, NO_CORNER_CONTACT: CORNER, EDGE_CONTACT: EDGE}

#: One game, of which each lesson shows a beginning.
_GAME = ("P:a5,a6,b6,a7,b7", "P:f1,g1,e2,f2,g2", "T4:b4,c4,d4,c5", "N:a2,b2,b3,c3,d3", "V5:e3,f3,g3,g4,g5", "1:a4")


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A position after some moves, and what to do in it.

    `begin` is where the piece lies at first, empty where there is only a choice between `choices`. They are places to
    choose without moving anything, right and wrong ones. `praise` answers the first right attempt. `counts` is the
    colour whose possible moves decide between choices that are all legal, empty where the rules decide: the most are
    right for the learner's own colour, the fewest for the opponent's.
    """

    key: str
    title: str | Promise
    task: str | Promise
    praise: str | Promise
    moves: int
    begin: str
    choices: tuple[str, ...]
    counts: str = ""


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
            title=_("Continue from your corners"),
            task=_("Every later piece must touch one of your corners. The rings mark them: reach one with the piece."),
            praise=_("It touches your corner, so it can go there. Each piece gives you new corners."),
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
            title=_("Never edge to edge with your own"),
            task=_(
                "Your own pieces may never touch along an edge. Try to place it here, then move it so that only "
                "corners touch."
            ),
            praise=_("Only the corners touch. You may touch other players' pieces anywhere."),
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
            key="lanes",
            title=_("Keep lanes open"),
            task=_("Both places are allowed. Choose the one that leaves you more possible moves."),
            praise=_("You kept your lanes open. The longer you can go on placing, the better your score."),
            moves=4,
            begin="",
            choices=("V5:e5,f5,g5,e6,e7", "V5:e3,f3,g3,g4,g5"),
            counts=COLOUR,
        ),
        Lesson(
            key="block",
            title=_("Block the others"),
            task=_(
                "The rings mark your opponent's corners. Choose the place that leaves your opponent the fewest "
                "possible moves."
            ),
            praise=_("You blocked the way in, and it cost you nothing: your own lanes stay open."),
            moves=6,
            begin="",
            choices=("1:d6", "1:e5", "1:f6"),
            counts=RIVAL,
        ),
    )
}


@cache
def lesson_position(lesson: str) -> Position:
    """Return the position of a lesson: its own colour is to play."""
    return record.replay(VARIANT, _GAME[: LESSONS[lesson].moves])
