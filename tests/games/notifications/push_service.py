"""A push service of our own on the loopback, and browsers that read what it is given.

It knows nothing of the code that sends: who signed is checked by RFC 8292, and a browser decrypts by RFC 8291 with HMAC
and AES alone.
"""

import base64
import hashlib
import hmac
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client
from django.utils import timezone

from games.models import PushSubscription


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """Return one block at most of what RFC 5869 derives."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")[:length]


@dataclass
class Device:
    """A browser: the address of its push service, and the keys that it tells of itself."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def form(self) -> dict[str, str]:
        """Return what the page sends when notices are switched on."""
        return {"endpoint": self.endpoint, "p256dh": encoded(self.point), "auth": encoded(self.secret)}

    def decrypt(self, body: bytes) -> bytes:
        """Return what was encrypted for this browser, as RFC 8291 and RFC 8188 describe it."""
        salt, length = body[:16], body[20]
        assert int.from_bytes(body[16:20], "big") >= len(body) - 21 - length
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), body[21 : 21 + length])
        info = b"WebPush: info\x00" + self.point + body[21 : 21 + length]
        secret = hkdf(self.secret, self.key.exchange(ec.ECDH(), sender), info, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\x00", 12)
        padded = AESGCM(key).decrypt(nonce, body[21 + length :], None).rstrip(b"\x00")
        assert padded.endswith(b"\x02")
        return padded[:-1]

    def read(self, post: "Post") -> dict[str, Any]:
        """Return the notice in what the service was given."""
        return json.loads(self.decrypt(post.body))


@dataclass
class Post:
    """What the service was given: which browser it is for, the headers, and what it cannot read."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Service:
    """The service: what it was given, and the answers it gives before it takes everything."""

    url: str
    posts: list[Post] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def switch_on(self, client: Client, name: str = "device") -> Device:
        """Switch notices on at the browser of someone who is logged in."""
        device = Device(f"{self.url}/{name}")
        assert client.post("/device/", device.form).status_code == 204
        return device

    def claims(self, post: Post, public_key: str, now: datetime | None = None) -> dict[str, Any]:
        """Return what the sender says of itself, once the signature has proved it and the token is for this service."""
        scheme, _space, text = post.headers["Authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in text.split(","))
        assert (scheme, parts["k"]) == ("vapid", public_key)
        signed, _dot, signature = parts["t"].rpartition(".")
        raw = decoded(signature)
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
        numbers = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
        point.verify(utils.encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
        head, claims = (json.loads(decoded(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        assert claims["aud"] == self.url
        assert 0 < claims["exp"] - (now or timezone.now()).timestamp() <= 24 * 3600
        return claims


@contextmanager
def push_service() -> Iterator[Service]:
    """Run a push service on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.posts.append(Post(self.path, dict(self.headers), body))
            status, headers = service.answers.pop(0) if service.answers else (201, {})
            self.send_response(status)
            for name, value in {**headers, "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_message: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = Service(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def subscription(client: Client) -> PushSubscription:
    """Return what is kept of a browser's device."""
    return PushSubscription.objects.get(session_key=client.session.session_key)


def topic_of(path: str) -> str:
    """Return the topic of a game's notices, by which a service drops those that are out of date."""
    return encoded(hashlib.sha256(path.encode()).digest())[:32]
