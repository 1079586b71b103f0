"""A group posts its new tables and its results to a channel, as far as those who sit there want it."""

import pytest
from django.urls import reverse

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import User
from games.actions.groups.answer_group_channel import answer_group_channel
from games.actions.groups.delete_group import delete_group
from games.actions.groups.leave_group import leave_group
from games.actions.groups.remove_group_channel import remove_group_channel
from games.actions.groups.remove_member import remove_member
from games.actions.groups.set_group_channel import set_group_channel
from games.actions.groups.set_standing_table import set_standing_table
from games.actions.guests.merge_guest import merge_guest
from games.actions.moves.resign import resign
from games.actions.notices.agree_to_channel import agree_to_channel
from games.actions.notices.set_game_channel import remove_game_channel
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.errors import BadRequest, WrongStatus
from games.models import ChannelPost, Game, GameChannel, Group, GroupChannel, Notification, Occasion
from games.words.notices import notice_words
from tests.conftest import LogIn
from tests.games.groups.test_members import club, code_of
from tests.games.notifications.push_service import Service
from tests.games.notifications.test_channel_posts import deliver_all, said
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, bot, fresh, setup

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/1/a-secret"


@pytest.fixture
def group(alice: User, bob: User, carol: User) -> Group:
    return club(alice, bob, carol)


def channel(owner: User, group: Group, *agreed: User, address: str = DISCORD) -> GroupChannel:
    """Return the channel of a group; these have agreed for all their tables."""
    found = set_group_channel(owner, group.slug, address, now=NOON)
    for member in agreed:
        answer_group_channel(member, group.slug, channel=found.pk, agrees=True)
    return GroupChannel.objects.get(pk=found.pk)


def table(owner: User, group: Group) -> Game:
    return create_game(owner, setup(ME, OPEN, variant="duo"), group=group.slug, now=NOON)


def posted() -> list[str]:
    return list(ChannelPost.objects.order_by("pk").values_list("occasion", flat=True))


def test_a_new_table_and_its_result_are_posted_once_all_there_have_agreed(
    alice: User, bob: User, group: Group, service: Service
) -> None:
    channel(alice, group, bob, address=f"{service.url}/hook")
    game = table(alice, group)
    assert deliver_all() == 1
    join_game(bob, game.slug, now=NOON)
    assert deliver_all() == 0, "neither the start nor each turn is told there"
    resign(bob, game.slug, now=NOON)
    assert deliver_all() == 1
    assert said(service) == [
        "A table is open: Duo, 2 players",
        "Game over: Duo, 2 players. alice 0 of 89 and bob 0 of 89.",
    ]
    assert f"/games/{game.slug}/" in service.posts[0].body.decode()
    assert "alice" not in service.posts[0].body.decode()


def test_a_table_that_no_longer_waits_is_not_called_open(
    alice: User, bob: User, group: Group, service: Service
) -> None:
    channel(alice, group, bob, address=f"{service.url}/hook")
    create_game(alice, setup(ME, bot(), variant="duo"), group=group.slug, now=NOON)
    game = table(alice, group)
    join_game(bob, game.slug, now=NOON)
    assert (deliver_all(), said(service)) == (0, [])
    assert ChannelPost.objects.filter(due_at__isnull=False).count() == 0


def test_who_has_not_agreed_for_all_is_asked_at_the_table_and_until_then_nothing_is_posted(
    alice: User, bob: User, group: Group
) -> None:
    channel(alice, group)
    game = table(alice, group)
    join_game(bob, game.slug, now=NOON)
    (notice,) = Notification.objects.filter(game=game, occasion=Occasion.POSTING).select_related("game", "user")
    assert (notice.user, notice.other) == (bob, None)
    assert notice_words(notice)[0].startswith("Your group wants to post this game to a channel")
    resign(alice, game.slug, now=NOON)
    assert posted() == [Occasion.GROUP_TABLE]
    again = table(alice, group)
    join_game(bob, again.slug, now=NOON)
    agree_to_channel(bob, again.slug, channel=GameChannel.objects.get(game=again).pk, now=NOON)
    resign(alice, again.slug, now=NOON)
    assert posted()[-1] == Occasion.OVER


def test_any_player_may_say_no_for_one_game_and_who_never_wants_it_takes_it_away_by_sitting_down(
    alice: User, bob: User, carol: User, group: Group
) -> None:
    found = channel(alice, group, bob)
    game = table(alice, group)
    join_game(bob, game.slug, now=NOON)
    remove_game_channel(bob, game.slug, now=NOON)
    resign(bob, game.slug, now=NOON)
    answer_group_channel(carol, group.slug, channel=found.pk, agrees=False)
    other = table(alice, group)
    assert fresh(other).is_posted
    join_game(carol, other.slug, now=NOON)
    resign(carol, other.slug, now=NOON)
    assert not fresh(other).is_posted
    assert posted() == []
    assert not fresh(table(carol, group)).is_posted
    answer_group_channel(carol, group.slug, channel=found.pk, agrees=True)
    assert fresh(create_game(carol, setup(ME, OPEN, OPEN, variant="blockyou-3"), group=group.slug)).is_posted


def test_who_never_wants_it_takes_it_away_from_tables_agreed_to_before(alice: User, bob: User, group: Group) -> None:
    found = channel(alice, group)
    game, other = table(alice, group), table(alice, group)
    join_game(bob, game.slug, now=NOON)
    agree_to_channel(bob, game.slug, channel=GameChannel.objects.get(game=game).pk, now=NOON)
    answer_group_channel(bob, group.slug, channel=found.pk, agrees=False)
    resign(bob, game.slug, now=NOON)
    assert Occasion.OVER not in posted()
    assert (fresh(game).is_posted, fresh(other).is_posted) == (False, True)


def test_the_standing_table_of_a_group_is_posted_when_it_opens(alice: User, group: Group) -> None:
    channel(alice, group)
    set_standing_table(alice, group.slug, setup(OPEN, OPEN, variant="duo"), now=NOON)
    assert posted() == [Occasion.GROUP_TABLE]


def test_keepers_alone_set_and_remove_it_and_its_address_has_to_be_one(alice: User, bob: User, group: Group) -> None:
    assert code_of(lambda: set_group_channel(bob, group.slug, DISCORD)) == "not-keeper"
    channel(alice, group)
    assert code_of(lambda: remove_group_channel(bob, group.slug)) == "not-keeper"
    with pytest.raises(BadRequest) as caught:
        set_group_channel(alice, group.slug, "http://127.0.0.1/")
    assert caught.value.field == "address"
    game = table(alice, group)
    remove_group_channel(alice, group.slug)
    assert (GroupChannel.objects.exists(), GameChannel.objects.exists(), fresh(game).is_posted) == (False, False, False)


def test_another_address_is_another_question(alice: User, bob: User, group: Group) -> None:
    first = channel(alice, group, bob)
    second = channel(alice, group)
    assert second.agreed == []
    with pytest.raises(WrongStatus) as caught:
        answer_group_channel(bob, group.slug, channel=first.pk, agrees=True)
    assert caught.value.code == "channel-changed"


def test_what_a_member_said_goes_with_them_and_the_channel_with_who_has_set_it(
    alice: User, bob: User, carol: User, group: Group
) -> None:
    channel(alice, group, bob, carol)
    leave_group(bob, group.slug)
    remove_member(alice, group.slug, "carol")
    assert GroupChannel.objects.get().agreed == []
    game = table(alice, group)
    close_account(alice)
    assert (GroupChannel.objects.exists(), fresh(game).is_posted) == (False, False)


def test_a_keeper_who_leaves_a_table_leaves_it_its_channel_and_a_group_that_ends_has_none(
    alice: User, bob: User, group: Group
) -> None:
    channel(alice, group, bob)
    game = table(bob, group)
    join_at = create_game(bob, setup(ME, OPEN, OPEN, variant="blockyou-3"), group=group.slug, now=NOON)
    join_game(alice, join_at.slug, now=NOON)
    leave_game(alice, join_at.slug)
    assert fresh(join_at).is_posted
    delete_group(alice, group.slug)
    assert [fresh(each).is_posted for each in (game, join_at)] == [False, False]


def test_members_are_told_on_the_page_of_the_group_and_answer_there(
    alice: User, bob: User, group: Group, log_in: LogIn
) -> None:
    owner, member = log_in(alice), log_in(bob)
    address = reverse("group-channel", args=[group.slug])
    page = read(owner.get(reverse("group", args=[group.slug])))
    assert address in [link["href"] for link in page.find_all("a")]
    refused = owner.post(address, {"address": "nonsense"})
    assert (refused.status_code, "nonsense" in refused.content.decode()) == (400, True)
    assert owner.post(address, {"address": DISCORD}).status_code == 302
    shown = owner.get(address).content.decode()
    assert ("discord.com/…cret" in shown, "a-secret" in shown) == (True, False)
    asked = read(member.get(reverse("group", args=[group.slug])))
    form = asked.find("form", action=f"{address}answer/")
    sent = {"channel": form.find("input", name="channel")["value"], "agrees": "yes"}
    assert member.post(f"{address}answer/", sent).status_code == 302
    assert GroupChannel.objects.get().agreed == [bob.pk]
    assert "discord.com" not in read(member.get(reverse("group", args=[group.slug]))).text
    assert "You have agreed for all your tables here." in read(member.get(address)).text
    assert member.post(f"{address}answer/", {"channel": "x", "agrees": "yes"}).status_code == 400
    assert member.post(address, {"address": DISCORD}).status_code == 403
    assert owner.post(f"{address}stop/").status_code == 302
    assert not GroupChannel.objects.exists()


def test_a_guests_word_is_that_of_the_account_which_has_the_guests_games(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    no, yes = create_guest(), create_guest()
    group = club(alice, no, yes)
    found = channel(alice, group, yes)
    answer_group_channel(no, group.slug, channel=found.pk, agrees=False)
    merge_guest(no, carol, now=NOON)
    merge_guest(yes, dave, now=NOON)
    found.refresh_from_db()
    assert (found.answer_of(carol.pk), found.answer_of(dave.pk), found.answer_of(bob.pk)) == (False, True, None)
    assert {no.pk, yes.pk}.isdisjoint([*found.agreed, *found.refused])
