"""A provider of OpenID Connect inside the tests: as the site asks it, honest or lying in one thing."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache
from django.test import Client

from accounts.sign_on.asking import BoundedSession

ISSUER = "https://login.example.org"
CLIENT, SECRET = "block-you", "a secret of the tests"
SIGN_ON, BACK, NAME = "/accounts/keys/sign-on/", "/accounts/keys/sign-on/back/", "/accounts/keys/sign-on/name/"
ADD, REMOVE, AGAIN = (f"/accounts/keys/sign-on/{each}/" for each in ("add", "remove", "again"))
KEY, STRANGE_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _each in range(2))

Change = Callable[[dict[str, Any]], object]


@dataclass
class Provider:
    """One that knows a person; what it says is changed before it is said.

    `asked` are the addresses that it was asked at. `fails` is raised for an address that ends so. `answers` are sent as
    they are, by the path; `kind` is what it says that they are.
    """

    subject: str = "otis-1"
    issuer: str = ISSUER
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    change_token: Change = lambda token: None
    change_words: Change = lambda words: None
    key: Any = KEY
    algorithm: str = "RS256"
    kid: str = "one"
    status: int = 200
    keys: list[Any] | None = None
    answers: dict[str, bytes] = field(default_factory=dict)
    kind: str = "application/json"
    fails: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)
    sent: dict[str, Any] = field(default_factory=dict)
    nonces: dict[str, str] = field(default_factory=dict)

    def answer(self, method: str, address: str, **more: Any) -> requests.Response:
        """Return what it answers."""
        path = urlsplit(address).path
        self.asked.append(path)
        if any(path.endswith(each) for each in self.fails):
            raise requests.ConnectTimeout("away")
        found = requests.Response()
        found.status_code = self.status
        if self.kind:
            found.headers["content-type"] = self.kind
        found._content = self.answers[path] if path in self.answers else json.dumps(self._says(path, more)).encode()
        return found

    def _says(self, path: str, more: dict[str, Any]) -> dict[str, Any]:
        if path.endswith("openid-configuration"):
            words = {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/auth",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/me",
            }
            self.change_words(words)
            return words
        if path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
            return {"keys": [{**public, "kid": "one", "use": "sig"}] if self.keys is None else self.keys}
        if path == "/me":
            return {"sub": self.subject, **self.userinfo}
        self.sent = more
        return {"access_token": "opens nothing", "token_type": "Bearer", "id_token": self._token(more["data"]["code"])}

    def _token(self, code: str) -> str:
        now = int(time.time())
        token = {"iss": self.issuer, "aud": CLIENT, "sub": self.subject, "iat": now, "exp": now + 300}
        token |= {"nonce": self.nonces[code], **self.claims}
        self.change_token(token)
        return jwt.encode(token, self.key, algorithm=self.algorithm, headers={"kid": self.kid})

    def comes_back(self, client: Client, place: str, code: str = "code-1", **more: str) -> Any:
        """Have the person log in at the address they were sent to; return how the site answers."""
        asked = {name: found[0] for name, found in parse_qs(urlsplit(place).query).items()}
        self.nonces[code] = asked["nonce"]
        return client.get(BACK, {"code": code, "state": asked["state"], **more})


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """A site with a sign-on, and its provider."""
    cache.clear()
    settings.SIGN_ON = {"issuer": ISSUER, "client": CLIENT, "secret": SECRET, "name": "School"}
    found = Provider()
    monkeypatch.setattr(BoundedSession, "request", lambda _self, *args, **more: found.answer(*args, **more))
    return found


def place_of(answer: Any) -> str:
    """Return where a page sends on to."""
    assert answer.status_code == 200, answer.content.decode()
    return str(answer.headers["Refresh"]).removeprefix("0; url=")


def signed_on(provider: Provider, client: Client, address: str = SIGN_ON, **sent: str) -> Any:
    """Go to the provider and come back; return how the site answers."""
    return provider.comes_back(client, place_of(client.post(address, sent)))
