"""Traversals in lockstep on GPUs: what `transform/traversals/lockstep` is made of."""
