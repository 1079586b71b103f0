"""Pages of people that allauth does not have."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, languages, unsubscribe
from accounts.doors import guests_only, person
from accounts.erasure import close_account
from accounts.forms.entrance import NAME_JUST_TAKEN
from accounts.forms.own import ClaimForm, PreferencesForm, closing_form
from accounts.models import User
from accounts.pages import account_page

form_page = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show the person their account."""
    return render(request, "accounts/account.html", {"page": account_page(person(request))})


@form_page
@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and change how the site looks and behaves."""
    form = PreferencesForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your preferences are saved."))
        answer = redirect("preferences")
        # What was chosen as a visitor no longer counts: "as my browser" is to mean what it says.
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return answer
    return render(request, "accounts/preferences.html", {"form": form})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Write the site in the language chosen, and go back to the page. It is kept as a preference, or by a cookie."""
    code = request.POST.get("language", "")
    if not languages.is_offered(code):
        return redirect("home")
    if isinstance(request.user, User):
        languages.choose(request.user, code)
    return i18n.set_language(request)


@sensitive_post_parameters("password1")
@never_cache
@form_page
@guests_only
def claim(request: HttpRequest) -> HttpResponse:
    """Turn a guest into a member who keeps the games."""
    form = ClaimForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _claimed(request, form):
        messages.success(request, _("This account is yours now. Your games came along."))
        return redirect("account")
    return render(request, "accounts/claim.html", {"form": form})


def _claimed(request: HttpRequest, form: ClaimForm) -> bool:
    name, password, email = (form.cleaned_data[field] for field in ("username", "password1", "email"))
    try:
        guests.claim(request, person(request), username=name, password=password, email=email)
    except IntegrityError:
        form.add_error("username", NAME_JUST_TAKEN)
        return False
    return True


@sensitive_post_parameters("password")
@never_cache
@form_page
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Close the account for good, once the person has proved to mean it."""
    form = closing_form(person(request), request.POST or None)
    if request.method == "POST" and form.is_valid():
        close_account(person(request))
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("home")
    return render(request, "accounts/delete.html", {"form": form})


@csrf_exempt
@never_cache
@form_page
def stop_turn_emails(request: HttpRequest, token: str) -> HttpResponse:
    """Show the button that stops turn e-mails; a POST stops them, from the page or from a mail program.

    The token in the address is the proof, so no cookie and no CSRF token is asked for (RFC 8058).
    """
    reader = unsubscribe.person_of(token)
    if reader is None:
        raise Http404
    if request.method == "POST":
        unsubscribe.stop(reader)
    return render(request, "accounts/unsubscribe.html", {"reader": reader})


def too_many(request: HttpRequest, retry_after: int = 60) -> HttpResponse:
    """Answer a request that came too often: a page, or the fragment htmx asked for."""
    template = "accounts/_limit.html" if request.headers.get("HX-Request") else "accounts/limit.html"
    answer = render(request, template, {"minutes": -(-retry_after // 60)}, status=429)
    answer["Retry-After"] = str(retry_after)
    return answer
