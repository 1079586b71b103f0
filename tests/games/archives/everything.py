"""A person of whom the site keeps all that it can keep, with words that stand nowhere else."""

from datetime import date, time, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from accounts.models import (
    AccountChange,
    ApiToken,
    ChildLink,
    ConfirmationRequest,
    Mail,
    Presence,
    ResetRequest,
    User,
)
from accounts.tokens import make_token
from games.actions.notices.add_webhook import add_webhook
from games.actions.notices.renew_feed import renew_feed
from games.actions.notices.set_game_channel import set_game_channel
from games.actions.people.keep_note import keep_note
from games.actions.studies.create_study import create_study
from games.actions.tables.join_game import join_game
from games.base.setup import SeatSetup
from games.models import (
    Advice,
    AllowedPerson,
    Analysis,
    Appeal,
    Archive,
    ArchivePart,
    BlockedPerson,
    ChannelPost,
    DailyDigest,
    DailyPuzzle,
    Decision,
    Delivery,
    FollowedPerson,
    Game,
    Group,
    GroupChannel,
    Holiday,
    HolidayBook,
    ListVersion,
    Membership,
    Mistake,
    MutedPerson,
    Notice,
    Notification,
    Player,
    PlayerRating,
    PlayerReport,
    PushSubscription,
    PuzzleTry,
    RatedSeat,
    Reaction,
    Return,
    Review,
    ReviewPart,
    Seek,
    StandingTable,
    Study,
    StudyComment,
    StudyEditor,
    TableChange,
    TalkMessage,
    Thought,
    WebhookNotice,
)
from games.table import records
from tests.conftest import PASSWORD
from tests.games.one_device.tables import play_to_end, shared_game
from tests.games.tables import ME, NOON, OPEN, bot, fresh, invited, open_table, play_out, running

#: The names and addresses of the person, and their own words: each begins a text that stands nowhere else.
NAME, FIRST_NAME, ADDRESS = "Wilhelmina", "Zerbinetta", "wilma.zerbin@example.org"
WORDS = tuple(
    f"quincunx-{kind}"
    for kind in (
        "note",
        "study",
        "line",
        "report",
        "appeal",
        "branch",
        "token",
        "table",
        "bot",
        "child",
        "comment",
        "local",
        "passkey",
    )
)
NOTE, STUDY, LINE, REPORT, APPEAL, BRANCH, TOKEN, TABLE, BOT, CHILD, COMMENT, LOCAL, PASSKEY = WORDS
#: The browser in which the person is logged in.
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
#: What must not be told to anyone, the person's own archive included: it opens something.
SECRETS = ("wilma-endpoint", "wilma-device-key", "hooks.example.org")


def person_with_everything(bob: User, carol: User) -> User:
    """Return a person with a row of each kind that is in the lists, beside bob and carol."""
    person = _account()
    duel, table = _games(person, bob, carol)
    _own_words(person, bob, duel)
    _people(person, bob, carol)
    _moderation(person, bob, carol, duel)
    _ways_out(person, duel, table)
    _facts(person, bob, duel)
    # Only now: the others have invited the person.
    User.objects.filter(pk=person.pk).update(invited_by="followed", written_by="played", seen_by="everyone")
    return User.objects.get(pk=person.pk)


def _account() -> User:
    person = User.objects.create_user(FIRST_NAME, email=ADDRESS, password=PASSWORD)
    person.rename(NAME)
    person.theme, person.own_mark, person.own_tint, person.language = "dark", "star", "3", "fr"
    person.time_zone, person.quiet_from, person.quiet_until = "Europe/Paris", time(22), time(7)
    person.has_high_contrast, person.colour_names = True, "cyan-violet"
    person.confirms_placement, person.can_undo_placement, person.wants_turn_emails = False, True, True
    person.address_restored_at, person.notice_choices, person.unread_notices = NOON, {"turn.email": False}, 3
    person.digest_hour, person.digest_at, person.silenced_until = 5, NOON, NOON
    person.suspended_until, person.refused_names, person.has_decisions = NOON, ["quincunx"], True
    person.keys_changed_at = NOON
    person.is_kept_apart = person.has_archive = person.is_moderator = person.is_staff = person.is_superuser = True
    person.save()
    address = EmailAddress.objects.create(user=person, email=ADDRESS, verified=True, primary=True)
    Client(headers={"User-Agent": AGENT}).post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    make_token(person, TOKEN, [], NOON)
    Authenticator.objects.create(user=person, type="totp", data={"secret": SECRETS[0]})
    Authenticator.objects.create(user=person, type="webauthn", data={"name": PASSKEY, "credential": {"id": SECRETS[1]}})
    SocialAccount.objects.create(user=person, provider="school", uid="wilma-at-school")
    Presence.objects.create(person=person, seen_at=NOON)
    AccountChange.objects.create(user=person, kind="codes", device="Firefox|Linux", made_at=NOON)
    User.objects.create(username=BOT, operator=person)
    User.objects.create(username=CHILD, guardian=person)
    ChildLink.objects.create(child=person, digest=SECRETS[0], until=NOON)
    letter = {"subject": NAME, "body": f"{NAME} {ADDRESS}", "posted_at": NOON, "due_at": NOON}
    Mail.objects.create(kind="test", to=ADDRESS, **letter)
    ResetRequest.objects.create(email=ADDRESS, language="fr", asked_at=NOON)
    ConfirmationRequest.objects.create(address_id=address.pk, language="fr", asked_at=NOON)
    return person


def _games(person: User, bob: User, carol: User) -> tuple[Game, Game]:
    """Return a finished duel, and an open table of the person's own; they sit, are invited and play elsewhere too."""
    over = play_out(running(person, bob, variant="duo"))
    Thought.objects.create(move=over.moves.all()[0], engine="sage", level=5, simulations=1, milliseconds=1, value=0.5)
    running(bob, person, carol, variant="classic-3")
    play_to_end(shared_game(person, ME, SeatSetup(kind="local", local_name=LOCAL), variant="duo"))
    open_table(bob, ME, invited(NAME))
    open_table(person, bot(), bot(seed=2))
    table = open_table(person, ME, OPEN, variant="duo", name=f"{TABLE} {NAME}")
    join_game(carol, table.slug)
    return fresh(over), fresh(table)


def _own_words(person: User, bob: User, duel: Game) -> None:
    keep_note(person, duel.slug, f"{NOTE}, {NAME}", 0)
    study = create_study(person, records.game_record(person, duel.slug), title=f"{STUDY} {NAME}")
    Study.objects.filter(pk=study.pk).update(is_shared=True)
    create_study(bob, records.game_record(bob, duel.slug), title=f"Against {NAME}")
    other = Study.objects.get(owner=bob)
    StudyEditor.objects.create(study=other, person=person, let_in_at=NOON)
    StudyEditor.objects.create(study=study, person=bob, let_in_at=NOON)
    StudyComment.objects.create(study=study, author=person, move=0, text=f"{COMMENT} {NAME}", written_at=NOON)
    StudyComment.objects.create(study=other, author=person, move=1, text=COMMENT, written_at=NOON)
    StudyComment.objects.create(study=other, author=bob, move=1, text=f"Well seen, {NAME}", written_at=NOON)
    StudyComment.objects.create(study=study, author=bob, move=1, text=f"{NAME} wins", written_at=NOON)
    TalkMessage.objects.create(game=duel, author=person, text=LINE, created_at=NOON)
    TalkMessage.objects.create(game=duel, author=bob, text=f"Well done, {NAME}", created_at=NOON)
    placed = duel.moves.filter(placement__gt="")[:2]
    Reaction.objects.create(move=placed[0], author=person, word="nice", given_at=NOON)
    tree = {"nodes": [{"name": f"{BRANCH} {NAME}"}]}
    Analysis.objects.create(game=duel, user=person, tree=tree, changed_at=NOON)


def _people(person: User, bob: User, carol: User) -> None:
    AllowedPerson.objects.create(child=person, other=bob, asked_at=NOON, allowed_at=NOON)
    AllowedPerson.objects.create(child=carol, other=person, asked_at=NOON, allowed_at=NOON)
    for table, other in ((FollowedPerson, bob), (MutedPerson, carol), (BlockedPerson, carol)):
        table.objects.create(person=person, other=other, made_at=NOON)
        table.objects.create(person=other, other=person, made_at=NOON)
    group = Group.objects.create(owner=person, name=f"{NAME} and friends", made_at=NOON)
    for member in (person, bob):
        Membership.objects.create(group=group, person=member, joined_at=NOON)
    address = "https://hooks.example.org/wilma-group"
    GroupChannel.objects.create(group=group, owner=person, address=address, created_at=NOON)
    # Names of tables to come: in one's own group with one's name in a word, and in that of a companion.
    StandingTable.objects.create(group=group, variant="duo", terms={"name": f"{NAME}s Tisch"})
    evenings = Group.objects.create(owner=bob, name="Evenings", made_at=NOON)
    StandingTable.objects.create(group=evenings, variant="duo", terms={"name": f"Beat {NAME}"})


def _moderation(person: User, bob: User, carol: User, duel: Game) -> None:
    about = {"game": duel, "reason": "insult", "gravity": 1, "trust": 0, "made_at": NOON}
    quoted = {"words": REPORT, "shown": "Well done, as bob said"}
    PlayerReport.objects.create(reporter=person, person=bob, kind="line", thing="1", **quoted, **about)
    PlayerReport.objects.create(
        reporter=bob, person=person, kind="name", thing="2", words=f"{NAME}!", shown=NAME, **about
    )
    decision = Decision.objects.create(
        person=person, moderator=carol, measure="warn", reason="insult", words=f"No, {NAME}", shown=NAME, made_at=NOON
    )
    Appeal.objects.create(decision=decision, words=f"{APPEAL} {NAME}", made_at=NOON, answer=f"Well, {NAME}")


def _ways_out(person: User, duel: Game, table: Game) -> None:
    notice = Notification.objects.filter(user=person, game=duel)[0]
    Delivery.objects.get_or_create(notification=notice, channel="email")
    DailyDigest.objects.create(user=person, day=date(2026, 3, 1))
    endpoint, key, _address = SECRETS
    PushSubscription.objects.create(
        user=person,
        session_key=f"{key}-session",
        endpoint=f"https://{endpoint}/1",
        p256dh=key,
        auth=key,
        created_at=NOON,
    )
    renew_feed(person, language="fr", now=NOON)
    hook = set_game_channel(person, table.slug, "https://hooks.example.org/wilma-chat", now=NOON)
    ChannelPost.objects.create(channel=hook, occasion="over")
    add_webhook(person, "https://programs.example.net/in", now=NOON)
    address = "https://programs.example.net/other"
    WebhookNotice.objects.create(user=person, owner=person, token=TOKEN, address=address, created_at=NOON)


def _facts(person: User, bob: User, duel: Game) -> None:
    seat = Player.objects.get(game=duel, user=person)
    seat.quiet_hours = [[None, "Europe/Paris", 1320, 420]]
    seat.save()
    Advice.objects.create(player=seat, number=1, asked_at=NOON, choices=[])
    Return.objects.create(player=seat, number=1, returned_at=NOON)
    Notice.objects.create(player=seat, number=1, created_at=NOON)
    review = Review.objects.create(
        game=duel, asked_by=person, simulations=1, total=1, asked_at=NOON, changed_at=NOON, findings=[]
    )
    ReviewPart.objects.create(review=review, number=1, finding={})
    Mistake.objects.create(user=person, game=duel, number=1, cost=20, due_at=NOON)
    puzzle = DailyPuzzle.objects.create(
        day=NOON.date(), key="key", source="bots", kind="shut", variant="duo", moves=[], solutions=[[]], proof={}
    )
    PuzzleTry.objects.create(user=person, puzzle=puzzle, day=puzzle.day, tries=2, hints=1, solved_at=NOON)
    Seek.objects.create(
        person=person, variant="duo", pace="slow", is_rated=True, number=2, set_at=NOON, due_at=NOON, rests_until=NOON
    )
    HolidayBook.objects.create(user=person, seconds=100, counted_at=NOON, spends_itself=True)
    Holiday.objects.create(user=person, begins_at=NOON, ends_at=NOON + timedelta(days=1))
    rating = {"family": "duo", "points": 1500.0, "deviation": 80.0}
    PlayerRating.objects.update_or_create(user=person, family="duo", defaults={**rating, "games": 1})
    RatedSeat.objects.update_or_create(player=seat, defaults={"family": "duo", "points_before": 1500.0})
    TableChange.objects.create(game=duel, change="removed", person=person, changed_at=NOON)
    ListVersion.objects.get_or_create(owner=person.pk)
    archive = Archive.objects.create(user=person, language="fr", asked_at=NOON, made_at=NOON, parts=1, size=3)
    ArchivePart.objects.create(archive=archive, attempt=0, number=0, content=NAME.encode())
    assert ApiToken.objects.filter(user=person).exists()
