"""Text to tokens: pycparser's lexer, taught CUDA's and C++'s words. Every token knows its `Span`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pycparser.c_lexer import CLexer
from pycparser.c_lexer import Token as PycparserToken

from ...source import Span
from .headers import Piece
from .preprocessed import Origin, Preprocessed


@dataclass(slots=True)
class Token(PycparserToken):
    """One token. `type` is pycparser's name for it, "CPP" for a word of C++ that C lacks, "BAD" for a malformed one.

    The `value` of a "BAD" token is the message.
    """

    type: str
    value: str
    lineno: int
    column: int
    filename: str
    span: Span
    place: int = -1  # in the text after preprocessing


@dataclass(slots=True)
class Braces(Token):
    """A `{` up to whose `}`, the next token, the text of `pre` has been skipped: `text[inside[0]:inside[1]]`.

    `in_body`: the parser leaves what is inside to the body of a function.
    """

    pre: Preprocessed | None = None
    inside: tuple[int, int] = (0, 0)
    in_body: bool = False


# Words that take the place of a word of C in the grammar: the parser meets them as that kind of token and keeps their
# spelling. So a qualifier is a function specifier, `__shared__` a storage class, `__launch_bounds__` an alignment.
_SPELLINGS = {
    "__global__": "INLINE", "__device__": "INLINE", "__host__": "INLINE", "__forceinline__": "INLINE",
    "__noinline__": "INLINE", "__inline__": "INLINE", "__inline": "INLINE",
    "__shared__": "REGISTER", "__constant__": "REGISTER", "__managed__": "REGISTER",
    "__launch_bounds__": "_ALIGNAS", "__align__": "_ALIGNAS", "__attribute__": "_ALIGNAS", "__attribute": "_ALIGNAS",
    "__cluster_dims__": "_ALIGNAS", "__block_size__": "_ALIGNAS", "__maxnreg__": "_ALIGNAS",
    "__grid_constant__": "CONST", "__const__": "CONST", "__const": "CONST",
    "__restrict__": "RESTRICT", "__restrict": "RESTRICT",
    "__volatile__": "VOLATILE", "__volatile": "VOLATILE", "__signed__": "SIGNED", "__signed": "SIGNED",
    "__alignof__": "_ALIGNOF", "__alignof": "_ALIGNOF", "__typeof__": "TYPEOF", "__typeof": "TYPEOF",
    "__builtin_offsetof": "OFFSETOF", "__null": "NULLPTR", "class": "STRUCT",
}  # fmt: skip

_OPERATOR_WORDS = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~",
    "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}  # fmt: skip
_OPERATOR_TYPES = {
    "&&": "LAND", "||": "LOR", "!": "LNOT", "&": "AND", "|": "OR", "^": "XOR", "~": "NOT", "&=": "ANDEQUAL",
    "|=": "OREQUAL", "^=": "XOREQUAL", "!=": "NE",
}  # fmt: skip

CPP_WORDS = frozenset(
    """
    asm __asm__ __asm catch concept const_cast constinit consteval decltype delete dynamic_cast explicit export
    friend mutable namespace new noexcept operator private protected public reinterpret_cast requires static_cast
    template this throw try typeid typename using virtual co_await co_return co_yield __underlying_type
    """.split()
)

LONGEST_NAME = 512  # LLVM cuts names off at 1024 characters, and we append to them

_SINGLE = {
    "(": "LPAREN", ")": "RPAREN", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE", ";": "SEMI", ",": "COMMA",
    "?": "CONDOP", "~": "NOT",
}  # fmt: skip
_OPERATORS = {
    "::": "COLONCOLON", "->": "ARROW", "++": "PLUSPLUS", "--": "MINUSMINUS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "&": "AND", "&&": "LAND", "|": "OR", "||": "LOR", "<": "LT", ">": "GT", "<=": "LE", ">=": "GE",
    "==": "EQ", "!=": "NE", "=": "EQUALS", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL", "*=": "TIMESEQUAL", "!": "LNOT",
    ":": "COLON", "<<": "LSHIFT", ">>": "RSHIFT", "^": "XOR", "/=": "DIVEQUAL", "&=": "ANDEQUAL", "|=": "OREQUAL",
    "^=": "XOREQUAL",
}  # fmt: skip
_SIGN_TYPES = _SINGLE | _OPERATORS
# A word that begins no literal, a number without a suffix, or a sign that no other sign touches (`<%` is a `{`).
_COMMON = re.compile(
    r"""[ \t\n]*(?:(?P<word>[A-Za-z_$][\w$]*)(?![\w$'"])|(?P<number>[1-9][0-9]*)(?![\w.'])|"""
    r"""(?P<single>[]();,?~{}])|(?P<sign>[-+*/&|<>=!:^]+)(?![-+*/&|<>=!:^%]))""",
    re.ASCII,
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_STRING = re.compile(r'''"[^"\\\n]*(?:\\(?:[abfnrtv0-7'"?\\]|x[0-9a-fA-F])[^"\\\n]*)*"''')
_OPEN_STRING = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*$', re.MULTILINE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_RAW_STRING = re.compile(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\((.*?)\)\1"', re.DOTALL)


class CudaLexer(CLexer):
    """pycparser's lexer over preprocessed text. A malformed token is a token, not an error: host code may have it."""

    def __init__(self, error_func: Callable[[str, int, int], None], *, dialect: str = "c23") -> None:
        super().__init__(error_func, dialect=dialect)
        self._keyword_map.update(_SPELLINGS, **dict.fromkeys(CPP_WORDS, "CPP"))
        self._keyword_map.update({word: _OPERATOR_TYPES[sign] for word, sign in _OPERATOR_WORDS.items()})
        self._fault = ""
        self._last = -1  # which token of `_pre` the last one was a part of
        self._pos: int

    def tokens_of(self, piece: Piece) -> list[Token]:
        """Return the tokens of a piece of our own headers, which need no preprocessing."""
        starts, origins = [0], [Origin(piece.source, piece.line, 1)]
        for number, line in enumerate(piece.text.split("\n"), 1):
            starts.append(starts[-1] + len(line) + 1)
            origins.append(Origin(piece.source, piece.line + number, 1))
        return self.tokens(Preprocessed(piece.source, piece.text, starts, origins))

    def tokens(self, pre: Preprocessed) -> list[Token]:
        """Return every token of `pre`."""
        self._pre = pre
        self.input(pre.text, pre.source.name)
        return list(iter(self.token, None))

    def outline(self, pre: Preprocessed) -> list[Token]:
        """Return the tokens of `pre`, those of included files without what functions and classes hold."""
        self._pre = pre
        self.input(pre.text, pre.source.name)
        ends = pre.ends_of_included()
        tokens: list[Token] = []
        end = next(ends, None)
        while (token := self.token()) is not None:
            tokens.append(token)
            while end is not None and end[1] <= token.place:
                end = next(ends, None)
            if token.type == "LBRACE" and end is not None and end[0] <= token.place and not opens_scope(tokens):
                closing = closing_brace(pre.text, token.place, end[1])
                if closing is not None:
                    inside = (token.place + 1, closing)
                    tokens[-1] = Braces(
                        "LBRACE", "{", token.lineno, token.column, token.filename, token.span, token.place, pre, inside
                    )
                    self._pos = closing
        return tokens

    def filled(self, tokens: Sequence[Token]) -> list[Token]:
        """Return `tokens` with those that an outline left out."""
        result: list[Token] = []
        for token in tokens:
            result.append(token)
            if isinstance(token, Braces) and token.pre is not None:
                self._pre = token.pre
                self.input(token.pre.text, token.pre.source.name)
                self._pos, end = token.inside
                while (inner := self.token()) is not None and inner.place < end:
                    result.append(inner)
        return result

    def token(self) -> Token | None:
        """Return the next token, None at the end: the most common ones at once, the others as pycparser finds them."""
        if not self._in_attribute and self._pending_tok is None:
            match = _COMMON.match(self._lexdata, self._pos)
            if match is not None:
                value = match[match.lastgroup or 0]
                kind = self._common_kind(match.lastgroup, value)
                if kind is not None:
                    self._pos = match.end()
                    return self._make_token(kind, value, self._pos - len(value))
        return super().token()

    def _common_kind(self, group: str | None, value: str) -> str | None:
        """Return pycparser's name for a token that is in this group of `_COMMON`; None if it takes a closer look."""
        if group == "word":
            usual = len(value) <= LONGEST_NAME and value not in _OPERATOR_WORDS
            return self._keyword_map.get(value, "ID") if usual else None
        return "INT_CONST_DEC" if group == "number" else _SIGN_TYPES.get(value)

    def _match_token(self) -> Token | None:
        text, start = self._lexdata, self._pos
        word = _WORD.match(text, start)
        if word is not None and len(word.group()) > LONGEST_NAME and not self._in_attribute:
            self._pos = word.end()
            return self._bad_token(word.group(), start, f"a name has at most {LONGEST_NAME} characters")
        if text.startswith(("<<<", ">>>"), start) and text[start + 3 : start + 4] != "=":
            self._pos += 3
            return self._make_token("LAUNCH", text[start : start + 3], start)
        if text[start] in "RuUL" and (raw := _RAW_STRING.match(text, start)):
            self._pos = raw.end()
            token = self._make_token("STRING_LITERAL", '""', start)
            token.value = f'"{"".join(_ESCAPES.get(char, char) for char in raw.group(2))}"'
            return token
        if text[start] == '"' and (string := _STRING.match(text, start)):  # pycparser takes long for long ones
            self._pos = string.end()
            return self._make_token("STRING_LITERAL", string.group(), start)
        if text[start] == '"' and (string := _OPEN_STRING.match(text, start)):
            self._pos = string.end()
            return self._bad_token(string.group().rstrip(), start, "this string is never closed")
        other = super()._match_token()
        if other is None and self._fault:
            other = self._bad_token(text[start : self._pos].rstrip(), start, self._fault)
            self._fault = ""
        elif other is not None and other.value in _OPERATOR_WORDS:
            other.value = _OPERATOR_WORDS[other.value]
        return other

    def _bad_token(self, text: str, pos: int, message: str) -> Token:
        token = self._make_token("BAD", text, pos)
        token.value = message
        return token

    def _make_token(self, tok_type: str, value: str, pos: int) -> Token:
        value = value.rstrip()  # a pragma reaches to the end of its line
        self._last = self._pre.token_at(pos, self._last)
        span = self._pre.span_in(self._last, pos, len(value))
        return Token(tok_type, value, span.line, span.column, span.source.name, span, pos)

    def _error(self, msg: str, pos: int) -> None:
        self._fault = "this quote is never closed" if msg.startswith("Unmatched") else msg[:1].lower() + msg[1:]


_BRACE = re.compile(r"""[{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|["']|<%|%>|__global__""", re.DOTALL)


def closing_brace(text: str, opening: int, end: int) -> int | None:
    """Return where the `}` of the `{` at `opening` is; None if braces and quotes do not decide it.

    None also for what holds a kernel: it is in a wrong place there.
    """
    depth = 0
    for match in _BRACE.finditer(text, opening, end):
        found = match.group()
        if found == "{":
            depth += 1
        elif found == "}":
            depth -= 1
            if depth == 0:
                return match.start()
        elif len(found) == 1 or found[0] not in "\"'" or text[match.start() - 1].isalnum():
            return None  # a quote that is never closed, a raw string, `1'000`
    return None


def opens_scope(tokens: list[Token]) -> bool:
    """True if the last token, a `{`, is that of a namespace or of `extern "C"`."""
    if len(tokens) > 2 and tokens[-2].type == "STRING_LITERAL":
        return True
    for at in range(len(tokens) - 2, -1, -1):  # no copy of all tokens so far: there are as many braces as functions
        if tokens[at].type in ("SEMI", "LBRACE", "RBRACE"):
            return False
        if tokens[at].value == "namespace":
            return True
    return False
