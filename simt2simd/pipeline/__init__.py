"""The device part of a program: from text to object code.

`Source` -> `Compiled`.
"""

from .choices import CHOICES
from .compiled import DUMPS, Compiled
from .driver import compile_device, link_device, relocatable, rewrite_for_gpus
from .gpu_forms import require_form, require_printed
from .optimisations import OPTIMISATIONS, list_optimisations, require_known
from .stages import STAGES
from .state import Instances

__all__ = [
    "CHOICES",
    "DUMPS",
    "OPTIMISATIONS",
    "STAGES",
    "Compiled",
    "Instances",
    "compile_device",
    "link_device",
    "list_optimisations",
    "relocatable",
    "require_form",
    "require_known",
    "require_printed",
    "rewrite_for_gpus",
]
