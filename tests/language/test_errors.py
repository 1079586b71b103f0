"""What goes wrong is told in the reader's language too, wherever it is found."""

import re

import pytest
from django.template.loader import get_template
from django.test import Client
from django.utils import translation

FRENCH = {"Accept-Language": "fr"}


@pytest.mark.django_db
def test_a_page_that_is_not_there_is_told_in_french() -> None:
    answer = Client().get("/nothing/", headers=FRENCH)
    assert answer.status_code == 404
    assert re.search(r'<html\s+lang="fr"', answer.content.decode())
    assert "Cette page n’existe pas." in answer.content.decode()


@pytest.mark.django_db
def test_a_form_without_its_token_is_told_in_french() -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {}, headers=FRENCH)
    assert answer.status_code == 403
    assert "Cette page a expiré" in answer.content.decode()


@pytest.mark.django_db
def test_too_many_requests_are_told_in_french_with_the_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 0)
    answer = Client(headers=FRENCH).post("/play-bots/")
    assert answer.status_code == 429
    assert "Rien n’a changé. Réessayez dans " in answer.content.decode()


def test_a_fault_of_ours_is_told_in_french_without_asking_anything() -> None:
    with translation.override("fr"):
        html = get_template("500.html").render()
    assert "Une erreur s’est produite" in html
    assert "<form" not in html
