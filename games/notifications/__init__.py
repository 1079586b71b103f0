"""Telling players elsewhere than on the pages: so far one e-mail when their turn comes."""
