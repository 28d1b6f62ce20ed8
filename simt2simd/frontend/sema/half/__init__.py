"""`__half`, `__nv_bfloat16` and their pairs: operators, conversions and functions."""
