"""Traversals by static ropes: what `transform/traversals/static_ropes` is made of."""
