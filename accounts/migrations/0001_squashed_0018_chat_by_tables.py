import accounts.models
import accounts.names
import django.contrib.auth.models
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('accounts', '0001_initial'), ('accounts', '0002_colour_names'), ('accounts', '0003_labels'), ('accounts', '0004_indexes'), ('accounts', '0005_mail'), ('accounts', '0006_undo_placement'), ('accounts', '0007_time_zone'), ('accounts', '0008_notice_choices'), ('accounts', '0009_address_restored_at'), ('accounts', '0010_quiet_hours'), ('accounts', '0011_digest'), ('accounts', '0012_shapes'), ('accounts', '0013_fill_shapes'), ('accounts', '0014_reset_request'), ('accounts', '0015_api_token'), ('accounts', '0016_confirmation_request'), ('accounts', '0017_bot_accounts'), ('accounts', '0018_chat_by_tables')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
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
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('to', models.EmailField(max_length=254)),
                ('subject', models.TextField()),
                ('body', models.TextField()),
                ('posted_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(db_index=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='ResetRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254)),
                ('language', models.CharField(max_length=8)),
                ('asked_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('user_id', models.BigIntegerField(db_index=True, null=True)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken, or too similar to one that is. Choose another one.'}, max_length=20, unique=True, validators=[accounts.names.check], verbose_name='name')),
                ('name_key', accounts.models.NameKeyField(editable=False, max_length=40, unique=True)),
                ('is_guest', models.BooleanField(default=False)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
                ('theme', models.CharField(choices=[('system', 'Same as my device'), ('light', 'Light'), ('dark', 'Dark')], default='system', max_length=6)),
                ('confirms_placement', models.BooleanField(default=True)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('wants_turn_emails', models.BooleanField(default=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('colour_names', models.CharField(choices=[('blue-yellow', 'Blue, yellow, red, green'), ('cyan-violet', 'Cyan, violet, red, green')], default='blue-yellow', max_length=11)),
                ('has_high_contrast', models.BooleanField(default=False)),
                ('can_undo_placement', models.BooleanField(db_default=False, default=False)),
                ('time_zone', models.CharField(blank=True, db_default='', default='', max_length=40)),
                ('notice_choices', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict)),
                ('unread_notices', models.PositiveIntegerField(db_default=0, default=0)),
                ('address_restored_at', models.DateTimeField(blank=True, null=True)),
                ('quiet_from', models.TimeField(blank=True, null=True)),
                ('quiet_until', models.TimeField(blank=True, null=True)),
                ('digest_at', models.DateTimeField(blank=True, null=True)),
                ('digest_hour', models.PositiveSmallIntegerField(db_default=8, default=8)),
                ('shape', models.CharField(editable=False, max_length=80, null=True, unique=True)),
                ('shape_of_six', models.CharField(editable=False, max_length=80, null=True, unique=True)),
                ('operator', models.ForeignKey(blank=True, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'indexes': [models.Index(fields=['email'], name='user_email'), models.Index(condition=models.Q(('is_guest', True)), fields=['id'], name='user_guests'), models.Index(condition=models.Q(('digest_at__isnull', False)), fields=['digest_at'], name='user_digest_due'), models.Index(condition=models.Q(('operator__isnull', False)), fields=['operator'], name='user_bots')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('scopes', models.JSONField(default=list)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('hint', models.CharField(max_length=12)),
                ('created_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                ('has_chat_by_tables', models.BooleanField(db_default=True, default=False)),
            ],
        ),
    ]
