"""The probe: an answer is put to use, and what comes of it is plain data.

It is all that runs beside a student's code: so it knows no task and no right answer, and imports
nothing of the course.
"""
