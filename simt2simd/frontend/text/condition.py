"""The operand of `#if`: an expression of integers, after macros have been replaced.

Numbers have 64 bits and are signed unless one is marked `u`; a name that is no macro is 0, as is a call of what is no
macro (`__has_builtin(...)`). An operand that the others leave without effect is not computed: `1 || 1 / 0` is 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Word(Protocol):
    """A preprocessing token."""

    value: str
    type: str


class ConditionFault(Exception):
    """The expression is malformed; `word` is where, None for its end."""

    def __init__(self, word: Word | None, message: str) -> None:
        super().__init__(message)
        self.word = word
        self.message = message


@dataclass(frozen=True)
class Number:
    """An integer of 64 bits."""

    value: int
    unsigned: bool = False

    @staticmethod
    def of(value: int, *, unsigned: bool = False) -> Number:
        """Return `value`, wrapped around to 64 bits."""
        low = value & _MASK
        return Number(low if unsigned or low < 1 << 63 else low - (1 << 64), unsigned)


def evaluate(words: Sequence[Word]) -> bool:
    """Return whether the expression is not 0. Raises `ConditionFault`."""
    reader = _Reader([word for word in words if word.value.strip()])
    number = reader.conditional(live=True)
    if reader.peek() is not None:
        raise ConditionFault(reader.peek(), f"expected an operator before '{reader.text()}'")
    return number.value != 0


_MASK = (1 << 64) - 1
_SPELLED = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~", "not_eq": "!=",
}  # fmt: skip
_PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
    "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_INTEGER = re.compile(r"(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlLzZ]*)")
_CHAR = re.compile(r"(?:u8|[uUL])?'(?:\\([0-7]{1,3})|\\x([\da-fA-F]+)|\\(.)|([^\\]))'", re.DOTALL)
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}


class _Reader:
    """Reads and computes at once. `live` is False for an operand whose value does not matter."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> Word | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def text(self) -> str:
        """Return the next word, an operator that is spelled out as a sign; the empty string at the end."""
        word = self.peek()
        return "" if word is None else _SPELLED.get(word.value, word.value)

    def _accept(self, text: str) -> bool:
        found = self.text() == text
        self._at += found
        return found

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise ConditionFault(self.peek(), f"expected '{text}' {self._before()}")

    def _before(self) -> str:
        word = self.peek()
        return "at the end of the line" if word is None else f"before '{word.value}'"

    def conditional(self, *, live: bool) -> Number:
        condition = self._binary(1, live=live)
        if not self._accept("?"):
            return condition
        then = self.conditional(live=live and condition.value != 0)
        self._expect(":")
        other = self.conditional(live=live and condition.value == 0)
        chosen = then if condition.value else other
        return Number.of(chosen.value, unsigned=then.unsigned or other.unsigned)

    def _binary(self, lowest: int, *, live: bool) -> Number:
        left = self._unary(live=live)
        while (precedence := _PRECEDENCE.get(self.text(), 0)) >= lowest:
            sign, word = self.text(), self.peek()
            self._at += 1
            skipped = (sign == "&&" and left.value == 0) or (sign == "||" and left.value != 0)
            needed = live and not skipped
            right = self._binary(precedence + 1, live=needed)
            if sign in ("/", "%") and right.value == 0:
                if needed:
                    raise ConditionFault(word, "division by zero")
                right = Number(1)
            left = _operate(sign, left, right)
        return left

    def _unary(self, *, live: bool) -> Number:
        signs: list[str] = []
        while self.text() in ("+", "-", "!", "~"):
            signs.append(self.text())
            self._at += 1
        number = self._primary(live=live)
        for sign in reversed(signs):
            match sign:
                case "-":
                    number = Number.of(-number.value, unsigned=number.unsigned)
                case "~":
                    number = Number.of(~number.value, unsigned=number.unsigned)
                case "!":
                    number = Number(int(number.value == 0))
        return number

    def _primary(self, *, live: bool) -> Number:
        word = self.peek()
        if self._accept("("):
            number = self.conditional(live=live)
            self._expect(")")
            return number
        if word is None or self.text() in _PRECEDENCE:
            raise ConditionFault(word, f"expected a number {self._before()}")
        self._at += 1
        if word.value[0].isidentifier() and "'" not in word.value and '"' not in word.value:
            if self.text() == "(":
                self._skip_call()
            return Number(int(word.value == "true"))
        if found := _INTEGER.fullmatch(word.value):
            return _integer(found[1].replace("'", ""), word, unsigned="u" in found[2].lower())
        if char := _CHAR.fullmatch(word.value):
            return Number.of(_character(char))
        raise ConditionFault(word, f"'{word.value}' is no integer: #if works with integers only")

    def _skip_call(self) -> None:
        depth = 0
        while (text := self.text()) != "":
            self._at += 1
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return
        raise ConditionFault(None, "expected ')' at the end of the line")


def _integer(digits: str, word: Word, *, unsigned: bool) -> Number:
    base = {"x": 16, "b": 2}.get(digits[1:2].lower(), 8 if digits[0] == "0" else 10)
    if len(digits) > 70:
        raise ConditionFault(word, "an integer in #if has 64 bits")
    try:
        value = int(digits[2:] if base in (16, 2) else digits, base)
    except ValueError:
        raise ConditionFault(word, f"'{word.value}' is no integer: #if works with integers only") from None
    if value > _MASK:
        raise ConditionFault(word, "an integer in #if has 64 bits")
    return Number.of(value, unsigned=unsigned or value >= 1 << 63)


def _character(found: re.Match[str]) -> int:
    octal, hexadecimal, escape, plain = found.groups()
    if octal:
        return int(octal, 8)
    if hexadecimal:
        return int(hexadecimal[-16:], 16)
    return ord(plain) if plain else _ESCAPES.get(escape, ord(escape))


def _operate(sign: str, left: Number, right: Number) -> Number:
    """Return what C computes; a shift by 64 or more leaves 0, or the sign."""
    unsigned = left.unsigned or right.unsigned
    if sign in ("<<", ">>"):
        count = min(right.value, 64) if right.value >= 0 else 64
        shifted = left.value << count if sign == "<<" else left.value >> count
        return Number.of(shifted, unsigned=left.unsigned)
    a = Number.of(left.value, unsigned=unsigned).value
    b = Number.of(right.value, unsigned=unsigned).value
    if sign in _TRUTH:
        return Number(int(_TRUTH[sign](a, b)))
    return Number.of(_VALUE[sign](a, b), unsigned=unsigned)


_TRUTH: dict[str, Callable[[int, int], bool]] = {
    "||": lambda a, b: a != 0 or b != 0, "&&": lambda a, b: a != 0 and b != 0, "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}  # fmt: skip
_VALUE: dict[str, Callable[[int, int], int]] = {
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "&": lambda a, b: a & b, "+": lambda a, b: a + b,
    "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: _quotient(a, b),
    "%": lambda a, b: a - b * _quotient(a, b),
}  # fmt: skip


def _quotient(a: int, b: int) -> int:
    """Divide as C does: towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
