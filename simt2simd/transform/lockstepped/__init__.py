"""Traversals in lockstep on GPUs: what `transform/lockstep` is made of.

May import: lang, tree, analysis, other passes.
"""
