"""Ratings: of people by family, of what their games did to them, and of the last fit of each family."""

from django.conf import settings
from django.db import models

from games.models.player import Player
from games.ratings.scale import LISTED_FROM, Strength


class RatedFamily(models.Model):
    """A family of variants as the last fit of all its games left it; who changes its ratings locks its row first.

    `seats` is what a seat of a variant is worth in points, by "<variant>/<seat>". `month` is the month from which the
    ages of games were counted, in months since the year 0; 0 before the first fit. `fits` counts the fits,
    and grows too where one begins to write rows: what an earlier one has read is stale then.
    """

    family = models.CharField(max_length=20, primary_key=True)
    month = models.PositiveIntegerField(default=0)
    fitted_at = models.DateTimeField(null=True)
    fits = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    seats = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.family


class PlayerRating(models.Model):
    """How strong a person is in a family, in points: by the last fit, and what each game since did.

    `games` are those that count. `is_listed` says that it is certain enough for lists.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    family = models.CharField(max_length=20)
    points = models.FloatField()
    deviation = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    is_listed = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "family"], name="rating_once_a_family")]
        indexes = [
            models.Index(fields=["family", "-points", "id"], condition=models.Q(is_listed=True), name="rating_listed"),
            models.Index(fields=["family", "-points", "id"], condition=models.Q(is_listed=False), name="rating_others"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.family}"

    @property
    def strength(self) -> Strength:
        """Return the points and how certain they are."""
        return Strength(self.points, self.deviation)

    @strength.setter
    def strength(self, strength: Strength) -> None:
        self.points, self.deviation = strength
        self.is_listed = strength.deviation <= LISTED_FROM


class RatedSeat(models.Model):
    """What a finished game did to the rating of the person in one seat, when it ended.

    `place` is the one that counts, among the `others` with whom the person was compared, and `expected` the one that
    was to be expected. All that is null where the game has come to count later, as a guest's does when the account is
    claimed. `is_new` says that no fit has read the game yet, or that the one which has is not stored.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="rated")
    family = models.CharField(max_length=20)
    place = models.PositiveSmallIntegerField(null=True)
    others = models.PositiveSmallIntegerField(default=0)
    expected = models.FloatField(null=True)
    points_before = models.FloatField(null=True)
    deviation_before = models.FloatField(null=True)
    points_after = models.FloatField(null=True)
    deviation_after = models.FloatField(null=True)
    is_new = models.BooleanField(default=True)

    class Meta:
        indexes = [
            models.Index(fields=["family", "id"], condition=models.Q(is_new=True), name="ratedseat_new"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.family}"
