"""What transactions cost: `python -m tests.reliability.spent` uses a site by its actions, jobs and forms, as JSON.

`spent` is what every transaction costs, by where it began, the first one of the process included, in rounds of work
like a transaction's that is timed right after it: what else runs on the machine slows both. `entered` are the modules
that have begun one, within another too, `jobs` the names of the jobs that have run.
What a process of a site loads as it starts is loaded before. After what people, bots and jobs do in turn, each address
of the site is sent a form that it takes, by an owner, an opponent and a moderator, with the site as it was before.
"""

import gc
import json
import os
import secrets
import sqlite3
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import django

#: A transaction may cost as much as so many rounds, 20 to 25 ms where the dearest, closing an account, takes 16.
MOST_ROUNDS = 64
#: So many objects are made and statements sent in a round. It is timed so often, and the quickest time counts.
OBJECTS, STATEMENTS, TIMES = 400, 30, 3

#: An address of this machine: nothing is sent there.
NOWHERE = "https://127.0.0.1"


def main() -> None:
    """Use a new site, and print what its transactions cost."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder, 'db.sqlite3')}"
        # What engines take is thought about outside of all transactions.
        os.environ["BOTS_COMPILED"] = "0"
        django.setup()
        from django.conf import settings

        settings.HINT_SIMULATIONS = 20
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        spent, entered, jobs = use(Path(folder, "db.sqlite3"))
    print(json.dumps({"spent": spent, "entered": sorted(entered), "jobs": sorted(jobs)}))  # noqa: T201


class Rounds:
    """Work like a transaction's: objects are made and put in order, and a database is asked.

    A plain loop is no measure: what it costs beside other programs goes up and down otherwise.
    """

    def __init__(self) -> None:
        self.rows = sqlite3.connect(":memory:")
        self.rows.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT, said TEXT)")
        self.rows.executemany("INSERT INTO entry VALUES (?, ?, ?)", [(row, "n" * 30, "s" * 30) for row in range(200)])

    def seconds(self) -> float:
        """Return the CPU seconds that a round takes now, at the least."""
        return min(self._once() for _ in range(TIMES))

    def _once(self) -> float:
        began = time.thread_time()
        made = {f"key{number}": [{"number": number, "name": f"NAME{number}"}, number] for number in range(OBJECTS)}
        "".join(str(each) for each in sorted(made.values(), key=lambda each: str(each[0])))
        for row in range(STATEMENTS):
            self.rows.execute("SELECT id, name, said FROM entry WHERE id > ? LIMIT 5", (row,)).fetchall()
        return time.thread_time() - began


def use(database: Path) -> tuple[dict[str, list[float]], set[str], set[str]]:
    """Use the site, and return what its transactions cost in order, in rounds, by where each began, of which modules
    there were any, and which jobs have run.
    """
    import sys

    from django.db import connection
    from django.db.transaction import Atomic

    from games.background.worker import load_what_jobs_use
    from games.jobs import Job, run_job
    from tests.games.tasks import workers

    load_what_jobs_use()
    # As processes of a site do: a collection of all that was loaded takes longer than any transaction.
    gc.collect()
    gc.freeze()
    spent: defaultdict[str, list[float]] = defaultdict(list)
    entered, jobs = set[str](), set[str]()
    begun: list[tuple[str, float]] = []
    rounds = Rounds()
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def entering(block: Atomic) -> None:
        is_outer, (module, function) = not connection.in_atomic_block, began_in(sys._getframe(1))
        entered.add(module)
        enter(block)
        if is_outer:
            begun.append((f"{module}.{function}", time.thread_time()))

    def leaving(block: Atomic, *error: Any) -> None:
        if len(connection.atomic_blocks) == 1:
            # What follows the commit is no part of it.
            name, since = begun.pop()
            seconds = time.thread_time() - since
            spent[name].append(seconds / rounds.seconds())
        leave(block, *error)

    def run_noted(job: Job) -> None:
        jobs.add(job.name)
        run_job(job)

    running: Any = workers
    running.run_job = run_noted
    Atomic.__enter__ = entering  # type: ignore[method-assign]
    Atomic.__exit__ = leaving  # type: ignore[method-assign]
    play()
    knock_everywhere(database)
    return spent, entered, jobs


def began_in(frame: FrameType) -> tuple[str, str]:
    """Return the module and the name of what began a transaction: a function that is one, or has a block that is."""
    inner = frame.f_locals.get("func")
    if inner:
        return inner.__module__, inner.__qualname__
    return frame.f_globals["__name__"], frame.f_code.co_name


def play() -> None:
    """Do once or more what people, bots and jobs do."""
    from django.core.cache import cache
    from django.test import Client
    from django.utils import timezone

    from accounts.erasure import close_account
    from accounts.models import User
    from games.actions.analysis.ask_for_advice import ask_for_advice
    from games.actions.analysis.ask_for_review import ask_for_review
    from games.actions.moves.resign import resign
    from games.actions.pauses.ask_for_pause import ask_for_pause
    from games.actions.tables.cancel_game import cancel_game
    from games.actions.tables.join_game import join_game
    from games.actions.tables.open_rematch import open_rematch
    from games.background.sweep import sweep
    from games.background.upkeep import Upkeep
    from games.models import Game
    from tests.games.tables import ME, OPEN, bot, fresh, open_table, play_out, running
    from tests.games.tasks.workers import run_jobs

    word = secrets.token_urlsafe(12)
    for name in ("anna", "bert"):
        form = {"username": name, "email": f"{name}@example.org", "password1": word}
        assert Client().post("/accounts/signup/", form).status_code == 302
    Client().post("/play/bots/")
    run_jobs()
    anna, bert = User.objects.get(username="anna"), User.objects.get(username="bert")
    now = timezone.now()
    for variant in ("blockyou-2", "duo", "classic-2", "junior", "trigon-2", "codingame-2:20:5"):
        cache.clear()
        game = running(anna, bert, variant=variant, now=now)
        play_out(game, now=now)
        run_jobs()
    open_table(anna, *(bot("greedy", seed) for seed in range(4)), now=now)
    run_jobs()
    waiting = open_table(anna, ME, OPEN, now=now)
    cancel_game(anna, waiting.slug)
    game = running(anna, bert, variant="duo", now=now)
    ask_for_pause(anna, game.slug, pause_version=fresh(game).pause_version, now=now)
    ask_for_advice(anna, open_table(anna, ME, bot("greedy"), variant="duo", now=now).slug, now=now)
    run_jobs()
    resign(anna, game.slug, now=now)
    again = open_rematch(bert, game.slug, now=now)
    join_game(anna, again.slug, now=now)
    ask_for_review(bert, Game.objects.filter(status="finished", variant="duo").order_by("pk")[0].slug, now=now)
    run_jobs()
    do_the_rest()
    keep_accounts()
    send_what_goes_out()
    sweep(now + timedelta(days=3))
    run_jobs()
    close_account(bert)
    Upkeep().tidy(now + timedelta(days=120))


def do_the_rest() -> None:
    """Do for two others what jobs and the site itself do, and what no form of an address does."""
    from django.utils import timezone

    from accounts.guests import create_guest
    from accounts.models import User, Welcome
    from games.actions.archives.ask_for_archive import ask_for_archive
    from games.actions.archives.drop_archives import drop_archives
    from games.actions.archives.import_studies import import_studies
    from games.actions.children.ask_to_meet import ask_to_meet
    from games.actions.children.remove_person import remove_person
    from games.actions.groups.create_group import create_group
    from games.actions.groups.join_group import join_group
    from games.actions.groups.set_standing_table import set_standing_table
    from games.actions.guests.merge_guest import merge_guest
    from games.actions.kindness.choose_holidays import choose_holidays
    from games.actions.kindness.spend_holiday import spend_holiday
    from games.actions.moderation.report_line import report_line
    from games.actions.moves.catch_up import catch_up
    from games.actions.moves.resign import resign
    from games.actions.moves.time_out import time_out
    from games.actions.notices.keep_quiet_hours import keep_quiet_hours
    from games.actions.notices.read_notices import read_notices
    from games.actions.pauses.agree_to_pause import agree_to_pause
    from games.actions.pauses.ask_for_pause import ask_for_pause
    from games.actions.pauses.expire_pause import expire_pause
    from games.actions.plans.set_plan import set_plan
    from games.actions.seeks.seat_seeker import seat_seeker
    from games.actions.seeks.set_seek import set_seek
    from games.actions.studies.add_variation import add_variation
    from games.actions.studies.name_variation import name_variation
    from games.actions.studies.remove_variation import remove_variation
    from games.actions.studies.undo_variation import undo_variation
    from games.actions.tables.choose_side import choose_side
    from games.actions.tables.expire_table import expire_table
    from games.actions.tables.join_game import join_game
    from games.actions.talk.drop_reaction import drop_reaction
    from games.actions.talk.forget_unwanted import forget_unwanted
    from games.actions.talk.give_reaction import give_reaction
    from games.actions.talk.read_messages import read_messages
    from games.actions.talk.send_message import send_message
    from games.archives.making import make_archive_file
    from games.base import positions
    from games.base.plans import PlannedMove, PlannedTurn
    from games.clock import TimeControl
    from games.models import Study
    from tests.games.children.families import child_of
    from tests.games.tables import ME, OPEN, bot, due, fresh, invited, open_table, place, running, setup
    from tests.games.tasks.workers import run_jobs
    from tests.reliability.world import RECORD

    now, later = timezone.now(), timezone.now() + timedelta(days=60)
    anna, bert = (User.objects.create_user(name, email=f"{name}@example.org") for name in ("annie", "bernard"))
    group = create_group(anna, "Sunday club", now=now)
    join_group(bert, group.invite_token, now=now)
    standing = set_standing_table(anna, group.slug, setup(ME, OPEN, variant="duo"), now=now)
    for each in (anna, bert):
        join_game(each, standing.slug, now=now)
    resign(anna, standing.slug, now=now)
    planned = running(anna, bert, variant="duo", is_public=False, now=now)
    position = positions.position_of(planned)
    first = position.legal_placements()[0]
    answer = PlannedMove(str(position.play(first).legal_placements()[-1]))
    set_plan(bert, planned.slug, [PlannedTurn("", (answer,))], number=1, edition=0)
    place(planned, str(first), now=now)
    run_jobs()
    give_reaction(bert, planned.slug, number=1, word="nice", now=now)
    drop_reaction(bert, planned.slug, number=1)
    line = send_message(bert, planned.slug, text="I know where you live.")
    report_line(anna, planned.slug, line.pk, reason="violence", shown=line.text)
    read_messages(anna, planned.slug, last=line.pk)
    catch_up(bert, planned.slug, own=2, last=3)
    for each in (anna, bert):
        sought = set_seek(each, variant="blockyou-2", pace="slow", is_rated=False, number=1, now=now)
        seat_seeker(sought.pk, now=now)
    day = running(anna, bert, variant="duo", time=TimeControl.days_a_move(1), now=now)
    keep_quiet_hours(anna.pk, now=now)
    before, anna.written_by = anna.written_by, Welcome.NO_ONE
    forget_unwanted(anna, before)
    choose_holidays(anna, spends_itself=True, now=now)
    spend_holiday(day.slug, number=due(day), now=now + timedelta(days=1))
    time_out(day.slug, number=due(day), now=later)
    paused = running(anna, bert, variant="duo", now=now)
    ask_for_pause(anna, paused.slug, pause_version=fresh(paused).pause_version, now=now)
    agree_to_pause(bert, paused.slug, request=fresh(paused).version, now=now)
    expire_pause(paused.slug, now=later)
    expire_table(open_table(anna, ME, invited("bernard"), now=now).slug, now=later)
    choose_side(open_table(anna, ME, bot("sage-5"), variant="duo:1:X", now=now).slug, bot="sage-5", seat=0, now=now)
    bert.refresh_from_db()
    read_notices(bert, now=now)
    import_studies(anna, [(RECORD, "Of another site")], now=now)
    kept = Study.objects.filter(owner=anna).latest("pk")
    add_variation(anna, kept.slug, move=0, placement="1:e10", edition=kept.edition)
    name_variation(anna, kept.slug, branch=1, name="A calm way", edition=kept.edition + 1)
    remove_variation(anna, kept.slug, branch=1, edition=kept.edition + 2)
    undo_variation(anna, kept.slug, edition=kept.edition + 3)
    archive = ask_for_archive(anna, language="en", now=now)
    make_archive_file(archive.pk, 0, now=now)
    drop_archives(later, 10)
    child = child_of(anna, "Mia", bert)
    remove_person(anna, child.pk, bert.pk)
    ask_to_meet(child, "bernard", now=now)
    guest = create_guest()
    running(anna, guest, variant="duo", now=now)
    open_table(guest, ME, OPEN, now=now)
    merge_guest(guest, bert, now=now)


def keep_accounts() -> None:
    """Do for two others what is done about accounts once they have shown again who they are, and what needs a host's
    provider: no form of an address comes to it.
    """
    from allauth.account.models import EmailAddress
    from django.test import Client, RequestFactory, override_settings
    from django.utils import timezone

    from accounts.bots.keeping import make_bot
    from accounts.forms.own import PreferencesForm
    from accounts.keys.factors import drop_factors, take_code
    from accounts.keys.passkeys import keep_passkey, remove_passkey
    from accounts.keys.passwords import remove_password
    from accounts.mail.restoring import FormerAddress, restore_address
    from accounts.models import User
    from accounts.presence.noting import keep_visits
    from accounts.readers.zones import save_guess
    from accounts.sign_on.linked import keep_address, link_account, unlink_account
    from tests.accounts.factors import switch_on
    from tests.conftest import PASSWORD

    now = timezone.now()
    clara = User.objects.create_user("clara", email="clara@example.org", password=secrets.token_urlsafe(12))
    EmailAddress.objects.create(user=clara, email=clara.email, verified=True, primary=True)
    make_bot(clara, "Robbie")
    keep_visits([clara.pk], now)
    save_guess(clara, "Europe/Paris")
    kept = keep_passkey(clara, "A key", {"id": "clara"})
    assert kept
    take_code(clara, "000000")
    with override_settings(SIGN_ON={"issuer": NOWHERE}):
        link_account(clara, "clara-1")
        unlink_account(clara)
    remove_passkey(clara, kept.row.pk)
    keep_passkey(clara, "Another key", {"id": "clara-2"})
    request = RequestFactory().post("/")
    request.user, request.session = clara, Client().session
    remove_password(clara, request)
    drop_factors(clara)
    before = PreferencesForm(instance=clara)
    chosen = {name: before.get_initial_for_field(field, name) for name, field in before.fields.items()}
    form = PreferencesForm({name: value for name, value in chosen.items() if value}, instance=clara)
    assert form.is_valid(), form.errors
    form.save()
    restore_address(FormerAddress(clara, "clara@example.org", now), now)
    dora = User.objects.create_user("dora", email="dora@example.org", password=PASSWORD)
    keep_address(dora, "dora@example.org")
    browser = Client()
    browser.force_login(dora)
    switch_on(browser)


def send_what_goes_out() -> None:
    """Have everything sent that goes elsewhere, to addresses of this machine, where nothing is sent; and jobs run that
    are asked for by nothing else that is done here.
    """
    from allauth.account.models import EmailAddress
    from django.test import Client
    from django.utils import timezone

    from accounts.models import ConfirmationRequest, User
    from games import tasks
    from games.clock import TimeControl
    from games.jobs import enqueue
    from games.models import ChannelPost, DailyDigest, GameChannel, Occasion, PushSubscription, Receiver
    from games.notifications.digests import prepare_digests
    from games.notifications.lateness import lateness_of
    from games.notifications.reminders import remind
    from tests.games.notifications.push_service import Device
    from tests.games.tables import ME, bot, open_table, running
    from tests.games.tasks.workers import run_jobs

    now = timezone.now()
    anna, bert = (User.objects.get(username=name) for name in ("annie", "bernard"))
    failing = {"created_at": now, "failing_since": now - timedelta(days=2)}
    hook = Receiver.objects.create(owner=anna, address=f"{NOWHERE}/hook", **failing)
    device = PushSubscription.objects.create(
        user=anna, session_key="a device", created_at=now, **Device(f"{NOWHERE}/device").form
    )
    game = running(anna, bert, variant="duo", now=now)
    channel = GameChannel.objects.create(game=game, owner=anna, address=f"{NOWHERE}/channel", created_at=now)
    post = ChannelPost.objects.create(channel=channel, occasion=Occasion.STARTED, due_at=now)
    tasks.enqueue_test_post(channel.pk)
    tasks.enqueue_test_event(hook.pk)
    tasks.enqueue_test_notice(device.pk)
    tasks.POSTS.ask(post.pk)
    tasks.RECEIVERS.ask(hook.pk)
    tasks.DIGESTS.ask(DailyDigest.objects.create(user=anna, day=now.date(), due_at=now).pk)
    enqueue(tasks.announce_notices, game.pk, 0)
    tasks.enqueue_refit(0, now.toordinal())
    stepped = open_table(anna, bot("greedy"), bot("greedy", 2), variant="duo", is_paused=True, now=now)
    tasks.enqueue_step(stepped.pk, 1, "greedy")
    enqueue(tasks.choose_bot_side, open_table(anna, ME, bot("greedy"), variant="duo", now=now).pk, 0)
    Client().post("/accounts/password/reset/", {"email": "anna@example.org"})
    address, _is_new = EmailAddress.objects.get_or_create(user=anna, email=anna.email)
    asked = ConfirmationRequest.objects.create(address_id=address.pk, language="fr", asked_at=now)
    tasks.CONFIRMATIONS.ask(asked.pk)
    User.objects.filter(pk=anna.pk).update(digest_at=now)
    prepare_digests(now)
    running(anna, bert, variant="duo", time=TimeControl.days_a_move(1), now=now)
    remind(now + timedelta(hours=23))
    lateness_of(f"{NOWHERE}/late", now).note(now, is_late=True)
    run_jobs()


def knock_everywhere(database: Path) -> None:
    """Send every address its form by three people; what one has done is taken back before the next."""
    from http.client import BAD_REQUEST, METHOD_NOT_ALLOWED

    from django.core.cache import cache
    from django.db import connection

    from tests.games.tasks.workers import run_jobs
    from tests.reliability.walk import doors
    from tests.reliability.world import World

    world = World()
    found = doors(world, has_shown_again=False)
    run_jobs()
    # Pages are loaded as they are first shown: what collecting that costs is no part of a transaction.
    gc.collect()
    gc.disable()
    connection.close()
    with closing(sqlite3.connect(":memory:")) as before:
        with closing(sqlite3.connect(database)) as now:
            now.backup(before)
        for door in found:
            for role in dict.fromkeys((door.role, "alice", "bob", "carol")):
                cache.clear()
                answer = replace(door, role=role).knock(world, "POST")
                if answer.status_code == METHOD_NOT_ALLOWED:
                    break
                if answer.status_code < BAD_REQUEST:
                    connection.close()
                    with closing(sqlite3.connect(database)) as now:
                        before.backup(now)


if __name__ == "__main__":
    main()
