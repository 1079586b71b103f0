"""Telling a person that a program has set up a webhook for their games: a mail, since it is about no one game."""

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext

from accounts.mail.addresses import has_confirmed_address
from accounts.mail.letters import letter_to
from accounts.mail.outbox import post_mail
from games.events import WebhookAdded
from games.notifications.messages import as_read_by
from games.queries.notices.webhooks import receiver_made


def write_of_new_webhook(event: WebhookAdded) -> None:
    """Write to the person, or to the operator of the bot, for whose games a program has set up a webhook.

    No switch turns it off: whoever has taken a token must not be able to.
    """
    made = receiver_made(event.receiver_id)
    if made is None or made.token is None or not settings.EMAIL_IS_SET:
        return
    person = made.owner.operator or made.owner
    if not has_confirmed_address(person):
        return
    tokens = reverse("own-bot", args=[made.owner_id]) if made.owner.operator else reverse("api-tokens")
    with as_read_by(person):
        link = f"{settings.PUBLIC_URL}{reverse('own-webhooks')}"
        subject = gettext("A program has set up a webhook for your games")
        context = {
            "name": person.username,
            "subject": subject,
            "player": made.owner.username,
            "token": made.token.name,
            "address": made.address,
            "link": link,
            "tokens": f"{settings.PUBLIC_URL}{tokens}",
        }
        body = render_to_string("games/webhooks/made.txt", context)
        mail = letter_to(person, "new webhook", subject, body, {link: gettext("See your webhooks")})
    post_mail(mail.message, mail.kind, mail.page)
