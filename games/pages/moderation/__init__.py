"""What the pages of reports show, to those who report and to moderators."""
