"""Preprocess: a `Source` becomes text without directives, macros and comments, and every character keeps its place.

pcpp does the work. Two things are ours: a lexer that knows C++ literals (`1.f`, `1'000`, raw strings), and the
map from the text that comes out to the positions that went in.
"""

from __future__ import annotations

import io
import os
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pcpp.parser import Action, LexToken, OutputDirective
from pcpp.preprocessor import Preprocessor

from ..diag import CompileError, Diagnostic, error
from ..options import Options
from ..source import Source, Span
from .macros import PREDEFINED, SYSTEM_HEADERS

_DEEPEST_INCLUDE = 100


@dataclass(frozen=True)
class Preprocessed:
    """The text after preprocessing. `text[i]` for `i` in `starts` begins a token that stood at `origins[...]`.

    An origin is (source, line, column); its column is 0 for what a macro expanded to.
    """

    source: Source
    text: str = field(repr=False)
    starts: list[int] = field(repr=False)
    origins: list[tuple[Source, int, int]] = field(repr=False)
    included: dict[str, str | None] = field(default_factory=dict, repr=False)  # text by full path; None: not there

    def span(self, offset: int, length: int) -> Span:
        """Return where the `length` characters at `text[offset]` came from."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return Span(self.source, 1, 0)
        source, line, column = self.origins[index]
        return Span(source, line, column and column + offset - self.starts[index], length)


def preprocess(source: Source, options: Options) -> Preprocessed:
    """Run the C preprocessor over `source`.

    `#include "file"` is looked up beside the including file, then in `options.include_dirs`; `#include <file>` only
    there, and is ignored where it is not found: the compiler knows by itself what the system's headers declare.
    Raises `CompileError` with every missing file, or at the first malformed directive.
    """
    worker = _Worker(source, options)
    try:
        result = worker.run()
    except RecursionError:
        raise error(Span(source, 1, 0), "macros or includes are nested too deeply") from None
    except (IndexError, ValueError) as fault:
        # pcpp assumes that directives are well formed.
        if worker.lastdirective is None:
            raise
        raise error(worker.span(worker.lastdirective), f"malformed #{worker.lastdirective.value}") from fault
    if worker.faults:
        raise CompileError(worker.faults)
    return result


class _Worker(Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """pcpp with our lexer, our messages, and a record of where each token stood."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(_Lexer())
        self.faults: list[Diagnostic] = []
        self.line_directive = None
        self.rewrite_paths: list[tuple[str, str]] = []  # so that a token's `source` is the absolute path of its file
        self.main = source
        self.main_path = os.path.abspath(source.name)
        self.sources = {self.main_path: source}
        self.included: dict[str, str | None] = {}
        self.line_starts: dict[str, list[int]] = {}
        self.user_dirs = [os.path.abspath(path) for path in options.include_dirs]
        for path in self.user_dirs:
            self.add_path(path)
        self.rewrite_paths = []
        for name, value in PREDEFINED.items():
            self.define(f"{name} {value}")
        for definition in options.defines:
            name, equals, value = definition.partition("=")
            self.define(f"{name} {value if equals else '1'}")

    def run(self) -> Preprocessed:
        text = _plain(self.main.text)
        self.line_starts[self.main_path] = _starts_of_lines(text)
        self.parse(text, self.main.name)
        out: list[str] = []
        starts: list[int] = []
        origins: list[tuple[Source, int, int]] = []
        offset, fresh, at = 0, True, (self.main_path, 1)  # `at`: the file and line that the reader of `text` expects
        for token in self.parser:
            value: str = token.value
            if fresh and (token.source, token.lineno) != at:
                marker = self._marker(token, at)
                out.append(marker)
                offset += len(marker)
            if not value.isspace():
                starts.append(offset)
                origins.append(self._origin(token))
            out.append(value)
            offset += len(value)
            fresh = value.endswith("\n")
            if fresh:
                at = (token.source, token.lineno + 1)
        return Preprocessed(self.main, "".join(out), starts, origins, self.included)

    def _marker(self, token: Any, at: tuple[str, int]) -> str:
        """Return what brings a reader from line `at` to the line of `token`."""
        skipped: int = token.lineno - at[1]
        if token.source == at[0] and 0 < skipped < 8:
            return "\n" * skipped
        source = self.sources[token.source]
        return f'# {token.lineno} "{source.name}"\n'

    def _origin(self, token: Any) -> tuple[Source, int, int]:
        source = self.sources[token.source]
        if getattr(token, "expanded_from", None):
            return source, token.lineno, 0
        starts = self.line_starts[token.source]
        line = bisect_right(starts, token.lexpos)
        return source, line, token.lexpos - starts[line - 1] + 1

    def span(self, token: Any) -> Span:
        source, line, column = self._origin(token)
        return Span(source, line, column, len(token.value))

    # ------------------------------------------------------------------------------------- pcpp's hooks

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        if is_system_include and not any(includepath.startswith(path + os.sep) for path in self.user_dirs):
            raise FileNotFoundError(includepath)
        if self.include_depth > _DEEPEST_INCLUDE:
            raise error(self.span(self.lastdirective), "files are included too deeply; does one include itself?")
        shown = os.path.relpath(includepath)
        self.included[includepath] = None
        self.included[includepath] = text = Source.read(includepath).text
        self.sources[includepath] = Source(includepath if shown.startswith("..") else shown, text)
        plain = _plain(text)
        self.line_starts[includepath] = _starts_of_lines(plain)
        return io.StringIO(plain)

    def on_include_not_found(
        self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str
    ) -> NoReturn:
        span = self.span(self.lastdirective)
        if is_malformed:
            raise error(span, 'expected "FILE" or <FILE> after #include')
        if (
            not is_system_include
            and includepath not in SYSTEM_HEADERS
            and not includepath.startswith("cooperative_groups/")
        ):
            column = span.source.line(span.line).find(f'"{includepath}"') + 1
            if column:
                span = Span(span.source, span.line, column, len(includepath) + 2)
            searched = [curdir or ".", *self.user_dirs]
            self.faults.append(
                Diagnostic(
                    span,
                    f"file '{includepath}' not found",
                    help=f"looked in {', '.join(_shown(path) for path in searched)}; add a folder with -I",
                )
            )
        raise OutputDirective(Action.IgnoreAndRemove)

    def on_comment(self, tok: Any) -> bool:
        tok.type, tok.value = "CPP_WS", " "
        return True

    def on_error(self, file: str, line: int, msg: str) -> None:
        source = self.sources.get(file, self.main)
        self.faults.append(Diagnostic(Span(source, line, 0), (msg[:1].lower() + msg[1:]).strip()))

    def on_directive_handle(self, directive: Any, toks: list[Any], ifpassthru: bool, precedingtoks: list[Any]) -> bool:
        self.lastdirective = directive
        if not toks and directive.value in ("define", "undef", "include", "if", "ifdef", "ifndef", "elif"):
            raise error(self.span(directive), f"#{directive.value} needs an operand")
        return True

    def on_directive_unknown(self, directive: Any, toks: list[Any], ifpassthru: bool, precedingtoks: list[Any]) -> Any:
        text = "".join(token.value for token in toks).strip()
        if directive.value == "error":
            self.faults.append(Diagnostic(self.span(directive), f"#error {text}".strip()))
            return True
        if directive.value == "pragma":
            # `#pragma unroll N` may name a macro; the line passes through otherwise unexpanded.
            if toks:
                toks[0].value = "".join(token.value for token in self.expand_macros(list(toks)))
                for token in toks[1:]:
                    token.value = ""
            return None
        if directive.value in ("warning", "line", "ident"):
            return True
        raise error(self.span(directive), f"unknown directive '#{directive.value}'")


class _Lexer:
    """Splits text into preprocessing tokens, with the interface that pcpp expects of a PLY lexer."""

    def __init__(self) -> None:
        self.lineno = 1
        self._text, self._pos = "", 0

    def clone(self) -> _Lexer:
        return _Lexer()

    def input(self, text: str) -> None:
        self._text, self._pos = text, 0

    def token(self) -> Any:
        """Return the next token, None at the end."""
        match = _TOKEN.match(self._text, self._pos)
        if match is None:
            return None
        kind, value = match.lastgroup or "", match.group()
        token = LexToken()
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
  | (?P<CPP_COMMENT1> /\*.*?\*/)
  | (?P<CPP_COMMENT2> //[^\n]*)
  | (?P<CPP_STRING> (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)" | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<CPP_CHAR> (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
  | (?P<CPP_ID> [A-Za-z_$][\w$]*)
  | (?P<CPP_INTEGER> (?:0[xX][\da-fA-F]+|\d+)(?:'[\da-fA-F]+)*[uUlLzZ]*(?![\w.]))
  | (?P<CPP_FLOAT> \.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<PUNCTUATOR> <<=|>>=|\#\#|->|--|\+\+|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


def _plain(text: str) -> str:
    """Return `text` with only "\\n" to end a line, so that its lines are those of `Source.lines`."""
    return text.replace("\r\n", "\n").translate(_ODD_NEWLINES)


_ODD_NEWLINES = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def _starts_of_lines(text: str) -> list[int]:
    """Return where each line begins once every line has lost its trailing blanks, as pcpp sees it."""
    starts, offset = [], 0
    for line in text.split("\n"):
        starts.append(offset)
        offset += len(line.rstrip()) + 1
    return starts


def _shown(path: str) -> str:
    shown = os.path.relpath(path)
    return "'.'" if shown == "." else f"'{path if shown.startswith('..') else Path(shown)}'"
