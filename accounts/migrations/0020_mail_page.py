"""E-mails about accounts are pages too; those that wait already stay text alone."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0019_login_name"),
    ]

    operations = [
        migrations.AddField(
            model_name="mail",
            name="page",
            field=models.TextField(db_default="", default=""),
        ),
    ]
