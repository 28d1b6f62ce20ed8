"""Calls: which function is meant, what becomes of the arguments; built-ins and CUDA's runtime."""
