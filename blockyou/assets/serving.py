"""Static files served by the web processes themselves, where no proxy does it."""

import os
from typing import Any

from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import NotARegularFileError


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise has no types
    """Serve static files, also those that a newer release has collected since this process started.

    While a release is under way, a page of the new one may ask an old process for its stylesheet.
    """

    def __call__(self, request: HttpRequest) -> Any:
        """Answer with the file, or pass the request on."""
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files and not self.autorefresh:
            self.look_for(path)
        return super().__call__(request)

    def look_for(self, url: str) -> None:
        """Remember the file of this address if it has come into being since the start."""
        root = os.path.join(os.path.abspath(self.static_root), "")  # noqa: PTH100, PTH118  (as the library compares them)
        path = root + url[len(self.static_prefix) :]
        if not self.url_is_canonical(url) or not self.path_is_child_of(path, root):
            return
        try:
            self.files[url] = self.find_file_at_path(path, url)
        except NotARegularFileError:
            return
