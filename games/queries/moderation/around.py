"""What was said around a reported line: a few lines before and after it, at the same table, for the same readers."""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import OuterRef, Subquery

from games.models import TalkMessage

#: So many lines before a reported one are shown, and so many after it.
AROUND = 3


def lines_around(keys: Collection[int]) -> Mapping[int, Sequence[TalkMessage]]:
    """Return for each line of these keys the lines around it and itself, the oldest first, with their authors.

    Two queries, none for no line.
    """
    if not keys:
        return {}
    same = TalkMessage.objects.filter(game=OuterRef("game"), audience=OuterRef("audience"))
    before = same.filter(pk__lt=OuterRef("pk")).order_by("-pk").values("pk")
    after = same.filter(pk__gt=OuterRef("pk")).order_by("pk").values("pk")
    near = {f"before_{n}": Subquery(before[n : n + 1]) for n in range(AROUND)}
    near |= {f"after_{n}": Subquery(after[n : n + 1]) for n in range(AROUND)}
    found = TalkMessage.objects.filter(pk__in=keys).order_by().annotate(**near).values_list("pk", *near)
    wanted = {row[0]: sorted(key for key in row if key is not None) for row in found}
    lines = TalkMessage.objects.select_related("author").in_bulk({key for row in wanted.values() for key in row})
    return {key: [lines[each] for each in row if each in lines] for key, row in wanted.items()}
