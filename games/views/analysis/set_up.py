"""Setting up a position by hand, to study it: what lies on the board is in the page's fields, and kept nowhere."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from accounts import limits
from accounts.guests import ensure_player
from games.actions.studies.create_study import create_study
from games.errors import GameError, Refused
from games.forms.set_up import SetUpForm
from games.pages.analysis.set_up import boards_to_set_up, set_up_page
from games.rules.variants import Variant, get_variant
from games.table.counting import READ_AN_HOUR
from games.table.setting_up import Placed, colours_to_set_up, state_query, with_piece, without_piece
from games.views.errors import with_headers


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request", "HX-History-Restore-Request")
@never_cache
def set_up_position(request: HttpRequest) -> HttpResponse:
    """Show the boards, or the position that is set up on one; keep it as a study and go to that study's board.

    With `placement` one piece more is laid there, of the colour in the hand, and with `remove` one is taken off.
    """
    asked = request.POST if request.method == "POST" else request.GET
    boards = boards_to_set_up()
    chosen = next((each.variant for each in boards if each.variant == asked.get("board")), None)
    if chosen is None:
        return render(
            request, "games/set_up/boards.html", {"boards": boards}, status=422 if asked.get("board") else 200
        )
    variant = get_variant(chosen)
    form = SetUpForm(variant, _with_defaults(asked, variant))
    if request.method == "POST":
        # Before the work, which is what is to be limited.
        limits.count_use(f"study:{limits.requester(request)}", READ_AN_HOUR, 3600)
        if form.is_valid() and form.record is not None:
            study = create_study(ensure_player(request), form.record, title=form.cleaned_data["title"])
            return redirect("study-board", study.slug)
        return _show(request, form)
    return _step(request, form) if form.is_valid() else _show(request, form)


def _step(request: HttpRequest, form: SetUpForm) -> HttpResponse:
    """Lay a piece on the board or take one off, and go to the address of what lies there then."""
    colour, placement = _colour(request, form), request.GET.get("placement", "")
    removed, _space, piece = request.GET.get("remove", "").partition(" ")
    try:
        placed = without_piece(form.placed, removed, piece)
        if placement:
            placed = with_piece(form.variant, placed, colour, placement)
    except GameError as error:
        return with_headers(_show(request, form, error), error)
    address, has_changed = _address(form, placed, colour), placed != form.placed
    if not getattr(request, "htmx", False):
        return redirect(address) if has_changed else _show(request, form)
    if has_changed:
        form = SetUpForm(form.variant, QueryDict(address.partition("?")[2]))
        form.is_valid()
    response = _show(request, form)
    # Going back undoes a step; another colour's pieces are none.
    response["HX-Push-Url" if has_changed else "HX-Replace-Url"] = address
    return response


def _show(request: HttpRequest, form: SetUpForm, error: GameError | None = None) -> HttpResponse:
    htmx = getattr(request, "htmx", None)
    # Going back restores the whole page.
    is_part = bool(htmx and not htmx.history_restore_request)
    if is_part and form.errors:
        # The whole page begins with what is wrong; beside the board a sentence leads there.
        error = Refused(sentence=_("Please check the pieces you have typed."))
    page = set_up_page(form.position, _colour(request, form), error)
    shown = {"page": page, "notice": page.notice, "form": form}
    template = "games/set_up/fragment.html" if is_part else "games/set_up/page.html"
    status = error.status if error else 422 if form.errors else 200
    return render(request, template, shown, status=status)


def _address(form: SetUpForm, placed: Placed, colour: str) -> str:
    data = form.cleaned_data
    return f"{reverse('study-set-up')}?{state_query(form.variant, placed, data['to_play'], data['title'], colour)}"


def _with_defaults(asked: QueryDict, variant: Variant) -> QueryDict:
    """Return what was asked for; an address need not say who plays next."""
    if "to_play" in asked:
        return asked
    whole = asked.copy()
    whole["to_play"] = colours_to_set_up(variant)[0]
    return whole


def _colour(request: HttpRequest, form: SetUpForm) -> str:
    """Return the colour whose pieces are in the hand, by default the first."""
    asked = request.POST if request.method == "POST" else request.GET
    chosen = asked.get("hand") or asked.get("colour")
    return next((code for code in form.colours if code == chosen), form.colours[0])
