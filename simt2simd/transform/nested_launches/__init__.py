"""Launches from kernels: few in place of many, or level by level."""
