"""What the answers of assignment 10, the transformer block, are held to."""

from headway.tasks.chapters.block.block import block_task
from headway.tasks.chapters.block.cost import cost_task
from headway.tasks.chapters.block.deep import deep_task
from headway.tasks.chapters.block.faulty_line import faulty_line
from headway.tasks.chapters.block.feed_forward import feed_forward_task
from headway.tasks.chapters.block.gated import gated_task
from headway.tasks.chapters.block.layer_norm import layer_norm_task
from headway.tasks.chapters.block.predict import normed, parameters, share
from headway.tasks.chapters.block.repair import repair_task

TASKS = (
    parameters,
    normed,
    share,
    layer_norm_task,
    feed_forward_task,
    block_task,
    cost_task,
    faulty_line,
    repair_task,
    deep_task,
    gated_task,
)
