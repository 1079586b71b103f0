"""The page of people: those whom the reader follows, and those with whom they played lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import WrongStatus
from games.pages.board.faces import Face, face
from games.pages.lists.paging import ListPage, list_page
from games.pages.people.profile import named_player
from games.queries.people.circle import (
    Scores,
    count_followed,
    followed_by,
    latest_together,
    played_lately,
    scores_with,
    total,
)
from games.values import Occupant
from games.words.moments import Here, here
from games.words.names import kind_name
from games.words.scores import score_by_board, score_line, score_on_board

#: How many people with whom the reader played lately are shown, and how many boards of each.
LATELY, BOARDS = 12, 3


@dataclass(frozen=True)
class PersonView:
    """A person in a list: `username` is what addresses are made of, `scores` are a line a board from the reader's side.

    `is_friend` says that they follow back, `here` when they were here, where the reader may know. Guests have no name
    to be invited by.
    """

    username: str
    name: str
    face: Face
    scores: tuple[str, ...]
    is_friend: bool
    here: Here | None
    may_be_invited: bool


@dataclass(frozen=True)
class CirclePage:
    """The people followed, in pages by their names; and beside the first page those of the last games."""

    followed: ListPage[PersonView]
    lately: Sequence[PersonView]


def circle_page(user: User, number: int) -> CirclePage:
    """Return a page of people. Four queries, five at most, and those of `apart_from`."""
    lately = played_lately(user, LATELY) if number == 1 else []
    followed = list_page(partial(followed_by, user), number, count_followed(user), list)
    scores = scores_with(user, {*(person.pk for person in lately), *(person.pk for person, _back in followed.rows)})

    now = timezone.now()

    def view(person: User, *, is_friend: bool) -> PersonView:
        return PersonView(
            username=person.username,
            name=person.shown_name,
            face=face(Occupant.of(person)),
            scores=score_lines(scores.get(person.pk, {})),
            is_friend=is_friend,
            here=here(person.last_here, now),
            may_be_invited=not (person.is_guest or user.is_guest),
        )

    shown = [view(person, is_friend=back) for person, back in followed.rows]
    page = ListPage(shown, followed.number, followed.count, followed.newer, followed.older)
    return CirclePage(page, [view(person, is_friend=False) for person in lately])


def score_lines(scores: Scores) -> tuple[str, ...]:
    """Return the score in words: in all, and by board where there are several, that of most games first."""
    if len(scores) < 2:
        return tuple(score_on_board(found, kind_name(variant)) for variant, found in scores.items())
    most = sorted(scores.items(), key=lambda each: (-each[1].games, each[0]))[:BOARDS]
    return score_line(total(scores)), *(score_by_board(found, kind_name(variant)) for variant, found in most)


def last_game_with(user: User, username: str) -> str:
    """Return the slug of the last game that this person has finished with the player of that name. Three queries.

    Raises:
        NotFound: there is no such player.
        WrongStatus: the two have finished no game together.

    """
    other = named_player(username, user)
    slug = latest_together(user, other)
    if not slug:
        sentence = _("You have not finished a game with %(name)s yet. Invite them to one.")
        raise WrongStatus(sentence % {"name": other.shown_name}, code="never-played")
    return slug
