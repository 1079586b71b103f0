"""The host's pages in a real browser: Django's admin works under the site's policy, which has nothing to stop."""

import subprocess
import sys

from tests.browser.factors import switch_on_codes
from tests.browser.people import People
from tests.browser.site import ROOT, Site


def test_the_host_looks_at_games_and_people_without_a_complaint(people: People, site: Site) -> None:
    host = people.arrive("harriet")
    host.sign_up()
    switch_on_codes(host)
    promote = [sys.executable, "manage.py", "staff", host.name]
    subprocess.run(promote, cwd=ROOT, env=site.surroundings() | {"SECRET_KEY": ""}, check=True, timeout=60)
    game = host.open_table("duo", "bot:random").split("/")[-2]
    for address in ("", "games/game/", f"games/game/?q={game}", "accounts/user/?q=HARRIET", "games/lease/"):
        host.go(f"/host/{address}")
        assert host.page.locator("#site-name").inner_text() == "Block-You"
    host.go(f"/host/games/game/?q={game}")
    host.page.get_by_role("link", name=game).click()
    assert host.name in host.page.locator(".field-creator").inner_text()
    host.page.locator("button.theme-toggle").first.click()
