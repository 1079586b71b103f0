"""What programs that go through the web look for at fixed addresses: where they may go, what is there, whom to tell."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.lines.entries import LINES
from games.roster.offered import offered_bots

#: Pages that are there for everybody, without a part in their address.
PAGES = ("home", "rules", "learn", "lobby", "bots", "openings", "puzzles", "api-page", "privacy")
#: Where nothing is to be found: forms, what belongs to one person, parts of pages, what costs much to draw.
#: Invitations are not among them: what shows a link's card in a chat reads them, and search engines read in them that
#: they are not to be listed (`noindex`).
CLOSED = ("accounts/", "api/v1/", "device/", "feeds/", "play-", "games/new/", "*/board/", "*.gif", "*.csv")
#: Who reports a hole looks here; after this time the file is to be read again (RFC 9116: less than a year).
GOOD_FOR = timedelta(days=90)


class PublicPages(Sitemap[tuple[str, tuple[str, ...]]]):
    """Pages that depend on nobody: the way in, rules, lessons, bots, openings. No person and no game is listed."""

    def get_domain(self, site: object = None) -> str:
        """Return where the public finds the site, whatever a request calls it."""
        return urlsplit(settings.PUBLIC_URL).netloc

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return whether that is with TLS."""
        return urlsplit(settings.PUBLIC_URL).scheme

    def items(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the names of the addresses with their parts."""
        bots = [("bot", (name,)) for name in offered_bots()]
        openings = [("opening", (line.key,)) for line in LINES.values()]
        return [*((name, ()) for name in PAGES), *bots, *openings]

    def location(self, item: tuple[str, tuple[str, ...]]) -> str:
        """Return the address of an item."""
        name, parts = item
        return reverse(name, args=parts)


@require_safe
@cache_control(max_age=3600, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Say which pages search engines may read: where the host wants none, only invitations, for the cards of links."""
    if not settings.SEARCH_ENGINES:
        return _text("User-agent: *\nDisallow: /\nAllow: /join/\n")
    closed = "".join(f"Disallow: /{path}\n" for path in CLOSED)
    return _text(f"User-agent: *\n{closed}\nSitemap: {settings.PUBLIC_URL}{reverse('sitemap')}\n")


@require_safe
@cache_control(max_age=3600, public=True)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say whom to tell of a hole in this site (RFC 9116), where its host has said so."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    # The same for a day: caches may keep it.
    until = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) + GOOD_FOR
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": until.isoformat(),
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": settings.PUBLIC_URL + reverse("security-txt"),
    }
    return _text("".join(f"{name}: {value}\n" for name, value in lines.items()))


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
