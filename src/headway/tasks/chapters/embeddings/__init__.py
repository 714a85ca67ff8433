"""What the answers of assignment 06, words with neighbors, are held to."""

from headway.tasks.chapters.embeddings.by_hand import by_hand_task
from headway.tasks.chapters.embeddings.faulty_line import faulty_line
from headway.tasks.chapters.embeddings.latent import latent_task
from headway.tasks.chapters.embeddings.negatives import negatives_task
from headway.tasks.chapters.embeddings.predict import parameters, similarity, weight
from headway.tasks.chapters.embeddings.purity import purity_task
from headway.tasks.chapters.embeddings.skip_gram import skip_gram_task
from headway.tasks.chapters.embeddings.tf_idf import tf_idf_task
from headway.tasks.chapters.embeddings.tied import tied_task

TASKS = (
    weight,
    similarity,
    parameters,
    tf_idf_task,
    latent_task,
    skip_gram_task,
    tied_task,
    faulty_line,
    negatives_task,
    purity_task,
    by_hand_task,
)
