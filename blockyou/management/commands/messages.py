"""Bring the translations up to date with the texts of the site, and compile them."""

from typing import Any

from babel.messages.catalog import Catalog, Message
from django.conf import settings
from django.core.management.base import BaseCommand

from blockyou.translations import catalogue


class Command(BaseCommand):
    """Bring the translations up to date with the texts of the site, and compile them."""

    help = "Brings locale/ up to date with the texts of the site, and compiles it. For developers."

    def handle(self, *args: Any, **options: Any) -> None:
        found = catalogue.extracted(settings.BASE_DIR)
        for language, path in catalogue.catalogues().items():
            kept = catalogue.brought_up_to_date(catalogue.read_catalogue(path), found)
            path.write_bytes(catalogue.as_text(kept))
            path.with_suffix(".mo").write_bytes(catalogue.compile_catalogue(kept))
            self.stdout.write(f"{language}: {len(kept)} texts, {missing(kept)} to translate in {path}")


def missing(kept: Catalog) -> int:
    """Return how many texts have no translation yet, lack a plural form, or are marked fuzzy: they have changed."""
    return sum(1 for message in kept if message.id and (message.fuzzy or not all(_forms(message))))


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)
