"""The results: the graded notebook, the report, the table of grades, the feedback page."""
