"""Docstrings say what is done, and names are the field's words: what has slipped in before is refused here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("accounts", "benchmarks", "blockyou", "clients", "games", "tools")
#: How a docstring begins that has somebody do what the function does.
ROUNDABOUT = re.compile(r"(Let|Have)\b")
#: Names of classes, functions and modules that were coined where the field has a word, and that word.
COINED = {
    "May": "Permissions",
    "Wrong": "CheckFailed",
    "Said": "Claims",
    "Told": "ArchivedText",
    "Roomy": "WithBackpressure",
    "Tongue": "GtpSession",
    "Many": "Games",
    "Shown": "Observations",
    "Inside": "EngineArrays",
    "Hear": "FrameHandler",
    "WayLost": "UnknownState",
    "NotSentError": "DeliveryError",
    "NoAnswerError": "ChannelUnreachableError",
    r"\w+Wish": "…Request",
    "came": "place_text",
    "anyhow": "random_placement",
    "company": "names_of, relations",
    "hear": "handler, observe, on_frame, announce_change",
    "hear_allauth": "connect_signals",
    "say_alive": "send_heartbeat",
    "let_each_think": "warm_up_engines",
    "let_in": "admit_batch",
    "or_silence": "with_timeout",
    "nowhere": "not_found",
    "break_off": "discard_attempt",
    "freshen": "mark_used",
    "put": "move_into_place",
    "way_(there|back)": "authorization_url, read_callback",
}


def modules() -> list[Path]:
    """Return our modules but for migrations, which stay as they were released."""
    found = [ROOT / "manage.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return sorted(path for path in found if "migrations" not in path.parts)


def explained(source: str) -> Iterator[tuple[str, str]]:
    """Yield what a module says of itself, its classes and functions and, of a command, to who asks for help: each with
    the name of what it is about.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=[ast.Name("help")], value=ast.Constant(str(text))):
                yield "help", text
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield getattr(node, "name", "the module"), ast.get_docstring(node) or ""


def roundabout(source: str) -> list[str]:
    """Return what is explained in a roundabout way."""
    return [name for name, text in explained(source) if ROUNDABOUT.match(text)]


def test_a_docstring_says_what_is_done() -> None:
    found = {str(path.relative_to(ROOT)): roundabout(path.read_text("utf-8")) for path in modules()}
    assert len(found) > 900
    assert {path: names for path, names in found.items() if names} == {}


def names(path: Path) -> set[str]:
    """Return the names of a module, its classes and functions and their methods."""
    defined = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, defined)}
    return found | {path.stem}


def coined(found: set[str]) -> dict[str, str]:
    """Return the coined names among these, each with the better ones."""
    return {name: better for word, better in COINED.items() for name in found if re.fullmatch(word, name)}


def test_no_name_is_one_that_was_coined() -> None:
    found = {str(path.relative_to(ROOT)): coined(names(path)) for path in modules()}
    assert {path: better for path, better in found.items() if better} == {}


def test_a_coined_name_is_found_with_the_better_one() -> None:
    assert coined({"SeatWish", "Wish", "Told", "ToldReasons"}) == {"SeatWish": "…Request", "Told": "ArchivedText"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('def fill() -> None:\n    """Let bots take the empty seats."""', ["fill"]),
        ('class Archive:\n    async def ask(self) -> None:\n        """Have it made."""', ["ask"]),
        ('"""Let a person see all pages."""', ["the module"]),
        ('class Command:\n    help = "Let a person see all pages."', ["help"]),
        (
            'def fill() -> None:\n    """Fill the seats. Let no one wait."""\n"""Letters."""',
            [],
        ),
    ],
)
def test_a_docstring_that_is_roundabout_is_found(source: str, found: list[str]) -> None:
    assert roundabout(source) == found
