"""Production's settings for a site that may post to this machine, as no site of people may."""

from blockyou.settings.prod import *  # noqa: F403

PUSH_TO_LOOPBACK = True
