"""Preferences: how the pages look, the names of colours, the language, asking before placing."""

import re
from datetime import time
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.signals import quiet_hours_changed, renamed
from accounts.views import FACES_AN_HOUR
from tests.accounts.conftest import guest_browser


def save(client: Client, **data: Any) -> Any:
    return client.post("/accounts/preferences/", {"theme": "system", "language": "", **data})


@pytest.mark.parametrize("theme", ["system", "light", "dark"])
def test_the_theme_stands_on_the_page_itself(as_alice: Client, theme: str) -> None:
    save(as_alice, theme=theme)
    assert f'data-theme="{theme}"' in as_alice.get("/accounts/").content.decode()


def test_a_box_left_empty_switches_off_and_a_tick_on(as_alice: Client) -> None:
    for box, is_on in (({"has_high_contrast": "on"}, True), ({}, False)):
        save(as_alice, **box)
        assert User.objects.get().has_high_contrast is is_on


def test_how_a_piece_is_placed_can_be_chosen_and_stays_where_nothing_is_said(as_alice: Client) -> None:
    for choice in ("undo", "direct", "confirm"):
        save(as_alice, placing=choice)
        save(as_alice)
        assert User.objects.get().placing == choice
        page = as_alice.get("/accounts/preferences/").content.decode()
        assert re.findall(r'name="placing" value="(\w+)"[^>]* checked', page) == [choice]


def test_a_mark_and_its_colour_are_chosen_and_stay_where_nothing_is_said(as_alice: Client) -> None:
    save(as_alice, own_mark="star", own_tint="4")
    save(as_alice)
    alice = User.objects.get()
    assert (alice.own_mark, alice.own_tint) == ("star", "4")
    page = as_alice.get("/accounts/preferences/").content.decode()
    assert re.findall(r'name="own_(\w+)" value="(\w*)"[^>]* checked', page) == [("mark", "star"), ("tint", "4")]
    save(as_alice, own_mark="", own_tint="")
    alice.refresh_from_db()
    assert (alice.own_mark, alice.own_tint) == ("", "")


def test_only_another_face_is_told_to_open_pages(as_alice: Client, django_capture_on_commit_callbacks: Any) -> None:
    told: list[int] = []

    def hear(user_id: int, **_signal: Any) -> None:
        told.append(user_id)

    renamed.connect(hear)
    try:
        for data in (
            {"own_mark": "star"},
            {"own_mark": "star"},
            {"theme": "dark"},
            {"own_mark": "star", "own_tint": "0"},
        ):
            with django_capture_on_commit_callbacks(execute=True):
                save(as_alice, **data)
    finally:
        renamed.disconnect(hear)
    assert told == [User.objects.get().pk] * 2


def test_a_face_is_changed_ten_times_an_hour_at_most(as_alice: Client) -> None:
    answers = [save(as_alice, own_mark=mark) for mark in ("star", "ring", "wave") * 4]
    assert [answer.status_code for answer in answers] == [302] * FACES_AN_HOUR + [429] * 2


def test_the_page_leads_to_what_one_is_notified_of_and_leaves_that_as_it_is(as_alice: Client, mailing: None) -> None:
    assert 'href="/notices/choices/"' in as_alice.get("/accounts/preferences/").content.decode()
    save(as_alice)
    assert User.objects.get().wants_turn_emails


@pytest.mark.parametrize(
    "data",
    [
        {"theme": "pink"},
        {"colour_names": "pink"},
        {"placing": "pink"},
        {"theme": ""},
        {"own_mark": "skull"},
        {"own_tint": "10"},
        {"language": "xx"},
        {"theme": "dark" * 99},
    ],
)
def test_a_senseless_choice_is_refused_and_changes_nothing(as_alice: Client, data: dict[str, str]) -> None:
    before = User.objects.values().get()
    assert save(as_alice, **data).status_code == 200
    assert User.objects.values().get() == before


def test_no_other_field_can_be_changed_here(as_alice: Client) -> None:
    before = User.objects.values().get()
    save(
        as_alice,
        wants_turn_emails="on",
        is_staff="on",
        username="mallory",
        id="9",
        email="m@x.org",
    )
    assert User.objects.values().get() == before


def test_only_languages_of_the_site_are_offered(as_alice: Client) -> None:
    html = as_alice.get("/accounts/preferences/").content.decode()
    assert '<option value="en">English</option>' in html
    assert 'value="de"' not in html


def test_the_chosen_language_wins_over_the_browser(as_alice: Client, settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("fr", "French")]
    save(as_alice, language="fr")
    page = as_alice.get("/accounts/", headers={"Accept-Language": "en"})
    assert page.headers["Content-Language"] == "fr"
    assert re.search(r'<html\s+lang="fr"', page.content.decode())


def test_the_browser_chooses_for_who_did_not(as_alice: Client, settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("fr", "French")]
    assert as_alice.get("/accounts/", headers={"Accept-Language": "fr"}).headers["Content-Language"] == "fr"


def test_a_guest_has_preferences_too(as_guest: Client) -> None:
    save(as_guest, theme="dark")
    assert User.objects.get().theme == "dark"


def test_the_names_of_the_colours_can_be_chosen_and_stay_where_nothing_is_said(as_alice: Client) -> None:
    save(as_alice, colour_names="cyan-violet")
    save(as_alice)
    assert User.objects.get().colour_names == "cyan-violet"
    assert 'data-colours="cyan-violet"' in as_alice.get("/accounts/").content.decode()


def test_more_contrast_stands_on_the_page_itself_for_who_wants_it(as_alice: Client) -> None:
    assert "data-contrast" not in as_alice.get("/accounts/").content.decode()
    save(as_alice, has_high_contrast="on")
    assert 'data-contrast="more"' in as_alice.get("/accounts/").content.decode()


def test_both_ways_to_call_the_colours_are_shown_as_they_look(as_alice: Client) -> None:
    html = as_alice.get("/accounts/preferences/").content.decode()
    for tradition in ("blue-yellow", "cyan-violet"):
        row = re.split(rf'<span\s+class="row"\s+data-colours="{tradition}"', html)[1].split("</label>")[0]
        assert re.findall(r'data-colour="(\w+)"', row) == ["blue", "yellow", "red", "green", "purple", "orange"]


def hours() -> tuple[Any, Any]:
    user = User.objects.get()
    return user.quiet_from, user.quiet_until


def test_quiet_hours_can_be_chosen_changed_and_given_up(as_alice: Client) -> None:
    for begin, end in (("23:00", "07:30"), ("08:00", "17:00"), ("", "")):
        assert save(as_alice, quiet_from=begin, quiet_until=end).status_code == 302
        assert hours() == tuple(time.fromisoformat(text) if text else None for text in (begin, end))
    save(as_alice, quiet_from="23:00", quiet_until="07:30")
    save(as_alice)
    assert hours() == (time(23), time(7, 30))


@pytest.mark.parametrize(
    ("begin", "end", "sentence"),
    [
        ("22:00", "07:01", "Quiet hours last at most 9 hours a day."),
        ("22:00", "22:00", "Quiet hours last at most 9 hours a day."),
        ("22:00", "", "Enter both times, or leave both empty."),
        ("", "07:00", "Enter both times, or leave both empty."),
        ("25:00", "07:00", "Enter a time such as 23:00."),
    ],
)
def test_half_of_the_quiet_hours_or_too_many_are_refused(as_alice: Client, begin: str, end: str, sentence: str) -> None:
    page = save(as_alice, quiet_from=begin, quiet_until=end).content.decode()
    assert sentence in page
    assert hours() == (None, None)


def test_games_hear_of_other_quiet_hours_and_of_another_zone(as_alice: Client) -> None:
    heard: list[int] = []

    def hear(user_id: int, **_signal: Any) -> None:
        heard.append(user_id)

    quiet_hours_changed.connect(hear)
    try:
        save(as_alice, quiet_from="23:00", quiet_until="07:00")
        save(as_alice, theme="dark")
        save(as_alice, time_zone="Asia/Tokyo")
    finally:
        quiet_hours_changed.disconnect(hear)
    assert heard == [User.objects.get().pk] * 2


def test_preferences_change_so_many_times_an_hour(as_alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.views.CHANGES_AN_HOUR", 1)
    save(as_alice, theme="dark")
    answer = save(as_alice, theme="light")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 3601
    assert User.objects.get().theme == "dark"


@pytest.mark.parametrize(("limit", "change"), [("CHANGES_AN_HOUR", {}), ("FACES_AN_HOUR", {"own_mark": "star"})])
def test_the_guests_of_one_address_change_together_no_more_than_a_few_may(
    limit: str, change: dict[str, str], as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"accounts.views.{limit}", 1)
    monkeypatch.setattr("accounts.views.GUESTS_TOGETHER", 2)
    assert [save(guest_browser(), **change).status_code for _ in range(4)] == [302, 302, 429, 429]
    # Neither a member at that address nor a guest elsewhere waits for them.
    assert save(as_alice, **change).status_code == 302
    elsewhere = guest_browser()
    elsewhere.defaults["REMOTE_ADDR"] = "10.0.0.9"
    assert save(elsewhere, **change).status_code == 302
