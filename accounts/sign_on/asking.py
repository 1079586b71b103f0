"""How the provider is asked: for a bounded time, for a bounded answer, and nowhere else than where it says it is."""

import os
import time
from typing import Any, cast

import requests
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter

#: How many seconds the provider has for a connection, for the next bytes, and for a whole answer.
CONNECT, READ, WHOLE = 2, 3, 5
#: The most bytes of an answer that are read.
MOST_BYTES_READ = 256 * 1024


class BoundedSession(requests.Session):
    """A client that follows no redirect, takes nothing from its surroundings, and stops reading in time."""

    def __init__(self) -> None:
        super().__init__()
        # No proxy of the environment and no password of a .netrc: the secret goes to the provider alone.
        self.trust_env = False
        self.max_redirects = 0
        self.verify = os.environ.get("SSL_CERT_FILE") or True

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Return the answer, read.

        Raises: requests.RequestException.
        """
        ends = time.monotonic() + WHOLE
        answer = super().request(*args, **{**kwargs, "timeout": (CONNECT, READ), "stream": True})
        body = b""
        try:
            while part := answer.raw.read1(65536, decode_content=True):
                body += part
                if len(body) > MOST_BYTES_READ or time.monotonic() > ends:
                    raise requests.Timeout("The answer does not end.")
        except requests.RequestException:
            raise
        except Exception as error:
            # urllib3 and what lies below it fail in ways of their own.
            raise requests.ConnectionError("The answer breaks off.") from error
        finally:
            answer.close()
        answer._content = body
        return answer


class SignOnAdapter(DefaultSocialAccountAdapter):
    """allauth's adapter of providers for Block-You, which knows one at most."""

    def get_requests_session(self) -> requests.Session:
        """Return what the provider is asked with."""
        return cast(requests.Session, BoundedSession())
