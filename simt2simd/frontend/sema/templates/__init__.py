"""Templates: instances, deduction, specialisation, constraints, packs, type traits."""
