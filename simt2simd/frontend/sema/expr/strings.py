"""String literals: what they hold, and the constants of device code that they become.

Adjacent literals are one string; the parser hands them on with a blank between them, because `"\\x4" "1"` has two
characters. Equal strings of a file share a constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pycparser import c_ast

from ....lang.ctype import CHAR, Array, Scalar
from ....source import Span
from ....tree.nodes import Variable, VarRef
from ..constexpr.fold import CHARACTERS, ESCAPES
from ..context import Part, Sema

_LITERAL = re.compile(r'(?P<prefix>u8|[uUL])?"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ESCAPE = re.compile(
    rb"\\x(?P<hex>[0-9a-fA-F]+)|\\(?P<octal>[0-7]{1,3})|\\u(?P<short>[0-9a-fA-F]{4})|\\U(?P<long>[0-9a-fA-F]{8})"
    rb"|\\(?P<escape>[\x80-\xff]+|.)",
    re.DOTALL,
)
_WIDE = re.compile(
    r"\\x(?P<hex>[0-9a-fA-F]+)|\\(?P<octal>[0-7]{1,3})|\\u(?P<short>[0-9a-fA-F]{4})|\\U(?P<long>[0-9a-fA-F]{8})"
    r"|\\(?P<escape>.)|(?P<plain>[^\\])",
    re.DOTALL,
)
_SIMPLE = [(b"\\" + char.encode(), bytes([code])) for char, code in ESCAPES.items() if char != "\\"]


class BadString(Exception):
    """A literal that cannot be read; the text says why."""


class Strings(Part):
    """The checker's part for string literals."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.strings: dict[tuple[Scalar, bytes], Variable] = {}  # what string literals hold

    def characters(self, node: c_ast.Constant) -> tuple[Scalar, Sequence[int]]:
        """Return the type of a literal's characters, and their codes without the zero at its end."""
        try:
            return codes_of(node.value)
        except BadString as bad:
            self.fail(node.coord, str(bad))

    def string(self, node: c_ast.Constant) -> VarRef:
        """Return the constant that holds a literal."""
        ctype, codes = self.characters(node)
        text = codes if isinstance(codes, bytes) else b"".join(code.to_bytes(ctype.size, "little") for code in codes)
        return self.constant_string(text, node.coord, ctype)

    def constant_string(self, text: bytes, span: Span, ctype: Scalar = CHAR) -> VarRef:
        """Return the constant that holds the bytes of some characters, and a zero."""
        variable = self.strings.get((ctype, text))
        if variable is None:
            data = text + bytes(ctype.size)
            name = f"string_{len(self.strings) + 1}"
            whole = Array(ctype, len(data) // ctype.size)
            variable = Variable(name, whole, span, "constant", True, data, literal=ctype is CHAR)
            self.strings[ctype, text] = variable
        self.s.variables.used_constants[variable] = None
        return VarRef(span, variable.type, variable)


def codes_of(literals: str) -> tuple[Scalar, Sequence[int]]:
    """Return what adjacent literals hold: the type of their characters, and the codes. Raises `BadString`."""
    found = list(_LITERAL.finditer(literals))
    prefixes = {literal["prefix"] or "" for literal in found} - {""}
    prefix = min(prefixes, default="")
    if len(prefixes) > 1 or prefix not in CHARACTERS:
        raise BadString(f"strings with the prefix '{prefix}' are not supported in device code")
    ctype = CHARACTERS[prefix]
    if ctype is CHAR:
        return ctype, decode(literals)
    return ctype, [code for literal in found for code in _wide_codes(literal["text"], ctype)]


def decode(literals: str) -> bytes:
    """Return what adjacent literals hold, which have no prefix. Raises `BadString`."""
    found = b""
    for literal in _LITERAL.finditer(literals):
        if literal["prefix"] is not None:
            raise BadString(f"a string with the prefix '{literal['prefix']}' is not possible here")
        text = literal["text"].encode(errors="surrogateescape")
        found += b"\\".join(map(_without_escapes, text.split(rb"\\")))
    return found


def _wide_codes(text: str, ctype: Scalar) -> Iterator[int]:
    """Yield the code units of a text that may have escapes: those of UTF-16, or code points ([lex.string])."""
    for found in _WIDE.finditer(text):
        digits = found["hex"] or found["short"] or found["long"]
        if found["plain"] or found["short"] or found["long"]:
            code = int(digits, 16) if digits else ord(found["plain"])
            if code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise BadString(f"'{found[0]}' is no character")
            if ctype.bits == 16 and code > 0xFFFF:
                yield 0xD800 + (code - 0x10000 >> 10)
                code = 0xDC00 + (code & 0x3FF)
        elif found["escape"]:
            if found["escape"] not in ESCAPES:
                raise BadString(f"the escape '{found[0]}' is unknown")
            code = ESCAPES[found["escape"]]
        else:
            code = int(digits, 16) if digits else int(found["octal"], 8)
            if code >> ctype.bits:
                raise BadString(f"the character '{found[0]}' does not fit a {ctype}")
        yield code


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
