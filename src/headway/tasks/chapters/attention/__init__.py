"""What the answers of assignment 08, scaled dot-product attention, are held to."""

from headway.tasks.chapters.attention.additive import additive
from headway.tasks.chapters.attention.attend import attend_task
from headway.tasks.chapters.attention.causal import causal
from headway.tasks.chapters.attention.faulty_line import faulty_line
from headway.tasks.chapters.attention.head import head_task
from headway.tasks.chapters.attention.library import library
from headway.tasks.chapters.attention.masked_rows import masked_rows
from headway.tasks.chapters.attention.mixture import mixture
from headway.tasks.chapters.attention.near import near
from headway.tasks.chapters.attention.past import past
from headway.tasks.chapters.attention.recall import recall
from headway.tasks.chapters.attention.shapes import shapes
from headway.tasks.chapters.attention.window import window

TASKS = (
    shapes,
    mixture,
    masked_rows,
    library,
    attend_task,
    causal,
    window,
    additive,
    faulty_line,
    past,
    head_task,
    recall,
    near,
)
