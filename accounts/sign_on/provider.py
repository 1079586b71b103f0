"""The provider of the host's own sign-on: allauth's for OpenID Connect, believed only where it has signed what it says.

allauth makes the way there and back (state, PKCE, the code for the tokens). Here is what it leaves to others: the
provider has to be the one that the host has named, and the token has to be signed by it, for this site, for this very
log-in. Nothing is asked of the provider inside a transaction.
"""

import json
import logging
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import jwt
import requests
from allauth.account.internal.emailkit import valid_email_or_none
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, get_random_string

from accounts.sign_on.asking import BoundedSession
from accounts.sign_on.linked import provider_key

logger = logging.getLogger(__name__)

WELL_KNOWN = "/.well-known/openid-configuration"
#: How many seconds is remembered what the provider says of itself, and its keys; and how long it is not asked for a key
#: that it did not have.
KNOWN_FOR, KEYS_REST = 3600, 60
#: For how many seconds a provider that could not be reached is not asked again: whoever asks it waits for its answer.
AWAY_FOR = 20
#: How many seconds its clock may be off.
LEEWAY = 60
#: How a token may be signed: by a key of which the site knows only the public half.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
#: The longest number of a person that is taken, as allauth's table has room for it.
LONGEST_SUBJECT = 191
#: The end of the seconds that clocks of today count.
LAST_MOMENT = 2**53
#: What an address is made of, and the longest.
ADDRESS, LONGEST_PLACE = re.compile(r"[!-~]+"), 2000
#: What else is raised by what should be a key, and is a number, a list, half of one.
NO_KEY = (AttributeError, KeyError, NotImplementedError, OverflowError, TypeError, ValueError)
NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class ProviderAway(Exception):  # noqa: N818  (it says what has happened)
    """The provider does not answer, or with a failure of its own."""


class ProviderDoubted(Exception):  # noqa: N818  (it says what has happened)
    """What the provider says does not hold: it is another one, or it speaks of another log-in."""


class UnknownState(Exception):  # noqa: N818  (it says what has happened)
    """The answer belongs to no log-in that was begun in this browser, or to one that is over."""


class PersonDeclined(Exception):  # noqa: N818  (it says what has happened)
    """The person has said no, there."""


@dataclass(frozen=True)
class Claims:
    """What the provider has signed about a person.

    `email` is empty unless the provider has confirmed it. `shown_at` is when the person has last shown there who they
    are, in seconds, None where it does not say.
    """

    subject: str
    name: str
    email: str
    shown_at: float | None


class HostProvider(OpenIDConnectProvider):
    """allauth's provider, with the host's settings."""

    def get_oauth2_adapter(self, request: HttpRequest) -> "HostAdapter":
        """Return what speaks with it."""
        return HostAdapter(request, self)


class HostAdapter(OpenIDConnectOAuth2Adapter):
    """What speaks with the provider."""

    def __init__(self, request: HttpRequest, provider: HostProvider) -> None:
        super().__init__(request, provider.sub_id)
        self.own_provider = provider

    def get_provider(self) -> HostProvider:
        """Return the provider."""
        return self.own_provider

    @property
    def openid_config(self) -> Mapping[str, Any]:
        """Return what the provider says of itself.

        Raises: ProviderAway, ProviderDoubted.
        """
        return discovered()

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Return where it sends people back to, under the public address."""
        return f"{settings.PUBLIC_URL}{reverse('sign-on-back')}"


def host_provider(request: HttpRequest) -> HostProvider:
    """Return the provider that the host has set."""
    own = settings.SIGN_ON
    app = SocialApp(
        provider=OpenIDConnectProvider.id,
        provider_id=provider_key(),
        name=own["name"],
        client_id=own["client"],
        secret=own["secret"],
        settings={"server_url": own["issuer"], "oauth_pkce_enabled": True},
    )
    return HostProvider(request, app=app)


def authorization_url(request: HttpRequest, purpose: str, on: str, *, afresh: bool = False) -> str:
    """Return the address of the provider at which a person logs in, for one purpose, and note it in their session.

    `on` is where they go on to. Asked `afresh`, the provider has to ask them who they are, whatever it knows.

    Raises: ProviderAway, ProviderDoubted.
    """
    nonce = get_random_string(32)
    asked = {"nonce": nonce} | ({"max_age": "0", "prompt": "login"} if afresh else {})
    noted = {"nonce": nonce, "of": request.user.pk, "begun": time.time()}
    answer = host_provider(request).redirect(request, purpose, next_url=on, auth_params=asked, **noted)
    place, sent = str(discovered()["authorization_endpoint"]), str(answer.url)
    # allauth begins a query, where the address may have one already.
    return f"{place}&{sent[len(place) + 1 :]}" if "?" in place else sent


def read_callback(request: HttpRequest) -> tuple[dict[str, Any], Claims]:
    """Return what was noted when a person was sent to the provider, which holds once, and what it says of them.

    Raises: UnknownState, PersonDeclined, ProviderAway, ProviderDoubted.
    """
    provider = host_provider(request)
    noted = statekit.unstash_state(request, state_id=request.GET.get("state", ""), provider_id=provider.sub_id)
    if noted is None or noted["of"] != request.user.pk:
        raise UnknownState
    if request.GET.get("iss", settings.SIGN_ON["issuer"]) != settings.SIGN_ON["issuer"]:
        raise _doubted("the answer is of another issuer")
    if "error" in request.GET or "code" not in request.GET:
        if request.GET.get("error") == HostAdapter.login_cancelled_error:
            raise PersonDeclined
        raise _doubted("it refuses the log-in")
    tokens = _tokens(request, provider, noted)
    claims = _token_claims(str(tokens.get("id_token", "")), noted["nonce"])
    return noted, _person_claims(claims, str(tokens.get("access_token", "")))


def _tokens(request: HttpRequest, provider: HostProvider, noted: dict[str, Any]) -> Mapping[str, Any]:
    adapter = provider.get_oauth2_adapter(request)
    try:
        client = adapter.get_client(request, provider.app)
        found: Mapping[str, Any] = client.get_access_token(
            request.GET["code"], pkce_code_verifier=noted["pkce_code_verifier"]
        )
    except OAuth2Error as error:
        # Its sentence has what the provider has answered, which is for no log.
        raise _doubted("it gives no token for the code") from error
    except (requests.RequestException, ValueError, RecursionError) as error:
        raise _away("the token", error) from error
    except KeyError as error:
        # allauth reads what kind of text it is, which may not be said.
        raise _doubted("it does not say in what its tokens are written") from error
    if not isinstance(found, dict):
        raise _doubted("its tokens are no object")
    return found


def discovered() -> Mapping[str, Any]:
    """Return what the provider says of itself, from the cache for an hour; nothing while it rests after a failure.

    Raises: ProviderAway, ProviderDoubted.
    """
    issuer = settings.SIGN_ON["issuer"]
    name = f"sign-on:{provider_key()}"
    known = cache.get_many([name, away_name()])
    if away_name() in known:
        raise ProviderAway
    found: Mapping[str, Any] | None = known.get(name)
    if found is None:
        found = _read(issuer.rstrip("/") + WELL_KNOWN)
        if found.get("issuer") != issuer:
            raise _doubted("it says that it is another issuer")
        if not all(_is_sound(found.get(each), issuer) for each in NEEDED):
            raise _doubted("what it says of itself lacks an address")
        cache.set(name, found, KNOWN_FOR)
    return found


def _is_sound(address: object, issuer: str) -> bool:
    """Return whether an address may be asked: by TLS, as the issuer is."""
    if not isinstance(address, str) or len(address) > LONGEST_PLACE or not ADDRESS.fullmatch(address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == urlsplit(issuer).scheme and bool(parts.hostname)


def _read(address: str, token: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with BoundedSession() as session:
            answer = session.get(address, headers=headers)
        if answer.status_code != HTTPStatus.OK:
            raise requests.HTTPError(f"It answers {answer.status_code}.")
        found = json.loads(answer.content)
    except (requests.RequestException, ValueError, RecursionError) as error:
        raise _away(urlsplit(address).path, error) from error
    if not isinstance(found, dict):
        raise _doubted("it answers with no object")
    return found


def _token_claims(token: str, nonce: str) -> Mapping[str, Any]:
    """Return what a token says, once all of it holds (OpenID Connect Core 1.0, 3.1.3.7).

    Raises: ProviderAway, ProviderDoubted.
    """
    own = settings.SIGN_ON
    try:
        header = jwt.get_unverified_header(token)
        claims = _signed(token, header)
    except (jwt.PyJWTError, UnicodeEncodeError) as error:
        raise _doubted(f"its token does not hold: {type(error).__name__}") from error
    if not _is_written(claims):
        raise _doubted("its token has what no text or number is")
    audience = claims["aud"]
    if claims.get("azp", own["client"]) != own["client"] or (isinstance(audience, list) and len(audience) > 1):
        raise _doubted("its token is for other programs too")
    if not constant_time_compare(str(claims.get("nonce", "")), nonce):
        raise _doubted("its token is of another log-in")
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or "\x00" in subject:
        raise _doubted("its token names no person")
    return claims


def _is_written(claims: Mapping[str, Any]) -> bool:
    """Return whether all of it is text that can be stored and shown, and numbers that can be counted with."""
    try:
        text = json.dumps(claims, ensure_ascii=False, allow_nan=False)
        return bool(text.encode()) and "\\u0000" not in text
    except (ValueError, RecursionError):
        return False


def _signed(token: str, header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a token says that the provider has signed for this site, and that is not over.

    Raises: jwt.PyJWTError, ProviderAway, ProviderDoubted.
    """
    own, algorithm = settings.SIGN_ON, header.get("alg")
    if algorithm not in ALGORITHMS:
        raise _doubted("its token is signed by a way that is not taken")
    failure: jwt.PyJWTError = jwt.InvalidSignatureError("no key fits")
    for key in _keys(header.get("kid")):
        try:
            found: Mapping[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=own["client"],
                issuer=own["issuer"],
                leeway=LEEWAY,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except (jwt.InvalidSignatureError, jwt.InvalidKeyError) as error:
            failure = error
        except TypeError:
            # A key of another kind than the token says.
            continue
        else:
            return found
    raise failure


def _keys(kid: object) -> Iterator[Any]:
    """Yield the provider's keys of this name, or all where the token names none; a name that is new is asked for.

    Raises: ProviderAway, ProviderDoubted.
    """
    for each in _stored_keys(kid):
        if not _is_named(each, kid) or each.get("use", "sig") != "sig" or each.get("kty") == "oct":
            continue
        try:
            key = jwt.PyJWK(each).key
        except (jwt.PyJWTError, *NO_KEY):
            # A kind of key that is newer than this library, or none at all.
            continue
        yield key


def _stored_keys(kid: object) -> Sequence[dict[str, Any]]:
    """Return what the provider says of its keys, from the cache where a key of that name is there."""
    name = f"sign-on-keys:{provider_key()}"
    found: Sequence[dict[str, Any]] | None = cache.get(name)
    is_known = found is not None and any(_is_named(each, kid) for each in found)
    if found is not None and (is_known or not cache.add(f"{name}:asked", True, KEYS_REST)):
        return found
    answer = _read(discovered()["jwks_uri"]).get("keys")
    found = [each for each in answer if isinstance(each, dict)] if isinstance(answer, list) else []
    cache.set(name, found, KNOWN_FOR)
    return found


def _is_named(key: Mapping[str, Any], kid: object) -> bool:
    return kid is None or key.get("kid") == kid


def _person_claims(claims: Mapping[str, Any], access: str) -> Claims:
    """Return what is known of the person, the name and the address by the provider's own page where the token lacks
    them; that page may be away.
    """
    known = dict(claims)
    place = discovered().get("userinfo_endpoint")
    if access and not known.get("email") and _is_sound(place, settings.SIGN_ON["issuer"]):
        try:
            more = _read(str(place), access)
        except (ProviderAway, ProviderDoubted):
            more = {}
        if more.get("sub") == claims["sub"] and _is_written(more):
            known = {**more, **known}
    email = known.get("email") if known.get("email_verified") is True else ""
    shown_at = claims.get("auth_time")
    return Claims(
        subject=claims["sub"],
        name=str(known.get("preferred_username") or known.get("name") or "")[:100],
        email=(valid_email_or_none(email) or "") if isinstance(email, str) else "",
        shown_at=float(shown_at) if shown_at is not None and _is_moment(shown_at) else None,
    )


def _is_moment(value: object) -> bool:
    """Return whether it is a number of seconds that a clock may show."""
    return isinstance(value, int | float) and 0 < value < LAST_MOMENT


def away_name() -> str:
    """Return where the cache says that the provider could not be reached a moment ago."""
    return f"sign-on-away:{provider_key()}"


def _away(what: str, error: Exception) -> ProviderAway:
    """Return what is raised; one that does not answer at all is left alone for a while, by everybody."""
    if isinstance(error, requests.ConnectionError | requests.Timeout):
        cache.set(away_name(), True, AWAY_FOR)
    logger.warning("The provider of the sign-on does not answer (%s): %s.", what, type(error).__name__)
    return ProviderAway()


def _doubted(why: str) -> ProviderDoubted:
    logger.warning("The provider of the sign-on is not believed: %s.", why)
    return ProviderDoubted()
