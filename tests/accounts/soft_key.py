"""A device with passkeys, in software: what a browser answers to the questions of the site, right or broken."""

import hashlib
import json
import os
import re
import struct
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

ORIGIN = "https://testserver"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class SoftKey:
    """One passkey on a device."""

    credential_id: bytes = field(default_factory=lambda: os.urandom(16))
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: bytes = b""

    def make(self, options: dict[str, Any], *, origin: str = ORIGIN, flags: int = PRESENT | VERIFIED) -> str:
        """Return the answer to the question for a new passkey."""
        asked = options["publicKey"]
        self.user_handle = websafe_decode(asked["user"]["id"])
        public: Any = ES256
        key = cbor.encode(dict(public.from_cryptography_key(self.private.public_key())))
        attested = bytes(16) + struct.pack(">H", len(self.credential_id)) + self.credential_id + key
        data = self._data(asked["rp"]["id"], flags | ATTESTED) + attested
        said = {"attestationObject": websafe_encode(cbor.encode({"fmt": "none", "attStmt": {}, "authData": data}))}
        return self._answer(_client_data("webauthn.create", asked["challenge"], origin), said)

    def show(
        self, options: dict[str, Any], *, origin: str = ORIGIN, flags: int = PRESENT | VERIFIED, signs: bool = True
    ) -> str:
        """Return the answer to the question for this passkey."""
        asked = options["publicKey"]
        client = _client_data("webauthn.get", asked["challenge"], origin)
        data = self._data(asked["rpId"], flags)
        signed = data + hashlib.sha256(client).digest() + (b"" if signs else b"of something else")
        said = {
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(self.private.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": websafe_encode(self.user_handle),
        }
        return self._answer(client, said)

    def _data(self, site: str, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + bytes(4)

    def _answer(self, client: bytes, said: dict[str, str]) -> str:
        name = websafe_encode(self.credential_id)
        return json.dumps(
            {
                "id": name,
                "rawId": name,
                "type": "public-key",
                "clientExtensionResults": {},
                "response": {"clientDataJSON": websafe_encode(client), **said},
            }
        )


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()


def asked_on(client: Client, address: str) -> dict[str, Any]:
    """Return what the page there tells the browser to ask."""
    page = client.get(address, follow=True).content.decode()
    found: dict[str, Any] = json.loads(unescape(re.findall(r'data-options="([^"]+)"', page)[0]))
    return found


def asked_of_anyone(client: Client) -> dict[str, Any]:
    """Return what the log-in page tells the browser to ask."""
    found: dict[str, Any] = client.post("/accounts/keys/passkeys/options/").json()
    return found
