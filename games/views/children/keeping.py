"""The pages of guardians: the children whose accounts they keep, and all that they decide for one."""

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits
from accounts.children import keeping
from accounts.doors import own_child_of, person
from accounts.erasure import close_childs_account
from accounts.forms.children import ChildNameForm, ChildPasswordForm, NewChildForm
from accounts.forms.own import NameForm
from accounts.models import User
from games.actions.archives.ask_for_archive import ask_for_archive as _ask_for_archive
from games.actions.children.allow_person import allow_person as _allow_person
from games.actions.children.remove_person import remove_person as _remove_person
from games.errors import BadRequest, NotFound, TooMany
from games.pages.children.keeping import child_page, children_page
from games.queries.archives.made import archive_of
from games.table.counting import FILES_AN_HOUR, count_guardian
from games.views.archives.own_data import send_archive

form_page = require_http_methods(["GET", "HEAD", "POST"])


def _counted(request: HttpRequest, child: int) -> tuple[User, User]:
    """Return the guardian and the child, and count what is to be done.

    Raises: Http404, LimitReached.
    """
    guardian = person(request)
    count_guardian(guardian)
    return guardian, own_child_of(guardian, child)


@sensitive_post_parameters("password")
@form_page
def children(request: HttpRequest) -> HttpResponse:
    """Show the guardian's children, and make an account for one."""
    guardian = person(request)
    form = NewChildForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and keeping.may_have_children(guardian) and form.is_valid():
        child = form.save(guardian)
        if child is not None:
            messages.success(request, _("The account is ready. Say with whom the child may play."))
            return redirect("child", child.pk)
    context = {"form": form, "page": children_page(guardian)}
    return render(request, "games/children/page.html", context, status=400 if form.errors else 200)


@require_safe
def child(request: HttpRequest, child: int) -> HttpResponse:
    """Show the games of a child and what it may do."""
    return _show(request, own_child_of(person(request), child))


def _show(request: HttpRequest, child: User, form: Form | None = None, secret: str = "") -> HttpResponse:
    context = {
        "page": child_page(child, timezone.now()),
        "form": form or ChildPasswordForm(child),
        "secret": secret,
    }
    return render(request, "games/children/child.html", context, status=400 if form is not None else 200)


@require_POST
def allow_person(request: HttpRequest, child: int) -> HttpResponse:
    """Allow the child to play with the person of this name."""
    guardian, mine = _counted(request, child)
    try:
        other = _allow_person(guardian, mine.pk, request.POST.get("username", "").strip())
    except (BadRequest, NotFound, TooMany) as error:
        messages.error(request, str(error.sentence))
    else:
        names = {"name": other.shown_name, "child": mine.username}
        messages.success(request, _("%(child)s and %(name)s can play together.") % names)
    return redirect("child", mine.pk)


@require_POST
def remove_person(request: HttpRequest, child: int) -> HttpResponse:
    """Remove the person of the key that the button sends from those the child may play with."""
    guardian, mine = _counted(request, child)
    try:
        _remove_person(guardian, mine.pk, _key(request.POST.get("remove", "")))
    except NotFound as error:
        messages.error(request, str(error.sentence))
    else:
        messages.success(request, _("The two cannot play together any more."))
    return redirect("child", mine.pk)


def _key(typed: str) -> int:
    """Return the key that a button sends, 0 for what is none."""
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 19 else 0


@require_POST
def set_name(request: HttpRequest, child: int) -> HttpResponse:
    """Call the child by another name; it still logs in with the first."""
    _guardian, mine = _counted(request, child)
    form = NameForm(mine, request.POST)
    if form.is_valid() and form.save():
        messages.success(request, _("The child is called %(name)s now.") % {"name": mine.username})
    else:
        for sentence in form.errors.get("username", []):
            messages.error(request, str(sentence))
    return redirect("child", mine.pk)


@require_POST
def set_phrases(request: HttpRequest, child: int) -> HttpResponse:
    """Allow or forbid the child ready phrases."""
    _guardian, mine = _counted(request, child)
    says = request.POST.get("phrases") == "yes"
    keeping.switch_phrases(mine, says_phrases=says)
    on, off = _("%(name)s can say the ready phrases."), _("%(name)s says nothing at tables now.")
    messages.success(request, (on if says else off) % {"name": mine.username})
    return redirect("child", mine.pk)


@require_POST
def make_link(request: HttpRequest, child: int) -> HttpResponse:
    """Show a new link that logs one device of the child in; it is on the page that answers, and nowhere else."""
    _guardian, mine = _counted(request, child)
    secret = keeping.make_child_link(mine, timezone.now())
    return render(request, "games/children/link.html", {"child": mine, "secret": secret})


@sensitive_post_parameters("password")
@require_POST
def set_password(request: HttpRequest, child: int) -> HttpResponse:
    """Give the child another password, and log it out everywhere."""
    _guardian, mine = _counted(request, child)
    form = ChildPasswordForm(mine, request.POST)
    if not form.is_valid():
        return _show(request, mine, form)
    keeping.set_childs_password(mine, form.cleaned_data["password"])
    messages.success(request, _("The password is changed. %(name)s logs in with it.") % {"name": mine.username})
    return redirect("child", mine.pk)


@require_POST
def end_logins(request: HttpRequest, child: int) -> HttpResponse:
    """Log the child out on all its devices."""
    _guardian, mine = _counted(request, child)
    keeping.log_out_everywhere(mine)
    messages.success(request, _("%(name)s is logged out everywhere.") % {"name": mine.username})
    return redirect("child", mine.pk)


@require_POST
def ask_for_archive(request: HttpRequest, child: int) -> HttpResponse:
    """Ask for the archive of all that is the child's."""
    _guardian, mine = _counted(request, child)
    try:
        _ask_for_archive(mine, language=get_language() or "")
    except TooMany as refusal:
        messages.error(request, str(refusal.sentence))
    else:
        messages.success(request, _("The file is being made. You will see here when it is ready."))
    return redirect("child", mine.pk)


@require_safe
def archive(request: HttpRequest, child: int) -> HttpResponseBase:
    """Send the child's archive to its guardian."""
    mine = own_child_of(person(request), child)
    limits.count_use(f"archive-file:{mine.pk}", FILES_AN_HOUR, 3600)
    return send_archive(request, archive_of(mine.pk))


@form_page
def hand_child_over(request: HttpRequest, child: int) -> HttpResponse:
    """Make the account of a child who has grown up one like all others, once its name is typed."""
    guardian, mine = person(request), own_child_of(person(request), child)
    form = ChildNameForm(mine, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not keeping.release_child(guardian, mine):
            raise Http404
        messages.success(request, _("%(name)s has an account like all others now.") % {"name": mine.username})
        return redirect("children")
    context = {"form": form, "child": mine}
    return render(request, "games/children/hand_over.html", context, status=400 if form.errors else 200)


@form_page
def delete(request: HttpRequest, child: int) -> HttpResponse:
    """Delete the account of a child for good, once its name is typed."""
    guardian, mine = person(request), own_child_of(person(request), child)
    form = ChildNameForm(mine, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not close_childs_account(guardian, mine):
            raise Http404
        messages.success(request, _("The child's account has been deleted."))
        return redirect("children")
    context = {"form": form, "child": mine}
    return render(request, "games/children/delete.html", context, status=400 if form.errors else 200)
