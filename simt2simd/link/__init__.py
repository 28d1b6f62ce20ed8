"""Device code of several files becomes that of one: `-rdc=true`.

`Module`s -> `Module`. May import: source, diag, target, options, lang, tree, abi.
"""
