"""Addresses of lists whose page or section does not exist lead to one that does: address and content agree."""

from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect


def way_without(request: HttpRequest, name: str) -> HttpResponseRedirect:
    """Return the way to the same address without a parameter of its query."""
    query = request.GET.copy()
    query.pop(name, None)
    return redirect(f"{request.path}?{query.urlencode()}" if query else request.path)


def is_elsewhere(request: HttpRequest, number: int) -> bool:
    """Return whether the address asks for another page than the one of this number, which is shown."""
    return request.GET.get("page", str(number)) != str(number)
