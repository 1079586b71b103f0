"""Modules become one script: each once, in the order in which they run, and nothing that is not understood."""

from collections.abc import Callable

import pytest

from blockyou.assets.bundles import SCRIPT_TOKEN, STYLE_TOKEN, BundleError, bare, close, script, stylesheet


def reader(**files: str) -> Callable[[str], str]:
    """Return what reads these files, of which each is in a folder of its own: `a` is a/a.js."""
    return {f"{name}/{name}.js": text for name, text in files.items()}.__getitem__


def test_a_module_runs_once_and_after_those_it_needs() -> None:
    both = 'import { c } from "../c/c.js";\n'
    read = reader(a='import "../b/b.js";\n' + both + "first(c);\n", b=both + "second(c);\n", c="export const c = 3;\n")
    assert script(read, "a/a.js") == (
        "const module0=(()=>{const c=3;return{c};})();\n"
        "const module1=(()=>{const{c}=module0;second(c);return{};})();\n"
        "const module2=(()=>{const{c}=module0;first(c);return{};})();\n"
    )


def test_a_name_may_be_imported_as_another() -> None:
    read = reader(
        a='import {\n  one,\n  two as pair,\n} from "../b/b.js";\n', b="export const one = 1;\nexport class two {}\n"
    )
    assert "const{one,two:pair}=module0;" in script(read, "a/a.js")


@pytest.mark.parametrize(
    "form", ["function f() {}", "async function f() {}", "function* f() {}", "class f {}", "const f = 1;"]
)
def test_every_form_of_export_that_we_write_is_offered(form: str) -> None:
    assert close(f"{form}\nreturn {{ f }};") in script(reader(a=f"export {form}\n"), "a/a.js")


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let counter = 0;",
        "export { one };",
        'export * from "../b/b.js";',
        'import * as all from "../b/b.js";',
        'import one from "../b/b.js";',
        'import { one } from "elsewhere";',
        'const late = await import("../b/b.js");',
        "const here = import.meta.url;",
    ],
)
def test_any_other_form_ends_the_collection(line: str) -> None:
    with pytest.raises(BundleError, match=r"a/a\.js has an import or export of a form that is not known"):
        script(reader(a=f"{line}\n", b="export const one = 1;\n"), "a/a.js")


def test_modules_that_need_each_other_are_told() -> None:
    with pytest.raises(BundleError, match=r"circle: a/a\.js > b/b\.js > a/a\.js"):
        script(reader(a='import "../b/b.js";\n', b='import "../a/a.js";\n'), "a/a.js")


def test_importing_what_is_not_exported_is_told() -> None:
    with pytest.raises(BundleError, match=r"a/a\.js imports what b/b\.js does not export: two"):
        script(reader(a='import { one, two } from "../b/b.js";\n', b="export const one = 1;\n"), "a/a.js")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("/** @type {X} */ (y); // why\n", "(y);\n"),
        ("/*\n * Text\n */\n\n  f();\n\n\n", "f();\n"),
        ("f(\"// no comment\", '/* nor this */');\n", "f(\"// no comment\", '/* nor this */');\n"),
        ("f(`//\n   kept  \n`);\n", "f(`//\n   kept  \n`);\n"),
        ("f(/[/*]\\/\\//, a / b); // gone\n", "f(/[/*]\\/\\//, a / b);\n"),
        ("f(a / 2, b / 2); // it's half\n", "f(a / 2, b / 2);\n"),
    ],
)
def test_comments_go_and_literals_stay(text: str, rest: str) -> None:
    assert bare(text, SCRIPT_TOKEN) == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("const { a, b } = (await f(x)) ?? [];\n", "const{a,b}=(await f(x))??[];"),
        (
            "if (a && !b) {\nreturn [a] || c;\n} else {\nd(e => f);\n}\n",
            "if(a&&!b){return[a]||c;}else{d(e=>f);}\n",
        ),
        # A statement may end with its line alone.
        ("a = () => {\nb()\n}\nc()\nf(\n[\n1,\n2\n]\n);\n", "a=()=>{b()}\nc()\nf([1,2\n]\n);"),
        # Without the space these would be other signs.
        ("a + +b; c - -d; e / f;\n", "a + +b;c - -d;e / f;"),
        ("f(`{\n  a;\n}`);\n", "f(`{\n  a;\n}`);"),
        ("f(\"a = b , c\", 'd ; e', `f { ${g} }`, /h = i/);\n", "f(\"a = b , c\",'d ; e',`f { ${g} }`,/h = i/);"),
        ("x ? .5 : y;\n", "x?.5:y;"),
    ],
)
def test_spaces_and_new_lines_that_nothing_needs_go_and_literals_stay(text: str, rest: str) -> None:
    assert close(text) == rest


def test_a_stylesheet_is_served_without_what_is_idle() -> None:
    text = "@media (width < 10.5rem) {\n  .a > b {\n    margin: -0.5rem calc(0.25rem + 10.5%);\n    top: 0;\n  }\n}\n"
    assert bare(text, STYLE_TOKEN) == "@media (width<10.5rem){.a>b{margin:-.5rem calc(.25rem + 10.5%);top:0}}\n"


def test_a_formula_over_several_lines_is_served_without_the_space_inside_its_brackets() -> None:
    assert (
        bare(".a {\n  width: min(\n    1vw -\n    2px,\n    3rem\n  );\n}\n", STYLE_TOKEN)
        == ".a{width:min(1vw -\n2px,3rem)}\n"
    )


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('[data-a="b-c"] {}', "[data-a=b-c]{}\n"),
        ('[data-a="1"] {}', '[data-a="1"]{}\n'),
        ('[data-a~="b c"] {}', '[data-a~="b c"]{}\n'),
        (".a { content: '[b=\"c\"]' }", ".a{content:'[b=\"c\"]'}\n"),
    ],
)
def test_a_name_in_a_selector_is_served_without_its_quotes(text: str, rest: str) -> None:
    assert bare(text, STYLE_TOKEN) == rest


def test_imports_one_after_another_into_one_layer_share_it() -> None:
    names = {"./b.css": "x", "./c.css": "x", "./d.css": "y", "./e.css": "x"}
    files = {"a/a.css": "".join(f'@import "{name}" layer({layer});\n' for name, layer in names.items())}
    files |= {f"a/{name}.css": f".{name} {{}}\n" for name in "bcde"}
    assert stylesheet(files.__getitem__, "a/a.css") == "@layer x{.b{}.c{}}@layer y{.d{}}@layer x{.e{}}\n"


def test_a_stylesheet_holds_what_it_imports_and_no_comments() -> None:
    files = {
        "a/a.css": '/* Why. */\n@import "./b.css" layer(x);\n\n.a::before {\n  content: "/* \\" // */";\n}\n',
        "a/b.css": "/* Long\n   story. */\n.b {}\n",
    }
    assert stylesheet(files.__getitem__, "a/a.css") == ('@layer x{.b{}}.a::before{content:"/* \\" // */"}\n')
