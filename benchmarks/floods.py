"""Floods of what people do with each other: each person sends the same forms again and again, as fast as they can."""

import itertools
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlencode

from benchmarks.whole_site import HOST, django

#: Makes people, each with a game in which another has placed and a group; prints their session, game and group.
FLOODERS = """
from django.middleware.csrf import get_token
from django.test import RequestFactory
from games.actions.groups.create_group import create_group
from games.actions.moves.play_placement import play_placement
from games.actions.tables.join_game import join_game
from games.base.positions import start_of
User.objects.filter(username="{victim}").exists() or User.objects.create_user("{victim}")
print(get_token(RequestFactory().get("/")))
for number in range({people}):
    (one, session), (other, _session) = person("{mark}x"), person("{mark}y")
    seats = (SeatSetup(kind="me"), SeatSetup(kind="link"))
    table = create_game(other, GameSetup(variant="duo", seats=seats, is_public=False, is_shuffled=False))
    game = join_game(one, table.slug, token=table.invite_token)
    first = start_of(game).legal_placements()[0]
    play_placement(other, game.slug, placement=str(first), number=1, key="a-flood-%d" % number)
    print(session, game.slug, create_group(one, "Club").slug)
"""
#: Whom all of them follow, block and report.
VICTIM = "victim"
CHANNEL = "https://discord.com/api/webhooks"
#: What comes again and again: addresses, by what a person has, and forms.
Forms = Sequence[tuple[str, Mapping[str, str]]]
FLOODS: Mapping[str, Forms] = {
    "lines": [("/games/{game}/talk/", {"phrase": phrase}) for phrase in ("hello", "good-game")],
    "reactions": [("/games/{game}/moves/1/reaction/", {"reaction": word}) for word in ("nice", "wow")],
    "follows": [(f"/players/{VICTIM}/{act}/", {}) for act in ("follow", "unfollow")],
    "blocks": [(f"/players/{VICTIM}/{act}/", {}) for act in ("block", "unblock")],
    "reports": [(f"/players/{VICTIM}/report/", {"reason": "spam"})],
    "channels": [("/groups/{group}/channel/", {"address": f"{CHANNEL}/{number}/a"}) for number in (1, 2)],
}
#: What a refusal of one who floods says.
SENTENCE = re.compile(rb"Try again in \d+ |Wait a few seconds")


@dataclass
class Flood:
    """What a flood was answered, by status, and how many of the refusals said nothing."""

    answers: Counter[int] = field(default_factory=Counter)
    silent: int = 0

    def __str__(self) -> str:
        told = ", ".join(f"{number} {status}" for status, number in sorted(self.answers.items()))
        return f"{told}{f', {self.silent} without a sentence' if self.silent else ''}"


class Flooders:
    """So many new people at a site, all at one address; `mark` is a part of their names, another one each time."""

    def __init__(self, port: int, environment: dict[str, str], people: int, mark: str) -> None:
        made = FLOODERS.format(people=people, mark=mark, victim=VICTIM)
        token, *lines = django(made, environment).splitlines()
        self._port, self._token = port, token
        self._people = [line.split() for line in lines]
        self._lock = threading.Lock()

    @contextmanager
    def sending(self, forms: Forms, flood: Flood) -> Iterator[None]:
        """Have all of them send these forms in turn until the block ends, and count the answers."""
        is_over = threading.Event()
        threads = [threading.Thread(target=self._send, args=(one, forms, flood, is_over)) for one in self._people]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def _send(self, person: Sequence[str], forms: Forms, flood: Flood, is_over: threading.Event) -> None:
        session, game, group = person
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={session}; csrftoken={self._token}",
            "X-CSRFToken": self._token,
        }
        for path, form in itertools.cycle(forms):
            if is_over.is_set():
                return
            connection = HTTPConnection(HOST, self._port, timeout=60)
            connection.request("POST", path.format(game=game, group=group), urlencode(form), headers)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            with self._lock:
                flood.answers[answer.status] += 1
                flood.silent += answer.status == 429 and not SENTENCE.search(text)
