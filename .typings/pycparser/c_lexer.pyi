"""The types of what simt2simd uses of pycparser's lexer, private methods included: `parse_lexer` overrides them.

The tokens that it makes are those of the overridden `_make_token`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from simt2simd.frontend.text.lexer import Token as CudaToken

@dataclass(slots=True)
class Token:
    type: str
    value: str
    lineno: int
    column: int
    filename: str

class CLexer:
    _keyword_map: dict[str, str]
    _lexdata: str
    _pos: int
    _in_attribute: bool
    _pending_tok: CudaToken | None
    def __init__(self, error_func: Callable[[str, int, int], None], *, dialect: str = "legacy") -> None: ...
    def input(self, text: str, filename: str = "") -> None: ...
    def token(self) -> CudaToken | None: ...
    def _match_token(self) -> CudaToken | None: ...
