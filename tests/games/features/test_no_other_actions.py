"""What a table can be asked to do is a short list: no rule beyond R1-R12 has a way in.

The specification rejects claims about paths kept open, displacement, capture and the moving of placed pieces. A claim
that is rejected is one for which there is no action.
"""

from pathlib import Path

from games import actions
from games.models import Kind

BEFORE_THE_START = {"create_game", "join_game", "leave_game", "decline_invitation", "cancel_game"} | {
    "edit_table",
    "fill_seats",
    "remove_player",
    "swap_seats",
    "choose_seat",
    "choose_side",
}
IN_PLAY = {"play_placement", "pass_turn", "resign", "come_back"}
# Say when bots may move among themselves, not what they may do.
OF_BOTS = {"pause_game", "resume_game", "step_game"}
# Let a table stand still and go on, once all agree: no position changes.
OF_PAUSES = {"ask_for_pause", "agree_to_pause", "drop_pause_request", "end_pause"}
# Give the player whose turn it is more time, or let a person's clocks stand still: no position changes.
OF_KINDNESS = {"give_day", "take_holiday", "spend_holiday", "choose_holidays"}
# Undo the last moves, once all agree; what is placed stays placed unless everybody at the table wants otherwise.
OF_TAKEBACKS = {"ask_for_takeback", "agree_to_takeback", "drop_takeback_request", "mark_shown"}
# Asks the rules and changes nothing.
ASKED = {"try_placement"}
# Say what an engine thinks, and move nothing.
THOUGHT = {"ask_for_advice", "keep_advice", "ask_for_review", "cancel_review", "keep_findings"}
AFTERWARDS = {"open_rematch", "repeat_table"}
# Cancels what nobody has joined for long; ends a pause that lasts too long, and the turn of who has not moved in time.
OF_TIME = {"expire_table", "expire_pause", "time_out"}
OF_PEOPLE = {"close_account", "note_presence", "show_new_name", "reopen_game", "keep_quiet_hours", "keep_note"} | {
    "merge_guest",
    "catch_up",
}
# Say whom a person wants to meet, or to read; no position changes.
OF_COMPANY = {"block_person", "unblock_person", "mute_person", "unmute_person"} | {"follow_person", "unfollow_person"}
# Say whom a child may meet.
OF_CHILDREN = {"allow_person", "remove_person", "ask_to_meet", "forget_people"}
# Say who belongs to a group; no position changes.
OF_GROUPS = {"create_group", "join_group", "leave_group", "remove_member"} | {
    "rename_group",
    "renew_group_link",
    "set_role",
    "delete_group",
    "set_standing_table",
    "drop_standing_table",
    "open_standing_table",
    "set_group_channel",
    "answer_group_channel",
    "remove_group_channel",
}
# Say what a person always wants to play, and seat them: no position changes.
OF_SEEKS = {"set_seek", "drop_seek", "seat_seeker", "wake_seeks"}
# Say how and of what a person is notified.
OF_NOTICES = {"choose_notices", "read_notices", "keep_device", "forget_device", "renew_feed"}
OF_NOTICES |= {"set_game_channel", "add_webhook"}
# Says of a channel what people at the table want; no position changes.
OF_CHANNELS = {"agree_to_channel"}
# Says something to the people at the table, and that it was read; no position changes.
OF_TALK = {"send_message", "read_messages", "forget_unwanted", "give_reaction", "drop_reaction"}
# Says how strong people are, from games that are over.
OF_RATINGS = {"rate_family"}
# Say to moderators what is not allowed, and to people what follows; no position changes.
OF_MODERATION = {"report_line", "report_player", "report_table", "report_group", "decide_case", "read_decisions"} | {
    "report_comment",
    "appeal_decision",
    "answer_appeal",
    "lift_decision",
}
# Say what is to be played later, and play it: by the rules, as any move.
OF_PLANS = {"set_plan", "clear_plan", "play_plan"}
# Keep what was tried beside a game, which does not hear of it.
OF_ANALYSES = {"extend_branch", "name_branch", "remove_branch", "undo_branch", "retry_mistake"}
# Judge what was tried at a position of no game's, and note it.
OF_PUZZLES = {"store_puzzles", "try_puzzle", "take_hint"}
# Put together what people take along; no position changes.
OF_ARCHIVES = {"ask_for_archive", "keep_archive", "read_archive", "drop_archives"} | {"import_studies"}
# A study is a record: nobody plays in it, and no game knows of it.
OF_RECORDS = {"create_study", "share_study", "delete_study", "write_comment", "remove_comment"} | {
    "add_variation",
    "name_variation",
    "remove_variation",
    "undo_variation",
    "add_editor",
    "remove_editor",
    "leave_study",
}


def test_these_are_all_the_actions_there_are() -> None:
    files = {path.stem for path in Path(actions.__path__[0]).rglob("*.py")} - {"__init__"}
    of_games = BEFORE_THE_START | IN_PLAY | OF_BOTS | OF_PAUSES | OF_TAKEBACKS | ASKED | THOUGHT | AFTERWARDS | OF_TIME
    company = OF_PEOPLE | OF_COMPANY | OF_CHILDREN | OF_SEEKS | OF_GROUPS | OF_MODERATION | OF_KINDNESS
    people = company | OF_NOTICES | OF_CHANNELS | OF_TALK | OF_RATINGS
    assert files == of_games | people | OF_RECORDS | OF_ANALYSES | OF_PLANS | OF_ARCHIVES | OF_PUZZLES


def test_a_recorded_turn_is_a_placement_a_pass_or_a_retirement() -> None:
    assert set(Kind.values) == {"place", "pass", "retire"}
