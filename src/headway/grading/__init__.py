"""Grading a class: from the submitted folders to gradebook, report and feedback."""
