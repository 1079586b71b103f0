
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0053_relations'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='allows_texts',
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
