"""Advice and reviews, which workers think out: asked for, kept, given up."""
