"""What happened since my last turn: outlined, numbered, seen arriving move by move, and seen again."""

import re
from itertools import pairwise
from typing import Any

from playwright.sync_api import expect

from tests.browser.people import People, Person

#: Milliseconds until three bots have answered: the first of a site come once its workers have their engines ready.
THREE_MOVES = 120_000

# Every animation of a move: which one, when it begins on the page's clock, and between which looks.
RECORD = """() => {
  window.arrived = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const begin = Number(document.timeline.currentTime) + (timing.delay ?? timing.duration);
    const looks = frames.flatMap((frame) => Object.keys(frame));
    if (this.matches(".step"))
      window.arrived.push({ step: this.dataset.step, begin, looks, duration: timing.duration, frames });
    return animate.call(this, frames, timing);
  };
}"""

MOVING = "document.getAnimations().filter((one) => one.effect.target.closest('[data-step]')).length"


def answered_at_once(people: People, **options: Any) -> Person:
    """Return a person on whose page the answers of three bots to the first move have come in one update."""
    alice = people.arrive("alice", **options)
    alice.sign_up()
    path = alice.open_table("blockyou-4", "bot:random", "bot:random", "bot:random")
    alice.page.evaluate(f"({RECORD})()")
    alice.page.route("**/board/**", lambda route: route.abort())
    alice.play_any()
    meanwhile = alice.context.new_page()
    meanwhile.goto(alice.url + path)
    meanwhile.wait_for_selector("#place[data-my-turn]", timeout=THREE_MOVES)
    meanwhile.close()
    alice.page.unroute("**/board/**")
    alice.page.wait_for_selector("#place[data-my-turn]", timeout=THREE_MOVES)
    return alice


def test_the_answers_of_three_bots_are_outlined_and_numbered_and_mine_is_outlined_otherwise(people: People) -> None:
    alice = answered_at_once(people)
    expect(alice.page.locator(".step__number text")).to_have_text(["2", "3", "4"])
    expect(alice.page.locator(".move[data-new] .move__number")).to_have_text(["4", "3", "2"])
    dashes = [
        outline.evaluate("one => getComputedStyle(one).strokeDasharray")
        for outline in alice.page.locator(".step > .last").all()
    ]
    assert dashes[0] != "none"
    assert dashes[1:] == ["none"] * 3
    for quarter in range(4):
        expect(alice.page.locator("#board")).to_have_attribute("data-turn", str(quarter))
        for number in alice.page.locator(".step__number text").all():
            expect(number).to_be_visible()
            matrix = number.evaluate("one => { const m = one.getScreenCTM(); return [m.a > 0, Math.abs(m.b) < .001] }")
            assert matrix == [True, True], "a number stays upright"
        alice.page.keyboard.press("t")


def test_moves_that_come_together_arrive_one_after_another_and_are_all_there_at_once(people: People) -> None:
    alice = answered_at_once(people)
    arrived = alice.page.evaluate("window.arrived")
    assert [one["step"] for one in arrived] == ["2", "3", "4"]
    gaps = [later["begin"] - one["begin"] for one, later in pairwise(arrived)]
    assert all(500 <= gap <= 800 for gap in gaps), gaps
    assert all(150 <= one["duration"] <= 250 for one in arrived)
    assert {look for one in arrived for look in one["looks"]} == {"opacity", "transform"}
    # The picture itself waits for nothing.
    shown = alice.page.locator("#board").inner_html()
    assert len(re.findall('class="piece"', shown)) == 4
    assert "opacity" not in shown


def test_whoever_touches_the_page_has_everything_as_it_is(people: People) -> None:
    alice = answered_at_once(people)
    for touched, event in (("body", "keydown"), ("#board", "pointerdown"), (".slot", "pointerdown")):
        found = alice.page.evaluate(
            f"""() => {{
              document.querySelector("[data-since]").click();
              const before = {MOVING};
              document.querySelector("{touched}").dispatchEvent(
                Object.assign(new Event("{event}", {{ bubbles: true }}), {{ key: "Shift" }}));
              return [before, {MOVING}];
            }}"""
        )
        assert found == [6, 0], touched


def test_one_tap_or_key_shows_the_moves_again_also_on_a_page_opened_later(people: People) -> None:
    alice = answered_at_once(people)
    alice.page.reload()
    alice.page.evaluate(f"({RECORD})()")
    link = alice.page.get_by_role("link", name="3 moves since your last turn")
    link.click()
    assert [one["step"] for one in alice.page.evaluate("window.arrived")] == ["2", "3", "4"]
    expect(alice.page.locator("#announce")).to_have_text(re.compile("^2 .+ placed .+, 3 .+ placed .+, 4 .+ placed"))
    assert alice.path.endswith("/"), "the page stays"
    alice.page.keyboard.press("w")
    assert len(alice.page.evaluate("window.arrived")) == 6


def test_with_reduced_motion_nothing_moves(people: People) -> None:
    alice = answered_at_once(people, reduced_motion="reduce")
    assert alice.page.evaluate("window.arrived") == []
    alice.page.locator("[data-since]").click()
    shown = alice.page.evaluate("window.arrived")
    assert [one["step"] for one in shown] == ["2", "3", "4"]
    assert all(frame == {"opacity": 0, "transform": "none"} for one in shown for frame in one["frames"])
