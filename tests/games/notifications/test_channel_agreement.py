"""Nothing of a game is posted to a channel before all at its table have agreed, and any of them may say no."""

from random import Random

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games.actions.notices.agree_to_channel import agree_to_channel
from games.actions.notices.set_game_channel import remove_game_channel, set_game_channel
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.errors import NotSeated, WrongStatus
from games.models import ChannelPost, Game, GameChannel, Notification, Occasion
from tests.games.play.pages import Element, read
from tests.games.tables import ME, NOON, OPEN, advance, fresh, open_table, running
from tests.games.views.lists.test_devices import logged_in

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/1/a-secret"


def posted() -> list[str]:
    return list(ChannelPost.objects.order_by("pk").values_list("occasion", flat=True))


def moved(game: Game) -> Game:
    return advance(fresh(game), Random(1), now=NOON)


def asked(game: Game) -> set[str]:
    return set(Notification.objects.filter(game=game, occasion="posting").values_list("user__username", flat=True))


def table(alice: User, bob: User) -> Game:
    return running(alice, bob, now=NOON, name="Sunday")


def test_nothing_is_posted_before_all_have_agreed_and_then_how_the_game_stands(alice: User, bob: User) -> None:
    game = table(alice, bob)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    assert asked(game) == {"bob"}
    moved(game)
    assert posted() == []
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    assert posted() == [Occasion.TURN]
    moved(game)
    assert posted() == [Occasion.TURN] * 2


def test_with_the_last_yes_a_game_that_has_just_begun_is_said_to_have_started(alice: User, bob: User) -> None:
    game = table(alice, bob)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    assert posted() == [Occasion.STARTED, Occasion.TURN]


def test_a_no_takes_the_channel_away(alice: User, bob: User) -> None:
    game = table(alice, bob)
    set_game_channel(alice, game.slug, DISCORD, now=NOON)
    remove_game_channel(bob, game.slug, now=NOON)
    moved(game)
    assert (GameChannel.objects.exists(), posted(), fresh(game).is_posted) == (False, [], False)


def test_who_sits_down_later_is_asked_too_and_until_then_nothing_is_posted(alice: User, bob: User, carol: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, variant="blockyou-3", now=NOON)
    join_game(bob, game.slug, now=NOON)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    join_game(carol, game.slug, now=NOON)
    assert (asked(game), posted()) == ({"bob", "carol"}, [])
    agree_to_channel(carol, game.slug, channel=hook.pk, now=NOON)
    assert posted() == [Occasion.STARTED, Occasion.TURN]


def test_who_has_left_the_table_is_not_waited_for(alice: User, bob: User, carol: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, variant="blockyou-3", now=NOON)
    join_game(bob, game.slug, now=NOON)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    leave_game(bob, game.slug)
    assert hook.waits_for({alice.pk}) == []
    assert hook.waits_for({alice.pk, carol.pk}) == [carol]


def test_no_program_is_waited_for_and_no_one_who_has_closed_their_account(alice: User, bob: User) -> None:
    helper = User.objects.create(username="helper", operator=alice)
    game = running(alice, helper, now=NOON, name="Sunday", is_rated=False)
    set_game_channel(alice, game.slug, DISCORD, now=NOON)
    assert asked(game) == set()
    other = table(alice, bob)
    hook = set_game_channel(alice, other.slug, DISCORD, now=NOON)
    close_account(bob)
    assert hook.waits_for({alice.pk, bob.pk}) == []


def test_another_address_is_another_question(alice: User, bob: User) -> None:
    game = table(alice, bob)
    first = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    agree_to_channel(bob, game.slug, channel=first.pk, now=NOON)
    set_game_channel(alice, game.slug, "https://hooks.slack.com/services/x", now=NOON)
    before = posted()
    moved(game)
    assert posted() == before
    with pytest.raises(WrongStatus) as refusal:
        agree_to_channel(bob, game.slug, channel=first.pk, now=NOON)
    assert refusal.value.code == "chat-changed"


def test_only_those_at_the_table_are_asked(alice: User, bob: User, eve: User) -> None:
    game = table(alice, bob)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    with pytest.raises(NotSeated):
        agree_to_channel(eve, game.slug, channel=hook.pk, now=NOON)
    assert "Do not post" not in logged_in(eve).get(f"/games/{game.slug}/").content.decode()
    assert "Do not post" not in logged_in(alice).get(f"/games/{game.slug}/").content.decode()


def buttons(page: Element) -> dict[str, str]:
    """Return the buttons of the question with the addresses that they post to, none where nothing is asked."""
    forms = [form for question in page.find_all(id="posting") for form in question.find_all("form")]
    return {form.find("button").text: form["action"] for form in forms}


@pytest.mark.parametrize("is_spoken", [False, True], ids=["board", "words"])
def test_the_page_of_the_game_asks_with_two_buttons_that_need_no_script(
    is_spoken: bool, alice: User, bob: User
) -> None:
    game = table(alice, bob)
    set_game_channel(alice, game.slug, DISCORD, now=NOON)
    client = logged_in(bob)
    if is_spoken:
        client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    page = read(client.get(f"/games/{game.slug}/"))
    assert "alice wants to post this game to a channel at discord.com." in page.find(id="posting").text
    assert "a-secret" not in page.text
    sent = {"channel": page.find(id="posting").find("input", name="channel")["value"]}
    assert client.post(buttons(page)["Agree"], sent).status_code == 302
    assert buttons(read(client.get(f"/games/{game.slug}/"))) == {}
    assert posted() == [Occasion.STARTED, Occasion.TURN]


def test_the_table_asks_before_the_game_and_no_is_one_button(alice: User, bob: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, variant="blockyou-3")
    join_game(bob, game.slug)
    set_game_channel(alice, game.slug, DISCORD, now=NOON)
    client = logged_in(bob)
    answer = client.post(buttons(read(client.get(f"/games/{game.slug}/")))["Do not post"])
    assert (answer.status_code, GameChannel.objects.count()) == (302, 0)


def test_the_page_of_the_channel_says_who_is_waited_for(alice: User, bob: User) -> None:
    game = table(alice, bob)
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    path = f"/games/{game.slug}/channel/"
    assert "Still to answer: bob." in logged_in(alice).get(path).content.decode()
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    assert "Still to answer" not in logged_in(alice).get(path).content.decode()


@pytest.mark.parametrize("channel", ["", "x", "-1", "9" * 30])
def test_a_form_without_the_channel_is_refused(channel: str, alice: User, bob: User) -> None:
    game = table(alice, bob)
    set_game_channel(alice, game.slug, DISCORD, now=NOON)
    assert logged_in(bob).post(f"/games/{game.slug}/channel/agree/", {"channel": channel}).status_code == 400


def test_pages_that_are_open_hear_of_the_question(alice: User, bob: User) -> None:
    game = table(alice, bob)
    before = game.version
    hook = set_game_channel(alice, game.slug, DISCORD, now=NOON)
    asked_at = fresh(game).version
    agree_to_channel(bob, game.slug, channel=hook.pk, now=NOON)
    assert before < asked_at < fresh(game).version
