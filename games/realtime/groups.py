"""The names of the groups that sockets join."""

#: Everybody who looks at the list of open tables.
LOBBY = "lobby"


def game_group(slug: str) -> str:
    """Return the group of everybody who looks at a game."""
    return f"game.{slug}"


def user_group(pk: int) -> str:
    """Return the group of a person's lists, on all devices."""
    return f"user.{pk}"


def circle_group(pk: int) -> str:
    """Return the group of those who look at the games of a group of people, by its key."""
    return f"circle.{pk}"


def login_group(pk: int) -> str:
    """Return the group of all that a person's logins and tokens have opened, asked whether they still hold."""
    return f"login.{pk}"
