"""Classes: members, construction and destruction, conversions, operators, lambdas, new and delete."""
