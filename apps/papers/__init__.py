"""The tables and figures of the papers, measured here: `python -m apps tables NAME`."""
