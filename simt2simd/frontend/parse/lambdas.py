"""Parsing lambdas."""

from __future__ import annotations

from typing import Literal

from .constraints import all_of
from .cxx import Capture, Lambda, Signature
from .declarators import DeclaredName
from .parser_part import ParserPart
from .words import Node

_WORDS = ("constexpr", "consteval", "static", "__device__", "__host__", "__forceinline__", "__noinline__")


class Lambdas(ParserPart):
    """The part of the parser for lambdas."""

    def lambda_expression(self) -> Node:
        """Parse from the `[` on. The words of CUDA may appear before or after the parameters."""
        mark = self.p._mark()
        outer, self.p._in_angles = self.p._in_angles, False
        outside = self.p._scope
        self.p._push_scope()
        default, captures = self._captures()
        params, conditions = self.p.templates.constrained_parameters() if self.p._peek_type() == "LT" else ((), [])
        words: list[str] = []
        mutable = self._words_of_lambda(words)
        signature = None
        if self.p._peek_type() == "LPAREN":
            found = self.p.parameters.parse_function_decl(DeclaredName(None, self.p._here().span))
            assert isinstance(found, Signature)
            signature = found
        mutable = self._words_of_lambda(words) or mutable
        if signature is not None:
            self._after_words(signature)
            signature.requires = all_of([*conditions, signature.requires])
            self.p._enter(signature.inside)  # type: ignore[attr-defined]
        if self.p._peek_type() != "LBRACE":
            self.p._fault_at(self.p._here(), f"expected '{{' before '{self.p._here().value}'")
        body = self.p._lazy_body()
        self.p._enter(outside)
        self.p._in_angles = outer
        return Lambda(
            default, captures, params, signature, mutable, tuple(words), body, self.p._tokens.span(mark)
        )  # fmt: skip

    def _after_words(self, signature: Signature) -> None:
        """Take over the result type, which may follow the words."""
        trailing = signature.trailing  # type: ignore[attr-defined]
        if trailing is None and self.p._value() in ("->", "noexcept", "requires"):
            self.p.parameters.after_parameters(signature)
            trailing = signature.trailing  # type: ignore[attr-defined]
        signature.type = trailing.type if trailing is not None else None  # type: ignore[assignment]

    def _words_of_lambda(self, words: list[str]) -> bool:
        mutable = False
        while True:
            self.p.specifiers.skip_attributes(gnu=True)
            if self.p._accept_word("mutable"):
                mutable = True
            elif (word := self.p._accept_word(*_WORDS)) is not None:
                words.append(word.value)
            elif self.p._value() == "noexcept":
                self.p._advance()
                if self.p._peek_type() == "LPAREN":
                    self.p.parameters.dynamic_or_noexcept()
            else:
                return mutable

    def _captures(self) -> tuple[Literal["", "=", "&"], tuple[Capture, ...]]:
        self.p._expect("LBRACKET")
        default: Literal["", "=", "&"] = ""
        captures: list[Capture] = []
        while self.p._peek_type() != "RBRACKET":
            if self.p._peek_type() in ("EQUALS", "AND") and self.p._peek_type(2) in ("COMMA", "RBRACKET"):
                default = "=" if self.p._advance().type == "EQUALS" else "&"
            else:
                captures.append(self._capture())
            if not self.p._accept("COMMA"):
                break
        self.p._expect("RBRACKET")
        return default, tuple(captures)

    def _capture(self) -> Capture:
        first = self.p._here()
        if self.p._accept_word("this"):
            return Capture("this", False, first.span)
        if self.p._accept("TIMES"):
            if self.p._accept_word("this") is None:
                self.p._unexpected(self.p._here())
            return Capture("*this", False, first.span)
        by_reference = self.p._accept("AND") is not None
        pack = self.p._accept("ELLIPSIS") is not None
        name = self.p.specifiers.expect_name()
        init: Node | None = None
        if self.p._accept("EQUALS") or self.p._peek_type() in ("LBRACE", "LPAREN"):
            init = self.p._parse_initializer()
            self.p._add_identifier(name.value, name.span)
        pack = self.p._accept("ELLIPSIS") is not None or pack
        return Capture(name.value, by_reference, name.span, init, pack)
