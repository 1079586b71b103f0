"""What engines find for people: hints for a turn, the review of a finished game."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query

from accounts.doors import person
from games.actions.analysis.ask_for_advice import ask_for_advice as _ask_for_advice
from games.actions.analysis.ask_for_review import ask_for_review as _ask_for_review
from games.actions.analysis.cancel_review import cancel_review as _cancel_review
from games.api.analysis import AdviceOut, ByLink, ReviewOut, review_out
from games.api.door import LOOKING, PLAYING, READING
from games.api.endpoints.answers import PUBLIC, responses, router
from games.base import access
from games.queries.analysis.progress import advice_told
from games.table.counting import count_advice, count_review


@router.get(
    "games/{slug}/advice",
    auth=READING,
    response=responses(AdviceOut, 404, 409),
    url_name="api-advice",
    tags=["hints and reviews"],
)
def show_advice(request: HttpRequest, slug: str) -> AdviceOut:
    """Show the hints that you have asked for: how far they have come, then good placements."""
    return _advice(request, slug)


@router.post(
    "games/{slug}/advice",
    auth=PLAYING,
    response=responses(AdviceOut, 404, 409),
    url_name="api-advice",
    tags=["hints and reviews"],
)
def ask_for_advice(request: HttpRequest, slug: str) -> AdviceOut:
    """Ask for hints for your turn, where the table allows them; read them by GET once they are ready."""
    user = person(request)
    count_advice(user)
    _ask_for_advice(user, slug)
    return _advice(request, slug)


def _advice(request: HttpRequest, slug: str) -> AdviceOut:
    game, player = access.game_to_advise(request.user, slug)
    return AdviceOut.of(game, advice_told(game, player, timezone.now()))


@router.get(
    "games/{slug}/review",
    auth=LOOKING,
    response=responses(ReviewOut, 404, 409),
    url_name="api-review",
    tags=["hints and reviews", PUBLIC],
)
def show_review(request: HttpRequest, slug: str, wish: Query[ByLink]) -> ReviewOut:
    """Show the review of a finished game: how far it has come, then what was found move by move."""
    return review_out(request.user, slug, wish.token)


@router.post(
    "games/{slug}/review",
    auth=PLAYING,
    response=responses(ReviewOut, 404, 409),
    url_name="api-review",
    tags=["hints and reviews"],
)
def ask_for_review(request: HttpRequest, slug: str, wish: ByLink) -> ReviewOut:
    """Ask for the review of a finished game; one that is under way or done stays as it is."""
    user = person(request)
    # A game that the person may not see takes nothing off their limit.
    access.game_to_view(user, slug, wish.token)
    count_review(user)
    _ask_for_review(user, slug, wish.token)
    return review_out(user, slug, wish.token)


@router.post(
    "games/{slug}/review/cancel",
    auth=PLAYING,
    response=responses(ReviewOut, 404, 409),
    url_name="api-review-cancel",
    tags=["hints and reviews"],
)
def cancel_review(request: HttpRequest, slug: str, wish: ByLink) -> ReviewOut:
    """Cancel the review that is under way. What it has found is kept: the next one continues from there."""
    _cancel_review(person(request), slug, wish.token)
    return review_out(request.user, slug, wish.token)
