"""A guardian makes an account, the child gets in by the link, plays, and is looked after; in browsers."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import ChildLink, Session, User
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.models import AllowedPerson, Archive, Game, PlayerReport
from tests.conftest import PASSWORD
from tests.games.children.families import can_be_guardian, child_of
from tests.games.play.pages import read

pytestmark = pytest.mark.django_db

CHILDS_PASSWORD = "a whale under the bed"


def logged_in(user: User, password: str = PASSWORD) -> Client:
    """Return a browser that has just shown the password, as these pages ask for."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": user.username, "password": password})
    assert answer.status_code == 302, answer.content
    client.post("/accounts/reauthenticate/", {"password": password})
    return client


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def said(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def made(client: Client, **form: str) -> Any:
    return client.post("/children/", {"username": "Mia", "password": "", "answers": "on", **form})


def test_a_guardian_makes_an_account_and_the_child_gets_in_and_plays(alice: User, bob: User) -> None:
    at_home = logged_in(can_be_guardian(alice))
    assert made(at_home).status_code == 302
    mia = User.objects.get(username="Mia")
    page = f"/children/{mia.pk}/"
    at_home.post(f"{page}people/", {"username": "bob"})
    shown = text_of(at_home.post(f"{page}link/"))
    way = re.search(r"/children/enter/[\w-]+/", shown)
    assert way, shown

    tablet = Client()
    assert "Go on as Mia" in text_of(tablet.get(way[0]))
    assert tablet.post(way[0])["Location"] == "/"
    home = text_of(tablet.get("/"))
    assert "Hello, Mia" in home
    assert 'value="bob"' in home

    against_a_bot = tablet.post(reverse("play-bots-now"), {"bot": "random"})
    board = tablet.get(against_a_bot["Location"])
    assert board.status_code == 200
    with_bob = tablet.post(reverse("play-friend-now"), {"companion": "bob"})
    assert tablet.get(with_bob["Location"]).status_code == 200
    table = with_bob["Location"]
    bobs = logged_in(bob)
    assert bobs.post(f"{table}join/").status_code == 302
    assert Game.objects.get(slug=table.split("/")[2]).status == "running"
    assert tablet.post(f"{table}talk/", {"phrase": "hello"}).status_code in (200, 302)
    assert at_home.get(table).status_code == 200
    assert table in text_of(at_home.get(page))


def test_the_pages_of_a_child_call_it_by_its_name_and_lead_back_from_the_top(alice: User, bob: User) -> None:
    mia, browser = child_of(alice), logged_in(alice)
    page = f"/children/{mia.pk}/"
    shown = text_of(browser.get(page))
    assert "The people you add here see the name Mia and can send invitations." in shown
    assert "No one else yet" in shown
    assert "Not a common word, not the child&#x27;s name." in shown
    assert "not your name" not in shown
    for address, back in ((page, "/children/"), (f"{page}hand-over/", page), (f"{page}delete/", page)):
        head = read(browser.get(address)).find("div", class_="page-head")
        assert [each["href"] for each in head.find_all("a")] == [back]
    for address in (page, f"{page}hand-over/", f"{page}delete/"):
        words = read(browser.get(address)).find("main").text
        assert not re.search(r"\b(its|with it|invite it|open to it|It (keeps|resigns|plays))\b", words), words
    browser.post(f"{page}people/", {"username": "bob"})
    assert "No one else yet" not in text_of(browser.get(page))


def test_a_link_lets_one_device_in_and_only_for_a_day(alice: User) -> None:
    mia, at_home = child_of(alice), logged_in(alice)
    way = re.search(r"/children/enter/[\w-]+/", text_of(at_home.post(f"/children/{mia.pk}/link/")))
    assert way
    first, second = Client(), Client()
    assert [first.get(way[0]).status_code for _look in range(3)] == [200] * 3
    assert first.post(way[0]).status_code == 302
    assert second.post(way[0]).status_code == 404
    assert second.get("/games/").status_code == 302
    again = re.search(r"/children/enter/[\w-]+/", text_of(at_home.post(f"/children/{mia.pk}/link/")))
    assert again
    ChildLink.objects.update(until="2026-01-01T00:00:00Z")
    assert second.post(again[0]).status_code == 404


def test_a_child_logs_in_by_its_password_and_is_logged_out_everywhere(alice: User) -> None:
    mia = child_of(alice, "Mia", password=CHILDS_PASSWORD)
    tablet, at_home = logged_in(mia, CHILDS_PASSWORD), logged_in(alice)
    assert "Hello, Mia" in text_of(tablet.get("/"))
    at_home.post(f"/children/{mia.pk}/logins/end/")
    assert not Session.objects.filter(user_id=mia.pk).exists()
    assert "Hello, Mia" not in text_of(tablet.get("/"))
    answer = at_home.post(f"/children/{mia.pk}/password/", {"password": "another whale, a green one"})
    assert answer.status_code == 302
    logged_in(mia, "another whale, a green one")


def test_the_guardian_gives_the_child_another_name_and_the_first_still_logs_in(alice: User, bob: User) -> None:
    mia, at_home = child_of(alice, "Mia", password=CHILDS_PASSWORD), logged_in(alice)
    for name in ("bob", "", "x" * 40):
        at_home.post(f"/children/{mia.pk}/name/", {"username": name})
        assert User.objects.get(pk=mia.pk).username == "Mia"
    at_home.post(f"/children/{mia.pk}/name/", {"username": "Zoe"})
    assert User.objects.get(pk=mia.pk).username == "Zoe"
    assert "Hello, Zoe" in text_of(logged_in(mia, CHILDS_PASSWORD).get("/"))


def test_what_is_not_part_of_a_childs_account_says_so(alice: User) -> None:
    tablet = logged_in(child_of(alice, "Mia", password=CHILDS_PASSWORD), CHILDS_PASSWORD)
    for address in ("/lobby/", "/ratings/", "/groups/", "/accounts/tokens/", "/api/v1/games"):
        answer = tablet.get(address)
        assert answer.status_code == 403, address
        assert "not part of a child" in text_of(answer)
        assert answer.headers["X-Error-Code"] == "child"


def test_no_page_of_a_child_leads_to_what_is_shut(alice: User, bob: User) -> None:
    tablet = logged_in(child_of(alice, "Mia", bob, password=CHILDS_PASSWORD), CHILDS_PASSWORD)
    game = tablet.post(reverse("play-bots-now"), {"bot": "random"})["Location"]
    over = tablet.post(reverse("play-bots-now"), {"bot": "random"})["Location"]
    tablet.post(f"{over}resign/", {"number": "1", "key": "a-key-of-ours", "pause": "0"})
    waiting = tablet.post(reverse("play-friend-now"), {"companion": "bob"})["Location"]
    seen: set[str] = set()
    shut: dict[str, str] = {}
    for page in ["/", "/games/", game, over, waiting, f"{over}replay/", "/notices/", "/notices/choices/", "/accounts/",
                 "/accounts/preferences/", "/accounts/keys/", "/data/", "/decisions/", "/conduct/", "/rules/",
                 "/learn/", "/bots/", f"{game}talk/", f"{waiting}talk/", f"{game}note/", f"{over}review/"]:  # fmt: skip
        answer = tablet.get(page)
        for link in re.findall(r'(?:href|hx-get)="(/[^"#?]*)', answer.content.decode()):
            if link in seen or link.startswith("/static/"):
                continue
            seen.add(link)
            if tablet.get(link).status_code == 403:
                shut[link] = page
    assert shut == {}, "\n".join(f"{link} on {page}" for link, page in shut.items())


def test_a_child_asks_and_the_guardian_decides(alice: User, bob: User) -> None:
    mia = child_of(alice, "Mia", password=CHILDS_PASSWORD)
    tablet, at_home = logged_in(mia, CHILDS_PASSWORD), logged_in(alice)
    answers = [said(tablet.post("/children/ask/", {"username": name}))[-1] for name in ("bob", "nobody")]
    assert answers[0] == answers[1]
    page = f"/children/{mia.pk}/"
    assert "Asked for" in text_of(at_home.get(page))
    assert "Has asked for 1 person" in text_of(at_home.get("/children/"))
    at_home.post(f"{page}people/remove/", {"remove": str(bob.pk)})
    assert not AllowedPerson.objects.exists()
    at_home.post(f"{page}people/", {"username": "bob"})
    assert AllowedPerson.objects.get().allowed_at is not None


def test_the_guardian_switches_phrases_and_takes_the_childs_data(alice: User) -> None:
    mia, at_home = child_of(alice), logged_in(alice)
    page = f"/children/{mia.pk}/"
    at_home.post(f"{page}phrases/", {"phrases": "no"})
    assert not User.objects.get(pk=mia.pk).says_phrases
    at_home.post(f"{page}phrases/", {"phrases": "yes"})
    assert User.objects.get(pk=mia.pk).says_phrases
    assert at_home.get(f"{page}archive.zip").status_code == 404
    at_home.post(f"{page}archive/")
    assert Archive.objects.get().user == mia


def test_what_moderators_decide_about_a_child_the_guardian_reads_too(alice: User, bob: User, carol: User) -> None:
    mia = child_of(alice, "Mia", bob, password=CHILDS_PASSWORD)
    User.objects.filter(pk=carol.pk).update(is_moderator=True)
    report_player(bob, "Mia", reason="insult")
    last = PlayerReport.objects.get().pk
    decide_case(User.objects.get(pk=carol.pk), mia.pk, measure="warn", reason="insult", last=last, words="Be kind.")
    at_home, tablet = logged_in(alice), logged_in(mia, CHILDS_PASSWORD)
    assert {user.username for user in User.objects.filter(has_decisions=True)} == {"alice", "bob", "Mia"}
    assert "About Mia" in text_of(at_home.get("/decisions/"))
    assert "Be kind." in text_of(at_home.get("/decisions/"))
    child_reads = text_of(tablet.get("/decisions/"))
    assert "Be kind." in child_reads
    assert "Moderators look after this site" in child_reads


def test_a_grown_up_child_keeps_the_account_and_a_deleted_one_goes(alice: User) -> None:
    mia, tom, at_home = child_of(alice, "Mia", password=CHILDS_PASSWORD), child_of(alice, "Tom"), logged_in(alice)
    assert at_home.post(f"/children/{mia.pk}/hand-over/", {"typed": "Tom"}).status_code == 400
    assert at_home.post(f"/children/{mia.pk}/hand-over/", {"typed": "Mia"}).status_code == 302
    assert logged_in(mia, CHILDS_PASSWORD).get("/lobby/").status_code == 200
    assert at_home.get(f"/children/{mia.pk}/").status_code == 404
    assert at_home.post(f"/children/{tom.pk}/delete/", {"typed": "Tom"}).status_code == 302
    assert not User.objects.get(pk=tom.pk).is_active


def test_the_closing_page_names_the_children_that_go_with_the_account(alice: User) -> None:
    child_of(alice)
    at_home = logged_in(alice)
    assert "The account of Mia" in text_of(at_home.get("/accounts/delete/"))
    at_home.post("/accounts/delete/", {"password": PASSWORD})
    assert not User.objects.filter(username="Mia").exists()


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"answers": ""}, "Only an adult"),
        ({"username": ""}, "This field is required"),
        ({"username": "alice"}, "taken"),
        ({"username": "x" * 99}, "20"),
        ({"username": "\x00\x07"}, ""),
        ({"password": "mia"}, ""),
        ({"password": "password"}, ""),
    ],
)
def test_an_account_that_cannot_be_is_refused_in_the_form(alice: User, form: dict[str, str], sentence: str) -> None:
    answer = made(logged_in(can_be_guardian(alice)), **form)
    assert answer.status_code == 400
    assert sentence in text_of(answer)
    assert not User.objects.filter(guardian=alice).exists()


@pytest.mark.parametrize("name", ["", "  ", "nobody", "Mia", "alice", "\x00", "x" * 500])
def test_a_person_who_cannot_be_allowed_is_not(alice: User, name: str) -> None:
    mia, at_home = child_of(alice), logged_in(alice)
    assert at_home.post(f"/children/{mia.pk}/people/", {"username": name}).status_code == 302
    for number in ("9" * 30, "-1", "1.5", "٣"):
        assert at_home.post(f"/children/{mia.pk}/people/remove/", {"remove": number}).status_code == 302
    assert not AllowedPerson.objects.exists()


def test_who_cannot_be_a_guardian_makes_no_account(alice: User, bob: User) -> None:
    EmailAddress.objects.all().delete()
    without = logged_in(bob)
    assert "First confirm your e-mail address" in text_of(without.get("/children/"))
    assert made(without).status_code == 200
    child = child_of(alice, "Tom", password=CHILDS_PASSWORD)
    assert made(logged_in(child, CHILDS_PASSWORD)).status_code == 403
    assert User.objects.filter(guardian__isnull=False).count() == 1


def test_a_guardian_keeps_no_more_than_ten(alice: User) -> None:
    for number in range(10):
        child_of(alice, f"Mia {number}{number}{number}")
    assert "as many children" in text_of(logged_in(alice).get("/children/"))
    assert made(logged_in(alice), username="Eleven").status_code == 400


def test_another_guardian_finds_no_such_child(alice: User, bob: User) -> None:
    mia, other = child_of(alice), logged_in(can_be_guardian(bob))
    for address in ("", "hand-over/", "delete/", "archive.zip"):
        assert other.get(f"/children/{mia.pk}/{address}").status_code == 404
    for address in (
        "people/",
        "phrases/",
        "link/",
        "password/",
        "logins/end/",
        "name/",
        "archive/",
        "hand-over/",
        "delete/",
    ):
        assert other.post(f"/children/{mia.pk}/{address}", {"typed": "Mia"}).status_code == 404
    assert User.objects.get(pk=mia.pk).guardian == alice
