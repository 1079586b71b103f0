"""Marks that players give to placements: who gives and sees them, how they change, and when they go."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from accounts import erasure
from accounts.models import User
from games import events
from games.actions.people.block_person import block_person
from games.actions.people.mute_person import mute_person
from games.actions.people.unmute_person import unmute_person
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.talk.drop_reaction import drop_reaction
from games.actions.talk.give_reaction import give_reaction
from games.background.upkeep import Upkeep
from games.errors import BadRequest, GameError, NotFound, NotSeated, StaleGame, WrongStatus
from games.models import Game, Kind, Notification, Reaction, ReactionWord, Status, TalkMessage
from games.queries.site.versions import lists_version
from games.words.talk import REACTIONS
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, advance, bot, due, fresh, open_table, play_out, running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a public duel of two in which each has placed a piece, alice first; it is her turn."""
    game = running(alice, bob, variant="duo", allows_takebacks=True)
    return advance(advance(game, random.Random(1)), random.Random(2))


def placer(game: Game, number: int) -> User:
    """Return who has made that move."""
    move = game.moves.get(number=number)
    user = game.players.get(seat=move.seat).user
    assert user is not None
    return user


def other(game: Game, number: int) -> User:
    """Return the player of a duel who has not made that move."""
    user = game.players.exclude(user=placer(game, number)).get().user
    assert user is not None
    return user


def given(game: Game) -> list[tuple[int, str, str]]:
    """Return what was said of which moves, by whom."""
    rows = Reaction.objects.filter(move__game=game).order_by("pk")
    return list(rows.values_list("move__number", "author__username", "word"))


def refused(user: User, game: Game, number: int, word: str = "nice", placement: str = "") -> GameError:
    with pytest.raises(GameError) as refusal:
        give_reaction(user, game.slug, number=number, word=word, placement=placement)
    return refusal.value


def seen(log_in: LogIn, user: User, game: Game) -> list[str]:
    """Return what the list of moves shows a person of reactions."""
    page = read(log_in(user).get(f"/games/{game.slug}/"))
    return [mark["title"] for mark in page.find("ol", class_="moves__list").find_all("span", data_said="")]


def test_a_player_reacts_to_the_last_placement_by_one_tap_and_all_at_the_table_see_it(
    game: Game, log_in: LogIn
) -> None:
    author, subject = other(game, 2), placer(game, 2)
    browser, before = log_in(author), fresh(game).version
    page = read(browser.get(f"/games/{game.slug}/"))
    row = page.find("div", data_reacts="")
    assert [button["hx-vals"] for button in row.find_all("button")] == [f"reaction:{word}" for word in ReactionWord]
    clever = row.find("button", title="Clever")
    answer = browser.post(clever["hx-post"], {"reaction": "clever"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert given(game) == [(2, author.username, "clever")]
    assert fresh(game).version == before + 1
    pressed = read(answer).find_all("button", aria_pressed="true")
    assert [button["title"] for button in pressed] == ["Clever"]
    assert seen(log_in, subject, game) == [f"{author.username}: Clever"]


def test_after_the_end_playing_again_comes_before_what_one_says_of_the_last_placement(
    game: Game, log_in: LogIn
) -> None:
    ended = play_out(game, now=timezone.now())
    number = ended.moves.filter(kind=Kind.PLACE).order_by("-number").values_list("number", flat=True)[0]
    page = log_in(other(ended, number)).get(f"/games/{ended.slug}/").content.decode()
    assert page.count("data-reacts") == 1
    assert page.index("/rematch/") < page.index("data-reacts")


def test_one_person_has_one_reaction_to_a_move_which_changes_and_is_taken_back(game: Game) -> None:
    author = other(game, 1)
    give_reaction(author, game.slug, number=1, word="wow")
    give_reaction(author, game.slug, number=1, word="ouch")
    assert given(game) == [(1, author.username, "ouch")]
    version = fresh(game).version
    give_reaction(author, game.slug, number=1, word="ouch")
    assert fresh(game).version == version
    drop_reaction(author, game.slug, number=1)
    drop_reaction(author, game.slug, number=1)
    assert (given(game), fresh(game).version) == ([], version + 1)


def test_the_pressed_mark_is_taken_back_by_the_same_tap(game: Game, log_in: LogIn) -> None:
    browser = log_in(other(game, 2))
    give_reaction(other(game, 2), game.slug, number=2, word="ha")
    page = read(browser.get(f"/games/{game.slug}/"))
    pressed = page.find("div", data_reacts="").find("button", aria_pressed="true")
    assert pressed["title"] == "Ha"
    assert "hx-vals" not in pressed.attributes
    browser.post(pressed["hx-post"], headers={"HX-Request": "true"})
    assert given(game) == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_listed_posted_or_notified(game: Game, heard: list[events.GameEvent]) -> None:
    author, subject = other(game, 2), placer(game, 2)
    before, changed = lists_version(subject.pk), fresh(game).changed_at
    heard.clear()
    give_reaction(author, game.slug, number=2, word="thanks")
    assert [(type(event), event.users) for event in heard] == [(events.MessageSent, ())]
    assert not Notification.objects.filter(user=subject).exists()
    assert (lists_version(subject.pk), fresh(game).changed_at) == (before, changed)
    assert game.players.get(user=subject).unread_messages is None


def test_what_cannot_be_reacted_to_is_refused_with_a_sentence_and_a_code(game: Game, eve: User) -> None:
    author = other(game, 2)
    assert isinstance(refused(author, game, 2, "rude"), BadRequest)
    assert refused(placer(game, 2), game, 2).code == "own-placement"
    assert isinstance(refused(author, game, 3), NotFound)
    assert isinstance(refused(author, game, 2, placement="1:a1"), StaleGame)
    assert refused(eve, game, 2).code == "not-seated"
    with pytest.raises(NotSeated):
        drop_reaction(eve, game.slug, number=2)
    assert given(game) == []


def test_a_move_that_is_taken_back_takes_its_reactions_along(game: Game) -> None:
    author, subject = other(game, 2), placer(game, 2)
    placement = game.moves.get(number=2).placement
    give_reaction(author, game.slug, number=2, word="nice")
    ask_for_takeback(subject, game.slug, number=due(game))
    asked = fresh(game).asked_takeback
    assert asked is not None
    agree_to_takeback(author, game.slug, request=asked.version)
    assert Reaction.objects.count() == 0
    assert isinstance(refused(author, game, 2, placement=placement), StaleGame)


@pytest.mark.parametrize("talk", ["phrases", "private", "every"])
def test_where_only_phrases_are_said_and_for_those_who_are_silenced_there_are_reactions(
    talk: str, game: Game, settings: Settings
) -> None:
    settings.TALK, author = talk, other(game, 2)
    Game.objects.filter(pk=game.pk).update(allows_texts=False)
    User.objects.filter(pk=author.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    give_reaction(author, game.slug, number=2, word="nice")
    assert len(given(game)) == 1


def test_where_nobody_talks_there_are_none(game: Game, settings: Settings, log_in: LogIn) -> None:
    author = other(game, 2)
    give_reaction(author, game.slug, number=2, word="nice")
    settings.TALK = "off"
    assert refused(author, game, 2).code == "talk-off"
    assert seen(log_in, placer(game, 2), game) == []
    assert read(log_in(author).get(f"/games/{game.slug}/")).find_all("div", data_reacts="") == []


def test_beside_bots_alone_there_are_none(alice: User, log_in: LogIn) -> None:
    game = advance(open_table(alice, ME, bot(), variant="duo"), random.Random(1))
    assert read(log_in(alice).get(f"/games/{game.slug}/")).find_all("div", data_reacts="") == []


def test_those_who_only_look_neither_see_nor_give_any(game: Game, eve: User, log_in: LogIn) -> None:
    give_reaction(other(game, 2), game.slug, number=2, word="nice")
    page = read(log_in(eve).get(f"/games/{game.slug}/"))
    assert page.find_all("span", data_said="") == page.find_all("div", data_reacts="") == []
    assert log_in(eve).get(f"/games/{game.slug}/moves/2/reaction/").status_code == 403
    assert "reaction" not in log_in(eve).get(f"/games/{game.slug}/replay/").content.decode()


def test_of_people_who_are_muted_or_blocked_nothing_is_shown(game: Game, log_in: LogIn) -> None:
    author, subject = other(game, 2), placer(game, 2)
    give_reaction(author, game.slug, number=2, word="nice")
    mute_person(subject, author.username)
    assert seen(log_in, subject, game) == []
    unmute_person(subject, author.username)
    assert len(seen(log_in, subject, game)) == 1
    block_person(subject, author.username)
    assert seen(log_in, subject, game) == []
    assert seen(log_in, author, game) == ["You: Nice"]


def test_reactions_are_counted_as_lines_are(game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1_800_000_001.0)
    browser = log_in(other(game, 2))
    address, words = f"/games/{game.slug}/moves/2/reaction/", ["nice", "wow", "ha", "ouch", "thanks", "clever"]
    answers = [browser.post(address, {"reaction": word}, headers={"HX-Request": "true"}) for word in words]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert "Wait a few seconds" in answers[-1].content.decode()
    assert given(game)[0][2] == "thanks"


def test_they_can_be_given_after_the_end_until_it_is_long_ago_and_go_then(
    game: Game, settings: Settings, log_in: LogIn
) -> None:
    game = play_out(game, 1)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    number = game.moves.filter(kind=Kind.PLACE).latest("number").number
    author = other(game, number)
    assert read(log_in(author).get(f"/games/{game.slug}/")).find("div", data_reacts="").find_all("button")
    give_reaction(author, game.slug, number=number, word="nice")
    ended = timezone.now() - timedelta(days=settings.TALK_DAYS)
    Game.objects.filter(pk=game.pk).update(finished_at=ended + timedelta(minutes=5))
    assert Upkeep().tidy(timezone.now()).reactions == 0
    Game.objects.filter(pk=game.pk).update(finished_at=ended)
    assert isinstance(refused(author, game, number), WrongStatus)
    assert Upkeep().tidy(timezone.now()).reactions == 1
    assert given(game) == []


def test_they_go_too_where_a_game_was_cancelled_as_not_begun(game: Game, settings: Settings) -> None:
    give_reaction(other(game, 1), game.slug, number=1, word="nice")
    ended = timezone.now() - timedelta(days=settings.TALK_DAYS)
    cancelled = Game.objects.filter(pk=game.pk)
    facts = {"turn_colour": "", "turn_seat": None, "turn_since": None, "turn_user": None, "deadline": None}
    cancelled.update(status=Status.CANCELLED, changed_at=ended + timedelta(minutes=5), **facts)
    assert Upkeep().tidy(timezone.now()).reactions == 0
    cancelled.update(changed_at=ended)
    TalkMessage.objects.create(game=game, author=other(game, 1), phrase="well-played", created_at=ended)
    done = Upkeep().tidy(timezone.now())
    assert (done.reactions, done.messages, given(game)) == (1, 1, [])


def test_old_ones_are_found_lot_by_lot(game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.background.upkeep.ROWS_AT_ONCE", 2)
    over = advance(advance(running(alice, bob, variant="duo"), random.Random(1)), random.Random(2))
    for table in (game, over):
        for number in (1, 2):
            give_reaction(other(table, number), table.slug, number=number, word="nice")
    Game.objects.filter(pk=over.pk).update(finished_at=timezone.now() - timedelta(days=100))
    upkeep = Upkeep()
    assert [upkeep.tidy(timezone.now()).reactions for _ in range(3)] == [0, 2, 0]
    assert len(given(game)) == 2


def test_with_a_closed_account_its_reactions_go(game: Game) -> None:
    author = other(game, 2)
    give_reaction(author, game.slug, number=2, word="nice")
    erasure.close_account(author)
    assert Reaction.objects.count() == 0


def test_older_moves_have_a_page_of_their_own_which_the_list_and_the_replay_lead_to(game: Game, log_in: LogIn) -> None:
    author, browser = other(game, 1), log_in(other(game, 1))
    address = f"/games/{game.slug}/moves/1/reaction/"
    ways = [way["href"] for way in read(browser.get(f"/games/{game.slug}/replay/")).find_all("a")]
    assert [way for way in ways if "reaction" in way] == [address]
    # In the list beside the board the last one has it, for browsers without scripts.
    page = read(log_in(other(game, 2)).get(f"/games/{game.slug}/"))
    assert page.find_all("a", href=f"/games/{game.slug}/moves/2/reaction/")
    page = read(browser.get(address))
    assert len(page.find("form", class_="reacts").find_all("button")) == len(ReactionWord)
    assert browser.post(address, {"reaction": "wow"}).status_code == 302
    assert "You: Wow" in browser.get(address).content.decode()
    assert f"{author.username}: Wow" in log_in(placer(game, 1)).get(address).content.decode()
    assert "You placed this piece yourself." in log_in(placer(game, 1)).get(address).content.decode()
    assert browser.post(address, {"reaction": "rude"}).status_code == 400
    assert browser.get(f"/games/{game.slug}/moves/9/reaction/").status_code == 404


def test_in_words_the_last_moves_say_it_and_lead_to_it(game: Game, log_in: LogIn) -> None:
    browser = log_in(other(game, 2))
    give_reaction(other(game, 2), game.slug, number=2, word="ouch")
    browser.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    page = browser.get(f"/games/{game.slug}/").content.decode()
    assert "You: Ouch." in page
    assert f"/games/{game.slug}/moves/2/reaction/" in page


def test_every_reaction_has_a_word_and_a_mark_of_its_own(game: Game, log_in: LogIn) -> None:
    assert set(REACTIONS) == set(ReactionWord)
    row = read(log_in(other(game, 2)).get(f"/games/{game.slug}/")).find("div", data_reacts="")
    drawn = {path["d"] for path in row.find_all("path")}
    assert len(drawn) == len(ReactionWord)


def test_a_game_without_reactions_asks_nothing_more_and_one_with_them_one_query(
    game: Game, log_in: LogIn, query_count: QueryCount
) -> None:
    browser, address = log_in(other(game, 2)), f"/games/{game.slug}/"
    without = query_count(browser, address)
    give_reaction(other(game, 2), game.slug, number=2, word="nice")
    assert query_count(browser, address) == without + 1
