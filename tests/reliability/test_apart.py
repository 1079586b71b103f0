"""A block holds in every place: all addresses, sockets and ways out, walked, and declared in `matrix.txt`.

Eve, a stranger who once played with alice, asks for everything that the site has: without a block, and with one. An
address that would bring the two together, or show eve a table of alice's unasked, is declared to ask; every other is
declared with the reason why it need not. Both is found out, so neither can be declared wrongly, and a new address fails
until it is declared.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.actions.groups.join_group import join_group
from games.actions.moves.resign import resign
from games.actions.notices.add_webhook import add_webhook
from games.actions.notices.set_game_channel import set_game_channel
from games.actions.people.block_person import block_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.actions.studies.write_comment import write_comment
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.talk.send_message import send_message
from games.models import Audience, Delivery, Game, GameChannel, Notification, Receiver, StudyEditor, TalkMessage
from games.notifications.announce import announce_game
from games.notifications.channels import CHANNELS
from games.notifications.channels.base import Channel
from games.notifications.deliver import DELIVERY_OUTBOX, deliver
from games.notifications.messages import Message
from games.notifications.outgoing import ServiceAnswer
from games.notifications.posts import POST_OUTBOX, deliver_post
from games.notifications.webhooks import tell_news
from games.realtime.consumers import Frame, GameSocket, GroupSocket, LobbySocket, Question, Socket, UserSocket
from games.realtime.routing import websocket_urlpatterns
from tests.games.tables import LINK, ME, OPEN, fresh, invited, open_table, running, setup
from tests.reliability.addresses import addresses
from tests.reliability.declared import by_heading
from tests.reliability.knock import send
from tests.reliability.world import RECORD, UNSAFE, World, is_about_a_game, legal_body, parts

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries, pytest.mark.slow]

ASKS = "asks"
#: What alice has said in the game with eve, and written in a study that eve may see.
WORDS = "Alice likes corners best."
#: These parts of an address name what it shows; whoever has it is shown it, with or without a login.
SAID = {"slug", "token", "username", "name", "study", "secret"}


def declared() -> dict[str, str]:
    """Return what `matrix.txt` says of each name: that it asks, or why it need not."""
    found = by_heading("apart")
    for about in found.values():
        assert about.startswith(ASKS) or re.match(r"because \w+ .{20,}", about), f"neither asks nor a reason: {about}"
    return found


DECLARED = declared()


def sockets_and_ways_out() -> set[str]:
    sockets = {vars(pattern.callback)["consumer_class"].__name__ for pattern in websocket_urlpatterns}
    return sockets | {outlet.job.name for outlet in tasks.OUTLETS} | {f"by-{channel.name}" for channel in CHANNELS}


def test_every_address_socket_and_way_out_says_whether_it_asks_or_why_not() -> None:
    assert set(DECLARED) == set(addresses()) | sockets_and_ways_out()


class Scene:
    """Games between alice and others, as eve may come upon them; with eve she has played one game that is over.

    Alice writes in a shared study of carol's too; in eve's own study nobody else writes yet.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.alice, self.eve = world.people["alice"], world.people["eve"]
        # Nothing of alice's but what stands here.
        Game.objects.update(is_listed=False, is_featured=False)
        bob, carol = world.people["bob"], world.people["carol"]
        table = open_table(self.alice, ME, OPEN, is_public=True)
        linked = open_table(self.alice, ME, LINK)
        others = open_table(carol, ME, OPEN, invited("eve"), is_public=True)
        join_game(self.alice, others.slug, seat=1)
        watched, ended = running(self.alice, bob), running(self.alice, bob)
        played = running(self.alice, self.eve, is_public=False)
        send_message(self.alice, played.slug, text=WORDS)
        resign(bob, ended.slug)
        resign(self.eve, played.slug)
        # As she might have said it from among those who watch, where everybody may write.
        said = {"audience": Audience.WATCHERS, "text": WORDS, "created_at": timezone.now()}
        TalkMessage.objects.create(game=played, author=self.alice, **said)
        Game.objects.filter(pk__in=(watched.pk, ended.pk)).update(is_featured=True)
        # A table of a group of both, and one of a group that eve may join by its link.
        join_group(self.eve, world.club.invite_token)
        own, beyond = (create_game(self.alice, setup(ME, OPEN), group=each.slug) for each in (world.club, world.door))
        self.games = tuple(map(fresh, (table, linked, others, played)))
        self.hers = {game.slug for game in (table, linked, watched, ended, own, beyond)}
        shared, kept = (create_study(each, RECORD).slug for each in (carol, self.eve))
        add_editor(carol, shared, "alice")
        share_study(carol, shared, is_shared=True)
        world.comment = str(write_comment(self.alice, shared, move=0, text=WORDS, edition=1).pk)
        self.studies = (world.study, shared, kept)

    def bodies(self, name: str, method: str, game: Game | None) -> Iterator[dict[str, Any]]:
        yield legal_body(name, game) if method in UNSAFE else {}
        if method in UNSAFE and game is not None:
            yield {"token": game.invite_token}
        if name == "new-game" and method in UNSAFE:
            yield {**legal_body(name, None), "seat-1": "named", "seat-1-name": "alice"}
        if name == "play-friend-now" and method in UNSAFE:
            yield {"companion": "alice"}
        if name == "api-games" and method in UNSAFE:
            yield {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "named", "name": "alice"}]}
        if name in ("study-editors", "api-study-editors") and method in UNSAFE:
            yield {"name": "alice"}

    def together(self) -> set[tuple[str, str]]:
        """Return the games at which eve sits with alice, or one invites the other, and how; and the studies of the one
        in which the other writes.
        """
        found = set()
        for game in Game.objects.exclude(status="cancelled").prefetch_related("players"):
            seated = {game.creator_id, *(seat.user_id for seat in game.players.all())}
            asked = {seat.invitee_id for seat in game.players.all()}
            if {self.alice.pk, self.eve.pk} <= seated:
                found.add((game.slug, "sit"))
            if (self.alice.pk in asked and game.creator_id == self.eve.pk) or (
                self.eve.pk in asked and game.creator_id == self.alice.pk
            ):
                found.add((game.slug, "invite"))
        pair = (self.alice, self.eve)
        letting = StudyEditor.objects.filter(study__owner__in=pair, person__in=pair)
        return found.union((slug, "write") for slug in letting.values_list("study__slug", flat=True))

    def met(self, name: str) -> set[str]:
        """Return how an address brings the two together when eve asks for it in every way; nothing of it is kept."""
        found = set()
        for study in self.studies if "study" in parts(name) else (self.world.study,):
            self.world.study = study
            for game in self.games if is_about_a_game(name) else (None,):
                for method in ("GET", "POST"):
                    for body in self.bodies(name, method, game):
                        found |= self._met(name, method, game, body)
        return found

    def _met(self, name: str, method: str, game: Game | None, body: dict[str, Any]) -> set[str]:
        cache.clear()
        before = self.together()
        with transaction.atomic():
            path = self.world.path(name, game)
            token = f"?token={game.invite_token}" if game is not None and method == "GET" else ""
            answer = send(self.world, "eve", method, path + token, body)
            found = {how for _slug, how in self.together() - before}
            transaction.set_rollback(True)
        # What is followed begins with how things are: an answer as any other here. Files are read as they are sent.
        page = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = page.decode("utf-8", "replace")
        if not SAID.intersection(parts(name)) and any(slug in text for slug in self.hers):
            found.add("show")
        if not SAID.intersection(parts(name)) and method == "GET" and re.search(r'value="alice"', text):
            found.add("name")
        if WORDS in text:
            found.add("words")
        is_offered = any(f"/{game.slug}/join/" in text for game in self.games) or re.search(r'"join": ?true', text)
        if is_offered and game is not None and "alice" in text:
            found.add("offer")
        return found


@pytest.fixture
def scene(world: World) -> Scene:
    return Scene(world)


@pytest.mark.parametrize("name", sorted(addresses()))
def test_an_address_brings_two_together_only_if_it_asks_and_never_once_one_has_blocked_the_other(
    scene: Scene, name: str
) -> None:
    wants = DECLARED.get(name, "").startswith(ASKS)
    assert bool(scene.met(name)) == wants, (name, scene.met(name))
    for one, other in ((scene.alice, "eve"), (scene.eve, "alice")) if wants else ((scene.alice, "eve"),):
        with transaction.atomic():
            block_person(one, other)
            assert not scene.met(name), f"{one} has blocked {other}"
            transaction.set_rollback(True)


def test_who_is_told_of_another_is_not_once_one_has_blocked_the_other(scene: Scene) -> None:
    """What waits to be sent by any way out is a row of the outbox: of the two there is none for the other."""
    open_table(scene.alice, ME, invited("eve"))
    assert Notification.objects.filter(user=scene.eve, other=scene.alice).exists()
    block_person(scene.eve, "alice")
    assert not Notification.objects.filter(user=scene.eve, other=scene.alice, occasion="invited").exists()


def frames(kind: type[Socket], user: User, **about: object) -> list[Frame | None]:
    """Return what a socket of that kind says to somebody as it opens, and to a heartbeat of theirs."""
    socket = kind()
    socket.scope = {"user": user, "url_route": {"kwargs": about}, "query_string": b""}
    return [frame for looks in (None, True) for frame in kind.frames([Question(socket, looks)])]


def test_a_socket_says_that_something_has_changed_and_neither_what_nor_whom_a_block_keeps_apart(scene: Scene) -> None:
    world = scene.world
    asked: list[tuple[type[Socket], dict[str, object]]] = [
        (UserSocket, {}),
        (LobbySocket, {}),
    ]
    asked += [(GameSocket, {"slug": slug}) for slug in sorted({*scene.hers, *(game.slug for game in scene.games)})]
    asked += [(GroupSocket, {"group": group.pk}) for group in (world.club, world.door)]
    assert {kind.__name__ for kind, _about in asked} | {"NoSocket"} == {
        vars(pattern.callback)["consumer_class"].__name__ for pattern in websocket_urlpatterns
    }

    def say() -> list[tuple[str, ...]]:
        found = []
        for kind, about in asked:
            for frame in frames(kind, scene.eve, **about):
                told = {key: value for key, value in (frame or {}).items() if value not in about.values()}
                # A number, or a few of them, and what kind of page is to be fetched.
                assert all(re.fullmatch(r"[0-9.]+|version|list", str(value)) for value in told.values()), frame
                found.append((kind.__name__, *sorted(told)))
        return found

    before = say()
    assert len({kind for kind, *told in before if told}) == 4, "each kind says something"
    for one, other in ((scene.alice, "eve"), (scene.eve, "alice")):
        with transaction.atomic():
            block_person(one, other)
            assert say() == before, "whether one is blocked cannot be heard"
            transaction.set_rollback(True)


#: What tells others of what happens between people; the summary of a day is of running games, which go on.
WAYS = (*(f"by-{channel.name}" for channel in CHANNELS), "tell_receiver", "send_post")
OF_ACCOUNTS = {"send_mail", "mail_reset", "mail_confirmation"}
DISCORD = "https://discord.com/api/webhooks/1/a-secret"


def test_every_way_out_is_walked_or_tells_nothing_of_another() -> None:
    ways = {outlet.job.name for outlet in tasks.OUTLETS} | {f"by-{channel.name}" for channel in CHANNELS}
    assert ways == {*WAYS, "send_notice", "send_digest"} | OF_ACCOUNTS


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return what is handed over by any way out, which takes everything, with its name."""
    said: list[tuple[str, str]] = []

    def send(self: Channel, _user: User, message: Message, taken: Any) -> None:
        said.append((f"by-{self.name}", f"{message.subject} {message.text}"))
        taken()

    for channel in CHANNELS:
        for name, does in (("send", send), ("is_confirmed", lambda _self, _user: True)):
            monkeypatch.setattr(type(channel), name, does)
    for name, way in (("webhooks", "tell_receiver"), ("posts", "send_post")):

        def post(_address: str, body: bytes, _headers: Any, *, way: str = way, **_more: Any) -> ServiceAnswer:
            said.append((way, body.decode()))
            return ServiceAnswer(200)

        monkeypatch.setattr(f"games.notifications.{name}.post_json", post)
    return said


@pytest.mark.parametrize("is_blocked", [False, True])
def test_what_waits_to_be_sent_of_another_is_not_sent_any_more_once_one_has_blocked_the_other(
    scene: Scene, told: list[tuple[str, str]], is_blocked: bool
) -> None:
    now, eve = timezone.now(), scene.eve
    hook = add_webhook(eve, "https://bots.example.org/eve", now=now)
    invitation = open_table(scene.alice, ME, invited("eve"), now=now)
    announce_game(invitation.pk, now=now)
    own = open_table(eve, ME, OPEN, OPEN, is_public=True, now=now)
    set_game_channel(eve, own.slug, DISCORD, now=now)
    GameChannel.objects.update(agreed=list(User.objects.values_list("pk", flat=True)))
    join_game(scene.alice, own.slug, now=now)
    assert Delivery.objects.filter(notification__user=eve, due_at__isnull=False).count() == len(CHANNELS)
    if is_blocked:
        block_person(eve, "alice")
    # The table of hers begins with whoever sits there.
    for name in ("bob", "carol")[: 3 - fresh(own).players.filter(user__isnull=False).count()]:
        join_game(scene.world.people[name], own.slug, now=now)
    later = now + timedelta(hours=2)
    for key, tries in DELIVERY_OUTBOX.due(later):
        deliver(key, tries, now=later)
    Receiver.objects.filter(pk=hook.pk).update(due_at=now)
    tell_news(hook.pk, Receiver.objects.get(pk=hook.pk).tries, now=later)
    for key, tries in POST_OUTBOX.due(later):
        deliver_post(key, tries, now=later)
    naming = {way for way, text in told if "alice" in text or invitation.slug in text}
    assert naming == (set() if is_blocked else {*WAYS}), told
