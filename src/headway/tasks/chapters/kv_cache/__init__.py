"""What the answers of assignment 15, the KV cache, are held to."""

from headway.tasks.chapters.kv_cache.beams import beams_task
from headway.tasks.chapters.kv_cache.bytes import bytes_task
from headway.tasks.chapters.kv_cache.cross import cross_task
from headway.tasks.chapters.kv_cache.decode import decode_task
from headway.tasks.chapters.kv_cache.faulty_line import faulty_line
from headway.tasks.chapters.kv_cache.positions import positions
from headway.tasks.chapters.kv_cache.prefill import prefill_task
from headway.tasks.chapters.kv_cache.read_new import read_new_task
from headway.tasks.chapters.kv_cache.restart import restart_task
from headway.tasks.chapters.kv_cache.ring import ring_task
from headway.tasks.chapters.kv_cache.shapes import shapes
from headway.tasks.chapters.kv_cache.step import step_task
from headway.tasks.chapters.kv_cache.token_bytes import token_bytes

TASKS = (
    positions,
    shapes,
    token_bytes,
    step_task,
    prefill_task,
    cross_task,
    beams_task,
    bytes_task,
    faulty_line,
    restart_task,
    read_new_task,
    decode_task,
    ring_task,
)
