"""A device in words: which browser on which system, as the browser says. Its address is not kept."""

from django.utils.translation import gettext as _

#: What browsers call themselves, the most telling first: most of them claim to be others too.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "Linux": "Linux",
}


def device_of_agent(agent: str) -> str:
    """Return "browser|system" for what a browser says that it is; either is empty where it is not known."""
    return f"{_first(agent, BROWSERS)}|{_first(agent, SYSTEMS)}"


def device_words(device: str) -> str:
    """Return such a device in the reader's language."""
    browser, _bar, system = device.partition("|")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def _first(agent: str, names: dict[str, str]) -> str:
    return next((name for sign, name in names.items() if sign in agent), "")
