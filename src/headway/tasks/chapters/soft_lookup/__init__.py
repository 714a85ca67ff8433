"""What the answers of assignment 04, from masks to learned attention, are held to."""

from headway.tasks.chapters.soft_lookup.cross_entropy import cross_entropy_task
from headway.tasks.chapters.soft_lookup.faulty_line import faulty_line
from headway.tasks.chapters.soft_lookup.gradient import gradient
from headway.tasks.chapters.soft_lookup.jacobian import jacobian
from headway.tasks.chapters.soft_lookup.learn import learn
from headway.tasks.chapters.soft_lookup.loop import loop
from headway.tasks.chapters.soft_lookup.mask_gradient import mask_gradient
from headway.tasks.chapters.soft_lookup.mix import mix_task
from headway.tasks.chapters.soft_lookup.sharing import sharing
from headway.tasks.chapters.soft_lookup.softmax import softmax_task
from headway.tasks.chapters.soft_lookup.step import step
from headway.tasks.chapters.soft_lookup.vote import vote
from headway.tasks.chapters.soft_lookup.word_features import word_features

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
