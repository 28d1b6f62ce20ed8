"""Source text: preprocessed, cut into tokens and items; which declarations of headers are needed."""
