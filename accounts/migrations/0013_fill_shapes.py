"""Write the shapes of the names that are there, some people at a time, the oldest first.

Of names that were allowed side by side so far and now have a shape in common, only the first has it: the others stay
without, and everybody keeps the name. Nothing that other processes write meanwhile makes this fail.
"""

from django.db import IntegrityError, migrations, transaction

from accounts import names

#: People whose shapes one transaction writes.
RANGE = 500
FIELDS = ("shape", "shape_of_six")


def fill(apps, schema_editor):
    """Write what `accounts.models` writes from now on."""
    people = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    last = 0
    while some := list(people.filter(pk__gt=last).only("name_key", *FIELDS).order_by("pk")[:RANGE]):
        last = some[-1].pk
        some = _given_shapes(people, some)
        try:
            with transaction.atomic(using=people.db):
                people.bulk_update(some, FIELDS)
        except IntegrityError:
            # A process that serves has given one of them to a new name: each person alone, then.
            for person in some:
                _save_alone(people, person)


def _given_shapes(people, some):
    """Return those of the people that were without a shape and could be given one."""
    changed = {}
    for number, field in enumerate(FIELDS):
        wanted = {person.pk: names.shapes_of_key(person.name_key)[number] for person in some}
        taken = people.filter(**{f"{field}__in": set(wanted.values())}).exclude(pk__in=wanted)
        given = set(taken.values_list(field, flat=True))
        # What a person has already goes before what another one wants.
        given |= {getattr(person, field) for person in some}
        for person in some:
            if getattr(person, field) is None and wanted[person.pk] not in given:
                setattr(person, field, wanted[person.pk])
                given.add(wanted[person.pk])
                changed[person.pk] = person
    return list(changed.values())


def _save_alone(people, person):
    for field in FIELDS:
        try:
            with transaction.atomic(using=people.db):
                people.filter(pk=person.pk, **{f"{field}__isnull": True}).update(**{field: getattr(person, field)})
        except IntegrityError:
            continue


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0012_shapes"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
