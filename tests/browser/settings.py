"""The settings of a real site, but for what a password costs, 0.25 s of hashing each, and for how many people may sign
up and log in from one address: every test signs people up, and all of them come from this machine.
"""

from blockyou.settings.prod import *  # noqa: F403  (settings modules share one namespace)

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = {**ACCOUNT_RATE_LIMITS, "signup": "", "login": ""}  # noqa: F405  (as above)
