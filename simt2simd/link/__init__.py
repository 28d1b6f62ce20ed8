"""Device code of several files becomes that of one: `-rdc=true`.

`Module`s -> `Module`.
"""
