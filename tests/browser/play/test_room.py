"""Room for words: no page of a game is wider than a phone, nothing is cut or stands alone, and edges are in line."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.demo import Demo
from tests.browser.people import DESK, LARGE, PHONE, TALL, WIDER, People

#: Scenes by what fills the row of players: two colours each, two to four players, triangles, a shared colour, bots.
SCENES = ("Corner cases", "Long silence", "Say it aloud", "Two of each", "Honeycomb", "Four seasons", "Green for all")
OVERFLOWS = "(row) => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight + 1"
#: Which parts of a row of players meet or leave the row, but for what opens and what is hidden. A clock that does not
#: fit beside the score of a leader goes on a line below, of which nothing is shown.
MEET = """(row) => {
    const names = [".avatar", ".face", ".player__name", ".player__score"];
    names.push(".player__lead", ".player__clock", ".player__away");
    const below = row.querySelector(".player__count").getBoundingClientRect().bottom;
    const may_fall = (part) => row.querySelector(".player__lead") && part.matches(".player__clock");
    const has_fallen = (part) => may_fall(part) && part.getBoundingClientRect().top >= below;
    const is_shown = (part) => part.getClientRects().length && !has_fallen(part);
    const shown = [...row.querySelectorAll(names)].filter(is_shown);
    const [around, ...boxes] = [row, ...shown].map((part) => part.getBoundingClientRect());
    const say = (number) => shown[number].getAttribute("class");
    const out = boxes.flatMap((box, number) => {
        return box.bottom > around.bottom || box.right > around.right ? [`${say(number)} leaves the row`] : [];
    });
    const met = boxes.flatMap((one, number) => boxes.flatMap((two, other) => {
        const apart = one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top;
        return other <= number || apart ? [] : [`${say(number)} meets ${say(other)}`];
    }));
    return [...out, ...met];
}"""
#: Whether an element is cut by one around it, or something else of its row lies over its middle.
COVERED = """(element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const row = element.closest(".player").getBoundingClientRect();
    const is_cut = box.right > row.right + 1 || box.bottom > row.bottom + 1 || box.left < row.left - 1;
    const over = document.elementsFromPoint(x, y).find((one) => !one.matches(".player__open"));
    return is_cut || !(element === over || over.contains(element));
}"""
#: What a score says in all, where it stands on one line of its row; empty where a part of it does not.
TOLD = r"""(row) => {
    const score = row.querySelector(".player__score"), [line, ...more] = score.getClientRects();
    const [box, within] = [line, row.querySelector(".player__count").getBoundingClientRect()];
    const unit = getComputedStyle(score, "::after");
    const is_whole = !more.length && box.height < 2 * parseFloat(getComputedStyle(score).fontSize);
    const unit_text = unit.content.replace(/ \/ ""$/, "").replaceAll('"', "").trim();
    return is_whole && box.right <= within.right + 1 ? `${score.textContent.trim()} ${unit_text}` : "";
}"""
#: The narrowest phone.
NARROW: dict[str, object] = {**TALL, "viewport": {"width": 320, "height": 640}}
CUT = "(words) => words.scrollWidth > words.clientWidth"
#: In how many lines the words of an element stand.
LINES = """(element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return new Set([...words.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.y))).size;
}"""
#: The same where words are of several sizes: on one line each begins above the end of the first.
ROWS = """(element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    const boxes = [...words.getClientRects()].filter((box) => box.width > 1);
    return boxes.reduce((ends, box) => ends.at(-1) > box.top + 1 ? ends : [...ends, box.bottom], [0]).length - 1;
}"""
#: The left and the right edge of an element.
EDGES = "(box => [Math.round(box.left), Math.round(box.right)])(element.getBoundingClientRect())"


def edges(element: Locator) -> list[int]:
    found: list[int] = element.first.evaluate(f"(element) => {EDGES}")
    return found


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_row_of_players_is_wider_than_a_phone(alice_at: Callable[..., Page], demo: Demo, locale: str) -> None:
    page = alice_at(TALL, locale=locale)
    for scene in SCENES:
        page.goto(demo.game(scene))
        assert (scene, page.evaluate(WIDER)) == (scene, 0)
        assert not any(row.evaluate(OVERFLOWS) for row in page.locator(".player").all()), scene


def test_the_names_at_the_top_of_a_turned_board_stand_below_the_players(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("En garde"))
    expect(page.locator("#board")).to_have_attribute("data-turn", "2")
    tops = page.locator("#labels > text").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    players = page.locator(".players").bounding_box()
    assert players
    assert tops
    assert min(tops) >= players["y"] + players["height"] - 1


def test_the_name_of_a_game_keeps_away_from_the_next_one(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Corner cases"))
    name, following = page.locator(".head__words").bounding_box(), page.locator(".head__next").bounding_box()
    assert name
    assert following
    assert following["x"] - name["x"] - name["width"] >= 8


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_every_score_says_what_it_counts_and_a_leader_is_told(
    alice_at: Callable[..., Page], demo: Demo, locale: str
) -> None:
    page = alice_at(TALL, locale=locale)
    for scene in (*SCENES, "Against the machines", "Last hour", "Three of a kind"):
        page.goto(demo.game(scene))
        # Of four, a leader has the place where others have the unit.
        rows = page.locator('.players:not([data-count="4"]) .player, .player:not(:has(.player__lead))')
        told = [row.evaluate(TOLD) for row in rows.all()]
        assert all(re.fullmatch(r"\d+ ?/\d+", one) for one in told), (scene, told)
        for leader in page.locator(".player__lead").all():
            place, row = leader.bounding_box(), leader.locator("xpath=ancestor::li").bounding_box()
            assert place
            assert row
            assert place["y"] + place["height"] <= row["y"] + row["height"], scene


@contextmanager
def away(demo: Demo, scene: str, name: str) -> Iterator[None]:
    """Meanwhile a player of a scene, whose turn it is not, has missed two turns."""
    with closing(sqlite3.connect(demo.site.folder / "db.sqlite3", timeout=30)) as database:

        def note_missed(count: int) -> None:
            with database:
                database.execute(
                    "UPDATE games_player SET missed = ? WHERE game_id = (SELECT id FROM games_game WHERE slug = ?) "
                    "AND user_id = (SELECT id FROM accounts_user WHERE username = ?)",
                    (count, demo.names[scene], name),
                )

        note_missed(2)
        yield
        note_missed(0)


@pytest.mark.parametrize("device", [TALL, NARROW], ids=["360", "320"])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_player_who_is_away_is_seen_to_be_on_a_phone(
    alice_at: Callable[..., Page], demo: Demo, locale: str, device: dict[str, object]
) -> None:
    page = alice_at(device, locale=locale)
    for scene, name in (("Honeycomb", "bob"), ("Four seasons", "bob"), ("Three of a kind", "bob")):
        with away(demo, scene, name):
            page.goto(demo.game(scene))
            row = page.locator(".player", has=page.get_by_role("link", name=name, exact=True)).first
            word = row.locator(".player__away")
            expect(word).to_be_in_viewport(ratio=0.95)
            assert word.inner_text() == ("away" if locale == "en-GB" else "absence"), scene
            assert not word.evaluate(COVERED), scene
            assert row.evaluate(MEET) == [], scene


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_name_is_cut_with_four_at_a_table(alice_at: Callable[..., Page], demo: Demo, locale: str) -> None:
    page = alice_at(TALL, locale=locale)
    for scene in ("Four seasons", "Against the machines"):
        page.goto(demo.game(scene))
        assert not any(name.evaluate(CUT) for name in page.locator(".player__name").all()), scene


def test_no_game_in_words_is_wider_than_a_phone(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.context.add_cookies([{"name": "spoken", "value": "yes", "url": demo.site.url}])
    for scene in (*SCENES, "Every last piece", "Gone fishing"):
        page.goto(demo.game(scene))
        expect(page.get_by_role("button", name="Show the board")).to_be_visible()
        assert (scene, page.evaluate(WIDER)) == (scene, 0)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_clock_a_score_and_a_leaders_place_stand_beside_each_other(
    alice_at: Callable[..., Page], demo: Demo, locale: str
) -> None:
    page = alice_at(TALL, locale=locale)
    for scene in (*SCENES, "Against the machines", "Last hour", "Three of a kind"):
        page.goto(demo.game(scene))
        assert (scene, [row.evaluate(MEET) for row in page.locator(".player").all() if row.evaluate(MEET)]) == (
            scene,
            [],
        )
    assert page.locator(".player__clock").count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_letter_of_a_face_is_as_dark_in_the_seat_of_the_player_to_move_as_elsewhere(
    alice_at: Callable[..., Page], demo: Demo, scheme: str
) -> None:
    page = alice_at(TALL, color_scheme=scheme)
    page.goto(demo.game("En garde"))
    colour = "all => all.map((face) => getComputedStyle(face).color)"
    assert page.locator(".player[data-turn] .face").evaluate_all(colour) == page.locator(
        ".player:not([data-turn]) .face"
    ).evaluate_all(colour)


@pytest.mark.parametrize(("locale", "shown"), [("en-GB", 1), ("fr-FR", 0)])
def test_the_head_of_a_game_drops_the_number_of_the_move_and_of_the_players_before_it_cuts_a_word(
    locale: str, shown: int, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto(demo.game("Corner cases"))
    line, parts = page.locator(".head__about"), page.locator(".head__about > span").all()
    assert not any(part.evaluate(CUT) for part in (line, *parts[:shown]))
    assert edges(parts[shown])[0] == edges(line)[0], "it stands on the line below, which is not shown"
    page.set_viewport_size({"width": 740, "height": 360})
    assert edges(parts[1])[0] >= edges(parts[0])[1] > edges(parts[0])[0] > edges(line)[0]


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_name_in_the_lobby_is_cut_on_a_phone(alice_at: Callable[..., Page], locale: str) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto("/lobby/")
    names = page.locator(".seats__one > :last-child")
    assert names.count() > 5
    assert not any(name.evaluate(CUT) for name in names.all())


def test_with_text_twice_as_large_the_turn_is_said_in_whole_words_and_an_invitation_can_be_accepted(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(PHONE, bypass_csp=True)
    page.add_style_tag(content=LARGE)
    card = page.locator("[data-needs=invitation]").first
    assert edges(card.get_by_role("button", name="Accept"))[1] <= edges(card)[1]
    page.goto(demo.game("Corner cases"))
    page.add_style_tag(content=LARGE)
    assert page.locator(".say__turn").evaluate("words => words.clientWidth") >= 6 * 32


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_place_of_a_player_stands_beside_the_name(alice_at: Callable[..., Page], demo: Demo, locale: str) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto(demo.game("Every last piece"))
    for row in page.locator(".result__player").all():
        place, who = row.locator(".result__place").bounding_box(), row.locator(".result__who").bounding_box()
        assert place
        assert who
        assert place["y"] + place["height"] > who["y"]
        assert place["x"] + place["width"] <= who["x"]


def test_with_four_at_a_table_a_phone_has_the_leaders_place_below_the_name_and_marks_one_turn(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Four seasons"))
    leaders = page.locator(".player:has(.player__lead)")
    assert leaders.count() > 0
    for row in leaders.all():
        place, name = row.locator(".player__lead").bounding_box(), row.locator(".player__who").bounding_box()
        assert place
        assert name
        assert place["y"] >= name["y"] + name["height"] - 1
        assert edges(row)[1] - edges(row.locator(".player__who"))[1] <= 1, "the name has the whole width"
        assert edges(row.locator(".player__lead"))[1] <= edges(row)[1], "it is not that of the next player"
    marked = [
        row.evaluate("row => getComputedStyle(row).backgroundColor !== 'rgba(0, 0, 0, 0)'")
        for row in page.locator(".player").all()
    ]
    assert marked == [row.get_attribute("data-turn") is not None for row in page.locator(".player").all()]
    assert sum(marked) == 1


def test_the_lines_of_a_result_are_straight_across_it(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Every last piece"))
    width = "element => getComputedStyle(element).borderTopWidth"
    for row in page.locator(".result__player").all():
        assert row.evaluate(width) == "1px"
        assert {cell.evaluate(width) for cell in row.locator("th, td").all()} == {"0px"}


def test_no_moment_in_a_list_is_broken_across_lines(alice_at: Callable[..., Page]) -> None:
    for locale in ("en-GB", "fr-FR"):
        page = alice_at(TALL, locale=locale)
        for path in ("/games/", "/history/", "/notices/"):
            page.goto(path)
            # A compact row of a phone has none.
            shown = page.locator(".list__row .when:visible")
            lines = shown.evaluate_all("all => all.map(one => one.getClientRects().length)")
            assert lines, path
            assert set(lines) == {1}, path


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_names_on_the_hosts_page_are_not_broken_within_a_word(
    alice_at: Callable[..., Page], demo: Demo, locale: str
) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto(f"{demo.game('table')}edit/")
    names = page.locator(".seats__row .list__words > :first-child")
    assert names.count() == 4
    for name in names.all():
        height, line = name.evaluate("name => [name.offsetHeight, parseFloat(getComputedStyle(name).fontSize)]")
        assert height < 2 * line, name.inner_text()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize(("width", "height"), [(360, 740), (412, 915)])
def test_the_first_screen_of_a_stranger_has_a_large_board_and_one_way_in_that_stands_out(
    people: People, locale: str, width: int, height: int
) -> None:
    stranger = people.arrive("stranger", {**TALL, "viewport": {"width": width, "height": height}}, locale=locale)
    stranger.go("/")
    page = stranger.page
    fold = page.locator(".nav").bounding_box()
    board, first = page.locator(".hero__board .board"), page.locator(".doors .button--primary")
    assert fold
    assert (edges(board)[1] - edges(board)[0]) >= 0.9 * (width - 16)
    assert page.locator(".button--primary").count() == 1
    expect(page.locator(".hero__free")).to_be_in_viewport()
    box = first.bounding_box()
    assert box
    assert box["y"] + box["height"] <= fold["y"]
    assert [button.evaluate(LINES) for button in page.locator(".doors .button").all()] == [1, 1, 1]


def test_the_doors_of_the_first_page_are_as_wide_as_the_cards_below(alice_at: Callable[..., Page]) -> None:
    page = alice_at(TALL)
    page.goto("/")
    assert edges(page.locator(".doors")) == edges(page.locator(".steps > .card"))


@pytest.mark.parametrize("device", [TALL, DESK], ids=["phone", "desk"])
def test_what_is_said_of_the_first_pages_board_begins_and_ends_with_it(
    people: People, device: dict[str, object]
) -> None:
    stranger = people.arrive("stranger", device)
    stranger.go("/")
    page = stranger.page
    watch = page.get_by_role("button", name=re.compile("Watch|Stop"))
    expect(watch).to_be_visible()
    board = edges(page.locator(".hero__board .board"))
    assert edges(page.locator(".hero__caption")) == board
    # The words of the button, not the room around them.
    assert abs(edges(watch.locator("span:visible"))[1] - board[1]) <= 1


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_phone_says_on_one_line_whose_turn_it_is_beside_the_moves_to_see_again_and_why(
    alice_at: Callable[..., Page], demo: Demo, locale: str
) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto(demo.game("Corner cases"))
    clock = page.locator(".say__until").evaluate("clock => clock.outerHTML")
    for scene in ("En garde", "Corner cases", "Against the machines"):
        page.goto(demo.game(scene))
        expect(page.locator(".say[data-mine] .say__since")).to_be_visible()
        for words in page.locator(".say__turn, .say__there").all():
            assert words.evaluate(ROWS) == 1, (scene, words.inner_text())
    # A game with bots may have a clock too.
    page.locator(".say").evaluate("(say, clock) => say.insertAdjacentHTML('beforeend', clock)", clock)
    for words in page.locator(".say__turn, .say__there").all():
        assert words.evaluate(ROWS) == 1, words.inner_text()
    turn, ending = page.locator(".say__turn").bounding_box(), page.locator(".say__until").bounding_box()
    assert turn
    assert ending
    assert ending["y"] < turn["y"] + turn["height"], "the clock stands on the same line"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_phone_says_on_one_line_who_is_to_play_and_a_day_is_given_from_the_menu(
    alice_at: Callable[..., Page], demo: Demo, locale: str
) -> None:
    page = alice_at(TALL, locale=locale)
    for scene in ("Long silence", "Four seasons"):
        page.goto(demo.game(scene))
        assert page.locator(".say__turn").evaluate(ROWS) == 1, scene
        expect(page.locator("#give-day")).to_be_hidden()
        page.locator("button.head__menu").click()
        expect(page.locator(".menu [form=give-day]")).to_be_visible()


def test_the_cards_of_a_profile_do_not_touch(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto("/players/bob/")
    boxes = [card.bounding_box() for card in page.locator("main .card").all()]
    assert len(boxes) > 2
    for one, two in pairwise(boxes):
        assert one
        assert two
        assert two["y"] - one["y"] - one["height"] >= 8


def test_the_ways_back_from_a_review_stand_beside_each_other_on_a_phone(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Every last piece") + "review/")
    back, replay = (link.bounding_box() for link in page.locator(".page-head p > a").all())
    assert back
    assert replay
    assert back["y"] == replay["y"]


def test_a_table_that_was_cancelled_leads_on(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Not this week"))
    expect(page.get_by_text("This table was cancelled.")).to_be_visible()
    main = page.get_by_role("main")
    expect(main.get_by_role("link", name="Lobby")).to_be_visible()
    main.get_by_role("link", name="New game").click()
    expect(page.get_by_role("heading", level=1, name="New game")).to_be_visible()


def test_a_crown_leaves_all_names_on_one_line(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Dead heat"))
    assert page.locator(".player__crown").count() == 2
    names = page.locator(".player__name").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert max(names) - min(names) < 1


@pytest.mark.parametrize("end", ["replay/", "embed/"])
def test_in_a_replay_a_score_stands_beside_its_colour(end: str, alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(TALL)
    page.goto(demo.game("Dead heat") + end)
    for row in page.locator(".player").all():
        colour, score = row.locator(".avatar").bounding_box(), row.locator(".player__score").bounding_box()
        assert colour
        assert score
        middle = score["y"] + score["height"] / 2
        assert colour["y"] < middle < colour["y"] + colour["height"]


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_choice_of_the_history_cuts_none_of_its_words(alice_at: Callable[..., Page], locale: str) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto("/history/")
    cut = page.locator("main select").evaluate_all(
        """all => all.filter((one) => one.checkVisibility()).map((one) => {
          const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
          const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
          pen.font = style.font;
          return [...one.options].map((option) => option.text).filter((text) => pen.measureText(text).width > room);
        })"""
    )
    assert cut == [[], []]


def test_pictures_of_the_rules_stand_above_their_words(alice_at: Callable[..., Page]) -> None:
    page = alice_at(TALL)
    page.goto("/rules/")
    pairs = page.locator(".rules__pair")
    assert pairs.count() > 1
    for pair in pairs.all():
        picture, words = (pair.locator(f":scope > :nth-child({number})").bounding_box() for number in (1, 2))
        assert picture
        assert words
        assert picture["y"] + picture["height"] <= words["y"]


def test_the_page_for_programs_breaks_no_address_within_a_word(alice_at: Callable[..., Page]) -> None:
    page = alice_at(TALL)
    page.goto("/api/")
    assert page.evaluate(WIDER) == 0
    broken = page.locator(".api h3").evaluate_all(
        """all => all.flatMap((one) => [...one.querySelector("code").childNodes]).filter((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return part.nodeType === Node.TEXT_NODE && !part.data.includes(" ") && range.getClientRects().length > 1;
        }).map((part) => part.data)"""
    )
    assert broken == []
