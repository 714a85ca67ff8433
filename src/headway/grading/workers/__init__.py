"""Processes that grade, side by side on this machine or on a cluster, one submission at a time."""
