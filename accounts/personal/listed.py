"""What is kept about people beside their games: the account, its sessions, its e-mails, its tokens."""

from functools import partial

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken

from accounts.models import (
    AccountChange,
    ApiToken,
    ChildLink,
    ConfirmationRequest,
    Mail,
    Presence,
    ResetRequest,
    Session,
    User,
)
from accounts.personal.held import ArchivedText, Held
from accounts.sessions import BEGAN_ON, DEVICE, SLID_ON, stored_in

KEY = "a number that only this database knows"
SELF = "it is the person whose archive this is"
OPENS = "who has it can act for the person"
NEVER = "no host gives any: who is a moderator is said by a field of the account"
FOLLOWS = "follows from what the archive has"

ACCOUNTS: tuple[Held, ...] = (
    Held(
        User,
        "account",
        ("pk",),
        "username login_name email is_guest date_joined last_login is_moderator silenced_until suspended_until"
        " own_mark own_tint theme has_high_contrast colour_names invited_by written_by seen_by confirms_placement"
        " can_undo_placement"
        " language time_zone quiet_from quiet_until shows_ratings wants_turn_emails notice_choices digest_hour"
        " refused_names is_active is_staff is_superuser address_restored_at says_phrases",
        withheld=(
            ("id", KEY),
            ("password", OPENS),
            ("name_key login_key shape shape_of_six", "made from the name"),
            ("operator", "the bots of a person are listed as theirs, and no one asks for the archive of a bot"),
            ("guardian", "the guardian knows that, and the child reads it on its own page"),
            ("erased_at", "a closed account has no archive"),
            ("is_kept_apart has_decisions has_archive unread_notices digest_at keys_changed_at dead_links", FOLLOWS),
            ("groups user_permissions", NEVER),
        ),
        by="accounts.erasure._anonymise",
        blanked=(
            "username name_key shape shape_of_six password login_name login_key email theme own_mark own_tint"
            " language time_zone quiet_from quiet_until has_high_contrast colour_names confirms_placement"
            " can_undo_placement shows_ratings wants_turn_emails address_restored_at notice_choices unread_notices"
            " digest_at digest_hour is_active is_staff is_superuser last_login operator is_moderator"
            " has_decisions has_archive keys_changed_at silenced_until suspended_until refused_names is_kept_apart"
            " invited_by written_by seen_by guardian says_phrases dead_links erased_at groups user_permissions"
        ),
        stays=(
            ("id", "the games of others name it, and nothing knows any more whose it was"),
            ("date_joined", "a day, which leads to no one"),
            ("is_guest", "games count for no rating against who never had an account"),
        ),
    ),
    Held(User, "bots", ("operator",), "username date_joined is_active", goes=("operator",), by="close_account"),
    Held(User, "children", ("guardian",), "username date_joined is_active", goes=("guardian",), by="close_account"),
    Held(
        ChildLink,
        withheld=(("id child digest until", OPENS),),
        goes=("child",),
    ),
    Held(
        EmailConfirmation,
        withheld=(("id email_address created sent key", "never written: links are signed instead of stored"),),
        goes=("email_address__user",),
    ),
    Held(
        EmailAddress,
        "email-addresses",
        ("user",),
        "email verified primary",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(
        Session,
        "sessions",
        ("user_id",),
        "expire_date",
        withheld=(("session_key session_data", OPENS), ("user_id", SELF)),
        goes=("user_id",),
        texts=(
            ArchivedText("device", "session_data", partial(stored_in, name=DEVICE)),
            ArchivedText("began_on", "session_data", partial(stored_in, name=BEGAN_ON)),
            ArchivedText("seen_on", "session_data", partial(stored_in, name=SLID_ON)),
        ),
    ),
    Held(
        Presence,
        "presence",
        ("person",),
        "seen_at",
        withheld=(("person", SELF),),
        goes=("person",),
    ),
    Held(
        Authenticator,
        "keys",
        ("user",),
        "type created_at last_used_at",
        withheld=(("id", KEY), ("user", SELF), ("data", OPENS)),
        goes=("user",),
        texts=(ArchivedText("name", "data", lambda data: data.get("name")),),
    ),
    Held(
        SocialToken,
        withheld=(("id app account token token_secret expires_at", "none is ever kept"),),
        goes=("account__user",),
    ),
    Held(
        SocialAccount,
        "sign-ons",
        ("user",),
        "provider uid date_joined last_login",
        withheld=(("id", KEY), ("user", SELF), ("extra_data", "empty: what else the provider says is not kept")),
        goes=("user",),
    ),
    Held(
        AccountChange,
        "changes",
        ("user",),
        "kind device made_at",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(User.groups.through, withheld=(("id user group", NEVER),), goes=("user",)),
    Held(User.user_permissions.through, withheld=(("id user permission", NEVER),), goes=("user",)),
    Held(
        ApiToken,
        "tokens",
        ("user",),
        "name scopes has_chat_by_tables hint created_at used_at",
        withheld=(("id", KEY), ("user", SELF), ("digest", "made from a secret")),
        goes=("user",),
        by="accounts.tokens.revoke_tokens",
    ),
    Held(
        Mail,
        withheld=(("id kind to subject body page posted_at due_at tries", "goes as soon as the e-mail is sent"),),
        goes=("to",),
        by="accounts.mail.outbox.drop_mails_to",
    ),
    Held(
        ResetRequest,
        withheld=(("id language asked_at email", "goes as soon as the e-mail is written"),),
        goes=("email",),
        by="accounts.mail.resets.drop_resets_of",
    ),
    Held(
        ConfirmationRequest,
        withheld=(("id language asked_at address_id", "goes as soon as the e-mail is written"),),
        goes=("address_id",),
        by="accounts.mail.confirmations.drop_confirmations_of",
    ),
)

#: Tables that say nothing of a person, by their names, with the reason.
NO_PERSONS = {
    "admin.LogEntry": "the host's own pages only look: none is ever written",
    "socialaccount.SocialApp": "the provider is set by the environment: none is ever written",
    "auth.Group": "no host has made any",
    "auth.Group_permissions": "no host has made any",
    "auth.Permission": "made by the framework",
    "contenttypes.ContentType": "made by the framework",
    "sessions.Session": "the framework's own, which nothing writes: sessions are ours",
    "django_tasks_database.DBTaskResult": "jobs name rows by numbers, and go in an hour",
}
