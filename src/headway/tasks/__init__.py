"""Checking answers: an engine, the tasks of each chapter, and the `check` of the notebooks."""
