from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0015_api_token'),
    ]

    operations = [
        migrations.CreateModel(
            name='ConfirmationRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=8)),
                ('asked_at', models.DateTimeField(db_index=True)),
                ('address_id', models.BigIntegerField()),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
