"""What concerns a person in all their games: whom they follow, block and mute, their notes, their account."""
