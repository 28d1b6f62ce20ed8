"""Patterns in a text, with one error at most."""
