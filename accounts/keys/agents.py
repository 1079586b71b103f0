"""A device in words: which browser on which system, as the browser says. Its address is not kept."""

import re

from django.utils.translation import gettext as _

#: What browsers call themselves, the most telling first: most of them claim to be others too.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "OPT/": "Opera",
    "OPX/": "Opera",
    "Opera": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "YaBrowser": "Yandex Browser",
    "Vivaldi": "Vivaldi",
    "HuaweiBrowser": "Huawei Browser",
    "DuckDuckGo": "DuckDuckGo",
    "Ddg/": "DuckDuckGo",
    "Epiphany": "GNOME Web",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPod": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Tizen": "Tizen",
    "Web0S": "webOS",
    "KAIOS": "KaiOS",
    "OpenHarmony": "HarmonyOS",
    "PlayStation": "PlayStation",
    "Nintendo": "Nintendo",
    "Xbox": "Xbox",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "Linux": "Linux",
    "FreeBSD": "FreeBSD",
    "OpenBSD": "OpenBSD",
}
#: What only browsers of phones and tablets say, which claim to be a Mac where they ask for the page of a desk.
ON_IPAD = re.compile(r"CriOS|FxiOS|EdgiOS|OPT/|OPX/|Mobile/")
#: What programs say that read pages by themselves.
PROGRAMS = re.compile(r"bot/|crawler|spider", re.IGNORECASE)
PROGRAM, APPLE = "program", {"iPhone", "iPad", "macOS"}


def device_of_agent(agent: str) -> str:
    """Return "browser|system" for what a browser says that it is; either is empty where it is not known."""
    browser, system = _first(agent, BROWSERS), _first(agent, SYSTEMS)
    if PROGRAMS.search(agent):
        return f"{PROGRAM}|"
    if system == "macOS" and ON_IPAD.search(agent):
        system = "iPad"
    if browser == "Safari" and system not in APPLE:
        # What others are made of says so too.
        browser = ""
    return f"{browser}|{system}"


def device_words(device: str) -> str:
    """Return such a device in the reader's language."""
    browser, _bar, system = device.partition("|")
    if browser == PROGRAM:
        return _("A program")
    if browser == "Safari" and system == "macOS":
        # An iPad says the same, word for word.
        system = _("Mac or iPad")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def _first(agent: str, names: dict[str, str]) -> str:
    return next((name for sign, name in names.items() if sign in agent), "")
