"""What qualifies a version of LLVM: see `__main__`."""
