"""One thread at a time: the definition of what a kernel means.

`Module` -> results.
"""
