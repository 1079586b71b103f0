"""What happens at my tables reaches me once: on the site, and by the channels that I have chosen."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import User
from games import jobs
from games.actions.moves.resign import resign
from games.actions.notices.choose_notices import choose_notices
from games.actions.notices.read_notices import read_notices
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request
from games.actions.pauses.end_pause import end_pause
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.base.setup import GameSetup, SeatSetup
from games.models import Delivery, Game, Notification, Occasion, Player
from games.notifications.announce import announce_game
from games.notifications.deliver import deliver
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import ME, NOON, OPEN, advance, bot, fresh, open_table, running

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(minutes=1)


def invite(host: User, *guests: User) -> Game:
    seats = (ME, *(SeatSetup(kind="named", username=guest.username) for guest in guests))
    variants = {2: "blockyou-2", 3: "blockyou-3", 4: "blockyou-4"}
    return create_game(host, GameSetup(variant=variants[len(seats)], seats=seats, is_shuffled=False), now=NOON)


def told(user: User) -> list[str]:
    """Return what has happened for this person, the latest last."""
    return list(Notification.objects.filter(user=user).order_by("pk").values_list("occasion", flat=True))


def send_all(game: Game, now: datetime = LATER) -> int:
    """Announce what has happened and send every message; return how many were sent."""
    announce_game(game.pk, now=now)
    due = list(Delivery.objects.filter(due_at__isnull=False).values_list("pk", "tries"))
    return sum(deliver(pk, tries, now=now) for pk, tries in due)


def begin_pause(game: Game, *people: User) -> None:
    """Let these people want a pause until it begins."""
    for person in people:
        ask_for_pause(person, game.slug, pause_version=fresh(game).pause_version, now=NOON)
    assert fresh(game).is_paused


def unread(user: User) -> int:
    return User.objects.get(pk=user.pk).unread_notices


def test_who_is_invited_hears_of_it(alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]) -> None:
    game = invite(alice, bob)
    assert send_all(game) == 1
    assert [mail.subject for mail in mailoutbox] == ["alice invites you to play"]
    assert (told(alice), told(bob), unread(bob)) == ([], [Occasion.INVITED], 1)


def test_the_last_to_sit_down_is_not_told_that_the_game_has_started(alice: User, bob: User) -> None:
    game = invite(alice, bob)
    join_game(bob, game.slug, now=LATER)
    assert told(alice) == [Occasion.STARTED]
    assert told(bob) == [Occasion.INVITED]


def test_those_at_the_table_hear_who_comes_and_goes_each_time(alice: User, bob: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, variant="blockyou-3")
    for minute in range(2):
        join_game(bob, game.slug, now=NOON + timedelta(minutes=minute))
        leave_game(bob, game.slug)
    assert told(alice) == [Occasion.JOINED, Occasion.LEFT] * 2
    assert told(bob) == []


def test_a_refused_invitation_and_a_cancelled_table_are_told(alice: User, bob: User, carol: User) -> None:
    game = invite(alice, bob, carol)
    join_game(carol, game.slug, now=LATER)
    decline_invitation(bob, game.slug)
    cancel_game(alice, game.slug)
    assert told(alice) == [Occasion.JOINED, Occasion.DECLINED]
    assert told(carol)[1:] == [Occasion.DECLINED, Occasion.CANCELLED]


def test_the_end_and_a_rematch_are_told_to_the_other(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON)
    resign(bob, game.slug, now=LATER)
    assert told(alice) == [Occasion.OVER]
    open_rematch(alice, game.slug, now=LATER)
    assert told(bob) == [Occasion.REMATCH]


def test_a_game_among_bots_tells_no_one_and_asks_for_no_job(alice: User) -> None:
    game = open_table(alice, ME, bot())
    resign(alice, game.slug)
    assert not Notification.objects.exists()
    assert not [job for job in jobs.find_jobs() if "notice" in str(job)]


def test_what_happens_under_my_eyes_is_read_already(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON)
    Player.objects.filter(game=game, user=alice).update(seen_at=LATER)
    resign(bob, game.slug, now=LATER)
    assert send_all(game) == 0
    assert unread(alice) == 0
    assert Notification.objects.get().read_at == LATER


def test_what_is_no_news_any_more_is_not_sent(alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]) -> None:
    game = invite(alice, bob)
    [key] = announce_game(game.pk, now=NOON)
    decline_invitation(bob, game.slug)
    assert not deliver(key, 0, now=LATER)
    assert Delivery.objects.get(pk=key).due_at is None
    assert mailoutbox == []


def test_a_request_for_a_pause_is_sent_as_long_as_it_waits_and_so_is_its_end(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    game = running(alice, bob, now=NOON)
    Notification.objects.all().delete()
    request = ask_for_pause(alice, game.slug, pause_version=0, now=NOON).version
    assert send_all(game) == 1
    drop_pause_request(bob, game.slug, request=request, now=NOON)
    ask_for_pause(alice, game.slug, pause_version=0, now=NOON)
    [key] = announce_game(game.pk, now=NOON)
    paused = ask_for_pause(bob, game.slug, pause_version=0, now=NOON)
    assert not deliver(key, 0, now=LATER), "bob has agreed already"
    end_pause(alice, game.slug, pause_version=paused.pause_version, now=NOON)
    assert send_all(game) == 1
    assert [mail.subject for mail in mailoutbox] == ["alice asks for a pause: alice", "The pause is over: alice"]
    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]] * 2


def test_those_who_waited_for_a_pause_hear_that_it_begins_as_long_as_it_lasts(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    game = running(alice, bob, now=NOON)
    Notification.objects.all().delete()
    begin_pause(game, alice, bob)
    assert (told(alice), told(bob)) == ([Occasion.PAUSED], [Occasion.PAUSE])
    assert send_all(game) == 1
    assert [(mail.to, mail.subject) for mail in mailoutbox] == [(["alice@example.org"], "The game is paused: bob")]
    end_pause(bob, game.slug, pause_version=fresh(game).pause_version, now=NOON)
    begin_pause(game, alice, bob)
    keys = announce_game(game.pk, now=NOON)
    end_pause(bob, game.slug, pause_version=fresh(game).pause_version, now=NOON)
    assert not any(deliver(key, 0, now=LATER) for key in keys), "the pause is over already"


def test_a_player_who_leaves_a_paused_game_does_not_make_it_begin_again(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, now=NOON)
    Notification.objects.all().delete()
    begin_pause(game, alice, bob, carol)
    resign(carol, game.slug, now=LATER)
    assert told(alice).count(Occasion.PAUSED) == told(bob).count(Occasion.PAUSED) == 1


@pytest.mark.parametrize(
    ("is_told_before", "wants_turns", "expected"),
    [
        (False, True, ["Your turn: alice"]),
        (True, True, ["Your turn: alice", "The pause is over: alice"]),
        (False, False, ["The pause is over: alice"]),
    ],
)
@pytest.mark.parametrize("is_turn_first", [True, False])
def test_one_message_says_that_a_pause_is_over_and_that_it_is_my_turn(
    is_turn_first: bool,
    is_told_before: bool,
    wants_turns: bool,
    expected: list[str],
    alice: User,
    bob: User,
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    choose_notices(bob, {"pause.email": True, "turn.email": wants_turns})
    game = advance(running(alice, bob, now=NOON), random.Random(1))
    Notification.objects.all().delete()
    seat = game.players.get(seat=1).pk
    if is_told_before:
        deliver_turn(seat, 2, now=NOON)
    begin_pause(game, bob, alice)
    end_pause(alice, game.slug, pause_version=fresh(game).pause_version, now=LATER)
    steps: list[Callable[[], object]] = [lambda: deliver_turn(seat, 2, now=LATER), lambda: send_all(game)]
    for step in steps if is_turn_first else steps[::-1]:
        step()
    assert [mail.subject for mail in mailoutbox if mail.to == ["bob@example.org"]] == expected
    assert Occasion.RESUMED in told(bob), "the site lists it all the same"


@pytest.mark.parametrize(
    ("wants_turns", "expected"), [(True, ["Your turn: bob"]), (False, ["Game started: bob"])], ids=["turns", "none"]
)
@pytest.mark.parametrize("is_turn_first", [True, False])
def test_one_message_says_that_a_game_has_started_and_that_i_begin(
    is_turn_first: bool,
    wants_turns: bool,
    expected: list[str],
    alice: User,
    bob: User,
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    choose_notices(alice, {"started.email": True, "turn.email": wants_turns})
    game = invite(alice, bob)
    join_game(bob, game.slug, now=LATER)
    seat = game.players.get(user=alice).pk
    steps: list[Callable[[], object]] = [lambda: deliver_turn(seat, 1, now=LATER), lambda: send_all(game)]
    for step in steps if is_turn_first else steps[::-1]:
        step()
    mails = [mail for mail in mailoutbox if mail.to == ["alice@example.org"]]
    assert [mail.subject for mail in mails] == expected
    assert ("Every seat is taken, and you begin." in str(mails[0].body)) is wants_turns
    assert Occasion.STARTED in told(alice), "the site lists it all the same"


def test_a_switch_stops_one_kind_by_one_channel(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    choose_notices(bob, {"invited.email": False, "rematch.site": False})
    assert send_all(invite(alice, bob)) == 0
    assert unread(bob) == 1
    game = running(alice, bob, now=NOON)
    resign(bob, game.slug, now=LATER)
    assert send_all(open_rematch(alice, game.slug, now=LATER)) == 1
    assert unread(bob) == 1


def test_who_wanted_no_turn_emails_gets_no_others_without_asking(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    User.objects.filter(pk=bob.pk).update(wants_turn_emails=False)
    assert send_all(invite(alice, bob)) == 0
    choose_notices(bob, {"invited.email": True})
    assert send_all(invite(alice, bob)) == 1


def test_a_link_in_a_mail_stops_its_own_kind_and_no_other(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    send_all(invite(alice, bob))
    stop = "/" + mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>").split("/", 3)[3]
    assert "Someone invites you to a table" in Client().get(stop).content.decode()
    answer = Client(enforce_csrf_checks=True).post(stop, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert send_all(invite(alice, bob)) == 0
    game = running(alice, bob, now=NOON)
    resign(alice, game.slug, now=LATER)
    assert send_all(game) == 1


def test_stopping_turn_emails_leaves_the_others(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    from accounts.mail import unsubscribe

    Client().post("/" + unsubscribe.link(bob).split("/", 3)[3])
    assert send_all(invite(alice, bob)) == 1


def test_a_mail_has_a_page_with_the_board_inside(
    alice: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    game = advance(running(alice, bob, now=NOON), random.Random(1), now=NOON)
    resign(bob, game.slug, now=LATER)
    send_all(game)
    page, kind = map(str, mailoutbox[0].alternatives[0])
    assert kind == "text/html"
    assert 'src="cid:board"' in page
    assert f"/games/{game.slug}/" in page
    [picture] = mailoutbox[0].attachments
    assert picture["Content-ID"] == "<board>"
    assert picture.get_payload(decode=True).startswith(b"\x89PNG")


def test_a_page_opened_marks_what_it_lists_and_a_game_its_own(alice: User, bob: User) -> None:
    games = [invite(alice, bob) for _ in range(2)]
    for game in games:
        announce_game(game.pk, now=LATER)
    bob.refresh_from_db()
    assert read_notices(bob, now=LATER, slug=games[0].slug) == 1
    assert unread(bob) == 1
    assert read_notices(bob, now=LATER) == 1
    assert unread(bob) == 0
    assert read_notices(User.objects.get(pk=bob.pk), now=LATER) == 0


def test_announcing_twice_counts_once(alice: User, bob: User) -> None:
    game = invite(alice, bob)
    assert announce_game(game.pk, now=LATER)
    assert announce_game(game.pk, now=LATER) == []
    assert unread(bob) == 1
    assert fresh(game).status == "open"
