"""Ten minutes later: what a person has shown to log in is as long ago, so that it is asked for again.

Run as a program in a site's surroundings, with the person's name.
"""

import subprocess
import sys

from tests.browser.site import ROOT, Site

SECONDS = 600


def ten_minutes_later(site: Site, name: str) -> None:
    """Have all that the person has shown be ten minutes old."""
    command = [sys.executable, "-m", "tests.browser.keys.elapsed", name]
    subprocess.run(command, cwd=ROOT, env=site.surroundings(), check=True, timeout=120)


def main() -> None:
    """Change the sessions of the person."""
    import django

    django.setup()
    from accounts.models import Session, User
    from accounts.sessions import SessionStore

    person = User.objects.get(username=sys.argv[1])
    for row in Session.objects.filter(user_id=person.pk):
        session = SessionStore(row.session_key)
        for record in session.get("account_authentication_methods", []):
            record["at"] -= SECONDS
        session.save()


if __name__ == "__main__":
    main()
