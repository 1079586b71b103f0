"""The Django app of the wiring: it holds no tables, only checks and commands."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created


class BlockYouConfig(AppConfig):
    """Settings, start and supervision."""

    name = "blockyou"
    verbose_name = "Block-You"

    def ready(self) -> None:
        """Check what the database promises as soon as there is a connection to ask."""
        from blockyou.database import check_connection

        connection_created.connect(check_connection, dispatch_uid="blockyou.database")
