"""What the answers of assignment 07 are held to: where a word stands, and how a model is told."""

from headway.tasks.chapters.positions.faulty_line import faulty_line
from headway.tasks.chapters.positions.first_of_two import first_of_two_task
from headway.tasks.chapters.positions.look_back import look_back_task
from headway.tasks.chapters.positions.predict import distance, parameters, wave
from headway.tasks.chapters.positions.recurrent import recurrent_task
from headway.tasks.chapters.positions.repair import repair_task
from headway.tasks.chapters.positions.rotation import rotation_task
from headway.tasks.chapters.positions.sinusoids import sinusoids_task

TASKS = (
    wave,
    distance,
    parameters,
    recurrent_task,
    sinusoids_task,
    rotation_task,
    faulty_line,
    repair_task,
    first_of_two_task,
    look_back_task,
)
