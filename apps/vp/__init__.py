"""Nearest neighbours by recursive search of a vantage-point tree."""
