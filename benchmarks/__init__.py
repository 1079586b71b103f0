"""Speed and memory, each figure beside a baseline kept here."""
