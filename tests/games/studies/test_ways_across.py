"""Where another move was tried than the one shown, the page of a study leads to that, and from there back."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.studies.name_variation import name_variation
from games.actions.studies.share_study import share_study
from games.models import Study
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.studies.test_comments import page_of
from tests.games.studies.test_comments import study as study
from tests.games.studies.test_read_variations import vary
from tests.games.studies.test_variations import edition
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db


def ways(page: Element) -> list[tuple[str, str, str]]:
    """Return the links to other moves at the one shown: the key that leads there, the place, and the words."""
    lines = [line for line in page.find("nav", class_="study__ways").find_all("li") if "hidden" not in line.attributes]
    links = [line.find("a") for line in lines]
    return [(link.attributes.get("data-way", ""), link["href"].partition("?")[2], link.text) for link in links]


def test_the_games_own_move_leads_to_its_variation_by_name_and_the_variation_back(
    alice: User, study: Study, log_in: LogIn
) -> None:
    browser = log_in(alice)
    assert ways(page_of(browser, study, move=2)) == [("down", "branch=1&move=2", "Variation 1: Instead")]
    assert ways(page_of(browser, study, branch=1, move=2)) == [("up", "move=2", "The game: X j4")]
    assert page_of(browser, study, move=2).find("nav", class_="study__ways")["aria-label"] == "Instead of this move"


def test_where_nothing_else_was_tried_nothing_is_offered(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    for query in ({"move": 0}, {"move": 1}, {"branch": 1, "move": 1}, {"branch": 1, "move": 3}):
        page = page_of(browser, study, **query)
        assert "hidden" in page.find("nav", class_="study__ways").attributes
        assert ways(page) == []


def test_variations_of_one_move_lead_on_in_their_order_and_a_variation_is_called_by_its_move_without_a_name(
    alice: User, study: Study, log_in: LogIn
) -> None:
    vary(alice, study, 2)
    name_variation(alice, study.slug, branch=4, name="A third way", edition=edition(study))
    browser = log_in(alice)
    keys = [(key, place) for key, place, _words in ways(page_of(browser, study, branch=3, move=2))]
    assert keys == [("", "move=2"), ("up", "branch=1&move=2"), ("down", "branch=4&move=2")]
    first, second, third = ways(page_of(browser, study, move=2))
    assert (first[0], second[0], third[0]) == ("down", "", "")
    assert second[2].startswith("Variation 2: ")
    assert third[2] == "Variation 3: A third way"


def test_of_many_variations_the_nearest_are_offered(alice: User, study: Study, log_in: LogIn) -> None:
    vary(alice, study, 25)
    browser = log_in(alice)
    assert len(ways(page_of(browser, study, move=2))) == 10
    shown = [place for _key, place, _words in ways(page_of(browser, study, branch=15, move=2))]
    assert len(shown) == 20
    assert shown[9:11] == ["branch=14&move=2", "branch=16&move=2"]


def test_who_reads_a_shared_study_goes_the_same_ways_in_french_too_and_it_asks_nothing_more(
    alice: User, study: Study, client: Client, query_count: QueryCount
) -> None:
    share_study(alice, study.slug, is_shared=True)
    # Once a study has been changed there may be comments, which are asked for.
    name_variation(alice, study.slug, branch=2, name="Later", edition=edition(study))
    few = query_count(client, f"/studies/{study.slug}/?move=2")
    assert [place for _key, place, _words in ways(page_of(client, study, move=2))] == ["branch=1&move=2"]
    vary(alice, study, 3)
    assert query_count(client, f"/studies/{study.slug}/?move=2") == few
    answer = client.get(f"/studies/{study.slug}/?move=2", headers={"Accept-Language": "fr"})
    assert ways(read(answer))[0][2] == "Variante 1\u00a0: Instead"


def test_the_keys_of_the_page_name_the_ones_between_variations(alice: User, study: Study, log_in: LogIn) -> None:
    said = page_of(log_in(alice), study).find("p", class_="scrub__keys").text
    assert "Also up and down for another move" in said
