"""Sites on which people log in: one without e-mail, and one that sends e-mails and has a sign-on of its own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import SETTINGS
from tests.browser.keys.mailbox import Mailbox
from tests.browser.keys.school import CLIENT, SECRET, School
from tests.browser.people import People
from tests.browser.site import Site, new_site


def named(site: Site) -> str:
    """Return the site's address under a name: browsers keep no passkeys for a number."""
    return f"http://localhost:{site.port}"


@pytest.fixture(scope="session")
def keys_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a site without e-mail."""
    running = new_site(
        tmp_path_factory.mktemp("keys"), DJANGO_SETTINGS_MODULE=SETTINGS, ALLOWED_HOSTS="localhost,127.0.0.1"
    )
    running.start()
    yield running
    running.stop()


@pytest.fixture
def site(keys_site: Site) -> Site:
    """Return the site of the test, whose log is shown with a failure."""
    return keys_site


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[People]:
    """Return who sits at browsers there."""
    group = People(browser, named(site))
    yield group
    group.leave()


@pytest.fixture(scope="session")
def school() -> Iterator[School]:
    """Return a provider of log-ins."""
    with School() as found:
        yield found


@pytest.fixture(scope="session")
def mail_site(tmp_path_factory: pytest.TempPathFactory, school: School) -> Iterator[Site]:
    """Return a site that sends e-mails, and at which people of the school log in too."""
    folder = tmp_path_factory.mktemp("mail")
    running = new_site(
        folder,
        DJANGO_SETTINGS_MODULE=SETTINGS,
        ALLOWED_HOSTS="localhost,127.0.0.1",
        EMAIL_URL=f"file://{folder / 'mails'}",
        OIDC_ISSUER=school.issuer,
        OIDC_CLIENT=CLIENT,
        OIDC_SECRET=SECRET,
        OIDC_NAME="School",
    )
    running.environment["PUBLIC_URL"] = named(running)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def mailbox(mail_site: Site) -> Mailbox:
    """Return the e-mails of that site."""
    return Mailbox(mail_site.folder / "mails")


@pytest.fixture
def writers(browser: Browser, mail_site: Site) -> Iterator[People]:
    """Return who sits at browsers there."""
    group = People(browser, named(mail_site))
    yield group
    group.leave()
