"""`manage.py seed_demo`: people and games in every state to look at."""

import secrets
from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.models import User
from games.management import demo


class Command(BaseCommand):
    """Create what is not there yet; asking again adds nothing, and sets the password again."""

    help = "Create the people alice, bob, carol and dave and games in every state to look at, for demonstrations."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--password", default="", help="of all four; made up and printed where not given")

    def handle(self, *args: Any, **options: Any) -> None:
        password = options["password"] or secrets.token_urlsafe(9)
        people = [_person(name, password) for name in demo.PEOPLE]
        games = []
        for game in demo.set_the_scenes(people, timezone.now()):
            games.append(game)
            self.stdout.write(f"{game.get_status_display():20} /games/{game.slug}/  {game.name}")
        demo.order_notices(games)
        self.stdout.write(f"{len(games)} games made. Log in as {', '.join(demo.PEOPLE)}, password: {password}")


def _person(name: str, password: str) -> User:
    """Return the person of that name with this password, made if missing; no e-mails are sent about these games."""
    address = f"{name}@example.org"
    mark, tint = demo.FACES.get(name, ("", ""))
    chosen = {"email": address, "wants_turn_emails": False, "own_mark": mark, "own_tint": tint}
    user, _is_new = User.objects.get_or_create(username=name, defaults=chosen)
    user.set_password(password)
    user.save(update_fields=["password"])
    EmailAddress.objects.get_or_create(user=user, email=address, defaults={"verified": True, "primary": True})
    return user
