"""Who a request of a program acts for: the owner of the token it shows, else nobody. Cookies count for nothing here."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer

from accounts import limits
from accounts.models import Scope
from accounts.tokens import scopes_of, token_of_secret
from games.errors import NotSeated

#: How many requests a person's programs may send in a minute, and all together from one address without a token.
REQUESTS_A_MINUTE = 100

NO_TOKEN = _("This needs a token. Make one on your account page and send it as “Authorization: Bearer …”.")
BAD_TOKEN = _("This token is not valid: it was revoked, or its account is suspended. See your account page.")


class Door(HttpBearer):
    """Admits tokens that have a scope; if `is_public`, requests without a token too."""

    def __init__(self, scope: Scope, *, is_public: bool = False) -> None:
        super().__init__()
        self.scope, self.is_public = scope, is_public

    def __call__(self, request: HttpRequest) -> Any:
        """Authenticate the request, and count it against its limit."""
        request.user = AnonymousUser()
        if not request.headers.get(self.header):
            limits.count_use(f"api:{limits.client(request)}", REQUESTS_A_MINUTE, 60)
            if self.is_public:
                return request.user
            raise AuthenticationError(message=str(NO_TOKEN))
        found = super().__call__(request)
        if found is None:
            limits.count_use(f"api:{limits.client(request)}", REQUESTS_A_MINUTE, 60)
            raise AuthenticationError(message=str(BAD_TOKEN))
        return found

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Return the token of that secret, None if there is none; act for its owner from now on.

        Raises:
            NotSeated: its owner has not given it this scope.

        """
        found = token_of_secret(token.strip(), timezone.now())
        # The site's door counts a token that is no person's with visitors who have none.
        request.META["api.came_with_token"] = found is not None
        if found is None:
            return None
        limits.count_use(f"api:{found.user_id}", REQUESTS_A_MINUTE, 60)
        if self.scope not in scopes_of(found):
            sentence = _("This token may not do that: it needs the scope “%(scope)s”.") % {"scope": self.scope.word}
            raise NotSeated(sentence, code="scope")
        request.user = found.user
        return found


READING = Door(Scope.READ)
#: For what everybody may see.
LOOKING = Door(Scope.READ, is_public=True)
PLAYING = Door(Scope.PLAY)
#: For what everybody may do; a token that is shown has to have the scope.
TRYING = Door(Scope.PLAY, is_public=True)
SITTING = Door(Scope.TABLES)
KEEPING = Door(Scope.STUDIES)
POSTING = Door(Scope.CHANNEL)
TALKING = Door(Scope.TALK)
NOTING = Door(Scope.NOTES)
MEETING = Door(Scope.PEOPLE)
SENDING = Door(Scope.WEBHOOKS)
