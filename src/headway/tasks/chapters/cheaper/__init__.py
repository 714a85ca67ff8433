"""What the answers of assignment 19, the same text for less, are held to."""

from headway.tasks.chapters.cheaper.add_keys import add_keys_task
from headway.tasks.chapters.cheaper.draft import draft_task
from headway.tasks.chapters.cheaper.faulty_line import faulty_line
from headway.tasks.chapters.cheaper.join import join_task
from headway.tasks.chapters.cheaper.pack import pack_task
from headway.tasks.chapters.cheaper.predict import expected, kept, size
from headway.tasks.chapters.cheaper.product import product_task
from headway.tasks.chapters.cheaper.quantize import quantize_task
from headway.tasks.chapters.cheaper.rounds import rounds_task

TASKS = (
    kept,
    size,
    expected,
    quantize_task,
    add_keys_task,
    join_task,
    rounds_task,
    faulty_line,
    product_task,
    draft_task,
    pack_task,
)
