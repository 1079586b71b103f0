"""Quiet hours of people, none for those who are there. Old code leaves them alone."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0009_address_restored_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='quiet_from',
            field=models.TimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='user',
            name='quiet_until',
            field=models.TimeField(blank=True, null=True),
        ),
    ]
