"""The same texts in what people say of themselves and each other: many on each page, as names, groups, branches and
comments.

Run as a program in a site's surroundings it writes them into the site's database, past every check of what may be
typed, and prints as JSON where they are seen, by what each of them is.
"""

import json
import random
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from tests.browser.marked_up import LETTERS, SCRIPTS, letters_about
from tests.browser.people import PASSWORD
from tests.browser.site import ROOT, Site

#: So many rows a page of decisions, of reports or of a table's talk shows at least.
A_PAGE = 30
#: So many lines around a reported one moderators read, and so many texts stand in one row where pages show few rows.
AROUND, IN_ONE = 6, 3
#: What stands beside the same texts on its pages.
APART = ("answers", "record", "appeals", "behind", "around", "guarded")


@dataclass(frozen=True)
class MarkedCircle:
    """Where the texts are seen: by what they are, the pages that show all of them together.

    `names` are the texts as names of people and children are. `outlets` are addresses that are no pages, each with how
    its answer has to begin. `session` is one of the reader's, in which they have shown a second factor, as moderators
    have to.
    """

    reader: str
    pages: dict[str, list[str]]
    names: list[str]
    letters: list[str]
    outlets: dict[str, str]
    token: str
    session: str

    @classmethod
    def on(cls, site: Site) -> "MarkedCircle":
        """Fill the site."""
        command = [sys.executable, "-m", "tests.browser.marked_circle"]
        told = subprocess.check_output(command, cwd=ROOT, env=site.surroundings(), text=True, timeout=240)
        return cls(**json.loads(told.splitlines()[-1]))


def main() -> None:
    """Fill the database of the site that we are in, and say where what is seen."""
    import django

    django.setup()
    from allauth.account.models import EmailAddress
    from django.utils import timezone

    from accounts.models import Scope, User
    from accounts.tokens import make_token
    from games.actions.notices.renew_feed import renew_feed
    from games.models import Notification
    from games.table import seats

    seats.MAX_GAMES = 4 * len(SCRIPTS)
    now = timezone.now()
    reader = User.objects.create_user("circle", "circle@example.org", PASSWORD)
    User.objects.filter(pk=reader.pk).update(is_moderator=True)
    EmailAddress.objects.create(user=reader, email=reader.email, verified=True, primary=True)
    people = [_person(f"w{number}", number) for number in range(len(SCRIPTS))]
    pages = {
        **_watched(reader, people, now),
        **_devices(reader),
        **_people(reader, people, now),
        **_groups(reader, people, now),
        **_decisions(reader, people, now),
        **_children(reader, people, now),
        **_tables(reader, people, now),
        **_studies(reader, people),
    }
    letters = [letter for each in Notification.objects.filter(user=reader)[:70] for letter in letters_about(each)]
    secret = renew_feed(reader, language="", now=now)
    told = {
        "session": _session(reader),
        "reader": reader.username,
        "pages": pages,
        "names": [_name(number) for number in range(len(SCRIPTS))],
        "letters": letters,
        "outlets": {
            f"/feeds/{secret}/notices.atom": "application/atom+xml",
            f"/feeds/{secret}/deadlines.ics": "text/calendar",
            "/api/v1/groups": "application/json",
            "/api/v1/people": "application/json",
            "/api/v1/studies": "application/json",
        },
        "token": make_token(reader, "walk", [*Scope], now),
    }
    sys.stdout.write(json.dumps(told))


def marked(kind: str, script: str) -> str:
    """Return the text as it stands in what is of that kind, where the same page shows the script itself too."""
    return f"{kind}: {script}" if kind in APART else script


def _session(reader: Any) -> str:
    """Return the secret of a session of the reader's."""
    from django.test import Client

    from tests.accounts.factors import show_factor, with_codes

    with_codes(reader)
    browser = Client()
    browser.force_login(reader)
    show_factor(browser, reader)
    return browser.cookies["sessionid"].value


def _name(number: int) -> str:
    """Return the text as a name: without a slash, and without what a line cannot have; none of `MarkedUp`'s."""
    first = f"y{LETTERS[number // len(LETTERS)]}{LETTERS[number % len(LETTERS)]}"
    return first + " ".join(SCRIPTS[number].replace("/", "|").split())


def _person(login: str, number: int, **facts: Any) -> Any:
    from accounts import names
    from accounts.models import User

    made = User.objects.create_user(login, **facts)
    # Children are called as others are, but for their first letter.
    name = _name(number) if "guardian" not in facts else f"z{_name(number)}"
    User.objects.filter(pk=made.pk).update(username=name, login_name=name, name_key=names.key(name))
    return User.objects.get(pk=made.pk)


def _people(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    from accounts.models import Presence, User
    from games.models import FollowedPerson, MutedPerson

    User.objects.filter(pk=reader.pk).update(seen_by="everyone")
    Presence.objects.create(person=reader, seen_at=now)
    for person in people:
        FollowedPerson.objects.create(person=reader, other=person, made_at=now)
        FollowedPerson.objects.create(person=person, other=reader, made_at=now)
        MutedPerson.objects.create(person=reader, other=person, made_at=now)
        User.objects.filter(pk=person.pk).update(seen_by="everyone")
        Presence.objects.create(person=person, seen_at=now)
    paths = [f"/people/?page={page}" for page in (1, 2, 3)]
    return {"people": paths, "muted": [f"/muted/?page={page}" for page in (1, 2, 3)]}


def _groups(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    from games.models import Group, Membership

    paths = []
    for number, (script, person) in enumerate(zip(SCRIPTS, people, strict=True)):
        group = Group.objects.create(owner=person, name=script, made_at=now)
        Membership.objects.create(group=group, person=person, joined_at=now)
        # Half of them a member sees, the others whoever has the link: each kind in both languages, which take turns.
        is_member = number // 2 % 2
        paths.append(f"/groups/{group.slug}/" if is_member else f"/groups/join/{group.invite_token}/")
        if is_member:
            Membership.objects.create(group=group, person=reader, joined_at=now)
    club = Group.objects.create(owner=reader, name="Club", made_at=now)
    for person in (reader, *people):
        Membership.objects.create(group=club, person=person, joined_at=now)
    members = [f"/groups/{club.slug}/members/?page={page}" for page in (1, 2, 3)]
    return {"groups": paths, "members": members}


def _decisions(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    from accounts.models import User
    from games.models import Appeal, Decision, PlayerReport

    judge, rude = User.objects.create_user("judge"), User.objects.create_user("rude")
    warned = {"moderator": judge, "measure": "warn", "reason": "other", "made_at": now}
    appeals, closed = [], {"made_at": now, "closed_at": now, "is_granted": False}
    for number, (script, person) in enumerate(zip(SCRIPTS, people, strict=True)):
        made = Decision.objects.create(person=person, words=marked("record", script), shown=script, **warned)
        # The queue shows the first fifty of them, and the cases of the others.
        at = now + timedelta(microseconds=number)
        appeals.append(Appeal.objects.create(decision=made, words=marked("appeals", script), made_at=at))
        led = {"kind": "name", "thing": f"b{number}", "reason": "other", "gravity": 1, "trust": 0, "made_at": now}
        words, ended = marked("behind", script), {"closed_at": now, "is_upheld": True}
        PlayerReport.objects.create(reporter=rude, person=person, words=words, **led, **ended)
        if number >= A_PAGE:
            about = {"kind": "name", "thing": f"n{number}", "reason": "other", "gravity": 1, "trust": 0, "made_at": now}
            PlayerReport.objects.create(reporter=rude, person=person, **about)
    for number in range(A_PAGE):
        said = {"words": SCRIPTS[number], "shown": SCRIPTS[number + A_PAGE]}
        made = Decision.objects.create(person=reader, **said, **warned)
        answer = " ".join(marked("answers", each) for each in said.values())
        Appeal.objects.create(decision=made, words="x", answer=answer, **closed)
    for number, (script, person) in enumerate(zip(SCRIPTS, people, strict=True)):
        about = {"kind": "name", "thing": f"t{number}", "reason": "other", "gravity": 1, "trust": 0, "made_at": now}
        quoted = {"words": script, "shown": script}
        PlayerReport.objects.create(reporter=person, person=rude, **quoted, **about)
    _talk_around(judge, rude, people, now)
    return {
        "decisions": ["/decisions/"],
        "answers": ["/decisions/"],
        "case": [f"/moderation/cases/{rude.pk}/"],
        "queue": ["/moderation/"],
        "record": [f"/moderation/record/?page={page}" for page in (1, 2, 3, 4, 5)],
        "appeals": [f"/moderation/appeals/{each.pk}/" for each in appeals],
    }


def _talk_around(reporter: Any, rude: Any, people: list[Any], now: Any) -> None:
    """Report what one has said at a table, where the texts were said before it and after it."""
    from games.models import PlayerReport, TalkMessage
    from tests.games.tables import running

    game = running(rude, people[0], is_public=False, now=now)

    def say(author: Any, text: str) -> Any:
        return TalkMessage.objects.create(game=game, author=author, text=text, created_at=now)

    for number in range(0, len(SCRIPTS), AROUND):
        reported = None
        for place, script in enumerate(SCRIPTS[number : number + AROUND]):
            if 2 * place == AROUND:
                reported = say(rude, "x")
            say(people[number + place], marked("around", script))
        assert reported
        about = {"kind": "line", "thing": f"line-{reported.pk}", "game": game, "message": reported, "shown": "x"}
        weight = {"reason": "other", "gravity": 1, "trust": 0, "made_at": now}
        PlayerReport.objects.create(reporter=reporter, person=rude, **about, **weight)


def _children(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    from accounts.models import User
    from games.models import AllowedPerson, Decision

    judge = User.objects.get(username="judge")
    for number in range(len(SCRIPTS)):
        kid = _person(f"k{number}", number, guardian=reader)
        if number % IN_ONE == 0:
            words = " ".join(marked("guarded", script) for script in SCRIPTS[number : number + IN_ONE])
            told = {"measure": "warn", "reason": "other", "made_at": now}
            Decision.objects.create(person=kid, moderator=judge, words=words, **told)
    child = User.objects.create_user("kim", guardian=reader)
    for number, person in enumerate(people):
        allowed = now if number % 2 else None
        AllowedPerson.objects.create(child=child, other=person, asked_at=now, allowed_at=allowed)
    return {"children": ["/children/"], "allowed": [f"/children/{child.pk}/"], "guarded": ["/decisions/"]}


def _tables(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    from games.actions.analysis.extend_branch import extend_branch
    from games.base import positions
    from games.base.branches import Tried
    from games.models import Analysis, Notification, Occasion, Reaction, TalkMessage
    from tests.games.tables import advance, fresh, running

    talks, moves = [], []
    for part in (0, 1):
        game = fresh(advance(running(reader, people[part], is_public=False, now=now), random.Random(part)))
        talks.append(f"/games/{game.slug}/talk/")
        for script in SCRIPTS[part * A_PAGE : (part + 1) * A_PAGE]:
            # Muted people are not read.
            TalkMessage.objects.create(game=game, author=reader, text=script, created_at=now)
    for number in range(0, len(SCRIPTS), 3):
        three = people[number : number + 3]
        game = fresh(advance(running(reader, *three, variant="classic-4", now=now), random.Random(number)))
        move = game.moves.filter(seat=0).first()
        assert move
        for person in three:
            Reaction.objects.create(move=move, author=person, word="nice", given_at=now)
            Notification.objects.record(Occasion.INVITED, game, [reader.pk], now, event=person.pk, other=person.pk)
        moves.append(f"/games/{game.slug}/moves/{move.number}/reaction/")
    # A board on which there are as many ways to begin.
    game = fresh(running(reader, people[0], variant="trigon-2", now=now))
    for placement in positions.position_of(game).legal_placements()[: len(SCRIPTS)]:
        extend_branch(reader, game.slug, move=str(placement), after=0)
    kept = Analysis.objects.get(game=game, user=reader)
    kept.tree["tried"] = [
        list(Tried(*each)._replace(name=script)) for each, script in zip(kept.tree["tried"], SCRIPTS, strict=False)
    ]
    kept.save()
    games = [path.partition("moves/")[0] for path in moves]
    return {
        "talk": talks,
        "reactions": moves,
        "players": games,
        "accused": [f"{path}report/" for path in games],
        "reported": _reported(reader, now),
        "branches": [f"/games/{game.slug}/analysis/"],
    }


def _reported(reader: Any, now: Any) -> list[str]:
    """Return the forms of reports about lines that one whom the reader has not muted has said."""
    from accounts.models import User
    from games.models import TalkMessage
    from tests.games.tables import running

    judge, paths = User.objects.get(username="judge"), []
    game = running(reader, judge, is_public=False, now=now)
    for number in range(0, len(SCRIPTS), IN_ONE):
        text = " ".join(SCRIPTS[number : number + IN_ONE])
        line = TalkMessage.objects.create(game=game, author=judge, text=text, created_at=now)
        paths.append(f"/games/{game.slug}/talk/{line.pk}/report/")
    return paths


def _watched(reader: Any, people: list[Any], now: Any) -> dict[str, list[str]]:
    """Let what was said among those who watched be read by a player, once the game is over."""
    from games.actions.moves.resign import resign
    from games.models import TalkMessage
    from tests.games.tables import running

    paths = []
    for part in (0, 1):
        game = running(reader, people[part], now=now)
        resign(reader, game.slug)
        for script in SCRIPTS[part * A_PAGE : (part + 1) * A_PAGE]:
            TalkMessage.objects.create(game=game, author=reader, audience="watchers", text=script, created_at=now)
        paths.append(f"/games/{game.slug}/talk/watchers/")
    return {"watchers": paths}


def _devices(reader: Any) -> dict[str, list[str]]:
    """Begin games on one device, each with four of the texts as names of its people."""
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.models import Player

    paths = []
    for number in range(0, len(SCRIPTS), 4):
        seats = (SeatSetup(kind="me"), *(SeatSetup(kind="local", local_name=name) for name in ("Bea", "Cem", "Dan")))
        game = create_game(reader, GameSetup(variant="blockyou-4", seats=seats, is_public=False))
        for seat, script in zip(game.players.order_by("seat"), SCRIPTS[number : number + 4], strict=True):
            # No line has a control character, and a feed can have none.
            Player.objects.filter(pk=seat.pk).update(local_name=" ".join(script.split()))
        paths.append(f"/games/{game.slug}/")
    # The page of the game names the one who is to take the device, the replay all.
    return {"devices": [*paths, *(f"{path}replay/" for path in paths)]}


def _studies(reader: Any, people: list[Any]) -> dict[str, list[str]]:
    from games.actions.studies.create_study import create_study
    from games.models import Game, Study, StudyComment
    from games.table.records import game_record

    game = Game.objects.filter(creator=reader, move_count__gt=0).first()
    assert game
    study = create_study(reader, game_record(reader, game.slug))
    rows = [Study(owner=reader, title=script, record=study.record, variant=study.variant) for script in SCRIPTS]
    for row in rows:
        row.created_at = study.created_at
    Study.objects.bulk_create(rows)
    # As whoever comments on a study changes it. The reader has muted all others.
    Study.objects.filter(pk=study.pk).update(edition=2)
    StudyComment.objects.bulk_create(
        StudyComment(study=study, author=reader, move=0, text=script, written_at=study.created_at) for script in SCRIPTS
    )
    return {"studies": [f"/studies/{row.slug}/" for row in rows], "comments": [f"/studies/{study.slug}/"]}


if __name__ == "__main__":
    main()
