"""Right answers to assignment 06 that are written in other ways than the reference."""

VARIANTS = {
    "06-embeddings/weight": {},
    "06-embeddings/similarity": {},
    "06-embeddings/parameters": {},
    "06-embeddings/tf-idf": {},
    "06-embeddings/latent": {},
    "06-embeddings/skip-gram": {},
    "06-embeddings/tied": {},
    "06-embeddings/faulty-line": {},
    "06-embeddings/negatives": {},
    "06-embeddings/purity": {},
    "06-embeddings/by-hand": {},
}
