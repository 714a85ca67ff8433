"""Working with nbgrader: releases, editions, its converters, its gradebook."""
