"""What a person sees: the whole site served as `make run` serves it, driven in real Chromium."""
