"""What the answers of assignment 04, from masks to learned attention, are held to."""

from headway.tasks.chapters.soft_lookup.backward import mask_gradient
from headway.tasks.chapters.soft_lookup.cross_entropy import cross_entropy_task
from headway.tasks.chapters.soft_lookup.jacobian import jacobian
from headway.tasks.chapters.soft_lookup.layer import word_features
from headway.tasks.chapters.soft_lookup.learn import learn
from headway.tasks.chapters.soft_lookup.loop import faulty_line, loop
from headway.tasks.chapters.soft_lookup.mix import mix_task
from headway.tasks.chapters.soft_lookup.predict import gradient, sharing, vote
from headway.tasks.chapters.soft_lookup.softmax import softmax_task
from headway.tasks.chapters.soft_lookup.step import step

TASKS = (
    sharing,
    vote,
    gradient,
    softmax_task,
    jacobian,
    cross_entropy_task,
    word_features,
    step,
    faulty_line,
    loop,
    mix_task,
    learn,
    mask_gradient,
)
