"""Why launches cannot be consolidated."""

from __future__ import annotations

from ....source import Span


class RefusedError(Exception):
    """Launches stay as they are: where the reason lies, what it is, what the program could do, and which launch."""

    def __init__(self, span: Span, why: str, help: str | None = None, launched: Span | None = None) -> None:
        super().__init__(why)
        self.span, self.why, self.help, self.launched = span, why, help, launched
