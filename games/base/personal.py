"""What is kept about people at their games, and what they write and choose there: table by table (`Held`)."""

from accounts.personal.held import Held
from accounts.personal.listed import ACCOUNTS, FOLLOWS, KEY, OPENS, SELF
from accounts.personal.listed import NO_PERSONS as NO_PERSONS_OF_ACCOUNTS
from games.models import (
    Advice,
    AllowedPerson,
    Analysis,
    Appeal,
    Archive,
    ArchivePart,
    BlockedPerson,
    Companion,
    DailyDigest,
    Decision,
    Delivery,
    Feed,
    FollowedPerson,
    Game,
    Group,
    GroupChannel,
    HeadToHead,
    Holiday,
    HolidayBook,
    ListVersion,
    Membership,
    Mistake,
    Move,
    MutedPerson,
    Note,
    Notice,
    Notification,
    Player,
    PlayerRating,
    PlayerReport,
    PushSubscription,
    PuzzleTry,
    RatedSeat,
    Reaction,
    Receiver,
    Return,
    Review,
    ReviewPart,
    Study,
    StudyComment,
    StudyEditor,
    TableChange,
    Takeback,
    TalkMessage,
    Tally,
    Thought,
    Webhook,
    WebhookPost,
)

IN_RECORDS = "the records of the games have it"
OF_ALL = "a fact of the game, which is the other players' too; of a closed account it says a seat"
BOOKS = "how far sending it has come, which is over in a day"
LOOKS = "for the person's lists alone"

CLOSING = "games.actions.people.close_account"

GAMES: tuple[Held, ...] = (
    Held(
        Game,
        "tables",
        ("creator", "players__user"),
        "slug name variant scoring colours is_public declares_passes allows_hints allows_advice allows_explanations"
        " allows_takebacks allows_texts is_sheltered is_rated bot_pause min_reliability is_shuffled lets_choose"
        " is_paused pauses given_days stand_in time_initial time_increment time_cap rests_weekends creator rematch_of"
        " given_moves begun_from status created_at started_at finished_at changed_at expires_at fill_at fill_bot"
        " is_posted move_count reason is_of_bots",
        withheld=(
            ("id", KEY),
            ("invite_token", "who has it can sit down"),
            ("group", "the groups are in a file of their own"),
            ("version pause_version spent_numbers board", IN_RECORDS),
            ("turn_colour turn_seat turn_since turn_user deadline remind_at pause_ends_at dropped_at", IN_RECORDS),
            ("is_listed is_bot_due is_featured is_notice_due has_reactions is_on_one_device", FOLLOWS),
            ("pause_request takeback_request", "others have asked too, and it is over as soon as all have answered"),
        ),
        by=f"{CLOSING}._forget_name",
        blanked="name",
        stays=(
            (
                "id slug invite_token group variant scoring colours is_public declares_passes allows_hints"
                " allows_advice allows_explanations allows_takebacks allows_texts is_sheltered is_rated bot_pause"
                " min_reliability"
                " is_shuffled lets_choose is_paused pause_version pauses pause_request given_days takeback_request"
                " stand_in time_initial time_increment time_cap rests_weekends creator rematch_of"
                " given_moves begun_from status version created_at started_at finished_at changed_at expires_at"
                " is_listed dropped_at fill_at fill_bot"
                " is_posted move_count spent_numbers board turn_colour turn_seat turn_since deadline reason"
                " turn_user is_bot_due is_featured pause_ends_at is_of_bots is_notice_due remind_at has_reactions"
                " is_on_one_device",
                OF_ALL,
            ),
        ),
    ),
    Held(
        Player,
        "seats",
        ("user",),
        "game seat access bot_seed joined_at seen_at reopened_at caught_up unread_messages quiet_hours holidays clock"
        " missed retired score is_winner is_going ended_at result place variant is_public opening plan",
        withheld=(
            ("id", KEY),
            ("user", SELF),
            ("is_planning", FOLLOWS),
            ("invitee bot bot_opening bot_simulations bot_seconds", "of a seat in which no person sits"),
            ("is_local local_name", "of a seat without an account; the record of the game names who sat there"),
        ),
        by=f"{CLOSING}._close",
        blanked="invitee plan is_planning local_name",
        stays=(
            (
                "id game seat user access bot bot_seed bot_opening bot_simulations bot_seconds joined_at seen_at"
                " reopened_at caught_up unread_messages quiet_hours holidays clock missed retired score is_winner"
                " is_going ended_at result place variant is_public opening is_local",
                OF_ALL,
            ),
        ),
    ),
    Held(Player, "invitations", ("invitee",), "game seat", goes=("invitee",), by=f"{CLOSING}._close"),
    Held(
        Move,
        withheld=(
            (
                "id game number kind seat colour placement is_automatic bot retired client_key version played_at",
                IN_RECORDS,
            ),
        ),
        stays=(
            ("id game number kind seat colour placement is_automatic bot retired version played_at", OF_ALL),
            ("client_key", "made up by a page for one move"),
        ),
    ),
    Held(
        Takeback,
        withheld=(("id game number back_to seat agreed request version taken_at moves", IN_RECORDS),),
        stays=(("id game number back_to seat agreed request version taken_at moves", OF_ALL),),
    ),
    Held(
        Return,
        "returns",
        ("player__user",),
        "player number returned_at",
        withheld=(("id", KEY),),
        stays=(("id player number returned_at", OF_ALL),),
    ),
    Held(
        Thought,
        withheld=(("id move engine level simulations milliseconds value reasons", "of bots; " + IN_RECORDS),),
        stays=(("id move engine level simulations milliseconds value reasons", OF_ALL),),
    ),
    Held(
        Review,
        "reviews",
        ("asked_by",),
        "game status total done findings asked_at changed_at",
        withheld=(("id", KEY), ("asked_by", SELF), ("round simulations", LOOKS)),
        stays=(("id game asked_by status round simulations total done findings asked_at changed_at", OF_ALL),),
    ),
    Held(
        ReviewPart,
        withheld=(("id review number finding", "put together in the review"),),
        stays=(("id review number finding", OF_ALL),),
    ),
    Held(
        Advice,
        "hints",
        ("player__user",),
        "player number asked_at choices",
        withheld=(("id", KEY),),
        stays=(("id player number asked_at choices", "what an engine found, for a month"),),
    ),
    Held(
        Analysis,
        "analyses",
        ("user",),
        "game tree edition changed_at",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(
        Mistake,
        "mistakes",
        ("user",),
        "game number cost step tries due_at",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(
        StudyEditor,
        "edited-studies",
        ("person",),
        "study let_in_at",
        withheld=(("id", KEY), ("person", SELF), ("is_new", LOOKS)),
        goes=("person", "study__owner"),
    ),
    Held(
        StudyComment,
        "study-comments",
        ("author",),
        "study variation move text written_at is_hidden",
        withheld=(("id", KEY), ("author", SELF)),
        goes=("author", "study__owner"),
    ),
    Held(
        PuzzleTry,
        "puzzles",
        ("user",),
        "day tries hints solved_at",
        withheld=(("id", KEY), ("user", SELF), ("puzzle", FOLLOWS)),
        goes=("user",),
    ),
    Held(
        Study,
        "studies",
        ("owner",),
        "slug title is_shared created_at edition variant move_count",
        withheld=(
            ("id", KEY),
            ("owner", SELF),
            ("record", "a file of its own, in studies/"),
            ("board has_editors", FOLLOWS),
        ),
        goes=("owner",),
    ),
    Held(
        Note,
        "notes",
        ("user",),
        "game text edition changed_at",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(
        TalkMessage,
        "words",
        ("author",),
        "id game audience phrase day text created_at is_hidden",
        withheld=(("author", SELF),),
        by=f"{CLOSING}._change_messages",
        blanked="author text",
        stays=(("id game audience phrase day created_at is_hidden", "a ready phrase, said by a closed account"),),
    ),
    Held(
        Reaction,
        "reactions",
        ("author",),
        "move word given_at",
        withheld=(("id", KEY), ("author", SELF)),
        goes=("author",),
    ),
    Held(
        TableChange,
        "removals",
        ("person",),
        "game change values changed_at",
        withheld=(("id", KEY), ("person", SELF)),
        goes=("person",),
    ),
    Held(
        Delivery,
        withheld=(("id notification channel due_at tries sent_at", BOOKS),),
        goes=("notification__user",),
    ),
    Held(
        Notification,
        "notices",
        ("user",),
        "game occasion event other detail created_at read_at",
        withheld=(("id", KEY), ("user", SELF), ("is_due is_listed", BOOKS)),
        goes=("user",),
        stays=(("other", "who did it, in the notice of another person: then a closed account"),),
    ),
    Held(
        Notice,
        withheld=(("id player number created_at claimed_at attempts sent_at is_skipped", BOOKS),),
        stays=(("id player number created_at claimed_at attempts sent_at is_skipped", "goes after a month"),),
    ),
    Held(
        DailyDigest,
        "summaries",
        ("user",),
        "day sent_at",
        withheld=(("id", KEY), ("user", SELF), ("due_at tries", BOOKS)),
        goes=("user",),
    ),
    Held(
        PushSubscription,
        "devices",
        ("user",),
        "created_at used_at failing_since rest_until",
        withheld=(
            ("id", KEY),
            ("user", SELF),
            ("session_key endpoint p256dh auth", OPENS),
            ("sent_key", BOOKS),
        ),
        goes=("user",),
    ),
    Held(
        Feed,
        "feeds",
        ("user",),
        "created_at",
        withheld=(("id", KEY), ("user", SELF), ("secret", "who has it can read the feeds")),
        goes=("user",),
    ),
    Held(
        Webhook,
        "chats",
        ("owner",),
        "game created_at answer answered_at failing_since stopped_at",
        withheld=(
            ("id", KEY),
            ("owner", SELF),
            ("channel", "the channels are in a file of their own"),
            ("address", "who has it can write in the chat"),
            ("agreed", "what others have agreed to"),
        ),
        goes=("owner",),
        by="games.actions.people.set_chat.forget_chats",
    ),
    Held(
        GroupChannel,
        "group-channels",
        ("owner",),
        "group created_at stopped_at",
        withheld=(
            ("id", KEY),
            ("owner", SELF),
            ("address", "who has it can write in the chat"),
            ("agreed refused", "what others have agreed to"),
        ),
        goes=("owner",),
        by=f"{CLOSING}._leave_groups",
    ),
    Held(
        WebhookPost,
        withheld=(("id webhook occasion event due_at tries sent_at", BOOKS),),
        goes=("webhook__owner",),
        by="games.actions.people.set_chat.forget_chats",
    ),
    Held(
        Receiver,
        "webhooks",
        ("owner",),
        "address created_at answer answered_at failing_since stopped_at",
        withheld=(
            ("id", KEY),
            ("owner", SELF),
            ("token", "the tokens are in a file of their own"),
            ("secret", OPENS),
            ("known version sending due_at tries", BOOKS),
        ),
        goes=("owner",),
        by="games.actions.people.add_webhook.forget_webhooks",
    ),
    Held(
        AllowedPerson,
        "allowed-people",
        ("child",),
        "other asked_at allowed_at",
        withheld=(("id", KEY), ("child", SELF)),
        goes=("child", "other"),
    ),
    Held(
        BlockedPerson,
        "blocked",
        ("person",),
        "other made_at",
        withheld=(("id", KEY), ("person", SELF)),
        goes=("person", "other"),
    ),
    Held(
        MutedPerson,
        "muted",
        ("person",),
        "other made_at",
        withheld=(("id", KEY), ("person", SELF)),
        goes=("person", "other"),
    ),
    Held(
        FollowedPerson,
        "followed",
        ("person",),
        "other made_at",
        withheld=(("id", KEY), ("person", SELF)),
        goes=("person", "other"),
    ),
    Held(
        Membership,
        "groups",
        ("person",),
        "group is_keeper joined_at",
        withheld=(("id", KEY), ("person", SELF)),
        goes=("person",),
        by=f"{CLOSING}._leave_groups",
    ),
    Held(
        Group,
        "own-groups",
        ("owner",),
        "slug name made_at",
        withheld=(("id", KEY), ("owner", SELF), ("invite_token", "who has it can join")),
        by=f"{CLOSING}._leave_groups",
        blanked="owner name",
        stays=(("id slug invite_token made_at", "the group is the other members' too"),),
    ),
    Held(
        Companion,
        "companions",
        ("user",),
        "other games last_at",
        withheld=(("id", KEY), ("user", SELF), ("other_key", "made from the name")),
        goes=("user", "other"),
        by="games.base.counters.forget_companions",
    ),
    Held(
        HeadToHead,
        "scores-against",
        ("user",),
        "other variant won tied lost",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user", "other"),
        by="games.base.counters.forget_companions",
    ),
    Held(
        Tally,
        "results",
        ("user",),
        "variant result is_public number",
        withheld=(("id", KEY), ("user", SELF)),
        stays=(("id user variant result is_public number", "how many games a closed account has played"),),
    ),
    Held(
        PlayerRating,
        "ratings",
        ("user",),
        "family points deviation games is_listed",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
        by="games.base.counters.forget_ratings",
    ),
    Held(
        RatedSeat,
        "rated-games",
        ("player__user",),
        "player family place others expected points_before deviation_before points_after deviation_after",
        withheld=(("id", KEY), ("is_new", BOOKS)),
        by="games.base.counters.forget_ratings",
        blanked="place expected points_before deviation_before points_after deviation_after",
        stays=(("id player family others is_new", "the game keeps counting for the others"),),
    ),
    Held(
        HolidayBook,
        "holiday-account",
        ("user",),
        "seconds counted_at spends_itself",
        withheld=(("user", SELF),),
        goes=("user",),
    ),
    Held(
        Holiday,
        "holidays",
        ("user",),
        "begins_at ends_at is_automatic",
        withheld=(("id", KEY), ("user", SELF)),
        goes=("user",),
    ),
    Held(
        PlayerReport,
        "reports",
        ("reporter",),
        "person kind game reason words made_at closed_at is_upheld",
        withheld=(
            ("id", KEY),
            ("reporter", SELF),
            ("shown", "the words of another person"),
            ("thing message decision gravity trust", "how moderators order what is reported"),
        ),
        by=f"{CLOSING}._forget_cases",
        blanked="words",
        stays=(
            (
                "id reporter person kind thing game message reason shown gravity trust made_at closed_at is_upheld"
                " decision",
                "it is about another person, until whose account is closed",
            ),
        ),
    ),
    # What others have reported about a person is theirs: it is in no archive.
    Held(PlayerReport, goes=("person",)),
    Held(
        Decision,
        "decisions",
        ("person",),
        "id measure reason words shown lifts made_at until",
        withheld=(
            ("person", SELF),
            ("moderator", "who has decided is not told"),
            ("message comment_key", "the words are copied"),
        ),
        by=f"{CLOSING}._forget_cases",
        blanked="words shown",
        stays=(
            (
                "id person moderator measure reason message comment_key lifts made_at until",
                "counted for everyone to read",
            ),
        ),
    ),
    Held(
        Appeal,
        "appeals",
        ("decision__person",),
        "decision words made_at closed_at is_granted answer",
        withheld=(("id", KEY), ("moderator", "who has decided is not told")),
        goes=("decision__person",),
        stays=(("moderator", "of an answer to another person, until whose account is closed"),),
    ),
    Held(
        ListVersion,
        withheld=(("owner version", LOOKS),),
        stays=(("owner version", "a number that grows"),),
    ),
    Held(
        ArchivePart,
        withheld=(("id archive attempt number content", "it is the archive"),),
        goes=("archive__user",),
    ),
    Held(
        Archive,
        withheld=(("id user language asked_at due_at tries made_at parts size", "it is the archive"),),
        goes=("user",),
    ),
)

#: All that is kept about people.
HELD = (*ACCOUNTS, *GAMES)

#: Tables that say nothing of a person, by their names, with the reason.
NO_PERSONS = NO_PERSONS_OF_ACCOUNTS | {
    "games.BotRecord": "counts the results of bots",
    "games.OpeningRecord": "counts the results of openings",
    "games.DailyPuzzle": "a position to solve, whoever has played there",
    "games.Lease": "says which process sweeps",
    "games.RatedFamily": "says what seats are worth",
    "games.StandingTable": "what a group has agreed on",
}
