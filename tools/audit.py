"""Measure the page of a game: Lighthouse on a phone, and what a frame of dragging a piece costs. `make audit`.

The figures are kept in docs/audit/play.json, the whole report in var/audit. Run it on a machine that has nothing
else to do: Lighthouse measures by the clock.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.browser.chromium import CHROMIUM
from tests.browser.demo import Demo
from tests.browser.people import PHONE, log_in_as
from tests.browser.site import ROOT, new_site

LIGHTHOUSE = "lighthouse@12.8.2"
REPORTS = ROOT / "var" / "audit"
KEPT = ROOT / "docs" / "audit" / "play.json"
SCENE = "Corner cases"
METRICS = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "speed-index",
    "total-blocking-time",
    "cumulative-layout-shift",
    "total-byte-weight",
)
SLOWED = 4
STEPS = 60
MAIN = "CrRendererMain"
#: What the page's main thread does for a frame: the hand's answer to the finger, then style, layout and painting.
SCRIPT = ("EventDispatch", "FireAnimationFrame")
WORK = (*SCRIPT, "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")


def main() -> None:
    """Serve a site with a game in its middle, measure, and keep the figures."""
    with tempfile.TemporaryDirectory(prefix="audit-") as folder, sync_playwright() as playwright:
        site = new_site(Path(folder))
        site.start()
        try:
            address = site.url + Demo.on(site).game(SCENE)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            context = browser.new_context(**PHONE)  # type: ignore[arg-type]  # the phone's settings by name
            log_in_as(context.new_page(), site.url, "alice")
            figures = {
                "date": datetime.now(UTC).date().isoformat(),
                "command": "make audit",
                "page": "a game of Block-You in its middle, its player logged in and to move",
                "chromium": browser.version,
                "drag": drag_cost(browser, context, address),
                "lighthouse": lighthouse(browser, context, address),
            }
        finally:
            site.stop()
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(figures, indent=2) + "\n")
    sys.stdout.write(KEPT.read_text())


def lighthouse(browser: Browser, context: BrowserContext, address: str) -> dict[str, Any]:
    """Return the scores and the metrics of Lighthouse's mobile run; the whole report goes to var/audit."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
    browser.close()
    arguments = [
        address,
        "--quiet",
        "--chrome-flags=--headless=new --no-sandbox",
        f"--extra-headers={json.dumps({'Cookie': cookies})}",
        "--output=json",
        "--output=html",
        f"--output-path={REPORTS / 'play'}",
    ]
    subprocess.run(
        [shutil.which("npx") or "npx", "--yes", LIGHTHOUSE, *arguments],
        check=True,
        timeout=300,
        env={**os.environ, "CHROME_PATH": CHROMIUM},
    )
    report = json.loads((REPORTS / "play.report.json").read_text())
    return {
        "version": report["lighthouseVersion"],
        "scores": {name: round(each["score"] * 100) for name, each in report["categories"].items()},
        "metrics": {name: round(report["audits"][name]["numericValue"], 3) for name in METRICS},
        "benchmark_index": report["environment"]["benchmarkIndex"],
        "below_full_marks": [
            name for name, each in report["audits"].items() if each["score"] is not None and each["score"] < 0.9
        ],
    }


def drag_cost(browser: Browser, context: BrowserContext, address: str) -> dict[str, Any]:
    """Return what the frames of a drag cost the main thread of a slow phone, in milliseconds of its own time.

    Chromium slows a page down in gusts longer than a frame, so this measures at full speed and multiplies.
    """
    page = context.new_page()
    page.goto(address)
    page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.tap()
    session = context.new_cdp_session(page)
    # Once before it counts: what runs for the first time is compiled first.
    drag(page, session)
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    drag(page, session)
    trace = json.loads(browser.stop_tracing())
    page.close()
    return frame_costs(trace["traceEvents"])


def drag(page: Page, session: CDPSession) -> None:
    """Drag the piece in the hand across the board and back, one step a frame."""
    box = page.locator("#board").bounding_box()
    if box is None:
        raise RuntimeError("The page shows no board.")
    for step in range(STEPS):
        far = box["width"] * 0.4 * math.sin(2 * math.pi * step / STEPS)
        point = {"x": box["x"] + box["width"] / 2 + far, "y": box["y"] + box["height"] / 2 + far / 2}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        page.evaluate("new Promise(requestAnimationFrame)")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def frame_costs(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median, the 95th percentile and the most that a frame in which something moved has cost.

    A frame is what lies between two commits. It is the thread's own time: what else runs on the machine does not count.
    """
    frames: list[dict[str, float]] = []
    spent, until = dict.fromkeys(WORK, 0.0), 0.0
    for event in page_work(events):
        # What is inside another event is counted with it.
        if event["ts"] < until:
            continue
        until = event["ts"] + event["dur"]
        spent[event["name"]] += SLOWED * event.get("tdur", event["dur"]) / 1000
        if event["name"] == "Commit":
            frames += [spent] if spent["Paint"] else []
            spent = dict.fromkeys(WORK, 0.0)
    return {
        "slowed": SLOWED,
        "frames": len(frames),
        "script_ms": spread([sum(frame[name] for name in SCRIPT) for frame in frames]),
        "all_ms": spread([sum(frame.values()) for frame in frames]),
    }


def page_work(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the thread of the page has done, in order: of all tabs' such threads it is the one that works."""
    work = [event for event in events if event["ph"] == "X" and event["name"] in WORK]
    threads = {event["tid"] for event in events if event["name"] == "thread_name" and event["args"]["name"] == MAIN}
    main = max(threads, key=lambda thread: sum(event["tid"] == thread for event in work))
    return sorted((event for event in work if event["tid"] == main), key=lambda event: event["ts"])


def spread(values: list[float]) -> dict[str, float]:
    """Return the middle of the values, what 95 in a hundred do not exceed, and the largest."""
    shares = statistics.quantiles(values, n=20)
    return {"median": round(shares[9], 2), "p95": round(shares[18], 2), "most": round(max(values), 2)}


if __name__ == "__main__":
    main()
