"""Interfaces to nbgrader: releases, editions, converters, the gradebook."""
