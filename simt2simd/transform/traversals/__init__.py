"""Recursive traversals of trees in other forms: in lockstep, by ropes, with lane refill, sorted, counted."""
