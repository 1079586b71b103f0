"""What developers run by hand: pictures and reports, made in a real Chromium. Nothing here is installed or served."""
