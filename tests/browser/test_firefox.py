"""In Firefox: a guest's first game, and reading it while the site is away."""

from pathlib import Path

import pytest

from tests.browser.firefox import FIREFOX, firefox
from tests.browser.site import Site
from tests.browser.test_offline import IS_KEPT

pytestmark = pytest.mark.skipif(not FIREFOX.exists(), reason="needs Debian's firefox-esr")


@pytest.mark.proof
def test_a_game_is_played_and_read_without_the_site(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "profile").mkdir()
    site = Site(tmp_path / "site")
    site.start()
    try:
        with firefox(tmp_path / "profile") as person:
            person.go(site.url)
            person.run("document.querySelector('form[action=\"/play-bots/\"] button').click()")
            person.wait_for("location.pathname.startsWith('/games/') && document.querySelector('#board')")
            path = person.run("location.pathname")
            # The worker that is installed by the first page stands between the next ones and the site.
            person.go(f"{site.url}/games/")
            person.wait_for("navigator.serviceWorker.controller")
            person.go(f"{site.url}/games/")
            person.wait_for(f"({IS_KEPT})('/games/')")
            person.go(site.url + path)
            person.wait_for(f"({IS_KEPT})('{path}')")
            site.kill()
            person.go(site.url + path)
            assert person.run("document.querySelectorAll('#board').length") == 1
            assert "You are offline." in str(person.run("document.querySelector('.told').textContent"))
            person.go(f"{site.url}/games/")
            assert person.run(f"document.querySelectorAll('main a[href=\"{path}\"]').length > 0")
    finally:
        site.kill()
