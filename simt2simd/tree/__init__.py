"""The typed tree, and all that is asked of it."""
