"""`python -m simt2simd` is the command `simt2simd`."""

import sys

from .command.cli import main

sys.exit(main())
