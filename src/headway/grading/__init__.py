"""Grading a class: from the folders that were handed in to gradebook, report and feedback."""
