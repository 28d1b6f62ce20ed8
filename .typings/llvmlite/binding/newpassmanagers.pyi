"""What simt2simd uses of llvmlite's pass managers."""

class NewPassManager:
    def _dispose(self) -> None: ...
