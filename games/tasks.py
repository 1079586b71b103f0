"""The background jobs by name, and which events ask for them.

Jobs are thin and may run late, twice or never: they name a game and a move, and what they call looks first whether that
move is still due. The sweep (`games.background.sweep`) asks again for what was lost.

Long thinks wait in a queue of their own, so that no other game waits behind them (`games.background.worker`).
"""

import random
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.utils import timezone

from accounts.mail.confirmations import answer_confirmation
from accounts.mail.outbox import MAIL_OUTBOX, send_posted_mail
from accounts.mail.requests import requests_due
from accounts.mail.resets import answer_reset
from accounts.models import ConfirmationRequest, ResetRequest
from games.actions.groups.open_standing_table import open_standing_table
from games.actions.plans.play_plan import play_plan
from games.actions.ratings.rate_family import rate_family
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.seeks.wake_seeks import wake_seeks_for, wake_seeks_of
from games.archives.making import make_archive_file
from games.base.archives import ARCHIVE_OUTBOX
from games.base.rated import ratings_due
from games.bots import adviser, reviewer
from games.bots.sides import take_side
from games.bots.thinker import think_in_subprocess
from games.bots.turns import TRUSTED_TRIES, play_turn
from games.events import (
    AdviceAsked,
    ArchiveAsked,
    GameCreated,
    GameEvent,
    NoticesRecorded,
    PostsRecorded,
    ReviewAsked,
    SeekDue,
    SideDue,
    StandingTableDue,
    StepAsked,
    TurnEvent,
)
from games.jobs import JobKind, Subject, count_failed, enqueue, job, queue_at_work
from games.jobs.courier import DOUBTFUL, MAIL
from games.notifications.announce import announce_game
from games.notifications.channels.push import send_test
from games.notifications.deliver import DELIVERY_OUTBOX, deliver
from games.notifications.digests import DIGEST_OUTBOX, deliver_digest
from games.notifications.kinds import EMAIL
from games.notifications.outlets import Outlet, queue_to
from games.notifications.posts import POST_OUTBOX, deliver_post, send_test_post
from games.notifications.turns import announce_turn, ways_of_turn
from games.notifications.webhooks import send_test_event, tell_news, wake_receivers
from games.queries.notices.channels import is_post_doubtful, posts_of
from games.queries.notices.notices import way_of_delivery
from games.queries.notices.webhooks import is_receiver_doubtful, receivers_due
from games.queries.site.waiting import (
    people_of_archives,
    people_of_deliveries,
    people_of_devices,
    people_of_digests,
    people_of_game_channels,
    people_of_games,
    people_of_posts,
    people_of_receivers,
    people_of_reviews,
    people_of_seats,
    people_of_seeks,
)
from games.queries.tables.turns import bot_to_play, pause_left, slug_of
from games.ratings.families import FAMILIES
from games.roster.offered import offered_bots

#: How long a notification waits: a player who opens the page, or answers, in that time needs none.
GRACE = timedelta(seconds=20)

#: A planned move waits so many seconds, drawn anew for each: as long as it takes a player who has the piece ready to
#: see that it is their turn and press *Place*. What a worker needs besides fits into the second that plans promise.
READY_HAND = (0.3, 0.6)
_chance = random.SystemRandom()

#: Where the turns of quick bots wait, and those of slow ones.
BOTS, THINKERS = "bots", "thinkers"

#: A player waits for the advice asked for: with at most this many simulated games it is among the quick jobs.
QUICK_HINT = 2000

#: The priority of reviews, the last of the long jobs: no game waits for them. That of e-mails about accounts: a person
#: waits for the link.
LOWEST_PRIORITY, HIGHEST_PRIORITY = -50, 50


@job(queue=BOTS)
def play_bot_turn(game_id: int, number: int, tries: int = 0) -> bool:
    """Play the bot's move of that number, if it is still due; `tries` have failed."""
    return play_turn(game_id, number, tries=tries)


@job(queue=BOTS)
def step_bot_turn(game_id: int, number: int, tries: int = 0) -> bool:
    """Play the bot's move of that number in a paused game, if it is still due; `tries` have failed."""
    return play_turn(game_id, number, tries=tries, is_step=True)


def enqueue_bot_turn(game_id: int, number: int, bot: str, tries: int = 0, pause: float = 0) -> None:
    """Ask for the bot's move of that number, after a pause of that many seconds. One insert."""
    again = [tries] if tries else []
    not_before = timezone.now() + timedelta(seconds=pause) if pause else None
    enqueue(play_bot_turn, game_id, number, *again, queue=queue_of(bot, tries), not_before=not_before)


def enqueue_bot_turn_again(game_id: int, number: int, tries: int) -> None:
    """Ask for the bot's move of that number, of whose jobs that many have failed. A query or two, one insert."""
    enqueue_bot_turn(game_id, number, bot_to_play(game_id), tries)


@job(queue=BOTS, priority=HIGHEST_PRIORITY)
def play_planned(game_id: int, number: int) -> bool:
    """Make the move of that number as its player has planned it, if it is still due.

    Where the plan stops, the bot that plays for a player who is away is asked for after it.
    """
    slug = slug_of(game_id)
    if not slug:
        return False
    if play_plan(slug, number=number) is not None:
        return True
    if bot := bot_to_play(game_id):
        # As if no plan had been there: who looks at the clock learns of none.
        enqueue_bot_turn(game_id, number, bot, pause=pause_left(game_id))
    return False


def enqueue_planned(game_id: int, number: int, wait: float = 0) -> None:
    """Ask for the planned move of that number, after so many seconds. One insert."""
    enqueue(play_planned, game_id, number, not_before=timezone.now() + timedelta(seconds=wait) if wait else None)


def enqueue_step(game_id: int, number: int, bot: str) -> None:
    """Ask for the bot's move of that number in a paused game. One query, one insert.

    The sweep does not ask for it again: the person who watches the game does.
    """
    tries = count_failed(step_bot_turn, game_id, number)
    again = [tries] if tries else []
    enqueue(step_bot_turn, game_id, number, *again, queue=queue_of(bot, tries))


def queue_of(bot: str, tries: int = 0) -> str:
    """Return the queue in which the bot's turns wait. One that has failed too often is not asked, which is quick."""
    offered = offered_bots().get(bot)
    return THINKERS if offered is not None and offered.is_slow and tries < TRUSTED_TRIES else BOTS


@job(queue=BOTS)
def choose_bot_side(game_id: int, _number: int) -> bool:
    """Choose the bot's side at a table that waits for that, and start the game.

    A lost job is not asked for again: `fill_at` of the table is when the game begins all the same.
    """
    return take_side(game_id)


@job(queue=BOTS)
def advise(player_id: int, number: int) -> bool:
    """Find good placements for the player's move of that number, if the player still waits for them."""
    return adviser.find_advice(player_id, number)


def enqueue_hint(player_id: int, number: int) -> None:
    """Ask for good placements for the player's move of that number. One insert."""
    enqueue(advise, player_id, number, queue=BOTS if settings.HINT_SIMULATIONS <= QUICK_HINT else THINKERS)


@job(queue=THINKERS, priority=LOWEST_PRIORITY)
def go_on_reviewing(review_id: int, done: int) -> bool:
    """Judge the next few positions of a review, of which the first `done` are judged, and ask for those after them."""
    now_done = reviewer.continue_review(review_id, done)
    if now_done is not None:
        enqueue_review(review_id, now_done)
    return now_done is not None


def enqueue_review(review_id: int, done: int) -> None:
    """Ask for what follows in a review of which the first `done` positions are judged. One insert."""
    enqueue(go_on_reviewing, review_id, done)


@job()
def open_next_of_group(standing_id: int, _number: int) -> bool:
    """Open the next game of a group's standing table, if it is still due."""
    return open_standing_table(standing_id) is not None


def enqueue_next_of_group(standing_id: int) -> None:
    """Ask for the next game of a group's standing table. One insert."""
    enqueue(open_next_of_group, standing_id, 0)


@job()
def seat_for_seek(seek_id: int, _number: int) -> bool:
    """Find the person of a standing seek one seat, if it is wanted, and ask for the next one."""
    if seat_seeker(seek_id) is None:
        return False
    enqueue_seek(seek_id)
    return True


def enqueue_seek(seek_id: int) -> None:
    """Ask for a seat for the person of a standing seek. One insert."""
    enqueue(seat_for_seek, seek_id, 0)


@job(queue=THINKERS, priority=LOWEST_PRIORITY)
def refit_ratings(number: int, _day: int) -> bool:
    """Fit the ratings of a family anew, by its number in `FAMILIES`, unless that has been done since last night."""
    family, now = FAMILIES[number], timezone.now()
    if family not in ratings_due(now):
        return False
    rate_family(family, now=now, think=think_in_subprocess)
    return True


def enqueue_refit(number: int, day: int) -> None:
    """Ask for the ratings of a family to be fitted anew. One insert."""
    enqueue(refit_ratings, number, day)


def refits_due(now: datetime) -> set[tuple[int, int]]:
    """Return the families whose ratings are to be fitted anew, by number, each with a number of the day. One query."""
    return {(FAMILIES.index(family), now.toordinal()) for family in ratings_due(now)}


@job()
def notify_of_turn(player_id: int, number: int) -> bool:
    """Tell the player that this move is theirs, unless they know or it no longer is; ask for what goes another way."""
    found = announce_turn(player_id, number, now=timezone.now())
    # No more than one, as any other job; and none by a job that no courier does.
    own = next((delivery for delivery in found if queue_of_delivery(delivery) == queue_at_work()), None)
    for delivery in found:
        if delivery != own:
            DELIVERIES.ask(delivery)
    if own is not None:
        deliver(own, 0, now=timezone.now())
    return bool(found)


def enqueue_notification(player_id: int, number: int, grace: timedelta = timedelta()) -> None:
    """Ask for the player to be notified of a move after some grace, if they can be. One query, one insert.

    Where one message goes out the job sends it, and waits among those of its channel; where there may be two, it asks
    for them: neither is to wait for the other.
    """
    ways = ways_of_turn(player_id)
    queue = queue_by(*ways[0]) if len(ways) == 1 else ""
    if ways:
        enqueue(notify_of_turn, player_id, number, queue=queue, not_before=timezone.now() + grace if grace else None)


def announce_to_people(game_id: int) -> bool:
    """List what has happened in a game on its people's pages, and ask for the messages about it after some grace."""
    found = announce_game(game_id, now=timezone.now(), grace=GRACE)
    for delivery in found:
        DELIVERIES.ask(delivery, grace=GRACE)
    return bool(found)


@job()
def announce_notices(game_id: int, _number: int) -> bool:
    """Announce what the process in which it happened did not live to announce."""
    return announce_to_people(game_id)


@job(queue=DOUBTFUL)
def send_notice(delivery_id: int, tries: int) -> bool:
    """Send a message about a game of which that many tries have begun, if it is still news."""
    return deliver(delivery_id, tries, now=timezone.now())


def queue_of_delivery(delivery_id: int) -> str:
    """Return where a message about a game waits to be sent. One query."""
    return queue_by(*way_of_delivery(delivery_id))


def queue_by(channel: str, is_doubtful: bool) -> str:
    """Return where messages by a channel wait to be sent."""
    return MAIL if channel == EMAIL else queue_to(is_doubtful)


@job(queue=MAIL)
def send_digest(digest_id: int, tries: int) -> bool:
    """Send a summary of the day of which that many tries have begun, if games still wait."""
    return deliver_digest(digest_id, tries, now=timezone.now())


@job(queue=DOUBTFUL)
def send_post(post_id: int, tries: int) -> bool:
    """Post a message to a table's channel of which that many tries have begun, if it is still news."""
    return deliver_post(post_id, tries, now=timezone.now())


def queue_of_post(post_id: int) -> str:
    """Return where a message waits to be posted to a table's channel. One query."""
    return queue_to(is_post_doubtful(post_id))


@job(queue=DOUBTFUL, priority=HIGHEST_PRIORITY)
def send_test_to_chat(channel_id: int) -> bool:
    """Post a message that shows whether a table's channel takes any. A job keeps the name that it is stored with."""
    return send_test_post(channel_id)


def enqueue_test_post(channel_id: int) -> None:
    """Ask for a message that shows whether a table's channel takes any. One insert; the sweep does not repeat it."""
    enqueue(send_test_to_chat, channel_id)


@job(queue=DOUBTFUL)
def tell_receiver(receiver_id: int, tries: int) -> bool:
    """Send a program by its webhook what has happened, if that many tries have begun, and ask for what is left."""
    told = tell_news(receiver_id, tries, now=timezone.now())
    if told.has_more:
        RECEIVERS.ask(receiver_id)
    return told.taken > 0


def queue_of_receiver(receiver_id: int) -> str:
    """Return where a program's news waits to be sent. One query."""
    return queue_to(is_receiver_doubtful(receiver_id))


@job(queue=DOUBTFUL, priority=HIGHEST_PRIORITY)
def send_test_to_receiver(receiver_id: int) -> bool:
    """Send a message that shows whether a program takes any."""
    return send_test_event(receiver_id)


def enqueue_test_event(receiver_id: int) -> None:
    """Ask for a message that shows whether a program takes any. One insert; the sweep does not repeat it."""
    enqueue(send_test_to_receiver, receiver_id)


@job(queue=DOUBTFUL, priority=HIGHEST_PRIORITY)
def send_test_notice(device_id: int) -> bool:
    """Send a notice to a device whose owner asked whether notices arrive there."""
    return send_test(device_id)


def enqueue_test_notice(device_id: int) -> None:
    """Ask for a notice that shows whether notices arrive on a device. One insert.

    The sweep does not ask for it again: the person who waits for it does.
    """
    enqueue(send_test_notice, device_id)


@job(queue=MAIL, priority=HIGHEST_PRIORITY)
def send_mail(mail_id: int, tries: int) -> bool:
    """Send an e-mail about an account of which that many tries have begun."""
    return send_posted_mail(mail_id, tries, now=timezone.now())


@job(priority=HIGHEST_PRIORITY)
def mail_reset(request_id: int, _number: int) -> bool:
    """Post the e-mail that answers a request for a new password."""
    return answer_reset(request_id, now=timezone.now())


@job(priority=HIGHEST_PRIORITY)
def mail_confirmation(request_id: int, _number: int) -> bool:
    """Post the first e-mail to the address of a new account."""
    return answer_confirmation(request_id, now=timezone.now())


@job(queue=THINKERS, priority=LOWEST_PRIORITY)
def make_archive(archive_id: int, tries: int) -> bool:
    """Make the file of all that is a person's, of which that many tries have begun."""
    return make_archive_file(archive_id, tries, now=timezone.now())


#: What waits in its rows as messages do, and stays on the site.
ARCHIVES = Outlet(make_archive, ARCHIVE_OUTBOX.due, people_of_archives, counted="archives")

#: The ways out. Jobs are stored by the names that they have here; a new way out has its job in its own module, and
#: here no more than its place among `OUTLETS`.
MAILS = Outlet(send_mail, MAIL_OUTBOX.due, counted="mails")
RESETS = Outlet(mail_reset, partial(requests_due, ResetRequest), counted="mails")
CONFIRMATIONS = Outlet(mail_confirmation, partial(requests_due, ConfirmationRequest), counted="mails")
DELIVERIES = Outlet(send_notice, DELIVERY_OUTBOX.due, people_of_deliveries, queue_of_delivery)
DIGESTS = Outlet(send_digest, DIGEST_OUTBOX.due, people_of_digests)
POSTS = Outlet(send_post, POST_OUTBOX.due, people_of_posts, queue_of_post)
RECEIVERS = Outlet(tell_receiver, receivers_due, people_of_receivers, queue_of_receiver)
OUTLETS = (MAILS, RESETS, CONFIRMATIONS, DELIVERIES, DIGESTS, POSTS, RECEIVERS)

#: Who waits for which jobs: of what a job is about the people are found so. E-mails about accounts are no person's.
PEOPLE: tuple[tuple[Callable[[Collection[int]], Mapping[int, frozenset[int]]], tuple[JobKind, ...]], ...] = (
    (people_of_games, (play_bot_turn, step_bot_turn, play_planned, choose_bot_side)),
    (people_of_seats, (advise, notify_of_turn)),
    (people_of_reviews, (go_on_reviewing,)),
    (people_of_game_channels, (send_test_to_chat,)),
    (people_of_receivers, (send_test_to_receiver,)),
    (people_of_devices, (send_test_notice,)),
    (people_of_archives, (make_archive,)),
    (people_of_seeks, (seat_for_seek,)),
    *((outlet.people_of, (outlet.job,)) for outlet in OUTLETS if outlet.people_of),
)


def people_of(subjects: set[Subject]) -> dict[Subject, frozenset[int]]:
    """Return the users for whom these jobs are done, by the job's name and first argument. A query or two a kind."""
    found: dict[Subject, frozenset[int]] = {}
    for find, kinds in PEOPLE:
        of_kind = {(name, about) for name, about in subjects if name in {kind.name for kind in kinds}}
        people = find({about for _name, about in of_kind})
        found |= {(name, about): people[about] for name, about in of_kind if about in people}
    return found


def on_turn(event: TurnEvent) -> None:
    """Ask for what a new turn needs: a bot's move, one insert; or a person's notification, one query and one insert.

    A planned move is one insert more. It comes before that of a bot that plays for an absent player, and as soon as a
    hand could have made it.
    """
    turn = event.due
    if turn is None:
        return
    if turn.is_planned:
        enqueue_planned(event.game_id, turn.number, wait=_chance.uniform(*READY_HAND))
    if turn.bot and not turn.is_planned:
        enqueue_bot_turn(event.game_id, turn.number, turn.bot, pause=turn.pause)
    elif not turn.bot:
        enqueue_notification(turn.player_id, turn.number, GRACE)


def on_notices(event: NoticesRecorded) -> None:
    """List what has happened on its people's pages at once, and ask for the messages. A dozen queries, a job each."""
    announce_to_people(event.game_id)


def on_change(event: GameEvent) -> None:
    """Ask for the programs of a game's people to be told of it. A query or two, an update and an insert for each."""
    people = {*event.users, *getattr(event, "former", ())}
    for receiver in wake_receivers(people, timezone.now()):
        RECEIVERS.ask(receiver)


def on_standing_table_due(event: StandingTableDue) -> None:
    """Ask for the next game of a group's standing table. One insert."""
    enqueue_next_of_group(event.standing_id)


def on_seek_due(event: SeekDue) -> None:
    """Ask for a seat for a person who wants one from now on. One insert."""
    enqueue_seek(event.seek_id)


def on_side_due(event: SideDue) -> None:
    """Ask for the side of a bot that is to choose one. One insert."""
    enqueue(choose_bot_side, event.game_id, 0)


def on_table_opened(event: GameCreated) -> None:
    """Ask for seats for those who may want one at a new table. No query for a private one, else a few and inserts."""
    if event.is_public:
        for seek in wake_seeks_for(event.game_id, timezone.now()):
            enqueue_seek(seek)


def on_seats_free(event: GameEvent) -> None:
    """Ask for seats for the people of a game that has begun or is over, if they want more. One query, inserts."""
    for seek in wake_seeks_of(event.users, timezone.now()):
        enqueue_seek(seek)


def on_posts(event: PostsRecorded) -> None:
    """Ask for what waits for a game's channel to be posted. One query, an insert each."""
    for post in posts_of(event.game_id):
        POSTS.ask(*post)


def on_step_asked(event: StepAsked) -> None:
    """Ask for one move of a paused game. One query, one insert."""
    enqueue_step(event.game_id, event.number, event.bot)


def on_advice_asked(event: AdviceAsked) -> None:
    """Ask for good placements. One insert."""
    enqueue_hint(event.player_id, event.number)


def on_review_asked(event: ReviewAsked) -> None:
    """Ask for the first positions of a review, or for those at which it failed. One insert."""
    enqueue_review(event.review_id, event.done)


def on_archive_asked(event: ArchiveAsked) -> None:
    """Ask for the file of all that is a person's. One insert."""
    ARCHIVES.ask(event.archive_id)
