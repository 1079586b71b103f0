"""One stylesheet and one script a page: a file is served with everything it imports inside it.

A small bundler of our own, for the site itself needs no Node: docs/decisions/0010. It knows the few forms of import and
export that our modules are written in. Anything else is an error, never a page that half works.
"""

import posixpath
import re
from collections.abc import Callable

Read = Callable[[str], str]

STYLE_IMPORT = re.compile(r'@import "(?P<path>\.{1,2}/[\w/.-]+\.css)" layer\((?P<layer>[\w-]+)\);')
#: Imports one after another into one layer.
STYLE_IMPORTS = re.compile(rf"{STYLE_IMPORT.pattern}(?:@import [^;]* layer\((?P=layer)\);)*")
SCRIPT_IMPORT = re.compile(r'^import (?:\{(?P<names>[^{}]*)\} from )?"(?P<path>\.{1,2}/[\w/.-]+\.js)";$', re.MULTILINE)
SCRIPT_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (?P<name>[\w$]+))", re.MULTILINE)
UNKNOWN = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*[(.].*", re.MULTILINE)
# Literals are matched so that what looks like a comment inside one stays. A space after the slash means division.
SCRIPT_LITERAL = r"""(?P<literal> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`
        | (?<=[(,=:\[!&|?{};\s]) / (?![*/\s]) (?: \\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[] )+ / )"""
SCRIPT_TOKEN = re.compile(
    rf"{SCRIPT_LITERAL} | (?P<comment> /\*.*?\*/ | //[^\n]* ) | (?P<space> [ \t]*\n\s* )", re.VERBOSE | re.DOTALL
)
# Beside these signs no space is needed. Beside + - / and . one may be: without it another sign could come about. After
# those that go on or have just ended a statement, and before a brace that ends one, no new line is needed.
SCRIPT_SPACE = re.compile(
    rf"""{SCRIPT_LITERAL} | (?<=[=(){{}},:;?<>&|*!\[\]])[ ]+ | [ ]+(?=[=(){{}},:;?<>&|*!\[\]])
        | (?<=[({{\[,;])\n+ | \n+(?=\}})""",
    re.VERBOSE | re.DOTALL,
)

STYLE_TOKEN = re.compile(
    r"""(?P<word> (?<==)"[a-zA-Z][\w-]*"(?=\]) ) | (?P<literal> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
      | (?P<comment> /\*.*?\*/ ) | (?P<idle> (?<=[:,;{}<>(])\s+ | \s+(?=[{<>)]) | ;?\s*(?=\}) | (?<![\w.])0(?=\.\d) )
      | (?P<space> [ \t]*\n\s* )""",
    re.VERBOSE | re.DOTALL,
)


class BundleError(ValueError):
    """A file imports or exports in a way that cannot be bundled."""


def stylesheet(read: Read, path: str) -> str:
    """Return the stylesheet with the text of every file it imports in its layer."""

    def layer(run: re.Match[str]) -> str:
        paths = [_beside(path, found["path"]) for found in STYLE_IMPORT.finditer(run[0])]
        return f"@layer {run['layer']}{{{''.join(stylesheet(read, each).rstrip() for each in paths)}}}"

    return STYLE_IMPORTS.sub(layer, bare(read(path), STYLE_TOKEN))


def script(read: Read, path: str) -> str:
    """Return the module and all it imports as one: each in a function, once, after those it needs.

    Raises: BundleError.
    """
    bundle = Bundle(read)
    bundle.add(path, ())
    return "".join(bundle.texts)


def bare(text: str, token: re.Pattern[str]) -> str:
    """Return the text without comments, indentation, empty lines and what is idle; what literals hold is left alone."""
    # Twice, for where a comment stood alone on its line an empty line is left.
    return token.sub(_kept, token.sub(_kept, text)).strip() + "\n"


def close(text: str) -> str:
    """Return a script without the spaces and new lines that nothing needs; what literals hold is left alone."""
    return SCRIPT_SPACE.sub(lambda found: found["literal"] or "", text)


def _kept(token: re.Match[str]) -> str:
    if token["comment"]:
        return "\n" if "\n" in token["comment"] else " "
    if token["space"]:
        return "\n"
    if token.groupdict().get("word"):
        # The value of an attribute in a selector needs no quotes where it is a name.
        return token[0].strip('"')
    return "" if token.groupdict().get("idle") else token[0]


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


class Bundle:
    """Modules in the order in which they run, and what each of them offers the others."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self.texts: list[str] = []
        self.exports: dict[str, tuple[str, ...]] = {}

    def add(self, path: str, importers: tuple[str, ...]) -> None:
        """Append the module at `path`, those it imports first, unless it is there."""
        if path in importers:
            raise BundleError(f"Modules import each other in a circle: {' > '.join([*importers, path])}")
        if path in self.exports:
            return
        text = bare(self.read(path), SCRIPT_TOKEN)
        for found in SCRIPT_IMPORT.finditer(text):
            self.add(_beside(path, found["path"]), (*importers, path))
        exports = tuple(found["name"] for found in SCRIPT_EXPORT.finditer(text))
        text = SCRIPT_IMPORT.sub(lambda found: self._imported(path, found), text)
        text = SCRIPT_EXPORT.sub("", text)
        if unknown := UNKNOWN.search(text):
            raise BundleError(f"{path} has an import or export of a form that is not known: {unknown[0].strip()}")
        self.exports[path] = exports
        number = len(self.texts)
        self.texts.append(
            close(f"const module{number} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();") + "\n"
        )

    def _imported(self, path: str, found: re.Match[str]) -> str:
        """Return the line that names what an import brings; one for its effect alone brings nothing."""
        target = _beside(path, found["path"])
        names = [name.split() for name in (found["names"] or "").split(",") if name.strip()]
        missing = {words[0] for words in names} - set(self.exports[target])
        if missing:
            raise BundleError(f"{path} imports what {target} does not export: {', '.join(sorted(missing))}")
        brought = ", ".join(words[0] if len(words) == 1 else f"{words[0]}: {words[-1]}" for words in names)
        number = list(self.exports).index(target)
        return f"const {{ {brought} }} = module{number};" if brought else ""
