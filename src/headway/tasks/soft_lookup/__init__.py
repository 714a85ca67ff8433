"""What the answers of assignment 04, from masks to learned attention, are held to."""

from headway.tasks.soft_lookup.backward import mask_gradient
from headway.tasks.soft_lookup.cross_entropy import cross_entropy_task
from headway.tasks.soft_lookup.jacobian import jacobian
from headway.tasks.soft_lookup.layer import word_features
from headway.tasks.soft_lookup.learn import learn
from headway.tasks.soft_lookup.loop import faulty_line, loop
from headway.tasks.soft_lookup.mix import mix_task
from headway.tasks.soft_lookup.predict import gradient, sharing, vote
from headway.tasks.soft_lookup.softmax import softmax_task
from headway.tasks.soft_lookup.step import step

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
