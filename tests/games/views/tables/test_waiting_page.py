"""The page of a table that waits, or was closed: it has the head and the foot of every page of the site."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.base.terms import TableTerms
from games.clock import PACES
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import LINK, ME, OPEN, bot, invited, open_table, running


def site_around(page: Element) -> tuple[list[str], bool]:
    """Return where the site's own bar leads, and whether the languages stand below."""
    (bar,) = page.find_all("header", class_="bar")
    return [link["href"] for link in bar.find_all("a")], bool(page.find_all("footer", class_="foot"))


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_a_stranger_is_led_where_strangers_may_go(is_cancelled: bool, alice: User) -> None:
    table = open_table(alice, ME, OPEN)
    if is_cancelled:
        cancel_game(alice, table.slug)
    page = read(Client().get(f"/games/{table.slug}/"))
    assert site_around(page) == (["/", "/", "/lobby/", "/rules/", "/accounts/login/"], True)
    assert not [link for link in page.find_all("a") if link["href"] == "/games/"]


def test_a_player_has_the_lists_and_what_waits_in_them(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    links, _has_languages = site_around(read(log_in(alice).get(f"/games/{table.slug}/")))
    assert links == ["/", "/games/", "/lobby/", "/history/", "/notices/", "/rules/", "/accounts/"]


def test_a_game_that_is_played_has_the_board_at_its_top(alice: User) -> None:
    page = read(Client().get(f"/games/{open_table(alice, ME, bot()).slug}/"))
    assert not page.find_all("header", class_="bar")
    assert page.find_all("nav", class_="over")


def test_changes_are_told_to_the_host_as_theirs_and_to_players_as_the_hosts(
    alice: User, bob: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, OPEN, OPEN, variant="blockyou-3")
    join_game(bob, table.slug, token=table.invite_token)
    edit_table(alice, table.slug, TableTerms.of(table, time=PACES["fast"]))
    titles = [
        read(log_in(person).get(f"/games/{table.slug}/")).find(id="changes-title").text for person in (alice, bob)
    ]
    assert titles == ["What you have changed", "Changed by the host"]


def test_the_terms_of_a_table_are_a_list_of_sentences(alice: User) -> None:
    page = read(Client().get(f"/games/{open_table(alice, ME, OPEN, time=PACES['normal']).slug}/"))
    terms = [term.text for term in page.find("ul", class_="waiting__terms").find_all("li")]
    assert terms[0].startswith("Time: 3 days + 1 day per move, up to 7 days on the clock · takes about ")
    assert terms[-1] == "Everyone can watch."
    assert all(term.endswith(".") for term in terms)


def test_what_a_host_can_do_about_the_table_looks_like_buttons(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    ends = [button for end in page.find_all(class_="waiting__end") for button in end.find_all(class_="button")]
    assert [button.text for button in ends] == ["Change the table", "Post to a channel", "Cancel the table"]
    assert not any("button--quiet" in button["class"] for button in ends)


@pytest.mark.parametrize(
    ("others", "sentence", "french"),
    [
        (
            ["bob"],
            "The free seat is kept for bob, who finds the invitation in “My games”. No one else can take it, so there "
            "is no link to send.",
            "La place libre est gardée pour bob, qui trouvera l’invitation dans « Mes parties ». Personne d’autre ne "
            "peut la prendre : il n’y a pas de lien à envoyer.",
        ),
        (
            ["bob", "carol"],
            "The free seats are kept for bob and carol, who find the invitation in “My games”. No one else can take "
            "them, so there is no link to send.",
            "Les places libres sont gardées pour bob et carol, qui trouveront l’invitation dans « Mes parties ». "
            "Personne d’autre ne peut les prendre : il n’y a pas de lien à envoyer.",
        ),
    ],
)
def test_a_table_kept_for_players_by_name_offers_no_link_that_would_help_no_one(
    others: list[str], sentence: str, french: str, alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, *map(invited, others))
    for language, told in (("en", ("Invited by name", sentence)), ("fr", ("Places réservées", french))):
        page = read(log_in(alice).get(f"/games/{table.slug}/", headers={"Accept-Language": language}))
        card = page.find("section", class_="invite")
        assert tuple(" ".join(card.find(tag).text.split()) for tag in ("h2", "p")) == told
        assert not [*page.find_all("input", id="invite"), *page.find_all(data_pass="copy"), *card.find_all("svg")]


def test_a_rematch_says_who_is_invited(alice: User, bob: User, log_in: LogIn) -> None:
    played = running(alice, bob)
    resign(bob, played.slug)
    table = open_rematch(alice, played.slug)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    assert page.find("section", class_="invite").find("p").text.startswith("The free seat is kept for bob,")


def test_one_seat_that_anyone_may_take_is_enough_for_a_link(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, invited("bob"), LINK)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    assert page.find("input", id="invite")["value"].endswith(f"/join/{table.invite_token}/")
    assert page.find_all(data_pass="copy")


def test_sharing_comes_first_and_a_phone_unfolds_the_code(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    ways = [button["data-pass"] for button in page.find(class_="invite__ways").find_all("button")]
    assert ways == ["share", "copy"]
    folded = page.find("details", class_="invite__fold")
    assert folded.find("summary").text == "Show the QR code"
    # One picture, shown in two places: its path is sent once.
    drawn = page.find(id=folded.find("use")["href"].removeprefix("#"))
    assert [len(one.find_all("path")) for one in (drawn, folded)] == [1, 0]


def test_the_link_is_copied_before_a_colour_is_chosen(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK, LINK, LINK, lets_choose=True)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    parts = [
        part
        for part in page.walk()
        if part.attributes.get("data-pass") == "copy" or "colours" in part.attributes.get("class", "").split()
    ]
    assert [part.tag for part in parts] == ["button", "fieldset"]
