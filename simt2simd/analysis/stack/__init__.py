"""Loops over a stack of the thread's own: which are understood, and what they do."""
