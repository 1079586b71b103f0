"""Preferences: how the pages look, the names of colours, the language, asking before placing, turn e-mails."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User


def save(client: Client, **data: Any) -> Any:
    return client.post("/accounts/preferences/", {"theme": "system", "language": "", **data})


@pytest.mark.parametrize("theme", ["system", "light", "dark"])
def test_the_theme_stands_on_the_page_itself(as_alice: Client, theme: str) -> None:
    save(as_alice, theme=theme)
    assert f'data-theme="{theme}"' in as_alice.get("/accounts/").content.decode()


def test_a_box_left_empty_switches_off_and_a_tick_on(as_alice: Client) -> None:
    save(as_alice)
    assert User.objects.values_list("confirms_placement", "wants_turn_emails").get() == (False, False)
    save(as_alice, confirms_placement="on", wants_turn_emails="on")
    assert User.objects.values_list("confirms_placement", "wants_turn_emails").get() == (True, True)


@pytest.mark.parametrize(
    "data", [{"theme": "pink"}, {"colour_names": "pink"}, {"theme": ""}, {"language": "xx"}, {"theme": "dark" * 99}]
)
def test_a_senseless_choice_is_refused_and_changes_nothing(as_alice: Client, data: dict[str, str]) -> None:
    before = User.objects.values().get()
    assert save(as_alice, **data).status_code == 200
    assert User.objects.values().get() == before


def test_no_other_field_can_be_changed_here(as_alice: Client) -> None:
    before = User.objects.values().get()
    save(
        as_alice,
        confirms_placement="on",
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
    assert '<html lang="fr"' in page.content.decode()


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
        row = html.split(f'<span class="row" data-colours="{tradition}"')[1].split("</label>")[0]
        assert re.findall(r'data-colour="(\w+)"', row) == ["blue", "yellow", "red", "green", "purple", "orange"]
