"""Right answers to assignment 11 that are written in other ways than the reference."""

VARIANTS = {
    "11-language-model/positions": {},
    "11-language-model/parameters": {},
    "11-language-model/perplexity": {},
    "11-language-model/assemble": {},
    "11-language-model/loss": {},
    "11-language-model/batches": {},
    "11-language-model/generate": {},
    "11-language-model/faulty-line": {},
    "11-language-model/repair": {},
    "11-language-model/sort": {},
    "11-language-model/docstrings": {},
}
