"""Traversals by static ropes: what `transform/static_ropes` is made of."""
