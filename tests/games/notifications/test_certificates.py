"""Who is told something proves by a certificate that they are whom the address names."""

import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.utils import timezone
from pytest_django import Settings

from games.notifications import outgoing as service
from games.notifications.outgoing import hand_over

pytestmark = pytest.mark.django_db


def certificate(folder: Path, address: str) -> Path:
    """Write a certificate for one address that only its own key has signed, with that key; return the file."""
    key, now = ec.generate_private_key(ec.SECP256R1()), timezone.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
    signed = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = folder / f"{address}.pem"
    file.write_bytes(secret + signed.public_bytes(Encoding.PEM))
    return file


@pytest.fixture(params=["127.0.0.1", "127.0.0.2"])
def certified(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the certificate of the one whom we ask for, then that of another."""
    return certificate(tmp_path, request.param)


@pytest.fixture
def taken() -> list[str]:
    """Return the paths that were asked for, as they come."""
    return []


@pytest.fixture
def port(certified: Path, taken: list[str], settings: Settings) -> Iterator[int]:
    """Serve with the certificate at 127.0.0.1; return the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            taken.append(self.path)
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_message: object) -> None:
            """Say nothing."""

    settings.PUSH_TO_LOOPBACK = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *_who: None  # type: ignore[method-assign]  # a refused certificate ends a request
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_certificate_that_no_one_vouches_for_is_sent_nothing(port: int, taken: list[str]) -> None:
    answer = hand_over(f"https://127.0.0.1:{port}/hook", b"{}", {}, now=timezone.now())
    assert (answer.status, taken) == (0, [])


def test_a_certificate_that_is_trusted_has_to_be_that_of_the_address(
    port: int, certified: Path, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_tls", lambda: ssl.create_default_context(cafile=str(certified)))
    answer = hand_over(f"https://127.0.0.1:{port}/hook", b"{}", {}, now=timezone.now())
    is_asked = certified.stem == "127.0.0.1"
    assert (answer.status, taken) == ((201, ["/hook"]) if is_asked else (0, []))
