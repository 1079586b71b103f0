"""People and their sessions: one row a person, guests included."""

from datetime import UTC, datetime, time
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Col
from django.db.models.lookups import Exact, IExact
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import names, traditions

#: Until when an account is suspended that is so for good.
FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
#: The hour of the day at which a summary comes where no other was chosen.
DIGEST_HOUR = 8


class Theme(models.TextChoices):
    """How the pages are coloured."""

    SYSTEM = "system", _("Same as my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Placing(models.TextChoices):
    """When a piece that a player has placed on the board becomes a move."""

    CONFIRM = "confirm", _("With the Place button only")
    UNDO = "undo", _("With the button or a second tap, and three seconds to undo")
    DIRECT = "direct", _("With the button or a second tap, at once")


class OwnMark(models.TextChoices):
    """What stands in the face beside a person's name (`games.drawing.marks`)."""

    LETTERS = "", _("Letters of my name")
    CORNER = "corner", _("Corner")
    CROSS = "cross", _("Cross")
    STAIRS = "stairs", _("Stairs")
    TEE = "tee", pgettext_lazy("shape", "T")
    BOLT = "bolt", _("Bolt")
    SQUARE = "square", _("Square")
    RING = "ring", _("Ring")
    TRIANGLE = "triangle", _("Triangle")
    HEXAGON = "hexagon", _("Hexagon")
    STAR = "star", _("Star")
    WAVE = "wave", _("Wave")


class OwnTint(models.TextChoices):
    """The ground of that face, by its number in tokens.css."""

    GIVEN = "", pgettext_lazy("colour", "Any")
    ROSE = "0", _("Rose")
    APRICOT = "1", _("Apricot")
    SAND = "2", _("Sand")
    LIME = "3", _("Lime")
    MINT = "4", _("Mint")
    TEAL = "5", _("Teal")
    SKY = "6", _("Sky")
    SLATE = "7", _("Slate blue")
    LILAC = "8", _("Lilac")
    PINK = "9", _("Pink")


class NameKeyField(models.CharField[str, str]):
    """The key of the username, kept in step by every insert and save; no two people have the same.

    The shapes of a name that is new go with it; they stand after the key, so that they are stored after it.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key that belongs to the name as it is now."""
        name = getattr(model_instance, "username")  # noqa: B009  (the field serves any model with a username)
        value = names.key(name)
        if add or value != getattr(model_instance, self.attname):
            shape, shape_of_six = names.shapes(name)
            vars(model_instance).update(shape=shape, shape_of_six=shape_of_six)
        setattr(model_instance, self.attname, value)
        return value


class Welcome(models.TextChoices):
    """Whom a person lets invite them, write to them, or see when they were here (`games.base.welcome`)."""

    EVERYONE = "everyone", _("Everyone")
    PLAYED = "played", _("People you have played with, or follow")
    FOLLOWED = "followed", _("People you follow")
    NO_ONE = "no-one", _("No one")


class User(AbstractUser):
    """A person with or without a password; a guest has none until the account is claimed.

    `username` is the public name; no other name may look like it (`accounts.names`). A member may choose another one
    and goes on logging in with the first, the `login_name`. A deleted person keeps an anonymous row, so that opponents'
    games stay whole: `is_active` is False and `erased_at` is set.

    A bot account is a row too, with the person who answers for it as its `operator`: it has no password and no address,
    gets no session, and speaks only through its tokens (`accounts.bots`).
    """

    username = models.CharField(
        _("name"),
        max_length=names.LONGEST_USERNAME,
        unique=True,
        validators=[names.check],
        error_messages={"unique": _("This name is taken, or too similar to one that is. Choose another one.")},
    )
    name_key = NameKeyField(max_length=40, unique=True, editable=False)
    # No name may be chosen that has either in common with another (`names.shapes`). Null where an older account had it
    # when there were no shapes yet: both people keep their names.
    shape = models.CharField(max_length=80, null=True, unique=True, editable=False)  # noqa: DJ001
    shape_of_six = models.CharField(max_length=80, null=True, unique=True, editable=False)  # noqa: DJ001
    # What a member logs in with besides the public name, once that is another one; null until then. It was the member's
    # name without a break since it was chosen, and `is_name_taken` keeps it from all others: so no name is both.
    login_name = models.CharField(max_length=names.LONGEST_USERNAME, null=True, blank=True, editable=False)  # noqa: DJ001
    login_key = models.CharField(max_length=40, null=True, unique=True, editable=False)  # noqa: DJ001
    is_guest = models.BooleanField(default=False)
    # Null for people. The bots of a person are closed before their account is, and a closed one has none any more.
    operator = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="bots", db_index=False, editable=False
    )
    # The grown-up who has made this child's account and answers for it; null for everyone else (`accounts.children`).
    # The accounts of the children are closed before the guardian's is, and a closed one has none any more.
    guardian = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children", db_index=False, editable=False
    )
    # Whether a child may say the ready phrases at its tables; its guardian switches that.
    says_phrases = models.BooleanField(default=True, db_default=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True)
    # False as long as this person has blocked no one and was not blocked: then no page asks from whom they are kept
    # apart (`games.base.apart`). It may be true longer than that.
    is_kept_apart = models.BooleanField(default=False, db_default=False, editable=False)
    # May handle what people report; appointed by the host (`manage.py moderator`).
    is_moderator = models.BooleanField(default=False, db_default=False, editable=False)
    # Until when this person may write no words of their own, by a moderator's decision.
    silenced_until = models.DateTimeField(null=True, blank=True, editable=False)
    # Until when the person may do nothing here, by a moderator's decision (`FOR_GOOD`: always). A bot account
    # stops with its operator.
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)
    # Keys of the names that moderators have taken away: they are not chosen again.
    refused_names = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True, editable=False
    )
    # Whether moderators have decided something about the person, or their reports, that they have not read.
    has_decisions = models.BooleanField(default=False, db_default=False, editable=False)
    # When something about how the person logs in last changed (`AccountChange`); null for never.
    keys_changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Whether the archive that the person has asked for is there, and was not looked at yet.
    has_archive = models.BooleanField(default=False, db_default=False, editable=False)
    # What stands beside the name, wherever the person is seen.
    own_mark = models.CharField(
        max_length=8, choices=OwnMark.choices, default=OwnMark.LETTERS, db_default="", blank=True
    )
    own_tint = models.CharField(max_length=1, choices=OwnTint.choices, default=OwnTint.GIVEN, db_default="", blank=True)
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    has_high_contrast = models.BooleanField(default=False)
    colour_names = models.CharField(max_length=11, choices=traditions.Tradition.choices, default=traditions.USUAL)
    # Whether this person wants to read how strong the people at a table are.
    shows_ratings = models.BooleanField(default=False, db_default=False)
    # Who may invite this person by name; a rematch is no such invitation.
    invited_by = models.CharField(
        max_length=8, choices=Welcome.choices, default=Welcome.EVERYONE, db_default=Welcome.EVERYONE
    )
    # Who may write texts of their own where this person reads them; ready phrases are for all.
    written_by = models.CharField(
        max_length=8, choices=Welcome.choices, default=Welcome.EVERYONE, db_default=Welcome.EVERYONE
    )
    # Who may see when this person was here (`Presence`); a guest shows it to no one, whatever stands here.
    seen_by = models.CharField(max_length=8, choices=Welcome.choices, default=Welcome.PLAYED, db_default=Welcome.PLAYED)
    confirms_placement = models.BooleanField(default=True)
    can_undo_placement = models.BooleanField(default=False, db_default=False)
    language = models.CharField(max_length=8, blank=True)
    # A name of the IANA, empty until the browser has guessed it (`accounts.readers.zones`).
    time_zone = models.CharField(max_length=40, blank=True, default="", db_default="")
    # Between these times of each day, in the time zone above, clocks stand still and notices wait; both or neither.
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    wants_turn_emails = models.BooleanField(default=True)
    # When the e-mail address was last given back by a link to a former one (`accounts.mail.restoring`).
    address_restored_at = models.DateTimeField(null=True, blank=True)
    # In which times links that give a former address back were made that work no more: pairs of seconds.
    dead_links = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True, editable=False
    )
    # What the person has chosen to be notified of and how, by "<kind>.<channel>"; where nothing was chosen, what is
    # usual. By a channel alone: what is usual for all other kinds by this channel.
    notice_choices = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    # How many notices are listed on the site that the person has not seen.
    unread_notices = models.PositiveIntegerField(default=0, db_default=0)

    # The hour of the person's day at which the summary of waiting games comes, and when the next one is due; null for
    # none.
    digest_hour = models.PositiveSmallIntegerField(default=DIGEST_HOUR, db_default=DIGEST_HOUR)
    digest_at = models.DateTimeField(null=True, blank=True)

    # When this person was last here, as far as a reader may know: only what is read for a reader has it
    # (`games.base.welcome.last_here`).
    last_here: datetime | None = None

    first_name = None  # type: ignore[assignment]  # the public name is the only name asked for
    last_name = None  # type: ignore[assignment]

    class Meta(AbstractUser.Meta):
        indexes = [
            # allauth looks people up by the address in their row too.
            models.Index(fields=["email"], name="user_email"),
            # Guests who never played are looked for again and again.
            models.Index(fields=["id"], condition=models.Q(is_guest=True), name="user_guests"),
            models.Index(fields=["operator"], condition=models.Q(operator__isnull=False), name="user_bots"),
            models.Index(fields=["guardian"], condition=models.Q(guardian__isnull=False), name="user_children"),
            models.Index(fields=["digest_at"], condition=models.Q(digest_at__isnull=False), name="user_digest_due"),
            # Who may answer an appeal is looked for among moderators, who are few.
            models.Index(fields=["id"], condition=models.Q(is_moderator=True), name="user_moderators"),
        ]

    def __str__(self) -> str:
        return self.username

    @classmethod
    def is_name_taken(cls, name: str, *, but: int | None = None) -> bool:
        """Return whether the name of any person, but the one of this number, looks like this one. One query."""
        key, (shape, shape_of_six) = names.key(name), names.shapes(name)
        alike = cls._with_any(name_key=key, login_key=key, shape=shape, shape_of_six=shape_of_six)
        return cls.objects.filter(alike).exclude(pk=but).exists()

    @classmethod
    def bearing(cls, name: str) -> models.Q:
        """Return the condition that a person is called so, or like it, or logs in with such a name."""
        key = names.key(name)
        return cls._with_any(name_key=key, login_key=key)

    @classmethod
    def _with_any(cls, **keys: str) -> models.Q:
        """Return the condition that a person has one of these keys, each of which is looked up by its own index.

        Where one key is hardly anyone's, SQLite takes a plain `OR` for a condition that needs all people read.
        """
        first, *others = (cls.objects.filter(**{name: key}).order_by().values("pk") for name, key in keys.items())
        return models.Q(pk__in=first.union(*others, all=True))

    @property
    def all_names(self) -> tuple[str, ...]:
        """Return the public name, then the one that the member logs in with where that is another."""
        return (self.username, self.login_name) if self.login_name else (self.username,)

    def answers_to(self, name: str) -> bool:
        """Return whether the person is called so, or logs in with this name; case does not matter."""
        return any(names.is_same(each, name) for each in self.all_names)

    def rename(self, name: str) -> None:
        """Call the person so from now on; nothing is saved. A member still logs in with the name had first."""
        if not self.is_guest and not self.login_name and not names.is_same(self.username, name):
            self.login_name, self.login_key = self.username, names.key(self.username)
        self.username = name

    @classmethod
    def answering(cls, user_id: int) -> models.QuerySet["User", dict[str, Any]]:
        """Return the keys of a person and of the bot accounts they answer for, as a statement within another.

        A condition over two tables, theirs or of a bot of theirs, has SQLite and PostgreSQL go through all rows of one.
        """
        return cls.objects.filter(models.Q(pk=user_id) | models.Q(operator=user_id)).order_by().values("pk")

    @property
    def placing(self) -> Placing:
        """Return when a piece that this person places becomes a move."""
        if self.confirms_placement:
            return Placing.CONFIRM
        return Placing.UNDO if self.can_undo_placement else Placing.DIRECT

    @placing.setter
    def placing(self, placing: Placing) -> None:
        self.confirms_placement = placing == Placing.CONFIRM
        self.can_undo_placement = placing == Placing.UNDO

    @property
    def is_suspended(self) -> bool:
        """Return whether this person, or the one who answers for this bot, may do nothing here now.

        A query for a bot whose operator is not fetched.
        """
        until = (self.operator or self).suspended_until
        return until is not None and until > timezone.now()

    @staticmethod
    def acting(now: datetime, path: str = "") -> models.Q:
        """Return the condition that the person at this path, such as "user__", is not suspended; for a bot, itself."""
        return models.Q(**{f"{path}suspended_until": None}) | models.Q(**{f"{path}suspended_until__lte": now})

    def has_lost(self, name: str) -> bool:
        """Return whether a moderator has taken a name from this person that looks like this one."""
        shapes = {*names.shapes(name)}
        return any(not shapes.isdisjoint(names.shapes_of_key(key)) for key in self.refused_names)

    def save(self, *args: Any, update_fields: Any = None, **kwargs: Any) -> None:
        """Save the person; the key and the shapes of the name go with the name."""
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "name_key", "shape", "shape_of_six"}
        super().save(*args, update_fields=update_fields, **kwargs)

    @property
    def quiet_minutes(self) -> tuple[int, int]:
        """Return the quiet hours in minutes since midnight; both are 0 where there are none."""
        if self.quiet_from is None or self.quiet_until is None:
            return 0, 0
        return _minutes(self.quiet_from), _minutes(self.quiet_until)

    @property
    def lacks_own_name(self) -> bool:
        """Return whether this is a guest who has not said how to be called."""
        return self.is_guest and names.is_given(self.username)

    @property
    def is_bot(self) -> bool:
        """Return whether this is a bot account (no query)."""
        return self.operator_id is not None

    @property
    def is_noted(self) -> bool:
        """Return whether it is kept when this person was here: not of guests, bots or children, nor by their choice."""
        return not (self.is_guest or self.is_bot or self.is_child or self.seen_by == Welcome.NO_ONE)

    @property
    def is_child(self) -> bool:
        """Return whether this is a child's account, for which a guardian answers (no query)."""
        return self.guardian_id is not None

    @property
    def shown_name(self) -> str:
        """Return the public name in the reader's language; that of a bot account says that it is one."""
        return names.as_shown(self.username, is_bot=self.is_bot)

    def get_session_auth_hash(self) -> str:
        """Return what a session has to know of the password. Every login asks for it first, whatever led to it.

        Raises: PermissionDenied for a bot account, which no browser may be logged in as.
        """
        if self.is_bot:
            raise PermissionDenied
        return super().get_session_auth_hash()

    def get_full_name(self) -> str:
        """Return the public name: no one is asked for another."""
        return self.username

    def get_short_name(self) -> str:
        """Return the public name: no one is asked for another."""
        return self.username


def _minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute


class SameName(IExact):
    """`username__iexact`, which allauth asks for: names that differ in case alone have one key, and that is indexed."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """Return the condition on the name, after the one on its key where the name asked for is known."""
        sql, parameters = super().as_sql(compiler, connection)
        if not (isinstance(self.lhs, Col) and isinstance(self.rhs, str)):
            return sql, parameters
        key = Exact(Col(self.lhs.alias, User._meta.get_field("name_key")), names.key(self.rhs))
        key_sql, key_parameters = compiler.compile(key)
        return f"({key_sql} AND {sql})", [*key_parameters, *parameters]


User._meta.get_field("username").register_lookup(SameName)


class Session(AbstractBaseSession):
    """A browser's session that knows whose it is, so that all sessions of a person can be ended.

    No foreign key: the session engine takes a constraint that fails for a key in use, and would try for ever.
    """

    user_id = models.BigIntegerField(null=True, db_index=True)

    def __str__(self) -> str:
        return f"session of {self.user_id or 'nobody'}"

    @classmethod
    def get_session_store_class(cls) -> Any:
        """Return the engine that reads and writes these rows."""
        from accounts.sessions import SessionStore  # the engine imports this model

        return SessionStore


class Presence(models.Model):
    """When a person was last here: to the minute, and once that is a day ago to the day (its noon, UTC).

    Of people who show it to no one there is no row (`User.is_noted`). `accounts.presence` writes it.
    """

    person = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="+")
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.person_id} at {self.seen_at}"


class ChangeKind(models.TextChoices):
    """What has changed about how a person logs in."""

    CODES_ON = "codes-on", _("One-time codes switched on")
    CODES_OFF = "codes-off", _("One-time codes switched off")
    RECOVERY_MADE = "recovery-made", _("Recovery codes made")
    RECOVERY_USED = "recovery-used", _("A recovery code used")
    PASSKEY_ADDED = "passkey-added", _("Passkey added")
    PASSKEY_REMOVED = "passkey-removed", _("Passkey removed")
    SIGN_ON_ADDED = "sign-on-added", _("Log-in by this site's own sign-on added")
    SIGN_ON_REMOVED = "sign-on-removed", _("Log-in by this site's own sign-on removed")
    PASSWORD = "password", _("Password changed")
    PASSWORD_REMOVED = "password-removed", _("Password removed")
    EMAIL = "email", _("E-mail address changed")
    FACTORS_DROPPED = "factors-dropped", _("All passkeys and codes taken away")


class AccountChange(models.Model):
    """Something that changed about how a person logs in, and in which browser: "browser|system", or none."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=16)
    device = models.CharField(max_length=40, blank=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


class Mail(models.Model):
    """An e-mail about an account that has not been sent yet; its row goes with the sending.

    `body` is its text, `page` the same as HTML, empty for one that is text alone. `kind` is what is logged of it.
    `tries` have begun; the next may begin at `due_at`.
    """

    kind = models.CharField(max_length=60)
    to = models.EmailField(max_length=254)
    subject = models.TextField()
    body = models.TextField()
    page = models.TextField(default="", db_default="")
    posted_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class MailRequest(models.Model):
    """An e-mail that a page asked for and no job has written yet (`accounts.mail.requests`).

    `language` is that of the page on which it was asked for.
    """

    language = models.CharField(max_length=8)
    asked_at = models.DateTimeField(db_index=True)

    class Meta:
        """No table of its own: what is to be written to whom differs."""

        abstract = True

    def __str__(self) -> str:
        return f"request {self.pk}"


class ResetRequest(MailRequest):
    """A link for a new password (`accounts.mail.resets`). Whether an account has the address is not known here."""

    email = models.EmailField(max_length=254)


class ConfirmationRequest(MailRequest):
    """The first e-mail to the address of a new account (`accounts.mail.confirmations`).

    Whether another account has confirmed that address is not known here. `address_id` is a row of allauth's
    `EmailAddress`; no foreign key, for the request may outlive it, and then nothing is written.
    """

    address_id = models.BigIntegerField()


class Scope(models.TextChoices):
    """What a token lets a program do."""

    READ = "read", _("See what you can see: your games, tables and results")
    PLAY = "play", _("Play in your games: place, pass, resign")
    TABLES = "tables", _("Open tables, join, leave, and ask for a rematch")
    STUDIES = "studies", _("Keep studies, share them, delete them")
    # Stored as it was called at first.
    CHANNEL = "chat", _("Post the news of your games to a channel, or stop it")
    TALK = "talk", _("Read what is said at your tables, and say something there")
    NOTES = "notes", _("Read and change your notes about your games")
    PEOPLE = "people", _("Follow people and block them, and see whom you follow and have blocked")
    WEBHOOKS = "webhooks", _("Send the news of your games to an address of its own (webhooks)")

    @property
    def word(self) -> str:
        """Return what programs and documents call it."""
        return "channel" if self is Scope.CHANNEL else self.value


class ApiToken(models.Model):
    """What a program shows to act for a person (`accounts.tokens`). Of the secret only a digest is kept.

    `hint` are its first letters, by which its owner tells it from others. `scopes` are those of `Scope`. Before there
    was one for channels, tables included them: a token of that time keeps what it could do (`has_chat_by_tables`).
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=40)
    scopes = models.JSONField(default=list)
    # What the release before makes while both run is of that time too: it does not fill this.
    has_chat_by_tables = models.BooleanField(default=False, db_default=True)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"


class ChildLink(models.Model):
    """The link by which a guardian logs a child's device in, once (`accounts.children`); of its secret only a digest.

    A child has one at most: a new one ends the one before.
    """

    child = models.OneToOneField(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"link of {self.child_id}"
