"""Quiet hours: chosen on a phone and at a desk."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, People, Person

ZONE = "America/New_York"


def hush(person: Person, begin: str, end: str) -> None:
    person.go("/accounts/preferences/")
    person.page.get_by_label("Time zone").select_option(ZONE)
    person.page.get_by_label("Quiet from").fill(begin)
    person.page.get_by_label("Quiet until").fill(end)
    person.press("Save")
    expect(person.page.get_by_text("Your preferences are saved.")).to_be_visible()


@pytest.mark.parametrize("place", ["phone", "desk"])
def test_quiet_hours_are_chosen_and_kept(people: People, place: str) -> None:
    person = people.arrive(f"quiet-{place}", PHONE if place == "phone" else DESK)
    person.sign_up()
    hush(person, "23:00", "06:30")
    expect(person.page.get_by_label("Quiet until")).to_have_value("06:30")
    box, size = person.page.get_by_role("group", name="Quiet hours").bounding_box(), person.page.viewport_size
    assert box
    assert size
    assert box["x"] + box["width"] <= size["width"]
