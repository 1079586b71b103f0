"""Docstrings say what is done, names are the field's words, and no docstring says a name again.

What has slipped in before is refused here.
"""

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


#: Words that say nothing of their own in a docstring.
SMALL = set(
    re.findall(
        r"\w+",
        """a an and are as at be been by each else empty for from had has have how if in into is it its nobody none not
        of on one or return returns shown so than that the their them there these they this those to was were what
        whether which who whom whose with without yield yields""",
    )
)
#: What something costs is seen in no code.
COSTS = {"cpu", "memory", "queries", "query", "seconds"}
#: A docstring of a private function of one statement says more than that: so many words of its own.
OWN_WORDS = 2


def stem(word: str) -> str:
    """Return a word without its ending, roughly: `placed`, `placing` and `places` are one."""
    return re.sub(r"(?<=\w{3})(ings?|ies|ied|es|ed|e|s|y)$", "", word)


def words(text: str) -> set[str]:
    """Return the words of a text or of code, names taken apart, without endings and small words."""
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)}
    return {stem(word) for word in found - SMALL}


def repeating(source: str) -> list[str]:
    """Return the private functions of one plain statement whose docstring says their code again."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.FunctionDef(name=name, body=[_, ast.Return() | ast.Expr() as done])
                | ast.AsyncFunctionDef(name=name, body=[_, ast.Return() | ast.Expr() as done])
            ) if name.startswith("_") and not name.startswith("__"):
                text = ast.get_docstring(node) or ""
                code = f"{name} {ast.unparse(node.args)} {ast.unparse(node.returns or done)} {ast.unparse(done)}"
                costs = COSTS & {*re.findall(r"\w+", text.lower())}
                if text and not costs and len(words(text) - words(code)) < OWN_WORDS:
                    found.append(name)
    return found


def test_no_docstring_of_a_private_function_says_its_code_again() -> None:
    sources = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in modules()}
    # Docstrings that are shown to people are texts.
    found = {path: repeating(source) for path, source in sources.items() if ".__doc__" not in source}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Return the name of the player.", True),
        ("Return the player's name, empty if there is none.", True),
        ("Return what others call the player at a table.", False),
        ("Return the name of the player. One query.", False),
    ],
)
def test_a_docstring_that_says_the_code_again_is_found(text: str, is_found: bool) -> None:
    function = f'def _name_of(player: Player) -> str:\n    """{text}"""\n    return player.name'
    assert repeating(function) == (["_name_of"] if is_found else [])
    assert repeating(function.replace("_name_of", "name_of")) == []


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
