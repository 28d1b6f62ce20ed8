"""Kernels whose lanes take one query after the other: what `transform/refill` is made of."""
