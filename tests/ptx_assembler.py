"""Whether NVIDIA's compiler takes a kernel with PTX, where it is installed."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

NVCC = Path("/usr/local/bin/nvcc")


def assembles(text: str, arch: str) -> None:
    """Fail if nvcc refuses a text for this architecture. Without nvcc, nothing is tested."""
    if not NVCC.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.cu"
        source.write_text(text)
        command = [str(NVCC), f"-arch={arch}", "-cubin", "-o", str(source.with_suffix(".cubin")), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
