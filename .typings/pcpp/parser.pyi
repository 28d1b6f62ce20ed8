"""The types of what simt2simd uses of pcpp's tokens and hooks."""

class LexToken:
    type: str
    value: str
    lineno: int
    lexpos: int
    source: str

class Action:
    IgnoreAndRemove: int

class OutputDirective(Exception):
    def __init__(self, action: int) -> None: ...
