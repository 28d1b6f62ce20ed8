"""What `transform/consolidate` is made of: launches, items, the new child kernel and the new parent kernel.

May import: lang, tree, frontend, analysis, other passes.
"""
