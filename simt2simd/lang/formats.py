"""The directives in formats of `printf`, as C and CUDA have them."""

from __future__ import annotations

import re

# `%-8.3lld`: flags, width, precision, length and conversion. What has no conversion of these is no directive.
DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:(?P<dot>\.)(?P<precision>\*|\d*))?(?P<length>hh|h|ll|[lLqjzt])?"
    r"(?P<kind>[diouxXcspfFeEgGaAn]|%|)"
)
