"""The pages of guardians."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse

from accounts.children.keeping import MOST_CHILDREN, children_of, may_have_children
from accounts.models import User
from games.pages.archives.own_data import OwnDataPage, own_data_page
from games.pages.board.faces import Face, face
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.queries.lists.finished import own_finished
from games.queries.people.children import childs_people, going_games, people_asked_for
from games.queries.people.seated import load_players
from games.values import Occupant, Status

#: How many finished games a guardian sees.
FINISHED_SHOWN = 10


@dataclass(frozen=True)
class ChildLine:
    """A child in its guardian's list; `asked` people wait for the guardian's word."""

    name: str
    face: Face
    address: str
    asked: int


@dataclass(frozen=True)
class ChildrenPage:
    """The children of a guardian. `may_have`: the reader may be one. `is_full`: there may be no more."""

    children: Sequence[ChildLine]
    may_have: bool
    is_full: bool


def children_page(guardian: User) -> ChildrenPage:
    """Return the children whose accounts a person keeps, the oldest first. Four queries at most."""
    children = children_of(guardian)
    asked = people_asked_for(children)
    lines = [
        ChildLine(child.username, face(Occupant.of(child)), reverse("child", args=[child.pk]), asked.get(child.pk, 0))
        for child in children
    ]
    return ChildrenPage(lines, may_have_children(guardian), len(lines) >= MOST_CHILDREN)


@dataclass(frozen=True)
class AllowedLine:
    """A person on a child's list: the key that the buttons send, what to call them, and where their page is."""

    key: int
    username: str
    name: str
    face: Face
    address: str


@dataclass(frozen=True)
class ChildPage:
    """A child as its guardian sees it: its games, with whom it may play, for whom it has asked, and what it may do."""

    key: int
    name: str
    face: Face
    profile: str
    says_phrases: bool
    has_password: bool
    allowed: Sequence[AllowedLine]
    asked: Sequence[AllowedLine]
    going: Sequence[GameCard]
    finished: Sequence[GameCard]
    data: OwnDataPage


def child_page(child: User, now: datetime) -> ChildPage:
    """Return the page of a child. Ten queries at most."""
    rows = childs_people(child)
    going, finished = going_games(child), [seat.game for seat in own_finished(child).take(FINISHED_SHOWN)]
    load_players([*going, *finished])
    return ChildPage(
        key=child.pk,
        name=child.username,
        face=face(Occupant.of(child)),
        profile=reverse("player", args=[child.username]),
        says_phrases=child.says_phrases,
        has_password=child.has_usable_password(),
        allowed=[_line(row.other) for row in rows if row.allowed_at is not None],
        asked=[_line(row.other) for row in rows if row.allowed_at is None],
        going=[
            # What the child is to do is no matter of the guardian's.
            cards.running_card(game, None, now)
            if game.status == Status.RUNNING
            else replace(cards.waiting_card(game, child.pk, now), needs="", line="")
            for game in going
        ],
        finished=[cards.finished_card(game, child.pk, is_mine=False) for game in finished],
        data=own_data_page(child, now),
    )


def _line(person: User) -> AllowedLine:
    address = reverse("player", args=[person.username])
    return AllowedLine(person.pk, person.username, person.shown_name, face(Occupant.of(person)), address)
