"""What `--disable` can switch off."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .choices import CHOICES
from .stages import STAGES

# What can be switched off, and why it is there.
OPTIMISATIONS: Mapping[str, str] = {
    **{row.name: row.why for row in STAGES if row.without is not None},
    **{choice.name: choice.why for choice in CHOICES},
}


def require_known(disabled: Collection[str]) -> None:
    """Raise `ValueError`, which lists all there are, if `disabled` names an optimisation that there is not."""
    for name in sorted(disabled):
        if name not in OPTIMISATIONS:
            raise ValueError(f"no optimisation '{name}': choose from\n{list_optimisations()}")


def list_optimisations() -> str:
    """Return what `--disable` can switch off, one a line with what it is for."""
    width = max(map(len, OPTIMISATIONS))
    return "\n".join(f"  {name:<{width}}  {why}" for name, why in OPTIMISATIONS.items())
