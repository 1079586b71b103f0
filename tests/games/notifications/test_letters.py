"""What a mail says of the game, how it is put together, and that it is not taken for spam."""

import re
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage as Parsed
from email.policy import default
from html import unescape
from io import BytesIO

import pytest
from django.core.mail import EmailMessage
from PIL import Image

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.notices.choose_notices import choose_notices
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.remove_player import remove_player
from games.base import positions
from games.models import DailyDigest, Delivery, Game, Player
from games.notifications.announce import announce_game
from games.notifications.deliver import deliver
from games.notifications.digests import deliver_digest, prepare_digests
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import ME, NOON, OPEN, finished, fresh, invited, open_table, play_out, running
from tests.proof import proof
from tests.spam import check_no_spam, needs_spamassassin

pytestmark = pytest.mark.django_db
SOON = NOON + timedelta(seconds=30)


def turn_mail(game: Game, seat: int, mailoutbox: list[EmailMessage]) -> Parsed:
    """Return the mail about the turn that is due, which is that seat's, as mail programs read it."""
    game = fresh(game)
    player = Player.objects.get(game=game, seat=seat)
    assert deliver_turn(player.pk, game.move_count + 1, now=SOON)
    return message_from_bytes(mailoutbox[-1].message().as_bytes(), policy=default)


def text_of(mail: Parsed, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return " ".join(part.get_content().split())


def test_a_mail_about_a_turn_says_what_the_others_placed_and_how_one_stands(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game = play_out(running(alice, bob), turns=6)
    mail = turn_mail(game, 0, mailoutbox)
    pieces = [move.placement.partition(":")[0] for move in game.moves.all()]
    board = positions.position_of(fresh(game)).board
    mine, his = (sum(map(board.count, colours)) for colours in ("02", "13"))
    stands = (
        {
            True: f"You lead with {mine} of 178 cells placed; bob has {his}.",
            False: f"bob leads with {his} of 178 cells placed; you have {mine}.",
        }[mine > his]
        if mine != his
        else f"You are level with bob: {mine} of 178 cells placed."
    )
    for kind in ("plain", "html"):
        assert f"bob placed {pieces[-1]}." in text_of(mail, kind)
        assert stands in text_of(mail, kind)
        assert f"placed {pieces[-2]}" not in text_of(mail, kind)
        assert " point" not in text_of(mail, kind)


def test_at_a_table_of_four_each_is_named_in_the_order_of_play_and_so_is_who_is_out(
    alice: User, bob: User, carol: User, dave: User, mailoutbox: list[EmailMessage]
) -> None:
    game = play_out(running(alice, bob, carol, dave), turns=6)
    resign(dave, game.slug, now=NOON)
    game = play_out(game, turns=1)
    pieces = [move.placement.partition(":")[0] for move in game.moves.all()]
    # alice bob carol dave alice bob · dave resigns · carol
    said = text_of(turn_mail(game, 0, mailoutbox))
    assert f"bob placed {pieces[5]}. dave resigned. carol placed {pieces[7]}." in said


def test_before_everyone_has_placed_twice_nobody_leads(alice: User, bob: User, mailoutbox: list[EmailMessage]) -> None:
    said = text_of(turn_mail(play_out(running(alice, bob), turns=2), 0, mailoutbox))
    assert not any(word in said for word in ("lead", "behind", "level"))


def test_a_mail_about_the_end_says_what_everybody_placed(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game = play_out(running(alice, bob))
    send_all(game)
    board = positions.position_of(fresh(game)).board
    [his] = [mail.body for mail in mailoutbox if mail.to == ["bob@example.org"]]
    assert "Cells placed: " in his
    assert f"alice {sum(map(board.count, '02'))} of 178" in his
    assert f"you {sum(map(board.count, '13'))} of 178" in his


def test_a_mail_is_in_its_readers_language(alice: User, bob: User, mailoutbox: list[EmailMessage]) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    game = play_out(running(alice, bob), turns=6)
    mail = turn_mail(game, 0, mailoutbox)
    pieces = [move.placement.partition(":")[0] for move in game.moves.all()]
    board = positions.position_of(fresh(game)).board
    mine, his = (sum(map(board.count, colours)) for colours in ("02", "13"))
    stands = (
        {
            True: f"Vous menez : {mine} cases posées sur 178, contre {his} pour bob.",
            False: f"bob mène : {his} cases posées sur 178, contre {mine} pour vous.",
        }[mine > his]
        if mine != his
        else f"Vous êtes à égalité avec bob : {mine} cases posées sur 178."
    )
    for kind in ("plain", "html"):
        assert f"bob a posé {pieces[-1]}." in text_of(mail, kind)
        assert stands in text_of(mail, kind)
    assert str(mail["Subject"]).startswith("À vous de jouer")


def test_the_picture_is_a_part_of_the_page_and_no_wider_than_a_phone(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    mail = turn_mail(play_out(running(alice, bob), turns=6), 0, mailoutbox)
    assert mail.get_content_type() == "multipart/related"
    [picture] = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert Image.open(BytesIO(picture.get_content())).width <= 320
    html = mail.get_body(("html",))
    assert html is not None
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in " ".join(html.get_content().split())
    # The board comes first, and words say the same where no picture is shown.
    assert html.get_content().index("<img") < html.get_content().index("bob placed")
    assert mail["List-Id"].endswith(">")
    # Nothing is fetched from anywhere when it is read.
    assert "url(" not in html.get_content()


def send_all(game: Game, now: datetime = SOON) -> None:
    """Send what is to be told of a game."""
    announce_game(game.pk, now=now)
    for pk, tries in Delivery.objects.filter(due_at__isnull=False).values_list("pk", "tries"):
        deliver(pk, tries, now=now)


def mail_about(what: str, alice: User, bob: User, mailoutbox: list[EmailMessage]) -> EmailMessage:
    """Return a mail to alice or bob about a turn, an end, an invitation, a rematch, a table that is left, or all."""
    if what == "turn":
        turn_mail(play_out(running(alice, bob), turns=6), 0, mailoutbox)
    elif what == "end":
        send_all(play_out(running(alice, bob)))
    elif what == "invitation":
        send_all(open_table(alice, ME, invited("bob")))
    elif what == "rematch":
        send_all(open_rematch(alice, finished(alice, bob).slug))
    elif what == "table":
        table = open_table(alice, ME, OPEN, OPEN)
        join_game(bob, table.slug, now=NOON)
        send_all(remove_player(alice, table.slug, seat=1, now=NOON))
    else:
        for _ in range(3):
            running(alice, bob)
        choose_notices(alice, {"digest.email": True}, now=NOON, hour=8)
        tomorrow = NOON + timedelta(hours=20)
        prepare_digests(tomorrow)
        [(pk, tries)] = DailyDigest.objects.values_list("pk", "tries")
        assert deliver_digest(pk, tries, now=tomorrow)
    return mailoutbox[-1]


def reading(language: str, *people: User) -> None:
    for person in people:
        person.language = language
        person.save()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("what", "labels"),
    [
        ("turn", ("Open the game", "Ouvrir la partie")),
        ("end", ("Open the game", "Ouvrir la partie")),
        ("invitation", ("See the invitation", "Voir l’invitation")),
        ("rematch", ("See the invitation", "Voir l’invitation")),
        ("table", ("See the table", "Voir la table")),
        ("summary", ("My games", "Mes parties")),
    ],
)
def test_a_mail_has_one_button_which_says_where_it_leads_and_the_text_says_what_its_page_says(
    what: str, labels: tuple[str, str], language: str, alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    reading(language, alice, bob)
    mail = message_from_bytes(mail_about(what, alice, bob, mailoutbox).message().as_bytes(), policy=default)
    page, text = (mail.get_body((kind,)) for kind in ("html", "plain"))
    assert page is not None
    assert text is not None
    html = page.get_content()
    assert f'<html lang="{language}">' in html
    (button,) = re.findall(r'<a\s+class="button"\s+href="([^"]+)"[^>]*>(.*?)</a>', html, re.DOTALL)
    assert unescape(button[1]).strip() == labels[language == "fr"]
    assert unescape(button[0]) in text.get_content().splitlines()
    # A long subject is folded.
    title = unescape(re.findall(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)[0])
    assert title.split() == str(mail["Subject"]).split()
    seen = re.sub(r"<style>.*?</style>|<!--.*?-->|<[^>]+>", " ", html, flags=re.DOTALL)
    words = " ".join(unescape(seen).split())
    told = [line for line in text.get_content().splitlines() if line and "://" not in line]
    # The first line greets, the last one is about the link that stops such mails.
    assert [line for line in told[1:-1] if " ".join(line.split()) not in words] == []


@pytest.mark.slow
@needs_spamassassin
@pytest.mark.parametrize("language", ["en", *proof("fr")])
@pytest.mark.parametrize("what", ["turn", "end", "invitation", "summary"])
def test_a_mail_is_far_from_the_spam_folder(
    what: str, language: str, alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    reading(language, alice, bob)
    check_no_spam(mail_about(what, alice, bob, mailoutbox).message().as_bytes())
