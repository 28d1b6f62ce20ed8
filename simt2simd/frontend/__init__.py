"""From text to the typed tree.

`Source` -> `Module`. May import: tree.
"""
