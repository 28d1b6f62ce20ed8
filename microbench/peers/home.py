"""Where peers are that no package registry has."""

from __future__ import annotations

import os
from pathlib import Path


def peers_home() -> Path:
    """Return $PEERS_HOME, or the folder that stands for it."""
    return Path(os.environ.get("PEERS_HOME") or "~/.cache/simt2simd-peers").expanduser()
