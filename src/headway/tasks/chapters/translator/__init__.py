"""What the answers of assignment 13, the full encoder–decoder, are held to."""

from headway.tasks.chapters.translator.cross_attention import cross
from headway.tasks.chapters.translator.faulty_line import faulty_line
from headway.tasks.chapters.translator.greedy_step import greedy
from headway.tasks.chapters.translator.leak import leak
from headway.tasks.chapters.translator.masks import masks_task
from headway.tasks.chapters.translator.memory import memory_task
from headway.tasks.chapters.translator.merge import stretch
from headway.tasks.chapters.translator.noam import noam_task
from headway.tasks.chapters.translator.predict import shares, weights_shape, what_is_read
from headway.tasks.chapters.translator.shift import shift
from headway.tasks.chapters.translator.smoothed_loss import loss
from headway.tasks.chapters.translator.translate import translate_task

TASKS = (
    weights_shape,
    what_is_read,
    shares,
    cross,
    memory_task,
    masks_task,
    shift,
    loss,
    noam_task,
    faulty_line,
    leak,
    greedy,
    translate_task,
    stretch,
)
