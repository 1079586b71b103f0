"""The tables are what the models say."""

from io import StringIO

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    output = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=output)
    assert "No changes detected" in output.getvalue()


@pytest.mark.django_db
def test_every_migration_is_applied() -> None:
    call_command("migrate", check_unapplied=True, verbosity=0, stdout=StringIO())
