"""Boards as data."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.api import schemas
from games.api.door import LOOKING
from games.api.endpoints.answers import PUBLIC, responses, router
from games.errors import NotFound
from games.rules import VARIANTS, RulesError, get_variant


@router.get(
    "variants",
    auth=LOOKING,
    response=responses(list[schemas.VariantLine]),
    url_name="api-variants",
    tags=["boards", PUBLIC],
)
def list_variants(request: HttpRequest) -> list[schemas.VariantLine]:
    """List the boards that can be played."""
    return [schemas.line_of(variant) for variant in VARIANTS.values()]


@router.get(
    "variants/{variant}",
    auth=LOOKING,
    response=responses(schemas.VariantOut, 404),
    url_name="api-variant",
    tags=["boards", PUBLIC],
)
def show_variant(request: HttpRequest, variant: str) -> schemas.VariantOut:
    """Show a board as data: its cells, start cells, pieces and seats."""
    try:
        return schemas.VariantOut.of(get_variant(variant))
    except RulesError as error:
        raise NotFound(_("There is no such board."), code="no-variant") from error
