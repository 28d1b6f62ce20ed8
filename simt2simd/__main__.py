"""`python -m simt2simd` is the command `simt2simd`."""

import sys

from .cli import main

sys.exit(main())
