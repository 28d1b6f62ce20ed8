"""The k nearest neighbours by recursive search of a kd-tree."""
