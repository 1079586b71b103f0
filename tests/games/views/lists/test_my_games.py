"""My games: my turn first, the nearest deadline first, everything else after it."""

import re
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, invited, open_table, running
from tests.games.views.conftest import QueryCount
from tests.games.views.lists import many


def page(client: Client, address: str = "/games/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def due(game: Game, hours: float) -> Game:
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=hours))
    return game


def test_a_stranger_is_asked_to_log_in(db: None) -> None:
    answer = Client().get("/games/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/games/")


def test_nobody_who_has_no_games_is_left_without_a_way_on(alice: User, log_in: LogIn) -> None:
    text = page(log_in(alice))
    assert "No games yet" in text
    assert all(address in text for address in ("/play-bots/", "/games/new/", "/lobby/"))


def test_the_nearest_deadline_comes_first_and_no_limit_last(alice: User, bob: User, log_in: LogIn) -> None:
    never, late, soon = (many.running(1, alice, bob, name=name)[0] for name in ("never", "late", "soon"))
    due(late, 50), due(soon, 30)
    text = page(log_in(alice))
    assert text.index(soon.slug) < text.index(late.slug) < text.index(never.slug)


def test_the_time_left_is_said_and_is_urgent_below_six_hours(alice: User, bob: User, log_in: LogIn) -> None:
    due(many.running(1, alice, bob)[0], 74)
    assert ">3 days left<" in page(log_in(alice))
    assert 'data-tone="urgent"' not in page(log_in(alice))
    due(Game.objects.get(), 5.9)
    assert 'data-tone="urgent"' in page(log_in(alice))
    # Red is for what one has to do oneself.
    assert 'data-tone="urgent"' not in page(log_in(bob))
    assert 'data-urgent="0"' in page(log_in(bob))


def test_a_turn_without_a_time_limit_has_a_place_for_its_arrow_too(alice: User, bob: User, log_in: LogIn) -> None:
    never, soon = (many.running(1, alice, bob, name=name)[0] for name in ("never", "soon"))
    due(soon, 30)
    rows = [row for row in read(log_in(alice).get("/games/")).find_all("li") if row.attributes.get("data-needs")]
    assert [row.find(class_="list__end") is not None for row in rows] == [True, True]
    assert never.deadline is None


def test_a_table_without_a_name_is_called_after_its_host_as_everywhere(alice: User, bob: User, log_in: LogIn) -> None:
    open_table(alice, ME, bot(), OPEN)
    open_table(bob, ME, bot(), invited("alice"))
    titles = [link.text for link in read(log_in(alice).get("/games/")).find_all("a", class_="list__title")]
    assert titles == ["bob's table", "Your table"]
    assert ">alice&#x27;s table<" in page(log_in(bob), "/lobby/")


def test_each_game_stands_in_its_section(alice: User, bob: User, log_in: LogIn) -> None:
    mine, theirs = many.running(1, alice, bob)[0], many.running(1, alice, bob, turn=1)[0]
    table, own = open_table(bob, ME, OPEN, invited("alice")), open_table(alice, ME, OPEN)
    over = many.finished(1, alice, bob)[0]
    text = page(log_in(alice)).partition("<main")[2]
    order = ["Invitations", table.slug, "Your turn", mine.slug, "Waiting for others", theirs.slug]
    order += ["Your open tables", own.slug, "Just finished"]
    places = [text.index(word) for word in [*order, over.slug]]
    assert places == sorted(places)


def test_an_unnamed_game_is_called_after_the_opponents(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(1, alice, bob)
    assert f'{Game.objects.get().slug}/">bob</a>' in page(log_in(alice))


def test_the_badge_counts_the_games_that_wait_for_me(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(3, alice, bob)
    many.running(2, alice, bob, turn=1)
    assert 'data-count="3"' in page(log_in(alice), "/lobby/")
    assert 'data-count="2"' in page(log_in(bob), "/games/waiting/")


def test_the_badge_counts_invitations_until_they_are_answered(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(1, alice, bob)
    table = open_table(bob, ME, OPEN, invited("alice"))
    client = log_in(alice)
    assert 'data-count="2"' in page(client, "/games/waiting/")
    client.post(f"/games/{table.slug}/decline/")
    assert 'data-count="1"' in page(client, "/games/waiting/")


def test_a_list_names_the_opponents_and_leads_to_them(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(1, alice, bob, name="Tuesday table", turn=1)
    text = page(log_in(alice))
    assert '<a href="/players/bob/">bob</a>' in text
    assert 'aria-label="Blue"' in text


def test_only_a_game_that_needs_me_offers_to_play(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(1, alice, bob, turn=1)
    assert "data-needs" not in page(log_in(alice))
    many.running(1, alice, bob, name="Mine")
    assert page(log_in(alice)).count('data-needs="turn"') == 1


def test_a_game_i_resigned_from_does_not_wait_for_me(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol)
    resign(alice, game.slug)
    assert re.search(r'data-count="0"\s+hidden', page(log_in(alice)))


def test_long_sections_are_cut_and_shown_whole_in_pages(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(30, alice, bob)
    client = log_in(alice)
    assert page(client).count('class="list__title"') == 12
    assert page(client, "/games/?show=turn").count('class="list__title"') == 24
    assert page(client, "/games/?show=turn&page=2").count('class="list__title"') == 6


def test_htmx_gets_the_lists_alone(alice: User, bob: User, log_in: LogIn) -> None:
    many.running(1, alice, bob)
    answer = log_in(alice).get("/games/", headers={"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith("<section")


LISTS = ("/games/", "/games/?show=finished", "/history/", "/players/alice/", "/lobby/")


def test_a_list_of_200_costs_as_many_queries_as_one_of_10(
    alice: User, bob: User, log_in: LogIn, query_count: QueryCount
) -> None:
    client, counts = log_in(alice), []
    for number in (10, 190):
        many.running(number, alice, bob)
        many.running(number, alice, bob, turn=1)
        many.finished(number, alice, bob)
        many.open_tables(number, bob)
        counts.append({address: query_count(client, address) for address in LISTS})
    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 15


def test_time_that_is_up_is_said(alice: User, bob: User, log_in: LogIn) -> None:
    due(many.running(1, alice, bob, turn=1)[0], -1)
    assert "time is up" in page(log_in(alice))


def test_messages_are_shown_once_in_their_tone(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    table = open_table(alice, ME, OPEN)
    text = client.post(f"/games/{table.slug}/cancel/", follow=True).content.decode()
    assert '<p class="notice" data-tone="good">The table has been cancelled.</p>' in text
    assert "The table has been cancelled." not in page(client)
