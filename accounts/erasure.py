"""Closing an account: the person goes, an anonymous row stays so that opponents' games stay whole."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts import names, signals, traditions
from accounts.bots.keeping import bot_accounts_of
from accounts.children.keeping import children_of
from accounts.database.deletions import delete_rows, deletions
from accounts.database.prepared import PreparedSave
from accounts.mail.confirmations import drop_confirmations_of
from accounts.mail.outbox import drop_mails_to
from accounts.mail.resets import drop_resets_of
from accounts.models import DIGEST_HOUR, OwnMark, OwnTint, Placing, Theme, User, Welcome
from accounts.personal.held import rows_that_go
from accounts.personal.listed import ACCOUNTS
from accounts.tokens import revoke_tokens

#: What goes with the person as it is, by the list of what is kept about people.
OWN_ROWS = deletions(rows_that_go(ACCOUNTS))
#: Made by plain SQL too: all columns of a person change.
_ANONYMOUS = PreparedSave(User)


def close_account(user: User) -> None:
    """Close the account for good, after the bots and children that the person answers for; again changes nothing.

    Each is closed in a transaction of its own: within one, games are locked from old to new. A bot or a child's account
    that is made meanwhile is closed too, for it locks the same row (`accounts.bots.keeping`). No child is left without
    a guardian. Before, what can be left by itself is (`account_leaving`): who breaks off there goes on from there.
    """
    signals.account_leaving.send(sender=User, user=user)
    while not _close_alone(user):
        for each in (*bot_accounts_of(user), *children_of(user)):
            _close_alone(each, kept_by=user)


def close_childs_account(guardian: User, child: User) -> bool:
    """Close the account of a child for good; return whether it was this guardian's, and not handed over meanwhile."""
    return _close_alone(child, kept_by=guardian)


@transaction.atomic
def _close_alone(user: User, kept_by: User | None = None) -> bool:
    """Close the account, if that person still answers for it, and return whether it is closed.

    It is not while the person has bots or keeps children's accounts.

    First `account_closing` is sent (its receivers resign the running games), then name, e-mail addresses,
    password, passkeys, codes, preferences, sessions and tokens go, then `sessions_ended` is sent after commit.
    """
    # The listeners lock games and the last update locks this row: no other order may be taken by anyone.
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if person.erased_at is not None:
        return True
    if kept_by is not None and kept_by.pk not in (person.operator_id, person.guardian_id):
        # A child's, which has just been handed over.
        return False
    if User.objects.filter(Q(operator=person) | Q(guardian=person), erased_at=None).exists():
        return False
    signals.account_closing.send(sender=User, user=person)
    kept = dict(EmailAddress.objects.filter(user=person).values_list("pk", "email"))
    known = {person.email, *kept.values()}
    drop_mails_to(known)
    drop_resets_of(known)
    drop_confirmations_of({*kept})
    _anonymise(person)
    delete_rows(person.pk, OWN_ROWS)
    revoke_tokens(person.pk)
    signals.tell_sessions_ended(person.pk)
    return True


def _anonymise(person: User) -> None:
    person.username = f"{names.GONE}-{get_random_string(10, names.NAME_LETTERS)}"
    person.login_name = person.login_key = None
    person.email = ""
    person.set_unusable_password()
    person.theme = Theme.SYSTEM
    person.own_mark, person.own_tint = OwnMark.LETTERS, OwnTint.GIVEN
    person.language = person.time_zone = ""
    person.quiet_from = person.quiet_until = None
    person.has_high_contrast = person.shows_ratings = False
    person.colour_names = traditions.USUAL
    person.placing = Placing.CONFIRM
    person.wants_turn_emails = False
    person.address_restored_at, person.dead_links = None, []
    person.keys_changed_at = None
    person.notice_choices, person.unread_notices = {}, 0
    person.digest_hour, person.digest_at = DIGEST_HOUR, None
    person.is_active = person.is_staff = person.is_superuser = False
    person.last_login = person.operator = person.guardian = None
    person.says_phrases = True
    person.is_moderator = person.has_decisions = person.has_archive = False
    person.silenced_until = person.suspended_until = None
    person.refused_names = []
    person.is_kept_apart = False
    person.invited_by = person.written_by = Welcome.EVERYONE
    person.seen_by = Welcome.PLAYED
    person.erased_at = timezone.now()
    _ANONYMOUS.save(person)
