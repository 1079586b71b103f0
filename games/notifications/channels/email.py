"""E-mail: to the address of the account, with a link that stops such messages."""

from collections.abc import Callable
from email.mime.image import MIMEImage
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.mail import unsubscribe
from accounts.mail.addresses import has_confirmed_address
from accounts.mail.handing_in import MailServerLateError, hand_in
from accounts.models import User
from games.notifications.channels.base import ChannelUnreachableError, DeliveryError
from games.notifications.kinds import EMAIL
from games.notifications.messages import Message

#: How a picture in a mail is called by the text around it.
PICTURE = "board"


class EmailChannel:
    """E-mails to people with an address, where they have not switched them off."""

    name, label = EMAIL, _("E-mail")
    players = Q(user__is_active=True, user__wants_turn_emails=True) & ~Q(user__email="")

    def is_offered(self) -> bool:
        """Return whether this site sends e-mails."""
        return bool(settings.EMAIL_IS_SET)

    def is_confirmed(self, user: User) -> bool:
        """Return whether the address is verified, where this site sends e-mails at all."""
        return bool(user.email) and (not settings.EMAIL_IS_SET or has_confirmed_address(user))

    def state(self, user: User) -> str:
        """Return where e-mails go, or why none are sent."""
        if not settings.EMAIL_IS_SET:
            return gettext("This site sends no e-mails.")
        if not user.email:
            return gettext("You have no e-mail address yet.")
        if not has_confirmed_address(user):
            return gettext("Your address is not confirmed yet. Until then you get no e-mails.")
        return gettext("E-mails go to %(address)s.") % {"address": user.email}

    def send(self, user: User, message: Message, taken: Callable[[], object]) -> None:
        """Send a message as an e-mail. One that is sent again has the same Message-ID."""
        mail = _mail(user, message, unsubscribe.link(user, message.kind))
        try:
            hand_in(mail, taken)
        except MailServerLateError as error:
            raise ChannelUnreachableError("by e-mail") from error
        except (OSError, SMTPException) as error:
            raise DeliveryError("by e-mail") from error


class _Letter(EmailMultiAlternatives):
    """A mail whose picture belongs to its page, and is no file that came along."""

    mixed_subtype = "related"


def _mail(user: User, message: Message, stop: str) -> EmailMultiAlternatives:
    """Return the e-mail as text and as a page, with the picture inside: nothing is loaded when it is read."""
    headers = {
        "Auto-Submitted": "auto-generated",
        "List-Id": f"{message.kind} <{message.kind}.{settings.PUBLIC_HOST}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Message-ID": f"<{message.key}@{settings.PUBLIC_HOST}>",
    }
    body = render_to_string("games/notifications/email.txt", {"text": message.text, "stop": stop})
    mail = _Letter(message.subject, body, to=[user.email], headers=headers)
    picture = message.draw() if message.draw else b""
    # A PNG begins with its width and height.
    width, height = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    source = f"cid:{PICTURE}" if picture else ""
    about = {"subject": message.subject, "link": message.link}
    context = {**about, "message": message, "stop": stop, "picture": source, "width": width, "height": height}
    mail.attach_alternative(render_to_string("games/notifications/email.html", context), "text/html")
    if picture:
        mail.attach(_inline(picture))
    return mail


def _inline(picture: bytes) -> MIMEImage:
    part = MIMEImage(picture, "png")
    part.add_header("Content-ID", f"<{PICTURE}>")
    part.add_header("Content-Disposition", "inline", filename="board.png")
    return part
