"""Debian's Chromium, and what it is started with."""

CHROMIUM = "/usr/bin/chromium"
#: What Chromium is to do without. It takes the last such list alone, so that the names of Playwright's own that
#: concern it are here too. RenderDocument is ours: with it a window that is closed while its next page arrives stays
#: open now and then, and closing it is never answered (https://github.com/microsoft/playwright/issues/42068).
WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding",
    "PreconnectToSearch", "RenderDocument", "ThirdPartyStoragePartitioning",
)  # fmt: skip
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    f"--disable-features={','.join(WITHOUT)}",
)
