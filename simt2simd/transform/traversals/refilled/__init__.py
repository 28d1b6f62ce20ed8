"""Kernels whose lanes take one query after the other: what `transform/traversals/lane_refill` is made of."""
