"""Tarpits: how long notices wait to be sent while many channels lead to addresses that never end their answers, and the
mail server takes every connection and says nothing.

Starts the whole site as `make run` does, on SQLite, with a push service of its own on this machine. As many people as
there are notices have a device that has answered before, and something happens for all of them at once: first so, then
while one guest's channels have posts that go to addresses, the tarpits, that begin an answer and send a line of it
now and then, for ever, and then while e-mails wait for the mail server too. What is measured is how long each notice
waited before it was sent, from the moment at which it was due, and how often the mail server was asked. The exit status
is 1 where a notice is begun later than it may be.

Tarpits may be of another kind (`--kind turning`: each has taken one message well before, so that its next ones wait
among those to good addresses), of many guests, at many hosts; and the notices may go to devices that have never
answered, which wait among the doubtful as the tarpits do.

    python -m benchmarks.tarpits --notices 200 --tarpits 64 --mails 200
    python -m benchmarks.tarpits --kind turning --guests 64 --hosts 64
    python -m benchmarks.tarpits --new-devices
"""

import argparse
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.aims import judge
from benchmarks.whole_site import HOST, django, serving

#: Seconds between two lines of an answer that never ends.
TRICKLE = 0.5
#: Seconds within which every notice is to be begun, and after which no more is waited for.
WANTED, PATIENCE = 10.0, 300.0
#: Stores notices that are due at once, each for a person with a device of their own, and asks for them.
NOTICES = """
from django.utils import timezone
from django.utils.crypto import get_random_string
from accounts.models import Session
from games.models import Delivery, Notification, Occasion, PushSubscription
from games.tasks import DELIVERIES
from tests.games.notifications.push_service import Device
name, now, due = get_random_string(6), timezone.now(), []
table = GameSetup(variant="duo", seats=(SeatSetup(kind="me"), SeatSetup(kind="open")), is_public=False)
game = create_game(person(name)[0], table)
for number in range({notices}):
    user, session = person(name)
    form = Device(f"{service}/{{session}}").form
    PushSubscription.objects.create(user=user, session_key=session, created_at=now, used_at={used}, **form)
    Session.objects.filter(session_key=session).update(user_id=user.pk)
    notice = Notification.objects.create(
        user=user, game=game, occasion=Occasion.STARTED, event=number, created_at=now, is_due=False
    )
    due.append(Delivery.objects.create(notification=notice, channel="push", due_at=now).pk)
for delivery in due:
    DELIVERIES.ask(delivery)
"""
#: Gives tables of some guests channels at those addresses, and asks for a message to each.
CHANNELS = """
from django.utils import timezone
from games.models import ChannelPost, GameChannel, Occasion
from games.tasks import POSTS
addresses = {addresses}
guests = [person(f"guest{{number}}")[0] for number in range({guests})]
table = GameSetup(variant="duo", seats=(SeatSetup(kind="me"), SeatSetup(kind="open")), is_public=False)
for number in range({tarpits}):
    game = create_game(person("host")[0], table)
    now = timezone.now()
    hook = GameChannel.objects.create(
        game=game,
        owner=guests[number % {guests}],
        address=f"{{addresses[number % {hosts}]}}/{{number}}",
        created_at=now,
        answer={answer},
    )
    POSTS.ask(ChannelPost.objects.create(channel=hook, occasion=Occasion.STARTED, due_at=timezone.now()).pk)
"""
#: Posts e-mails about accounts.
MAILS = """
from django.core.mail import EmailMessage
from accounts.mail.outbox import post_mail
for number in range({mails}):
    post_mail(EmailMessage("Hello", "Hello", to=[f"{{number}}@example.org"]), "benchmark")
"""
#: Prints how many e-mails wait, and how many tries to send them have begun.
WAITING = """
from django.db.models import Count, Sum
from accounts.models import Mail
print(*Mail.objects.aggregate(number=Count("pk"), tries=Sum("tries")).values())
"""
#: Prints how many seconds each notice waited before it was begun, and how many were not.
WAITED = """
from games.jobs import find_jobs
sent = [job for job in find_jobs() if job.name == "send_notice"]
print(*((job.started_at - job.due_since).total_seconds() for job in sent if job.started_at))
print(sum(job.started_at is None for job in sent))
"""
#: Forgets the notices that have been measured.
FORGET = """
from games.models import Notification
from games.jobs import drop_old
from django.utils import timezone
drop_old(successful_before=timezone.now(), failed_before=timezone.now())
Notification.objects.all().delete()
"""


def main() -> None:
    """Measure without tarpits, then beside them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notices", type=int, default=200)
    parser.add_argument("--tarpits", type=int, default=64)
    parser.add_argument("--mails", type=int, default=200)
    parser.add_argument("--kind", choices=("endless", "turning"), default="endless", help="of tarpits")
    parser.add_argument("--guests", type=int, default=1, help="whose the tarpits are")
    parser.add_argument("--hosts", type=int, default=1, help="at which the tarpits are")
    parser.add_argument("--new-devices", action="store_true", help="notices go to devices that have never answered")
    parser.add_argument("--port", type=int, default=8169)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        push_service() as (service, taken),
        tarpits(options.hosts) as addresses,
        silent() as (mail_port, connections),
    ):
        environment = {
            "DATABASE_URL": f"sqlite:///{Path(folder, 'db.sqlite3')}",
            "EMAIL_URL": f"smtp://{HOST}:{mail_port}",
            "PORT": str(options.port),
            "DJANGO_SETTINGS_MODULE": "benchmarks.loopback",
            "VAR_DIR": folder,
        }
        with serving(environment, options.port):
            # Until the courier is there.
            notices(environment, service, 1)
            used = "None" if options.new_devices else "now"
            waited = {"without tarpits": notices(environment, service, options.notices, used)}
            answer = 204 if options.kind == "turning" else 0
            sizes = {"tarpits": options.tarpits, "guests": options.guests, "hosts": options.hosts}
            django(CHANNELS.format(addresses=addresses, answer=answer, **sizes), environment)
            name = f"beside {options.tarpits} tarpits"
            waited[name] = notices(environment, service, options.notices, used)
            django(MAILS.format(mails=options.mails), environment)
            began = time.monotonic()
            waited[f"and {options.mails} e-mails"] = notices(environment, service, options.notices, used)
            waiting, tries = django(WAITING, environment).split()
            seconds = time.monotonic() - began
    for name, times in waited.items():
        within = sum(each <= WANTED for each in times)
        median, longest = statistics.median(times), max(times)
        print(f"{name:20} {within} of {options.notices} notices begun within {WANTED:g} s;", end=" ")
        print(f"median {median:.2f} s, longest {longest:.2f} s")
    before, after, _last = (statistics.median(each) for each in waited.values())
    print(f"the median beside the tarpits is {after / before:.1f} x without; {len(taken)} notices arrived")
    print(f"{waiting} e-mails wait, {tries} tries have begun; {len(connections)} connections in {seconds:.0f} s")
    judge(
        {
            f"{name}: {options.notices} notices begun within {WANTED:g} s": len(times) == options.notices
            and max(times) <= WANTED
            for name, times in waited.items()
        }
    )


def notices(environment: dict[str, str], service: str, number: int, used: str = "now") -> list[float]:
    """Return how many seconds each of so many notices waited; their devices were used at that moment, or None."""
    django(NOTICES.format(notices=number, service=service, used=used), environment)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        seconds, left = (django(WAITED, environment) + "\n0").split("\n")[:2]
        if left.strip() == "0" and len(seconds.split()) >= number:
            break
        time.sleep(1)
    django(FORGET, environment)
    return [float(each) for each in seconds.split()][-number:]


@contextmanager
def push_service() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a push service that takes everything at once, and for whom it has."""
    taken: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            taken.append(self.path)
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_message: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((HOST, 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{HOST}:{server.server_port}", taken
        server.shutdown()


@contextmanager
def tarpits(hosts: int) -> Iterator[list[str]]:
    """Yield the addresses of so many tarpits, each at a host of its own."""
    with ExitStack() as stack:
        yield [stack.enter_context(tarpit(f"127.0.9.{1 + number}")) for number in range(hosts)]


@contextmanager
def tarpit(host: str) -> Iterator[str]:
    """Yield the address of a server that begins its answer well and never ends it."""

    def trickle(link: socket.socket) -> None:
        with link:
            try:
                link.sendall(b"HTTP/1.1 200 OK\r\n")
                while True:
                    link.sendall(b"X-More: yes\r\n")
                    time.sleep(TRICKLE)
            except OSError:
                return

    def accept(server: socket.socket) -> None:
        while True:
            try:
                link, _who = server.accept()
            except OSError:
                return
            threading.Thread(target=trickle, args=(link,), daemon=True).start()

    with socket.create_server((host, 0), backlog=128) as server:
        threading.Thread(target=accept, args=(server,), daemon=True).start()
        yield f"http://{host}:{server.getsockname()[1]}"


@contextmanager
def silent() -> Iterator[tuple[int, list[socket.socket]]]:
    """Yield the port of a mail server that says nothing, and the connections that were opened to it."""
    taken: list[socket.socket] = []

    def accept(server: socket.socket) -> None:
        while True:
            try:
                taken.append(server.accept()[0])
            except OSError:
                return

    with socket.create_server((HOST, 0), backlog=128) as server:
        threading.Thread(target=accept, args=(server,), daemon=True).start()
        yield server.getsockname()[1], taken
    for link in taken:
        link.close()


if __name__ == "__main__":
    main()
