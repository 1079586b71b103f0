"""Importing an archive of another site: its games as studies, and its choices."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from accounts.limits import count_use
from accounts.models import User
from games.actions.archives.import_studies import import_studies
from games.actions.kindness.choose_holidays import choose_holidays
from games.actions.notices.choose_notices import choose_notices
from games.archives.reading import ArchiveContent, digest_of
from games.forms.archive import ArchiveForm, preferences_of
from games.pages.notices.notices import switch_names
from games.queries.archives.mine import own_records
from games.table.counting import IMPORTS_AN_HOUR


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def archive_import(request: HttpRequest) -> HttpResponse:
    """Show the form for a file of another site; a POST keeps its games as studies, and its choices."""
    user = person(request)
    if request.method != "POST":
        return render(request, "games/archive/bring.html", {"form": ArchiveForm()})
    count_use(f"import:{user.pk}", IMPORTS_AN_HOUR, 3600)
    form = ArchiveForm(request, frozenset(digest_of(study.record.encode()) for study in own_records(user.pk)))
    if not form.is_valid() or form.content is None:
        return render(request, "games/archive/bring.html", {"form": form}, status=422)
    if form.cleaned_data["games"]:
        _keep_games(request, user, form.content)
    if form.cleaned_data["choices"] and form.content.account:
        _keep_choices(user, form.content)
        messages.success(request, _("Your choices are set."))
    return redirect("studies" if form.cleaned_data["games"] else "own-data")


def _keep_games(request: HttpRequest, user: User, content: ArchiveContent) -> None:
    kept = import_studies(user, [(each.record, each.title) for each in content.records])
    said = ngettext("%(n)d game is now among your studies.", "%(n)d games are now among your studies.", kept)
    messages.success(request, said % {"n": kept})
    if content.more:
        left = ngettext(
            "%(n)d more is in the file. Bring it along again for it.",
            "%(n)d more are in the file. Bring it along again for them.",
            content.more,
        )
        messages.info(request, left % {"n": content.more})
    if kept < len(content.records):
        messages.warning(request, _("You have as many studies as you may have. Delete some to bring more along."))
    if content.unreadable:
        left = ngettext(
            "%(n)d game in the file cannot be read here.",
            "%(n)d games in the file cannot be read here.",
            len(content.unreadable),
        )
        messages.warning(request, left % {"n": len(content.unreadable)})


def _keep_choices(user: User, content: ArchiveContent) -> None:
    """Set what the site has to choose from; what it does not know stays as it was."""
    preferences_of(user, content.account).save()
    written, hour = content.account.get("notice_choices"), content.account.get("digest_hour")
    names = {*switch_names()}
    choices = {
        name: is_on
        for name, is_on in (written.items() if isinstance(written, dict) else ())
        if name in names and isinstance(is_on, bool)
    }
    if isinstance(content.account.get("wants_turn_emails"), bool):
        choices["turn.email"] = content.account["wants_turn_emails"]
    is_hour = type(hour) is int and 0 <= hour < 24
    choose_notices(user, choices, hour=hour if is_hour else None, now=timezone.now())
    if isinstance(content.holidays.get("spends_itself"), bool):
        choose_holidays(user, spends_itself=content.holidays["spends_itself"])
