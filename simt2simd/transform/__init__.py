"""Rewrites: one pass a file, from tree to tree.

`Module` -> `Module`.
"""
