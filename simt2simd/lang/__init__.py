"""What CUDA-C has: types, built-in functions, overloads."""
