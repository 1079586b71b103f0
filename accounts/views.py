"""Pages of people that allauth does not have."""

from collections.abc import Mapping, Sequence

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, limits
from accounts.children.keeping import children_of
from accounts.doors import guests_only, members_only, own_bot_of, person, signed_in_only, while_sign_up_is_open
from accounts.erasure import close_account
from accounts.forms.bots import CloseBotForm, NewBotForm
from accounts.forms.entrance import NAME_JUST_TAKEN, ResetPasswordForm
from accounts.forms.own import ClaimForm, NameForm, PreferencesForm, TokenForm, closing_form
from accounts.mail import restoring, unsubscribe
from accounts.models import User
from accounts.pages import account_page, bot_account_page, bots_page, tokens_page
from accounts.readers import languages, zones
from accounts.tokens import MOST_TOKENS, make_token, revoke_token

#: How often a person may change preferences in an hour: new quiet hours are noted at all their seats.
CHANGES_AN_HOUR = 60
#: How often a person may choose another mark or its colour in an hour: all their tables show it.
FACES_AN_HOUR = 10
#: The guests of one address together do either so many times as often as one of them: another guest is no way round it.
GUESTS_TOGETHER = 6
#: How often a person's browsers may guess a time zone in an hour.
ZONES_AN_HOUR = 30
#: Of visitors, many of whom may be behind one address.
ZONES_AN_ADDRESS = 600
#: How many tokens a person may make in an hour.
TOKENS_AN_HOUR = 20

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
    if request.method == "POST":
        _count(request, "preferences", CHANGES_AN_HOUR)
    if request.method == "POST" and form.is_valid():
        if {"own_mark", "own_tint"} & {*form.changed_data}:
            # Every table of the person shows it.
            _count(request, "face", FACES_AN_HOUR)
        form.save()
        messages.success(request, _("Your preferences are saved."))
        answer = redirect("preferences")
        # What was chosen as a visitor no longer counts: "as my browser" is to mean what it says.
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return answer
    return render(request, "accounts/preferences.html", {"form": form})


def _count(request: HttpRequest, what: str, limit: int) -> None:
    """Count one use of the person's, and where that is a guest one of the guests of the address."""
    user = person(request)
    limits.count_use(f"{what}:{user.pk}", limit, 3600)
    if user.is_guest:
        limits.count_use(f"{what}:guests-{limits.client(request)}", limit * GUESTS_TOGETHER, 3600)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Write the site in the language chosen, and go back to the page. It is kept as a preference, or by a cookie."""
    code = request.POST.get("language", "")
    if not languages.is_offered(code):
        return redirect("home")
    if isinstance(request.user, User):
        languages.save_language(request.user, code)
    return i18n.set_language(request)


@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Keep the time zone that a browser guesses: in the account, where it has none, or for a visitor in a cookie."""
    answer, name = HttpResponse(status=204), request.POST.get("zone", "")
    if isinstance(request.user, User):
        limits.count_use(f"time-zone:{request.user.pk}", ZONES_AN_HOUR, 3600)
        zones.save_guess(request.user, name)
    else:
        limits.count_use(f"time-zone:{limits.client(request)}", ZONES_AN_ADDRESS, 3600)
        zones.remember_guess(answer, name)
    return answer


@sensitive_post_parameters("password1")
@never_cache
@form_page
@guests_only
@while_sign_up_is_open
def claim_account(request: HttpRequest) -> HttpResponse:
    """Turn a guest into a member who keeps the games, and go back to where the guest was."""
    form, on = ClaimForm(person(request), request.POST or None), _way_on(request)
    if request.method == "POST" and form.is_valid() and _claimed(request, form):
        messages.success(request, _("Your account is ready, and your games have been kept."))
        return HttpResponseRedirect(on)
    return render(request, "accounts/claim.html", {"form": form, "on": on})


@form_page
@signed_in_only
def own_name(request: HttpRequest) -> HttpResponse:
    """Ask people how to be called, and go on to where they were going. A refused name comes in the address."""
    asked = request.GET.get("name", "")
    form = NameForm(person(request), request.POST or ({"username": asked} if asked else None))
    on = _way_on(request)
    if request.method == "POST" and form.is_valid() and form.save():
        return HttpResponseRedirect(on)
    return render(request, "accounts/name.html", {"form": form, "on": on})


def _way_on(request: HttpRequest) -> str:
    # Not redirect(): it would take an address typed by hand for the name of a page.
    return get_next_redirect_url(request) or reverse("account")


def _claimed(request: HttpRequest, form: ClaimForm) -> bool:
    name, password, email = (form.cleaned_data[field] for field in ("username", "password1", "email"))
    try:
        guests.make_member(request, person(request), username=name, password=password, email=email)
    except IntegrityError:
        form.add_error("username", NAME_JUST_TAKEN)
        return False
    return True


@sensitive_post_parameters("password")
@never_cache
@form_page
@login_required
def delete_account(
    request: HttpRequest, is_shown: bool = False, ways: Sequence[Mapping[str, str]] = ()
) -> HttpResponse:
    """Close the account for good, once the person has proved to mean it.

    A member with a password types it, unless something else `is_shown`; `ways` lead to where that is done.
    """
    form = closing_form(person(request), request.POST or None, is_shown=is_shown)
    if request.method == "POST" and form.is_valid():
        close_account(person(request))
        logout(request)
        messages.success(request, _("Your account has been deleted."))
        return redirect("home")
    context = {"form": form, "children": children_of(person(request)), "ways": () if is_shown else ways}
    return render(request, "accounts/delete.html", context)


@never_cache
@form_page
def api_tokens(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens for programs, and make one: its secret is on the page that answers, and nowhere else."""
    form, secret = _make_token(request, person(request))
    context = {"form": form, "page": tokens_page(person(request), secret)}
    return render(request, "accounts/tokens.html", context, status=400 if form.errors else 200)


def _make_token(request: HttpRequest, user: User) -> tuple[TokenForm, str]:
    """Return the form for a token that acts for this user, and the secret of the one that was asked for, "" if none."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return form, ""
    limits.count_use(f"tokens:{person(request).pk}", TOKENS_AN_HOUR, 3600)
    try:
        secret = make_token(user, form.cleaned_data["name"], form.cleaned_data["scopes"], timezone.now())
    except ValueError:
        sentence = _("There are %(most)d tokens here, the most there can be. Revoke one first.")
        form.add_error(None, sentence % {"most": MOST_TOKENS})
        return form, ""
    return TokenForm(), secret


@require_POST
@members_only
def revoke_api_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a token; one that has gone already stays gone."""
    if revoke_token(person(request), pk):
        messages.success(request, _("The token is revoked. No program can use it any more."))
    return HttpResponseRedirect(get_next_redirect_url(request) or reverse("api-tokens"))


@never_cache
@form_page
def own_bots(request: HttpRequest) -> HttpResponse:
    """Show the person's bot accounts, and make one."""
    form = NewBotForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (bot := form.save(person(request))):
        messages.success(request, _("Your bot has an account. Make a token for its program."))
        return redirect("own-bot", bot.pk)
    context = {"form": form, "page": bots_page(person(request))}
    return render(request, "accounts/bots.html", context, status=400 if form.errors else 200)


@never_cache
@form_page
def own_bot(request: HttpRequest, account: int) -> HttpResponse:
    """Show a bot account of the person, and make a token for it, whose secret is on the page that answers alone."""
    bot = own_bot_of(person(request), account)
    form, secret = _make_token(request, bot)
    context = {"form": form, "page": bot_account_page(bot, secret)}
    return render(request, "accounts/bot.html", context, status=400 if form.errors else 200)


@never_cache
@form_page
def close_bot(request: HttpRequest, account: int) -> HttpResponse:
    """Close a bot account of the person for good, once its name is typed."""
    bot = own_bot_of(person(request), account)
    form = CloseBotForm(bot, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        close_account(bot)
        messages.success(request, _("The account of your bot has been closed."))
        return redirect("own-bots")
    context = {"form": form, "page": bot_account_page(bot, "")}
    return render(request, "accounts/close_bot.html", context, status=400 if form.errors else 200)


@require_POST
@members_only
def revoke_bot_token(request: HttpRequest, account: int, pk: int) -> HttpResponse:
    """Revoke a token of a bot of the person; one that has gone already stays gone."""
    if revoke_token(own_bot_of(person(request), account), pk):
        messages.success(request, _("The token is revoked. No program can use it any more."))
    return HttpResponseRedirect(get_next_redirect_url(request) or reverse("own-bot", args=[account]))


@csrf_exempt
@never_cache
@form_page
def stop_emails(request: HttpRequest, token: str) -> HttpResponse:
    """Show the button that stops e-mails of a kind; a POST stops them, from the page or from a mail program.

    The token in the address is the proof, so no cookie and no CSRF token is asked for (RFC 8058).
    """
    reader, kind = unsubscribe.reader_of(token)
    if reader is None:
        raise Http404
    if request.method == "POST":
        unsubscribe.stop(reader, kind)
    context = {"reader": reader, "kind": kind, "has_stopped": unsubscribe.has_stopped(reader, kind)}
    return render(request, "accounts/unsubscribe.html", context)


@never_cache
@form_page
def restore_email(request: HttpRequest, former: str) -> HttpResponse:
    """Show the button that gives an account its former e-mail address back; a POST does it, and mails a reset link.

    The token in the address is the proof: a person whose account was taken over is not logged in.
    """
    address = restoring.former_address(former)
    context = {"former": address, "is_taken": False}
    if address is None:
        return render(request, "accounts/restore_email.html", context, status=404)
    if request.method == "POST":
        if restoring.restore_address(address):
            form = ResetPasswordForm({"email": address.email})
            if form.is_valid():
                form.save(request)
            return render(request, "accounts/restored_email.html", context)
        context["is_taken"] = True
    return render(request, "accounts/restore_email.html", context, status=409 if context["is_taken"] else 200)


def too_many(request: HttpRequest, retry_after: int = 60) -> HttpResponse:
    """Answer a request that came too often: a page, or the fragment htmx asked for."""
    template = "accounts/_limit.html" if request.headers.get("HX-Request") else "accounts/limit.html"
    answer = render(request, template, {"minutes": -(-retry_after // 60)}, status=429)
    answer["Retry-After"] = str(retry_after)
    return answer
