"""Floods of what people do with each other: each person sends the same forms again and again, as fast as they can."""

import itertools
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

from benchmarks.whole_site import HOST, django

#: Makes people, each with a game in which another has placed, one in which another is to move and has days for it, a
#: group, a child and a decision against which they may appeal; and a game that all may watch. Prints, a line each, what
#: each has: the sessions, the slugs and the keys.
FLOODERS = """
import json
from django.middleware.csrf import get_token
from django.test import RequestFactory
from django.utils import timezone
from games.actions.groups.create_group import create_group
from games.actions.moves.play_placement import play_placement
from games.actions.tables.join_game import join_game
from games.base.positions import start_of
from games.clock import TimeControl
from games.models import Decision
User.objects.filter(username="{victim}").exists() or User.objects.create_user("{victim}", invited_by="everyone")
victim = User.objects.get(username="{victim}")
print(get_token(RequestFactory().get("/")))
def begin(other, one, kind, **terms):
    setup = GameSetup(variant="duo", seats=(SeatSetup(kind="me"), SeatSetup(kind=kind)), is_shuffled=False, **terms)
    table = create_game(other, setup)
    return join_game(one, table.slug, token=table.invite_token)
watched = begin(victim, person("{mark}w")[0], "open", is_public=True)
door = create_group(person("{mark}g")[0], "Door")
for number in range({people}):
    (one, session), (other, _session), (child, its) = person("{mark}x"), person("{mark}y"), person("{mark}z")
    game = begin(other, one, "link", is_public=False)
    first = start_of(game).legal_placements()[0]
    play_placement(other, game.slug, placement=str(first), number=1, key="a-flood-%d" % number)
    User.objects.filter(pk=child.pk).update(guardian=other)
    made = {{"person": one, "moderator": victim, "measure": "warn", "reason": "spam", "made_at": timezone.now()}}
    print(json.dumps({{
        "session": session,
        "child": its,
        "game": game.slug,
        "waiting": begin(other, one, "link", is_public=False, time=TimeControl.days_a_move(1)).slug,
        "watched": watched.slug,
        "group": create_group(one, "Club").slug,
        "door": door.invite_token,
        "decision": Decision.objects.create(**made).pk,
    }}))
"""
#: Whom all of them follow, block and report.
VICTIM = "victim"
CHANNEL = "https://discord.com/api/webhooks"
#: A table to which somebody is invited.
TABLE = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": "", "seat-0": "me"}
#: What every form of preferences says.
LOOKS = {"theme": "system", "language": ""}
#: What comes again and again: addresses, by what a person has, and forms; in both `number` is how often that was.
Forms = Sequence[tuple[str, Mapping[str, str]]]
FLOODS: Mapping[str, Forms] = {
    "lines": [("/games/{game}/talk/", {"phrase": phrase}) for phrase in ("hello", "good-game")],
    "watchers": [("/games/{watched}/talk/watchers/", {"phrase": phrase}) for phrase in ("hello", "good-game")],
    "reactions": [("/games/{game}/moves/1/reaction/", {"reaction": word}) for word in ("nice", "wow")],
    "follows": [(f"/players/{VICTIM}/{act}/", {}) for act in ("follow", "unfollow")],
    "mutes": [(f"/players/{VICTIM}/{act}/", {}) for act in ("mute", "unmute")],
    "blocks": [(f"/players/{VICTIM}/{act}/", {}) for act in ("block", "unblock")],
    "reports": [(f"/players/{VICTIM}/report/", {"reason": "spam"})],
    "appeals": [("/decisions/{decision}/appeal/", {"words": "Why?"})],
    "channels": [("/groups/{group}/channel/", {"address": f"{CHANNEL}/{number}/a"}) for number in (1, 2)],
    "game-channels": [("/games/{game}/channel/", {"address": f"{CHANNEL}/{number}/a"}) for number in (1, 2)],
    "groups": [("/groups/{group}/name/", {"name": "Club {number}"}), ("/groups/join/{door}/", {})],
    "standing": [("/groups/{group}/standing/", {"players": "4"}), ("/groups/{group}/standing/stop/", {})],
    "invitations": [("/games/new/", {**TABLE, "seat-1": "named", "seat-1-name": VICTIM})],
    "notes": [("/games/{game}/note/", {"text": "Thought {number}", "edition": "{number}"})],
    "days": [("/games/{waiting}/give-day/", {"number": "1"})],
    "pauses": [("/games/{waiting}/pause/ask/", {"pause": "0"})],
    "holidays": [("/holidays/choose/", {"spends_itself": choice}) for choice in ("yes", "no")],
    "preferences": [("/accounts/preferences/", {**LOOKS, "written_by": choice}) for choice in ("played", "followed")],
    "asks": [("/children/ask/", {"username": VICTIM})],
}
#: Who sends a flood, where it is not the person: a child.
SENDERS = {"asks": "child"}
#: What is refused before the limit by what else holds: nobody is invited by so many at a time.
DECLINED = {"invitations": 422}
#: So many in an hour that a flood of seconds does not always come to the limit.
ALLOWED_LONG = {"notes"}
#: What is answered to one who floods: what was asked for, as a page or with a way to it, and the limit.
TAKEN, REFUSED = (200, 302), 429
#: What a refusal of one who floods says.
SENTENCE = re.compile(rb"Try again in \d+ |Wait a few seconds")


@dataclass
class Flood:
    """What a flood was answered, by status, and how many of the refusals said nothing.

    An error is no answer to a flood: then something else was measured than the work of what is flooded.
    """

    answers: Counter[int] = field(default_factory=Counter)
    silent: int = 0
    declined: int = REFUSED

    @property
    def has_errors(self) -> bool:
        """Return whether anything was answered but that it was done, declined, or that the limit is reached."""
        return bool(self.answers.keys() - {*TAKEN, REFUSED, self.declined})

    def __str__(self) -> str:
        told = ", ".join(f"{number} {status}" for status, number in sorted(self.answers.items()))
        return f"{told}{f', {self.silent} without a sentence' if self.silent else ''}"


class Flooders:
    """So many new people at a site for each flood, all at one address; `mark` is a part of their names, another one
    each time.
    """

    def __init__(self, port: int, environment: dict[str, str], people: int, mark: str) -> None:
        made = FLOODERS.format(people=people * len(FLOODS), mark=mark, victim=VICTIM)
        token, *lines = django(made, environment).splitlines()
        self._port, self._token = port, token
        everyone = [json.loads(line) for line in lines]
        self._people = {name: everyone[number :: len(FLOODS)] for number, name in enumerate(FLOODS)}
        self._lock = threading.Lock()

    @contextmanager
    def sending(self, name: str, flood: Flood) -> Iterator[None]:
        """Send the forms of a flood in turn, from its visitors, until the block ends; count the answers."""
        is_over = threading.Event()
        threads = [threading.Thread(target=self._send, args=(one, name, flood, is_over)) for one in self._people[name]]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def _send(self, person: Mapping[str, Any], name: str, flood: Flood, is_over: threading.Event) -> None:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={person[SENDERS.get(name, 'session')]}; csrftoken={self._token}",
            "X-CSRFToken": self._token,
        }
        for number, (path, form) in enumerate(itertools.cycle(FLOODS[name])):
            if is_over.is_set():
                return
            filled = {key: value.format(number=number) for key, value in form.items()}
            connection = HTTPConnection(HOST, self._port, timeout=60)
            connection.request("POST", path.format(**person), urlencode(filled), headers)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            with self._lock:
                flood.answers[answer.status] += 1
                flood.silent += answer.status == REFUSED and not SENTENCE.search(text)
