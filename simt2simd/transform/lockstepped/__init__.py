"""Traversals in lockstep on GPUs: what `transform/lockstep` is made of."""
