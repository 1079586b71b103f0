"""What each page shows: view models, ready for the templates."""
