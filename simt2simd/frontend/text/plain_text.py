"""The text of a file as the preprocessor's lexer reads it: lines end with "\\n", and no word or string is divided."""

from __future__ import annotations

import re


def plain_text(text: str) -> str:
    """Return `text` without a byte-order mark and with the lines of `Source.lines`, all ended by "\\n".

    A word that continues in the next line is put whole into the first one; what follows it keeps its place.
    """
    text = " " + text[1:] if text.startswith("\ufeff") else text
    text = text.replace("\r\n", "\n").translate(_ODD_NEWLINES)
    return _TOKEN.sub(_whole, text) if _may_split_tokens(text) else text


def _may_split_tokens(text: str) -> bool:
    """False if no line of `text` ends within a word or a string. Takes time in proportion to the text."""
    for join in _LINE_JOIN.finditer(text):
        line = text[text.rfind("\n", 0, join.start()) + 1 : join.start()]
        if '"' in line or "'" in line or (_ends_in_word(line) and _ends_in_word(text[join.end() : join.end() + 1])):
            return True
    return False


def _ends_in_word(text: str) -> bool:
    return text[-1:].isalnum() or text[-1:] == "_"


def _whole(token: re.Match[str]) -> str:
    """Return a token in one line, before the line breaks that were inside."""
    if token["raw"] is not None or "\n" not in token[0]:
        return token[0]
    first, *rest = _LINE_JOIN.split(token[0])
    return first + "".join(rest) + "\\\n" * len(rest) + " " * len(rest[-1]) if rest else token[0]


_LINE_JOIN = re.compile(r"\\[ \t]*\n")
_TOKEN = re.compile(
    r"""(?P<raw>R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"|/\*.*?(?:\*/|\Z)|//(?:\\[ \t]*\n|[^\n])*)"""
    r"""|"(?:\\[ \t]*\n|[^"\\\n]|\\.)*"|'(?:\\[ \t]*\n|[^'\\\n]|\\.)*'|\w+(?:\\[ \t]*\n\w+)*(?:'\w+)*""",
    re.DOTALL,
)


_ODD_NEWLINES = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def starts_of_lines(text: str) -> list[int]:
    """Return where each line begins once every line has lost its trailing blanks, as pcpp sees it."""
    starts, offset = [], 0
    for line in text.split("\n"):
        starts.append(offset)
        offset += len(line.rstrip()) + 1
    return starts
