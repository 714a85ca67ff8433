"""What the answers of assignment 02, Markov chains, are held to."""

from headway.tasks.chapters.markov.chain import chain
from headway.tasks.chapters.markov.neighbors import faulty_line, neighbors
from headway.tasks.chapters.markov.next_word import beat_unigram
from headway.tasks.chapters.markov.predict import after, by_hand, sizes
from headway.tasks.chapters.markov.sample import sampling
from headway.tasks.chapters.markov.score import scoring
from headway.tasks.chapters.markov.stationary import stationary_task
from headway.tasks.chapters.markov.transitions import transitions_task
from headway.tasks.chapters.markov.unigram import unigram_task

TASKS = (
    after,
    sizes,
    by_hand,
    transitions_task,
    chain,
    scoring,
    sampling,
    faulty_line,
    neighbors,
    unigram_task,
    beat_unigram,
    stationary_task,
)
