"""Preprocessing tokens, and the lexer that makes them: it knows C++ literals (`1.f`, `1'000`, raw strings)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pcpp.parser import LexToken


class Definition(NamedTuple):
    """Where a token is in a macro's definition: the file's path, and characters from its start."""

    source: str
    lexpos: int
    length: int


class PpToken(LexToken):
    """A preprocessing token. All but pcpp's own fields are for macros, see `expand_macros` in `preprocess`.

    `macro`: the one whose definition it is in; `made_by`: where it was there, once it has the place of the
    macro's name, which has `length` characters; `hidden`: macros that are not replaced in it.
    """

    macro = ""
    made_by: Definition | None = None
    length = 0
    hidden: frozenset[str] = frozenset()

    def twin(self) -> PpToken:
        """Return a copy, in a fifth of the time that `copy.copy` takes."""
        made = PpToken()
        made.__dict__ = self.__dict__.copy()
        return made

    __copy__ = twin  # pcpp copies tokens too


PLAIN = "PLAIN"  # the kind of a token for whole lines that the preprocessor passes on


def pp_token(kind: str, value: str, file: str, line: int, place: int) -> PpToken:
    token = PpToken()
    token.type, token.value, token.source, token.lineno, token.lexpos = kind, value, file, line, place
    return token


class PpLexer:
    """Splits text into preprocessing tokens, with the interface that pcpp expects of a PLY lexer."""

    def __init__(self) -> None:
        self.lineno = 1
        self._text, self._pos = "", 0

    def clone(self) -> PpLexer:
        return PpLexer()

    def input(self, text: str) -> None:
        self._text, self._pos = text, 0

    def read(self, start: int, end: int, line: int, file: str) -> list[Any]:
        """Return the tokens of whole lines, the first of which is number `line` of `file`."""
        self._pos, self.lineno = start, line
        tokens: list[Any] = []
        while self._pos < end and (token := self.token()) is not None:
            token.source = file
            tokens.append(token)
        return tokens

    def token(self) -> LexToken | None:
        """Return the next token, None at the end."""
        match = _TOKEN.match(self._text, self._pos)
        if match is None:
            return None
        kind, value = match.lastgroup or "", match.group()
        token = PpToken()
        token.lexpos, token.lineno = self._pos, self.lineno
        self._pos = match.end()
        self.lineno += value.count("\n")
        if kind == "CPP_LINECONT":
            value = value[1:-1]
        elif kind == "PUNCTUATOR":
            kind = _PUNCTUATORS.get(value, value)
        token.type, token.value = kind, value
        return token


_PUNCTUATORS = {
    "#": "CPP_POUND", "##": "CPP_DPOUND", "+": "CPP_PLUS", "-": "CPP_MINUS", "*": "CPP_STAR", "/": "CPP_FSLASH",
    "%": "CPP_PERCENT", "|": "CPP_BAR", "&": "CPP_AMPERSAND", "~": "CPP_TILDE", "^": "CPP_HAT", "<": "CPP_LESS",
    ">": "CPP_GREATER", "=": "CPP_EQUAL", "!": "CPP_EXCLAMATION", "?": "CPP_QUESTION", "(": "CPP_LPAREN",
    ")": "CPP_RPAREN", "[": "CPP_LBRACKET", "]": "CPP_RBRACKET", "{": "CPP_LCURLY", "}": "CPP_RCURLY", ".": "CPP_DOT",
    ",": "CPP_COMMA", ";": "CPP_SEMICOLON", ":": "CPP_COLON", "\\": "CPP_BSLASH", "'": "CPP_SQUOTE", '"': "CPP_DQUOTE",
    "->": "CPP_DEREFERENCE", "-=": "CPP_MINUSEQUAL", "--": "CPP_MINUSMINUS", "<<": "CPP_LSHIFT", "<=": "CPP_LESSEQUAL",
    ">>": "CPP_RSHIFT", ">=": "CPP_GREATEREQUAL", "||": "CPP_LOGICALOR", "|=": "CPP_OREQUAL", "&&": "CPP_LOGICALAND",
    "&=": "CPP_ANDEQUAL", "==": "CPP_EQUALITY", "!=": "CPP_INEQUALITY", "^=": "CPP_XOREQUAL", "*=": "CPP_MULTIPLYEQUAL",
    "/=": "CPP_DIVIDEEQUAL", "+=": "CPP_PLUSEQUAL", "++": "CPP_PLUSPLUS", "%=": "CPP_PERCENTEQUAL",
    "<<=": "CPP_LSHIFTEQUAL", ">>=": "CPP_RSHIFTEQUAL",
}  # fmt: skip

_TOKEN = re.compile(
    r"""
    (?P<CPP_WS> [ \t]+ | \n)
  | (?P<CPP_LINECONT> \\[ \t]*\n)
  | (?P<CPP_COMMENT1> /\*.*?(?:\*/|\Z))
  | (?P<CPP_COMMENT2> //(?:\\[ \t]*\n|[^\n])*)
  | (?P<CPP_STRING> (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)" | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<CPP_CHAR> (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
  | (?P<CPP_ID> [A-Za-z_$][\w$]*)
  | (?P<CPP_INTEGER> (?:0[xX][\da-fA-F]+|\d+)(?:'[\da-fA-F]+)*[uUlLzZ]*(?![\w.]))
  | (?P<CPP_FLOAT> \.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<PUNCTUATOR> <<=|>>=|\#\#|->|--|\+\+|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


def would_join(before: Any, token: Any) -> bool:
    """True for two tokens that were separate and would be one without a space: `-N` must not become `--1`."""
    first, second = before.made_by or before, token.made_by or token
    if first.lexpos + len(before.value) == second.lexpos and before.macro == token.macro:
        return False
    pair = before.value[-1] + token.value[:1]
    return _JOINING_WORDS.fullmatch(pair) is not None or _JOINING_SIGNS.fullmatch(pair) is not None


_JOINING_WORDS, _JOINING_SIGNS = re.compile(r"""[\w.$]['"\w.$]"""), re.compile(r"[-+*/%&|^<>=!:#.]{2}")
