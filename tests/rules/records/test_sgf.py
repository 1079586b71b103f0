"""The Smart Game Format: its grammar, and the place of whatever breaks it."""

import pytest

from games.rules.errors import RulesError, UnreadableFile, UnreadableRecord
from games.rules.records.sgf import (
    LONGEST_FILE,
    LONGEST_VALUE,
    MOST_SGF_NODES,
    MOST_VALUES,
    Node,
    Source,
    decoded,
    read_sgf,
    written,
)


def read(text: str | bytes) -> Node:
    return read_sgf(Source(decoded(text)))


def texts(node: Node) -> dict[str, list[str]]:
    return {name: [value.text for value in values] for name, values in node.properties.items()}


def test_a_node_has_properties_with_one_value_or_several() -> None:
    assert texts(read("(;GM[Blokus Duo]AB[a1,b1][c3] C [])")) == {
        "GM": ["Blokus Duo"],
        "AB": ["a1,b1", "c3"],
        "C": [""],
    }


def test_a_property_told_twice_has_the_values_of_both() -> None:
    assert texts(read("(;A[1]B[2]A[3])")) == {"A": ["1", "3"], "B": ["2"]}


def test_space_may_stand_between_everything() -> None:
    assert texts(read(" \t\n( ; A \n [1]\r\n [2] B[3] ) \n")) == {"A": ["1", "2"], "B": ["3"]}


def test_the_first_child_is_the_main_line_and_variations_follow() -> None:
    root = read("(;N[a](;N[b];N[c](;N[d])(;N[e]))(;N[f]))")
    assert [texts(child)["N"] for child in root.children] == [["b"], ["f"]]
    below = root.children[0].children[0]
    assert [texts(child)["N"] for child in below.children] == [["d"], ["e"]]


def test_of_several_games_the_first_is_read_and_the_others_are_checked() -> None:
    assert texts(read("(;A[1])(;A[2])")) == {"A": ["1"]}
    with pytest.raises(UnreadableFile):
        read("(;A[1])(;A[2]")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"a\]b", "a]b"),
        (r"a\\b", r"a\b"),
        (r"a\:b", "a:b"),
        (r"\a", "a"),
        ("a\\\nb", "ab"),
        ("a\nb", "a\nb"),
        ("(;)[", "(;)["),
        (r"\\", "\\"),
        (r"\\\\", r"\\"),
        (r"\\\a", r"\a"),
        ("\\\\\\\nb", "\\b"),
        ("\\\\\nb", "\\\nb"),
    ],
)
def test_a_backslash_takes_the_next_character_as_it_is(raw: str, text: str) -> None:
    assert texts(read(f"(;C[{raw}])")) == {"C": [text]}


@pytest.mark.parametrize("text", ["a]b", "a\\", "]", "\\]", "a\nb:c", "ä[b"])
def test_what_is_written_is_read_again(text: str) -> None:
    assert texts(read(f"(;{written('C', [text, text])})")) == {"C": [text, text]}


def test_what_is_empty_is_not_written() -> None:
    assert written("C", [""]) == written("C", []) == ""


@pytest.mark.parametrize("data", ["\ufeff(;C[é])", "\ufeff(;C[é])".encode(), "(;C[é])".encode()])
def test_a_byte_order_mark_may_stand_before_utf_8(data: str | bytes) -> None:
    assert texts(read(data)) == {"C": ["é"]}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    assert texts(read(f"(;C[a{end}b]{end})")) == {"C": ["a\nb"]}
    with pytest.raises(UnreadableFile) as caught:
        read(f"(;C[a{end}b]{end} x)")
    assert (caught.value.line, caught.value.column) == (3, 2)


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("", 1, 1, "an opening bracket: there is no game"),
        ("  ", 1, 3, "an opening bracket: there is no game"),
        ("x", 1, 1, "an opening bracket or the end, not 'x'"),
        (";A[1]", 1, 1, "an opening bracket or the end, not ';'"),
        ("()", 1, 2, "a semicolon: a game or a variation begins with a node"),
        ("((;A[1]))", 1, 2, "a semicolon: a game or a variation begins with a node"),
        ("(", 1, 2, "a semicolon: a game or a variation begins with a node"),
        ("(;A[1]\n;B[2]", 2, 6, "a node, a variation or a closing bracket, but the file ends"),
        ("(;A[1]))", 1, 8, "an opening bracket or the end, not ')'"),
        ("(;A)", 1, 4, "a value in square brackets"),
        ("(;A\n  [1", 2, 3, "a value with its closing square bracket"),
        ("(;A[1\\]", 1, 4, "a value with its closing square bracket"),
        ("(;A[1][", 1, 7, "a value with its closing square bracket"),
        ("(;a[1])", 1, 3, "a node, a variation or a closing bracket, not 'a'"),
        ("(;[1])", 1, 3, "a node, a variation or a closing bracket, not '['"),
    ],
)
def test_whatever_breaks_the_grammar_is_told_with_its_place(text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(text)
    error = caught.value
    assert (error.line, error.column, error.expected) == (line, column, expected)
    assert str(error) == f"Line {line}, column {column}: expected {expected}."


def test_bytes_that_are_no_utf_8_are_told_with_their_place() -> None:
    with pytest.raises(UnreadableFile) as caught:
        read("\ufeff(;C[a]\r\nC[é".encode() + b"\xff])")
    assert (caught.value.line, caught.value.column) == (2, 4)
    assert caught.value.expected == "text in UTF-8"


def test_a_file_that_is_too_long_is_not_read() -> None:
    assert texts(read("(;C[x])".ljust(LONGEST_FILE))) == {"C": ["x"]}
    for data in ("(;C[x])".ljust(LONGEST_FILE + 1), b"(;C[x])".ljust(LONGEST_FILE + 1)):
        with pytest.raises(UnreadableRecord, match="longer than 1 MiB"):
            read(data)


def test_a_value_that_is_too_long_is_not_read() -> None:
    assert read(f"(;C[{'x' * LONGEST_VALUE}])").properties
    with pytest.raises(UnreadableFile, match="at most 65536 characters"):
        read(f"(;C[{'x' * LONGEST_VALUE}x])")


def test_too_many_nodes_are_not_read() -> None:
    assert read("(" + ";" * MOST_SGF_NODES + ")").children
    with pytest.raises(UnreadableFile, match="no more than 20000 nodes"):
        read("(" + ";" * (MOST_SGF_NODES + 1) + ")")


def test_too_many_values_are_not_read() -> None:
    assert read("(;A" + "[]" * MOST_VALUES + ")").properties
    for unit in ("[]", "A[]"):
        with pytest.raises(UnreadableFile, match="no more than 40000 values"):
            read("(;A[]" + unit * MOST_VALUES + ")")


def test_nesting_as_deep_as_nodes_go_is_read_without_recursion() -> None:
    root = read("(;" * MOST_SGF_NODES + ")" * MOST_SGF_NODES)
    depth = 1
    while root.children:
        depth, root = depth + 1, root.children[0]
    assert depth == MOST_SGF_NODES


@pytest.mark.parametrize(
    "text", ["(" * 500_000, "(;A" + "[" * 500_000, "(;A[" + "\\" * 500_000, "(;" * 900, "(;A[" + "x\\]" * 200_000]
)
def test_a_hostile_text_is_refused_in_no_time(text: str) -> None:
    with pytest.raises(RulesError):
        read(text)
