"""The probe: run an answer, and return the outcome as plain data.

It runs in the same process as the student's code, so it must not contain any task or right answer,
and imports nothing else from the course.
"""
