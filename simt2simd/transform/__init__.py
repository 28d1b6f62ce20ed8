"""Rewrites: one pass a file, from tree to tree.

`Module` -> `Module`. May import: tree, analysis.
"""
