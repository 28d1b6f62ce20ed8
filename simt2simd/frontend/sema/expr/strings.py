"""String literals: what they hold, and the constants of device code that they become.

Adjacent literals are one string; the parser hands them on with a blank between them, because `"\\x4" "1"` has two
characters. Equal strings of a file share a constant.
"""

from __future__ import annotations

import re
from functools import cache

from pycparser import c_ast

from ....lang.ctype import CHAR, Array
from ....source import Span
from ....tree.nodes import Variable, VarRef
from ..constexpr.fold import ESCAPES
from ..context import Part, Sema

_LITERAL = re.compile(r'(?P<prefix>u8|[uUL])?"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ESCAPE = re.compile(
    rb"\\x(?P<hex>[0-9a-fA-F]+)|\\(?P<octal>[0-7]{1,3})|\\u(?P<short>[0-9a-fA-F]{4})|\\U(?P<long>[0-9a-fA-F]{8})"
    rb"|\\(?P<escape>[\x80-\xff]+|.)",
    re.DOTALL,
)
_SIMPLE = [(b"\\" + char.encode(), bytes([code])) for char, code in ESCAPES.items() if char != "\\"]


class BadString(Exception):
    """A literal that cannot be read; the text says why."""


class Strings(Part):
    """The checker's part for string literals."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.strings: dict[bytes, Variable] = {}  # what string literals hold

    def string_bytes(self, node: c_ast.Constant) -> bytes:
        """Return the characters of a literal, without the zero at its end."""
        try:
            return decode(node.value)
        except BadString as bad:
            self.fail(node.coord, str(bad))

    def string(self, node: c_ast.Constant) -> VarRef:
        """Return the constant that holds a literal."""
        return self.constant_string(self.string_bytes(node), node.coord)

    def constant_string(self, text: bytes, span: Span) -> VarRef:
        variable = self.strings.get(text)
        if variable is None:
            data = text + b"\0"
            name = f"string_{len(self.strings) + 1}"
            variable = Variable(name, Array(CHAR, len(data)), span, "constant", True, data, literal=True)
            self.strings[text] = variable
        self.s.variables.used_constants[variable] = None
        return VarRef(span, variable.type, variable)


def decode(literals: str) -> bytes:
    """Return what adjacent literals hold. Raises `BadString`."""
    found = b""
    for literal in _LITERAL.finditer(literals):
        if literal["prefix"] is not None:
            raise BadString(f"strings with the prefix '{literal['prefix']}' are not supported in device code")
        text = literal["text"].encode(errors="surrogateescape")
        found += b"\\".join(map(_without_escapes, text.split(rb"\\")))
    return found


def _without_escapes(text: bytes) -> bytes:
    """Return what a text without `\\\\` holds. Texts may be long: those with none but simple escapes take no time."""
    plain = text
    for escape, character in _SIMPLE:
        plain = plain.replace(escape, character)
    return _ESCAPE.sub(lambda escape: _character(escape[0]), text) if b"\\" in plain else plain


@cache
def _character(escape: bytes) -> bytes:
    """Return what an escape such as `\\n` or `\\x41` denotes."""
    part = _ESCAPE.fullmatch(escape)
    assert part is not None
    shown = escape.decode(errors="surrogateescape")
    if part["hex"] is not None or part["octal"] is not None:
        code = int(part["hex"], 16) if part["hex"] is not None else int(part["octal"], 8)
        if code > 255:
            raise BadString(f"the character '{shown}' does not fit a char")
        return bytes([code])
    if part["short"] is not None or part["long"] is not None:
        code = int(part["short"] or part["long"], 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise BadString(f"'{shown}' is no character")
        return chr(code).encode()
    if shown[1:] not in ESCAPES:
        raise BadString(f"the escape '{shown}' is unknown")
    return bytes([ESCAPES[shown[1:]]])
