"""Who sends: the site's own key and the token signed with it, by which push services know the site (RFC 8292)."""

import base64
import json
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

#: A token may hold for a day at most, and clocks differ.
TOKEN_HOLDS = timedelta(hours=12)


def new_push_key() -> str:
    """Return a new private key: the number, 32 bytes, in base64url."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return to_base64(number.to_bytes(32, "big"))


def public_key() -> str:
    """Return what browsers subscribe with, "" where the site has no key: a point of P-256 in base64url."""
    if not settings.PUSH_KEY:
        return ""
    point = _private_key(settings.PUSH_KEY).public_key()
    return to_base64(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def authorization(endpoint: str, now: datetime) -> str:
    """Return the header that says to the push service at `endpoint` who sends, and how to reach the host."""
    service = urlsplit(endpoint)
    claims: dict[str, str | int] = {
        "aud": f"{service.scheme}://{service.netloc}",
        "exp": int((now + TOKEN_HOLDS).timestamp()),
        "sub": settings.PUBLIC_URL if settings.IS_HTTPS else f"mailto:noreply@{settings.PUBLIC_HOST}",
    }
    return f"vapid t={_signed(claims)},k={public_key()}"


def to_base64(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Return what stands in base64url, with or without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _signed(claims: dict[str, str | int]) -> str:
    """Return the claims as a JSON Web Token signed with ES256."""
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    text = ".".join(to_base64(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    signature = _private_key(settings.PUSH_KEY).sign(text.encode(), ec.ECDSA(SHA256()))
    r, s = utils.decode_dss_signature(signature)
    return f"{text}.{to_base64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


@lru_cache(maxsize=1)
def _private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(from_base64(text), "big"), ec.SECP256R1())
