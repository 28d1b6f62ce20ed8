"""Benchmarks that ask one question each."""
