"""The process in which a student's code runs. Grading starts it and does not trust it."""
