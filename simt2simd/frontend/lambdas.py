"""Parsing lambdas."""

from __future__ import annotations

from typing import Literal

from .constraints import all_of
from .cxx import Capture, Lambda, Signature
from .declarators import DeclaredName
from .statements import StatementParser
from .words import Node

_WORDS = ("constexpr", "consteval", "static", "__device__", "__host__", "__forceinline__", "__noinline__")


class Lambdas(StatementParser):
    """The part of the parser for lambdas."""

    def _lambda(self) -> Node:
        """Parse from the `[` on. The words of CUDA may stand before or behind the parameters."""
        mark = self._mark()
        outer, self._in_angles = self._in_angles, False
        outside = self._scope
        self._push_scope()
        default, captures = self._captures()
        params, conditions = self._constrained_parameters() if self._peek_type() == "LT" else ((), [])
        words: list[str] = []
        mutable = self._words_of_lambda(words)
        signature = None
        if self._peek_type() == "LPAREN":
            found = self._parse_function_decl(DeclaredName(None, self._here().span))
            assert isinstance(found, Signature)
            signature = found
        mutable = self._words_of_lambda(words) or mutable
        if signature is not None:
            self._after_words(signature)
            signature.requires = all_of([*conditions, signature.requires])
            self._enter(signature.inside)  # type: ignore[attr-defined]
        if self._peek_type() != "LBRACE":
            self._fault_at(self._here(), f"expected '{{' before '{self._here().value}'")
        body = self._lazy_body()
        self._enter(outside)
        self._in_angles = outer
        return Lambda(
            default, captures, params, signature, mutable, tuple(words), body, self._tokens.span(mark)
        )  # fmt: skip

    def _after_words(self, signature: Signature) -> None:
        """Take over the result type, which may stand behind the words."""
        trailing = signature.trailing  # type: ignore[attr-defined]
        if trailing is None and self._value() in ("->", "noexcept", "requires"):
            self._after_parameters(signature)
            trailing = signature.trailing  # type: ignore[attr-defined]
        signature.type = trailing.type if trailing is not None else None  # type: ignore[assignment]

    def _words_of_lambda(self, words: list[str]) -> bool:
        mutable = False
        while True:
            self._skip_attributes(gnu=True)
            if self._accept_word("mutable"):
                mutable = True
            elif (word := self._accept_word(*_WORDS)) is not None:
                words.append(word.value)
            elif self._value() == "noexcept":
                self._advance()
                if self._peek_type() == "LPAREN":
                    self._dynamic_or_noexcept()
            else:
                return mutable

    def _captures(self) -> tuple[Literal["", "=", "&"], tuple[Capture, ...]]:
        self._expect("LBRACKET")
        default: Literal["", "=", "&"] = ""
        captures: list[Capture] = []
        while self._peek_type() != "RBRACKET":
            if self._peek_type() in ("EQUALS", "AND") and self._peek_type(2) in ("COMMA", "RBRACKET"):
                default = "=" if self._advance().type == "EQUALS" else "&"
            else:
                captures.append(self._capture())
            if not self._accept("COMMA"):
                break
        self._expect("RBRACKET")
        return default, tuple(captures)

    def _capture(self) -> Capture:
        first = self._here()
        if self._accept_word("this"):
            return Capture("this", False, first.span)
        if self._accept("TIMES"):
            if self._accept_word("this") is None:
                self._unexpected(self._here())
            return Capture("*this", False, first.span)
        by_reference = self._accept("AND") is not None
        pack = self._accept("ELLIPSIS") is not None
        name = self._expect_name()
        init: Node | None = None
        if self._accept("EQUALS") or self._peek_type() in ("LBRACE", "LPAREN"):
            init = self._parse_initializer()
            self._add_identifier(name.value, name.span)
        pack = self._accept("ELLIPSIS") is not None or pack
        return Capture(name.value, by_reference, name.span, init, pack)
