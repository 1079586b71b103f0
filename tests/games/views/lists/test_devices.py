"""Notices on this device: switched on and off at one browser, for as long as its login lasts."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import User
from games import jobs, tasks
from games.models import PushSubscription
from games.notifications.channels.push import send_test
from games.notifications.channels.webpush.vapid import public_key
from games.queries.notices.devices import live_devices
from tests.conftest import PASSWORD
from tests.games.notifications.push_service import Device, push_service, subscription
from tests.reliability.world import NEW

pytestmark = pytest.mark.django_db
ENDPOINT = "https://push.example.org/send/"


def logged_in(user: User) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    return client


def switch_on(client: Client, name: str = "a", **changes: str) -> int:
    return client.post("/device/", {**Device(ENDPOINT + name).form, **changes}).status_code


def test_a_device_is_kept_once_however_often_it_asks(alice: User) -> None:
    client, device = logged_in(alice), Device(f"{ENDPOINT}a")
    assert [client.post("/device/", device.form).status_code for _ in range(2)] == [204, 204]
    kept = PushSubscription.objects.get()
    assert (kept.user, kept.endpoint, kept.p256dh) == (alice, device.endpoint, device.form["p256dh"])


def test_the_page_learns_the_sites_key_and_where_this_login_is_sent_notices(alice: User) -> None:
    client = logged_in(alice)
    before, _status = client.get("/device/"), switch_on(client)
    after = client.get("/device/")
    assert (before.json()["key"], before.json()["endpoint"]) == (public_key(), "")
    assert after.json()["endpoint"] == f"{ENDPOINT}a"
    assert "no-store" in after["Cache-Control"]
    assert logged_in(alice).get("/device/").json()["endpoint"] == ""


@pytest.mark.parametrize(
    "endpoint",
    [
        *(
            "",
            "push.example.org",
            "http://push.example.org/x",
            "https://push.example.org:8443/x",
            "https://localhost/x",
        ),
        *("https://127.0.0.1/x", "https://10.0.0.1/x", "https://[::1]/x", "https://2130706433/x", "https://127.1/x"),
        *("https://0x7f.0x1/x", "https://1.1.1.1/x", "https://me:secret@push.example.org/", "ftp://push.example.org/"),
        *(
            "https://push.example.org/a b",
            "https://push.example.org/\r\nX: y",
            "https://push.example.org/é",
            "https://[",
        ),
        *("https://127.0.0.1:8000/", f"https://push.example.org/{'x' * 1000}", "https://push.example.org:99999/"),
    ],
)
def test_an_address_that_is_no_push_services_is_refused(alice: User, endpoint: str) -> None:
    client = logged_in(alice)
    assert switch_on(client, endpoint=endpoint) == 400
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(("field", "value"), [("p256dh", ""), ("p256dh", "AAAA"), ("auth", "%%%"), ("auth", "QUJD")])
def test_keys_that_nothing_can_be_encrypted_for_are_refused(alice: User, field: str, value: str) -> None:
    assert switch_on(logged_in(alice), **{field: value}) == 400


def test_a_person_has_ten_devices_and_the_first_makes_room(alice: User) -> None:
    for number in range(12):
        assert switch_on(logged_in(alice), str(number)) == 204
    kept = PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
    assert [*kept] == [f"{ENDPOINT}{number}" for number in range(2, 12)]


def test_a_browser_that_another_person_uses_now_is_sent_their_notices_alone(alice: User, bob: User) -> None:
    first, second = logged_in(alice), logged_in(bob)
    switch_on(first)
    switch_on(second)
    assert PushSubscription.objects.get().user == bob


def test_switching_off_forgets_this_device_alone(alice: User) -> None:
    phone, desk = logged_in(alice), logged_in(alice)
    switch_on(phone, "phone")
    switch_on(desk, "desk")
    assert phone.post("/device/stop/").status_code == 204
    assert PushSubscription.objects.get().endpoint == f"{ENDPOINT}desk"


@pytest.mark.django_db(transaction=True)
def test_notices_end_with_the_login(alice: User) -> None:
    phone, desk = logged_in(alice), logged_in(alice)
    switch_on(phone, "phone")
    switch_on(desk, "desk")
    phone.post("/accounts/logout/")
    assert PushSubscription.objects.get().endpoint == f"{ENDPOINT}desk"


@pytest.mark.django_db(transaction=True)
def test_a_new_password_ends_the_notices_of_every_other_browser(alice: User) -> None:
    phone, desk = logged_in(alice), logged_in(alice)
    switch_on(phone, "phone")
    switch_on(desk, "desk")
    desk.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert live_devices().get().endpoint == f"{ENDPOINT}desk"
    assert PushSubscription.objects.count() == 1
    assert desk.get("/device/").json()["endpoint"] == f"{ENDPOINT}desk"


def test_a_closed_account_is_sent_nothing(alice: User) -> None:
    switch_on(logged_in(alice))
    close_account(alice)
    assert not PushSubscription.objects.exists()


def test_a_session_that_is_gone_is_sent_nothing_at_once(alice: User) -> None:
    client = logged_in(alice)
    switch_on(client)
    number = subscription(client).pk
    client.session.delete()
    assert not live_devices().exists()
    assert not send_test(number)


def test_a_guest_who_claims_the_account_keeps_the_notices(client: Client) -> None:
    guest = create_guest()
    client.force_login(guest)
    switch_on(client)
    client.post("/accounts/claim/", {"username": "gina", "password1": NEW})
    assert client.get("/device/").json()["endpoint"] == f"{ENDPOINT}a"


def test_a_test_notice_is_sent_by_a_worker_to_this_device_alone(alice: User, settings: Settings) -> None:
    settings.PUSH_TO_LOOPBACK = True
    with push_service() as service:
        client = logged_in(alice)
        device = service.switch_on(client)
        service.switch_on(logged_in(alice), "other")
        assert client.post("/device/test/").status_code == 204
        [job] = [job for job in jobs.find_jobs() if job.name == tasks.send_test_notice.name]
        assert tasks.send_test_notice.call(*job.arguments)
        [post] = service.posts
        notice = device.read(post)
    assert notice["title"] == "Notices work on this device"
    assert notice["key"].startswith("test.")
    assert notice["path"] == "/accounts/preferences/"


def test_where_notices_are_off_none_is_tried(alice: User) -> None:
    assert logged_in(alice).post("/device/test/").status_code == 409


def test_tests_are_limited(alice: User) -> None:
    client = logged_in(alice)
    switch_on(client)
    assert [client.post("/device/test/").status_code for _ in range(11)] == [204] * 10 + [429]


def test_the_service_worker_is_at_the_root_and_asked_for_again_by_every_browser(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"]
    assert b"showNotification" in answer.content
