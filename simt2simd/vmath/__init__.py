"""Math functions on vectors."""
