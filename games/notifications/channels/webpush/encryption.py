"""Encrypting a message for one browser (RFC 8291), in one record of aes128gcm (RFC 8188)."""

import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

#: Push services take bodies of 4,096 bytes. Of those 86 go to the head, 16 to the tag and 1 to the delimiter.
RECORD = 4096
LONGEST_MESSAGE = RECORD - 86 - 16 - 1


def encrypt(
    plain: bytes, point: bytes, secret: bytes, *, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return the body to send for at most `LONGEST_MESSAGE` bytes.

    `point` and `secret` are the browser's `p256dh` (65 bytes, a point of P-256) and `auth` (16 bytes). Each message has
    a key and a salt of its own; only the example of RFC 8291 names them.

    Raises: ValueError for a point that is not on the curve, and for what is too long.
    """
    if len(plain) > LONGEST_MESSAGE:
        raise ValueError(f"{len(plain)} bytes are too long for a push message.")
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    key, salt = key or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    own = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = _derive(key.exchange(ec.ECDH(), theirs), secret, b"WebPush: info\0" + point + own, 32)
    content_key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!LB", RECORD, len(own)) + own
    return head + AESGCM(content_key).encrypt(nonce, plain + b"\x02", None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
