"""The records nearest to a place."""
