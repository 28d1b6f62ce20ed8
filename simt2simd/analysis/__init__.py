"""Facts: what is true of a program.

`Module` -> facts.
"""
