"""What the person who opened a table changes before the start: its terms, and who sits where."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.tables.edit_table import edit_table as _edit_table
from games.actions.tables.fill_seats import fill_seats as _fill_seats
from games.actions.tables.remove_player import remove_player as _remove_player
from games.actions.tables.swap_seats import swap_seats as _swap_seats
from games.errors import BadRequest
from games.forms.edit_table import EditTableForm, FillForm, bot_of, removal_form
from games.forms.seats import seat_number
from games.pages.waiting.edit_table import EditPage, edit_page
from games.table.counting import count_shown, count_table_change


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what may be changed at a table, or change its terms."""
    page = edit_page(person(request), slug)
    if request.method != "POST":
        return _show(request, page, EditTableForm(page))
    form = EditTableForm(page, request.POST)
    if form.is_valid():
        terms = form.terms()
        _count(request)
        if terms.is_public and not page.agreed.is_public:
            count_shown(person(request), client(request))
        try:
            _edit_table(person(request), slug, terms)
        except BadRequest as error:
            form.refuse(error)
        else:
            messages.success(request, _("The table has been changed. Its players can see what is new."))
            return redirect("game", slug)
    return _show(request, page, form)


def _show(request: HttpRequest, page: EditPage, form: EditTableForm) -> HttpResponse:
    seats = [(seat, removal_form(seat.number) if seat.needs_reason else None) for seat in page.seats]
    found = {"page": page, "form": form, "seats": seats, "fill": FillForm.usual()}
    return render(request, "games/edit_table/page.html", found, status=422 if form.errors else 200)


@require_POST
@login_required
def swap_seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Exchange two seats."""
    _count(request)
    one, other = (seat_number(request.POST.get(name, "")) for name in ("one", "other"))
    _swap_seats(person(request), slug, one=one, other=other)
    return redirect("game-edit", slug)


@require_POST
@login_required
def remove_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Empty a seat."""
    _count(request)
    seat, reason = seat_number(request.POST.get("seat", "")), request.POST.get("reason", "")
    _remove_player(person(request), slug, seat=seat, reason=reason)
    messages.success(request, _("The seat is empty now."))
    return redirect("game-edit", slug)


@require_POST
@login_required
def fill_seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Fill the empty seats with bots, which starts the game."""
    _count(request)
    _fill_seats(person(request), slug, bot=bot_of(request.POST.get("strength", "")))
    return redirect("game", slug)


def _count(request: HttpRequest) -> None:
    count_table_change(person(request), client(request))
