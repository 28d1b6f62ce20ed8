"""Measures a folder of CUDA programs from outside this project."""
